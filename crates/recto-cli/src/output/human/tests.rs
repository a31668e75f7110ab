use super::answers::{citation, coverage};
use super::search::search_result;
use super::words::{file_name, id_length, place};
use super::*;
use crate::output::terminal::View;
use recto_engine::contract::{
    AddReport, Answer, AnswerStatus, Citation, Coverage, DocumentList, DocumentState, Evidence, FailedFile,
    ListedDocument, Locator, Mark, NotSearched, NumberCheck, PageName, QuoteBy, ScopeRequest, SearchResult, Strategy,
    UnitStats, Usage, Verdict,
};

fn page(number: u32, label: Option<&str>) -> PageName {
    PageName {
        number,
        label: label.map(str::to_owned),
    }
}

fn cited(index: u32, verdict: Verdict, quote_by: QuoteBy, missing: &[&str]) -> Citation {
    Citation {
        index,
        collection: "Library".to_owned(),
        document_id: "0190a1b2-0000-7000-8000-000000000001".to_owned(),
        title: "Form 10-Q".to_owned(),
        uri: "/files/10q.pdf".to_owned(),
        section_title: Some("Revenue".to_owned()),
        headings: vec!["Revenue".to_owned()],
        section_ids: Vec::new(),
        pages: vec![page(7, Some("371"))],
        chunk_ids: vec!["c1".to_owned()],
        doc_item_refs: vec!["#/texts/1".to_owned()],
        sha256: "00".to_owned(),
        locator: Locator::Page {
            pages: vec![page(7, Some("371"))],
        },
        quote: "Revenue rose\n15 % to $1,577 million.".to_owned(),
        quote_by,
        verdict,
        mark: match verdict {
            Verdict::NotLocated => Mark::Open,
            _ if !missing.is_empty() => Mark::Open,
            Verdict::Verbatim if quote_by == QuoteBy::Answer => Mark::Proven,
            _ => Mark::Near,
        },
        numbers: NumberCheck {
            missing: missing.iter().map(|&figure| figure.to_owned()).collect(),
            ..NumberCheck::default()
        },
        boxes: Vec::new(),
        spans: Vec::new(),
    }
}

fn evidence(index: u32, is_cited: bool) -> Evidence {
    Evidence {
        index,
        cited: is_cited,
        passage: passage(index),
    }
}

fn passage(rank: u32) -> SearchResult {
    SearchResult {
        rank,
        score: 0.5,
        confidence: None,
        role: recto_engine::contract::PassageRole::Evidence,
        neighbour_of: None,
        locator: Locator::Page {
            pages: vec![page(3, None)],
        },
        spans: Vec::new(),
        collection: "Library".to_owned(),
        document_id: "0190a1b2-0000-7000-8000-000000000001".to_owned(),
        title: "Form 10-Q".to_owned(),
        uri: "/files/10q.pdf".to_owned(),
        chunk_id: "c1".to_owned(),
        chunk_ids: vec!["c1".to_owned()],
        pages: vec![page(3, None)],
        headings: vec!["Part I".to_owned(), "Item 2".to_owned()],
        labels: vec!["text".to_owned()],
        doc_item_refs: vec!["#/texts/1".to_owned()],
        text: "Some text\nof the page.".to_owned(),
        boxes: Vec::new(),
    }
}

fn answer(citations: Vec<Citation>, evidence: Vec<Evidence>) -> Answer {
    Answer {
        answer_id: None,
        question: "How did revenue change?".to_owned(),
        strategy: Strategy::Quotes,
        model: None,
        status: AnswerStatus::Answered,
        scope: ScopeRequest::default(),
        text: "Revenue rose [1].".to_owned(),
        uncited: false,
        grounding: None,
        unit_stats: UnitStats::default(),
        sections_dropped: 0,
        nearest: Vec::new(),
        citations,
        evidence,
        coverage: Coverage {
            documents_searched: 12,
            documents_with_matches: 1,
            documents_total: 12,
            not_searched: Vec::new(),
            chosen: Vec::new(),
        },
        documents_failed: Vec::new(),
        findings: Vec::new(),
        invalid_markers: 0,
        usage: Usage::default(),
        error: None,
        verdict_summary: None,
        coverage_sentence: String::new(),
        elapsed_ms: 12,
    }
}

