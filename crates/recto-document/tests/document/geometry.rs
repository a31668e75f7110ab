//! Every rectangle is in points of the displayed page, origin top left: each fixture breaks another assumption.

use crate::fixture::{FixturePage, bold, paragraph, pdf, text};
use crate::ink::{
    assert_boxes_fit_pdfiums_ink, assert_boxes_fit_the_ink, assert_cells_hold_their_words,
    assert_items_hold_their_words,
};
use crate::{read, words};
use recto_core::{LocateHint, Page};
use recto_document::locate::locate;

fn check(bytes: &[u8], size: (f32, f32)) -> Page {
    let document = read(bytes);
    let page = document.pages[0].clone();
    assert_eq!((page.width, page.height), size);
    assert_boxes_fit_the_ink(bytes, &page);
    assert_items_hold_their_words(&document);
    page
}

/// A word near the top left corner of the page's own frame, and one further down.
fn two_words() -> String {
    text(24.0, 72.0, 700.0, "Corner") + &text(12.0, 300.0, 120.0, "lower")
}

fn rotated(degrees: i32) -> Vec<u8> {
    let entries = format!("/MediaBox [0 0 612 792] /Rotate {degrees}");
    pdf(&[FixturePage::with_entries(&entries, &two_words())])
}

#[test]
fn rotation_0() {
    let page = check(&rotated(0), (612.0, 792.0));
    assert_eq!(words(&page), ["Corner", "lower"]);
    let corner = page.words[0].rect;
    assert!(
        (corner.left - 73.0).abs() < 2.0 && corner.top < 92.0 && corner.bottom > 92.0,
        "{corner:?}"
    );
}

#[test]
fn rotation_90() {
    let page = check(&rotated(90), (792.0, 612.0));
    assert_eq!(page.rotation, 90);
    // What was at the top left is at the top right now, and runs downwards.
    let corner = page
        .words
        .iter()
        .find(|w| page.text[w.start as usize..].starts_with("Corner"))
        .expect("is there");
    assert!(corner.rect.left > 650.0 && corner.rect.top < 100.0 && corner.rect.height() > corner.rect.width());
}

#[test]
fn rotation_180() {
    assert_eq!(check(&rotated(180), (612.0, 792.0)).rotation, 180);
}

#[test]
fn rotation_270() {
    assert_eq!(check(&rotated(270), (792.0, 612.0)).rotation, 270);
}

#[test]
fn a_negative_rotation_is_the_same_turn() {
    assert_eq!(check(&rotated(-90), (792.0, 612.0)).rotation, 270);
}

#[test]
fn crop_box_with_an_offset_origin() {
    let content = text(20.0, 150.0, 500.0, "inside") + &text(20.0, 20.0, 20.0, "outside");
    let entries = "/MediaBox [-100 -50 612 792] /CropBox [100 200 500 700]";
    let page = check(&pdf(&[FixturePage::with_entries(entries, &content)]), (400.0, 500.0));
    assert_eq!(words(&page), ["inside"], "text outside the crop box is not on the page");
    assert!((page.words[0].rect.left - 51.0).abs() < 2.0);
}

#[test]
fn crop_box_on_a_rotated_page() {
    let content = text(20.0, 150.0, 500.0, "inside");
    let entries = "/MediaBox [0 0 612 792] /CropBox [100 200 500 700] /Rotate 90";
    check(&pdf(&[FixturePage::with_entries(entries, &content)]), (500.0, 400.0));
}

#[test]
fn user_unit() {
    let content = text(12.0, 72.0, 100.0, "large sheet");
    let entries = "/MediaBox [0 0 300 200] /UserUnit 2.5";
    let page = check(&pdf(&[FixturePage::with_entries(entries, &content)]), (750.0, 500.0));
    assert!((page.words[0].font_size - 30.0).abs() < 0.1, "sizes are in points too");
}

#[test]
fn mixed_page_sizes() {
    let bytes = pdf(&[
        FixturePage::letter(&text(12.0, 72.0, 700.0, "first")),
        FixturePage::new(300, 200, &text(12.0, 72.0, 100.0, "second")),
        FixturePage::with_entries("/MediaBox [0 0 400 900] /Rotate 270", &text(12.0, 72.0, 800.0, "third")),
    ]);
    let document = read(&bytes);
    let sizes: Vec<(f32, f32)> = document.pages.iter().map(|p| (p.width, p.height)).collect();
    assert_eq!(sizes, [(612.0, 792.0), (300.0, 200.0), (900.0, 400.0)]);
    for page in &document.pages {
        assert_boxes_fit_the_ink(&bytes, page);
    }
    assert_items_hold_their_words(&document);
}

