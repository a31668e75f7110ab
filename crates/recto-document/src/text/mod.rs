//! Formats without pages: text as it is, Markdown by the declarative backends of the `docling` crate.
//!
//! What those backends return is a Docling document; [`import`] turns it into items. Every further format they read
//! (Word, HTML, mail and so on) takes the same way.

mod decode;
mod import;
pub(crate) mod marker;

use crate::error::{Error, Result};
use crate::open::{Sink, Step};
use crate::sniff;
use docling::{DocumentConverter, InputFormat, SourceDocument};
use recto_core::{Document, DocumentInfo, Item, Label};

/// Reads Markdown.
pub(crate) fn markdown(bytes: &[u8], sink: &mut dyn Sink) -> Result<Document> {
    let text = decode::text(bytes);
    let damaged = |what: String| Error::Damaged { what };
    let source = SourceDocument::from_bytes("document", InputFormat::Md, text.into_bytes());
    let converted = DocumentConverter::new()
        .convert(source)
        .map_err(|error| damaged(format!("it is not readable Markdown ({error})")))?;
    let items = import::items(&converted.document.export_to_json_value());
    finish(sniff::MARKDOWN, items, sink)
}

/// Reads plain text: paragraphs are what blank lines separate; line breaks inside them stay.
pub(crate) fn plain(bytes: &[u8], sink: &mut dyn Sink) -> Result<Document> {
    let text = decode::text(bytes).replace("\r\n", "\n").replace('\r', "\n");
    let mut paragraphs: Vec<String> = vec![String::new()];
    for line in text.split(['\n', '\u{c}']) {
        let line = line.trim_end();
        match paragraphs.last_mut() {
            Some(last) if !line.trim().is_empty() => {
                if !last.is_empty() {
                    last.push('\n');
                }
                last.push_str(line);
            }
            Some(last) if !last.is_empty() => paragraphs.push(String::new()),
            _ => {}
        }
    }
    let items = paragraphs
        .into_iter()
        .filter(|text| !text.trim().is_empty())
        .zip(0u32..)
        .map(|(text, position)| Item {
            position,
            self_ref: format!("#/texts/{position}"),
            label: Label::Text,
            level: 0,
            text,
            ..Item::default()
        })
        .collect();
    finish(sniff::PLAIN_TEXT, items, sink)
}

fn finish(media_type: &str, items: Vec<Item>, sink: &mut dyn Sink) -> Result<Document> {
    if items.is_empty() {
        return Err(Error::Empty);
    }
    let title = items
        .iter()
        .find(|item| item.label.is_heading())
        .map(|item| item.text.clone());
    let info = DocumentInfo {
        title,
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

    #[test]
    fn markdown_headings_lists_and_tables_become_items_in_order() {
        let source = "# Guide\n\nFirst *words*.\n\n## Setup\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n";
        let document = markdown(source.as_bytes(), &mut ()).expect("reads");
        let shape: Vec<(Label, u32, &str)> = document
            .items
            .iter()
            .map(|i| (i.label, i.level, i.text.as_str()))
            .collect();
        assert_eq!(shape[0], (Label::Title, 0, "Guide"));
        assert_eq!(
            shape[1].2.replace("  ", " "),
            "First words .".replace(" .", "."),
            "{shape:?}"
        );
        assert_eq!(shape[2], (Label::SectionHeader, 1, "Setup"));
        assert_eq!(shape[3], (Label::ListItem, 1, "one"));
        assert_eq!(shape[5].0, Label::Table);
        assert_eq!(
            document.items[5].table.as_ref().map(|t| (t.rows, t.columns)),
            Some((2, 2))
        );
        assert_eq!(document.info.title.as_deref(), Some("Guide"));
    }

    #[test]
    fn blank_lines_separate_the_paragraphs_of_plain_text() {
        let document = plain(b"one\r\ntwo\r\n\r\n\r\nthree", &mut ()).expect("reads");
        let texts: Vec<&str> = document.items.iter().map(|i| i.text.as_str()).collect();
        assert_eq!(texts, ["one\ntwo", "three"]);
    }

    #[test]
    fn a_file_of_white_space_is_empty() {
        assert!(matches!(plain(b"\n \n", &mut ()), Err(Error::Empty)));
    }
}
