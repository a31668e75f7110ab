//! From files to searchable documents.
//!
//! Three steps run side by side: [`read`] (hash, keep, parse, chunk; as many at a time as there are workers), [`commit`]
//! (batches of finished documents become readable and searchable by words) and [`embed`] (their vectors follow). What a
//! job has reached is in SQLite after every step; a killed engine finds it there and goes on.

mod commit;
mod embed;
mod read;
mod source;
mod vectors;

use crate::Engine;
use crate::blocking::blocking;
use crate::contract::{AddReport, AddedDocument, Changed, DocumentState, FailedFile, QueueReport};
use crate::documents::state_of;
use crate::passwords::Password;
use crate::queue::{file_name, is_done};
use crate::walk;
use recto_collection::{Collection, NewRevision};
use recto_core::{ChunkSource, CollectionName, DocumentId, Error, ErrorCode, Item, Page, Result};
use recto_library::{Enqueued, Job, JobFilter, JobId, NewJob};
use recto_worker::{WorkerPool, WorkerPoolOptions};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::{Notify, mpsc};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// How often a waiting caller looks at the queue when nothing tells it to.
const LOOK_EVERY: Duration = Duration::from_millis(250);
/// Parsed documents that may wait to be committed, on top of those being parsed.
const PARSED_WAITING: usize = 4;

/// Files to add.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AddRequest {
    /// Where they go; created when there is none of that name.
    pub collection: String,
    /// Files and folders.
    pub paths: Vec<PathBuf>,
    /// A title for a single file.
    pub title: Option<String>,
    /// Metadata for each of them.
    pub metadata: BTreeMap<String, String>,
    /// Tags for each of them.
    pub tags: Vec<String>,
    /// Tried for those that are encrypted.
    pub password: Option<Password>,
}

/// What was queued.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Ticket {
    /// Jobs by id.
    pub jobs: Vec<String>,
    /// What could not even be queued.
    pub failed: Vec<FailedFile>,
}

/// What a job needs again when it runs; kept with it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
struct JobOptions {
    title: Option<String>,
    metadata: BTreeMap<String, String>,
    tags: Vec<String>,
}

impl JobOptions {
    fn of(job: &Job) -> Self {
        serde_json::from_str(&job.options).unwrap_or_default()
    }
}

/// The background work of an engine.
pub(crate) struct Ingestion {
    pool_options: WorkerPoolOptions,
    running: Mutex<Option<Running>>,
    cancels: Mutex<HashMap<JobId, CancellationToken>>,
    /// Jobs whose bytes were here already.
    unchanged: Mutex<HashSet<JobId>>,
    wake: Notify,
}

struct Running {
    stop: CancellationToken,
    task: JoinHandle<()>,
}

fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Ingestion {
    pub(crate) fn new(pool_options: WorkerPoolOptions) -> Self {
        Self {
            pool_options,
            running: Mutex::default(),
            cancels: Mutex::default(),
            unchanged: Mutex::default(),
            wake: Notify::new(),
        }
    }

    /// Stops the work on a job, if there is any.
    pub(crate) fn cancel(&self, job: JobId) {
        if let Some(token) = locked(&self.cancels).get(&job) {
            token.cancel();
        }
    }

    /// Tells the loop to look at the queue.
    pub(crate) fn wake(&self) {
        self.wake.notify_one();
    }

    /// Stops the loop; jobs at work go back into the queue without burning an attempt.
    pub(crate) async fn stop(&self, engine: &Engine) {
        let Some(Running { stop, task }) = locked(&self.running).take() else {
            return;
        };
        stop.cancel();
        if task.await.is_err() {
            tracing::error!("the ingestion loop had stopped unexpectedly");
        }
        engine.changed(Changed::Queue);
    }

    fn begin(&self, job: JobId, parent: &CancellationToken) -> CancellationToken {
        let token = parent.child_token();
        locked(&self.cancels).insert(job, token.clone());
        token
    }

    fn end(&self, job: JobId) {
        locked(&self.cancels).remove(&job);
    }
}

