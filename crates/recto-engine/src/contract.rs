//! The JSON shapes that the command line, the app and the MCP server show to the outside.
//!
//! They are stable: other tools read them. Boxes are in PDF points of the displayed page, origin top left; page numbers
//! are 1-based. Identifiers are strings, counts `u32`, moments RFC 3339 in UTC.

use serde::{Deserialize, Serialize};
use specta::Type;
use specta_typescript::Number;

/// A failure as callers see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct ApiError {
    /// Stable code: `password_required`, `library_in_use` …
    pub code: String,
    /// What happened and what to do next.
    pub message: String,
    /// Whether the same call may succeed later without a change.
    pub retryable: bool,
}

/// A page by its position and its printed label.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct PageName {
    /// 1-based position in the file.
    pub number: u32,
    /// What is printed on it, where something is.
    pub label: Option<String>,
}

/// A box on a page.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, Type)]
pub struct PageBox {
    /// 1-based page number.
    pub page: u32,
    /// Left edge.
    #[specta(type = Number)]
    pub left: f32,
    /// Top edge.
    #[specta(type = Number)]
    pub top: f32,
    /// Right edge.
    #[specta(type = Number)]
    pub right: f32,
    /// Bottom edge.
    #[specta(type = Number)]
    pub bottom: f32,
}

/// What a citation's box marks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum BoxKind {
    /// The quoted or supporting words.
    Quote,
    /// The passage around them.
    Passage,
}

/// A box of a citation.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, Type)]
pub struct CitationBox {
    /// 1-based page number.
    pub page: u32,
    /// Left edge.
    #[specta(type = Number)]
    pub left: f32,
    /// Top edge.
    #[specta(type = Number)]
    pub top: f32,
    /// Right edge.
    #[specta(type = Number)]
    pub right: f32,
    /// Bottom edge.
    #[specta(type = Number)]
    pub bottom: f32,
    /// What it marks.
    pub kind: BoxKind,
}

/// A stretch of an item's text, in characters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct ItemSpan {
    /// `self_ref` of the item.
    #[serde(rename = "ref")]
    pub self_ref: String,
    /// Where it begins.
    pub start: u32,
    /// Just after it.
    pub end: u32,
}

/// How a place is named to a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Locator {
    /// Physical pages.
    Page {
        /// The pages.
        pages: Vec<PageName>,
    },
    /// A slide.
    Slide {
        /// 1-based.
        number: u32,
    },
    /// Cells of a sheet.
    Sheet {
        /// The sheet.
        name: String,
        /// `B3:D9`.
        range: String,
    },
    /// A place under headings.
    Heading {
        /// From the outermost to the innermost.
        path: Vec<String>,
    },
    /// A part of a message.
    Part {
        /// Its name.
        name: String,
    },
}

/// Where a document stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum DocumentState {
    /// Waits for its turn.
    Queued,
    /// Being parsed.
    Reading,
    /// Text is being recognised.
    Ocr,
    /// Being committed for reading and word search.
    Indexing,
    /// Readable and found by words; vectors are being made.
    Embedding,
    /// Done.
    Ready,
    /// Done, but some pages could not be read.
    ReadyWithGaps,
    /// Encrypted.
    NeedsPassword,
    /// Cannot be read.
    Damaged,
    /// Not a type Recto reads.
    Unsupported,
    /// Holds nothing.
    Empty,
    /// Over a limit.
    TooLarge,
    /// Took too long.
    TimedOut,
    /// Needed too much memory.
    OutOfMemory,
    /// Failed for another reason.
    Failed,
    /// Cancelled by the person.
    Cancelled,
    /// Its file is gone.
    Missing,
}

/// A document that was added.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct AddedDocument {
    /// Its id.
    pub document_id: String,
    /// Where the file is.
    pub uri: String,
    /// Its title.
    pub title: String,
    /// Number of pages; 0 without pages.
    pub page_count: u32,
    /// Where it stands.
    pub state: DocumentState,
}

/// A file that could not be added.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct FailedFile {
    /// Where the file is.
    pub uri: String,
    /// How it ended.
    pub state: DocumentState,
    /// Why, and what to do.
    pub message: String,
}

/// The outcome of `add`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Type)]
pub struct AddReport {
    /// New or changed documents.
    pub added: Vec<AddedDocument>,
    /// Files whose bytes were here already.
    pub unchanged: Vec<AddedDocument>,
    /// Files that could not be read.
    pub failed: Vec<FailedFile>,
    /// Milliseconds.
    pub elapsed_ms: u32,
}

