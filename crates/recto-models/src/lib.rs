//! Embedding models, chat models and rerankers.
//!
//! [`LocalEmbedder`] runs the bundled sentence model in this process, without any network; [`CrossEncoder`] a reranker
//! the person has as a file. Everything else talks to servers somebody else runs: [`open_chat`], [`open_embedder`] and
//! [`open_reranker`] make a model from settings, [`probe_chat`], [`probe_embedder`] and [`probe_reranker`] look at one before it is used,
//! [`detect_local_servers`] finds those on this machine, and [`KeyPlaces`] finds the key. This crate is the only one
//! that speaks HTTP to models.

mod address;
mod chat;
mod detect;
mod embedder;
mod failure;
mod key;
mod onnx;
mod probe;
mod provider;
mod rerank;
mod server;
mod tokens;

pub use chat::{
    Anthropic, Gemini, Limiter, ModelProbe, Ollama, OpenAiCompatible, Pace, RealPace, RetryPolicy, Retrying,
};
pub use detect::{LocalServer, LocalServerKind, detect_at, detect_local_servers};
pub use embedder::{HttpEmbedder, LocalEmbedder};
pub use key::{ApiKey, CommandKeychain, FoundKey, KeyPlaces, KeySource, Keychain};
pub use probe::{Check, CheckKind, ProbeDepth, SetUp, probe_chat, probe_embedder, probe_reranker};
pub use provider::{
    ChatSettings, EmbedderSettings, Provider, RerankerSettings, open_chat, open_embedder, open_reranker,
};
pub use recto_assets::{ASSETS_VARIABLE, Assets};
pub use rerank::{CrossEncoder, HttpReranker};
pub use server::{Deadlines, install_tls};
pub use tokens::{MiniLmTokens, TOKEN_LIMIT};
