//! What stands above a piece beside its headings: captions, and for pieces of tables the names of their columns.

use super::split::Piece;
use recto_core::{Document, Item, Label, TableGrid};
use std::collections::BTreeMap;

/// A line above a table with at most so many words may be its units: "(In millions, except per share amounts)".
const UNIT_WORDS: usize = 24;
const UNITS: [&str; 8] = [
    "million", "thousand", "billion", "percent", "in %", "in usd", "in eur", "in $",
];

/// Captions, column names and units by the `self_ref` of what they describe.
pub(crate) struct Captions<'a> {
    captions: BTreeMap<&'a str, &'a str>,
    heads: BTreeMap<&'a str, Head<'a>>,
}

/// The head of a table.
#[derive(Clone)]
pub(crate) struct Head<'a> {
    /// Names of the columns, each once.
    names: String,
    /// The rows that hold them, as they stand in the text of the table, or of the part on an earlier page.
    pub(crate) rows: &'a str,
    /// The line above the table that says in what its figures are.
    pub(crate) units: Option<&'a Item>,
    /// Where the rows below it begin in the table's text; 0 where the head stands on the page before.
    pub(crate) end: usize,
}

/// The heads of the tables among consecutive `items` by `self_ref`.
pub(crate) fn heads(items: &[Item]) -> BTreeMap<&str, Head<'_>> {
    let mut heads: BTreeMap<&str, Head<'_>> = BTreeMap::new();
    let mut above: Option<&Item> = None;
    for item in items {
        if let Some(grid) = &item.table {
            let units = above.filter(|item| are_units(item.text.trim()));
            let (names, end) = head(grid, &item.text);
            let first_part = item.continues.as_deref().and_then(|part| heads.get(part));
            let head = match first_part {
                Some(first) if end == 0 => Head {
                    end: 0,
                    ..first.clone()
                },
                _ => Head {
                    names,
                    rows: item.text[..end].trim_end(),
                    units,
                    end,
                },
            };
            heads.insert(&item.self_ref, head);
        }
        // Captions and furniture may come between.
        if !item.label.is_furniture() && item.label != Label::Caption {
            above = Some(item);
        }
    }
    heads
}

impl<'a> Captions<'a> {
    pub(crate) fn new(document: &'a Document) -> Self {
        let captions = document
            .items
            .iter()
            .filter(|item| item.label == Label::Caption)
            .filter_map(|item| Some((item.parent.as_deref()?, item.text.trim())))
            .collect();
        Self {
            captions,
            heads: heads(&document.items),
        }
    }

    /// The caption of the first item that is not one itself, unless the chunk holds the caption itself; for rows of a table that are cut off from
    /// its head also the names of its columns.
    pub(crate) fn of(&self, pieces: &[Piece<'_>]) -> Option<String> {
        let first = pieces.iter().find(|piece| piece.item.label != Label::Caption)?;
        let inside = |text: &str| pieces.iter().any(|piece| piece.item.text.trim() == text);
        let caption = self.captions.get(first.item.self_ref.as_str()).copied();
        let mut parts: Vec<&str> = caption.into_iter().filter(|caption| !inside(caption)).collect();
        if let Some(head) = self.heads.get(first.item.self_ref.as_str()) {
            parts.extend(head.units.map(|units| units.text.trim()).filter(|units| !inside(units)));
            // A piece may begin with part of the head where the head itself is long.
            if first.start >= head.end {
                parts.push(&head.names);
            }
        }
        parts.retain(|part| !part.is_empty());
        (!parts.is_empty()).then(|| parts.join(" "))
    }

    /// The room for a part of `piece`: what its first part and the parts after a head have both.
    pub(crate) fn room<'p>(&self, piece: Piece<'p>, room: &dyn Fn(&[Piece<'p>]) -> usize) -> usize {
        let first = room(&[piece]);
        match self.heads.get(piece.item.self_ref.as_str()) {
            Some(head) if piece.start < head.end && head.end < piece.end => first.min(room(&[Piece {
                start: head.end,
                ..piece
            }])),
            _ => first,
        }
    }
}

fn are_units(text: &str) -> bool {
    let lower = text.to_lowercase();
    text.split_whitespace().count() <= UNIT_WORDS && UNITS.iter().any(|unit| lower.contains(unit))
}

/// The names in the head of a table, each once, and where the rows below it begin in `text`.
fn head(grid: &TableGrid, text: &str) -> (String, usize) {
    let rows = grid
        .cells
        .iter()
        .filter(|cell| cell.column_header)
        .map(|cell| cell.row + cell.row_span)
        .max()
        .unwrap_or(0);
    if rows == 0 {
        return (String::new(), 0);
    }
    let mut names: Vec<&str> = Vec::new();
    for cell in grid.cells.iter().filter(|cell| cell.row < rows) {
        let name = cell.text.trim();
        if !name.is_empty() && !names.contains(&name) {
            names.push(name);
        }
    }
    (names.join(", "), rows_end(text, rows))
}

/// Where the first `rows` rows of a grid end in its text, the rule below them included.
fn rows_end(text: &str, rows: u32) -> usize {
    let mut seen = 0;
    let mut end = 0;
    for line in text.split_inclusive('\n') {
        let is_rule = line.contains('-') && line.chars().all(|c| matches!(c, '|' | '-' | ':') || c.is_whitespace());
        if !is_rule && seen == rows {
            break;
        }
        seen += u32::from(!is_rule);
        end += line.len();
    }
    end
}
