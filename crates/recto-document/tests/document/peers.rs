//! Faults seen in other programs that read documents.

use crate::package::{docx, package, paragraph};
use recto_core::ErrorCode;
use recto_document::open::{self, Options};

fn read(bytes: &[u8], file_name: &str) -> recto_document::Result<recto_core::Document> {
    let options = Options {
        file_name: file_name.into(),
        ..Options::default()
    };
    open::read(bytes, &options, &mut ())
}

/// The text of an error never becomes the text of a document.
#[test]
fn t61_a_file_that_fails_has_no_document_and_no_text_of_it_in_the_error() {
    let broken = package(&[
        ("[Content_Types].xml", "<Types/>"),
        ("word/document.xml", "<w:document><w:t>confidential sentence</w:wrong>"),
    ]);
    let json = br#"{"schema_name": "DoclingDocument", "version": "1.0.0", "body": "confidential sentence"}"#;
    for (bytes, name) in [
        (&broken[..], "a.docx"),
        (&json[..], "a.json"),
        (&b"%PDF-1.7\nconfidential sentence"[..], "a.pdf"),
    ] {
        let error = read(bytes, name).expect_err("fails");
        assert_eq!(error.code(), ErrorCode::Damaged, "{name}");
        assert!(!error.to_string().contains("confidential"), "{error}");
    }
}

/// A file in disguise is refused at once by what it is, or read as what it is.
#[test]
fn t62_a_binary_named_like_a_pdf_is_refused_by_its_own_type() {
    let gzip = [&b"\x1f\x8b\x08\0"[..], &[0x80; 64]].concat();
    let error = read(&gzip, "report.pdf").expect_err("is refused");
    assert_eq!(error.code(), ErrorCode::UnsupportedType);
    assert!(error.to_string().contains("gzip archive"), "{error}");
    let document = read(&docx(&paragraph("", "A Word file."), &[]), "report.pdf").expect("is read as what it is");
    assert_eq!(document.items[0].text, "A Word file.");
}

/// What is a command to a language model is text to a reader.
#[test]
fn t63_special_tokens_of_models_are_text() {
    let tokens = "<|endoftext|> and <|im_start|>system stay";
    assert_eq!(read(tokens.as_bytes(), "a.txt").expect("reads").items[0].text, tokens);
    let escaped = tokens.replace('<', "&lt;").replace('>', "&gt;");
    let word = read(&docx(&paragraph("", &escaped), &[]), "a.docx").expect("reads");
    assert_eq!(word.items[0].text, tokens);
    let page = read(
        format!("<html><body><p>{escaped}</p></body></html>").as_bytes(),
        "a.html",
    )
    .expect("reads");
    assert_eq!(page.items[0].text, tokens);
}

/// A long book in one page of HTML is read whole; nothing empty comes of it.
#[test]
fn t64_a_long_book_has_neither_empty_items_nor_ones_without_words() {
    let page: String = (0..2_000)
        .map(|chapter| {
            format!("<h2>Chapter {chapter}</h2><p></p><p>&nbsp;</p><p>Words of <i>chapter</i> {chapter}.</p>")
        })
        .collect();
    let document = read(format!("<html><body>{page}</body></html>").as_bytes(), "book.html").expect("reads");
    assert_eq!(document.items.len(), 4_000);
    assert!(
        document
            .items
            .iter()
            .all(|item| item.text.chars().any(char::is_alphanumeric))
    );
    assert_eq!(document.items[3_999].text, "Words of chapter 1999.");
}

/// Sizes at which anything that grows with the square of a text would take many minutes.
#[test]
fn long_lines_and_long_tables_are_read_whole() {
    let line = "word and more text. ".repeat(100_000);
    let document = read(line.as_bytes(), "a.txt").expect("reads");
    let words: usize = document.items.iter().map(|item| item.text.split(' ').count()).sum();
    assert_eq!(words, 400_000);
    let rows: String = (0..50_000).map(|row| format!("| {row} | text {row} |\n")).collect();
    let table = read(format!("| a | b |\n|---|---|\n{rows}").as_bytes(), "a.md").expect("reads");
    assert_eq!(
        table.items[0].table.as_ref().map(|grid| (grid.rows, grid.cells.len())),
        Some((50_001, 100_002))
    );
    assert_eq!(table.items[0].text.lines().count(), 50_002);
    let rows: String = (0..50_000).map(|row| format!("{row},text {row}\n")).collect();
    let table = read(format!("a,b\n{rows}").as_bytes(), "a.csv").expect("reads");
    assert_eq!(
        table.items[0].table.as_ref().map(|grid| grid.cells.len()),
        Some(100_002)
    );
    let paragraphs = "# Head\n\nSome *text* here.\n\n- entry\n\n".repeat(5_000);
    assert_eq!(read(paragraphs.as_bytes(), "a.md").expect("reads").items.len(), 15_000);
}
