//! What the parts of a document are: headings, lists, notes, captions, contents, paragraphs that go on.

use crate::fixture::{FixturePage, bold, paragraph, pdf, pdf_with_objects, text};
use crate::{read, words};
use recto_core::{Document, Item, Label, LinkTarget};

/// Lines that make their size and face the usual ones of a document.
const BODY: [&str; 5] = [
    "This is the usual text of the document, set in lines that fill the width of the page,",
    "so that whatever differs from it in size, weight or colour can be told from it. It goes",
    "on for a while without saying anything, since all that matters here is that there is",
    "more of it than of anything else, and that it ends somewhere in the middle of the last",
    "line, as paragraphs do.",
];

fn shape(document: &Document) -> Vec<(Label, u32, &str)> {
    let key = |item: &'_ Item| (item.label, item.level);
    document
        .items
        .iter()
        .map(|item| (key(item).0, key(item).1, item.text.as_str()))
        .collect()
}

/// Every part of an item's text lies where its provenance says.
fn assert_places(item: &Item) {
    let mut end = 0;
    for part in &item.provenance {
        assert!(part.start >= end && part.end >= part.start, "{:?}", item.provenance);
        assert!(item.text.is_char_boundary(part.start as usize) && item.text.is_char_boundary(part.end as usize));
        end = part.end;
    }
    assert_eq!(end as usize, item.text.len());
}

#[test]
fn a_paragraph_over_two_columns_is_one_item_with_two_places() {
    let left = [
        "A paragraph that begins in the left",
        "column and is long enough to fill it",
        "to its end does not stop there, but",
        "goes on where the eye goes next, and",
        "that is at the top of the other one,",
        "which it reaches in the middle of an",
    ];
    let right = [
        "unfinished sentence, without a mark",
        "of any kind that would tell a reader",
        "who looks at single lines only. Then",
        "it ends, and there are a few lines",
        "more that fill this column up to a",
        "height about that of the left one.",
    ];
    let content = paragraph(72.0, 700.0, &left) + &paragraph(330.0, 700.0, &right);
    let document = read(&pdf(&[FixturePage::letter(&content)]));
    assert_eq!(document.items.len(), 1);
    let item = &document.items[0];
    assert_eq!(item.text, left.join(" ") + " " + &right.join(" "));
    assert_eq!(item.provenance.len(), 2);
    assert!(item.provenance[0].at.rect.right < item.provenance[1].at.rect.left);
    assert_eq!(&item.text[item.provenance[1].start as usize..][..10], "unfinished");
    assert_places(item);
}

#[test]
fn a_paragraph_over_two_pages_is_one_item_and_a_hyphen_at_the_break_goes() {
    let page = |number: u32, content: &str| {
        FixturePage::letter(
            &(text(9.0, 72.0, 760.0, "Acme annual report") + content + &text(9.0, 300.0, 40.0, &number.to_string())),
        )
    };
    let ends = [
        "The last paragraph of this page has lines as long as all the others have, and it is",
        "broken off by the end of the page in the middle of a word that is written with a hy-",
    ];
    let begins = [
        "phen at the end of the page, which must not be there when the two parts of the word",
        "are read together.",
    ];
    let document = read(&pdf(&[
        page(1, &paragraph(72.0, 640.0, &BODY)),
        page(2, &(paragraph(72.0, 640.0, &BODY) + &paragraph(72.0, 90.0, &ends))),
        page(3, &(paragraph(72.0, 720.0, &begins) + &paragraph(72.0, 600.0, &BODY))),
        page(4, &paragraph(72.0, 640.0, &BODY)),
    ]));
    let item = document
        .items
        .iter()
        .find(|item| item.text.contains("broken off"))
        .expect("there");
    assert!(item.text.contains("with a hyphen at the end"), "{}", item.text);
    assert_eq!(item.page_numbers(), [2, 3]);
    assert_places(item);
    // The furniture between the two stays what it is.
    let headers = document.items.iter().filter(|item| item.label == Label::PageHeader);
    assert_eq!(headers.count(), 4);
}

