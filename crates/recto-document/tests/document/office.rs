//! Office, web, mail and markup files: items with labels and places.

use crate::package::{docx, package, package_of_bytes, paragraph, pptx, xlsx};
use recto_core::{Document, ErrorCode, Item, Label, Locator};
use recto_document::open::{self, Options};
use recto_worker::ParseLimits;

fn named(bytes: &[u8], file_name: &str) -> Document {
    open::read(bytes, &options(file_name), &mut ()).expect("the file is read")
}

fn options(file_name: &str) -> Options {
    Options {
        file_name: file_name.into(),
        ..Options::default()
    }
}

fn refused(bytes: &[u8], file_name: &str) -> recto_document::Error {
    open::read(bytes, &options(file_name), &mut ()).expect_err("is refused")
}

fn shape(document: &Document) -> Vec<(Label, u32, &str)> {
    document
        .items
        .iter()
        .map(|item| (item.label, item.level, item.text.as_str()))
        .collect()
}

fn cells(item: &Item) -> Vec<(u32, u32, &str)> {
    let grid = item.table.as_ref().expect("is a table");
    grid.cells
        .iter()
        .map(|cell| (cell.row, cell.column, cell.text.as_str()))
        .collect()
}

const W: &str = "xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\"";

#[test]
fn word_headings_paragraphs_and_formats_within_a_word_are_read() {
    let split = "<w:p><w:r><w:t>H</w:t></w:r><w:r><w:rPr><w:vertAlign w:val=\"subscript\"/></w:rPr><w:t>2</w:t></w:r>\
        <w:r><w:t xml:space=\"preserve\">O is </w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>wa</w:t></w:r><w:r><w:t>ter.</w:t></w:r></w:p>";
    let body = [
        paragraph("Heading1", "Report"),
        paragraph("Heading2", "Part"),
        split.to_owned(),
    ]
    .concat();
    let document = named(&docx(&body, &[]), "a.docx");
    let shape = shape(&document);
    assert_eq!(shape[0].2, "Report");
    assert!(shape[0].0.is_heading());
    assert_eq!(shape[1].0, Label::SectionHeader);
    assert_eq!(shape[2], (Label::Text, 0, "H2O is water."));
    assert!(document.pages.is_empty());
    assert_eq!(document.info.title.as_deref(), Some("Report"));
}

#[test]
fn word_footnotes_and_comments_follow_what_they_belong_to() {
    let body = format!(
        "<w:p><w:commentRangeStart w:id=\"0\"/><w:r><w:t>Sales rose.</w:t></w:r><w:commentRangeEnd w:id=\"0\"/>\
         <w:r><w:commentReference w:id=\"0\"/></w:r></w:p>\
         <w:p><w:r><w:t>Costs fell.</w:t></w:r><w:r><w:footnoteReference w:id=\"2\"/></w:r></w:p>{}",
        paragraph("", "The end.")
    );
    let footnotes = format!(
        "<w:footnotes {W}><w:footnote w:id=\"2\"><w:p><w:r><w:t>Without one-off items.</w:t></w:r></w:p></w:footnote></w:footnotes>"
    );
    let comments = format!(
        "<w:comments {W}><w:comment w:id=\"0\" w:author=\"Ann\" w:date=\"2026-01-04T05:48:07Z\"><w:p><w:r><w:t>Since when?</w:t></w:r></w:p></w:comment></w:comments>"
    );
    let document = named(
        &docx(
            &body,
            &[("word/footnotes.xml", &footnotes), ("word/comments.xml", &comments)],
        ),
        "a.docx",
    );
    let found: Vec<(Label, &str, Option<&str>)> = document
        .items
        .iter()
        .map(|item| (item.label, item.text.as_str(), item.parent.as_deref()))
        .collect();
    assert_eq!(found[0].1, "Sales rose.");
    assert_eq!(
        found[1],
        (
            Label::Footnote,
            "Comment by Ann, 2026-01-04: Since when?",
            Some(document.items[0].self_ref.as_str())
        )
    );
    assert_eq!(
        found[3],
        (
            Label::Footnote,
            "Without one-off items.",
            Some(document.items[2].self_ref.as_str())
        )
    );
    assert_eq!(found[4].1, "The end.");
}

#[test]
fn tracked_changes_are_read_as_if_accepted() {
    let body = "<w:p><w:r><w:t xml:space=\"preserve\">Price is </w:t></w:r>\
        <w:del w:id=\"1\" w:author=\"a\"><w:r><w:delText>ten</w:delText></w:r></w:del>\
        <w:ins w:id=\"2\" w:author=\"a\"><w:r><w:t>twelve</w:t></w:r></w:ins></w:p>";
    let document = named(&docx(body, &[]), "a.docx");
    assert_eq!(shape(&document), [(Label::Text, 0, "Price is twelve")]);
}