impl Engine {
    /// Queues files; folders are walked. A file that waits already is not queued twice; bytes that failed before are
    /// reported at once and not tried again.
    ///
    /// # Errors
    /// `read_only`, or `invalid_argument` for an unusable collection name.
    pub async fn enqueue(&self, request: AddRequest) -> Result<Ticket> {
        self.require_writer()?;
        self.collections_open().get_or_create(&request.collection).await?;
        let AddRequest {
            collection,
            paths,
            title,
            metadata,
            tags,
            password,
        } = request;
        let now = self.clock().now_ms();
        let ticket = self
            .on_library(move |library| {
                let (files, unreachable) = walk::files(&paths);
                let mut ticket = Ticket::default();
                ticket
                    .failed
                    .extend(unreachable.into_iter().map(|unreachable| FailedFile {
                        uri: unreachable.path.to_string_lossy().into_owned(),
                        state: DocumentState::Missing,
                        message: unreachable.reason,
                    }));
                let title = title.filter(|_| files.len() == 1);
                let options = serde_json::to_string(&JobOptions { title, metadata, tags })
                    .map_err(|error| Error::internal(format!("cannot encode a job: {error}")))?;
                for file in files {
                    let Some(uri) = file.to_str().map(str::to_owned) else {
                        ticket.failed.push(FailedFile {
                            uri: file.to_string_lossy().into_owned(),
                            state: DocumentState::Failed,
                            message: "The file's name is not valid Unicode. Rename it and add it again.".into(),
                        });
                        continue;
                    };
                    let job = NewJob {
                        collection: CollectionName(collection.clone()),
                        uri: uri.clone(),
                        options: options.clone(),
                        priority: 0,
                        sha256: None,
                    };
                    match library.enqueue(&job, now)? {
                        Enqueued::New(id) | Enqueued::AlreadyQueued(id) => ticket.jobs.push(id.0.to_string()),
                        Enqueued::FailedBefore(failure) => ticket.failed.push(FailedFile {
                            uri,
                            state: failure.state.into(),
                            message: failure.message,
                        }),
                    }
                }
                Ok(ticket)
            })
            .await?;
        if let Some(password) = password {
            for id in ticket.jobs.iter().filter_map(|id| id.parse().ok()) {
                self.passwords.offer(JobId(id), password.clone());
            }
        }
        self.ingestion().wake();
        self.changed(Changed::Queue);
        Ok(ticket)
    }

    /// Starts working on the queue in the background. Does nothing when that runs already or the library is read-only.
    pub fn start_ingestion(self: &Arc<Self>) {
        let mut running = locked(&self.ingestion().running);
        if running.is_some() || self.is_read_only() {
            return;
        }
        let stop = CancellationToken::new();
        let task = tokio::spawn(work(Arc::clone(self), stop.clone()));
        *running = Some(Running { stop, task });
    }

    /// Waits until the jobs of `ticket` have ended, telling `on_progress` how the queue stands.
    ///
    /// # Errors
    /// `internal` when the library cannot be read.
    pub async fn wait(&self, ticket: &Ticket, on_progress: &mut (dyn FnMut(&QueueReport) + Send)) -> Result<AddReport> {
        let started = Instant::now();
        let wanted: HashSet<JobId> = ticket.jobs.iter().filter_map(|id| id.parse().ok()).map(JobId).collect();
        let mut changes = self.subscribe();
        let jobs = loop {
            on_progress(&self.queue().await?);
            let jobs = self
                .on_library(|library| Ok(library.jobs(&JobFilter::default())?))
                .await?;
            let jobs = with_attachments(jobs, &wanted);
            if !jobs.iter().any(|job| job.state.is_live()) {
                break jobs;
            }
            let is_paused = self.on_library(|library| Ok(library.queue_status()?.paused)).await?;
            if is_paused && !jobs.iter().any(|job| job.claimed) {
                break jobs;
            }
            // Either something changed or some time passed; both mean: look again.
            let _ = tokio::time::timeout(LOOK_EVERY, changes.recv()).await;
        };
        let mut report = AddReport {
            failed: ticket.failed.clone(),
            ..AddReport::default()
        };
        for job in jobs {
            self.report(&job, &mut report).await?;
        }
        report.elapsed_ms = u32::try_from(started.elapsed().as_millis()).unwrap_or(u32::MAX);
        Ok(report)
    }

