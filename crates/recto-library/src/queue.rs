//! The ingestion queue: one job per place in a collection, from "add this" to an end state.
//!
//! A job is claimed by the one engine that holds the library's lock. An attempt that the engine itself breaks off
//! ([`Library::release`], or being killed) does not count; one that fails and may pass by itself is repeated
//! [`TRANSIENT_RETRIES`] times with growing pauses; any other failure ends the job at once, and where the bytes are to
//! blame they are remembered by their hash.
//!
//! A job's standing is read from its row and nowhere else, so what is shown never depends on messages that were lost.

use crate::store::StatementError;
use crate::{Error, Library, State};
use recto_core::{CollectionName, DocumentId, ErrorCode};
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension, Row, params, params_from_iter};

/// Number of repetitions of an attempt that failed for a passing reason.
pub const TRANSIENT_RETRIES: u32 = 5;

/// Pause before each repetition, in milliseconds.
const BACK_OFF_MS: [i64; TRANSIENT_RETRIES as usize] = [2_000, 7_000, 25_000, 85_000, 300_000];

/// Identifies a job; later jobs have higher ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JobId(pub i64);

/// What is asked for when a job is put into the queue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewJob {
    /// Where the document goes.
    pub collection: CollectionName,
    /// Where the file is. Data only: it is compared, stored and shown.
    pub uri: String,
    /// Whatever the caller needs again when the job runs (title, metadata), as JSON. Never a password.
    pub options: String,
    /// Higher goes first.
    pub priority: i32,
    /// SHA-256 of the bytes, hexadecimal, where it is already known.
    pub sha256: Option<String>,
}

/// What became of a request to queue a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Enqueued {
    /// There is a new job.
    New(JobId),
    /// The place already has a live job; nothing was added.
    AlreadyQueued(JobId),
    /// These bytes failed before and nothing was added. [`Library::forget_failure`] clears the memory.
    FailedBefore(Failure),
}

/// A remembered failure of certain bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The end state.
    pub state: State,
    /// The code.
    pub code: String,
    /// The sentence for the person.
    pub message: String,
    /// Unix milliseconds.
    pub failed_at_ms: i64,
}

/// What a job learns when it has hashed its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Identity {
    /// No other job is at work on these bytes; they are this job's until it ends.
    Mine,
    /// Another claimed job of the collection has the same bytes. Release this one until that ends: then the document
    /// exists and this place becomes a location of it.
    HeldBy(JobId),
    /// These bytes failed before: the job has ended the same way.
    FailedBefore(Failure),
    /// The job was cancelled or removed meanwhile.
    Gone,
}

/// A job as it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    /// Its id.
    pub id: JobId,
    /// Where the document goes.
    pub collection: CollectionName,
    /// Where the file is.
    pub uri: String,
    /// As given in [`NewJob::options`].
    pub options: String,
    /// Where it stands.
    pub state: State,
    /// An engine is at work on it.
    pub claimed: bool,
    /// Held back by the person.
    pub paused: bool,
    /// Higher goes first.
    pub priority: i32,
    /// Attempts begun, this one included; those broken off by the engine do not count.
    pub attempts: u32,
    /// Not before this moment, Unix milliseconds.
    pub retry_at_ms: i64,
    /// Units (pages, chunks) of the current state that are done.
    pub done: u32,
    /// Units in all; 0 while unknown.
    pub total: u32,
    /// SHA-256 of the bytes, once known.
    pub sha256: Option<String>,
    /// The document, once it has an id.
    pub document_id: Option<DocumentId>,
    /// The last error's code.
    pub error_code: Option<String>,
    /// The last error's sentence.
    pub error_message: Option<String>,
    /// When it was queued, Unix milliseconds.
    pub created_at_ms: i64,
    /// When it last changed, Unix milliseconds.
    pub updated_at_ms: i64,
}

/// Which jobs to list. Every given condition must hold.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct JobFilter {
    /// Of this collection.
    pub collection: Option<CollectionName>,
    /// For this place.
    pub uri: Option<String>,
    /// In one of these states; empty means any.
    pub states: Vec<State>,
    /// At most this many.
    pub limit: Option<u32>,
}

/// What happened to a job whose attempt failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// It will be tried again at this moment, Unix milliseconds.
    Again {
        /// The moment.
        at_ms: i64,
    },
    /// It has ended in this state.
    Ended(State),
    /// It was cancelled or removed meanwhile.
    Gone,
}