#[test]
fn a_page_is_named_by_its_label_and_its_position() {
    let cases = [
        (vec![page(7, Some("371"))], Some("p. 371 · PDF 7")),
        (vec![page(7, None)], Some("PDF 7")),
        (
            vec![page(7, Some("xii")), page(8, Some("xiii"))],
            Some("pp. xii–xiii · PDF 7–8"),
        ),
        (vec![page(7, Some("371")), page(8, None)], Some("p. 371 · PDF 7–8")),
        (
            vec![page(3, Some("1")), page(9, Some("7"))],
            Some("pp. 1, 7 · PDF 3, 9"),
        ),
        (
            vec![page(2, None), page(3, None), page(4, None), page(9, None)],
            Some("PDF 2–4, 9"),
        ),
        (vec![], None),
    ];
    for (pages, expected) in cases {
        assert_eq!(page_names(&pages).as_deref(), expected);
    }
    assert_eq!(
        page_names(&[page(1, Some("\u{1b}[31mi\u{202e}"))]).as_deref(),
        Some("p. i · PDF 1"),
        "a label is the document's text"
    );
}

#[test]
fn places_without_pages_are_named_too() {
    let sheet = Locator::Sheet {
        name: "Q3".to_owned(),
        range: "B3:D9".to_owned(),
    };
    assert_eq!(place(&sheet, &[]).as_deref(), Some("sheet “Q3” B3:D9"));
    let heading = Locator::Heading {
        path: vec!["Guide".to_owned(), "Setup".to_owned()],
    };
    assert_eq!(place(&heading, &[]).as_deref(), Some("Guide › Setup"));
    assert_eq!(place(&Locator::Heading { path: Vec::new() }, &[]), None);
}

#[test]
fn a_citation_shows_title_page_verdict_and_quote() {
    let text = citation(&cited(1, Verdict::Verbatim, QuoteBy::Answer, &[]), View::PLAIN);
    assert_eq!(
        text,
        "[1] Form 10-Q · p. 371 · PDF 7 · ✓ verbatim\n    “Revenue rose 15 % to $1,577 million.”"
    );
}

