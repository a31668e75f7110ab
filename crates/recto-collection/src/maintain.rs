//! Indexes and files: bringing indexes up to date, joining small files, and erasing what was deleted.

use crate::collection::{Collection, collect};
use crate::{Error, schema};
use lancedb::index::Index;
use lancedb::index::scalar::{BTreeIndexBuilder, FtsIndexBuilder};
use lancedb::index::vector::IvfPqIndexBuilder;
use lancedb::query::{QueryBase, Select};
use lancedb::table::{CompactionOptions, Duration, OptimizeAction, OptimizeOptions};
use lancedb::{DistanceType, Table};
use std::collections::BTreeSet;
use std::sync::atomic::Ordering;

/// Above this many vectors an index is built; below, comparing all of them is as fast and exact.
const VECTOR_INDEX_ROWS: usize = 100_000;

/// Rows the word indexes may lack before [`Collection::needs_optimizing`] says so.
const UNINDEXED_ROWS: usize = 2_000;

/// Old versions of the tables are kept this long for readers in other processes.
const RETENTION_MINUTES: i64 = 10;

/// Segments of one index before they are merged into one.
const INDEX_SEGMENTS: u32 = 8;

/// What a maintenance run did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Maintenance {
    /// Files before joining that are gone.
    pub files_removed: usize,
    /// Bytes freed on disk.
    pub bytes_freed: u64,
}

impl Collection {
    /// Creates missing indexes, brings the others up to date, joins small files, and removes old versions. Searches go
    /// on meanwhile; writes wait. Nothing but speed depends on it.
    ///
    /// # Errors
    /// [`Error::ReadOnly`], or a failure of the database.
    pub async fn optimize(&self) -> Result<Maintenance, Error> {
        let operation = "optimize the collection";
        let _turn = self.turn().await?;
        let mut report = Maintenance::default();
        for (name, table) in self.all_tables() {
            let joined = table
                .optimize(OptimizeAction::Compact {
                    options: compaction(name),
                    remap_options: None,
                })
                .await
                .map_err(Error::database(operation))?;
            report.files_removed += joined.compaction.map_or(0, |metrics| metrics.files_removed);
        }
        self.ensure_indexes().await?;
        for (_, table) in self.all_tables() {
            let indices = table.list_indices().await.map_err(Error::database(operation))?;
            let is_fragmented = indices
                .iter()
                .any(|index| index.num_segments.is_some_and(|segments| segments > INDEX_SEGMENTS));
            let options = if is_fragmented {
                OptimizeOptions::merge(usize::MAX)
            } else {
                OptimizeOptions::default()
            };
            table
                .optimize(OptimizeAction::Index(options))
                .await
                .map_err(Error::database(operation))?;
            let pruned = prune(table, Duration::minutes(RETENTION_MINUTES)).await?;
            report.bytes_freed += pruned;
        }
        Ok(report)
    }

