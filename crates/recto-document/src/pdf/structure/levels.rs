//! How deep each heading is.

use super::blocks::Block;
use super::style::Style;
use crate::text::marker::{self, HeadingNumber};
use std::collections::{BTreeMap, HashMap};

/// Deepest level of a heading.
const MAX_LEVEL: u32 = 6;

/// The level of each heading: from its bookmark or number where it has one, else that of the headings that look alike,
/// else one below the next larger kind.
pub(super) fn levels(accepted: &[usize], blocks: &[Block<'_>], marked: &HashMap<usize, u32>) -> Vec<u32> {
    let number = |index: usize| marker::heading_number(&blocks[index].text);
    let numbers: Vec<Option<HeadingNumber>> = accepted.iter().map(|&index| number(index)).collect();
    let has = |kind: &HeadingNumber| numbers.iter().flatten().any(|n| n == kind);
    let item_level = if has(&HeadingNumber::Part) { 2 } else { 1 };
    let note_level = if has(&HeadingNumber::Item) { item_level + 1 } else { 1 };
    let by_bookmarks = accepted.iter().filter(|index| marked.contains_key(index)).count() >= 3;
    let anchors: Vec<Option<u32>> = accepted
        .iter()
        .zip(&numbers)
        .map(|(index, number)| {
            if by_bookmarks && let Some(level) = marked.get(index) {
                return Some(level + 1);
            }
            Some(match number.as_ref()? {
                HeadingNumber::Part => 1,
                HeadingNumber::Chapter => 1,
                HeadingNumber::Item => item_level,
                HeadingNumber::Note => note_level,
                HeadingNumber::Section => 2,
                HeadingNumber::Decimal(depth) => {
                    let base = if has(&HeadingNumber::Item) || has(&HeadingNumber::Part) {
                        note_level
                    } else {
                        1
                    };
                    base + depth - 1
                }
            })
        })
        .collect();
    let mut styles: Vec<Style> = accepted.iter().map(|&index| blocks[index].style()).collect();
    let style_of = styles.clone();
    styles.sort_by_key(|style| style.rank());
    styles.dedup();
    let mut level_of: HashMap<Style, u32> = HashMap::new();
    let mut previous = 0;
    for style in styles {
        let mut votes: BTreeMap<u32, usize> = BTreeMap::new();
        for (anchor, own) in anchors.iter().zip(&style_of) {
            if let Some(level) = anchor
                && *own == style
            {
                *votes.entry(*level).or_default() += 1;
            }
        }
        let level = votes
            .iter()
            .max_by_key(|(level, votes)| (**votes, std::cmp::Reverse(**level)))
            .map_or(previous + 1, |(level, _)| *level)
            .clamp(1, MAX_LEVEL);
        level_of.insert(style, level);
        previous = level;
    }
    let mut above: Option<(Style, u32)> = None;
    anchors
        .iter()
        .zip(&style_of)
        .map(|(anchor, style)| {
            let level = match (anchor, above) {
                (Some(level), _) => {
                    above = Some((*style, *level));
                    *level
                }
                // A smaller heading after a numbered one belongs below it.
                (None, Some((larger, level))) if larger.rank() < style.rank() => level_of[style].max(level + 1),
                (None, _) => level_of[style],
            };
            level.clamp(1, MAX_LEVEL)
        })
        .collect()
}
