//! What was asked of models while an answer was made, what they replied, and what was decided from it.

use crate::models::{ChatEvent, ChatRequest};
use crate::{DocumentId, Error};
use serde::{Deserialize, Serialize};

/// Everything needed to see how an answer came about, and to make it again without a model.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Trace {
    /// The question with its scope, limits and numbering, as the answering was given it.
    pub request: serde_json::Value,
    /// Calls in the order of the steps they belong to, those of one step by document.
    pub calls: Vec<TracedCall>,
    /// What followed from them, in the same order.
    pub decisions: Vec<Decision>,
    /// Milliseconds the answer took.
    pub elapsed_ms: u32,
}

/// One call of a chat model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TracedCall {
    /// The step it belongs to: `navigate`, `read`, `generate`.
    pub stage: String,
    /// The model's name.
    pub model: String,
    /// The document it is about, where it is about one.
    pub document_id: Option<DocumentId>,
    /// Exactly what was asked.
    pub request: ChatRequest,
    /// Exactly what came back, in the pieces it came in. Without a `done` at its end the call was cut or stopped.
    pub events: Vec<ChatEvent>,
    /// Why it failed, where it did.
    pub error: Option<Error>,
}

impl TracedCall {
    /// The text of the reply.
    #[must_use]
    pub fn reply(&self) -> String {
        self.events
            .iter()
            .filter_map(|event| match event {
                ChatEvent::Delta(text) => Some(text.as_str()),
                _ => None,
            })
            .collect()
    }
}

/// What followed from a step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decision {
    /// The step.
    pub stage: String,
    /// The document it is about, where it is about one.
    pub document_id: Option<DocumentId>,
    /// A sentence.
    pub what: String,
}