    async fn report(&self, job: &Job, report: &mut AddReport) -> Result<()> {
        if !is_done(job.state) {
            report.failed.push(FailedFile {
                uri: job.uri.clone(),
                state: job.state.into(),
                message: job
                    .error_message
                    .clone()
                    .unwrap_or_else(|| why_unfinished(job).to_owned()),
            });
            return Ok(());
        }
        let collection = self.collections_open().get(&job.collection.0).await?;
        let snapshot = collection.snapshot().await?;
        // Success is said only of what can be read back.
        let Some(row) = job.document_id.and_then(|id| snapshot.documents.get(&id)) else {
            report.failed.push(FailedFile {
                uri: job.uri.clone(),
                state: DocumentState::Failed,
                message: "The document was deleted while it was added.".to_owned(),
            });
            return Ok(());
        };
        let document = AddedDocument {
            document_id: row.id.to_string(),
            uri: job.uri.clone(),
            title: row.title.clone(),
            page_count: row.page_count,
            state: state_of(row),
        };
        let unchanged = locked(&self.ingestion().unchanged).contains(&job.id);
        if unchanged {
            report.unchanged.push(document);
        } else {
            report.added.push(document);
        }
        Ok(())
    }

    /// Ends a job that failed, or lets it wait for another attempt.
    async fn job_failed(&self, job: JobId, error: Error) {
        let now = self.clock().now_ms();
        let told = self
            .on_library(move |library| {
                let outcome = library.fail(job, &error, now)?;
                tracing::info!(job = job.0, code = %error.code, ?outcome, "a job failed");
                Ok(())
            })
            .await;
        if let Err(error) = told {
            tracing::error!(job = job.0, %error, "cannot record that a job failed");
        }
        // It may be due again, sooner than the loop meant to look.
        self.ingestion().wake();
        self.changed(Changed::Queue);
    }

    /// Puts a job back without burning an attempt.
    async fn job_released(&self, job: JobId, not_before_ms: i64) {
        let now = self.clock().now_ms();
        if let Err(error) = self
            .on_library(move |library| Ok(library.release(job, not_before_ms, now)?))
            .await
        {
            tracing::error!(job = job.0, %error, "cannot put a job back into the queue");
        }
        self.ingestion().wake();
    }
}

/// What a worker has sent of a file.
#[derive(Default)]
struct Parsed {
    pages: Vec<Page>,
    items: Vec<Item>,
}

/// A parsed document on its way to being committed.
struct Commit {
    job: JobId,
    collection: Arc<Collection>,
    revision: NewRevision,
    cancel: CancellationToken,
}

/// A committed document on its way to its vectors.
#[derive(Clone)]
struct Embed {
    job: JobId,
    collection: Arc<Collection>,
    document: DocumentId,
    revision: String,
    cancel: CancellationToken,
}

/// The wanted jobs and those that they made, for files inside their files. Jobs are numbered as they are queued, so what
/// an earlier reading of the same file made has a smaller number.
fn with_attachments(jobs: Vec<Job>, wanted: &HashSet<JobId>) -> Vec<Job> {
    let outer: Vec<(JobId, CollectionName, String)> = jobs
        .iter()
        .filter(|job| wanted.contains(&job.id))
        .map(|job| (job.id, job.collection.clone(), job.uri.clone()))
        .collect();
    let belongs = |job: &Job| {
        let inside = |(id, collection, uri): &(JobId, CollectionName, String)| {
            id.0 < job.id.0 && *collection == job.collection && source::is_inside(&job.uri, uri)
        };
        // Most files have none inside, and most queues are long.
        wanted.contains(&job.id) || (source::depth(&job.uri) > 0 && outer.iter().any(inside))
    };
    jobs.into_iter().filter(belongs).collect()
}

/// What is said of a file that did not become a document and has no error of its own.
fn why_unfinished(job: &Job) -> &'static str {
    if job.state.is_live() {
        "The queue is paused: the file waits until the queue is resumed (recto queue resume)."
    } else {
        "It was stopped."
    }
}