/// The queue as a whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueueStatus {
    /// Nothing is claimed while paused.
    pub paused: bool,
    /// Why, in a sentence for the person.
    pub reason: Option<String>,
    /// Jobs waiting.
    pub waiting: u32,
    /// Jobs at work.
    pub running: u32,
}

impl Library {
    /// Puts a file into the queue, replacing an ended job for the same place.
    ///
    /// # Errors
    /// [`Error::UnknownCollection`] or [`Error::ReadOnly`].
    pub fn enqueue(&self, job: &NewJob, now_ms: i64) -> Result<Enqueued, Error> {
        self.write("queue a file", |transaction| {
            require_collection(transaction, &job.collection)?;
            let live = transaction
                .query_row(
                    &format!("SELECT id FROM jobs WHERE collection = ?1 AND uri = ?2 AND {IS_LIVE}"),
                    [&job.collection.0, &job.uri],
                    |row| row.get(0).map(JobId),
                )
                .optional()?;
            if let Some(live) = live {
                return Ok(Enqueued::AlreadyQueued(live));
            }
            if let Some(sha256) = &job.sha256
                && let Some(failure) = failure(transaction, &job.collection, sha256)?
            {
                return Ok(Enqueued::FailedBefore(failure));
            }
            transaction.execute(
                "DELETE FROM jobs WHERE collection = ?1 AND uri = ?2",
                [&job.collection.0, &job.uri],
            )?;
            let id = transaction.query_row(
                "INSERT INTO jobs (collection, uri, options, state, priority, sha256, created_at, updated_at)
                 VALUES (?1, ?2, ?3, 'queued', ?4, ?5, ?6, ?6) RETURNING id",
                params![job.collection.0, job.uri, job.options, job.priority, job.sha256, now_ms],
                |row| row.get(0).map(JobId),
            )?;
            Ok(Enqueued::New(id))
        })
    }

    /// Claims up to `limit` jobs whose turn it is: highest priority first, then in the order they were queued.
    /// Empty while the queue is paused.
    ///
    /// # Errors
    /// [`Error::ReadOnly`], or when the database fails.
    pub fn claim(&self, limit: u32, now_ms: i64) -> Result<Vec<Job>, Error> {
        self.write("claim jobs", |transaction| {
            let mut statement = transaction.prepare(&format!(
                "UPDATE jobs SET state = 'reading', claimed = 1, attempts = attempts + 1, done = 0, total = 0,
                        updated_at = ?2
                 WHERE id IN (SELECT id FROM jobs
                              WHERE state = 'queued' AND paused = 0 AND retry_at <= ?2
                                AND (SELECT paused FROM queue) = 0
                              ORDER BY priority DESC, id LIMIT ?1)
                 RETURNING {COLUMNS}"
            ))?;
            let mut jobs: Vec<Job> = statement
                .query_map(params![limit, now_ms], job)?
                .collect::<Result<_, _>>()?;
            jobs.sort_by_key(|job| (std::cmp::Reverse(job.priority), job.id));
            Ok(jobs)
        })
    }

