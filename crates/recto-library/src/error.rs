//! What can go wrong with a library.

use recto_core::ErrorCode;
use std::path::PathBuf;

/// A failure of the library's database, lock or settings.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Another process holds the lock.
    #[error("the library is open for writing in {owner}")]
    InUse {
        /// Who holds it, as far as known: `process 4711`.
        owner: String,
    },
    /// A write through a library that was opened read-only.
    #[error("the library is open for reading only")]
    ReadOnly,
    /// There is no library in the folder, and reading creates none.
    #[error("there is no library at {path}")]
    Missing {
        /// The folder.
        path: PathBuf,
    },
    /// The database was written by another version.
    #[error("the library has schema {found}, this version reads schema {expected}")]
    Schema {
        /// What the file says.
        found: i64,
        /// What this version writes.
        expected: i64,
    },
    /// The schema could not be brought up to date.
    #[error("cannot migrate the library")]
    Migrate(#[source] rusqlite_migration::Error),
    /// The database refused.
    #[error("cannot {operation}")]
    Database {
        /// What was attempted.
        operation: &'static str,
        /// Why it failed.
        #[source]
        source: rusqlite::Error,
    },
    /// The file system refused.
    #[error("cannot {operation} {path}")]
    Io {
        /// What was attempted.
        operation: &'static str,
        /// On what.
        path: PathBuf,
        /// Why it failed.
        #[source]
        source: std::io::Error,
    },
    /// A stored value is not what was written.
    #[error("cannot {operation}: a stored value is unreadable")]
    Stored {
        /// What was attempted.
        operation: &'static str,
        /// Why it failed.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// A setting is unknown, malformed or out of range.
    #[error("setting {path}: {problem}")]
    Setting {
        /// Its path: `ingest.workers`.
        path: String,
        /// What is wrong and what is allowed.
        problem: String,
    },
    /// No collection of that name.
    #[error("there is no collection named {name}")]
    UnknownCollection {
        /// As asked for.
        name: String,
    },
    /// The name is taken.
    #[error("there is already a collection named {name}")]
    CollectionExists {
        /// As asked for.
        name: String,
    },
    /// The name cannot be used.
    #[error("a collection's name has 1 to 100 characters, none of them a control character")]
    CollectionName,
    /// No conversation with that id.
    #[error("there is no such conversation")]
    UnknownConversation,
}

impl Error {
    pub(crate) fn database(operation: &'static str) -> impl FnOnce(rusqlite::Error) -> Self {
        move |source| Self::Database { operation, source }
    }

    pub(crate) fn stored<E: std::error::Error + Send + Sync + 'static>(
        operation: &'static str,
    ) -> impl FnOnce(E) -> Self {
        move |source| Self::Stored {
            operation,
            source: Box::new(source),
        }
    }

    /// The code callers branch on.
    #[must_use]
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::InUse { .. } => ErrorCode::LibraryInUse,
            Self::ReadOnly => ErrorCode::ReadOnly,
            Self::Missing { .. } | Self::UnknownCollection { .. } | Self::UnknownConversation => ErrorCode::NotFound,
            Self::Setting { .. } | Self::CollectionExists { .. } | Self::CollectionName => ErrorCode::InvalidArgument,
            Self::Database { source, .. } if is_full(source) => ErrorCode::DiskFull,
            Self::Io { source, .. } if source.kind() == std::io::ErrorKind::StorageFull => ErrorCode::DiskFull,
            Self::Schema { .. } | Self::Migrate(_) | Self::Database { .. } | Self::Io { .. } | Self::Stored { .. } => {
                ErrorCode::Internal
            }
        }
    }
}

fn is_full(source: &rusqlite::Error) -> bool {
    source.sqlite_error_code() == Some(rusqlite::ErrorCode::DiskFull)
}

impl From<Error> for recto_core::Error {
    fn from(error: Error) -> Self {
        let code = error.code();
        let message = match &error {
            Error::InUse { owner } => format!(
                "The library is in use by {owner}. Close it there, or open the library for reading only (--read-only)."
            ),
            Error::ReadOnly => "The library is open for reading only. Close the other window or command that uses \
                                it, then try again."
                .to_owned(),
            Error::Missing { path } => format!(
                "There is no library at {}. Add a document first: recto add FILE.",
                path.display()
            ),
            other => sentence(&chain(other)),
        };
        // A full disk and a busy database may pass by themselves.
        let retryable = code == ErrorCode::DiskFull
            || matches!(&error, Error::Database { source, .. }
                if source.sqlite_error_code() == Some(rusqlite::ErrorCode::DatabaseBusy));
        Self {
            code,
            message,
            retryable,
            retry_after: None,
        }
    }
}

/// The message with those of its causes.
fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(source) = cause {
        text.push_str(": ");
        text.push_str(&source.to_string());
        cause = source.source();
    }
    text
}

fn sentence(text: &str) -> String {
    let mut characters = text.chars();
    let first = characters.next().map(|c| c.to_uppercase().to_string());
    format!("{}{}.", first.unwrap_or_default(), characters.as_str())
}
