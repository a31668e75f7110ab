//! The bytes the documents were made from, kept by their hash so that a citation opens what it was made from even when
//! the source has moved, changed or gone.
//!
//! Files are copied, which file systems that can do so make without using space. They are not hard-linked: editing the
//! source in place would change the original too.

use crate::Error;
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// The folder `originals/` of a collection. All calls block on the file system.
#[derive(Debug)]
pub struct Originals {
    folder: PathBuf,
    copies: AtomicU64,
}

impl Originals {
    pub(crate) fn new(folder: PathBuf) -> Self {
        Self {
            folder,
            copies: AtomicU64::new(0),
        }
    }

    /// Copies `source`, whose bytes have the hash `sha256`, and returns the copy's path. `extension` is the detected
    /// type's, never the file's own name: of it only ASCII letters and digits are used, at most eight. An original
    /// that is already there is left as it is.
    ///
    /// # Errors
    /// [`Error::FileChanged`] when the copy has another hash, [`Error::Io`] when it cannot be made.
    pub fn store(&self, source: &Path, sha256: &str, extension: &str) -> Result<PathBuf, Error> {
        if let Some(existing) = self.path(sha256) {
            return Ok(existing);
        }
        let folder = self.shelf(sha256)?;
        let operation = "store the original";
        std::fs::create_dir_all(&folder).map_err(Error::io(operation, &folder))?;
        let number = self.copies.fetch_add(1, Ordering::Relaxed);
        let copy = self.folder.join(format!("incoming-{}-{number}", std::process::id()));
        let stored = copy_verified(source, &copy, sha256).and_then(|()| {
            let extension: String = extension
                .chars()
                .filter(char::is_ascii_alphanumeric)
                .take(8)
                .map(|c| c.to_ascii_lowercase())
                .collect();
            let name = if extension.is_empty() { "bin" } else { &extension };
            let path = folder.join(format!("{sha256}.{name}"));
            std::fs::rename(&copy, &path).map_err(Error::io(operation, &path))?;
            // The name must be as durable as the bytes. Folders cannot be synced everywhere.
            if let Ok(folder) = File::open(&folder) {
                folder.sync_all().ok();
            }
            Ok(path)
        });
        if stored.is_err() {
            std::fs::remove_file(&copy).ok();
        }
        stored
    }

    /// The original with this hash, where there is one.
    #[must_use]
    pub fn path(&self, sha256: &str) -> Option<PathBuf> {
        let folder = self.shelf(sha256).ok()?;
        let prefix = format!("{sha256}.");
        std::fs::read_dir(folder)
            .ok()?
            .flatten()
            .find(|entry| entry.file_name().to_string_lossy().starts_with(&prefix))
            .map(|entry| entry.path())
    }

    /// The hashes of all originals, ascending.
    ///
    /// # Errors
    /// [`Error::Io`] when the folder cannot be read.
    pub fn hashes(&self) -> Result<Vec<String>, Error> {
        let mut hashes = Vec::new();
        for shelf in entries(&self.folder)? {
            if shelf.is_dir() {
                let names = entries(&shelf)?
                    .into_iter()
                    .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()));
                hashes.extend(names.filter(|name| name.len() == 64 && name.bytes().all(|b| b.is_ascii_hexdigit())));
            }
        }
        hashes.sort_unstable();
        Ok(hashes)
    }

    /// Removes the original with this hash. Returns whether there was one.
    ///
    /// # Errors
    /// [`Error::Io`] when it is there and cannot be removed.
    pub fn remove(&self, sha256: &str) -> Result<bool, Error> {
        let Some(path) = self.path(sha256) else {
            return Ok(false);
        };
        std::fs::remove_file(&path).map_err(Error::io("remove the original", &path))?;
        Ok(true)
    }

    /// Removes copies that a killed process left unfinished. Call it while nothing is being stored.
    ///
    /// # Errors
    /// [`Error::Io`] when one cannot be removed.
    pub fn sweep(&self) -> Result<(), Error> {
        let Ok(entries) = std::fs::read_dir(&self.folder) else {
            return Ok(());
        };
        for entry in entries.flatten() {
            if entry.file_name().to_string_lossy().starts_with("incoming-") {
                let path = entry.path();
                std::fs::remove_file(&path).map_err(Error::io("remove an unfinished copy", &path))?;
            }
        }
        Ok(())
    }

    fn shelf(&self, sha256: &str) -> Result<PathBuf, Error> {
        let is_hash = sha256.len() == 64 && sha256.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        match sha256.get(..2) {
            Some(first) if is_hash => Ok(self.folder.join(first)),
            _ => Err(Error::Stored { column: "sha256" }),
        }
    }
}

