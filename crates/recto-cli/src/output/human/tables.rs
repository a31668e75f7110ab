//! Tables that fit the terminal, and rows of names and values.

use crate::output::human::words::{grouped, state_colour, state_name};
use crate::output::terminal::View;
use comfy_table::{Attribute, Cell, CellAlignment, ColumnConstraint, ContentArrangement, Table, presets};
use recto_engine::contract::DocumentState;

/// Columns of any width.
const GIVING_WAY: [&str; 4] = ["Title", "File", "Collection", "Note"];

pub(super) fn table(view: View, headings: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING);
    match view.width {
        Some(width) => {
            table.set_content_arrangement(ContentArrangement::Dynamic);
            table.set_width(u16::try_from(width).unwrap_or(u16::MAX));
        }
        None => {
            table.set_content_arrangement(ContentArrangement::Disabled);
        }
    }
    if !view.colour {
        table.force_no_tty();
    }
    table.set_header(
        headings
            .iter()
            .map(|heading| Cell::new(heading).add_attribute(Attribute::Bold)),
    );
    for (column, heading) in table.column_iter_mut().zip(headings) {
        column.set_padding((0, 2));
        // Titles, names and notes give way where the terminal is narrow; what is short stays in one line.
        if !GIVING_WAY.contains(heading) {
            column.set_constraint(ColumnConstraint::ContentWidth);
        }
    }
    table
}

/// The table without blanks at the ends of its lines.
pub(super) fn draw(table: &Table) -> String {
    table.trim_fmt()
}

pub(super) fn state_cell(state: DocumentState) -> Cell {
    Cell::new(state_name(state)).fg(state_colour(state))
}

pub(super) fn number_cell(number: Option<u32>) -> Cell {
    let text = number
        .filter(|number| *number > 0)
        .map_or("–".to_owned(), |number| grouped(number as usize));
    Cell::new(text).set_alignment(CellAlignment::Right)
}

pub(super) fn pairs(rows: &[(&str, String)], view: View) -> String {
    let width = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    let lines: Vec<String> = rows
        .iter()
        .map(|(name, value)| {
            let padding = " ".repeat(width - name.chars().count() + 2);
            format!("{}{padding}{value}", view.bold(name))
        })
        .collect();
    lines.join("\n")
}
