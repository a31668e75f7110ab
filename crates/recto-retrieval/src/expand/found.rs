//! A passage together with the items it is made of, for those who work on its text.

use super::label_of;
use crate::chunk::{self, JOINT};
use crate::locator::locator;
use crate::search::Hit;
use crate::sentence;
use recto_core::{ChunkId, DocumentRow, Item, Passage, Span};
use std::collections::BTreeMap;
use std::ops::Range;

/// A stretch of an item in a passage.
#[derive(Debug, Clone)]
pub struct Part {
    /// The item.
    pub item: Item,
    /// The stretch of its text, in bytes.
    pub range: Range<usize>,
    /// The headings above it, from the outermost to the innermost.
    pub headings: Vec<String>,
    /// What heads the columns, where the item is a table.
    pub head: Option<TableHead>,
}

/// A longer head, in bytes, is no head but a table of words, and is not repeated.
const LONGEST_HEAD: usize = 1_500;

/// The names of a table's columns and its units.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableHead {
    /// `self_ref` and text of the line above the table that says in what its figures are.
    units: Option<(String, String)>,
    /// The rows with the names.
    rows: String,
    /// Where the rows below them begin in the table's own text, in bytes; 0 where they stand on an earlier page.
    end: usize,
}

impl TableHead {
    /// The heads of the tables among consecutive `items`, by `self_ref`.
    pub(crate) fn of(items: &[Item]) -> BTreeMap<&str, Self> {
        let head = |head: chunk::Head<'_>| Self {
            units: head
                .units
                .map(|item| (item.self_ref.clone(), item.text.trim().to_owned())),
            rows: head.rows.to_owned(),
            end: head.end,
        };
        chunk::heads(items)
            .into_iter()
            .map(|(of, found)| (of, head(found)))
            .collect()
    }
}

impl Part {
    /// The text of the stretch.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.item.text[self.range.clone()]
    }
}

/// A chunk that was found and lies in a passage.
#[derive(Debug, Clone)]
pub struct MatchedChunk {
    /// Its id.
    pub id: ChunkId,
    /// Its fused score.
    pub score: f32,
    /// Its cosine similarity to the question, where the vector list held it.
    pub cosine: Option<f32>,
    /// What it covers.
    pub spans: Vec<Span>,
}

impl MatchedChunk {
    pub(crate) fn new(hit: &Hit) -> Self {
        Self {
            id: hit.chunk.id.clone(),
            score: hit.score,
            cosine: hit.cosine,
            spans: hit.chunk.metadata.spans.clone(),
        }
    }
}

/// A passage together with what it is made of. `parts` follow each other in its text, joined by a blank line; they are
/// empty for a passage that was not expanded.
#[derive(Debug, Clone)]
pub struct FoundPassage {
    /// What is shown.
    pub passage: Passage,
    /// The stretches of items in it, in order.
    pub parts: Vec<Part>,
    /// The chunks found in it, the best first.
    pub matched: Vec<MatchedChunk>,
    page_labels: Vec<Option<String>>,
}

impl FoundPassage {
    pub(crate) fn new(passage: Passage, parts: Vec<Part>, matched: Vec<MatchedChunk>) -> Self {
        Self {
            passage,
            parts,
            matched,
            page_labels: Vec::new(),
        }
    }

    pub(crate) fn with_labels(mut self, row: &DocumentRow) -> Self {
        self.page_labels.clone_from(&row.page_labels);
        self
    }

    pub(crate) fn ranked(mut self, rank: u32) -> Self {
        self.passage.rank = rank;
        self
    }

    /// The best cosine similarity of a chunk in it to the question, where there is one.
    #[must_use]
    pub fn cosine(&self) -> Option<f32> {
        self.matched
            .iter()
            .filter_map(|chunk| chunk.cosine)
            .max_by(f32::total_cmp)
    }

