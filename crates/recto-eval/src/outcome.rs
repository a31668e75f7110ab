//! What came of a question.

use recto_engine::contract::{AnswerStatus, Usage};
use serde::{Deserialize, Serialize};

/// A page of a document.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct PageAt {
    /// The document's file name.
    pub document: String,
    /// 1-based physical number; 0 in a document without pages.
    pub page: u32,
}

/// A page that an answer cites.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CitedPage {
    /// The citation's number in the answer.
    pub index: u32,
    /// The first page of its quote.
    #[serde(flatten)]
    pub at: PageAt,
    /// The document's own words.
    pub quote: String,
}

/// What came of a question. One line of the results.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// The question's id.
    pub id: String,
    /// The question.
    pub question: String,
    /// The pages retrieved, the best first, at most ten.
    pub retrieved: Vec<PageAt>,
    /// The pages that answer it.
    pub gold: Vec<PageAt>,
    /// The documents that answer it.
    pub documents: Vec<String>,
    /// Whether it can be answered.
    pub answerable: bool,
    /// How the answer ended; none where it could not be asked at all.
    pub status: Option<AnswerStatus>,
    /// The answer.
    pub answer: String,
    /// What it cites, by number.
    pub cited: Vec<CitedPage>,
    /// Markers the model made up.
    pub invalid_markers: u32,
    /// Amounts and percentages of the answer expected.
    pub amounts: u32,
    /// Those the answer gives.
    pub amounts_given: u32,
    /// What its calls cost.
    pub usage: Usage,
    /// Milliseconds of the search.
    pub search_ms: u32,
    /// Milliseconds of the answer, its own search included.
    pub answer_ms: u32,
    /// Why it failed.
    pub error: Option<String>,
}
