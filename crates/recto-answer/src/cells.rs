//! The cells of a table that bear a claim: the label of the row, the cells with the claim's figures, the heads over them.

use crate::numbers::{Evidence, Figure};
use crate::units::Unit;
use recto_core::{Item, PageRect, TableCell, TableGrid};

/// Cells that bear a claim.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Cells {
    /// Where they lie.
    pub(crate) rects: Vec<PageRect>,
    /// Their words, as a small table.
    pub(crate) words: String,
}

/// The cells of the row `unit` of `item` that hold any of `figures`, with their row's label and their columns' heads. `None`
/// where the item is no table with places, or no cell holds one: then the whole row is the support.
pub(crate) fn bearing(unit: &Unit, item: &Item, figures: &[Figure]) -> Option<Cells> {
    let grid = item.table.as_ref()?;
    let row = row_of(&item.text, unit.range.start)?;
    let read = Evidence::new(&format!("{}\n{}", unit.header, unit.text));
    let mut columns: Vec<u32> = figures
        .iter()
        .flat_map(|figure| read.columns_of_last_line(figure))
        .filter_map(|column| u32::try_from(column).ok())
        .collect();
    columns.sort_unstable();
    columns.dedup();
    columns.retain(|column| *column > 0);
    if columns.is_empty() {
        return None;
    }
    let label = cell_at(grid, row, 0);
    let mut cells: Vec<&TableCell> = Vec::new();
    let mut heads = vec![String::new()];
    let mut values = vec![label.map_or("", |label| label.text.as_str()).to_owned()];
    for column in columns {
        let over = over(grid, row, column);
        let value = cell_at(grid, row, column)?;
        heads.push(joined(&over));
        values.push(value.text.clone());
        cells.extend(over);
        cells.push(value);
    }
    cells.extend(label);
    let mut rects: Vec<PageRect> = Vec::new();
    for cell in cells.into_iter().filter(|cell| !cell.text.trim().is_empty()) {
        // Without a place for each of them the row as a whole is boxed.
        let at = cell.at?;
        if !rects.contains(&at) {
            rects.push(at);
        }
    }
    rects.sort_by(|a, b| {
        let place = |at: &PageRect| (at.page, at.rect.top, at.rect.left);
        let (a, b) = (place(a), place(b));
        a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.total_cmp(&b.2))
    });
    Some(Cells {
        rects,
        words: format!("| {} |\n| {} |", heads.join(" | "), values.join(" | ")),
    })
}

/// What heads the columns in which the row `unit` of `item` has a value, from left to right; empty where the item is no
/// table or its columns have no heads.
pub(crate) fn column_heads(unit: &Unit, item: &Item) -> Vec<String> {
    let (Some(grid), Some(row)) = (&item.table, row_of(&item.text, unit.range.start)) else {
        return Vec::new();
    };
    let has_value = |column: &u32| cell_at(grid, row, *column).is_some_and(|cell| !cell.text.trim().is_empty());
    let heads: Vec<String> = (1..grid.columns)
        .filter(has_value)
        .map(|column| joined(&over(grid, row, column)))
        .collect();
    if heads.iter().any(String::is_empty) {
        Vec::new()
    } else {
        heads
    }
}

/// The heads over a column, from the top.
fn over(grid: &TableGrid, row: u32, column: u32) -> Vec<&TableCell> {
    let heads = grid.cells.iter().filter(|cell| cell.column_header && cell.row < row);
    heads
        .filter(|cell| covers(cell.column, cell.column_span, column) && !cell.text.trim().is_empty())
        .collect()
}

fn joined(cells: &[&TableCell]) -> String {
    cells.iter().map(|cell| cell.text.trim()).collect::<Vec<_>>().join(" ")
}

fn cell_at(grid: &TableGrid, row: u32, column: u32) -> Option<&TableCell> {
    grid.cells
        .iter()
        .find(|cell| covers(cell.row, cell.row_span, row) && covers(cell.column, cell.column_span, column))
}

