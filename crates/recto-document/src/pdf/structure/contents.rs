//! Printed tables of contents: which blocks they are made of, and what they say about headings.

use super::blocks::Block;
use super::bookmarks::skeleton;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// Fewest entries on a page that make a table of contents.
const MIN_ENTRIES: usize = 3;

/// Pages at the beginning on which contents without page numbers are looked for.
const FIRST_PAGES: usize = 20;

/// A line of a table of contents.
struct Entry {
    title: String,
    left: f32,
}

/// What the printed contents say.
#[derive(Default)]
pub(super) struct Contents {
    /// The blocks they are printed in.
    pub(super) blocks: HashSet<usize>,
    entries: Vec<Entry>,
}

/// Finds the printed contents of a document.
pub(super) fn find(blocks: &[Block<'_>]) -> Contents {
    let mut out = Contents::default();
    let mut start = 0;
    let mut titled_before = false;
    while start < blocks.len() {
        let page = blocks[start].page_index;
        let end = start + blocks[start..].iter().take_while(|b| b.page_index == page).count();
        let title = (start..end).find(|&index| {
            let text = skeleton(&blocks[index].text);
            ["contents", "tableofcontents", "listoftables", "listoffigures", "index"].contains(&text.as_str())
        });
        let before = out.blocks.len();
        on_page(blocks, start..end, title, title.is_some() || titled_before, &mut out);
        let unread = out.blocks.is_empty() && page < FIRST_PAGES;
        if let Some(title) = title.filter(|&title| unread && blocks[title].edge.is_none()) {
            without_pages(blocks, title + 1..end, &mut out);
        }
        // The list often goes on without another heading.
        titled_before = out.blocks.len() > before;
        start = end;
    }
    out
}

fn on_page(blocks: &[Block<'_>], page: Range<usize>, title: Option<usize>, titled: bool, out: &mut Contents) {
    let mut with_entries = Vec::new();
    let mut tables = HashSet::new();
    let (mut led, mut numbered) = (0, 0);
    let mut numbers: Vec<u32> = Vec::new();
    for index in page.clone() {
        let block = &blocks[index];
        if block.edge.is_some() || !block.upright {
            continue;
        }
        let here: Vec<Ending> = (0..block.lines.len()).map(|line| ending(block, line)).collect();
        let entries = here.iter().enumerate().filter(|(_, e)| **e != Ending::None);
        let counted: Vec<u32> = entries
            .filter_map(|(line, _)| {
                let last = block.line_text(line).split_whitespace().last()?;
                last.trim_start_matches(['.', '…', '·', '_']).parse().ok()
            })
            .collect();
        let count = |wanted: Ending| here.iter().filter(|e| **e == wanted).count();
        let ended = here.len() - count(Ending::None);
        // Rows of contents may have been taken for those of a table; a real one on the same page is none of them.
        if block.table.is_some() && !(ended * 3 >= here.len() * 2 && is_rising(&counted)) {
            tables.insert(index);
            continue;
        }
        led += count(Ending::Leader);
        numbered += count(Ending::Number);
        numbers.extend(counted);
        if ended > 0 {
            with_entries.push(index);
        }
    }
    // Tables of figures end in numbers too; those of contents count up and fill the page.
    let lines: usize = page
        .clone()
        .filter(|&index| blocks[index].edge.is_none())
        .map(|index| blocks[index].lines.len())
        .sum();
    // In filings "Table of Contents" stands at the head of every page: a link, no title.
    let has_title = title.is_some_and(|title| blocks[title].edge.is_none());
    let filled = has_title || (led + numbered) * 2 >= lines;
    let counting = counts_up(&numbers);
    let enough = led >= MIN_ENTRIES && counting || titled && filled && counting && led + numbered >= MIN_ENTRIES;
    let (Some(first), Some(last)) = (with_entries.first(), with_entries.last()) else {
        return;
    };
    if !enough {
        return;
    }
    // What stands between the title and the first entry is "Page", "Part I" and the like.
    let first = title.filter(|title| title < first).map_or(*first, |title| title + 1);
    let mut pending: Option<Entry> = None;
    for (index, block) in blocks.iter().enumerate().take(last + 1).skip(first) {
        if block.edge.is_some() || !block.upright || tables.contains(&index) {
            continue;
        }
        let words = block.text.split_whitespace().count();
        if !with_entries.contains(&index) && words > 30 {
            pending = None;
            continue;
        }
        out.blocks.insert(index);
        for line in 0..block.lines.len() {
            let text = block.line_text(line);
            let left = block.lines[line].rect.left;
            let (title, complete) = match ending(block, line) {
                Ending::None => (text.trim(), false),
                _ => (without_page(text), true),
            };
            match pending.as_mut() {
                Some(entry) => {
                    entry.title.push(' ');
                    entry.title.push_str(title);
                }
                None => {
                    let title = title.to_owned();
                    pending = Some(Entry { title, left });
                }
            }
            if complete {
                out.entries.extend(pending.take());
            }
        }
    }
}

/// Contents that name no pages: short lines below the title, most of which come again as headings.
fn without_pages(blocks: &[Block<'_>], range: Range<usize>, out: &mut Contents) {
    let later: HashSet<String> = blocks[range.start..]
        .iter()
        .filter(|block| is_short(block))
        .map(|block| skeleton(&block.text))
        .fold((HashSet::new(), HashSet::new()), |(mut seen, mut again), text| {
            if !seen.insert(text.clone()) {
                again.insert(text);
            }
            (seen, again)
        })
        .1;
    let mut entries: Vec<(usize, String)> = Vec::new();
    for index in range {
        let block = &blocks[index];
        if block.edge.is_some() {
            continue;
        }
        let text = skeleton(&block.text);
        // The first section begins where its title comes again, if only in the first line of what seems one entry.
        let first_line = skeleton(block.line_text(0));
        let comes_again = |entry: &String| *entry == text || *entry == first_line;
        if !is_short(block) || entries.iter().any(|(_, entry)| comes_again(entry)) {
            break;
        }
        entries.push((index, text));
    }
    let come_again = entries.iter().filter(|(_, entry)| later.contains(entry)).count();
    if come_again < MIN_ENTRIES || come_again * 3 < entries.len() * 2 {
        return;
    }
    for (index, _) in entries {
        let block = &blocks[index];
        out.blocks.insert(index);
        out.entries.push(Entry {
            title: block.text.trim().to_owned(),
            left: block.rect.left,
        });
    }
}

/// Whether a block can be an entry of contents or the heading it stands for.
fn is_short(block: &Block<'_>) -> bool {
    block.upright
        && block.table.is_none()
        && block.edge.is_none()
        && block.lines.len() <= 3
        && (1..=30).contains(&block.text.split_whitespace().count())
}

/// Whether page numbers never go down, and up once at least.
fn is_rising(numbers: &[u32]) -> bool {
    numbers.windows(2).all(|pair| pair[0] <= pair[1]) && numbers.first() < numbers.last()
}

/// Whether page numbers hardly ever go down. Two columns of entries do once.
fn counts_up(numbers: &[u32]) -> bool {
    let down = numbers.windows(2).filter(|pair| pair[1] < pair[0]).count();
    down <= 1 + numbers.len() / 10
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ending {
    None,
    /// A page number far to the right.
    Number,
    /// Dots and a page number.
    Leader,
}

fn ending(block: &Block<'_>, line: usize) -> Ending {
    let text = block.line_text(line).trim_end();
    let last = text.split_whitespace().last().unwrap_or_default();
    let number = last.trim_start_matches(['.', '…', '·', '_']);
    let digits = (1..=4).contains(&number.len()) && number.chars().all(|c| c.is_ascii_digit());
    let roman = (1..=6).contains(&number.len()) && number.chars().all(|c| "ivxl".contains(c));
    let dashed = number.len() <= 6
        && number.contains('-')
        && number
            .chars()
            .all(|c| c.is_ascii_digit() || c == '-' || c.is_ascii_uppercase())
        && number.ends_with(|c: char| c.is_ascii_digit());
    if !(digits || roman || dashed) || text.chars().filter(|c| c.is_alphabetic()).count() < 3 {
        return Ending::None;
    }
    let before = text[..text.len() - number.len()].trim_end();
    let dots = before
        .chars()
        .rev()
        .take_while(|c| matches!(c, '.' | '…' | '·' | '_') || c.is_whitespace())
        .filter(|c| !c.is_whitespace())
        .count();
    if dots >= 3 || before.ends_with('…') {
        return Ending::Leader;
    }
    let line = &block.lines[line];
    let words = &block.page.words[line.words.clone()];
    let gap = match words {
        [.., a, b] => b.rect.left - a.rect.right,
        _ => 0.0,
    };
    if gap > 1.5 * line.size {
        Ending::Number
    } else {
        Ending::None
    }
}

/// An entry without its dots and page number.
fn without_page(text: &str) -> &str {
    let text = text.trim_end();
    let end = text.rfind(|c: char| c.is_whitespace() || matches!(c, '.' | '…' | '·' | '_'));
    let text = end.map_or(text, |end| &text[..end]);
    text.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '.' | '…' | '·' | '_'))
}

impl Contents {
    /// The blocks the entries stand for, with the depth of the entry from 0. Entries are matched in order, each to the
    /// first block after the one before it that begins with the entry's text.
    pub(super) fn matches(&self, blocks: &[Block<'_>]) -> HashMap<usize, u32> {
        let mut out = HashMap::new();
        let Some(&end) = self.blocks.iter().max() else {
            return out;
        };
        let mut by_skeleton: HashMap<String, Vec<usize>> = HashMap::new();
        for (index, block) in blocks.iter().enumerate().skip(end + 1) {
            if block.edge.is_none() && block.lines.len() <= 6 && !block.rows && block.text.len() < 400 {
                by_skeleton.entry(skeleton(&block.text)).or_default().push(index);
            }
        }
        let depths = self.depths();
        let mut from = end + 1;
        for (entry, depth) in self.entries.iter().zip(depths) {
            let wanted = skeleton(&entry.title);
            if wanted.chars().filter(|c| c.is_alphabetic()).count() < 3 {
                continue;
            }
            let Some(places) = by_skeleton.get(&wanted) else {
                continue;
            };
            let next = places.partition_point(|place| *place < from);
            if let Some(place) = places.get(next) {
                out.insert(*place, depth);
                from = place + 1;
            }
        }
        out
    }

    /// How far each entry is set in, counted in steps.
    fn depths(&self) -> Vec<u32> {
        let mut lefts: Vec<f32> = self.entries.iter().map(|entry| entry.left).collect();
        lefts.sort_by(f32::total_cmp);
        let mut steps: Vec<f32> = Vec::new();
        for left in lefts {
            if steps.last().is_none_or(|last| left - last > 4.0) {
                steps.push(left);
            }
        }
        let depth = |left: f32| steps.iter().filter(|step| **step < left - 4.0).count();
        // Columns of entries are no depths.
        let flat = steps.len() > 5;
        self.entries
            .iter()
            .map(|entry| {
                if flat {
                    0
                } else {
                    u32::try_from(depth(entry.left)).unwrap_or(0)
                }
            })
            .collect()
    }
}
