//! The row of the `documents` table.

use crate::columns::{flags, i64s, json, text, to_json, u32s};
use crate::{Error, schema};
use arrow_array::{ArrayRef, BooleanArray, Int64Array, RecordBatch, StringArray, UInt32Array};
use recto_core::{Bookmark, DocumentId, DocumentRow, DocumentsSnapshot, WordTotals};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// All that is known of a document beside its content.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Record {
    /// What readers see. `revision` is empty while the first one is not committed.
    pub(crate) row: DocumentRow,
    /// The revision being written; empty when none is.
    pub(crate) pending: String,
    /// Former revisions whose rows still exist.
    pub(crate) superseded: Vec<Superseded>,
    /// The last revision whose vectors are all written.
    pub(crate) embedded: String,
    /// When it was deleted, Unix milliseconds; 0 while it is not.
    pub(crate) deleted_at_ms: i64,
    /// The person chose the title; a new revision keeps it.
    pub(crate) title_edited: bool,
    /// The file's own outline.
    pub(crate) bookmarks: Vec<Bookmark>,
    /// Bytes of text in the items.
    pub(crate) text_bytes: i64,
}

/// A former revision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Superseded {
    /// Its name.
    pub(crate) revision: String,
    /// When it was superseded, Unix milliseconds.
    pub(crate) at_ms: i64,
}

pub(crate) type Records = BTreeMap<DocumentId, Record>;

impl Record {
    /// A document of which nothing is committed yet.
    pub(crate) fn new(id: DocumentId) -> Self {
        Self {
            row: DocumentRow {
                id,
                revision: String::new(),
                embedded: false,
                title: String::new(),
                uri: String::new(),
                locations: Vec::new(),
                sha256: String::new(),
                media_type: String::new(),
                page_count: 0,
                recognised_pages: 0,
                word_totals: WordTotals::default(),
                page_labels: Vec::new(),
                gaps: Vec::new(),
                tags: Vec::new(),
                metadata: BTreeMap::new(),
                card: Arc::default(),
                created_at: String::new(),
                updated_at: String::new(),
            },
            pending: String::new(),
            superseded: Vec::new(),
            embedded: String::new(),
            deleted_at_ms: 0,
            title_edited: false,
            bookmarks: Vec::new(),
            text_bytes: 0,
        }
    }

    pub(crate) fn is_committed(&self) -> bool {
        !self.row.revision.is_empty()
    }

    /// Committed and not deleted.
    pub(crate) fn is_readable(&self) -> bool {
        self.is_committed() && self.deleted_at_ms == 0
    }

    /// Every revision that has rows.
    pub(crate) fn revisions(&self) -> impl Iterator<Item = &str> {
        [self.row.revision.as_str(), self.pending.as_str()]
            .into_iter()
            .filter(|revision| !revision.is_empty())
            .chain(self.superseded.iter().map(|old| old.revision.as_str()))
    }
}

pub(crate) fn snapshot(records: &Records) -> DocumentsSnapshot {
    let mut documents = BTreeMap::new();
    let mut hidden_revisions = BTreeSet::new();
    for record in records.values() {
        let readable = record.is_readable();
        let hidden = record
            .revisions()
            .filter(|revision| !readable || *revision != record.row.revision);
        hidden_revisions.extend(hidden.map(str::to_owned));
        if readable {
            documents.insert(record.row.id, record.row.clone());
        }
    }
    DocumentsSnapshot {
        documents,
        hidden_revisions,
    }
}