/// One row of `list`: a committed document, or a job that is not one yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct ListedDocument {
    /// Its collection.
    pub collection: String,
    /// Its id, once committed.
    pub document_id: Option<String>,
    /// Where the file is.
    pub uri: String,
    /// Title, or the file name until there is one.
    pub title: String,
    /// Detected type, once known.
    pub media_type: Option<String>,
    /// Number of pages, once known.
    pub page_count: Option<u32>,
    /// How many of them were read by recognising their pixels.
    pub recognised_pages: Option<u32>,
    /// Tags, in alphabetical order.
    pub tags: Vec<String>,
    /// Where it stands.
    pub state: DocumentState,
    /// Why it failed, or which pages are missing.
    pub message: Option<String>,
    /// Every place with the same bytes.
    pub locations: Vec<String>,
    /// SHA-256 of the bytes, once known.
    pub sha256: Option<String>,
    /// When it was added.
    pub created_at: String,
    /// When it last changed.
    pub updated_at: String,
}

/// The outcome of `list`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Type)]
pub struct DocumentList {
    /// By collection, then title, then id.
    pub documents: Vec<ListedDocument>,
}

/// A collection and what it holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct CollectionSummary {
    /// Its name.
    pub name: String,
    /// Documents in it.
    pub documents: u32,
    /// Those that can be read and searched.
    pub ready: u32,
    /// Why it cannot be opened, where it cannot.
    pub error: Option<String>,
    /// The embedding model its vectors come from; null where it cannot be opened.
    #[serde(default)]
    pub embedding_model: Option<String>,
    /// The folder of one that is attached, and so never changed; null for the library's own.
    #[serde(default)]
    pub location: Option<String>,
}

/// Conditions on the documents searched.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Type)]
#[serde(default)]
pub struct ScopeRequest {
    /// Collections by name; `None` means all.
    pub collections: Option<Vec<String>>,
    /// Only these documents (id); empty means all.
    pub document_ids: Vec<String>,
    /// Carrying all of these tags.
    pub tags: Vec<String>,
    /// Below this folder.
    pub folder: Option<String>,
    /// Of this media type, or this family when it ends in `/`.
    pub media_type: Option<String>,
    /// Added at or after.
    pub since: Option<String>,
    /// Added before.
    pub until: Option<String>,
    /// Whether a collection that cannot be opened is left out and named among what was not searched, instead of failing
    /// the whole.
    pub partial: bool,
}

/// Which lists a search uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum SearchMode {
    /// Words and vectors.
    #[default]
    Hybrid,
    /// Vectors only.
    Vector,
    /// Words only.
    Fts,
}

/// A search.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct SearchQuery {
    /// The person's words.
    pub query: String,
    /// Which lists.
    pub mode: SearchMode,
    /// Most results.
    pub limit: u32,
    /// Which documents.
    pub scope: ScopeRequest,
    /// Whether to show each hit with its surroundings.
    pub expand: bool,
}

/// Why a passage is among the results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum PassageRole {
    /// Found.
    Evidence,
    /// Beside the best evidence page.
    Neighbour,
    /// Found, but past the limit.
    RunnerUp,
    /// From a document given whole.
    WholeDocument,
}

/// Counts of passages by role.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, Type)]
pub struct UnitStats {
    /// Found.
    pub evidence: u32,
    /// Beside evidence.
    pub neighbours: u32,
    /// Past the limit.
    pub runner_ups: u32,
    /// From whole documents.
    pub whole_documents: u32,
    /// All returned.
    pub returned: u32,
    /// The limit.
    pub cap: u32,
}

/// A passage.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
pub struct SearchResult {
    /// 1-based.
    pub rank: u32,
    /// Fused score, comparable inside one result only.
    #[specta(type = Number)]
    pub score: f32,
    /// Confidence 0..1 where a model gave one.
    #[specta(type = Option<Number>)]
    pub confidence: Option<f32>,
    /// Why it is here.
    pub role: PassageRole,
    /// The page it stands beside.
    pub neighbour_of: Option<u32>,
    /// How the place is named.
    pub locator: Locator,
    /// The parts of items in `text`.
    pub spans: Vec<ItemSpan>,
    /// The collection.
    pub collection: String,
    /// The document.
    pub document_id: String,
    /// Its title.
    pub title: String,
    /// Where the file is.
    pub uri: String,
    /// The best-scoring chunk.
    pub chunk_id: String,
    /// All chunks in the passage.
    pub chunk_ids: Vec<String>,
    /// Pages.
    pub pages: Vec<PageName>,
    /// Headings from the outermost to the innermost.
    pub headings: Vec<String>,
    /// Labels of the items.
    pub labels: Vec<String>,
    /// The items in `text`.
    pub doc_item_refs: Vec<String>,
    /// The text.
    pub text: String,
    /// Where it lies.
    pub boxes: Vec<PageBox>,
}

