//! The worker's end of the protocol.
//!
//! A parser library that prints to standard output must not be able to corrupt the protocol, and a worker whose
//! application has died must not go on burning a core. [`Connection::take_over`] sees to both.

use crate::protocol::{self, Reply, Request};
use rustix::fd::OwnedFd;
use rustix::process::{Resource, Rlimit, Signal};
use std::fs::File;
use std::io::{self, BufWriter};
use std::sync::mpsc::{self, Receiver};
use std::thread;

/// The argument that carries the memory ceiling in bytes: `--memory-limit 2147483648`.
pub const MEMORY_LIMIT_ARGUMENT: &str = "--memory-limit";

/// The connection to the application.
#[derive(Debug)]
pub struct Connection {
    requests: Receiver<Request>,
    replies: BufWriter<File>,
}

impl Connection {
    /// Moves the protocol from standard input and output to private descriptors, points standard output at standard
    /// error, and begins to listen. Call it first thing in `main`, before any thread is started.
    ///
    /// A thread reads the requests all the time, so the end of the application is noticed also while a page is being
    /// parsed; the process then kills itself at once.
    ///
    /// # Errors
    /// Those of the operating system when descriptors cannot be duplicated.
    pub fn take_over() -> io::Result<Self> {
        let requests = File::from(duplicate(rustix::stdio::stdin())?);
        let replies = File::from(duplicate(rustix::stdio::stdout())?);
        rustix::stdio::dup2_stdin(File::open("/dev/null")?)?;
        rustix::stdio::dup2_stdout(rustix::stdio::stderr())?;

        let (sender, receiver) = mpsc::channel();
        thread::Builder::new().name("requests".into()).spawn(move || {
            let mut reader = io::BufReader::new(requests);
            while let Ok(Some(request)) = protocol::read_message(&mut reader) {
                if sender.send(request).is_err() {
                    return;
                }
            }
            // Not `exit`: that would run the destructors of a library another thread is in the middle of.
            let _ = rustix::process::kill_process(rustix::process::getpid(), Signal::KILL);
        })?;
        Ok(Self {
            requests: receiver,
            replies: BufWriter::new(replies),
        })
    }

    /// The next request, waiting for it; `None` when there will be none.
    pub fn next_request(&mut self) -> Option<Request> {
        self.requests.recv().ok()
    }

    /// Sends a reply.
    ///
    /// # Errors
    /// When the application is gone, or `InvalidData` when the reply is too large to be sent at all.
    pub fn send(&mut self, reply: &Reply) -> io::Result<()> {
        protocol::write_message(&mut self.replies, reply)
    }
}

fn duplicate(fd: rustix::fd::BorrowedFd<'_>) -> io::Result<OwnedFd> {
    // 3 is the first descriptor that is none of the standard three.
    Ok(rustix::io::fcntl_dupfd_cloexec(fd, 3)?)
}

/// The memory ceiling in bytes among the process's arguments, if it is there.
pub fn memory_limit_from(arguments: impl IntoIterator<Item = String>) -> Option<u64> {
    let mut arguments = arguments
        .into_iter()
        .skip_while(|argument| argument != MEMORY_LIMIT_ARGUMENT);
    arguments.next()?;
    arguments.next()?.parse().ok()
}

/// Limits the address space of this process, so that an allocation beyond it fails here instead of starving the
/// machine. `bytes` should leave room over the ceiling of resident memory for libraries and stacks.
///
/// # Errors
/// Those of the operating system.
pub fn limit_memory(bytes: u64) -> io::Result<()> {
    let limit = Rlimit {
        current: Some(bytes),
        maximum: Some(bytes),
    };
    Ok(rustix::process::setrlimit(Resource::As, limit)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_memory_limit_is_read_from_the_arguments() {
        let read = |line: &str| memory_limit_from(line.split(' ').map(String::from));
        assert_eq!(read("recto-worker --memory-limit 4096"), Some(4096));
        assert_eq!(read("recto-worker"), None);
        assert_eq!(read("recto-worker --memory-limit"), None);
        assert_eq!(read("recto-worker --memory-limit many"), None);
    }
}
