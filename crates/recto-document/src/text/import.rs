//! A Docling document (schema 1.x, as JSON) as items.

use recto_core::{Item, Label, TableCell, TableGrid};
use serde_json::Value;

/// Nesting of groups followed at most.
const MAX_DEPTH: u32 = 64;

/// The items of the body, in reading order.
pub(crate) fn items(document: &Value) -> Vec<Item> {
    let mut walk = Walk {
        document,
        items: Vec::new(),
    };
    walk.children(&document["body"], 0, None, 0);
    walk.items
}

struct Walk<'d> {
    document: &'d Value,
    items: Vec<Item>,
}

impl<'d> Walk<'d> {
    fn resolve(&self, reference: &Value) -> Option<(&'d str, &'d Value)> {
        let path = reference["$ref"].as_str()?;
        let (self_ref, node) = path.strip_prefix('#').and_then(|pointer| {
            let node = self.document.pointer(pointer)?;
            Some((node["self_ref"].as_str()?, node))
        })?;
        Some((self_ref, node))
    }

    fn children(&mut self, node: &'d Value, depth: u32, parent: Option<&str>, list_depth: u32) {
        if depth > MAX_DEPTH {
            return;
        }
        for child in node["children"].as_array().into_iter().flatten() {
            if let Some((self_ref, child)) = self.resolve(child) {
                self.node(self_ref, child, depth, parent, list_depth);
            }
        }
    }

    fn node(&mut self, self_ref: &str, node: &'d Value, depth: u32, parent: Option<&str>, list_depth: u32) {
        let label = node["label"].as_str().unwrap_or_default();
        if self_ref.starts_with("#/groups/") {
            match label {
                "inline" => {
                    let text = self.texts_below(node, 0).join(" ");
                    self.push(self_ref, Label::Text, 0, text, None, parent);
                }
                "list" | "ordered_list" => self.children(node, depth + 1, parent, list_depth + 1),
                _ => self.children(node, depth + 1, parent, list_depth),
            }
            return;
        }
        if self_ref.starts_with("#/tables/") {
            let grid = grid(&node["data"]);
            self.push(self_ref, Label::Table, 0, markdown_grid(&grid), Some(grid), parent);
            self.captions(node, self_ref);
            return;
        }
        if self_ref.starts_with("#/pictures/") {
            // Only what is written in and below a picture is kept.
            self.children(node, depth + 1, parent, list_depth);
            return;
        }
        let text = node["text"].as_str().unwrap_or_default().to_owned();
        // Formatted parts of a paragraph, entry or heading are its children, and its own text is then empty.
        let (text, nested) = if text.trim().is_empty() {
            (self.inline_texts(node).join(" "), true)
        } else {
            (text, false)
        };
        let level = node["level"]
            .as_u64()
            .and_then(|level| u32::try_from(level).ok())
            .unwrap_or(1);
        let (label, level) = match label {
            "title" => (Label::Title, 0),
            "section_header" => (Label::SectionHeader, level.max(1)),
            "list_item" => (Label::ListItem, list_depth.max(1)),
            "caption" => (Label::Caption, 0),
            "footnote" => (Label::Footnote, 0),
            "formula" => (Label::Formula, 0),
            "code" => (Label::Code, 0),
            "page_header" => (Label::PageHeader, 0),
            "page_footer" => (Label::PageFooter, 0),
            "document_index" => (Label::DocumentIndex, 0),
            _ => (Label::Text, 0),
        };
        self.push(self_ref, label, level, text, None, parent);
        for child in node["children"].as_array().into_iter().flatten() {
            let Some((child_ref, child)) = self.resolve(child) else {
                continue;
            };
            let is_inline = child["label"].as_str() == Some("inline");
            if depth < MAX_DEPTH && !(nested && is_inline) {
                self.node(child_ref, child, depth + 1, parent, list_depth);
            }
        }
    }

