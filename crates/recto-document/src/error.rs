//! What can go wrong between bytes and a document.

use recto_core::ErrorCode;
use std::path::PathBuf;

/// A failure of this crate. Messages never hold text of the document.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A bundled file, such as the native PDF library, is not there or not the one we ship.
    #[error("{what}")]
    AssetMissing {
        /// Whole sentences: what is wrong, and what to do.
        what: String,
    },
    /// Reading the file failed.
    #[error("The file {} could not be read: {source}.", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: std::io::Error,
    },
    /// Writing an output failed.
    #[error("The file {} could not be written: {source}.", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: std::io::Error,
    },
    /// The file has no bytes, or nothing but white space.
    #[error("The file is empty.")]
    Empty,
    /// A user password is needed and was not given.
    #[error("The file is protected with a password.")]
    PasswordRequired,
    /// The password that was given does not open the file.
    #[error("The password does not open the file.")]
    PasswordWrong,
    /// The bytes do not make a document.
    #[error("The file is damaged: {what}.")]
    Damaged {
        /// What could not be read.
        what: String,
    },
    /// The type was recognised, and is not one that is read.
    #[error("Files of the type {detected} are not supported yet.")]
    UnsupportedType {
        /// Name of the type, e.g. `Microsoft Word (DOCX)`.
        detected: String,
    },
    /// A limit was exceeded.
    #[error("The file is too large: {what}.")]
    TooLarge {
        /// The limit and the measure.
        what: String,
    },
    /// There is no such page.
    #[error("There is no page {page}; the document has {count}.")]
    NoSuchPage {
        /// The 1-based page asked for.
        page: u32,
        /// Number of pages.
        count: u32,
    },
    /// The caller stopped the work.
    #[error("Cancelled.")]
    Cancelled,
    /// An argument makes no sense.
    #[error("{what}")]
    InvalidArgument {
        /// A whole sentence saying which and why.
        what: String,
    },
    /// A fault of ours or of a library.
    #[error("{what}")]
    Internal {
        /// The failed operation, as a sentence.
        what: String,
    },
}

/// A result with this crate's [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// The code callers branch on.
    #[must_use]
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::AssetMissing { .. } => ErrorCode::AssetMissing,
            Self::Read { source, .. } if source.kind() == std::io::ErrorKind::NotFound => ErrorCode::NotFound,
            Self::Read { .. } => ErrorCode::Damaged,
            Self::Write { source, .. } if source.kind() == std::io::ErrorKind::StorageFull => ErrorCode::DiskFull,
            Self::Write { .. } | Self::Internal { .. } => ErrorCode::Internal,
            Self::Empty => ErrorCode::Empty,
            Self::PasswordRequired | Self::PasswordWrong => ErrorCode::PasswordRequired,
            Self::Damaged { .. } => ErrorCode::Damaged,
            Self::UnsupportedType { .. } => ErrorCode::UnsupportedType,
            Self::TooLarge { .. } => ErrorCode::TooLarge,
            Self::NoSuchPage { .. } => ErrorCode::NotFound,
            Self::Cancelled => ErrorCode::Cancelled,
            Self::InvalidArgument { .. } => ErrorCode::InvalidArgument,
        }
    }
}

impl From<Error> for recto_core::Error {
    fn from(error: Error) -> Self {
        Self::new(error.code(), error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_ending_has_its_own_whole_sentence() {
        let what = || "it has 3 parts, the limit is 2".to_owned();
        let path = || PathBuf::from("a.pdf");
        let io = || std::io::Error::other("the disk is gone");
        let endings = [
            Error::AssetMissing {
                what: "The bundled file a is missing. Run ./scripts/setup.".into(),
            },
            Error::Read {
                path: path(),
                source: io(),
            },
            Error::Write {
                path: path(),
                source: io(),
            },
            Error::Empty,
            Error::PasswordRequired,
            Error::PasswordWrong,
            Error::Damaged { what: what() },
            Error::UnsupportedType {
                detected: "AutoCAD drawing".into(),
            },
            Error::TooLarge { what: what() },
            Error::NoSuchPage { page: 9, count: 2 },
            Error::Cancelled,
        ];
        let mut sentences: Vec<String> = endings.iter().map(ToString::to_string).collect();
        for sentence in &sentences {
            assert!(
                sentence.starts_with(char::is_uppercase) && sentence.ends_with('.'),
                "{sentence}"
            );
            assert!(!sentence.contains("..") && !sentence.contains('{'), "{sentence}");
        }
        sentences.sort();
        sentences.dedup();
        assert_eq!(sentences.len(), endings.len(), "no two endings sound alike");
    }
}
