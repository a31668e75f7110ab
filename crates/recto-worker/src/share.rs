//! The pages of a scan, recognised by all workers that have nothing else to do.
//!
//! Recognising takes seconds where reading takes milliseconds, so it alone is divided: each page is a request of its own
//! that leaves its words in a file, and the worker that reads the whole takes them from there. What comes out does not
//! depend on how many worked. Requests for pages wait in the same line as those for other files, so that a long scan
//! does not hold these up.

use crate::pool::{WorkerPool, unexpected};
use crate::process::Stop;
use crate::protocol::{ParseRequest, RecogniseRequest, Reply, Request, recognised_file};
use futures::{FutureExt, StreamExt, stream};
use recto_core::{Error, ErrorCode, Result};
use std::path::Path;
use tokio_util::sync::CancellationToken;

impl WorkerPool {
    /// Has pages of a file recognised and what was found written into `folder`. `on_page` is called after each.
    ///
    /// Returns the pages at which workers hung or died, ascending. A page whose recognition failed in words is not among them: the
    /// worker that reads the file finds nothing in the folder, tries itself and says what is wrong.
    ///
    /// # Errors
    /// `cancelled`, `out_of_memory`, or `asset_missing` when no worker can be started.
    pub(crate) async fn recognise(
        &self,
        file: &ParseRequest,
        pages: &[u32],
        folder: &Path,
        cancel: &CancellationToken,
        on_page: &mut (dyn FnMut() + Send),
    ) -> Result<Vec<(u32, Stop)>> {
        let attempts: Vec<_> = pages
            .iter()
            .map(|&page| {
                let request = Request::Recognise(RecogniseRequest {
                    path: file.path.clone(),
                    file_name: file.file_name.clone(),
                    password: file.password.clone(),
                    limits: file.limits,
                    page,
                    output: folder.join(recognised_file(page)),
                });
                async move { (page, self.attempt(request, cancel, &mut |_, _| {}).await) }.boxed()
            })
            .collect();
        let mut outcomes = stream::iter(attempts).buffer_unordered(self.options().workers.max(1));
        let mut lost = Vec::new();
        while let Some((page, outcome)) = outcomes.next().await {
            match outcome {
                Ok(Ok(Reply::Recognised)) => {}
                Ok(Ok(other)) => return Err(unexpected(&other)),
                Ok(Err(stop @ (Stop::Died(_) | Stop::TimedOut))) => lost.push((page, stop)),
                Ok(Err(stop)) => return Err(self.explain(stop)),
                Err(error) if error.code == ErrorCode::Cancelled => return Err(error),
                Err(error) => tracing::debug!(page, %error, "a page was not recognised"),
            }
            on_page();
        }
        lost.sort_by_key(|(page, _)| *page);
        Ok(lost)
    }
}

/// A folder for what is recognised; gone with the value.
pub(crate) fn folder() -> Result<tempfile::TempDir> {
    tempfile::tempdir().map_err(|error| {
        Error::internal(format!(
            "A temporary folder cannot be made: {error}. Check that the disk has room."
        ))
    })
}