    /// When the next waiting job may be claimed, Unix milliseconds; `None` when none waits or the queue is paused.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn next_turn(&self) -> Result<Option<i64>, Error> {
        self.read("look for the next job", |connection| {
            let next = connection.query_row(
                "SELECT min(retry_at) FROM jobs
                 WHERE state = 'queued' AND paused = 0 AND (SELECT paused FROM queue) = 0",
                [],
                |row| row.get(0),
            )?;
            Ok(next)
        })
    }

    /// Records the hash of a claimed job's bytes, and says whether the job may go on with them.
    ///
    /// # Errors
    /// [`Error::ReadOnly`], or when the database fails.
    pub fn identify(&self, id: JobId, sha256: &str, now_ms: i64) -> Result<Identity, Error> {
        self.write("identify a file", |transaction| {
            let Some(job) = claimed(transaction, id)? else {
                return Ok(Identity::Gone);
            };
            if let Some(failure) = failure(transaction, &job.collection, sha256)? {
                transaction.execute("UPDATE jobs SET sha256 = ?2 WHERE id = ?1", params![id.0, sha256])?;
                end(
                    transaction,
                    id,
                    failure.state,
                    Some((&failure.code, &failure.message)),
                    now_ms,
                )?;
                return Ok(Identity::FailedBefore(failure));
            }
            let holder = transaction
                .query_row(
                    "SELECT id FROM jobs WHERE collection = ?1 AND sha256 = ?2 AND claimed = 1 AND id <> ?3",
                    params![job.collection.0, sha256, id.0],
                    |row| row.get(0).map(JobId),
                )
                .optional()?;
            if let Some(holder) = holder {
                return Ok(Identity::HeldBy(holder));
            }
            transaction.execute(
                "UPDATE jobs SET sha256 = ?2, updated_at = ?3 WHERE id = ?1",
                params![id.0, sha256, now_ms],
            )?;
            Ok(Identity::Mine)
        })
    }

    /// Records how far a claimed job is. `state` is a live one other than queued. Returns false when the job was
    /// cancelled or removed meanwhile: then the caller stops.
    ///
    /// # Errors
    /// [`Error::ReadOnly`], or when the database fails.
    pub fn progress(&self, id: JobId, state: State, done: u32, total: u32, now_ms: i64) -> Result<bool, Error> {
        debug_assert!(state.is_live() && state != State::Queued, "progress reports work");
        self.write("record progress", |transaction| {
            let changed = transaction.execute(
                "UPDATE jobs SET state = ?2, done = ?3, total = ?4, updated_at = ?5 WHERE id = ?1 AND claimed = 1",
                params![id.0, state.as_str(), done, total, now_ms],
            )?;
            Ok(changed == 1)
        })
    }

    /// Records the document a claimed job writes. Returns false when the job was cancelled or removed meanwhile.
    ///
    /// # Errors
    /// [`Error::ReadOnly`], or when the database fails.
    pub fn assign_document(&self, id: JobId, document: DocumentId) -> Result<bool, Error> {
        self.write("assign a document", |transaction| {
            let changed = transaction.execute(
                "UPDATE jobs SET document_id = ?2 WHERE id = ?1 AND claimed = 1",
                params![id.0, document.to_string()],
            )?;
            Ok(changed == 1)
        })
    }

    /// Puts a claimed job back without counting the attempt, to be claimed again from `not_before_ms` on.
    ///
    /// # Errors
    /// [`Error::ReadOnly`], or when the database fails.
    pub fn release(&self, id: JobId, not_before_ms: i64, now_ms: i64) -> Result<(), Error> {
        self.write("release a job", |transaction| {
            transaction.execute(
                &format!("{REQUEUE}, retry_at = ?2, updated_at = ?3 WHERE id = ?1 AND claimed = 1"),
                params![id.0, not_before_ms, now_ms],
            )?;
            Ok(())
        })
    }

    /// Ends a claimed job well: call it only after the document is committed. `state` is ready or ready with gaps.
    /// Returns false when the job was cancelled or removed meanwhile.
    ///
    /// # Errors
    /// [`Error::ReadOnly`], or when the database fails.
    pub fn finish(&self, id: JobId, state: State, now_ms: i64) -> Result<bool, Error> {
        debug_assert!(
            matches!(state, State::Ready | State::ReadyWithGaps),
            "finishing is success"
        );
        self.write("finish a job", |transaction| {
            if claimed(transaction, id)?.is_none() {
                return Ok(false);
            }
            end(transaction, id, state, None, now_ms)?;
            Ok(true)
        })
    }

    /// Records that a claimed job's attempt failed, and decides what follows.
    ///
    /// # Errors
    /// [`Error::ReadOnly`], or when the database fails.
    pub fn fail(&self, id: JobId, error: &recto_core::Error, now_ms: i64) -> Result<Outcome, Error> {
        self.write("record a failure", |transaction| {
            let Some(job) = claimed(transaction, id)? else {
                return Ok(Outcome::Gone);
            };
            let reason = (error.code.as_str(), error.message.as_str());
            let pause = usize::try_from(job.attempts.saturating_sub(1))
                .ok()
                .and_then(|failed_before| BACK_OFF_MS.get(failed_before));
            if error.retryable
                && let Some(pause) = pause
            {
                let at_ms = now_ms + pause;
                transaction.execute(
                    "UPDATE jobs SET state = 'queued', claimed = 0, done = 0, total = 0, retry_at = ?2,
                            error_code = ?3, error_message = ?4, updated_at = ?5
                     WHERE id = ?1",
                    params![id.0, at_ms, reason.0, reason.1, now_ms],
                )?;
                return Ok(Outcome::Again { at_ms });
            }
            let state = if error.retryable {
                State::Failed
            } else {
                State::of_failure(error.code)
            };
            end(transaction, id, state, Some(reason), now_ms)?;
            if state.blames_the_bytes()
                && let Some(sha256) = &job.sha256
            {
                transaction.execute(
                    "INSERT OR REPLACE INTO failures (collection, sha256, code, message, failed_at)
                     VALUES (?1, ?2, ?3, ?4, ?5)",
                    params![job.collection.0, sha256, reason.0, reason.1, now_ms],
                )?;
            }
            Ok(Outcome::Ended(state))
        })
    }

    /// Queues an ended job again at the person's wish: attempts start from zero and its bytes' failure is forgotten.
    /// Returns false when the job is live or unknown.
    ///
    /// # Errors
    /// [`Error::ReadOnly`], or when the database fails.
    pub fn retry(&self, id: JobId, now_ms: i64) -> Result<bool, Error> {
        self.write("retry a job", |transaction| {
            let Some(job) = find(transaction, id)?.filter(|job| !job.state.is_live()) else {
                return Ok(false);
            };
            if let Some(sha256) = &job.sha256 {
                transaction.execute(
                    "DELETE FROM failures WHERE collection = ?1 AND sha256 = ?2",
                    [&job.collection.0, sha256],
                )?;
            }
            transaction.execute(
                "UPDATE jobs SET state = 'queued', attempts = 0, retry_at = 0, paused = 0, done = 0, total = 0,
                        error_code = NULL, error_message = NULL, updated_at = ?2
                 WHERE id = ?1",
                params![id.0, now_ms],
            )?;
            Ok(true)
        })
    }

    /// Cancels a live job at once. Where an engine is at work on it, its next report is answered with "gone". Returns
    /// false when the job is not live.
    ///
    /// # Errors
    /// [`Error::ReadOnly`], or when the database fails.
    pub fn cancel(&self, id: JobId, now_ms: i64) -> Result<bool, Error> {
        self.write("cancel a job", |transaction| {
            if find(transaction, id)?.is_none_or(|job| !job.state.is_live()) {
                return Ok(false);
            }
            let reason = (ErrorCode::Cancelled.as_str(), "Cancelled.");
            end(transaction, id, State::Cancelled, Some(reason), now_ms)?;
            Ok(true)
        })
    }

    /// Takes a job out of the queue whatever its state. Returns the job as it was; when it was claimed, the caller
    /// stops the work and removes what it wrote.
    ///
    /// # Errors
    /// [`Error::ReadOnly`], or when the database fails.
    pub fn remove_job(&self, id: JobId) -> Result<Option<Job>, Error> {
        self.write("remove a job", |transaction| {
            let removed = transaction
                .query_row(
                    &format!("DELETE FROM jobs WHERE id = ?1 RETURNING {COLUMNS}"),
                    [id.0],
                    job,
                )
                .optional()?;
            Ok(removed)
        })
    }

    /// Takes the ended jobs of a document out of the queue: used when the document is deleted.
    ///
    /// # Errors
    /// [`Error::ReadOnly`], or when the database fails.
    pub fn remove_jobs_of_document(&self, collection: &CollectionName, document: DocumentId) -> Result<u32, Error> {
        self.write("remove the jobs of a document", |transaction| {
            let removed = transaction.execute(
                "DELETE FROM jobs WHERE collection = ?1 AND document_id = ?2 AND claimed = 0",
                [&collection.0, &document.to_string()],
            )?;
            Ok(u32::try_from(removed).unwrap_or(u32::MAX))
        })
    }

    /// Holds a waiting job back, or lets it go on.
    ///
    /// # Errors
    /// [`Error::ReadOnly`], or when the database fails.
    pub fn set_paused(&self, id: JobId, paused: bool, now_ms: i64) -> Result<(), Error> {
        self.write("pause a job", |transaction| {
            transaction.execute(
                "UPDATE jobs SET paused = ?2, updated_at = ?3 WHERE id = ?1",
                params![id.0, paused, now_ms],
            )?;
            Ok(())
        })
    }

    /// Lets a waiting job run before all others that wait. Returns false when it does not wait.
    ///
    /// # Errors
    /// [`Error::ReadOnly`], or when the database fails.
    pub fn move_to_front(&self, id: JobId, now_ms: i64) -> Result<bool, Error> {
        self.write("move a job to the front", |transaction| {
            let moved = transaction.execute(
                "UPDATE jobs SET updated_at = ?2, priority =
                        (SELECT coalesce(max(priority), 0) + 1 FROM jobs WHERE state = 'queued' AND id <> ?1)
                 WHERE id = ?1 AND state = 'queued'",
                params![id.0, now_ms],
            )?;
            Ok(moved == 1)
        })
    }

    /// Changes a job's priority; higher goes first.
    ///
    /// # Errors
    /// [`Error::ReadOnly`], or when the database fails.
    pub fn set_priority(&self, id: JobId, priority: i32, now_ms: i64) -> Result<(), Error> {
        self.write("change a job's priority", |transaction| {
            transaction.execute(
                "UPDATE jobs SET priority = ?2, updated_at = ?3 WHERE id = ?1",
                params![id.0, priority, now_ms],
            )?;
            Ok(())
        })
    }

    /// Stops the claiming of jobs, giving the person a reason, until [`Self::resume_queue`].
    ///
    /// # Errors
    /// [`Error::ReadOnly`], or when the database fails.
    pub fn pause_queue(&self, reason: &str) -> Result<(), Error> {
        self.write("pause the queue", |transaction| {
            transaction.execute("UPDATE queue SET paused = 1, reason = ?1", [reason])?;
            Ok(())
        })
    }

    /// Lets jobs be claimed again.
    ///
    /// # Errors
    /// [`Error::ReadOnly`], or when the database fails.
    pub fn resume_queue(&self) -> Result<(), Error> {
        self.write("resume the queue", |transaction| {
            transaction.execute("UPDATE queue SET paused = 0, reason = NULL", [])?;
            Ok(())
        })
    }

    /// The queue as a whole.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn queue_status(&self) -> Result<QueueStatus, Error> {
        self.read("read the queue", |connection| {
            let status = connection.query_row(
                "SELECT paused, reason, (SELECT count(*) FROM jobs WHERE state = 'queued'),
                        (SELECT count(*) FROM jobs WHERE claimed = 1)
                 FROM queue",
                [],
                |row| {
                    Ok(QueueStatus {
                        paused: row.get(0)?,
                        reason: row.get(1)?,
                        waiting: row.get(2)?,
                        running: row.get(3)?,
                    })
                },
            )?;
            Ok(status)
        })
    }

    /// Jobs in the order of their turn: at work, waiting, ended.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn jobs(&self, filter: &JobFilter) -> Result<Vec<Job>, Error> {
        let mut conditions = vec!["1".to_owned()];
        let mut values: Vec<Value> = Vec::new();
        if let Some(collection) = &filter.collection {
            values.push(collection.0.clone().into());
            conditions.push("collection = ?".to_owned());
        }
        if let Some(uri) = &filter.uri {
            values.push(uri.clone().into());
            conditions.push("uri = ?".to_owned());
        }
        if !filter.states.is_empty() {
            values.extend(filter.states.iter().map(|state| state.as_str().to_owned().into()));
            conditions.push(format!("state IN ({})", vec!["?"; filter.states.len()].join(", ")));
        }
        values.push(filter.limit.map_or(-1, i64::from).into());
        let query = format!(
            "SELECT {COLUMNS} FROM jobs WHERE {}
             ORDER BY claimed DESC, state <> 'queued', priority DESC, id LIMIT ?",
            conditions.join(" AND ")
        );
        self.read("list jobs", |connection| {
            let mut statement = connection.prepare(&query)?;
            let jobs = statement
                .query_map(params_from_iter(values), job)?
                .collect::<Result<_, _>>()?;
            Ok(jobs)
        })
    }

    /// The job with that id.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn job(&self, id: JobId) -> Result<Option<Job>, Error> {
        self.read("look up a job", |connection| Ok(find(connection, id)?))
    }

    /// How these bytes failed before, if they did.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn remembered_failure(&self, collection: &CollectionName, sha256: &str) -> Result<Option<Failure>, Error> {
        self.read("look up a failure", |connection| {
            Ok(failure(connection, collection, sha256)?)
        })
    }

    /// Forgets that these bytes failed.
    ///
    /// # Errors
    /// [`Error::ReadOnly`], or when the database fails.
    pub fn forget_failure(&self, collection: &CollectionName, sha256: &str) -> Result<(), Error> {
        self.write("forget a failure", |transaction| {
            transaction.execute(
                "DELETE FROM failures WHERE collection = ?1 AND sha256 = ?2",
                [&collection.0, sha256],
            )?;
            Ok(())
        })
    }

    /// Puts back what an engine that was killed had claimed. Whoever calls this holds the lock, so no other engine can
    /// be at work on those jobs.
    pub(crate) fn requeue_interrupted(&self) -> Result<(), Error> {
        self.write("resume the queue after a kill", |transaction| {
            transaction.execute(&format!("{REQUEUE} WHERE claimed = 1"), [])?;
            Ok(())
        })
    }
}

