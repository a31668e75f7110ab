//! How well texts answer a query: by a server, or by a cross-encoder in this process.

mod cross_encoder;
mod http;

pub use cross_encoder::CrossEncoder;
pub use http::HttpReranker;
