//! Reading order: a page is cut into columns where a gutter of white space separates two stretches of prose.
//!
//! A gutter is a strip without ink, about as wide as a letter is tall, over several lines. It may end above and
//! below at something that spans both columns, such as a heading; what lies above is read first, then the left column,
//! then the right one, then what lies below. Tables have such strips too; they are told apart by what stands beside
//! the strip: prose fills its column with words, table columns hold numbers and a word or two.

use super::graphics::Rule;
use super::words::RawWord;
use crate::text::marker;
use recto_core::Rect;

/// Side of a cell of the occupancy grid, in points.
const CELL: f32 = 1.5;
/// Cells per side at most; larger pages get larger cells.
const MAX_CELLS: usize = 640;
/// Columns within columns.
const MAX_DEPTH: u32 = 8;
/// Fewest lines of a column.
const MIN_LINES: usize = 4;

/// Splits the words of a page into regions in reading order. No gutter runs across a level rule.
pub(crate) fn split(words: Vec<RawWord>, rules: &[Rule]) -> Vec<Vec<RawWord>> {
    let mut out = Vec::new();
    let (top, words, bottom) = detach_edges(words);
    out.extend(top);
    split_into(words, rules, 0, &mut out);
    out.extend(bottom);
    out
}

/// Whether words are set in columns of prose.
pub(crate) fn has_columns(words: &[RawWord]) -> bool {
    find_gutter(words, &[]).is_some()
}

fn split_into(words: Vec<RawWord>, rules: &[Rule], depth: u32, out: &mut Vec<Vec<RawWord>>) {
    if words.is_empty() {
        return;
    }
    let gutter = if depth < MAX_DEPTH {
        find_gutter(&words, rules)
    } else {
        None
    };
    let Some(gutter) = gutter else {
        out.push(words);
        return;
    };
    let mut parts: [Vec<RawWord>; 4] = Default::default();
    for word in words {
        let (x, y) = word.rect.centre();
        let part = if y < gutter.top {
            0
        } else if y > gutter.bottom {
            3
        } else if x < gutter.x {
            1
        } else {
            2
        };
        parts[part].push(word);
    }
    for part in parts {
        split_into(part, rules, depth + 1, out);
    }
}

/// Takes a lone line at the top and at the bottom away: running headers and footers are often in two halves, which
/// would otherwise become first and last lines of the columns.
fn detach_edges(words: Vec<RawWord>) -> (Option<Vec<RawWord>>, Vec<RawWord>, Option<Vec<RawWord>>) {
    let mut bands = bands(&words);
    if bands.len() < 3 {
        return (None, words, None);
    }
    bands.sort_by(|a, b| a.0.total_cmp(&b.0));
    let size = median_size(&words);
    let usual = usual_gap(&bands);
    let lone = |edge: (f32, f32), next: (f32, f32)| {
        let gap = (next.0 - edge.1).max(edge.0 - next.1);
        edge.1 - edge.0 < 2.0 * size && gap > (0.8 * size).max(1.15 * usual)
    };
    let first = bands[0];
    let last = bands[bands.len() - 1];
    let above = if lone(first, bands[1]) && !heads_columns(&words, first, bands[1], size) {
        first.1
    } else {
        f32::NEG_INFINITY
    };
    let below = if lone(last, bands[bands.len() - 2]) {
        last.0
    } else {
        f32::INFINITY
    };
    let mut parts: [Vec<RawWord>; 3] = Default::default();
    for word in words {
        let y = word.rect.centre().1;
        let part = if y <= above {
            0
        } else if y >= below {
            2
        } else {
            1
        };
        parts[part].push(word);
    }
    let [top, middle, bottom] = parts;
    let some = |words: Vec<RawWord>| (!words.is_empty()).then_some(words);
    (some(top), middle, some(bottom))
}

/// The usual white space between stretches: in double spacing a line at the edge is no lone one.
fn usual_gap(bands: &[(f32, f32)]) -> f32 {
    let mut gaps: Vec<f32> = bands.windows(2).map(|pair| pair[1].0 - pair[0].1).collect();
    gaps.sort_by(f32::total_cmp);
    gaps.get(gaps.len() / 2)
        .copied()
        .filter(|_| gaps.len() >= 4)
        .unwrap_or(0.0)
}

