//! Finding chunks and pages: the two ranked lists that retrieval fuses.
//!
//! LanceDB orders equal scores by where the rows lie, which changes with indexing. So each list is fetched a little
//! longer than asked for, and longer still while its end cuts through equal scores, and then sorted by score and id.

use crate::collection::{Collection, collect};
use crate::columns::{f32s, text, u32s};
use crate::sql::Visible;
use crate::{Error, rows, sql};
use arrow_array::RecordBatch;
use async_trait::async_trait;
use futures::TryFutureExt;
use lancedb::DistanceType;
use lancedb::index::scalar::{BooleanQuery, FtsQuery, FullTextSearchQuery, MatchQuery, Occur};
use lancedb::query::{QueryBase, Select};
use recto_core::{
    ChunkId, ChunkSource, CollectionName, DocumentId, DocumentsSnapshot, Item, Result as CoreResult, ScoredChunk,
    ScoredPage, StoredChunk, TextQuery, WordCounts, WordStatistics,
};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A row of a ranked list before its end is cut. `tie` orders equal scores.
struct Hit<T> {
    score: f32,
    tie: String,
    document: DocumentId,
    revision: String,
    value: T,
}

impl<T> Hit<T> {
    fn is_known(&self, snapshot: &DocumentsSnapshot) -> bool {
        snapshot
            .documents
            .get(&self.document)
            .is_some_and(|row| row.revision == self.revision)
    }
}

