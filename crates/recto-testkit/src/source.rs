//! A collection in memory, scored exactly.

use crate::FakeEmbedder;
use async_trait::async_trait;
use recto_core::{
    Chunk, ChunkId, ChunkMetadata, ChunkSource, CollectionName, Document, DocumentId, DocumentRow, DocumentsSnapshot,
    Error, ErrorCode, FieldStatistics, Item, PageRect, Result, ScoredChunk, ScoredPage, Span, StoredChunk, TextQuery,
    WordCounts, WordStatistics, WordTotals,
};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

const K1: f32 = 1.2;
const B: f32 = 0.75;

/// Lower-case words of a text: letters, digits and what stands between digits (`1,577`, `10-k`).
#[must_use]
pub fn terms(text: &str) -> Vec<String> {
    text.split(|c: char| !(c.is_alphanumeric() || matches!(c, ',' | '.' | '-' | '$' | '%')))
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase())
        .filter(|word| !word.is_empty())
        .collect()
}

/// One chunk for each item that is no heading and no furniture, under its heading path.
#[must_use]
pub fn plain_chunks(id: DocumentId, document: &Document) -> Vec<Chunk> {
    let title = document.info.title.clone().unwrap_or_default();
    let mut path: Vec<(u32, String)> = Vec::new();
    let mut chunks = Vec::new();
    for item in &document.items {
        if item.label.is_heading() {
            path.retain(|(level, _)| *level < item.level);
            path.push((item.level, item.text.clone()));
            continue;
        }
        if item.label.is_furniture() {
            continue;
        }
        let headings: Vec<String> = path.iter().map(|(_, heading)| heading.clone()).collect();
        let prefix = std::iter::once(title.clone())
            .chain(headings.iter().cloned())
            .collect::<Vec<_>>()
            .join("\n");
        let order = chunks.len() as u32;
        chunks.push(Chunk {
            id: ChunkId(format!("{id}:{order}")),
            document_id: id,
            order,
            content: item.text.clone(),
            content_terms: terms(&item.text).join(" "),
            heading_terms: terms(&prefix).join(" "),
            prefix,
            metadata: ChunkMetadata {
                doc_item_refs: vec![item.self_ref.clone()],
                first_position: item.position,
                last_position: item.position,
                labels: vec![item.label.as_str().into()],
                page_numbers: item.page_numbers(),
                headings,
                spans: vec![Span {
                    self_ref: item.self_ref.clone(),
                    start: 0,
                    end: item.text.len() as u32,
                }],
                boxes: item.provenance.iter().map(|part| part.at).collect::<Vec<PageRect>>(),
                locator: item.locator.clone(),
            },
        });
    }
    chunks
}

struct Entry {
    chunk: Arc<StoredChunk>,
    content_terms: Vec<String>,
    heading_terms: Vec<String>,
    vector: Option<Vec<f32>>,
}

/// A [`ChunkSource`] that scores every chunk: BM25 over content and (threefold) headings, cosine over vectors.
pub struct MemorySource {
    name: CollectionName,
    snapshot: DocumentsSnapshot,
    entries: Vec<Entry>,
    items: BTreeMap<DocumentId, Vec<Item>>,
    unavailable: Option<String>,
}

impl MemorySource {
    /// An empty collection.
    #[must_use]
    pub fn new(name: &str) -> Self {
        Self {
            name: CollectionName(name.into()),
            snapshot: DocumentsSnapshot::default(),
            entries: Vec::new(),
            items: BTreeMap::new(),
            unavailable: None,
        }
    }

