//! A chat model that says what it was told to, over real HTTP.

use serde_json::{Value, json};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;

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

/// A request as it came over the wire.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordedRequest {
    /// `POST`.
    pub method: String,
    /// `/v1/chat/completions`.
    pub path: String,
    /// Names in lower case, in order.
    pub headers: Vec<(String, String)>,
    /// The body; `null` when there was none.
    pub body: Value,
}

impl RecordedRequest {
    /// The value of a header, its name in lower case.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(other, _)| other == name)
            .map(|(_, value)| value.as_str())
    }

    /// All message texts joined by blank lines: the prompt as sent.
    #[must_use]
    pub fn prompt(&self) -> String {
        let messages = self.body["messages"].as_array().map(Vec::as_slice).unwrap_or_default();
        let texts: Vec<&str> = messages
            .iter()
            .filter_map(|message| message["content"].as_str())
            .collect();
        texts.join("\n\n")
    }
}

/// How the answer to a chat request ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// All was sent.
    Complete,
    /// The server cut it, as scripted.
    Cut,
    /// The client closed the connection before the end.
    ClientGone,
}

type Responder = dyn Fn(&RecordedRequest, usize) -> ScriptedReply + Send + Sync;

#[derive(Default)]
struct Log {
    requests: Vec<RecordedRequest>,
    endings: Vec<Ending>,
}

struct Shared {
    responder: Box<Responder>,
    models: Vec<String>,
    log: Mutex<Log>,
}

