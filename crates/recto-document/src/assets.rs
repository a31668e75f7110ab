//! Finding and verifying the native library.
//!
//! Assets lie in the folder named by `RECTO_ASSETS`, else in `assets/` beside the executable, else in `assets/` of any
//! folder above it (a build inside a checkout). `manifest.json` there holds the SHA-256 of every file.

use crate::error::{Error, Result};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::env;
use std::path::{Path, PathBuf};

#[derive(Deserialize)]
struct Manifest {
    files: BTreeMap<String, ManifestEntry>,
}

#[derive(Deserialize)]
struct ManifestEntry {
    sha256: String,
}

/// The verified path of the PDF library for this platform.
///
/// # Errors
/// [`Error::AssetMissing`] when there is no such file, no manifest, or the file is not the one in the manifest.
pub fn pdfium() -> Result<PathBuf> {
    verified(&folder()?, &library_file_name("pdfium"))
}

fn library_file_name(stem: &str) -> String {
    format!("{}{stem}{}", env::consts::DLL_PREFIX, env::consts::DLL_SUFFIX)
}

fn folder() -> Result<PathBuf> {
    if let Some(folder) = env::var_os("RECTO_ASSETS") {
        return Ok(PathBuf::from(folder));
    }
    let executable = env::current_exe().map_err(|error| Error::AssetMissing {
        what: format!("The folder of the program is unknown ({error}), so its assets cannot be found."),
    })?;
    find_above(&executable, env::current_dir().ok().as_deref()).ok_or_else(|| Error::AssetMissing {
        what: "The folder `assets` with Recto's native libraries was not found.".into(),
    })
}

/// `assets/` beside `executable` or above it; else above `working`, for builds whose output lies outside the checkout.
fn find_above(executable: &Path, working: Option<&Path>) -> Option<PathBuf> {
    let holds_assets = |folder: &Path| {
        let assets = folder.join("assets");
        assets.join("manifest.json").is_file().then_some(assets)
    };
    let working = working.into_iter().flat_map(Path::ancestors);
    executable.ancestors().skip(1).chain(working).find_map(holds_assets)
}

fn verified(folder: &Path, name: &str) -> Result<PathBuf> {
    let missing = |what: String| Error::AssetMissing { what };
    let manifest = std::fs::read(folder.join("manifest.json")).map_err(|error| {
        missing(format!(
            "The list of assets in {} cannot be read: {error}.",
            folder.display()
        ))
    })?;
    let manifest: Manifest = serde_json::from_slice(&manifest).map_err(|error| {
        missing(format!(
            "The list of assets in {} is broken: {error}.",
            folder.display()
        ))
    })?;
    let Some(entry) = manifest.files.get(name) else {
        return Err(missing(format!(
            "{name} is not in the list of assets of this platform."
        )));
    };
    let path = folder.join(name);
    let bytes = std::fs::read(&path).map_err(|error| missing(format!("{name} cannot be read: {error}.")))?;
    if hex(&Sha256::digest(&bytes)) != entry.sha256.to_ascii_lowercase() {
        return Err(missing(format!("{name} is not the file that Recto was built for.")));
    }
    Ok(path)
}

fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write;
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use recto_core::ErrorCode;

    fn assets_with(manifest: &str, library: &[u8]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("makes a folder");
        std::fs::write(folder.path().join("manifest.json"), manifest).expect("writes");
        std::fs::write(folder.path().join("lib.so"), library).expect("writes");
        folder
    }

    #[test]
    fn an_altered_library_is_refused_and_the_message_names_the_remedy() {
        let manifest = format!(
            r#"{{"files":{{"lib.so":{{"sha256":"{}"}}}}}}"#,
            hex(&Sha256::digest(b"good"))
        );
        let good = assets_with(&manifest, b"good");
        assert_eq!(
            verified(good.path(), "lib.so").expect("accepts"),
            good.path().join("lib.so")
        );

        let bad = assets_with(&manifest, b"evil");
        let error = verified(bad.path(), "lib.so").expect_err("refuses");
        assert_eq!(error.code(), ErrorCode::AssetMissing);
        assert!(error.to_string().contains("./scripts/setup"), "{error}");
    }

    #[test]
    fn assets_are_found_beside_and_above_the_executable() {
        let root = tempfile::tempdir().expect("makes a folder");
        let deep = root.path().join("target/debug");
        std::fs::create_dir_all(root.path().join("assets")).expect("makes a folder");
        std::fs::create_dir_all(&deep).expect("makes a folder");
        std::fs::write(root.path().join("assets/manifest.json"), "{}").expect("writes");
        assert_eq!(
            find_above(&deep.join("recto-worker"), None),
            Some(root.path().join("assets"))
        );
        assert_eq!(
            find_above(&root.path().join("recto"), None),
            Some(root.path().join("assets"))
        );
    }
}
