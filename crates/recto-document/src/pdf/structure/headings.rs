//! Which blocks are headings.

use super::blocks::Block;
use super::levels::levels;
use super::style::Body;
use crate::text::marker::{self, HeadingNumber};
use recto_core::Label;
use std::collections::HashMap;

/// Longest heading, in characters.
const MAX_HEADING: usize = 200;
/// Evidence a heading needs; see [`evidence`].
const ENOUGH: f32 = 3.0;

pub(super) struct Heading {
    pub(super) label: Label,
    pub(super) level: u32,
}

/// How much speaks for a heading. A missed one is better than a false one.
fn evidence(block: &Block<'_>, body: &Body, bookmarked: bool) -> f32 {
    let text = block.text.trim();
    let characters = text.chars().count();
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let digits = text.chars().filter(char::is_ascii_digit).count();
    let impossible = block.edge.is_some()
        || !block.upright
        || letters < 2
        || digits > letters
        || characters > MAX_HEADING
        || block.lines.len() > 4
        || block.lines.iter().any(|l| l.fixed_pitch)
        || (block.rows && block.lines.len() > 1)
        || marker::bullet(text).is_some()
        || text.contains("....");
    if impossible {
        return 0.0;
    }
    if bookmarked {
        return 2.0 * ENOUGH;
    }
    let ratio = block.size() / body.size;
    let mut score = match ratio {
        r if r >= 1.3 => 3.0,
        r if r >= 1.12 => 2.0,
        r if r < 0.93 => -2.0,
        _ => 0.0,
    };
    if block.bold() && !body.mostly_bold {
        score += 2.25;
    }
    if block.caps() {
        score += 1.0;
    }
    if block.italic() {
        score += 0.5;
    }
    match marker::heading_number(text) {
        Some(HeadingNumber::Part | HeadingNumber::Item | HeadingNumber::Chapter) => score += 1.5,
        Some(HeadingNumber::Decimal(depth)) if depth > 1 => score += 1.5,
        Some(_) => score += 1.0,
        None => {}
    }
    let roomy = 0.6 * block.size();
    if block.above > roomy {
        score += 0.5;
    }
    if block.below > 0.25 * block.size() {
        score += 0.25;
    }
    if block.rows {
        score -= 1.0;
    }
    let first = text.chars().find(|c| c.is_alphanumeric());
    if first.is_some_and(char::is_lowercase) {
        score -= 3.0;
    }
    if text.ends_with(['.', ',', ';']) && !text.ends_with("Inc.") && marker::heading_number(text).is_none() {
        score -= if text.ends_with('.') && text.split_whitespace().count() <= 8 {
            1.0
        } else {
            2.5
        };
    }
    if text.ends_with(':') {
        score -= 1.0;
    }
    if text.starts_with(['(', '☐', '☒', '☑']) {
        score -= 2.5;
    }
    if text.split_whitespace().count() > 20 {
        score -= 2.0;
    }
    score
}

pub(super) fn headings(blocks: &[Block<'_>], body: &Body, marked: &HashMap<usize, u32>) -> HashMap<usize, Heading> {
    let mut accepted: Vec<usize> = (0..blocks.len())
        .filter(|index| evidence(&blocks[*index], body, marked.contains_key(index)) >= ENOUGH)
        .collect();
    drop_piles(&mut accepted, blocks, marked);
    let levels = levels(&accepted, blocks, marked);
    let title = find_title(&accepted, blocks, body);
    accepted
        .into_iter()
        .zip(levels)
        .map(|(index, level)| {
            let heading = if Some(index) == title {
                Heading {
                    label: Label::Title,
                    level: 0,
                }
            } else {
                Heading {
                    label: Label::SectionHeader,
                    level,
                }
            };
            (index, heading)
        })
        .collect()
}

/// Four or more headings with nothing between them are a cover page or the head of a table: only those with a number,
/// a bookmark or the largest letters stay.
fn drop_piles(accepted: &mut Vec<usize>, blocks: &[Block<'_>], marked: &HashMap<usize, u32>) {
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
            if pile.len() < 4 || numbered || marked.contains_key(&index) || is_largest {
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
