//! Text as it is.

pub(crate) mod decode;
pub(crate) mod marker;

use crate::error::{Error, Result};
use crate::open::{Sink, Step};
use crate::sniff;
use recto_core::{Document, DocumentInfo, Item, Label};

/// Characters of a paragraph at most. What goes on without a blank line for longer is a table, a log or a file in one
/// line; it is cut at a line's end, else after a sentence, else between words, so that one item stays something that
/// can be shown and cited.
const MAX_PARAGRAPH: usize = 8_000;
/// Lines of source code in one item at most, for the same reason.
const MAX_CODE_LINES: usize = 200;

/// Reads plain text: paragraphs are what blank lines separate; line breaks inside them stay.
pub(crate) fn plain(bytes: &[u8], sink: &mut dyn Sink) -> Result<Document> {
    let text = decode::shown(decode::text(bytes));
    finish(sniff::PLAIN_TEXT, paragraphs(&text), sink)
}

/// Reads source code: blocks of lines, cut where a blank line stands before something that is not indented.
pub(crate) fn code(bytes: &[u8], media_type: &str, sink: &mut dyn Sink) -> Result<Document> {
    let text = decode::shown(decode::text(bytes))
        .replace("\r\n", "\n")
        .replace('\r', "\n");
    let mut blocks: Vec<String> = Vec::new();
    let mut block = String::new();
    let mut lines = 0;
    let mut blank = false;
    for line in text.lines() {
        let starts_anew = blank && !line.starts_with([' ', '\t', '}', ')', ']']) && !line.is_empty();
        if lines >= MAX_CODE_LINES && starts_anew || lines >= 2 * MAX_CODE_LINES {
            blocks.push(std::mem::take(&mut block));
            lines = 0;
        }
        blank = line.trim().is_empty();
        block.push_str(line.trim_end());
        block.push('\n');
        lines += 1;
    }
    blocks.push(block);
    let texts = blocks
        .iter()
        .map(|block| block.trim_matches('\n'))
        .filter(|block| !block.trim().is_empty())
        .flat_map(pieces);
    finish(media_type, items(texts.map(str::to_owned), Label::Code), sink)
}

/// The paragraphs of a text as items.
pub(crate) fn paragraphs(text: &str) -> Vec<Item> {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let mut paragraphs: Vec<String> = Vec::new();
    let mut open = String::new();
    for line in text.split(['\n', '\u{c}']) {
        let line = line.trim_end();
        if line.trim().is_empty() {
            if !open.is_empty() {
                paragraphs.push(std::mem::take(&mut open));
            }
            continue;
        }
        if !open.is_empty() {
            open.push('\n');
        }
        open.push_str(line);
    }
    paragraphs.push(open);
    items(
        paragraphs
            .iter()
            .flat_map(|paragraph| pieces(paragraph))
            .map(str::to_owned),
        Label::Text,
    )
}

fn items(texts: impl Iterator<Item = String>, label: Label) -> Vec<Item> {
    texts
        .filter(|text| !text.trim().is_empty())
        .zip(0u32..)
        .map(|(text, position)| Item {
            position,
            self_ref: format!("#/texts/{position}"),
            label,
            text,
            ..Item::default()
        })
        .collect()
}

/// `text` in pieces of at most [`MAX_PARAGRAPH`] bytes.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (piece, left) = rest.split_at(cut(rest));
        rest = left.trim_start_matches([' ', '\n']);
        Some(piece.trim_end_matches(['\n', ' ']))
    })
}

fn cut(text: &str) -> usize {
    if text.len() <= MAX_PARAGRAPH {
        return text.len();
    }
    let end = (0..=MAX_PARAGRAPH)
        .rev()
        .find(|at| text.is_char_boundary(*at))
        .unwrap_or(text.len());
    let window = &text[..end];
    let late = |at: &usize| *at > MAX_PARAGRAPH / 2;
    let sentence = || window.rfind(". ").map(|at| at + 1).filter(late);
    let word = || window.rfind(char::is_whitespace).filter(late);
    window
        .rfind('\n')
        .filter(late)
        .or_else(sentence)
        .or_else(word)
        .unwrap_or(end)
}

fn finish(media_type: &str, items: Vec<Item>, sink: &mut dyn Sink) -> Result<Document> {
    if items.is_empty() {
        return Err(Error::Empty);
    }
    let info = DocumentInfo {
        media_type: media_type.into(),
        ..DocumentInfo::default()
    };
    sink.step(Step::Info(&info))?;
    sink.step(Step::Structuring)?;
    Ok(Document {
        info,
        items,
        ..Document::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(document: &Document) -> Vec<&str> {
        document.items.iter().map(|item| item.text.as_str()).collect()
    }

    #[test]
    fn blank_lines_separate_the_paragraphs_of_plain_text() {
        let document = plain(b"one\r\ntwo\r\n\r\n\r\nthree", &mut ()).expect("reads");
        assert_eq!(texts(&document), ["one\ntwo", "three"]);
    }

    #[test]
    fn a_file_of_white_space_is_empty() {
        assert!(matches!(plain(b"\n \n", &mut ()), Err(Error::Empty)));
    }

    #[test]
    fn a_line_without_end_becomes_several_items_and_loses_nothing() {
        let line = "A sentence of words. ".repeat(20_000);
        let document = plain(line.as_bytes(), &mut ()).expect("reads");
        assert!(document.items.len() >= line.len() / MAX_PARAGRAPH);
        assert!(
            document
                .items
                .iter()
                .all(|item| item.text.len() <= MAX_PARAGRAPH && item.text.ends_with('.'))
        );
        assert_eq!(texts(&document).join(" "), line.trim_end());
    }

    #[test]
    fn code_keeps_its_lines_and_indentation() {
        let document = code(b"fn main() {\n    x();\n}\n", "text/x-rust", &mut ()).expect("reads");
        assert_eq!(document.items[0].label, Label::Code);
        assert_eq!(texts(&document), ["fn main() {\n    x();\n}"]);
    }
}
