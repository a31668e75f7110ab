//! Every call of a chat model: under one limiter, within one budget, with a deadline of its own, and recorded.

use crate::request::Stage;
use crate::{json, prompt};
use recto_core::{
    ChatEvent, ChatMessage, ChatModel, ChatRequest, ChatRole, Decision, DocumentId, Error, ErrorCode, ModelLimits,
    ReplyFormat, Result, ToolCall, Trace, TracedCall, Truncated, Usage,
};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Semaphore;

/// How often a reply of the wrong form is asked for again.
const RETRIES: usize = 2;

/// Where a call or decision stands in the course of an answer. The trace is sorted by it, so that it does not depend on
/// which of several calls at once comes back first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) struct Place {
    /// The step of the strategy.
    pub(crate) phase: u32,
    /// The document's or batch's place in the step.
    pub(crate) at: usize,
    pub(crate) stage: &'static str,
    pub(crate) document: Option<DocumentId>,
}

impl Place {
    pub(crate) fn new(phase: u32, stage: &'static str) -> Self {
        Self {
            phase,
            stage,
            ..Self::default()
        }
    }

    pub(crate) fn of(self, at: usize, document: DocumentId) -> Self {
        Self {
            at,
            document: Some(document),
            ..self
        }
    }
}

/// Keeps what models were asked and replied. Clones share what they keep.
#[derive(Debug, Clone, Default)]
pub struct Recorder(Arc<Mutex<Kept>>);

#[derive(Debug, Default)]
struct Kept {
    request: Value,
    calls: Vec<(Place, TracedCall)>,
    decisions: Vec<(Place, Decision)>,
    usage: Usage,
    elapsed_ms: u32,
}

impl Recorder {
    /// What was kept so far.
    #[must_use]
    pub fn trace(&self) -> Trace {
        let kept = self.kept();
        let mut calls = kept.calls.clone();
        let mut decisions = kept.decisions.clone();
        calls.sort_by_key(|(place, _)| (place.phase, place.at));
        decisions.sort_by_key(|(place, _)| (place.phase, place.at));
        Trace {
            request: kept.request.clone(),
            calls: calls.into_iter().map(|(_, call)| call).collect(),
            decisions: decisions.into_iter().map(|(_, decision)| decision).collect(),
            elapsed_ms: kept.elapsed_ms,
        }
    }

    pub(crate) fn begin(&self, request: Value) {
        self.kept().request = request;
    }

    pub(crate) fn end(&self, elapsed_ms: u32) {
        self.kept().elapsed_ms = elapsed_ms;
    }

    /// What the calls so far cost, failed and stopped ones included.
    pub(crate) fn usage(&self) -> Usage {
        self.kept().usage
    }

    pub(crate) fn decide(&self, place: Place, what: impl Into<String>) {
        let decision = Decision {
            stage: place.stage.to_owned(),
            document_id: place.document,
            what: what.into(),
        };
        self.kept().decisions.push((place, decision));
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn call(&self, place: Place, model: &str, request: &ChatRequest) -> usize {
        let mut kept = self.kept();
        kept.usage.calls += 1;
        let call = TracedCall {
            stage: place.stage.to_owned(),
            model: model.to_owned(),
            document_id: place.document,
            request: request.clone(),
            events: Vec::new(),
            error: None,
        };
        kept.calls.push((place, call));
        kept.calls.len() - 1
    }

    fn event(&self, call: usize, event: &ChatEvent) {
        let mut kept = self.kept();
        if let ChatEvent::Usage(usage) = event {
            let total = &mut kept.usage;
            total.input_tokens = sum(total.input_tokens, usage.input_tokens);
            total.output_tokens = sum(total.output_tokens, usage.output_tokens);
            // Tries behind this call that the provider refused; the call itself was counted when it began.
            total.calls = total.calls.saturating_add(usage.calls.saturating_sub(1));
        }
        if let Some((_, call)) = kept.calls.get_mut(call) {
            call.events.push(event.clone());
        }
    }

    fn failed(&self, call: usize, error: &Error) {
        if let Some((_, call)) = self.kept().calls.get_mut(call) {
            call.error = Some(error.clone());
        }
    }
}

/// Unknown parts leave the sum of what is known; a sum of nothing known is unknown.
fn sum(a: Option<u32>, b: Option<u32>) -> Option<u32> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.saturating_add(b)),
        (a, b) => a.or(b),
    }
}

/// A reply that is complete.
#[derive(Debug, Clone, Default)]
pub(crate) struct Reply {
    pub(crate) text: String,
    pub(crate) tool_calls: Vec<ToolCall>,
    /// The reply reached its limit of tokens.
    pub(crate) cut_short: bool,
}

/// What is asked for in a form.
pub(crate) struct Form<'a, T> {
    /// Names the form to the provider.
    pub(crate) name: &'a str,
    /// JSON schema.
    pub(crate) schema: Value,
    /// Most tokens of the reply.
    pub(crate) max_tokens: u32,
    /// Takes what is needed from a reply of that form; `None` where it is not there.
    pub(crate) read: &'a (dyn Fn(&Value) -> Option<T> + Send + Sync),
    /// Takes what can be taken from a reply in prose, when asking again did not help.
    pub(crate) scrape: &'a (dyn Fn(&str) -> Option<T> + Send + Sync),
}

