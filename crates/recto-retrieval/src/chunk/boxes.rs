//! Where a stretch of an item lies on its pages.

use recto_core::{Document, Item, Page, PageRect, Word};
use std::collections::BTreeMap;
use std::ops::Range;

/// The words of a document's pages, by page number.
pub(crate) struct PageWords<'a> {
    pages: BTreeMap<u32, &'a Page>,
}

impl<'a> PageWords<'a> {
    pub(crate) fn new(document: &'a Document) -> Self {
        Self {
            pages: document.pages.iter().map(|page| (page.number, page)).collect(),
        }
    }

    /// One rectangle per line of the stretch; where its words are not known, the regions of the item it touches.
    pub(crate) fn boxes(&self, item: &Item, range: Range<usize>) -> Vec<PageRect> {
        let mut lines: Vec<(u32, u32, PageRect)> = Vec::new();
        for span in &item.words {
            if !overlaps(span.start, span.end, &range) {
                continue;
            }
            let Some(word) = self.word(span.page, span.word) else {
                continue;
            };
            match lines.last_mut() {
                Some((page, line, at)) if *page == span.page && *line == word.line => {
                    at.rect = at.rect.union(&word.rect);
                }
                _ => lines.push((
                    span.page,
                    word.line,
                    PageRect {
                        page: span.page,
                        rect: word.rect,
                    },
                )),
            }
        }
        if lines.is_empty() {
            return regions(item, &range);
        }
        lines.into_iter().map(|(_, _, at)| at).collect()
    }

    fn word(&self, page: u32, index: u32) -> Option<&'a Word> {
        self.pages.get(&page)?.words.get(usize::try_from(index).ok()?)
    }
}

/// The regions of an item that a stretch of its text touches.
pub(crate) fn regions(item: &Item, range: &Range<usize>) -> Vec<PageRect> {
    item.provenance
        .iter()
        .filter(|part| overlaps(part.start, part.end, range))
        .map(|part| part.at)
        .collect()
}

fn overlaps(start: u32, end: u32, range: &Range<usize>) -> bool {
    let (Ok(start), Ok(end)) = (usize::try_from(start), usize::try_from(end)) else {
        return false;
    };
    start < range.end && range.start < end
}
