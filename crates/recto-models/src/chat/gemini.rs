//! Gemini's `generateContent`.

mod schema;

use super::framing::Framing;
use super::listing::{ListFormat, Listing};
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
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Parts the number of a call from the signature that has to go back with it.
const SIGNED: char = '~';

/// A model reached through `POST {base_url}/models/{model}:streamGenerateContent`.
#[derive(Debug)]
pub struct Gemini {
    server: Arc<Server>,
    model: String,
    /// The model as part of an address: `models/gemini-2.5-flash`.
    resource: String,
    context: Mutex<Option<u32>>,
    /// Some models reason whatever they are told, and some do not know the word; both say so.
    is_thinking_fixed: AtomicBool,
}

impl Gemini {
    /// A client for `model` at `base_url`, which is `https://generativelanguage.googleapis.com/v1beta`, or what stands
    /// in for it. Nothing is sent yet.
    ///
    /// # Errors
    /// `invalid_argument` when the address or the model's name is none.
    pub fn new(base_url: &str, model: &str, key: Option<ApiKey>, deadlines: Deadlines) -> Result<Self> {
        let example = "https://generativelanguage.googleapis.com/v1beta";
        let server = Server::new(base_url, example, key, KeyHeader::Named("x-goog-api-key"), deadlines)?;
        // The name becomes part of the address.
        let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/');
        if model.is_empty() || !model.chars().all(is_name) || model.contains("..") {
            return Err(Error::new(
                ErrorCode::InvalidArgument,
                "The name of a Gemini model must look like gemini-2.5-flash.",
            ));
        }
        let resource = if model.contains('/') {
            model.to_owned()
        } else {
            format!("models/{model}")
        };
        Ok(Self {
            server: Arc::new(server),
            model: model.strip_prefix("models/").unwrap_or(model).to_owned(),
            resource,
            context: Mutex::default(),
            is_thinking_fixed: AtomicBool::new(false),
        })
    }

    /// Tells how many tokens the model takes, where that was set up.
    #[must_use]
    pub fn with_context_tokens(self, tokens: Option<u32>) -> Self {
        *self.context() = tokens;
        self
    }

    /// The host that questions and evidence are sent to, or `None` when that is this machine.
    #[must_use]
    pub fn remote_host(&self) -> Option<String> {
        self.server.remote_host()
    }

    /// Asks which models the key opens, and what is said of this one.
    ///
    /// # Errors
    /// `model_unreachable` when the server does not answer, `model_rejected` when it refuses.
    pub async fn probe(&self) -> Result<ModelProbe> {
        let format = ListFormat {
            path: "models?pageSize=1000",
            entries: "models",
            name: "name",
            prefix: "models/",
        };
        let chats = |entry: &Value| {
            let methods = entry["supportedGenerationMethods"].as_array();
            methods.is_none_or(|methods| methods.iter().any(|method| method == "generateContent"))
        };
        let listing = Listing::ask(&self.server, &format, &self.resource, &self.resource, chats)
            .await
            .map_err(|failure| self.error(failure))?;
        {
            let mut context = self.context();
            *context = context.or(listing.tokens("inputTokenLimit"));
        }
        Ok(ModelProbe {
            has_model: listing.entry.is_some(),
            models: listing.models,
            limits: self.limits(),
        })
    }

    fn context(&self) -> std::sync::MutexGuard<'_, Option<u32>> {
        self.context.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn error(&self, failure: Failure) -> Error {
        self.server.error(failure, &self.model)
    }
}

/// `can_tell` is whether the model can be told not to reason.
fn body(request: &ChatRequest, can_tell: bool) -> Value {
    let system: Vec<Value> = request
        .messages
        .iter()
        .filter(|message| message.role == ChatRole::System)
        .map(|message| json!({"text": message.content}))
        .collect();
    let mut settings = json!({"temperature": shortest(request.temperature)});
    if let Some(most) = request.max_tokens {
        // Reasoning counts against the limit: a short reply would end before it began.
        let is_short = most < REASONING_ROOM;
        let room = if is_short && !can_tell { REASONING_ROOM } else { 0 };
        settings["maxOutputTokens"] = json!(most + room);
        if is_short && can_tell {
            settings["thinkingConfig"] = json!({"thinkingBudget": 0});
        }
    }
    if let ReplyFormat::Schema { schema, .. } = &request.format
        // Both together are refused.
        && request.tools.is_empty()
    {
        settings["responseMimeType"] = json!("application/json");
        settings["responseSchema"] = schema::converted(schema);
    }
    let mut body = json!({"contents": contents(request), "generationConfig": settings});
    if !system.is_empty() {
        body["systemInstruction"] = json!({"parts": system});
    }
    if !request.tools.is_empty() {
        let tools = request.tools.iter().map(|tool| {
            let mut declared = json!({"name": tool.name, "description": tool.description});
            let has_parameters = tool.parameters["properties"]
                .as_object()
                .is_some_and(|properties| !properties.is_empty());
            // An object without properties is refused.
            if has_parameters {
                declared["parameters"] = schema::converted(&tool.parameters);
            }
            declared
        });
        body["tools"] = json!([{"functionDeclarations": tools.collect::<Vec<_>>()}]);
    }
    body
}

