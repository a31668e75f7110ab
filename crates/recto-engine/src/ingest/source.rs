//! Where a job's bytes are: a file, or a file inside a file.
//!
//! An attachment is named `<uri of the file it is in>#attachment=<its name>`, to any depth up to a limit. It is taken
//! out into a temporary folder by a worker; names from inside files are compared, and never used as paths.

use super::on_files;
use crate::Engine;
use recto_core::{Error, ErrorCode, Result};
use recto_worker::{DetachRequest, ParseLimits, WorkerPool};
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

const MARK: &str = "#attachment=";

/// Files in files in files; deeper ones are left where they are.
pub(super) const MAX_DEPTH: usize = 3;

/// The uri of an attachment of the file at `uri`.
pub(super) fn attachment_uri(uri: &str, name: &str) -> String {
    format!("{uri}{MARK}{name}")
}

/// How many files the file at `uri` is inside of.
pub(super) fn depth(uri: &str) -> usize {
    uri.matches(MARK).count()
}

/// Whether `uri` is an attachment of the file at `outer`, or inside of one.
pub(super) fn is_inside(uri: &str, outer: &str) -> bool {
    uri.strip_prefix(outer).is_some_and(|rest| rest.starts_with(MARK))
}

/// The bytes of a job.
#[derive(Debug)]
pub(super) struct Source {
    /// The file to read.
    pub(super) path: PathBuf,
    /// What it is called where it came from.
    pub(super) file_name: String,
    /// Holds what was taken out of another file, until it has been read.
    folder: Option<TempDir>,
}

impl Source {
    /// Whether the file stands by itself.
    pub(super) fn is_file(&self) -> bool {
        self.folder.is_none()
    }
}

/// Finds the bytes of `uri`, taking them out of the files they are in. That a plain file is there is not looked at.
///
/// # Errors
/// `not_found` when the file has no such attachment any more; what the worker says of the outer file.
pub(super) async fn find(
    engine: &Engine,
    pool: &WorkerPool,
    uri: &str,
    limits: ParseLimits,
    cancel: &CancellationToken,
) -> Result<Source> {
    // A file may be called anything: where there is one of exactly this name, it is meant.
    let is_plain = !uri.contains(MARK) || Path::new(uri).is_file();
    let mut names = uri.split(MARK);
    let outermost = if is_plain { uri } else { names.next().unwrap_or(uri) };
    let mut source = Source {
        path: PathBuf::from(outermost),
        file_name: crate::queue::file_name(outermost),
        folder: None,
    };
    if is_plain {
        return Ok(source);
    }
    for name in names {
        source = take_out(engine, pool, &source, name, limits, cancel).await?;
    }
    Ok(source)
}

async fn take_out(
    engine: &Engine,
    pool: &WorkerPool,
    outer: &Source,
    name: &str,
    limits: ParseLimits,
    cancel: &CancellationToken,
) -> Result<Source> {
    let path = outer.path.clone();
    let (folder, sha256) = on_files("read the file", move || {
        let folder = tempfile::tempdir()?;
        Ok((folder, super::read::hash(&path)?))
    })
    .await?;
    let request = DetachRequest {
        path: outer.path.clone(),
        file_name: outer.file_name.clone(),
        password: engine.passwords.of_file(&sha256),
        limits,
        folder: folder.path().to_owned(),
    };
    let attachments = pool.detach(request, cancel).await?;
    let index = attachments
        .iter()
        .position(|attachment| attachment.name == name)
        .ok_or_else(|| {
            Error::new(
                ErrorCode::NotFound,
                "The file it was attached to has no such attachment any more.",
            )
        })?;
    Ok(Source {
        path: folder.path().join(index.to_string()),
        file_name: name.to_owned(),
        folder: Some(folder),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attachments_are_told_by_the_file_they_are_in() {
        let letter = "/mail/letter.eml";
        let outer = attachment_uri(letter, "scans.zip");
        let inner = attachment_uri(&outer, "a.pdf");
        assert_eq!((depth(letter), depth(&outer), depth(&inner)), (0, 1, 2));
        assert!(is_inside(&outer, letter) && is_inside(&inner, letter));
        assert!(!is_inside("/mail/letter.eml.bak", letter));
        assert!(!is_inside(letter, letter));
    }
}
