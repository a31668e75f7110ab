//! The commit rule: how documents come in without ever being half there.

use crate::collection::{Collection, collect};
use crate::columns::text;
use crate::record::{Record, Superseded};
use crate::{Error, rows, schema, sql};
use arrow_array::RecordBatch;
use lancedb::Table;
use lancedb::query::{Query, QueryBase, Select};
use recto_core::{Bookmark, Chunk, ChunkId, DocumentCard, DocumentId, Gap, Item, Page, TextSource, WordTotals};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Documents in one batch, at most.
pub const BATCH_DOCUMENTS: usize = 64;

/// A document's new content.
#[derive(Debug, Clone, PartialEq)]
pub struct NewRevision {
    /// The document, new or known.
    pub document: DocumentId,
    /// The revision's name, never used before in the collection.
    pub revision: String,
    /// What is known about the file.
    pub facts: Facts,
    /// Its pages; empty for formats without.
    pub pages: Vec<PageRecord>,
    /// Its items in reading order.
    pub items: Vec<Item>,
    /// Its chunks.
    pub chunks: Vec<Chunk>,
}

/// What is known about a file as a whole.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Facts {
    /// The title shown, unless the person has chosen another.
    pub title: String,
    /// Where the file is.
    pub uri: String,
    /// SHA-256 of its bytes, hexadecimal.
    pub sha256: String,
    /// Detected type.
    pub media_type: String,
    /// Number of pages; 0 without pages. Pages in `gaps` count.
    pub page_count: u32,
    /// Pages that could not be read.
    pub gaps: Vec<Gap>,
    /// The file's own outline.
    pub bookmarks: Vec<Bookmark>,
    /// Tags to add to those the document has.
    pub tags: Vec<String>,
    /// Metadata to add to or replace in what the document has.
    pub metadata: BTreeMap<String, String>,
    /// What it says about itself.
    pub card: DocumentCard,
}

/// A page with its search terms.
#[derive(Debug, Clone, PartialEq)]
pub struct PageRecord {
    /// The page.
    pub page: Page,
    /// Search terms of its text, separated by spaces, as the query side makes them too.
    pub terms: String,
}

/// The vector of a chunk.
#[derive(Debug, Clone, PartialEq)]
pub struct ChunkVector {
    /// The chunk.
    pub chunk: ChunkId,
    /// Its document.
    pub document: DocumentId,
    /// The revision it belongs to.
    pub revision: String,
    /// As many values as the collection's embedder has dimensions.
    pub vector: Vec<f32>,
}

impl Collection {
    /// Step 1 of 5: announces the revisions about to be written, so that nobody sees their rows and a killed process
    /// leaves a trace of them. Rows of an earlier attempt at the same documents are removed.
    ///
    /// Then follow [`append`](Self::append) (pages, items and chunks), [`commit_text`](Self::commit_text) (the
    /// documents can be read and found by words), [`append_vectors`](Self::append_vectors) any number of times, and
    /// [`mark_embedded`](Self::mark_embedded).
    ///
    /// # Errors
    /// [`Error::Batch`] for too many documents or one twice; [`Error::ReadOnly`], or a failure of the database.
    pub async fn begin(&self, batch: &[(DocumentId, String)]) -> Result<(), Error> {
        check_batch(batch.iter().map(|(document, _)| *document))?;
        let _turn = self.turn().await?;
        let mut stale = Vec::new();
        let mut records = Vec::new();
        for (document, revision) in batch {
            let mut record = self.record(*document).unwrap_or_else(|_| Record::new(*document));
            if !record.pending.is_empty() {
                stale.push(std::mem::take(&mut record.pending));
            }
            record.pending.clone_from(revision);
            records.push(record);
        }
        self.delete_revisions(&stale).await?;
        self.save(records).await
    }

    /// Step 2: writes the content of begun revisions. Nobody sees it yet.
    ///
    /// # Errors
    /// [`Error::NotBegun`] out of order; [`Error::ReadOnly`], or a failure of the database.
    pub async fn append(&self, batch: &[NewRevision]) -> Result<(), Error> {
        let _turn = self.turn().await?;
        self.require_begun(batch)?;
        add("write pages", &self.pages, rows::encode_pages(batch)?).await?;
        add("write items", &self.items, rows::encode_items(batch)?).await?;
        add("write chunks", &self.chunks, rows::encode_chunks(batch)?).await
    }

