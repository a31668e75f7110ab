//! Word and vector lists of one or several collections, fused by rank.
//!
//! Each question takes one snapshot per collection and uses it from search to expansion. Lists are merged over the
//! collections first and fused afterwards: vector lists by cosine similarity, which means the same everywhere, and word
//! lists by BM25 [computed anew](crate::bm25) from the statistics of all of them. Fusing ranks *across* collections
//! instead would give every collection, however irrelevant, an equal share of the first places.
//!
//! A hybrid search does more than the two lists. It reads the question by a [`Lexicon`] and looks for synonyms and line
//! items too; it [routes](crate::route) the question to the documents it seems to be about; and it fuses two lists of
//! whole pages: by words, because a chunk is too short to hold all words of a question that its page answers in a table
//! and the note above it, and by kind, because a question about capital expenditures is answered on the cash flow
//! statement whatever its rows are called. A page's share goes to the best chunk on it. A search by words or by vectors
//! alone does none of this: it finds what was typed.

use crate::bm25;
use crate::expand::{self, EXPAND_CHARS, FoundPassage};
use crate::fuse::{self, ChunkList, PageHit};
use crate::lexicon::Lexicon;
use crate::places;
use crate::query::{Understood, is_identifier, understand};
use crate::rerank;
use crate::route::{self, Route};
use crate::terms::{Language, split_terms};
use crate::verbatim::{self, Contents};
use futures::future::try_join_all;
use recto_core::{
    ChosenDocument, ChunkSource, DocumentId, DocumentRow, DocumentsSnapshot, Embedder, Error, ErrorCode, PassageRole,
    Reranker, Result, ScoredChunk, ScoredPage, SearchMode, SearchRequest, SearchResults, StoredChunk, TextQuery,
    UnitStats, WordStatistics,
};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

/// How many times more than asked for is fetched from each list, and the least that is.
const OVER_FETCH: usize = 4;
const LEAST_FETCH: usize = 200;
/// Of so many pages of the kind asked for, chunks are fetched where no list has one.
const MOST_TAGGED: usize = 12;

/// A collection with the snapshot one question uses.
#[derive(Clone)]
pub struct OpenSource {
    /// The collection.
    pub source: Arc<dyn ChunkSource>,
    /// Its documents at the moment of the question.
    pub snapshot: Arc<DocumentsSnapshot>,
}

/// How questions are read and hits become passages.
#[derive(Clone)]
pub struct SearchOptions {
    /// Most characters of an expanded passage.
    pub expand_chars: usize,
    /// What the words of a question mean.
    pub lexicon: Arc<Lexicon>,
    /// Reads the best candidates together with the question and ranks them by its own scores.
    pub reranker: Option<Arc<dyn Reranker>>,
}

impl fmt::Debug for SearchOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SearchOptions")
            .field("expand_chars", &self.expand_chars)
            .field(
                "reranker",
                &self.reranker.as_ref().map(|reranker| reranker.name().to_owned()),
            )
            .finish_non_exhaustive()
    }
}

