use super::*;
use proptest::prelude::*;
use recto_core::{Label, Page, PageRect, Provenance, Rect, Word, WordSpan};
use std::str::FromStr;

/// Counts words and long words' pieces of eight characters, and two special tokens.
struct Words;

impl TokenCounter for Words {
    fn count(&self, text: &str) -> usize {
        2 + text
            .split_whitespace()
            .map(|word| word.len().div_ceil(8))
            .sum::<usize>()
    }

    fn limit(&self) -> usize {
        512
    }
}

fn item(position: usize, label: Label, level: u32, text: &str) -> Item {
    Item {
        position: as_u32(position),
        self_ref: format!("#/texts/{position}"),
        label,
        level,
        text: text.to_owned(),
        ..Item::default()
    }
}

fn document(parts: &[(Label, u32, &str)]) -> Document {
    Document {
        items: parts
            .iter()
            .enumerate()
            .map(|(at, (label, level, text))| item(at, *label, *level, text))
            .collect(),
        ..Document::default()
    }
}

fn id() -> DocumentId {
    DocumentId::from_str("018f0000-0000-7000-8000-000000000001").expect("a uuid")
}

fn chunks(document: &Document) -> Vec<Chunk> {
    chunk_document(document, id(), "rev-0123456789", "Annual Report", &Words)
}

#[test]
fn small_items_under_one_heading_share_a_chunk_and_headings_separate() {
    let found = chunks(&document(&[
        (Label::SectionHeader, 1, "Results"),
        (Label::Text, 0, "Sales rose."),
        (Label::PageFooter, 0, "Page 3"),
        (Label::Text, 0, "Costs fell."),
        (Label::SectionHeader, 2, "Outlook"),
        (Label::Text, 0, "More to come."),
    ]));
    assert_eq!(found.len(), 2);
    assert_eq!(found[0].content, "Sales rose.\n\nCosts fell.");
    assert_eq!(found[0].prefix, "Annual Report\nResults");
    assert_eq!(found[1].prefix, "Annual Report\nResults > Outlook");
    assert_eq!(found[1].metadata.headings, ["Results", "Outlook"]);
    assert_eq!(found[0].metadata.doc_item_refs, ["#/texts/1", "#/texts/3"]);
    assert_eq!(
        (found[0].metadata.first_position, found[0].metadata.last_position),
        (1, 3)
    );
    assert_eq!(found[0].id.0, format!("{}-rev01234-00000", id()));
    assert!(found[1].heading_terms.split(' ').any(|term| term == "outlook"));
}

#[test]
fn a_heading_nothing_follows_is_a_chunk_of_its_own() {
    let found = chunks(&document(&[
        (Label::Title, 0, "The Report"),
        (Label::SectionHeader, 1, "Item 5. Reserved"),
        (Label::SectionHeader, 1, "Item 6. Exhibits"),
        (Label::Text, 0, "None."),
    ]));
    assert_eq!(found.len(), 2);
    assert_eq!(found[0].content, "Item 5. Reserved");
    assert_eq!(found[0].metadata.headings, ["The Report"]);
    assert_eq!(found[1].metadata.headings, ["The Report", "Item 6. Exhibits"]);
}

#[test]
fn a_list_stays_whole_while_it_fits() {
    let long = "word ".repeat(150);
    let found = chunks(&document(&[
        (Label::Text, 0, &long),
        (Label::ListItem, 1, &"alpha ".repeat(70)),
        (Label::ListItem, 1, &"beta ".repeat(70)),
    ]));
    assert_eq!(found.len(), 2);
    assert!(found[1].content.starts_with("alpha") && found[1].content.ends_with("beta"));
}

#[test]
fn long_paragraphs_are_cut_at_sentence_ends_and_rows_between_rows() {
    let sentence = format!("Begin {}end.", "word ".repeat(48));
    let paragraph = [sentence.as_str(); 12].join(" ");
    let rows = (0..60)
        .map(|row| format!("Row {row} with 1,{row:03} and 2,{row:03} figures"))
        .collect::<Vec<_>>()
        .join("\n");
    let found = chunks(&document(&[(Label::Text, 0, &paragraph), (Label::Text, 0, &rows)]));
    assert!(found.len() > 3);
    for chunk in &found {
        assert!(
            chunk.content.ends_with("end.") || chunk.content.ends_with("figures"),
            "{}",
            chunk.content
        );
    }
}

/// A table of `rows` rows under a head, and its text as a grid.
fn table(position: usize, rows: u32) -> Item {
    let mut grid = recto_core::TableGrid {
        rows: rows + 1,
        columns: 3,
        cells: Vec::new(),
    };
    let mut lines = vec![
        "| Segment | Q3 2022 | Q3 2021 |".to_owned(),
        "| --- | --- | --- |".to_owned(),
    ];
    let cell = |row: u32, column: u32, text: &str| recto_core::TableCell {
        row,
        column,
        row_span: 1,
        column_span: 1,
        column_header: row == 0,
        row_header: column == 0,
        text: text.to_owned(),
        at: None,
    };
    for (column, text) in (0..).zip(["Segment", "Q3 2022", "Q3 2021"]) {
        grid.cells.push(cell(0, column, text));
    }
    for row in 1..=rows {
        let texts = [
            format!("Segment number {row}"),
            format!("{row},577"),
            format!("({row},234)"),
        ];
        lines.push(format!("| {} | {} | {} |", texts[0], texts[1], texts[2]));
        for (column, text) in (0..).zip(&texts) {
            grid.cells.push(cell(row, column, text));
        }
    }
    Item {
        table: Some(grid),
        ..item(position, Label::Table, 0, &lines.join("\n"))
    }
}

