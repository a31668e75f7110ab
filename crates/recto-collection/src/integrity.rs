//! Checking that what is stored hangs together.

use crate::collection::Collection;
use crate::ingest::count;
use crate::record::Record;
use crate::{Error, sql};
use recto_core::DocumentId;
use std::collections::BTreeSet;

/// What a check found. [`Integrity::is_sound`] when there is nothing to mend.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Integrity {
    /// Rows of revisions that no document knows, by table.
    pub orphan_rows: Vec<(&'static str, usize)>,
    /// Documents marked as embedded that lack vectors.
    pub missing_vectors: Vec<DocumentId>,
    /// Documents whose vectors are not all written yet: normal while a job is at it.
    pub not_embedded: Vec<DocumentId>,
    /// Documents with a revision that was begun and not committed: normal while a job is at it.
    pub pending: Vec<DocumentId>,
    /// Revisions that wait for being removed.
    pub superseded: usize,
    /// Deleted documents that wait for being removed.
    pub deleted: Vec<DocumentId>,
    /// Documents whose original is gone.
    pub missing_originals: Vec<DocumentId>,
    /// What the indexes cover.
    pub indexes: Vec<IndexCoverage>,
}

/// How much of a table an index covers. Rows outside are found all the same, slower.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexCoverage {
    /// The table.
    pub table: &'static str,
    /// The column.
    pub column: String,
    /// Rows in the index.
    pub indexed: u64,
    /// Rows outside.
    pub unindexed: u64,
}

impl Integrity {
    /// Nothing is orphaned, missing, or claimed without being there.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.orphan_rows.is_empty() && self.missing_vectors.is_empty() && self.missing_originals.is_empty()
    }
}

impl Collection {
    /// Checks rows, vectors, originals and indexes.
    ///
    /// # Errors
    /// A failure of the database.
    pub async fn integrity(&self) -> Result<Integrity, Error> {
        self.refresh().await?;
        let records: Vec<Record> = self.with_records(|records| records.values().cloned().collect());
        let known: BTreeSet<String> = records
            .iter()
            .flat_map(|record| record.revisions().map(str::to_owned))
            .collect();
        let mut report = Integrity::default();
        for (name, table) in self.content_tables() {
            let stored = self.stored_revisions(table).await?;
            let orphans: Vec<&String> = stored.difference(&known).collect();
            if !orphans.is_empty() {
                let rows = count(table, &sql::one_of("revision", orphans)).await?;
                report.orphan_rows.push((name, rows));
            }
            let indices = table
                .list_indices()
                .await
                .map_err(Error::database("read the indexes"))?;
            report.indexes.extend(indices.into_iter().map(|index| IndexCoverage {
                table: name,
                column: index.columns.join(", "),
                indexed: index.num_indexed_rows.unwrap_or_default(),
                unindexed: index.num_unindexed_rows.unwrap_or_default(),
            }));
        }
        let lacking = self.revisions_lacking_vectors(None).await?;
        for record in &records {
            let id = record.row.id;
            if !record.pending.is_empty() {
                report.pending.push(id);
            }
            report.superseded += record.superseded.len();
            if record.deleted_at_ms != 0 {
                report.deleted.push(id);
            }
            if !record.is_readable() {
                continue;
            }
            if record.row.embedded {
                if lacking.contains(&record.row.revision) {
                    report.missing_vectors.push(id);
                }
            } else {
                report.not_embedded.push(id);
            }
            if self.originals().path(&record.row.sha256).is_none() {
                report.missing_originals.push(id);
            }
        }
        Ok(report)
    }
}
