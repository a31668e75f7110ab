//! The ingestion queue as the app and the command line see and steer it.

use crate::Engine;
use crate::blocking::blocking;
use crate::contract::{Changed, DocumentState, QueueJob, QueueReport};
use recto_core::{Error, ErrorCode, Result};
use recto_library::{Job, JobFilter, JobId, Library, State};

impl From<State> for DocumentState {
    fn from(state: State) -> Self {
        match state {
            State::Queued => Self::Queued,
            State::Reading => Self::Reading,
            State::Ocr => Self::Ocr,
            State::Indexing => Self::Indexing,
            State::Embedding => Self::Embedding,
            State::Ready => Self::Ready,
            State::ReadyWithGaps => Self::ReadyWithGaps,
            State::NeedsPassword => Self::NeedsPassword,
            State::Damaged => Self::Damaged,
            State::Unsupported => Self::Unsupported,
            State::Empty => Self::Empty,
            State::TooLarge => Self::TooLarge,
            State::TimedOut => Self::TimedOut,
            State::OutOfMemory => Self::OutOfMemory,
            State::Failed => Self::Failed,
            State::Cancelled => Self::Cancelled,
            State::Missing => Self::Missing,
        }
    }
}

/// Whether the job ended with a document.
pub(crate) fn is_done(state: State) -> bool {
    matches!(state, State::Ready | State::ReadyWithGaps)
}

/// The last part of a path, for people.
pub(crate) fn file_name(uri: &str) -> String {
    std::path::Path::new(uri)
        .file_name()
        .map_or_else(|| uri.to_owned(), |name| name.to_string_lossy().into_owned())
}

impl Engine {
    /// Live and failed jobs, in the order they run; derived from what is stored.
    ///
    /// # Errors
    /// `internal` when the library cannot be read.
    pub async fn queue(&self) -> Result<QueueReport> {
        let Some(library) = self.library() else {
            return Ok(QueueReport::default());
        };
        let (status, jobs) =
            blocking(move || Ok((library.queue_status()?, library.jobs(&JobFilter::default())?))).await?;
        let finished = jobs.iter().filter(|job| is_done(job.state)).count();
        Ok(QueueReport {
            paused: status.paused,
            active: jobs
                .iter()
                .filter(|job| job.state.is_live())
                .count()
                .try_into()
                .unwrap_or(u32::MAX),
            finished: finished.try_into().unwrap_or(u32::MAX),
            jobs: jobs.iter().filter(|job| !is_done(job.state)).map(queue_job).collect(),
        })
    }

    /// Stops a job. What it had not committed is forgotten; a document committed before stays as it was.
    ///
    /// # Errors
    /// `not_found` or `read_only`.
    pub async fn cancel_job(&self, id: &str) -> Result<()> {
        self.require_writer()?;
        let job = job_id(id)?;
        let now = self.clock().now_ms();
        let known = self.on_library(move |library| Ok(library.cancel(job, now)?)).await?;
        self.ingestion().cancel(job);
        self.changed(Changed::Queue);
        if known { Ok(()) } else { Err(unknown()) }
    }

    /// Puts a failed or cancelled job back into the queue.
    ///
    /// # Errors
    /// `not_found` or `read_only`.
    pub async fn retry_job(&self, id: &str) -> Result<()> {
        self.require_writer()?;
        let job = job_id(id)?;
        let now = self.clock().now_ms();
        let known = self.on_library(move |library| Ok(library.retry(job, now)?)).await?;
        self.ingestion().wake();
        self.changed(Changed::Queue);
        if known { Ok(()) } else { Err(unknown()) }
    }

    /// Lets a waiting job be read before all others that wait.
    ///
    /// # Errors
    /// `not_found` when it does not wait, `read_only`.
    pub async fn move_job_to_front(&self, id: &str) -> Result<()> {
        self.require_writer()?;
        let job = job_id(id)?;
        let now = self.clock().now_ms();
        let known = self
            .on_library(move |library| Ok(library.move_to_front(job, now)?))
            .await?;
        self.changed(Changed::Queue);
        if known { Ok(()) } else { Err(unknown()) }
    }

    /// Forgets a job that ended.
    ///
    /// # Errors
    /// `not_found` or `read_only`.
    pub async fn dismiss_job(&self, id: &str) -> Result<()> {
        self.require_writer()?;
        let job = job_id(id)?;
        self.ingestion().cancel(job);
        let known = self.on_library(move |library| Ok(library.remove_job(job)?)).await?;
        self.changed(Changed::Queue);
        known.map(|_| ()).ok_or_else(unknown)
    }

    /// Holds the queue, or lets it go on. Jobs already at work are finished.
    ///
    /// # Errors
    /// `read_only`.
    pub async fn pause_queue(&self, paused: bool) -> Result<()> {
        self.require_writer()?;
        self.on_library(move |library| {
            if paused {
                library.pause_queue("paused by the person")?;
            } else {
                library.resume_queue()?;
            }
            Ok(())
        })
        .await?;
        self.ingestion().wake();
        self.changed(Changed::Queue);
        Ok(())
    }

    /// Runs `work` on the library, off the async threads.
    pub(crate) async fn on_library<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Library) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let library = self
            .library()
            .ok_or_else(|| Error::new(ErrorCode::NotFound, "There is no library here yet."))?;
        blocking(move || work(&library)).await
    }
}

fn queue_job(job: &Job) -> QueueJob {
    QueueJob {
        job_id: job.id.0.to_string(),
        collection: job.collection.0.clone(),
        uri: job.uri.clone(),
        file_name: file_name(&job.uri),
        state: job.state.into(),
        done: job.done,
        total: job.total,
        message: job.error_message.clone(),
        code: job.error_code.clone(),
    }
}

fn job_id(id: &str) -> Result<JobId> {
    id.parse().map(JobId).map_err(|_| unknown())
}

fn unknown() -> Error {
    Error::new(ErrorCode::NotFound, "There is no such job in the queue.")
}