impl Default for SearchOptions {
    fn default() -> Self {
        Self {
            expand_chars: EXPAND_CHARS,
            lexicon: Lexicon::standard(),
            reranker: None,
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
    /// The documents the question was understood to be about, the best first.
    pub chosen: Vec<ChosenDocument>,
}

/// A chunk found, with its fused score.
#[derive(Debug, Clone)]
pub(crate) struct Hit {
    /// Index of its collection.
    pub(crate) source: usize,
    pub(crate) chunk: Arc<StoredChunk>,
    /// The fused score, or the score of the only list asked for.
    pub(crate) score: f32,
    /// Cosine similarity to the question, where the vector list held the chunk.
    pub(crate) cosine: Option<f32>,
    /// Which of the [identifiers](is_identifier) of the query it holds as typed, a bit each; known of hits of
    /// the word list.
    pub(crate) identifiers: u32,
}

impl Hit {
    /// A chunk that no list holds, found for the page it is on.
    fn of_page(source: usize, chunk: Arc<StoredChunk>) -> Self {
        Self {
            source,
            chunk,
            score: 0.0,
            cosine: None,
            identifiers: 0,
        }
    }
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

/// Searches collections and returns at most `request.limit` passages, best first; ties by chunk, then collection.
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
    options: &SearchOptions,
) -> Result<SearchResults> {
    let opened = open(sources).await?;
    let retrieved = retrieve(&opened, embedder, request, options).await?;
    Ok(SearchResults {
        passages: retrieved.passages.into_iter().map(|found| found.passage).collect(),
        unit_stats: retrieved.unit_stats,
        chosen: retrieved.chosen,
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
    options: &SearchOptions,
) -> Result<Retrieved> {
    let (mut hits, chosen) = match &options.reranker {
        None => hits(opened, embedder, request, &options.lexicon).await?,
        Some(reranker) => {
            let candidates = SearchRequest {
                limit: request.limit.saturating_mul(rerank::CANDIDATES),
                ..request.clone()
            };
            let (mut hits, chosen) = hits(opened, embedder, &candidates, &options.lexicon).await?;
            hits.truncate(candidates.limit);
            (rerank::rerank(&**reranker, &request.query, hits).await?, chosen)
        }
    };
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
        chosen,
    })
}

/// The fused list, longer than asked for so that expansion may merge hits, and the documents the question is about.
async fn hits(
    opened: &[OpenSource],
    embedder: Option<&dyn Embedder>,
    request: &SearchRequest,
    lexicon: &Lexicon,
) -> Result<(Vec<Hit>, Vec<ChosenDocument>)> {
    if !request.query.chars().any(char::is_alphanumeric) || request.limit == 0 {
        return Ok(Default::default());
    }
    let selections: Vec<Selection> = opened.iter().map(|source| Selection::new(source, request)).collect();
    if selections.iter().all(|selection| selection.is_empty) {
        return Ok(Default::default());
    }
    let documents = selected(opened, &selections);
    let mut understood = understand(&request.query, lexicon, &documents);
    understood.text = distinguishing(understood.text, &documents);
    let depth = request.limit.saturating_mul(OVER_FETCH).max(LEAST_FETCH);
    let routing = match request.mode {
        SearchMode::Hybrid => route::route(&request.query, &understood.meaning, &documents),
        SearchMode::Fts | SearchMode::Vector => Route::default(),
    };
    let searched = Searched {
        opened,
        narrow: narrow(opened, &routing),
        selections,
        depth,
    };
    match request.mode {
        SearchMode::Fts => {
            let mut own = TextQuery {
                related: Vec::new(),
                ..understood.text
            };
            // A search of one kind keeps that list's own scores.
            let statistics = searched.statistics(&own).await?;
            own.is_counted = statistics.is_some();
            Ok((word_list(&searched, &own, statistics.as_ref()).await?, Vec::new()))
        }
        SearchMode::Vector => {
            let Some(embedder) = embedder else {
                return Err(Error::new(
                    ErrorCode::AssetMissing,
                    "Searching by meaning needs an embedding model, and none is available. Search by words instead.",
                ));
            };
            Ok((vector_list(&searched, embedder, &understood.plain).await?, Vec::new()))
        }
        SearchMode::Hybrid => {
            let vectors = async {
                match embedder {
                    Some(embedder) => vector_list(&searched, embedder, &understood.vector).await,
                    None => Ok(Vec::new()),
                }
            };
            let by_words = async {
                let statistics = searched.statistics(&understood.text).await?;
                let of_pages = TextQuery {
                    is_counted: statistics.is_some(),
                    ..understood.text.clone()
                };
                let of_chunks = TextQuery {
                    is_counted: statistics.is_some() || of_pages.terms.iter().any(|term| is_identifier(term)),
                    ..of_pages.clone()
                };
                futures::try_join!(
                    word_list(&searched, &of_chunks, statistics.as_ref()),
                    page_list(&searched, &of_pages, statistics.as_ref())
                )
            };
            let ((words, pages), vectors) = futures::try_join!(by_words, vectors)?;
            let places = places::named(&understood.plain, lexicon);
            let placed = places::pages(&places, &documents, &routing);
            let hits = combine(&searched, &understood, &routing, [words, vectors], pages, &placed).await?;
            let contents = Contents::of(&documents);
            let hits = places::first(hits, &places, &placed, &contents);
            // After the places: a heading typed whole may itself speak of a table or a section.
            let hits = verbatim::first(hits, &understood.plain, &contents);
            Ok((hits, chosen(opened, &routing)))
        }
    }
}

/// What every list is asked: where, for which documents, and how much.
struct Searched<'a> {
    opened: &'a [OpenSource],
    /// The documents of each collection that the question seems to be about, where there are any: they are asked once
    /// more by themselves, so that they are represented however many other documents there are.
    narrow: Vec<Vec<DocumentId>>,
    selections: Vec<Selection>,
    depth: usize,
}

impl Searched<'_> {
    /// What BM25 needs to know of all searched collections together; `None` where one alone is searched, whose own
    /// scores are right.
    async fn statistics(&self, query: &TextQuery) -> Result<Option<WordStatistics>> {
        let searched = self.opened.iter().zip(&self.selections);
        let searched: Vec<&OpenSource> = searched
            .filter(|(_, selection)| !selection.is_empty)
            .map(|(open, _)| open)
            .collect();
        if searched.len() < 2 || query.terms.is_empty() {
            return Ok(None);
        }
        let parts = searched
            .iter()
            .map(|open| open.source.word_statistics(&open.snapshot, query));
        let mut sum = WordStatistics::default();
        for part in try_join_all(parts).await? {
            sum += &part;
        }
        Ok(Some(sum))
    }

