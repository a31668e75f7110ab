//! Tables among the lines of a column: what stands below each other, with white space between.

use super::super::graphics::Rule;
use super::super::lines::Line;
use super::super::words::RawWord;
use super::atoms::{self, Atom};
use super::grid::{Cell, Table};
use super::header;
use super::rows::{self, RowLine};
use super::rules::{Rules, is_edge};
use crate::text::marker;
use recto_core::Rect;
use std::ops::Range;

/// Fewest rows of a table that no rules frame.
const MIN_ROWS: usize = 3;
/// Distance of baselines, in font sizes, over which rows still belong together.
const MAX_PITCH: f32 = 3.6;
/// Lines between two rows that may be labels.
const MAX_LABELS: usize = 4;
/// Most words of a cell, on average, in a table without figures.
const MAX_CELL_WORDS: usize = 7;
/// Lines of a cell of the last row at most.
const MAX_CELL_LINES: usize = 24;
/// Words from which on a line can be told to be one of a sentence.
const MIN_SENTENCE: usize = 6;
/// White space over the head of a second table, in usual distances of lines.
const NEW_TABLE: f32 = 1.5;
/// Rules of one length below each other that make bands.
const MIN_BAND_RULES: usize = 4;
/// Coloured stripes below each other that make a table.
const MIN_STRIPES: usize = 3;
/// Height of a row with several lines, in usual ones: between stripes further apart the table ends.
const MAX_STRIPE: f32 = 3.4;

/// Longest stretch of lines that is searched for a place to part it.
const MAX_CUT_LINES: usize = 250;

/// A part of a column, in reading order.
#[derive(Debug)]
pub(crate) enum Part {
    Lines(Vec<Line>),
    Table(Table),
}

/// Finds the tables among the lines of a column.
pub(crate) fn split(lines: Vec<Line>, rules: &Rules) -> Vec<Part> {
    let mut found: Vec<(Range<usize>, Table)> = Vec::new();
    {
        let column = Column::new(&lines, rules);
        for run in column.runs() {
            column.tables(run, 0..lines.len(), 0, &mut found);
        }
    }
    if found.is_empty() {
        return vec![Part::Lines(lines)];
    }
    found.sort_by_key(|(range, _)| range.start);
    let mut out = Vec::new();
    let mut lines = lines.into_iter();
    let mut at = 0;
    for (range, table) in found {
        let before: Vec<Line> = lines.by_ref().take(range.start - at).collect();
        if !before.is_empty() {
            out.push(Part::Lines(before));
        }
        for _ in range.clone() {
            lines.next();
        }
        at = range.end;
        out.push(Part::Table(table));
    }
    let rest: Vec<Line> = lines.collect();
    if !rest.is_empty() {
        out.push(Part::Lines(rest));
    }
    out
}

struct Column<'a> {
    lines: &'a [Line],
    atoms: Vec<Vec<Atom>>,
    /// Stretches of each line between wide gaps.
    stretches: Vec<usize>,
    rules: &'a Rules,
    rect: Rect,
    /// For each line, whether its words stand as far apart as in a sentence, wide as that may be in justified text.
    even: Vec<bool>,
    /// For each line, whether bands of rules or colour hold it.
    banded: Vec<bool>,
    /// For each line, whether it stands among coloured stripes.
    striped: Vec<bool>,
}

impl<'a> Column<'a> {
    fn new(lines: &'a [Line], rules: &'a Rules) -> Self {
        let atoms: Vec<Vec<Atom>> = lines.iter().map(atoms::of).collect();
        let stretches = lines
            .iter()
            .zip(&atoms)
            .map(|(line, atoms)| atoms::stretches(atoms, line.size))
            .collect();
        let rect = lines
            .iter()
            .map(|l| l.rect)
            .reduce(|a, b| a.union(&b))
            .unwrap_or_default();
        let mut column = Self {
            lines,
            atoms,
            stretches,
            even: lines.iter().map(is_even).collect(),
            rules,
            rect,
            banded: vec![false; lines.len()],
            striped: vec![false; lines.len()],
        };
        column.find_bands();
        column
    }