pub(crate) fn encode(records: &[Record]) -> Result<RecordBatch, Error> {
    let texts = |value: &dyn Fn(&Record) -> &str| -> ArrayRef {
        Arc::new(StringArray::from_iter_values(records.iter().map(value)))
    };
    let jsons = |value: &dyn Fn(&Record) -> Result<String, Error>| -> Result<ArrayRef, Error> {
        let values: Vec<String> = records.iter().map(value).collect::<Result<_, _>>()?;
        Ok(Arc::new(StringArray::from(values)))
    };
    let ids: Vec<String> = records.iter().map(|record| record.row.id.to_string()).collect();
    let numbers = |value: &dyn Fn(&Record) -> i64| -> ArrayRef {
        Arc::new(Int64Array::from_iter_values(records.iter().map(value)))
    };
    let columns: Vec<ArrayRef> = vec![
        Arc::new(StringArray::from(ids)),
        texts(&|r| &r.row.revision),
        texts(&|r| &r.pending),
        jsons(&|r| to_json(&r.superseded, "superseded"))?,
        texts(&|r| &r.embedded),
        numbers(&|r| r.deleted_at_ms),
        texts(&|r| &r.row.title),
        Arc::new(records.iter().map(|r| Some(r.title_edited)).collect::<BooleanArray>()),
        texts(&|r| &r.row.uri),
        jsons(&|r| to_json(&r.row.locations, "locations"))?,
        texts(&|r| &r.row.sha256),
        texts(&|r| &r.row.media_type),
        Arc::new(UInt32Array::from_iter_values(records.iter().map(|r| r.row.page_count))),
        Arc::new(UInt32Array::from_iter_values(
            records.iter().map(|r| r.row.recognised_pages),
        )),
        jsons(&|r| to_json(&r.row.word_totals, "word_totals"))?,
        jsons(&|r| to_json(&r.row.page_labels, "page_labels"))?,
        jsons(&|r| to_json(&r.row.gaps, "gaps"))?,
        jsons(&|r| to_json(&r.bookmarks, "bookmarks"))?,
        jsons(&|r| to_json(&r.row.tags, "tags"))?,
        jsons(&|r| to_json(&r.row.metadata, "metadata"))?,
        jsons(&|r| to_json(&*r.row.card, "card"))?,
        numbers(&|r| r.text_bytes),
        texts(&|r| &r.row.created_at),
        texts(&|r| &r.row.updated_at),
    ];
    RecordBatch::try_new(schema::documents(), columns).map_err(|source| Error::Rows {
        operation: "write document rows",
        source,
    })
}

pub(crate) fn decode(batch: &RecordBatch) -> Result<Vec<Record>, Error> {
    let texts = |name| text(batch, name);
    let (ids, revisions, pending) = (texts("id")?, texts("revision")?, texts("pending")?);
    let (superseded, embedded, titles) = (texts("superseded")?, texts("embedded")?, texts("title")?);
    let (uris, locations, hashes) = (texts("uri")?, texts("locations")?, texts("sha256")?);
    let (types, labels, gaps) = (texts("media_type")?, texts("page_labels")?, texts("gaps")?);
    let (bookmarks, tags, metadata) = (texts("bookmarks")?, texts("tags")?, texts("metadata")?);
    let (created, updated) = (texts("created_at")?, texts("updated_at")?);
    let (deleted, sizes) = (i64s(batch, "deleted_at_ms")?, i64s(batch, "text_bytes")?);
    let (counts, edited) = (u32s(batch, "page_count")?, flags(batch, "title_edited")?);
    let recognised = u32s(batch, "recognised_pages")?;
    let (cards, totals) = (texts("card")?, texts("word_totals")?);
    (0..batch.num_rows())
        .map(|index| {
            let revision = revisions.value(index).to_owned();
            let embedded = embedded.value(index).to_owned();
            Ok(Record {
                row: DocumentRow {
                    id: ids.value(index).parse().map_err(|_| Error::Stored { column: "id" })?,
                    embedded: !revision.is_empty() && embedded == revision,
                    revision,
                    title: titles.value(index).to_owned(),
                    uri: uris.value(index).to_owned(),
                    locations: json(locations.value(index), "locations")?,
                    sha256: hashes.value(index).to_owned(),
                    media_type: types.value(index).to_owned(),
                    page_count: counts.value(index),
                    recognised_pages: recognised.value(index),
                    word_totals: json(totals.value(index), "word_totals")?,
                    page_labels: json(labels.value(index), "page_labels")?,
                    gaps: json(gaps.value(index), "gaps")?,
                    tags: json(tags.value(index), "tags")?,
                    metadata: json(metadata.value(index), "metadata")?,
                    card: Arc::new(json(cards.value(index), "card")?),
                    created_at: created.value(index).to_owned(),
                    updated_at: updated.value(index).to_owned(),
                },
                pending: pending.value(index).to_owned(),
                superseded: json(superseded.value(index), "superseded")?,
                embedded,
                deleted_at_ms: deleted.value(index),
                title_edited: edited.value(index),
                bookmarks: json(bookmarks.value(index), "bookmarks")?,
                text_bytes: sizes.value(index),
            })
        })
        .collect()
}
