//! Reading order, paragraphs, headings, furniture, labels.

use crate::fixture::{FixturePage, bold, paragraph, pdf, pdf_with, text};
use crate::{read, words};
use recto_core::{Label, LocateHint};
use recto_document::locate::locate;

const LEFT: [&str; 6] = [
    "The left column begins with this line",
    "and goes on with a second one about",
    "the same matter, so that the reader",
    "has to stay in the column until its",
    "very end, which comes after the next",
    "line of text in this first column.",
];
const RIGHT: [&str; 6] = [
    "Only then the right column is read,",
    "beginning at its top, although its",
    "lines stand on the same baselines as",
    "the lines of the left one; whoever",
    "reads across gets nonsense, which is",
    "what this fixture is here to catch.",
];

fn two_columns() -> String {
    bold(16.0, 150.0, 740.0, "A heading over both of the columns")
        + &paragraph(72.0, 700.0, &LEFT)
        + &paragraph(330.0, 700.0, &RIGHT)
}

#[test]
fn t71_columns_are_read_one_after_the_other_below_a_heading_over_both() {
    let document = read(&pdf(&[FixturePage::letter(&two_columns())]));
    let texts: Vec<&str> = document.items.iter().map(|item| item.text.as_str()).collect();
    assert_eq!(
        texts,
        ["A heading over both of the columns", &LEFT.join(" "), &RIGHT.join(" ")]
    );
    assert!(document.items[0].label.is_heading());
    assert_eq!(
        document.info.title.as_deref(),
        Some("A heading over both of the columns")
    );
}

#[test]
fn paragraph_over_two_columns_is_found_whole() {
    let document = read(&pdf(&[FixturePage::letter(&two_columns())]));
    let found = locate(
        &document.pages,
        &[],
        "in this first column. Only then the right",
        &LocateHint::default(),
    );
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].rects.len(), 2);
    assert!(found[0].rects[0].rect.right < found[0].rects[1].rect.left);
}

#[test]
fn paragraph_over_two_pages_is_found_whole_despite_header_and_footer() {
    let page = |number: u32, lines: &[&str]| {
        FixturePage::letter(
            &(text(9.0, 72.0, 760.0, "Acme annual report")
                + &paragraph(72.0, 700.0, lines)
                + &text(9.0, 300.0, 40.0, &number.to_string())),
        )
    };
    let document = read(&pdf(&[
        page(1, &["A first page."]),
        page(2, &["A sentence that begins on this"]),
        page(3, &["page and ends on another."]),
        page(4, &["A last page."]),
    ]));
    let found = locate(
        &document.pages,
        &[],
        "begins on this page and ends",
        &LocateHint::default(),
    );
    assert_eq!(found.len(), 1);
    let on: Vec<u32> = found[0].rects.iter().map(|r| r.page).collect();
    assert_eq!(on, [2, 3]);
    let labels: Vec<Label> = document.items.iter().take(3).map(|item| item.label).collect();
    assert_eq!(labels, [Label::PageHeader, Label::Text, Label::PageFooter]);
}

#[test]
fn rows_of_figures_are_a_table() {
    let row = |y: f32, cells: [&str; 3]| {
        text(10.0, 72.0, y, cells[0]) + &text(10.0, 330.0, y, cells[1]) + &text(10.0, 430.0, y, cells[2])
    };
    let content = row(700.0, ["Products", "$ 63,355", "$ 63,948"])
        + &row(688.0, ["Services", "19,604", "17,486"])
        + &row(676.0, ["Total net sales", "$ 82,959", "$ 81,434"]);
    let document = read(&pdf(&[FixturePage::letter(&content)]));
    assert_eq!(document.items.len(), 1);
    assert_eq!(
        document.items[0].text,
        "| Products | $63,355 | $63,948 |\n| --- | --- | --- |\n| Services | 19,604 | 17,486 |\n\
         | Total net sales | $82,959 | $81,434 |"
    );
    assert_eq!(
        document.pages[0].text,
        "Products $ 63,355 $ 63,948\nServices 19,604 17,486\nTotal net sales $ 82,959 $ 81,434"
    );
    let found = locate(
        &document.pages,
        &[],
        "Total net sales $82,959 $81,434",
        &LocateHint::default(),
    );
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].rects.len(), 1);
}

