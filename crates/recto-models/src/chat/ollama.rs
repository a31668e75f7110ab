//! Ollama's own interface, which unlike its `/v1` lets the context be set and tells how much of a prompt was read.

use super::framing::Framing;
use super::reply::{Decoder, Fault, Reply, ReplyStream};
use super::{Client, ModelProbe, REASONING_ROOM, arguments, shortest, tool_name};
use crate::failure::Failure;
use crate::key::ApiKey;
use crate::server::{Deadlines, KeyHeader, Server};
use async_trait::async_trait;
use recto_core::{
    ChatMessage, ChatModel, ChatRequest, ChatRole, ChatStream, Error, ErrorCode, ModelLimits, ReplyFormat, Result,
    ToolCall, Truncated,
};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex, PoisonError};

/// The context a model is loaded with unless more is needed. Loading it with all it can take, often 128 k, would ask
/// for more memory than most machines have.
const USUAL_CONTEXT: u32 = 8192;
/// Room for the reply where the request does not limit it.
const USUAL_REPLY: u32 = 2048;

/// A model reached through `POST {base_url}/api/chat`.
#[derive(Debug)]
pub struct Ollama {
    server: Arc<Server>,
    model: String,
    configured_context: Option<u32>,
    /// What the server said of the model, once it was asked.
    told: Mutex<Option<Told>>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Told {
    limits: ModelLimits,
    /// Whether the model reasons before it answers, unless it is told not to.
    can_think: bool,
}

impl Ollama {
    /// A client for `model` at `base_url`, which is `http://localhost:11434`. `context_tokens` is the context to load
    /// the model with; without it, the context grows with what is sent, up to what the model can take. Nothing is
    /// sent yet.
    ///
    /// # Errors
    /// `invalid_argument` when the address is none.
    pub fn new(
        base_url: &str,
        model: &str,
        key: Option<ApiKey>,
        context_tokens: Option<u32>,
        deadlines: Deadlines,
    ) -> Result<Self> {
        let server = Server::new(
            root(base_url),
            "http://localhost:11434",
            key,
            KeyHeader::Bearer,
            deadlines,
        )?;
        Ok(Self {
            server: Arc::new(server),
            model: model.to_owned(),
            configured_context: context_tokens,
            told: Mutex::default(),
        })
    }

    /// The host that questions and evidence are sent to, or `None` when that is this machine.
    #[must_use]
    pub fn remote_host(&self) -> Option<String> {
        self.server.remote_host()
    }

    /// Asks which models the server has, and what it says of this one.
    ///
    /// # Errors
    /// `model_unreachable` when it does not answer, `model_rejected` when it refuses.
    pub async fn probe(&self) -> Result<ModelProbe> {
        let models = installed(&self.server).await.map_err(|failure| self.error(failure))?;
        let full = with_tag(&self.model);
        let has_model = models.iter().any(|model| with_tag(model) == full);
        Ok(ModelProbe {
            limits: if has_model { self.show().await? } else { self.limits() },
            has_model,
            models,
        })
    }

    /// What the server says of the model.
    async fn show(&self) -> Result<ModelLimits> {
        let shown = self
            .server
            .ask("api/show", &json!({"model": self.model}))
            .await
            .map_err(|failure| self.error(failure))?;
        *self.told.lock().unwrap_or_else(PoisonError::into_inner) = Some(told_by(&shown));
        Ok(self.limits())
    }

