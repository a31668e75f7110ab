//! The second step: parsed documents become readable and searchable by words, in batches, so that thousands of files do
//! not leave thousands of fragments.

use super::{Commit, Embed};
use crate::Engine;
use crate::clock::rfc3339;
use crate::contract::Changed;
use recto_collection::{BATCH_DOCUMENTS, Collection, NewRevision};
use recto_core::{ChunkSource, Error, Result};
use recto_library::{JobId, State};
use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

/// How long a batch waits for more documents.
const GATHER: Duration = Duration::from_millis(500);
/// Text of a batch, bytes, past which it waits for no more.
const BATCH_TEXT_BYTES: usize = 32 << 20;

/// Commits what arrives until the channel is closed and empty.
pub(super) async fn run(
    engine: &Arc<Engine>,
    mut to_commit: mpsc::Receiver<Commit>,
    committed: mpsc::Sender<Embed>,
    stop: &CancellationToken,
) {
    let most = (engine.settings().ingest.batch_documents.max(1) as usize).min(BATCH_DOCUMENTS);
    let mut kept_back = None;
    loop {
        let first = match kept_back.take() {
            Some(commit) => commit,
            None => match to_commit.recv().await {
                Some(commit) => commit,
                None => return,
            },
        };
        let mut batch = vec![first];
        let deadline = tokio::time::Instant::now() + GATHER;
        while batch.len() < most && text_bytes(&batch) < BATCH_TEXT_BYTES {
            let Ok(Some(next)) = tokio::time::timeout_at(deadline, to_commit.recv()).await else {
                break;
            };
            if fits(&batch, &next) {
                batch.push(next);
            } else {
                kept_back = Some(next);
                break;
            }
        }
        commit_batch(engine, batch, &committed, stop).await;
    }
}

fn text_bytes(batch: &[Commit]) -> usize {
    batch
        .iter()
        .flat_map(|commit| &commit.revision.pages)
        .map(|page| page.page.text.len())
        .sum()
}

/// A batch is of one collection and holds a document once.
fn fits(batch: &[Commit], next: &Commit) -> bool {
    let documents: HashSet<_> = batch.iter().map(|commit| commit.revision.document).collect();
    batch
        .first()
        .is_none_or(|first| first.collection.name() == next.collection.name())
        && !documents.contains(&next.revision.document)
}

async fn commit_batch(
    engine: &Arc<Engine>,
    mut batch: Vec<Commit>,
    committed: &mpsc::Sender<Embed>,
    stop: &CancellationToken,
) {
    // A job cancelled meanwhile leaves no row behind.
    let mut live = Vec::new();
    for commit in batch.drain(..) {
        let (id, now) = (commit.job, engine.clock().now_ms());
        let alive = engine
            .on_library(move |library| Ok(library.progress(id, State::Indexing, 0, 0, now)?))
            .await;
        match alive {
            Ok(true) if !commit.cancel.is_cancelled() => live.push(commit),
            _ if stop.is_cancelled() => {
                engine.ingestion().end(id);
                engine.job_released(id, 0).await;
            }
            Ok(_) => engine.ingestion().end(id),
            Err(error) => {
                engine.ingestion().end(id);
                engine.job_failed(id, error).await;
            }
        }
    }
    let Some(collection) = live.first().map(|commit| Arc::clone(&commit.collection)) else {
        return;
    };
    let (live, revisions): (Vec<_>, Vec<_>) = live
        .into_iter()
        .map(|commit| ((commit.job, commit.cancel), commit.revision))
        .unzip();
    match ingest(engine, &collection, &revisions).await {
        Ok(()) => {
            engine.changed(Changed::Documents);
            for ((job, cancel), revision) in live.into_iter().zip(revisions) {
                let (document, revision, chunks) = (revision.document, revision.revision, revision.chunks.len());
                readable(engine, job, chunks).await;
                let embed = Embed {
                    job,
                    collection: Arc::clone(&collection),
                    document,
                    revision,
                    cancel,
                };
                if let Err(unsent) = committed.send(embed).await {
                    engine.ingestion().end(unsent.0.job);
                    engine.job_released(unsent.0.job, 0).await;
                }
            }
        }
        Err(error) => {
            for (job, _) in live {
                engine.ingestion().end(job);
                engine.job_failed(job, error.clone()).await;
            }
        }
    }
}

/// Says that a document can be read and found by words: all that it still waits for is its vectors.
async fn readable(engine: &Engine, job: JobId, chunks: usize) {
    let (total, now) = (u32::try_from(chunks).unwrap_or(u32::MAX), engine.clock().now_ms());
    let told = engine
        .on_library(move |library| Ok(library.progress(job, State::Embedding, 0, total, now)?))
        .await;
    // A job that was cancelled meanwhile is noticed when its turn comes.
    if let Err(error) = told {
        tracing::warn!(job = job.0, %error, "cannot record that a document is readable");
    }
}

async fn ingest(engine: &Engine, collection: &Collection, revisions: &[NewRevision]) -> Result<(), Error> {
    let now_ms = engine.clock().now_ms();
    let named = |error: recto_collection::Error| error.in_collection(collection.name());
    let ingested = collection.ingest_text(revisions, &rfc3339(now_ms), now_ms).await;
    if ingested.is_err() {
        let documents: Vec<_> = revisions.iter().map(|revision| revision.document).collect();
        // What was begun is also removed at the next opening; trying now keeps the disk tidy.
        if let Err(error) = collection.abandon(&documents).await {
            tracing::warn!(error = %named(error), "cannot remove a batch that failed");
        }
    }
    ingested.map_err(named)
}
