//! The third step: vectors for committed chunks. It may be cut off anywhere; the chunks without vectors say what is left.

use super::{Embed, vectors};
use crate::Engine;
use crate::contract::Changed;
use recto_collection::{BATCH_DOCUMENTS, ChunkVector, Collection};
use recto_core::{Chunk, ChunkSource, Embedder, Error, ErrorCode, Result};
use recto_library::State;
use std::sync::Arc;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

/// Chunks embedded between two looks at cancellation.
const CHUNKS_AT_A_TIME: usize = 64;
/// Vectors written together.
const CHUNKS_WRITTEN: usize = 512;

/// Embeds what arrives until the channel is closed and empty. Documents that wait are taken together, so that thousands
/// of small files do not leave thousands of fragments.
pub(super) async fn run(engine: &Arc<Engine>, mut to_embed: mpsc::Receiver<Embed>, stop: &CancellationToken) {
    let mut next = None;
    let mut finished = 0;
    loop {
        let first = match next.take() {
            Some(embed) => embed,
            None => match to_embed.recv().await {
                Some(embed) => embed,
                None => return,
            },
        };
        let collection = Arc::clone(&first.collection);
        let mut together = vec![first];
        while together.len() < BATCH_DOCUMENTS {
            match to_embed.try_recv() {
                Ok(embed) if embed.collection.name() == collection.name() => together.push(embed),
                Ok(other) => {
                    next = Some(other);
                    break;
                }
                Err(_) => break,
            }
        }
        finished += together.len();
        embed_together(engine, &collection, together, stop).await;
        engine.changed(Changed::Queue);
        engine.changed(Changed::Documents);
        if next.is_none() && to_embed.is_empty() && !stop.is_cancelled() {
            // Nothing but speed depends on it, so a failure is noted and no more.
            if let Err(error) = tidy(engine, &collection, finished).await {
                tracing::warn!(%error, "cannot bring a collection's indexes up to date");
            }
            finished = 0;
        }
    }
}

/// A document being embedded.
struct Pending {
    embed: Embed,
    chunks: Vec<Chunk>,
    done: usize,
}

/// Embeds documents of one collection in turn, writes their vectors in common portions, and marks them in one step.
async fn embed_together(engine: &Arc<Engine>, collection: &Collection, together: Vec<Embed>, stop: &CancellationToken) {
    let mut complete = Vec::new();
    let mut unwritten: Vec<ChunkVector> = Vec::new();
    for embed in together {
        let embedded = async {
            let chunks = collection
                .chunks_without_vectors(embed.document)
                .await
                .map_err(named(collection))?;
            let embedder = engine.embedders().of(collection).await?;
            let mut pending = Pending {
                embed: embed.clone(),
                chunks,
                done: 0,
            };
            while let Some(vectors) = next_vectors(engine, &*embedder, &mut pending).await? {
                unwritten.extend(vectors);
                if unwritten.len() >= CHUNKS_WRITTEN {
                    let portion = std::mem::take(&mut unwritten);
                    collection.append_vectors(&portion).await.map_err(named(collection))?;
                }
            }
            Ok(pending.done)
        };
        match embedded.await {
            Ok(made) => complete.push((embed, made)),
            Err(error) => {
                // What was made of it is written with the others or made again; it is not marked.
                unwritten.retain(|vector| vector.document != embed.document);
                ended(engine, &embed, Err(error), stop).await;
            }
        }
    }
    let marked = async {
        if !unwritten.is_empty() {
            collection.append_vectors(&unwritten).await.map_err(named(collection))?;
        }
        let revisions: Vec<_> = complete
            .iter()
            .map(|(embed, _)| (embed.document, embed.revision.clone()))
            .collect();
        collection.mark_embedded(&revisions).await.map_err(named(collection))
    };
    match marked.await {
        Ok(marked) => {
            let snapshot = collection.snapshot().await.unwrap_or_default();
            for (embed, made) in complete {
                let row = snapshot.documents.get(&embed.document);
                let outcome = if marked.contains(&embed.document) {
                    Ok(if row.is_some_and(|row| !row.gaps.is_empty()) {
                        State::ReadyWithGaps
                    } else {
                        State::Ready
                    })
                } else if row.is_some_and(|row| row.revision == embed.revision) {
                    Err(incomplete(collection, &embed, made).await)
                } else {
                    Err(Error::transient(
                        ErrorCode::Internal,
                        "The document changed while it was being embedded.",
                    ))
                };
                ended(engine, &embed, outcome, stop).await;
            }
        }
        Err(error) => {
            for (embed, _) in complete {
                ended(engine, &embed, Err(error.clone()), stop).await;
            }
        }
    }
}

