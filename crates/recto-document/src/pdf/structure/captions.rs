//! Captions: how they begin, and which table or picture they belong to.

use super::blocks::Block;
use crate::text::marker::{self, CaptionOf};
use recto_core::{Item, Label, Rect};

/// Longest caption, in characters.
const MAX_CAPTION: usize = 900;

/// Whether a block begins like a caption: "Figure 3.", "Table 2-1", "Exhibit A:". "Table 2 shows that …" is a sentence.
pub(super) fn kind(block: &Block<'_>) -> Option<CaptionOf> {
    if !block.upright || block.rows && block.lines.len() > 2 || block.text.len() > MAX_CAPTION {
        return None;
    }
    marker::caption(&block.text)
}

/// Lines of one block in a caption, and blocks between its beginning and its table.
const MOST_LINES: usize = 3;
const MOST_BLOCKS: usize = 3;

/// The last block of the caption that begins with block `first`. What stands close together between "Table 3" and the
/// table is its title, also where the letters change in the middle of it.
pub(super) fn end(blocks: &[Block<'_>], labels: &[Label], first: usize) -> usize {
    let Some(of) = kind(&blocks[first]).filter(|_| labels[first] == Label::Caption) else {
        return first;
    };
    let start = title_below(blocks, labels, first).unwrap_or(first);
    if of != CaptionOf::Table {
        return start;
    }
    for last in start..=start + MOST_BLOCKS {
        match below(blocks, last, 1.5) {
            Some(below) if below.table.is_some() => return last,
            Some(below) if labels[last + 1] == Label::Text && below.lines.len() <= MOST_LINES => {}
            _ => return start,
        }
    }
    start
}

/// The title on a line of its own below a number that stands alone: "Figure 2", and below it what the figure shows.
fn title_below(blocks: &[Block<'_>], labels: &[Label], first: usize) -> Option<usize> {
    if blocks[first].text.split_whitespace().count() > 2 {
        return None;
    }
    // More white space than between lines of text: the number is a line of its own.
    let title = below(blocks, first, 2.0)?;
    let plain = matches!(labels[first + 1], Label::Text | Label::SectionHeader) && title.table.is_none();
    let short = title.lines.len() <= MOST_LINES && !title.rows && title.upright;
    (plain && short && title.overlaps_across(&blocks[first].rect) && !title.text.ends_with(['.', ':']))
        .then_some(first + 1)
}

/// The block below this one on its page, if no more white space lies between than so many times the size of its letters.
fn below<'b, 'a>(blocks: &'b [Block<'a>], above: usize, most: f32) -> Option<&'b Block<'a>> {
    let (above, below) = (&blocks[above], blocks.get(above + 1)?);
    let gap = below.rect.top - above.rect.bottom;
    let near = gap > -0.5 * above.size() && gap < most * above.size();
    (below.page_index == above.page_index && near).then_some(below)
}

/// Gives each caption the table or picture next to it as its parent: the one nearest above or below, pictures and
/// tables of its own kind first.
pub(super) fn bind(items: &mut [Item]) {
    let owners: Vec<(String, Label, u32, Rect)> = items
        .iter()
        .filter(|item| matches!(item.label, Label::Table | Label::Picture))
        .filter_map(|item| {
            let at = item.provenance.first()?.at;
            Some((item.self_ref.clone(), item.label, at.page, at.rect))
        })
        .collect();
    for item in items.iter_mut().filter(|item| item.label == Label::Caption) {
        let Some(at) = item.provenance.first().map(|p| p.at) else {
            continue;
        };
        let wanted = match marker::caption(&item.text) {
            Some(CaptionOf::Table) => Label::Table,
            _ => Label::Picture,
        };
        let height = at.rect.height().max(8.0);
        let distance = |rect: &Rect| {
            let down = (rect.top - at.rect.bottom).max(at.rect.top - rect.bottom).max(0.0);
            let across = (rect.left - at.rect.right).max(at.rect.left - rect.right).max(0.0);
            down + across
        };
        let nearest = owners
            .iter()
            .filter(|(_, _, page, rect)| *page == at.page && distance(rect) < (4.0 * height).max(40.0))
            .min_by(|a, b| {
                let key = |owner: &(String, Label, u32, Rect)| {
                    // A table's caption stands above it, a picture's below.
                    let side = match owner.1 {
                        Label::Table => owner.3.top < at.rect.top,
                        _ => owner.3.top > at.rect.top,
                    };
                    let other_kind = owner.1 != wanted;
                    distance(&owner.3) + if other_kind { 60.0 } else { 0.0 } + if side { 12.0 } else { 0.0 }
                };
                key(a).total_cmp(&key(b))
            });
        item.parent = nearest.map(|(self_ref, ..)| self_ref.clone());
    }
}
