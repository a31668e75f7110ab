//! Chat completions as OpenAI made them: LM Studio, llama.cpp, vLLM, Ollama's `/v1`, OpenAI itself and many others.

mod decode;
mod dialect;

use super::framing::Framing;
use super::reply::ReplyStream;
use super::{Client, ModelProbe, REASONING_ROOM, arguments, shortest};
use crate::failure::Failure;
use crate::key::ApiKey;
use crate::server::{Deadlines, KeyHeader, Server};
use async_trait::async_trait;
use decode::Choices;
use dialect::{Dialect, FormatLevel};
use recto_core::{ChatMessage, ChatModel, ChatRequest, ChatRole, ChatStream, ModelLimits, ReplyFormat, Result};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex, PoisonError};

/// A model reached through `POST {base_url}/chat/completions`.
#[derive(Debug)]
pub struct OpenAiCompatible {
    server: Arc<Server>,
    model: String,
    dialect: Dialect,
    limits: Mutex<ModelLimits>,
    is_openai: bool,
}

impl OpenAiCompatible {
    /// A client for `model` at `base_url`, which ends before `/chat/completions`: `http://localhost:11434/v1`. Nothing
    /// is sent yet.
    ///
    /// # Errors
    /// `invalid_argument` when the address is none.
    pub fn new(base_url: &str, model: &str, key: Option<ApiKey>, deadlines: Deadlines) -> Result<Self> {
        let example = "http://localhost:11434/v1";
        let server = Server::new(base_url, example, key, KeyHeader::Bearer, deadlines)?;
        Ok(Self {
            server: Arc::new(server),
            model: model.to_owned(),
            dialect: Dialect::default(),
            limits: Mutex::default(),
            is_openai: false,
        })
    }

    /// A client for OpenAI itself, which differs in small things from those who imitate it. `base_url` is
    /// `https://api.openai.com/v1`, or what stands in for it.
    ///
    /// # Errors
    /// `invalid_argument` when the address is none.
    pub fn openai(base_url: &str, model: &str, key: Option<ApiKey>, deadlines: Deadlines) -> Result<Self> {
        Ok(Self {
            dialect: Dialect::openai(),
            is_openai: true,
            ..Self::new(base_url, model, key, deadlines)?
        })
    }

    /// Tells how many tokens of prompt and reply the model takes, where that was set up.
    #[must_use]
    pub fn with_context_tokens(self, tokens: Option<u32>) -> Self {
        self.known().context_tokens = tokens;
        self
    }

    /// The host that questions and evidence are sent to, or `None` when that is this machine.
    #[must_use]
    pub fn remote_host(&self) -> Option<String> {
        self.server.remote_host()
    }

    /// Asks which models the server offers, and what it says of this one.
    ///
    /// # Errors
    /// `model_unreachable` when it does not answer, `model_rejected` when it refuses.
    pub async fn probe(&self) -> Result<ModelProbe> {
        let list = self.server.get("models").await.map_err(|failure| self.error(failure))?;
        let Some(entries) = list["data"].as_array() else {
            return Err(self.server.foreign());
        };
        let id = |entry: &Value| entry["id"].as_str().map(str::to_owned);
        let models: Vec<String> = entries.iter().filter_map(id).collect();
        let entry = entries.iter().find(|entry| entry["id"] == self.model.as_str());
        let told = match entry.and_then(context_of) {
            None if !self.is_openai => self.context_beside().await,
            told => told,
        };
        let limits = {
            let mut known = self.known();
            known.context_tokens = known.context_tokens.or(told);
            *known
        };
        Ok(ModelProbe {
            has_model: models.contains(&self.model),
            models,
            limits: self.with_dialect(limits),
        })
    }

    /// The context that llama.cpp and LM Studio tell beside this interface.
    async fn context_beside(&self) -> Option<u32> {
        if let Ok(props) = self.server.get("../props").await {
            return tokens(&props["default_generation_settings"]["n_ctx"]);
        }
        let models = self.server.get("../api/v0/models").await.ok()?;
        let model = models["data"]
            .as_array()?
            .iter()
            .find(|entry| entry["id"] == self.model.as_str())?;
        // Its `max_context_length` says nothing: models are loaded with less unless told otherwise.
        tokens(&model["loaded_context_length"])
    }

    fn known(&self) -> std::sync::MutexGuard<'_, ModelLimits> {
        self.limits.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn with_dialect(&self, limits: ModelLimits) -> ModelLimits {
        ModelLimits {
            schema: limits
                .schema
                .or((self.dialect.format() != FormatLevel::Schema).then_some(false)),
            ..limits
        }
    }

    fn error(&self, failure: Failure) -> recto_core::Error {
        self.server.error(failure, &self.model)
    }

    fn body(&self, request: &ChatRequest) -> Value {
        let messages: Vec<Value> = request.messages.iter().map(message).collect();
        let mut body = json!({"model": self.model, "messages": messages, "stream": true});
        if self.dialect.takes_temperature() {
            body["temperature"] = json!(shortest(request.temperature));
        }
        if self.dialect.takes_stream_options() {
            body["stream_options"] = json!({"include_usage": true});
        }
        if let Some(most) = request.max_tokens {
            // The models that take no temperature are those that reason, which counts against the limit.
            let room = if self.dialect.takes_temperature() {
                0
            } else {
                REASONING_ROOM
            };
            body[self.dialect.limit_field()] = json!(most.saturating_add(room));
        }
        if let ReplyFormat::Schema { name, schema } = &request.format {
            match self.dialect.format() {
                FormatLevel::Schema => {
                    body["response_format"] = json!({"type": "json_schema", "json_schema":
                        {"name": name, "schema": schema, "strict": is_strict(schema)}});
                }
                FormatLevel::Object => body["response_format"] = json!({"type": "json_object"}),
                FormatLevel::Text => {}
            }
        }
        if !request.tools.is_empty() {
            let tools = request.tools.iter().map(|tool| {
                json!({"type": "function", "function": {"name": tool.name, "description": tool.description,
                    "parameters": tool.parameters}})
            });
            body["tools"] = tools.collect();
        }
        body
    }
}

