//! The log of the application: ids, counts, durations and codes. Never document text, questions or paths.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tauri::{AppHandle, Manager, Runtime};
use tracing_appender::non_blocking::WorkerGuard;
use tracing_subscriber::EnvFilter;

/// A log file is closed when it has grown to this.
const FILE_LIMIT_BYTES: u64 = 5 * 1024 * 1024;
/// How many files there are, the one being written included.
const FILES: usize = 5;
const NAME: &str = "recto.log";

/// Starts logging into the platform's log folder; where that cannot be written, to standard error. `RECTO_LOG` sets
/// the level. Only Recto's own crates are heard: others may put paths and addresses into theirs.
pub(crate) fn start<R: Runtime>(app: &AppHandle<R>) {
    let level = std::env::var("RECTO_LOG").unwrap_or_else(|_| "info".to_owned());
    let filter = EnvFilter::try_new(format!("off,recto={level}")).unwrap_or_else(|_| EnvFilter::new("off,recto=info"));
    let format = tracing_subscriber::fmt().with_env_filter(filter).with_ansi(false);
    let opened = app
        .path()
        .app_log_dir()
        .map_err(io::Error::other)
        .and_then(|folder| RotatingFile::open(folder.join(NAME), FILE_LIMIT_BYTES));
    let outcome = match opened {
        Ok(file) => {
            let (writer, guard) = tracing_appender::non_blocking(file);
            app.manage(Flush { _guard: guard });
            format.with_writer(writer).try_init()
        }
        Err(_) => format.with_writer(io::stderr).try_init(),
    };
    if let Err(error) = outcome {
        eprintln!("recto: no log: {error}");
    }
}

/// The log in `folder`, the newest file first.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let newest = folder.join(NAME);
    let older = (1..FILES).map(|number| numbered(&newest, number));
    std::iter::once(newest.clone())
        .chain(older)
        .filter(|path| path.is_file())
        .collect()
}

/// Writes what is left when the application lets go of it.
struct Flush {
    _guard: WorkerGuard,
}

/// A file that is renamed to `name.1` when it is full, `name.1` to `name.2` and so on; the oldest is dropped.
struct RotatingFile {
    path: PathBuf,
    file: File,
    written: u64,
    limit: u64,
}

impl RotatingFile {
    fn open(path: PathBuf, limit: u64) -> io::Result<Self> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let file = File::options().create(true).append(true).open(&path)?;
        let written = file.metadata()?.len();
        Ok(Self {
            path,
            file,
            written,
            limit,
        })
    }

    fn rotate(&mut self) -> io::Result<()> {
        for number in (1..FILES - 1).rev() {
            let older = numbered(&self.path, number);
            if older.exists() {
                std::fs::rename(older, numbered(&self.path, number + 1))?;
            }
        }
        std::fs::rename(&self.path, numbered(&self.path, 1))?;
        *self = Self::open(std::mem::take(&mut self.path), self.limit)?;
        Ok(())
    }
}

impl Write for RotatingFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let fits = self.written + bytes.len() as u64 <= self.limit;
        if !fits && self.written > 0 {
            self.rotate()?;
        }
        let count = self.file.write(bytes)?;
        self.written += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

fn numbered(path: &Path, number: usize) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{number}"));
    name.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_log_makes_room_and_five_files_are_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("recto.log");
        let mut log = RotatingFile::open(path.clone(), 10).expect("a log");
        for line in 0..8 {
            writeln!(log, "line {line}.").expect("a line");
        }
        let read = |path: &Path| std::fs::read_to_string(path).expect("a file");
        assert_eq!(read(&path), "line 7.\n");
        assert_eq!(read(&numbered(&path, 4)), "line 3.\n");
        assert!(!numbered(&path, 5).exists(), "the oldest must have gone");
    }

    #[test]
    fn a_log_is_continued_by_the_next_run() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("logs/recto.log");
        for line in ["one", "two"] {
            let mut log = RotatingFile::open(path.clone(), 100).expect("a log");
            writeln!(log, "{line}").expect("a line");
        }
        assert_eq!(std::fs::read_to_string(&path).expect("a file"), "one\ntwo\n");
    }
}