#[test]
fn only_words_the_answer_quoted_itself_get_the_tick() {
    let first_line = |verdict, quote_by, missing: &[&str]| {
        let text = citation(&cited(1, verdict, quote_by, missing), View::PLAIN);
        text.lines()
            .next()
            .unwrap_or_default()
            .rsplit(" · ")
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    assert_eq!(first_line(Verdict::Verbatim, QuoteBy::Answer, &[]), "✓ verbatim");
    assert_eq!(first_line(Verdict::Verbatim, QuoteBy::Recto, &[]), "≈ verbatim");
    assert_eq!(first_line(Verdict::Normalised, QuoteBy::Answer, &[]), "≈ normalised");
    assert_eq!(
        first_line(Verdict::Aligned, QuoteBy::Recto, &[]),
        "≈ matched by meaning"
    );
    assert_eq!(first_line(Verdict::NotLocated, QuoteBy::Recto, &[]), "! not located");
    assert_eq!(first_line(Verdict::Verbatim, QuoteBy::Answer, &["12 %"]), "! verbatim");
}

#[test]
fn figures_that_are_not_there_are_named() {
    let text = citation(
        &cited(2, Verdict::Aligned, QuoteBy::Recto, &["12 %", "2024"]),
        View::PLAIN,
    );
    assert!(text.ends_with("    not in the cited passage: 12 %, 2024"), "{text}");
}

#[test]
fn a_computed_figure_shows_the_sum_it_comes_from() {
    let mut shown = cited(2, Verdict::Verbatim, QuoteBy::Answer, &[]);
    shown.numbers.computed = vec!["$206 million".to_owned(), "15 %".to_owned()];
    shown.numbers.operands = vec!["1,577 − 1,371".to_owned()];
    let text = citation(&shown, View::PLAIN);
    assert!(
        text.ends_with("    computed from cited figures: $206 million = 1,577 − 1,371; 15 %"),
        "{text}"
    );
}

#[test]
fn coverage_says_what_was_searched_read_and_cited() {
    let evidence = vec![evidence(1, true), evidence(2, false), evidence(3, true)];
    let mut answer = answer(Vec::new(), evidence);
    assert_eq!(
        coverage(&answer, View::PLAIN),
        "Searched 12 of 12 documents; 3 passages read, 2 cited."
    );
    answer.coverage = Coverage {
        documents_searched: 12_340,
        documents_with_matches: 1,
        documents_total: 12_341,
        not_searched: vec![NotSearched {
            document_id: None,
            title: "scan\u{1b}[2J.pdf".to_owned(),
            reason: "It is encrypted.".to_owned(),
        }],
        chosen: Vec::new(),
    };
    assert_eq!(
        coverage(&answer, View::PLAIN),
        "Searched 12 340 of 12 341 documents; 1 not searched; 3 passages read, 2 cited.\n  ! scan.pdf: It is encrypted."
    );
}

#[test]
fn an_answer_without_citations_says_so() {
    let mut answer = answer(Vec::new(), vec![evidence(4, false)]);
    answer.uncited = true;
    let text = answer_foot(&answer, View::PLAIN);
    assert!(text.contains("The model cited nothing"), "{text}");
    assert!(text.contains("  (4) Form 10-Q · PDF 3"), "{text}");
}

#[test]
fn a_refusal_shows_what_came_nearest() {
    let mut answer = answer(Vec::new(), Vec::new());
    answer.status = AnswerStatus::Refused;
    answer.nearest = vec![passage(1)];
    let text = answer_foot(&answer, View::PLAIN);
    assert!(text.starts_with("Nearest passages\n\n 1  Form 10-Q · PDF 3\n    Part I › Item 2\n    Some text of"));
    assert!(text.ends_with("0 passages read, 0 cited."), "{text}");
}

#[test]
fn hostile_titles_are_harmless_in_every_place() {
    let hostile = "\u{1b}]0;x\u{07}\u{1b}[31mTitle\u{202e}\nsecond";
    let mut of_hostile = cited(1, Verdict::Verbatim, QuoteBy::Answer, &["\u{9b}1"]);
    of_hostile.title = hostile.to_owned();
    of_hostile.quote = hostile.to_owned();
    let mut passage = passage(1);
    passage.title = hostile.to_owned();
    passage.headings = vec![hostile.to_owned()];
    passage.text = hostile.to_owned();
    let list = DocumentList {
        documents: vec![listed("0190a1b2-0000-7000-8000-000000000001", hostile)],
    };
    let texts = [
        citation(&of_hostile, View::PLAIN),
        search_result(&passage, View::PLAIN),
        document_list(&list, View::PLAIN),
        document(&list.documents[0], View::PLAIN),
        file_name(&format!("/tmp/{hostile}")),
    ];
    for text in texts {
        let hidden = text
            .chars()
            .find(|&c| c != '\n' && crate::output::terminal::is_hidden(c));
        assert_eq!(hidden, None, "{text:?}");
        assert!(text.contains("Title second"), "{text:?}");
    }
}

fn listed(id: &str, title: &str) -> ListedDocument {
    ListedDocument {
        collection: "Library".to_owned(),
        document_id: Some(id.to_owned()),
        uri: format!("/files/{title}.pdf"),
        title: title.to_owned(),
        media_type: Some("application/pdf".to_owned()),
        page_count: Some(1_200),
        recognised_pages: Some(0),
        tags: Vec::new(),
        state: DocumentState::Ready,
        message: None,
        locations: Vec::new(),
        sha256: None,
        created_at: "2026-01-01T00:00:00Z".to_owned(),
        updated_at: "2026-01-01T00:00:00Z".to_owned(),
    }
}

#[test]
fn ids_are_as_long_as_it_takes_to_tell_them_apart() {
    let ids = [
        "0190a1b2-c3d4-7000-8000-000000000001",
        "0190a1b2-c3d4-7000-9000-000000000001",
    ];
    assert_eq!(id_length(ids.into_iter()), "0190a1b2-c3d4-7000-8".len());
    assert_eq!(id_length(ids.into_iter().take(1)), 8);
    assert_eq!(id_length(std::iter::empty()), 8);
}

#[test]
fn a_list_has_aligned_columns_without_trailing_blanks() {
    let list = DocumentList {
        documents: vec![
            listed("0190a1b2-c3d4-7000-8000-000000000001", "Alpha"),
            listed("0290a1b2-c3d4-7000-8000-000000000001", "Beta with a longer title"),
        ],
    };
    let text = document_list(&list, View::PLAIN);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 3, "{text}");
    assert!(lines[0].starts_with("ID"), "{text}");
    assert!(lines[1].starts_with("0190a1b2  Alpha "), "{text}");
    assert!(lines.iter().all(|line| *line == line.trim_end()), "{text:?}");
    assert!(lines[1].ends_with("1 200  ready"), "{text}");
}

#[test]
fn failed_files_are_named_with_their_reasons() {
    let report = AddReport {
        failed: vec![FailedFile {
            uri: "/files/locked.pdf".to_owned(),
            state: DocumentState::NeedsPassword,
            message: "It is encrypted.".to_owned(),
        }],
        elapsed_ms: 1_240,
        ..AddReport::default()
    };
    assert_eq!(
        add_report(&report, View::PLAIN),
        "Not added\n  needs password: /files/locked.pdf: It is encrypted.\n\n0 added · 0 unchanged · 1 failed · 1.2 s"
    );
}
