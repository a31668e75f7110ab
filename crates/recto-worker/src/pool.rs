//! The pool: who works, for how long, and what a failure costs.

use crate::options::WorkerPoolOptions;
use crate::process::{Stop, Worker};
use crate::protocol::{
    ConvertRequest, Converted, DetachRequest, LocateInFileRequest, LocateRequest, Probe, ProbeRequest, RenderRequest,
    Rendered, Reply, Request, Stage,
};
use recto_core::{Attachment, Error, ErrorCode, QuoteMatch, Result};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, MissedTickBehavior, interval, sleep_until};
use tokio_util::sync::CancellationToken;

/// A pool of worker processes. Cloning gives another handle to the same pool.
///
/// Every request takes a cancellation token; cancelling kills the worker, so that the request ends at once whatever
/// the worker is doing. Dropping a request's future does the same. Processes start when they are needed and end with
/// the pool.
#[derive(Debug, Clone)]
pub struct WorkerPool {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    options: WorkerPoolOptions,
    permits: Arc<Semaphore>,
    idle: Mutex<Vec<Worker>>,
}

/// A worker on loan. Unless it is given back, the process is killed.
pub(crate) struct Loan {
    pub(crate) worker: Worker,
    _permit: OwnedSemaphorePermit,
}

impl WorkerPool {
    /// A pool with these options. No process is started yet.
    #[must_use]
    pub fn new(options: WorkerPoolOptions) -> Self {
        let permits = Arc::new(Semaphore::new(options.workers.max(1)));
        Self {
            inner: Arc::new(Inner {
                options,
                permits,
                idle: Mutex::default(),
            }),
        }
    }

    /// The options it was made with.
    #[must_use]
    pub fn options(&self) -> &WorkerPoolOptions {
        &self.inner.options
    }

    /// Draws a page into the file the request names.
    ///
    /// # Errors
    /// The worker's own, or `cancelled`, `timed_out`, `out_of_memory`, `damaged` when it died over the page.
    pub async fn render(&self, request: RenderRequest, cancel: &CancellationToken) -> Result<Rendered> {
        match self.call(Request::Render(request), cancel, &mut |_, _| {}).await? {
            Reply::Rendered(rendered) => Ok(rendered),
            other => Err(unexpected(&other)),
        }
    }

    /// Finds a quote in text parsed before. Best first; empty when nothing is near enough.
    ///
    /// # Errors
    /// As for [`render`](Self::render).
    pub async fn locate(&self, request: LocateRequest, cancel: &CancellationToken) -> Result<Vec<QuoteMatch>> {
        match self.call(Request::Locate(request), cancel, &mut |_, _| {}).await? {
            Reply::Located(matches) => Ok(matches),
            other => Err(unexpected(&other)),
        }
    }

    /// Finds a quote in a file. Best first; empty when nothing is near enough.
    ///
    /// # Errors
    /// As for [`render`](Self::render).
    pub async fn locate_in_file(
        &self,
        request: LocateInFileRequest,
        cancel: &CancellationToken,
    ) -> Result<Vec<QuoteMatch>> {
        match self
            .call(Request::LocateInFile(request), cancel, &mut |_, _| {})
            .await?
        {
            Reply::Located(matches) => Ok(matches),
            other => Err(unexpected(&other)),
        }
    }

    /// Exports a file. `on_progress` gets the finished and the total number of pages.
    ///
    /// # Errors
    /// As for [`render`](Self::render).
    pub async fn convert(
        &self,
        request: ConvertRequest,
        cancel: &CancellationToken,
        on_progress: &mut (dyn FnMut(u32, u32) + Send),
    ) -> Result<Converted> {
        match self.call(Request::Convert(request), cancel, on_progress).await? {
            Reply::Converted(converted) => Ok(converted),
            other => Err(unexpected(&other)),
        }
    }

    /// Says what a file is, without reading its text.
    ///
    /// # Errors
    /// As for [`render`](Self::render).
    pub async fn probe(&self, request: ProbeRequest, cancel: &CancellationToken) -> Result<Probe> {
        match self.call(Request::Probe(request), cancel, &mut |_, _| {}).await? {
            Reply::Probed(probe) => Ok(probe),
            other => Err(unexpected(&other)),
        }
    }

    /// Writes the files inside a file into a folder, by number; says what each is called.
    ///
    /// # Errors
    /// As for [`render`](Self::render).
    pub async fn detach(&self, request: DetachRequest, cancel: &CancellationToken) -> Result<Vec<Attachment>> {
        match self.call(Request::Detach(request), cancel, &mut |_, _| {}).await? {
            Reply::Detached(attachments) => Ok(attachments),
            other => Err(unexpected(&other)),
        }
    }

    /// Ends the idle processes and waits until they are gone. Requests under way finish; later ones start processes
    /// anew.
    pub async fn close_idle(&self) {
        let idle = std::mem::take(&mut *self.idle());
        futures::future::join_all(idle.into_iter().map(Worker::close)).await;
    }

    /// A request that is answered by a single reply.
    async fn call(
        &self,
        request: Request,
        cancel: &CancellationToken,
        on_progress: &mut (dyn FnMut(u32, u32) + Send),
    ) -> Result<Reply> {
        self.attempt(request, cancel, on_progress)
            .await?
            .map_err(|stop| self.explain(stop))
    }