/// Why a document is not ready although its vectors were made: some of them are not there.
async fn incomplete(collection: &Collection, embed: &Embed, made: usize) -> Error {
    let lacking = match collection.chunks_without_vectors(embed.document).await {
        Ok(lacking) => lacking.len(),
        Err(error) => return error.in_collection(collection.name()),
    };
    Error::transient(
        ErrorCode::Internal,
        format!(
            "Of {made} vectors made for this document {lacking} were not stored. It is searched by words until they are."
        ),
    )
}

/// The vectors of the document's next chunks; `None` after the last.
async fn next_vectors(
    engine: &Arc<Engine>,
    embedder: &dyn Embedder,
    pending: &mut Pending,
) -> Result<Option<Vec<ChunkVector>>> {
    let Pending { embed, chunks, done } = pending;
    let count = |chunks: usize| u32::try_from(chunks).unwrap_or(u32::MAX);
    tell(engine, embed, count(*done), count(chunks.len())).await?;
    let part = &chunks[*done..chunks.len().min(*done + CHUNKS_AT_A_TIME)];
    if part.is_empty() {
        return Ok(None);
    }
    let vectors = tokio::select! {
        () = embed.cancel.cancelled() => return Err(Error::cancelled()),
        vectors = vectors::of_chunks(embedder, part) => vectors?,
    };
    let vectors = part.iter().zip(vectors).map(|(chunk, vector)| ChunkVector {
        chunk: chunk.id.clone(),
        document: embed.document,
        revision: embed.revision.clone(),
        vector,
    });
    let vectors = vectors.collect();
    *done += part.len();
    Ok(Some(vectors))
}

/// Ends a job, or lets it wait for another attempt.
async fn ended(engine: &Arc<Engine>, embed: &Embed, outcome: Result<State>, stop: &CancellationToken) {
    let (id, now) = (embed.job, engine.clock().now_ms());
    engine.ingestion().end(id);
    let finished = match outcome {
        Ok(state) => engine
            .on_library(move |library| Ok(library.finish(id, state, now)?))
            .await
            .map(|_| ()),
        Err(error) => Err(error),
    };
    match finished {
        Ok(()) => {}
        Err(_) if stop.is_cancelled() => engine.job_released(id, 0).await,
        Err(error) if error.code == ErrorCode::Cancelled => {}
        Err(error) => engine.job_failed(id, error).await,
    }
    engine.changed(Changed::Queue);
}

fn named(collection: &Collection) -> impl Fn(recto_collection::Error) -> Error + '_ {
    |error| error.in_collection(collection.name())
}

async fn tell(engine: &Engine, embed: &Embed, done: u32, total: u32) -> Result<()> {
    let (id, now) = (embed.job, engine.clock().now_ms());
    let alive = engine
        .on_library(move |library| Ok(library.progress(id, State::Embedding, done, total, now)?))
        .await?;
    engine.changed(Changed::Queue);
    if alive { Ok(()) } else { Err(Error::cancelled()) }
}

/// Brings indexes up to date where searches would notice, joins the fragments that many documents left, and removes rows
/// nobody can be reading any more.
async fn tidy(engine: &Engine, collection: &Collection, finished: usize) -> Result<()> {
    if let Some(library) = engine.library() {
        crate::collections::purge(&library, collection, engine.clock().now_ms(), engine.undo_time()).await?;
    }
    if finished >= BATCH_DOCUMENTS || collection.needs_optimizing().await.map_err(named(collection))? {
        collection.optimize().await.map_err(named(collection))?;
    }
    Ok(())
}
