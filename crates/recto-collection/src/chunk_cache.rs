//! Chunks read before, so that the next question reads only their ids.
//!
//! A question ranks some hundred chunks and shows ten; of most it only needs to know where they lie. Reading and decoding
//! them anew took more than half of the time of a search. A revision's rows never change, and its name is never used
//! again, so nothing here can become wrong.

use quick_cache::Weighter;
use quick_cache::sync::Cache;
use recto_core::StoredChunk;
use std::sync::Arc;

/// Most bytes of chunks kept in a collection: some 20 000 chunks, enough for what is asked about day by day.
const MOST_BYTES: u64 = 64 << 20;
/// What a chunk of the usual length takes.
const USUAL_BYTES: u64 = 3 << 10;

/// By revision and id.
type Key = (String, String);

pub(crate) struct ChunkCache(Cache<Key, Arc<StoredChunk>, Bytes>);

impl Default for ChunkCache {
    fn default() -> Self {
        let usual = usize::try_from(MOST_BYTES / USUAL_BYTES).unwrap_or(usize::MAX);
        Self(Cache::with_weighter(usual, MOST_BYTES, Bytes))
    }
}

impl ChunkCache {
    pub(crate) fn get(&self, revision: &str, id: &str) -> Option<Arc<StoredChunk>> {
        self.0.get(&(revision.to_owned(), id.to_owned()))
    }

    pub(crate) fn insert(&self, chunk: Arc<StoredChunk>) {
        self.0.insert((chunk.revision.clone(), chunk.id.0.clone()), chunk);
    }
}

#[derive(Clone)]
struct Bytes;

impl Weighter<Key, Arc<StoredChunk>> for Bytes {
    fn weight(&self, (revision, id): &Key, chunk: &Arc<StoredChunk>) -> u64 {
        let metadata = &chunk.metadata;
        let words = metadata
            .headings
            .iter()
            .chain(&metadata.doc_item_refs)
            .chain(&metadata.labels);
        let spans = metadata
            .spans
            .iter()
            .map(|span| span.self_ref.len() + size_of_val(span));
        let bytes = size_of::<StoredChunk>()
            + 2 * (revision.len() + id.len())
            + chunk.content.len()
            + words.map(|word| word.len() + size_of::<String>()).sum::<usize>()
            + spans.sum::<usize>()
            + size_of_val(metadata.boxes.as_slice());
        bytes as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use recto_core::{ChunkId, ChunkMetadata, DocumentId};

    fn chunk(revision: &str, id: usize, content: &str) -> Arc<StoredChunk> {
        Arc::new(StoredChunk {
            id: ChunkId(id.to_string()),
            document_id: DocumentId(uuid::Uuid::nil()),
            revision: revision.to_owned(),
            order: 0,
            content: content.to_owned(),
            metadata: ChunkMetadata::default(),
        })
    }

    #[test]
    fn a_chunk_is_known_by_its_revision_too() {
        let cache = ChunkCache::default();
        cache.insert(chunk("old", 1, "before"));
        cache.insert(chunk("new", 1, "after"));
        let content = |revision: &str| cache.get(revision, "1").map(|chunk| chunk.content.clone());
        assert_eq!(content("old").as_deref(), Some("before"));
        assert_eq!(content("new").as_deref(), Some("after"));
        assert_eq!(content("newer"), None);
    }

    #[test]
    fn it_stays_within_its_bytes() {
        let cache = ChunkCache::default();
        let text = "x".repeat(1 << 20);
        for id in 0..100 {
            cache.insert(chunk("one", id, &text));
        }
        assert!(cache.0.weight() <= MOST_BYTES);
        assert!(!cache.0.is_empty());
    }
}