/// Queues the documents whose vectors an earlier engine did not get to, so that none stays half done.
async fn queue_unembedded(engine: &Engine) -> Result<()> {
    for collection in engine.collections_open().available(None).await? {
        let snapshot = collection.snapshot().await?;
        let name = collection.name().clone();
        let places: Vec<String> = snapshot
            .documents
            .into_values()
            .filter(|row| !row.embedded)
            .filter_map(|row| row.locations.into_iter().next())
            .collect();
        let now = engine.clock().now_ms();
        engine
            .on_library(move |library| {
                for uri in places {
                    let (collection, options) = (name.clone(), String::from("{}"));
                    library.enqueue(
                        &NewJob {
                            collection,
                            uri,
                            options,
                            priority: 0,
                            sha256: None,
                        },
                        now,
                    )?;
                }
                Ok(())
            })
            .await?;
    }
    Ok(())
}

/// Works on the queue until told to stop.
async fn work(engine: Arc<Engine>, stop: CancellationToken) {
    if let Err(error) = queue_unembedded(&engine).await {
        tracing::warn!(%error, "cannot look for documents without vectors");
    }
    let pool = WorkerPool::new(engine.ingestion().pool_options.clone());
    let (parsed, to_commit) = mpsc::channel(PARSED_WAITING);
    let (committed, to_embed) = mpsc::channel(engine.settings().ingest.batch_documents.max(1) as usize);
    // Each step ends when the one before it has ended and its channel is empty; a stop makes the steps put jobs back.
    tokio::join!(
        read::feed(&engine, &pool, parsed, committed.clone(), &stop),
        commit::run(&engine, to_commit, committed, &stop),
        embed::run(&engine, to_embed, &stop),
    );
    pool.close_idle().await;
}

/// The title a document gets: the one asked for, the file's own, or its name without the extension.
fn title_of(options: &JobOptions, own: Option<&str>, uri: &str) -> String {
    let own = own.map(str::trim).filter(|title| !title.is_empty());
    if let Some(title) = options.title.as_deref().or(own) {
        return title.to_owned();
    }
    let name = file_name(uri);
    std::path::Path::new(&name)
        .file_stem()
        .map_or_else(|| name.clone(), |stem| stem.to_string_lossy().into_owned())
}

/// What can be retried by itself when the worker or disk was busy; everything else ends the job.
fn io_error(operation: &str, error: &std::io::Error) -> Error {
    match error.kind() {
        std::io::ErrorKind::NotFound => Error::new(
            ErrorCode::NotFound,
            "The file is no longer there. Put it back and retry, or dismiss it.",
        ),
        std::io::ErrorKind::PermissionDenied => Error::new(
            ErrorCode::Damaged,
            "Recto is not allowed to read the file. Change its permissions and retry.",
        ),
        std::io::ErrorKind::StorageFull => Error::transient(
            ErrorCode::DiskFull,
            "There is not enough free space on the library's disk. Free some and it goes on by itself.",
        ),
        kind => Error::transient(ErrorCode::Internal, format!("Recto cannot {operation} ({kind}).")),
    }
}

/// Runs blocking file work with its errors in words.
async fn on_files<T: Send + 'static>(
    operation: &'static str,
    work: impl FnOnce() -> std::io::Result<T> + Send + 'static,
) -> Result<T> {
    blocking(move || work().map_err(|error| io_error(operation, &error))).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_the_one_given_or_the_files_own_or_its_name() {
        let given = JobOptions {
            title: Some("Given".into()),
            ..JobOptions::default()
        };
        assert_eq!(title_of(&given, Some("Own"), "/x/name.pdf"), "Given");
        assert_eq!(title_of(&JobOptions::default(), Some(" Own "), "/x/name.pdf"), "Own");
        assert_eq!(
            title_of(&JobOptions::default(), Some("  "), "/x/name.v2.pdf"),
            "name.v2"
        );
        assert_eq!(
            title_of(&JobOptions::default(), None, "/x/報告 (最終)_Ⅲ.pdf"),
            "報告 (最終)_Ⅲ"
        );
    }
}