#[test]
fn lists_are_nested_and_their_entries_end_where_the_text_goes_back() {
    let content = paragraph(72.0, 700.0, &BODY)
        + &text(
            10.0,
            80.0,
            620.0,
            "1. The first entry, which is long enough to need a second line for the rest",
        )
        + &text(10.0, 92.0, 608.0, "of its words.")
        + &text(10.0, 100.0, 596.0, "\\225 A bullet below it")
        + &text(10.0, 100.0, 584.0, "\\225 Another bullet below it")
        + &text(10.0, 80.0, 572.0, "2. The second entry")
        + &text(
            10.0,
            72.0,
            560.0,
            "Text after the list that is no entry, although it follows without a space between",
        )
        + &text(10.0, 72.0, 548.0, "the two and begins at the margin.");
    let document = read(&pdf(&[FixturePage::letter(&content)]));
    let shape = shape(&document);
    assert_eq!(
        shape[1..5].iter().map(|s| (s.0, s.1)).collect::<Vec<_>>(),
        [
            (Label::ListItem, 1),
            (Label::ListItem, 2),
            (Label::ListItem, 2),
            (Label::ListItem, 1)
        ],
        "{shape:?}"
    );
    assert!(shape[1].2.ends_with("of its words."));
    assert_eq!(shape[4].2, "2. The second entry");
    assert_eq!(shape[5].0, Label::Text);
    assert_eq!(shape.len(), 6);
}

#[test]
fn a_white_heading_on_a_dark_bar_is_a_heading() {
    let bar = |y: f32, words: &str| {
        format!("0.1 g 72 {} 460 18 re f\n1 g\n", y - 5.0) + &bold(10.0, 80.0, y, words) + "0 g\n"
    };
    let content = bar(700.0, "Progress in the year")
        + &paragraph(72.0, 670.0, &BODY)
        + &bar(580.0, "Results of the year")
        + &paragraph(72.0, 550.0, &BODY);
    let document = read(&pdf(&[FixturePage::letter(&content)]));
    let headings: Vec<&str> = document
        .items
        .iter()
        .filter(|item| item.label.is_heading())
        .map(|item| item.text.as_str())
        .collect();
    assert_eq!(headings, ["Progress in the year", "Results of the year"]);
}

#[test]
fn headings_of_two_lines_are_one_and_are_not_glued_to_their_paragraph_or_to_each_other() {
    let content = bold(14.0, 72.0, 720.0, "STRATEGIC GOAL 1: SERVE THE PEOPLE WHO COME TO")
        + &bold(14.0, 72.0, 703.0, "THE OFFICE")
        + &bold(12.0, 72.0, 686.0, "Strategy 1.1: Open the doors early")
        + &paragraph(72.0, 671.0, &BODY);
    let document = read(&pdf(&[FixturePage::letter(&content)]));
    let shape = shape(&document);
    assert_eq!(shape[0].2, "STRATEGIC GOAL 1: SERVE THE PEOPLE WHO COME TO THE OFFICE");
    assert_eq!(shape[1].2, "Strategy 1.1: Open the doors early");
    assert!(document.items[0].label.is_heading() && document.items[1].label.is_heading());
    assert!(shape[0].1 < shape[1].1, "{shape:?}");
    assert_eq!((shape[2].0, shape.len()), (Label::Text, 3));
}

#[test]
fn numbered_headings_have_the_depth_of_their_numbers() {
    let content = bold(10.0, 72.0, 740.0, "1 Introduction")
        + &paragraph(72.0, 720.0, &BODY)
        + &bold(10.0, 72.0, 640.0, "1.1 Scope")
        + &paragraph(72.0, 620.0, &BODY)
        + &bold(10.0, 72.0, 540.0, "1.2 Terms")
        + &paragraph(72.0, 520.0, &BODY)
        + &bold(10.0, 72.0, 440.0, "2 Findings")
        + &paragraph(72.0, 420.0, &BODY)
        + &bold(10.0, 72.0, 340.0, "3 Conclusions")
        + &paragraph(72.0, 320.0, &BODY)
        + &bold(10.0, 72.0, 240.0, "3.1 Outlook")
        + &paragraph(72.0, 220.0, &BODY);
    let document = read(&pdf(&[FixturePage::letter(&content)]));
    let levels: Vec<u32> = document
        .items
        .iter()
        .filter(|item| item.label == Label::SectionHeader)
        .map(|item| item.level)
        .collect();
    assert_eq!(levels, [1, 2, 2, 1, 1, 2]);
}