/// Whether the first line stands over the second piece by piece, as the head of a table does. A running header in two
/// halves stands over two columns of prose, too; in three parts it would over nothing.
fn heads_columns(words: &[RawWord], first: (f32, f32), second: (f32, f32), size: f32) -> bool {
    let stretches = |(top, bottom): (f32, f32)| {
        let mut spans: Vec<(f32, f32)> = words
            .iter()
            .filter(|w| w.table.is_none() && w.rect.centre().1 > top && w.rect.centre().1 < bottom)
            .map(|w| (w.rect.left, w.rect.right))
            .collect();
        spans.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut out: Vec<(f32, f32)> = Vec::new();
        for span in spans {
            match out.last_mut() {
                Some(last) if span.0 - last.1 < size => last.1 = last.1.max(span.1),
                _ => out.push(span),
            }
        }
        out
    };
    let (first, second) = (stretches(first), stretches(second));
    first.len() >= 3 && first.len() == second.len() && first.iter().zip(&second).all(|(a, b)| a.0 < b.1 && b.0 < a.1)
}

/// Stretches of the height that hold ink, from top to bottom.
fn bands(words: &[RawWord]) -> Vec<(f32, f32)> {
    let mut spans: Vec<(f32, f32)> = words.iter().map(|w| (w.rect.top, w.rect.bottom)).collect();
    spans.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut out: Vec<(f32, f32)> = Vec::new();
    for span in spans {
        match out.last_mut() {
            Some(last) if span.0 <= last.1 => last.1 = last.1.max(span.1),
            _ => out.push(span),
        }
    }
    out
}

fn median_size(words: &[RawWord]) -> f32 {
    let mut sizes: Vec<f32> = words.iter().map(|w| w.size).collect();
    sizes.sort_by(f32::total_cmp);
    sizes.get(sizes.len() / 2).copied().unwrap_or(10.0)
}

#[derive(Debug, Clone, Copy)]
struct Gutter {
    x: f32,
    top: f32,
    bottom: f32,
}

fn find_gutter(words: &[RawWord], rules: &[Rule]) -> Option<Gutter> {
    if words.len() < 2 * MIN_LINES * 2 {
        return None;
    }
    let bounds = words.iter().map(|w| w.rect).reduce(|a, b| a.union(&b))?;
    let size = median_size(words);
    let width = (0.75 * size).max(5.0);
    if bounds.width() < 8.0 * size || bounds.height() < 4.0 * size {
        return None;
    }
    let mut grid = Grid::new(words, bounds);
    grid.draw(rules, bounds);
    let strip = ((width / grid.cell_width).floor() as usize).max(1);
    let min_rows = (((MIN_LINES as f32 * size) / grid.cell_height).ceil() as usize).max(1);
    let mut candidates = grid.free_strips(strip, min_rows);
    candidates = middles(candidates);
    // The tallest first; among equals the leftmost.
    candidates.sort_by(|a, b| (b.rows()).cmp(&a.rows()).then(a.column.cmp(&b.column)));
    let mut rejected: Vec<Strip> = Vec::new();
    for candidate in candidates {
        let known = rejected.iter().any(|r| {
            r.column.abs_diff(candidate.column) <= strip
                && r.first.abs_diff(candidate.first) <= 2
                && r.last.abs_diff(candidate.last) <= 2
        });
        if known {
            continue;
        }
        let gutter = Gutter {
            x: bounds.left + (candidate.column as f32 + strip as f32 / 2.0) * grid.cell_width,
            top: bounds.top + candidate.first as f32 * grid.cell_height,
            bottom: bounds.top + (candidate.last + 1) as f32 * grid.cell_height,
        };
        if separates_prose(words, gutter, width) {
            return Some(gutter);
        }
        rejected.push(candidate);
        if rejected.len() > 60 {
            break;
        }
    }
    None
}

/// Of strips side by side that begin and end alike, the one in the middle: they are one gap.
fn middles(strips: Vec<Strip>) -> Vec<Strip> {
    let mut out: Vec<(Strip, usize)> = Vec::new();
    // Strips come column by column; those of the column before are the last ones.
    for strip in strips {
        let alike = |(known, columns): &(Strip, usize)| {
            known.column + columns == strip.column
                && known.first.abs_diff(strip.first) <= 1
                && known.last.abs_diff(strip.last) <= 1
        };
        match out.iter_mut().rev().take(64).find(|entry| alike(entry)) {
            Some((_, columns)) => *columns += 1,
            None => out.push((strip, 1)),
        }
    }
    out.into_iter()
        .map(|(strip, columns)| Strip {
            column: strip.column + (columns - 1) / 2,
            ..strip
        })
        .collect()
}

/// Which cells of a page hold ink.
struct Grid {
    columns: usize,
    rows: usize,
    cell_width: f32,
    cell_height: f32,
    /// Column by column: strips are looked for down the page.
    ink: Vec<bool>,
}

#[derive(Debug, Clone, Copy)]
struct Strip {
    column: usize,
    first: usize,
    last: usize,
}

impl Strip {
    fn rows(&self) -> usize {
        self.last + 1 - self.first
    }
}

