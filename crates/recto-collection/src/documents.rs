//! Documents as a person sees them: which file belongs to which document, editing, deleting.

use crate::collection::Collection;
use crate::record::Record;
use crate::{Error, sql};
use recto_core::{Bookmark, DocumentId};
use std::collections::{BTreeMap, BTreeSet};

/// Where a file with certain bytes belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Placement {
    /// This place already belongs to this document, and the bytes are the same.
    Unchanged(DocumentId),
    /// A document with these bytes is here: [`Collection::add_location`].
    SameBytes(DocumentId),
    /// The bytes at this document's only place changed: commit a new revision of it.
    NewRevision(DocumentId),
    /// Commit a new document. Where the place belonged to a document with several, it leaves that one.
    New,
}

/// Changes to a document's own row; what is `None` stays.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DocumentEdit {
    /// The title, kept through new revisions.
    pub title: Option<String>,
    /// All tags.
    pub tags: Option<Vec<String>>,
    /// All metadata.
    pub metadata: Option<BTreeMap<String, String>>,
}

/// What a purge removed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PurgeReport {
    /// Documents whose rows and index entries are gone.
    pub documents: Vec<DocumentId>,
    /// Hashes of the originals that are gone.
    pub originals: Vec<String>,
}

impl Collection {
    /// Says where the file at `uri` with these bytes belongs. The bytes' hash is a document's identity: two files with
    /// equal text and different bytes are two documents, two equal files are one with two places.
    ///
    /// # Errors
    /// A failure of the database.
    pub async fn place(&self, uri: &str, sha256: &str) -> Result<Placement, Error> {
        self.refresh().await?;
        Ok(self.with_records(|records| {
            let readable = || records.values().filter(|record| record.is_readable());
            let at_place = readable().find(|record| record.row.locations.iter().any(|place| place == uri));
            if let Some(record) = at_place
                && record.row.sha256 == sha256
            {
                return Placement::Unchanged(record.row.id);
            }
            if let Some(record) = readable().find(|record| record.row.sha256 == sha256) {
                return Placement::SameBytes(record.row.id);
            }
            match at_place {
                Some(record) if record.row.locations.len() == 1 => Placement::NewRevision(record.row.id),
                _ => Placement::New,
            }
        }))
    }

    /// Adds a place to a document. Another document that had the place loses it; one with no place left is missing.
    ///
    /// # Errors
    /// [`Error::UnknownDocument`], [`Error::ReadOnly`], or a failure of the database.
    pub async fn add_location(&self, document: DocumentId, uri: &str) -> Result<(), Error> {
        let _turn = self.turn().await?;
        let mut record = self.readable(document)?;
        if !record.row.locations.iter().any(|place| place == uri) {
            record.row.locations.push(uri.to_owned());
        }
        let mut changed = BTreeMap::from([(document, record)]);
        self.leave_location(uri, document, &mut changed);
        self.save(changed.into_values().collect()).await
    }

    /// Takes a place away from a document, for a file that has vanished. Returns whether the document has none left:
    /// it stays readable from its original, and is shown as missing.
    ///
    /// # Errors
    /// [`Error::UnknownDocument`], [`Error::ReadOnly`], or a failure of the database.
    pub async fn remove_location(&self, document: DocumentId, uri: &str) -> Result<bool, Error> {
        let _turn = self.turn().await?;
        let mut record = self.readable(document)?;
        record.row.locations.retain(|place| place != uri);
        let is_missing = record.row.locations.is_empty();
        self.save(vec![record]).await?;
        Ok(is_missing)
    }

    /// Changes title, tags or metadata. Content is not rewritten.
    ///
    /// # Errors
    /// [`Error::UnknownDocument`], [`Error::ReadOnly`], or a failure of the database.
    pub async fn edit(&self, document: DocumentId, edit: DocumentEdit) -> Result<(), Error> {
        let _turn = self.turn().await?;
        let mut record = self.readable(document)?;
        if let Some(title) = edit.title {
            record.row.title = title;
            record.title_edited = true;
        }
        if let Some(tags) = edit.tags {
            record.row.tags = tags;
        }
        if let Some(metadata) = edit.metadata {
            record.row.metadata = metadata;
        }
        self.save(vec![record]).await
    }

    /// The file's own outline.
    ///
    /// # Errors
    /// [`Error::UnknownDocument`], or a failure of the database.
    pub async fn bookmarks(&self, document: DocumentId) -> Result<Vec<Bookmark>, Error> {
        self.refresh().await?;
        Ok(self.readable(document)?.bookmarks)
    }

    /// Bytes of text in the document's items.
    ///
    /// # Errors
    /// [`Error::UnknownDocument`], or a failure of the database.
    pub async fn document_text_bytes(&self, document: DocumentId) -> Result<u64, Error> {
        self.refresh().await?;
        Ok(u64::try_from(self.readable(document)?.text_bytes).unwrap_or_default())
    }