/// The list to fetch from.
enum List<'a> {
    Vectors(&'a [f32]),
    Chunks(FtsQuery, &'a TextQuery),
    Pages(FtsQuery, &'a TextQuery),
}

impl Collection {
    async fn pages_matching(
        &self,
        snapshot: &DocumentsSnapshot,
        query: &TextQuery,
        documents: Option<&[DocumentId]>,
        limit: usize,
    ) -> Result<Vec<ScoredPage>, Error> {
        let Some(terms) = match_terms(query, &[("text_fts", 1.0)]) else {
            return Ok(Vec::new());
        };
        let list = List::Pages(terms, query);
        let hits = self.ranked(snapshot, &list, documents, limit).await?;
        Ok(hits
            .into_iter()
            .filter_map(|hit| match hit.value {
                Found::Page(page, words) => Some(ScoredPage {
                    document_id: hit.document,
                    page,
                    score: hit.score,
                    words,
                }),
                Found::Chunk { .. } => None,
            })
            .collect())
    }

    async fn nearest_chunks(
        &self,
        snapshot: &DocumentsSnapshot,
        vector: &[f32],
        documents: Option<&[DocumentId]>,
        limit: usize,
    ) -> Result<Vec<ScoredChunk>, Error> {
        if u32::try_from(vector.len()) != Ok(self.embedder.dimension) {
            return Err(Error::Dimension {
                found: vector.len(),
                expected: self.embedder.dimension,
            });
        }
        let hits = self.ranked(snapshot, &List::Vectors(vector), documents, limit).await?;
        self.with_chunks(hits).await
    }

    async fn matching_chunks(
        &self,
        snapshot: &DocumentsSnapshot,
        query: &TextQuery,
        documents: Option<&[DocumentId]>,
        limit: usize,
    ) -> Result<Vec<ScoredChunk>, Error> {
        let Some(terms) = match_terms(
            query,
            &[("content_fts", 1.0), ("heading_fts", TextQuery::HEADING_WEIGHT)],
        ) else {
            return Ok(Vec::new());
        };
        let list = List::Chunks(terms, query);
        let hits = self.ranked(snapshot, &list, documents, limit).await?;
        self.with_chunks(hits).await
    }

    /// The chunks of a list, in its order.
    async fn with_chunks(&self, hits: Vec<Hit<Found>>) -> Result<Vec<ScoredChunk>, Error> {
        let wanted = hits.iter().map(|hit| (hit.revision.as_str(), hit.tie.as_str()));
        let mut chunks = self.chunks_of(wanted).await?;
        Ok(hits
            .into_iter()
            .filter_map(|hit| {
                let Found::Chunk { content, headings } = hit.value else {
                    return None;
                };
                Some(ScoredChunk {
                    chunk: chunks.remove(&hit.tie)?,
                    score: hit.score,
                    content,
                    headings,
                })
            })
            .collect())
    }

    async fn ranked(
        &self,
        snapshot: &DocumentsSnapshot,
        list: &List<'_>,
        documents: Option<&[DocumentId]>,
        limit: usize,
    ) -> Result<Vec<Hit<Found>>, Error> {
        let visible = sql::visible(snapshot, documents);
        if limit == 0 || visible == Visible::Nothing {
            return Ok(Vec::new());
        }
        if !matches!(list, List::Vectors(_)) && !self.has_word_indexes().await? {
            return Ok(Vec::new());
        }
        let mut fetched = limit + limit / 2 + 16;
        loop {
            let mut hits = self.fetch(list, &visible, fetched).await?;
            let is_all = hits.len() < fetched;
            let last_score = hits.iter().map(|hit| hit.score).fold(f32::INFINITY, f32::min);
            hits.retain(|hit| hit.is_known(snapshot));
            hits.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.tie.cmp(&b.tie)));
            let is_settled = hits.get(limit - 1).is_some_and(|hit| hit.score > last_score);
            if is_all || is_settled {
                hits.truncate(limit);
                return Ok(hits);
            }
            fetched *= 4;
        }
    }

    async fn fetch(&self, list: &List<'_>, visible: &Visible, limit: usize) -> Result<Vec<Hit<Found>>, Error> {
        let operation = "search the collection";
        let mut hits = Vec::new();
        match list {
            List::Vectors(vector) => {
                let query = self
                    .vectors
                    .vector_search(*vector)
                    .map_err(Error::database(operation))?
                    .column("vector")
                    .distance_type(DistanceType::Cosine)
                    // Both matter only where there is an index: see `maintain`.
                    .nprobes(20)
                    .map_err(Error::database(operation))?
                    .refine_factor(30)
                    .select(Select::columns(&["chunk_id", "document_id", "revision", "_distance"]))
                    .limit(limit);
                for batch in collect(operation, restrict(query, visible)).await? {
                    let (ids, distances) = (text(&batch, "chunk_id")?, f32s(&batch, "_distance")?);
                    let places = places(&batch)?;
                    hits.extend(places.into_iter().enumerate().map(|(index, (document, revision))| Hit {
                        score: 1.0 - distances.value(index),
                        tie: ids.value(index).to_owned(),
                        document,
                        revision,
                        value: Found::Chunk {
                            content: WordCounts::default(),
                            headings: WordCounts::default(),
                        },
                    }));
                }
            }
            List::Chunks(terms, words) => {
                let query = self
                    .chunks
                    .query()
                    .full_text_search(FullTextSearchQuery::new_query(terms.clone()))
                    .select(columns(words, &["id"], &["content_fts", "heading_fts"]))
                    .limit(limit);
                for batch in collect(operation, restrict(query, visible)).await? {
                    let (ids, scores) = (text(&batch, "id")?, f32s(&batch, "_score")?);
                    let content = counts(&batch, words, "content_fts")?;
                    let headings = counts(&batch, words, "heading_fts")?;
                    let places = places(&batch)?.into_iter().zip(content).zip(headings).enumerate();
                    hits.extend(places.map(|(index, (((document, revision), content), headings))| Hit {
                        score: scores.value(index),
                        tie: ids.value(index).to_owned(),
                        document,
                        revision,
                        value: Found::Chunk { content, headings },
                    }));
                }
            }
            List::Pages(terms, words) => {
                let query = self
                    .pages
                    .query()
                    .full_text_search(FullTextSearchQuery::new_query(terms.clone()))
                    .select(columns(words, &["number"], &["text_fts"]))
                    .limit(limit);
                for batch in collect(operation, restrict(query, visible)).await? {
                    let (numbers, scores) = (u32s(&batch, "number")?, f32s(&batch, "_score")?);
                    let places = places(&batch)?.into_iter().zip(counts(&batch, words, "text_fts")?);
                    hits.extend(places.enumerate().map(|(index, ((document, revision), counts))| Hit {
                        score: scores.value(index),
                        tie: format!("{document} {:010}", numbers.value(index)),
                        document,
                        revision,
                        value: Found::Page(numbers.value(index), counts),
                    }));
                }
            }
        }
        Ok(hits)
    }

    /// The chunks with these revisions and ids, by id; those read before are not read again.
    pub(crate) async fn chunks_of<'a>(
        &self,
        wanted: impl Iterator<Item = (&'a str, &'a str)>,
    ) -> Result<BTreeMap<String, Arc<StoredChunk>>, Error> {
        let mut chunks = BTreeMap::new();
        let mut unread = Vec::new();
        for (revision, id) in wanted {
            match self.chunk_cache.get(revision, id) {
                Some(chunk) => {
                    chunks.insert(id.to_owned(), chunk);
                }
                None => unread.push(id),
            }
        }
        chunks.extend(self.chunks_by_id(unread).await?);
        Ok(chunks)
    }

    async fn chunks_by_id(&self, ids: Vec<&str>) -> Result<BTreeMap<String, Arc<StoredChunk>>, Error> {
        if ids.is_empty() {
            return Ok(BTreeMap::new());
        }
        let query = self
            .chunks
            .query()
            .only_if(sql::one_of("id", ids))
            .select(Select::columns(&rows::STORED_CHUNK));
        let mut chunks = BTreeMap::new();
        for batch in collect("read chunks", query).await? {
            for chunk in rows::decode_stored_chunks(&batch)? {
                let chunk = Arc::new(chunk);
                self.chunk_cache.insert(Arc::clone(&chunk));
                chunks.insert(chunk.id.0.clone(), chunk);
            }
        }
        Ok(chunks)
    }

    /// The chunks with these ids that are current in `snapshot`, in the order of `ids`. Unknown ids are passed over.
    ///
    /// # Errors
    /// A failure of the database.
    pub async fn chunks(&self, snapshot: &DocumentsSnapshot, ids: &[ChunkId]) -> Result<Vec<Arc<StoredChunk>>, Error> {
        let mut found = self.chunks_by_id(ids.iter().map(|id| id.0.as_str()).collect()).await?;
        found.retain(|_, chunk| {
            let row = snapshot.documents.get(&chunk.document_id);
            row.is_some_and(|row| row.revision == chunk.revision)
        });
        Ok(ids.iter().filter_map(|id| found.remove(&id.0)).collect())
    }
}

