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
    /// What a tool returned.
    Tool,
}

/// One message of a chat.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChatMessage {
    /// Who speaks.
    pub role: ChatRole,
    /// The text.
    pub content: String,
    /// The tools the model asked for with this message; only where the model speaks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tool_calls: Vec<ToolCall>,
    /// Which call this is the result of; only where a tool speaks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_call_id: Option<String>,
}

impl ChatMessage {
    /// A message of plain text.
    #[must_use]
    pub fn new(role: ChatRole, content: impl Into<String>) -> Self {
        Self {
            role,
            content: content.into(),
            tool_calls: Vec::new(),
            tool_call_id: None,
        }
    }
}

/// A tool a model may ask for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Tool {
    /// Letters, digits and underscores.
    pub name: String,
    /// When and how to use it, for the model.
    pub description: String,
    /// JSON schema of its arguments, an object.
    pub parameters: serde_json::Value,
}

/// A model's wish to use a tool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolCall {
    /// Names the call in the message that answers it. Made up by position where the provider gives none.
    pub id: String,
    /// Which tool; not necessarily one that was offered.
    pub name: String,
    /// The arguments as the model wrote them: JSON, if all went well.
    pub arguments: String,
}

/// The form a reply must have.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReplyFormat {
    /// Free text.
    #[default]
    Text,
    /// One JSON value of this schema. Providers that cannot constrain their output are asked for JSON where they can be,
    /// so a reply must be checked all the same.
    Schema {
        /// Letters, digits and underscores.
        name: String,
        /// JSON schema.
        schema: serde_json::Value,
    },
}

/// What is asked of a chat model.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct ChatRequest {
    /// Messages in order, stable parts first.
    pub messages: Vec<ChatMessage>,
    /// 0 unless configured otherwise.
    pub temperature: f32,
    /// Most tokens to generate; `None` leaves it to the provider.
    pub max_tokens: Option<u32>,
    /// The form of the reply.
    #[serde(default)]
    pub format: ReplyFormat,
    /// What the model may ask for; empty for none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<Tool>,
}

/// A piece of a model's reply.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChatEvent {
    /// More text.
    Delta(String),
    /// A tool is asked for; sent when its arguments are complete.
    ToolCall(ToolCall),
    /// Part of the exchange was lost; at most once for each part.
    Truncated(Truncated),
    /// What the call cost; at most once, near the end.
    Usage(Usage),
    /// The reply is complete. A stream that ends without this was cut.
    Done,
}

/// What of an exchange was lost without an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Truncated {
    /// The server read only part of what it was sent.
    Prompt,
    /// The reply reached its limit of tokens.
    Reply,
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

/// What is known of a chat model before it is asked. `None` is unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ModelLimits {
    /// Tokens of prompt and reply together.
    pub context_tokens: Option<u32>,
    /// Whether output can be held to a JSON schema.
    pub schema: Option<bool>,
    /// Whether it can ask for tools.
    pub tools: Option<bool>,
}

/// A chat model.
#[async_trait]
pub trait ChatModel: Send + Sync {
    /// The name shown to the person and stored with the answer.
    fn name(&self) -> &str;

    /// What is known of it.
    fn limits(&self) -> ModelLimits {
        ModelLimits::default()
    }

    /// Asks the server for what [`limits`](Self::limits) does not know, where it can tell; `limits` knows it from then
    /// on.
    ///
    /// # Errors
    /// `model_unreachable` or `model_rejected`.
    async fn learn_limits(&self) -> Result<ModelLimits> {
        Ok(self.limits())
    }

    /// Starts a reply.
    ///
    /// # Errors
    /// `model_unreachable`, `model_rejected` or `context_overflow`.
    async fn chat(&self, request: &ChatRequest) -> Result<Box<dyn ChatStream>>;
}

/// Says how well texts answer a query, reading both together.
#[async_trait]
pub trait Reranker: Send + Sync {
    /// The name shown to the person.
    fn name(&self) -> &str;

    /// One score for each text in the order of `texts`, higher for better. Scores are the model's own, of any range;
    /// they are comparable for one query only.
    ///
    /// # Errors
    /// `asset_missing`, `model_unreachable` or `model_rejected`.
    async fn rank(&self, query: &str, texts: &[String]) -> Result<Vec<f32>>;
}
