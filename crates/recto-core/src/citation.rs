//! Citations: what an answer points at, and what was verified about it.

use crate::{ChunkId, CollectionName, DocumentId, Locator, PageRect};
use serde::{Deserialize, Serialize};

/// What code verified about a citation's quote. It states existence and place, never truth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The answer's own quote was found character by character.
    Verbatim,
    /// Found after normalisation.
    Normalised,
    /// Found within the edit distance, numbers equal.
    Fuzzy,
    /// Support chosen by Recto, found by alignment.
    Aligned,
    /// Not found on the pages.
    NotLocated,
}

/// Who chose the quote.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum QuoteBy {
    /// The answer itself quotes.
    Answer,
    /// Recto found the support for a claim.
    Recto,
}

/// What a box marks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BoxKind {
    /// The quoted or supporting words: strong.
    Quote,
    /// The passage around them: soft.
    Passage,
}

/// A box of a citation.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct CitedBox {
    /// Where.
    pub at: PageRect,
    /// What it marks.
    pub kind: BoxKind,
}

/// The figures, dates and percentages of a claim, looked up in its cited evidence.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct NumberCheck {
    /// Found, as written in the claim.
    pub found: Vec<String>,
    /// Not found.
    pub missing: Vec<String>,
    /// Computed from figures that are cited.
    pub computed: Vec<String>,
    /// How each of `computed` follows from cited figures, in the same order: `(120 − 100) ÷ 100`.
    #[serde(default)]
    pub operands: Vec<String>,
    /// Every figure, date and name of the claims lies within the strong boxes, and there is at least one figure or date.
    #[serde(default)]
    pub within_quote: bool,
}

/// What a citation's chip says at a glance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mark {
    /// ✓: the answer's own quote is on the page word for word, or every figure, date and name of the claim is in the words
    /// that are boxed.
    Proven,
    /// ≈: found, but not word for word, or not quoted by the answer.
    Near,
    /// !: not located, or a figure is missing.
    Open,
}

/// A numbered link from an answer to evidence. Holds all that is needed to show it again without retrieval.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Citation {
    /// The number in the answer's text, stable in a conversation.
    pub index: u32,
    /// The collection.
    pub collection: CollectionName,
    /// The document.
    pub document_id: DocumentId,
    /// The document's title.
    pub title: String,
    /// Where the file came from.
    pub uri: String,
    /// SHA-256 of the bytes the citation was made from.
    pub sha256: String,
    /// Headings from the outermost to the innermost.
    pub headings: Vec<String>,
    /// 1-based pages of the quote, ascending.
    pub pages: Vec<u32>,
    /// Printed label of each.
    pub page_labels: Vec<Option<String>>,
    /// How the place is named.
    pub locator: Locator,
    /// Chunks behind the evidence.
    pub chunk_ids: Vec<ChunkId>,
    /// Exactly the items in the evidence.
    pub doc_item_refs: Vec<String>,
    /// The document's own words.
    pub quote: String,
    /// Who chose them.
    pub quote_by: QuoteBy,
    /// What was verified.
    pub verdict: Verdict,
    /// The number check.
    pub numbers: NumberCheck,
    /// Strong boxes over the quote, then soft ones over the passage.
    pub boxes: Vec<CitedBox>,
    /// The quoted stretches of items, for documents without pages.
    pub spans: Vec<crate::Span>,
}

impl Citation {
    /// What its chip says, from the verdict and the number check alone.
    #[must_use]
    pub fn mark(&self) -> Mark {
        if self.verdict == Verdict::NotLocated || !self.numbers.missing.is_empty() {
            return Mark::Open;
        }
        let quoted = self.quote_by == QuoteBy::Answer && self.verdict == Verdict::Verbatim;
        if quoted || self.numbers.within_quote {
            return Mark::Proven;
        }
        Mark::Near
    }
}