enum Found {
    /// The chunk that the hit's `tie` names.
    Chunk {
        content: WordCounts,
        headings: WordCounts,
    },
    Page(u32, WordCounts),
}

/// What a word list reads of a row: where it belongs, its score, what `names` it, and its words where they are counted.
fn columns(query: &TextQuery, names: &[&'static str], words: &[&'static str]) -> Select {
    let words = if query.is_counted { words } else { &[] };
    Select::columns(&[names, &["document_id", "revision", "_score"], words].concat())
}

/// The words of `query` in a column of each row; nothing where they are not counted.
fn counts(batch: &RecordBatch, query: &TextQuery, column: &'static str) -> Result<Vec<WordCounts>, Error> {
    if !query.is_counted {
        return Ok(vec![WordCounts::default(); batch.num_rows()]);
    }
    let texts = text(batch, column)?;
    Ok((0..batch.num_rows())
        .map(|index| WordCounts::of(query, texts.value(index)))
        .collect())
}

fn restrict<Q: QueryBase>(query: Q, visible: &Visible) -> Q {
    match visible {
        Visible::Where(condition) => query.only_if(condition),
        Visible::Everything | Visible::Nothing => query,
    }
}

fn places(batch: &RecordBatch) -> Result<Vec<(DocumentId, String)>, Error> {
    let (documents, revisions) = (text(batch, "document_id")?, text(batch, "revision")?);
    (0..batch.num_rows())
        .map(|index| {
            let document = documents
                .value(index)
                .parse()
                .map_err(|_| Error::Stored { column: "document_id" })?;
            Ok((document, revisions.value(index).to_owned()))
        })
        .collect()
}

