//! What looks like a heading and is none, what titles a document, and what stands in small print.

use crate::fixture::{FixturePage, bold, paragraph, pdf, text};
use crate::read;
use recto_core::{Document, Label};

/// Lines that make their size and face the usual ones of a document.
const BODY: [&str; 4] = [
    "This is the usual text of the document, set in lines that fill the width of the page,",
    "so that whatever differs from it in size, weight or colour can be told from it. It goes",
    "on for a while without saying anything, since all that matters here is that there is",
    "more of it than of anything else.",
];

fn headings(document: &Document) -> Vec<&str> {
    let items = document.items.iter().filter(|item| item.label.is_heading());
    items.map(|item| item.text.as_str()).collect()
}

fn texts(document: &Document, label: Label) -> Vec<&str> {
    let items = document.items.iter().filter(|item| item.label == label);
    items.map(|item| item.text.as_str()).collect()
}

#[test]
fn numbered_words_that_end_in_a_colon_begin_an_entry_and_head_no_section() {
    let entry = |y: f32, number: &str, lead: &str| {
        text(14.0, 72.0, y, number)
            + &text(14.0, 100.0, y, lead)
            + &paragraph(
                100.0,
                y - 15.0,
                &[
                    "The agency does this once a year, as the law of the",
                    "land demands of it and of all others.",
                ],
            )
    };
    let content = paragraph(72.0, 740.0, &BODY)
        + &paragraph(72.0, 660.0, &BODY)
        + &entry(580.0, "1", "Develop the plan:")
        + &entry(500.0, "2", "Collect the results:")
        + &entry(420.0, "3", "Report them:");
    let document = read(&pdf(&[FixturePage::letter(&content)]));
    assert!(headings(&document).is_empty(), "{:?}", headings(&document));
    let entries = texts(&document, Label::ListItem);
    assert_eq!(entries.len(), 3, "{:?}", document.items);
    assert!(entries[1].starts_with("2 Collect the results: The agency") && entries[1].ends_with("all others."));
}

#[test]
fn heavy_words_that_end_in_a_colon_right_above_a_paragraph_are_text() {
    let content = paragraph(72.0, 740.0, &BODY)
        + &bold(10.0, 72.0, 640.0, "Analysis of the results:")
        + &paragraph(72.0, 628.0, &BODY);
    let document = read(&pdf(&[FixturePage::letter(&content)]));
    assert!(headings(&document).is_empty(), "{:?}", headings(&document));
    let lead_in = &document.items[1];
    assert_eq!(
        (lead_in.label, lead_in.text.as_str()),
        (Label::Text, "Analysis of the results:")
    );
}

#[test]
fn a_filing_is_called_by_its_company_form_and_period_and_its_cover_has_no_sections() {
    let cover = bold(12.0, 250.0, 740.0, "SECURITIES AND EXCHANGE COMMISSION")
        + &bold(9.0, 260.0, 724.0, "Washington, D.C. 20549")
        + &bold(16.0, 260.0, 700.0, "FORM 10-Q")
        + &text(10.0, 200.0, 670.0, "For the quarterly period ended June 25, 2022")
        + &bold(10.0, 230.0, 640.0, "Commission File No. 000-12345")
        + &bold(14.0, 255.0, 600.0, "Example Works, Inc.")
        + &text(
            8.0,
            220.0,
            588.0,
            "(Exact name of registrant as specified in its charter)",
        )
        + &bold(10.0, 120.0, 560.0, "Delaware")
        + &text(8.0, 100.0, 548.0, "(State of incorporation)")
        + &paragraph(72.0, 500.0, &BODY);
    let section = bold(10.0, 72.0, 740.0, "Item 1. Financial Statements") + &paragraph(72.0, 720.0, &BODY);
    let document = read(&pdf(&[FixturePage::letter(&cover), FixturePage::letter(&section)]));
    assert_eq!(
        document.info.title.as_deref(),
        Some("Example Works, Inc., Form 10-Q for the quarterly period ended June 25, 2022")
    );
    assert_eq!(
        headings(&document),
        ["Example Works, Inc.", "Item 1. Financial Statements"]
    );
    assert_eq!(texts(&document, Label::Title), ["Example Works, Inc."]);
}

#[test]
fn a_title_of_two_parts_is_one_title() {
    let content = bold(28.0, 150.0, 600.0, "Annual Report")
        + &text(22.0, 150.0, 570.0, "Fiscal Year 2019")
        + &paragraph(72.0, 300.0, &BODY);
    let document = read(&pdf(&[FixturePage::letter(&content)]));
    assert_eq!(document.info.title.as_deref(), Some("Annual Report Fiscal Year 2019"));
}

#[test]
fn white_words_with_nothing_behind_them_head_no_section() {
    let content = paragraph(72.0, 740.0, &BODY)
        + &format!("1 g\n{}0 g\n", bold(20.0, 72.0, 600.0, "Printed on nothing"))
        + &paragraph(72.0, 570.0, &BODY);
    let document = read(&pdf(&[FixturePage::letter(&content)]));
    assert!(headings(&document).is_empty(), "{:?}", headings(&document));
}

