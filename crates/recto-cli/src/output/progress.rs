//! How `add` shows where it stands: a bar on a terminal, a line per file elsewhere, nothing under `--json`.

use crate::output::terminal::one_line;
use crate::output::{Output, human, to_stderr};
use indicatif::{ProgressBar, ProgressStyle};
use recto_engine::contract::{DocumentState, QueueJob, QueueReport};
use std::collections::{BTreeMap, BTreeSet};
use std::io::IsTerminal;
use std::time::Duration;

/// Whether a job has more to do.
pub(crate) fn is_live(state: DocumentState) -> bool {
    matches!(
        state,
        DocumentState::Queued
            | DocumentState::Reading
            | DocumentState::Ocr
            | DocumentState::Indexing
            | DocumentState::Embedding
    )
}

/// Follows the jobs of one `add`.
pub(crate) struct Progress {
    jobs: BTreeSet<String>,
    shown: Shown,
}

enum Shown {
    Bar(ProgressBar),
    Lines(BTreeMap<String, (DocumentState, String)>),
    Nothing,
}

impl Progress {
    /// Follows these jobs. An empty set means all jobs there are.
    pub(crate) fn new(jobs: &[String], output: &Output) -> Self {
        let shown = if output.is_json() {
            Shown::Nothing
        } else if std::io::stderr().is_terminal() {
            Shown::Bar(bar(jobs.len() as u64))
        } else {
            Shown::Lines(BTreeMap::new())
        };
        Self {
            jobs: jobs.iter().cloned().collect(),
            shown,
        }
    }

    /// Shows the queue's state.
    pub(crate) fn show(&mut self, report: &QueueReport) {
        let ours: Vec<&QueueJob> = report
            .jobs
            .iter()
            .filter(|job| self.jobs.is_empty() || self.jobs.contains(&job.job_id))
            .collect();
        match &mut self.shown {
            Shown::Nothing => {}
            Shown::Bar(bar) => {
                let live = ours.iter().filter(|job| is_live(job.state)).count() as u64;
                let total = (self.jobs.len() as u64).max(bar.length().unwrap_or(0)).max(live);
                bar.set_length(total);
                bar.set_position(total - live);
                bar.set_message(now_at(&ours, report.paused));
            }
            Shown::Lines(seen) => {
                for line in changes(seen, &ours) {
                    to_stderr(&line);
                }
            }
        }
    }

    /// Takes the bar away, so that the summary stands alone.
    pub(crate) fn finish(&self) {
        if let Shown::Bar(bar) = &self.shown {
            bar.finish_and_clear();
        }
    }
}

fn bar(total: u64) -> ProgressBar {
    let bar = ProgressBar::new(total);
    if let Ok(style) = ProgressStyle::with_template("{bar:24} {pos}/{len} files · {elapsed} · {wide_msg}") {
        bar.set_style(style.progress_chars("━╸ "));
    }
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// What is being worked on: `reading report.pdf 12/210, 1 more`.
fn now_at(jobs: &[&QueueJob], paused: bool) -> String {
    let running: Vec<&&QueueJob> = jobs
        .iter()
        .filter(|job| is_live(job.state) && job.state != DocumentState::Queued)
        .collect();
    let Some(first) = running.first() else {
        return if paused {
            "the queue is paused".to_owned()
        } else {
            String::new()
        };
    };
    let pages = if first.total > 0 {
        format!(" {}/{}", first.done, first.total)
    } else {
        String::new()
    };
    let more = if running.len() > 1 {
        format!(", {} more", running.len() - 1)
    } else {
        String::new()
    };
    format!(
        "{} {}{pages}{more}",
        human::state_name(first.state),
        one_line(&first.file_name)
    )
}

/// The lines to print for what changed since the last report.
fn changes(seen: &mut BTreeMap<String, (DocumentState, String)>, jobs: &[&QueueJob]) -> Vec<String> {
    let mut lines = Vec::new();
    let mut now = BTreeMap::new();
    for job in jobs {
        let before = seen.remove(&job.job_id).map(|(state, _)| state);
        let name = one_line(&job.file_name);
        if before != Some(job.state) && job.state != DocumentState::Queued {
            let reason = match &job.message {
                Some(message) if !is_live(job.state) => format!(": {}", one_line(message)),
                _ => String::new(),
            };
            lines.push(format!("{} {name}{reason}", human::state_name(job.state)));
        }
        now.insert(job.job_id.clone(), (job.state, name));
    }
    // A job that left the queue is done.
    let done = seen.values().filter(|(state, _)| is_live(*state));
    lines.extend(done.map(|(_, name)| format!("{} {name}", human::state_name(DocumentState::Ready))));
    *seen = now;
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(id: &str, state: DocumentState, done: u32, total: u32) -> QueueJob {
        QueueJob {
            job_id: id.to_owned(),
            collection: "Library".to_owned(),
            uri: format!("/files/{id}.pdf"),
            file_name: format!("{id}.pdf"),
            state,
            done,
            total,
            message: (state == DocumentState::Damaged).then(|| "It cannot be read.".to_owned()),
            code: None,
        }
    }

    #[test]
    fn a_line_tells_each_step_once() {
        let mut seen = BTreeMap::new();
        let mut step = |jobs: &[QueueJob]| changes(&mut seen, &jobs.iter().collect::<Vec<_>>());
        assert!(step(&[job("a", DocumentState::Queued, 0, 0)]).is_empty());
        assert_eq!(step(&[job("a", DocumentState::Reading, 0, 9)]), ["reading a.pdf"]);
        assert!(step(&[job("a", DocumentState::Reading, 5, 9)]).is_empty());
        assert_eq!(step(&[]), ["ready a.pdf"]);
        assert!(step(&[]).is_empty());
    }

    #[test]
    fn a_failure_is_told_with_its_reason_and_never_as_ready() {
        let mut seen = BTreeMap::new();
        let mut step = |jobs: &[QueueJob]| changes(&mut seen, &jobs.iter().collect::<Vec<_>>());
        assert_eq!(
            step(&[job("a", DocumentState::Damaged, 0, 0)]),
            ["damaged a.pdf: It cannot be read."]
        );
        assert!(step(&[]).is_empty(), "a failed job that leaves the queue is not ready");
    }

    #[test]
    fn the_bar_says_what_is_being_read() {
        let jobs = [
            job("a", DocumentState::Reading, 12, 210),
            job("b", DocumentState::Embedding, 0, 0),
            job("c", DocumentState::Queued, 0, 0),
        ];
        assert_eq!(
            now_at(&jobs.iter().collect::<Vec<_>>(), false),
            "reading a.pdf 12/210, 1 more"
        );
        assert_eq!(now_at(&[], true), "the queue is paused");
    }
}
