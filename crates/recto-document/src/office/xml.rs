//! XML of any vocabulary: its text with the names around it.

use super::{backend, finish};
use crate::error::{Error, Result};
use crate::import::Imported;
use crate::open::{Options, Sink};
use crate::text::decode;
use quick_xml::Reader;
use quick_xml::events::Event;
use recto_core::{Document, DocumentInfo, Item};

/// Reads XML. Elements that hold nothing but text stand as `name: text`, those with the same parent together; other
/// text stands for itself. Nothing that the file refers to is read, and entities it declares are not replaced.
pub(crate) fn read(bytes: &[u8], _: &Options, sink: &mut dyn Sink) -> Result<Document> {
    let text = decode::shown(decode::text(bytes));
    let items = backend::guarded("XML", || items(&text))?;
    let imported = Imported {
        items,
        ..Imported::default()
    };
    finish("application/xml", imported, None, DocumentInfo::default(), sink)
}

fn items(text: &str) -> Result<Vec<Item>> {
    let mut reader = Reader::from_str(text);
    reader.config_mut().check_end_names = false;
    let mut paragraphs = Paragraphs::default();
    // The names of the open elements, and the text since the last tag.
    let mut open: Vec<String> = Vec::new();
    let mut run = String::new();
    let mut just_opened = false;
    loop {
        let event = reader.read_event().map_err(|_| Error::Damaged {
            what: "it is not well-formed XML".into(),
        })?;
        match event {
            Event::Start(tag) => {
                let mixed = !run.trim().is_empty();
                paragraphs.text(None, &run);
                run.clear();
                if just_opened && !mixed {
                    // The element around this one holds elements: what it holds is a paragraph of its own.
                    paragraphs.end();
                }
                open.push(String::from_utf8_lossy(tag.local_name().as_ref()).into_owned());
                just_opened = true;
            }
            Event::End(_) => {
                let name = open.pop();
                if just_opened {
                    paragraphs.text(name.as_deref(), &run);
                } else {
                    paragraphs.text(None, &run);
                    paragraphs.end();
                }
                run.clear();
                just_opened = false;
            }
            Event::Text(part) => run.push_str(&part.decode().unwrap_or_default()),
            Event::CData(part) => run.push_str(&part.decode().unwrap_or_default()),
            Event::GeneralRef(reference) => match reference.resolve_char_ref() {
                Ok(Some(character)) => run.push(character),
                _ => {
                    let name = reference.decode().unwrap_or_default();
                    match quick_xml::escape::resolve_predefined_entity(&name) {
                        Some(character) => run.push_str(character),
                        None => {
                            run.push('&');
                            run.push_str(&name);
                            run.push(';');
                        }
                    }
                }
            },
            Event::Eof => break,
            Event::Empty(_) | Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
        }
    }
    paragraphs.text(None, &run);
    paragraphs.end();
    Ok(paragraphs.items)
}

#[derive(Default)]
struct Paragraphs {
    items: Vec<Item>,
    lines: String,
}

impl Paragraphs {
    fn text(&mut self, name: Option<&str>, text: &str) {
        let mut words = text.split_whitespace().peekable();
        if words.peek().is_none() {
            return;
        }
        if !self.lines.is_empty() {
            self.lines.push('\n');
        }
        if let Some(name) = name {
            self.lines.push_str(name);
            self.lines.push_str(": ");
        }
        for (index, word) in words.enumerate() {
            if index > 0 {
                self.lines.push(' ');
            }
            self.lines.push_str(word);
        }
    }

    fn end(&mut self) {
        if self.lines.is_empty() {
            return;
        }
        let position = u32::try_from(self.items.len()).unwrap_or(u32::MAX);
        self.items.push(Item {
            position,
            self_ref: format!("#/texts/{position}"),
            text: std::mem::take(&mut self.lines),
            ..Item::default()
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_stand_together_with_their_names() {
        let xml = "<?xml version='1.0'?><list><book id='1'><name>A &amp; B</name><price>12</price></book>\
                   <book><name>C</name></book><p>Some <b>bold</b> words.</p></list>";
        let texts: Vec<String> = items(xml).expect("reads").into_iter().map(|item| item.text).collect();
        assert_eq!(texts, ["name: A & B\nprice: 12", "name: C", "Some\nb: bold\nwords."]);
    }

    #[test]
    fn declared_entities_are_not_expanded() {
        let xml = "<!DOCTYPE x [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;'>]><x>&b; and &lt;</x>";
        let texts: Vec<String> = items(xml).expect("reads").into_iter().map(|item| item.text).collect();
        assert_eq!(texts, ["x: &b; and <"]);
    }

    #[test]
    fn nesting_without_end_is_no_trouble() {
        let xml = format!("{}x{}", "<a>".repeat(100_000), "</a>".repeat(100_000));
        assert_eq!(items(&xml).expect("reads").len(), 1);
    }
}
