//! How a command can end.

use recto_core::{Error, ErrorCode};
use std::io;

/// How a command that ran to its end came out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    /// Exit status 0.
    Done,
    /// Exit status 1; the output already says why.
    Unsuccessful,
}

/// Why a command did not run to its end.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The command was not understood: exit status 2.
    Usage(String),
    /// It failed: exit status 1.
    Failed(Error),
    /// Whoever read our output stopped reading; there is nobody to tell.
    PipeClosed,
}

/// A result with [`Failure`].
pub(crate) type Result<T, E = Failure> = std::result::Result<T, E>;

impl Failure {
    /// A fault of ours or of the system; `message` names the failed operation.
    pub(crate) fn internal(message: impl Into<String>) -> Self {
        Self::Failed(Error::internal(message))
    }

    /// Something named does not exist.
    pub(crate) fn not_found(message: impl Into<String>) -> Self {
        Self::Failed(Error::new(ErrorCode::NotFound, message))
    }

    /// A file of the person's could not be written.
    pub(crate) fn write(path: &std::path::Path, error: &io::Error) -> Self {
        let code = match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => ErrorCode::DiskFull,
            _ => ErrorCode::InvalidArgument,
        };
        Self::Failed(Error::new(code, format!("Cannot write {}: {error}.", path.display())))
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

/// Failures of standard output, the only stream that is written with `?`.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::PipeClosed,
            io::ErrorKind::StorageFull => Self::Failed(Error::new(
                ErrorCode::DiskFull,
                "Cannot write the output: no space is left.",
            )),
            _ => Self::internal(format!("Cannot write to standard output: {error}.")),
        }
    }
}