/// A document that could not be searched.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct NotSearched {
    /// Its id, once it has one.
    pub document_id: Option<String>,
    /// Title or file name.
    pub title: String,
    /// Why.
    pub reason: String,
}

/// What was and was not searched.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Type)]
pub struct Coverage {
    /// Documents searched.
    pub documents_searched: u32,
    /// Those with a match.
    pub documents_with_matches: u32,
    /// Documents in scope.
    pub documents_total: u32,
    /// The rest, each with its reason.
    pub not_searched: Vec<NotSearched>,
    /// Those the question was understood to be about, the best first; empty where it names none. The others were
    /// searched too.
    #[serde(default)]
    pub chosen: Vec<ChosenDocument>,
}

/// A document that a question seems to be about.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Type)]
pub struct ChosenDocument {
    /// The collection.
    pub collection: String,
    /// The document.
    pub document_id: String,
    /// Its title.
    pub title: String,
    /// What of the question speaks for it: "Apple", "Q3 2022", "10-q".
    pub reasons: Vec<String>,
}

/// The outcome of `search`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
pub struct SearchReport {
    /// As asked.
    pub query: String,
    /// As asked.
    pub mode: SearchMode,
    /// Counts by role.
    pub unit_stats: UnitStats,
    /// Best first.
    pub results: Vec<SearchResult>,
    /// What was searched.
    pub coverage: Coverage,
}

/// How an answer is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum Strategy {
    /// Without a model `quotes`; with one what suits the question and its scope.
    #[default]
    Auto,
    /// Verbatim quotes, no model.
    Quotes,
    /// One generation over numbered evidence.
    Passages,
    /// A model names the relevant sections of each document; one generation over their full text.
    Outline,
    /// A model walks each document and answers from it; the answers are put together.
    Walk,
    /// A model judges sections and pages; one generation over those that bear on the question.
    Judge,
    /// A model searches and reads with tools.
    Agent,
}

/// Limits of one question; what is null is left to Recto.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, Type)]
#[serde(default)]
pub struct AskLimits {
    /// Most documents looked at one by one, the most promising first; 0 for all.
    pub documents: Option<u32>,
    /// Most sections or pages read; 0 for all that are relevant.
    pub sections: Option<u32>,
    /// Most steps of a walk through one document; 0 for the usual number.
    pub depth: Option<u32>,
    /// Most tokens of passages that `passages` gives to the model at once; fewer where its context is small. Usually 3 000
    /// for a model on this machine and 10 000 for one elsewhere.
    pub evidence_tokens: Option<u32>,
    /// Most seconds for the whole question.
    pub seconds: Option<u32>,
    /// Whether `outline` answers from each document by itself and then puts the answers together.
    pub per_document: bool,
    /// Whether a written answer is held to sources that were offered, where the model's output can be held to a form.
    pub constrained: bool,
}

/// A question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct AskRequest {
    /// The question.
    pub question: String,
    /// How to answer.
    pub strategy: Strategy,
    /// Model name, where another than the configured one is wanted.
    pub model: Option<String>,
    /// Which documents.
    pub scope: ScopeRequest,
    /// The conversation to append to; `None` starts one.
    pub conversation_id: Option<String>,
    /// How much may be read and called.
    #[serde(default)]
    pub limits: AskLimits,
}

/// How an answer ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum AnswerStatus {
    /// There is an answer.
    Answered,
    /// Nothing bears on the question.
    Refused,
    /// It could not be made.
    Failed,
    /// Stopped by the person.
    Cancelled,
}

/// What an answer says it stands on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum Grounding {
    /// It cites passages it was given.
    Grounded,
    /// It says that it rests on none of them, or cites only what it was not given.
    Ungrounded,
    /// It says nothing about what it rests on.
    Missing,
}

/// Who chose a quote.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum QuoteBy {
    /// The answer quotes.
    Answer,
    /// Recto found the support.
    Recto,
}

/// What was verified about a quote.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Found character by character.
    Verbatim,
    /// Found after normalisation.
    Normalised,
    /// Found within the edit distance.
    Fuzzy,
    /// Found by alignment.
    Aligned,
    /// Not found.
    NotLocated,
}

