//! A document cut into retrieval units.
//!
//! Structure comes first: a chunk never spans two heading paths, a list stays whole while it fits, and only an item too
//! long for one chunk is cut, at sentence ends or between rows. A table or picture with its caption opens a chunk of its
//! own: whoever asks for "Table 9.03B" gets that table and not the end of the one before. Headings are not content but context: they stand in the
//! prefix of what follows them, and a heading nothing follows becomes a chunk of its own, so that it can be found.
//! Running headers and footers are left out. A table stays whole while it fits; a larger one is cut between rows, and the
//! pieces after its head carry the names of its columns, its caption and its units in their prefix: so a row is found by
//! its column as well, while a chunk's text stays exactly the stretches its spans name.

mod boxes;
mod outline;
mod prefix;
mod split;
mod tables;

pub(crate) use boxes::regions;
pub(crate) use tables::{Head, heads};

use crate::terms::{Language, split_terms};
use outline::{Section, Unit, sections};
use prefix::Prefix;
use recto_core::{Chunk, ChunkId, ChunkMetadata, Document, DocumentId, Item, Span, TokenCounter, without_grid};
use split::Piece;
use tables::Captions;

/// Most tokens of a chunk as it is embedded, prefix and the model's special tokens included.
pub const CHUNK_TOKENS: usize = 256;
/// Most tokens of a chunk's prefix, special tokens included.
pub const PREFIX_TOKENS: usize = 64;
/// What stands between two items in a chunk or passage.
pub(crate) const JOINT: &str = "\n\n";

/// Cuts `document` into chunks in reading order. The same input gives the same chunks with the same ids.
///
/// `title` is the title shown to people; it opens every prefix. `counter` must count as the embedder does; where its
/// limit is below [`CHUNK_TOKENS`], the limit is the budget. Every non-blank stretch of every item that is neither
/// furniture nor heading is in exactly one chunk.
#[must_use]
pub fn chunk_document(
    document: &Document,
    document_id: DocumentId,
    revision: &str,
    title: &str,
    counter: &dyn TokenCounter,
) -> Vec<Chunk> {
    let budget = CHUNK_TOKENS.min(counter.limit());
    let language = Language::guess(&sample(document));
    let captions = Captions::new(document);
    let pages = boxes::PageWords::new(document);
    let mut chunks: Vec<Chunk> = Vec::new();
    for section in sections(&document.items) {
        let maker = Prefix::new(title, &section.headings, counter);
        for pieces in pack(&section, &maker, &captions, counter, budget) {
            let order = u32::try_from(chunks.len()).unwrap_or(u32::MAX);
            let caption = captions.of(&pieces);
            let prefix = maker.text(caption.as_deref());
            let content = pieces.iter().map(Piece::text).collect::<Vec<_>>().join(JOINT);
            chunks.push(Chunk {
                id: chunk_id(document_id, revision, order),
                document_id,
                order,
                content_terms: split_terms(&content, language).join(" "),
                heading_terms: split_terms(&maker.whole(caption.as_deref()), language).join(" "),
                content,
                prefix,
                metadata: metadata(&pieces, &section.headings, &pages),
            });
        }
    }
    chunks
}

/// `<document>-<first characters of the revision>-<order>`, the order padded so that ids sort as the document reads.
fn chunk_id(document: DocumentId, revision: &str, order: u32) -> ChunkId {
    let revision: String = revision.chars().filter(char::is_ascii_alphanumeric).take(8).collect();
    ChunkId(format!("{document}-{revision}-{order:05}"))
}

/// Enough text to tell the language by.
fn sample(document: &Document) -> String {
    let mut text = String::new();
    for item in document.items.iter().filter(|item| !item.label.is_furniture()) {
        text.push_str(&item.text);
        text.push('\n');
        if text.len() > 20_000 {
            break;
        }
    }
    text
}

/// Distributes a section over chunks, each a list of pieces that fit the budget together with their prefix.
fn pack<'a>(
    section: &Section<'a>,
    maker: &Prefix<'_>,
    captions: &Captions<'_>,
    counter: &dyn TokenCounter,
    budget: usize,
) -> Vec<Vec<Piece<'a>>> {
    let special = counter.count("");
    let cost = |text: &str| counter.count(&without_grid(text)).saturating_sub(special);
    let room = |pieces: &[Piece<'a>]| {
        let prefix = maker.text(captions.of(pieces).as_deref());
        budget.saturating_sub(counter.count(&prefix)).max(1)
    };
    let mut packed: Vec<Vec<Piece<'a>>> = Vec::new();
    let mut open: Vec<Piece<'a>> = Vec::new();
    let mut open_cost = 0;
    for Unit {
        pieces: unit,
        is_captioned,
    } in section.units()
    {
        if is_captioned && !open.is_empty() {
            packed.push(std::mem::take(&mut open));
            open_cost = 0;
        }
        let unit_cost: usize = unit.iter().map(|piece| cost(piece.text())).sum();
        let available = if open.is_empty() { room(&unit) } else { room(&open) };
        if open_cost + unit_cost <= available {
            open_cost += unit_cost;
            open.extend(unit);
            continue;
        }
        if !open.is_empty() {
            packed.push(std::mem::take(&mut open));
            open_cost = 0;
        }
        // Too long together; alone it may fit, else it is cut.
        for piece in unit {
            for part in split::split(piece, captions.room(piece, &room), &cost) {
                let part_cost = cost(part.text());
                let available = if open.is_empty() { room(&[part]) } else { room(&open) };
                if !open.is_empty() && open_cost + part_cost > available {
                    packed.push(std::mem::take(&mut open));
                    open_cost = 0;
                }
                open_cost += part_cost;
                push_joined(&mut open, part);
            }
        }
    }
    if !open.is_empty() {
        packed.push(open);
    }
    packed
}

/// Appends a piece; one that continues the last piece of the same item prolongs it, so that an item has one span a chunk.
fn push_joined<'a>(pieces: &mut Vec<Piece<'a>>, piece: Piece<'a>) {
    if let Some(last) = pieces.last_mut()
        && last.item.self_ref == piece.item.self_ref
        && last.end <= piece.start
    {
        last.end = piece.end;
    } else {
        pieces.push(piece);
    }
}

fn metadata(pieces: &[Piece<'_>], headings: &[&Item], pages: &boxes::PageWords<'_>) -> ChunkMetadata {
    let mut metadata = ChunkMetadata {
        headings: headings.iter().map(|item| item.text.trim().to_owned()).collect(),
        first_position: pieces.iter().map(|piece| piece.item.position).min().unwrap_or_default(),
        last_position: pieces.iter().map(|piece| piece.item.position).max().unwrap_or_default(),
        locator: pieces.iter().find_map(|piece| piece.item.locator.clone()),
        ..ChunkMetadata::default()
    };
    for piece in pieces {
        metadata.doc_item_refs.push(piece.item.self_ref.clone());
        metadata.labels.push(piece.item.label.as_str().to_owned());
        metadata.spans.push(Span {
            self_ref: piece.item.self_ref.clone(),
            start: as_u32(piece.start),
            end: as_u32(piece.end),
        });
        metadata.boxes.extend(pages.boxes(piece.item, piece.start..piece.end));
    }
    metadata.page_numbers = metadata.boxes.iter().map(|at| at.page).collect();
    metadata.page_numbers.sort_unstable();
    metadata.page_numbers.dedup();
    metadata
}

fn as_u32(offset: usize) -> u32 {
    u32::try_from(offset).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests;
