//! From blocks to an item with its words.

use super::blocks::Block;
use super::hyphens::Vocabulary;
use recto_core::{Item, Label, PageRect, Provenance, Rect, WordSpan};

/// The blocks one item is made of, and what it is.
pub(super) struct Parts<'b> {
    pub(super) blocks: Vec<&'b Block<'b>>,
    pub(super) label: Label,
    pub(super) level: u32,
    /// Whether lines stay lines.
    pub(super) rows: bool,
}

/// An item with its text, its words, and one box for each block.
pub(super) fn build(parts: &Parts<'_>, vocabulary: &Vocabulary) -> Item {
    let mut text = String::new();
    let mut words: Vec<WordSpan> = Vec::new();
    let mut provenance = Vec::with_capacity(parts.blocks.len());
    for block in &parts.blocks {
        let page = block.page;
        let mut rect: Option<Rect> = None;
        let mut part_start = None;
        for line in block.lines {
            for (word_index, index) in line.words.clone().enumerate() {
                let word = &page.words[index];
                let written = page
                    .text
                    .get(word.start as usize..word.end as usize)
                    .unwrap_or_default();
                let mut separator = match (text.is_empty(), word_index, parts.rows) {
                    (true, ..) => "",
                    (_, 0, true) => "\n",
                    _ => " ",
                };
                if word_index == 0 && !parts.rows && vocabulary.splits(last_word(&text, &words), written) {
                    // The hyphen goes, and with it the separator: two spans without a gap.
                    text.pop();
                    separator = "";
                    let end = length(&text);
                    if let Some(span) = words.last_mut() {
                        span.end = end;
                    }
                    if let Some(Provenance { end: last, .. }) = provenance.last_mut() {
                        *last = end.min(*last);
                    }
                }
                text.push_str(separator);
                let start = length(&text);
                part_start.get_or_insert(start);
                text.push_str(written);
                words.push(WordSpan {
                    start,
                    end: length(&text),
                    page: page.number,
                    word: u32::try_from(index).unwrap_or(u32::MAX),
                });
                rect = Some(rect.map_or(word.rect, |r| r.union(&word.rect)));
            }
        }
        provenance.push(Provenance {
            at: PageRect {
                page: page.number,
                rect: rect.unwrap_or_default(),
            },
            start: part_start.unwrap_or_default(),
            end: length(&text),
        });
    }
    Item {
        label: parts.label,
        level: parts.level,
        text,
        provenance,
        words,
        ..Item::default()
    }
}

fn last_word<'t>(text: &'t str, words: &[WordSpan]) -> &'t str {
    words
        .last()
        .and_then(|span| text.get(span.start as usize..span.end as usize))
        .unwrap_or_default()
}

fn length(text: &str) -> u32 {
    u32::try_from(text.len()).unwrap_or(u32::MAX)
}
