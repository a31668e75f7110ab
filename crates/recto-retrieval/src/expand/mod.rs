//! Hits grown to the text around them.
//!
//! A hit in a document with headings becomes its section where that is neither tiny nor over the budget; a larger section
//! is taken around the hit, a tiny one grows across its borders, and so does a document without headings. Running headers
//! and printed contents pages are passed over unless they are what was found. No two passages share text: a hit that lies
//! in a better passage joins it, ranges that overlap become one while they fit the budget together, and otherwise the
//! later one ends where the earlier begins.

mod found;
mod window;

pub(crate) use found::fill as fill_parts;
pub use found::{FoundPassage, MatchedChunk, Part, TableHead};

use crate::locator::locator;
use crate::search::{Hit, OpenSource};
use futures::future::try_join_all;
use recto_core::{ChunkMetadata, DocumentId, DocumentRow, Item, Passage, PassageRole, Result};
use std::collections::{BTreeMap, BTreeSet};
use window::{Stretch, Window};

/// Most characters of an expanded passage, the blank lines between its items aside, unless the chunk found is longer by
/// itself.
pub const EXPAND_CHARS: usize = 5_000;
/// Items read before and after a hit.
const MARGIN: u32 = 100;
/// How many hits are looked at for one passage, as some lie in passages already made.
const HITS_PER_PASSAGE: usize = 3;

/// Grows the best hits into at most `limit` passages, best first.
///
/// # Errors
/// Whatever a collection answers.
pub(crate) async fn expand(
    opened: &[OpenSource],
    mut hits: Vec<Hit>,
    limit: usize,
    max_chars: usize,
) -> Result<Vec<FoundPassage>> {
    hits.truncate(limit.saturating_mul(HITS_PER_PASSAGE));
    let windows = windows(opened, &hits).await?;
    let mut grown: Vec<Grown> = Vec::new();
    for hit in hits {
        let Some(window) = windows.get(&(hit.source, hit.chunk.document_id)) else {
            continue;
        };
        place(window, hit, limit, max_chars, &mut grown);
    }
    Ok(grown
        .into_iter()
        .filter_map(|grown| {
            let anchor = grown.hits.first()?;
            let window = windows.get(&(anchor.source, anchor.chunk.document_id))?;
            passage(opened, window, &grown)
        })
        .collect())
}

/// The hits as they are, one passage each.
///
/// # Errors
/// None today; expansion has them.
pub(crate) async fn unexpanded(opened: &[OpenSource], hits: Vec<Hit>) -> Result<Vec<FoundPassage>> {
    Ok(hits
        .into_iter()
        .filter_map(|hit| {
            let open = opened.get(hit.source)?;
            let row = open.snapshot.documents.get(&hit.chunk.document_id)?;
            let metadata = &hit.chunk.metadata;
            let mut passage = blank(open, row, &hit);
            passage.labels.clone_from(&metadata.labels);
            passage.doc_item_refs.clone_from(&metadata.doc_item_refs);
            passage.spans.clone_from(&metadata.spans);
            passage.text.clone_from(&hit.chunk.content);
            passage.boxes.clone_from(&metadata.boxes);
            set_pages(&mut passage, row, metadata);
            let matched = vec![MatchedChunk::new(&hit)];
            Some(FoundPassage::new(passage, Vec::new(), matched))
        })
        .collect())
}

/// A range of a document with the hits it was grown from, the best first.
struct Grown {
    hits: Vec<Hit>,
    stretch: Stretch,
}

/// The items around all hits of each document, read once a document.
async fn windows(opened: &[OpenSource], hits: &[Hit]) -> Result<BTreeMap<(usize, DocumentId), Window>> {
    let mut ranges: BTreeMap<(usize, DocumentId), Vec<(u32, u32)>> = BTreeMap::new();
    for hit in hits {
        let metadata = &hit.chunk.metadata;
        ranges.entry((hit.source, hit.chunk.document_id)).or_default().push((
            metadata.first_position.saturating_sub(MARGIN),
            metadata.last_position.saturating_add(MARGIN),
        ));
    }
    let read = ranges.into_iter().filter_map(|((source, document), ranges)| {
        let open = opened.get(source)?;
        Some(async move {
            let items = open.source.items(&open.snapshot, document, &joined(ranges)).await?;
            Ok(((source, document), Window::new(items)))
        })
    });
    Ok(try_join_all(read).await?.into_iter().collect())
}

/// Ranges sorted, with those that touch made one.
fn joined(mut ranges: Vec<(u32, u32)>) -> Vec<(u32, u32)> {
    ranges.sort_unstable();
    let mut joined: Vec<(u32, u32)> = Vec::new();
    for (first, last) in ranges {
        match joined.last_mut() {
            Some(open) if first <= open.1.saturating_add(1) => open.1 = open.1.max(last),
            _ => joined.push((first, last)),
        }
    }
    joined
}