#[test]
fn landscape_inside_portrait() {
    // A table on its side: the text is turned, the page is not.
    let content = "BT /F1 14 Tf 0 1 -1 0 300 100 Tm (sideways words here) Tj ET\n".to_owned()
        + &text(12.0, 72.0, 740.0, "upright line");
    let page = check(&pdf(&[FixturePage::letter(&content)]), (612.0, 792.0));
    assert_eq!(words(&page), ["upright", "line", "sideways", "words", "here"]);
    assert_eq!(page.text, "upright line\n\nsideways words here");
    let found = locate(
        std::slice::from_ref(&page),
        &[],
        "sideways words",
        &LocateHint::default(),
    );
    let rect = found[0].rects[0].rect;
    assert!(rect.height() > 3.0 * rect.width(), "the box stands upright: {rect:?}");
}

#[test]
fn landscape_page_turned_back_by_its_rotation() {
    // Text written sideways on a page that /Rotate turns: it reads from left to right.
    let content = "BT /F1 14 Tf 0 1 -1 0 300 100 Tm (reads normally) Tj ET\n";
    let entries = "/MediaBox [0 0 612 792] /Rotate 90";
    let page = check(&pdf(&[FixturePage::with_entries(entries, content)]), (792.0, 612.0));
    assert!(page.words[0].rect.width() > page.words[0].rect.height());
    assert_eq!(page.text, "reads normally");
}

#[test]
fn malformed_boxes() {
    for entries in [
        "/MediaBox [612 792 0 0]",
        "/MediaBox [0 0 0 0]",
        "/MediaBox [0 0 612]",
        "",
        "/MediaBox [0 0 612 792] /CropBox [700 900 800 1000]",
        "/MediaBox [0 0 612 792] /CropBox [50 50 50 50]",
        "/MediaBox [0 0 612 792] /Rotate 45",
    ] {
        let bytes = pdf(&[FixturePage::with_entries(
            entries,
            &text(12.0, 72.0, 700.0, "still here"),
        )]);
        let document = read(&bytes);
        let page = &document.pages[0];
        assert!(page.width > 0.0 && page.height > 0.0, "{entries}");
        for word in &page.words {
            let r = word.rect;
            assert!(
                0.0 <= r.left && r.left <= r.right && r.right <= page.width,
                "{entries}: {r:?}"
            );
            assert!(
                0.0 <= r.top && r.top <= r.bottom && r.bottom <= page.height,
                "{entries}: {r:?}"
            );
        }
        assert_boxes_fit_pdfiums_ink(&bytes, page);
    }
}

#[test]
fn first_page_is_page_1() {
    let bytes = pdf(&[
        FixturePage::letter(&text(12.0, 72.0, 700.0, "alpha")),
        FixturePage::letter(&text(12.0, 72.0, 700.0, "beta")),
    ]);
    let document = read(&bytes);
    assert_eq!(document.pages.iter().map(|p| p.number).collect::<Vec<_>>(), [1, 2]);
    for page in &document.pages {
        assert_boxes_fit_the_ink(&bytes, page);
    }
    assert_items_hold_their_words(&document);
    let found = locate(&document.pages, &[], "beta", &LocateHint::default());
    assert_eq!(found[0].rects[0].page, 2);
}

#[test]
fn hyphenated_word() {
    let bytes = pdf(&[FixturePage::letter(&paragraph(
        72.0,
        700.0,
        &["We agreed on an inter-", "national standard."],
    ))]);
    let document = read(&bytes);
    assert_boxes_fit_the_ink(&bytes, &document.pages[0]);
    assert_items_hold_their_words(&document);
    let item = &document.items[0];
    assert_eq!(item.text, "We agreed on an international standard.");
    // Two spans without a gap, each its own word on the page.
    let split: Vec<_> = item
        .words
        .windows(2)
        .filter(|pair| pair[0].end == pair[1].start)
        .collect();
    assert_eq!(split.len(), 1);
    assert_eq!(
        &item.text[split[0][0].start as usize..split[0][1].end as usize],
        "international"
    );
    let found = locate(
        &document.pages,
        &[],
        "an international standard",
        &LocateHint::default(),
    );
    assert_eq!(found[0].rects.len(), 2);
}