    fn captions(&mut self, node: &'d Value, owner: &str) {
        for caption in node["captions"].as_array().into_iter().flatten() {
            if let Some((self_ref, caption)) = self.resolve(caption) {
                let text = caption["text"].as_str().unwrap_or_default().to_owned();
                self.push(self_ref, Label::Caption, 0, text, None, Some(owner));
            }
        }
    }

    fn inline_texts(&self, node: &Value) -> Vec<String> {
        let children = node["children"].as_array();
        let inline = children.into_iter().flatten().filter_map(|child| self.resolve(child));
        inline
            .filter(|(_, child)| child["label"].as_str() == Some("inline"))
            .flat_map(|(_, child)| self.texts_below(child, 0))
            .collect()
    }

    fn texts_below(&self, node: &Value, depth: u32) -> Vec<String> {
        let mut out = Vec::new();
        for child in node["children"].as_array().into_iter().flatten() {
            let Some((_, child)) = self.resolve(child) else {
                continue;
            };
            let text = child["text"].as_str().unwrap_or_default().trim();
            if !text.is_empty() {
                out.push(text.to_owned());
            }
            if depth < MAX_DEPTH {
                out.extend(self.texts_below(child, depth + 1));
            }
        }
        out
    }

    fn push(
        &mut self,
        self_ref: &str,
        label: Label,
        level: u32,
        text: String,
        table: Option<TableGrid>,
        parent: Option<&str>,
    ) {
        let known = self.items.iter().rev().take(64).any(|item| item.self_ref == self_ref);
        if known || text.trim().is_empty() {
            return;
        }
        self.items.push(Item {
            position: u32::try_from(self.items.len()).unwrap_or(u32::MAX),
            self_ref: self_ref.to_owned(),
            label,
            level,
            text: close_punctuation(&text),
            provenance: Vec::new(),
            words: Vec::new(),
            table,
            parent: parent.map(str::to_owned),
            ..Item::default()
        });
    }
}

/// Joining formatted parts by spaces puts one before a full stop, too.
fn close_punctuation(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let before_mark = character == ' '
            && characters
                .peek()
                .is_some_and(|next| matches!(next, '.' | ',' | ';' | ':' | ')'));
        let then_ends = before_mark && {
            let mut ahead = characters.clone();
            ahead.next();
            ahead.next().is_none_or(char::is_whitespace)
        };
        if !then_ends {
            out.push(character);
        }
    }
    out
}

fn grid(data: &Value) -> TableGrid {
    let number = |value: &Value| value.as_u64().and_then(|n| u32::try_from(n).ok()).unwrap_or(0);
    let mut cells: Vec<TableCell> = data["table_cells"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|cell| TableCell {
            row: number(&cell["start_row_offset_idx"]),
            column: number(&cell["start_col_offset_idx"]),
            row_span: number(&cell["row_span"]).max(1),
            column_span: number(&cell["col_span"]).max(1),
            column_header: cell["column_header"].as_bool().unwrap_or(false),
            row_header: cell["row_header"].as_bool().unwrap_or(false),
            text: cell["text"].as_str().unwrap_or_default().to_owned(),
            at: None,
        })
        .collect();
    cells.sort_by_key(|cell| (cell.row, cell.column));
    TableGrid {
        rows: number(&data["num_rows"]),
        columns: number(&data["num_cols"]),
        cells,
    }
}

/// A table as Markdown rows; the first row is followed by a rule.
fn markdown_grid(grid: &TableGrid) -> String {
    let mut out = String::new();
    for row in 0..grid.rows {
        if row > 0 {
            out.push('\n');
        }
        out.push('|');
        for column in 0..grid.columns {
            let text = grid
                .cells
                .iter()
                .find(|cell| cell.row == row && cell.column == column)
                .map(|cell| cell.text.replace('\n', " ").replace('|', "\\|"))
                .unwrap_or_default();
            out.push_str(&format!(" {text} |"));
        }
        if row == 0 {
            out.push_str("\n|");
            out.push_str(&"---|".repeat(grid.columns as usize));
        }
    }
    out
}
