//! The states a file goes through.

use recto_core::ErrorCode;
use serde::{Deserialize, Serialize};

/// Where a file stands. The names are part of the command line's and the app's contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// Waits for its turn, or for the next attempt.
    Queued,
    /// Is being parsed.
    Reading,
    /// Pages are being recognised.
    Ocr,
    /// Is being made searchable by words.
    Indexing,
    /// Is searchable by words; vectors are being computed.
    Embedding,
    /// Done.
    Ready,
    /// Done, but for pages that could not be read.
    ReadyWithGaps,
    /// Encrypted.
    NeedsPassword,
    /// Cannot be read.
    Damaged,
    /// Not a type Recto reads.
    Unsupported,
    /// Holds nothing.
    Empty,
    /// Exceeds a limit.
    TooLarge,
    /// Took too long.
    TimedOut,
    /// Needed too much memory.
    OutOfMemory,
    /// Something else went wrong, repeatedly.
    Failed,
    /// Stopped by the person.
    Cancelled,
    /// All its locations are gone.
    Missing,
}

impl State {
    /// Every state.
    pub const ALL: [Self; 17] = [
        Self::Queued,
        Self::Reading,
        Self::Ocr,
        Self::Indexing,
        Self::Embedding,
        Self::Ready,
        Self::ReadyWithGaps,
        Self::NeedsPassword,
        Self::Damaged,
        Self::Unsupported,
        Self::Empty,
        Self::TooLarge,
        Self::TimedOut,
        Self::OutOfMemory,
        Self::Failed,
        Self::Cancelled,
        Self::Missing,
    ];

    /// The state as written in JSON and in the database: `needs_password`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Reading => "reading",
            Self::Ocr => "ocr",
            Self::Indexing => "indexing",
            Self::Embedding => "embedding",
            Self::Ready => "ready",
            Self::ReadyWithGaps => "ready_with_gaps",
            Self::NeedsPassword => "needs_password",
            Self::Damaged => "damaged",
            Self::Unsupported => "unsupported",
            Self::Empty => "empty",
            Self::TooLarge => "too_large",
            Self::TimedOut => "timed_out",
            Self::OutOfMemory => "out_of_memory",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
            Self::Missing => "missing",
        }
    }

    /// The state of that name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.as_str() == name)
    }

    /// Waiting or at work: there is at most one such job for a place.
    #[must_use]
    pub fn is_live(self) -> bool {
        matches!(
            self,
            Self::Queued | Self::Reading | Self::Ocr | Self::Indexing | Self::Embedding
        )
    }

    /// Where a file ends that failed with `code` for good.
    #[must_use]
    pub fn of_failure(code: ErrorCode) -> Self {
        match code {
            ErrorCode::PasswordRequired => Self::NeedsPassword,
            ErrorCode::Damaged => Self::Damaged,
            ErrorCode::UnsupportedType => Self::Unsupported,
            ErrorCode::Empty => Self::Empty,
            ErrorCode::TooLarge => Self::TooLarge,
            ErrorCode::TimedOut => Self::TimedOut,
            ErrorCode::OutOfMemory => Self::OutOfMemory,
            ErrorCode::Cancelled => Self::Cancelled,
            _ => Self::Failed,
        }
    }

    /// Whether the bytes themselves are the reason, so that the same bytes will fail again.
    #[must_use]
    pub fn blames_the_bytes(self) -> bool {
        matches!(
            self,
            Self::NeedsPassword
                | Self::Damaged
                | Self::Unsupported
                | Self::Empty
                | Self::TooLarge
                | Self::TimedOut
                | Self::OutOfMemory
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_prints_as_it_is_serialised_and_parses_back() {
        for state in State::ALL {
            assert_eq!(serde_json::to_value(state).expect("serialises"), state.as_str());
            assert_eq!(State::parse(state.as_str()), Some(state));
        }
    }
}
