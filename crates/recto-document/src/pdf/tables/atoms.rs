//! The pieces of a line that columns are made of: words, with signs joined to their number.

use super::super::columns::is_numeric;
use super::super::lines::Line;
use super::super::words::RawWord;
use super::header;
use recto_core::Rect;
use std::ops::Range;

/// Words of a line that cannot stand in two cells.
#[derive(Debug, Clone)]
pub(super) struct Atom {
    /// Indices into the words of the line.
    pub(super) words: Range<usize>,
    pub(super) left: f32,
    pub(super) right: f32,
    /// An amount, or a sign that stands for none.
    pub(super) numeric: bool,
    /// Whether it begins with a currency sign away from its number, as at the left edge of a column.
    pub(super) signed: bool,
}

/// Whether a word says that there is no number.
fn is_nothing(text: &str) -> bool {
    matches!(
        text,
        "—" | "–"
            | "-"
            | "--"
            | "---"
            | "…"
            | ".."
            | "..."
            | "n/a"
            | "N/A"
            | "NA"
            | "n.a."
            | "N.A."
            | "NM"
            | "nm"
            | "†"
            | "‡"
            | "#"
            | "*"
            | "−"
            | "("
    )
}

/// Numbers, and what stands in their place.
pub(super) fn is_data(text: &str) -> bool {
    is_numeric(text) || is_nothing(text)
}

fn is_opening_sign(text: &str) -> bool {
    matches!(
        text,
        "$" | "€"
            | "£"
            | "¥"
            | "US$"
            | "C$"
            | "A$"
            | "R$"
            | "HK$"
            | "S$"
            | "$("
            | "("
            | "($"
            | "(€"
            | "€("
            | "£("
            | "(£"
    )
}

fn is_closing_sign(text: &str) -> bool {
    matches!(text, "%" | ")" | ")%" | "%)" | "‰" | "°" | "pp" | "x" | "bps")
}

/// A row of dots that leads the eye to a number.
pub(super) fn is_leader(text: &str) -> bool {
    let dots = text.chars().filter(|c| matches!(c, '.' | '…' | '·' | '_')).count();
    dots == text.chars().count() && (dots >= 3 || text == "." || text == "·" || text == "…")
}

/// Whether the second word is read together with the first without a space.
pub(crate) fn adheres(before: &str, after: &str) -> bool {
    let digit_or_bracket = |text: &str| text.chars().any(|c| c.is_ascii_digit()) || is_nothing(text);
    (is_opening_sign(before) && digit_or_bracket(after))
        || (is_closing_sign(after) && after != "x" && after != "pp" && after != "bps" && digit_or_bracket(before))
}

/// The atoms of a line from left to right. Leaders belong to what they follow but take no room.
pub(super) fn of(line: &Line) -> Vec<Atom> {
    let size = line.size.max(1.0);
    let words = &line.words;
    // A line that is read from right to left is not cut: its words do not stand in the order of its columns.
    let forward = words.windows(2).all(|pair| pair[0].rect.left <= pair[1].rect.left);
    if !forward {
        let rect = hull(words);
        return vec![Atom {
            words: 0..words.len(),
            left: rect.left,
            right: rect.right,
            numeric: false,
            signed: false,
        }];
    }
    let mut out: Vec<Atom> = Vec::with_capacity(words.len());
    let mut opening = false;
    for (index, word) in words.iter().enumerate() {
        let text = word.text.as_str();
        if is_leader(text)
            && words.len() > 1
            && let Some(last) = out.last_mut()
        {
            last.words.end = index + 1;
            continue;
        }
        let data = is_data(text);
        if let Some(last) = out.last_mut() {
            let gap = word.rect.left - last.right;
            // A currency sign stands at the edge of its column, however far away the number is.
            let opens = opening && data && gap < 20.0 * size;
            let closes = is_closing_sign(text) && last.numeric && gap < 1.5 * size;
            if opens || closes {
                last.words.end = index + 1;
                last.signed |= opens && gap > 0.8 * size;
                last.right = last.right.max(word.rect.right);
                last.numeric = true;
                opening = opens && is_opening_sign(text);
                continue;
            }
        }
        opening = is_opening_sign(text);
        out.push(Atom {
            words: index..index + 1,
            left: word.rect.left,
            right: word.rect.right,
            numeric: data,
            signed: false,
        });
    }
    join_thousands(out, words, size)
}

