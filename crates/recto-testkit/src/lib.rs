//! Development only: a scripted chat model over real HTTP, and fakes for everything retrieval and answering stand on.
//!
//! The fakes are exact and deterministic: [`MemorySource`] scores every chunk, [`FakeEmbedder`] hashes words,
//! [`PageLocator`] compares characters. [`DocumentBuilder`] lays out documents whose words, boxes and spans agree with
//! each other as a parser's do.

mod builder;
mod embedder;
mod locator;
mod scripted_model;
mod source;

pub use builder::{DocumentBuilder, document_id};
pub use embedder::{FakeEmbedder, WhitespaceCounter};
pub use locator::PageLocator;
pub use scripted_model::{Ending, RecordedRequest, ScriptedModel, ScriptedReply, Split};
pub use source::{MemorySource, plain_chunks, terms};
