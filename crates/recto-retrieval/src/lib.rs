//! From a document to chunks, and from a question to ranked passages.
//!
//! - [`terms`]: the one tokeniser of chunks and queries.
//! - [`chunk`]: a document cut into retrieval units under their headings.
//! - [`query`]: what of a question is searched for.
//! - [`search`]: word and vector lists of one or several collections, fused by rank.
//! - [`expand`]: hits grown to the text around them.
//! - [`pages`]: passages turned into a ranking of pages.
//!
//! The crate sees collections only through [`recto_core::ChunkSource`]; it stores nothing and calls no model but the
//! embedder it is given.

pub mod chunk;
pub mod expand;
mod locator;
pub mod pages;
pub mod query;
pub mod search;
pub mod sentence;
pub mod terms;

pub use chunk::{CHUNK_TOKENS, PREFIX_TOKENS, chunk_document};
pub use expand::{EXPAND_CHARS, FoundPassage};
pub use pages::rank_pages;
pub use search::{OpenSource, Retrieved, SearchOptions, open, retrieve, search};
pub use terms::{Language, query_terms, split_terms};
