//! A chat model that says what it was told to, over real HTTP.

use crate::server::{Ending, RecordedRequest, ScriptedResponse, ScriptedServer};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// Where a reply's text is cut into deltas.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Split {
    /// One delta.
    #[default]
    Whole,
    /// A delta for each character, and each byte of the response is sent on its own: every possible split at once.
    EveryByte,
    /// Deltas end at these byte offsets of the text; an offset inside a character moves to its end.
    At(Vec<usize>),
}

/// What the server answers to one chat request.
#[derive(Debug, Clone)]
pub struct ScriptedReply {
    text: String,
    split: Split,
    status: u16,
    body: Option<String>,
    headers: Vec<(String, String)>,
    usage: Option<(u64, u64)>,
    first_delay: Duration,
    delay: Duration,
    cut_after: Option<usize>,
    close_delimited: bool,
    finish_reason: &'static str,
}

impl ScriptedReply {
    /// Streams this text in one delta, with usage 100 in and 10 out.
    #[must_use]
    pub fn text(text: &str) -> Self {
        Self {
            text: text.into(),
            split: Split::Whole,
            status: 200,
            body: None,
            headers: Vec::new(),
            usage: Some((100, 10)),
            first_delay: Duration::ZERO,
            delay: Duration::ZERO,
            cut_after: None,
            close_delimited: false,
            finish_reason: "stop",
        }
    }

    /// Refuses with a status and a JSON body.
    #[must_use]
    pub fn status(status: u16, body: &Value) -> Self {
        Self::raw(status, &body.to_string())
    }

    /// Answers with a status and a body that is sent as it is.
    #[must_use]
    pub fn raw(status: u16, body: &str) -> Self {
        Self {
            status,
            body: Some(body.into()),
            ..Self::text("")
        }
    }

    /// Cuts the text into deltas.
    #[must_use]
    pub fn split(mut self, split: Split) -> Self {
        self.split = split;
        self
    }

    /// Adds a response header; the name in lower case.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    /// What the reply says it cost: tokens in and out, or nothing.
    #[must_use]
    pub fn usage(mut self, usage: Option<(u64, u64)>) -> Self {
        self.usage = usage;
        self
    }

    /// Waits before the status line.
    #[must_use]
    pub fn first_delay(mut self, delay: Duration) -> Self {
        self.first_delay = delay;
        self
    }

    /// Waits before each delta but the first.
    #[must_use]
    pub fn delay(mut self, delay: Duration) -> Self {
        self.delay = delay;
        self
    }

    /// Closes the connection after this many bytes of the body.
    #[must_use]
    pub fn cut_after(mut self, bytes: usize) -> Self {
        self.cut_after = Some(bytes);
        self
    }

    /// Sends the body without chunks or length, so that a cut looks like a proper end to HTTP.
    #[must_use]
    pub fn close_delimited(mut self) -> Self {
        self.close_delimited = true;
        self
    }

    /// Why the model stopped: `stop` unless said otherwise, `length` when it ran out of tokens.
    #[must_use]
    pub fn finish_reason(mut self, reason: &'static str) -> Self {
        self.finish_reason = reason;
        self
    }

    /// The reply on the wire, to a request with this body.
    fn response(&self, request: &Value) -> ScriptedResponse {
        let is_stream = request["stream"] == json!(true);
        let mut response = match &self.body {
            Some(body) => ScriptedResponse::raw(self.status, body),
            None => {
                let kind = if is_stream {
                    "text/event-stream"
                } else {
                    "application/json"
                };
                let response = ScriptedResponse::stream(kind, self.events(&request["model"], is_stream))
                    .status(self.status)
                    .delay(self.delay);
                if self.split == Split::EveryByte {
                    response.every_byte()
                } else {
                    response
                }
            }
        }
        .first_delay(self.first_delay);
        if let (Some(bytes), None) = (self.cut_after, &self.body) {
            response = response.cut_after(bytes);
        }
        if self.close_delimited && self.body.is_none() {
            response = response.close_delimited();
        }
        self.headers
            .iter()
            .fold(response, |response, (name, value)| response.header(name, value))
    }

    fn deltas(&self) -> Vec<String> {
        match &self.split {
            Split::Whole => vec![self.text.clone()],
            Split::EveryByte => self.text.chars().map(String::from).collect(),
            Split::At(offsets) => {
                let mut cuts: Vec<usize> = offsets
                    .iter()
                    .map(|&offset| {
                        (offset..self.text.len())
                            .find(|&at| self.text.is_char_boundary(at))
                            .unwrap_or(self.text.len())
                    })
                    .collect();
                cuts.push(self.text.len());
                cuts.sort_unstable();
                cuts.dedup();
                let mut begin = 0;
                let mut deltas = Vec::new();
                for cut in cuts {
                    deltas.push(self.text[begin..cut].to_owned());
                    begin = cut;
                }
                deltas
            }
        }
    }

    /// Server-sent events, or for a request without streaming the one object.
    fn events(&self, model: &Value, stream: bool) -> Vec<String> {
        let usage = self.usage.map(|(input, output)| {
            json!({"prompt_tokens": input, "completion_tokens": output, "total_tokens": input + output})
        });
        if !stream {
            return vec![
                json!({"id": "chat-1", "object": "chat.completion", "model": model, "usage": usage,
                    "choices": [{"index": 0, "finish_reason": self.finish_reason,
                        "message": {"role": "assistant", "content": self.text}}]})
                .to_string(),
            ];
        }
        let event = |choices: Value, usage: Value| {
            let data = json!({"id": "chat-1", "object": "chat.completion.chunk", "model": model,
                "choices": choices, "usage": usage});
            format!("data: {data}\n\n")
        };
        let choice = |delta: Value, reason: Value| json!([{"index": 0, "delta": delta, "finish_reason": reason}]);
        let mut events: Vec<String> = self
            .deltas()
            .into_iter()
            .map(|delta| event(choice(json!({"content": delta}), Value::Null), Value::Null))
            .collect();
        events.push(event(choice(json!({}), json!(self.finish_reason)), Value::Null));
        if let Some(usage) = usage {
            events.push(event(json!([]), usage));
        }
        events.push("data: [DONE]\n\n".into());
        events
    }
}

