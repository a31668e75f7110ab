//! Which blocks are headings.
//!
//! Each block gathers what speaks for it and against it; then all blocks that look alike are judged together, so that
//! the same kind of line is a heading everywhere or nowhere.

use super::blocks::Block;
use super::captions;
use super::cover::Cover;
use super::evidence::evidence;
use super::levels::{self, Outline};
use super::style::{Body, Style};
use crate::text::marker;
use recto_core::Label;
use std::collections::{HashMap, HashSet};

/// Longest heading, in characters.
const MAX_HEADING: usize = 320;
/// Evidence a heading needs; see [`evidence`]. A missed one is better than a false one.
const ENOUGH: f32 = 3.0;
/// Evidence that is enough where most blocks of the same look are headings.
const ENOUGH_AMONG_HEADINGS: f32 = 1.75;

pub(super) struct Heading {
    pub(super) label: Label,
    pub(super) level: u32,
}

/// What is known about the headings of a document from elsewhere than their looks: block and level from 0.
#[derive(Default)]
pub(super) struct Hints {
    /// From the file's bookmarks.
    pub(super) bookmarks: HashMap<usize, u32>,
    /// From a printed table of contents.
    pub(super) contents: HashMap<usize, u32>,
    /// From the file's tags.
    pub(super) tags: HashMap<usize, u32>,
}

impl Hints {
    fn knows(&self, block: usize) -> bool {
        self.bookmarks.contains_key(&block) || self.contents.contains_key(&block) || self.tags.contains_key(&block)
    }
}