#[test]
fn a_printed_table_of_contents_is_an_index_and_not_a_pile_of_headings() {
    let entry = |y: f32, title: &str, page: &str| {
        text(
            10.0,
            72.0,
            y,
            &format!("{title} . . . . . . . . . . . . . . . . . . . . {page}"),
        )
    };
    let contents = bold(16.0, 72.0, 720.0, "Contents")
        + &entry(690.0, "Introduction", "2")
        + &entry(676.0, "Findings", "2")
        + &entry(662.0, "Recommendations", "3");
    let chapter = |y: f32, title: &str| bold(10.0, 72.0, y, title) + &paragraph(72.0, y - 20.0, &BODY);
    let document = read(&pdf(&[
        FixturePage::letter(&contents),
        FixturePage::letter(&(chapter(700.0, "Introduction") + &chapter(500.0, "Findings"))),
        FixturePage::letter(&chapter(700.0, "Recommendations")),
    ]));
    let on_first: Vec<Label> = document
        .items
        .iter()
        .filter(|item| item.page_numbers() == [1])
        .map(|item| item.label)
        .collect();
    assert_eq!(on_first.last(), Some(&Label::DocumentIndex));
    assert_eq!(on_first.len(), 2);
    let later = document.items.iter().filter(|item| item.page_numbers() != [1]);
    let headings: Vec<&str> = later
        .filter(|item| item.label.is_heading())
        .map(|item| item.text.as_str())
        .collect();
    assert_eq!(headings, ["Introduction", "Findings", "Recommendations"]);
}

#[test]
fn contents_that_stand_in_columns_are_an_index_and_no_table() {
    let entry = |y: f32, item: &str, title: &str, page: &str| {
        text(10.0, 72.0, y, item) + &text(10.0, 130.0, y, title) + &text(10.0, 500.0, y, page)
    };
    let contents = bold(12.0, 250.0, 720.0, "Table of contents")
        + &entry(690.0, "Item 1.", "Financial statements", "3")
        + &entry(672.0, "Item 2.", "Discussion and analysis of results", "23")
        + &entry(654.0, "Item 3.", "Disclosures about market risk", "31")
        + &entry(636.0, "Item 4.", "Controls and procedures", "31")
        + &entry(618.0, "Item 5.", "Legal proceedings", "32")
        + &entry(600.0, "Item 6.", "Exhibits", "44")
        + &paragraph(72.0, 560.0, &BODY);
    let document = read(&pdf(&[
        FixturePage::letter(&contents),
        FixturePage::letter(&paragraph(72.0, 700.0, &BODY)),
    ]));
    let labels: Vec<Label> = document.items.iter().map(|item| item.label).collect();
    assert!(
        labels.contains(&Label::DocumentIndex) && !labels.contains(&Label::Table),
        "{labels:?}"
    );
    let index = document.items.iter().find(|item| item.label == Label::DocumentIndex);
    let lines: Vec<&str> = index.map_or(Vec::new(), |item| item.text.lines().collect());
    assert_eq!(lines[1], "Item 2. Discussion and analysis of results 23");
    assert_eq!(lines.len(), 6);
}

#[test]
fn the_first_section_below_contents_without_pages_is_no_entry_of_them() {
    let titles = [
        "I. Introduction",
        "II. Interpretation of the act",
        "III. Economic considerations",
    ];
    let entries: String = titles
        .into_iter()
        .zip([680.0, 664.0, 648.0])
        .map(|(title, y)| text(10.0, 72.0, y, title))
        .collect();
    let chapter = |y: f32, number: &str, title: &str| {
        bold(10.0, 72.0, y, number)
            + &bold(10.0, 108.0, y, title)
            + &text(10.0, 108.0, y - 12.0, BODY[0])
            + &paragraph(72.0, y - 24.0, &BODY[1..])
    };
    let first = bold(10.0, 250.0, 710.0, "Table of contents") + &entries + &chapter(600.0, "I.", "Introduction");
    let second =
        chapter(700.0, "II.", "Interpretation of the act") + &chapter(500.0, "III.", "Economic considerations");
    let document = read(&pdf(&[FixturePage::letter(&first), FixturePage::letter(&second)]));
    let headings: Vec<&str> = document
        .items
        .iter()
        .filter(|item| item.label.is_heading())
        .map(|item| item.text.as_str())
        .collect();
    assert_eq!(headings[1..], titles);
    let indexed: Vec<&str> = document
        .items
        .iter()
        .filter(|item| item.label == Label::DocumentIndex)
        .map(|item| item.text.as_str())
        .collect();
    assert_eq!(indexed.join("\n").lines().collect::<Vec<_>>(), titles);
}

