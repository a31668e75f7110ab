//! How deep each heading is.
//!
//! Headings that look alike and are numbered alike form a kind. Kinds are ordered by size, weight and capitals, by their
//! numbers, and by which stands directly over which; levels are counted along that order. Bookmarks, tags and the
//! printed contents, where they know a kind, have the last word.

use super::blocks::Block;
use super::bookmarks::skeleton;
use super::headings::Hints;
use super::style::{Body, Style};
use crate::text::marker::{self, HeadingNumber};
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};

/// Deepest level of a heading.
const MAX_LEVEL: u32 = 6;

pub(super) struct Outline<'a> {
    pub(super) blocks: &'a [Block<'a>],
    pub(super) body: &'a Body,
    pub(super) hints: &'a Hints,
    /// Indices of the headings, ascending.
    pub(super) headings: Vec<usize>,
}

/// Headings that look alike and are numbered alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Kind {
    style: Style,
    number: Option<HeadingNumber>,
    /// Whether its words come again and again, as "Results" does in every chapter.
    recurring: bool,
}

/// The level of each heading, 1 = top.
pub(super) fn levels(outline: &Outline<'_>) -> Vec<(usize, u32)> {
    let blocks = outline.blocks;
    let recurring = recurring(outline);
    let kinds: Vec<Kind> = outline
        .headings
        .iter()
        .map(|&index| Kind {
            style: blocks[index].style(),
            number: marker::heading_number(&blocks[index].text),
            recurring: recurring.contains(&label(&blocks[index])),
        })
        .collect();
    let order = order(outline, &kinds);
    let stands_over = stands_over(outline, &kinds);
    let votes = votes(outline, &kinds);
    let established = established(outline, &kinds);
    let mut level_of: HashMap<Kind, u32> = HashMap::new();
    let mut last: Option<(Kind, u32)> = None;
    // What is met on one page only makes no level of its own: it takes that of the next kind below it.
    let mut waiting: Vec<Kind> = Vec::new();
    for kind in order {
        if !established.contains(&kind) && !votes.contains_key(&kind) {
            waiting.push(kind);
            continue;
        }
        let by_order = match last {
            None => 1,
            Some((before, level)) => {
                let count = |a: Kind, b: Kind| stands_over.get(&(a, b)).copied().unwrap_or(0);
                let apart = kind.number.zip(before.number).is_some_and(|(a, b)| a != b)
                    || !alike(kind.style, before.style)
                    // What recurs stands under what does not.
                    || kind.recurring && !before.recurring
                    || count(before, kind) > count(kind, before);
                level + u32::from(apart)
            }
        };
        let level = votes.get(&kind).copied().unwrap_or(by_order).clamp(1, MAX_LEVEL);
        level_of.insert(kind, level);
        level_of.extend(waiting.drain(..).map(|kind| (kind, level)));
        last = Some((kind, level));
    }
    for kind in waiting {
        let level = last.map_or(1, |(before, level)| level + u32::from(!alike(kind.style, before.style)));
        level_of.insert(kind, level.clamp(1, MAX_LEVEL));
    }
    agree_by_number(&mut level_of, &kinds, &votes);
    // In filings the headings under "Item 7." or "Note 12" often look just like it.
    let mut under: Option<(Kind, u32)> = None;
    outline
        .headings
        .iter()
        .zip(&kinds)
        .map(|(&index, kind)| {
            let known = known_level(outline.hints, index).filter(|_| votes.contains_key(kind));
            let own = known.unwrap_or(level_of[kind]);
            let level = match (kind.number, under) {
                (Some(HeadingNumber::Part | HeadingNumber::Item | HeadingNumber::Note), _) => {
                    under = Some((*kind, own));
                    own
                }
                (None, Some((numbered, level))) if known.is_none() => {
                    if outranks(kind.style, numbered.style) {
                        under = under.filter(|_| own > level);
                        own
                    } else if alike(kind.style, numbered.style) {
                        level + 1
                    } else {
                        own.max(level + 1)
                    }
                }
                _ => own,
            };
            (index, level.clamp(1, MAX_LEVEL))
        })
        .collect()
}

