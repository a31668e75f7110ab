//! Texts to vectors: by the bundled model in this process, or by a server.

mod http;
mod local;

pub use http::HttpEmbedder;
pub(crate) use http::{EmbeddingWire, dimension};
pub use local::LocalEmbedder;
