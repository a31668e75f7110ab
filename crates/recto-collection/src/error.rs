//! What can go wrong with a collection.

use recto_core::{CollectionName, DocumentId, ErrorCode};
use std::path::PathBuf;

/// A failure of a collection's database or files. The text names no location; sources may.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Another process writes to the collection.
    #[error("the collection is open for writing in {owner}")]
    InUse {
        /// Who, as far as known: `process 4711`.
        owner: String,
    },
    /// A write through a collection that was opened for reading.
    #[error("the collection is open for reading only")]
    ReadOnly,
    /// There is no collection in the folder, and reading creates none.
    #[error("there is no such collection")]
    Missing,
    /// There is one already.
    #[error("there is already a collection in that folder")]
    Exists,
    /// It was written by another version.
    #[error("the collection has schema {found}, this version reads schema {expected}")]
    Schema {
        /// What the collection says.
        found: u32,
        /// What this version writes.
        expected: u32,
    },
    /// A vector does not have the collection's dimension.
    #[error("the collection holds vectors of dimension {expected}, not {found}")]
    Dimension {
        /// The vector's.
        found: usize,
        /// The collection's.
        expected: u32,
    },
    /// No document with that id.
    #[error("there is no document {document}")]
    UnknownDocument {
        /// As asked for.
        document: DocumentId,
    },
    /// A step of an ingest out of order.
    #[error("document {document} has no begun revision {revision}")]
    NotBegun {
        /// The document.
        document: DocumentId,
        /// The revision that was to be committed.
        revision: String,
    },
    /// More documents than one batch may hold, or the same one twice.
    #[error("a batch holds at most {limit} documents, each once")]
    Batch {
        /// The most.
        limit: usize,
    },
    /// Rows that were written are not there.
    #[error("{found} of {expected} {table} of the batch were stored")]
    Incomplete {
        /// The table.
        table: &'static str,
        /// Rows there.
        found: usize,
        /// Rows written.
        expected: usize,
    },
    /// The file changed while it was copied.
    #[error("the file changed while it was read")]
    FileChanged,
    /// LanceDB refused.
    #[error("cannot {operation}")]
    Database {
        /// What was attempted.
        operation: &'static str,
        /// Why it failed.
        #[source]
        source: Box<lancedb::Error>,
    },
    /// Rows could not be put together.
    #[error("cannot {operation}")]
    Rows {
        /// What was attempted.
        operation: &'static str,
        /// Why it failed.
        #[source]
        source: arrow_schema::ArrowError,
    },
    /// A stored value is not what was written.
    #[error("a stored value of {column} is unreadable")]
    Stored {
        /// The column.
        column: &'static str,
    },
    /// The file system refused.
    #[error("cannot {operation}")]
    Io {
        /// What was attempted.
        operation: &'static str,
        /// On what.
        path: PathBuf,
        /// Why it failed.
        #[source]
        source: std::io::Error,
    },
}

impl Error {
    pub(crate) fn database(operation: &'static str) -> impl FnOnce(lancedb::Error) -> Self {
        move |source| Self::Database {
            operation,
            source: Box::new(source),
        }
    }

    pub(crate) fn io(operation: &'static str, path: &std::path::Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io {
            operation,
            path,
            source,
        }
    }

    /// The code callers branch on.
    #[must_use]
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::InUse { .. } => ErrorCode::LibraryInUse,
            Self::ReadOnly => ErrorCode::ReadOnly,
            Self::UnknownDocument { .. } => ErrorCode::NotFound,
            Self::Dimension { .. } => ErrorCode::EmbedderMismatch,
            Self::Missing | Self::Schema { .. } => ErrorCode::CollectionUnavailable,
            Self::Exists | Self::Batch { .. } | Self::NotBegun { .. } => ErrorCode::InvalidArgument,
            Self::Incomplete { .. } | Self::FileChanged => ErrorCode::Internal,
            Self::Database { .. } | Self::Rows { .. } | Self::Stored { .. } | Self::Io { .. } => {
                if self.is_disk_full() {
                    ErrorCode::DiskFull
                } else {
                    ErrorCode::CollectionUnavailable
                }
            }
        }
    }

    fn is_disk_full(&self) -> bool {
        let mut cause = std::error::Error::source(self);
        while let Some(source) = cause {
            if let Some(io) = source.downcast_ref::<std::io::Error>()
                && io.kind() == std::io::ErrorKind::StorageFull
            {
                return true;
            }
            cause = source.source();
        }
        false
    }

    /// The error as it crosses crate boundaries: it names the collection and never its location, which the sources
    /// may hold.
    #[must_use]
    pub fn in_collection(&self, name: &CollectionName) -> recto_core::Error {
        let code = self.code();
        let message = match self {
            Self::InUse { owner } => format!("The collection {name} is in use by {owner}. Close it there first."),
            Self::FileChanged => "The file changed while it was read. It is tried again.".to_owned(),
            other => format!("Collection {name}: {other}."),
        };
        recto_core::Error {
            code,
            message,
            retryable: code == ErrorCode::DiskFull || matches!(self, Self::FileChanged),
            retry_after: None,
        }
    }
}