impl Grid {
    fn new(words: &[RawWord], bounds: Rect) -> Self {
        let cells = |length: f32| ((length / CELL).ceil() as usize).clamp(1, MAX_CELLS);
        let (columns, rows) = (cells(bounds.width()), cells(bounds.height()));
        let mut grid = Self {
            columns,
            rows,
            cell_width: bounds.width() / columns as f32,
            cell_height: bounds.height() / rows as f32,
            ink: vec![false; columns * rows],
        };
        for word in words {
            let index = |at: f32, cell: f32, count: usize| ((at / cell).max(0.0) as usize).min(count - 1);
            // The box of a line includes room above and below the letters; that is not ink.
            let trim = 0.15 * word.rect.height();
            let left = index(word.rect.left - bounds.left, grid.cell_width, columns);
            let right = index(word.rect.right - bounds.left, grid.cell_width, columns);
            let top = index(word.rect.top + trim - bounds.top, grid.cell_height, rows);
            let bottom = index(word.rect.bottom - trim - bounds.top, grid.cell_height, rows);
            for column in left..=right {
                grid.ink[column * rows + top..=column * rows + bottom].fill(true);
            }
        }
        grid
    }

    /// Level rules tie what stands side by side over or under them together.
    fn draw(&mut self, rules: &[Rule], bounds: Rect) {
        let first = rules.partition_point(|rule| rule.at < bounds.top);
        for rule in rules[first..].iter().take_while(|rule| rule.at < bounds.bottom) {
            if rule.to <= bounds.left || rule.from >= bounds.right {
                continue;
            }
            let index = |at: f32| (((at - bounds.left) / self.cell_width).max(0.0) as usize).min(self.columns - 1);
            let row = (((rule.at - bounds.top) / self.cell_height) as usize).min(self.rows - 1);
            let (from, to) = (index(rule.from), index(rule.to));
            for column in from..=to {
                self.ink[column * self.rows + row] = true;
            }
        }
    }

    /// Strips of `width` cells without ink over at least `min_rows` rows, as tall as they can be, that have ink on
    /// both sides.
    fn free_strips(&self, width: usize, min_rows: usize) -> Vec<Strip> {
        let mut out = Vec::new();
        if self.columns <= width + 2 {
            return out;
        }
        // How far the free cells reach to the left of a column, by row.
        let mut reach = vec![0u16; self.rows];
        for end in 0..self.columns - 1 {
            let ink = &self.ink[end * self.rows..(end + 1) * self.rows];
            for (reach, ink) in reach.iter_mut().zip(ink) {
                *reach = if *ink { 0 } else { *reach + 1 };
            }
            // The strip that ends here; the first column of the page is not beside anything.
            let Some(column) = (end + 1).checked_sub(width).filter(|column| *column > 0) else {
                continue;
            };
            let free = |row: usize| usize::from(reach[row]) >= width;
            // A stretch tall enough that begins here or below holds the last of the next `min_rows` rows.
            let mut row = 0;
            while row + min_rows <= self.rows {
                let probe = row + min_rows - 1;
                if !free(probe) {
                    row = probe + 1;
                    continue;
                }
                let first = (row..probe)
                    .rev()
                    .find(|&row| !free(row))
                    .map_or(row, |taken| taken + 1);
                let end = (probe..self.rows).find(|&row| !free(row)).unwrap_or(self.rows);
                if end - first >= min_rows {
                    out.push(Strip {
                        column,
                        first,
                        last: end - 1,
                    });
                }
                row = end;
            }
        }
        out
    }
}

/// Whether both sides of a strip are columns of prose.
fn separates_prose(words: &[RawWord], gutter: Gutter, min_gap: f32) -> bool {
    let beside = |left: bool| -> Vec<&RawWord> {
        words
            .iter()
            .filter(|w| {
                let (x, y) = w.rect.centre();
                w.table.is_none() && y >= gutter.top && y <= gutter.bottom && (x < gutter.x) == left
            })
            .collect()
    };
    let (left, right) = (beside(true), beside(false));
    // A table whose words are gone keeps its place.
    let holds_table = |left: bool| {
        words.iter().any(|w| {
            let (x, y) = w.rect.centre();
            w.table.is_some() && y >= gutter.top && y <= gutter.bottom && (x < gutter.x) == left
        })
    };
    if are_marks(&left, &right) {
        return false;
    }
    if is_list(&left) && is_list(&right) {
        return true;
    }
    match (is_prose(&left, min_gap, 3), is_prose(&right, min_gap, 3)) {
        (true, true) => true,
        // A sidebar has few words a line. What tells it from the first column of a table is that its lines do not
        // stand on the baselines of its neighbour.
        // A table or a figure in a column of its own shares next to none with the prose in the other.
        (false, true) => (left.is_empty() && holds_table(true)) || is_beside(&left, &right, min_gap),
        (true, false) => (right.is_empty() && holds_table(false)) || is_beside(&right, &left, min_gap),
        (false, false) => false,
    }
}

