//! Searching: requests, results, and the interface retrieval has to stored chunks.

use crate::{ChunkId, ChunkMetadata, CollectionName, DocumentCard, DocumentId, Item, PageRect, Result};
use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Which lists are searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SearchMode {
    /// Words and vectors, fused by reciprocal rank.
    #[default]
    Hybrid,
    /// Vectors only.
    Vector,
    /// Words only.
    Fts,
}

/// Which documents are searched. Every given condition must hold; values are data, never patterns.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Filter {
    /// Only these documents; empty means all.
    pub document_ids: Vec<DocumentId>,
    /// Title or uri contains this, ignoring case.
    pub name_contains: Option<String>,
    /// Media type equals this, or begins with it when it ends in `/`.
    pub media_type: Option<String>,
    /// Documents carrying all of these tags.
    pub tags: Vec<String>,
    /// Uri lies below this folder.
    pub folder: Option<String>,
    /// Added at or after this moment (RFC 3339).
    pub since: Option<String>,
    /// Added before this moment (RFC 3339).
    pub until: Option<String>,
}

/// What to look for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SearchRequest {
    /// The person's words.
    pub query: String,
    /// Which lists.
    pub mode: SearchMode,
    /// Most passages to return.
    pub limit: usize,
    /// Which documents.
    pub filter: Filter,
    /// Whether to grow each hit to its surroundings.
    pub expand: bool,
}

/// A stretch of an item's text, in bytes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Span {
    /// `self_ref` of the item.
    #[serde(rename = "ref")]
    pub self_ref: String,
    /// Where it begins.
    pub start: u32,
    /// Just after it.
    pub end: u32,
}

/// How a place in a document is named to a person.
// It travels between processes in a format that does not name its fields, so it must not be tagged from within.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Locator {
    /// Physical pages.
    Page {
        /// 1-based, ascending.
        pages: Vec<u32>,
    },
    /// A slide.
    Slide {
        /// 1-based.
        number: u32,
    },
    /// Cells of a sheet.
    Sheet {
        /// The sheet.
        name: String,
        /// `B3:D9`.
        range: String,
    },
    /// Headings from the outermost to the innermost.
    Heading {
        /// The path; empty before the first heading.
        path: Vec<String>,
    },
    /// A part of a message.
    Part {
        /// Its name.
        name: String,
    },
}

/// Why a passage is among the results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PassageRole {
    /// Found by the search.
    #[default]
    Evidence,
    /// Beside the best evidence page.
    Neighbour,
    /// Found, but past the limit.
    RunnerUp,
    /// Part of a document short enough to be given whole.
    WholeDocument,
}

/// What a reader or a model is shown: a chunk, perhaps grown to its surroundings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Passage {
    /// 1-based.
    pub rank: u32,
    /// The fused score; comparable only inside one result.
    pub score: f32,
    /// Why it is here.
    pub role: PassageRole,
    /// The page it stands beside, for neighbours of a page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub neighbour_of: Option<u32>,
    /// The collection.
    pub collection: CollectionName,
    /// The document.
    pub document_id: DocumentId,
    /// The document's title.
    pub title: String,
    /// Where the file came from.
    pub uri: String,
    /// SHA-256 of the file's bytes, hexadecimal.
    pub sha256: String,
    /// The best-scoring chunk.
    pub chunk_id: ChunkId,
    /// All chunks merged into the passage, the best first.
    pub chunk_ids: Vec<ChunkId>,
    /// Headings from the outermost to the innermost.
    pub headings: Vec<String>,
    /// Labels of the items.
    pub labels: Vec<String>,
    /// The items whose text is in `text`, in order.
    pub doc_item_refs: Vec<String>,
    /// The parts of the items that `text` holds, in the order of `text`, joined there by a blank line.
    pub spans: Vec<Span>,
    /// 1-based page numbers, ascending; empty without pages.
    pub pages: Vec<u32>,
    /// Printed label of each page in `pages`.
    pub page_labels: Vec<Option<String>>,
    /// How the place is named.
    pub locator: Locator,
    /// The text.
    pub text: String,
    /// Where it lies; empty without pages.
    pub boxes: Vec<PageRect>,
}

