//! `queue`: the files that wait to be read.

use crate::args::QueueAction;
use crate::commands::interrupt;
use crate::context::{Context, Need};
use crate::failure::{Ending, Failure, Result};
use crate::output::progress::{Progress, is_live};
use crate::output::{Output, human};
use recto_core::{Error, ErrorCode};
use recto_engine::Engine;
use recto_engine::contract::{QueueJob, QueueReport};
use std::sync::Arc;
use std::time::Duration;

/// How often `queue run` looks at the queue.
const LOOK_EVERY: Duration = Duration::from_millis(200);

pub(crate) async fn run(context: &Context, output: &Output, action: Option<QueueAction>) -> Result<Ending> {
    let report = match action {
        None | Some(QueueAction::List) if context.is_missing() => QueueReport::default(),
        None | Some(QueueAction::List) => {
            context
                .with_engine(Need::Read, async |engine| Ok(engine.queue().await?))
                .await?
        }
        Some(QueueAction::Cancel { jobs }) => {
            context
                .with_engine(Need::Change, async |engine| {
                    for job in find_all(engine, &jobs).await? {
                        if is_live(job.state) {
                            engine.cancel_job(&job.job_id).await?;
                        } else {
                            engine.dismiss_job(&job.job_id).await?;
                        }
                    }
                    Ok(engine.queue().await?)
                })
                .await?
        }
        Some(QueueAction::Retry { jobs }) => {
            context
                .with_engine(Need::Change, async |engine| {
                    for job in find_all(engine, &jobs).await? {
                        engine.retry_job(&job.job_id).await?;
                    }
                    output.note("Put back into the queue; `recto queue run` works through it now.");
                    Ok(engine.queue().await?)
                })
                .await?
        }
        Some(QueueAction::Pause) => pause(context, true).await?,
        Some(QueueAction::Resume) => pause(context, false).await?,
        Some(QueueAction::Run) => {
            context
                .with_engine(Need::Change, async |engine| work_through(engine, output).await)
                .await?
        }
    };
    output.result(&report, |view| human::queue(&report, view))?;
    Ok(Ending::Done)
}

async fn pause(context: &Context, paused: bool) -> Result<QueueReport> {
    context
        .with_engine(Need::Change, async |engine| {
            engine.pause_queue(paused).await?;
            Ok(engine.queue().await?)
        })
        .await
}

async fn work_through(engine: &Arc<Engine>, output: &Output) -> Result<QueueReport> {
    let cancel = interrupt::token();
    engine.start_ingestion();
    let mut progress = Progress::new(&[], output);
    loop {
        let report = engine.queue().await?;
        progress.show(&report);
        if report.active == 0 || report.paused {
            progress.finish();
            return Ok(report);
        }
        tokio::select! {
            () = tokio::time::sleep(LOOK_EVERY) => {}
            () = cancel.cancelled() => {
                progress.finish();
                let message = "Stopped. What was ready stays, the rest waits in the queue.";
                return Err(Failure::Failed(Error::new(ErrorCode::Cancelled, message)));
            }
        }
    }
}

/// The jobs named, all of them or none.
async fn find_all(engine: &Engine, ids: &[String]) -> Result<Vec<QueueJob>> {
    let queue = engine.queue().await?;
    ids.iter().map(|id| find(id, &queue.jobs).cloned()).collect()
}

fn find<'a>(id: &str, jobs: &'a [QueueJob]) -> Result<&'a QueueJob> {
    let found = jobs.iter().find(|job| job.job_id == id);
    found.ok_or_else(|| Failure::not_found(format!("There is no job {id}; `recto queue` shows them.")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use recto_engine::contract::DocumentState;

    fn job(id: &str) -> QueueJob {
        QueueJob {
            job_id: id.to_owned(),
            collection: "Library".to_owned(),
            uri: "/files/a.pdf".to_owned(),
            file_name: "a.pdf".to_owned(),
            state: DocumentState::Queued,
            done: 0,
            total: 0,
            message: None,
            code: None,
        }
    }

    #[test]
    fn a_job_is_named_by_its_whole_number() {
        let jobs = [job("12"), job("3")];
        assert!(matches!(find("12", &jobs), Ok(found) if found.job_id == "12"));
        for id in ["1", "", "4"] {
            assert!(matches!(find(id, &jobs), Err(Failure::Failed(error)) if error.code == ErrorCode::NotFound));
        }
    }
}