    fn told(&self) -> Option<Told> {
        *self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn error(&self, failure: Failure) -> Error {
        let (place, model) = (self.server.place(), &self.model);
        let rejected = |message: String| Error::new(ErrorCode::ModelRejected, message);
        match &failure {
            Failure::Refusal(refusal) if refusal.is_unknown() => rejected(format!(
                "Ollama at {place} does not have the model {model}. Fetch it with: ollama pull {model}"
            )),
            // It calls this a fault of its own, but trying again does not help.
            Failure::Refusal(refusal) if refusal.words().contains("system memory") => rejected(format!(
                "The model {model} needs more memory than is free where Ollama at {place} runs. Choose a smaller model, or a smaller context in the settings."
            )),
            _ => self.server.error(failure, model),
        }
    }

    /// The context to ask for: the configured one, else the smallest doubling of the usual one that holds the
    /// request. Every other context makes the server load the model anew, hence the doublings.
    fn context_for(&self, request: &ChatRequest, limits: ModelLimits) -> u32 {
        let most = limits.context_tokens.unwrap_or(u32::MAX);
        if let Some(configured) = self.configured_context {
            return configured.min(most);
        }
        let reply = request.max_tokens.unwrap_or(USUAL_REPLY);
        let needed = estimate(request).saturating_add(reply);
        let mut context = USUAL_CONTEXT;
        while context < needed && context < most {
            context = context.saturating_mul(2);
        }
        context.min(most)
    }

    fn body(&self, request: &ChatRequest, context: u32) -> Value {
        let messages: Vec<Value> = request.messages.iter().map(|said| message(request, said)).collect();
        let mut body = json!({
            "model": self.model,
            "messages": messages,
            "stream": true,
            // Servers that know these fields refuse what is too long instead of dropping its beginning.
            "truncate": false,
            "shift": false,
            "options": {"temperature": shortest(request.temperature), "num_ctx": context},
        });
        if let Some(most) = request.max_tokens {
            body["options"]["num_predict"] = json!(most);
        }
        let has_form = request.format != ReplyFormat::Text;
        if let ReplyFormat::Schema { schema, .. } = &request.format {
            body["format"] = schema.clone();
        }
        // Reasoning counts against the limit: a short reply would end before it began.
        let is_short = request.max_tokens.is_some_and(|most| most < REASONING_ROOM);
        if (has_form || is_short) && self.told().is_some_and(|told| told.can_think) {
            body["think"] = json!(false);
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

/// The names of the models a server has.
pub(crate) async fn installed(server: &Server) -> Result<Vec<String>, Failure> {
    let tags = server.get("api/tags").await?;
    let Some(models) = tags["models"].as_array() else {
        return Err(server.foreign().into());
    };
    let name = |model: &Value| model["name"].as_str().or(model["model"].as_str()).map(str::to_owned);
    Ok(models.iter().filter_map(name).collect())
}

/// The address without the path of one of its interfaces, which people are used to add.
pub(crate) fn root(base_url: &str) -> &str {
    let root = base_url.trim().trim_end_matches('/');
    root.strip_suffix("/v1").or(root.strip_suffix("/api")).unwrap_or(root)
}

/// `llama3` is short for `llama3:latest`.
fn with_tag(model: &str) -> String {
    let name = model.rsplit('/').next().unwrap_or(model);
    if name.contains(':') {
        model.to_owned()
    } else {
        format!("{model}:latest")
    }
}

fn message(request: &ChatRequest, message: &ChatMessage) -> Value {
    let role = match message.role {
        ChatRole::System => "system",
        ChatRole::User => "user",
        ChatRole::Assistant => "assistant",
        ChatRole::Tool => "tool",
    };
    let mut body = json!({"role": role, "content": message.content});
    if !message.tool_calls.is_empty() {
        let calls = message
            .tool_calls
            .iter()
            .map(|call| json!({"function": {"name": call.name, "arguments": arguments(call)}}));
        body["tool_calls"] = calls.collect();
    }
    if message.role == ChatRole::Tool
        && let Some(name) = tool_name(request, message.tool_call_id.as_deref())
    {
        body["tool_name"] = json!(name);
    }
    body
}

fn told_by(shown: &Value) -> Told {
    let information = &shown["model_info"];
    let context = information["general.architecture"]
        .as_str()
        .and_then(|architecture| information[format!("{architecture}.context_length")].as_u64());
    // Old servers name no capabilities.
    let can = |what: &str| {
        let capabilities = shown["capabilities"].as_array()?;
        Some(capabilities.iter().any(|capability| capability == what))
    };
    Told {
        limits: ModelLimits {
            context_tokens: context
                .and_then(|tokens| u32::try_from(tokens).ok())
                .filter(|&tokens| tokens > 0),
            // The server holds any model to a schema by its grammar.
            schema: Some(true),
            tools: can("tools"),
        },
        can_think: can("thinking") == Some(true),
    }
}

/// About how many tokens a request is, rather too many: most texts have four characters to a token, tables and
/// languages other than English about half as many.
fn estimate(request: &ChatRequest) -> u32 {
    let characters: usize = texts(request).map(|text| text.chars().count()).sum();
    let rest = json!({"tools": request.tools}).to_string().len();
    u32::try_from((characters + rest) / 2).unwrap_or(u32::MAX)
}

/// Fewer tokens than this no tokenizer makes of a request: none lets a token reach over white space into a second
/// word, and in scripts without white space none has more than four characters, on average.
fn least_tokens(request: &ChatRequest) -> u64 {
    let of_text = |text: &str| {
        let words = text.split_whitespace().count();
        let dense = text.chars().filter(|&c| u32::from(c) >= 0x2E80).count();
        (words + dense / 4) as u64
    };
    texts(request).map(of_text).sum()
}

fn texts(request: &ChatRequest) -> impl Iterator<Item = &str> {
    request.messages.iter().map(|message| message.content.as_str())
}

#[async_trait]
impl ChatModel for Ollama {
    fn name(&self) -> &str {
        &self.model
    }

    fn limits(&self) -> ModelLimits {
        let told = self.told().unwrap_or_default().limits;
        ModelLimits {
            context_tokens: match (told.context_tokens, self.configured_context) {
                (Some(told), Some(configured)) => Some(told.min(configured)),
                (told, configured) => told.or(configured),
            },
            ..told
        }
    }

    async fn learn_limits(&self) -> Result<ModelLimits> {
        if self.told().is_some() {
            Ok(self.limits())
        } else {
            self.show().await
        }
    }

    async fn chat(&self, request: &ChatRequest) -> Result<Box<dyn ChatStream>> {
        let limits = self.learn_limits().await?;
        let context = self.context_for(request, limits);
        let response = self
            .server
            .open("api/chat", &self.body(request, context))
            .await
            .map_err(|failure| self.error(failure))?;
        let decoder = Lines {
            context: u64::from(context),
            least: least_tokens(request),
            calls: 0,
        };
        let server = Arc::clone(&self.server);
        Ok(Box::new(ReplyStream::new(server, response, Framing::Lines, decoder, 0)))
    }
}

#[async_trait]
impl Client for Ollama {
    async fn probe(&self) -> Result<ModelProbe> {
        self.probe().await
    }
}

#[derive(Debug)]
struct Lines {
    /// The context that was asked for.
    context: u64,
    /// The fewest tokens the prompt can have.
    least: u64,
    calls: usize,
}

impl Decoder for Lines {
    fn take(&mut self, body: &Value, reply: &mut Reply) -> Result<(), Fault> {
        let message = &body["message"];
        // `thinking` is left out.
        if let Some(text) = message["content"].as_str() {
            reply.text(text);
        }
        for call in message["tool_calls"].as_array().into_iter().flatten() {
            let function = &call["function"];
            let arguments = match &function["arguments"] {
                Value::String(text) => text.clone(),
                Value::Null => "{}".to_owned(),
                arguments => arguments.to_string(),
            };
            reply.call(ToolCall {
                id: call["id"]
                    .as_str()
                    .map_or_else(|| format!("call_{}", self.calls), str::to_owned),
                name: function["name"].as_str().unwrap_or_default().to_owned(),
                arguments,
            });
            self.calls += 1;
        }
        if body["done"] == true {
            let read = body["prompt_eval_count"].as_u64();
            reply.count(read, body["eval_count"].as_u64());
            // Servers that do not refuse read the end of a prompt that is too long: all of the context is full with
            // it, or whole messages are left out.
            if read.is_some_and(|read| read < self.least || read >= self.context) {
                reply.lose(Truncated::Prompt);
            }
            if body["done_reason"] == "length" {
                reply.lose(Truncated::Reply);
            }
            reply.complete();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(text: &str, max_tokens: Option<u32>) -> ChatRequest {
        ChatRequest {
            messages: vec![ChatMessage::new(ChatRole::User, text)],
            max_tokens,
            ..ChatRequest::default()
        }
    }

    fn client(context: Option<u32>) -> Ollama {
        Ollama::new(
            "http://localhost:11434/v1/",
            "qwen3",
            None,
            context,
            Deadlines::default(),
        )
        .expect("is one")
    }

    #[test]
    fn the_context_grows_in_doublings_up_to_what_the_model_takes() {
        let of = |model: Option<u32>, configured, characters: usize| {
            let limits = ModelLimits {
                context_tokens: model,
                ..ModelLimits::default()
            };
            client(configured).context_for(&request(&"x".repeat(characters), Some(512)), limits)
        };
        assert_eq!(of(Some(131_072), None, 100), 8192);
        assert_eq!(of(Some(131_072), None, 40_000), 32_768);
        assert_eq!(of(Some(131_072), None, 900_000), 131_072);
        assert_eq!(of(Some(4096), None, 100), 4096);
        assert_eq!(of(None, None, 40_000), 32_768, "a server that does not say");
        assert_eq!(of(Some(131_072), Some(16_384), 100), 16_384);
        assert_eq!(
            of(Some(4096), Some(16_384), 100),
            4096,
            "more than the model takes is of no use"
        );
    }

    #[test]
    fn no_tokenizer_makes_fewer_tokens_than_the_least() {
        assert_eq!(least_tokens(&request("Net sales rose  4 %\nin Asia.", None)), 7);
        assert_eq!(least_tokens(&request("純売上高は四パーセント増", None)), 4);
    }

    #[test]
    fn names_are_compared_with_their_tags() {
        assert_eq!(with_tag("qwen3"), "qwen3:latest");
        assert_eq!(with_tag("localhost:5000/me/qwen3"), "localhost:5000/me/qwen3:latest");
        assert_eq!(with_tag("qwen3:8b"), "qwen3:8b");
    }
}