/// Fewest times that a heading comes again and again.
const RECURRING: usize = 3;

/// What a heading says, and how large and in which letters.
fn label(block: &Block<'_>) -> (i32, bool, String) {
    let style = block.style();
    (style.size, style.caps, skeleton(&block.text))
}

/// The headings that recur. Those with a number are told by it: "Goal 2: …" may be named in several chapters.
fn recurring(outline: &Outline<'_>) -> HashSet<(i32, bool, String)> {
    let mut counts: HashMap<(i32, bool, String), usize> = HashMap::new();
    for &index in &outline.headings {
        let block = &outline.blocks[index];
        if marker::heading_number(&block.text).is_none() && !marker::labelled_number(&block.text) {
            *counts.entry(label(block)).or_default() += 1;
        }
    }
    let often = counts.into_iter().filter(|(_, count)| *count >= RECURRING);
    often.map(|(text, _)| text).collect()
}

/// Parts, items and notes of a filing each have one level, whatever they look like, and stand over each other.
fn agree_by_number(level_of: &mut HashMap<Kind, u32>, kinds: &[Kind], votes: &HashMap<Kind, u32>) {
    let mut above: Option<u32> = None;
    for number in [HeadingNumber::Part, HeadingNumber::Item, HeadingNumber::Note] {
        let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
        for kind in kinds.iter().filter(|kind| kind.number == Some(number)) {
            *counts.entry(level_of[kind]).or_default() += 1;
        }
        let Some((usual, _)) = counts
            .into_iter()
            .max_by_key(|(level, count)| (*count, Reverse(*level)))
        else {
            continue;
        };
        let level = above.map_or(usual, |above| above + 1).min(MAX_LEVEL);
        for (kind, own) in level_of.iter_mut() {
            if kind.number == Some(number) && !votes.contains_key(kind) {
                *own = level;
            }
        }
        above = Some(level);
    }
}