/// The figures of a claim, looked up in its evidence.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Type)]
pub struct NumberCheck {
    /// Found.
    pub found: Vec<String>,
    /// Not found.
    pub missing: Vec<String>,
    /// Computed from cited figures.
    pub computed: Vec<String>,
    /// How each of `computed` follows from cited figures, in the same order: `(120 − 100) ÷ 100`.
    #[serde(default)]
    pub operands: Vec<String>,
}

/// What a citation's chip says at a glance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
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

/// A numbered link from the answer to evidence.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
pub struct Citation {
    /// The number in the text.
    pub index: u32,
    /// The collection.
    pub collection: String,
    /// The document.
    pub document_id: String,
    /// Its title.
    pub title: String,
    /// Where the file is.
    pub uri: String,
    /// The innermost heading.
    pub section_title: Option<String>,
    /// Headings from the outermost to the innermost.
    pub headings: Vec<String>,
    /// Sections by id.
    pub section_ids: Vec<String>,
    /// Pages of the quote.
    pub pages: Vec<PageName>,
    /// Chunks behind the evidence.
    pub chunk_ids: Vec<String>,
    /// Items in the evidence.
    pub doc_item_refs: Vec<String>,
    /// SHA-256 of the cited bytes.
    pub sha256: String,
    /// How the place is named.
    pub locator: Locator,
    /// The document's own words.
    pub quote: String,
    /// Who chose them.
    pub quote_by: QuoteBy,
    /// What was verified.
    pub verdict: Verdict,
    /// What follows from the verdict and the number check.
    pub mark: Mark,
    /// The number check.
    pub numbers: NumberCheck,
    /// Strong boxes over the quote, then soft ones over the passage.
    pub boxes: Vec<CitationBox>,
    /// The quoted stretches of items, for documents without pages.
    pub spans: Vec<ItemSpan>,
}

/// A numbered passage that was given to the answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
pub struct Evidence {
    /// Its number.
    pub index: u32,
    /// Whether the answer cites it.
    pub cited: bool,
    /// The passage.
    #[serde(flatten)]
    pub passage: SearchResult,
}

/// What the model calls cost; unknown is null.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, Type)]
pub struct Usage {
    /// Tokens sent.
    pub input_tokens: Option<u32>,
    /// Tokens generated.
    pub output_tokens: Option<u32>,
    /// Calls made.
    pub calls: u32,
}

/// A document that a step failed on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct DocumentFailure {
    /// The document.
    pub document_id: String,
    /// Its title.
    pub title: String,
    /// Why.
    pub reason: String,
}

/// What one document had to say to the question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum Finding {
    /// It addresses the question; that something is not in it can be its answer.
    Answered,
    /// It was read and does not address the question.
    NotAddressed,
    /// Nothing in it looked relevant.
    NoMatch,
    /// A step failed.
    Failed,
}

/// The outcome for one document, where each was looked at by itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
pub struct DocumentFinding {
    /// The document.
    pub document_id: String,
    /// Its title.
    pub title: String,
    /// What it had to say.
    pub finding: Finding,
    /// How sure the model said it is, 0 to 1; null where it said nothing.
    #[specta(type = Option<Number>)]
    pub confidence: Option<f32>,
}

/// A finished answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
pub struct Answer {
    /// Its id; null when nothing was stored (the library is open elsewhere).
    pub answer_id: Option<String>,
    /// The question.
    pub question: String,
    /// The strategy that made it.
    pub strategy: Strategy,
    /// The chat model, where one was used.
    pub model: Option<String>,
    /// How it ended.
    pub status: AnswerStatus,
    /// What it was put to.
    pub scope: ScopeRequest,
    /// Markdown with `[n]` markers.
    pub text: String,
    /// The model gave no marker at all.
    pub uncited: bool,
    /// What it says it stands on; null where it says nothing, such as a refusal of Recto's own.
    #[serde(default)]
    pub grounding: Option<Grounding>,
    /// Counts by role.
    pub unit_stats: UnitStats,
    /// Sections left out for lack of room.
    pub sections_dropped: u32,
    /// On refusal, the nearest passages.
    pub nearest: Vec<SearchResult>,
    /// By index.
    pub citations: Vec<Citation>,
    /// By index, cited or not.
    pub evidence: Vec<Evidence>,
    /// What was searched.
    pub coverage: Coverage,
    /// Documents that a step failed on.
    pub documents_failed: Vec<DocumentFailure>,
    /// What each document had to say, where each was looked at by itself.
    #[serde(default)]
    pub findings: Vec<DocumentFinding>,
    /// Markers the model made up, removed from the text.
    pub invalid_markers: u32,
    /// What the calls cost.
    pub usage: Usage,
    /// Why it failed, where it did.
    pub error: Option<ApiError>,
    /// What was verified, in a line: "2 quotes verbatim · 1 figure not found"; null without citations.
    #[serde(default)]
    pub verdict_summary: Option<String>,
    /// What was searched, in a sentence: "Searched 12 of 12 documents; 9 passages read, 3 cited."
    #[serde(default)]
    pub coverage_sentence: String,
    /// Milliseconds.
    pub elapsed_ms: u32,
}

