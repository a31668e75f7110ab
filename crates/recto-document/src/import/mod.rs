//! A Docling document (schema 1.x, as JSON) as ours.
//!
//! Two kinds of documents come this way: what the declarative backends of the `docling` crate make of office, web and
//! mail files, and `*.docling.json` files a person brings. Only the latter may have real pages.

mod cells;
mod names;
mod page;
mod picture;
mod source;
mod table;
mod walk;
mod wording;

pub(crate) use names::renumber;
pub(crate) use source::Source;
pub(crate) use table::markdown_grid;

use crate::error::{Error, Result};
use recto_core::{Image, Item, Page};
use recto_worker::ParseLimits;
use serde_json::Value;
use std::collections::HashMap;

/// What the places in a document mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Layout {
    /// One flow of text; there are no places.
    Flow,
    /// A web page: a flow that may begin with the site's own navigation.
    Web,
    /// Slides, each a chapter.
    Slides,
    /// Sheets; boxes count cells.
    Sheets,
    /// Pages with boxes in points.
    Pages,
}

/// What a backend knows beyond the document it makes.
#[derive(Debug, Default)]
pub(crate) struct Hints {
    /// `self_ref` of an item that calls footnotes, and of the notes in order.
    pub(crate) notes: HashMap<String, Vec<String>>,
    /// Text as it stands in the file by the same text without white space. Docling cuts a paragraph where its format
    /// changes, and the white space at the cuts is lost.
    pub(crate) spacing: HashMap<String, String>,
}

impl Hints {
    /// Remembers how a paragraph is spaced.
    pub(crate) fn space(&mut self, text: &str) {
        let words: Vec<&str> = text.split_whitespace().collect();
        if words.len() > 1 {
            self.spacing.entry(words.concat()).or_insert_with(|| words.join(" "));
        }
    }

    fn spaced(&self, text: String) -> String {
        if self.spacing.is_empty() {
            return text;
        }
        let bare: String = text.split_whitespace().collect();
        self.spacing.get(&bare).cloned().unwrap_or(text)
    }
}

/// What a Docling document holds.
#[derive(Debug, Default)]
pub(crate) struct Imported {
    /// Items in reading order.
    pub(crate) items: Vec<Item>,
    /// Images of pictures.
    pub(crate) images: Vec<Image>,
    /// Pages, for [`Layout::Pages`].
    pub(crate) pages: Vec<Page>,
    /// A title that is not printed in the document.
    pub(crate) title: Option<String>,
}

impl Source {
    /// The name of the document.
    pub(crate) fn name(&self) -> Option<&str> {
        self.json["name"].as_str().filter(|name| !name.is_empty())
    }

    /// The text of a text item by its number.
    pub(crate) fn text(&self, number: usize) -> Option<&str> {
        self.json["texts"][number]["text"].as_str()
    }
}

/// Takes over a document that was made by a backend in this process.
pub(crate) fn document(source: &Source, layout: Layout, hints: &Hints, limits: &ParseLimits) -> Result<Imported> {
    let walked = walk::walk(source, layout, hints, limits)?;
    let mut imported = Imported {
        items: walked.items,
        images: walked.images,
        pages: Vec::new(),
        title: walked.title,
    };
    if layout == Layout::Pages {
        imported.pages = page::pages(source, &mut imported.items, limits)?;
    }
    Ok(imported)
}

/// The layout of a document somebody brought: its origin tells what the boxes mean.
pub(crate) fn layout_of(source: &Source) -> Layout {
    let json = &source.json;
    let origin = json["origin"]["mimetype"].as_str().unwrap_or_default();
    let slides = ["presentationml", "ms-powerpoint", "opendocument.presentation"];
    let sheets = ["spreadsheetml", "ms-excel", "opendocument.spreadsheet"];
    if slides.iter().any(|kind| origin.contains(kind)) {
        Layout::Slides
    } else if sheets.iter().any(|kind| origin.contains(kind)) {
        Layout::Sheets
    } else if json["pages"].as_object().is_some_and(|pages| !pages.is_empty()) {
        Layout::Pages
    } else {
        Layout::Flow
    }
}

/// Says what is wrong with a document somebody brought, before it is taken over.
pub(crate) fn check(source: &Source) -> Result<()> {
    let json = &source.json;
    let damaged = |what: &str| Err(Error::Damaged { what: what.into() });
    if json["schema_name"] != "DoclingDocument" {
        return damaged("it does not say that it is a DoclingDocument");
    }
    let version = json["version"].as_str().unwrap_or_default();
    if version.split('.').next() != Some("1") {
        return damaged("its schema version is not 1");
    }
    if !json["body"]["children"].is_array() {
        return damaged("its body has no list of children");
    }
    for kind in ["texts", "tables", "pictures", "groups"] {
        if !(json[kind].is_null() || json[kind].is_array()) {
            return Err(Error::Damaged {
                what: format!("its {kind} are not a list"),
            });
        }
    }
    if !(json["pages"].is_null() || json["pages"].is_object()) {
        return damaged("its pages are not an object");
    }
    Ok(())
}

fn number(value: &Value) -> u32 {
    value.as_u64().and_then(|n| u32::try_from(n).ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests;
