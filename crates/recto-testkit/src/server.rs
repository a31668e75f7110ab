//! An HTTP server that answers as it is told to, byte for byte.

use serde_json::Value;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;

/// A request as it came over the wire.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordedRequest {
    /// `POST`.
    pub method: String,
    /// `/v1/chat/completions`, with the query if there is one.
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

/// How the answer to a request ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// All was sent.
    Complete,
    /// The server cut it, as scripted.
    Cut,
    /// The client closed the connection before the end.
    ClientGone,
}

/// How a client can tell where the body ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Framing {
    Length,
    Chunked,
    Close,
}

/// What the server answers to one request.
#[derive(Debug, Clone)]
pub struct ScriptedResponse {
    status: u16,
    headers: Vec<(String, String)>,
    pieces: Vec<Vec<u8>>,
    framing: Framing,
    is_byte_by_byte: bool,
    first_delay: Duration,
    delay: Duration,
    cut_after: Option<usize>,
}

impl ScriptedResponse {
    /// A body of known length that is sent as it is.
    #[must_use]
    pub fn raw(status: u16, body: &str) -> Self {
        Self {
            status,
            headers: Vec::new(),
            pieces: vec![body.as_bytes().to_vec()],
            framing: Framing::Length,
            is_byte_by_byte: false,
            first_delay: Duration::ZERO,
            delay: Duration::ZERO,
            cut_after: None,
        }
    }

    /// A JSON body.
    #[must_use]
    pub fn json(status: u16, body: &Value) -> Self {
        Self::raw(status, &body.to_string())
    }

    /// Success with a body in pieces, each a chunk of its own, of this media type.
    #[must_use]
    pub fn stream(media_type: &str, pieces: impl IntoIterator<Item = impl Into<Vec<u8>>>) -> Self {
        Self {
            pieces: pieces.into_iter().map(Into::into).collect(),
            framing: Framing::Chunked,
            ..Self::raw(200, "")
        }
        .header("content-type", media_type)
    }

    /// Another status.
    #[must_use]
    pub fn status(mut self, status: u16) -> Self {
        self.status = status;
        self
    }

    /// Adds a response header; the name in lower case.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    /// Sends every byte of the body on its own.
    #[must_use]
    pub fn every_byte(mut self) -> Self {
        self.is_byte_by_byte = true;
        self
    }

    /// Joins the pieces of the body and cuts them at this byte instead.
    #[must_use]
    pub fn split_at(mut self, offset: usize) -> Self {
        let body = self.pieces.concat();
        let (head, tail) = body.split_at(offset.min(body.len()));
        self.pieces = vec![head.to_vec(), tail.to_vec()];
        self
    }

    /// The body in one.
    #[must_use]
    pub fn body(&self) -> Vec<u8> {
        self.pieces.concat()
    }

    /// Bytes of the body.
    #[must_use]
    pub fn body_len(&self) -> usize {
        self.pieces.iter().map(Vec::len).sum()
    }

    /// Waits before the status line.
    #[must_use]
    pub fn first_delay(mut self, delay: Duration) -> Self {
        self.first_delay = delay;
        self
    }

    /// Waits before each piece but the first.
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
        self.framing = Framing::Close;
        self
    }

    fn head(&self) -> String {
        let mut head = format!("HTTP/1.1 {} Scripted\r\nconnection: close\r\n", self.status);
        match self.framing {
            Framing::Length => head += &format!("content-length: {}\r\n", self.body_len()),
            Framing::Chunked => head += "transfer-encoding: chunked\r\n",
            Framing::Close => {}
        }
        if self.headers.iter().all(|(name, _)| name != "content-type") {
            head += "content-type: application/json\r\n";
        }
        for (name, value) in &self.headers {
            head += &format!("{name}: {value}\r\n");
        }
        head + "\r\n"
    }
}

type Responder = dyn Fn(&RecordedRequest, usize) -> ScriptedResponse + Send + Sync;

#[derive(Default)]
struct Log {
    requests: Vec<RecordedRequest>,
    /// With the numbers of the requests.
    endings: Vec<(usize, Ending)>,
}

struct Shared {
    responder: Box<Responder>,
    log: Mutex<Log>,
}

