//! Retrieval units.

use crate::{ChunkId, DocumentId, Locator, PageRect};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// A retrieval unit built from one or more items under one heading path.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Chunk {
    /// Unique in the collection and the same for the same input.
    pub id: ChunkId,
    /// The document it is cut from.
    pub document_id: DocumentId,
    /// 0-based position among the document's chunks.
    pub order: u32,
    /// What a reader is shown: the items' text without headings.
    pub content: String,
    /// Title, heading path and caption, each on a line of its own; stands before `content` when it is embedded.
    pub prefix: String,
    /// Search terms of `content`, separated by spaces, as the query side makes them too.
    pub content_terms: String,
    /// Search terms of `prefix`.
    pub heading_terms: String,
    /// What the chunk is made of.
    pub metadata: ChunkMetadata,
}

impl Chunk {
    /// The text that is embedded.
    #[must_use]
    pub fn embedded_text(&self) -> String {
        let content = without_grid(&self.content);
        if self.prefix.is_empty() {
            content.into_owned()
        } else {
            format!("{}\n{content}", self.prefix)
        }
    }
}

/// A text with the rows of its tables written as their cells, without the signs that draw the grid: they cost an
/// embedding model tokens and tell it nothing. Other lines stay as they are.
#[must_use]
pub fn without_grid(text: &str) -> Cow<'_, str> {
    if !text.lines().any(is_grid_row) {
        return Cow::Borrowed(text);
    }
    let mut lines: Vec<String> = Vec::new();
    for line in text.lines() {
        if !is_grid_row(line) {
            lines.push(line.to_owned());
        } else if line.contains(|c: char| !matches!(c, '|' | '-' | ':' | ' ')) {
            let words: Vec<&str> = line.split(['|', ' ']).filter(|word| !word.is_empty()).collect();
            lines.push(words.join(" "));
        }
    }
    Cow::Owned(lines.join("\n"))
}

fn is_grid_row(line: &str) -> bool {
    line.starts_with('|') && line.matches('|').count() > 1
}

/// What a chunk is made of.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct ChunkMetadata {
    /// `self_ref` of each item, in order.
    pub doc_item_refs: Vec<String>,
    /// 0-based position of the first item in the document.
    pub first_position: u32,
    /// 0-based position of the last item in the document.
    pub last_position: u32,
    /// Label of each item, as in `doc_item_refs`.
    pub labels: Vec<String>,
    /// 1-based page numbers, ascending; empty without pages.
    pub page_numbers: Vec<u32>,
    /// Headings from the outermost to the innermost.
    pub headings: Vec<String>,
    /// The part of each item that the chunk holds, in bytes of the item's text.
    pub spans: Vec<crate::search::Span>,
    /// Boxes of those parts; empty without pages.
    pub boxes: Vec<PageRect>,
    /// How the place is named in formats without pages, where its items say so: slide, cells of a sheet, part of a message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub locator: Option<Locator>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_embedded_as_its_cells() {
        let text = "Net sales | not a grid\n| Products | $ 63,355 |\n| --- | ---: |\n| Services | (19,604) |";
        assert_eq!(
            without_grid(text),
            "Net sales | not a grid\nProducts $ 63,355\nServices (19,604)"
        );
        assert!(matches!(without_grid("no table - at all"), Cow::Borrowed(_)));
    }
}
