//! Files the worker leaves behind appear whole or not at all.

use crate::error::{Error, Result};
use std::fs;
use std::path::{Path, PathBuf};

/// Writes `bytes` beside `path` first and then moves them there.
pub(super) fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let failed = |source| Error::Write {
        path: path.to_owned(),
        source,
    };
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.part", std::process::id()));
    let part: PathBuf = path.with_file_name(name);
    let written = fs::write(&part, bytes).and_then(|()| fs::rename(&part, path));
    if written.is_err() {
        // The error is what is reported; a left-over that cannot be removed either adds nothing to it.
        let _ = fs::remove_file(&part);
    }
    written.map_err(failed)
}