/// Counts of the passages by role.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct UnitStats {
    /// Found by the search.
    pub evidence: u32,
    /// Beside evidence.
    pub neighbours: u32,
    /// Past the limit.
    pub runner_ups: u32,
    /// From whole documents.
    pub whole_documents: u32,
    /// All that is returned.
    pub returned: u32,
    /// The limit asked for.
    pub cap: u32,
}

/// What was and what was not searched.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Coverage {
    /// Documents of the scope that could be searched.
    pub documents_searched: u32,
    /// Those with at least one passage among the results.
    pub documents_with_matches: u32,
    /// All documents of the scope, unreadable and waiting ones included.
    pub documents_total: u32,
    /// Those that could not be searched, each with its reason.
    pub not_searched: Vec<NotSearched>,
    /// Those the question was understood to be about, the best first; empty where it names none. All others were
    /// searched too, but stand behind them.
    #[serde(default)]
    pub chosen: Vec<ChosenDocument>,
}

/// A document that the question seems to be about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChosenDocument {
    /// The collection.
    pub collection: CollectionName,
    /// The document.
    pub document_id: DocumentId,
    /// Its title.
    pub title: String,
    /// What of the question speaks for it, as written there or on the document: `Apple`, `Q3 2022`, `10-q`, `latest`.
    pub reasons: Vec<String>,
}

/// A document of the scope that could not be searched.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotSearched {
    /// Its id, once it has one.
    pub document_id: Option<DocumentId>,
    /// Its title or file name.
    pub title: String,
    /// A sentence for the person.
    pub reason: String,
}

/// The outcome of a search.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SearchResults {
    /// Best first.
    pub passages: Vec<Passage>,
    /// Counts by role.
    pub unit_stats: UnitStats,
    /// The documents the question was understood to be about; see [`Coverage::chosen`].
    #[serde(default)]
    pub chosen: Vec<ChosenDocument>,
}

/// A committed document as the snapshot of one question knows it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DocumentRow {
    /// Its id.
    pub id: DocumentId,
    /// The revision that is current in this snapshot.
    pub revision: String,
    /// Whether that revision's vectors are all written.
    pub embedded: bool,
    /// Title shown to people.
    pub title: String,
    /// Where it was first added from.
    pub uri: String,
    /// Every place with the same bytes.
    pub locations: Vec<String>,
    /// SHA-256 of the bytes, hexadecimal.
    pub sha256: String,
    /// Detected type.
    pub media_type: String,
    /// Number of pages; 0 without pages.
    pub page_count: u32,
    /// Pages whose text was, wholly or in part, recognised from pixels.
    pub recognised_pages: u32,
    /// How much of it there is to find by words.
    pub word_totals: WordTotals,
    /// Printed label of each page, index 0 is page 1; empty when none is printed.
    pub page_labels: Vec<Option<String>>,
    /// Pages that could not be read.
    pub gaps: Vec<crate::Gap>,
    /// Tags.
    pub tags: Vec<String>,
    /// Free metadata.
    pub metadata: BTreeMap<String, String>,
    /// What it says about itself. Shared, because a snapshot copies every row.
    #[serde(skip)]
    pub card: Arc<DocumentCard>,
    /// When it was added (RFC 3339, UTC).
    pub created_at: String,
    /// When its current revision was committed (RFC 3339, UTC).
    pub updated_at: String,
}

/// The documents of a collection at one moment. One question uses one snapshot from search to expansion.
#[derive(Debug, Clone, Default)]
pub struct DocumentsSnapshot {
    /// Readable documents by id.
    pub documents: BTreeMap<DocumentId, DocumentRow>,
    /// Revisions whose rows exist but must not be seen: not yet committed, superseded, or deleted.
    pub hidden_revisions: BTreeSet<String>,
}

impl DocumentsSnapshot {
    /// Ids of the documents that satisfy `filter`, ascending.
    #[must_use]
    pub fn select(&self, filter: &Filter) -> Vec<DocumentId> {
        self.documents
            .values()
            .filter(|row| filter.accepts(row))
            .map(|row| row.id)
            .collect()
    }
}

