//! Questions that name a place.

use super::{add, request, search, shared};
use recto_core::{Document, Label};
use recto_testkit::{DocumentBuilder, MemorySource};

/// Five pages of harbours, a figure on the fourth and sections by number; every page says "ships" as often.
fn report(name: &str) -> Document {
    let mut report = DocumentBuilder::new(name);
    for (page, topic) in ["cranes", "quays", "tugs", "pilots", "lights"].iter().enumerate() {
        report = report
            .page()
            .heading(1, &format!("2.{} The {topic}", page + 1))
            .paragraph(&format!(
                "{name} says of ships and {topic} what there is to say of ships."
            ));
        if page == 3 {
            report = report
                .item(Label::Caption, 0, "Figure 2: Voyages by month")
                .paragraph("Figure 20 is elsewhere.");
        }
    }
    report.build()
}

fn library(names: &[&str]) -> MemorySource {
    let mut source = MemorySource::new("reports");
    for (number, name) in (1..).zip(names) {
        add(&mut source, number, &report(name), None);
    }
    source
}

async fn first_pages(source: MemorySource, question: &str) -> (Vec<u32>, String) {
    let found = search(&shared(source), None, &request(question)).await.unwrap();
    let first = found.passages.first().expect("a passage");
    (first.pages.clone(), first.text.clone())
}

#[tokio::test]
async fn a_page_named_in_the_question_comes_first() {
    for (question, page) in [
        ("What is said of ships and cranes on page 3?", 3),
        ("What is said of ships on the last page?", 5),
        ("What is written on page 2?", 2),
    ] {
        assert_eq!(
            first_pages(library(&["Harbour"]), question).await.0,
            [page],
            "{question}"
        );
    }
}

#[tokio::test]
async fn of_many_documents_a_page_is_looked_up_in_those_the_question_is_about() {
    let names = ["Aarhus", "Bergen", "Cadiz", "Dover"];
    let (pages, text) = first_pages(library(&names), "What does the Bergen report say of ships on page 4?").await;
    assert!(pages == [4] && text.contains("Bergen"), "{pages:?} {text}");
    let (pages, _) = first_pages(library(&names), "What is said of cranes on page 4?").await;
    assert_eq!(pages, [1], "page 4 of which?");
}

#[tokio::test]
async fn a_figure_or_section_named_in_the_question_comes_first() {
    for (question, wanted) in [
        (
            "What does Figure 2 show of ships, cranes and quays?",
            "Figure 2: Voyages",
        ),
        ("Which ships are dealt with under section 2.3?", "tugs"),
        ("ships and cranes in § 2.5", "lights"),
    ] {
        let (_, text) = first_pages(library(&["Harbour"]), question).await;
        assert!(text.contains(wanted), "{question}: {text}");
    }
}

#[tokio::test]
async fn a_heading_typed_whole_comes_before_the_places_it_speaks_of() {
    let document = DocumentBuilder::new("Harbour")
        .page()
        .heading(1, "2.3 The tugs")
        .paragraph("Tugs pull ships, as is said of ships and progress.")
        .page()
        .heading(1, "Progress under section 2.3")
        .paragraph("Two more tugs were bought.")
        .build();
    let mut source = MemorySource::new("reports");
    add(&mut source, 1, &document, None);
    assert_eq!(first_pages(source, "Progress under section 2.3").await.0, [2]);
}