fn covers(first: u32, span: u32, at: u32) -> bool {
    (first..first.saturating_add(span)).contains(&at)
}

/// The row of the grid whose line begins at `start`; the rule under the head is none.
fn row_of(text: &str, start: usize) -> Option<u32> {
    let is_rule = |line: &str| line.contains("---") && line.chars().all(|c| matches!(c, '|' | '-' | ':' | ' '));
    let above = text.get(..start)?.lines().filter(|line| !is_rule(line)).count();
    u32::try_from(above).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numbers::figures;
    use recto_core::Rect;

    const TEXT: &str = "| | 2023 | 2022 |\n| --- | --- | --- |\n| Sales | 120 | 100 |\n| Costs | (80) | (75) |";

    fn table() -> Item {
        let rows = [["", "2023", "2022"], ["Sales", "120", "100"], ["Costs", "(80)", "(75)"]];
        let cell = |row: usize, column: usize| TableCell {
            row: row as u32,
            column: column as u32,
            row_span: 1,
            column_span: 1,
            column_header: row == 0,
            row_header: column == 0,
            text: rows[row][column].to_owned(),
            at: Some(place(row, column)),
        };
        Item {
            text: TEXT.to_owned(),
            table: Some(TableGrid {
                rows: 3,
                columns: 3,
                cells: (0..9).map(|at| cell(at / 3, at % 3)).collect(),
            }),
            ..Item::default()
        }
    }

    fn place(row: usize, column: usize) -> PageRect {
        let (left, top) = (column as f32 * 50.0, row as f32 * 20.0);
        PageRect {
            page: 1,
            rect: Rect::new(left, top, left + 40.0, top + 10.0),
        }
    }

    fn unit(row: &str) -> Unit {
        let start = TEXT.find(row).expect("the row");
        Unit {
            passage: 0,
            part: 0,
            range: start..start + row.len(),
            text: row.to_owned(),
            terms: Default::default(),
            context: Default::default(),
            header: "| | 2023 | 2022 |".to_owned(),
            page: 1,
            prior: 1.0,
        }
    }

    #[test]
    fn a_row_is_shown_under_the_heads_of_the_columns_it_has_something_in() {
        let mut table = table();
        let heads = |table: &Item| column_heads(&unit("| Costs | (80) | (75) |"), table);
        assert_eq!(heads(&table), ["2023", "2022"]);
        let grid = table.table.as_mut().expect("a grid");
        grid.cells[7].text.clear();
        assert_eq!(heads(&table), ["2022"], "nothing stands in the first column");
        let grid = table.table.as_mut().expect("a grid");
        grid.cells[2].text.clear();
        assert!(
            heads(&table).is_empty(),
            "a head that is not there leaves the others ambiguous"
        );
    }

    #[test]
    fn a_figure_is_boxed_with_its_label_and_the_head_of_its_column() {
        let cells = bearing(
            &unit("| Costs | (80) | (75) |"),
            &table(),
            &figures("Costs of 75 were paid in 2022."),
        )
        .expect("cells");
        assert_eq!(cells.rects, [place(0, 2), place(2, 0), place(2, 2)]);
        assert_eq!(cells.words, "|  | 2022 |\n| Costs | (75) |");
    }

    #[test]
    fn a_row_without_the_figure_is_boxed_as_a_whole() {
        assert_eq!(
            bearing(&unit("| Sales | 120 | 100 |"), &table(), &figures("It was 999.")),
            None
        );
        let mut without_places = table();
        without_places
            .table
            .as_mut()
            .expect("a grid")
            .cells
            .iter_mut()
            .for_each(|cell| cell.at = None);
        assert_eq!(
            bearing(&unit("| Sales | 120 | 100 |"), &without_places, &figures("It was 120.")),
            None
        );
    }
}
