//! A reply as it comes in.

use super::{Deadlines, failure};
use async_trait::async_trait;
use eventsource_stream::{Event, Eventsource};
use futures::StreamExt;
use futures::stream::BoxStream;
use recto_core::{ChatEvent, ChatStream, Error, ErrorCode, Result, Usage};
use reqwest::Response;
use serde_json::Value;
use std::collections::VecDeque;
use std::time::Duration;

/// A source of server-sent events; `None` in place of an event is a broken connection.
type Source = BoxStream<'static, Option<Event>>;

pub(super) struct ReplyStream {
    place: String,
    source: Input,
    deadlines: Deadlines,
    waiting: VecDeque<ChatEvent>,
    usage: Option<Usage>,
    has_text: bool,
    is_finished: bool,
    is_over: bool,
}

enum Input {
    Events(Source),
    Whole(Option<Response>),
}

impl ReplyStream {
    pub(super) fn streaming(place: String, response: Response, deadlines: Deadlines) -> Self {
        let events = response.bytes_stream().eventsource().map(Result::ok).boxed();
        Self::new(place, Input::Events(events), deadlines)
    }

    pub(super) fn whole(place: String, response: Response, deadlines: Deadlines) -> Self {
        Self::new(place, Input::Whole(Some(response)), deadlines)
    }

    fn new(place: String, source: Input, deadlines: Deadlines) -> Self {
        Self {
            place,
            source,
            deadlines,
            waiting: VecDeque::new(),
            usage: None,
            has_text: false,
            is_finished: false,
            is_over: false,
        }
    }

    fn patience(&self) -> Duration {
        if self.has_text {
            self.deadlines.idle
        } else {
            self.deadlines.first_token
        }
    }

    /// Reads once; what came of it is in `waiting`.
    async fn advance(&mut self) -> Result<()> {
        let patience = self.patience();
        match &mut self.source {
            Input::Events(events) => {
                let event = tokio::time::timeout(patience, events.next())
                    .await
                    .map_err(|_| failure::silent(&self.place))?;
                match event {
                    Some(Some(event)) => self.take(&event.data),
                    Some(None) => Err(failure::cut(&self.place)),
                    // Some servers close after the last choice without saying that they are done.
                    None if self.is_finished => {
                        self.complete();
                        Ok(())
                    }
                    None => Err(failure::cut(&self.place)),
                }
            }
            Input::Whole(response) => {
                let Some(response) = response.take() else {
                    return Err(failure::cut(&self.place));
                };
                let body = tokio::time::timeout(patience, response.bytes())
                    .await
                    .map_err(|_| failure::silent(&self.place))?
                    .map_err(|_| failure::cut(&self.place))?;
                let body = String::from_utf8_lossy(&body);
                self.take(&body)?;
                self.complete();
                Ok(())
            }
        }
    }

    /// Takes the data of an event, or the one object of a reply that is not streamed.
    fn take(&mut self, data: &str) -> Result<()> {
        if data.trim() == "[DONE]" {
            self.complete();
            return Ok(());
        }
        let Ok(body) = serde_json::from_str::<Value>(data) else {
            return Err(Error::new(
                ErrorCode::ModelRejected,
                format!(
                    "What answers at {} does not speak the language of a chat server.",
                    self.place
                ),
            ));
        };
        if !body["error"].is_null() {
            return Err(failure::in_stream(&self.place, &body));
        }
        let choice = &body["choices"][0];
        let text = choice["delta"]["content"]
            .as_str()
            .or(choice["message"]["content"].as_str());
        if let Some(text) = text.filter(|text| !text.is_empty()) {
            self.has_text = true;
            self.waiting.push_back(ChatEvent::Delta(text.to_owned()));
        }
        self.is_finished |= choice["finish_reason"].is_string();
        if body["usage"].is_object() {
            let tokens = |name: &str| body["usage"][name].as_u64().and_then(|count| u32::try_from(count).ok());
            // Some servers count along in every event; the last is the sum.
            self.usage = Some(Usage {
                input_tokens: tokens("prompt_tokens"),
                output_tokens: tokens("completion_tokens"),
                calls: 1,
            });
        }
        Ok(())
    }

    fn complete(&mut self) {
        self.waiting.extend(self.usage.take().map(ChatEvent::Usage));
        self.waiting.push_back(ChatEvent::Done);
    }
}

#[async_trait]
impl ChatStream for ReplyStream {
    async fn next(&mut self) -> Option<Result<ChatEvent>> {
        if self.is_over {
            return None;
        }
        loop {
            if let Some(event) = self.waiting.pop_front() {
                self.is_over = event == ChatEvent::Done;
                return Some(Ok(event));
            }
            if let Err(error) = self.advance().await {
                self.is_over = true;
                return Some(Err(error));
            }
        }
    }
}