    /// Adds a document with chunks cut by the caller. `vectors` holds one vector per chunk, or nothing for a document
    /// that is not embedded yet.
    pub fn add(&mut self, row: DocumentRow, items: Vec<Item>, chunks: &[Chunk], vectors: &[Vec<f32>]) {
        for (index, chunk) in chunks.iter().enumerate() {
            self.entries.push(Entry {
                chunk: Arc::new(StoredChunk {
                    id: chunk.id.clone(),
                    document_id: row.id,
                    revision: row.revision.clone(),
                    order: chunk.order,
                    content: chunk.content.clone(),
                    metadata: chunk.metadata.clone(),
                }),
                content_terms: chunk.content_terms.split_whitespace().map(String::from).collect(),
                heading_terms: chunk.heading_terms.split_whitespace().map(String::from).collect(),
                vector: vectors.get(index).cloned(),
            });
        }
        self.items.insert(row.id, items);
        self.snapshot.documents.insert(row.id, row);
    }

    /// Adds a document cut into [`plain_chunks`], embedded by `embedder`.
    pub fn add_document(&mut self, id: DocumentId, document: &Document, embedder: &FakeEmbedder) {
        let chunks = plain_chunks(id, document);
        let vectors: Vec<Vec<f32>> = chunks
            .iter()
            .map(|chunk| embedder.vector(&chunk.embedded_text()))
            .collect();
        self.add(Self::row(id, document), document.items.clone(), &chunks, &vectors);
    }

    /// The row of a document added from `/documents/<title>`.
    #[must_use]
    pub fn row(id: DocumentId, document: &Document) -> DocumentRow {
        let title = document.info.title.clone().unwrap_or_default();
        let uri = format!("/documents/{title}");
        DocumentRow {
            id,
            revision: format!("{id}-1"),
            embedded: true,
            locations: vec![uri.clone()],
            uri,
            sha256: format!("{:064x}", id.0.as_u128()),
            media_type: document.info.media_type.clone(),
            page_count: document.info.page_count,
            recognised_pages: 0,
            word_totals: WordTotals::default(),
            page_labels: if document.pages.iter().any(|page| page.label.is_some()) {
                document.pages.iter().map(|page| page.label.clone()).collect()
            } else {
                Vec::new()
            },
            gaps: document.info.gaps.clone(),
            tags: Vec::new(),
            metadata: BTreeMap::new(),
            card: Arc::default(),
            created_at: "2026-01-01T00:00:00Z".into(),
            updated_at: "2026-01-01T00:00:00Z".into(),
            title,
        }
    }

    /// Changes a document's row, for example its tags.
    pub fn edit(&mut self, id: DocumentId, change: impl FnOnce(&mut DocumentRow)) {
        if let Some(row) = self.snapshot.documents.get_mut(&id) {
            change(row);
        }
    }

    /// Hides a revision's chunks, as while it is being written or after it was replaced.
    pub fn hide_revision(&mut self, revision: &str) {
        self.snapshot.hidden_revisions.insert(revision.into());
    }

    /// Makes every call fail with `collection_unavailable`.
    pub fn fail_with(&mut self, message: &str) {
        self.unavailable = Some(message.into());
    }

    fn available(&self) -> Result<()> {
        self.unavailable.as_ref().map_or(Ok(()), |message| {
            Err(Error::new(ErrorCode::CollectionUnavailable, message.clone()))
        })
    }

    fn visible(&self, snapshot: &DocumentsSnapshot, documents: Option<&[DocumentId]>) -> Vec<&Entry> {
        self.entries
            .iter()
            .filter(|entry| {
                let chunk = &entry.chunk;
                snapshot
                    .documents
                    .get(&chunk.document_id)
                    .is_some_and(|row| row.revision == chunk.revision)
                    && !snapshot.hidden_revisions.contains(&chunk.revision)
                    && documents.is_none_or(|wanted| wanted.contains(&chunk.document_id))
            })
            .collect()
    }

