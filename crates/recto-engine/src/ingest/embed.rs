//! The third step: vectors for committed chunks. It may be cut off anywhere; the chunks without vectors say what is left.

use super::Embed;
use crate::Engine;
use crate::contract::Changed;
use recto_collection::ChunkVector;
use recto_core::{ChunkSource, Embedder, Error, ErrorCode, Result};
use recto_library::State;
use std::sync::Arc;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

/// Chunks embedded between two looks at cancellation, and written together.
const CHUNKS_AT_A_TIME: usize = 64;

/// Embeds what arrives until the channel is closed and empty.
pub(super) async fn run(engine: &Arc<Engine>, mut to_embed: mpsc::Receiver<Embed>, stop: &CancellationToken) {
    while let Some(embed) = to_embed.recv().await {
        let (id, collection) = (embed.job, Arc::clone(&embed.collection));
        let ended = embed_document(engine, &embed).await;
        engine.ingestion().end(id);
        match ended {
            Ok(()) => {}
            Err(_) if stop.is_cancelled() => engine.job_released(id, 0).await,
            Err(error) if error.code == ErrorCode::Cancelled => {}
            Err(error) => engine.job_failed(id, error).await,
        }
        engine.changed(Changed::Queue);
        engine.changed(Changed::Documents);
        if to_embed.is_empty() && !stop.is_cancelled() {
            // Nothing but speed depends on it, so a failure is noted and no more.
            if let Err(error) = tidy(engine, &collection).await {
                tracing::warn!(%error, "cannot bring a collection's indexes up to date");
            }
        }
    }
}

async fn embed_document(engine: &Arc<Engine>, embed: &Embed) -> Result<()> {
    let collection = &embed.collection;
    let named = |error: recto_collection::Error| error.in_collection(collection.name());
    let embedder = engine.embedder();
    let chunks = collection.chunks_without_vectors(embed.document).await.map_err(named)?;
    let total = u32::try_from(chunks.len()).unwrap_or(u32::MAX);
    let mut done = 0;
    for part in chunks.chunks(CHUNKS_AT_A_TIME) {
        tell(engine, embed, done, total).await?;
        let texts: Vec<String> = part.iter().map(recto_core::Chunk::embedded_text).collect();
        let vectors = tokio::select! {
            () = embed.cancel.cancelled() => return Err(Error::cancelled()),
            vectors = embedder.embed(&texts) => vectors?,
        };
        let vectors: Vec<ChunkVector> = part
            .iter()
            .zip(vectors)
            .map(|(chunk, vector)| ChunkVector {
                chunk: chunk.id.clone(),
                document: embed.document,
                revision: embed.revision.clone(),
                vector,
            })
            .collect();
        collection.append_vectors(&vectors).await.map_err(named)?;
        done += u32::try_from(part.len()).unwrap_or(u32::MAX);
    }
    tell(engine, embed, total, total).await?;
    let marked = collection
        .mark_embedded(&[(embed.document, embed.revision.clone())])
        .await
        .map_err(named)?;
    if marked.is_empty() {
        return Err(Error::transient(
            ErrorCode::Internal,
            "The document changed while it was being embedded.",
        ));
    }
    let snapshot = collection.snapshot().await?;
    let has_gaps = snapshot
        .documents
        .get(&embed.document)
        .is_some_and(|row| !row.gaps.is_empty());
    let state = if has_gaps { State::ReadyWithGaps } else { State::Ready };
    let (id, now) = (embed.job, engine.clock().now_ms());
    engine
        .on_library(move |library| Ok(library.finish(id, state, now)?))
        .await?;
    Ok(())
}

async fn tell(engine: &Engine, embed: &Embed, done: u32, total: u32) -> Result<()> {
    let (id, now) = (embed.job, engine.clock().now_ms());
    let alive = engine
        .on_library(move |library| Ok(library.progress(id, State::Embedding, done, total, now)?))
        .await?;
    engine.changed(Changed::Queue);
    if alive { Ok(()) } else { Err(Error::cancelled()) }
}

/// Brings indexes up to date where searches would notice, and removes rows nobody can be reading any more.
async fn tidy(engine: &Engine, collection: &recto_collection::Collection) -> Result<()> {
    let named = |error: recto_collection::Error| error.in_collection(collection.name());
    if let Some(library) = engine.library() {
        crate::collections::purge(&library, collection, engine.clock().now_ms()).await?;
    }
    if collection.needs_optimizing().await.map_err(named)? {
        collection.optimize().await.map_err(named)?;
    }
    Ok(())
}
