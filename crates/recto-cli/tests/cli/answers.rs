//! Asking, and the pages that prove the answer.

use crate::support::{Desk, HARBOUR, errors_of, has_keys, png_size, rows, text_of};
use serde_json::{Value, json};
use std::path::Path;

const QUESTION: &str = "How many pilots did the pilot station employ?";

#[test]
fn an_answer_has_every_field_and_its_quote_is_on_the_page() {
    let desk = Desk::new();
    let id = text_of(&desk.add(&desk.pdf("harbour.pdf", &HARBOUR))["added"][0]["document_id"]);
    let answer = desk.json(&["ask", QUESTION, "--strategy", "quotes"]);
    has_keys(
        &answer,
        &[
            "answer_id",
            "question",
            "strategy",
            "model",
            "status",
            "scope",
            "text",
            "uncited",
            "unit_stats",
            "sections_dropped",
            "nearest",
            "citations",
            "evidence",
            "coverage",
            "documents_failed",
            "usage",
            "elapsed_ms",
        ],
    );
    assert_eq!(answer["question"], QUESTION);
    assert_eq!(answer["strategy"], "quotes");
    assert_eq!(answer["status"], "answered");
    assert!(answer["answer_id"].is_string(), "the answer is kept");
    has_keys(&answer["usage"], &["input_tokens", "output_tokens", "calls"]);
    assert_eq!(answer["usage"]["calls"], 0, "no model was called");
    has_keys(
        &answer["coverage"],
        &[
            "documents_searched",
            "documents_with_matches",
            "documents_total",
            "not_searched",
            "chosen",
        ],
    );
    assert_eq!(answer["coverage"]["documents_searched"], 1);

    let citation = rows(&answer["citations"])
        .iter()
        .find(|citation| text_of(&citation["quote"]).contains("twenty-three pilots"))
        .unwrap_or_else(|| panic!("the sentence is cited in {answer}"));
    has_keys(
        citation,
        &[
            "index",
            "collection",
            "document_id",
            "title",
            "uri",
            "section_title",
            "headings",
            "section_ids",
            "pages",
            "chunk_ids",
            "doc_item_refs",
            "sha256",
            "locator",
            "quote",
            "quote_by",
            "verdict",
            "numbers",
            "boxes",
        ],
    );
    has_keys(&citation["numbers"], &["found", "missing", "computed"]);
    assert_eq!(citation["document_id"], json!(id));
    assert_eq!(citation["verdict"], "verbatim");
    assert_eq!(citation["quote_by"], "answer");
    assert_eq!(citation["pages"][0]["number"], 2);
    assert_eq!(citation["locator"]["kind"], "page");
    let marker = format!("[{}]", citation["index"]);
    assert!(text_of(&answer["text"]).contains(&marker), "the text carries {marker}");

    let boxes: Vec<&Value> = rows(&citation["boxes"])
        .iter()
        .filter(|one| one["kind"] == "quote")
        .collect();
    assert!(!boxes.is_empty(), "the words are boxed");
    for one in boxes {
        has_keys(one, &["page", "left", "top", "right", "bottom", "kind"]);
        assert_eq!(one["page"], 2);
        let edge = |name: &str| one[name].as_f64().unwrap_or_else(|| panic!("{name} is a number"));
        assert!(
            0.0 <= edge("left") && edge("left") < edge("right") && edge("right") <= 612.0,
            "{one}"
        );
        assert!(
            0.0 <= edge("top") && edge("top") < edge("bottom") && edge("bottom") <= 792.0,
            "{one}"
        );
    }

    let evidence = &rows(&answer["evidence"])[0];
    has_keys(
        evidence,
        &[
            "index",
            "cited",
            "role",
            "text",
            "document_id",
            "pages",
            "boxes",
            "chunk_id",
        ],
    );
}

#[test]
fn a_person_reads_the_answer_then_its_citations_then_what_was_searched() {
    let desk = Desk::new();
    desk.add(&desk.pdf("harbour.pdf", &HARBOUR));
    let text = desk.text(&["ask", QUESTION, "--strategy", "quotes"]);
    let heading = text
        .lines()
        .find(|line| line.starts_with("[1] "))
        .unwrap_or_else(|| panic!("a block for [1]: {text}"));
    assert!(heading.contains(" · PDF 2 · ✓ verbatim"), "{heading}");
    assert!(text.contains("    “") && text.contains("twenty-three pilots"), "{text}");
    assert!(
        text.contains("quote verbatim") || text.contains("quotes verbatim"),
        "{text}"
    );
    assert!(text.contains("Searched 1 of 1 document; "), "{text}");
    assert!(!text.contains('\u{1b}'), "no colours where there is no terminal");
}

#[test]
fn a_citation_names_the_printed_page_beside_the_position_in_the_file() {
    let desk = Desk::new();
    let fixture = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/fixtures/harbour-report.pdf");
    desk.add(Path::new(fixture));
    let question = "What was the highest tide of the year at Eskmouth?";
    let answer = desk.json(&["ask", question, "--strategy", "quotes"]);
    let citation = rows(&answer["citations"])
        .iter()
        .find(|citation| text_of(&citation["quote"]).contains("4.87 metres"))
        .unwrap_or_else(|| panic!("the sentence is cited in {answer}"));
    assert_eq!(citation["pages"], json!([{"number": 4, "label": "2"}]));
    let text = desk.text(&["ask", question, "--strategy", "quotes"]);
    assert!(text.contains(" · p. 2 · PDF 4 · ✓ verbatim\n"), "{text}");
}