fn copy_verified(source: &Path, copy: &Path, sha256: &str) -> Result<(), Error> {
    let operation = "store the original";
    let mut from = File::open(source).map_err(Error::io(operation, source))?;
    let mut to = File::create(copy).map_err(Error::io(operation, copy))?;
    std::io::copy(&mut from, &mut to).map_err(Error::io(operation, copy))?;
    to.sync_all().map_err(Error::io(operation, copy))?;
    // The copy is hashed, not the source: that one may change at any moment.
    let mut written = File::open(copy).map_err(Error::io(operation, copy))?;
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        let count = written.read(&mut buffer).map_err(Error::io(operation, copy))?;
        let Some(bytes) = buffer.get(..count).filter(|bytes| !bytes.is_empty()) else {
            break;
        };
        hash.update(bytes);
    }
    if hex::encode(hash.finalize()) == sha256 {
        Ok(())
    } else {
        Err(Error::FileChanged)
    }
}

/// What lies in a folder; nothing where it does not exist yet.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    match std::fs::read_dir(folder) {
        Ok(entries) => Ok(entries.flatten().map(|entry| entry.path()).collect()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(Error::io("read", folder)(error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// SHA-256 of "abc".
    const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    #[test]
    fn an_original_outlives_its_source_and_is_found_by_its_hash() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let source = folder.path().join("報告 (最終)_Ⅲ.pdf ");
        std::fs::write(&source, "abc").expect("written");
        let originals = Originals::new(folder.path().join("originals"));
        let path = originals.store(&source, ABC, "../P.D/F").expect("stored");
        assert_eq!(path, folder.path().join(format!("originals/ba/{ABC}.pdf")));
        std::fs::write(&source, "changed in place").expect("written");
        std::fs::remove_file(&source).expect("removed");
        let found = originals.path(ABC).expect("found");
        assert_eq!(std::fs::read(found).expect("readable"), b"abc");
        assert!(originals.remove(ABC).expect("removed"));
        assert!(!originals.remove(ABC).expect("nothing left"));
    }

    #[test]
    fn a_file_that_changes_under_the_copy_is_not_kept() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let source = folder.path().join("a.pdf");
        std::fs::write(&source, "abd").expect("written");
        let originals = Originals::new(folder.path().join("originals"));
        assert!(matches!(originals.store(&source, ABC, "pdf"), Err(Error::FileChanged)));
        assert!(originals.path(ABC).is_none());
        let left: Vec<_> = std::fs::read_dir(folder.path().join("originals"))
            .expect("readable")
            .flatten()
            .filter(|entry| entry.path().is_file())
            .collect();
        assert!(left.is_empty(), "no unfinished copy: {left:?}");
    }

    #[test]
    fn something_that_is_no_hash_never_becomes_a_path() {
        let originals = Originals::new(PathBuf::from("originals"));
        for name in ["../../../../etc/passwd", "", "BA", &ABC.to_uppercase()] {
            assert!(originals.path(name).is_none());
            assert!(originals.store(Path::new("Cargo.toml"), name, "pdf").is_err());
        }
    }
}