    /// The passage cut down to stretches of some of its parts, given as index into `parts` and range of the item's text,
    /// in order. References, labels, headings, pages and boxes shrink to what is left. Stretches that leave no text leave
    /// the passage as it is.
    #[must_use]
    pub fn narrow(&self, stretches: &[(usize, Range<usize>)]) -> Self {
        let parts: Vec<Part> = stretches
            .iter()
            .filter_map(|(index, range)| {
                let part = self.parts.get(*index)?;
                let range = sentence::trim(&part.item.text, range.clone());
                (!range.is_empty()).then(|| Part { range, ..part.clone() })
            })
            .collect();
        let Some(first) = parts.first() else {
            return self.clone();
        };
        let mut passage = self.passage.clone();
        passage.headings.clone_from(&first.headings);
        fill(&mut passage, &parts, &|page| label_of(&self.page_labels, page));
        Self {
            passage,
            parts,
            matched: self.matched.clone(),
            page_labels: self.page_labels.clone(),
        }
    }
}

impl FoundPassage {
    /// The passage as a model reads it: over rows of a table that were cut off from their head stand the head and the
    /// units, without which nobody can tell the figures of one period from those of the next. All else is the same.
    #[must_use]
    pub fn as_read(&self) -> Passage {
        let mut passage = self.passage.clone();
        if self.parts.iter().all(|part| part.head.is_none()) {
            return passage;
        }
        let is_held = |self_ref: &str| self.parts.iter().any(|part| part.item.self_ref == self_ref);
        let mut pieces: Vec<String> = Vec::new();
        for (at, part) in self.parts.iter().enumerate() {
            let mut piece = String::new();
            if let Some(head) = &part.head {
                let units = head.units.iter().filter(|(of, _)| !is_held(of));
                let goes_on =
                    at > 0 && part.item.continues.as_deref() == Some(self.parts[at - 1].item.self_ref.as_str());
                let is_cut_off = part.range.start >= head.end && !goes_on;
                let rows = Some(&head.rows).filter(|rows| is_cut_off && (1..=LONGEST_HEAD).contains(&rows.len()));
                for line in units.map(|(_, text)| text).chain(rows) {
                    piece.push_str(line);
                    piece.push('\n');
                }
            }
            piece.push_str(part.text());
            pieces.push(piece);
        }
        passage.text = pieces.join(JOINT);
        passage
    }

    /// This passage and one that follows it in the same document, as one.
    #[must_use]
    pub fn joined(&self, next: &Self) -> Self {
        let mut joined = self.clone();
        joined.parts.extend(next.parts.iter().cloned());
        joined.matched.extend(next.matched.iter().cloned());
        let parts = std::mem::take(&mut joined.parts);
        fill(&mut joined.passage, &parts, &|page| label_of(&self.page_labels, page));
        joined.parts = parts;
        joined
    }
}

/// Sets all that follows from the parts of a passage.
pub(crate) fn fill(passage: &mut Passage, parts: &[Part], label: &dyn Fn(u32) -> Option<String>) {
    let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    passage.labels = parts.iter().map(|part| part.item.label.as_str().to_owned()).collect();
    passage.doc_item_refs = parts.iter().map(|part| part.item.self_ref.clone()).collect();
    passage.spans = parts
        .iter()
        .map(|part| Span {
            self_ref: part.item.self_ref.clone(),
            start: offset(part.range.start),
            end: offset(part.range.end),
        })
        .collect();
    passage.text = parts.iter().map(Part::text).collect::<Vec<_>>().join(JOINT);
    passage.boxes = parts
        .iter()
        .flat_map(|part| crate::chunk::regions(&part.item, &part.range))
        .collect();
    let mut pages: Vec<u32> = passage.boxes.iter().map(|at| at.page).collect();
    pages.sort_unstable();
    pages.dedup();
    passage.page_labels = pages.iter().map(|page| label(*page)).collect();
    // The place of the first part names the passage, as its headings do.
    let own = parts.iter().find_map(|part| part.item.locator.as_ref());
    passage.locator = locator(&pages, &passage.headings, own);
    passage.pages = pages;
}
