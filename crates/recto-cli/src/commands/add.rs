//! `add`: files and folders into a collection, until every one of them is ready or has failed.

use crate::args::Add;
use crate::commands::{interrupt, target};
use crate::context::{Context, Need};
use crate::failure::{Ending, Failure, Result};
use crate::output::progress::Progress;
use crate::output::{Output, human};
use recto_core::{Error, ErrorCode};
use recto_engine::contract::AddReport;
use recto_engine::{AddRequest, Password};
use std::path::{Path, PathBuf};

pub(crate) async fn run(context: &Context, output: &Output, arguments: Add) -> Result<Ending> {
    if arguments.title.is_some() && !is_one_file(&arguments.paths) {
        return Err(Failure::Usage("--title names one file; give exactly one.".to_owned()));
    }
    let strict = arguments.strict;
    let password = target::password(arguments.password_stdin)?.map(Password);
    let report = context
        .with_engine(Need::Create, async |engine| -> Result<AddReport> {
            let request = AddRequest {
                collection: context.one_collection(engine, true).await?,
                paths: arguments.paths.iter().map(|path| absolute(path)).collect(),
                title: arguments.title,
                metadata: arguments.metadata.into_iter().collect(),
                tags: arguments.tags,
                password,
            };
            let cancel = interrupt::token();
            engine.start_ingestion();
            let ticket = engine.enqueue(request).await?;
            let mut progress = Progress::new(&ticket.jobs, output);
            // With nothing queued there is nothing to follow; the progress of no jobs would be that of all.
            let is_queued = !ticket.jobs.is_empty();
            let mut on_progress = |report: &_| {
                if is_queued {
                    progress.show(report);
                }
            };
            let report = tokio::select! {
                report = engine.wait(&ticket, &mut on_progress) => report.map_err(Failure::from),
                () = cancel.cancelled() => Err(stopped()),
            };
            progress.finish();
            report
        })
        .await?;
    output.result(&report, |view| human::add_report(&report, view))?;
    Ok(if strict && !report.failed.is_empty() {
        Ending::Unsuccessful
    } else {
        Ending::Done
    })
}

fn stopped() -> Failure {
    let message = "Stopped. What was ready stays; the rest waits in the queue and goes on with the next \
                   `recto add`, with `recto queue run`, or when the application is opened.";
    Failure::Failed(Error::new(ErrorCode::Cancelled, message))
}

fn is_one_file(paths: &[PathBuf]) -> bool {
    matches!(paths, [path] if !path.is_dir())
}

/// The path as seen from the root: the queue outlives the folder this was called in. Links are kept as they are.
pub(crate) fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf())
}
