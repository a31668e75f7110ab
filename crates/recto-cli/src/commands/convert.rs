//! `convert`: what is in a file, on standard output.

use crate::args::{Convert, Format};
use crate::commands::target;
use crate::failure::{Ending, Failure, Result};
use crate::output::{Output, json, terminal};
use recto_engine::{ConvertFormat, ConvertOptions, FileTools};

pub(crate) async fn run(output: &Output, arguments: Convert) -> Result<Ending> {
    if !arguments.file.exists() {
        return Err(Failure::not_found(format!(
            "There is no file {}.",
            arguments.file.display()
        )));
    }
    let format = arguments
        .to
        .unwrap_or(if output.is_json() { Format::Json } else { Format::Md });
    let options = ConvertOptions {
        to: format.into(),
        pages: arguments.pages,
        password: target::password(arguments.password_stdin)?,
    };
    let text = FileTools::new()?.convert(&arguments.file, options).await?;
    // A file or a pipe gets the text as it is; a terminal must not be steered by it.
    let text = match format {
        _ if output.view().width.is_none() => text,
        Format::Md | Format::Text => terminal::block(&text),
        Format::Json | Format::Docling | Format::Words => json::escape_hidden(&text),
    };
    output.raw(text.as_bytes())?;
    if !text.is_empty() && !text.ends_with('\n') {
        output.raw(b"\n")?;
    }
    Ok(Ending::Done)
}

impl From<Format> for ConvertFormat {
    fn from(format: Format) -> Self {
        match format {
            Format::Json => Self::Json,
            Format::Md => Self::Md,
            Format::Docling => Self::Docling,
            Format::Words => Self::Words,
            Format::Text => Self::Text,
        }
    }
}
