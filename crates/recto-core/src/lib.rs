//! The words of the domain, and the traits the engine is assembled from.
//!
//! Everything here is plain data or an interface: no file is read, no model called. The other crates meet in these
//! types, so that retrieval and answering know neither LanceDB nor PDFium, and the parser knows no database.
//!
//! Two conventions hold everywhere. A *page number* is 1-based. A *rectangle* is in PDF points of the displayed page
//! (crop box and rotation applied), origin at the top left, y growing downwards.

pub mod answer;
pub mod card;
pub mod chunk;
pub mod citation;
pub mod document;
pub mod error;
pub mod geometry;
pub mod ids;
mod invisible;
pub mod models;
pub mod quote;
pub mod search;
mod summary;
pub mod trace;

pub use answer::{
    Answer, AnswerEvent, AnswerStatus, DocumentFailure, DocumentFinding, Evidence, Finding, Grounding, Scope, Strategy,
    Usage,
};
pub use card::{Abbreviation, DocumentCard, PageTag, Period};
pub use chunk::{Chunk, ChunkMetadata, without_grid};
pub use citation::{BoxKind, Citation, CitedBox, Mark, NumberCheck, QuoteBy, Verdict};
pub use document::{
    Attachment, Bookmark, Document, DocumentInfo, Gap, Image, Item, Label, Link, LinkTarget, Page, Picture, Provenance,
    TableCell, TableGrid, TextSource, Word, WordSpan,
};
pub use error::{Error, ErrorCode, Result};
pub use geometry::{PageRect, Rect};
pub use ids::{AnswerId, ChunkId, CollectionName, DocumentId};
pub use invisible::{is_invisible, visible};
pub use models::{
    ChatEvent, ChatMessage, ChatModel, ChatRequest, ChatRole, ChatStream, Embedder, EmbedderInfo, ModelLimits,
    ReplyFormat, Reranker, TokenCounter, Tool, ToolCall, Truncated,
};
pub use quote::{LocateHint, MatchKind, QuoteLocator, QuoteMatch};
pub use search::{
    ChosenDocument, ChunkSource, Coverage, DocumentRow, DocumentsSnapshot, FieldStatistics, Filter, Locator,
    NotSearched, Passage, PassageRole, ScoredChunk, ScoredPage, SearchMode, SearchRequest, SearchResults, Span,
    StoredChunk, TextQuery, UnitStats, WordCounts, WordStatistics, WordTotals,
};
pub use trace::{Decision, Trace, TracedCall};