fn message(message: &ChatMessage) -> Value {
    let role = match message.role {
        ChatRole::System => "system",
        ChatRole::User => "user",
        ChatRole::Assistant => "assistant",
        ChatRole::Tool => "tool",
    };
    let mut body = json!({"role": role, "content": message.content});
    if !message.tool_calls.is_empty() {
        let calls = message.tool_calls.iter().map(|call| {
            json!({"id": call.id, "type": "function",
                "function": {"name": call.name, "arguments": arguments(call).to_string()}})
        });
        body["tool_calls"] = calls.collect();
    }
    if let Some(id) = &message.tool_call_id {
        body["tool_call_id"] = json!(id);
    }
    body
}

/// Whether a schema keeps OpenAI's rules for strict output, under which nothing else can come: every object lists all
/// its properties as required and allows no others.
fn is_strict(schema: &Value) -> bool {
    match schema {
        Value::Object(fields) => {
            let is_object = match &fields.get("type") {
                Some(Value::String(kind)) => kind == "object",
                Some(Value::Array(kinds)) => kinds.iter().any(|kind| kind == "object"),
                _ => false,
            };
            let required = fields.get("required").and_then(Value::as_array);
            let closed = fields.get("additionalProperties") == Some(&Value::Bool(false))
                && fields
                    .get("properties")
                    .and_then(Value::as_object)
                    .is_none_or(|properties| {
                        properties
                            .keys()
                            .all(|name| required.is_some_and(|required| required.iter().any(|other| other == name)))
                    });
            (!is_object || closed)
                && fields.iter().all(|(name, value)| match name.as_str() {
                    // Data, not schemas.
                    "enum" | "const" | "default" | "examples" | "required" => true,
                    _ => is_strict(value),
                })
        }
        Value::Array(parts) => parts.iter().all(is_strict),
        _ => true,
    }
}

/// The context as vLLM, relays, Groq, Mistral and llama.cpp write it into their lists.
fn context_of(entry: &Value) -> Option<u32> {
    [
        "max_model_len",
        "context_length",
        "context_window",
        "max_context_length",
    ]
    .into_iter()
    .find_map(|field| tokens(&entry[field]))
    .or_else(|| tokens(&entry["meta"]["n_ctx"]))
}

fn tokens(count: &Value) -> Option<u32> {
    count
        .as_u64()
        .and_then(|count| u32::try_from(count).ok())
        .filter(|&count| count > 0)
}

#[async_trait]
impl ChatModel for OpenAiCompatible {
    fn name(&self) -> &str {
        &self.model
    }

    fn limits(&self) -> ModelLimits {
        let limits = *self.known();
        self.with_dialect(limits)
    }

    async fn learn_limits(&self) -> Result<ModelLimits> {
        if self.limits().context_tokens.is_none() {
            self.probe().await?;
        }
        Ok(self.limits())
    }

    async fn chat(&self, request: &ChatRequest) -> Result<Box<dyn ChatStream>> {
        let mut refused = 0;
        loop {
            let body = self.body(request);
            match self.server.open("chat/completions", &body).await {
                Ok(response) => {
                    let decoder = Choices::default();
                    let server = Arc::clone(&self.server);
                    return Ok(Box::new(ReplyStream::new(
                        server,
                        response,
                        Framing::Events,
                        decoder,
                        refused,
                    )));
                }
                // Each lesson is learnt once, so this comes to an end.
                Err(Failure::Refusal(refusal)) if self.dialect.learn(&refusal, &body) => refused += 1,
                Err(failure) => return Err(self.error(failure)),
            }
        }
    }
}

#[async_trait]
impl Client for OpenAiCompatible {
    async fn probe(&self) -> Result<ModelProbe> {
        self.probe().await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schema_is_strict_only_where_every_object_is_closed() {
        let closed = json!({"type": "object", "additionalProperties": false, "required": ["a"],
            "properties": {"a": {"type": "array", "items": {"type": "integer", "enum": [1, 3]}}}});
        assert!(is_strict(&closed));
        let mut open = closed.clone();
        open["required"] = json!([]);
        assert!(!is_strict(&open), "an optional property");
        let mut nested = closed.clone();
        nested["properties"]["a"]["items"] = json!({"type": ["object", "null"], "properties": {}});
        assert!(!is_strict(&nested), "an object within that takes anything");
    }

    #[test]
    fn the_context_is_found_under_its_several_names() {
        for entry in [
            json!({"max_model_len": 4096}),
            json!({"context_length": 4096}),
            json!({"context_window": 4096}),
            json!({"meta": {"n_ctx": 4096, "n_ctx_train": 131_072}}),
        ] {
            assert_eq!(context_of(&entry), Some(4096), "{entry}");
        }
        assert_eq!(context_of(&json!({"context_length": 0, "meta": null})), None);
    }
}
