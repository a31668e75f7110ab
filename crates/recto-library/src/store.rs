//! Opening the library and running statements.

use crate::lock::Lock;
use crate::{Error, schema};
use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// How to open a library.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OpenMode {
    /// Take the lock, create what is missing, bring the schema up to date.
    ReadWrite,
    /// Change no byte.
    ReadOnly,
}

/// An open library. All calls block on the database for well under a millisecond, a few at most.
#[derive(Debug)]
pub struct Library {
    folder: PathBuf,
    access: Access,
}

#[derive(Debug)]
enum Access {
    Writer {
        connection: Mutex<Connection>,
        _lock: Lock,
    },
    /// A connection per call: see [`reader`].
    Reader,
}

impl Library {
    /// Opens the library in `folder`.
    ///
    /// A writer creates the folder when missing and puts jobs that a killed engine left behind back into the queue.
    ///
    /// # Errors
    /// [`Error::InUse`] when another process writes to it, [`Error::Missing`] when there is none to read,
    /// [`Error::Schema`] when it was written by another version.
    pub fn open(folder: &Path, mode: OpenMode) -> Result<Self, Error> {
        let library = |access| Self {
            folder: folder.to_owned(),
            access,
        };
        if mode == OpenMode::ReadOnly {
            if !database(folder).is_file() {
                return Err(Error::Missing {
                    path: folder.to_owned(),
                });
            }
            let reader = library(Access::Reader);
            reader.read("read the schema version", |connection| {
                // Older versions only lack tables, and a reader may not add them.
                check_version(connection, |found| (1..=schema::VERSION).contains(&found))
            })?;
            return Ok(reader);
        }
        std::fs::create_dir_all(folder).map_err(|source| Error::Io {
            operation: "create",
            path: folder.to_owned(),
            source,
        })?;
        let lock = Lock::acquire(&folder.join("lock"))?;
        let writer = library(Access::Writer {
            connection: Mutex::new(writer(folder)?),
            _lock: lock,
        });
        writer.requeue_interrupted()?;
        Ok(writer)
    }

    /// Whether `folder` holds a library.
    #[must_use]
    pub fn exists(folder: &Path) -> bool {
        database(folder).is_file()
    }

    /// The library's folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Whether this process may write.
    #[must_use]
    pub fn is_writable(&self) -> bool {
        matches!(self.access, Access::Writer { .. })
    }

    /// Runs the database's own integrity check; empty when all is well.
    ///
    /// # Errors
    /// When the database cannot be read at all.
    pub fn integrity(&self) -> Result<Vec<String>, Error> {
        self.read("check the library", |connection| {
            let mut statement = connection.prepare("PRAGMA integrity_check")?;
            let lines: Vec<String> = statement.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
            Ok(lines.into_iter().filter(|line| line != "ok").collect())
        })
    }

    pub(crate) fn read<T>(
        &self,
        operation: &'static str,
        work: impl FnOnce(&Connection) -> Result<T, StatementError>,
    ) -> Result<T, Error> {
        let result = match &self.access {
            Access::Writer { connection, .. } => work(&connection.lock().unwrap_or_else(PoisonError::into_inner)),
            Access::Reader => work(&reader(&self.folder)?),
        };
        result.map_err(|error| error.during(operation))
    }

    /// Runs `work` in one transaction, committed when it succeeds.
    pub(crate) fn write<T>(
        &self,
        operation: &'static str,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, StatementError>,
    ) -> Result<T, Error> {
        let Access::Writer { connection, .. } = &self.access else {
            return Err(Error::ReadOnly);
        };
        let mut connection = connection.lock().unwrap_or_else(PoisonError::into_inner);
        let transaction = connection
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .map_err(Error::database(operation))?;
        let value = work(&transaction).map_err(|error| error.during(operation))?;
        transaction.commit().map_err(Error::database(operation))?;
        Ok(value)
    }
}

/// What the work inside [`Library::read`] and [`Library::write`] fails with: the database's error, still without the
/// operation's name, or one of ours.
pub(crate) enum StatementError {
    Sqlite(rusqlite::Error),
    Ours(Error),
}

impl StatementError {
    fn during(self, operation: &'static str) -> Error {
        match self {
            Self::Sqlite(source) => Error::Database { operation, source },
            Self::Ours(error) => error,
        }
    }
}

impl From<rusqlite::Error> for StatementError {
    fn from(source: rusqlite::Error) -> Self {
        Self::Sqlite(source)
    }
}

impl From<Error> for StatementError {
    fn from(error: Error) -> Self {
        Self::Ours(error)
    }
}

fn database(folder: &Path) -> PathBuf {
    folder.join("library.db")
}

fn writer(folder: &Path) -> Result<Connection, Error> {
    let open = Error::database;
    let mut connection = Connection::open(database(folder)).map_err(open("open the library"))?;
    // With a write-ahead log, NORMAL loses no committed transaction to a killed process and at most the last moments to a
    // power failure; every job then runs again and finds what it has already done.
    connection
        .pragma_update(None, "journal_mode", "WAL")
        .and_then(|()| connection.pragma_update(None, "synchronous", "NORMAL"))
        .and_then(|()| connection.pragma_update(None, "foreign_keys", true))
        .and_then(|()| connection.busy_timeout(Duration::from_secs(10)))
        .map_err(open("open the library"))?;
    check_version(&connection, |found| found <= schema::VERSION).map_err(|error| error.during("open the library"))?;
    schema::migrations()
        .to_latest(&mut connection)
        .map_err(Error::Migrate)?;
    Ok(connection)
}

/// Opens the database for one short read.
///
/// Even a reading connection creates `-wal` and `-shm` files beside a database in WAL mode. So where there is no
/// `-wal` file, and therefore nothing outside the main file, the database is opened as immutable; the connection lives
/// for one call only, because a writer may come at any time.
fn reader(folder: &Path) -> Result<Connection, Error> {
    let path = database(folder);
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let write_ahead_log = folder.join("library.db-wal");
    let connection = if write_ahead_log.exists() {
        Connection::open_with_flags(&path, flags)
    } else {
        Connection::open_with_flags(immutable_uri(&path), flags | OpenFlags::SQLITE_OPEN_URI)
    }
    .map_err(Error::database("open the library"))?;
    connection
        .busy_timeout(Duration::from_secs(10))
        .map_err(Error::database("open the library"))?;
    Ok(connection)
}

fn immutable_uri(path: &Path) -> String {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut uri = String::from("file:");
    let text = absolute.to_string_lossy().replace('\\', "/");
    if !text.starts_with('/') {
        uri.push('/');
    }
    for byte in text.bytes() {
        match byte {
            b'/' | b':' | b'.' | b'-' | b'_' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => uri.push(char::from(byte)),
            other => uri.push_str(&format!("%{other:02X}")),
        }
    }
    uri.push_str("?immutable=1");
    uri
}

fn check_version(connection: &Connection, fits: impl FnOnce(i64) -> bool) -> Result<(), StatementError> {
    let found: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if fits(found) {
        return Ok(());
    }
    Err(Error::Schema {
        found,
        expected: schema::VERSION,
    }
    .into())
}
