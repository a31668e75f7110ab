//! Not too many calls at a time.

use async_trait::async_trait;
use recto_core::{ChatEvent, ChatModel, ChatRequest, ChatStream, Error, ModelLimits, Result};
use std::sync::Arc;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Lets only so many replies come in at a time, over all models that share it. Calls wait in the order they were made.
#[derive(Debug, Clone)]
pub struct Limiter {
    free: Arc<Semaphore>,
}

impl Limiter {
    /// A limiter for `calls` at a time, at least one.
    #[must_use]
    pub fn new(calls: usize) -> Self {
        Self {
            free: Arc::new(Semaphore::new(calls.clamp(1, Semaphore::MAX_PERMITS))),
        }
    }

    /// `model` under this limit.
    #[must_use]
    pub fn limit(&self, model: Arc<dyn ChatModel>) -> Arc<dyn ChatModel> {
        Arc::new(Limited {
            model,
            free: Arc::clone(&self.free),
        })
    }
}

struct Limited {
    model: Arc<dyn ChatModel>,
    free: Arc<Semaphore>,
}

struct LimitedStream {
    stream: Box<dyn ChatStream>,
    /// Given back when the reply is over, or dropped.
    permit: Option<OwnedSemaphorePermit>,
}

#[async_trait]
impl ChatModel for Limited {
    fn name(&self) -> &str {
        self.model.name()
    }

    fn limits(&self) -> ModelLimits {
        self.model.limits()
    }

    async fn learn_limits(&self) -> Result<ModelLimits> {
        self.model.learn_limits().await
    }

    async fn chat(&self, request: &ChatRequest) -> Result<Box<dyn ChatStream>> {
        let permit = Arc::clone(&self.free)
            .acquire_owned()
            .await
            .map_err(|_| Error::internal("The limiter of model calls was closed."))?;
        Ok(Box::new(LimitedStream {
            stream: self.model.chat(request).await?,
            permit: Some(permit),
        }))
    }
}

#[async_trait]
impl ChatStream for LimitedStream {
    async fn next(&mut self) -> Option<Result<ChatEvent>> {
        let event = self.stream.next().await;
        if !matches!(&event, Some(Ok(event)) if *event != ChatEvent::Done) {
            self.permit = None;
        }
        event
    }
}