/// What happens while an answer is made. Exactly one of the last three ends the stream.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum AskEvent {
    /// The question was accepted.
    Started {
        /// Events of other answers are not for this one.
        answer_id: String,
        /// Where the answer will be kept.
        conversation_id: Option<String>,
        /// The strategy chosen.
        strategy: Strategy,
        /// What it is put to.
        scope: ScopeRequest,
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
    /// More text; never splits a marker.
    Text {
        /// To be appended.
        delta: String,
    },
    /// A marker was completed; its verdict follows.
    Citation {
        /// The number cited.
        index: u32,
    },
    /// A citation was checked.
    Verdict {
        /// All of it.
        citation: Box<Citation>,
    },
    /// What the calls cost so far.
    Usage {
        /// So far.
        usage: Usage,
    },
    /// Complete.
    Finished {
        /// All of it.
        answer: Box<Answer>,
    },
    /// Failed.
    Failed {
        /// What was made so far.
        answer: Box<Answer>,
        /// Why.
        error: ApiError,
    },
    /// Stopped by the person.
    Cancelled {
        /// What was shown so far.
        answer: Box<Answer>,
    },
}

/// How exactly a quote was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum MatchKind {
    /// Character by character.
    Verbatim,
    /// After normalisation.
    Normalised,
    /// Within the edit distance.
    Fuzzy,
}

/// A place where a quote was found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
pub struct LocateMatch {
    /// How exactly.
    pub kind: MatchKind,
    /// Pages.
    pub pages: Vec<PageName>,
    /// The document's own words.
    pub text: String,
    /// One box per line.
    pub boxes: Vec<PageBox>,
    /// The stretches of items, for documents without pages.
    pub spans: Vec<ItemSpan>,
}

/// The outcome of `locate`; no match is not an error.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, Type)]
pub struct LocateReport {
    /// Best first.
    pub matches: Vec<LocateMatch>,
}

/// A page's size, for laying pages out before they are rendered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
pub struct PageSize {
    /// 1-based position.
    pub number: u32,
    /// Printed label.
    pub label: Option<String>,
    /// Displayed width in points.
    #[specta(type = Number)]
    pub width: f32,
    /// Displayed height in points.
    #[specta(type = Number)]
    pub height: f32,
}

/// An item of a document without pages, for the laid-out view.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct LaidOutItem {
    /// `self_ref`.
    #[serde(rename = "ref")]
    pub self_ref: String,
    /// Docling's label.
    pub label: String,
    /// Depth of a heading or list item.
    pub level: u32,
    /// Its text.
    pub text: String,
    /// The cells of a table.
    pub table: Option<LaidOutTable>,
    /// The slide, sheet or part it is on, where the format has such places.
    pub place: Option<Locator>,
}

/// A table of a document without pages.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct LaidOutTable {
    /// Number of rows.
    pub rows: u32,
    /// Number of columns.
    pub columns: u32,
    /// Cells in row order; a spanning cell stands once.
    pub cells: Vec<LaidOutCell>,
}

/// A cell of a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct LaidOutCell {
    /// 0-based first row.
    pub row: u32,
    /// 0-based first column.
    pub column: u32,
    /// Rows covered.
    pub row_span: u32,
    /// Columns covered.
    pub column_span: u32,
    /// Whether it heads a column or a row.
    pub header: bool,
    /// Its text.
    pub text: String,
    /// Where the text begins in the item's text, in characters.
    pub start: u32,
    /// Just after it.
    pub end: u32,
}

/// A word of a page, for selecting text over its picture.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
pub struct PageWord {
    /// Its text.
    pub text: String,
    /// The line it stands in, counted from 0 in reading order.
    pub line: u32,
    /// Left edge in points.
    #[specta(type = Number)]
    pub left: f32,
    /// Top edge.
    #[specta(type = Number)]
    pub top: f32,
    /// Right edge.
    #[specta(type = Number)]
    pub right: f32,
    /// Bottom edge.
    #[specta(type = Number)]
    pub bottom: f32,
}

/// A link on a page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
pub struct PageLink {
    /// The part of the page that is linked.
    pub at: PageBox,
    /// An address; it comes from the document and is shown before it is opened.
    pub uri: Option<String>,
    /// 1-based page of the same document.
    pub page: Option<u32>,
}

