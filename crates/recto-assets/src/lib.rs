//! The bundled files (native libraries, models): where they are, and whether they are what they should be.
//!
//! They are looked for in the folder that `RECTO_ASSETS` names, else in `assets` beside the running executable or above
//! it, and nowhere else: a library found beside the documents of a stranger would be a stranger's code. Every file is
//! checked against the SHA-256 in `manifest.json` before it is used.

use recto_core::{Error, ErrorCode, Result};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Environment variable that names the folder of the bundled files.
pub const ASSETS_VARIABLE: &str = "RECTO_ASSETS";

const MANIFEST: &str = "manifest.json";

/// The folder of the bundled files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assets {
    folder: PathBuf,
}

#[derive(Deserialize)]
struct Manifest {
    files: BTreeMap<String, Entry>,
}

#[derive(Deserialize)]
struct Entry {
    sha256: String,
}

impl Assets {
    /// The folder that `RECTO_ASSETS` names, else `assets` beside the running executable or in a folder above it.
    ///
    /// # Errors
    /// `asset_missing` when there is none.
    pub fn find() -> Result<Self> {
        if let Some(named) = std::env::var_os(ASSETS_VARIABLE).filter(|named| !named.is_empty()) {
            return Ok(Self::at(PathBuf::from(named)));
        }
        let executable = std::env::current_exe()
            .map_err(|error| Error::internal(format!("The path of the running program cannot be found: {error}.")))?;
        Self::above(&executable).ok_or_else(|| missing("The folder of bundled files is missing."))
    }

    /// This folder.
    #[must_use]
    pub fn at(folder: PathBuf) -> Self {
        Self { folder }
    }

    fn above(executable: &Path) -> Option<Self> {
        executable
            .ancestors()
            .skip(1)
            .map(|folder| folder.join("assets"))
            .find(|folder| folder.join(MANIFEST).is_file())
            .map(Self::at)
    }

    /// The path of a native library by its stem, `pdfium` or `onnxruntime`, checked as [`read`](Self::read) does.
    ///
    /// # Errors
    /// As for [`read`](Self::read).
    pub fn library(&self, stem: &str) -> Result<PathBuf> {
        let (prefix, suffix) = (std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
        self.path(&format!("{prefix}{stem}{suffix}"))
    }

    /// The bytes of a file, its name relative to the folder with `/` between parts, checked against the manifest.
    ///
    /// # Errors
    /// `asset_missing` when the file or its entry is missing or its SHA-256 is another.
    pub fn read(&self, name: &str) -> Result<Vec<u8>> {
        let manifest = std::fs::read(self.folder.join(MANIFEST))
            .map_err(|_| missing("The list of bundled files, manifest.json, is missing."))?;
        let manifest: Manifest = serde_json::from_slice(&manifest)
            .map_err(|_| missing("The list of bundled files, manifest.json, cannot be read."))?;
        let expected = manifest
            .files
            .get(name)
            .ok_or_else(|| missing(&format!("The bundled file {name} is not in manifest.json.")))?;
        let bytes = std::fs::read(self.folder.join(name))
            .map_err(|_| missing(&format!("The bundled file {name} is missing.")))?;
        let mut found = String::with_capacity(64);
        for byte in Sha256::digest(&bytes) {
            // Writing to a string cannot fail.
            let _ = write!(found, "{byte:02x}");
        }
        if found != expected.sha256 {
            return Err(missing(&format!("The bundled file {name} has been altered.")));
        }
        Ok(bytes)
    }

    /// The path of a file whose bytes have been checked as [`read`](Self::read) does.
    ///
    /// # Errors
    /// As for [`read`](Self::read).
    pub fn path(&self, name: &str) -> Result<PathBuf> {
        self.read(name)?;
        Ok(self.folder.join(name))
    }
}

fn missing(what: &str) -> Error {
    Error::new(
        ErrorCode::AssetMissing,
        format!("{what} Run ./scripts/setup, or set {ASSETS_VARIABLE} to the folder that holds it."),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// SHA-256 of "abc", the first example of FIPS 180.
    const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("temporary folder");
        let manifest = format!(r#"{{"files": {{"a/b.bin": {{"sha256": "{ABC}", "size": 3}}}}}}"#);
        std::fs::write(folder.path().join(MANIFEST), manifest).expect("writes");
        std::fs::create_dir(folder.path().join("a")).expect("creates");
        std::fs::write(folder.path().join("a/b.bin"), "abc").expect("writes");
        folder
    }

    #[test]
    fn an_altered_or_absent_file_is_refused_and_setup_is_named() {
        let folder = folder();
        let assets = Assets::at(folder.path().into());
        assert_eq!(assets.read("a/b.bin").expect("reads"), b"abc");
        std::fs::write(folder.path().join("a/b.bin"), "abd").expect("writes");
        for (name, reason) in [("a/b.bin", "altered"), ("other.bin", "not in manifest.json")] {
            let error = assets.read(name).expect_err("refuses");
            assert_eq!(error.code, ErrorCode::AssetMissing);
            assert!(
                error.message.contains(reason) && error.message.contains("./scripts/setup"),
                "{error}"
            );
        }
        std::fs::remove_file(folder.path().join("a/b.bin")).expect("removes");
        assert!(
            assets
                .read("a/b.bin")
                .expect_err("refuses")
                .message
                .contains("is missing")
        );
    }

    #[test]
    fn the_folder_is_found_above_the_executable() {
        let root = tempfile::tempdir().expect("temporary folder");
        let assets = root.path().join("assets");
        std::fs::create_dir_all(&assets).expect("creates");
        let executable = root.path().join("target/debug/deps/test-1");
        assert_eq!(
            Assets::above(&executable),
            None,
            "an empty folder of that name is not it"
        );
        std::fs::write(assets.join(MANIFEST), "{}").expect("writes");
        assert_eq!(Assets::above(&executable), Some(Assets::at(assets)));
    }
}