    /// Marks the lines between rules of one length, several below each other.
    fn find_bands(&mut self) {
        let (left, right) = (self.rect.left, self.rect.right);
        let mut rules: Vec<_> = self
            .rules
            .level_between(self.rect.top - 20.0, self.rect.bottom + 20.0, left, right)
            .filter(|r| r.length() > 0.3 * (right - left))
            .copied()
            .collect();
        let whole = |at: f32| (at / 6.0).round() as i32;
        rules.sort_by(|a, b| {
            (whole(a.from), whole(a.to))
                .cmp(&(whole(b.from), whole(b.to)))
                .then(a.at.total_cmp(&b.at))
        });
        let size = self.lines.first().map_or(10.0, |l| l.size);
        let mut start = 0;
        for end in 1..=rules.len() {
            let ends = rules.get(end).is_none_or(|next| {
                let last = rules[end - 1];
                (whole(last.from), whole(last.to)) != (whole(next.from), whole(next.to))
                    || next.at - last.at > 14.0 * size
            });
            if ends {
                let chain = &rules[start..end];
                if chain.len() >= MIN_BAND_RULES {
                    for pair in chain.windows(2) {
                        self.mark_band(pair[0].at, pair[1].at);
                    }
                    self.mark_stripes(chain);
                }
                start = end;
            }
        }
    }

    /// Marks all lines from the first to the last of the coloured stripes under every other row, also those without
    /// figures: a note about shares, an empty row.
    fn mark_stripes(&mut self, edges: &[Rule]) {
        let mut heights: Vec<f32> = edges.windows(2).map(|pair| pair[1].at - pair[0].at).collect();
        heights.sort_by(f32::total_cmp);
        let usual = heights[heights.len() / 2];
        let mut start = 0;
        for end in 1..=edges.len() {
            let goes_on = edges.get(end).is_some_and(|next| {
                let last = &edges[end - 1];
                is_edge(next) && is_edge(last) && next.colour == last.colour && next.at - last.at <= MAX_STRIPE * usual
            });
            if goes_on {
                continue;
            }
            // Two edges for each stripe.
            if end - start >= 2 * MIN_STRIPES {
                let (top, bottom) = (edges[start].at, edges[end - 1].at);
                let first = self.lines.partition_point(|line| line.rect.centre().1 <= top);
                let last = self.lines.partition_point(|line| line.rect.centre().1 < bottom);
                let rows = (first..last).filter(|index| self.is_row(*index)).count();
                if rows >= MIN_ROWS && rows * 2 >= last - first {
                    self.banded[first..last].fill(true);
                    self.striped[first..last].fill(true);
                }
            }
            start = end;
        }
    }

    /// Marks the lines between two heights as a band when one of them is a row.
    fn mark_band(&mut self, top: f32, bottom: f32) {
        let first = self.lines.partition_point(|line| line.baseline <= top);
        let lines = first..first + self.lines[first..].partition_point(|line| line.rect.centre().1 < bottom);
        if lines.clone().any(|index| self.is_row(index)) {
            self.banded[lines].fill(true);
        }
    }

    fn is_row(&self, index: usize) -> bool {
        if self.stretches[index] < 2 || self.even[index] {
            return false;
        }
        // "•   text" and "1.   Introduction" are a marker and its text.
        let words = &self.lines[index].words;
        let led = self.stretches[index] == 2 && {
            let text: Vec<&str> = words.iter().map(|w| w.text.as_str()).collect();
            let text = text.join(" ");
            marker::bullet(&text).is_some() || marker::numbered(&text).is_some()
        };
        !led
    }

    /// "Table 5." and the like begin something new.
    fn is_title(&self, index: usize) -> bool {
        let words = &self.lines[index].words;
        let [first, second, ..] = words.as_slice() else {
            return false;
        };
        let named = [
            "table", "exhibit", "figure", "chart", "tabelle", "tableau", "tabla", "tabella", "box", "panel",
        ]
        .contains(&first.text.to_lowercase().as_str());
        named
            && second
                .text
                .chars()
                .any(|c| c.is_ascii_digit() || c.is_ascii_uppercase())
            && self.stretches[index] <= 2
    }

    /// Stretches of lines that may be tables: rows, and labels between them.
    fn runs(&self) -> Vec<Range<usize>> {
        let mut out = Vec::new();
        let mut index = 0;
        while index < self.lines.len() {
            if !(self.is_row(index) || self.banded[index]) || self.is_title(index) {
                index += 1;
                continue;
            }
            let start = index;
            let mut end = index + 1;
            let mut at = index + 1;
            let mut labels = 0;
            while at < self.lines.len()
                && (self.near(at - 1, at) || self.striped[at] && self.striped[at - 1])
                && !self.is_title(at)
            {
                let both_banded = self.banded[at] && self.banded[at - 1];
                if self.is_row(at) || both_banded {
                    labels = 0;
                    end = at + 1;
                } else if labels < MAX_LABELS && self.is_label(at) {
                    labels += 1;
                } else {
                    break;
                }
                at += 1;
            }
            out.push(start..end);
            index = end;
        }
        out
    }