/// The one way to the chat model.
pub(crate) struct Calls {
    model: Arc<dyn ChatModel>,
    /// Models of single steps.
    stages: BTreeMap<Stage, Arc<dyn ChatModel>>,
    pub(crate) recorder: Recorder,
    limiter: Semaphore,
    deadline: Duration,
    most: u32,
    temperature: f32,
}

impl Calls {
    pub(crate) fn new(model: Arc<dyn ChatModel>, recorder: Recorder, options: &crate::AnswerOptions) -> Self {
        Self {
            model,
            stages: BTreeMap::new(),
            recorder,
            limiter: Semaphore::new(options.parallel.max(1)),
            deadline: options.call_deadline,
            most: options.calls,
            temperature: options.temperature,
        }
    }

    /// Models that steps have of their own.
    pub(crate) fn with_stages(self, stages: BTreeMap<Stage, Arc<dyn ChatModel>>) -> Self {
        Self { stages, ..self }
    }

    /// Limits of the chat model.
    pub(crate) fn limits(&self) -> ModelLimits {
        self.model.limits()
    }

    /// Limits of the model that a step asks.
    pub(crate) fn limits_at(&self, place: Place) -> ModelLimits {
        self.model_at(place).limits()
    }

    fn model_at(&self, place: Place) -> &Arc<dyn ChatModel> {
        let own = Stage::of_step(place.stage).and_then(|stage| self.stages.get(&stage));
        own.unwrap_or(&self.model)
    }

    /// Makes one call, handing its pieces on as they come.
    ///
    /// # Errors
    /// The model's own; `timed_out` after the deadline of a call; `too_large` past the budget of calls.
    pub(crate) async fn chat(
        &self,
        place: Place,
        mut request: ChatRequest,
        on_delta: &mut (dyn FnMut(&str) + Send),
    ) -> Result<Reply> {
        request.temperature = self.temperature;
        // A semaphore that is never closed always gives a permit.
        let _permit = self
            .limiter
            .acquire()
            .await
            .map_err(|_| Error::internal("The limiter is closed."))?;
        if self.recorder.usage().calls >= self.most {
            return Err(Error::new(
                ErrorCode::TooLarge,
                format!(
                    "The question needs more than {} calls of the model. Ask fewer documents.",
                    self.most
                ),
            ));
        }
        let model = self.model_at(place);
        let call = self.recorder.call(place, model.name(), &request);
        let outcome = tokio::time::timeout(self.deadline, self.receive(&**model, call, &request, on_delta)).await;
        let outcome = outcome.unwrap_or_else(|_| {
            Err(Error::transient(
                ErrorCode::TimedOut,
                format!("The model took longer than {} seconds.", self.deadline.as_secs()),
            ))
        });
        if let Err(error) = &outcome {
            self.recorder.failed(call, error);
        }
        outcome
    }

    async fn receive(
        &self,
        model: &dyn ChatModel,
        call: usize,
        request: &ChatRequest,
        on_delta: &mut (dyn FnMut(&str) + Send),
    ) -> Result<Reply> {
        let mut stream = model.chat(request).await?;
        let mut reply = Reply::default();
        loop {
            let Some(event) = stream.next().await else {
                return Err(Error::transient(
                    ErrorCode::ModelUnreachable,
                    "The connection to the model ended before its answer was complete. Try again.",
                ));
            };
            let event = event?;
            self.recorder.event(call, &event);
            match event {
                ChatEvent::Delta(delta) => {
                    reply.text.push_str(&delta);
                    on_delta(&delta);
                }
                ChatEvent::ToolCall(tool) => reply.tool_calls.push(tool),
                ChatEvent::Truncated(Truncated::Reply) => reply.cut_short = true,
                ChatEvent::Truncated(Truncated::Prompt) => {
                    tracing::warn!(model = model.name(), "the model read only part of what it was sent");
                }
                ChatEvent::Usage(_) => {}
                ChatEvent::Done => return Ok(reply),
            }
        }
    }

    /// Asks for a reply in a form: again, more strictly, where it is not in it, and at last for what prose gives away.
    /// `None` where even that is nothing.
    ///
    /// # Errors
    /// As [`Calls::chat`]; a form that is missed is none.
    pub(crate) async fn form<T>(
        &self,
        place: Place,
        messages: Vec<ChatMessage>,
        form: &Form<'_, T>,
    ) -> Result<Option<T>> {
        let mut messages = messages;
        let mut last = String::new();
        for attempt in 0..=RETRIES {
            let request = ChatRequest {
                messages: messages.clone(),
                max_tokens: Some(form.max_tokens),
                format: ReplyFormat::Schema {
                    name: form.name.to_owned(),
                    schema: form.schema.clone(),
                },
                ..ChatRequest::default()
            };
            let reply = self.chat(place, request, &mut |_| {}).await?;
            if let Some(read) = json::decode(&reply.text).and_then(|value| (form.read)(&value)) {
                return Ok(Some(read));
            }
            last = reply.text;
            if attempt < RETRIES {
                messages.push(ChatMessage::new(ChatRole::Assistant, last.clone()));
                messages.push(ChatMessage::new(ChatRole::User, prompt::REMINDER.trim()));
            }
        }
        let scraped = (form.scrape)(&last);
        let what = if scraped.is_some() {
            "was taken from prose"
        } else {
            "could not be read"
        };
        self.recorder.decide(
            place,
            format!("The reply {what}: it was not in the form asked for, three times."),
        );
        Ok(scraped)
    }
}
