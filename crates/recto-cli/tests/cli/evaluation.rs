//! Measuring on a set of questions.

use crate::support::{Desk, HARBOUR};
use serde_json::{Value, json};
use std::path::PathBuf;

fn set(desk: &Desk, cases: &[Value]) -> PathBuf {
    let path = desk.path("../set.jsonl");
    let lines: Vec<String> = cases.iter().map(ToString::to_string).collect();
    std::fs::write(&path, lines.join("\n")).expect("written");
    path
}

fn pilots() -> Value {
    json!({
        "id": "pilots",
        "question": "How many containers did the harbour of Lindisvik handle?",
        "documents": ["harbour.pdf"],
        "pages": [{"page": 1}],
        "answer": "4,812 containers"
    })
}

#[test]
fn a_set_is_measured_and_a_second_run_goes_on_where_the_first_stopped() {
    let desk = Desk::new();
    desk.add(&desk.pdf("harbour.pdf", &HARBOUR));
    let nonsense = json!({"id": "none", "question": "Xylophone zebra quasar?", "answerable": false});
    let set = set(&desk, &[pilots(), nonsense]);
    let (set, out) = (set.to_string_lossy().into_owned(), desk.path("../out"));
    let arguments = ["eval", &set, "--out", &out.to_string_lossy(), "--strategy", "quotes"];
    let report = desk.json(&arguments);
    assert_eq!(report["questions"], 2, "{report}");
    assert_eq!(report["pages"]["any"][0], json!({"hits": 1, "of": 1}));
    assert_eq!(report["pages"]["first_document"], json!({"hits": 1, "of": 1}));
    assert_eq!(report["cited_any"], json!({"hits": 1, "of": 1}));
    assert_eq!(report["numbers"]["amounts"], json!({"hits": 1, "of": 1}));
    assert_eq!(report["refusals"]["recall"], json!({"hits": 1, "of": 1}));
    assert_eq!(report["calls"], 0);

    // As after a run that was killed in the middle of its second line.
    let outcomes = out.join("outcomes.jsonl");
    let text = std::fs::read_to_string(&outcomes).expect("read");
    let first = text.lines().next().expect("a line").to_owned();
    std::fs::write(&outcomes, &text[..first.len() + 20]).expect("written");
    let again = desk.json(&arguments);
    assert_eq!(again["pages"], report["pages"]);
    let lines = std::fs::read_to_string(&outcomes).expect("read");
    assert_eq!(lines.lines().count(), 2);
    assert_eq!(
        lines.lines().next(),
        Some(first.as_str()),
        "what was done is not done again"
    );
    assert_eq!(desk.json(&["list"])["documents"].as_array().map(Vec::len), Some(1));
}

#[test]
fn results_of_another_configuration_are_not_mixed_in() {
    let desk = Desk::new();
    desk.add(&desk.pdf("harbour.pdf", &HARBOUR));
    let set = set(&desk, &[pilots()]).to_string_lossy().into_owned();
    let out = desk.path("../out").to_string_lossy().into_owned();
    desk.json(&["eval", &set, "--out", &out, "--strategy", "quotes"]);
    let (code, message) = desk.error(1, &["eval", &set, "--out", &out, "--strategy", "quotes", "--given"]);
    assert_eq!(code, "invalid_argument");
    assert!(message.contains("another folder"), "{message}");
}

#[test]
fn a_set_about_a_document_that_is_not_there_is_refused_before_anything_is_asked() {
    let desk = Desk::new();
    desk.add(&desk.pdf("other.pdf", &HARBOUR));
    let set = set(&desk, &[pilots()]).to_string_lossy().into_owned();
    let out = desk.path("../out").to_string_lossy().into_owned();
    let (code, message) = desk.error(1, &["eval", &set, "--out", &out]);
    assert_eq!(code, "not_found");
    assert!(message.contains("harbour.pdf"), "{message}");
}
