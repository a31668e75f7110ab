//! Embedding models and chat models.
//!
//! [`LocalEmbedder`] runs the bundled sentence model in this process, without any network. [`OpenAiCompatible`] talks
//! to a chat server somebody else runs. This crate is the only one that speaks HTTP to models.

mod chat;
mod embedder;
mod key;
mod tokens;

pub use chat::{Deadlines, ModelProbe, OpenAiCompatible, install_tls};
pub use embedder::LocalEmbedder;
pub use key::ApiKey;
pub use recto_assets::{ASSETS_VARIABLE, Assets};
pub use tokens::{MiniLmTokens, TOKEN_LIMIT};