#[test]
fn a_note_goes_on_after_a_line_in_another_face() {
    let content = paragraph(72.0, 700.0, &BODY)
        + &paragraph(72.0, 600.0, &BODY)
        + &text(5.0, 72.0, 93.0, "2")
        + &bold(
            8.0,
            80.0,
            90.0,
            "Opinion of General Counsel Relating to Section 202 of the Investment Advisers Act of 1940,",
        )
        + &text(
            8.0,
            72.0,
            80.0,
            "Investment Advisers Act Release No. 2 of October 1940, which the text refers to.",
        );
    let document = read(&pdf(&[FixturePage::letter(&content)]));
    let notes: Vec<&str> = document
        .items
        .iter()
        .filter(|item| item.label == Label::Footnote)
        .map(|item| item.text.as_str())
        .collect();
    assert_eq!(notes.len(), 1, "{notes:?}");
    assert!(notes[0].starts_with('2') && notes[0].ends_with("refers to."));
}

#[test]
fn a_date_that_ends_a_paragraph_is_part_of_it() {
    let content = paragraph(72.0, 700.0, &BODY[..4])
        + &text(
            10.0,
            72.0,
            640.0,
            "Fair values are those of December 31, 2022 and of the end of the last quarter, which is",
        )
        + &text(10.0, 72.0, 628.0, "March 31, 2023.");
    let document = read(&pdf(&[FixturePage::letter(&content)]));
    let last = document.items.last().map(|item| item.text.as_str()).unwrap_or_default();
    assert!(last.ends_with("which is March 31, 2023."), "{last}");
}

#[test]
fn small_print_with_a_number_at_the_foot_of_a_page_is_a_footnote() {
    let content = paragraph(72.0, 700.0, &BODY)
        + &paragraph(72.0, 600.0, &BODY)
        + &text(
            8.0,
            72.0,
            90.0,
            "1 A note in small print about something said above it.",
        )
        + &text(8.0, 72.0, 78.0, "2 Another note in small print.");
    let document = read(&pdf(&[FixturePage::letter(&content)]));
    let labels: Vec<Label> = document.items.iter().map(|item| item.label).collect();
    assert_eq!(labels[..2], [Label::Text, Label::Text]);
    assert!(
        labels[2..].iter().all(|label| *label == Label::Footnote) && labels.len() > 2,
        "{labels:?}"
    );
}

#[test]
fn a_caption_is_told_from_a_sentence_about_a_table() {
    let content = paragraph(72.0, 700.0, &BODY)
        + &text(9.0, 72.0, 600.0, "Figure 3. The plant at night")
        + &text(
            10.0,
            72.0,
            560.0,
            "Figure 3 shows the plant at night, when nobody is there and the lamps are lit.",
        );
    let document = read(&pdf(&[FixturePage::letter(&content)]));
    let labels: Vec<Label> = document.items.iter().map(|item| item.label).collect();
    assert_eq!(labels, [Label::Text, Label::Caption, Label::Text]);
}

#[test]
fn page_numbers_that_change_sides_are_read() {
    let pages: Vec<FixturePage> = (1..=6)
        .map(|n| {
            let furniture = if n % 2 == 0 {
                text(9.0, 72.0, 40.0, &format!("{}   Annual Report 2019", n + 10))
            } else {
                text(9.0, 380.0, 40.0, &format!("Office of Things   {}", n + 10))
            };
            FixturePage::letter(&(paragraph(72.0, 700.0, &BODY) + &furniture))
        })
        .collect();
    let labels: Vec<Option<String>> = read(&pdf(&pages)).pages.into_iter().map(|page| page.label).collect();
    let expected: Vec<Option<String>> = (11..=16).map(|n| Some(n.to_string())).collect();
    assert_eq!(labels, expected);
}

#[test]
fn a_document_that_repeats_one_page_keeps_its_body() {
    let page = FixturePage::letter(&paragraph(
        72.0,
        780.0,
        &["The only sentence of the page stands at its top."],
    ));
    let document = read(&pdf(&[page.clone(), page.clone(), page.clone(), page]));
    assert!(document.items.iter().all(|item| !item.label.is_furniture()));
    assert_eq!(document.items.len(), 4);
}

