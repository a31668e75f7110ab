//! The documents that come with Recto, for a first look.

use recto_core::{Error, ErrorCode};
use std::path::{Path, PathBuf};
use tauri::{AppHandle, Manager, Runtime};

/// The collection they go into.
pub const COLLECTION: &str = "Samples";

/// The sample files, sorted by name.
///
/// # Errors
/// `asset_missing` when the folder is not there or holds nothing readable.
pub fn files<R: Runtime>(app: &AppHandle<R>) -> Result<Vec<PathBuf>, Error> {
    folders(app)
        .iter()
        .map(|folder| documents_in(folder))
        .find(|files| !files.is_empty())
        .ok_or_else(|| {
            Error::new(
                ErrorCode::AssetMissing,
                "The sample documents are not beside the program. Add files of your own.",
            )
        })
}

/// Where the samples may be: with the installed program, or in the checkout it was built from.
fn folders<R: Runtime>(app: &AppHandle<R>) -> Vec<PathBuf> {
    let installed = app.path().resource_dir().map(|folder| folder.join("samples"));
    let mut folders: Vec<PathBuf> = installed.into_iter().collect();
    if cfg!(debug_assertions) {
        folders.push(Path::new(env!("CARGO_MANIFEST_DIR")).join("samples"));
    }
    folders
}

/// What lies beside the samples and is about them.
const NOT_SAMPLES: [&str; 2] = ["README.md", "questions.txt"];

/// The documents of a folder.
fn documents_in(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut files: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.is_file())
        .filter(|path| {
            path.file_name()
                .is_some_and(|name| !NOT_SAMPLES.iter().any(|other| name == *other))
        })
        .collect();
    files.sort();
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_about_the_samples_is_none_of_them() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["b.pdf", "README.md", "a.pdf", "questions.txt"] {
            std::fs::write(folder.path().join(name), "x").expect("a file");
        }
        assert_eq!(
            documents_in(folder.path()),
            [folder.path().join("a.pdf"), folder.path().join("b.pdf")]
        );
    }

    #[test]
    fn a_folder_that_is_not_there_holds_nothing() {
        assert!(documents_in(Path::new("/nonexistent")).is_empty());
    }
}
