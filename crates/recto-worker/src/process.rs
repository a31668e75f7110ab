//! One worker process.

use crate::options::WorkerPoolOptions;
use crate::protocol::{self, Assembler, MAX_FRAME_BYTES, Reply, Request};
use crate::server::MEMORY_LIMIT_ARGUMENT;
use bytes::Bytes;
use futures::{SinkExt, StreamExt};
use recto_core::{Error, ErrorCode, Result};
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::io::AsyncReadExt;
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};
use tokio::task::JoinHandle;
use tokio_util::codec::{FramedRead, FramedWrite, LengthDelimitedCodec};

/// How much of what a worker wrote last to standard error is kept.
const STDERR_TAIL: usize = 2048;

/// Long enough for the system to take down a killed process.
const REAP: Duration = Duration::from_secs(1);

/// Why an exchange with a worker ended without its closing reply.
#[derive(Debug)]
pub(crate) enum Stop {
    /// The caller cancelled.
    Cancelled,
    /// The deadline passed.
    TimedOut,
    /// It took more memory than it may.
    OutOfMemory,
    /// It ended, or said something that is no reply; the text is for the log.
    Died(String),
}

/// A running worker. Dropping it kills the process.
#[derive(Debug)]
pub(crate) struct Worker {
    child: Child,
    process_id: u32,
    requests: FramedWrite<ChildStdin, LengthDelimitedCodec>,
    replies: FramedRead<ChildStdout, LengthDelimitedCodec>,
    assembler: Assembler,
    stderr: Arc<Mutex<Vec<u8>>>,
    drain: JoinHandle<()>,
    /// Resident bytes at the last look.
    pub(crate) resident: u64,
    /// Requests handled.
    pub(crate) handled: u32,
}

impl Worker {
    pub(crate) fn spawn(options: &WorkerPoolOptions) -> Result<Self> {
        let limit = options.memory_ceiling.saturating_add(options.address_space_margin);
        let mut child = Command::new(&options.program)
            .arg(MEMORY_LIMIT_ARGUMENT)
            .arg(limit.to_string())
            .envs(options.environment.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .map_err(|error| {
                Error::new(
                    ErrorCode::AssetMissing,
                    format!("The program {} cannot be started: {error}.", options.program.display()),
                )
            })?;
        let taken = (child.id(), child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(process_id), Some(stdin), Some(stdout), Some(stderr)) = taken else {
            return Err(Error::internal("A worker process was started without its pipes."));
        };
        let codec = || {
            LengthDelimitedCodec::builder()
                .max_frame_length(MAX_FRAME_BYTES)
                .new_codec()
        };
        let tail = Arc::default();
        tracing::debug!(process_id, "worker started");
        Ok(Self {
            child,
            process_id,
            requests: FramedWrite::new(stdin, codec()),
            replies: FramedRead::new(stdout, codec()),
            assembler: Assembler::default(),
            drain: tokio::spawn(drain(stderr, process_id, Arc::clone(&tail))),
            stderr: tail,
            resident: 0,
            handled: 0,
        })
    }

    /// Whether the process still runs, as far as the system has told.
    pub(crate) fn is_alive(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// Sends a request. A broken pipe is not reported here: the reason shows when the reply is read.
    pub(crate) async fn send(&mut self, request: &Request) -> Result<()> {
        for payload in protocol::encode(request)? {
            if let Err(error) = self.requests.feed(Bytes::from(payload)).await {
                tracing::debug!(self.process_id, %error, "request not taken by worker");
                return Ok(());
            }
        }
        if let Err(error) = SinkExt::<Bytes>::flush(&mut self.requests).await {
            tracing::debug!(self.process_id, %error, "request not taken by worker");
        }
        Ok(())
    }

    /// The next reply. Dropping the future loses nothing.
    pub(crate) async fn receive(&mut self) -> Result<Reply, Stop> {
        loop {
            match self.replies.next().await {
                Some(Ok(payload)) => match self.assembler.push(&payload) {
                    Ok(Some(reply)) => return Ok(reply),
                    Ok(None) => {}
                    Err(error) => return Err(Stop::Died(error.message)),
                },
                Some(Err(error)) => return Err(Stop::Died(format!("its replies cannot be read: {error}"))),
                None => return Err(Stop::Died("it closed the connection".into())),
            }
        }
    }

    /// Looks at the resident memory, where the system shows it.
    pub(crate) fn measure(&mut self) -> u64 {
        if let Some(resident) = resident_bytes(self.process_id) {
            self.resident = resident;
        }
        self.resident
    }

    /// Ends the process at once and waits until it is gone.
    pub(crate) async fn kill(mut self) {
        // It may have ended by itself already.
        let _ = self.child.start_kill();
        if tokio::time::timeout(REAP, self.child.wait()).await.is_err() {
            tracing::warn!(self.process_id, "a killed worker has not ended");
        }
    }

    /// Ends an idle process by closing its connection.
    pub(crate) async fn close(mut self) {
        drop(self.requests);
        if tokio::time::timeout(REAP, self.child.wait()).await.is_err() {
            let _ = self.child.start_kill();
            let _ = tokio::time::timeout(REAP, self.child.wait()).await;
        }
    }

    /// What a worker that died says of its end: out of memory, or the end itself.
    pub(crate) async fn post_mortem(mut self, died: String, ceiling: u64) -> Stop {
        let _ = self.child.start_kill();
        let status = match tokio::time::timeout(REAP, self.child.wait()).await {
            Ok(Ok(status)) => status.to_string(),
            _ => "no exit status".into(),
        };
        // Its last words may still be in the pipe.
        let _ = tokio::time::timeout(REAP, &mut self.drain).await;
        let tail = self.stderr.lock().unwrap_or_else(PoisonError::into_inner);
        let last_words = String::from_utf8_lossy(&tail).to_ascii_lowercase();
        let starved = ["memory allocation of", "out of memory", "bad_alloc"]
            .iter()
            .any(|sign| last_words.contains(sign));
        if starved || self.resident >= ceiling / 4 * 3 {
            return Stop::OutOfMemory;
        }
        Stop::Died(format!("{died} ({status})"))
    }
}

async fn drain(mut stderr: ChildStderr, process_id: u32, tail: Arc<Mutex<Vec<u8>>>) {
    let mut buffer = [0; 4096];
    while let Ok(count) = stderr.read(&mut buffer).await {
        if count == 0 {
            return;
        }
        let text = String::from_utf8_lossy(&buffer[..count]);
        tracing::debug!(process_id, "worker: {}", text.trim_end());
        let mut tail = tail.lock().unwrap_or_else(PoisonError::into_inner);
        tail.extend_from_slice(&buffer[..count]);
        let excess = tail.len().saturating_sub(STDERR_TAIL);
        tail.drain(..excess);
    }
}

/// Resident memory of a process; `None` where there is no `/proc`.
fn resident_bytes(process_id: u32) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/{process_id}/status")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kibibytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kibibytes << 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn the_memory_of_a_process_is_seen() {
        let resident = resident_bytes(std::process::id()).expect("this process has memory");
        assert!(resident > 100_000, "{resident}");
        assert_eq!(resident_bytes(0), None);
    }
}
