//! From a table on its page to an item, and from the parts of a table on several pages to one.

use super::super::page::{CellLayout, TableLayout};
use super::super::tables::adheres;
use recto_core::{Item, Label, Page, PageRect, Provenance, Rect, TableCell, TableGrid, WordSpan};

/// Part of a page's height, from its edge, in which a table can go over to the next page.
const EDGE: f32 = 0.3;

/// The item of a table. Its text is a Markdown grid in which every word of a cell has its span; a cell that spans
/// stands once.
pub(super) fn item(page: &Page, table: &TableLayout) -> Item {
    let mut text = String::new();
    let mut words = Vec::new();
    let mut cells = Vec::with_capacity(table.cells.len());
    let mut rect: Option<Rect> = None;
    let head = table
        .cells
        .iter()
        .filter(|cell| cell.column_header)
        .map(|cell| cell.rows.end)
        .max()
        .unwrap_or(0);
    let mut next = table.cells.iter().peekable();
    for row in 0..table.rows {
        if row > 0 {
            text.push('\n');
        }
        text.push('|');
        for column in 0..table.columns {
            text.push(' ');
            if let Some(cell) = next.next_if(|cell| cell.rows.start == row && cell.columns.start == column) {
                let start = text.len();
                let at = write(cell, page, &mut text, &mut words);
                rect = Some(rect.map_or(at, |r| r.union(&at)));
                cells.push(TableCell {
                    row: number(cell.rows.start),
                    column: number(cell.columns.start),
                    row_span: number(cell.rows.len()),
                    column_span: number(cell.columns.len()),
                    column_header: cell.column_header,
                    row_header: cell.row_header,
                    text: text[start..].to_owned(),
                    at: Some(PageRect {
                        page: page.number,
                        rect: at,
                    }),
                });
                text.push(' ');
            }
            text.push('|');
        }
        // Markdown wants a line after the first row.
        if row + 1 == head.max(1) {
            text.push_str("\n|");
            text.push_str(&" --- |".repeat(table.columns));
        }
    }
    let end = number(text.len());
    Item {
        label: Label::Table,
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
        table: Some(TableGrid {
            rows: number(table.rows),
            columns: number(table.columns),
            cells,
        }),
        ..Item::default()
    }
}

/// Writes the words of a cell and returns the box around them.
fn write(cell: &CellLayout, page: &Page, text: &mut String, words: &mut Vec<WordSpan>) -> Rect {
    let mut rect: Option<Rect> = None;
    let mut before = "";
    for index in cell.words.clone() {
        let Some(word) = page.words.get(index) else { continue };
        let written = page
            .text
            .get(word.start as usize..word.end as usize)
            .unwrap_or_default();
        if !before.is_empty() && !adheres(before, written) {
            text.push(' ');
        }
        let start = number(text.len());
        text.push_str(written);
        words.push(WordSpan {
            start,
            end: number(text.len()),
            page: page.number,
            word: number(index),
        });
        rect = Some(rect.map_or(word.rect, |r| r.union(&word.rect)));
        before = written;
    }
    rect.unwrap_or_default()
}

/// Links each table that goes on from the page before to the part there.
pub(super) fn link(items: &mut [Item], pages: &[Page]) {
    let tables: Vec<usize> = (0..items.len()).filter(|i| items[*i].table.is_some()).collect();
    for pair in tables.windows(2) {
        let (first, second) = (&items[pair[0]], &items[pair[1]]);
        let Some((before, after)) = place(first).zip(place(second)) else {
            continue;
        };
        if before.page + 1 != after.page {
            continue;
        }
        let height = |number: u32| pages.iter().find(|p| p.number == number).map_or(0.0, |p| p.height);
        let at_bottom = before.rect.bottom > (1.0 - EDGE) * height(before.page);
        let at_top = after.rect.top < EDGE * height(after.page);
        // Only furniture and notes may lie between.
        let between = items[pair[0] + 1..pair[1]]
            .iter()
            .filter(|item| !item.label.is_furniture() && item.label != Label::Footnote)
            .map(|item| item.text.len())
            .sum::<usize>();
        if !(at_bottom && at_top && between <= 400) {
            continue;
        }
        let (Some(a), Some(b)) = (&first.table, &second.table) else {
            continue;
        };
        let (repeats, headless) = (same_head(a, b), head(b).is_empty());
        let fits = a.columns == b.columns && same_columns(a, b);
        if repeats || (headless && fits) {
            let part = first.self_ref.clone();
            items[pair[1]].continues = Some(part);
        }
    }
}

fn place(item: &Item) -> Option<PageRect> {
    item.provenance.first().map(|p| p.at)
}

fn head(grid: &TableGrid) -> Vec<(u32, &str)> {
    grid.cells
        .iter()
        .filter(|cell| cell.column_header)
        .map(|cell| (cell.column, cell.text.as_str()))
        .collect()
}

/// Whether both tables have the same head, of two words at least.
fn same_head(a: &TableGrid, b: &TableGrid) -> bool {
    let (a, b) = (head(a), head(b));
    a.len() >= 2 && a == b
}

/// Whether the columns stand below each other.
fn same_columns(a: &TableGrid, b: &TableGrid) -> bool {
    let hull = |grid: &TableGrid, column: u32| {
        grid.cells
            .iter()
            .filter(|cell| cell.column == column && cell.column_span == 1)
            .filter_map(|cell| cell.at.map(|at| at.rect))
            .reduce(|a, b| a.union(&b))
    };
    (0..a.columns).all(|column| match (hull(a, column), hull(b, column)) {
        (Some(a), Some(b)) => a.left < b.right && b.left < a.right,
        _ => true,
    })
}

fn number(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}
