//! A quote locator that compares characters.

use async_trait::async_trait;
use recto_core::{
    CollectionName, Document, DocumentId, Error, ErrorCode, LocateHint, MatchKind, PageRect, QuoteLocator, QuoteMatch,
    Rect, Result, Span,
};
use std::collections::BTreeMap;

/// Finds quotes in given documents, white space aside: first as they are, then ignoring ASCII case. Nothing fuzzy.
#[derive(Debug, Clone, Default)]
pub struct PageLocator {
    documents: BTreeMap<(CollectionName, DocumentId), Document>,
}

impl PageLocator {
    /// A locator that knows no document.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes a document known.
    pub fn add(&mut self, collection: &CollectionName, id: DocumentId, document: Document) {
        self.documents.insert((collection.clone(), id), document);
    }
}

#[async_trait]
impl QuoteLocator for PageLocator {
    async fn locate(
        &self,
        collection: &CollectionName,
        document: DocumentId,
        quote: &str,
        hint: &LocateHint,
    ) -> Result<Vec<QuoteMatch>> {
        let document = self
            .documents
            .get(&(collection.clone(), document))
            .ok_or_else(|| Error::new(ErrorCode::NotFound, format!("There is no document {document}.")))?;
        Ok(if document.pages.is_empty() {
            in_items(document, quote, hint)
        } else {
            on_pages(document, quote, hint)
        })
    }
}

/// The text without white space, and for each of its bytes where it came from.
struct Squeezed<Origin> {
    text: String,
    origins: Vec<Origin>,
}

impl<Origin: Copy> Squeezed<Origin> {
    fn new() -> Self {
        Self {
            text: String::new(),
            origins: Vec::new(),
        }
    }

    fn push(&mut self, letter: char, origin: Origin) {
        if letter.is_whitespace() {
            return;
        }
        self.text.push(letter);
        self.origins.resize(self.text.len(), origin);
    }

    /// Origins of each occurrence of `quote`, in order, with how it was found.
    fn occurrences(&self, quote: &str) -> Vec<(MatchKind, &[Origin])> {
        let quote: String = quote.chars().filter(|letter| !letter.is_whitespace()).collect();
        if quote.is_empty() {
            return Vec::new();
        }
        let found = |text: &str, quote: &str, kind| -> Vec<_> {
            text.match_indices(quote)
                .map(|(at, part)| (kind, &self.origins[at..at + part.len()]))
                .collect()
        };
        let verbatim = found(&self.text, &quote, MatchKind::Verbatim);
        if verbatim.is_empty() {
            let (text, quote) = (self.text.to_ascii_lowercase(), quote.to_ascii_lowercase());
            found(&text, &quote, MatchKind::Normalised)
        } else {
            verbatim
        }
    }
}

fn on_pages(document: &Document, quote: &str, hint: &LocateHint) -> Vec<QuoteMatch> {
    let mut squeezed = Squeezed::new();
    for (page_index, page) in document.pages.iter().enumerate() {
        for (word_index, word) in page.words.iter().enumerate() {
            for letter in page.text[word.start as usize..word.end as usize].chars() {
                squeezed.push(letter, (page_index, word_index));
            }
        }
    }
    let mut matches: Vec<QuoteMatch> = squeezed
        .occurrences(quote)
        .into_iter()
        .map(|(kind, origins)| {
            let mut words = origins.to_vec();
            words.dedup();
            let mut lines: Vec<((usize, u32), Rect)> = Vec::new();
            let mut text: Vec<&str> = Vec::new();
            for (page_index, word_index) in words {
                let page = &document.pages[page_index];
                let word = &page.words[word_index];
                text.push(&page.text[word.start as usize..word.end as usize]);
                match lines.last_mut() {
                    Some((line, rect)) if *line == (page_index, word.line) => *rect = rect.union(&word.rect),
                    _ => lines.push(((page_index, word.line), word.rect)),
                }
            }
            QuoteMatch {
                kind,
                text: text.join(" "),
                rects: lines
                    .into_iter()
                    .map(|((page_index, _), rect)| PageRect {
                        page: document.pages[page_index].number,
                        rect,
                    })
                    .collect(),
                spans: Vec::new(),
            }
        })
        .collect();
    // Stable: document order among equals.
    matches.sort_by_key(|found| {
        let page = found.rects.first().map_or(0, |first| first.page);
        let near_a_box = hint.boxes.iter().any(|near| {
            found
                .rects
                .iter()
                .any(|at| at.page == near.page && at.rect.intersection(&near.rect).is_some())
        });
        (!near_a_box, !hint.pages.contains(&page))
    });
    matches
}

fn in_items(document: &Document, quote: &str, hint: &LocateHint) -> Vec<QuoteMatch> {
    let mut matches = Vec::new();
    for item in &document.items {
        let mut squeezed = Squeezed::new();
        for (at, letter) in item.text.char_indices() {
            squeezed.push(letter, (at as u32, (at + letter.len_utf8()) as u32));
        }
        for (kind, origins) in squeezed.occurrences(quote) {
            let (Some(&(start, _)), Some(&(_, end))) = (origins.first(), origins.last()) else {
                continue;
            };
            matches.push(QuoteMatch {
                kind,
                text: item.text[start as usize..end as usize].into(),
                rects: Vec::new(),
                spans: vec![Span {
                    self_ref: item.self_ref.clone(),
                    start,
                    end,
                }],
            });
        }
    }
    matches.sort_by_key(|found| {
        (
            found.kind,
            !found.spans.iter().any(|span| hint.refs.contains(&span.self_ref)),
        )
    });
    matches
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DocumentBuilder, document_id};

    fn locator(document: Document) -> (PageLocator, CollectionName) {
        let name = CollectionName("reports".into());
        let mut locator = PageLocator::new();
        locator.add(&name, document_id(1), document);
        (locator, name)
    }

    #[tokio::test]
    async fn a_quote_is_found_across_lines_and_pages_with_a_box_for_each() {
        let document = DocumentBuilder::new("Report")
            .page()
            .paragraph(&"word ".repeat(14))
            .paragraph("The sentence begins")
            .page()
            .paragraph("and ends here. The sentence")
            .build();
        let (locator, name) = locator(document);
        let hint = LocateHint::default();
        let found = locator
            .locate(&name, document_id(1), "The  sentence begins and ends", &hint)
            .await
            .expect("locates");
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].kind, MatchKind::Verbatim);
        assert_eq!(found[0].rects.iter().map(|at| at.page).collect::<Vec<_>>(), [1, 2]);

        let near = LocateHint {
            pages: vec![2],
            ..LocateHint::default()
        };
        let found = locator
            .locate(&name, document_id(1), "the sentence", &near)
            .await
            .expect("locates");
        assert_eq!(found.len(), 2, "a hint excludes nothing");
        assert_eq!((found[0].rects[0].page, found[0].kind), (2, MatchKind::Normalised));
    }

    #[tokio::test]
    async fn without_pages_a_match_is_a_stretch_of_an_item() {
        let (locator, name) = locator(DocumentBuilder::new("Notes").paragraph("One two three.").build());
        let found = locator
            .locate(&name, document_id(1), "two three", &LocateHint::default())
            .await
            .expect("locates");
        assert_eq!((found[0].spans[0].start, found[0].spans[0].end), (4, 13));
        let absent = locator
            .locate(&name, document_id(1), "four", &LocateHint::default())
            .await
            .expect("locates");
        assert!(absent.is_empty());
        let unknown = locator
            .locate(&name, document_id(2), "two", &LocateHint::default())
            .await;
        assert_eq!(unknown.expect_err("unknown document").code, ErrorCode::NotFound);
    }
}
