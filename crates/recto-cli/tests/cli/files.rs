//! `convert`: files without a library.

use crate::support::{Desk, HARBOUR, errors_of, has_keys, rows, text_of};
use serde_json::Value;

#[test]
fn a_file_is_printed_in_every_format() {
    let desk = Desk::new();
    let file = desk.pdf("harbour.pdf", &HARBOUR).to_string_lossy().into_owned();
    let text = |to: &str| desk.text(&["convert", &file, "--to", to]);
    let json = |to: &str| serde_json::from_str::<Value>(&text(to)).unwrap_or_else(|error| panic!("{to}: {error}"));

    for to in ["text", "md"] {
        let printed = text(to);
        assert!(
            printed.contains("4,812 containers") && printed.ends_with('\n'),
            "{to}: {printed}"
        );
    }
    let words = json("words");
    let page = &rows(&words["pages"])[1];
    has_keys(page, &["page_no", "width", "height", "words"]);
    assert_eq!(page["page_no"], 2);
    let word = rows(&page["words"])
        .iter()
        .find(|word| word["text"] == "twenty-three")
        .expect("the word is there");
    has_keys(&word["bbox"], &["l", "t", "r", "b"]);
    assert_eq!(text_of(&json("docling")["schema_name"]), "DoclingDocument");
    assert_eq!(rows(&json("json")["pages"]).len(), 2);
    assert!(!desk.library().exists(), "no library is made");
}

#[test]
fn pages_can_be_chosen() {
    let desk = Desk::new();
    let file = desk.pdf("harbour.pdf", &HARBOUR).to_string_lossy().into_owned();
    let second = desk.text(&["convert", &file, "--to", "text", "--pages", "2-"]);
    assert!(
        second.contains("twenty-three pilots") && !second.contains("containers"),
        "{second}"
    );
}

#[test]
fn layers_are_drawn_into_a_folder_a_file_per_page() {
    let desk = Desk::new();
    let file = desk.pdf("harbour.pdf", &HARBOUR).to_string_lossy().into_owned();
    let folder = desk.path("layers").to_string_lossy().into_owned();
    let draw = |to: &str, layer: &str| desk.text(&["convert", &file, "--to", to, "--layer", layer, "-o", &folder]);
    assert_eq!(draw("png", "items").trim_end(), folder);
    draw("svg", "words");
    for (name, start) in [("page-0001.png", &b"\x89PNG"[..]), ("page-0002.svg", b"<svg")] {
        let sheet = std::fs::read(desk.path("layers").join(name)).expect("is there");
        assert!(sheet.starts_with(start), "{name}");
    }
}

#[test]
fn a_text_can_be_written_to_a_file_but_not_over_its_document() {
    let desk = Desk::new();
    let file = desk.pdf("harbour.pdf", &HARBOUR).to_string_lossy().into_owned();
    let to = desk.path("harbour.txt").to_string_lossy().into_owned();
    assert_eq!(desk.text(&["convert", &file, "--to", "text", "-o", &to]), "");
    assert!(
        std::fs::read_to_string(&to)
            .expect("is there")
            .contains("4,812 containers")
    );
    assert_eq!(desk.error(2, &["convert", &file, "-o", &file]).0, "invalid_argument");
}

#[test]
fn a_file_that_cannot_be_read_fails_in_words() {
    let desk = Desk::new();
    let file = desk.path("broken.pdf");
    std::fs::write(&file, b"%PDF-1.7\nnothing that could be read").expect("written");
    let (code, message) = desk.error(1, &["convert", &file.to_string_lossy()]);
    assert_eq!(code, "damaged");
    assert!(!message.is_empty());
    assert_eq!(desk.error(1, &["convert", "missing.pdf"]).0, "not_found");
}

#[test]
fn a_page_is_never_drawn_over_its_own_document() {
    let desk = Desk::new();
    let file = desk.pdf("harbour.pdf", &HARBOUR);
    let before = std::fs::read(&file).expect("read");
    let path = file.to_string_lossy();
    let output = desk.run(["page", &path, "1", "-o", &path]);
    assert_eq!(output.status.code(), Some(2), "{}", errors_of(&output));
    assert_eq!(std::fs::read(&file).expect("read"), before, "the document is untouched");
}