#[test]
fn paragraphs_headings_and_list_entries_are_told_apart() {
    let body = [
        "Body text that is long enough to be the usual text of this document, in lines",
        "that fill the width, so that nobody takes it for a heading of any kind at all.",
    ];
    let content = bold(10.0, 72.0, 740.0, "Item 2. Properties")
        + &paragraph(72.0, 715.0, &body)
        + &paragraph(72.0, 670.0, &body)
        + &bold(10.0, 72.0, 630.0, "Leases")
        + &paragraph(72.0, 610.0, &body)
        + &text(10.0, 72.0, 570.0, "\\225 a first entry")
        + &text(10.0, 72.0, 558.0, "\\225 a second entry")
        + &paragraph(72.0, 530.0, &body);
    let document = read(&pdf(&[FixturePage::letter(&content)]));
    let shape: Vec<(Label, u32)> = document.items.iter().map(|item| (item.label, item.level)).collect();
    assert_eq!(
        shape,
        [
            (Label::SectionHeader, 1),
            (Label::Text, 0),
            (Label::Text, 0),
            (Label::SectionHeader, 2),
            (Label::Text, 0),
            (Label::ListItem, 1),
            (Label::ListItem, 1),
            (Label::Text, 0),
        ]
    );
    assert_eq!(document.items[1].text, body.join(" "));
}

#[test]
fn glyphs_drawn_twice_to_look_bold_are_read_once() {
    let content = text(12.0, 72.0, 700.0, "Fake bold") + &text(12.0, 72.3, 700.0, "Fake bold");
    let document = read(&pdf(&[FixturePage::letter(&content)]));
    assert_eq!(words(&document.pages[0]), ["Fake", "bold"]);
}

#[test]
fn a_superscript_is_a_word_of_its_own_on_the_same_line() {
    let content = "BT /F1 12 Tf 72 700 Td (Revenue grew) Tj /F1 7 Tf 4 Ts (1) Tj /F1 12 Tf 0 Ts ( in 2022) Tj ET";
    let document = read(&pdf(&[FixturePage::letter(content)]));
    assert_eq!(document.pages[0].text, "Revenue grew 1 in 2022");
    assert_eq!(
        locate(&document.pages, &[], "Revenue grew1 in 2022", &LocateHint::default()).len(),
        1
    );
}

#[test]
fn text_of_no_size_is_not_read() {
    let content = text(12.0, 72.0, 700.0, "seen") + &text(0.1, 72.0, 650.0, "hidden");
    let document = read(&pdf(&[FixturePage::letter(&content)]));
    assert_eq!(words(&document.pages[0]), ["seen"]);
}

#[test]
fn labels_come_from_the_file_or_from_numbers_that_count_up() {
    let page =
        |printed: &str| FixturePage::letter(&(text(10.0, 72.0, 700.0, "text") + &text(9.0, 300.0, 40.0, printed)));
    let labels = |bytes: &[u8]| -> Vec<Option<String>> { read(bytes).pages.into_iter().map(|p| p.label).collect() };
    let pages: Vec<FixturePage> = ["5", "6", "7", "8"].iter().map(|n| page(n)).collect();
    let some = |labels: &[&str]| labels.iter().map(|l| Some((*l).to_owned())).collect::<Vec<_>>();
    assert_eq!(labels(&pdf(&pages)), some(&["5", "6", "7", "8"]));
    let written = "/PageLabels << /Nums [0 << /S /r >> 2 << /S /D >>] >>";
    let front: Vec<FixturePage> = ["i", "ii", "1", "2"].iter().map(|n| page(n)).collect();
    assert_eq!(labels(&pdf_with(&front, written)), some(&["i", "ii", "1", "2"]));
    let blank: Vec<FixturePage> = vec![page(""); 4];
    assert_eq!(labels(&pdf_with(&blank, written)), some(&["i", "ii", "1", "2"]));
    assert_eq!(
        labels(&pdf_with(&pages, written)),
        some(&["5", "6", "7", "8"]),
        "what is printed on the pages is what a person looks for"
    );
    let plain: Vec<FixturePage> = ["9", "3", "7", "1"].iter().map(|n| page(n)).collect();
    assert_eq!(labels(&pdf(&plain)), vec![None; 4]);
}

#[test]
fn pages_can_be_left_out() {
    use recto_document::open::{self, Options};
    let pages: Vec<FixturePage> = ["one", "two", "three"]
        .iter()
        .map(|w| FixturePage::letter(&text(10.0, 72.0, 700.0, w)))
        .collect();
    let options = Options {
        skip_pages: vec![2],
        ..Options::default()
    };
    let document = open::read(&pdf(&pages), &options, &mut ()).expect("reads");
    assert_eq!(document.pages.iter().map(|p| p.number).collect::<Vec<_>>(), [1, 3]);
    assert_eq!(document.info.page_count, 3);
}