#[test]
fn every_byte_of_an_items_text_is_a_word_or_a_separator() {
    let bytes = pdf(&[FixturePage::letter(&paragraph(
        72.0,
        700.0,
        &[
            "Spans cover all of it, inter-",
            "national or not, and",
            "well-",
            "known too.",
        ],
    ))]);
    for item in read(&bytes).items {
        let mut at = 0;
        for span in &item.words {
            assert!(
                item.text[at as usize..span.start as usize]
                    .chars()
                    .all(char::is_whitespace)
            );
            at = span.end;
        }
        assert_eq!(at as usize, item.text.len());
    }
}

#[test]
fn ligature() {
    let bytes = pdf(&[FixturePage::letter(&text(18.0, 72.0, 700.0, "The \\001rst of\\001ce"))]);
    let document = read(&bytes);
    assert_boxes_fit_the_ink(&bytes, &document.pages[0]);
    assert_items_hold_their_words(&document);
    assert_eq!(document.pages[0].text, "The first office");
    let found = locate(&document.pages, &[], "first", &LocateHint::default());
    assert_eq!(found.len(), 1);
    let rect = document.pages[0].words[1].rect;
    assert_eq!(found[0].rects[0].rect, rect);
}

#[test]
fn same_sentence_twice() {
    let sentence = "The same sentence stands here twice.";
    let bytes = pdf(&[FixturePage::letter(
        &(text(10.0, 72.0, 700.0, sentence) + &text(10.0, 72.0, 300.0, sentence)),
    )]);
    let document = read(&bytes);
    assert_boxes_fit_the_ink(&bytes, &document.pages[0]);
    assert_items_hold_their_words(&document);
    let found = locate(&document.pages, &[], sentence, &LocateHint::default());
    assert_eq!(found.len(), 2);
    assert!(found[0].rects[0].rect.top < found[1].rects[0].rect.top);
    let hint = LocateHint {
        boxes: vec![found[1].rects[0]],
        ..LocateHint::default()
    };
    assert_eq!(locate(&document.pages, &[], sentence, &hint)[0], found[1]);
}

#[test]
fn kerned_and_letter_spaced_text() {
    let content = "BT /F1 12 Tf 72 700 Td [(K) 60 (er) -20 (ned) -280 (te) 30 (xt)] TJ ET\n\
                   BT /F1 12 Tf 3 Tc 72 650 Td (ANNUAL) Tj ET\n\
                   BT /F1 12 Tf 0 Tc 72 600 Td [(R) -400 (E) -400 (P) -400 (O) -400 (R) -400 (T)] TJ ET\n";
    let bytes = pdf(&[FixturePage::letter(content)]);
    let document = read(&bytes);
    assert_boxes_fit_the_ink(&bytes, &document.pages[0]);
    assert_items_hold_their_words(&document);
    assert_eq!(words(&document.pages[0]), ["Kerned", "text", "ANNUAL", "REPORT"]);
}

/// Lines of a paragraph in a narrow column that breaks off in the middle of a sentence.
const BEGUN: [&str; 6] = [
    "The harbour authority reports that the",
    "dredging of the northern channel took",
    "longer than it had been planned, since",
    "boulders had to be lifted one by one,",
    "and that the pilots therefore guided",
    "the larger ships through the southern",
];
const ENDED: [&str; 6] = [
    "channel, where the water is shallower",
    "at low tide and where only one vessel",
    "at a time can pass, so that waiting",
    "times of up to nine hours were usual",
    "in the winter months and of two hours",
    "in the rest of the year under report.",
];