/// Messages as turns of the two sides; results of tools are said by the user, all of a turn together.
fn contents(request: &ChatRequest) -> Vec<Value> {
    let mut turns: Vec<(&str, Vec<Value>)> = Vec::new();
    for message in &request.messages {
        let (role, parts) = match message.role {
            ChatRole::System => continue,
            ChatRole::User => ("user", text(message)),
            ChatRole::Tool => {
                let name = tool_name(request, message.tool_call_id.as_deref()).unwrap_or("tool");
                let result = json!({"name": name, "response": {"result": message.content}});
                ("user", vec![json!({"functionResponse": result})])
            }
            ChatRole::Assistant => {
                let mut parts = text(message);
                parts.extend(message.tool_calls.iter().map(|call| {
                    let mut part = json!({"functionCall": {"name": call.name, "args": arguments(call)}});
                    if let Some((_, signature)) = call.id.split_once(SIGNED) {
                        part["thoughtSignature"] = json!(signature);
                    }
                    part
                }));
                ("model", parts)
            }
        };
        match turns.last_mut() {
            Some((last, turn)) if *last == role => turn.extend(parts),
            _ => turns.push((role, parts)),
        }
    }
    turns
        .into_iter()
        .filter(|(_, parts)| !parts.is_empty())
        .map(|(role, parts)| json!({"role": role, "parts": parts}))
        .collect()
}

fn text(message: &ChatMessage) -> Vec<Value> {
    if message.content.is_empty() {
        Vec::new()
    } else {
        vec![json!({"text": message.content})]
    }
}

#[async_trait]
impl ChatModel for Gemini {
    fn name(&self) -> &str {
        &self.model
    }

    fn limits(&self) -> ModelLimits {
        ModelLimits {
            context_tokens: *self.context(),
            schema: Some(true),
            tools: Some(true),
        }
    }

    async fn learn_limits(&self) -> Result<ModelLimits> {
        if self.limits().context_tokens.is_none() {
            self.probe().await?;
        }
        Ok(self.limits())
    }

    async fn chat(&self, request: &ChatRequest) -> Result<Box<dyn ChatStream>> {
        let path = format!("{}:streamGenerateContent?alt=sse", self.resource);
        let mut refused = 0;
        loop {
            let can_tell = !self.is_thinking_fixed.load(Ordering::Relaxed);
            match self.server.open(&path, &body(request, can_tell)).await {
                Ok(response) => {
                    let (server, decoder) = (Arc::clone(&self.server), Candidates::default());
                    let reply = ReplyStream::new(server, response, Framing::Events, decoder, refused);
                    return Ok(Box::new(reply));
                }
                Err(Failure::Refusal(refusal))
                    if refusal.is_about_form()
                        && ["thinking", "budget"].iter().any(|word| refusal.words().contains(word))
                        && !self.is_thinking_fixed.swap(true, Ordering::Relaxed) =>
                {
                    refused += 1;
                }
                Err(failure) => return Err(self.error(failure)),
            }
        }
    }
}

#[async_trait]
impl Client for Gemini {
    async fn probe(&self) -> Result<ModelProbe> {
        self.probe().await
    }
}

#[derive(Debug, Default)]
struct Candidates {
    calls: usize,
}

impl Decoder for Candidates {
    fn take(&mut self, body: &Value, reply: &mut Reply) -> Result<(), Fault> {
        let usage = &body["usageMetadata"];
        if usage.is_object() {
            let written = usage["candidatesTokenCount"].as_u64();
            let thought = usage["thoughtsTokenCount"].as_u64();
            let output = written.or(thought).map(|_| written.unwrap_or(0) + thought.unwrap_or(0));
            reply.count(usage["promptTokenCount"].as_u64(), output);
        }
        if body["promptFeedback"]["blockReason"].is_string() {
            return Err(Fault::Stopped("its safety filter turned the question down"));
        }
        let candidate = &body["candidates"][0];
        for part in candidate["content"]["parts"].as_array().into_iter().flatten() {
            if let Some(text) = part["text"].as_str().filter(|_| part["thought"] != true) {
                reply.text(text);
            }
            let call = &part["functionCall"];
            if let Some(name) = call["name"].as_str() {
                let mut id = format!("call_{}", self.calls);
                // Calls go back to the model with the signature they came with, and the id is all that is kept.
                if let Some(signature) = part["thoughtSignature"].as_str() {
                    id.push(SIGNED);
                    id.push_str(signature);
                }
                self.calls += 1;
                reply.call(ToolCall {
                    id,
                    name: name.to_owned(),
                    arguments: if call["args"].is_null() {
                        "{}".to_owned()
                    } else {
                        call["args"].to_string()
                    },
                });
            }
        }
        match candidate["finishReason"].as_str() {
            None | Some("FINISH_REASON_UNSPECIFIED") => return Ok(()),
            Some("STOP") => {}
            Some("MAX_TOKENS") => reply.lose(Truncated::Reply),
            Some("SAFETY" | "PROHIBITED_CONTENT" | "BLOCKLIST" | "SPII") => {
                return Err(Fault::Stopped("its safety filter found something in it"));
            }
            Some("RECITATION") => return Err(Fault::Stopped("it repeats a text that is under copyright")),
            Some("MALFORMED_FUNCTION_CALL" | "UNEXPECTED_TOOL_CALL") => {
                return Err(Fault::Stopped(
                    "the model asked for a tool in a way that cannot be read",
                ));
            }
            Some(_) => return Err(Fault::Stopped("it gave a reason that Recto does not know")),
        }
        // Usage may follow in another event, so the reply is over when the server closes.
        reply.finish();
        Ok(())
    }
}
