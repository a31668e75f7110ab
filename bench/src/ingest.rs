//! How fast do files become searchable, and with how much memory?

use crate::{data, report};
use anyhow::Result;
use recto_engine::contract::DocumentState;
use recto_engine::{AddRequest, Engine, EngineOptions};
use serde::Serialize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

#[derive(Debug, Serialize)]
struct Outcome {
    documents: usize,
    pages: u32,
    failed: usize,
    seconds_until_word_search: f64,
    pages_per_second_until_word_search: f64,
    seconds_until_embedded: f64,
    pages_per_second_until_embedded: f64,
    /// Share of the whole time after the last document could be searched by words.
    share_embedding_only: f64,
    /// CPU seconds of the engine process (which embeds, chunks and stores) and of the workers (which parse).
    cpu_seconds_engine: f64,
    cpu_seconds_workers: f64,
    peak_engine_mib: u64,
    peak_workers_mib: u64,
}

/// Runs the benchmark.
pub(crate) async fn run() -> Result<()> {
    let files = data::filings()?;
    let folder = tempfile::tempdir()?;
    let engine = Engine::open(EngineOptions::new(folder.path().to_owned())).await?;
    let watch = Watch::start();
    let started = Instant::now();
    engine.start_ingestion();
    let request = AddRequest {
        collection: data::COLLECTION.to_owned(),
        paths: files.clone(),
        ..AddRequest::default()
    };
    let ticket = engine.enqueue(request).await?;
    let mut readable_after = None;
    let report = engine
        .wait(&ticket, &mut |queue| {
            let unreadable = queue.jobs.iter().filter(|job| {
                matches!(
                    job.state,
                    DocumentState::Queued | DocumentState::Reading | DocumentState::Ocr | DocumentState::Indexing
                )
            });
            if readable_after.is_none() && unreadable.count() == 0 {
                readable_after = Some(started.elapsed().as_secs_f64());
            }
        })
        .await?;
    let total = started.elapsed().as_secs_f64();
    let readable = readable_after.unwrap_or(total);
    let pages: u32 = report.added.iter().map(|document| document.page_count).sum();
    let own = cpu_seconds("self", false);
    engine.shutdown().await;
    let children = cpu_seconds("self", true);
    let (peak_engine, peak_workers) = watch.stop();
    report::write(
        "ingest",
        &Outcome {
            documents: report.added.len(),
            pages,
            failed: report.failed.len(),
            seconds_until_word_search: readable,
            pages_per_second_until_word_search: f64::from(pages) / readable,
            seconds_until_embedded: total,
            pages_per_second_until_embedded: f64::from(pages) / total,
            share_embedding_only: (total - readable) / total,
            cpu_seconds_engine: own,
            cpu_seconds_workers: children,
            peak_engine_mib: peak_engine >> 10,
            peak_workers_mib: peak_workers >> 10,
        },
    )
}

/// User and system time of a process, or of its children that have ended, from `/proc/<pid>/stat`.
fn cpu_seconds(process: &str, children: bool) -> f64 {
    let Ok(stat) = std::fs::read_to_string(format!("/proc/{process}/stat")) else {
        return 0.0;
    };
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let first = if children { 13 } else { 11 };
    let ticks: f64 = fields
        .iter()
        .skip(first)
        .take(2)
        .filter_map(|field| field.parse::<f64>().ok())
        .sum();
    ticks / 100.0
}

/// Watches memory from a thread of its own.
struct Watch {
    stop: Arc<AtomicBool>,
    engine: Arc<AtomicU64>,
    workers: Arc<AtomicU64>,
    thread: std::thread::JoinHandle<()>,
}

impl Watch {
    fn start() -> Self {
        let (stop, engine, workers) = (
            Arc::new(AtomicBool::new(false)),
            Arc::new(AtomicU64::new(0)),
            Arc::new(AtomicU64::new(0)),
        );
        let thread = std::thread::spawn({
            let (stop, engine, workers) = (Arc::clone(&stop), Arc::clone(&engine), Arc::clone(&workers));
            move || {
                while !stop.load(Ordering::Relaxed) {
                    engine.fetch_max(resident_kib("self"), Ordering::Relaxed);
                    workers.fetch_max(children().iter().map(|pid| resident_kib(pid)).sum(), Ordering::Relaxed);
                    std::thread::sleep(Duration::from_millis(50));
                }
            }
        });
        Self {
            stop,
            engine,
            workers,
            thread,
        }
    }

    /// Peaks of the engine and of all its workers together, KiB.
    fn stop(self) -> (u64, u64) {
        self.stop.store(true, Ordering::Relaxed);
        // A watcher that panicked has kept its peaks.
        let _ = self.thread.join();
        (
            self.engine.load(Ordering::Relaxed),
            self.workers.load(Ordering::Relaxed),
        )
    }
}

fn resident_kib(process: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok())
        .unwrap_or(0)
}

fn children() -> Vec<String> {
    let Ok(tasks) = std::fs::read_dir("/proc/self/task") else {
        return Vec::new();
    };
    tasks
        .flatten()
        .filter_map(|task| std::fs::read_to_string(task.path().join("children")).ok())
        .flat_map(|line| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
        .collect()
}
