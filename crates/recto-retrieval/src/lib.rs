//! From a document to chunks, and from a question to ranked passages.
//!
//! - [`terms`]: the one tokeniser of chunks and queries.
//! - [`lexicon`]: what words of a field mean, as data.
//! - [`assemble`]: units in the order they are read, with whole documents and neighbours.
//! - [`card`]: what a document says about itself, and what its pages are.
//! - [`chunk`]: a document cut into retrieval units under their headings.
//! - [`query`]: what of a question is searched for.
//! - [`search`]: word and vector lists of one or several collections, fused by rank.
//! - [`expand`]: hits grown to the text around them.
//! - [`outline`]: a document's sections, for navigating without a search.
//! - [`pages`]: passages turned into a ranking of pages.
//!
//! The crate sees collections only through [`recto_core::ChunkSource`]; it stores nothing and calls no model but the
//! embedder it is given.

pub mod assemble;
mod bm25;
pub mod card;
pub mod chunk;
pub mod expand;
mod fuse;
pub mod lexicon;
mod locator;
pub mod outline;
pub mod pages;
mod period;
mod phrase;
mod places;
pub mod query;
mod rerank;
mod route;
pub mod search;
pub mod sentence;
pub mod terms;
mod verbatim;

pub use assemble::{AssembledUnit, RankedUnit, assemble};
pub use card::{context_title, describe, describe_name, describe_pages};
pub use chunk::{CHUNK_TOKENS, PREFIX_TOKENS, chunk_document};
pub use expand::{EXPAND_CHARS, FoundPassage};
pub use lexicon::Lexicon;
pub use outline::{Outline, OutlineSection, estimated_tokens, outline, page_passages, section_passage, spans_passage};
pub use pages::rank_pages;
pub use search::{OpenSource, Retrieved, SearchOptions, open, retrieve, search};
pub use terms::{Language, query_terms, split_terms};
