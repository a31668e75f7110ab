//! How stored answers came about.

use crate::Engine;
use crate::ask::answer_in_characters;
use crate::blocking::blocking;
use crate::contract::{AnswerReplay, AnswerTrace, TracedCall, TracedDecision, TracedMessage, Usage};
use crate::spans::CharacterSpans;
use recto_core::{Answer, AnswerId, ChatEvent, ChatRole, Error, ErrorCode, ReplyFormat, Result, Trace};
use serde_json::Value;
use std::sync::Arc;

/// Answers named together where the beginning of an id fits several.
const NAMED: u32 = 5;

impl Engine {
    /// What models were asked and replied while an answer was made, and what followed from it. `answer_id` may be
    /// shortened to what no other answer begins with.
    ///
    /// # Errors
    /// `not_found` when there is no such answer, or nothing was kept of how it came about; `ambiguous`.
    pub async fn trace(&self, answer_id: &str) -> Result<AnswerTrace> {
        let id = self.find_answer(answer_id).await?;
        let (stored, trace) = self.answer_with_trace(id).await?;
        Ok(AnswerTrace {
            answer_id: id.to_string(),
            question: stored.question,
            strategy: stored.strategy.into(),
            calls: trace.calls.iter().map(call).collect(),
            decisions: trace
                .decisions
                .into_iter()
                .map(|decision| TracedDecision {
                    stage: decision.stage,
                    document_id: decision.document_id.map(|id| id.to_string()),
                    what: decision.what,
                })
                .collect(),
        })
    }

    /// Makes a stored answer again from what was kept of it, without asking a model, and compares the two byte for byte.
    /// Nothing is stored. `answer_id` may be shortened to what no other answer begins with.
    ///
    /// # Errors
    /// `not_found` when there is no such answer, or nothing was kept of how it came about; `ambiguous`;
    /// `collection_unavailable` and the like when its documents cannot be reached. An answer that comes out differently is
    /// an outcome.
    pub async fn replay(self: &Arc<Self>, answer_id: &str) -> Result<AnswerReplay> {
        let id = self.find_answer(answer_id).await?;
        let (stored, trace) = self.answer_with_trace(id).await?;
        let scope = self.open_scope(stored.scope.clone()).await?;
        let context = self.answer_context(&scope).await?;
        let mut again = recto_answer::replay(&context, &trace).await?;
        answer_in_characters(&mut again, &mut CharacterSpans::new(&scope.collections)).await?;
        Ok(AnswerReplay {
            answer_id: id.to_string(),
            differing: differing(&stored, &again)?,
            answer: again.into(),
        })
    }

    async fn answer_with_trace(&self, id: AnswerId) -> Result<(Answer, Trace)> {
        let (stored, trace) = self
            .on_library(move |library| Ok((library.answer(id)?, library.trace(id)?)))
            .await?;
        let (Some(stored), Some(trace)) = (stored, trace) else {
            return Err(Error::new(
                ErrorCode::NotFound,
                "Nothing was kept of how this answer came about. Answers made by earlier versions have no trace.",
            ));
        };
        Ok((stored.answer, trace))
    }

    /// The stored answer whose id is, or alone begins with, `text`.
    async fn find_answer(&self, text: &str) -> Result<AnswerId> {
        let prefix = text.trim().to_ascii_lowercase();
        let unknown = || Error::new(ErrorCode::NotFound, "There is no answer with this id.");
        let library = self.library().ok_or_else(unknown)?;
        if prefix.is_empty() {
            return Err(unknown());
        }
        let found = blocking(move || Ok(library.answer_ids(&prefix, NAMED)?)).await?;
        match found.as_slice() {
            [] => Err(unknown()),
            [only] => Ok(*only),
            several => {
                let ids: Vec<String> = several.iter().map(ToString::to_string).collect();
                Err(Error::new(
                    ErrorCode::Ambiguous,
                    format!("Several answers begin like this: {}.", ids.join(", ")),
                ))
            }
        }
    }

    /// Keeps how an answer came about. An answer is not lost because this could not be kept.
    pub(crate) async fn store_trace(&self, id: AnswerId, trace: Trace) {
        let Some(library) = self.library() else { return };
        let library = Arc::clone(&library);
        if let Err(error) = blocking(move || Ok(library.store_trace(id, &trace)?)).await {
            tracing::error!(%error, "how an answer came about could not be stored");
        }
    }
}

/// The names of the fields in which two answers differ as they are stored.
fn differing(one: &Answer, other: &Answer) -> Result<Vec<String>> {
    let fields = |answer: &Answer| match serde_json::to_value(answer) {
        Ok(Value::Object(fields)) => Ok(fields),
        _ => Err(Error::internal("An answer could not be written as JSON.")),
    };
    let (one, other) = (fields(one)?, fields(other)?);
    // Compared as text, which is what "byte for byte" means.
    let text = |value: Option<&Value>| value.map(ToString::to_string);
    Ok(one
        .keys()
        .filter(|name| text(one.get(*name)) != text(other.get(*name)))
        .cloned()
        .collect())
}

fn call(call: &recto_core::TracedCall) -> TracedCall {
    let usage = call.events.iter().find_map(|event| match event {
        ChatEvent::Usage(usage) => Some(*usage),
        _ => None,
    });
    let usage = usage.unwrap_or_default();
    TracedCall {
        stage: call.stage.clone(),
        model: call.model.clone(),
        document_id: call.document_id.map(|id| id.to_string()),
        messages: call
            .request
            .messages
            .iter()
            .map(|message| TracedMessage {
                role: role(message.role).to_owned(),
                content: with_tools(message),
            })
            .collect(),
        schema: match &call.request.format {
            ReplyFormat::Text => None,
            ReplyFormat::Schema { schema, .. } => Some(schema.to_string()),
        },
        tools: call.request.tools.iter().map(|tool| tool.name.clone()).collect(),
        reply: call.reply(),
        tool_calls: call
            .events
            .iter()
            .filter_map(|event| match event {
                ChatEvent::ToolCall(tool) => Some(format!("{}({})", tool.name, tool.arguments)),
                _ => None,
            })
            .collect(),
        usage: Usage {
            input_tokens: usage.input_tokens,
            output_tokens: usage.output_tokens,
            calls: 1,
        },
        error: call.error.clone().map(Into::into),
        complete: call.events.last() == Some(&ChatEvent::Done),
    }
}

/// The text of a message with the tools asked for in it.
fn with_tools(message: &recto_core::ChatMessage) -> String {
    let tools = message
        .tool_calls
        .iter()
        .map(|tool| format!("{}({})", tool.name, tool.arguments));
    let parts = std::iter::once(message.content.clone())
        .filter(|text| !text.is_empty())
        .chain(tools);
    parts.collect::<Vec<_>>().join("\n")
}

fn role(role: ChatRole) -> &'static str {
    match role {
        ChatRole::System => "system",
        ChatRole::User => "user",
        ChatRole::Assistant => "assistant",
        ChatRole::Tool => "tool",
    }
}
