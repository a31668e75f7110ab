//! From the groups of lines of all pages to items: paragraphs, headings with levels, list entries, furniture.
//!
//! Each item lies on one page for now. Joining a paragraph that runs over a column or a page, tables with their grids,
//! captions and footnotes will work on the items made here.

use super::page::{Group, LineInfo, PageLayout};
use crate::furniture::{self, Edge};
use crate::text::marker::{self, HeadingNumber};
use recto_core::{Bookmark, Item, Label, Page, PageRect, Provenance, Rect, WordSpan};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;

/// Longest heading, in characters.
const MAX_HEADING: usize = 200;
/// Evidence a heading needs; see [`evidence`].
const ENOUGH: f32 = 3.0;
/// Deepest level of a heading.
const MAX_LEVEL: u32 = 6;

/// Makes the items of a document, in reading order.
pub(crate) fn items(pages: &[Page], layouts: &[PageLayout], bookmarks: &[Bookmark]) -> Vec<Item> {
    let furniture = furniture::find(pages);
    let vocabulary = Vocabulary::new(pages);
    let blocks = blocks(pages, layouts, &furniture);
    let body = Body::new(layouts);
    let marked = match_bookmarks(&blocks, bookmarks, pages);
    let headings = headings(&blocks, &body, &marked);
    let mut items = Vec::with_capacity(blocks.len());
    for (index, block) in blocks.iter().enumerate() {
        let position = u32::try_from(index).unwrap_or(u32::MAX);
        let (label, level) = match (block.edge, headings.get(&index)) {
            (Some(Edge::Top), _) => (Label::PageHeader, 0),
            (Some(Edge::Bottom), _) => (Label::PageFooter, 0),
            (None, Some(heading)) => (heading.label, heading.level),
            (None, None) if !block.rows && starts_entry(&block.text) => (Label::ListItem, 1),
            (None, None) => (Label::Text, 0),
        };
        items.push(build(position, label, level, block, &vocabulary));
    }
    items
}

/// The title a document's items suggest.
pub(crate) fn title(items: &[Item]) -> Option<String> {
    let usable = |item: &&Item| item.text.chars().filter(|c| c.is_alphabetic()).count() >= 3;
    items
        .iter()
        .filter(usable)
        .find(|item| item.label == Label::Title)
        .or_else(|| {
            items
                .iter()
                .filter(usable)
                .find(|item| item.label == Label::SectionHeader)
        })
        .map(|item| item.text.clone())
}

fn starts_entry(text: &str) -> bool {
    marker::bullet(text).is_some() || marker::numbered(text).is_some()
}

/// Lines of one page that become one item.
struct Block<'a> {
    page_index: usize,
    page: &'a Page,
    lines: &'a [LineInfo],
    rows: bool,
    upright: bool,
    edge: Option<Edge>,
    /// Lines joined by spaces, for judging.
    text: String,
    /// White space above and below, in points.
    above: f32,
    below: f32,
}

fn blocks<'a>(pages: &'a [Page], layouts: &'a [PageLayout], furniture: &[HashMap<u32, Edge>]) -> Vec<Block<'a>> {
    let mut out = Vec::new();
    for (page_index, ((page, layout), furniture)) in pages.iter().zip(layouts).zip(furniture).enumerate() {
        let edge = |line: usize| furniture.get(&u32::try_from(line).unwrap_or(u32::MAX)).copied();
        for group in &layout.groups {
            for part in split_by(group.lines.clone(), edge) {
                out.push(block(page_index, page, layout, group, part.clone(), edge(part.start)));
            }
        }
    }
    out
}

/// Splits a range where `key` changes.
fn split_by<K: PartialEq>(range: Range<usize>, key: impl Fn(usize) -> K) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let mut start = range.start;
    for index in range.clone().skip(1) {
        if key(index) != key(start) {
            out.push(start..index);
            start = index;
        }
    }
    if start < range.end {
        out.push(start..range.end);
    }
    out
}

