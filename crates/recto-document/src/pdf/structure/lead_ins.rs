//! Lead-ins: heavier words on a line of their own that end in a colon and name what the paragraph right below them is
//! about. They look like headings, but they are text: the beginning of an entry of a list where they are numbered, else a
//! line of their own.

use super::blocks::Block;
use super::style::Body;
use crate::text::marker;
use recto_core::Label;
use std::collections::HashMap;

/// Longest lead-in, in words.
const MOST_WORDS: usize = 20;
/// Fewest words of the paragraph it leads in.
const LEAST_TEXT: usize = 6;
/// Most white space between the two, as a part of the font's size: more of it sets a heading apart.
const NEAR: f32 = 0.6;
/// A line larger than this, as a part of the size of ordinary text, is a heading unless it is numbered.
const LARGE: f32 = 1.1;

/// A lead-in's paragraph is the block after it.
pub(super) struct LeadIn {
    /// [`Label::ListItem`] where it is numbered.
    pub(super) label: Label,
}

/// The lead-ins among the blocks that `free` allows.
pub(super) fn find(blocks: &[Block<'_>], body: &Body, free: impl Fn(usize) -> bool) -> HashMap<usize, LeadIn> {
    let mut out = HashMap::new();
    let mut numbers: Vec<(usize, u32)> = Vec::new();
    for index in 0..blocks.len().saturating_sub(1) {
        if !free(index) || !free(index + 1) || !leads(blocks, index) {
            continue;
        }
        let block = &blocks[index];
        let below = &blocks[index + 1];
        let from_edge = below.rect.left - block.rect.left;
        if let Some(number) = marker::bare_number(&block.text) {
            // The paragraph stands below the words, not below their number.
            if from_edge > block.size() {
                numbers.push((index, number));
            }
        } else if from_edge.abs() < 0.6 * block.size()
            && block.size() <= LARGE * body.size
            && !block.caps()
            && !marker::leads(&block.text)
        {
            out.insert(index, LeadIn { label: Label::Text });
        }
    }
    // One number alone counts nothing.
    for (position, &(index, number)) in numbers.iter().enumerate() {
        let counts = |other: Option<&(usize, u32)>, step: bool| {
            other.is_some_and(|&(_, value)| if step { value == number + 1 } else { value + 1 == number })
        };
        let before = position.checked_sub(1).and_then(|before| numbers.get(before));
        if counts(before, false) || counts(numbers.get(position + 1), true) {
            let label = Label::ListItem;
            out.insert(index, LeadIn { label });
        }
    }
    out
}

/// Whether a block ends in a colon and a paragraph in another look begins close below it.
fn leads(blocks: &[Block<'_>], index: usize) -> bool {
    let (block, below) = (&blocks[index], &blocks[index + 1]);
    if !block.text.ends_with(':') {
        return false;
    }
    let plain = |block: &Block<'_>| {
        block.edge.is_none() && block.upright && block.table.is_none() && !block.rows && !block.boxed
    };
    if !plain(block) || !plain(below) || below.page_index != block.page_index {
        return false;
    }
    let gap = below.rect.top - block.rect.bottom;
    let (look, below_look) = (block.style(), below.style());
    block.text.split_whitespace().count() <= MOST_WORDS
        && block.lines.len() <= 4
        && !marker::captioned(&block.text)
        && (-0.5 * block.size()..NEAR * block.size()).contains(&gap)
        && (look.bold, look.face, look.size) != (below_look.bold, below_look.face, below_look.size)
        && !below_look.bold
        && below.text.split_whitespace().count() >= LEAST_TEXT
        && !marker::leads(&below.text)
}