    /// The pages of the visible documents, each with the content terms of the chunks on it, by document and number.
    fn pages(&self, snapshot: &DocumentsSnapshot) -> Vec<((DocumentId, u32), Vec<String>)> {
        let mut pages: BTreeMap<(DocumentId, u32), Vec<String>> = BTreeMap::new();
        for entry in self.visible(snapshot, None) {
            for page in &entry.chunk.metadata.page_numbers {
                let terms = pages.entry((entry.chunk.document_id, *page)).or_default();
                terms.extend_from_slice(&entry.content_terms);
            }
        }
        pages.into_iter().collect()
    }
}

/// Terms and what they count.
fn counts(query: &TextQuery, terms: &[String]) -> WordCounts {
    if query.is_counted {
        WordCounts::of(query, &terms.join(" "))
    } else {
        WordCounts::default()
    }
}

fn weights(query: &TextQuery) -> BTreeMap<&str, f32> {
    let related = query
        .related
        .iter()
        .map(|term| (term.as_str(), TextQuery::RELATED_WEIGHT));
    let own = query.terms.iter().map(|term| (term.as_str(), 1.0));
    related.chain(own).collect()
}

/// BM25 of each text over all of `texts`.
fn bm25(texts: &[&[String]], query: &BTreeMap<&str, f32>) -> Vec<f32> {
    let count = texts.len() as f32;
    let mean_length = texts.iter().map(|words| words.len() as f32).sum::<f32>() / count.max(1.0);
    let mut frequency: HashMap<&str, f32> = HashMap::new();
    for term in query.keys() {
        let holding = texts
            .iter()
            .filter(|words| words.iter().any(|word| word == *term))
            .count();
        frequency.insert(term, holding as f32);
    }
    texts
        .iter()
        .map(|words| {
            let mut score = 0.0;
            for (term, weight) in query {
                let occurrences = words.iter().filter(|word| word.as_str() == *term).count() as f32;
                if occurrences > 0.0 {
                    let holding = frequency[term];
                    let rarity = (1.0 + (count - holding + 0.5) / (holding + 0.5)).ln();
                    let length = 1.0 - B + B * words.len() as f32 / mean_length.max(1.0);
                    score += weight * rarity * occurrences * (K1 + 1.0) / (occurrences + K1 * length);
                }
            }
            score
        })
        .collect()
}

fn statistics<'a>(texts: impl Iterator<Item = &'a [String]>, query: &TextQuery) -> FieldStatistics {
    let mut sum = FieldStatistics::default();
    for text in texts {
        sum += &FieldStatistics {
            texts: 1,
            length: text.len() as u64,
            holding: query
                .words()
                .map(|(word, _)| u64::from(text.iter().any(|term| term == word)))
                .collect(),
        };
    }
    sum
}

fn best(mut scored: Vec<ScoredChunk>, limit: usize) -> Vec<ScoredChunk> {
    scored.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.chunk.id.cmp(&b.chunk.id)));
    scored.truncate(limit);
    scored
}

#[async_trait]
impl ChunkSource for MemorySource {
    fn name(&self) -> &CollectionName {
        &self.name
    }

    async fn snapshot(&self) -> Result<DocumentsSnapshot> {
        self.available()?;
        Ok(self.snapshot.clone())
    }

    async fn nearest(
        &self,
        snapshot: &DocumentsSnapshot,
        vector: &[f32],
        documents: Option<&[DocumentId]>,
        limit: usize,
    ) -> Result<Vec<ScoredChunk>> {
        self.available()?;
        let length = |vector: &[f32]| vector.iter().map(|x| x * x).sum::<f32>().sqrt().max(f32::MIN_POSITIVE);
        let scored = self
            .visible(snapshot, documents)
            .into_iter()
            .filter_map(|entry| {
                let stored = entry.vector.as_deref()?;
                let product: f32 = stored.iter().zip(vector).map(|(x, y)| x * y).sum();
                Some(ScoredChunk {
                    chunk: Arc::clone(&entry.chunk),
                    score: product / (length(stored) * length(vector)),
                    content: WordCounts::default(),
                    headings: WordCounts::default(),
                })
            })
            .collect();
        Ok(best(scored, limit))
    }