const COLUMNS: &str = "id, collection, uri, options, state, claimed, paused, priority, attempts, retry_at, done, total,
     sha256, document_id, error_code, error_message, created_at, updated_at";

const IS_LIVE: &str = "state IN ('queued', 'reading', 'ocr', 'indexing', 'embedding')";

const REQUEUE: &str =
    "UPDATE jobs SET state = 'queued', claimed = 0, attempts = max(attempts - 1, 0), done = 0, total = 0";

fn job(row: &Row<'_>) -> rusqlite::Result<Job> {
    let state: String = row.get(4)?;
    let document: Option<String> = row.get(13)?;
    Ok(Job {
        id: JobId(row.get(0)?),
        collection: CollectionName(row.get(1)?),
        uri: row.get(2)?,
        options: row.get(3)?,
        state: State::parse(&state).ok_or_else(|| malformed(4, "state"))?,
        claimed: row.get(5)?,
        paused: row.get(6)?,
        priority: row.get(7)?,
        attempts: row.get(8)?,
        retry_at_ms: row.get(9)?,
        done: row.get(10)?,
        total: row.get(11)?,
        sha256: row.get(12)?,
        document_id: document
            .map(|id| id.parse().map_err(|_| malformed(13, "document_id")))
            .transpose()?,
        error_code: row.get(14)?,
        error_message: row.get(15)?,
        created_at_ms: row.get(16)?,
        updated_at_ms: row.get(17)?,
    })
}