    /// Whether so many rows are outside the word indexes that searches have become slower.
    ///
    /// # Errors
    /// A failure of the database.
    pub async fn needs_optimizing(&self) -> Result<bool, Error> {
        for table in [&self.chunks, &self.pages] {
            let indices = table
                .list_indices()
                .await
                .map_err(Error::database("read the indexes"))?;
            let is_behind = indices.iter().any(|index| {
                let rows = index.num_unindexed_rows.unwrap_or_default();
                usize::try_from(rows).unwrap_or(usize::MAX) > UNINDEXED_ROWS
            });
            if is_behind {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Creates the word indexes where they are missing: without them nothing is found by words. The first batch makes
    /// them while they are small; later rows are found without being in them.
    pub(crate) async fn ensure_word_indexes(&self) -> Result<(), Error> {
        if self.has_word_indexes().await? {
            return Ok(());
        }
        for (table, column) in [
            (&self.chunks, "content_fts"),
            (&self.chunks, "heading_fts"),
            (&self.pages, "text_fts"),
        ] {
            if !has_index(table, column).await? {
                build(table, column, words()).await?;
            }
        }
        self.word_indexes_exist.store(true, Ordering::Relaxed);
        Ok(())
    }

    /// Whether all word indexes exist. They do from the first commit on.
    pub(crate) async fn has_word_indexes(&self) -> Result<bool, Error> {
        if self.word_indexes_exist.load(Ordering::Relaxed) {
            return Ok(true);
        }
        let exist = has_index(&self.chunks, "content_fts").await?
            && has_index(&self.chunks, "heading_fts").await?
            && has_index(&self.pages, "text_fts").await?;
        self.word_indexes_exist.store(exist, Ordering::Relaxed);
        Ok(exist)
    }

    async fn ensure_indexes(&self) -> Result<(), Error> {
        if self.with_records(|records| records.values().all(|record| !record.is_committed())) {
            return Ok(());
        }
        self.ensure_word_indexes().await?;
        for (table, column) in [
            (&self.chunks, "id"),
            (&self.chunks, "document_id"),
            (&self.pages, "document_id"),
            (&self.items, "document_id"),
            (&self.vectors, "document_id"),
        ] {
            if !has_index(table, column).await? {
                build(table, column, Index::BTree(BTreeIndexBuilder::default())).await?;
            }
        }
        let vectors = self
            .vectors
            .count_rows(None)
            .await
            .map_err(Error::database("count vectors"))?;
        if vectors > VECTOR_INDEX_ROWS && !has_index(&self.vectors, "vector").await? {
            let index = IvfPqIndexBuilder::default().distance_type(DistanceType::Cosine);
            build(&self.vectors, "vector", Index::IvfPq(index)).await?;
        }
        Ok(())
    }

    /// Makes deleted content unreadable in the files themselves. Word indexes keep the terms of deleted rows in their
    /// dictionaries, so they are built anew. The caller has the turn.
    pub(crate) async fn erase_content(&self) -> Result<(), Error> {
        for (_, table) in self.content_tables() {
            rewrite(table).await?;
        }
        for (table, column) in [
            (&self.chunks, "content_fts"),
            (&self.chunks, "heading_fts"),
            (&self.pages, "text_fts"),
        ] {
            if has_index(table, column).await? {
                build(table, column, words()).await?;
            }
        }
        for (_, table) in self.content_tables() {
            prune(table, Duration::zero()).await?;
        }
        Ok(())
    }

    /// As [`Self::erase_content`] for the documents' own rows.
    pub(crate) async fn erase_records(&self) -> Result<(), Error> {
        rewrite(&self.documents).await?;
        prune(&self.documents, Duration::zero()).await?;
        Ok(())
    }

    fn all_tables(&self) -> impl Iterator<Item = (&'static str, &Table)> {
        std::iter::once((schema::DOCUMENTS, &self.documents)).chain(self.content_tables())
    }

    /// The revisions that have rows in `table`.
    pub(crate) async fn stored_revisions(&self, table: &Table) -> Result<BTreeSet<String>, Error> {
        let query = table.query().select(Select::columns(&["revision"]));
        let mut revisions = BTreeSet::new();
        for batch in collect("read the revisions", query).await? {
            for revision in crate::columns::text(&batch, "revision")?.iter().flatten() {
                if !revisions.contains(revision) {
                    revisions.insert(revision.to_owned());
                }
            }
        }
        Ok(revisions)
    }
}

/// Terms come ready made; the index splits them at spaces and changes nothing.
fn words() -> Index {
    Index::FTS(
        FtsIndexBuilder::default()
            .base_tokenizer("whitespace".to_owned())
            .with_position(true)
            .stem(false)
            .remove_stop_words(false)
            .lower_case(false)
            .ascii_folding(false)
            .max_token_length(None),
    )
}

/// Rows per file. A file that is large enough is not rewritten when small ones beside it are joined, and pages are
/// large rows.
fn compaction(table: &str) -> CompactionOptions {
    let target_rows_per_fragment = match table {
        schema::PAGES => 8_192,
        schema::CHUNKS | schema::ITEMS => 65_536,
        _ => 262_144,
    };
    CompactionOptions {
        target_rows_per_fragment,
        ..CompactionOptions::default()
    }
}

async fn rewrite(table: &Table) -> Result<(), Error> {
    table
        .optimize(OptimizeAction::Compact {
            options: CompactionOptions {
                materialize_deletions: true,
                materialize_deletions_threshold: 0.0,
                ..CompactionOptions::default()
            },
            remap_options: None,
        })
        .await
        .map_err(Error::database("erase deleted rows"))?;
    Ok(())
}

/// Removes versions older than `age`, and returns the bytes freed. Nobody else writes while the turn is held, so files
/// that no version names are leftovers.
async fn prune(table: &Table, age: Duration) -> Result<u64, Error> {
    let stats = table
        .optimize(OptimizeAction::Prune {
            older_than: Some(age),
            delete_unverified: Some(true),
            error_if_tagged_old_versions: None,
        })
        .await
        .map_err(Error::database("remove old versions"))?;
    Ok(stats.prune.map_or(0, |removed| removed.bytes_removed))
}

async fn has_index(table: &Table, column: &str) -> Result<bool, Error> {
    let indices = table
        .list_indices()
        .await
        .map_err(Error::database("read the indexes"))?;
    Ok(indices
        .iter()
        .any(|index| index.columns.iter().any(|name| name == column)))
}

async fn build(table: &Table, column: &str, index: Index) -> Result<(), Error> {
    table
        .create_index(&[column], index)
        .replace(true)
        .execute()
        .await
        .map_err(Error::database("build an index"))?;
    Ok(())
}