#[test]
fn word_tables_keep_spans_and_headers() {
    let cell = |text: &str, more: &str| format!("<w:tc><w:tcPr>{more}</w:tcPr>{}</w:tc>", paragraph("", text));
    let body = format!(
        "<w:tbl><w:tblGrid><w:gridCol/><w:gridCol/></w:tblGrid><w:tr>{}</w:tr><w:tr>{}{}</w:tr></w:tbl>",
        cell("Both", "<w:gridSpan w:val=\"2\"/>"),
        cell("Left", ""),
        cell("Right", "")
    );
    let document = named(&docx(&body, &[]), "a.docx");
    let table = &document.items[0];
    assert_eq!(cells(table), [(0, 0, "Both"), (1, 0, "Left"), (1, 1, "Right")]);
    let first = &table.table.as_ref().expect("is a table").cells[0];
    assert_eq!((first.column_span, first.column_header), (2, true));
    assert_eq!(table.text, "| Both |  |\n|---|---|\n| Left | Right |");
}

#[test]
fn sheets_show_numbers_as_their_formats_do_and_name_their_ranges() {
    let data = "<sheetData><row r=\"3\"><c r=\"B3\" t=\"inlineStr\"><is><t>Share</t></is></c><c r=\"C3\" t=\"inlineStr\"><is><t>Day</t></is></c>\
        <c r=\"D3\" t=\"inlineStr\"><is><t>Price</t></is></c></row><row r=\"4\"><c r=\"B4\" s=\"1\"><v>0.125</v></c>\
        <c r=\"C4\" s=\"2\"><v>45292</v></c><c r=\"D4\" s=\"3\"><v>1234.5</v></c></row></sheetData>";
    let document = named(&xlsx(&[("Costs 2024", "", data)]), "a.xlsx");
    let sheet = |range: &str| {
        Some(Locator::Sheet {
            name: "Costs 2024".into(),
            range: range.into(),
        })
    };
    assert_eq!(shape(&document)[0], (Label::SectionHeader, 1, "Costs 2024"));
    let table = &document.items[1];
    assert_eq!(table.locator, sheet("B3:D4"));
    let texts: Vec<&str> = cells(table).iter().map(|cell| cell.2).collect();
    assert_eq!(texts[..3], ["Share", "Day", "Price"]);
    assert_eq!(texts[3], "12.50%");
    assert!(texts[4].contains("2024") && !texts[4].contains("45292"), "{texts:?}");
    assert_eq!(texts[5], "$1,234.50");
}

#[test]
fn a_sheet_may_hold_several_tables_and_hidden_sheets_are_read_and_named() {
    let text = |cell: &str, text: &str| format!("<c r=\"{cell}\" t=\"inlineStr\"><is><t>{text}</t></is></c>");
    let two = format!(
        "<sheetData><row r=\"1\">{}{}</row><row r=\"2\">{}{}</row><row r=\"8\">{}{}</row><row r=\"9\">{}{}</row></sheetData>",
        text("A1", "a"),
        text("B1", "b"),
        text("A2", "1"),
        text("B2", "2"),
        text("E8", "c"),
        text("F8", "d"),
        text("E9", "3"),
        text("F9", "4")
    );
    let hidden = format!(
        "<sheetData><row r=\"1\">{}</row></sheetData>",
        text("A1", "secret rate")
    );
    let document = named(
        &xlsx(&[("One", "", &two), ("Rates", "state=\"hidden\"", &hidden)]),
        "a.xlsx",
    );
    let ranges: Vec<String> = document
        .items
        .iter()
        .map(|item| match &item.locator {
            Some(Locator::Sheet { name, range }) => format!("{name}!{range}"),
            other => panic!("BUG: {other:?}"),
        })
        .collect();
    assert_eq!(ranges, ["One!A1:F9", "One!A1:B2", "One!E8:F9", "Rates!A1", "Rates!A1"]);
    assert_eq!(document.items[3].text, "Rates (hidden sheet)");
    assert_eq!(document.items[4].text, "secret rate");
}

