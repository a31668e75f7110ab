//! Word and vector lists of one or several collections, fused by rank.
//!
//! Each question takes one snapshot per collection and uses it from search to expansion. Lists are merged over the
//! collections first and fused afterwards: vector lists by cosine similarity, which means the same everywhere, and word
//! lists by BM25. BM25 scores of different collections rest on different document frequencies and are comparable only
//! roughly; recomputing them over the selection is left out here. Fusing ranks *across* collections instead would give
//! every collection, however irrelevant, an equal share of the first places.
//!
//! A hybrid search fuses a third list, of whole pages by words: a chunk is too short to hold all words of a question
//! that its page answers in a table and the note above it. A page's share goes to the best chunk on it.

use crate::expand::{self, EXPAND_CHARS, FoundPassage};
use crate::query::{searched_text, text_query};
use crate::terms::{Language, split_terms};
use futures::future::try_join_all;
use recto_core::{
    ChunkSource, DocumentId, DocumentsSnapshot, Embedder, Error, ErrorCode, PassageRole, Result, ScoredChunk,
    ScoredPage, SearchMode, SearchRequest, SearchResults, StoredChunk, TextQuery, UnitStats,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The constant of reciprocal rank fusion, dimensionless.
const FUSION_K: f32 = 60.0;
/// How many times more than asked for is fetched from each list, and the least that is.
const OVER_FETCH: usize = 4;
const LEAST_FETCH: usize = 200;

/// A collection with the snapshot one question uses.
#[derive(Clone)]
pub struct OpenSource {
    /// The collection.
    pub source: Arc<dyn ChunkSource>,
    /// Its documents at the moment of the question.
    pub snapshot: Arc<DocumentsSnapshot>,
}

/// How hits become passages.
#[derive(Debug, Clone, Copy)]
pub struct SearchOptions {
    /// Most characters of an expanded passage.
    pub expand_chars: usize,
}

impl Default for SearchOptions {
    fn default() -> Self {
        Self {
            expand_chars: EXPAND_CHARS,
        }
    }
}

/// Passages with what is needed to work on them.
#[derive(Debug, Clone, Default)]
pub struct Retrieved {
    /// Best first.
    pub passages: Vec<FoundPassage>,
    /// Counts by role.
    pub unit_stats: UnitStats,
}

/// A chunk found, with its fused score.
#[derive(Debug, Clone)]
pub(crate) struct Hit {
    /// Index of its collection.
    pub(crate) source: usize,
    pub(crate) chunk: StoredChunk,
    /// The fused score, or the score of the only list asked for.
    pub(crate) score: f32,
    /// Cosine similarity to the question, where the vector list held the chunk.
    pub(crate) cosine: Option<f32>,
}

/// Takes a snapshot of each collection.
///
/// # Errors
/// Whatever a collection answers; one that cannot be read fails the whole.
pub async fn open(sources: &[Arc<dyn ChunkSource>]) -> Result<Vec<OpenSource>> {
    try_join_all(sources.iter().map(|source| async {
        Ok(OpenSource {
            source: Arc::clone(source),
            snapshot: Arc::new(source.snapshot().await?),
        })
    }))
    .await
}

/// Searches collections and returns at most `request.limit` passages, best first; ties by collection, then chunk.
///
/// A blank query or an empty selection finds nothing and embeds nothing. Without an `embedder`, or while no selected
/// document has vectors yet, a hybrid search uses words alone.
///
/// # Errors
/// `asset_missing` for a vector search without an embedder; otherwise whatever a collection or the embedder answers.
pub async fn search(
    sources: &[Arc<dyn ChunkSource>],
    embedder: Option<&dyn Embedder>,
    request: &SearchRequest,
) -> Result<SearchResults> {
    let opened = open(sources).await?;
    let retrieved = retrieve(&opened, embedder, request, SearchOptions::default()).await?;
    Ok(SearchResults {
        passages: retrieved.passages.into_iter().map(|found| found.passage).collect(),
        unit_stats: retrieved.unit_stats,
    })
}

/// [`search`] over snapshots already taken, returning passages together with their items.
///
/// # Errors
/// As [`search`].
pub async fn retrieve(
    opened: &[OpenSource],
    embedder: Option<&dyn Embedder>,
    request: &SearchRequest,
    options: SearchOptions,
) -> Result<Retrieved> {
    let mut hits = hits(opened, embedder, request).await?;
    let found = if request.expand {
        expand::expand(opened, hits, request.limit, options.expand_chars).await?
    } else {
        hits.truncate(request.limit);
        expand::unexpanded(opened, hits).await?
    };
    let count = u32::try_from(found.len()).unwrap_or(u32::MAX);
    let passages: Vec<FoundPassage> = (1..).zip(found).map(|(rank, found)| found.ranked(rank)).collect();
    debug_assert!(passages.iter().all(|found| found.passage.role == PassageRole::Evidence));
    Ok(Retrieved {
        passages,
        unit_stats: UnitStats {
            evidence: count,
            returned: count,
            cap: u32::try_from(request.limit).unwrap_or(u32::MAX),
            ..UnitStats::default()
        },
    })
}

/// The fused list, longer than asked for so that expansion may merge hits.
async fn hits(opened: &[OpenSource], embedder: Option<&dyn Embedder>, request: &SearchRequest) -> Result<Vec<Hit>> {
    if !request.query.chars().any(char::is_alphanumeric) || request.limit == 0 {
        return Ok(Vec::new());
    }
    let selections: Vec<Selection> = opened.iter().map(|source| Selection::new(source, request)).collect();
    if selections.iter().all(|selection| selection.is_empty) {
        return Ok(Vec::new());
    }
    let query = distinguishing(text_query(&request.query), opened, &selections);
    let depth = request.limit.saturating_mul(OVER_FETCH).max(LEAST_FETCH);
    let words = async {
        if request.mode == SearchMode::Vector {
            return Ok(Vec::new());
        }
        word_list(opened, &selections, &query, depth).await
    };
    let vectors = async {
        match (request.mode, embedder) {
            (SearchMode::Fts, _) | (SearchMode::Hybrid, None) => Ok(Vec::new()),
            (SearchMode::Vector, None) => Err(Error::new(
                ErrorCode::AssetMissing,
                "Searching by meaning needs an embedding model, and none is available. Search by words instead.",
            )),
            (_, Some(embedder)) => vector_list(opened, &selections, embedder, &request.query, depth).await,
        }
    };
    let pages = async {
        if request.mode != SearchMode::Hybrid {
            return Ok(Vec::new());
        }
        page_list(opened, &selections, &query, depth).await
    };
    let (words, vectors, pages) = futures::try_join!(words, vectors, pages)?;
    Ok(match request.mode {
        // A search of one kind keeps that list's own scores.
        SearchMode::Fts => words,
        SearchMode::Vector => vectors,
        SearchMode::Hybrid => fuse(opened, [words, vectors], &pages),
    })
}

/// The documents of a collection that a request selects.
struct Selection {
    /// `None` means all of the snapshot.
    documents: Option<Vec<DocumentId>>,
    is_empty: bool,
    /// Whether any of them has vectors.
    embedded: bool,
}

impl Selection {
    fn new(opened: &OpenSource, request: &SearchRequest) -> Self {
        let snapshot = &opened.snapshot;
        let documents = (!request.filter.is_empty()).then(|| snapshot.select(&request.filter));
        let is_empty = documents.as_ref().map_or(snapshot.documents.is_empty(), Vec::is_empty);
        let embedded = match &documents {
            None => snapshot.documents.values().any(|row| row.embedded),
            Some(ids) => ids
                .iter()
                .filter_map(|id| snapshot.documents.get(id))
                .any(|row| row.embedded),
        };
        Self {
            documents,
            is_empty,
            embedded,
        }
    }
}

/// The query without the terms that stand in the titles or file names of all selected documents: they choose no document,
/// and within one they only find the pages with the shortest headings, such as its cover. A query of nothing else stays.
fn distinguishing(query: TextQuery, opened: &[OpenSource], selections: &[Selection]) -> TextQuery {
    let names = opened.iter().zip(selections).flat_map(|(open, selection)| {
        let documents = &open.snapshot.documents;
        let chosen = |id: &DocumentId| selection.documents.as_ref().is_none_or(|ids| ids.contains(id));
        documents.iter().filter(move |(id, _)| chosen(id)).map(|(_, row)| row)
    });
    let mut shared: Option<BTreeSet<String>> = None;
    for row in names {
        let file = row.uri.rsplit(['/', '\\']).next().unwrap_or_default();
        let name: BTreeSet<String> = [row.title.as_str(), file.rsplit_once('.').map_or(file, |(stem, _)| stem)]
            .into_iter()
            .flat_map(|text| split_terms(text, Language::guess(&row.title)))
            .collect();
        let both = match shared {
            None => name,
            Some(shared) => shared.intersection(&name).cloned().collect(),
        };
        if both.is_empty() {
            return query;
        }
        shared = Some(both);
    }
    let shared = shared.unwrap_or_default();
    let terms: Vec<String> = query
        .terms
        .iter()
        .filter(|term| !shared.contains(*term))
        .cloned()
        .collect();
    if terms.is_empty() { query } else { TextQuery { terms } }
}

/// The word lists of all collections, merged by score.
async fn word_list(
    opened: &[OpenSource],
    selections: &[Selection],
    query: &TextQuery,
    depth: usize,
) -> Result<Vec<Hit>> {
    if query.terms.is_empty() {
        return Ok(Vec::new());
    }
    let lists = try_join_all(opened.iter().zip(selections).map(|(open, selection)| async move {
        if selection.is_empty {
            return Ok(Vec::new());
        }
        let documents = selection.documents.as_deref();
        open.source.matching(&open.snapshot, query, documents, depth).await
    }))
    .await?;
    Ok(merge(opened, lists, false))
}

/// The vector lists of all collections, merged by cosine similarity. Embeds nothing where there is nothing to compare.
async fn vector_list(
    opened: &[OpenSource],
    selections: &[Selection],
    embedder: &dyn Embedder,
    query: &str,
    depth: usize,
) -> Result<Vec<Hit>> {
    if !selections.iter().any(|selection| selection.embedded) {
        return Ok(Vec::new());
    }
    let vectors = embedder.embed(&[searched_text(query)]).await?;
    let Some(vector) = vectors.first() else {
        return Err(Error::internal("embedding the question gave no vector"));
    };
    let lists = try_join_all(opened.iter().zip(selections).map(|(open, selection)| async move {
        if !selection.embedded {
            return Ok(Vec::new());
        }
        let documents = selection.documents.as_deref();
        open.source.nearest(&open.snapshot, vector, documents, depth).await
    }))
    .await?;
    Ok(merge(opened, lists, true))
}

/// One list out of one per collection: hits the snapshot does not know are dropped, each chunk is kept once at its best,
/// sorted by score, collection and chunk.
fn merge(opened: &[OpenSource], lists: Vec<Vec<ScoredChunk>>, cosine: bool) -> Vec<Hit> {
    let mut hits: Vec<Hit> = Vec::new();
    for (source, list) in lists.into_iter().enumerate() {
        let Some(open) = opened.get(source) else { continue };
        for scored in list {
            let known = open.snapshot.documents.get(&scored.chunk.document_id);
            if known.is_some_and(|row| row.revision == scored.chunk.revision) {
                hits.push(Hit {
                    source,
                    score: scored.score,
                    cosine: cosine.then_some(scored.score),
                    chunk: scored.chunk,
                });
            }
        }
    }
    sort(opened, &mut hits);
    let mut seen = BTreeSet::new();
    hits.retain(|hit| seen.insert((hit.source, hit.chunk.id.clone())));
    hits
}

/// A page of the page list.
struct PageHit {
    source: usize,
    document: DocumentId,
    page: u32,
}

/// The page lists of all collections, merged by score; ties by collection, document and page.
async fn page_list(
    opened: &[OpenSource],
    selections: &[Selection],
    query: &TextQuery,
    depth: usize,
) -> Result<Vec<PageHit>> {
    if query.terms.is_empty() {
        return Ok(Vec::new());
    }
    let lists = try_join_all(opened.iter().zip(selections).map(|(open, selection)| async move {
        if selection.is_empty {
            return Ok(Vec::new());
        }
        let documents = selection.documents.as_deref();
        open.source
            .matching_pages(&open.snapshot, query, documents, depth)
            .await
    }))
    .await?;
    let mut pages: Vec<(usize, &OpenSource, ScoredPage)> = (0..)
        .zip(opened)
        .zip(lists)
        .flat_map(|((source, open), list)| list.into_iter().map(move |page| (source, open, page)))
        .collect();
    pages.sort_by(|(_, a_open, a), (_, b_open, b)| {
        b.score
            .total_cmp(&a.score)
            .then_with(|| a_open.source.name().cmp(b_open.source.name()))
            .then_with(|| (a.document_id, a.page).cmp(&(b.document_id, b.page)))
    });
    Ok(pages
        .into_iter()
        .map(|(source, _, page)| PageHit {
            source,
            document: page.document_id,
            page: page.page,
        })
        .collect())
}

/// Fuses by reciprocal rank, `score(c) = Σ 1 / (60 + rank(c))` with 1-based ranks and equal legs (Cormack, Clarke and
/// Büttcher, SIGIR 2009). Each page of `pages` is a leg of the best chunk on it; pages without any are passed over.
fn fuse(opened: &[OpenSource], lists: [Vec<Hit>; 2], pages: &[PageHit]) -> Vec<Hit> {
    let mut fused: BTreeMap<(usize, recto_core::ChunkId), Hit> = BTreeMap::new();
    for list in lists {
        for (hit, share) in list.into_iter().zip(shares()) {
            let entry = fused.entry((hit.source, hit.chunk.id.clone())).or_insert_with(|| Hit {
                score: 0.0,
                cosine: None,
                ..hit.clone()
            });
            entry.score += share;
            entry.cosine = entry.cosine.or(hit.cosine);
        }
    }
    let mut hits: Vec<Hit> = fused.into_values().collect();
    sort(opened, &mut hits);
    let mut best: BTreeMap<(usize, DocumentId, u32), usize> = BTreeMap::new();
    for (at, hit) in hits.iter().enumerate() {
        for page in &hit.chunk.metadata.page_numbers {
            best.entry((hit.source, hit.chunk.document_id, *page)).or_insert(at);
        }
    }
    // A chunk over a page break is on two pages and takes the better one's share only.
    let mut given = BTreeSet::new();
    for (page, share) in pages.iter().zip(shares()) {
        let Some(at) = best.get(&(page.source, page.document, page.page)) else {
            continue;
        };
        if given.insert(*at) {
            hits[*at].score += share;
        }
    }
    sort(opened, &mut hits);
    hits
}

/// The share of the first, second … place of a list.
fn shares() -> impl Iterator<Item = f32> {
    (1_u16..).map(|rank| 1.0 / (FUSION_K + f32::from(rank)))
}

fn sort(opened: &[OpenSource], hits: &mut [Hit]) {
    let name = |hit: &Hit| opened.get(hit.source).map(|open| open.source.name());
    hits.sort_by(|a, b| {
        b.score
            .total_cmp(&a.score)
            .then_with(|| name(a).cmp(&name(b)))
            .then_with(|| a.chunk.id.cmp(&b.chunk.id))
    });
}
