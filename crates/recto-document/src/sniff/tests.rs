use super::*;

fn kind(bytes: &[u8], name: &str) -> Kind {
    detect(bytes, name).expect("detects")
}

#[test]
fn the_bytes_decide_before_the_name() {
    assert_eq!(kind(b"%PDF-1.7\n...", "notes.txt"), Kind::Pdf);
    assert_eq!(kind(b"junk\n%PDF-1.4", ""), Kind::Pdf);
    assert_eq!(kind(b"BM is a company.\n", "a.md"), Kind::Declared(Format::Markdown));
    assert_eq!(kind(b"# Title\n", "a.txt"), Kind::Text);
    assert_eq!(kind(b"GIF89a is the name of a format.\n", "a.txt"), Kind::Text);
    assert_eq!(kind(b"{\\rtf1 x}", "a.doc"), Kind::Declared(Format::Rtf));
    assert_eq!(kind(b"<!DOCTYPE html><p>x", "a.txt"), Kind::Declared(Format::Html));
    assert_eq!(kind(b"\x89PNG\r\n\x1a\n", "a.pdf"), Kind::Image("PNG image"));
}

#[test]
fn kinds_of_text_are_told_by_how_they_begin_and_then_by_their_extension() {
    assert_eq!(
        kind(b"From: a@b.c\nTo: d@e.f\nSubject: x\n\nHello", "message"),
        Kind::Mail
    );
    assert_eq!(kind(b"{\"a\": 1}", "x"), Kind::Code("application/json"));
    assert_eq!(
        kind(br#"{"schema_name": "DoclingDocument", "version": "1.0.0"}"#, "x.json"),
        Kind::DoclingJson
    );
    assert_eq!(
        kind(br#"{"nbformat": 4, "cells": []}"#, "x.json"),
        Kind::Declared(Format::Notebook)
    );
    assert_eq!(kind(b"[link](x) and more", "x.md"), Kind::Declared(Format::Markdown));
    assert_eq!(kind(b"[a note] in a text", "x.txt"), Kind::Text);
    assert_eq!(kind(b"a,b\n1,2\n", "x.csv"), Kind::Declared(Format::Csv));
    assert_eq!(kind(b"<?xml version='1.0'?><note>x</note>", "x"), Kind::Xml);
    assert_eq!(
        kind(b"<?xml version='1.0'?><!-- c --><article>x</article>", "x.xml"),
        Kind::Declared(Format::KnownXml)
    );
    assert_eq!(kind(b"fn main() {}", "x.rs"), Kind::Code("text/x-rust"));
    assert_eq!(kind(b"\\documentclass{article}", "x"), Kind::Declared(Format::Latex));
}

#[test]
fn an_unsupported_file_is_named_by_what_it_is() {
    for (bytes, name, detected) in [
        (&b"7z\xbc\xaf\x27\x1c\0\0\0"[..], "a.pdf", "7-Zip archive"),
        (b"\0\x01\x02\x03", "a.bin", "unknown binary data"),
        (b"\x7fELF\x02\x01\x01\0\0\0\0", "a.txt", "program"),
    ] {
        let error = detect(bytes, name).expect_err("refuses");
        assert!(error.to_string().contains(detected), "{error}");
    }
}

#[test]
fn a_stray_null_or_an_escape_does_not_make_text_binary() {
    let log = [b"line of a log \x1b[31mred\x1b[0m\n".repeat(40), vec![0]].concat();
    assert_eq!(kind(&log, "a.log"), Kind::Text);
    let wide: Vec<u8> = "Plain words in two bytes each."
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    assert_eq!(kind(&wide, "a.txt"), Kind::Text);
}

#[test]
fn nothing_is_empty_whatever_its_name() {
    assert!(matches!(detect(b"", "a.pdf"), Err(Error::Empty)));
    assert!(matches!(detect(b" \n\t ", "a.md"), Err(Error::Empty)));
    assert!(matches!(detect(b"\xff\xfe \0\n\0", "a.md"), Err(Error::Empty)));
}