#[test]
fn merged_cells_of_a_sheet_stand_once_with_their_span() {
    let text = |cell: &str, text: &str| format!("<c r=\"{cell}\" t=\"inlineStr\"><is><t>{text}</t></is></c>");
    let data = format!(
        "<sheetData><row r=\"1\">{}{}</row><row r=\"2\">{}{}{}</row><row r=\"3\">{}{}{}</row></sheetData><mergeCells><mergeCell ref=\"B1:C1\"/></mergeCells>",
        text("A1", "Year"),
        text("B1", "Sales"),
        text("A2", "x"),
        text("B2", "home"),
        text("C2", "abroad"),
        text("A3", "2024"),
        text("B3", "5"),
        text("C3", "6")
    );
    let document = named(&xlsx(&[("S", "", &data)]), "a.xlsx");
    let grid = document.items[1].table.as_ref().expect("is a table");
    let merged = grid.cells.iter().find(|cell| cell.text == "Sales").expect("is there");
    assert_eq!((merged.column, merged.column_span), (1, 2));
}

#[test]
fn slides_head_their_text_and_notes_belong_to_their_slide() {
    let document = named(
        &pptx(&[
            ("Results", "Sales rose.", "Say it slowly."),
            ("Outlook", "Costs fall.", "Smile."),
        ]),
        "a.pptx",
    );
    let found: Vec<(Label, &str, u32)> = document
        .items
        .iter()
        .map(|item| match item.locator {
            Some(Locator::Slide { number }) => (item.label, item.text.as_str(), number),
            ref other => panic!("BUG: {other:?}"),
        })
        .collect();
    assert_eq!(
        found,
        [
            (Label::Title, "Results", 1),
            (Label::Text, "Sales rose.", 1),
            (Label::Text, "Say it slowly.", 1),
            (Label::SectionHeader, "Outlook", 2),
            (Label::Text, "Costs fall.", 2),
            (Label::Text, "Smile.", 2),
        ]
    );
    assert!(document.items.iter().all(|item| item.provenance.is_empty()));
}

#[test]
fn web_pages_lose_what_is_not_their_text() {
    let page = "<html><head><title>Window</title><style>p{}</style></head><body><nav><a href='/'>Home</a></nav>\
        <p>First words.</p><h1>Head</h1><script>var x;</script><p hidden>no</p><p>a<b>bc</b>, d</p>\
        <table><tr><th rowspan=2>k</th><th>v</th></tr><tr><td>1</td></tr></table></body></html>";
    let document = named(page.as_bytes(), "a.html");
    assert_eq!(
        shape(&document)[..3],
        [
            (Label::Text, 0, "First words."),
            (Label::Title, 0, "Head"),
            (Label::Text, 0, "abc, d")
        ]
    );
    assert_eq!(document.items.len(), 4);
    let grid = document.items[3].table.as_ref().expect("is a table");
    assert_eq!((grid.cells[0].row_span, grid.cells[0].column_header), (2, true));
}

#[test]
fn a_web_page_in_windows_1252_is_read_as_it_declares() {
    let page = b"<html><head><meta charset=windows-1252></head><body><h1>R\xe9sum\xe9</h1><p>10 \x80</p></body></html>";
    assert_eq!(shape(&named(page, "a.html"))[1].2, "10 €");
}

#[test]
fn a_message_has_its_headers_body_and_attachments() {
    let message = "From: Ann <ann@example.com>\r\nTo: Bob <bob@example.com>\r\nCc: eve@example.com\r\n\
        Date: Mon, 2 Mar 2026 10:00:00 +0100\r\nSubject: =?utf-8?q?R=C3=A9sum=C3=A9?=\r\nMIME-Version: 1.0\r\n\
        Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\nContent-Type: multipart/alternative; boundary=y\r\n\r\n\
        --y\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nHello Bob,\r\n\r\nsee the files.\r\n--y\r\n\
        Content-Type: text/html\r\n\r\n<p>Hello Bob,</p><p>see the files.</p>\r\n--y--\r\n\
        --x\r\nContent-Type: text/csv\r\nContent-Disposition: attachment; filename=\"../../a.csv\"\r\n\r\na,b\r\n--x\r\n\
        Content-Type: text/csv\r\nContent-Disposition: attachment; filename=\"a.csv\"\r\n\r\nc,d\r\n--x--\r\n";
    let document = named(message.as_bytes(), "a.eml");
    let texts: Vec<&str> = document.items.iter().map(|item| item.text.as_str()).collect();
    assert_eq!(
        texts,
        [
            "Résumé",
            "From: Ann <ann@example.com>",
            "To: Bob <bob@example.com>",
            "Cc: eve@example.com",
            "Date: Mon, 2 Mar 2026 10:00:00 +0100",
            "Hello Bob,",
            "see the files."
        ]
    );
    assert_eq!(document.info.title.as_deref(), Some("Résumé"));
    assert_eq!(document.items[5].locator, Some(Locator::Part { name: "body".into() }));
    let files = open::attachments(message.as_bytes(), &options("a.eml")).expect("lists");
    let names: Vec<(&str, &[u8])> = files
        .iter()
        .map(|(file, bytes)| (file.name.as_str(), bytes.as_slice()))
        .collect();
    assert_eq!(names, [("a.csv", &b"a,b"[..]), ("a-2.csv", b"c,d")]);
    assert_eq!(
        document.info.attachments,
        files.into_iter().map(|(file, _)| file).collect::<Vec<_>>()
    );
    let references: std::collections::HashSet<&str> =
        document.items.iter().map(|item| item.self_ref.as_str()).collect();
    assert_eq!(references.len(), document.items.len());
}

