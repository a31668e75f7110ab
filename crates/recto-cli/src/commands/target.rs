//! The document of `page` and `locate`: one of the library, or a file on disk.

use crate::failure::{Failure, Result};
use std::io::BufRead;
use std::path::{Path, PathBuf};

/// What the argument DOC names.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// A file; no library is opened for it.
    File(PathBuf),
    /// A document's id, perhaps shortened.
    Document(String),
}

/// Decides what `text` names: a file where there is one, else an id where it reads like one.
pub(crate) fn read(text: &str) -> Result<Target> {
    let path = Path::new(text);
    if path.is_file() {
        return Ok(Target::File(path.to_path_buf()));
    }
    if path.is_dir() {
        return Err(Failure::Usage(format!(
            "{text} is a folder; name a file or a document's id."
        )));
    }
    let is_id = !text.is_empty()
        && text
            .chars()
            .all(|character| character.is_ascii_hexdigit() || character == '-');
    if is_id {
        return Ok(Target::Document(text.to_ascii_lowercase()));
    }
    Err(Failure::not_found(format!(
        "There is no file {text}, and it is no document's id either; `recto list` shows the ids."
    )))
}

/// The first line of standard input, where a password is to be read from there.
pub(crate) fn password(from_stdin: bool) -> Result<Option<String>> {
    if !from_stdin {
        return Ok(None);
    }
    let mut line = String::new();
    match std::io::stdin().lock().read_line(&mut line) {
        Ok(0) => Err(Failure::Usage("--password-stdin: standard input is empty.".to_owned())),
        Ok(_) => Ok(Some(line.trim_end_matches(['\r', '\n']).to_owned())),
        Err(error) => Err(Failure::internal(format!(
            "Cannot read the password from standard input: {error}."
        ))),
    }
}

/// Refuses a password where only the stored text of a document is read.
pub(crate) fn no_password(from_stdin: bool) -> Result<()> {
    if from_stdin {
        return Err(Failure::Usage(
            "A document of the library is searched in its stored text, which needs no password.".to_owned(),
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_goes_before_an_id() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("deadbeef");
        std::fs::write(&path, b"x").expect("written");
        let text = path.to_string_lossy();
        assert_eq!(read(&text).expect("is there"), Target::File(path.clone()));
        assert_eq!(
            read("0190A1B2-c3d4").expect("reads like an id"),
            Target::Document("0190a1b2-c3d4".to_owned())
        );
    }

    #[test]
    fn what_is_neither_file_nor_id_is_not_found() {
        assert!(matches!(read("missing.pdf"), Err(Failure::Failed(_))));
        assert!(matches!(read(""), Err(Failure::Failed(_))));
        let folder = tempfile::tempdir().expect("a folder");
        assert!(matches!(read(&folder.path().to_string_lossy()), Err(Failure::Usage(_))));
    }
}