    /// The same, with the stop that ended it. Tried twice when the worker dies: the first death may have had nothing
    /// to do with the request.
    pub(crate) async fn attempt(
        &self,
        request: Request,
        cancel: &CancellationToken,
        on_progress: &mut (dyn FnMut(u32, u32) + Send),
    ) -> Result<Result<Reply, Stop>> {
        let deadline = self.options().request_deadline;
        let allowance = self.options().recognition_allowance;
        let mut on_reply = |reply: Reply| match reply {
            Reply::Progress { done, total, stage } => {
                on_progress(done, total);
                if stage == Stage::Recognising {
                    deadline + allowance
                } else {
                    deadline
                }
            }
            _ => deadline,
        };
        for last_try in [false, true] {
            let loan = self.borrow(cancel).await?;
            match self.exchange(loan, &request, deadline, cancel, &mut on_reply).await? {
                Err(Stop::Died(reason)) if !last_try => {
                    tracing::warn!(%reason, "a worker died; trying once more");
                }
                outcome => return Ok(outcome),
            }
        }
        Err(Error::internal("A request was given up without a reason."))
    }

    /// A worker, waiting until one is free.
    pub(crate) async fn borrow(&self, cancel: &CancellationToken) -> Result<Loan> {
        let permit = tokio::select! {
            biased;
            () = cancel.cancelled() => return Err(Error::cancelled()),
            permit = Arc::clone(&self.inner.permits).acquire_owned() => {
                permit.map_err(|_| Error::internal("The worker pool is closed."))?
            }
        };
        let mut idle = self.idle().pop();
        let worker = match idle.take_if(|worker| worker.is_alive()) {
            Some(worker) => worker,
            None => Worker::spawn(self.options())?,
        };
        Ok(Loan {
            worker,
            _permit: permit,
        })
    }

    /// Sends a request and passes on the replies until the closing one. `on_reply` gets all before that and says how
    /// long the next may take.
    ///
    /// The outer result is the worker's or the encoder's verdict on the request; the inner one is how the exchange
    /// ended. After a stop the process is gone.
    pub(crate) async fn exchange(
        &self,
        mut loan: Loan,
        request: &Request,
        first_wait: Duration,
        cancel: &CancellationToken,
        on_reply: &mut (dyn FnMut(Reply) -> Duration + Send),
    ) -> Result<Result<Reply, Stop>> {
        let ceiling = self.options().memory_ceiling;
        match Self::converse(&mut loan.worker, request, first_wait, cancel, on_reply, self.options()).await? {
            Ok(reply) => {
                self.give_back(loan);
                match reply {
                    Reply::Failed(error) => Err(error),
                    reply => Ok(Ok(reply)),
                }
            }
            Err(Stop::Died(reason)) => Ok(Err(loan.worker.post_mortem(reason, ceiling).await)),
            Err(stop) => {
                loan.worker.kill().await;
                Ok(Err(stop))
            }
        }
    }

    async fn converse(
        worker: &mut Worker,
        request: &Request,
        first_wait: Duration,
        cancel: &CancellationToken,
        on_reply: &mut (dyn FnMut(Reply) -> Duration + Send),
        options: &WorkerPoolOptions,
    ) -> Result<Result<Reply, Stop>> {
        let mut deadline = Instant::now() + first_wait;
        tokio::select! {
            biased;
            () = cancel.cancelled() => return Ok(Err(Stop::Cancelled)),
            sent = worker.send(request) => sent?,
            () = sleep_until(deadline) => return Ok(Err(Stop::TimedOut)),
        }
        let mut poll = interval(options.memory_poll);
        poll.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let reply = tokio::select! {
                biased;
                () = cancel.cancelled() => return Ok(Err(Stop::Cancelled)),
                _ = poll.tick() => {
                    if worker.measure() > options.memory_ceiling {
                        return Ok(Err(Stop::OutOfMemory));
                    }
                    continue;
                }
                reply = worker.receive() => reply,
                () = sleep_until(deadline) => return Ok(Err(Stop::TimedOut)),
            };
            match reply {
                Ok(reply) if reply.is_closing() => return Ok(Ok(reply)),
                Ok(reply) => deadline = Instant::now() + on_reply(reply),
                Err(stop) => return Ok(Err(stop)),
            }
        }
    }

    /// Keeps a worker for the next request, unless it has served long enough or has grown fat.
    fn give_back(&self, mut loan: Loan) {
        loan.worker.handled += 1;
        let options = self.options();
        if loan.worker.handled >= options.recycle_after || loan.worker.measure() > options.recycle_above {
            tokio::spawn(loan.worker.close());
            return;
        }
        self.idle().push(loan.worker);
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Worker>> {
        self.inner.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What a stop means to the person.
    pub(crate) fn explain(&self, stop: Stop) -> Error {
        match stop {
            Stop::Cancelled => Error::cancelled(),
            Stop::TimedOut => Error::new(
                ErrorCode::TimedOut,
                "Reading took too long and was stopped. The file may be damaged or unusually complex.",
            ),
            Stop::OutOfMemory => Error::new(
                ErrorCode::OutOfMemory,
                format!(
                    "Reading needed more than the {} MiB of memory it may use and was stopped.",
                    self.options().memory_ceiling >> 20
                ),
            ),
            Stop::Died(reason) => {
                tracing::warn!(%reason, "a worker died");
                Error::new(
                    ErrorCode::Damaged,
                    "The reader stopped unexpectedly at this file. It is probably damaged.",
                )
            }
        }
    }
}

pub(crate) fn unexpected(reply: &Reply) -> Error {
    let name = match reply {
        Reply::Done => "done",
        Reply::Scanned(_) => "scanned",
        Reply::Recognised => "recognised",
        Reply::Rendered(_) => "rendered",
        Reply::Located(_) => "located",
        Reply::Converted(_) => "converted",
        Reply::Probed(_) => "probed",
        Reply::Detached(_) => "detached",
        _ => "an interim reply",
    };
    Error::internal(format!("A worker answered with the wrong kind of reply: {name}."))
}
