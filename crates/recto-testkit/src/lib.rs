//! Development only: scripted HTTP servers and chat models, and fakes for everything retrieval and answering stand on.
//!
//! The fakes are exact and deterministic: [`MemorySource`] scores every chunk, [`FakeEmbedder`] hashes words,
//! [`PageLocator`] compares characters. [`DocumentBuilder`] lays out documents whose words, boxes and spans agree with
//! each other as a parser's do.

mod builder;
pub mod cross_encoder;
mod embedder;
mod embedding_server;
mod locator;
mod scripted_model;
mod server;
mod source;
pub mod wire;

pub use builder::{DocumentBuilder, document_id};
pub use embedder::{FakeEmbedder, WhitespaceCounter};
pub use embedding_server::{embed, embedding_server};
pub use locator::PageLocator;
pub use scripted_model::{ScriptedModel, ScriptedReply, Split};
pub use server::{Ending, RecordedRequest, ScriptedResponse, ScriptedServer};
pub use source::{MemorySource, plain_chunks, terms};