fn malformed(column: usize, name: &str) -> rusqlite::Error {
    rusqlite::Error::InvalidColumnType(column, name.to_owned(), rusqlite::types::Type::Text)
}

fn find(connection: &Connection, id: JobId) -> rusqlite::Result<Option<Job>> {
    connection
        .query_row(&format!("SELECT {COLUMNS} FROM jobs WHERE id = ?1"), [id.0], job)
        .optional()
}

fn claimed(connection: &Connection, id: JobId) -> rusqlite::Result<Option<Job>> {
    Ok(find(connection, id)?.filter(|job| job.claimed))
}

fn end(
    connection: &Connection,
    id: JobId,
    state: State,
    reason: Option<(&str, &str)>,
    now_ms: i64,
) -> rusqlite::Result<()> {
    let (code, message) = reason.unzip();
    connection.execute(
        "UPDATE jobs SET state = ?2, claimed = 0, paused = 0, retry_at = 0, done = 0, total = 0,
                error_code = ?3, error_message = ?4, updated_at = ?5
         WHERE id = ?1",
        params![id.0, state.as_str(), code, message, now_ms],
    )?;
    Ok(())
}

fn failure(connection: &Connection, collection: &CollectionName, sha256: &str) -> rusqlite::Result<Option<Failure>> {
    connection
        .query_row(
            "SELECT code, message, failed_at FROM failures WHERE collection = ?1 AND sha256 = ?2",
            [&collection.0, sha256],
            |row| {
                let code: String = row.get(0)?;
                Ok(Failure {
                    state: state_of_code(&code),
                    code,
                    message: row.get(1)?,
                    failed_at_ms: row.get(2)?,
                })
            },
        )
        .optional()
}

fn state_of_code(code: &str) -> State {
    [
        ErrorCode::PasswordRequired,
        ErrorCode::Damaged,
        ErrorCode::UnsupportedType,
        ErrorCode::Empty,
        ErrorCode::TooLarge,
        ErrorCode::TimedOut,
        ErrorCode::OutOfMemory,
    ]
    .into_iter()
    .find(|known| known.as_str() == code)
    .map_or(State::Failed, State::of_failure)
}

fn require_collection(connection: &Connection, name: &CollectionName) -> Result<(), StatementError> {
    let known: bool = connection.query_row(
        "SELECT EXISTS (SELECT 1 FROM collections WHERE name = ?1)",
        [&name.0],
        |row| row.get(0),
    )?;
    if known {
        return Ok(());
    }
    Err(Error::UnknownCollection { name: name.0.clone() }.into())
}