fn block<'a>(
    page_index: usize,
    page: &'a Page,
    layout: &'a PageLayout,
    group: &Group,
    part: Range<usize>,
    edge: Option<Edge>,
) -> Block<'a> {
    let lines = &layout.lines[part.clone()];
    let text = lines
        .iter()
        .filter_map(|line| page.text.get(line.text.clone()))
        .collect::<Vec<_>>()
        .join(" ");
    let gap = |line: Option<&LineInfo>, other: &LineInfo, down: bool| {
        line.map_or(f32::INFINITY, |line| {
            let gap = if down {
                line.rect.top - other.rect.bottom
            } else {
                other.rect.top - line.rect.bottom
            };
            // Another column: nothing is known about the white space.
            if gap < -0.5 * other.size { 0.0 } else { gap }
        })
    };
    let before = part.start.checked_sub(1).and_then(|index| layout.lines.get(index));
    let after = layout.lines.get(part.end);
    let above = lines.first().map_or(0.0, |first| gap(before, first, false));
    let below = lines.last().map_or(0.0, |last| gap(after, last, true));
    Block {
        page_index,
        page,
        lines,
        rows: group.rows,
        upright: group.upright,
        edge,
        text,
        above,
        below,
    }
}

/// What ordinary text looks like in this document.
struct Body {
    size: f32,
    mostly_bold: bool,
}

impl Body {
    fn new(layouts: &[PageLayout]) -> Self {
        let mut by_size: BTreeMap<i32, usize> = BTreeMap::new();
        let (mut bold, mut all) = (0usize, 0usize);
        for layout in layouts {
            for line in &layout.lines {
                let weight = line.text.len();
                *by_size.entry((line.size * 2.0).round() as i32).or_default() += weight;
                all += weight;
                bold += if line.bold { weight } else { 0 };
            }
        }
        let size = by_size
            .iter()
            .max_by_key(|(size, weight)| (**weight, **size))
            .map_or(10.0, |(size, _)| *size as f32 / 2.0);
        Self {
            size: size.max(1.0),
            mostly_bold: bold * 2 > all,
        }
    }
}

impl Block<'_> {
    fn size(&self) -> f32 {
        self.lines.iter().map(|l| l.size).fold(0.0, f32::max)
    }

    fn bold(&self) -> bool {
        self.lines.iter().all(|l| l.bold)
    }

    fn italic(&self) -> bool {
        self.lines.iter().all(|l| l.italic)
    }

    fn caps(&self) -> bool {
        let letters = self.text.chars().filter(|c| c.is_alphabetic()).count();
        letters >= 4 && self.text.chars().filter(|c| c.is_lowercase()).count() * 10 <= letters
    }

    fn style(&self) -> Style {
        Style {
            size: (self.size() * 2.0).round() as i32,
            bold: self.bold(),
            caps: self.caps(),
            italic: self.italic(),
        }
    }
}

/// What headings of one kind look like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Style {
    /// Half points.
    size: i32,
    bold: bool,
    caps: bool,
    italic: bool,
}

impl Style {
    /// Smaller stands higher.
    fn rank(self) -> (i32, bool, bool, bool) {
        (-self.size, !self.bold, !self.caps, self.italic)
    }
}

