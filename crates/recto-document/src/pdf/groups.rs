//! Lines of a region that belong together: paragraphs, list entries, rows of figures.

use super::columns::is_numeric;
use super::lines::Line;
use super::prose::{self, Prose};
use crate::text::marker;
use recto_core::Rect;
use std::ops::Range;

/// Splits the lines of a region into groups; the flag says whether a group is rows.
pub(crate) fn group(lines: &[Line]) -> Vec<(Range<usize>, bool)> {
    if lines.is_empty() {
        return Vec::new();
    }
    let region = lines
        .iter()
        .map(|l| l.rect)
        .reduce(|a, b| a.union(&b))
        .unwrap_or_default();
    let rows = find_rows(lines, region);
    let pitch = Pitch::new(lines);
    let prose = Prose::new(lines, &rows, region, &pitch);
    let mut out = Vec::new();
    let mut start = 0;
    for index in 1..lines.len() {
        let together = rows[index - 1] == rows[index]
            && if rows[index] {
                rows_together(&lines[index - 1], &lines[index], pitch.usual)
            } else {
                prose.goes_on(start, index)
            };
        if !together {
            out.push((start..index, rows[start]));
            start = index;
        }
    }
    out.push((start..lines.len(), rows[start]));
    out
}

/// The usual distances of baselines, as multiples of the font size.
pub(super) struct Pitch {
    usual: f32,
    /// Of lines from this size on, where enough of them say so: notes are often set closer than the text.
    by_size: Vec<(f32, f32)>,
}

/// Fewest distances between lines of one size that say how far apart they usually are.
const ENOUGH_LINES: usize = 4;
/// So few distances may all be those between paragraphs.
const FEW_LINES: usize = 3;
/// Fewest words of a line of running text.
const PROSE_WORDS: usize = 5;
/// By how much sizes that count as one may differ.
const ONE_SIZE: f32 = 1.06;

impl Pitch {
    fn new(lines: &[Line]) -> Self {
        let pairs = || {
            lines
                .windows(2)
                .filter(|pair| similar(pair[0].size, pair[1].size))
                .map(|pair| {
                    let size = pair[0].size.max(1.0);
                    (pair, size, (pair[1].baseline - pair[0].baseline) / size)
                })
                .filter(|(.., ratio)| (0.8..2.5).contains(ratio))
        };
        let all: Vec<f32> = pairs().map(|(.., ratio)| ratio).collect();
        // Of two or three lines, one that ends a sentence may stand above white space.
        let usual = if all.len() < FEW_LINES {
            let inside = pairs().filter(|(pair, ..)| !prose::ends_sentence(&prose::text(&pair[0])));
            lower_third(inside.map(|(.., ratio)| ratio).collect())
        } else {
            lower_third(all)
        };
        // Of labels and names it says nothing that they stand far apart.
        let prose = |pair: &[Line]| pair.iter().all(|line| line.words.len() >= PROSE_WORDS);
        let mut ratios: Vec<(f32, f32)> = pairs()
            .filter(|(pair, ..)| prose(pair))
            .map(|(_, size, ratio)| (size, ratio))
            .collect();
        ratios.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut by_size = Vec::new();
        let mut start = 0;
        while start < ratios.len() {
            let from = ratios[start].0;
            let length = ratios[start..].partition_point(|(size, _)| *size <= from * ONE_SIZE);
            if length >= ENOUGH_LINES {
                let pitch = lower_third(ratios[start..start + length].iter().map(|(_, ratio)| *ratio).collect());
                by_size.push((from, pitch));
            }
            start += length.max(1);
        }
        Self { usual, by_size }
    }

    /// For lines of this size.
    pub(super) fn of(&self, size: f32) -> f32 {
        let own = self
            .by_size
            .iter()
            .find(|(from, _)| (*from * 0.99..=*from * ONE_SIZE).contains(&size));
        own.map_or(self.usual, |(_, pitch)| *pitch)
    }
}

/// The lower third: between paragraphs the distance is larger, and there may be many short ones.
fn lower_third(mut ratios: Vec<f32>) -> f32 {
    ratios.sort_by(f32::total_cmp);
    ratios.get(ratios.len() / 3).copied().unwrap_or(1.2).clamp(1.0, 2.4)
}

pub(super) fn similar(a: f32, b: f32) -> bool {
    (a - b).abs() <= 0.12 * a.max(b)
}

/// Which lines look like rows of a table.
fn find_rows(lines: &[Line], region: Rect) -> Vec<bool> {
    let mut rows: Vec<bool> = lines.iter().map(is_row).collect();
    for index in 1..lines.len() {
        rows[index] &= rows[index - 1] || !ends_paragraph(&lines[index - 1], &lines[index], region);
    }
    // Labels between rows ("Operating expenses:") belong to them.
    let certain = rows.clone();
    for index in 0..lines.len() {
        if certain[index] || lines[index].rect.width() > 0.7 * region.width() {
            continue;
        }
        let near = |other: usize, towards: usize| {
            certain[other] && (lines[other].baseline - lines[towards].baseline).abs() < 2.2 * lines[index].size.max(1.0)
        };
        let before = (1..=2).any(|d| index >= d && near(index - d, index - d + 1));
        let after = (1..=2).any(|d| index + d < lines.len() && near(index + d, index + d - 1));
        rows[index] = before && after;
    }
    rows
}

/// Whether a line without gaps is the rest of a sentence that fills the line above: "as of December 31, 2022 and" may go
/// on in "March 31, 2023."
fn ends_paragraph(above: &Line, line: &Line, region: Rect) -> bool {
    let needed = line.words.first().map_or(0.0, |word| word.rect.width()) + 0.5 * above.size;
    line.cells() < 2
        && above.cells() < 2
        && above.words.len() >= PROSE_WORDS
        && similar(above.size, line.size)
        && region.right - above.rect.right < needed
        && (line.rect.left - region.left).abs() < 0.5 * line.size
        && !prose::ends_sentence(&prose::text(above))
}

fn is_row(line: &Line) -> bool {
    let words: Vec<&str> = line.words.iter().map(|w| w.text.as_str()).collect();
    let cells = line.cells();
    if words.len() >= 2 && ends_with_leader(&words) {
        return true;
    }
    // The mark of a footnote and its text.
    if cells == 2 && line.starts_note() {
        return false;
    }
    if cells < 2 {
        // A row without wide gaps is mostly numbers.
        let numeric = words.iter().filter(|w| is_numeric(w)).count();
        return words.len() >= 3 && numeric * 3 >= words.len() * 2;
    }
    // "•   text", "1.   Introduction" and "Item 2.   Properties" are a marker and its text.
    let text: String = words.join(" ");
    // So is "Table 1.   Staff by grade".
    !(cells == 2 && (marker::leads(&text) || marker::captioned(&text)))
}

/// "Introduction ........ 7"
fn ends_with_leader(words: &[&str]) -> bool {
    let Some((last, rest)) = words.split_last() else {
        return false;
    };
    let dots = |w: &&str| w.len() >= 3 && w.chars().all(|c| matches!(c, '.' | '…' | '·' | '_'));
    let single_dots = rest.iter().rev().take_while(|w| matches!(**w, "." | "·")).count();
    is_numeric(last) && (rest.iter().any(dots) || single_dots >= 4 || rest.last().is_some_and(|w| w.ends_with("....")))
}

fn rows_together(above: &Line, below: &Line, pitch: f32) -> bool {
    let gap = below.baseline - above.baseline;
    gap < (pitch * 2.2).max(2.6) * above.size.max(below.size)
}
