//! Reading `choices`.

use crate::chat::reply::{Decoder, Fault, Reply};
use recto_core::{ToolCall, Truncated};
use serde_json::Value;

/// Reads the first choice; calls are gathered until the reply is over.
#[derive(Debug, Default)]
pub(super) struct Choices {
    calls: Vec<Call>,
}

#[derive(Debug, Default)]
struct Call {
    index: Option<u64>,
    id: String,
    name: String,
    arguments: String,
}

impl Choices {
    /// Takes a piece of a call. Arguments come in any number of pieces; what belongs together has the same `index`,
    /// but some servers count none, or give each call the index 0 with an id of its own.
    fn gather(&mut self, piece: &Value) {
        let index = piece["index"].as_u64();
        let id = piece["id"].as_str().unwrap_or_default();
        let name = piece["function"]["name"].as_str().unwrap_or_default();
        let known = match index {
            Some(_) => self.calls.iter().rposition(|call| call.index == index),
            None => self.calls.len().checked_sub(1),
        };
        let place = known.filter(|&place| {
            let call = &self.calls[place];
            id.is_empty() || call.id.is_empty() || call.id == id
        });
        // Without index and id, a new name begins a new call.
        let begins = index.is_none() && id.is_empty() && !name.is_empty();
        let call = match place {
            Some(place) if !begins => &mut self.calls[place],
            _ => {
                self.calls.push(Call {
                    index,
                    ..Call::default()
                });
                let last = self.calls.len() - 1;
                &mut self.calls[last]
            }
        };
        if !id.is_empty() {
            id.clone_into(&mut call.id);
        }
        if call.name.is_empty() {
            name.clone_into(&mut call.name);
        }
        match &piece["function"]["arguments"] {
            Value::String(part) => call.arguments.push_str(part),
            Value::Null => {}
            // Some servers send the object itself.
            whole => call.arguments = whole.to_string(),
        }
    }
}

impl Decoder for Choices {
    fn take(&mut self, body: &Value, reply: &mut Reply) -> Result<(), Fault> {
        let choice = &body["choices"][0];
        // A reply in one piece has `message`.
        let delta = if choice["delta"].is_object() {
            &choice["delta"]
        } else {
            &choice["message"]
        };
        // `reasoning_content` and `reasoning` are left out. A refusal is what the model says instead of an answer.
        for field in ["content", "refusal"] {
            if let Some(text) = delta[field].as_str() {
                reply.text(text);
            }
        }
        for piece in delta["tool_calls"].as_array().into_iter().flatten() {
            self.gather(piece);
        }
        if body["usage"].is_object() {
            // Some servers count along in every event; the last is the sum.
            let tokens = |name: &str| body["usage"][name].as_u64();
            reply.count(tokens("prompt_tokens"), tokens("completion_tokens"));
        }
        if let Some(reason) = choice["finish_reason"].as_str() {
            reply.finish();
            match reason {
                "length" => reply.lose(Truncated::Reply),
                "content_filter" => return Err(Fault::Stopped("its content filter found something in it")),
                "error" => return Err(Fault::Said(Value::Null)),
                _ => {}
            }
        }
        Ok(())
    }

    fn end(&mut self, reply: &mut Reply) {
        for (index, call) in std::mem::take(&mut self.calls).into_iter().enumerate() {
            let (id, arguments) = (call.id, call.arguments);
            reply.call(ToolCall {
                id: if id.is_empty() { format!("call_{index}") } else { id },
                name: call.name,
                arguments: if arguments.is_empty() {
                    "{}".to_owned()
                } else {
                    arguments
                },
            });
        }
    }
}