    /// Step 3, the commit: from one moment to the next these revisions are the current ones. What they replace stays
    /// until [`purge_superseded`](Self::purge_superseded), for questions that are under way.
    ///
    /// `now` is the moment as RFC 3339 in UTC, `now_ms` the same in Unix milliseconds.
    ///
    /// # Errors
    /// [`Error::NotBegun`] out of order; [`Error::Incomplete`] when rows are missing, and then nothing is committed;
    /// [`Error::ReadOnly`], or a failure of the database.
    pub async fn commit_text(&self, batch: &[NewRevision], now: &str, now_ms: i64) -> Result<(), Error> {
        let _turn = self.turn().await?;
        self.require_begun(batch)?;
        self.verify(batch).await?;
        self.ensure_word_indexes().await?;
        let mut changed: BTreeMap<DocumentId, Record> = BTreeMap::new();
        for new in batch {
            let mut record = self.record(new.document)?;
            commit(&mut record, new, now, now_ms);
            changed.insert(new.document, record);
        }
        // A place holds one document. Where a file changed that had other places too, this one leaves the old document.
        for new in batch {
            self.leave_location(&new.facts.uri, new.document, &mut changed);
        }
        self.save(changed.into_values().collect()).await
    }

    /// Step 4: writes vectors of committed chunks. May be cut off and continued:
    /// [`chunks_without_vectors`](Self::chunks_without_vectors) says what is left. Vectors of a revision that is no
    /// longer current, or whose document was removed meanwhile, are dropped. Returns how many were written.
    ///
    /// # Errors
    /// [`Error::Dimension`] for a vector of another model; [`Error::ReadOnly`], or a failure of the database.
    pub async fn append_vectors(&self, vectors: &[ChunkVector]) -> Result<usize, Error> {
        let expected = self.embedder.dimension;
        if let Some(wrong) = vectors
            .iter()
            .find(|row| u32::try_from(row.vector.len()) != Ok(expected))
        {
            return Err(Error::Dimension {
                found: wrong.vector.len(),
                expected,
            });
        }
        let _turn = self.turn().await?;
        let is_current = |row: &&ChunkVector| {
            self.with_records(|records| {
                let record = records.get(&row.document);
                record.is_some_and(|record| record.row.revision == row.revision)
            })
        };
        let current: Vec<&ChunkVector> = vectors.iter().filter(is_current).collect();
        add(
            "write vectors",
            &self.vectors,
            rows::encode_vectors(&current, expected)?,
        )
        .await?;
        Ok(current.len())
    }

    /// Step 5: records that all vectors of these revisions are written. A revision without all of them, or no longer
    /// current, is not marked. Returns the documents that are.
    ///
    /// # Errors
    /// [`Error::ReadOnly`], or a failure of the database.
    pub async fn mark_embedded(&self, batch: &[(DocumentId, String)]) -> Result<Vec<DocumentId>, Error> {
        let _turn = self.turn().await?;
        let filter = sql::one_of("revision", batch.iter().map(|(_, revision)| revision));
        let lacking = self.revisions_lacking_vectors(Some(filter)).await?;
        let mut records = Vec::new();
        for (document, revision) in batch {
            let Ok(mut record) = self.record(*document) else {
                continue;
            };
            if record.row.revision == *revision && !lacking.contains(revision) {
                record.embedded.clone_from(revision);
                record.row.embedded = true;
                records.push(record);
            }
        }
        let marked = records.iter().map(|record| record.row.id).collect();
        self.save(records).await?;
        Ok(marked)
    }

    /// Steps 1 to 3 for a batch that is complete.
    ///
    /// # Errors
    /// As those steps.
    pub async fn ingest_text(&self, batch: &[NewRevision], now: &str, now_ms: i64) -> Result<(), Error> {
        let begun: Vec<(DocumentId, String)> = batch.iter().map(|new| (new.document, new.revision.clone())).collect();
        self.begin(&begun).await?;
        self.append(batch).await?;
        self.commit_text(batch, now, now_ms).await
    }

    /// Gives up revisions that were begun and not committed: their rows go, the documents stay as they were.
    ///
    /// # Errors
    /// [`Error::ReadOnly`], or a failure of the database.
    pub async fn abandon(&self, documents: &[DocumentId]) -> Result<(), Error> {
        let _turn = self.turn().await?;
        let begun: Vec<Record> = documents
            .iter()
            .filter_map(|document| self.record(*document).ok())
            .filter(|record| !record.pending.is_empty())
            .collect();
        let revisions: Vec<String> = begun.iter().map(|record| record.pending.clone()).collect();
        self.delete_revisions(&revisions).await?;
        let (mut kept, new): (Vec<Record>, Vec<Record>) = begun.into_iter().partition(Record::is_committed);
        for record in &mut kept {
            record.pending.clear();
        }
        self.save(kept).await?;
        let new: Vec<DocumentId> = new.iter().map(|record| record.row.id).collect();
        self.remove_records(&new).await
    }

