//! The one error that crosses crate boundaries: a stable code for callers and a sentence for people.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::time::Duration;

/// What kind of failure it is. The names are part of the command line's and the app's contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ErrorCode {
    /// An argument makes no sense; the message says which.
    InvalidArgument,
    /// No such document, page, collection or answer.
    NotFound,
    /// More than one thing answers to the name.
    Ambiguous,
    /// The file is encrypted and the user password is missing or wrong.
    PasswordRequired,
    /// The file cannot be read, or holds nothing readable.
    Damaged,
    /// The type is not one Recto reads.
    UnsupportedType,
    /// The file holds nothing.
    Empty,
    /// A limit was exceeded; the message names it.
    TooLarge,
    /// A deadline passed.
    TimedOut,
    /// The worker hit its memory ceiling.
    OutOfMemory,
    /// Not enough free space.
    DiskFull,
    /// The user cancelled.
    Cancelled,
    /// Another engine has the library or collection open for writing.
    LibraryInUse,
    /// The library or collection is open for reading only.
    ReadOnly,
    /// A selected collection cannot be opened.
    CollectionUnavailable,
    /// The collection was embedded with another model.
    EmbedderMismatch,
    /// The strategy needs a chat model and none is configured.
    ModelNotConfigured,
    /// The model server does not answer.
    ModelUnreachable,
    /// The model server refused the request.
    ModelRejected,
    /// The prompt does not fit the model's context.
    ContextOverflow,
    /// A bundled library or model file is missing or altered.
    AssetMissing,
    /// A fault of ours.
    Internal,
}

impl ErrorCode {
    /// The code as written in JSON: `password_required`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::InvalidArgument => "invalid_argument",
            Self::NotFound => "not_found",
            Self::Ambiguous => "ambiguous",
            Self::PasswordRequired => "password_required",
            Self::Damaged => "damaged",
            Self::UnsupportedType => "unsupported_type",
            Self::Empty => "empty",
            Self::TooLarge => "too_large",
            Self::TimedOut => "timed_out",
            Self::OutOfMemory => "out_of_memory",
            Self::DiskFull => "disk_full",
            Self::Cancelled => "cancelled",
            Self::LibraryInUse => "library_in_use",
            Self::ReadOnly => "read_only",
            Self::CollectionUnavailable => "collection_unavailable",
            Self::EmbedderMismatch => "embedder_mismatch",
            Self::ModelNotConfigured => "model_not_configured",
            Self::ModelUnreachable => "model_unreachable",
            Self::ModelRejected => "model_rejected",
            Self::ContextOverflow => "context_overflow",
            Self::AssetMissing => "asset_missing",
            Self::Internal => "internal",
        }
    }
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A failure with its code. `message` says what happened and what to do next; it never holds document text or secrets.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[error("{message}")]
pub struct Error {
    /// The stable code callers branch on.
    pub code: ErrorCode,
    /// One or two sentences for the person.
    pub message: String,
    /// Whether the same call may succeed later without a change.
    pub retryable: bool,
    /// The least wait before the same call, where a server said that it cannot answer it just now; zero where it named
    /// no time. `None` for everything else.
    #[serde(skip)]
    pub retry_after: Option<Duration>,
}

/// A result with [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// An error that trying again will not mend.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            retryable: false,
            retry_after: None,
        }
    }

    /// An error that may pass by itself.
    pub fn transient(code: ErrorCode, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            retryable: true,
            retry_after: None,
        }
    }

    /// A fault of ours; `message` names the failed operation.
    pub fn internal(message: impl Into<String>) -> Self {
        Self::new(ErrorCode::Internal, message)
    }

    /// The user cancelled.
    #[must_use]
    pub fn cancelled() -> Self {
        Self::new(ErrorCode::Cancelled, "Cancelled.")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_prints_as_it_is_serialised() {
        for code in [
            ErrorCode::PasswordRequired,
            ErrorCode::AssetMissing,
            ErrorCode::TimedOut,
            ErrorCode::Empty,
        ] {
            assert_eq!(serde_json::to_value(code).expect("serialises"), code.as_str());
        }
    }
}
