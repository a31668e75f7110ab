//! What is known of a file beyond the document a backend makes of it.

use crate::import::{Hints, Source};
use docling::DoclingDocument;
use quick_xml::Reader;
use quick_xml::events::Event;
use std::collections::HashMap;
use std::io::{Cursor, Read};

/// Unpacked bytes of a Word document's main part that are looked at for spacing.
const MAX_PART_BYTES: u64 = 64 << 20;

/// Footnotes and spacing. `package` is the file itself, where it is one of Word.
pub(super) fn of(document: &DoclingDocument, source: &Source, package: Option<&[u8]>) -> Hints {
    let mut hints = Hints {
        notes: notes(document, source),
        ..Hints::default()
    };
    for block in document.tree.iter().flat_map(|tree| &tree.blocks) {
        hints.space(&block.text);
    }
    if let Some(package) = package {
        word_paragraphs(package, &mut hints);
    }
    hints
}

/// Which notes each item calls. In Docling's JSON notes stand at the end and nothing says where they belong; the tree
/// it was written from knows.
fn notes(document: &DoclingDocument, source: &Source) -> HashMap<String, Vec<String>> {
    let mut calls = HashMap::new();
    let Some(tree) = &document.tree else {
        return calls;
    };
    let indices = |wanted: fn(bool, bool) -> bool| {
        let items = tree.items.iter().enumerate();
        items
            .filter(move |(_, item)| !item.deleted && wanted(!item.notes.is_empty(), item.note_body))
            .map(|(index, _)| index)
    };
    let mut bodies: HashMap<&str, Vec<usize>> = HashMap::new();
    for number in indices(|_, body| body).map(|index| tree.bucket_index(index)) {
        if let Some(text) = source.text(number) {
            bodies.entry(text).or_default().push(number);
        }
    }
    for same in bodies.values_mut() {
        // Equal notes are called in the order in which they stand.
        same.reverse();
    }
    for caller in indices(|calls, _| calls) {
        let notes: Vec<String> = tree.items[caller]
            .notes
            .iter()
            .filter_map(|note| bodies.get_mut(note.text.as_str())?.pop())
            .map(|number| format!("#/texts/{number}"))
            .collect();
        calls.insert(format!("#/texts/{}", tree.bucket_index(caller)), notes);
    }
    calls
}

/// The text of each paragraph of a Word document. What cannot be read gives no hint.
fn word_paragraphs(package: &[u8], hints: &mut Hints) {
    let Ok(mut archive) = zip::ZipArchive::new(Cursor::new(package)) else {
        return;
    };
    let mut xml = Vec::new();
    let Ok(part) = archive.by_name("word/document.xml") else {
        return;
    };
    if part.take(MAX_PART_BYTES).read_to_end(&mut xml).is_err() {
        return;
    }
    let mut reader = Reader::from_reader(xml.as_slice());
    reader.config_mut().check_end_names = false;
    let mut paragraph = String::new();
    let mut in_text = false;
    while let Ok(event) = reader.read_event() {
        match event {
            Event::Start(tag) => match tag.local_name().as_ref() {
                b"t" => in_text = true,
                b"p" => paragraph.clear(),
                _ => {}
            },
            Event::Empty(tag) if matches!(tag.local_name().as_ref(), b"tab" | b"br" | b"cr") => paragraph.push(' '),
            Event::Text(text) if in_text => paragraph.push_str(&text.decode().unwrap_or_default()),
            Event::GeneralRef(reference) if in_text => {
                let name = reference.decode().unwrap_or_default();
                if let Some(text) = quick_xml::escape::resolve_predefined_entity(&name) {
                    paragraph.push_str(text);
                } else if let Ok(Some(character)) = reference.resolve_char_ref() {
                    paragraph.push(character);
                }
            }
            Event::End(tag) => match tag.local_name().as_ref() {
                b"t" => in_text = false,
                b"p" => {
                    hints.space(&paragraph);
                    paragraph.clear();
                }
                _ => {}
            },
            Event::Eof => break,
            _ => {}
        }
    }
}