#[test]
fn links_lead_to_addresses_and_to_pages_of_the_file() {
    let annotations = "/MediaBox [0 0 612 792] /Annots [\
        << /Type /Annot /Subtype /Link /Rect [72 695 172 712] /A << /S /URI /URI (https://example.org/a) >> >> \
        << /Type /Annot /Subtype /Link /Rect [72 655 172 672] /Dest [7 0 R /Fit] >> ]";
    let document = read(&pdf(&[
        FixturePage::with_entries(
            annotations,
            &text(10.0, 72.0, 700.0, "See the address or the next page"),
        ),
        FixturePage::letter(&text(10.0, 72.0, 700.0, "The next page")),
    ]));
    let links = &document.pages[0].links;
    assert_eq!(links.len(), 2);
    assert_eq!(links[0].target, LinkTarget::Uri("https://example.org/a".into()));
    assert!((links[0].rect.top - 80.0).abs() < 0.1 && (links[0].rect.left - 72.0).abs() < 0.1);
    assert_eq!(links[1].target, LinkTarget::Page(2));
    assert!(document.pages[1].links.is_empty());
}

#[test]
fn the_value_of_a_form_field_is_text_of_the_page_and_a_note_is_an_item_after_it() {
    let entries = "/MediaBox [0 0 612 792] /Annots [7 0 R << /Type /Annot /Subtype /Text /Rect [500 700 520 720] \
        /Contents (Ask her about this) >>]";
    let field = "<< /Type /Annot /Subtype /Widget /FT /Tx /T (name) /V (Ada Lovelace) /Rect [140 695 300 712] /P 5 0 R \
        /DA (/Helv 10 Tf 0 g) >>";
    let bytes = pdf_with_objects(
        &[FixturePage::with_entries(
            entries,
            &text(10.0, 72.0, 700.0, "Full name:"),
        )],
        "/AcroForm << /Fields [7 0 R] /DA (/Helv 10 Tf 0 g) >>",
        &[field],
    );
    let document = read(&bytes);
    let page = &document.pages[0];
    assert_eq!(words(page), ["Full", "name:", "Ada", "Lovelace"]);
    let value = page.words[2].rect;
    assert!(
        value.left >= 140.0 && value.right <= 300.0 && value.top >= 78.0 && value.bottom <= 99.0,
        "{value:?}"
    );
    let last = document.items.last().expect("there");
    assert_eq!(last.text, "Ask her about this");
    assert!(last.provenance[0].at.rect.left > 490.0);
}

#[test]
fn headings_that_only_the_tags_of_the_file_tell_have_the_level_they_are_tagged_with() {
    let tagged = |id: u32, kind: &str, content: &str| format!("/{kind} << /MCID {id} >> BDC\n{content}EMC\n");
    let content = tagged(0, "H1", &text(10.5, 72.0, 740.0, "A plain beginning"))
        + &tagged(1, "P", &paragraph(72.0, 720.0, &BODY))
        + &tagged(2, "H2", &text(10.5, 72.0, 640.0, "A plain part of it"))
        + &tagged(3, "P", &paragraph(72.0, 620.0, &BODY))
        + &tagged(4, "H2", &text(10.5, 72.0, 540.0, "Another part of it"))
        + &tagged(5, "P", &paragraph(72.0, 520.0, &BODY));
    // Objects: 5 page, 6 content, 7 tree, 8 document, 9 to 14 elements, 15 parent tree.
    let element = |id: u32, kind: &str| format!("<< /Type /StructElem /S /{kind} /P 8 0 R /Pg 5 0 R /K {id} >>");
    let mut objects = vec![
        "<< /Type /StructTreeRoot /K [8 0 R] /ParentTree 15 0 R >>".to_owned(),
        "<< /Type /StructElem /S /Document /P 7 0 R /K [9 0 R 10 0 R 11 0 R 12 0 R 13 0 R 14 0 R] >>".to_owned(),
    ];
    objects.extend(
        ["H1", "P", "H2", "P", "H2", "P"]
            .iter()
            .zip(0u32..)
            .map(|(kind, id)| element(id, kind)),
    );
    objects.push("<< /Nums [0 [9 0 R 10 0 R 11 0 R 12 0 R 13 0 R 14 0 R]] >>".to_owned());
    let objects: Vec<&str> = objects.iter().map(String::as_str).collect();
    let bytes = pdf_with_objects(
        &[FixturePage::with_entries(
            "/MediaBox [0 0 612 792] /StructParents 0",
            &content,
        )],
        "/MarkInfo << /Marked true >> /StructTreeRoot 7 0 R",
        &objects,
    );
    let headings: Vec<(u32, String)> = read(&bytes)
        .items
        .into_iter()
        .filter(|item| item.label == Label::SectionHeader)
        .map(|item| (item.level, item.text))
        .collect();
    assert_eq!(
        headings,
        [
            (1, "A plain beginning".to_owned()),
            (2, "A plain part of it".to_owned()),
            (2, "Another part of it".to_owned())
        ]
    );
}
