//! Reads a file in this process and shows what was understood: the quick way to look at a change of the reader.
//! `recto convert` does the same through a worker process.
//!
//! ```sh
//! cargo run -p recto-document --example read -- FILE [docling|json|md|words|text]
//! cargo run -p recto-document --example read -- FILE png|svg --layer items --pages 3-5 -o FOLDER
//! ```
//!
//! Layers are words, lines, blocks, items, tables and order. With `-o` a text goes to that file; drawings go to that
//! folder as `page-0003.png`, or, where a name with an extension is given and one page is asked for, to that file.
#![allow(clippy::print_stdout)]

use anyhow::{Context, bail};
use recto_document::layers::{self, SheetFormat, Source};
use recto_document::open::{self, Options};
use recto_document::{Error, export};
use recto_worker::Layer;
use std::path::{Path, PathBuf};

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse()?;
    let options = Options {
        file_name: arguments
            .file
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned(),
        password: arguments.password.clone(),
        // Drawings show what is understood of the whole file.
        pages: arguments.pages.filter(|_| !arguments.draws()),
        ..Options::default()
    };
    let bytes = open::load(&arguments.file, &options.limits)?;
    let document = open::read(&bytes, &options, &mut ())?;
    let written = match arguments.to.as_str() {
        "docling" => serde_json::to_string(&export::docling(&document, &options.file_name))?,
        "json" => serde_json::to_string(&document)?,
        "md" => export::markdown(&document),
        "words" => serde_json::to_string(&export::words(&document))?,
        "text" => export::text(&document),
        "svg" | "png" => {
            let source = Source {
                document: &document,
                bytes: &bytes,
                file_name: &options.file_name,
                password: options.password.as_deref(),
                pages: arguments.pages,
            };
            return draw(&source, &arguments);
        }
        other => bail!("{other} is not a format"),
    };
    match &arguments.output {
        Some(path) => std::fs::write(path, written)?,
        None => println!("{written}"),
    }
    Ok(())
}

fn draw(source: &Source<'_>, arguments: &Arguments) -> anyhow::Result<()> {
    let format = if arguments.to == "svg" {
        SheetFormat::Svg
    } else {
        SheetFormat::Png
    };
    let output = arguments.output.clone().context("drawings need -o")?;
    let one_file = output.extension().is_some()
        && arguments
            .pages
            .map_or(source.document.pages.len() == 1, |(first, last)| first == last);
    if !one_file {
        std::fs::create_dir_all(&output)?;
    }
    layers::draw(source, arguments.layer, format, &mut |page, sheet| {
        let path = match one_file {
            true => output.clone(),
            false => output.join(format.file_name(page)),
        };
        std::fs::write(&path, sheet).map_err(|source| Error::Write { path, source })
    })?;
    Ok(())
}

struct Arguments {
    file: PathBuf,
    to: String,
    layer: Layer,
    pages: Option<(u32, u32)>,
    password: Option<String>,
    output: Option<PathBuf>,
}

impl Arguments {
    fn draws(&self) -> bool {
        matches!(self.to.as_str(), "svg" | "png")
    }

    fn parse() -> anyhow::Result<Self> {
        let mut all = std::env::args().skip(1);
        let mut out = Self {
            file: PathBuf::new(),
            to: "docling".into(),
            layer: Layer::Items,
            pages: None,
            password: None,
            output: None,
        };
        let mut plain = Vec::new();
        while let Some(argument) = all.next() {
            let mut value = || all.next().with_context(|| format!("{argument} needs a value"));
            match argument.as_str() {
                "--layer" => out.layer = serde_json::from_value(value()?.into()).context("there is no such layer")?,
                "--pages" => out.pages = Some(range(&value()?)?),
                "--password" => out.password = Some(value()?),
                "-o" => out.output = Some(Path::new(&value()?).into()),
                _ => plain.push(argument),
            }
        }
        let mut plain = plain.into_iter();
        out.file = plain.next().context("which file?")?.into();
        out.to = plain.next().unwrap_or(out.to);
        Ok(out)
    }
}

/// "3", "3-7", "3-".
fn range(text: &str) -> anyhow::Result<(u32, u32)> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let last = match last {
        "" => u32::MAX,
        last => last.parse()?,
    };
    Ok((first.parse()?, last))
}
