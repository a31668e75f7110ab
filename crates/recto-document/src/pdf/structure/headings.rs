//! Which blocks are headings.
//!
//! Each block gathers what speaks for it and against it; then all blocks that look alike are judged together, so that
//! the same kind of line is a heading everywhere or nowhere.

use super::blocks::Block;
use super::captions;
use super::levels::{self, Outline};
use super::style::{Body, Style, lightness, saturation};
use crate::text::marker::{self, HeadingNumber};
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
    free: impl Fn(usize) -> bool,
) -> HashMap<usize, Heading> {
    let repeated = repeated(blocks);
    let mut scores: Vec<f32> = blocks
        .iter()
        .enumerate()
        .map(|(index, block)| {
            if !free(index) || !possible(block) {
                return f32::NEG_INFINITY;
            }
            evidence(blocks, index, body, &repeated) + known(hints, index)
        })
        .collect();
    agree(&mut scores, blocks, body, hints);
    let mut accepted: Vec<usize> = (0..blocks.len()).filter(|&index| scores[index] >= ENOUGH).collect();
    drop_piles(&mut accepted, blocks, hints);
    let title = find_title(&accepted, blocks, body);
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

/// How much speaks for a heading.
fn evidence(blocks: &[Block<'_>], index: usize, body: &Body, repeated: &HashSet<String>) -> f32 {
    let block = &blocks[index];
    let text = block.text.trim();
    let words = text.split_whitespace().count();
    let ratio = block.size() / body.size;
    let style = block.style();
    let mut score = match ratio {
        r if r >= 1.3 => 3.0,
        r if r >= 1.12 => 2.0,
        r if r >= 1.04 => 0.5,
        r if r < 0.85 => -2.0,
        r if r < 0.93 => -1.5,
        _ => 0.0,
    };
    if style.bold && !body.mostly_bold {
        score += 2.25;
    } else if style.face != body.face && ratio >= 0.97 && !style.italic {
        // Another face than that of the text: the usual sign where headings are not bold.
        score += 1.25;
    }
    if style.caps {
        score += 1.0;
    }
    if style.italic {
        score += 0.5;
        // Titles in italics are written like titles; words stressed in a text are not alone on their line.
        if block.lines.len() == 1 && words <= 10 && is_title_case(text) && leads_paragraph(blocks, index) {
            score += 1.25;
        }
    }
    if style.colour != body.colour {
        // White on a dark bar, or coloured.
        if lightness(style.colour) > 0.85 && lightness(body.colour) < 0.6 {
            // The same bar stands over tables.
            score += if leads_rows(blocks, index) { -1.5 } else { 1.0 };
        } else if saturation(style.colour) > 0.25 {
            score += 0.75;
        }
    }
    let number = marker::heading_number(text);
    match number {
        Some(HeadingNumber::Part | HeadingNumber::Item | HeadingNumber::Chapter) => score += 1.5,
        Some(HeadingNumber::Decimal(depth)) if depth > 1 => score += 1.5,
        Some(_) => score += 1.0,
        // "Strategic Goal 2: …", "Phase II – …"
        None if marker::labelled_number(text) => score += 1.0,
        None => {}
    }
    if block.above > 0.6 * block.size() {
        score += 0.5;
    }
    if block.below > 0.25 * block.size() {
        score += 0.25;
    }
    if leads_paragraph(blocks, index) {
        score += 0.75;
    }
    if text.contains(['<', '>', '{', '}', '=', '_', '|']) {
        score -= 2.0;
    }
    if repeated.contains(text) && leads_text(blocks, index) {
        score += 0.75;
    }
    if block.rows {
        score -= 1.0;
    }
    if text
        .chars()
        .find(|c| c.is_alphanumeric())
        .is_some_and(char::is_lowercase)
    {
        score -= 3.0;
    }
    if text.ends_with(['.', ',', ';']) && !text.ends_with("Inc.") && number.is_none() {
        score -= if text.ends_with('.') && words <= 8 { 1.0 } else { 2.5 };
    }
    if text.ends_with(':') {
        score -= if ratio < 0.97 { 1.75 } else { 0.75 };
    }
    if text.starts_with(['(', '☐', '☒', '☑', '$', '*', '†']) {
        score -= 2.5;
    }
    if words > 30 {
        score -= if words > 45 { 2.0 } else { 0.75 };
    }
    if block.on_bar && !leads_rows(blocks, index) {
        score += 0.75;
    }
    // Nothing below it: no section begins here.
    if !leads_text(blocks, index) && number.is_none() && ratio < 1.3 {
        score -= 0.5;
    }
    score
}

/// Whether all longer words of a text begin with a capital, and nothing ends a sentence.
fn is_title_case(text: &str) -> bool {
    let mut long = text
        .split_whitespace()
        .filter(|word| word.chars().count() >= 4)
        .peekable();
    long.peek().is_some()
        && long.all(|word| word.starts_with(|c: char| !c.is_lowercase()))
        && !text.ends_with(['.', ',', ';', ':'])
}

/// Whether text follows that a heading can stand over.
fn leads_text(blocks: &[Block<'_>], index: usize) -> bool {
    blocks[index + 1..]
        .iter()
        .filter(|next| next.edge.is_none())
        .take(3)
        .any(|next| next.upright && next.text.split_whitespace().count() >= 6)
}

/// Whether a paragraph in a lighter face begins right below, at the same edge.
fn leads_paragraph(blocks: &[Block<'_>], index: usize) -> bool {
    let block = &blocks[index];
    let Some(next) = blocks[index + 1..].iter().find(|next| next.edge.is_none()) else {
        return false;
    };
    let gap = next.rect.top - block.rect.bottom;
    let slanted = block.italic() && !next.italic();
    let plainer = block.bold() || block.style().face != next.style().face || block.size() > next.size();
    let lighter = !next.bold() && (slanted || plainer);
    lighter
        && !next.rows
        && next.page_index == block.page_index
        && (-0.5 * block.size()..2.0 * block.size()).contains(&gap)
        && (next.rect.left - block.rect.left).abs() < 3.0 * block.size()
        && next.text.split_whitespace().count() >= 8
}

/// Whether rows of figures follow close below.
fn leads_rows(blocks: &[Block<'_>], index: usize) -> bool {
    let block = &blocks[index];
    blocks[index + 1..]
        .iter()
        .take(3)
        .take_while(|next| {
            next.page_index == block.page_index && next.rect.top - block.rect.bottom < 5.0 * block.size()
        })
        .any(|next| next.rows)
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