    fn near(&self, above: usize, below: usize) -> bool {
        let (above, below) = (&self.lines[above], &self.lines[below]);
        below.baseline - above.baseline <= MAX_PITCH * above.size.max(below.size)
    }

    fn is_label(&self, index: usize) -> bool {
        let line = &self.lines[index];
        line.rect.width() <= 0.66 * self.rect.width()
    }

    /// Makes tables of a stretch, in parts where it has several. What lies without `bounds` belongs to another part.
    fn tables(&self, run: Range<usize>, bounds: Range<usize>, depth: u32, out: &mut Vec<(Range<usize>, Table)>) {
        let rows = run.clone().filter(|i| self.is_row(*i)).count();
        if rows < 2 {
            return;
        }
        let parts = || {
            let parts = self.cut(run.clone());
            parts.or_else(|| self.second_head(run.clone(), &bounds))
        };
        if let Some(at) = (depth < 4).then(parts).flatten() {
            self.tables(run.start..at, bounds.start..at, depth + 1, out);
            self.tables(at..run.end, at..bounds.end, depth + 1, out);
            return;
        }
        if let Some(found) = self.table(run, &bounds) {
            let overlaps = out.iter().any(|(r, _)| r.start < found.0.end && found.0.start < r.end);
            if !overlaps {
                out.push(found);
            }
        }
    }