/// The text of a page as it is stored.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
pub struct PageText {
    /// 1-based page number.
    pub page: u32,
    /// Words in reading order.
    pub words: Vec<PageWord>,
    /// Links.
    pub links: Vec<PageLink>,
    /// Whether the text was recognised from pixels.
    pub recognised: bool,
}

/// An entry of a document's table of contents.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct ContentsEntry {
    /// 1 is the outermost level.
    pub level: u32,
    /// The heading.
    pub title: String,
    /// 1-based page, where there are pages.
    pub page: Option<u32>,
    /// `self_ref` of the heading; `None` for an entry of the file's own outline.
    #[serde(rename = "ref")]
    pub self_ref: Option<String>,
}

/// A section of a document, everything below it included.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct OutlineSection {
    /// 1-based position in the outline; sections are named by it.
    pub number: u32,
    /// 1 is the outermost level.
    pub level: u32,
    /// The heading, or what stands in for one.
    pub title: String,
    /// The page it begins on, where there are pages.
    pub first_page: Option<PageName>,
    /// The page it ends on.
    pub last_page: Option<PageName>,
    /// Estimated tokens of its text.
    pub tokens: u32,
    /// Its first sentence that tells something.
    pub summary: String,
    /// A few of its figures with their units, as printed.
    pub figures: Vec<String>,
    /// `self_ref` of the heading; null for a section without one.
    #[serde(rename = "ref")]
    pub self_ref: Option<String>,
}

/// The sections of a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct DocumentOutline {
    /// The collection.
    pub collection: String,
    /// The document.
    pub document_id: String,
    /// Its title.
    pub title: String,
    /// Estimated tokens of the whole text.
    pub tokens: u32,
    /// In reading order, parents before their children.
    pub sections: Vec<OutlineSection>,
    /// The same as Markdown, in the manner of `llms.txt`.
    pub text: String,
}

/// The whole text of a section.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct SectionText {
    /// The collection.
    pub collection: String,
    /// The document.
    pub document_id: String,
    /// The document's title.
    pub title: String,
    /// Which section it is.
    pub section: OutlineSection,
    /// Titles from the outermost to the section's own.
    pub headings: Vec<String>,
    /// The text, headings included, subsections too.
    pub text: String,
}

/// What the reader needs to show a document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
pub struct DocumentView {
    /// The collection.
    pub collection: String,
    /// The document.
    pub document_id: String,
    /// SHA-256 of the bytes shown.
    pub sha256: String,
    /// Its title.
    pub title: String,
    /// Where the file is.
    pub uri: String,
    /// Pages by number; empty for formats without pages.
    pub pages: Vec<PageSize>,
    /// Items, for formats without pages.
    pub items: Vec<LaidOutItem>,
}

/// A job of the ingestion queue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct QueueJob {
    /// Its id.
    pub job_id: String,
    /// The collection.
    pub collection: String,
    /// Where the file is.
    pub uri: String,
    /// The file's name.
    pub file_name: String,
    /// Where it stands.
    pub state: DocumentState,
    /// Units of the current step done.
    pub done: u32,
    /// Units in all; 0 while unknown.
    pub total: u32,
    /// Why it failed.
    pub message: Option<String>,
    /// The failure's code.
    pub code: Option<String>,
}

/// The ingestion queue as it is stored.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Type)]
pub struct QueueReport {
    /// Whether it is paused.
    pub paused: bool,
    /// Jobs waiting or running.
    pub active: u32,
    /// Jobs finished since the queue was last empty.
    pub finished: u32,
    /// Live and failed jobs, in the order they run.
    pub jobs: Vec<QueueJob>,
}

/// A message of a chat with a model, as it was sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct TracedMessage {
    /// `system`, `user`, `assistant`, `tool`.
    pub role: String,
    /// The text.
    pub content: String,
}

/// One call of a chat model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct TracedCall {
    /// The step it belongs to.
    pub stage: String,
    /// The model.
    pub model: String,
    /// The document it is about, where it is about one.
    pub document_id: Option<String>,
    /// Exactly what was sent.
    pub messages: Vec<TracedMessage>,
    /// The JSON schema the reply was asked to have, as text.
    pub schema: Option<String>,
    /// The tools it could ask for, by name.
    pub tools: Vec<String>,
    /// Exactly what came back.
    pub reply: String,
    /// The tools it asked for, each with its arguments as written.
    pub tool_calls: Vec<String>,
    /// What it cost; unknown is null.
    pub usage: Usage,
    /// Why it failed, where it did.
    pub error: Option<ApiError>,
    /// Whether the reply came to its end.
    pub complete: bool,
}