    /// Asks every collection, for all selected documents and for the narrow ones; the answers lie by collection.
    async fn ask<'b, T, F, Fut>(&'b self, can: impl Fn(&Selection) -> bool, ask: F) -> Result<Vec<Vec<T>>>
    where
        F: Fn(&'b OpenSource, Option<&'b [DocumentId]>) -> Fut,
        Fut: Future<Output = Result<Vec<T>>>,
    {
        let asked = self
            .opened
            .iter()
            .zip(&self.selections)
            .enumerate()
            .map(|(at, (open, selection))| {
                let can = can(selection) && !selection.is_empty;
                let all = can.then(|| ask(open, selection.documents.as_deref()));
                let narrow = self.narrow.get(at).filter(|ids| can && !ids.is_empty());
                let narrow = narrow.map(|ids| ask(open, Some(ids)));
                async move {
                    let all = async {
                        match all {
                            Some(asked) => asked.await,
                            None => Ok(Vec::new()),
                        }
                    };
                    let narrow = async {
                        match narrow {
                            Some(asked) => asked.await,
                            None => Ok(Vec::new()),
                        }
                    };
                    let (mut found, more) = futures::try_join!(all, narrow)?;
                    found.extend(more);
                    Ok(found)
                }
            });
        try_join_all(asked).await
    }
}

/// The documents a question may be about, by collection and id.
fn selected<'a>(opened: &'a [OpenSource], selections: &[Selection]) -> Vec<(route::Key, &'a DocumentRow)> {
    let mut found = Vec::new();
    for (source, (open, selection)) in opened.iter().zip(selections).enumerate() {
        let documents = &open.snapshot.documents;
        match &selection.documents {
            None => found.extend(documents.iter().map(|(id, row)| ((source, *id), row))),
            Some(ids) => found.extend(ids.iter().filter_map(|id| Some(((source, *id), documents.get(id)?)))),
        }
    }
    found
}

fn narrow(opened: &[OpenSource], routing: &Route) -> Vec<Vec<DocumentId>> {
    let mut narrow = vec![Vec::new(); opened.len()];
    for chosen in &routing.chosen {
        if let Some(ids) = narrow.get_mut(chosen.key.0) {
            ids.push(chosen.key.1);
        }
    }
    narrow
}

fn chosen(opened: &[OpenSource], routing: &Route) -> Vec<ChosenDocument> {
    let named = |chosen: &route::Chosen| {
        let open = opened.get(chosen.key.0)?;
        Some(ChosenDocument {
            collection: open.source.name().clone(),
            document_id: chosen.key.1,
            title: open.snapshot.documents.get(&chosen.key.1)?.title.clone(),
            reasons: chosen.reasons.clone(),
        })
    };
    routing.chosen.iter().filter_map(named).collect()
}

