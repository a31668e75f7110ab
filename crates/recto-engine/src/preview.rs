//! What adding files would do, told before it is done.
//!
//! Names, sizes and dates are all that is looked at: no file is opened, so that files held over a window cost nothing but
//! a walk. What they are is decided by their bytes once they are read; a name can only say that they are surely none of
//! the kinds that are.

use crate::blocking::blocking;
use crate::contract::AddPreview;
use crate::walk;
use crate::{Engine, queue};
use recto_collection::Collection;
use recto_core::{ChunkSource, Result};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, UNIX_EPOCH};
use tokio_util::sync::CancellationToken;

/// How often the counts are told while files are walked.
const TELL_EVERY: Duration = Duration::from_millis(120);
/// Kinds that are named.
const MOST_KINDS: usize = 6;
/// What a collection takes on disk for each byte of its originals, where it has not enough of its own to tell: the original
/// itself, and its words with their boxes, index and vectors. Measured on seven company filings: 47 MB for 4.9 MB.
const USUAL_GROWTH: f64 = 9.0;
/// Least size of originals from which a collection's own growth is taken, bytes: with less, what every collection has
/// weighs too much.
const TELLING_BYTES: u64 = 4_000_000;

/// Endings of files in which there is surely nothing that Recto reads.
const NOT_READ: &[&str] = &[
    "3gp", "7z", "aac", "aiff", "apk", "avi", "avif", "bin", "bz2", "cab", "class", "db", "deb", "dll", "dmg", "dwg",
    "dylib", "eot", "exe", "flac", "flv", "gif", "gz", "heic", "heif", "ico", "iso", "jar", "m4a", "m4v", "mdb", "mid",
    "mkv", "mov", "mp3", "mp4", "mpeg", "mpg", "msi", "numbers", "o", "ogg", "ogv", "opus", "otf", "pages", "parquet",
    "psd", "pst", "pyc", "rar", "rpm", "sketch", "so", "sqlite", "sqlite3", "svgz", "swf", "tar", "tgz", "ttf", "vsd",
    "vsdx", "war", "wasm", "wav", "webm", "wma", "wmv", "woff", "woff2", "xz", "zip", "zst",
];

/// What is known of a file that is in the collection.
struct Known {
    /// Bytes; `None` where its original is not kept.
    size: Option<u64>,
    /// When it was taken in, Unix milliseconds.
    read_at_ms: i64,
}

impl Engine {
    /// Counts what adding `paths` to `collection` would do, telling `on_progress` as counts become known. Stops where it
    /// is when `cancel` is; the counts are then not complete.
    ///
    /// # Errors
    /// `collection_unavailable` when there is a collection of that name that cannot be opened.
    pub async fn preview_add(
        &self,
        collection: &str,
        paths: Vec<PathBuf>,
        cancel: CancellationToken,
        on_progress: impl Fn(AddPreview) + Send + 'static,
    ) -> Result<AddPreview> {
        let known = self.known_places(collection).await?;
        let own_folder = self.folder_of(collection).await?;
        let folder = self.folder().to_owned();
        blocking(move || {
            let growth = own_folder.and_then(|own| growth(&own)).unwrap_or(USUAL_GROWTH);
            let mut counting = Counting::new(known, growth, free_bytes(&folder));
            let mut told = Instant::now();
            walk::each(&paths, &mut |met| {
                match met {
                    Ok(path) => counting.count(&path),
                    Err(_) => counting.preview.unreachable += 1,
                }
                if told.elapsed() >= TELL_EVERY {
                    told = Instant::now();
                    on_progress(counting.so_far());
                }
                if cancel.is_cancelled() {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            });
            let mut preview = counting.so_far();
            preview.complete = !cancel.is_cancelled();
            Ok(preview)
        })
        .await
    }

    /// Where a collection is, where there is one of that name.
    async fn folder_of(&self, name: &str) -> Result<Option<PathBuf>> {
        let entries = self.collections_open().entries().await?;
        let entry = entries.into_iter().find(|entry| entry.name.0 == name);
        let library = self.library();
        Ok(entry.and_then(|entry| Some(library?.collection_folder(&entry))))
    }

    /// The places of a collection's documents, and those that wait in the queue; none where there is no such collection.
    async fn known_places(&self, name: &str) -> Result<HashMap<String, Known>> {
        let mut known = HashMap::new();
        let entries = self.collections_open().entries().await?;
        if entries.iter().all(|entry| entry.name.0 != name) {
            return Ok(known);
        }
        let collection = self.collections_open().get(name).await?;
        for job in self.jobs_of(&collection).await? {
            if !queue::is_done(job.state) && job.state.is_live() {
                let read_at_ms = i64::MAX;
                known.insert(job.uri, Known { size: None, read_at_ms });
            }
        }
        let snapshot = collection.snapshot().await?;
        blocking(move || {
            for row in snapshot.documents.into_values() {
                let size = size_of_original(&collection, &row.sha256);
                let read_at = chrono::DateTime::parse_from_rfc3339(&row.updated_at);
                let read_at_ms = read_at.map_or(i64::MIN, |moment| moment.timestamp_millis());
                for place in row.locations.into_iter().chain([row.uri]) {
                    known.entry(place).or_insert(Known { size, read_at_ms });
                }
            }
            Ok(known)
        })
        .await
    }
}

fn size_of_original(collection: &Collection, sha256: &str) -> Option<u64> {
    let path = collection.originals().path(sha256)?;
    Some(std::fs::metadata(path).ok()?.len())
}

/// The counts as they grow.
struct Counting {
    /// Bytes on disk for each byte of a file.
    growth: f64,
    known: HashMap<String, Known>,
    kinds: BTreeMap<String, u32>,
    preview: AddPreview,
}

impl Counting {
    fn new(known: HashMap<String, Known>, growth: f64, free_bytes: Option<u64>) -> Self {
        Self {
            growth,
            known,
            kinds: BTreeMap::new(),
            preview: AddPreview {
                free_bytes,
                ..AddPreview::default()
            },
        }
    }