/// "1 577" is one number where groups of three digits stand a space apart.
fn join_thousands(atoms: Vec<Atom>, words: &[RawWord], size: f32) -> Vec<Atom> {
    let text = |atom: &Atom| words[atom.words.end - 1].text.as_str();
    let mut out: Vec<Atom> = Vec::with_capacity(atoms.len());
    for atom in atoms {
        if let Some(last) = out.last_mut() {
            let digits = |text: &str| text.chars().all(|c| c.is_ascii_digit());
            let group = |text: &str| {
                let whole = text.split([',', '.']).next().unwrap_or_default();
                whole.len() == 3 && digits(whole)
            };
            let head = text(last).trim_start_matches(['(', '-', '–', '−', '+']);
            let starts = !head.is_empty() && head.len() <= 3 && digits(head) && !head.starts_with('0');
            let single = last.words.len() == 1;
            if (starts || (!single && group(head))) && group(text(&atom)) && atom.left - last.right < 0.34 * size {
                last.words.end = atom.words.end;
                last.right = atom.right;
                continue;
            }
        }
        out.push(atom);
    }
    out
}

/// Whether the white space between two neighbours of a line is wider than between words of a sentence.
pub(super) fn is_wide(before: &Atom, after: &Atom, size: f32) -> bool {
    let gap = after.left - before.right;
    let needed = match (before.numeric, after.numeric) {
        (true, true) => 0.5,
        (false, true) | (true, false) => 0.85,
        (false, false) => 1.1,
    };
    gap > needed * size.max(1.0)
}

/// Number of stretches between wide gaps.
pub(super) fn stretches(atoms: &[Atom], size: f32) -> usize {
    if atoms.is_empty() {
        return 0;
    }
    1 + atoms
        .windows(2)
        .filter(|pair| is_wide(&pair[0], &pair[1], size))
        .count()
}

/// A stretch of a line in one cell.
#[derive(Debug, Clone)]
pub(super) struct Piece {
    /// First column and the one after the last.
    pub(super) columns: Range<usize>,
    /// Indices into the words of the line.
    pub(super) words: Range<usize>,
    pub(super) left: f32,
    pub(super) right: f32,
    /// Whether all of it is data.
    pub(super) numeric: bool,
}

/// The column a place is in.
pub(super) fn column_at(separators: &[f32], x: f32) -> usize {
    separators.partition_point(|s| *s < x)
}

/// Cuts the atoms of a line at the separators of columns. What runs over a separator without a gap spans columns.
pub(super) fn pieces(line: &Line, atoms: &[Atom], separators: &[f32]) -> Vec<Piece> {
    let size = line.size.max(1.0);
    // No wider than a space: a quarter of the size in most faces, more in those of a typewriter.
    let typewriter = line.words.first().is_some_and(|w| w.fixed_pitch);
    let tight = if typewriter { 0.75 } else { 0.4 };
    let mut last_numeric = false;
    let mut out: Vec<Piece> = Vec::new();
    for atom in atoms {
        // A wide atom that reaches into the next column spans; one that only leans over the edge does not.
        let lean = (0.25 * (atom.right - atom.left)).min(0.6 * size);
        let first = column_at(separators, atom.left + lean);
        let last = column_at(separators, atom.right - lean).max(first);
        if let Some(piece) = out.last_mut() {
            let gap = atom.left - piece.right;
            let same = first < piece.columns.end;
            // The two numbers of a date are no two figures.
            let figures = atom.numeric && last_numeric && !goes_on_date(line, piece.words.end);
            // A sign stands at the edge of its column, however near the label before it ends.
            if same || (gap < tight * size && !figures && !atom.signed) {
                piece.columns.end = piece.columns.end.max(last + 1);
                piece.words.end = atom.words.end;
                piece.right = piece.right.max(atom.right);
                piece.numeric &= atom.numeric;
                last_numeric = atom.numeric;
                continue;
            }
        }
        last_numeric = atom.numeric;
        out.push(Piece {
            columns: first..last + 1,
            words: atom.words.clone(),
            left: atom.left,
            right: atom.right,
            numeric: atom.numeric,
        });
    }
    out
}

/// Whether a word is the year behind a day: "June 30, 2023".
fn goes_on_date(line: &Line, index: usize) -> bool {
    let text = |index: usize| line.words.get(index).map_or("", |word| word.text.as_str());
    let day = |text: &str| {
        text.strip_suffix(',')
            .is_some_and(|day| day.parse::<u8>().is_ok_and(|day| day <= 31))
    };
    index >= 2
        && day(text(index - 1))
        && header::is_year(text(index))
        && text(index - 2).starts_with(char::is_alphabetic)
}