/// Lists to one: routed, fused, and pages of the kind asked for raised.
async fn combine(
    searched: &Searched<'_>,
    understood: &Understood<'_>,
    routing: &Route,
    lists: [Vec<Hit>; 2],
    pages: Vec<PageHit>,
    placed: &[Vec<PageHit>],
) -> Result<Vec<Hit>> {
    let opened = searched.opened;
    let order = |a: &Hit, b: &Hit| by_place(opened, a, b);
    let lists: Vec<ChunkList> = lists
        .into_iter()
        .map(|list| fuse::routed_chunks(list, routing, &order))
        .collect();
    let pages = fuse::routed_pages(pages, routing);
    let mut tagged = Vec::new();
    let mut extra = Vec::new();
    if !understood.meaning.pages.is_empty() {
        let so_far = fuse::fuse(&lists, &[&pages], Vec::new(), &order);
        let documents = selected(opened, &searched.selections);
        tagged = fuse::tagged(&documents, understood, routing, &so_far);
        extra = chunks_of_pages(opened, &tagged, &so_far, &understood.text).await?;
    }
    extra.extend(all_chunks_of_pages(opened, placed).await?);
    let fused = fuse::routed(fuse::fuse(&lists, &[&pages, &tagged], extra, &order), routing, &order);
    Ok(if routing.is_broad {
        fuse::in_turn(fused, routing)
    } else {
        fused
    })
}

/// All chunks of pages that the question names.
async fn all_chunks_of_pages(opened: &[OpenSource], pages: &[Vec<PageHit>]) -> Result<Vec<Hit>> {
    let read = by_document(pages.iter().flatten())
        .into_iter()
        .filter_map(|((source, document), pages)| {
            let open = opened.get(source)?;
            Some(async move {
                let chunks = open.source.chunks_on(&open.snapshot, document, &pages).await?;
                Ok::<_, Error>(
                    chunks
                        .into_iter()
                        .map(|chunk| Hit::of_page(source, chunk))
                        .collect::<Vec<_>>(),
                )
            })
        });
    Ok(try_join_all(read).await?.into_iter().flatten().collect())
}

fn by_document<'a>(pages: impl Iterator<Item = &'a PageHit>) -> BTreeMap<route::Key, Vec<u32>> {
    let mut found: BTreeMap<route::Key, Vec<u32>> = BTreeMap::new();
    for page in pages {
        found.entry((page.source, page.document)).or_default().push(page.page);
    }
    found
}

/// A chunk for each of the first tagged pages that no list has a chunk of: the one with most words of the question.
async fn chunks_of_pages(
    opened: &[OpenSource],
    tagged: &[PageHit],
    so_far: &[Hit],
    query: &TextQuery,
) -> Result<Vec<Hit>> {
    let held: BTreeSet<(usize, DocumentId, u32)> = so_far
        .iter()
        .flat_map(|hit| {
            hit.chunk
                .metadata
                .page_numbers
                .iter()
                .map(|page| (hit.source, hit.chunk.document_id, *page))
        })
        .collect();
    let first = tagged.iter().take(MOST_TAGGED);
    let missing = by_document(first.filter(|page| !held.contains(&(page.source, page.document, page.page))));
    let read = missing.into_iter().filter_map(|((source, document), pages)| {
        let open = opened.get(source)?;
        Some(async move {
            let chunks = open.source.chunks_on(&open.snapshot, document, &pages).await?;
            let language = Language::guess(chunks.first().map_or("", |chunk| chunk.content.as_str()));
            let mut found = Vec::new();
            for page in pages {
                let on_page = chunks
                    .iter()
                    .filter(|chunk| chunk.metadata.page_numbers.contains(&page));
                let best = on_page.rev().max_by_key(|chunk| shared_terms(chunk, query, language));
                found.extend(best.map(|chunk| Hit::of_page(source, Arc::clone(chunk))));
            }
            Ok::<_, Error>(found)
        })
    });
    Ok(try_join_all(read).await?.into_iter().flatten().collect())
}

