//! Anthropic's messages.

use super::framing::Framing;
use super::listing::{ListFormat, Listing};
use super::reply::{Decoder, Fault, Reply, ReplyStream};
use super::{Client, ModelProbe, arguments, shortest};
use crate::failure::Failure;
use crate::key::ApiKey;
use crate::server::{Deadlines, KeyHeader, Server};
use async_trait::async_trait;
use recto_core::{
    ChatMessage, ChatModel, ChatRequest, ChatRole, ChatStream, Error, ModelLimits, ReplyFormat, Result, ToolCall,
    Truncated,
};
use serde_json::{Map, Value, json};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The reply's limit where the request has none: the interface demands one, and every model takes this much.
const USUAL_REPLY: u32 = 4096;
/// The property that holds a reply whose schema is no object, since arguments of tools must be one.
const WRAPPED: &str = "value";

/// A model reached through `POST {base_url}/v1/messages`.
#[derive(Debug)]
pub struct Anthropic {
    server: Arc<Server>,
    model: String,
    context: Mutex<Option<u32>>,
    /// Some models take no temperature, which they say when they are given one.
    is_without_temperature: AtomicBool,
}

impl Anthropic {
    /// A client for `model` at `base_url`, which is `https://api.anthropic.com`, or what stands in for it. Nothing is
    /// sent yet.
    ///
    /// # Errors
    /// `invalid_argument` when the address is none.
    pub fn new(base_url: &str, model: &str, key: Option<ApiKey>, deadlines: Deadlines) -> Result<Self> {
        let root = base_url.trim().trim_end_matches('/');
        let root = root.strip_suffix("/v1").unwrap_or(root);
        let server = Server::new(
            root,
            "https://api.anthropic.com",
            key,
            KeyHeader::Named("x-api-key"),
            deadlines,
        )?;
        Ok(Self {
            server: Arc::new(server.with_headers(&[("anthropic-version", "2023-06-01")])),
            model: model.to_owned(),
            context: Mutex::default(),
            is_without_temperature: AtomicBool::new(false),
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
            path: "v1/models?limit=1000",
            entries: "data",
            name: "id",
            prefix: "",
        };
        let own_path = format!("v1/models/{}", self.model);
        let listing = Listing::ask(&self.server, &format, &self.model, &own_path, |_| true)
            .await
            .map_err(|failure| self.error(failure))?;
        {
            let mut context = self.context();
            *context = context.or(listing.tokens("max_input_tokens"));
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

    fn body(&self, request: &ChatRequest) -> Value {
        let system: Vec<&str> = request
            .messages
            .iter()
            .filter(|message| message.role == ChatRole::System)
            .map(|message| message.content.as_str())
            .collect();
        let mut body = json!({
            "model": self.model,
            "max_tokens": request.max_tokens.unwrap_or(USUAL_REPLY),
            "messages": turns(&request.messages),
            "stream": true,
        });
        if !self.is_without_temperature.load(Ordering::Relaxed) {
            body["temperature"] = json!(shortest(request.temperature.min(1.0)));
        }
        if !system.is_empty() {
            body["system"] = json!(system.join("\n\n"));
        }
        let mut tools: Vec<Value> = request
            .tools
            .iter()
            .map(|tool| json!({"name": tool.name, "description": tool.description, "input_schema": tool.parameters}))
            .collect();
        if let ReplyFormat::Schema { name, schema } = &request.format {
            tools.push(json!({"name": name, "description": "Gives the reply.", "input_schema": as_object(schema)}));
            // With other tools beside it, the model may use these first.
            body["tool_choice"] = if request.tools.is_empty() {
                json!({"type": "tool", "name": name})
            } else {
                json!({"type": "any"})
            };
        }
        if !tools.is_empty() {
            body["tools"] = json!(tools);
        }
        body
    }
}

fn is_object(schema: &Value) -> bool {
    schema["type"] == "object"
}

/// The schema, wrapped where it is not that of an object.
fn as_object(schema: &Value) -> Value {
    if is_object(schema) {
        return schema.clone();
    }
    json!({"type": "object", "properties": {WRAPPED: schema}, "required": [WRAPPED]})
}

/// Messages as turns of the two sides in alternation: what one side says in several messages is one turn, and results
/// of tools are said by the user.
fn turns(messages: &[ChatMessage]) -> Vec<Value> {
    let mut turns: Vec<(&str, Vec<Value>)> = Vec::new();
    for message in messages {
        let (role, blocks) = match message.role {
            ChatRole::System => continue,
            ChatRole::User => ("user", vec![text(&message.content)]),
            ChatRole::Tool => {
                let id = message.tool_call_id.as_deref().unwrap_or_default();
                let result = json!({"type": "tool_result", "tool_use_id": id, "content": message.content});
                ("user", vec![Some(result)])
            }
            ChatRole::Assistant => {
                // White space at its end is refused in the last message.
                let mut blocks = vec![text(message.content.trim_end())];
                blocks.extend(message.tool_calls.iter().map(|call| {
                    Some(json!({"type": "tool_use", "id": call.id, "name": call.name, "input": arguments(call)}))
                }));
                ("assistant", blocks)
            }
        };
        let blocks = blocks.into_iter().flatten();
        match turns.last_mut() {
            Some((last, turn)) if *last == role => turn.extend(blocks),
            _ => turns.push((role, blocks.collect())),
        }
    }
    turns
        .into_iter()
        .filter(|(_, blocks)| !blocks.is_empty())
        .map(|(role, blocks)| json!({"role": role, "content": blocks}))
        .collect()
}

/// A block of text. Empty ones are refused.
fn text(text: &str) -> Option<Value> {
    (!text.is_empty()).then(|| json!({"type": "text", "text": text}))
}

#[async_trait]
impl ChatModel for Anthropic {
    fn name(&self) -> &str {
        &self.model
    }

    fn limits(&self) -> ModelLimits {
        ModelLimits {
            context_tokens: *self.context(),
            // Every model offered takes tools, and a schema is asked for as one.
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
        let mut refused = 0;
        loop {
            let body = self.body(request);
            match self.server.open("v1/messages", &body).await {
                Ok(response) => {
                    let decoder = Blocks::new(&request.format);
                    let server = Arc::clone(&self.server);
                    return Ok(Box::new(ReplyStream::new(
                        server,
                        response,
                        Framing::Events,
                        decoder,
                        refused,
                    )));
                }
                Err(Failure::Refusal(refusal))
                    if refusal.is_about_form()
                        && refusal.words().contains("`temperature`")
                        && !self.is_without_temperature.swap(true, Ordering::Relaxed) =>
                {
                    refused += 1;
                }
                Err(failure) => return Err(self.error(failure)),
            }
        }
    }
}

#[async_trait]
impl Client for Anthropic {
    async fn probe(&self) -> Result<ModelProbe> {
        self.probe().await
    }
}

/// Reads a message block by block.
#[derive(Debug)]
struct Blocks {
    /// The tool whose arguments are the reply, and whether they wrap it.
    reply_tool: Option<(String, bool)>,
    block: Block,
    input: u64,
}

#[derive(Debug)]
enum Block {
    /// Text, reasoning or something unknown; its deltas say what they are.
    Other,
    /// A wish to use a tool.
    Call(ToolCall),
    /// The reply as arguments of its tool.
    Reply,
    /// The same, wrapped.
    WrappedReply(String),
}

impl Blocks {
    fn new(format: &ReplyFormat) -> Self {
        Self {
            reply_tool: match format {
                ReplyFormat::Text => None,
                ReplyFormat::Schema { name, schema } => Some((name.clone(), !is_object(schema))),
            },
            block: Block::Other,
            input: 0,
        }
    }

    fn begin(&mut self, block: &Value, reply: &mut Reply) {
        self.block = Block::Other;
        match block["type"].as_str() {
            Some("text") => reply.text(block["text"].as_str().unwrap_or_default()),
            Some("tool_use") => {
                let name = block["name"].as_str().unwrap_or_default();
                // Streamed arguments come in deltas; here is an empty object, or all of them in a whole message.
                let input = block["input"].as_object().filter(|input| !input.is_empty());
                let written = input
                    .map(|input| Value::Object(input.clone()).to_string())
                    .unwrap_or_default();
                self.block = match &self.reply_tool {
                    Some((tool, is_wrapped)) if tool == name => {
                        if *is_wrapped {
                            Block::WrappedReply(written)
                        } else {
                            reply.text(&written);
                            Block::Reply
                        }
                    }
                    _ => Block::Call(ToolCall {
                        id: block["id"].as_str().unwrap_or_default().to_owned(),
                        name: name.to_owned(),
                        arguments: written,
                    }),
                };
            }
            _ => {}
        }
    }

    fn go_on(&mut self, delta: &Value, reply: &mut Reply) {
        // `thinking_delta` and `signature_delta` are left out.
        match delta["type"].as_str() {
            Some("text_delta") => reply.text(delta["text"].as_str().unwrap_or_default()),
            Some("input_json_delta") => {
                let part = delta["partial_json"].as_str().unwrap_or_default();
                match &mut self.block {
                    Block::Call(call) => call.arguments.push_str(part),
                    Block::Reply => reply.text(part),
                    Block::WrappedReply(written) => written.push_str(part),
                    Block::Other => {}
                }
            }
            _ => {}
        }
    }

    fn close(&mut self, reply: &mut Reply) {
        match std::mem::replace(&mut self.block, Block::Other) {
            Block::Call(mut call) => {
                if call.arguments.is_empty() {
                    call.arguments.push_str("{}");
                }
                reply.call(call);
            }
            Block::WrappedReply(written) => match serde_json::from_str::<Map<String, Value>>(&written) {
                Ok(mut fields) if fields.contains_key(WRAPPED) => {
                    reply.text(&fields.remove(WRAPPED).unwrap_or_default().to_string());
                }
                _ => reply.text(&written),
            },
            Block::Reply | Block::Other => {}
        }
    }

    fn count(&mut self, usage: &Value, reply: &mut Reply) {
        // What is read from or written to the cache is counted apart.
        let parts = ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"];
        let input: u64 = parts.into_iter().filter_map(|part| usage[part].as_u64()).sum();
        // The end of a message may repeat the count, or a part of it.
        self.input = self.input.max(input);
        reply.count((self.input > 0).then_some(self.input), usage["output_tokens"].as_u64());
    }

    fn stop(reason: &str, reply: &mut Reply) -> Result<(), Fault> {
        reply.finish();
        match reason {
            "max_tokens" | "model_context_window_exceeded" => reply.lose(Truncated::Reply),
            "refusal" => return Err(Fault::Stopped("the model declined to go on")),
            _ => {}
        }
        Ok(())
    }
}

impl Decoder for Blocks {
    fn take(&mut self, body: &Value, reply: &mut Reply) -> Result<(), Fault> {
        match body["type"].as_str() {
            Some("message_start") => self.count(&body["message"]["usage"], reply),
            Some("content_block_start") => self.begin(&body["content_block"], reply),
            Some("content_block_delta") => self.go_on(&body["delta"], reply),
            Some("content_block_stop") => self.close(reply),
            Some("message_delta") => {
                self.count(&body["usage"], reply);
                if let Some(reason) = body["delta"]["stop_reason"].as_str() {
                    return Self::stop(reason, reply);
                }
            }
            Some("message_stop") => reply.complete(),
            Some("error") => return Err(Fault::Said(body.clone())),
            // A whole message.
            Some("message") => {
                for block in body["content"].as_array().into_iter().flatten() {
                    self.begin(block, reply);
                    self.close(reply);
                }
                self.count(&body["usage"], reply);
                return Self::stop(body["stop_reason"].as_str().unwrap_or_default(), reply);
            }
            // `ping`, and whatever may be added.
            _ => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_alternate_and_results_are_the_users() {
        let call = |id: &str| ToolCall {
            id: id.into(),
            name: "search".into(),
            arguments: r#"{"query":"x"}"#.into(),
        };
        let mut asked = ChatMessage::new(ChatRole::Assistant, "Let me see. \n");
        asked.tool_calls = vec![call("a"), call("b")];
        let result = |id: &str| {
            let mut message = ChatMessage::new(ChatRole::Tool, "found");
            message.tool_call_id = Some(id.into());
            message
        };
        let messages = [
            ChatMessage::new(ChatRole::System, "Cite."),
            ChatMessage::new(ChatRole::User, "Why?"),
            asked,
            result("a"),
            result("b"),
            ChatMessage::new(ChatRole::User, "Go on."),
            ChatMessage::new(ChatRole::Assistant, ""),
        ];
        let use_of = |id: &str| json!({"type": "tool_use", "id": id, "name": "search", "input": {"query": "x"}});
        let result_of = |id: &str| json!({"type": "tool_result", "tool_use_id": id, "content": "found"});
        assert_eq!(
            turns(&messages),
            [
                json!({"role": "user", "content": [{"type": "text", "text": "Why?"}]}),
                json!({"role": "assistant", "content":
                    [{"type": "text", "text": "Let me see."}, use_of("a"), use_of("b")]}),
                json!({"role": "user", "content":
                    [result_of("a"), result_of("b"), {"type": "text", "text": "Go on."}]}),
            ]
        );
    }
}