/// A strip of white space that runs through nearly all lines.
struct Strip {
    left: f32,
    right: f32,
    /// Lines in which it is the white space between two neighbours, and in how many of these one is a figure.
    votes: usize,
    numeric: usize,
    /// In how many lines a currency sign at the edge of a column ends it.
    signed: usize,
}

/// Finds where columns part: strips of white space that run through nearly all of the given lines. `all` are further
/// lines of the table; a separator keeps clear of their words where the strip leaves a choice.
pub(super) fn separators(lines: &[&[Atom]], all: &[&[Atom]], size: f32) -> Vec<f32> {
    let size = size.max(1.0);
    let count = lines.len();
    if count < 2 {
        return Vec::new();
    }
    // One line in sixteen may run across.
    let mut strips: Vec<Strip> = free(lines, count / 16)
        .into_iter()
        .filter(|(left, right, _)| right - left >= 0.1 * size)
        .map(|(left, right, _)| Strip {
            left,
            right,
            votes: 0,
            numeric: 0,
            signed: 0,
        })
        .collect();
    // A blank cell leaves white space over several strips: such a line speaks for the widest only, else the gaps
    // between the words of one long label would be columns because all other labels are short.
    for pair in lines.iter().flat_map(|line| line.windows(2)) {
        let (from, to) = (pair[0].right - 0.01, pair[1].left + 0.01);
        let first = strips.partition_point(|s| s.left < from);
        let widest = strips[first..]
            .iter_mut()
            .take_while(|s| s.right <= to)
            .max_by(|a, b| (a.right - a.left).total_cmp(&(b.right - b.left)));
        if let Some(strip) = widest {
            strip.votes += 1;
            strip.numeric += usize::from(pair[0].numeric || pair[1].numeric);
            strip.signed += usize::from(pair[0].numeric && pair[1].signed);
        }
    }
    let cover = free(all, usize::MAX);
    strips
        .into_iter()
        .filter(|strip| {
            let needed = match (strip.numeric * 10 >= strip.votes * 6, strip.votes) {
                // Columns of accounts may touch; the sign tells where one begins.
                (true, _) if strip.signed > 0 => 0.1,
                (true, votes) if votes < 4 => 0.6,
                (true, _) => 0.36,
                (false, votes) if votes < 6 => 1.0,
                (false, _) => 0.7,
            };
            strip.votes >= 2 && strip.votes * 8 >= count && strip.right - strip.left >= needed * size
        })
        .map(|strip| clearest(&strip, &cover))
        .collect()
}

/// Stretches between the edges of atoms with the number of lines that cover them, as far as these are at most
/// `tolerated`; neighbours that qualify are one stretch, which has the least cover.
fn free(lines: &[&[Atom]], tolerated: usize) -> Vec<(f32, f32, usize)> {
    let mut edges: Vec<(f32, i32)> = Vec::new();
    for atom in lines.iter().copied().flatten() {
        edges.push((atom.left, 1));
        edges.push((atom.right.max(atom.left + 0.1), -1));
    }
    edges.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let mut out: Vec<(f32, f32, usize)> = Vec::new();
    let mut cover = 0i32;
    for pair in edges.windows(2) {
        cover += pair[0].1;
        let here = usize::try_from(cover).unwrap_or(0);
        if here > tolerated || pair[1].0 <= pair[0].0 {
            continue;
        }
        match out.last_mut() {
            // With everything tolerated the stretches are wanted one by one.
            Some(last) if tolerated != usize::MAX && pair[0].0 - last.1 < 0.01 => {
                last.1 = pair[1].0;
                last.2 = last.2.min(here);
            }
            _ => out.push((pair[0].0, pair[1].0, here)),
        }
    }
    out
}

/// The middle of the widest part of a strip that the fewest lines cover.
fn clearest(strip: &Strip, cover: &[(f32, f32, usize)]) -> f32 {
    let first = cover.partition_point(|c| c.1 <= strip.left);
    cover[first..]
        .iter()
        .take_while(|c| c.0 < strip.right)
        .map(|c| (c.0.max(strip.left), c.1.min(strip.right), c.2))
        .filter(|c| c.1 - c.0 > 0.1)
        .min_by(|a, b| a.2.cmp(&b.2).then((b.1 - b.0).total_cmp(&(a.1 - a.0))))
        .map_or(f32::midpoint(strip.left, strip.right), |c| f32::midpoint(c.0, c.1))
}

/// The box around some words of a line.
pub(super) fn hull(words: &[RawWord]) -> Rect {
    words
        .iter()
        .map(|w| w.rect)
        .reduce(|a, b| a.union(&b))
        .unwrap_or_default()
}