/// Whether a side is nothing but the raised marks of the notes on the other.
fn are_marks(side: &[&RawWord], notes: &[&RawWord]) -> bool {
    let mut sizes: Vec<f32> = notes.iter().map(|word| word.size).collect();
    sizes.sort_by(f32::total_cmp);
    let Some(size) = sizes.get(sizes.len() / 2) else {
        return false;
    };
    !side.is_empty()
        && side
            .iter()
            .all(|word| word.size <= 0.85 * size && marker::is_note_mark(&word.text))
}

/// Whether a side is a list: several bullets below each other at its left edge. Lists in two columns have few words.
fn is_list(words: &[&RawWord]) -> bool {
    let left = words.iter().map(|w| w.rect.left).fold(f32::INFINITY, f32::min);
    let bullets = words
        .iter()
        .filter(|w| w.rect.left - left < 0.5 * w.size && (marker::is_bullet(&w.text) || marker::is_number(&w.text)))
        .count();
    bullets >= 3
}

/// Whether what is no prose itself stands beside a column of prose rather than being a part of the same rows.
fn is_beside(side: &[&RawWord], prose: &[&RawWord], min_gap: f32) -> bool {
    let shared = shared_baselines(side, prose);
    shared * 3 < side.len() || (shared * 2 < side.len() && is_prose(side, min_gap, 2))
}

/// How many words of `side` stand on a baseline of `other`.
fn shared_baselines(side: &[&RawWord], other: &[&RawWord]) -> usize {
    let mut baselines: Vec<f32> = other.iter().map(|w| w.baseline).collect();
    baselines.sort_by(f32::total_cmp);
    let shared = |word: &&&RawWord| {
        let next = baselines.partition_point(|b| *b < word.baseline - 1.0);
        baselines.get(next).is_some_and(|b| (b - word.baseline).abs() <= 1.0)
    };
    side.iter().filter(shared).count()
}

/// Whether most lines of a side hold at least `words_per_line` words and fill it.
fn is_prose(words: &[&RawWord], min_gap: f32, words_per_line: usize) -> bool {
    let mut words = words.to_vec();
    if words.len() < words_per_line * MIN_LINES {
        return false;
    }
    let numeric = words.iter().filter(|w| is_numeric(&w.text)).count();
    if numeric * 10 > words.len() * 3 {
        return false;
    }
    words.sort_by(|a, b| {
        a.baseline
            .total_cmp(&b.baseline)
            .then(a.rect.left.total_cmp(&b.rect.left))
    });
    // Stretches of words on one baseline without a wide gap.
    let mut stretches: Vec<(usize, f32, f32)> = Vec::new();
    let mut row: Vec<&RawWord> = Vec::new();
    let mut flush = |row: &mut Vec<&RawWord>| {
        row.sort_by(|a, b| a.rect.left.total_cmp(&b.rect.left));
        let mut open: Option<(usize, f32, f32)> = None;
        for word in row.drain(..) {
            open = match open {
                Some((count, left, right)) if word.rect.left - right < min_gap => {
                    Some((count + 1, left, right.max(word.rect.right)))
                }
                other => {
                    stretches.extend(other);
                    Some((1, word.rect.left, word.rect.right))
                }
            };
        }
        stretches.extend(open);
    };
    let mut baseline = f32::NEG_INFINITY;
    for word in words {
        if word.baseline - baseline > 0.3 * word.size {
            flush(&mut row);
            baseline = word.baseline;
        }
        row.push(word);
    }
    flush(&mut row);
    if stretches.len() < MIN_LINES {
        return false;
    }
    let long = stretches.iter().filter(|s| s.0 >= words_per_line).count();
    let mut widths: Vec<f32> = stretches.iter().map(|s| s.2 - s.1).collect();
    widths.sort_by(f32::total_cmp);
    let widest = widths.last().copied().unwrap_or(0.0);
    let median = widths[widths.len() / 2];
    long * 10 >= stretches.len() * 6 && median >= 0.45 * widest
}

/// Numbers, amounts and the signs that stand for none.
pub(crate) fn is_numeric(text: &str) -> bool {
    let digits = text.chars().filter(char::is_ascii_digit).count();
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    (digits > 0 && letters <= 1)
        || (letters == 0 && matches!(text, "$" | "—" | "–" | "-" | "%" | "€" | "£" | "(" | ")"))
}