#[test]
fn a_message_whose_plain_text_is_a_stub_is_read_from_its_html() {
    let message = "From: a@example.com\r\nSubject: News\r\nMIME-Version: 1.0\r\nContent-Type: multipart/alternative; boundary=y\r\n\r\n\
        --y\r\nContent-Type: text/plain\r\n\r\nPlease view in HTML.\r\n--y\r\nContent-Type: text/html\r\n\r\n\
        <h2>Quarter</h2><p>Sales rose by a tenth in the first quarter of the year.</p>\r\n--y--\r\n";
    let document = named(message.as_bytes(), "a.eml");
    let found = shape(&document);
    assert!(
        found.iter().any(|(_, _, text)| text.starts_with("Sales rose")),
        "{found:?}"
    );
    assert!(
        found
            .iter()
            .any(|(label, _, text)| *label == Label::SectionHeader && *text == "Quarter")
    );
}

#[test]
fn separated_values_are_a_table_whatever_separates_them() {
    for (text, name) in [
        ("a;b\n1;\"x;y\"\n", "a.csv"),
        ("a\tb\n1\tx;y\n", "a.tsv"),
        ("a,b\n1,x;y\n", "a.csv"),
    ] {
        let document = named(text.as_bytes(), name);
        assert_eq!(
            cells(&document.items[0]),
            [(0, 0, "a"), (0, 1, "b"), (1, 0, "1"), (1, 1, "x;y")],
            "{text:?}"
        );
    }
}

#[test]
fn other_markup_is_read() {
    let asciidoc = named(b"= Guide\n\nIntro text.\n\n== Setup\n\n* one\n* two\n", "a.adoc");
    assert!(
        shape(&asciidoc).contains(&(Label::ListItem, 1, "one")),
        "{:?}",
        shape(&asciidoc)
    );
    let latex = named(
        b"\\documentclass{article}\n\\begin{document}\n\\section{Methods}\nWe measure.\n\\end{document}\n",
        "a.tex",
    );
    assert!(
        shape(&latex)
            .iter()
            .any(|(label, _, text)| label.is_heading() && *text == "Methods")
    );
    let rtf = named(b"{\\rtf1\\ansi Plain {\\b bold} words.\\par}", "a.rtf");
    assert_eq!(shape(&rtf)[0].2, "Plain bold words.");
    let notebook = named(
        br##"{"nbformat":4,"nbformat_minor":5,"metadata":{},"cells":[{"cell_type":"markdown","metadata":{},"source":["# Study\n"]},{"cell_type":"code","metadata":{},"outputs":[],"source":["x = 1\n"]}]}"##,
        "a.ipynb",
    );
    assert!(
        shape(&notebook)
            .iter()
            .any(|(label, _, text)| *label == Label::Code && text.contains("x = 1"))
    );
    let json = named(b"{\"rate\": 0.5}", "a.json");
    assert_eq!(shape(&json), [(Label::Code, 0, "{\"rate\": 0.5}")]);
    let epub = named(
        &package(&[
            ("mimetype", "application/epub+zip"),
            (
                "META-INF/container.xml",
                "<container xmlns=\"urn:oasis:names:tc:opendocument:xmlns:container\"><rootfiles><rootfile full-path=\"b.opf\" media-type=\"application/oebps-package+xml\"/></rootfiles></container>",
            ),
            (
                "b.opf",
                "<package xmlns=\"http://www.idpf.org/2007/opf\"><metadata xmlns:dc=\"http://purl.org/dc/elements/1.1/\"><dc:title>Book</dc:title></metadata><manifest><item id=\"c\" href=\"c.xhtml\" media-type=\"application/xhtml+xml\"/></manifest><spine><itemref idref=\"c\"/></spine></package>",
            ),
            (
                "c.xhtml",
                "<html xmlns=\"http://www.w3.org/1999/xhtml\"><body><h1>One</h1><p>It began.</p></body></html>",
            ),
        ]),
        "a.epub",
    );
    assert!(shape(&epub).iter().any(|(_, _, text)| *text == "It began."));
}

