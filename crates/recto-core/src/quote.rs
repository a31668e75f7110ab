//! Finding the words of a quote on the pages.

use crate::search::Span;
use crate::{DocumentId, PageRect, Result};
use async_trait::async_trait;
use serde::{Deserialize, Serialize};

/// How exactly a quote was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MatchKind {
    /// Character by character, white space aside.
    Verbatim,
    /// After normalisation of ligatures, quotes, dashes, case and hyphenation.
    Normalised,
    /// Within an edit distance of a tenth, every number equal.
    Fuzzy,
}

/// A place where a quote was found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct QuoteMatch {
    /// How exactly.
    pub kind: MatchKind,
    /// The document's own words.
    pub text: String,
    /// One rectangle per line and page; empty without pages.
    pub rects: Vec<PageRect>,
    /// The stretches of items the match covers; filled for documents without pages.
    pub spans: Vec<Span>,
}

/// Where to prefer a match when the words occur more than once. A hint never excludes a place.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct LocateHint {
    /// 1-based pages.
    pub pages: Vec<u32>,
    /// Boxes the words are expected in or near.
    pub boxes: Vec<PageRect>,
    /// Items the words are expected in.
    pub refs: Vec<String>,
}

/// Finds quotes in stored documents.
#[async_trait]
pub trait QuoteLocator: Send + Sync {
    /// Places of `quote` in the document, best first: by kind, then by nearness to `hint`, then in document order.
    /// Empty when nothing is near enough: no highlight is better than a wrong one.
    ///
    /// # Errors
    /// `not_found` when the document is gone; `timed_out` or `internal` when the worker failed.
    async fn locate(
        &self,
        collection: &crate::CollectionName,
        document: DocumentId,
        quote: &str,
        hint: &LocateHint,
    ) -> Result<Vec<QuoteMatch>>;
}