#[test]
fn paragraph_over_two_columns() {
    let content = bold(
        16.0,
        72.0,
        740.0,
        "The channels of the harbour in the year under report",
    ) + &paragraph(72.0, 700.0, &BEGUN)
        + &paragraph(330.0, 700.0, &ENDED);
    let bytes = pdf(&[FixturePage::letter(&content)]);
    let document = read(&bytes);
    assert_boxes_fit_the_ink(&bytes, &document.pages[0]);
    assert_items_hold_their_words(&document);
    let item = &document.items[1];
    assert_eq!(item.text, BEGUN.join(" ") + " " + &ENDED.join(" "));
    let [left, right] = item.provenance[..] else {
        panic!("a box in each column: {:?}", item.provenance)
    };
    assert!(left.at.rect.right < right.at.rect.left, "in the order of reading");
    assert_eq!(&item.text[right.start as usize..right.end as usize], ENDED.join(" "));
}

#[test]
fn paragraph_over_two_pages() {
    let page = |number: u32, lines: &[&str], top: f32| {
        FixturePage::letter(
            &(text(9.0, 72.0, 765.0, "Harbour report")
                + &paragraph(72.0, top, lines)
                + &text(9.0, 250.0, 40.0, &format!("Page {number} of the report"))),
        )
    };
    let whole = ["A page of its own stands before it, and it ends as paragraphs do, with a full stop."];
    let bytes = pdf(&[
        page(345, &whole, 730.0),
        page(346, &BEGUN, 140.0),
        page(347, &ENDED, 730.0),
        page(348, &whole, 730.0),
    ]);
    let document = read(&bytes);
    for page in &document.pages {
        assert_boxes_fit_the_ink(&bytes, page);
    }
    assert_items_hold_their_words(&document);
    let item = document
        .items
        .iter()
        .find(|item| item.text.starts_with(BEGUN[0]))
        .expect("is there");
    assert_eq!(item.text, BEGUN.join(" ") + " " + &ENDED.join(" "));
    let on: Vec<u32> = item.provenance.iter().map(|p| p.at.page).collect();
    assert_eq!(on, [2, 3], "the footer and the header between them are no part of it");
}

/// Columns of figures below a line of heads, rows twelve points apart from `top` on.
fn figures(top: f32, heads: &[&str], rows: &[(&str, &[&str])]) -> String {
    let column = |index: usize| 220.0 + 70.0 * index as f32;
    let mut out = String::new();
    for (index, head) in heads.iter().enumerate() {
        out += &bold(9.0, column(index), top, head);
    }
    for (row, (label, cells)) in rows.iter().enumerate() {
        let y = top - 14.0 * (row + 1) as f32;
        out += &text(9.0, 72.0, y, label);
        for (index, cell) in cells.iter().enumerate() {
            out += &text(9.0, column(index), y, cell);
        }
    }
    out
}

#[test]
fn table_over_two_pages() {
    let heads = ["Spring", "Summer", "Autumn", "Winter"];
    let first: [(&str, &[&str]); 6] = [
        ("Containers", &["4,812", "5,003", "5,377", "6,020"]),
        ("Bulk", &["912", "873", "865", "848"]),
        ("Vehicles", &["377", "365", "433", "468"]),
        ("Timber", &["88", "76", "68", "63"]),
        ("Grain", &["246", "267", "203", "268"]),
        ("Fish", &["36", "38", "32", "35"]),
    ];
    let second: [(&str, &[&str]); 5] = [
        ("Passengers", &["2,043", "2,376", "2,835", "3,046"]),
        ("Cruise", &["77", "83", "86", "98"]),
        ("Pilots", &["20", "22", "23", "26"]),
        ("Tugs", &["6", "7", "8", "8"]),
        ("Berths", &["34", "36", "36", "38"]),
    ];
    let bytes = pdf(&[
        FixturePage::letter(&figures(180.0, &heads, &first)),
        FixturePage::letter(&(figures(740.0, &heads, &second) + &paragraph(72.0, 600.0, &BEGUN))),
    ]);
    let document = read(&bytes);
    for page in &document.pages {
        assert_boxes_fit_the_ink(&bytes, page);
    }
    assert_items_hold_their_words(&document);
    assert_cells_hold_their_words(&document);
    let tables: Vec<_> = document.items.iter().filter(|item| item.table.is_some()).collect();
    let [before, after] = tables[..] else {
        panic!("a table on each page: {}", tables.len())
    };
    assert_eq!((before.page_numbers(), after.page_numbers()), (vec![1], vec![2]));
    assert_eq!(after.continues.as_deref(), Some(before.self_ref.as_str()));
    let grid = before.table.as_ref().expect("has cells");
    assert_eq!((grid.rows, grid.columns), (7, 5));
}