impl Shared {
    fn log(&self) -> MutexGuard<'_, Log> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A server on a free loopback port that speaks the OpenAI chat-completions protocol. It has a thread of its own, so
/// it serves synchronous tests and other processes too, and stops when dropped.
pub struct ScriptedModel {
    address: SocketAddr,
    shared: Arc<Shared>,
    stop: CancellationToken,
    thread: Option<JoinHandle<()>>,
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
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free loopback port");
        let address = listener.local_addr().expect("the listener has an address");
        listener
            .set_nonblocking(true)
            .expect("the listener can be made non-blocking");
        let shared = Arc::new(Shared {
            responder: Box::new(responder),
            models: vec!["scripted".into(), "other".into()],
            log: Mutex::default(),
        });
        let stop = CancellationToken::new();
        let (server, token) = (shared.clone(), stop.clone());
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .expect("a runtime can be built");
            runtime.block_on(async move {
                let listener = TcpListener::from_std(listener).expect("the listener can be used by tokio");
                tokio::select! {
                    () = token.cancelled() => {}
                    () = accept(listener, server) => {}
                }
            });
        });
        Self {
            address,
            shared,
            stop,
            thread: Some(thread),
        }
    }

    /// What stands before `/chat/completions`.
    #[must_use]
    pub fn base_url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// The chat requests so far, in order of arrival.
    #[must_use]
    pub fn requests(&self) -> Vec<RecordedRequest> {
        self.shared.log().requests.clone()
    }

    /// How the answers so far ended, in order of their end.
    #[must_use]
    pub fn endings(&self) -> Vec<Ending> {
        self.shared.log().endings.clone()
    }

    /// Waits until `count` answers have ended or the time is up; returns the endings.
    pub async fn wait_for_endings(&self, count: usize, at_most: Duration) -> Vec<Ending> {
        let deadline = Instant::now() + at_most;
        loop {
            let endings = self.endings();
            if endings.len() >= count || Instant::now() >= deadline {
                return endings;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
}

impl Drop for ScriptedModel {
    fn drop(&mut self) {
        self.stop.cancel();
        if let Some(thread) = self.thread.take() {
            // A server that panicked has failed its test already.
            let _ = thread.join();
        }
    }
}

async fn accept(listener: TcpListener, shared: Arc<Shared>) {
    while let Ok((stream, _)) = listener.accept().await {
        tokio::spawn(serve(stream, shared.clone()));
    }
}

/// Serves one request; connections are not kept alive.
async fn serve(stream: TcpStream, shared: Arc<Shared>) {
    // Without this, bytes sent one by one would be gathered again.
    let _ = stream.set_nodelay(true);
    let (reader, mut writer) = stream.into_split();
    let mut reader = BufReader::new(reader);
    let Some(request) = read_request(&mut reader).await else {
        return;
    };
    if request.method == "GET" {
        let models: Vec<Value> = shared
            .models
            .iter()
            .map(|id| json!({"id": id, "object": "model"}))
            .collect();
        let (status, body) = if request.path.ends_with("/models") {
            (200, json!({"object": "list", "data": models}))
        } else {
            (404, json!({"error": {"message": "no such path"}}))
        };
        let _ = send_plain(&mut writer, status, &[], &body.to_string()).await;
        return;
    }
    let index = {
        let mut log = shared.log();
        log.requests.push(request.clone());
        log.requests.len() - 1
    };
    let reply = (shared.responder)(&request, index);
    let ending = send_reply(&mut reader, &mut writer, &request, &reply).await;
    // Logged before the connection closes, so that a test that has seen the end finds it here.
    shared.log().endings.push(ending);
    let _ = writer.shutdown().await;
}

async fn read_request(reader: &mut BufReader<OwnedReadHalf>) -> Option<RecordedRequest> {
    let mut line = String::new();
    reader.read_line(&mut line).await.ok()?;
    let mut parts = line.split_whitespace();
    let (method, path) = (parts.next()?.to_owned(), parts.next()?.to_owned());
    let mut headers = Vec::new();
    loop {
        line.clear();
        reader.read_line(&mut line).await.ok()?;
        let Some((name, value)) = line.trim_end().split_once(':') else {
            break;
        };
        headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
    let mut request = RecordedRequest {
        method,
        path,
        headers,
        body: Value::Null,
    };
    let length = request.header("content-length").and_then(|length| length.parse().ok());
    if let Some(length) = length {
        let mut body = vec![0; length];
        reader.read_exact(&mut body).await.ok()?;
        request.body = serde_json::from_slice(&body).unwrap_or(Value::Null);
    }
    Some(request)
}

async fn send_plain(
    writer: &mut OwnedWriteHalf,
    status: u16,
    headers: &[(String, String)],
    body: &str,
) -> std::io::Result<()> {
    let mut head = format!(
        "HTTP/1.1 {status} Scripted\r\ncontent-length: {}\r\nconnection: close\r\n",
        body.len()
    );
    if headers.iter().all(|(name, _)| name != "content-type") {
        head += "content-type: application/json\r\n";
    }
    for (name, value) in headers {
        head += &format!("{name}: {value}\r\n");
    }
    writer.write_all(format!("{head}\r\n{body}").as_bytes()).await
}

async fn send_reply(
    reader: &mut BufReader<OwnedReadHalf>,
    writer: &mut OwnedWriteHalf,
    request: &RecordedRequest,
    reply: &ScriptedReply,
) -> Ending {
    if client_left_within(reader, reply.first_delay).await {
        return Ending::ClientGone;
    }
    if let Some(body) = &reply.body {
        return match send_plain(writer, reply.status, &reply.headers, body).await {
            Ok(()) => Ending::Complete,
            Err(_) => Ending::ClientGone,
        };
    }
    let stream = request.body["stream"] == json!(true);
    let kind = if stream {
        "text/event-stream"
    } else {
        "application/json"
    };
    let framing = if reply.close_delimited {
        ""
    } else {
        "transfer-encoding: chunked\r\n"
    };
    let mut head = format!(
        "HTTP/1.1 {} Scripted\r\ncontent-type: {kind}\r\n{framing}connection: close\r\n",
        reply.status
    );
    for (name, value) in &reply.headers {
        head += &format!("{name}: {value}\r\n");
    }
    if writer.write_all(format!("{head}\r\n").as_bytes()).await.is_err() {
        return Ending::ClientGone;
    }
    let mut left = reply.cut_after.unwrap_or(usize::MAX);
    for (index, event) in reply.events(&request.body["model"], stream).iter().enumerate() {
        let delay = if index == 0 { Duration::ZERO } else { reply.delay };
        if client_left_within(reader, delay).await {
            return Ending::ClientGone;
        }
        let bytes = &event.as_bytes()[..event.len().min(left)];
        let pieces: Vec<&[u8]> = match reply.split {
            Split::EveryByte => bytes.chunks(1).collect(),
            Split::Whole | Split::At(_) => vec![bytes],
        };
        for piece in pieces.into_iter().filter(|piece| !piece.is_empty()) {
            let framed = if reply.close_delimited {
                piece.to_vec()
            } else {
                [format!("{:x}\r\n", piece.len()).as_bytes(), piece, b"\r\n"].concat()
            };
            if writer.write_all(&framed).await.is_err() {
                return Ending::ClientGone;
            }
        }
        left -= bytes.len();
        if left == 0 || bytes.len() < event.len() {
            return Ending::Cut;
        }
    }
    if !reply.close_delimited && writer.write_all(b"0\r\n\r\n").await.is_err() {
        return Ending::ClientGone;
    }
    Ending::Complete
}

/// Waits, and says whether the client closed the connection meanwhile.
async fn client_left_within(reader: &mut BufReader<OwnedReadHalf>, delay: Duration) -> bool {
    if delay.is_zero() {
        return false;
    }
    let mut byte = [0];
    tokio::select! {
        () = tokio::time::sleep(delay) => false,
        read = reader.read(&mut byte) => !matches!(read, Ok(count) if count > 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Write};

    /// A client without any HTTP library, so that what is on the wire is what is tested.
    fn post(server: &ScriptedModel, body: &Value) -> String {
        let mut stream = std::net::TcpStream::connect(server.address).expect("connects");
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