/// What followed from a step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct TracedDecision {
    /// The step.
    pub stage: String,
    /// The document it is about, where it is about one.
    pub document_id: Option<String>,
    /// A sentence.
    pub what: String,
}

/// How an answer came about: what models saw, what they said, what followed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct AnswerTrace {
    /// The answer.
    pub answer_id: String,
    /// The question.
    pub question: String,
    /// The strategy that made it.
    pub strategy: Strategy,
    /// In the order of the steps.
    pub calls: Vec<TracedCall>,
    /// In the same order.
    pub decisions: Vec<TracedDecision>,
}

/// A stored answer made again from its trace, without asking a model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
pub struct AnswerReplay {
    /// The stored answer.
    pub answer_id: String,
    /// The fields of the answer that came out differently; empty where it is the same byte for byte.
    pub differing: Vec<String>,
    /// The answer as it came out.
    pub answer: Answer,
}

/// A conversation in the history.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct ConversationSummary {
    /// Its id.
    pub conversation_id: String,
    /// Its first question.
    pub title: String,
    /// When it was last added to.
    pub updated_at: String,
    /// Answers in it.
    pub answers: u32,
}

/// A conversation with its answers, as they were stored.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
pub struct Conversation {
    /// Its id.
    pub conversation_id: String,
    /// Its first question.
    pub title: String,
    /// In order.
    pub answers: Vec<Answer>,
}

/// Where questions go.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct ModelStatus {
    /// The chat model's name; null when none is configured.
    pub chat_model: Option<String>,
    /// Host the text is sent to; null when nothing leaves this machine.
    pub remote_host: Option<String>,
    /// The embedding model of new collections.
    pub embedding_model: String,
    /// Host the text of documents and questions is sent to for its vectors; null when that stays on this machine.
    #[serde(default)]
    pub embedding_host: Option<String>,
    /// The reranker; null when none is configured.
    #[serde(default)]
    pub reranker: Option<String>,
    /// Host that questions and the passages found are sent to for ranking; null when that stays on this machine.
    #[serde(default)]
    pub reranker_host: Option<String>,
    /// What a probe of the chat model said; null when none was made.
    pub probe: Option<String>,
}

/// The chat model as a person sets it up.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Type)]
#[serde(default)]
pub struct ChatModelSettings {
    /// `ollama`, `openai-compatible`, `openai`, `anthropic` or `gemini`; null with a base URL means `openai-compatible`.
    pub provider: Option<String>,
    /// The server's address; null for the provider's own.
    pub base_url: Option<String>,
    /// The model's name there; null for no chat model.
    pub name: Option<String>,
    /// The environment variable that holds the key, where it is not one of those the provider's users have set anyway.
    pub api_key_env: Option<String>,
    /// Tokens of prompt and reply together, where the model does not say.
    pub context_tokens: Option<u32>,
}

/// The embedding model of new collections as a person sets it up; without a provider and an address the bundled one. A
/// collection keeps the model it was made with.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Type)]
#[serde(default)]
pub struct EmbeddingModelSettings {
    /// `ollama`, `openai-compatible` or `openai`; null with a base URL means `openai-compatible`.
    pub provider: Option<String>,
    /// The server's address; null for the provider's own.
    pub base_url: Option<String>,
    /// The model's name there.
    pub name: Option<String>,
    /// The environment variable that holds the key, where it is not one of those the provider's users have set anyway.
    pub api_key_env: Option<String>,
    /// Length of a vector; found out when the model is set up.
    pub dimension: Option<u32>,
}

/// A reranker as a person sets it up: a server's, or a cross-encoder in a file. All null for none.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Type)]
#[serde(default)]
pub struct RerankerSettings {
    /// The server's address, which ends before `/rerank`.
    pub base_url: Option<String>,
    /// The model's name there.
    pub name: Option<String>,
    /// The environment variable that holds the key.
    pub api_key_env: Option<String>,
    /// An ONNX file of a cross-encoder.
    pub model_file: Option<String>,
    /// Its `tokenizer.json`; null for the one beside it.
    pub tokenizer_file: Option<String>,
}

/// A step of answering that may ask a model of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// Making a question that goes on from others understandable by itself.
    Rewrite,
    /// Choosing sections from outlines.
    Navigate,
    /// Judging sections and pages.
    Judge,
}

