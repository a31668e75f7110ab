//! The whole text of a section or of a page, as a passage.

use crate::expand::{FoundPassage, MatchedChunk, Part, TableHead, fill_parts, is_noise, label_of};
use crate::search::OpenSource;
use crate::sentence;
use recto_core::{ChunkId, DocumentId, DocumentRow, Item, Label, Locator, Passage, PassageRole, Span};
use std::collections::BTreeMap;
use std::ops::Range;

/// The text of the items at `positions` (0-based, both included) of a document whose `items` are all given in order, its
/// headings with it. `None` where there is none, or the document is not in the snapshot.
#[must_use]
pub fn section_passage(
    open: &OpenSource,
    document: DocumentId,
    items: &[Item],
    positions: (u32, u32),
) -> Option<FoundPassage> {
    let row = open.snapshot.documents.get(&document)?;
    let parts = parts(items)
        .into_iter()
        .filter(|part| (positions.0..=positions.1).contains(&part.item.position))
        .collect();
    passage(open, row, parts)
}

/// The text of `spans` (in bytes of the items' text) of a document whose `items` are all given in order. Spans of items that
/// are not there, or that do not fit their item, are left out.
#[must_use]
pub fn spans_passage(open: &OpenSource, document: DocumentId, items: &[Item], spans: &[Span]) -> Option<FoundPassage> {
    let row = open.snapshot.documents.get(&document)?;
    let all = parts(items);
    let parts = spans.iter().filter_map(|span| {
        let part = all.iter().find(|part| part.item.self_ref == span.self_ref)?;
        let range = offset(span.start)..offset(span.end);
        let fits = part
            .item
            .text
            .get(range.clone())
            .is_some_and(|text| !text.trim().is_empty());
        fits.then(|| Part { range, ..part.clone() })
    });
    passage(open, row, parts.collect())
}

/// Each page of a document that has text, as a passage by its 1-based number, ascending. `items` are all of the document
/// in order. An item that goes on over pages is divided between them. Empty for a document without pages.
#[must_use]
pub fn page_passages(open: &OpenSource, document: DocumentId, items: &[Item]) -> Vec<(u32, FoundPassage)> {
    let Some(row) = open.snapshot.documents.get(&document) else {
        return Vec::new();
    };
    let mut pages: BTreeMap<u32, Vec<Part>> = BTreeMap::new();
    let mut last = items
        .iter()
        .flat_map(|item| &item.provenance)
        .map(|part| part.at.page)
        .next();
    for part in parts(items) {
        let mut ranges: BTreeMap<u32, Range<usize>> = BTreeMap::new();
        for region in &part.item.provenance {
            let (start, end) = (offset(region.start), offset(region.end).min(part.item.text.len()));
            let range = ranges.entry(region.at.page).or_insert(start..end);
            range.start = range.start.min(start);
            range.end = range.end.max(end);
        }
        // What has no place of its own stands with what came before it, so that no text is lost.
        if ranges.is_empty()
            && let Some(page) = last
        {
            ranges.insert(page, part.range.clone());
        }
        last = ranges.keys().next_back().copied().or(last);
        for (page, range) in ranges {
            if part
                .item
                .text
                .get(range.clone())
                .is_some_and(|text| !text.trim().is_empty())
            {
                let range = sentence::trim(&part.item.text, range);
                pages.entry(page).or_default().push(Part { range, ..part.clone() });
            }
        }
    }
    pages
        .into_iter()
        .filter_map(|(page, parts)| Some((page, passage(open, row, parts)?)))
        .collect()
}

fn offset(at: u32) -> usize {
    usize::try_from(at).unwrap_or(usize::MAX)
}

/// Everything a reader is shown of a document, each item whole and with the headings above it.
fn parts(items: &[Item]) -> Vec<Part> {
    let heads = TableHead::of(items);
    let mut path: Vec<(u32, String)> = Vec::new();
    let mut parts = Vec::new();
    for item in items {
        if is_noise(item) || item.text.trim().is_empty() {
            continue;
        }
        if item.label.is_heading() {
            let depth = if item.label == Label::Title {
                0
            } else {
                item.level.max(1)
            };
            path.retain(|(above, _)| *above < depth);
            path.push((depth, item.text.trim().to_owned()));
        }
        parts.push(Part {
            range: sentence::trim(&item.text, 0..item.text.len()),
            item: item.clone(),
            head: heads.get(item.self_ref.as_str()).cloned(),
            headings: path.iter().map(|(_, heading)| heading.clone()).collect(),
        });
    }
    parts
}

fn passage(open: &OpenSource, row: &DocumentRow, parts: Vec<Part>) -> Option<FoundPassage> {
    let first = parts.first()?;
    let mut passage = Passage {
        rank: 0,
        score: 0.0,
        role: PassageRole::Evidence,
        neighbour_of: None,
        collection: open.source.name().clone(),
        document_id: row.id,
        title: row.title.clone(),
        uri: row.uri.clone(),
        sha256: row.sha256.clone(),
        // Not found by a chunk: the stretch names itself by where it begins.
        chunk_id: ChunkId(format!("{}{}", row.id, first.item.self_ref)),
        chunk_ids: Vec::new(),
        headings: first.headings.clone(),
        labels: Vec::new(),
        doc_item_refs: Vec::new(),
        spans: Vec::new(),
        pages: Vec::new(),
        page_labels: Vec::new(),
        locator: Locator::Heading { path: Vec::new() },
        text: String::new(),
        boxes: Vec::new(),
    };
    fill_parts(&mut passage, &parts, &|page| label_of(&row.page_labels, page));
    let whole = MatchedChunk {
        id: passage.chunk_id.clone(),
        score: 1.0,
        cosine: None,
        spans: passage.spans.clone(),
    };
    passage.score = 1.0;
    Some(FoundPassage::new(passage, parts, vec![whole]).with_labels(row))
}
