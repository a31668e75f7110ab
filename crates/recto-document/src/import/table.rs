//! Tables of a Docling document.

use crate::error::{Error, Result};
use recto_core::{TableCell, TableGrid};

/// Places in a table at most. A file may state any number of rows and columns, and a grid is laid out in full to be
/// written; the largest sheets in use have some hundred thousand rows of a dozen columns.
const MAX_PLACES: u64 = 20_000_000;

/// The grid around cells in row order: as large as its cells reach. Empty rows and columns beyond say nothing.
pub(super) fn grid(cells: Vec<TableCell>) -> Result<TableGrid> {
    let reach = |end: fn(&TableCell) -> u32| cells.iter().map(end).max().unwrap_or(0);
    let rows = reach(|cell| cell.row.saturating_add(cell.row_span));
    let columns = reach(|cell| cell.column.saturating_add(cell.column_span));
    if u64::from(rows) * u64::from(columns) > MAX_PLACES {
        return Err(Error::TooLarge {
            what: format!("a table of {rows} rows and {columns} columns is over {MAX_PLACES} cells"),
        });
    }
    Ok(TableGrid { rows, columns, cells })
}

/// A table as Markdown rows; the first row is followed by a rule. A spanning cell stands at its first place.
pub(crate) fn markdown_grid(grid: &TableGrid) -> String {
    let mut out = String::new();
    // Cells are in row order, so one pass serves all rows.
    let mut cells = grid.cells.iter().peekable();
    for row in 0..grid.rows {
        if row > 0 {
            out.push('\n');
        }
        out.push('|');
        let mut column = 0;
        while let Some(cell) = cells.next_if(|cell| cell.row <= row) {
            if cell.row < row || cell.column < column {
                continue;
            }
            out.push_str(&"  |".repeat((cell.column - column) as usize));
            out.push(' ');
            out.push_str(&flat(&cell.text));
            out.push_str(" |");
            column = cell.column + 1;
        }
        out.push_str(&"  |".repeat(grid.columns.saturating_sub(column) as usize));
        if row == 0 {
            out.push_str("\n|");
            out.push_str(&"---|".repeat(grid.columns as usize));
        }
    }
    out
}

fn flat(text: &str) -> String {
    text.replace("\r\n", " ").replace(['\n', '\r'], " ").replace('|', "\\|")
}
