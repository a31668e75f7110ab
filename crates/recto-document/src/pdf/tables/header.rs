//! The head of a table: which of its first lines name the columns, and how these lines make rows.

use super::super::lines::Line;
use super::atoms::{self, Piece};
use super::grid::Cell;
use super::rows::RowLine;
use super::rules::Rules;
use recto_core::Rect;
use std::ops::Range;

/// Lines a head has at most.
const MAX_LINES: usize = 12;

/// Number of lines at the top that are the head.
pub(super) fn lines(lines: &[RowLine<'_>], data: &[bool], rules: &Rules, rect: Rect) -> usize {
    let first = lines
        .iter()
        .take(MAX_LINES + 1)
        .position(|line| is_body(line, data))
        .unwrap_or(0);
    if first > MAX_LINES {
        return 0;
    }
    let size = lines.first().map_or(10.0, |l| l.line.size);
    // Labels of the first group of rows stand below the rule under the head. Names are often underlined one by one,
    // and nothing stands over the labels of the rows.
    let figures = figures(lines, data);
    let drawn = (1..=first).rev().find(|&n| {
        let Some(next) = lines.get(n) else { return false };
        let (top, bottom) = (lines[n - 1].line.baseline - 0.3 * size, next.line.baseline - 0.3 * size);
        figures.is_some_and(|(left, right)| rules.underlines(top, bottom, left, right, 0.5))
    });
    if let Some(n) = drawn {
        // Names over several columns are underlined, too: the columns' own follow.
        let over_figures = |line: &RowLine<'_>| line.pieces.iter().any(|p| p.columns.start > 0);
        return (n..first).rev().find(|&i| over_figures(&lines[i])).map_or(n, |i| i + 1);
    }
    let rule_below = (1..=first).rev().find(|&n| {
        let Some(next) = lines.get(n) else { return false };
        let (above, below) = (&lines[n - 1].line, &next.line);
        rules.divides(
            above.baseline - 0.3 * size,
            below.baseline - 0.3 * size,
            rect.left,
            rect.right,
            0.5,
        )
    });
    if let Some(n) = rule_below {
        return n;
    }
    // Without a rule: a label alone, right above the rows, heads a group of them.
    let mut count = first;
    while count > 1
        && lines[count - 1]
            .pieces
            .iter()
            .all(|p| p.columns.start == 0 && p.columns.len() == 1)
    {
        count -= 1;
    }
    if count == 0 && data.iter().any(|d| *d) {
        // Years over figures look like figures.
        let line = &lines[0];
        let below = lines.get(1);
        let ruled = below.is_some_and(|next| {
            rules.divides(
                line.line.baseline,
                next.line.baseline - 0.3 * size,
                rect.left,
                rect.right,
                0.5,
            )
        });
        let heavier = line.line.is_bold() && below.is_some_and(|next| !next.line.is_bold());
        if heads(line) && (ruled || heavier) {
            count = 1;
        }
    }
    count
}

/// From where to where the figures reach.
fn figures(lines: &[RowLine<'_>], data: &[bool]) -> Option<(f32, f32)> {
    lines
        .iter()
        .flat_map(|line| &line.pieces)
        .filter(|p| p.numeric && p.columns.len() == 1 && data.get(p.columns.start) == Some(&true))
        .map(|p| (p.left, p.right))
        .reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
}

/// A line of the body has figures beside a label, or figures that are no years.
pub(super) fn is_body(line: &RowLine<'_>, data: &[bool]) -> bool {
    let of_data = |p: &&Piece| p.columns.len() == 1 && data.get(p.columns.start) == Some(&true);
    let pieces = || line.pieces.iter().filter(of_data);
    pieces().any(|p| is_measure(line, p)) || pieces().any(|p| p.numeric) && !heads(line)
}

/// "11.3 years", "40 million": figures with their unit.
fn is_measure(line: &RowLine<'_>, piece: &Piece) -> bool {
    let words = &line.line.words[piece.words.clone()];
    let [number, unit] = words else { return false };
    piece.columns.start > 0
        && atoms::is_data(&number.text)
        && !is_year(&number.text)
        && matches!(
            unit.text.as_str(),
            "years" | "year" | "months" | "days" | "shares" | "million" | "billion" | "thousand" | "bps" | "times"
        )
}

/// Whether a line can name columns: its figures are years, and words or nothing stand beside them.
fn heads(line: &RowLine<'_>) -> bool {
    let mut others = 0usize;
    let mut years = 0usize;
    for piece in line.pieces.iter().filter(|p| p.columns.start > 0) {
        let text = |index: usize| line.line.words[index].text.as_str();
        if !piece.numeric {
            others += 1;
        } else if piece.words.clone().all(|index| is_year(text(index))) {
            years += 1;
        } else {
            return false;
        }
    }
    let label = line.pieces.first().filter(|p| p.columns.start == 0);
    let bracketed = label.is_none_or(|p| line.line.words[p.words.start].text.starts_with('('));
    others + years > 0 && (bracketed || others > 0 || years >= 2 || label.is_some_and(|p| !p.numeric))
}

/// "2023", "2003-04", "FY2012", "(1)": what columns of figures are called.
pub(super) fn is_year(text: &str) -> bool {
    let text = text.trim_end_matches([',', '*', 'E', 'e', 'P', 'p', 'F', 'A']);
    let head: String = text.chars().take(4).collect();
    let rest = &text[head.len()..];
    let year = head.len() == 4
        && (head.starts_with("19") || head.starts_with("20"))
        && head.chars().all(|c| c.is_ascii_digit());
    let span = rest.is_empty() || (rest.len() <= 5 && rest.starts_with(['-', '–', '/']));
    let counted = text.len() <= 4 && text.starts_with('(') && text.ends_with(')');
    (year && span) || counted
}

/// Widens names to the columns they stand over: those above the rule right below the name, or the two neighbours whose
/// gap it is centred on. `hulls` are the edges of each column's content in the body.
pub(super) fn widen(lines: &mut [RowLine<'_>], rules: &Rules, hulls: &[Option<(f32, f32)>]) {
    let heights: Vec<f32> = lines.iter().map(|l| l.line.baseline).collect();
    let table = (
        hulls.iter().flatten().map(|h| h.0).fold(f32::INFINITY, f32::min),
        hulls.iter().flatten().map(|h| h.1).fold(f32::NEG_INFINITY, f32::max),
    );
    for (index, line) in lines.iter_mut().enumerate() {
        let size = line.line.size.max(1.0);
        let below = heights
            .get(index + 1)
            .map_or(heights[index] + 1.2 * size, |next| next - 0.4 * size);
        for at in 0..line.pieces.len() {
            let (left, right) = (line.pieces[at].left, line.pieces[at].right);
            let taken = |columns: &Range<usize>| {
                line.pieces
                    .iter()
                    .enumerate()
                    .any(|(other, p)| other != at && overlap(&p.columns, columns))
            };
            let under = rules
                .level_between(heights[index] - 0.1 * size, below, left, right)
                .filter(|r| r.from <= left + 0.5 * size && r.to >= right - 0.5 * size)
                .find(|r| r.length() < 0.85 * (table.1 - table.0));
            let own = &line.pieces[at].columns;
            let columns = match under {
                Some(rule) => {
                    let inside = |hull: &Option<(f32, f32)>| {
                        hull.is_some_and(|(l, r)| {
                            let centre = f32::midpoint(l, r);
                            rule.from - 0.5 * size <= centre && centre <= rule.to + 0.5 * size
                        })
                    };
                    let first = hulls.iter().position(inside);
                    let last = hulls.iter().rposition(inside);
                    first
                        .zip(last)
                        .map(|(first, last)| first.min(own.start)..(last + 1).max(own.end))
                }
                None => between(hulls, left, right, size),
            };
            if let Some(columns) = columns.filter(|c| c.len() > own.len() && !taken(c)) {
                line.pieces[at].columns = columns;
            }
        }
    }
}

/// The two columns whose gap something stands in.
fn between(hulls: &[Option<(f32, f32)>], left: f32, right: f32, size: f32) -> Option<Range<usize>> {
    (1..hulls.len()).find_map(|column| {
        let ((a, b), (c, d)) = (hulls[column - 1]?, hulls[column]?);
        let middle = f32::midpoint(a, d);
        let centred = (f32::midpoint(left, right) - middle).abs() < 0.1 * (d - a);
        let clear = b - left < 0.6 * size && right - c < 0.6 * size;
        (column > 1 && centred && clear && left > a && right < d).then_some(column - 1..column + 1)
    })
}

/// The cells of the head, and how many rows they take.
pub(super) fn cells(lines: &[RowLine<'_>], rules: &Rules, rect: Rect) -> (Vec<Cell>, usize) {
    let mut out = Vec::new();
    let mut row = 0;
    let mut start = 0;
    let units = units(lines);
    for end in 1..=lines.len() {
        let size = lines[start].line.size;
        let ends = lines.get(end).is_none_or(|next| {
            if units == Some(end) {
                return true;
            }
            let above = &lines[end - 1].line;
            rules.divides(
                above.baseline - 0.2 * size,
                next.line.baseline - 0.4 * size,
                rect.left,
                rect.right,
                0.7,
            )
        });
        if ends {
            row += section(&lines[start..end], rules, row, &mut out);
            start = end;
        }
    }
    (out, row)
}

/// The first of the lines at the foot of a head that only say something of several columns together, as their units do,
/// below the names of single ones.
fn units(lines: &[RowLine<'_>]) -> Option<usize> {
    let single = |line: &RowLine<'_>| line.pieces.iter().any(|p| p.columns.start > 0 && p.columns.len() == 1);
    let first = lines.iter().rposition(single)? + 1;
    (first < lines.len()).then_some(first)
}

/// One part of the head between rules: names that span columns stand above the columns' own.
fn section(lines: &[RowLine<'_>], rules: &Rules, first_row: usize, out: &mut Vec<Cell>) -> usize {
    // Rows of spanning names.
    let mut levels: Vec<Vec<Cell>> = Vec::new();
    let mut last_spanner: Vec<(Range<usize>, usize)> = Vec::new();
    let mut previous_line: Option<usize> = None;
    for (index, line) in lines.iter().enumerate() {
        let spanners: Vec<_> = line.pieces.iter().filter(|p| p.columns.len() > 1).collect();
        if spanners.is_empty() {
            continue;
        }
        let follows = previous_line.is_some_and(|p| p + 1 == index);
        let same = follows
            && levels.last().is_some_and(|level| {
                spanners.iter().all(|p| {
                    level.iter().any(|cell| {
                        let above = cell.lines.last().map_or(0.0, |l| l.baseline);
                        let ruled = rules
                            .level_between(above, line.line.baseline - 0.4 * line.line.size, p.left, p.right)
                            .next()
                            .is_some();
                        overlap(&cell.columns, &p.columns) && !ruled
                    })
                })
            });
        if !same {
            levels.push(Vec::new());
        }
        let level = levels.last_mut().expect("BUG: a level was just pushed");
        for piece in spanners {
            let words = Line::new(line.line.words[piece.words.clone()].to_vec());
            match level.iter_mut().find(|cell| overlap(&cell.columns, &piece.columns)) {
                Some(cell) => {
                    cell.columns = cell.columns.start.min(piece.columns.start)..cell.columns.end.max(piece.columns.end);
                    cell.lines.push(words);
                }
                None => level.push(cell(first_row, piece.columns.clone(), words)),
            }
            last_spanner.push((piece.columns.clone(), index));
        }
        previous_line = Some(index);
    }
    let count = levels.len();
    for (depth, level) in levels.into_iter().enumerate() {
        for mut cell in level {
            cell.rows = first_row + depth..first_row + depth + 1;
            out.push(cell);
        }
    }
    // The columns' own names: all lines below the last name that spans the column.
    let base = first_row + count;
    let mut own: Vec<Cell> = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        for piece in line.pieces.iter().filter(|p| p.columns.len() == 1) {
            let words = Line::new(line.line.words[piece.words.clone()].to_vec());
            let covered_below = last_spanner
                .iter()
                .find(|(columns, at)| columns.contains(&piece.columns.start) && *at >= index);
            if covered_below.is_some() {
                // Above a name that spans: a name of its own, in the first row.
                out.push(cell(first_row, piece.columns.clone(), words));
                continue;
            }
            match own.iter_mut().find(|c| c.columns == piece.columns) {
                Some(known) => known.lines.push(words),
                None => own.push(cell(base, piece.columns.clone(), words)),
            }
        }
    }
    let rows = count + usize::from(!own.is_empty());
    out.extend(own);
    rows.max(1)
}

fn overlap(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start < b.end && b.start < a.end
}

fn cell(row: usize, columns: Range<usize>, line: Line) -> Cell {
    Cell {
        rows: row..row + 1,
        columns,
        column_header: true,
        row_header: false,
        lines: vec![line],
    }
}
