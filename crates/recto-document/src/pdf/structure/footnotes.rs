//! Footnotes: small print with a mark, at the foot of a page.

use super::blocks::Block;
use super::style::Body;
use std::collections::HashSet;

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
    let small = |block: &Block<'_>| block.upright && block.edge.is_none() && block.size() <= SMALL * body.size;
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
        if !small(block) || !free_below || block.rect.top < 0.35 * block.page.height || block.rows {
            continue;
        }
        // Lines without a mark belong to the mark above them, if one comes.
        open.push(index);
        if mark(&block.text).is_some() {
            let column: Vec<usize> = open
                .iter()
                .copied()
                .filter(|&other| blocks[other].overlaps_across(&block.rect))
                .collect();
            open.retain(|other| !column.contains(other));
            out.extend(column);
        }
    }
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
        .starts_with(|c: char| c.is_alphabetic() || "“\"‘(".contains(c));
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
