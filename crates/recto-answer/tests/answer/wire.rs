//! A chat model that speaks to the scripted server over a bare TCP connection.

use async_trait::async_trait;
use recto_core::{
    ChatEvent, ChatModel, ChatRequest, ChatRole, ChatStream, Error, ErrorCode, ModelLimits, ReplyFormat, Result, Usage,
};
use serde_json::{Value, json};
use std::collections::VecDeque;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

pub(crate) struct WireModel {
    address: String,
    limits: ModelLimits,
}

impl WireModel {
    pub(crate) fn new(base_url: &str) -> Self {
        let address = base_url.trim_start_matches("http://").trim_end_matches("/v1");
        Self {
            address: address.to_owned(),
            limits: ModelLimits::default(),
        }
    }

    /// A model that says it has this much context.
    pub(crate) fn with_context(mut self, tokens: u32) -> Self {
        self.limits.context_tokens = Some(tokens);
        self
    }
}

fn broken(message: &str) -> Error {
    Error::transient(ErrorCode::ModelUnreachable, message)
}

#[async_trait]
impl ChatModel for WireModel {
    fn name(&self) -> &str {
        "scripted"
    }

    fn limits(&self) -> ModelLimits {
        self.limits
    }

    async fn chat(&self, request: &ChatRequest) -> Result<Box<dyn ChatStream>> {
        let role = |role: ChatRole| match role {
            ChatRole::System => "system",
            ChatRole::User => "user",
            ChatRole::Assistant => "assistant",
            ChatRole::Tool => "tool",
        };
        let messages: Vec<Value> = request
            .messages
            .iter()
            .map(|message| json!({"role": role(message.role), "content": message.content}))
            .collect();
        let format = match &request.format {
            ReplyFormat::Text => Value::Null,
            ReplyFormat::Schema { name, schema } => {
                json!({"type": "json_schema", "json_schema": {"name": name, "schema": schema}})
            }
        };
        let body = json!({
            "model": "scripted", "messages": messages, "stream": true, "response_format": format,
            "temperature": request.temperature, "max_tokens": request.max_tokens,
        })
        .to_string();
        let mut socket = TcpStream::connect(&self.address)
            .await
            .map_err(|_| broken("cannot connect"))?;
        let head = format!(
            "POST /v1/chat/completions HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
            self.address,
            body.len()
        );
        socket
            .write_all((head + &body).as_bytes())
            .await
            .map_err(|_| broken("cannot send"))?;
        let mut stream = WireStream {
            socket,
            raw: Vec::new(),
            body: Vec::new(),
            ready: VecDeque::new(),
            ended: false,
        };
        let head = stream.head().await?;
        if head.split(' ').nth(1) != Some("200") {
            return Err(Error::new(ErrorCode::ModelRejected, "the server refused the request"));
        }
        Ok(Box::new(stream))
    }
}

/// Server-sent events in a chunked body.
struct WireStream {
    socket: TcpStream,
    raw: Vec<u8>,
    body: Vec<u8>,
    ready: VecDeque<ChatEvent>,
    ended: bool,
}

fn position(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|window| window == wanted)
}

impl WireStream {
    async fn read(&mut self) -> Result<()> {
        let mut buffer = [0; 4096];
        match self.socket.read(&mut buffer).await {
            Ok(0) | Err(_) => Err(broken("the connection was cut")),
            Ok(count) => {
                self.raw.extend_from_slice(&buffer[..count]);
                Ok(())
            }
        }
    }

    async fn head(&mut self) -> Result<String> {
        loop {
            if let Some(end) = position(&self.raw, b"\r\n\r\n") {
                let head: Vec<u8> = self.raw.drain(..end + 4).collect();
                return Ok(String::from_utf8_lossy(&head).into_owned());
            }
            self.read().await?;
        }
    }

    /// Moves whole chunks from the raw bytes to the body, and whole events from there to what is ready.
    fn decode(&mut self) {
        while let Some(line) = position(&self.raw, b"\r\n") {
            let size = std::str::from_utf8(&self.raw[..line])
                .ok()
                .and_then(|size| usize::from_str_radix(size, 16).ok());
            let Some(size) = size.filter(|size| self.raw.len() >= line + 2 + size + 2) else {
                break;
            };
            self.body.extend_from_slice(&self.raw[line + 2..line + 2 + size]);
            self.raw.drain(..line + 2 + size + 2);
        }
        while let Some(end) = position(&self.body, b"\n\n") {
            let event: Vec<u8> = self.body.drain(..end + 2).collect();
            let event = String::from_utf8(event).expect("whole events are UTF-8");
            let data = event.trim().trim_start_matches("data: ");
            if data == "[DONE]" {
                self.ready.push_back(ChatEvent::Done);
                continue;
            }
            let value: Value = serde_json::from_str(data).expect("an event is JSON");
            if let Some(delta) = value["choices"][0]["delta"]["content"].as_str() {
                self.ready.push_back(ChatEvent::Delta(delta.to_owned()));
            }
            let count = |name: &str| {
                value["usage"][name]
                    .as_u64()
                    .and_then(|count| u32::try_from(count).ok())
            };
            if let Some(input) = count("prompt_tokens") {
                self.ready.push_back(ChatEvent::Usage(Usage {
                    input_tokens: Some(input),
                    output_tokens: count("completion_tokens"),
                    calls: 0,
                }));
            }
        }
    }
}

#[async_trait]
impl ChatStream for WireStream {
    async fn next(&mut self) -> Option<Result<ChatEvent>> {
        loop {
            self.decode();
            if let Some(event) = self.ready.pop_front() {
                self.ended = event == ChatEvent::Done;
                return Some(Ok(event));
            }
            if self.ended {
                return None;
            }
            if let Err(error) = self.read().await {
                self.ended = true;
                return Some(Err(error));
            }
        }
    }
}