/// Chat models of single steps. One without a name is the chat model; one without a provider and an address is another
/// model of the chat model's server.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Type)]
#[serde(default)]
pub struct StageModels {
    /// Making a question that goes on from others understandable by itself.
    pub rewrite: ChatModelSettings,
    /// Choosing sections from outlines.
    pub navigate: ChatModelSettings,
    /// Judging sections and pages.
    pub judge: ChatModelSettings,
}

/// What a person can set up in the window.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Type)]
pub struct SettingsView {
    /// The chat model, as the settings file has it.
    pub model: ChatModelSettings,
    /// Chat models of single steps.
    #[serde(default)]
    pub stages: StageModels,
    /// The embedding model of new collections.
    #[serde(default)]
    pub embedding: EmbeddingModelSettings,
    /// The reranker.
    #[serde(default)]
    pub reranker: RerankerSettings,
    /// Environment variables that decide instead of the file.
    pub overridden_by: Vec<String>,
}

/// One thing that was looked at in a model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct ModelCheck {
    /// `reachable`, `model`, `context`, `schema`, `tools`, `dimension` or `ranking`.
    pub kind: String,
    /// Whether it is well; null when that could not be found out.
    pub is_well: Option<bool>,
    /// A sentence for the person.
    pub sentence: String,
}

/// What was found out about a model before it is used.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Type)]
pub struct ModelReport {
    /// Whether it can be used as far as is known.
    pub usable: bool,
    /// In the order they were made.
    pub checks: Vec<ModelCheck>,
    /// The models the server offers.
    pub models: Vec<String>,
    /// Host that text would be sent to; null when nothing would leave this machine.
    pub remote_host: Option<String>,
    /// Where the key was found; null without one. Never the key.
    pub key_source: Option<String>,
}

/// A model server found on this machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct LocalModelServer {
    /// `ollama`, `lm_studio`, `llama_cpp` or `vllm`: which program usually listens there.
    pub kind: String,
    /// For [`ChatModelSettings::provider`].
    pub provider: String,
    /// For [`ChatModelSettings::base_url`].
    pub base_url: String,
    /// The models it offers.
    pub models: Vec<String>,
}

/// The library as a whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct LibraryStatus {
    /// Recto's version.
    pub version: String,
    /// The folder.
    pub path: String,
    /// Whether another engine holds the library.
    pub read_only: bool,
    /// Where questions go.
    pub models: ModelStatus,
}

/// One check of `doctor`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct DoctorCheck {
    /// Stable name.
    pub name: String,
    /// Whether it is in order.
    pub ok: bool,
    /// What was found.
    pub detail: String,
    /// What to do, where something is wrong.
    pub remedy: Option<String>,
}

/// The outcome of `doctor`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Type)]
pub struct DoctorReport {
    /// Whether every check is in order.
    pub ok: bool,
    /// The checks.
    pub checks: Vec<DoctorCheck>,
}

/// A part of a page as a picture, for what leaves the window.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
pub struct PagePictureRequest {
    /// The collection.
    pub collection: String,
    /// The document.
    pub document_id: String,
    /// SHA-256 of the bytes to show.
    pub sha256: String,
    /// Pixels across the whole page.
    pub width_px: u32,
    /// The part to draw.
    pub crop: PageBox,
    /// Boxes to draw over it; those of other pages are left out.
    pub highlights: Vec<CitationBox>,
}

/// An encoded picture.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct PagePicture {
    /// `image/png`.
    pub media_type: String,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// The file's bytes in base64.
    pub base64: String,
}

/// What adding files would do, as far as names, sizes and dates tell: nothing is read.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Type)]
pub struct AddPreview {
    /// Files that would be read.
    pub files: u32,
    /// Their size in bytes.
    #[specta(type = Number)]
    pub bytes: u64,
    /// Files of kinds that Recto does not read.
    pub unsupported: u32,
    /// Their kinds, the most frequent first: `mp4`, `zip`.
    pub unsupported_kinds: Vec<String>,
    /// Files that are in the collection or the queue already, unchanged since.
    pub already_here: u32,
    /// Files and folders that cannot be reached.
    pub unreachable: u32,
    /// Bytes the library will grow by, estimated.
    #[specta(type = Number)]
    pub needed_bytes: u64,
    /// Bytes free on the library's disk; null where that is not known.
    #[specta(type = Option<Number>)]
    pub free_bytes: Option<u64>,
    /// Whether all has been looked at.
    pub complete: bool,
}

/// What changed, so that a window may ask again. Carries no content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum Changed {
    /// Documents or collections.
    Documents,
    /// The queue.
    Queue,
    /// Conversations.
    Conversations,
}
