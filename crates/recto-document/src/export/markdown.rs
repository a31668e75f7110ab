//! A document as Markdown.

use super::tables::table_markdown;
use crate::text::marker;
use recto_core::{Document, Item, Label};

/// Where a picture stands; its bytes are not part of Markdown.
const PICTURE: &str = "<!-- image -->";

/// Headings, paragraphs and lists; running headers and footers are left out. Rows keep their line breaks.
#[must_use]
pub fn markdown(document: &Document) -> String {
    let mut out = String::new();
    let mut in_list = false;
    for item in document.items.iter().filter(|item| !item.label.is_furniture()) {
        let text = item.text.trim();
        if text.is_empty() && item.label != Label::Picture {
            continue;
        }
        let is_entry = item.label == Label::ListItem;
        if !out.is_empty() {
            out.push_str(if is_entry && in_list { "\n" } else { "\n\n" });
        }
        in_list = is_entry;
        out.push_str(&written(item, text));
    }
    out.push('\n');
    out
}

fn written(item: &Item, text: &str) -> String {
    let flat = || text.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some(grid) = &item.table {
        return table_markdown(grid);
    }
    match item.label {
        Label::Title => format!("# {}", flat()),
        Label::SectionHeader => format!("{} {}", "#".repeat(item.level.clamp(1, 5) as usize + 1), flat()),
        Label::ListItem => {
            let indent = "  ".repeat(item.level.saturating_sub(1) as usize);
            let entry = flat();
            match marker::bullet(&entry) {
                Some(bullet) => format!("{indent}- {}", entry[bullet.len()..].trim_start()),
                None if marker::numbered(&entry).is_some() => format!("{indent}{entry}"),
                None => format!("{indent}- {entry}"),
            }
        }
        Label::Code => fenced(text),
        Label::Formula => format!("$$\n{text}\n$$"),
        Label::Picture if text.is_empty() => PICTURE.to_owned(),
        Label::Picture => format!("{PICTURE}\n\n{}", text.replace('\n', "  \n")),
        _ => text.replace('\n', "  \n"),
    }
}

/// A fence longer than any in the code.
fn fenced(code: &str) -> String {
    let longest = code.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}\n{code}\n{fence}")
}