    /// Removes what a killed process had begun. Called when opening, with the lock held.
    pub(crate) async fn sweep(&self) -> Result<(), Error> {
        let begun: Vec<DocumentId> = self.with_records(|records| {
            let begun = records.values().filter(|record| !record.pending.is_empty());
            begun.map(|record| record.row.id).collect()
        });
        self.abandon(&begun).await?;
        self.originals().sweep()
    }

    /// Removes the rows of revisions superseded at least 60 s before `now_ms`: no question can still be reading them.
    /// Returns how many revisions went.
    ///
    /// # Errors
    /// [`Error::ReadOnly`], or a failure of the database.
    pub async fn purge_superseded(&self, now_ms: i64) -> Result<usize, Error> {
        let _turn = self.turn().await?;
        let is_due = |old: &Superseded| old.at_ms + 60_000 <= now_ms;
        let mut records: Vec<Record> = self.with_records(|records| {
            let due = records.values().filter(|record| record.superseded.iter().any(is_due));
            due.cloned().collect()
        });
        let revisions: Vec<String> = records
            .iter()
            .flat_map(|record| record.superseded.iter().filter(|old| is_due(old)))
            .map(|old| old.revision.clone())
            .collect();
        self.delete_revisions(&revisions).await?;
        for record in &mut records {
            record.superseded.retain(|old| !is_due(old));
        }
        self.save(records).await?;
        Ok(revisions.len())
    }

    /// The chunks of the document's current revision that have no vector yet, in order.
    ///
    /// # Errors
    /// [`Error::UnknownDocument`], or a failure of the database.
    pub async fn chunks_without_vectors(&self, document: DocumentId) -> Result<Vec<Chunk>, Error> {
        let operation = "look for chunks without vectors";
        self.refresh().await?;
        let revision = self.record(document)?.row.revision;
        let filter = sql::one_of("revision", [&revision]);
        let query = self
            .vectors
            .query()
            .only_if(&filter)
            .select(Select::columns(&["chunk_id"]));
        let mut embedded = BTreeSet::new();
        for batch in collect(operation, query).await? {
            embedded.extend(text(&batch, "chunk_id")?.iter().flatten().map(str::to_owned));
        }
        let mut chunks = Vec::new();
        for batch in collect(operation, self.chunks.query().only_if(&filter)).await? {
            chunks.extend(rows::decode_chunks(&batch)?);
        }
        chunks.retain(|chunk| !embedded.contains(&chunk.id.0));
        chunks.sort_by_key(|chunk| chunk.order);
        Ok(chunks)
    }

    /// The revisions, among the rows for which `filter` holds, with a chunk that has no vector.
    pub(crate) async fn revisions_lacking_vectors(&self, filter: Option<String>) -> Result<BTreeSet<String>, Error> {
        let operation = "compare chunks and vectors";
        let mut embedded = BTreeSet::new();
        let vectors = self.vectors.query().select(Select::columns(&["chunk_id"]));
        for batch in collect(operation, restrict(vectors, filter.as_ref())).await? {
            embedded.extend(text(&batch, "chunk_id")?.iter().flatten().map(str::to_owned));
        }
        let mut lacking = BTreeSet::new();
        let chunks = self.chunks.query().select(Select::columns(&["id", "revision"]));
        for batch in collect(operation, restrict(chunks, filter.as_ref())).await? {
            let (ids, revisions) = (text(&batch, "id")?, text(&batch, "revision")?);
            for (id, revision) in ids.iter().flatten().zip(revisions.iter().flatten()) {
                if !embedded.contains(id) {
                    lacking.insert(revision.to_owned());
                }
            }
        }
        Ok(lacking)
    }

    fn require_begun(&self, batch: &[NewRevision]) -> Result<(), Error> {
        check_batch(batch.iter().map(|new| new.document))?;
        for new in batch {
            let begun = self.with_records(|records| {
                let record = records.get(&new.document);
                record.is_some_and(|record| record.pending == new.revision)
            });
            if !begun {
                return Err(Error::NotBegun {
                    document: new.document,
                    revision: new.revision.clone(),
                });
            }
        }
        Ok(())
    }

