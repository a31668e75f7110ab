//! Answers and the events of their making.

use crate::{AnswerId, Citation, CollectionName, Coverage, DocumentId, Error, Filter, Passage, UnitStats};
use serde::{Deserialize, Serialize};

/// How an answer is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Strategy {
    /// Without a model `quotes`; with one what suits the question and its scope.
    #[default]
    Auto,
    /// Verbatim quotes, no model.
    Quotes,
    /// One generation over numbered evidence.
    Passages,
    /// A model names the relevant sections of each document's outline; one generation over their full text.
    Outline,
    /// A model walks each document by its outline and pages and answers from it; the answers are put together.
    Walk,
    /// A model judges sections and pages, page by page; one generation over those that bear on the question.
    Judge,
    /// A model searches and reads with tools until it has what it cites.
    Agent,
}

impl Strategy {
    /// Whether it cannot be followed without a chat model.
    #[must_use]
    pub fn needs_model(self) -> bool {
        !matches!(self, Self::Auto | Self::Quotes)
    }
}

/// Which documents a question is put to.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Scope {
    /// Collections by name; `None` means all.
    pub collections: Option<Vec<CollectionName>>,
    /// Conditions on their documents.
    pub filter: Filter,
    /// Whether a collection that cannot be opened is left out and named in [`Coverage::not_searched`], instead of failing
    /// the whole.
    #[serde(default)]
    pub partial: bool,
}

/// How an answer ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AnswerStatus {
    /// There is an answer.
    Answered,
    /// Nothing bears on the question.
    Refused,
    /// It could not be made.
    Failed,
    /// The person stopped it; what was shown is kept.
    Cancelled,
}

/// What an answer says it stands on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Grounding {
    /// It cites passages it was given.
    Grounded,
    /// It says that it rests on none of them, or cites only what it was not given.
    Ungrounded,
    /// It says nothing about what it rests on.
    Missing,
}

/// What the model calls cost. Unknown is `None`, never zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens sent.
    pub input_tokens: Option<u32>,
    /// Tokens generated.
    pub output_tokens: Option<u32>,
    /// Calls made, failed ones included.
    pub calls: u32,
}

/// A document that a step failed on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DocumentFailure {
    /// The document.
    pub document_id: DocumentId,
    /// Its title.
    pub title: String,
    /// A sentence for the person.
    pub reason: String,
}

/// What one document had to say to the question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Finding {
    /// It addresses the question; that something is not in it can be its answer.
    Answered,
    /// It was read and does not address the question.
    NotAddressed,
    /// Nothing in it looked relevant.
    NoMatch,
    /// A step failed; see [`Answer::documents_failed`].
    Failed,
}

/// The outcome for one document, where each was looked at by itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DocumentFinding {
    /// The document.
    pub document_id: DocumentId,
    /// Its title.
    pub title: String,
    /// What it had to say.
    pub finding: Finding,
    /// How sure the model said it is, 0 to 1; `None` where it said nothing.
    pub confidence: Option<f32>,
}

/// A passage given to an answer, with its number.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Evidence {
    /// The number the answer cites it by.
    pub index: u32,
    /// Whether the answer cites it.
    pub cited: bool,
    /// The passage.
    pub passage: Passage,
}

/// A finished answer, as it is stored and shown again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// Its id.
    pub id: AnswerId,
    /// The question.
    pub question: String,
    /// The strategy that made it, never `auto`.
    pub strategy: Strategy,
    /// The chat model, where one was used.
    pub model: Option<String>,
    /// How it ended.
    pub status: AnswerStatus,
    /// What it was put to.
    pub scope: Scope,
    /// The text with its `[n]` markers, Markdown.
    pub text: String,
    /// The model gave no marker at all.
    pub uncited: bool,
    /// What it says it stands on; `None` where nothing was said, and for answers of versions that did not keep it.
    #[serde(default)]
    pub grounding: Option<Grounding>,
    /// Citations by index.
    pub citations: Vec<Citation>,
    /// All evidence by index, cited or not.
    pub evidence: Vec<Evidence>,
    /// On refusal, the nearest passages.
    pub nearest: Vec<Passage>,
    /// Counts by role.
    pub unit_stats: UnitStats,
    /// What was and was not searched.
    pub coverage: Coverage,
    /// Documents that a step failed on.
    pub documents_failed: Vec<DocumentFailure>,
    /// What each document had to say, where each was looked at by itself, in the order of their weight.
    #[serde(default)]
    pub findings: Vec<DocumentFinding>,
    /// Relevant sections left out for lack of room.
    #[serde(default)]
    pub sections_dropped: u32,
    /// Markers the model made up, removed from the text.
    pub invalid_markers: u32,
    /// What the calls cost.
    pub usage: Usage,
    /// Why it failed, where it did.
    pub error: Option<Error>,
    /// Milliseconds from question to end.
    pub elapsed_ms: u32,
}

/// What happens while an answer is made. Exactly one of the last three ends the stream.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum AnswerEvent {
    /// The question was accepted.
    Started {
        /// The answer the following events belong to.
        answer_id: AnswerId,
        /// The strategy chosen, never `auto`.
        strategy: Strategy,
        /// What it is put to.
        scope: Scope,
    },
    /// A step progresses.
    Stage {
        /// `search`, `navigate`, `read`, `generate`, `verify`.
        name: String,
        /// Units done.
        done: u32,
        /// Units in all.
        total: u32,
    },
    /// The numbered passages.
    Evidence {
        /// By index.
        evidence: Vec<Evidence>,
    },
    /// More of the text. Never splits a marker.
    Text {
        /// To be appended.
        delta: String,
    },
    /// A marker was completed. The verdict follows.
    Citation {
        /// The number cited.
        index: u32,
    },
    /// A citation was resolved and checked.
    Verdict {
        /// The whole citation.
        citation: Box<Citation>,
    },
    /// What the calls cost.
    Usage {
        /// So far.
        usage: Usage,
    },
    /// The answer is complete (answered or refused).
    Finished {
        /// All of it.
        answer: Box<Answer>,
    },
    /// It could not be made.
    Failed {
        /// What was made so far, with the error in it.
        answer: Box<Answer>,
        /// Why.
        error: Error,
    },
    /// The person stopped it.
    Cancelled {
        /// What was shown so far.
        answer: Box<Answer>,
    },
}

impl AnswerEvent {
    /// Whether this event ends the stream.
    #[must_use]
    pub fn is_terminal(&self) -> bool {
        matches!(
            self,
            Self::Finished { .. } | Self::Failed { .. } | Self::Cancelled { .. }
        )
    }
}
