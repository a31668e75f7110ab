//! What a person looks for inside one document: the words of its pages, its contents, every place of some words.

use crate::Engine;
use crate::contract::{ContentsEntry, LocateReport, MatchKind, PageBox, PageLink, PageText, PageWord};
use recto_core::{ChunkSource, Error, ErrorCode, Label, LinkTarget, Page, PageRect, Result, TextSource};
use std::sync::Arc;

impl Engine {
    /// The words of a page with their boxes, as they were stored when the document was read.
    ///
    /// # Errors
    /// `not_found` for an unknown document or page.
    pub async fn page_text(&self, collection: &str, document_id: &str, page: u32) -> Result<PageText> {
        let (open, row) = self.find_document(Some(&[collection.to_owned()]), document_id).await?;
        let snapshot = open.snapshot().await?;
        let stored = open
            .page(&snapshot, row.id, page)
            .await
            .map_err(|error| error.in_collection(open.name()))?;
        stored.map(page_text).ok_or_else(|| {
            Error::new(
                ErrorCode::NotFound,
                format!("The document has no page {page} that could be read."),
            )
        })
    }

    /// The headings of a document in reading order; where it has none, the file's own outline.
    ///
    /// # Errors
    /// `not_found` or `ambiguous`.
    pub async fn contents(&self, collection: &str, document_id: &str) -> Result<Vec<ContentsEntry>> {
        let (open, row) = self.find_document(Some(&[collection.to_owned()]), document_id).await?;
        let snapshot = open.snapshot().await?;
        let items = open.items(&snapshot, row.id, &[(0, u32::MAX)]).await?;
        let headings: Vec<ContentsEntry> = items
            .iter()
            .filter(|item| item.label == Label::SectionHeader)
            .map(|item| ContentsEntry {
                level: item.level.max(1),
                title: item.text.clone(),
                page: item.page_numbers().first().copied(),
                self_ref: Some(item.self_ref.clone()),
            })
            .collect();
        if !headings.is_empty() {
            return Ok(headings);
        }
        let bookmarks = open
            .bookmarks(row.id)
            .await
            .map_err(|error| error.in_collection(open.name()))?;
        Ok(bookmarks
            .into_iter()
            .map(|bookmark| ContentsEntry {
                level: bookmark.level + 1,
                title: bookmark.title,
                page: bookmark.page,
                self_ref: None,
            })
            .collect())
    }

    /// Every place of `words` in a document, in reading order: found by the matcher of quotes, so that hyphens at line
    /// ends, ligatures and forms of dashes do not hide a place. Nothing is found that only resembles the words.
    ///
    /// # Errors
    /// `not_found` or `ambiguous` for the document; `invalid_argument` for blank words.
    pub async fn find_in_document(
        self: &Arc<Self>,
        collection: &str,
        document_id: &str,
        words: &str,
    ) -> Result<LocateReport> {
        let names = [collection.to_owned()];
        let mut report = self.locate(Some(&names), document_id, words, None).await?;
        report.matches.retain(|found| found.kind != MatchKind::Fuzzy);
        // A stable sort: documents without pages are in the order of their items already.
        report.matches.sort_by(|a, b| {
            let place = |found: &crate::contract::LocateMatch| found.boxes.first().map(|at| (at.page, at.top, at.left));
            place(a).partial_cmp(&place(b)).unwrap_or(std::cmp::Ordering::Equal)
        });
        Ok(report)
    }
}

fn page_text(page: Page) -> PageText {
    let words = page.words.iter().map(|word| PageWord {
        text: page
            .text
            .get(word.start as usize..word.end as usize)
            .unwrap_or_default()
            .to_owned(),
        line: word.line,
        left: word.rect.left,
        top: word.rect.top,
        right: word.rect.right,
        bottom: word.rect.bottom,
    });
    let links = page.links.iter().map(|link| PageLink {
        at: PageBox::from(PageRect {
            page: page.number,
            rect: link.rect,
        }),
        uri: match &link.target {
            LinkTarget::Uri(uri) => Some(uri.clone()),
            LinkTarget::Page(_) => None,
        },
        page: match link.target {
            LinkTarget::Page(page) => Some(page),
            LinkTarget::Uri(_) => None,
        },
    });
    PageText {
        page: page.number,
        words: words.collect(),
        links: links.collect(),
        recognised: page.source != TextSource::Digital,
    }
}