fn shared_terms(chunk: &StoredChunk, query: &TextQuery, language: Language) -> usize {
    let held: BTreeSet<String> = split_terms(&chunk.content, language).into_iter().collect();
    query
        .terms
        .iter()
        .chain(&query.related)
        .filter(|term| held.contains(*term))
        .count()
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
fn distinguishing(query: TextQuery, documents: &[(route::Key, &DocumentRow)]) -> TextQuery {
    let mut shared: Option<BTreeSet<String>> = None;
    for (_, row) in documents {
        let name: BTreeSet<String> = [row.title.as_str(), crate::card::file_stem(&row.uri)]
            .into_iter()
            .chain(row.card.names.iter().take(1).map(String::as_str))
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
    if terms.is_empty() {
        query
    } else {
        TextQuery { terms, ..query }
    }
}

/// The word lists of all collections, merged by score.
async fn word_list(
    searched: &Searched<'_>,
    query: &TextQuery,
    statistics: Option<&WordStatistics>,
) -> Result<Vec<Hit>> {
    if query.terms.is_empty() {
        return Ok(Vec::new());
    }
    let mut lists = searched
        .ask(
            |_| true,
            |open, documents| open.source.matching(&open.snapshot, query, documents, searched.depth),
        )
        .await?;
    if let Some(statistics) = statistics {
        for scored in lists.iter_mut().flatten() {
            scored.score = bm25::chunk(query, statistics, scored);
        }
    }
    Ok(merge(searched.opened, lists, Some(query)))
}

/// The vector lists of all collections, merged by cosine similarity. Embeds nothing where there is nothing to compare.
async fn vector_list(searched: &Searched<'_>, embedder: &dyn Embedder, text: &str) -> Result<Vec<Hit>> {
    if !searched.selections.iter().any(|selection| selection.embedded) {
        return Ok(Vec::new());
    }
    let vectors = embedder.embed(&[text.to_owned()]).await?;
    let Some(vector) = vectors.first() else {
        return Err(Error::internal("embedding the question gave no vector"));
    };
    let lists = searched
        .ask(
            |selection| selection.embedded,
            |open, documents| open.source.nearest(&open.snapshot, vector, documents, searched.depth),
        )
        .await?;
    Ok(merge(searched.opened, lists, None))
}

/// One list out of one per collection, of words for a `query` and else of vectors: hits the snapshot does not know are
/// dropped, each chunk is kept once at its best, sorted by score, chunk and collection.
fn merge(opened: &[OpenSource], lists: Vec<Vec<ScoredChunk>>, query: Option<&TextQuery>) -> Vec<Hit> {
    let cosine = query.is_none();
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
                    identifiers: query.map_or(0, |query| held(query, &scored)),
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

/// The page lists of all collections, merged by score; ties by document, page and collection.
async fn page_list(
    searched: &Searched<'_>,
    query: &TextQuery,
    statistics: Option<&WordStatistics>,
) -> Result<Vec<PageHit>> {
    if query.terms.is_empty() {
        return Ok(Vec::new());
    }
    let mut lists = searched
        .ask(
            |_| true,
            |open, documents| {
                open.source
                    .matching_pages(&open.snapshot, query, documents, searched.depth)
            },
        )
        .await?;
    if let Some(statistics) = statistics {
        for scored in lists.iter_mut().flatten() {
            scored.score = bm25::page(query, statistics, scored);
        }
    }
    let mut pages: Vec<(usize, &OpenSource, ScoredPage)> = (0..)
        .zip(searched.opened)
        .zip(lists)
        .flat_map(|((source, open), list)| list.into_iter().map(move |page| (source, open, page)))
        .collect();
    pages.sort_by(|(_, a_open, a), (_, b_open, b)| {
        b.score
            .total_cmp(&a.score)
            .then_with(|| (a.document_id, a.page).cmp(&(b.document_id, b.page)))
            .then_with(|| a_open.source.name().cmp(b_open.source.name()))
    });
    let mut seen = BTreeSet::new();
    Ok(pages
        .into_iter()
        .filter(|(source, _, page)| seen.insert((*source, page.document_id, page.page)))
        .map(|(source, _, page)| PageHit {
            source,
            document: page.document_id,
            page: page.page,
            score: page.score,
        })
        .collect())
}

/// Which identifiers of the query stand in a chunk or its headings, a bit each.
fn held(query: &TextQuery, scored: &ScoredChunk) -> u32 {
    let counts = scored.content.occurrences.iter().zip(&scored.headings.occurrences);
    query
        .words()
        .zip(counts)
        .filter(|((word, _), _)| is_identifier(word))
        .zip(0..u32::BITS)
        .filter(|((_, (content, headings)), _)| *content + *headings > 0)
        .fold(0, |bits, (_, bit)| bits | 1 << bit)
}

fn sort(opened: &[OpenSource], hits: &mut [Hit]) {
    hits.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| by_place(opened, a, b)));
}

/// The order of hits with equal scores: by chunk, so that it does not depend on how a library is divided.
fn by_place(opened: &[OpenSource], a: &Hit, b: &Hit) -> Ordering {
    let name = |hit: &Hit| opened.get(hit.source).map(|open| open.source.name());
    a.chunk.id.cmp(&b.chunk.id).then_with(|| name(a).cmp(&name(b)))
}