impl Shared {
    fn log(&self) -> MutexGuard<'_, Log> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A server on a free loopback port. It has a thread of its own, so it serves synchronous tests and other processes
/// too, and stops when dropped. Connections are not kept alive.
pub struct ScriptedServer {
    address: SocketAddr,
    shared: Arc<Shared>,
    stop: CancellationToken,
    thread: Option<JoinHandle<()>>,
}

impl ScriptedServer {
    /// Answers the n-th request with the n-th response, and with status 500 when the script is at its end.
    #[must_use]
    pub fn replying(responses: Vec<ScriptedResponse>) -> Self {
        Self::responding(move |_, index| {
            responses
                .get(index)
                .cloned()
                .unwrap_or_else(|| ScriptedResponse::raw(500, r#"{"error":"the script is at its end"}"#))
        })
    }

    /// Answers each request with what `responder` makes of it and its 0-based number.
    ///
    /// # Panics
    /// When no loopback port can be had.
    #[must_use]
    pub fn responding(responder: impl Fn(&RecordedRequest, usize) -> ScriptedResponse + Send + Sync + 'static) -> Self {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free loopback port");
        let address = listener.local_addr().expect("the listener has an address");
        listener
            .set_nonblocking(true)
            .expect("the listener can be made non-blocking");
        let shared = Arc::new(Shared {
            responder: Box::new(responder),
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

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// `http://127.0.0.1:4711`, without a path.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The requests so far, in order of arrival.
    #[must_use]
    pub fn requests(&self) -> Vec<RecordedRequest> {
        self.shared.log().requests.clone()
    }

    /// How the answers so far to requests that `concerns` accepts ended, in order of their end.
    #[must_use]
    pub fn endings_of(&self, concerns: impl Fn(&RecordedRequest) -> bool) -> Vec<Ending> {
        let log = self.shared.log();
        log.endings
            .iter()
            .filter(|(index, _)| concerns(&log.requests[*index]))
            .map(|(_, ending)| *ending)
            .collect()
    }

    /// Waits until `count` such answers have ended or the time is up; returns the endings.
    pub async fn wait_for_endings(
        &self,
        concerns: impl Fn(&RecordedRequest) -> bool,
        count: usize,
        at_most: Duration,
    ) -> Vec<Ending> {
        let deadline = Instant::now() + at_most;
        loop {
            let endings = self.endings_of(&concerns);
            if endings.len() >= count || Instant::now() >= deadline {
                return endings;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
}

impl Drop for ScriptedServer {
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

/// Serves one request.
async fn serve(stream: TcpStream, shared: Arc<Shared>) {
    // Without this, bytes sent one by one would be gathered again.
    let _ = stream.set_nodelay(true);
    let (reader, mut writer) = stream.into_split();
    let mut reader = BufReader::new(reader);
    let Some(request) = read_request(&mut reader).await else {
        return;
    };
    let index = {
        let mut log = shared.log();
        log.requests.push(request.clone());
        log.requests.len() - 1
    };
    let response = (shared.responder)(&request, index);
    let ending = send(&mut reader, &mut writer, &response).await;
    // Logged before the connection closes, so that a test that has seen the end finds it here.
    shared.log().endings.push((index, ending));
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

async fn send(
    reader: &mut BufReader<OwnedReadHalf>,
    writer: &mut OwnedWriteHalf,
    response: &ScriptedResponse,
) -> Ending {
    if client_left_within(reader, response.first_delay).await {
        return Ending::ClientGone;
    }
    if writer.write_all(response.head().as_bytes()).await.is_err() {
        return Ending::ClientGone;
    }
    let mut left = response.cut_after.unwrap_or(usize::MAX);
    for (index, piece) in response.pieces.iter().enumerate() {
        let delay = if index == 0 { Duration::ZERO } else { response.delay };
        if client_left_within(reader, delay).await {
            return Ending::ClientGone;
        }
        let bytes = &piece[..piece.len().min(left)];
        let step = if response.is_byte_by_byte {
            1
        } else {
            bytes.len().max(1)
        };
        for part in bytes.chunks(step) {
            let framed = if response.framing == Framing::Chunked {
                [format!("{:x}\r\n", part.len()).as_bytes(), part, b"\r\n"].concat()
            } else {
                part.to_vec()
            };
            if writer.write_all(&framed).await.is_err() {
                return Ending::ClientGone;
            }
        }
        left -= bytes.len();
        if left == 0 || bytes.len() < piece.len() {
            return Ending::Cut;
        }
    }
    if response.framing == Framing::Chunked && writer.write_all(b"0\r\n\r\n").await.is_err() {
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
    fn get(server: &ScriptedServer, path: &str) -> String {
        let mut stream = std::net::TcpStream::connect(server.address()).expect("connects");
        write!(stream, "GET {path} HTTP/1.1\r\nHost: x\r\nX-Note: yes\r\n\r\n").expect("writes");
        let mut response = Vec::new();
        stream.read_to_end(&mut response).expect("reads");
        String::from_utf8_lossy(&response).into_owned()
    }

    #[test]
    fn responses_come_in_order_and_requests_are_recorded() {
        let server = ScriptedServer::replying(vec![
            ScriptedResponse::stream("text/plain", ["ab", "cd"]).split_at(1),
            ScriptedResponse::raw(418, "tea").header("retry-after", "2"),
        ]);
        let first = get(&server, "/one?two=2");
        assert!(first.ends_with("\r\n\r\n1\r\na\r\n3\r\nbcd\r\n0\r\n\r\n"), "{first}");
        let second = get(&server, "/");
        assert!(
            second.starts_with("HTTP/1.1 418") && second.ends_with("retry-after: 2\r\n\r\ntea"),
            "{second}"
        );
        assert!(get(&server, "/").starts_with("HTTP/1.1 500"));
        assert_eq!(server.requests()[0].path, "/one?two=2");
        assert_eq!(server.requests()[0].header("x-note"), Some("yes"));
        assert_eq!(server.endings_of(|request| request.path == "/"), [Ending::Complete; 2]);
    }

    #[test]
    fn a_cut_ends_the_body_where_it_was_scripted() {
        let body = ScriptedResponse::stream("text/plain", ["abc", "def"])
            .cut_after(4)
            .close_delimited();
        let server = ScriptedServer::replying(vec![body.every_byte()]);
        assert!(get(&server, "/").ends_with("\r\n\r\nabcd"));
        assert_eq!(server.endings_of(|_| true), [Ending::Cut]);
    }
}
