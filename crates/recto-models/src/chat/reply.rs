//! A reply as it comes in: what all formats have in common.

use super::framing::{self, Framing, MOST_BYTES, Pieces};
use super::thinking::ThinkingFilter;
use crate::failure;
use crate::server::{self, Deadlines, Server};
use async_trait::async_trait;
use futures::StreamExt;
use recto_core::{ChatEvent, ChatStream, Error, Result, ToolCall, Truncated, Usage};
use reqwest::{Response, header};
use serde_json::Value;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

/// Reads one format.
pub(super) trait Decoder: Send {
    /// Takes one piece of a reply, or all of one that is not streamed.
    fn take(&mut self, body: &Value, reply: &mut Reply) -> Result<(), Fault>;

    /// Nothing more comes, and the server had said that it is done.
    fn end(&mut self, _reply: &mut Reply) {}
}

/// Why a reply cannot go on.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Fault {
    /// The server sent this error.
    Said(Value),
    /// The server ended the reply for this reason, part of a sentence.
    Stopped(&'static str),
}

/// What has been read of a reply.
#[derive(Debug, Default)]
pub(super) struct Reply {
    waiting: VecDeque<ChatEvent>,
    thinking: ThinkingFilter,
    usage: Option<(Option<u64>, Option<u64>)>,
    lost: Vec<Truncated>,
    has_output: bool,
    is_finished: bool,
    is_complete: bool,
}

impl Reply {
    /// More text, reasoning among it perhaps.
    pub(super) fn text(&mut self, text: &str) {
        let answer = self.thinking.push(text);
        self.show(answer);
    }

    fn show(&mut self, text: String) {
        if !text.is_empty() {
            self.has_output = true;
            self.waiting.push_back(ChatEvent::Delta(text));
        }
    }

    /// A tool is asked for.
    pub(super) fn call(&mut self, call: ToolCall) {
        self.has_output = true;
        self.waiting.push_back(ChatEvent::ToolCall(call));
    }

    /// Something was lost; told once for each part.
    pub(super) fn lose(&mut self, part: Truncated) {
        if !self.lost.contains(&part) {
            self.lost.push(part);
            self.waiting.push_back(ChatEvent::Truncated(part));
        }
    }

    /// What the reply cost so far. Unknown counts leave what is known already.
    pub(super) fn count(&mut self, input: Option<u64>, output: Option<u64>) {
        if input.is_some() || output.is_some() {
            let (before_input, before_output) = self.usage.unwrap_or_default();
            self.usage = Some((input.or(before_input), output.or(before_output)));
        }
    }

    /// The model stopped. Should the server close now, nothing is missing.
    pub(super) fn finish(&mut self) {
        self.is_finished = true;
    }

    /// The reply is over; nothing that still comes is read.
    pub(super) fn complete(&mut self) {
        self.is_finished = true;
        self.is_complete = true;
    }
}

/// A reply on its way from a server.
pub(super) struct ReplyStream {
    server: Arc<Server>,
    decoder: Box<dyn Decoder>,
    source: Input,
    reply: Reply,
    /// Requests that the server refused before it took one.
    refused: u32,
    deadlines: Deadlines,
    failure: Option<Error>,
    is_over: bool,
}

enum Input {
    Pieces(Pieces),
    Whole(Option<Response>),
}

impl ReplyStream {
    pub(super) fn new(
        server: Arc<Server>,
        response: Response,
        framing: Framing,
        decoder: impl Decoder + 'static,
        refused: u32,
    ) -> Self {
        let is_whole = framing == Framing::Events
            && response
                .headers()
                .get(header::CONTENT_TYPE)
                .and_then(|kind| kind.to_str().ok())
                .is_some_and(|kind| kind.starts_with("application/json"));
        let source = if is_whole {
            // Some servers ignore the wish for a stream and send the reply in one piece.
            Input::Whole(Some(response))
        } else {
            let bytes = response.bytes_stream().map(|bytes| bytes.map_err(|_| ()));
            Input::Pieces(framing::pieces(framing, bytes.boxed()))
        };
        Self {
            deadlines: server.deadlines(),
            server,
            decoder: Box::new(decoder),
            source,
            reply: Reply::default(),
            refused,
            failure: None,
            is_over: false,
        }
    }

    fn patience(&self) -> Duration {
        if self.reply.has_output {
            self.deadlines.idle
        } else {
            self.deadlines.first_token
        }
    }

    /// Reads once; what came of it is in the reply.
    async fn advance(&mut self) -> Result<()> {
        let patience = self.patience();
        let in_time = |_| failure::silent(&self.server.place());
        match &mut self.source {
            Input::Pieces(pieces) => {
                let piece = tokio::time::timeout(patience, pieces.next()).await.map_err(in_time)?;
                match piece {
                    Some(Some(data)) => self.take(&data),
                    // Some servers close after the last piece without saying that they are done.
                    None if self.reply.is_finished => {
                        self.end();
                        Ok(())
                    }
                    Some(None) | None => Err(failure::cut(&self.server.place())),
                }
            }
            Input::Whole(response) => {
                let Some(response) = response.take() else {
                    return Err(failure::cut(&self.server.place()));
                };
                let body = tokio::time::timeout(patience, server::read(response, MOST_BYTES))
                    .await
                    .map_err(in_time)?
                    .map_err(|()| failure::cut(&self.server.place()))?;
                self.take(&String::from_utf8_lossy(&body))?;
                self.end();
                Ok(())
            }
        }
    }

    fn take(&mut self, data: &str) -> Result<()> {
        let data = data.trim();
        if data == "[DONE]" {
            self.end();
            return Ok(());
        }
        if data.is_empty() {
            return Ok(());
        }
        let Ok(body) = serde_json::from_str::<Value>(data) else {
            return Err(self.server.foreign());
        };
        if !body["error"].is_null() {
            return Err(self.server.error_in_reply(&body));
        }
        match self.decoder.take(&body, &mut self.reply) {
            Ok(()) if self.reply.is_complete => {
                self.end();
                Ok(())
            }
            Ok(()) => Ok(()),
            Err(Fault::Said(body)) => Err(self.server.error_in_reply(&body)),
            Err(Fault::Stopped(reason)) => Err(failure::stopped(&self.server.place(), reason)),
        }
    }

    fn end(&mut self) {
        self.decoder.end(&mut self.reply);
        self.settle();
        self.reply.waiting.push_back(ChatEvent::Done);
    }

    /// Hands out what was held back, and the cost.
    fn settle(&mut self) {
        let held = self.reply.thinking.finish();
        self.reply.show(held);
        let tokens = |count: Option<u64>| count.and_then(|count| u32::try_from(count).ok());
        let usage = self.reply.usage.take();
        if usage.is_some() || self.refused > 0 {
            let (input, output) = usage.unwrap_or_default();
            self.reply.waiting.push_back(ChatEvent::Usage(Usage {
                input_tokens: tokens(input),
                output_tokens: tokens(output),
                calls: 1 + self.refused,
            }));
        }
    }
}

#[async_trait]
impl ChatStream for ReplyStream {
    async fn next(&mut self) -> Option<Result<ChatEvent>> {
        loop {
            if let Some(event) = self.reply.waiting.pop_front() {
                self.is_over |= event == ChatEvent::Done;
                return Some(Ok(event));
            }
            if let Some(error) = self.failure.take() {
                self.is_over = true;
                return Some(Err(error));
            }
            if self.is_over {
                return None;
            }
            if let Err(error) = self.advance().await {
                self.settle();
                self.failure = Some(error);
            }
        }
    }
}