    /// Hides documents at once. Their rows stay until [`purge_deleted`](Self::purge_deleted), so that the person may
    /// undo. Unknown ids are passed over. Returns the documents that are now hidden.
    ///
    /// # Errors
    /// [`Error::ReadOnly`], or a failure of the database.
    pub async fn delete(&self, documents: &[DocumentId], now_ms: i64) -> Result<Vec<DocumentId>, Error> {
        let _turn = self.turn().await?;
        let mut records: Vec<Record> = documents.iter().filter_map(|id| self.readable(*id).ok()).collect();
        for record in &mut records {
            // 0 stands for "not deleted".
            record.deleted_at_ms = now_ms.max(1);
        }
        let hidden = records.iter().map(|record| record.row.id).collect();
        self.save(records).await?;
        Ok(hidden)
    }

    /// Brings hidden documents back. Returns those that were still there.
    ///
    /// # Errors
    /// [`Error::ReadOnly`], or a failure of the database.
    pub async fn restore(&self, documents: &[DocumentId]) -> Result<Vec<DocumentId>, Error> {
        let _turn = self.turn().await?;
        let mut records: Vec<Record> = documents
            .iter()
            .filter_map(|id| self.record(*id).ok())
            .filter(|record| record.deleted_at_ms != 0)
            .collect();
        for record in &mut records {
            record.deleted_at_ms = 0;
        }
        let restored = records.iter().map(|record| record.row.id).collect();
        self.save(records).await?;
        Ok(restored)
    }

    /// Removes documents that have been hidden for at least `min_age_ms`, so that nothing of them is left in any file:
    /// rows, index entries, and originals that no other document has and `is_cited` does not ask to keep.
    ///
    /// A document's own row goes last; where the process is killed before, the next purge does all of it again.
    ///
    /// # Errors
    /// [`Error::ReadOnly`], or a failure of the database or file system.
    pub async fn purge_deleted(
        &self,
        now_ms: i64,
        min_age_ms: i64,
        is_cited: &(dyn Fn(&str) -> bool + Sync),
    ) -> Result<PurgeReport, Error> {
        let _turn = self.turn().await?;
        let due: Vec<Record> = self.with_records(|records| {
            let due = records
                .values()
                .filter(|record| record.deleted_at_ms != 0 && record.deleted_at_ms + min_age_ms <= now_ms);
            due.cloned().collect()
        });
        if due.is_empty() {
            return Ok(PurgeReport::default());
        }
        let documents: Vec<DocumentId> = due.iter().map(|record| record.row.id).collect();
        let filter = sql::one_of("document_id", documents.iter().map(ToString::to_string));
        for (_, table) in self.content_tables() {
            table.delete(&filter).await.map_err(Error::database("remove rows"))?;
        }
        self.erase_content().await?;
        let originals = self.remove_originals(&due, is_cited)?;
        self.remove_records(&documents).await?;
        self.erase_records().await?;
        Ok(PurgeReport { documents, originals })
    }

    /// Removes originals that no document has any more, those of superseded revisions among them. `is_needed` is asked
    /// for each by its hash, and keeps what an answer cites or a file being read has just stored. Returns their hashes.
    ///
    /// # Errors
    /// [`Error::ReadOnly`], or a failure of the file system.
    pub async fn purge_originals(&self, is_needed: &(dyn Fn(&str) -> bool + Sync)) -> Result<Vec<String>, Error> {
        let _turn = self.turn().await?;
        let known: BTreeSet<String> =
            self.with_records(|records| records.values().map(|record| record.row.sha256.clone()).collect());
        let mut removed = Vec::new();
        for sha256 in self.originals().hashes()? {
            if !known.contains(&sha256) && !is_needed(&sha256) && self.originals().remove(&sha256)? {
                removed.push(sha256);
            }
        }
        Ok(removed)
    }

    fn remove_originals(&self, due: &[Record], is_cited: &dyn Fn(&str) -> bool) -> Result<Vec<String>, Error> {
        let leaving: BTreeSet<DocumentId> = due.iter().map(|record| record.row.id).collect();
        let kept: BTreeSet<String> = self.with_records(|records| {
            let staying = records.values().filter(|record| !leaving.contains(&record.row.id));
            staying.map(|record| record.row.sha256.clone()).collect()
        });
        let hashes: BTreeSet<&String> = due.iter().map(|record| &record.row.sha256).collect();
        let mut removed = Vec::new();
        for sha256 in hashes {
            if !kept.contains(sha256) && !is_cited(sha256) && self.originals().remove(sha256)? {
                removed.push(sha256.clone());
            }
        }
        Ok(removed)
    }

    /// Takes `uri` away from every readable document but `owner`, into `changed`.
    pub(crate) fn leave_location(&self, uri: &str, owner: DocumentId, changed: &mut BTreeMap<DocumentId, Record>) {
        self.with_records(|records| {
            for (id, record) in records {
                if *id == owner || !record.row.locations.iter().any(|place| place == uri) {
                    continue;
                }
                let record = changed.entry(*id).or_insert_with(|| record.clone());
                record.row.locations.retain(|place| place != uri);
            }
        });
    }

    fn readable(&self, document: DocumentId) -> Result<Record, Error> {
        let record = self.record(document)?;
        if record.is_readable() {
            Ok(record)
        } else {
            Err(Error::UnknownDocument { document })
        }
    }
}
