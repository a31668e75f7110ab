use super::{Outline, OutlineSection, estimated_tokens, outline};
use crate::{open, page_passages, section_passage};
use proptest::prelude::*;
use recto_core::{ChunkSource, Document, Item, Label, Locator};
use recto_testkit::{DocumentBuilder, MemorySource, document_id};
use std::sync::Arc;

fn titles(outline: &Outline) -> Vec<(u32, u32, &str)> {
    let of = |section: &OutlineSection| (section.number, section.level);
    outline
        .sections
        .iter()
        .map(|section| (of(section).0, of(section).1, section.title.as_str()))
        .collect()
}

fn report() -> Document {
    DocumentBuilder::new("Harbour report")
        .page()
        .paragraph("Prepared by the harbour office for the council in the spring.")
        .heading(1, "Finances")
        .paragraph("Overview:")
        .paragraph("The harbour earned more than in any year before. Fees came to $1,577 million, or 12.4% of trade.")
        .heading(2, "Fees")
        .paragraph("Every ship that enters the harbour pays a fee by its length.")
        .page()
        .heading(3, "Exemptions")
        .paragraph("Fishing boats of the town are exempt since 1911.")
        .heading(1, "Tides")
        .paragraph("The highest tide was measured in February at the old pier.")
        .build()
}

#[test]
fn headings_make_numbered_nested_sections_with_pages_and_extent() {
    let document = report();
    let outline = outline("Harbour report", &document.items);
    assert_eq!(
        titles(&outline),
        [
            (1, 1, "Harbour report"),
            (2, 1, "Finances"),
            (3, 2, "Fees"),
            (4, 3, "Exemptions"),
            (5, 1, "Tides")
        ]
    );
    let finances = outline.section(2).expect("there");
    assert_eq!(
        (finances.pages, finances.positions, finances.leaf),
        (Some((1, 2)), (1, 7), false)
    );
    assert_eq!(outline.path(4), ["Finances", "Fees", "Exemptions"]);
    assert_eq!((outline.section(0), outline.section(6)), (None, None));
}

#[test]
fn the_summary_is_the_first_telling_sentence_with_figures_beside_it() {
    let outline = outline("Harbour report", &report().items);
    let finances = outline.section(2).expect("there");
    assert_eq!(finances.summary, "The harbour earned more than in any year before.");
    assert_eq!(finances.figures, ["$1,577 million", "12.4%"], "a year is no figure");
}

#[test]
fn an_outline_gives_up_its_deepest_levels_first() {
    let outline = outline("Harbour report", &report().items);
    let whole = outline.render(10_000);
    assert_eq!(
        (whole.numbers.as_slice(), whole.hidden),
        ([1, 2, 3, 4, 5].as_slice(), 0)
    );
    assert!(
        whole.text.contains("\n    [4] Exemptions (p. 2): Fishing boats"),
        "{}",
        whole.text
    );
    let mut budget = estimated_tokens(&whole.text);
    let mut last = 5;
    while budget > 0 {
        let shown = outline.render(budget);
        assert!(shown.numbers.len() <= last && !shown.numbers.is_empty());
        assert!(shown.numbers.len() == 1 || estimated_tokens(&shown.text) <= budget + shown.numbers.len());
        let deepest = shown
            .numbers
            .iter()
            .filter_map(|number| outline.section(*number))
            .map(|s| s.level)
            .max();
        let all_at = |level: u32| outline.sections.iter().filter(|s| s.level <= level).count();
        assert!(shown.numbers.len() == all_at(deepest.expect("one")) || deepest == Some(1));
        last = shown.numbers.len();
        budget -= 1;
    }
}

#[test]
fn a_document_without_headings_is_divided_by_its_pages() {
    let mut builder = DocumentBuilder::new("Letter");
    for page in 1..=25 {
        builder = builder
            .page()
            .paragraph(&format!("This is what is written on page {page} of the letter."));
    }
    let document = builder.build();
    let long = outline("Letter", &document.items);
    assert_eq!(
        (long.sections.len(), long.sections[0].title.as_str()),
        (28, "Pages 1–10")
    );
    assert_eq!(
        (long.sections[0].pages, long.sections[0].positions),
        (Some((1, 10)), (0, 9))
    );
    assert_eq!((long.sections[1].title.as_str(), long.sections[1].level), ("Page 1", 2));
    let short = outline("Letter", &document.items[..2]);
    assert_eq!(titles(&short), [(1, 1, "Page 1"), (2, 1, "Page 2")]);
    let notes = DocumentBuilder::new("Notes")
        .paragraph("One single line of notes.")
        .build();
    assert_eq!(
        titles(&outline("Notes", &notes.items)),
        [(1, 1, "Part 1")],
        "one section can be named too"
    );
}

#[test]
fn slides_and_sheets_are_sections_where_nothing_is_a_heading() {
    let item = |position: u32, number: u32| Item {
        position,
        self_ref: format!("#/texts/{position}"),
        text: format!("Words on slide {number}."),
        locator: Some(Locator::Slide { number }),
        ..Item::default()
    };
    let slides = [item(0, 1), item(1, 1), item(2, 2)];
    assert_eq!(
        titles(&outline("Talk", &slides)),
        [(1, 1, "Slide 1"), (2, 1, "Slide 2")]
    );
}