#[test]
fn every_cited_page_is_drawn_with_its_highlights() {
    let desk = Desk::new();
    desk.add(&desk.pdf("harbour.pdf", &HARBOUR));
    let folder = desk.path("drawn").to_string_lossy().into_owned();
    let answer = desk.json(&["ask", QUESTION, "--strategy", "quotes", "--pages", &folder]);
    let files = rows(&answer["page_files"]);
    let page_2 = files
        .iter()
        .find(|file| file["page"] == 2)
        .unwrap_or_else(|| panic!("page 2 is drawn: {answer}"));
    has_keys(page_2, &["path", "document_id", "page", "width", "height", "citations"]);
    let path = text_of(&page_2["path"]);
    assert!(path.ends_with("-p2.png"), "{path}");
    let drawn = std::fs::read(&path).expect("the file is there");
    let (width, height) = png_size(&drawn);
    assert_eq!(json!([width, height]), json!([page_2["width"], page_2["height"]]));
    assert!(height > width, "the page stands upright");

    let id = text_of(&answer["citations"][0]["document_id"]);
    let bare = desk.path("bare.png").to_string_lossy().into_owned();
    desk.json(&["page", &id, "2", "-o", &bare]);
    assert_ne!(
        std::fs::read(&bare).expect("written"),
        drawn,
        "the highlights are in the picture"
    );

    let text = desk.text(&["ask", QUESTION, "--strategy", "quotes", "--pages", &folder]);
    assert!(text.contains(&path), "the picture is named: {text}");
}

#[test]
fn a_refusal_is_an_answer_and_says_what_was_searched() {
    let desk = Desk::new();
    desk.add(&desk.pdf("harbour.pdf", &HARBOUR));
    let answer = desk.json(&["ask", "xqzzv wvvkkj?", "--strategy", "quotes", "--until", "2001-01-01"]);
    assert_eq!(answer["status"], "refused");
    assert_eq!(answer["citations"], json!([]));
    let text = desk.text(&["ask", "xqzzv wvvkkj?", "--strategy", "quotes", "--until", "2001-01-01"]);
    assert!(text.contains("Searched 0 of 0 documents"), "{text}");
}

#[test]
fn a_strategy_that_needs_a_model_says_so_when_there_is_none() {
    let desk = Desk::new();
    desk.add(&desk.pdf("harbour.pdf", &HARBOUR));
    let output = desk.run(["--json", "ask", QUESTION, "--strategy", "passages"]);
    assert_eq!(output.status.code(), Some(1));
    let error: Value = serde_json::from_slice(&output.stderr).expect("an error in JSON");
    assert_eq!(error["error"]["code"], "model_not_configured", "{error}");
}

#[test]
fn events_come_one_per_line_and_exactly_one_ends_them() {
    let desk = Desk::new();
    desk.add(&desk.pdf("harbour.pdf", &HARBOUR));
    let text = desk.text(&["--json", "ask", QUESTION, "--strategy", "quotes", "--stream"]);
    let events: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("a line is an object"))
        .collect();
    let kinds: Vec<String> = events.iter().map(|event| text_of(&event["type"])).collect();
    assert_eq!(kinds.first().map(String::as_str), Some("started"));
    assert_eq!(kinds.last().map(String::as_str), Some("finished"));
    let ends = kinds
        .iter()
        .filter(|kind| ["finished", "failed", "cancelled"].contains(&kind.as_str()))
        .count();
    assert_eq!(ends, 1, "{kinds:?}");
    let streamed: String = events.iter().filter_map(|event| event["delta"].as_str()).collect();
    assert_eq!(
        events.last().map(|event| &event["answer"]["text"]),
        Some(&json!(streamed))
    );
}

#[test]
fn a_page_is_drawn_and_a_quote_located_in_a_document_and_in_a_file() {
    let desk = Desk::new();
    let file = desk.pdf("harbour.pdf", &HARBOUR);
    let id = text_of(&desk.add(&file)["added"][0]["document_id"]);
    let file = file.to_string_lossy().into_owned();
    let quote = "employed twenty-three pilots";
    for (at, document) in [&id, &file].into_iter().enumerate() {
        let found = desk.json(&["locate", document, "--quote", quote]);
        let place = &rows(&found["matches"])[0];
        has_keys(place, &["kind", "pages", "text", "boxes"]);
        assert_eq!(place["kind"], "verbatim");
        assert_eq!(place["pages"][0]["number"], 2);
        assert_eq!(rows(&place["boxes"]).len(), 1, "one line, one box");

        let path = desk.path(&format!("page-{at}.png")).to_string_lossy().into_owned();
        let drawn = desk.json(&["page", document, "2", "--quote", quote, "-o", &path, "--width", "600"]);
        has_keys(
            &drawn,
            &["path", "document_id", "page", "width", "height", "highlighted"],
        );
        assert_eq!(drawn["highlighted"]["kind"], "verbatim");
        let (width, height) = png_size(&std::fs::read(&path).expect("written"));
        assert_eq!(width, 600);
        let expected = 600 * 792 / 612;
        assert!(height.abs_diff(expected) <= 1, "{height} beside {expected}");
    }
    let stdout = desk.run(["page", &file, "1", "-o", "-", "--width", "100"]).stdout;
    assert_eq!(png_size(&stdout).0, 100);

    assert_eq!(
        desk.json(&["locate", &file, "--quote", "no such words anywhere here"]),
        json!({"matches": []})
    );
    let elsewhere = desk.run(["page", &file, "1", "--quote", quote, "-o", "-"]);
    assert_eq!(elsewhere.status.code(), Some(0));
    assert!(
        errors_of(&elsewhere).contains("not on PDF 1, but on"),
        "{}",
        errors_of(&elsewhere)
    );
    assert_eq!(desk.error(1, &["page", &file, "3", "-o", "x.png"]).0, "not_found");
    assert_eq!(desk.error(1, &["page", &id, "3", "-o", "x.png"]).0, "not_found");
}
