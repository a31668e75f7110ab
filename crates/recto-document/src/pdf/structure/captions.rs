//! Captions: how they begin, and which table or picture they belong to.

use super::blocks::Block;
use recto_core::{Item, Label, Rect};

/// Longest caption, in characters.
const MAX_CAPTION: usize = 900;

/// What a caption stands with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CaptionOf {
    Table,
    Picture,
}

/// Whether a block begins like a caption: "Figure 3.", "Table 2-1", "Exhibit A:". "Table 2 shows that …" is a sentence.
pub(super) fn kind(block: &Block<'_>) -> Option<CaptionOf> {
    if !block.upright || block.rows && block.lines.len() > 2 || block.text.len() > MAX_CAPTION {
        return None;
    }
    begins(&block.text)
}

/// Whether a text begins like a caption.
pub(super) fn begins(text: &str) -> Option<CaptionOf> {
    let text = text.trim();
    let (word, rest) = text.split_once(char::is_whitespace)?;
    if !word.starts_with(char::is_uppercase) {
        return None;
    }
    let of = match word.trim_end_matches('.').to_lowercase().as_str() {
        "table" | "tab" => CaptionOf::Table,
        "figure" | "fig" | "exhibit" | "chart" | "graph" | "box" | "map" | "photo" | "plate" | "diagram" | "scheme"
        | "illustration" | "listing" | "algorithm" => CaptionOf::Picture,
        _ => return None,
    };
    let rest = rest.trim_start();
    let (number, after) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    let bare = number.trim_end_matches(['.', ':', ')', '-', '–', '—', '|']);
    let is_number = !bare.is_empty()
        && bare.len() <= 8
        && bare
            .chars()
            .all(|c| c.is_ascii_digit() || matches!(c, '.' | '-' | '–') || c.is_ascii_uppercase())
        && (bare.chars().any(|c| c.is_ascii_digit()) || bare.len() == 1 || bare.chars().all(|c| "IVX".contains(c)));
    if !is_number {
        return None;
    }
    let closed = bare.len() < number.len();
    let after = after.trim_start();
    let titled = after.starts_with(|c: char| !c.is_lowercase());
    (closed || after.is_empty() || titled).then_some(of)
}

/// Gives each caption the table or picture next to it as its parent: the one nearest above or below, pictures and
/// tables of its own kind first.
pub(super) fn bind(items: &mut [Item]) {
    let owners: Vec<(String, Label, u32, Rect)> = items
        .iter()
        .filter(|item| matches!(item.label, Label::Table | Label::Picture))
        .filter_map(|item| {
            let at = item.provenance.first()?.at;
            Some((item.self_ref.clone(), item.label, at.page, at.rect))
        })
        .collect();
    for item in items.iter_mut().filter(|item| item.label == Label::Caption) {
        let Some(at) = item.provenance.first().map(|p| p.at) else {
            continue;
        };
        let wanted = match begins(&item.text) {
            Some(CaptionOf::Table) => Label::Table,
            _ => Label::Picture,
        };
        let height = at.rect.height().max(8.0);
        let distance = |rect: &Rect| {
            let down = (rect.top - at.rect.bottom).max(at.rect.top - rect.bottom).max(0.0);
            let across = (rect.left - at.rect.right).max(at.rect.left - rect.right).max(0.0);
            down + across
        };
        let nearest = owners
            .iter()
            .filter(|(_, _, page, rect)| *page == at.page && distance(rect) < (4.0 * height).max(40.0))
            .min_by(|a, b| {
                let key = |owner: &(String, Label, u32, Rect)| {
                    // A table's caption stands above it, a picture's below.
                    let side = match owner.1 {
                        Label::Table => owner.3.top < at.rect.top,
                        _ => owner.3.top > at.rect.top,
                    };
                    let other_kind = owner.1 != wanted;
                    distance(&owner.3) + if other_kind { 60.0 } else { 0.0 } + if side { 12.0 } else { 0.0 }
                };
                key(a).total_cmp(&key(b))
            });
        item.parent = nearest.map(|(self_ref, ..)| self_ref.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn captions_begin_with_a_kind_and_a_number_and_sentences_about_them_do_not() {
        assert_eq!(begins("Table 2-1. Staff by grade"), Some(CaptionOf::Table));
        assert_eq!(begins("TABLE 1.03B"), Some(CaptionOf::Table));
        assert_eq!(begins("Fig. 3 The plant"), Some(CaptionOf::Picture));
        assert_eq!(begins("Exhibit A: Terms"), Some(CaptionOf::Picture));
        assert_eq!(begins("Table 2 shows the staff by grade."), None);
        assert_eq!(begins("Figure skating is popular."), None);
        assert_eq!(begins("Table of contents"), None);
    }
}