/// Finds room for a hit: inside a passage already made, merged with one, or as a new one.
fn place(window: &Window, hit: Hit, limit: usize, max_chars: usize, grown: &mut Vec<Grown>) {
    let Some(matched) = window.matched(&hit.chunk.metadata) else {
        return;
    };
    let same_document = |other: &Grown| {
        other
            .hits
            .iter()
            .all(|o| o.source == hit.source && o.chunk.document_id == hit.chunk.document_id)
    };
    if let Some(holder) = grown
        .iter_mut()
        .find(|other| same_document(other) && other.stretch.contains(&matched))
    {
        holder.hits.push(hit);
        return;
    }
    let budget = window.budget_in_bytes(max_chars);
    let mut stretch = window.grow(&hit.chunk.metadata, &matched, budget);
    let overlapping: Vec<usize> = grown
        .iter()
        .enumerate()
        .filter(|(_, other)| same_document(other) && other.stretch.overlaps(&stretch))
        .map(|(at, _)| at)
        .collect();
    if let [only] = overlapping[..] {
        let union = grown[only].stretch.union(&stretch);
        if union.len() <= budget {
            grown[only].stretch = union;
            grown[only].hits.push(hit);
            return;
        }
    }
    for at in overlapping {
        stretch = stretch.without(&grown[at].stretch, &matched);
        if stretch.is_empty() {
            grown[at].hits.push(hit);
            return;
        }
    }
    if grown.len() < limit {
        grown.push(Grown {
            hits: vec![hit],
            stretch,
        });
    }
}

fn passage(opened: &[OpenSource], window: &Window, grown: &Grown) -> Option<FoundPassage> {
    let anchor = grown.hits.first()?;
    let open = opened.get(anchor.source)?;
    let row = open.snapshot.documents.get(&anchor.chunk.document_id)?;
    let wanted: BTreeSet<&str> = grown
        .hits
        .iter()
        .flat_map(|hit| hit.chunk.metadata.doc_item_refs.iter().map(String::as_str))
        .collect();
    let heads = TableHead::of(window.items());
    let parts: Vec<Part> = window
        .pieces(&grown.stretch, &wanted)
        .into_iter()
        .map(|(index, range)| Part {
            headings: window.headings(index, &anchor.chunk.metadata),
            item: window.item(index).clone(),
            head: heads.get(window.item(index).self_ref.as_str()).cloned(),
            range,
        })
        .collect();
    let mut passage = blank(open, row, anchor);
    passage.chunk_ids = grown.hits.iter().map(|hit| hit.chunk.id.clone()).collect();
    fill(&mut passage, row, &parts);
    let matched = grown.hits.iter().map(MatchedChunk::new).collect();
    Some(FoundPassage::new(passage, parts, matched).with_labels(row))
}

/// A passage of `hit` without text.
fn blank(open: &OpenSource, row: &DocumentRow, hit: &Hit) -> Passage {
    let headings = hit.chunk.metadata.headings.clone();
    Passage {
        rank: 0,
        score: hit.score,
        role: PassageRole::Evidence,
        neighbour_of: None,
        collection: open.source.name().clone(),
        document_id: row.id,
        title: row.title.clone(),
        uri: row.uri.clone(),
        sha256: row.sha256.clone(),
        chunk_id: hit.chunk.id.clone(),
        chunk_ids: vec![hit.chunk.id.clone()],
        locator: locator(&[], &headings, hit.chunk.metadata.locator.as_ref()),
        headings,
        labels: Vec::new(),
        doc_item_refs: Vec::new(),
        spans: Vec::new(),
        pages: Vec::new(),
        page_labels: Vec::new(),
        text: String::new(),
        boxes: Vec::new(),
    }
}

fn fill(passage: &mut Passage, row: &DocumentRow, parts: &[Part]) {
    let labels = |page: u32| label_of(&row.page_labels, page);
    found::fill(passage, parts, &labels);
}

fn set_pages(passage: &mut Passage, row: &DocumentRow, metadata: &ChunkMetadata) {
    let pages = &metadata.page_numbers;
    passage.page_labels = pages.iter().map(|page| label_of(&row.page_labels, *page)).collect();
    passage.locator = locator(pages, &passage.headings, metadata.locator.as_ref());
    passage.pages.clone_from(pages);
}

/// The printed label of a 1-based page.
pub(crate) fn label_of(labels: &[Option<String>], page: u32) -> Option<String> {
    let index = usize::try_from(page.checked_sub(1)?).ok()?;
    labels.get(index)?.clone()
}

/// The text of an item that a reader may be shown as context.
pub(crate) fn is_noise(item: &Item) -> bool {
    item.label.is_furniture() || item.label == recto_core::Label::DocumentIndex
}