struct Heading {
    label: Label,
    level: u32,
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

fn headings(blocks: &[Block<'_>], body: &Body, marked: &HashMap<usize, u32>) -> HashMap<usize, Heading> {
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

/// The level of each heading: from its bookmark or number where it has one, else that of the headings that look alike,
/// else one below the next larger kind.
fn levels(accepted: &[usize], blocks: &[Block<'_>], marked: &HashMap<usize, u32>) -> Vec<u32> {
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

/// Letters and digits in lower case: what titles are compared by.
fn skeleton(text: &str) -> String {
    text.chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

/// Finds the blocks that bookmarks point at, going forward only, so that a contents page does not catch them all.
fn match_bookmarks(blocks: &[Block<'_>], bookmarks: &[Bookmark], pages: &[Page]) -> HashMap<usize, u32> {
    let mut out = HashMap::new();
    let skeletons: Vec<String> = blocks.iter().map(|block| skeleton(&block.text)).collect();
    let mut first_of_page: HashMap<u32, usize> = HashMap::new();
    for (index, block) in blocks.iter().enumerate() {
        first_of_page.entry(pages[block.page_index].number).or_insert(index);
    }
    let mut taken: HashSet<usize> = HashSet::new();
    for bookmark in bookmarks {
        let (Some(page), wanted) = (bookmark.page, skeleton(&bookmark.title)) else {
            continue;
        };
        let Some(&start) = first_of_page.get(&page) else {
            continue;
        };
        if wanted.len() < 3 {
            continue;
        }
        let found = (start..blocks.len())
            .take_while(|&index| pages[blocks[index].page_index].number <= page + 1)
            .filter(|index| !taken.contains(index) && blocks[*index].edge.is_none())
            .find(|&index| {
                let text = &skeletons[index];
                let prefix = |long: &str, short: &str| long.starts_with(short) && short.len() * 10 >= long.len() * 6;
                *text == wanted || prefix(text, &wanted) || prefix(&wanted, text)
            });
        if let Some(index) = found {
            taken.insert(index);
            out.insert(index, bookmark.level);
        }
    }
    out
}

/// Which words the document writes with a hyphen and which without; decides what a hyphen at a line end means.
struct Vocabulary {
    words: HashSet<String>,
}

impl Vocabulary {
    fn new(pages: &[Page]) -> Self {
        let mut words = HashSet::new();
        for page in pages {
            for word in &page.words {
                let text = page
                    .text
                    .get(word.start as usize..word.end as usize)
                    .unwrap_or_default();
                let text = text.trim_matches(|c: char| !c.is_alphanumeric());
                if text.len() > 3 && text.chars().any(char::is_alphabetic) {
                    words.insert(text.to_lowercase());
                }
            }
        }
        Self { words }
    }

    /// Whether the hyphen between `first` (which ends in it) and `second` is there only because the line ends.
    fn splits(&self, first: &str, second: &str) -> bool {
        let Some(stem) = first.strip_suffix('-') else {
            return false;
        };
        let ends_in_letter = stem.ends_with(char::is_alphabetic);
        let goes_on = second.starts_with(char::is_lowercase);
        if !ends_in_letter || !goes_on || stem.contains('-') {
            return false;
        }
        let trim = |text: String| text.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        let with = trim(format!("{stem}-{second}"));
        let without = trim(format!("{stem}{second}"));
        self.words.contains(&without) || !self.words.contains(&with)
    }
}

fn build(position: u32, label: Label, level: u32, block: &Block<'_>, vocabulary: &Vocabulary) -> Item {
    let page = block.page;
    let mut text = String::new();
    let mut words = Vec::new();
    let mut rect: Option<Rect> = None;
    for (line_index, line) in block.lines.iter().enumerate() {
        let mut separator = match (line_index, block.rows) {
            (0, _) => "",
            (_, true) => "\n",
            (_, false) => " ",
        };
        for (word_index, index) in line.words.clone().enumerate() {
            let word = &page.words[index];
            let written = page
                .text
                .get(word.start as usize..word.end as usize)
                .unwrap_or_default();
            if word_index > 0 {
                separator = " ";
            } else if line_index > 0 && !block.rows {
                let last = last_word(&text, &words);
                if vocabulary.splits(last, written) {
                    // The hyphen goes, and with it the separator: two spans without a gap.
                    text.pop();
                    if let Some(WordSpan { end, .. }) = words.last_mut() {
                        *end -= 1;
                    }
                    separator = "";
                }
            }
            text.push_str(separator);
            let start = length(&text);
            text.push_str(written);
            words.push(WordSpan {
                start,
                end: length(&text),
                page: page.number,
                word: u32::try_from(index).unwrap_or(u32::MAX),
            });
            rect = Some(rect.map_or(word.rect, |r| r.union(&word.rect)));
        }
    }
    let end = length(&text);
    Item {
        position,
        self_ref: format!("#/texts/{position}"),
        label,
        level,
        text,
        provenance: vec![Provenance {
            at: PageRect {
                page: page.number,
                rect: rect.unwrap_or_default(),
            },
            start: 0,
            end,
        }],
        words,
        ..Item::default()
    }
}

fn last_word<'t>(text: &'t str, words: &[WordSpan]) -> &'t str {
    words
        .last()
        .and_then(|span| text.get(span.start as usize..span.end as usize))
        .unwrap_or_default()
}

fn length(text: &str) -> u32 {
    u32::try_from(text.len()).unwrap_or(u32::MAX)
}