    async fn matching(
        &self,
        snapshot: &DocumentsSnapshot,
        query: &TextQuery,
        documents: Option<&[DocumentId]>,
        limit: usize,
    ) -> Result<Vec<ScoredChunk>> {
        self.available()?;
        // Statistics are those of the whole collection, as in a stored index.
        let all = self.visible(snapshot, None);
        let words = query;
        let query = weights(query);
        let field = |of: fn(&Entry) -> &[String]| -> Vec<&[String]> { all.iter().map(|entry| of(entry)).collect() };
        let content = bm25(&field(|entry| &entry.content_terms), &query);
        let headings = bm25(&field(|entry| &entry.heading_terms), &query);
        let scored = all
            .iter()
            .zip(content.iter().zip(headings))
            .filter(|(entry, _)| documents.is_none_or(|wanted| wanted.contains(&entry.chunk.document_id)))
            .map(|(entry, (content, headings))| ScoredChunk {
                chunk: Arc::clone(&entry.chunk),
                score: content + TextQuery::HEADING_WEIGHT * headings,
                content: counts(words, &entry.content_terms),
                headings: counts(words, &entry.heading_terms),
            })
            .filter(|scored| scored.score > 0.0)
            .collect();
        Ok(best(scored, limit))
    }

    async fn matching_pages(
        &self,
        snapshot: &DocumentsSnapshot,
        query: &TextQuery,
        documents: Option<&[DocumentId]>,
        limit: usize,
    ) -> Result<Vec<ScoredPage>> {
        self.available()?;
        let pages = self.pages(snapshot);
        let words = query;
        let query = weights(query);
        let texts: Vec<&[String]> = pages.iter().map(|(_, terms)| terms.as_slice()).collect();
        let mut scored: Vec<ScoredPage> = pages
            .iter()
            .zip(bm25(&texts, &query))
            .filter(|(((document, _), _), score)| {
                *score > 0.0 && documents.is_none_or(|wanted| wanted.contains(document))
            })
            .map(|(((document_id, page), terms), score)| ScoredPage {
                document_id: *document_id,
                page: *page,
                score,
                words: counts(words, terms),
            })
            .collect();
        scored.sort_by(|a, b| {
            (b.score.total_cmp(&a.score)).then_with(|| (a.document_id, a.page).cmp(&(b.document_id, b.page)))
        });
        scored.truncate(limit);
        Ok(scored)
    }

    async fn word_statistics(&self, snapshot: &DocumentsSnapshot, query: &TextQuery) -> Result<WordStatistics> {
        self.available()?;
        let all = self.visible(snapshot, None);
        let pages = self.pages(snapshot);
        Ok(WordStatistics {
            content: statistics(all.iter().map(|entry| entry.content_terms.as_slice()), query),
            headings: statistics(all.iter().map(|entry| entry.heading_terms.as_slice()), query),
            pages: statistics(pages.iter().map(|(_, terms)| terms.as_slice()), query),
        })
    }

    async fn chunks_on(
        &self,
        snapshot: &DocumentsSnapshot,
        document: DocumentId,
        pages: &[u32],
    ) -> Result<Vec<Arc<StoredChunk>>> {
        self.available()?;
        let mut found: Vec<Arc<StoredChunk>> = self
            .visible(snapshot, Some(&[document]))
            .into_iter()
            .filter(|entry| {
                entry
                    .chunk
                    .metadata
                    .page_numbers
                    .iter()
                    .any(|page| pages.contains(page))
            })
            .map(|entry| Arc::clone(&entry.chunk))
            .collect();
        found.sort_by_key(|chunk| chunk.order);
        Ok(found)
    }

