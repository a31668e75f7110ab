//! Interfaces to embedding and chat models.

use crate::{Result, Usage};
use async_trait::async_trait;
use serde::{Deserialize, Serialize};

/// Which model made a collection's vectors. Vectors of different models are never compared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EmbedderInfo {
    /// `local`, `ollama`, `openai`.
    pub provider: String,
    /// The model's name there.
    pub name: String,
    /// Length of a vector.
    pub dimension: u32,
}

/// Turns texts into vectors.
#[async_trait]
pub trait Embedder: Send + Sync {
    /// Provider, name and dimension.
    fn info(&self) -> &EmbedderInfo;

    /// Embeds `texts` in order. Returns `texts.len()` vectors of `info().dimension` values, L2-normalised.
    ///
    /// # Errors
    /// `asset_missing`, `model_unreachable` or `model_rejected`.
    async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>>;
}

/// Counts tokens the way the embedding model does.
pub trait TokenCounter: Send + Sync {
    /// Number of tokens of `text` including the model's special tokens, without truncation.
    fn count(&self, text: &str) -> usize;

    /// Most tokens the model takes in one text.
    fn limit(&self) -> usize;
}

/// Who speaks in a chat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChatRole {
    /// Instructions.
    System,
    /// The question and its evidence.
    User,
    /// The model.
    Assistant,
}

/// One message of a chat.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChatMessage {
    /// Who speaks.
    pub role: ChatRole,
    /// The text.
    pub content: String,
}

/// What is asked of a chat model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChatRequest {
    /// Messages in order, stable parts first.
    pub messages: Vec<ChatMessage>,
    /// 0 unless configured otherwise.
    pub temperature: f32,
    /// Most tokens to generate; `None` leaves it to the provider.
    pub max_tokens: Option<u32>,
}

/// A piece of a model's reply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChatEvent {
    /// More text.
    Delta(String),
    /// What the call cost; at most once, near the end.
    Usage(Usage),
    /// The reply is complete. A stream that ends without this was cut.
    Done,
}

/// A reply as it arrives. Dropping it closes the connection, which stops the generation.
#[async_trait]
pub trait ChatStream: Send {
    /// The next piece, or `None` after [`ChatEvent::Done`].
    ///
    /// # Errors
    /// `model_unreachable` when the connection broke before `Done`; nothing received so far is lost by it.
    async fn next(&mut self) -> Option<Result<ChatEvent>>;
}

/// A chat model.
#[async_trait]
pub trait ChatModel: Send + Sync {
    /// The name shown to the person and stored with the answer.
    fn name(&self) -> &str;

    /// Starts a reply.
    ///
    /// # Errors
    /// `model_unreachable`, `model_rejected` or `context_overflow`.
    async fn chat(&self, request: &ChatRequest) -> Result<Box<dyn ChatStream>>;
}
