//! Reads a file in this process and writes what was understood to standard output: the quick way to look at a change of
//! the reader. `recto convert` does the same through a worker process.
//!
//! `cargo run -p recto-document --example read -- FILE [docling|json|md|words|text]`
#![allow(clippy::print_stdout)]

use anyhow::{Context, bail};
use recto_document::export;
use recto_document::open::{self, Options};
use std::path::Path;

fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().context("which file?")?;
    let to = arguments.next().unwrap_or_else(|| "docling".into());
    let options = Options {
        file_name: Path::new(&file)
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned(),
        ..Options::default()
    };
    let bytes = open::load(Path::new(&file), &options.limits)?;
    let document = open::read(&bytes, &options, &mut ())?;
    let written = match to.as_str() {
        "docling" => serde_json::to_string(&export::docling(&document, &options.file_name))?,
        "json" => serde_json::to_string(&document)?,
        "md" => export::markdown(&document),
        "words" => serde_json::to_string(&export::words(&document))?,
        "text" => export::text(&document),
        other => bail!("{other} is not a format"),
    };
    println!("{written}");
    Ok(())
}