    /// Success is said only of what can be read back.
    async fn verify(&self, batch: &[NewRevision]) -> Result<(), Error> {
        let filter = sql::one_of("revision", batch.iter().map(|new| &new.revision));
        for (name, table, expected) in [
            (
                schema::PAGES,
                &self.pages,
                batch.iter().map(|new| new.pages.len()).sum::<usize>(),
            ),
            (
                schema::ITEMS,
                &self.items,
                batch.iter().map(|new| new.items.len()).sum::<usize>(),
            ),
            (
                schema::CHUNKS,
                &self.chunks,
                batch.iter().map(|new| new.chunks.len()).sum::<usize>(),
            ),
        ] {
            let found = count(table, &filter).await?;
            if found != expected {
                return Err(Error::Incomplete {
                    table: name,
                    found,
                    expected,
                });
            }
        }
        Ok(())
    }
}

fn restrict(query: Query, filter: Option<&String>) -> Query {
    match filter {
        Some(filter) => query.only_if(filter),
        None => query,
    }
}

fn check_batch(documents: impl Iterator<Item = DocumentId>) -> Result<(), Error> {
    let documents: Vec<DocumentId> = documents.collect();
    let distinct: BTreeSet<&DocumentId> = documents.iter().collect();
    if documents.len() <= BATCH_DOCUMENTS && distinct.len() == documents.len() {
        return Ok(());
    }
    Err(Error::Batch { limit: BATCH_DOCUMENTS })
}

fn word_totals(new: &NewRevision) -> WordTotals {
    let words = |terms: &str| terms.split_ascii_whitespace().count() as u64;
    let count = |rows: usize| u32::try_from(rows).unwrap_or(u32::MAX);
    WordTotals {
        chunks: count(new.chunks.len()),
        content: new.chunks.iter().map(|chunk| words(&chunk.content_terms)).sum(),
        headings: new.chunks.iter().map(|chunk| words(&chunk.heading_terms)).sum(),
        pages: count(new.pages.len()),
        page_words: new.pages.iter().map(|page| words(&page.terms)).sum(),
    }
}

fn commit(record: &mut Record, new: &NewRevision, now: &str, now_ms: i64) {
    let facts = &new.facts;
    if record.is_committed() {
        record.superseded.push(Superseded {
            revision: std::mem::take(&mut record.row.revision),
            at_ms: now_ms,
        });
    } else {
        now.clone_into(&mut record.row.created_at);
        record.row.uri.clone_from(&facts.uri);
    }
    record.pending.clear();
    // The same file at the same place has the same id, also while a deleted document of that id awaits its removal.
    record.deleted_at_ms = 0;
    record.text_bytes = new
        .items
        .iter()
        .map(|item| i64::try_from(item.text.len()).unwrap_or(i64::MAX))
        .sum();
    record.bookmarks.clone_from(&facts.bookmarks);
    if !record.title_edited {
        record.row.title.clone_from(&facts.title);
    }
    let row = &mut record.row;
    row.revision.clone_from(&new.revision);
    row.embedded = false;
    row.sha256.clone_from(&facts.sha256);
    row.media_type.clone_from(&facts.media_type);
    row.page_count = facts.page_count;
    let recognised = |record: &&PageRecord| record.page.source != TextSource::Digital;
    row.recognised_pages = u32::try_from(new.pages.iter().filter(recognised).count()).unwrap_or(u32::MAX);
    row.word_totals = word_totals(new);
    row.page_labels = page_labels(new);
    row.gaps.clone_from(&facts.gaps);
    row.card = Arc::new(facts.card.clone());
    now.clone_into(&mut row.updated_at);
    if !row.locations.contains(&facts.uri) {
        row.locations.push(facts.uri.clone());
    }
    for tag in &facts.tags {
        if !row.tags.contains(tag) {
            row.tags.push(tag.clone());
        }
    }
    row.metadata
        .extend(facts.metadata.iter().map(|(key, value)| (key.clone(), value.clone())));
}

/// Index 0 is page 1; empty when no page has a label.
fn page_labels(new: &NewRevision) -> Vec<Option<String>> {
    if new.pages.iter().all(|record| record.page.label.is_none()) {
        return Vec::new();
    }
    let mut labels = vec![None; usize::try_from(new.facts.page_count).unwrap_or_default()];
    for record in &new.pages {
        let index = usize::try_from(record.page.number.saturating_sub(1)).unwrap_or(usize::MAX);
        if let Some(label) = labels.get_mut(index) {
            label.clone_from(&record.page.label);
        }
    }
    labels
}

async fn add(operation: &'static str, table: &Table, rows: RecordBatch) -> Result<(), Error> {
    if rows.num_rows() == 0 {
        return Ok(());
    }
    table.add(rows).execute().await.map_err(Error::database(operation))?;
    Ok(())
}

pub(crate) async fn count(table: &Table, filter: &str) -> Result<usize, Error> {
    table
        .count_rows(Some(filter.to_owned()))
        .await
        .map_err(Error::database("count rows"))
}
