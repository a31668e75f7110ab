//! Retrieval units.

use crate::{ChunkId, DocumentId, PageRect};
use serde::{Deserialize, Serialize};

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
        if self.prefix.is_empty() {
            self.content.clone()
        } else {
            format!("{}\n{}", self.prefix, self.content)
        }
    }
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
}