    /// Where a stretch falls into two tables: at a wide gap, if both sides then have more columns.
    fn cut(&self, run: Range<usize>) -> Option<usize> {
        // Every place costs a look at all lines.
        if run.len() > MAX_CUT_LINES {
            return None;
        }
        let whole = self.spaces(run.clone()).len();
        (run.start + 2..run.end.saturating_sub(1))
            .filter_map(|at| {
                let (above, below) = (&self.lines[at - 1], &self.lines[at]);
                let pitch = (below.baseline - above.baseline) / above.size.max(below.size).max(1.0);
                (pitch > 1.9 || !self.is_row(at)).then_some((at, pitch))
            })
            .filter(|(at, _)| {
                let (a, b) = (self.spaces(run.start..*at).len(), self.spaces(*at..run.end).len());
                let rows = |r: Range<usize>| r.filter(|i| self.is_row(*i)).count();
                a.min(b) > whole && rows(run.start..*at) >= MIN_ROWS && rows(*at..run.end) >= MIN_ROWS
            })
            .max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)))
            .map(|(at, _)| at)
    }

    /// Where a second table begins: the head comes again, or other names stand underlined over the figures below white
    /// space.
    fn second_head(&self, run: Range<usize>, bounds: &Range<usize>) -> Option<usize> {
        let separators = self.separators(run.clone());
        if separators.is_empty() {
            return None;
        }
        let run = self.extend(self.trim(run, &separators)?, bounds, &separators);
        let lines: Vec<RowLine<'_>> = run.clone().map(|i| self.row_line(i, &separators)).collect();
        let data = rows::data_columns(&lines, separators.len() + 1);
        let head = header::lines(&lines, &data, self.rules, self.hull(run.clone()));
        let left = hulls(&lines[head..], separators.len() + 1).get(1).copied().flatten()?.0;
        let mut pitches: Vec<f32> = lines
            .windows(2)
            .map(|pair| pair[1].line.baseline - pair[0].line.baseline)
            .collect();
        pitches.sort_by(f32::total_cmp);
        let usual = pitches.get(pitches.len() / 2).copied()?;
        let named = |line: &&RowLine<'_>| line.pieces.len() >= 2 && line.pieces.iter().all(|p| p.columns.start > 0);
        let again = |line: &RowLine<'_>| {
            lines[..head].iter().filter(named).any(|names| {
                let (a, b) = (&names.line.words, &line.line.words);
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.text == b.text)
            })
        };
        let over_figures = |line: &RowLine<'_>| {
            let size = line.line.size.max(1.0);
            line.pieces.iter().all(|p| p.left > left - 3.0 * size) && !header::is_body(line, &data)
        };
        let underlined = |index: usize| {
            let Some(next) = lines.get(index + 1) else { return false };
            let (line, size) = (lines[index].line, lines[index].line.size.max(1.0));
            let (top, bottom) = (line.baseline - 0.1 * size, next.line.baseline - 0.3 * size);
            self.rules.underlines(top, bottom, line.rect.left, line.rect.right, 0.5)
        };
        let rows = |range: Range<usize>| range.filter(|i| header::is_body(&lines[*i], &data)).count();
        (head..lines.len()).find_map(|index| {
            let again = again(&lines[index]);
            if !(again || over_figures(&lines[index]) && underlined(index)) {
                return None;
            }
            // Further lines of the head above it.
            let most = if again { head.saturating_sub(1) } else { MAX_LABELS };
            let floor = index.saturating_sub(most).max(head);
            let mut at = index;
            while at > floor && self.near(run.start + at - 1, run.start + at) && over_figures(&lines[at - 1]) {
                at -= 1;
            }
            let white = at > 0 && {
                let (above, below) = (lines[at - 1].line, lines[at].line);
                let sentence = self.even[run.start + at - 1] && above.words.len() >= MIN_SENTENCE;
                sentence || below.baseline - above.baseline > NEW_TABLE * usual
            };
            let tables = rows(head..at) >= 2 && rows(at..lines.len()) >= 2;
            (tables && (again || white)).then_some(run.start + at)
        })
    }

    /// Separators of the columns in a stretch of lines.
    fn separators(&self, run: Range<usize>) -> Vec<f32> {
        self.settle(run.clone(), self.spaces(run))
    }

    /// Moves separators to where lines under single columns say that these begin, and adds those that white space alone
    /// does not show: a currency sign stands at the edge of its column, right behind a long label.
    fn settle(&self, run: Range<usize>, mut separators: Vec<f32>) -> Vec<f32> {
        let (rect, size) = (self.hull(run.clone()), self.size(run.clone()));
        let marked = self.rules.columns(&rect, size);
        if marked.is_empty() || separators.is_empty() {
            return separators;
        }
        // A name over several columns may run across.
        let rows = run.clone().filter(|i| self.is_row(*i)).count();
        let cover = |x: f32| {
            let over = |atom: &Atom| atom.left < x && atom.right > x;
            run.clone()
                .filter(|i| self.is_row(*i) && self.atoms[*i].iter().any(over))
                .count()
        };
        let mut edge = rect.left;
        for (left, right) in marked {
            let before = edge;
            edge = right;
            // A line over several columns says nothing about where one begins.
            if separators.iter().any(|s| *s > left + size && *s < right - size) {
                continue;
            }
            let last = separators.iter().rposition(|s| *s > before - size && *s <= left + size);
            let from = last.map_or(before, |index| separators[index]);
            // Entries of another column that no line marks.
            let another = run.clone().filter(|i| self.is_row(*i)).any(|i| {
                self.atoms[i]
                    .windows(2)
                    .any(|pair| pair[1].left > from && pair[1].right < left && atoms::is_wide(&pair[0], &pair[1], size))
            });
            let (best, crossed) = [0.0, -0.5, 0.5, -1.0, -1.5, -2.0]
                .into_iter()
                .map(|step: f32| left + 0.25 * size * step)
                .filter(|x| *x > from || last.is_some())
                .map(|x| (x, cover(x)))
                .min_by_key(|(_, lines)| *lines)
                .unwrap_or((left, usize::MAX));
            match last {
                Some(index) if !another && crossed <= cover(separators[index]) => separators[index] = best,
                Some(index) if another && left - separators[index] > size && crossed * 5 <= rows => {
                    separators.insert(index + 1, best);
                }
                None if left > rect.left + size && crossed * 5 <= rows => {
                    let at = separators.partition_point(|s| *s < best);
                    separators.insert(at, best);
                }
                _ => {}
            }
        }
        separators
    }

    /// Separators where white space shows them.
    fn spaces(&self, run: Range<usize>) -> Vec<f32> {
        let most = run.clone().map(|i| self.stretches[i]).max().unwrap_or(0);
        let mut counts: Vec<usize> = run
            .clone()
            .filter(|i| self.is_row(*i))
            .map(|i| self.stretches[i])
            .collect();
        counts.sort_unstable();
        // The usual number of stretches: a head or a stray line may have more.
        let usual = counts.get(counts.len() * 3 / 4).copied().unwrap_or(most);
        let size = self.size(run.clone());
        let strong: Vec<&[Atom]> = run
            .clone()
            .filter(|i| self.is_row(*i) && self.stretches[*i] * 2 > usual)
            .map(|i| self.atoms[i].as_slice())
            .collect();
        let all: Vec<&[Atom]> = run.clone().map(|i| self.atoms[i].as_slice()).collect();
        let first = atoms::separators(&strong, &all, size);
        if first.is_empty() {
            return first;
        }
        // Lines that keep to these columns may show where further ones are.
        let keeping: Vec<&[Atom]> = run
            .filter(|i| {
                let spans = |piece: &atoms::Piece| piece.columns.len() > 1;
                !atoms::pieces(&self.lines[*i], &self.atoms[*i], &first)
                    .iter()
                    .any(spans)
            })
            .map(|i| self.atoms[i].as_slice())
            .collect();
        let second = atoms::separators(&keeping, &all, size);
        if second.len() >= first.len() { second } else { first }
    }

    fn size(&self, run: Range<usize>) -> f32 {
        let mut sizes: Vec<f32> = self.lines[run].iter().map(|l| l.size).collect();
        sizes.sort_by(f32::total_cmp);
        sizes.get(sizes.len() / 2).copied().unwrap_or(10.0)
    }

    fn hull(&self, run: Range<usize>) -> Rect {
        self.lines[run]
            .iter()
            .map(|l| l.rect)
            .reduce(|a, b| a.union(&b))
            .unwrap_or_default()
    }

    fn row_line(&self, index: usize, separators: &[f32]) -> RowLine<'_> {
        let line = &self.lines[index];
        RowLine {
            line,
            pieces: atoms::pieces(line, &self.atoms[index], separators),
        }
    }

    fn table(&self, run: Range<usize>, bounds: &Range<usize>) -> Option<(Range<usize>, Table)> {
        let separators = self.separators(run.clone());
        if separators.is_empty() {
            return None;
        }
        let run = self.trim(run, &separators)?;
        let run = self.extend(run, bounds, &separators);
        let columns = separators.len() + 1;
        let mut lines: Vec<RowLine<'_>> = run.clone().map(|i| self.row_line(i, &separators)).collect();
        if self.rules.is_chart(&self.hull(run.clone()), self.size(run.clone()))
            || self.is_legend(run.clone())
            || !self.is_table(&lines, run.clone(), columns)
        {
            return None;
        }
        let rect = self.hull(run.clone());
        let data = rows::data_columns(&lines, columns);
        let head = header::lines(&lines, &data, self.rules, rect);
        let hulls = hulls(&lines[head..], columns);
        header::widen(&mut lines[..head], self.rules, &hulls);
        let (mut cells, head_rows) = if head > 0 {
            header::cells(&lines[..head], self.rules, rect)
        } else {
            (Vec::new(), 0)
        };
        let body = &lines[head..];
        let bands = self.has_bands(body, rect, &data, columns);
        let starts = rows::starts(body, columns, self.rules, rect, bands);
        let mut row = head_rows;
        for (index, (line, starts)) in body.iter().zip(starts).enumerate() {
            if starts && index > 0 {
                row += 1;
            }
            for piece in &line.pieces {
                let words = Line::new(line.line.words[piece.words.clone()].to_vec());
                let known = cells.iter_mut().rev().take(columns + 1).find(|c| {
                    c.rows.start == row && c.columns.start < piece.columns.end && piece.columns.start < c.columns.end
                });
                match known {
                    Some(cell) => {
                        cell.columns =
                            cell.columns.start.min(piece.columns.start)..cell.columns.end.max(piece.columns.end);
                        cell.lines.push(words);
                    }
                    None => cells.push(Cell {
                        rows: row..row + 1,
                        columns: piece.columns.clone(),
                        column_header: false,
                        row_header: false,
                        lines: vec![words],
                    }),
                }
            }
        }
        let mut table = Table::new(cells)?;
        if table.columns < 2 || table.rows < 2 {
            return None;
        }
        table.mark_headers(head_rows.min(table.rows - 1));
        Some((run, table))
    }

    /// Whether short lines stand before most words as high as the letters do: they show what the lines of a chart mean.
    fn is_legend(&self, run: Range<usize>) -> bool {
        let samples: usize = run
            .clone()
            .map(|index| {
                let line = &self.lines[index];
                let (size, middle) = (line.size.max(1.0), line.rect.centre().1);
                self.rules
                    .level_between(
                        middle - 0.25 * size,
                        middle + 0.25 * size,
                        line.rect.left - 6.0 * size,
                        line.rect.right,
                    )
                    .filter(|rule| !is_edge(rule) && rule.length() > 0.8 * size && rule.length() < 6.0 * size)
                    .filter(|rule| {
                        let runs_through =
                            |word: &RawWord| word.rect.left < rule.to - 0.5 && word.rect.right > rule.from + 0.5;
                        !line.words.iter().any(runs_through)
                    })
                    .count()
            })
            .sum();
        samples >= 3 && samples * 2 >= run.len()
    }

    /// Whether rules part most rows of the body.
    fn has_bands(&self, body: &[RowLine<'_>], rect: Rect, data: &[bool], columns: usize) -> bool {
        let mut bands = 1usize;
        let mut crowded = 0usize;
        let mut figures = 0usize;
        for (index, line) in body.iter().enumerate() {
            if index > 0 {
                let above = body[index - 1].line;
                let size = line.line.size;
                if self.rules.divides(
                    above.baseline - 0.3 * size,
                    line.line.baseline - 0.3 * size,
                    rect.left,
                    rect.right,
                    0.5,
                ) {
                    bands += 1;
                    figures = 0;
                }
            }
            let has = (0..columns).any(|c| data[c] && line.pieces.iter().any(|p| p.numeric && p.columns == (c..c + 1)));
            figures += usize::from(has);
            crowded += usize::from(has && figures == 2);
        }
        bands >= 3 && crowded * 3 <= bands
    }

    /// Leaves out lines at both ends that run across the columns.
    fn trim(&self, run: Range<usize>, separators: &[f32]) -> Option<Range<usize>> {
        let keeps = |index: usize| {
            let line = self.row_line(index, separators);
            // A note runs over columns with many words; a name over columns has few.
            let runs =
                |p: &atoms::Piece| p.columns.len() > separators.len() || (p.columns.len() > 1 && p.words.len() > 8);
            line.pieces.len() >= 2 && !line.pieces.iter().any(runs)
        };
        let first = run.clone().find(|i| keeps(*i))?;
        let last = run.clone().rev().find(|i| keeps(*i))?;
        (first < last).then_some(first..last + 1)
    }

    /// Takes in the head above and what belongs to the last row below.
    fn extend(&self, run: Range<usize>, bounds: &Range<usize>, separators: &[f32]) -> Range<usize> {
        let lines: Vec<RowLine<'_>> = run.clone().map(|i| self.row_line(i, separators)).collect();
        let columns = separators.len() + 1;
        let hulls = hulls(&lines, columns);
        let content = (
            hulls.iter().flatten().map(|h| h.0).fold(f32::INFINITY, f32::min),
            hulls.iter().flatten().map(|h| h.1).fold(f32::NEG_INFINITY, f32::max),
        );
        let data_left = hulls.get(1).copied().flatten().map_or(content.0, |h| h.0);
        let mut start = run.start;
        while start > bounds.start && self.near(start - 1, start) && !self.is_title(start - 1) {
            let candidate = start - 1;
            let line = self.row_line(candidate, separators);
            let size = line.line.size.max(1.0);
            // A rule over the head closes the table.
            let closed = self.rules.divides(
                line.line.baseline - 0.1 * size,
                self.lines[start].baseline - 0.4 * size,
                content.0,
                content.1,
                0.9,
            );
            let has_head = start < run.start || {
                let data = rows::data_columns(&lines, columns);
                header::lines(&lines, &data, self.rules, atoms::hull(&self.lines[run.start].words)) > 0
            };
            if closed && has_head {
                break;
            }
            let across = line.pieces.iter().any(|p| p.columns.start == 0 && p.columns.len() > 1);
            let over_data = line
                .pieces
                .iter()
                .all(|p| p.left > data_left - 3.0 * size && p.columns.end > 1);
            let row = line.pieces.len() >= 2 && !across;
            let outside = line.line.rect.left < content.0 - 2.0 * size || line.line.rect.right > content.1 + 2.0 * size;
            let bracketed = line.line.words.first().is_some_and(|w| w.text.starts_with('('))
                && line.pieces.len() == 1
                && line
                    .line
                    .words
                    .iter()
                    .any(|w| w.text.eq_ignore_ascii_case("in") || w.text.eq_ignore_ascii_case("(in"));
            if outside || bracketed || !(row || over_data) {
                break;
            }
            // Sentences have many words.
            let sentence = self.even[candidate] && line.line.words.len() >= 8;
            if sentence || line.line.words.len() > 8 * columns {
                break;
            }
            start = candidate;
        }
        // Units and remarks in brackets stand over the head, not in it.
        while start < run.start {
            let line = self.row_line(start, separators);
            let words = &line.line.words;
            let bracketed = line.pieces.len() == 1
                && words.first().is_some_and(|w| w.text.starts_with('('))
                && words.last().is_some_and(|w| w.text.ends_with(')'));
            if !bracketed {
                break;
            }
            start += 1;
        }
        start..self.extend_down(run, bounds.end, separators)
    }

    /// Lines below that go on in cells of the last row: no label, close to the line above.
    fn extend_down(&self, run: Range<usize>, bound: usize, separators: &[f32]) -> usize {
        let mut end = run.end;
        while end < bound.min(run.end + MAX_CELL_LINES) {
            let (above, below) = (&self.lines[end - 1], &self.lines[end]);
            let line = self.row_line(end, separators);
            let size = below.size.max(1.0);
            let last = self.row_line(run.end - 1, separators);
            let goes_on = !line.pieces.is_empty()
                && below.baseline - above.baseline < 1.45 * size
                && line.pieces.iter().all(|p| {
                    p.columns.start > 0
                        && p.columns.len() == 1
                        && !p.numeric
                        && last
                            .pieces
                            .iter()
                            .any(|l| l.columns == p.columns && !l.numeric && (l.left - p.left).abs() < size)
                });
            let ruled = self.rules.divides(
                above.baseline - 0.3 * size,
                below.baseline - 0.3 * size,
                above.rect.left,
                above.rect.right,
                0.5,
            );
            if !goes_on || ruled {
                break;
            }
            end += 1;
        }
        end
    }

    /// Whether columns are columns: enough rows, pieces below each other, short cells.
    fn is_table(&self, lines: &[RowLine<'_>], run: Range<usize>, columns: usize) -> bool {
        let rows: Vec<&RowLine<'_>> = lines.iter().filter(|l| l.pieces.len() >= 2).collect();
        let across = lines
            .iter()
            .filter(|l| l.pieces.iter().any(|p| p.columns.len() > 1))
            .count();
        let framed = self.framed(self.hull(run.clone()));
        let banded = self.banded[run].iter().filter(|b| **b).count() * 2 > lines.len();
        if rows.len() < if framed || banded { 2 } else { MIN_ROWS } || across * 2 > lines.len() {
            return false;
        }
        let pieces = || {
            rows.iter()
                .flat_map(|l| &l.pieces)
                .filter(|p| p.columns.start > 0 && p.columns.len() == 1)
        };
        let all = pieces().count();
        let numeric = pieces().filter(|p| p.numeric).count();
        let words: usize = pieces().map(|p| p.words.len()).sum();
        let size = rows.iter().map(|l| l.line.size).fold(0.0, f32::max);
        let aligned = (1..columns)
            .filter(|c| {
                let places: Vec<(f32, f32)> = pieces()
                    .filter(|p| p.columns.start == *c)
                    .map(|p| (p.left, p.right))
                    .collect();
                is_aligned(&places, size)
            })
            .count();
        if aligned * 2 < columns - 1 || all < 3 {
            return false;
        }
        if self.is_contents(&rows, columns) {
            return false;
        }
        if numeric * 2 >= all {
            return true;
        }
        let short = words <= MAX_CELL_WORDS * all;
        if banded {
            return true;
        }
        if framed {
            return short && (columns > 2 || rows.len() >= MIN_ROWS);
        }
        // Text in columns without rules: names and addresses stand like that, too. Only a heavier head tells.
        let filled = rows.iter().map(|l| l.pieces.len()).sum::<usize>();
        let headed = rows[0].line.is_bold() && rows[1..].iter().filter(|l| l.line.is_bold()).count() * 5 <= rows.len();
        headed
            && columns >= 3
            && short
            && rows.len() >= 4
            && filled * 10 >= rows.len() * columns * 6
            && aligned * 4 >= (columns - 1) * 3
    }

    /// Whether rules as wide as the table run above or below it and within.
    fn framed(&self, rect: Rect) -> bool {
        let size = self.lines.first().map_or(10.0, |l| l.size);
        let wide = self
            .rules
            .level_between(rect.top - 1.5 * size, rect.bottom + 1.5 * size, rect.left, rect.right)
            .filter(|r| r.to.min(rect.right) - r.from.max(rect.left) > 0.7 * rect.width())
            .filter(|r| r.length() < 1.3 * rect.width())
            .count();
        wide >= 2
    }

    /// A printed table of contents: labels with ascending page numbers, or leaders.
    fn is_contents(&self, rows: &[&RowLine<'_>], columns: usize) -> bool {
        let leaders = rows
            .iter()
            .filter(|l| {
                let dots = |w: &&RawWord| {
                    w.text.len() >= 4
                        && (atoms::is_leader(&w.text) || w.text.ends_with("....") || w.text.ends_with("…"))
                };
                l.line.words.iter().any(|w| dots(&w)) || l.line.words.iter().filter(|w| w.text == ".").count() >= 4
            })
            .count();
        let numbers: Vec<Option<u32>> = rows
            .iter()
            .map(|l| {
                let last = l.line.words.last()?;
                last.text.parse::<u32>().ok().filter(|n| *n < 10_000)
            })
            .collect();
        let known: Vec<u32> = numbers.iter().flatten().copied().collect();
        let ascending = known.len() * 5 >= rows.len() * 4 && known.windows(2).all(|pair| pair[0] <= pair[1]);
        let numeric_columns = rows
            .iter()
            .map(|l| l.pieces.iter().filter(|p| p.numeric && p.columns.start > 0).count())
            .max()
            .unwrap_or(0);
        let varies = known.first() != known.last();
        (leaders * 2 >= rows.len() && numeric_columns <= 1)
            || (ascending && varies && numeric_columns <= 1 && columns <= 3 && rows.len() >= 4)
    }
}

/// Whether all words of a line stand about as far from each other as the usual two do.
fn is_even(line: &Line) -> bool {
    let words = &line.words;
    let numeric = words.iter().filter(|w| atoms::is_data(&w.text)).count();
    if words.len() < MIN_SENTENCE || numeric * 3 > words.len() {
        return false;
    }
    let gaps: Vec<f32> = words
        .windows(2)
        .map(|pair| pair[1].rect.left - pair[0].rect.right)
        .collect();
    let mut sorted = gaps.clone();
    sorted.sort_by(f32::total_cmp);
    // The words of a label stand close together; half of the gaps of a row may be those between its columns.
    let usual = sorted[sorted.len() / 4].max(0.1 * line.size);
    // A figure at the end that stands a little apart is one of a long label's row.
    let apart = |(word, gap): (&RawWord, &f32)| atoms::is_data(&word.text) && *gap > 1.6 * usual;
    // The names of columns stand evenly, too, but further apart than any justified words.
    sorted[sorted.len() - 1] <= (2.5 * usual).min(1.6 * line.size) && !words.last().zip(gaps.last()).is_some_and(apart)
}

/// Left and right edge of what each column holds; `None` for a column that holds nothing alone.
fn hulls(lines: &[RowLine<'_>], columns: usize) -> Vec<Option<(f32, f32)>> {
    let mut out: Vec<Option<(f32, f32)>> = vec![None; columns];
    for piece in lines.iter().flat_map(|l| &l.pieces).filter(|p| p.columns.len() == 1) {
        let Some(hull) = out.get_mut(piece.columns.start) else {
            continue;
        };
        *hull = Some(hull.map_or((piece.left, piece.right), |(l, r)| {
            (l.min(piece.left), r.max(piece.right))
        }));
    }
    out
}

/// Whether most places share their left edge, right edge or centre.
fn is_aligned(places: &[(f32, f32)], size: f32) -> bool {
    if places.len() < 2 {
        return false;
    }
    let share = |key: &dyn Fn(&(f32, f32)) -> f32, tolerance: f32| {
        let mut at: Vec<f32> = places.iter().map(key).collect();
        at.sort_by(f32::total_cmp);
        let mut best = 0;
        let mut first = 0;
        for last in 0..at.len() {
            while at[last] - at[first] > tolerance {
                first += 1;
            }
            best = best.max(last + 1 - first);
        }
        best
    };
    let tolerance = 0.5 * size;
    let best = share(&|p| p.0, tolerance)
        .max(share(&|p| p.1, tolerance))
        .max(share(&|p| f32::midpoint(p.0, p.1), 1.2 * tolerance));
    best * 10 >= places.len() * 6
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A line of words that are twenty points wide, with this much white space before each.
    fn line(words: &[(f32, &str)]) -> Line {
        let mut left = 50.0;
        let words = words.iter().map(|(gap, text)| {
            let rect = Rect::new(left + gap, 90.0, left + gap + 20.0, 100.0);
            left = rect.right;
            RawWord::placed((*text).to_owned(), rect, 10.0, 0)
        });
        Line::new(words.collect())
    }

    #[test]
    fn justified_text_is_even_and_a_row_is_not() {
        let sentence = ["the", "fair", "value", "of", "shares", "in", "2022"].map(|word| (11.0, word));
        assert!(is_even(&line(&sentence)));
        let mut row = [
            "Sales,",
            "general",
            "and",
            "administrative",
            "costs",
            "of",
            "offices",
            "alone",
        ]
        .map(|w| (3.0, w))
        .to_vec();
        assert!(is_even(&line(&row)), "a label alone is like a sentence");
        row.extend([(20.0, "183"), (22.0, "152"), (20.0, "498"), (21.0, "416")]);
        assert!(!is_even(&line(&row)));
        let label = [
            (3.0, "a"),
            (3.0, "label"),
            (3.0, "that"),
            (3.0, "nearly"),
            (3.0, "reaches"),
            (6.0, "416"),
        ];
        assert!(!is_even(&line(&label)));
    }
}
