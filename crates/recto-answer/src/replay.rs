//! An answer made again from its trace, without a model.

use crate::calls::Recorder;
use crate::request::{AnswerContext, AnswerRequest, AskedModel};
use crate::run::answer_recorded;
use async_trait::async_trait;
use recto_core::{
    Answer, ChatEvent, ChatModel, ChatRequest, ChatStream, Error, ErrorCode, ModelLimits, Result, Trace, TracedCall,
};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use tokio_util::sync::CancellationToken;

/// A chat model that says again what it said when a trace was kept, to whoever asks exactly the same.
pub struct ReplayModel {
    name: String,
    limits: ModelLimits,
    /// Calls not made again yet, shared by the models of one trace.
    left: Arc<Mutex<Vec<TracedCall>>>,
}

impl ReplayModel {
    /// The model of a trace. `limits` are those of the model that was asked then.
    #[must_use]
    pub fn new(trace: &Trace, limits: ModelLimits) -> Self {
        Self {
            name: trace.calls.first().map_or_else(String::new, |call| call.model.clone()),
            limits,
            left: Arc::new(Mutex::new(trace.calls.clone())),
        }
    }
}

#[async_trait]
impl ChatModel for ReplayModel {
    fn name(&self) -> &str {
        &self.name
    }

    fn limits(&self) -> ModelLimits {
        self.limits
    }

    async fn chat(&self, request: &ChatRequest) -> Result<Box<dyn ChatStream>> {
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(at) = left.iter().position(|call| call.request == *request) else {
            return Err(Error::new(
                ErrorCode::NotFound,
                "This was not asked when the answer was made: the documents, or Recto, have changed since.",
            ));
        };
        let call = left.remove(at);
        if call.events.is_empty()
            && let Some(error) = call.error
        {
            return Err(error);
        }
        Ok(Box::new(ReplayedReply {
            events: call.events.into(),
            error: call.error,
        }))
    }
}

struct ReplayedReply {
    events: VecDeque<ChatEvent>,
    error: Option<Error>,
}

#[async_trait]
impl ChatStream for ReplayedReply {
    async fn next(&mut self) -> Option<Result<ChatEvent>> {
        match self.events.pop_front() {
            Some(event) => Some(Ok(event)),
            None => self.error.take().map(Err),
        }
    }
}

/// Makes the answer of a trace again, byte for byte where the documents are those it was made from. `context` is that of
/// the question; its model is not asked.
///
/// # Errors
/// `invalid_argument` where the trace does not hold a question.
pub async fn replay(context: &AnswerContext, trace: &Trace) -> Result<Answer> {
    let request: AnswerRequest = serde_json::from_value(trace.request.clone()).map_err(|error| {
        Error::new(
            ErrorCode::InvalidArgument,
            format!("The trace does not say what was asked: {error}."),
        )
    })?;
    let mut context = context.clone();
    let left = Arc::new(Mutex::new(trace.calls.clone()));
    let replayed = |model: &AskedModel| {
        Arc::new(ReplayModel {
            name: model.name.clone(),
            limits: model.limits,
            left: Arc::clone(&left),
        }) as Arc<dyn ChatModel>
    };
    context.model = request.model.as_ref().map(replayed);
    context.stages = request
        .stages
        .iter()
        .map(|(stage, model)| (*stage, replayed(model)))
        .collect();
    let cancel = CancellationToken::new();
    let mut answer = answer_recorded(&context, &request, &Recorder::default(), &cancel, &mut |_| {}).await;
    answer.elapsed_ms = trace.elapsed_ms;
    Ok(answer)
}
