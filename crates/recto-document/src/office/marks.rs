//! Marks of formatting that some backends leave in the text.

use crate::import::{self, Imported};
use recto_core::Label;
use regex::Regex;
use std::sync::LazyLock;

static LINK: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"!?\[([^\[\]]*)\]\([^()\s]*\)").expect("BUG: the pattern of links is wrong"));
static STRONG: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\*\*([^\s*](?:[^*]*[^\s*])?)\*\*").expect("BUG: the pattern of bold is wrong"));
// An asterisk between figures multiplies.
static SLANTED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(^|[^\w*])\*([^\s*\d](?:[^*]*[^\s*])?)\*").expect("BUG: the pattern of italics is wrong")
});
static STRUCK: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"~~([^~]+)~~").expect("BUG: the pattern of strikes is wrong"));

/// Takes the marks out. The backends of RTF and of legacy Office write bold, italics, strikes and links as Markdown
/// does; a reader sees none of these marks.
pub(super) fn remove(imported: &mut Imported) {
    for item in &mut imported.items {
        if let Some(grid) = &mut item.table {
            for cell in &mut grid.cells {
                cell.text = unmarked(&cell.text);
            }
            item.text = import::markdown_grid(grid);
        } else if !matches!(item.label, Label::Code | Label::Formula) {
            item.text = unmarked(&item.text);
        }
    }
}

fn unmarked(text: &str) -> String {
    if !text.contains(['*', '[', '~']) {
        return text.to_owned();
    }
    let text = LINK.replace_all(text, "$1");
    let text = STRONG.replace_all(&text, "$1");
    let text = SLANTED.replace_all(&text, "$1$2");
    STRUCK.replace_all(&text, "$1").into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_go_and_arithmetic_stays() {
        assert_eq!(
            unmarked("Plain **bold** and *slanted* and ~~old~~ words"),
            "Plain bold and slanted and old words"
        );
        assert_eq!(unmarked("a [link](http://x.org) here"), "a link here");
        for kept in ["5 * 3 * 2", "2*3*4", "see [1] (2)", "a ** b"] {
            assert_eq!(unmarked(kept), kept);
        }
    }
}
