//! One reply in the formats of several chat servers.

use crate::server::ScriptedResponse;
use serde_json::{Value, json};

/// What a model says, before it is written in a server's format.
#[derive(Debug, Clone, PartialEq)]
pub struct Said {
    /// Reasoning that is not part of the answer, before everything else.
    pub thoughts: Vec<String>,
    /// The text in pieces.
    pub pieces: Vec<String>,
    /// The tools asked for: id, name, arguments. Formats without ids leave them out.
    pub calls: Vec<(String, String, Value)>,
    /// Tokens in and out, or nothing.
    pub usage: Option<(u64, u64)>,
    /// Whether the reply ended because it had reached its limit of tokens.
    pub is_cut_short: bool,
}

impl Said {
    /// This text in two pieces, with usage 100 in and 10 out.
    #[must_use]
    pub fn text(text: &str) -> Self {
        let middle = (text.len() / 2..=text.len())
            .find(|&at| text.is_char_boundary(at))
            .unwrap_or(text.len());
        let pieces = [&text[..middle], &text[middle..]];
        Self {
            thoughts: Vec::new(),
            pieces: pieces
                .into_iter()
                .filter(|piece| !piece.is_empty())
                .map(str::to_owned)
                .collect(),
            calls: Vec::new(),
            usage: Some((100, 10)),
            is_cut_short: false,
        }
    }

    /// Asks for a tool as well.
    #[must_use]
    pub fn call(mut self, id: &str, name: &str, arguments: Value) -> Self {
        self.calls.push((id.into(), name.into(), arguments));
        self
    }

    /// Thinks first.
    #[must_use]
    pub fn thought(mut self, text: &str) -> Self {
        self.thoughts.push(text.into());
        self
    }

    /// Reports this usage.
    #[must_use]
    pub fn usage(mut self, usage: Option<(u64, u64)>) -> Self {
        self.usage = usage;
        self
    }

    /// Ends because the limit of tokens was reached.
    #[must_use]
    pub fn cut_short(mut self) -> Self {
        self.is_cut_short = true;
        self
    }

    /// Events of `POST /chat/completions`; arguments of tools come in pieces.
    #[must_use]
    pub fn openai(&self) -> ScriptedResponse {
        let choice = |delta: Value, reason: Value| {
            json!({"object": "chat.completion.chunk",
                "choices": [{"index": 0, "delta": delta, "finish_reason": reason}]})
        };
        let mut bodies = Vec::new();
        for thought in &self.thoughts {
            bodies.push(choice(json!({"reasoning_content": thought}), Value::Null));
        }
        for piece in &self.pieces {
            bodies.push(choice(json!({"content": piece}), Value::Null));
        }
        for (index, (id, name, arguments)) in self.calls.iter().enumerate() {
            let head = json!({"index": index, "id": id, "type": "function",
                "function": {"name": name, "arguments": ""}});
            bodies.push(choice(json!({"tool_calls": [head]}), Value::Null));
            for part in in_parts(&arguments.to_string()) {
                let delta = json!({"tool_calls": [{"index": index, "function": {"arguments": part}}]});
                bodies.push(choice(delta, Value::Null));
            }
        }
        let reason = match (self.is_cut_short, self.calls.is_empty()) {
            (true, _) => "length",
            (false, true) => "stop",
            (false, false) => "tool_calls",
        };
        bodies.push(choice(json!({}), json!(reason)));
        if let Some((input, output)) = self.usage {
            bodies.push(json!({"choices": [], "usage": {"prompt_tokens": input, "completion_tokens": output}}));
        }
        let events = bodies.iter().map(|body| format!("data: {body}\n\n"));
        ScriptedResponse::stream("text/event-stream", events.chain(["data: [DONE]\n\n".to_owned()]))
    }

    /// Lines of Ollama's `POST /api/chat`.
    #[must_use]
    pub fn ollama(&self) -> ScriptedResponse {
        let line = |message: Value| format!("{}\n", json!({"model": "scripted", "message": message, "done": false}));
        let mut lines = Vec::new();
        for thought in &self.thoughts {
            lines.push(line(json!({"role": "assistant", "content": "", "thinking": thought})));
        }
        for piece in &self.pieces {
            lines.push(line(json!({"role": "assistant", "content": piece})));
        }
        for (_, name, arguments) in &self.calls {
            let call = json!({"function": {"name": name, "arguments": arguments}});
            lines.push(line(json!({"role": "assistant", "content": "", "tool_calls": [call]})));
        }
        let mut last = json!({"model": "scripted", "message": {"role": "assistant", "content": ""}, "done": true,
            "done_reason": if self.is_cut_short { "length" } else { "stop" }});
        if let Some((input, output)) = self.usage {
            last["prompt_eval_count"] = json!(input);
            last["eval_count"] = json!(output);
        }
        lines.push(format!("{last}\n"));
        ScriptedResponse::stream("application/x-ndjson", lines)
    }

