//! Paragraphs and entries that go on in the next column or on the next page.

use super::blocks::Block;
use crate::text::marker;
use recto_core::Label;
use std::collections::HashSet;

/// For each block, the one its text goes on in. `labels` are the blocks' labels so far; footnotes, furniture, tables and
/// pictures between the two are stepped over, headings and other lists are not.
///
/// Those in `begins_next` are the beginning of the block after them, whatever the two look like.
pub(super) fn continuations(
    blocks: &[Block<'_>],
    labels: &[Label],
    begins_next: &HashSet<usize>,
) -> Vec<Option<usize>> {
    let mut out = vec![None; blocks.len()];
    let mut taken = vec![false; blocks.len()];
    for index in 0..blocks.len() {
        if begins_next.contains(&index) {
            out[index] = Some(index + 1);
            taken[index + 1] = true;
            continue;
        }
        let next = match labels[index] {
            Label::Text | Label::ListItem if flows(&blocks[index]) => {
                next_in_flow(blocks, labels, index, Label::Footnote)
            }
            Label::Footnote => next_footnote(blocks, labels, index),
            _ => None,
        };
        let Some(next) = next else { continue };
        if !taken[next] && goes_on(&blocks[index], &blocks[next]) {
            out[index] = Some(next);
            taken[next] = true;
        }
    }
    out
}

fn flows(block: &Block<'_>) -> bool {
    !block.rows && block.upright && !block.boxed
}

/// The next block of running text.
fn next_in_flow(blocks: &[Block<'_>], labels: &[Label], index: usize, aside: Label) -> Option<usize> {
    let page = blocks[index].page_index;
    for next in index + 1..blocks.len() {
        let block = &blocks[next];
        if block.page_index > page + 1 {
            return None;
        }
        match labels[next] {
            Label::PageHeader | Label::PageFooter | Label::Picture | Label::Table | Label::Caption => {}
            label if label == aside => {}
            Label::Text if !block.upright => {}
            Label::Text if flows(block) => return Some(next),
            // Figures that are not a table yet.
            Label::Text => {}
            _ => return None,
        }
    }
    None
}

fn next_footnote(blocks: &[Block<'_>], labels: &[Label], index: usize) -> Option<usize> {
    let page = blocks[index].page_index;
    (index + 1..blocks.len())
        .take_while(|&next| blocks[next].page_index <= page + 1)
        .find(|&next| labels[next] == Label::Footnote)
        .filter(|&next| super::footnotes::mark(&blocks[next].text).is_none())
}

/// Whether the text of `block` goes on in `next`.
fn goes_on(block: &Block<'_>, next: &Block<'_>) -> bool {
    let (Some(last), Some(first)) = (block.lines.last(), next.lines.first()) else {
        return false;
    };
    let similar = (last.size - first.size).abs() <= 0.08 * last.size.max(1.0);
    if !similar || last.bold != first.bold || block.ends_sentence() || marker::leads(&next.text) {
        return false;
    }
    let moved = next.page_index != block.page_index || next.rect.top < block.rect.bottom - last.size;
    let lower = next.text.starts_with(char::is_lowercase);
    let hyphen = block.text.ends_with('-');
    if !moved {
        // The same column: only what was taken apart in the middle of a sentence.
        let gap = next.rect.top - block.rect.bottom;
        let level = (next.rect.left - block.lines[0].rect.left).abs() < 3.0 * last.size;
        return (lower || hyphen) && gap < 0.8 * last.size && level && last.face == first.face && !is_short(block);
    }
    if lower || hyphen {
        return !is_short(block);
    }
    // A capital at the top of a column begins a sentence or is a name; the line before it must be full, and the line
    // itself not set in.
    let begins_word = next
        .text
        .starts_with(|c: char| c.is_alphanumeric() || "“\"‘(".contains(c));
    let full = block.lines.len() >= 2 && last.rect.right > block.rect.right - 0.12 * block.rect.width();
    let set_in = next
        .lines
        .get(1)
        .is_some_and(|second| first.rect.left > second.rect.left + 0.8 * first.size);
    begins_word && full && !set_in && next.lines.len() >= 2 && last.face == first.face
}

/// One line with a few words is a label, not a paragraph.
fn is_short(block: &Block<'_>) -> bool {
    block.lines.len() == 1 && block.text.split_whitespace().count() < 5
}
