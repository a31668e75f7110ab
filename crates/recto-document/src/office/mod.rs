//! Formats without pages, read by declarative backends: office, web, mail, markup.

mod backend;
mod brought;
mod hints;
pub(crate) mod mail;
mod marks;
mod package;
mod web;
mod xml;

pub(crate) use brought::read as docling_json;
pub(crate) use xml::read as xml;

use crate::error::{Error, Result};
use crate::format::Format;
use crate::import::Imported;
use crate::open::{Options, Sink, Step};
use crate::text::decode;
use recto_core::{Document, DocumentInfo, Item, Label};

/// Reads a file of a declared format.
pub(crate) fn read(bytes: &[u8], format: Format, options: &Options, sink: &mut dyn Sink) -> Result<Document> {
    let facts = format.facts();
    let bytes = match format {
        Format::Html => web::without_navigation(bytes),
        _ if facts.encoded => decode::shown(decode::text(bytes)).into_bytes(),
        _ => bytes.to_vec(),
    };
    package::check(&bytes, &options.limits)?;
    let (imported, stated_title) = backend::convert(bytes, format, options)?;
    finish(facts.media_type, imported, stated_title, DocumentInfo::default(), sink)
}

/// Reads an encrypted Office document with the password. `guess` is what its name says it is.
pub(crate) fn read_encrypted(bytes: &[u8], guess: Format, options: &Options, sink: &mut dyn Sink) -> Result<Document> {
    let all = [guess, Format::Docx, Format::Xlsx, Format::Pptx];
    let mut outcome = Err(Error::PasswordRequired);
    for (index, format) in all.into_iter().enumerate() {
        if index > 0 && format == guess {
            continue;
        }
        outcome = read(bytes, format, options, sink);
        // Only what is inside shows of which kind it is.
        if !matches!(outcome, Err(Error::Damaged { .. } | Error::Empty)) {
            break;
        }
    }
    outcome
}

/// Makes the document of what was imported.
pub(crate) fn finish(
    media_type: &str,
    imported: Imported,
    stated_title: Option<String>,
    info: DocumentInfo,
    sink: &mut dyn Sink,
) -> Result<Document> {
    if imported.items.is_empty() {
        return Err(Error::Empty);
    }
    let title = title(&imported.items, imported.title.or(stated_title));
    let info = DocumentInfo {
        title,
        media_type: media_type.into(),
        page_count: u32::try_from(imported.pages.len()).unwrap_or(u32::MAX),
        ..info
    };
    sink.step(Step::Info(&info))?;
    let total = info.page_count;
    for page in &imported.pages {
        sink.step(Step::Page { page, total })?;
    }
    sink.step(Step::Structuring)?;
    Ok(Document {
        info,
        pages: imported.pages,
        items: imported.items,
        images: imported.images,
    })
}

/// The title printed in the document, else the one its properties state, else the first heading.
fn title(items: &[Item], stated: Option<String>) -> Option<String> {
    let printed = |label: fn(&Item) -> bool| items.iter().find(|item| label(item)).map(|item| item.text.clone());
    printed(|item| item.label == Label::Title)
        .or_else(|| stated.filter(|title| is_usable(title)))
        .or_else(|| printed(|item| item.label.is_heading()))
        .map(|title| title.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// What programs put there by themselves is not a title.
fn is_usable(title: &str) -> bool {
    let lower = title.trim().to_lowercase();
    let invented = [
        "untitled",
        "document",
        "presentation",
        "powerpoint presentation",
        "workbook",
        "microsoft word -",
        "slide 1",
    ];
    lower.chars().filter(|c| c.is_alphanumeric()).count() > 1
        && !invented
            .iter()
            .any(|start| lower == *start || (start.ends_with('-') && lower.starts_with(start)))
}
