//! From a block to an item with its words.

use super::blocks::Block;
use super::hyphens::Vocabulary;
use recto_core::{Item, Label, PageRect, Provenance, Rect, WordSpan};

pub(super) fn build(position: u32, label: Label, level: u32, block: &Block<'_>, vocabulary: &Vocabulary) -> Item {
    let page = block.page;
    let mut text = String::new();
    let mut words = Vec::new();
    let mut rect: Option<Rect> = None;
    for (line_index, line) in block.lines.iter().enumerate() {
        let mut separator = match (line_index, block.rows) {
            (0, _) => "",
            (_, true) => "\n",
            (_, false) => " ",
        };
        for (word_index, index) in line.words.clone().enumerate() {
            let word = &page.words[index];
            let written = page
                .text
                .get(word.start as usize..word.end as usize)
                .unwrap_or_default();
            if word_index > 0 {
                separator = " ";
            } else if line_index > 0 && !block.rows {
                let last = last_word(&text, &words);
                if vocabulary.splits(last, written) {
                    // The hyphen goes, and with it the separator: two spans without a gap.
                    text.pop();
                    if let Some(WordSpan { end, .. }) = words.last_mut() {
                        *end -= 1;
                    }
                    separator = "";
                }
            }
            text.push_str(separator);
            let start = length(&text);
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
    let end = length(&text);
    Item {
        position,
        self_ref: format!("#/texts/{position}"),
        label,
        level,
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