impl Filter {
    /// Whether nothing is excluded.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Whether `row` satisfies every condition.
    #[must_use]
    pub fn accepts(&self, row: &DocumentRow) -> bool {
        let contains = |text: &str, part: &str| text.to_lowercase().contains(&part.to_lowercase());
        let places = || std::iter::once(&row.uri).chain(&row.locations);
        let in_folder = |uri: &str, folder: &str| {
            uri.strip_prefix(folder.trim_end_matches('/'))
                .is_some_and(|rest| rest.starts_with('/'))
        };
        (self.document_ids.is_empty() || self.document_ids.contains(&row.id))
            && self
                .name_contains
                .as_deref()
                .is_none_or(|part| contains(&row.title, part) || places().any(|uri| contains(uri, part)))
            && self.media_type.as_deref().is_none_or(|wanted| {
                row.media_type == wanted || (wanted.ends_with('/') && row.media_type.starts_with(wanted))
            })
            && self.tags.iter().all(|tag| row.tags.contains(tag))
            && self
                .folder
                .as_deref()
                .is_none_or(|folder| places().any(|uri| in_folder(uri, folder)))
            && self
                .since
                .as_deref()
                .is_none_or(|moment| row.created_at.as_str() >= moment)
            && self
                .until
                .as_deref()
                .is_none_or(|moment| row.created_at.as_str() < moment)
    }
}

/// A word query, already cut into terms the way chunks are.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TextQuery {
    /// Terms, stop words removed; matched on the content field with weight 1 and on the heading field with weight 3.
    pub terms: Vec<String>,
    /// Terms of synonyms and of what a thing is computed from, none of them in `terms`; matched the same way with
    /// [`TextQuery::RELATED_WEIGHT`] times the weight.
    pub related: Vec<String>,
    /// Whether the texts found are answered with their [`WordCounts`], for which they have to be read.
    pub is_counted: bool,
}

impl TextQuery {
    /// What a related term counts beside one of the question's own.
    pub const RELATED_WEIGHT: f32 = 0.5;
    /// What a word of a chunk's headings counts beside one of its content.
    pub const HEADING_WEIGHT: f32 = 3.0;

    /// Every word with its weight: the question's own, then the related ones.
    pub fn words(&self) -> impl Iterator<Item = (&str, f32)> {
        let own = self.terms.iter().map(|term| (term.as_str(), 1.0));
        let related = self.related.iter().map(|term| (term.as_str(), Self::RELATED_WEIGHT));
        own.chain(related)
    }
}

/// How often each word of a query stands in a text, and how many words the text has: what BM25 needs to know of it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WordCounts {
    /// By the order of [`TextQuery::words`].
    pub occurrences: Vec<u32>,
    /// All words of the text.
    pub length: u32,
}

impl WordCounts {
    /// Counts in a text whose terms are separated by spaces.
    #[must_use]
    pub fn of(query: &TextQuery, text: &str) -> Self {
        let words: Vec<&str> = query.words().map(|(word, _)| word).collect();
        let mut counts = Self {
            occurrences: vec![0; words.len()],
            length: 0,
        };
        for term in text.split_ascii_whitespace() {
            counts.length += 1;
            for (count, word) in counts.occurrences.iter_mut().zip(&words) {
                *count += u32::from(*word == term);
            }
        }
        counts
    }
}

/// What BM25 needs to know of all texts of one kind in a collection. Adding those of several collections gives those of
/// their union.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FieldStatistics {
    /// How many texts there are.
    pub texts: u64,
    /// Words of all of them.
    pub length: u64,
    /// How many hold each word, by the order of [`TextQuery::words`].
    pub holding: Vec<u64>,
}

impl std::ops::AddAssign<&Self> for FieldStatistics {
    fn add_assign(&mut self, other: &Self) {
        self.texts += other.texts;
        self.length += other.length;
        self.holding.resize(self.holding.len().max(other.holding.len()), 0);
        for (sum, more) in self.holding.iter_mut().zip(&other.holding) {
            *sum += more;
        }
    }
}

/// [`FieldStatistics`] of everything that is found by words.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WordStatistics {
    /// The chunks' contents.
    pub content: FieldStatistics,
    /// Their titles, headings and captions.
    pub headings: FieldStatistics,
    /// Whole pages.
    pub pages: FieldStatistics,
}

impl std::ops::AddAssign<&Self> for WordStatistics {
    fn add_assign(&mut self, other: &Self) {
        self.content += &other.content;
        self.headings += &other.headings;
        self.pages += &other.pages;
    }
}

