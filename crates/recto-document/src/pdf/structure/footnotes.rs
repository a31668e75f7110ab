//! Footnotes: small print with a mark, at the foot of a page.

use super::blocks::Block;
use super::style::Body;
use crate::text::marker;
use recto_core::Word;
use std::collections::{BTreeMap, HashSet};

/// Largest size of a footnote, as a part of the size of ordinary text.
const SMALL: f32 = 0.93;

/// The blocks that are footnotes.
pub(super) fn find(blocks: &[Block<'_>], body: &Body) -> HashSet<usize> {
    let mut out = HashSet::new();
    let mut start = 0;
    while start < blocks.len() {
        let page = blocks[start].page_index;
        let end = start + blocks[start..].iter().take_while(|b| b.page_index == page).count();
        on_page(blocks, start, end, body, &mut out);
        start = end;
    }
    out
}

fn on_page(blocks: &[Block<'_>], start: usize, end: usize, body: &Body, out: &mut HashSet<usize>) {
    let usual = body.size.max(main_size(&blocks[start..end]));
    let small = |block: &Block<'_>| block.upright && block.edge.is_none() && block.size() <= SMALL * usual;
    // From the foot of each column upwards, as long as the print is small.
    let mut open: Vec<usize> = Vec::new();
    for index in (start..end).rev() {
        let block = &blocks[index];
        if block.edge.is_some() || !block.upright {
            continue;
        }
        let under = |other: &Block<'_>| other.rect.top > block.rect.bottom - 0.5 * block.size();
        let free_below = (start..end).all(|other| {
            let other_block = &blocks[other];
            other == index
                || other_block.edge.is_some()
                || !other_block.upright
                || !under(other_block)
                || !other_block.overlaps_across(&block.rect)
                || out.contains(&other)
                || open.contains(&other)
        });
        let referred = raised_mark(block).is_some_and(|mark| is_referred_to(block, mark));
        if !(small(block) || referred) || !free_below || block.rect.top < 0.35 * block.page.height || block.rows {
            continue;
        }
        // Lines without a mark belong to the mark above them, if one comes.
        open.push(index);
        if referred || mark(&block.text).is_some() {
            let column: Vec<usize> = open
                .iter()
                .copied()
                .filter(|&other| blocks[other].overlaps_across(&block.rect))
                .collect();
            open.retain(|other| !column.contains(other));
            out.extend(column);
        }
    }
    // What is left stands above the first mark: the end of a note from the page before, if white space sets it apart from
    // the text like the notes below it.
    for index in open {
        let block = &blocks[index];
        let note_below = (index + 1..end).find(|&other| blocks[other].edge.is_none());
        let continues = note_below.is_some_and(|below| {
            let note = &blocks[below];
            out.contains(&below)
                && (note.size() - block.size()).abs() <= 0.04 * block.size()
                && note.overlaps_across(&block.rect)
                && block.below < block.above
                && block.above > block.size()
        });
        if continues {
            out.insert(index);
        }
    }
}

/// The size most paragraphs of a page are set in, from its top to where notes can begin.
fn main_size(blocks: &[Block<'_>]) -> f32 {
    let mut by_size: BTreeMap<i32, usize> = BTreeMap::new();
    for line in blocks
        .iter()
        .filter(|block| block.edge.is_none() && block.rect.top < 0.35 * block.page.height)
        .filter(|block| block.lines.len() >= 3 && !block.rows && !block.bold())
        .flat_map(|block| block.lines)
    {
        *by_size.entry((line.size * 2.0).round() as i32).or_default() += line.text.len();
    }
    let most = by_size.iter().max_by_key(|(size, weight)| (**weight, **size));
    most.map_or(0.0, |(size, _)| *size as f32 / 2.0)
}

/// The raised mark a block begins with.
fn raised_mark<'b>(block: &'b Block<'_>) -> Option<&'b str> {
    let line = block.lines.first()?;
    let word = block.page.words.get(line.words.start)?;
    let text = block.page.text.get(word.start as usize..word.end as usize)?;
    (word.font_size < 0.8 * line.size && marker::is_note_mark(text)).then_some(text)
}

/// Whether the mark of a note stands in smaller print somewhere above the note.
fn is_referred_to(block: &Block<'_>, mark: &str) -> bool {
    let text = |word: &Word| {
        block
            .page
            .text
            .get(word.start as usize..word.end as usize)
            .unwrap_or_default()
    };
    block.page.words.iter().any(|word| {
        word.rect.bottom <= block.rect.top
            && word.font_size < 0.85 * block.size().max(1.0)
            && text(word).trim_matches(|c: char| matches!(c, ',' | '.' | ';')) == mark
    })
}

/// The mark a footnote begins with: `1`, `(2)`, `*`, `†`.
pub(super) fn mark(text: &str) -> Option<&str> {
    let first = text.split_whitespace().next()?;
    let bare = first.trim_start_matches('(').trim_end_matches([')', '.']);
    let number = (1..=3).contains(&bare.len()) && bare.chars().all(|c| c.is_ascii_digit());
    let sign = bare.len() <= 6 && !bare.is_empty() && bare.chars().all(|c| "*†‡§¶".contains(c));
    let glued = first.starts_with(['*', '†', '‡', '§', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹']);
    let followed = text[first.len()..]
        .trim_start()
        .starts_with(|c: char| c.is_alphabetic() || "“\"‘(「『《〈".contains(c));
    ((number || sign) && followed || glued && text.contains(char::is_alphabetic)).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_numbers_and_signs_before_words() {
        assert_eq!(mark("12 See the notes."), Some("12"));
        assert_eq!(mark("* As restated."), Some("*"));
        assert_eq!(mark("†Deceased."), Some("†Deceased."));
        assert_eq!(mark("2019 was a year"), None);
        assert_eq!(mark("12 345"), None);
    }
}
