//! What BM25 needs to know of the whole collection.

use crate::collection::{Collection, collect};
use crate::{Error, sql};
use futures::future::try_join_all;
use lancedb::Table;
use lancedb::index::scalar::{FullTextSearchQuery, MatchQuery};
use lancedb::query::{QueryBase, Select};
use recto_core::{DocumentsSnapshot, FieldStatistics, TextQuery, WordStatistics};

impl Collection {
    /// Statistics of the rows that `snapshot` sees. Totals are stored with the documents; how many rows hold a word is
    /// asked of the word indexes.
    pub(crate) async fn statistics(
        &self,
        snapshot: &DocumentsSnapshot,
        query: &TextQuery,
    ) -> Result<WordStatistics, Error> {
        let mut statistics = WordStatistics::default();
        for row in snapshot.documents.values() {
            let totals = row.word_totals;
            for (field, texts, length) in [
                (&mut statistics.content, totals.chunks, totals.content),
                (&mut statistics.headings, totals.chunks, totals.headings),
                (&mut statistics.pages, totals.pages, totals.page_words),
            ] {
                field.texts += u64::from(texts);
                field.length += length;
            }
        }
        if !self.has_word_indexes().await? {
            return Ok(statistics);
        }
        for (field, table, column) in [
            (&mut statistics.content, &self.chunks, "content_fts"),
            (&mut statistics.headings, &self.chunks, "heading_fts"),
            (&mut statistics.pages, &self.pages, "text_fts"),
        ] {
            field.holding = holding(table, column, snapshot, query, field).await?;
        }
        Ok(statistics)
    }
}

/// How many rows of `table` hold each word of `query` in `column`.
async fn holding(
    table: &Table,
    column: &str,
    snapshot: &DocumentsSnapshot,
    query: &TextQuery,
    field: &FieldStatistics,
) -> Result<Vec<u64>, Error> {
    let most = usize::try_from(field.texts).unwrap_or(usize::MAX).max(1);
    let counts = query.words().map(|(word, _)| async move {
        let matching = MatchQuery::new(word.to_owned()).with_column(Some(column.to_owned()));
        let query = table
            .query()
            .full_text_search(FullTextSearchQuery::new_query(matching.into()))
            .select(Select::columns(&["_rowid"]))
            .limit(most);
        let query = match sql::visible(snapshot, None) {
            sql::Visible::Where(condition) => query.only_if(condition),
            sql::Visible::Everything | sql::Visible::Nothing => query,
        };
        let batches = collect("count the rows with a word", query).await?;
        Ok(batches.iter().map(|batch| batch.num_rows() as u64).sum())
    });
    try_join_all(counts).await
}