#[test]
fn a_small_table_stays_whole() {
    let mut document = document(&[(Label::Text, 0, &"word ".repeat(150))]);
    document.items.push(table(1, 20));
    let found = chunks(&document);
    assert_eq!(found.len(), 2);
    assert_eq!(found[1].content, document.items[1].text);
    assert!(!found[1].prefix.contains("Q3 2021"), "its head is in it");
}

#[test]
fn rows_cut_off_from_the_head_of_their_table_carry_its_columns_caption_and_units_in_the_prefix() {
    let mut document = document(&[
        (Label::Text, 0, "(In millions, except per share amounts)"),
        (Label::Caption, 0, "Table 4. Sales by segment"),
    ]);
    document.items[1].parent = Some("#/texts/2".to_owned());
    document.items.push(table(2, 120));
    let found = chunks(&document);
    let rows: Vec<&Chunk> = found
        .iter()
        .filter(|chunk| chunk.metadata.labels.iter().any(|label| label == "table"))
        .collect();
    assert!(rows.len() > 2);
    for (at, chunk) in rows.iter().enumerate() {
        let (content, prefix) = (&chunk.content, &chunk.prefix);
        assert_eq!(prefix.contains("Q3 2021"), at > 0, "{at} {prefix}");
        assert!(prefix.contains("In millions"), "{prefix}");
        assert_eq!(
            prefix.contains("Sales by segment"),
            at > 0,
            "the first holds the caption itself"
        );
        assert_eq!(chunk.heading_terms.split(' ').any(|term| term == "2021"), at > 0);
        let table = content.strip_prefix("Table 4. Sales by segment\n\n").unwrap_or(content);
        assert_eq!(table.len() < content.len(), at == 0);
        assert!(
            table.lines().all(|line| line.starts_with('|') && line.ends_with('|')),
            "cut between rows"
        );
        let span = chunk.metadata.spans.last().expect("the table's");
        assert_eq!(table, &document.items[2].text[span.start as usize..span.end as usize]);
        assert!(Words.count(&chunk.embedded_text()) <= CHUNK_TOKENS);
        assert!(!chunk.embedded_text().contains('|'));
    }
}

#[test]
fn a_table_that_goes_on_from_the_page_before_keeps_its_columns() {
    let mut document = document(&[]);
    document.items.push(table(0, 4));
    let mut rest = table(1, 4);
    let grid = rest.table.as_mut().expect("a table");
    grid.cells.iter_mut().for_each(|cell| cell.column_header = false);
    rest.text = "| More | 9,577 | 9,234 |\n".repeat(40).trim().to_owned();
    rest.continues = Some("#/texts/0".to_owned());
    document.items.push(item(2, Label::SectionHeader, 1, "Between"));
    document.items.push(rest);
    let found = chunks(&document);
    let last = found.last().expect("chunks");
    assert!(
        last.content.contains("More") && last.prefix.contains("Q3 2021"),
        "{}",
        last.prefix
    );
}

#[test]
fn a_chunk_keeps_the_place_its_items_name() {
    let mut document = document(&[(Label::Text, 0, "Sales rose.")]);
    let slide = recto_core::Locator::Slide { number: 4 };
    document.items[0].locator = Some(slide.clone());
    assert_eq!(chunks(&document)[0].metadata.locator, Some(slide));
}

#[test]
fn the_prefix_gives_up_middle_headings_before_the_title() {
    let wide = |word: &str| format!("{word} ").repeat(30);
    let found = chunks(&document(&[
        (Label::SectionHeader, 1, "Outer part"),
        (Label::SectionHeader, 2, &wide("middle")),
        (Label::SectionHeader, 3, &wide("between")),
        (Label::SectionHeader, 4, "Inner part"),
        (Label::Text, 0, "Body."),
    ]));
    assert_eq!(
        found[0].prefix,
        format!("Annual Report\nOuter part > {} > Inner part", wide("middle").trim())
    );
    assert_eq!(found[0].metadata.headings.len(), 4, "the metadata keeps the whole path");
    assert!(found[0].heading_terms.contains("between"), "so does the word index");
}

