//! A table on its page: cells that hold lines of words.

use super::super::lines::Line;
use super::atoms;
use super::header;
use recto_core::Rect;
use std::ops::Range;

/// A table in its reading frame.
#[derive(Debug, Clone)]
pub(crate) struct Table {
    pub(crate) rect: Rect,
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    /// In row order, blank cells left out.
    pub(crate) cells: Vec<Cell>,
}

/// A cell that is not blank.
#[derive(Debug, Clone)]
pub(crate) struct Cell {
    pub(crate) rows: Range<usize>,
    pub(crate) columns: Range<usize>,
    pub(crate) column_header: bool,
    pub(crate) row_header: bool,
    /// From top to bottom.
    pub(crate) lines: Vec<Line>,
}

impl Cell {
    pub(crate) fn rect(&self) -> Rect {
        self.lines
            .iter()
            .map(|l| l.rect)
            .reduce(|a, b| a.union(&b))
            .unwrap_or_default()
    }

    pub(super) fn is_data(&self) -> bool {
        let mut words = self.lines.iter().flat_map(|l| &l.words).peekable();
        words.peek().is_some() && words.all(|w| atoms::is_data(&w.text) || w.text == "%")
    }

    /// Whether it holds years, which name columns rather than fill them.
    pub(super) fn is_years(&self) -> bool {
        self.lines
            .iter()
            .flat_map(|l| &l.words)
            .all(|w| header::is_year(&w.text))
    }

    pub(super) fn word_count(&self) -> usize {
        self.lines.iter().map(|l| l.words.len()).sum()
    }
}

impl Table {
    /// Puts cells in order and takes out rows and columns that no cell has to itself.
    pub(super) fn new(mut cells: Vec<Cell>) -> Option<Self> {
        cells.retain(|cell| cell.lines.iter().any(|l| !l.words.is_empty()));
        let rows = kept(cells.iter().map(|c| &c.rows))?;
        let columns = kept(cells.iter().map(|c| &c.columns))?;
        for cell in &mut cells {
            cell.rows = rows[cell.rows.start]..rows[cell.rows.end].max(rows[cell.rows.start] + 1);
            cell.columns = columns[cell.columns.start]..columns[cell.columns.end].max(columns[cell.columns.start] + 1);
        }
        cells.sort_by_key(|c| (c.rows.start, c.columns.start));
        let mut table = Self {
            rect: cells.iter().map(Cell::rect).reduce(|a, b| a.union(&b))?,
            rows: *rows.last()?,
            columns: *columns.last()?,
            cells,
        };
        table.settle_overlaps();
        Some(table)
    }

    /// No position of the grid may belong to two cells: the later one joins the earlier one.
    fn settle_overlaps(&mut self) {
        let mut owner: Vec<Option<usize>> = vec![None; self.rows * self.columns];
        let mut out: Vec<Cell> = Vec::with_capacity(self.cells.len());
        for mut cell in self.cells.drain(..) {
            let positions: Vec<usize> = cell
                .rows
                .clone()
                .flat_map(|r| cell.columns.clone().map(move |c| (r, c)))
                .map(|(r, c)| r * self.columns + c)
                .collect();
            if let Some(first) = positions.iter().find_map(|p| owner[*p]) {
                out[first].lines.append(&mut cell.lines);
                continue;
            }
            for position in positions {
                owner[position] = Some(out.len());
            }
            out.push(cell);
        }
        self.cells = out;
    }

    /// Marks the first rows as heads of columns, and what stands left of data as heads of rows.
    pub(super) fn mark_headers(&mut self, header_rows: usize) {
        let first_data = (0..self.columns)
            .find(|column| {
                let body = || {
                    self.cells
                        .iter()
                        .filter(|c| c.rows.start >= header_rows && c.columns.start == *column)
                };
                let data = body().filter(|c| c.is_data()).count();
                data * 2 > body().count()
            })
            .unwrap_or(1);
        for cell in &mut self.cells {
            cell.column_header = cell.rows.start < header_rows;
            cell.row_header = !cell.column_header && cell.columns.end <= first_data && !cell.is_data();
        }
    }
}

/// For each boundary its new index once the tracks no cell has to itself are gone; `None` without cells.
fn kept<'c>(spans: impl Iterator<Item = &'c Range<usize>> + Clone) -> Option<Vec<usize>> {
    let count = spans.clone().map(|s| s.end).max()?;
    let mut keep = vec![false; count];
    for span in spans.clone().filter(|s| s.len() == 1) {
        keep[span.start] = true;
    }
    for span in spans {
        if !keep[span.clone()].iter().any(|k| *k) {
            keep[span.start] = true;
        }
    }
    let mut out = Vec::with_capacity(count + 1);
    let mut index = 0;
    for keep in keep {
        out.push(index);
        index += usize::from(keep);
    }
    out.push(index);
    Some(out)
}
