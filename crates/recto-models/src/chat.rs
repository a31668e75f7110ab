//! Chat models behind the servers of several makers.
//!
//! Each format has a small client of its own, which writes the request and has a decoder for the reply; everything
//! else (sending, deadlines, failures, the reading of a stream) is shared. The clients retry nothing: that is what
//! [`Retrying`] is for.

mod anthropic;
mod framing;
mod gemini;
mod limiter;
mod listing;
mod ollama;
mod openai;
mod reply;
mod retry;
mod thinking;

use async_trait::async_trait;
use recto_core::{ChatModel, ChatRequest, ModelLimits, Result, ToolCall};
use serde_json::{Value, json};

pub use anthropic::Anthropic;
pub use gemini::Gemini;
pub use limiter::Limiter;
pub use ollama::Ollama;
pub(crate) use ollama::{installed, root};
pub use openai::OpenAiCompatible;
pub(crate) use retry::repeat;
pub use retry::{Pace, RealPace, RetryPolicy, Retrying};

/// Tokens that models which reason spend on it, about, before a short answer. They count against a reply's limit.
const REASONING_ROOM: u32 = 2048;

/// What a server says of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelProbe {
    /// The models it offers, in its order.
    pub models: Vec<String>,
    /// Whether the configured one is among them.
    pub has_model: bool,
    /// What it says of the configured one.
    pub limits: ModelLimits,
}

/// A chat model that can be looked at before it is used.
#[async_trait]
pub(crate) trait Client: ChatModel {
    /// See [`OpenAiCompatible::probe`].
    async fn probe(&self) -> Result<ModelProbe>;
}

/// The number as it is written: 0.1, where widening the bits would send 0.10000000149.
fn shortest(number: f32) -> f64 {
    number.to_string().parse().unwrap_or_else(|_| f64::from(number))
}

/// The arguments of a call as servers want them back: an object. What the model wrote instead of one is wrapped.
fn arguments(call: &ToolCall) -> Value {
    match serde_json::from_str(&call.arguments) {
        Ok(Value::Object(arguments)) => Value::Object(arguments),
        _ if call.arguments.trim().is_empty() => json!({}),
        _ => json!({"arguments": call.arguments}),
    }
}

/// The name of the tool that the call with this id, made earlier in the conversation, asked for.
fn tool_name<'a>(request: &'a ChatRequest, id: Option<&str>) -> Option<&'a str> {
    let calls = request.messages.iter().rev().flat_map(|message| &message.tool_calls);
    calls
        .into_iter()
        .find(|call| Some(call.id.as_str()) == id)
        .map(|call| call.name.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_temperature_is_sent_as_it_is_written() {
        assert_eq!(json!(shortest(0.1)).to_string(), "0.1");
        assert_eq!(json!(shortest(0.0)).to_string(), "0.0");
    }

    #[test]
    fn arguments_go_back_as_an_object_whatever_the_model_wrote() {
        let of = |text: &str| {
            arguments(&ToolCall {
                id: "1".into(),
                name: "search".into(),
                arguments: text.into(),
            })
        };
        assert_eq!(of(r#"{"query":"x"}"#), json!({"query": "x"}));
        assert_eq!(of(" "), json!({}));
        assert_eq!(of("{\"query\":"), json!({"arguments": "{\"query\":"}));
        assert_eq!(of("[1]"), json!({"arguments": "[1]"}));
    }
}