#[test]
fn headings_that_come_again_and_again_stand_under_those_that_do_not() {
    let chapter = |name: &str| {
        FixturePage::letter(
            &(bold(12.0, 72.0, 740.0, name)
                + &paragraph(72.0, 720.0, &BODY)
                + &bold(12.0, 72.0, 600.0, "Results")
                + &paragraph(72.0, 580.0, &BODY)),
        )
    };
    let document = read(&pdf(&[chapter("Transport"), chapter("Housing"), chapter("Schools")]));
    let levels: Vec<(u32, &str)> = document
        .items
        .iter()
        .filter(|item| item.label == Label::SectionHeader)
        .map(|item| (item.level, item.text.as_str()))
        .collect();
    assert_eq!(levels[..2], [(1, "Transport"), (2, "Results")], "{levels:?}");
    assert_eq!(levels[4..], [(1, "Schools"), (2, "Results")], "{levels:?}");
}

#[test]
fn notes_that_hang_from_raised_marks_are_footnotes_and_no_column_of_numbers() {
    let note = |y: f32, mark: &str, first: &str, second: &str| {
        text(6.0, 72.0, y + 4.0, mark) + &text(9.5, 108.0, y, first) + &text(9.5, 108.0, y - 11.0, second)
    };
    let raised = text(6.0, 240.0, 616.0, "7") + &text(6.0, 300.0, 616.0, "8");
    let content = paragraph(72.0, 740.0, &BODY)
        + &text(10.0, 72.0, 612.0, "A sentence with notes to its words,")
        + &raised
        + &note(
            140.0,
            "7",
            "See the letter of the office to all of its agencies, which",
            "was written in that year.",
        )
        + &note(
            110.0,
            "8",
            "2005 Release, above in note 7, on the page that follows the",
            "one that is named there.",
        );
    let document = read(&pdf(&[FixturePage::letter(&content)]));
    let notes = texts(&document, Label::Footnote);
    assert_eq!(notes.len(), 2, "{:?}", document.items);
    assert!(notes[0].starts_with("7 See the letter") && notes[0].ends_with("in that year."));
    assert!(notes[1].starts_with("8 2005 Release"));
}

#[test]
fn double_spaced_text_above_single_spaced_notes_is_one_paragraph() {
    let lines = BODY.iter().zip(0u8..).fold(String::new(), |out, (line, index)| {
        out + &text(10.0, 72.0, 740.0 - 24.0 * f32::from(index), line)
    });
    let content = lines
        + &paragraph(
            90.0,
            500.0,
            &[
                "A quotation in single spacing that is set in",
                "from both sides and has two lines.",
            ],
        );
    let document = read(&pdf(&[FixturePage::letter(&content)]));
    assert_eq!(document.items[0].text, BODY.join(" "));
}

#[test]
fn contents_without_page_numbers_are_an_index_because_their_lines_come_again() {
    let contents = bold(12.0, 250.0, 740.0, "TABLE OF CONTENTS")
        + &text(10.0, 72.0, 715.0, "I. Introduction")
        + &text(10.0, 72.0, 695.0, "II. Interpretation and Application")
        + &text(10.0, 72.0, 675.0, "III. Economic Considerations")
        + &bold(10.0, 72.0, 640.0, "I. INTRODUCTION")
        + &paragraph(72.0, 620.0, &BODY);
    let rest = bold(10.0, 72.0, 740.0, "II. INTERPRETATION AND APPLICATION")
        + &paragraph(72.0, 720.0, &BODY)
        + &bold(10.0, 72.0, 640.0, "III. ECONOMIC CONSIDERATIONS")
        + &paragraph(72.0, 620.0, &BODY);
    let document = read(&pdf(&[FixturePage::letter(&contents), FixturePage::letter(&rest)]));
    assert_eq!(texts(&document, Label::DocumentIndex).len(), 1, "{:?}", document.items);
    assert_eq!(
        headings(&document)[1..],
        [
            "I. INTRODUCTION",
            "II. INTERPRETATION AND APPLICATION",
            "III. ECONOMIC CONSIDERATIONS"
        ]
    );
}

#[test]
fn an_enumeration_within_a_sentence_stays_in_its_paragraph_wherever_the_lines_break() {
    let lines = [
        "The office named three challenges that the agency has met on the way to its new home:",
        "(1) it has no list of what it owns, (2) the systems that are to move are old and are not",
        "understood by anybody who is still there, and (3) the money for the move was never set",
        "aside in the budget of that year.",
    ];
    let document = read(&pdf(&[FixturePage::letter(&paragraph(72.0, 740.0, &lines))]));
    assert_eq!(document.items.len(), 1, "{:?}", document.items);
}

#[test]
fn a_chart_of_boxes_is_read_box_by_box() {
    let boxed = |x: f32, y: f32, words: [&str; 2]| {
        format!("0.2 g {x} {y} 110 50 re f\n1 g\n") + &paragraph(x + 8.0, y + 32.0, &words) + "0 g\n"
    };
    let content = paragraph(72.0, 740.0, &BODY)
        + &boxed(72.0, 560.0, ["Employee", "Services"])
        + &boxed(220.0, 560.0, ["Retirement", "Services"])
        + &boxed(368.0, 560.0, ["Insurance", "Operations"]);
    let document = read(&pdf(&[FixturePage::letter(&content)]));
    let texts: Vec<&str> = document.items[1..].iter().map(|item| item.text.as_str()).collect();
    assert_eq!(
        texts,
        ["Employee Services", "Retirement Services", "Insurance Operations"]
    );
    assert!(headings(&document).is_empty());
}
