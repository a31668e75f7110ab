//! Reading pages and items back.

use crate::collection::{Collection, collect};
use crate::columns::{long_text, text};
use crate::{Error, rows, sql};
use lancedb::query::{QueryBase, Select};
use recto_core::{DocumentId, DocumentRow, DocumentsSnapshot, Item, Page, StoredChunk};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::sync::Arc;

impl Collection {
    /// A page of a document as `snapshot` knows it; `None` when it has no such page or the page is a gap.
    ///
    /// # Errors
    /// [`Error::UnknownDocument`] when the snapshot does not know the document, or a failure of the database.
    pub async fn page(
        &self,
        snapshot: &DocumentsSnapshot,
        document: DocumentId,
        number: u32,
    ) -> Result<Option<Page>, Error> {
        Ok(self.pages(snapshot, document, number..=number).await?.pop())
    }

    /// The pages with these 1-based numbers, ascending, words included. Gaps are left out.
    ///
    /// # Errors
    /// [`Error::UnknownDocument`] when the snapshot does not know the document, or a failure of the database.
    pub async fn pages(
        &self,
        snapshot: &DocumentsSnapshot,
        document: DocumentId,
        numbers: RangeInclusive<u32>,
    ) -> Result<Vec<Page>, Error> {
        let filter = format!(
            "{} AND number BETWEEN {} AND {}",
            current(snapshot, document)?,
            numbers.start(),
            numbers.end()
        );
        let mut pages = Vec::new();
        for batch in collect("read pages", self.pages.query().only_if(filter)).await? {
            pages.extend(rows::decode_pages(&batch)?);
        }
        pages.sort_by_key(|page| page.number);
        Ok(pages)
    }

    /// The document's pages without text and words, ascending: what a reader needs to lay them out.
    ///
    /// # Errors
    /// [`Error::UnknownDocument`] when the snapshot does not know the document, or a failure of the database.
    pub async fn page_sizes(&self, snapshot: &DocumentsSnapshot, document: DocumentId) -> Result<Vec<Page>, Error> {
        let query = self.pages.query().only_if(current(snapshot, document)?);
        let query = query.select(Select::columns(&[
            "number", "label", "width", "height", "rotation", "source",
        ]));
        let mut pages = Vec::new();
        for batch in collect("read page sizes", query).await? {
            pages.extend(rows::decode_page_sizes(&batch)?);
        }
        pages.sort_by_key(|page| page.number);
        Ok(pages)
    }

    /// The chunks that lie on any of these 1-based `pages`, in the document's order.
    ///
    /// # Errors
    /// [`Error::UnknownDocument`] when the snapshot does not know the document, or a failure of the database.
    pub async fn chunks_on_pages(
        &self,
        snapshot: &DocumentsSnapshot,
        document: DocumentId,
        pages: &[u32],
    ) -> Result<Vec<Arc<StoredChunk>>, Error> {
        let revision = &row(snapshot, document)?.revision;
        if pages.is_empty() {
            return Ok(Vec::new());
        }
        let query = self.chunks.query().only_if(current(snapshot, document)?);
        let mut ids = Vec::new();
        for batch in collect("read chunks", query.select(Select::columns(&["id"]))).await? {
            ids.extend(text(&batch, "id")?.iter().flatten().map(str::to_owned));
        }
        let chunks = self
            .chunks_of(ids.iter().map(|id| (revision.as_str(), id.as_str())))
            .await?;
        let mut chunks: Vec<Arc<StoredChunk>> = chunks.into_values().collect();
        chunks.retain(|chunk| chunk.metadata.page_numbers.iter().any(|page| pages.contains(page)));
        chunks.sort_by_key(|chunk| chunk.order);
        Ok(chunks)
    }

    /// The items with `first ≤ position ≤ last` for any of `ranges`, by position, each once.
    ///
    /// # Errors
    /// [`Error::UnknownDocument`] when the snapshot does not know the document, or a failure of the database.
    pub async fn items_in(
        &self,
        snapshot: &DocumentsSnapshot,
        document: DocumentId,
        ranges: &[(u32, u32)],
    ) -> Result<Vec<Item>, Error> {
        let current = current(snapshot, document)?;
        if ranges.is_empty() {
            return Ok(Vec::new());
        }
        let ranges: Vec<String> = ranges
            .iter()
            .map(|(first, last)| format!("position BETWEEN {first} AND {last}"))
            .collect();
        let filter = format!("{current} AND ({})", ranges.join(" OR "));
        let mut items = Vec::new();
        for batch in collect("read items", self.items.query().only_if(filter)).await? {
            items.extend(rows::decode_items(&batch)?);
        }
        items.sort_by_key(|item| item.position);
        Ok(items)
    }

    /// The texts of the items with these references, by reference, and nothing else of them. Unknown ones are left out.
    ///
    /// # Errors
    /// [`Error::UnknownDocument`] when the snapshot does not know the document, or a failure of the database.
    pub async fn item_texts(
        &self,
        snapshot: &DocumentsSnapshot,
        document: DocumentId,
        refs: &[&str],
    ) -> Result<BTreeMap<String, String>, Error> {
        let filter = format!("{} AND {}", current(snapshot, document)?, sql::one_of("self_ref", refs));
        let query = self.items.query().only_if(filter);
        let query = query.select(Select::columns(&["self_ref", "text"]));
        let mut texts = BTreeMap::new();
        for batch in collect("read the text of items", query).await? {
            let (refs, contents) = (text(&batch, "self_ref")?, long_text(&batch, "text")?);
            texts.extend((0..batch.num_rows()).map(|at| (refs.value(at).to_owned(), contents.value(at).to_owned())));
        }
        Ok(texts)
    }
}

/// Rows of the revision that is the document's current one in `snapshot`. The document is named too: its column is
/// indexed.
fn current(snapshot: &DocumentsSnapshot, document: DocumentId) -> Result<String, Error> {
    Ok(format!(
        "{} AND {}",
        sql::one_of("document_id", [document.to_string()]),
        sql::one_of("revision", [&row(snapshot, document)?.revision])
    ))
}

fn row(snapshot: &DocumentsSnapshot, document: DocumentId) -> Result<&DocumentRow, Error> {
    let row = snapshot.documents.get(&document);
    row.ok_or(Error::UnknownDocument { document })
}