#[test]
fn boxes_are_one_rectangle_per_line_of_the_words_inside() {
    let mut paragraph = item(0, Label::Text, 0, "one two three");
    let rect = |left: f32, top: f32| Rect::new(left, top, left + 8.0, top + 10.0);
    let word = |at: usize, line: u32| Word {
        start: 0,
        end: 0,
        rect: rect(
            f32::from(u8::try_from(at).expect("small")) * 10.0,
            f32::from(u8::try_from(line).expect("small")) * 12.0,
        ),
        line,
        font_size: 10.0,
        bold: false,
        italic: false,
        confidence: None,
    };
    for (at, (start, end)) in [(0, 3), (4, 7), (8, 13)].into_iter().enumerate() {
        paragraph.words.push(WordSpan {
            start,
            end,
            page: 7,
            word: as_u32(at),
        });
    }
    paragraph.provenance.push(Provenance {
        at: PageRect {
            page: 7,
            rect: rect(0.0, 0.0),
        },
        start: 0,
        end: 13,
    });
    let document = Document {
        pages: vec![Page {
            number: 7,
            words: vec![word(0, 0), word(1, 0), word(0, 1)],
            ..Page::default()
        }],
        items: vec![paragraph],
        ..Document::default()
    };
    let found = chunks(&document);
    assert_eq!(found[0].metadata.page_numbers, [7]);
    let boxes: Vec<Rect> = found[0].metadata.boxes.iter().map(|at| at.rect).collect();
    assert_eq!(
        boxes,
        [Rect::new(0.0, 0.0, 18.0, 10.0), Rect::new(0.0, 12.0, 8.0, 22.0)]
    );
}

fn any_item() -> impl Strategy<Value = (Label, u32, String)> {
    let label = prop_oneof![
        4 => Just(Label::Text),
        2 => Just(Label::ListItem),
        2 => Just(Label::SectionHeader),
        1 => Just(Label::Title),
        1 => Just(Label::Table),
        1 => Just(Label::PageHeader),
        1 => Just(Label::Footnote),
    ];
    let text = prop_oneof![
        "[a-zA-Z ]{0,30}",
        "([a-z]{1,12}[ .]){0,400}",
        "([A-Za-z0-9,]{1,9}[ \\n]){0,300}",
        "[a-zé]{0,3000}"
    ];
    (label, 1_u32..4, text)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn every_stretch_of_content_is_in_exactly_one_chunk(parts in prop::collection::vec(any_item(), 0..14)) {
        let borrowed: Vec<(Label, u32, &str)> = parts.iter().map(|(label, level, text)| (*label, *level, text.as_str())).collect();
        let document = document(&borrowed);
        let found = chunks(&document);
        prop_assert_eq!(&found, &chunks(&document), "the same input gives the same chunks");
        let mut covered: Vec<Vec<u8>> = document.items.iter().map(|item| vec![0; item.text.len()]).collect();
        for (order, chunk) in found.iter().enumerate() {
            prop_assert_eq!(chunk.order, as_u32(order));
            prop_assert!(Words.count(&chunk.embedded_text()) <= CHUNK_TOKENS, "{}", Words.count(&chunk.embedded_text()));
            prop_assert!(Words.count(&chunk.prefix) <= PREFIX_TOKENS);
            prop_assert_eq!(chunk.metadata.spans.len(), chunk.metadata.doc_item_refs.len());
            let mut texts = Vec::new();
            for (span, label) in chunk.metadata.spans.iter().zip(&chunk.metadata.labels) {
                let at: usize = span.self_ref.trim_start_matches("#/texts/").parse().expect("a number");
                let item = &document.items[at];
                prop_assert_eq!(item.label.as_str(), label.as_str());
                let (start, end) = (span.start as usize, span.end as usize);
                texts.push(&item.text[start..end]);
                covered[at][start..end].iter_mut().for_each(|count| *count += 1);
            }
            prop_assert_eq!(texts.join(JOINT), chunk.content.clone());
        }
        for (item, counts) in document.items.iter().zip(&covered) {
            let blank = |at: usize| item.text.as_bytes()[at].is_ascii_whitespace();
            for (at, count) in counts.iter().enumerate() {
                let expected = if item.label.is_furniture() { 0 } else { 1 };
                if item.label.is_heading() {
                    let somewhere = *count == 1 || blank(at)
                        || item.text.trim().is_empty()
                        || found.iter().any(|chunk| chunk.metadata.headings.iter().any(|heading| heading == item.text.trim()));
                    prop_assert!(somewhere && *count <= 1, "a heading is content or context");
                } else if !blank(at) {
                    prop_assert_eq!(*count, expected, "byte {} of {:?}", at, item.text);
                }
            }
        }
    }
}

#[test]
fn a_captioned_table_opens_its_chunk_and_keeps_its_caption() {
    let mut document = document(&[
        (Label::SectionHeader, 1, "Measures"),
        (Label::Text, 0, "Some words."),
        (Label::Caption, 0, "TABLE 1"),
        (Label::Table, 0, "First of the tables."),
        (Label::Caption, 0, "TABLE 2"),
        (Label::Table, 0, "Second of the tables."),
    ]);
    for at in [2, 4] {
        document.items[at].parent = Some(document.items[at + 1].self_ref.clone());
    }
    let contents: Vec<String> = chunks(&document).into_iter().map(|chunk| chunk.content).collect();
    assert_eq!(
        contents,
        [
            "Some words.",
            "TABLE 1\n\nFirst of the tables.",
            "TABLE 2\n\nSecond of the tables."
        ]
    );
}
