//! `convert`: what is in a file, on standard output, or drawn over its pages.

use crate::args::{self, Convert, Format};
use crate::commands::page::is_same_file;
use crate::commands::target;
use crate::failure::{Ending, Failure, Result};
use crate::output::{Output, json, terminal};
use recto_engine::{ConvertFormat, ConvertOptions, FileTools, Layer};
use serde::Serialize;
use std::path::Path;

/// The outcome of drawing.
#[derive(Debug, Serialize)]
struct Drawings {
    /// The folder of the drawings.
    folder: String,
    /// Pages drawn.
    pages: u32,
}

pub(crate) async fn run(output: &Output, arguments: Convert) -> Result<Ending> {
    let format = arguments
        .to
        .unwrap_or(if output.is_json() { Format::Json } else { Format::Md });
    let drawn = matches!(format, Format::Svg | Format::Png);
    if arguments.layer.is_some() && !drawn {
        return Err(Failure::Usage("--layer is drawn: add --to svg or --to png.".to_owned()));
    }
    if drawn && arguments.output.is_none() {
        return Err(Failure::Usage(
            "Drawings are a file per page: name a folder for them with -o.".to_owned(),
        ));
    }
    if !arguments.file.exists() {
        return Err(Failure::not_found(format!(
            "There is no file {}.",
            arguments.file.display()
        )));
    }
    let options = ConvertOptions {
        to: wire(format, arguments.layer.unwrap_or(args::Layer::Items).into()),
        pages: arguments.pages,
        password: target::password(arguments.password_stdin)?,
    };
    match &arguments.output {
        Some(folder) if drawn => draw(output, &arguments.file, options, folder).await,
        path => write(output, &arguments.file, options, format, path.as_deref()).await,
    }
}

async fn draw(output: &Output, file: &Path, options: ConvertOptions, folder: &Path) -> Result<Ending> {
    std::fs::create_dir_all(folder).map_err(|error| Failure::write(folder, &error))?;
    let pages = FileTools::new()?.draw_layer(file, options, folder).await?.pages;
    let report = Drawings {
        folder: folder.to_string_lossy().into_owned(),
        pages,
    };
    output.result(&report, |_| report.folder.clone())?;
    Ok(Ending::Done)
}

async fn write(
    output: &Output,
    file: &Path,
    options: ConvertOptions,
    format: Format,
    path: Option<&Path>,
) -> Result<Ending> {
    if let Some(path) = path.filter(|path| is_same_file(path, file)) {
        return Err(Failure::Usage(format!(
            "{} is the document itself; name another file with -o.",
            path.display()
        )));
    }
    let text = FileTools::new()?.convert(file, options).await?;
    if let Some(path) = path {
        std::fs::write(path, text).map_err(|error| Failure::write(path, &error))?;
        return Ok(Ending::Done);
    }
    // A file or a pipe gets the text as it is; a terminal must not be steered by it.
    let text = match format {
        _ if output.view().width.is_none() => text,
        Format::Json | Format::Docling | Format::Words => json::escape_hidden(&text),
        _ => terminal::block(&text),
    };
    output.raw(text.as_bytes())?;
    if !text.is_empty() && !text.ends_with('\n') {
        output.raw(b"\n")?;
    }
    Ok(Ending::Done)
}

fn wire(format: Format, layer: Layer) -> ConvertFormat {
    match format {
        Format::Json => ConvertFormat::Json,
        Format::Md => ConvertFormat::Md,
        Format::Docling => ConvertFormat::Docling,
        Format::Words => ConvertFormat::Words,
        Format::Text => ConvertFormat::Text,
        Format::Svg => ConvertFormat::Svg(layer),
        Format::Png => ConvertFormat::Png(layer),
    }
}

impl From<args::Layer> for Layer {
    fn from(layer: args::Layer) -> Self {
        match layer {
            args::Layer::Words => Self::Words,
            args::Layer::Lines => Self::Lines,
            args::Layer::Blocks => Self::Blocks,
            args::Layer::Items => Self::Items,
            args::Layer::Tables => Self::Tables,
            args::Layer::Order => Self::Order,
        }
    }
}