    /// Events of Anthropic's `POST /v1/messages`.
    #[must_use]
    pub fn anthropic(&self) -> ScriptedResponse {
        let (input, output) = self.usage.unwrap_or_default();
        let mut bodies = vec![
            json!({"type": "message_start", "message": {"type": "message", "role": "assistant",
            "content": [], "usage": {"input_tokens": input, "output_tokens": 1}}}),
        ];
        let mut index = 0;
        let mut block = |start: Value, deltas: Vec<Value>| {
            bodies.push(json!({"type": "content_block_start", "index": index, "content_block": start}));
            bodies.push(json!({"type": "ping"}));
            for delta in deltas {
                bodies.push(json!({"type": "content_block_delta", "index": index, "delta": delta}));
            }
            bodies.push(json!({"type": "content_block_stop", "index": index}));
            index += 1;
        };
        if !self.thoughts.is_empty() {
            let deltas = self.thoughts.iter();
            block(
                json!({"type": "thinking", "thinking": ""}),
                deltas
                    .map(|text| json!({"type": "thinking_delta", "thinking": text}))
                    .collect(),
            );
        }
        if !self.pieces.is_empty() {
            let deltas = self.pieces.iter();
            block(
                json!({"type": "text", "text": ""}),
                deltas.map(|text| json!({"type": "text_delta", "text": text})).collect(),
            );
        }
        for (id, name, arguments) in &self.calls {
            let deltas = in_parts(&arguments.to_string());
            block(
                json!({"type": "tool_use", "id": id, "name": name, "input": {}}),
                deltas
                    .into_iter()
                    .map(|part| json!({"type": "input_json_delta", "partial_json": part}))
                    .collect(),
            );
        }
        let reason = match (self.is_cut_short, self.calls.is_empty()) {
            (true, _) => "max_tokens",
            (false, true) => "end_turn",
            (false, false) => "tool_use",
        };
        bodies.push(json!({"type": "message_delta", "delta": {"stop_reason": reason},
            "usage": {"output_tokens": output}}));
        bodies.push(json!({"type": "message_stop"}));
        let events = bodies
            .iter()
            .map(|body| format!("event: {}\ndata: {body}\n\n", body["type"].as_str().unwrap_or_default()));
        ScriptedResponse::stream("text/event-stream", events)
    }

    /// Events of Gemini's `:streamGenerateContent?alt=sse`.
    #[must_use]
    pub fn gemini(&self) -> ScriptedResponse {
        let candidate =
            |part: Value| json!({"candidates": [{"content": {"role": "model", "parts": [part]}, "index": 0}]});
        let mut bodies = Vec::new();
        for thought in &self.thoughts {
            bodies.push(candidate(json!({"text": thought, "thought": true})));
        }
        for piece in &self.pieces {
            bodies.push(candidate(json!({"text": piece})));
        }
        for (_, name, arguments) in &self.calls {
            let part = json!({"functionCall": {"name": name, "args": arguments}, "thoughtSignature": "c2lnbg=="});
            bodies.push(candidate(part));
        }
        let mut last = json!({"candidates": [{"content": {"role": "model", "parts": [{"text": ""}]}, "index": 0,
            "finishReason": if self.is_cut_short { "MAX_TOKENS" } else { "STOP" }}]});
        if let Some((input, output)) = self.usage {
            last["usageMetadata"] = json!({"promptTokenCount": input, "candidatesTokenCount": output,
                "totalTokenCount": input + output});
        }
        bodies.push(last);
        let events = bodies.iter().map(|body| format!("data: {body}\r\n\r\n"));
        ScriptedResponse::stream("text/event-stream", events)
    }
}

/// Cuts a text every five characters.
fn in_parts(text: &str) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    characters.chunks(5).map(|part| part.iter().collect()).collect()
}
