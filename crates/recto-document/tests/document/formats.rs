//! Files that are no documents end in a code and a sentence.

use crate::fixture::{FixturePage, pdf, text};
use recto_core::ErrorCode;
use recto_document::open::{self, Options};
use recto_worker::ParseLimits;

fn code(bytes: &[u8], file_name: &str) -> ErrorCode {
    let options = Options {
        file_name: file_name.into(),
        ..Options::default()
    };
    open::read(bytes, &options, &mut ()).expect_err("is refused").code()
}

#[test]
fn every_bad_file_has_its_own_code() {
    assert_eq!(code(b"", "a.pdf"), ErrorCode::Empty);
    assert_eq!(code(b"%PDF-1.7\nnothing follows", "a.pdf"), ErrorCode::Damaged);
    assert_eq!(code(b"\x89PNG\r\n\x1a\n....", "a.pdf"), ErrorCode::Damaged);
    assert_eq!(code(b"PK\x03\x04 xl/workbook.xml", "a.xlsx"), ErrorCode::Damaged);
    assert_eq!(code(b"7z\xbc\xaf\x27\x1c....", "a.xlsx"), ErrorCode::UnsupportedType);
    assert_eq!(code(b" \n ", "notes.txt"), ErrorCode::Empty);
}

#[test]
fn limits_are_named_in_the_error() {
    let page = FixturePage::letter(&text(10.0, 72.0, 700.0, "x"));
    let bytes = pdf(&[page.clone(), page]);
    let read = |limits: ParseLimits| {
        let options = Options {
            limits,
            ..Options::default()
        };
        open::read(&bytes, &options, &mut ()).expect_err("is refused")
    };
    let pages = read(ParseLimits {
        max_pages: 1,
        ..ParseLimits::default()
    });
    assert_eq!(pages.code(), ErrorCode::TooLarge);
    assert!(pages.to_string().contains("the limit is 1"), "{pages}");
    let size = read(ParseLimits {
        max_bytes: 100,
        ..ParseLimits::default()
    });
    assert!(size.to_string().contains("the limit is 100"), "{size}");
}

#[test]
fn a_page_without_text_is_a_page() {
    let document = open::read(&pdf(&[FixturePage::letter("")]), &Options::default(), &mut ()).expect("reads");
    assert_eq!(document.pages.len(), 1);
    assert!(document.items.is_empty());
}

#[test]
fn a_probe_knows_sizes_without_reading_text() {
    let bytes = pdf(&[
        FixturePage::letter(""),
        FixturePage::with_entries("/MediaBox [0 0 100 200] /Rotate 90", ""),
    ]);
    let (info, pages) = open::probe(&bytes, &Options::default()).expect("probes");
    assert_eq!(info.page_count, 2);
    assert_eq!((pages[1].width, pages[1].height), (200.0, 100.0));
}