/// The headings among the blocks. `free` says which blocks are nothing else yet.
pub(super) fn headings(
    blocks: &[Block<'_>],
    body: &Body,
    hints: &Hints,
    cover: Option<&Cover>,
    free: impl Fn(usize) -> bool,
) -> HashMap<usize, Heading> {
    let repeated = repeated(blocks);
    let mut scores: Vec<f32> = blocks
        .iter()
        .enumerate()
        .map(|(index, block)| {
            if !free(index) || !possible(block) || cover.is_some_and(|cover| cover.is_field(index, block)) {
                return f32::NEG_INFINITY;
            }
            evidence(blocks, index, body, &repeated) + known(hints, index)
        })
        .collect();
    agree(&mut scores, blocks, body, hints);
    let mut accepted: Vec<usize> = (0..blocks.len()).filter(|&index| scores[index] >= ENOUGH).collect();
    drop_piles(&mut accepted, blocks, hints);
    drop_last(&mut accepted, blocks, hints);
    let company = cover.and_then(|cover| cover.company);
    if let Some(company) = company.filter(|company| !accepted.contains(company)) {
        accepted.push(company);
        accepted.sort_unstable();
    }
    let title = company.or_else(|| find_title(&accepted, blocks, body));
    let outline = Outline {
        blocks,
        body,
        hints,
        headings: accepted.iter().copied().filter(|&index| Some(index) != title).collect(),
    };
    let mut out: HashMap<usize, Heading> = levels::levels(&outline)
        .into_iter()
        .map(|(index, level)| {
            let label = Label::SectionHeader;
            (index, Heading { label, level })
        })
        .collect();
    if let Some(index) = title {
        out.insert(
            index,
            Heading {
                label: Label::Title,
                level: 0,
            },
        );
    }
    out
}

fn known(hints: &Hints, index: usize) -> f32 {
    let has = |map: &HashMap<usize, u32>, worth: f32| if map.contains_key(&index) { worth } else { 0.0 };
    // Tags are often wrong, contents pages can be matched wrongly; bookmarks name a page.
    has(&hints.bookmarks, 2.0 * ENOUGH) + has(&hints.contents, 2.25) + has(&hints.tags, 2.0)
}

fn possible(block: &Block<'_>) -> bool {
    let text = block.text.trim();
    let characters = text.chars().count();
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let digits = text.chars().filter(char::is_ascii_digit).count();
    block.edge.is_none()
        && block.upright
        && !block.boxed
        && letters >= 2
        && digits <= letters
        && characters <= MAX_HEADING
        && block.lines.len() <= 10
        && !block.lines.iter().any(|l| l.fixed_pitch)
        && !(block.rows && block.lines.len() > 1)
        && marker::bullet(text).is_none()
        && !text.contains("....")
        && !text.contains(". . .")
        && captions::kind(block).is_none()
}

/// Texts that stand alone more than twice.
fn repeated(blocks: &[Block<'_>]) -> HashSet<String> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for block in blocks {
        if block.edge.is_none() && block.lines.len() == 1 && !block.rows {
            *counts.entry(block.text.trim()).or_default() += 1;
        }
    }
    let often = counts.into_iter().filter(|(_, count)| *count >= 3);
    often.map(|(text, _)| text.to_owned()).collect()
}

/// Makes blocks that look alike agree.
fn agree(scores: &mut [f32], blocks: &[Block<'_>], body: &Body, hints: &Hints) {
    #[derive(Default)]
    struct Count {
        possible: usize,
        headings: usize,
    }
    let mut counts: HashMap<Style, Count> = HashMap::new();
    for (block, score) in blocks.iter().zip(scores.iter()) {
        if block.edge.is_some() || !block.upright {
            continue;
        }
        let count = counts.entry(block.style()).or_default();
        count.possible += 1;
        count.headings += usize::from(*score >= ENOUGH);
    }
    for (index, block) in blocks.iter().enumerate() {
        let Some(count) = counts.get(&block.style()) else {
            continue;
        };
        let prominent = block.size() >= 1.3 * body.size || hints.knows(index);
        if count.possible >= 3 && count.headings * 2 >= count.possible && scores[index] >= ENOUGH_AMONG_HEADINGS {
            scores[index] = scores[index].max(ENOUGH);
        } else if count.possible >= 8 && count.headings * 5 < count.possible && !prominent {
            // A look that most text has says nothing.
            scores[index] -= 1.5;
        }
    }
}

/// Four or more headings with nothing between them are a cover page or the head of a table: only those with a number,
/// a bookmark or the largest letters stay.
fn drop_piles(accepted: &mut Vec<usize>, blocks: &[Block<'_>], hints: &Hints) {
    let mut kept = Vec::with_capacity(accepted.len());
    let mut start = 0;
    while start < accepted.len() {
        let mut end = start + 1;
        while end < accepted.len()
            && accepted[end] == accepted[end - 1] + 1
            && blocks[accepted[end]].page_index == blocks[accepted[start]].page_index
        {
            end += 1;
        }
        let pile = &accepted[start..end];
        let largest = pile.iter().map(|&index| blocks[index].size()).fold(0.0, f32::max);
        let mut largest_taken = false;
        for &index in pile {
            let block = &blocks[index];
            let numbered = marker::heading_number(&block.text).is_some();
            let is_largest = !largest_taken && block.size() >= largest - 0.1;
            if pile.len() < 4 || numbered || hints.knows(index) || is_largest {
                largest_taken |= is_largest;
                kept.push(index);
            }
        }
        start = end;
    }
    *accepted = kept;
}

/// Words of a block that a section can consist of.
const LEAST_SECTION: usize = 8;

/// After the last text of a document no section begins: what stands large on its back names those who made it.
fn drop_last(accepted: &mut Vec<usize>, blocks: &[Block<'_>], hints: &Hints) {
    let text = blocks.iter().rposition(|block| {
        let words = block.text.split_whitespace().count();
        block.edge.is_none() && (block.table.is_some() || block.upright && words >= LEAST_SECTION)
    });
    accepted.retain(|&index| text.is_none_or(|text| index <= text) || hints.knows(index));
}

fn find_title(accepted: &[usize], blocks: &[Block<'_>], body: &Body) -> Option<usize> {
    let early: Vec<usize> = accepted
        .iter()
        .copied()
        .filter(|&index| blocks[index].page_index == 0)
        .collect();
    let largest = early.iter().map(|&index| blocks[index].size()).fold(0.0, f32::max);
    let candidate = early.into_iter().find(|&index| blocks[index].size() >= largest - 0.1)?;
    let alone = accepted
        .iter()
        .filter(|&&index| blocks[index].size() >= largest - 0.1)
        .count()
        <= 2;
    let numbered = marker::heading_number(&blocks[candidate].text).is_some();
    (largest >= 1.3 * body.size && alone && !numbered).then_some(candidate)
}

/// Whether the block after the title is its second part: nearly as large, close below it and in line with it.
pub(super) fn goes_on_in_subtitle(blocks: &[Block<'_>], title: usize, body: &Body) -> bool {
    let (title, Some(below)) = (&blocks[title], blocks.get(title + 1)) else {
        return false;
    };
    let (size, small) = (title.size(), below.size());
    let gap = below.rect.top - title.rect.bottom;
    let centred = (below.rect.centre().0 - title.rect.centre().0).abs() < size;
    possible(below)
        && below.page_index == title.page_index
        && below.table.is_none()
        && small >= 1.5 * body.size
        && (0.6 * size..=1.04 * size).contains(&small)
        && (-0.5 * size..size).contains(&gap)
        && (centred || (below.rect.left - title.rect.left).abs() < 0.5 * size)
        && marker::heading_number(&below.text).is_none()
}