#[test]
fn markdown_headings_lists_and_tables_become_items_in_order() {
    let source = "# Guide\n\nFirst *words*.\n\n## Setup\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n";
    let document = named(source.as_bytes(), "a.md");
    let found = shape(&document);
    assert_eq!(
        found[..5],
        [
            (Label::Title, 0, "Guide"),
            (Label::Text, 0, "First words."),
            (Label::SectionHeader, 1, "Setup"),
            (Label::ListItem, 1, "one"),
            (Label::ListItem, 1, "two"),
        ]
    );
    assert_eq!(cells(&document.items[5]).len(), 4);
}

#[test]
fn a_package_that_unpacks_too_far_is_too_large_before_it_is_read() {
    let zeros = vec![b' '; 32 << 20];
    let bomb = package_of_bytes(&[("[Content_Types].xml", b"<Types/>"), ("word/document.xml", &zeros)]);
    let error = refused(&bomb, "a.docx");
    assert_eq!(error.code(), ErrorCode::TooLarge);
    assert!(error.to_string().contains("the limit is 200"), "{error}");
    let limits = ParseLimits {
        max_unpacked_bytes: 100,
        ..ParseLimits::default()
    };
    let options = Options {
        limits,
        ..options("a.docx")
    };
    let error = open::read(&docx(&paragraph("", "x"), &[]), &options, &mut ()).expect_err("is refused");
    assert!(error.to_string().contains("the limit is 100"), "{error}");
}

#[test]
fn nesting_and_entities_without_end_end_in_a_state() {
    let deep = docx(
        &format!(
            "{}x{}",
            "<w:tbl><w:tr><w:tc>".repeat(20_000),
            "</w:tc></w:tr></w:tbl>".repeat(20_000)
        ),
        &[],
    );
    let code = refused(&deep, "a.docx").code();
    assert!(matches!(code, ErrorCode::Damaged | ErrorCode::Empty), "{code:?}");
    let page = format!("<html><body>{}deep{}", "<div>".repeat(50_000), "</div>".repeat(50_000));
    let _ = open::read(page.as_bytes(), &options("a.html"), &mut ());
    let list = format!("<html><body>{}deep", "<ul><li>".repeat(20_000));
    let _ = open::read(list.as_bytes(), &options("a.html"), &mut ());
    let quotes = format!("{} deep", ">".repeat(50_000));
    let _ = open::read(quotes.as_bytes(), &options("a.md"), &mut ());
    let entities = "<?xml version='1.0'?><!DOCTYPE w:document [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;'>\
        <!ENTITY c '&b;&b;&b;&b;&b;&b;&b;&b;'><!ENTITY d '&c;&c;&c;&c;&c;&c;&c;&c;'><!ENTITY e '&d;&d;&d;&d;&d;&d;&d;&d;'>\
        <!ENTITY f '&e;&e;&e;&e;&e;&e;&e;&e;'><!ENTITY g '&f;&f;&f;&f;&f;&f;&f;&f;'><!ENTITY h '&g;&g;&g;&g;&g;&g;&g;&g;'>]>\
        <w:document xmlns:w='http://schemas.openxmlformats.org/wordprocessingml/2006/main'><w:body><w:p><w:r><w:t>&h;</w:t></w:r></w:p></w:body></w:document>";
    let bomb = package(&[("[Content_Types].xml", "<Types/>"), ("word/document.xml", entities)]);
    let code = refused(&bomb, "a.docx").code();
    assert!(matches!(code, ErrorCode::Damaged | ErrorCode::Empty), "{code:?}");
}

#[test]
fn broken_packages_are_damaged_and_name_their_type() {
    let whole = docx(&paragraph("", "x"), &[]);
    assert_eq!(refused(&whole[..whole.len() / 2], "a.docx").code(), ErrorCode::Damaged);
    let error = refused(
        &package(&[
            ("[Content_Types].xml", "<Types/>"),
            ("word/document.xml", "<w:document"),
        ]),
        "a.docx",
    );
    assert_eq!(error.code(), ErrorCode::Damaged);
    assert!(error.to_string().contains("Microsoft Word"), "{error}");
    assert_eq!(refused(&docx("", &[]), "a.docx").code(), ErrorCode::Empty);
    assert_eq!(
        refused(&package(&[("a.txt", "x")]), "a.zip").code(),
        ErrorCode::UnsupportedType
    );
}