/// Kinds from the highest to the lowest.
fn order(outline: &Outline<'_>, kinds: &[Kind]) -> Vec<Kind> {
    let stands_over = stands_over(outline, kinds);
    let mut out: Vec<Kind> = kinds.to_vec();
    out.sort_by_key(|kind| rank(*kind, outline.body));
    out.dedup();
    // Where one kind stands directly over another again and again, it is the higher one, unless sizes say otherwise.
    for _ in 0..out.len().min(32) {
        let mut changed = false;
        for index in 1..out.len() {
            let (a, b) = (out[index - 1], out[index]);
            let count = |x: Kind, y: Kind| stands_over.get(&(x, y)).copied().unwrap_or(0);
            let near = (a.style.size - b.style.size) * 8 <= b.style.size;
            let by_number = a
                .number
                .zip(b.number)
                .is_some_and(|(x, y)| number_rank(y) < number_rank(x));
            let by_place = near && count(b, a) >= 2 && count(b, a) > 2 * count(a, b);
            let numbers_agree = a
                .number
                .zip(b.number)
                .is_none_or(|(x, y)| number_rank(y) <= number_rank(x));
            if by_number || (by_place && numbers_agree) {
                out.swap(index - 1, index);
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    raise(&mut out, &stands_over);
    out
}

/// Fewest times that a kind stands directly over another before it is raised above everything between the two.
const OFTEN_OVER: usize = 3;

/// A label over titles ("Goal 3" over "Serve the people") stands higher than they do, though it is printed smaller.
fn raise(order: &mut [Kind], stands_over: &HashMap<(Kind, Kind), usize>) {
    let count = |x: Kind, y: Kind| stands_over.get(&(x, y)).copied().unwrap_or(0);
    for index in 1..order.len() {
        let kind = order[index];
        let over = order[..index].iter().position(|&higher| {
            let near = (higher.style.size - kind.style.size) * 8 <= kind.style.size;
            let numbered = higher.number.is_some() || kind.number.is_some();
            near && !numbered && count(kind, higher) >= OFTEN_OVER && count(kind, higher) > 2 * count(higher, kind)
        });
        if let Some(over) = over {
            order[over..=index].rotate_right(1);
        }
    }
}

/// Smaller stands higher.
fn rank(kind: Kind, body: &Body) -> impl Ord {
    let style = kind.style;
    (
        Reverse(style.size),
        !style.bold,
        !style.caps,
        style.face == body.face,
        style.italic,
        kind.recurring,
        kind.number.map(number_rank),
        kind,
    )
}

/// Parts stand over items, items over notes, `1` over `1.1`.
fn number_rank(number: HeadingNumber) -> u32 {
    match number {
        HeadingNumber::Part => 0,
        HeadingNumber::Chapter => 1,
        HeadingNumber::Item => 2,
        HeadingNumber::Section => 3,
        HeadingNumber::Note => 4,
        HeadingNumber::Decimal(depth) => 4 + depth,
    }
}

/// Whether a heading is larger, heavier or in capitals where the other is not.
fn outranks(style: Style, other: Style) -> bool {
    let larger = (style.size - other.size) * 25 > other.size;
    let smaller = (other.size - style.size) * 25 > style.size;
    larger || !smaller && (style.bold, style.caps) > (other.bold, other.caps)
}

/// Whether two looks differ by face or shade only.
fn alike(a: Style, b: Style) -> bool {
    (a.size - b.size).abs() * 25 <= a.size.max(b.size) && a.bold == b.bold && a.caps == b.caps && a.italic == b.italic
}

/// How often one kind stands directly over another, with nothing between them.
fn stands_over(outline: &Outline<'_>, kinds: &[Kind]) -> HashMap<(Kind, Kind), usize> {
    let mut out = HashMap::new();
    for (pair, kinds) in outline.headings.windows(2).zip(kinds.windows(2)) {
        let between = &outline.blocks[pair[0] + 1..pair[1]];
        if between.iter().all(|block| block.edge.is_some()) && kinds[0] != kinds[1] {
            *out.entry((kinds[0], kinds[1])).or_default() += 1;
        }
    }
    out
}

/// Kinds that are met on two pages or three times, and often enough for the length of the document. What ends in a
/// colon is a label, which makes no level of its own.
fn established(outline: &Outline<'_>, kinds: &[Kind]) -> HashSet<Kind> {
    let all = outline.headings.len();
    let mut seen: HashMap<Kind, (usize, HashSet<usize>)> = HashMap::new();
    for (&index, kind) in outline.headings.iter().zip(kinds) {
        let entry = seen.entry(*kind).or_default();
        entry.0 += usize::from(!outline.blocks[index].text.ends_with(':'));
        entry.1.insert(outline.blocks[index].page_index);
    }
    let often = seen
        .into_iter()
        .filter(|(_, (count, pages))| (*count >= 3 || *count >= 2 && pages.len() >= 2) && *count * 80 >= all);
    often.map(|(kind, _)| kind).collect()
}

fn known_level(hints: &Hints, index: usize) -> Option<u32> {
    let known = |map: &HashMap<usize, u32>| {
        (map.len() >= 3)
            .then(|| map.get(&index).map(|level| level + 1))
            .flatten()
    };
    known(&hints.bookmarks).or_else(|| known(&hints.tags))
}

/// What bookmarks and tags say about each kind, by majority.
fn votes(outline: &Outline<'_>, kinds: &[Kind]) -> HashMap<Kind, u32> {
    let mut counts: HashMap<Kind, BTreeMap<u32, usize>> = HashMap::new();
    for (&index, kind) in outline.headings.iter().zip(kinds) {
        if let Some(level) = known_level(outline.hints, index) {
            *counts.entry(*kind).or_default().entry(level).or_default() += 1;
        }
    }
    counts
        .into_iter()
        .filter_map(|(kind, levels)| {
            let (level, _) = levels
                .into_iter()
                .max_by_key(|(level, count)| (*count, Reverse(*level)))?;
            Some((kind, level))
        })
        .collect()
}