/// Any of the terms in any of the columns; scores are added up. Related terms count less. `None` without terms.
fn match_terms(query: &TextQuery, columns: &[(&str, f32)]) -> Option<FtsQuery> {
    let weighted = [(&query.terms, 1.0), (&query.related, TextQuery::RELATED_WEIGHT)];
    let clauses: Vec<(Occur, FtsQuery)> = weighted
        .into_iter()
        .filter(|(terms, _)| !terms.is_empty())
        .flat_map(|(terms, weight)| {
            let terms = terms.join(" ");
            columns.iter().map(move |(column, boost)| {
                let clause = MatchQuery::new(terms.clone())
                    .with_column(Some((*column).to_owned()))
                    .with_boost(*boost * weight);
                (Occur::Should, FtsQuery::from(clause))
            })
        })
        .collect();
    match clauses.as_slice() {
        [] => None,
        [(_, only)] => Some(only.clone()),
        _ => Some(BooleanQuery::new(clauses).into()),
    }
}

#[async_trait]
impl ChunkSource for Collection {
    fn name(&self) -> &CollectionName {
        &self.name
    }

    async fn snapshot(&self) -> CoreResult<DocumentsSnapshot> {
        self.documents().map_err(|error| error.in_collection(&self.name)).await
    }

    async fn nearest(
        &self,
        snapshot: &DocumentsSnapshot,
        vector: &[f32],
        documents: Option<&[DocumentId]>,
        limit: usize,
    ) -> CoreResult<Vec<ScoredChunk>> {
        self.nearest_chunks(snapshot, vector, documents, limit)
            .map_err(|error| error.in_collection(&self.name))
            .await
    }

    async fn matching(
        &self,
        snapshot: &DocumentsSnapshot,
        query: &TextQuery,
        documents: Option<&[DocumentId]>,
        limit: usize,
    ) -> CoreResult<Vec<ScoredChunk>> {
        self.matching_chunks(snapshot, query, documents, limit)
            .map_err(|error| error.in_collection(&self.name))
            .await
    }

    async fn matching_pages(
        &self,
        snapshot: &DocumentsSnapshot,
        query: &TextQuery,
        documents: Option<&[DocumentId]>,
        limit: usize,
    ) -> CoreResult<Vec<ScoredPage>> {
        self.pages_matching(snapshot, query, documents, limit)
            .map_err(|error| error.in_collection(&self.name))
            .await
    }

    async fn word_statistics(&self, snapshot: &DocumentsSnapshot, query: &TextQuery) -> CoreResult<WordStatistics> {
        self.statistics(snapshot, query)
            .map_err(|error| error.in_collection(&self.name))
            .await
    }

    async fn chunks_on(
        &self,
        snapshot: &DocumentsSnapshot,
        document: DocumentId,
        pages: &[u32],
    ) -> CoreResult<Vec<Arc<StoredChunk>>> {
        self.chunks_on_pages(snapshot, document, pages)
            .map_err(|error| error.in_collection(&self.name))
            .await
    }

    async fn items(
        &self,
        snapshot: &DocumentsSnapshot,
        document: DocumentId,
        ranges: &[(u32, u32)],
    ) -> CoreResult<Vec<Item>> {
        self.items_in(snapshot, document, ranges)
            .map_err(|error| error.in_collection(&self.name))
            .await
    }
}