/// A server on a free loopback port that speaks the OpenAI chat-completions protocol.
pub struct ScriptedModel {
    server: ScriptedServer,
}

impl ScriptedModel {
    /// Answers the n-th chat request with the n-th reply, and with status 500 when the script is at its end.
    #[must_use]
    pub fn replying(replies: Vec<ScriptedReply>) -> Self {
        Self::responding(move |_, index| {
            replies.get(index).cloned().unwrap_or_else(|| {
                ScriptedReply::status(500, &json!({"error": {"message": "the script is at its end"}}))
            })
        })
    }

    /// Answers each chat request with what `responder` makes of it and its 0-based number.
    ///
    /// # Panics
    /// When no loopback port can be had.
    #[must_use]
    pub fn responding(responder: impl Fn(&RecordedRequest, usize) -> ScriptedReply + Send + Sync + 'static) -> Self {
        let asked = AtomicUsize::new(0);
        let server = ScriptedServer::responding(move |request, _| {
            if request.method == "GET" {
                return models(&request.path);
            }
            responder(request, asked.fetch_add(1, Ordering::SeqCst)).response(&request.body)
        });
        Self { server }
    }

    /// What stands before `/chat/completions`.
    #[must_use]
    pub fn base_url(&self) -> String {
        format!("{}/v1", self.server.url())
    }

    /// The chat requests so far, in order of arrival.
    #[must_use]
    pub fn requests(&self) -> Vec<RecordedRequest> {
        let mut requests = self.server.requests();
        requests.retain(is_chat);
        requests
    }

    /// How the answers so far ended, in order of their end.
    #[must_use]
    pub fn endings(&self) -> Vec<Ending> {
        self.server.endings_of(is_chat)
    }

    /// Waits until `count` answers have ended or the time is up; returns the endings.
    pub async fn wait_for_endings(&self, count: usize, at_most: Duration) -> Vec<Ending> {
        self.server.wait_for_endings(is_chat, count, at_most).await
    }
}

fn is_chat(request: &RecordedRequest) -> bool {
    request.method != "GET"
}

fn models(path: &str) -> ScriptedResponse {
    if path.ends_with("/models") {
        let models = ["scripted", "other"].map(|id| json!({"id": id, "object": "model"}));
        ScriptedResponse::json(200, &json!({"object": "list", "data": models}))
    } else {
        ScriptedResponse::json(404, &json!({"error": {"message": "no such path"}}))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Write};

    /// A client without any HTTP library, so that what is on the wire is what is tested.
    fn post(server: &ScriptedModel, body: &Value) -> String {
        let mut stream = std::net::TcpStream::connect(server.server.address()).expect("connects");
        let body = body.to_string();
        write!(
            stream,
            "POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        )
        .expect("writes");
        // A character may be torn apart by chunks.
        let mut response = Vec::new();
        stream.read_to_end(&mut response).expect("reads");
        String::from_utf8_lossy(&response).into_owned()
    }

    fn asked() -> Value {
        json!({"model": "scripted", "stream": true, "messages": [{"role": "user", "content": "Why?"}]})
    }

    #[test]
    fn a_script_is_played_in_order_and_requests_are_recorded() {
        let server = ScriptedModel::replying(vec![
            ScriptedReply::text("Yes [3].")
                .split(Split::At(vec![5]))
                .close_delimited(),
            ScriptedReply::status(429, &json!({"error": {"message": "slow down"}})).header("retry-after", "2"),
        ]);
        let first = post(&server, &asked());
        assert!(first.starts_with("HTTP/1.1 200"));
        assert!(first.contains(r#""content":"Yes [""#) && first.contains(r#""content":"3].""#));
        assert!(first.ends_with("data: [DONE]\n\n"));
        let second = post(&server, &asked());
        assert!(second.starts_with("HTTP/1.1 429") && second.contains("retry-after: 2"));
        assert!(post(&server, &asked()).starts_with("HTTP/1.1 500"));
        assert_eq!(server.requests()[0].prompt(), "Why?");
        assert_eq!(server.endings(), [Ending::Complete; 3]);
    }

    #[test]
    fn every_byte_travels_alone() {
        let server = ScriptedModel::replying(vec![ScriptedReply::text("é[1]").split(Split::EveryByte)]);
        let response = post(&server, &asked());
        let (_, body) = response.split_once("\r\n\r\n").expect("has a body");
        assert!(
            body.starts_with("1\r\nd\r\n1\r\na\r\n"),
            "each byte is a chunk: {body:.40}"
        );
    }

    #[test]
    fn a_cut_ends_the_body_where_it_was_scripted() {
        let server = ScriptedModel::replying(vec![ScriptedReply::text("Yes.").cut_after(7).close_delimited()]);
        let response = post(&server, &asked());
        assert!(response.ends_with("\r\n\r\ndata: {"), "{response}");
        assert_eq!(server.endings(), [Ending::Cut]);
    }
}
