use super::*;
use crate::lexicon::Lexicon;
use recto_core::DocumentCard;
use recto_testkit::{MemorySource, document_id};
use std::sync::Arc;

/// Filings as (name, file).
fn rows(files: &[(&str, &str)]) -> Vec<(Key, DocumentRow)> {
    (1..)
        .zip(files)
        .map(|(number, (title, file))| {
            let id = document_id(number);
            let mut row = MemorySource::row(id, &recto_testkit::DocumentBuilder::new(title).build());
            row.uri = format!("/filings/{file}");
            row.card = Arc::new(crate::card::describe_name(title, &row.uri, &Lexicon::standard()));
            ((0, id), row)
        })
        .collect()
}

fn filings() -> Vec<(Key, DocumentRow)> {
    rows(&[
        ("Acme Inc.", "2022 Q3 ACM 10-Q.pdf"),
        ("Acme Inc.", "2023 Q1 ACM 10-Q.pdf"),
        ("Acme Inc.", "2023 Q2 ACM 10-Q.pdf"),
        ("Globex Corporation", "2022 Q3 GBX 10-Q.pdf"),
        ("Globex Corporation", "2023 Q2 GBX 10-Q.pdf"),
        ("Globex Corporation", "2022 GBX annual report.pdf"),
    ])
}

fn routed(question: &str, rows: &[(Key, DocumentRow)]) -> Route {
    let standard = Lexicon::standard();
    let documents: Vec<(Key, &DocumentRow)> = rows.iter().map(|(key, row)| (*key, row)).collect();
    route(question, &standard.read(question), &documents)
}

fn chosen(question: &str) -> Vec<String> {
    let rows = filings();
    let found = routed(question, &rows);
    let file = |chosen: &Chosen| {
        rows.iter()
            .find(|(key, _)| *key == chosen.key)
            .map(|(_, row)| file_stem(&row.uri).to_owned())
    };
    found.chosen.iter().filter_map(file).collect()
}

#[test]
fn name_and_period_lead_to_one_filing() {
    assert_eq!(chosen("What were Acme's sales in Q1 2023?")[0], "2023 Q1 ACM 10-Q");
    assert_eq!(
        chosen("sales of globex in the second quarter of 2023")[0],
        "2023 Q2 GBX 10-Q"
    );
    assert_eq!(chosen("GBX net income 3Q22")[0], "2022 Q3 GBX 10-Q");
}

#[test]
fn the_latest_is_the_newest_of_those_named() {
    assert_eq!(chosen("Acme's sales in its most recent 10-Q")[0], "2023 Q2 ACM 10-Q");
    assert_eq!(chosen("Globex annual report")[0], "2022 GBX annual report");
}

#[test]
fn a_broad_question_is_about_all_it_names() {
    let rows = filings();
    let found = routed("How have Acme's sales changed over time?", &rows);
    assert!(found.is_broad);
    assert_eq!(found.chosen.len(), 3);
    let both = routed("Compare Acme and Globex", &rows);
    assert!(
        both.is_broad && both.chosen.len() == rows.len(),
        "they are compared with each other: {both:?}"
    );
}

#[test]
fn the_reasons_are_told() {
    let rows = filings();
    let found = routed("What were Acme's sales in Q1 2023?", &rows);
    assert_eq!(found.chosen[0].reasons, ["Acme", "Q1 2023"]);
}

#[test]
fn a_question_that_names_nothing_moves_nothing() {
    let rows = filings();
    for question in ["What is the effective tax rate?", "inventories", "the 10-Q"] {
        let found = routed(question, &rows[..5]);
        assert!(
            !found.is_active() && found.penalty(rows[0].0) == 0.0,
            "{question} {found:?}"
        );
    }
}

#[test]
fn a_document_that_meets_less_stands_back_but_is_not_excluded() {
    let rows = filings();
    let found = routed("What were Acme's sales in Q1 2023?", &rows);
    let penalties: Vec<f32> = rows.iter().map(|(key, _)| found.penalty(*key)).collect();
    assert!(penalties[1] == 0.0 && penalties[0] > 0.0 && penalties[3] > penalties[0] && penalties[3] <= PENALTY);
}

#[test]
fn a_report_of_the_year_after_has_the_figures_too() {
    let rows = rows(&[
        ("Acme Inc.", "Acme 2017.pdf"),
        ("Acme Inc.", "Acme 2018.pdf"),
        ("Acme Inc.", "Acme 2020.pdf"),
        ("Acme Inc.", "Acme 2016.pdf"),
    ]);
    let found = routed("Acme capex in FY2017", &rows);
    let penalties: Vec<f32> = rows.iter().map(|(key, _)| found.penalty(*key)).collect();
    assert!(
        penalties[0] < penalties[1] && penalties[1] < penalties[2],
        "{penalties:?}"
    );
}

#[test]
fn words_of_titles_tell_documents_apart_that_have_no_names() {
    let rows = rows(&[
        ("Dishwasher instructions", "a.pdf"),
        ("Washing machine instructions", "b.pdf"),
        ("Oven instructions", "c.pdf"),
    ]);
    let found = routed("how do I clean the filter of the dishwasher?", &rows);
    assert_eq!(found.chosen[0].key, rows[0].0);
    assert!(
        rows.iter()
            .all(|(_, row)| row.card.as_ref() != &DocumentCard::default())
    );
}
