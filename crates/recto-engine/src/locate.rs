//! Finding quotes in stored documents: the stored words go to a worker, which answers with their boxes.

use crate::Engine;
use crate::contract::{LocateReport, PageName};
use crate::spans::characters_before;
use async_trait::async_trait;
use recto_collection::Collection;
use recto_core::{
    ChunkSource, CollectionName, DocumentId, DocumentRow, DocumentsSnapshot, Error, ErrorCode, LocateHint, MatchKind,
    Page, QuoteLocator, QuoteMatch, Result,
};
use recto_worker::LocateRequest;
use std::collections::HashMap;
use std::sync::Arc;
use tokio::sync::Mutex;
use tokio_util::sync::CancellationToken;

/// Pages on either side of a hinted one that are looked at first: a sentence may run over a page's end.
const NEIGHBOURS: u32 = 1;

/// Finds quotes in the documents of one question. Keeps the text of the documents it has looked at.
pub(crate) struct StoredQuotes {
    engine: Arc<Engine>,
    collections: Vec<Arc<Collection>>,
    texts: Mutex<HashMap<(CollectionName, DocumentId), Arc<StoredText>>>,
}

/// A document's text: pages, or items where it has none.
struct StoredText {
    pages: Vec<Page>,
    items: Vec<(String, String)>,
}

impl StoredQuotes {
    pub(crate) fn new(engine: Arc<Engine>, collections: Vec<Arc<Collection>>) -> Self {
        Self {
            engine,
            collections,
            texts: Mutex::default(),
        }
    }

    async fn text(&self, collection: &CollectionName, document: DocumentId) -> Result<Arc<StoredText>> {
        let key = (collection.clone(), document);
        let mut texts = self.texts.lock().await;
        if let Some(text) = texts.get(&key) {
            return Ok(Arc::clone(text));
        }
        let open = self
            .collections
            .iter()
            .find(|open| open.name() == collection)
            .ok_or_else(gone)?;
        let snapshot = open.snapshot().await?;
        let text = Arc::new(stored_text(open, &snapshot, document).await?);
        texts.insert(key, Arc::clone(&text));
        Ok(text)
    }

    async fn in_worker(
        &self,
        pages: Vec<Page>,
        text: &StoredText,
        quote: &str,
        hint: &LocateHint,
    ) -> Result<Vec<QuoteMatch>> {
        let request = LocateRequest {
            pages,
            items: text.items.clone(),
            quote: quote.to_owned(),
            hint: hint.clone(),
        };
        self.engine.readers().locate(request, &CancellationToken::new()).await
    }
}

#[async_trait]
impl QuoteLocator for StoredQuotes {
    async fn locate(
        &self,
        collection: &CollectionName,
        document: DocumentId,
        quote: &str,
        hint: &LocateHint,
    ) -> Result<Vec<QuoteMatch>> {
        let text = self.text(collection, document).await?;
        // Nearly every quote is where it is expected. Looking there first sends the worker a few pages, not hundreds.
        let near: Vec<Page> = text
            .pages
            .iter()
            .filter(|page| is_near(page.number, &hint.pages))
            .cloned()
            .collect();
        if !near.is_empty() && near.len() < text.pages.len() {
            let found = self.in_worker(near, &text, quote, hint).await?;
            if found.first().is_some_and(|best| best.kind == MatchKind::Verbatim) {
                return Ok(found);
            }
        }
        self.in_worker(text.pages.clone(), &text, quote, hint).await
    }
}

fn is_near(page: u32, hinted: &[u32]) -> bool {
    hinted.iter().any(|&hint| page.abs_diff(hint) <= NEIGHBOURS)
}

async fn stored_text(open: &Collection, snapshot: &DocumentsSnapshot, document: DocumentId) -> Result<StoredText> {
    let row = snapshot.documents.get(&document).ok_or_else(gone)?;
    if row.page_count > 0 {
        let pages = open
            .pages(snapshot, document, 1..=u32::MAX)
            .await
            .map_err(|error| error.in_collection(open.name()))?;
        return Ok(StoredText {
            pages,
            items: Vec::new(),
        });
    }
    let items = open.items(snapshot, document, &[(0, u32::MAX)]).await?;
    Ok(StoredText {
        pages: Vec::new(),
        items: items.into_iter().map(|item| (item.self_ref, item.text)).collect(),
    })
}

fn gone() -> Error {
    Error::new(ErrorCode::NotFound, "The document is no longer in the library.")
}

impl Engine {
    /// Places of `quote` in a document of the library, best first; `page` (1-based) is a hint.
    ///
    /// # Errors
    /// `not_found` or `ambiguous` for the document; `invalid_argument` for an empty quote.
    pub async fn locate(
        self: &Arc<Self>,
        collections: Option<&[String]>,
        document_id: &str,
        quote: &str,
        page: Option<u32>,
    ) -> Result<LocateReport> {
        if quote.trim().is_empty() {
            return Err(Error::new(ErrorCode::InvalidArgument, "The quote is empty."));
        }
        let (collection, row) = self.find_document(collections, document_id).await?;
        let quotes = StoredQuotes::new(Arc::clone(self), vec![Arc::clone(&collection)]);
        let hint = LocateHint {
            pages: page.into_iter().collect(),
            ..LocateHint::default()
        };
        let text = quotes.text(collection.name(), row.id).await?;
        // Every place is wanted here, so the hint only orders them.
        let mut found = quotes.in_worker(text.pages.clone(), &text, quote, &hint).await?;
        for span in found.iter_mut().flat_map(|found| &mut found.spans) {
            if let Some((_, item)) = text.items.iter().find(|(self_ref, _)| *self_ref == span.self_ref) {
                span.start = characters_before(item, span.start as usize);
                span.end = characters_before(item, span.end as usize);
            }
        }
        Ok(LocateReport {
            matches: found.into_iter().map(|found| labelled(found, &row)).collect(),
        })
    }
}

/// A match with the printed labels of its pages.
fn labelled(found: QuoteMatch, row: &DocumentRow) -> crate::contract::LocateMatch {
    let mut found = crate::contract::LocateMatch::from(found);
    for PageName { number, label } in &mut found.pages {
        *label = row.page_labels.get(*number as usize - 1).cloned().flatten();
    }
    found
}