    fn count(&mut self, path: &Path) {
        let Ok(metadata) = std::fs::metadata(path) else {
            self.preview.unreachable += 1;
            return;
        };
        let known = path.to_str().and_then(|path| self.known.get(path));
        if known.is_some_and(|known| is_unchanged(known, &metadata)) {
            self.preview.already_here += 1;
        } else if let Some(kind) = surely_not_read(path) {
            self.preview.unsupported += 1;
            *self.kinds.entry(kind).or_default() += 1;
        } else {
            self.preview.files += 1;
            self.preview.bytes += metadata.len();
        }
    }

    fn so_far(&self) -> AddPreview {
        let by_count: BTreeSet<_> = self
            .kinds
            .iter()
            .map(|(kind, count)| (std::cmp::Reverse(count), kind))
            .collect();
        let mut preview = self.preview.clone();
        preview.unsupported_kinds = by_count
            .into_iter()
            .take(MOST_KINDS)
            .map(|(_, kind)| kind.clone())
            .collect();
        preview.needed_bytes = (preview.bytes as f64 * self.growth) as u64;
        preview
    }
}

/// What a collection takes on disk for each byte of its originals, where it has enough of them to tell.
fn growth(collection: &Path) -> Option<f64> {
    let originals = size_below(&collection.join("originals"));
    let all = size_below(collection);
    (originals >= TELLING_BYTES).then(|| (all as f64 / originals as f64).max(1.0))
}

fn size_below(folder: &Path) -> u64 {
    let files = walkdir::WalkDir::new(folder).into_iter().flatten();
    files
        .filter_map(|entry| entry.metadata().ok().filter(std::fs::Metadata::is_file))
        .map(|metadata| metadata.len())
        .sum()
}

/// Whether a file is as it was when it was read: as large, and not written since.
fn is_unchanged(known: &Known, metadata: &std::fs::Metadata) -> bool {
    let written = metadata
        .modified()
        .ok()
        .and_then(|at| at.duration_since(UNIX_EPOCH).ok());
    let written_ms = written.and_then(|at| i64::try_from(at.as_millis()).ok());
    known.size.is_none_or(|size| size == metadata.len())
        && written_ms.is_some_and(|written_ms| written_ms <= known.read_at_ms)
}

/// The ending of a file that is surely of no kind that is read.
fn surely_not_read(path: &Path) -> Option<String> {
    let ending = path.extension()?.to_str()?.to_lowercase();
    NOT_READ.contains(&ending.as_str()).then_some(ending)
}

/// Bytes that are free for us on the disk `folder` is on, or will be.
fn free_bytes(folder: &Path) -> Option<u64> {
    let there = folder.ancestors().find(|ancestor| ancestor.exists())?;
    free_on_disk(there)
}

#[cfg(unix)]
fn free_on_disk(folder: &Path) -> Option<u64> {
    let disk = rustix::fs::statvfs(folder).ok()?;
    disk.f_bavail.checked_mul(disk.f_frsize)
}

#[cfg(not(unix))]
fn free_on_disk(_folder: &Path) -> Option<u64> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_that_are_not_read_are_told_by_their_endings_whatever_their_case() {
        assert_eq!(surely_not_read(Path::new("/a/film.MP4")).as_deref(), Some("mp4"));
        for read in [
            "/a/report.pdf",
            "/a/letter",
            "/a/notes.txt",
            "/a/scan.tiff",
            "/a/mail.eml",
            "/a/x.svg",
        ] {
            assert_eq!(surely_not_read(Path::new(read)), None, "{read}");
        }
    }

    #[test]
    fn the_most_frequent_kinds_come_first() {
        let mut counting = Counting::new(HashMap::new(), USUAL_GROWTH, None);
        for (kind, count) in [("zip", 1), ("mp4", 3), ("exe", 1)] {
            counting.kinds.insert(kind.to_owned(), count);
        }
        assert_eq!(counting.so_far().unsupported_kinds, ["mp4", "exe", "zip"]);
    }

    #[test]
    fn a_collection_tells_its_own_growth_once_it_has_enough() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::create_dir_all(folder.path().join("originals/ab")).expect("folders");
        std::fs::create_dir_all(folder.path().join("db.lance")).expect("folders");
        std::fs::write(folder.path().join("db.lance/rows"), vec![0; 6_000_000]).expect("a file");
        std::fs::write(folder.path().join("originals/ab/small"), vec![0; 1_000_000]).expect("a file");
        assert_eq!(growth(folder.path()), None);
        std::fs::write(folder.path().join("originals/ab/large"), vec![0; 3_000_000]).expect("a file");
        assert_eq!(growth(folder.path()), Some(2.5));
    }

    #[cfg(unix)]
    #[test]
    fn the_free_space_is_told_also_where_the_library_will_be() {
        let folder = tempfile::tempdir().expect("a folder");
        let free = free_bytes(&folder.path().join("not/there/yet")).expect("known");
        assert!(free > 0);
    }
}