#[test]
fn a_long_section_is_divided_by_its_pages() {
    let mut builder = DocumentBuilder::new("Book").page().heading(1, "The only chapter");
    for _ in 0..6 {
        builder = builder
            .page()
            .paragraph(&"A sentence of the only chapter of this long book. ".repeat(100));
    }
    let document = builder.build();
    let outline = outline("Book", &document.items);
    assert_eq!(outline.sections.len(), 7);
    assert_eq!(outline.sections[1].title, "The only chapter: page 2");
    assert_eq!(outline.path(2), ["The only chapter", "The only chapter: page 2"]);
    assert_eq!(outline.sections[0].positions, (0, 6));
}

#[test]
fn a_long_text_before_the_first_heading_is_in_sections_of_its_own() {
    let long = "A sentence of the preface of this long book. ".repeat(200);
    let document = DocumentBuilder::new("Book")
        .paragraph(&long)
        .paragraph(&long)
        .heading(1, "Chapter")
        .build();
    let outline = outline("Book", &document.items);
    assert_eq!(
        titles(&outline),
        [(1, 1, "Book: part 1"), (2, 1, "Book: part 2"), (3, 1, "Chapter")]
    );
}

#[test]
fn naming_a_heading_and_what_is_below_it_names_the_heading() {
    let outline = outline("Harbour report", &report().items);
    assert_eq!(outline.distinct(&[4, 2, 5, 5, 99, 0]), [2, 5]);
}

fn opened(document: &Document) -> crate::OpenSource {
    let mut source = MemorySource::new("reports");
    let id = document_id(1);
    source.add(MemorySource::row(id, document), document.items.clone(), &[], &[]);
    let sources: Vec<Arc<dyn ChunkSource>> = vec![Arc::new(source)];
    futures::executor::block_on(open(&sources)).expect("opens").remove(0)
}

#[test]
fn a_heading_brings_the_full_text_below_it() {
    let document = report();
    let outline = outline("Harbour report", &document.items);
    let source = opened(&document);
    let positions = outline.section(2).expect("there").positions;
    let found = section_passage(&source, document_id(1), &document.items, positions).expect("text");
    let text = &found.passage.text;
    assert!(
        text.starts_with("Finances\n\nOverview:") && text.ends_with("since 1911."),
        "{text}"
    );
    assert_eq!(
        (found.passage.pages.as_slice(), found.passage.headings.as_slice()),
        ([1, 2].as_slice(), ["Finances".to_owned()].as_slice())
    );
    assert_eq!(found.passage.spans.len(), 7);
    assert_eq!(found.parts[6].headings, ["Finances", "Fees", "Exemptions"]);
    assert!(!found.passage.boxes.is_empty());
}

#[test]
fn pages_hold_all_text_each_once() {
    let document = report();
    let pages = page_passages(&opened(&document), document_id(1), &document.items);
    assert_eq!(pages.iter().map(|(page, _)| *page).collect::<Vec<_>>(), [1, 2]);
    let joined: Vec<&str> = pages.iter().map(|(_, found)| found.passage.text.as_str()).collect();
    let all: Vec<&str> = document.items.iter().map(|item| item.text.as_str()).collect();
    assert_eq!(joined.join("\n\n"), all.join("\n\n"));
    assert_eq!(pages[1].1.passage.headings, ["Finances", "Fees", "Exemptions"]);
}

proptest! {
    // Vectorless lesson 6 and 27: whatever the shape, every item lies in a section and none is lost.
    #[test]
    fn sections_cover_every_item_whatever_the_shape(
        shape in prop::collection::vec((0_u32..6, 1_usize..400, any::<bool>()), 0..40),
        budget in 0_usize..400,
    ) {
        let mut builder = DocumentBuilder::new("Any");
        for (kind, words, page) in shape {
            if page {
                builder = builder.page();
            }
            builder = match kind {
                0 => builder.item(Label::Title, 0, "A title"),
                1..=3 => builder.heading(kind, "Some heading"),
                4 => builder.item(Label::PageFooter, 0, "7"),
                _ => builder.paragraph(&"word ".repeat(words * 20)),
            };
        }
        let document = builder.build();
        let outline = outline("Any", &document.items);
        let outer: Vec<_> = outline.sections.iter().filter(|section| section.level == 1).collect();
        prop_assert!(outer.windows(2).all(|pair| pair[0].positions.1 < pair[1].positions.0));
        for item in document.items.iter().filter(|item| !item.label.is_furniture()) {
            let holds = |section: &&&OutlineSection| (section.positions.0..=section.positions.1).contains(&item.position);
            prop_assert_eq!(outer.iter().filter(holds).count(), 1, "item {}", item.position);
        }
        let stretches = outline.stretches();
        prop_assert!(stretches.windows(2).all(|pair| pair[0].1.1 < pair[1].1.0));
        for item in document.items.iter().filter(|item| !item.label.is_furniture()) {
            prop_assert!(stretches.iter().any(|(_, (first, last))| (*first..=*last).contains(&item.position)));
        }
        for (index, section) in outline.sections.iter().enumerate() {
            prop_assert_eq!(section.number as usize, index + 1);
            prop_assert!(index == 0 || section.level <= outline.sections[index - 1].level + 1);
        }
        if !outline.sections.is_empty() {
            prop_assert!(!outline.render(budget).numbers.is_empty());
        }
    }
}
