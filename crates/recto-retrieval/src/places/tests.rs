use super::*;

fn places(question: &str) -> Vec<String> {
    let standard = Lexicon::standard();
    named(question, &standard)
        .into_iter()
        .map(|place| match place {
            Place::Page(label) => format!("page {label}"),
            Place::LastPage => "last page".to_owned(),
            Place::Numbered { kind, number } => {
                let known = ["figure", "table", "section", "item", "note", "appendix", "exhibit"];
                let word = known.into_iter().find(|word| kind.is_called(word)).unwrap_or("other");
                format!("{word} {number}")
            }
        })
        .collect()
}

#[test]
fn places_are_read_however_they_are_written() {
    for (question, wanted) in [
        ("What is on page 12?", vec!["page 12"]),
        ("Compare pages 5, 6 and 9.", vec!["page 5", "page 6", "page 9"]),
        ("Summarise slides 4 to 6", vec!["page 4", "page 5", "page 6"]),
        ("See p.12 and Fig. 3", vec!["page 12", "figure 3"]),
        ("pp. 5-7", vec!["page 5-7"]),
        ("the foreword on page xii", vec!["page xii"]),
        ("Who signed on the last page?", vec!["last page"]),
        (
            "the logo on the 3rd page and on the second slide",
            vec!["page 3", "page 2"],
        ),
        (
            "What does Figure 3-1 show beside Table 9.03B?",
            vec!["figure 3-1", "table 9.03b"],
        ),
        ("Figures 3 and 4", vec!["figure 3", "figure 4"]),
        ("under §4.2(b)", vec!["section 4.2(b)"]),
        ("Does Section 4.2 (a) apply?", vec!["section 4.2"]),
        ("Item 7A and Note 5", vec!["item 7a", "note 5"]),
        ("Appendix B lists what?", vec!["appendix b"]),
        ("exhibit 10.1", vec!["exhibit 10.1"]),
        ("Was steht auf Seite 12 in Abbildung 2?", vec!["page 12", "figure 2"]),
    ] {
        assert_eq!(places(question), wanted, "{question}");
    }
}

#[test]
fn words_that_are_also_called_so_name_no_place() {
    for question in [
        "How many pages does it have?",
        "Which page I saw was it?",
        "Figure out a way",
        "Note that sales of the S&P 500 companies rose in 2022",
        "Is there a table of the 3 regions?",
        "line items in 2022",
        "p = 0.05",
        "The article says 5 things",
    ] {
        assert!(places(question).is_empty(), "{question}: {:?}", places(question));
    }
}

#[test]
fn captions_and_headings_are_told_by_how_they_begin() {
    let standard = Lexicon::standard();
    let kind = |name: &str| standard.place_kind(name).expect("a kind");
    for (name, number, text) in [
        ("figure", "3", "Figure 3: Sales by region"),
        ("figure", "3", "FIG. 3 — Sales"),
        ("figure", "3-1", "Figure 3-1. Sales"),
        ("table", "9.03b", "Table 9.03B Exports"),
        ("section", "4.2", "Section 4.2 Liability"),
        ("section", "4.2", "4.2. Liability"),
        ("section", "4.2(b)", "§ 4.2(b) Liability"),
        ("note", "5", "NOTE 5—DEBT"),
        ("item", "7a", "Item 7A. Market risk"),
    ] {
        assert!(kind(name).begins(text, number, true), "{name} {number}: {text}");
    }
    for (name, number, text) in [
        ("figure", "3", "Figure 30: Sales"),
        ("figure", "3", "Figure 3.1 Sales"),
        ("figure", "3", "3 Sales by region"),
        ("item", "7", "Item 7A. Market risk"),
        ("table", "2", "As Table 2 shows"),
        ("section", "4", "4.2 Liability"),
    ] {
        assert!(!kind(name).begins(text, number, true), "{name} {number}: {text}");
    }
    assert!(
        !kind("section").begins("4.2 million were sold", "4.2", false),
        "text bears no bare numbers"
    );
}

#[test]
fn a_page_is_looked_up_by_its_label_and_by_its_number() {
    let row = DocumentRow {
        page_count: 8,
        page_labels: ["i", "ii", "1", "2", "3", "4", "5", "3-1"]
            .map(|label| Some(label.to_owned()))
            .into(),
        ..recto_testkit::MemorySource::row(
            recto_testkit::document_id(1),
            &recto_testkit::DocumentBuilder::new("Report").build(),
        )
    };
    let pages = |label: &str| Place::Page(label.to_owned()).pages(&row);
    assert_eq!(pages("ii"), [2]);
    assert_eq!(pages("2"), [2, 4], "read off the window or off the paper");
    assert_eq!(pages("8"), [8]);
    assert_eq!(pages("3-1"), [8]);
    assert_eq!(pages("4-5"), [4, 5, 6, 7]);
    assert!(pages("9").is_empty() && pages("0").is_empty());
    assert_eq!(Place::LastPage.pages(&row), [8]);
}
