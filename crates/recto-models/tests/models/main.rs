//! The public interface: the embedder with the bundled files, clients against real HTTP servers on loopback.

mod chat;
mod embedder;
mod formats;
mod hostile;
mod live;
mod makers;
mod matrix;
mod ollama;
mod probe;
mod remote;
mod reranker;
mod retry;