    async fn items(
        &self,
        snapshot: &DocumentsSnapshot,
        document: DocumentId,
        ranges: &[(u32, u32)],
    ) -> Result<Vec<Item>> {
        self.available()?;
        let items = snapshot
            .documents
            .get(&document)
            .and_then(|_| self.items.get(&document))
            .ok_or_else(|| Error::new(ErrorCode::NotFound, format!("There is no document {document}.")))?;
        Ok(items
            .iter()
            .filter(|item| {
                ranges
                    .iter()
                    .any(|(first, last)| (*first..=*last).contains(&item.position))
            })
            .cloned()
            .collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DocumentBuilder, document_id};

    fn source() -> (MemorySource, FakeEmbedder) {
        let embedder = FakeEmbedder::default();
        let mut source = MemorySource::new("reports");
        let first = DocumentBuilder::new("Alpha")
            .page()
            .heading(1, "Capital expenditures")
            .paragraph("We spent $1,577 million on equipment.")
            .heading(1, "Sales")
            .paragraph("Net sales rose to 32,765 million.")
            .build();
        let second = DocumentBuilder::new("Beta").paragraph("Net sales fell.").build();
        source.add_document(document_id(1), &first, &embedder);
        source.add_document(document_id(2), &second, &embedder);
        (source, embedder)
    }

    fn query(text: &str) -> TextQuery {
        TextQuery {
            terms: terms(text),
            ..TextQuery::default()
        }
    }

    #[tokio::test]
    async fn words_are_found_in_content_and_headings_and_filters_hold() {
        let (source, _) = source();
        let snapshot = source.snapshot().await.expect("snapshot");
        let ids = |found: Vec<ScoredChunk>| found.into_iter().map(|one| one.chunk.id.0.clone()).collect::<Vec<_>>();
        let found = source
            .matching(&snapshot, &query("$1,577"), None, 5)
            .await
            .expect("finds");
        assert_eq!(ids(found), [format!("{}:0", document_id(1))]);
        let found = source
            .matching(&snapshot, &query("capital"), None, 5)
            .await
            .expect("finds");
        assert_eq!(ids(found), [format!("{}:0", document_id(1))]);
        let only = [document_id(2)];
        let found = source
            .matching(&snapshot, &query("sales"), Some(&only), 5)
            .await
            .expect("finds");
        assert_eq!(ids(found), [format!("{}:0", document_id(2))]);
    }

    #[tokio::test]
    async fn the_nearest_vector_comes_first_and_hidden_revisions_never() {
        let (mut source, embedder) = source();
        let vector = embedder.vector("Net sales fell.");
        let snapshot = source.snapshot().await.expect("snapshot");
        let found = source.nearest(&snapshot, &vector, None, 5).await.expect("finds");
        assert_eq!(found.len(), 3);
        assert_eq!(found[0].chunk.document_id, document_id(2));

        source.hide_revision(&format!("{}-1", document_id(2)));
        let snapshot = source.snapshot().await.expect("snapshot");
        let found = source.nearest(&snapshot, &vector, None, 5).await.expect("finds");
        assert!(found.iter().all(|one| one.chunk.document_id == document_id(1)));
    }

    #[tokio::test]
    async fn a_page_is_found_by_words_of_all_its_chunks() {
        let (source, _) = source();
        let snapshot = source.snapshot().await.expect("snapshot");
        let found = source
            .matching_pages(&snapshot, &query("equipment sales"), None, 5)
            .await
            .expect("finds");
        let places: Vec<_> = found.iter().map(|page| (page.document_id, page.page)).collect();
        assert_eq!(places, [(document_id(1), 1)], "a document without pages has none");
    }

    #[tokio::test]
    async fn items_come_by_position_each_once() {
        let (source, _) = source();
        let snapshot = source.snapshot().await.expect("snapshot");
        let items = source
            .items(&snapshot, document_id(1), &[(2, 3), (1, 2)])
            .await
            .expect("items");
        assert_eq!(items.iter().map(|item| item.position).collect::<Vec<_>>(), [1, 2, 3]);
    }
}