/// How much text of each kind a document has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct WordTotals {
    /// Chunks.
    pub chunks: u32,
    /// Words of their contents.
    pub content: u64,
    /// Words of their titles, headings and captions.
    pub headings: u64,
    /// Pages.
    pub pages: u32,
    /// Their words.
    pub page_words: u64,
}

/// A chunk with its score in one list.
#[derive(Debug, Clone, PartialEq)]
pub struct ScoredChunk {
    /// The chunk.
    pub chunk: Arc<StoredChunk>,
    /// Cosine similarity for vectors, BM25 for words. Higher is better.
    pub score: f32,
    /// The query's words in its content; empty where they are not counted, as in a list of vectors.
    pub content: WordCounts,
    /// The query's words in its headings; empty where they are not counted.
    pub headings: WordCounts,
}

/// A page with its score in one list.
#[derive(Debug, Clone, PartialEq)]
pub struct ScoredPage {
    /// The document.
    pub document_id: DocumentId,
    /// 1-based.
    pub page: u32,
    /// BM25. Higher is better.
    pub score: f32,
    /// The query's words on it; empty where they are not counted.
    pub words: WordCounts,
}

/// A chunk as it is stored.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredChunk {
    /// Its id.
    pub id: ChunkId,
    /// Its document.
    pub document_id: DocumentId,
    /// The revision it belongs to.
    pub revision: String,
    /// 0-based position among the document's chunks.
    pub order: u32,
    /// What a reader is shown.
    pub content: String,
    /// What it is made of.
    pub metadata: ChunkMetadata,
}

/// What retrieval needs of a collection.
#[async_trait]
pub trait ChunkSource: Send + Sync {
    /// The collection's name.
    fn name(&self) -> &CollectionName;

    /// The documents as they are now.
    ///
    /// # Errors
    /// `collection_unavailable` when it cannot be read.
    async fn snapshot(&self) -> Result<DocumentsSnapshot>;

    /// The `limit` chunks nearest to `vector` by cosine among `documents` (`None`: all of the snapshot), best first,
    /// ties by chunk id.
    ///
    /// # Errors
    /// `collection_unavailable` when it cannot be read.
    async fn nearest(
        &self,
        snapshot: &DocumentsSnapshot,
        vector: &[f32],
        documents: Option<&[DocumentId]>,
        limit: usize,
    ) -> Result<Vec<ScoredChunk>>;

    /// The `limit` chunks that match `query` best by BM25 among `documents` (`None`: all), best first, ties by chunk id.
    ///
    /// # Errors
    /// `collection_unavailable` when it cannot be read.
    async fn matching(
        &self,
        snapshot: &DocumentsSnapshot,
        query: &TextQuery,
        documents: Option<&[DocumentId]>,
        limit: usize,
    ) -> Result<Vec<ScoredChunk>>;

    /// The `limit` pages that match `query` best by BM25 over their whole text among `documents` (`None`: all), best
    /// first, ties by document and page. Documents without pages have none.
    ///
    /// # Errors
    /// `collection_unavailable` when it cannot be read.
    async fn matching_pages(
        &self,
        snapshot: &DocumentsSnapshot,
        query: &TextQuery,
        documents: Option<&[DocumentId]>,
        limit: usize,
    ) -> Result<Vec<ScoredPage>>;

    /// What BM25 needs to know of all that is visible in the snapshot, so that scores of several collections can be
    /// computed from their common statistics.
    ///
    /// # Errors
    /// `collection_unavailable` when it cannot be read.
    async fn word_statistics(&self, snapshot: &DocumentsSnapshot, query: &TextQuery) -> Result<WordStatistics>;

    /// The document's chunks that lie on any of these 1-based `pages`, in the document's order.
    ///
    /// # Errors
    /// `collection_unavailable` when it cannot be read, `not_found` when the snapshot does not know the document.
    async fn chunks_on(
        &self,
        snapshot: &DocumentsSnapshot,
        document: DocumentId,
        pages: &[u32],
    ) -> Result<Vec<Arc<StoredChunk>>>;

    /// The document's items with `first ≤ position ≤ last` for any of `ranges`, by position, each once.
    ///
    /// # Errors
    /// `collection_unavailable` when it cannot be read, `not_found` when the snapshot does not know the document.
    async fn items(
        &self,
        snapshot: &DocumentsSnapshot,
        document: DocumentId,
        ranges: &[(u32, u32)],
    ) -> Result<Vec<Item>>;
}
