//! The main job without a model: add, ask, cite, open the page, and find it all again later.

use crate::support::{Desk, harbour_report, is_terminal};
use recto_engine::contract::{AnswerStatus, AskEvent, BoxKind, QuoteBy, SearchMode, Strategy, Verdict};
use recto_engine::{ImageFormat, PageImageRequest};

const QUESTION: &str = "How high was the highest tide of the year?";

#[tokio::test(flavor = "multi_thread")]
async fn a_question_is_answered_with_quotes_whose_boxes_locate_confirms() {
    let desk = Desk::new().await;
    let added = desk.add(&[harbour_report()]).await;
    assert_eq!((added.added.len(), added.failed.len()), (1, 0), "{added:?}");
    assert_eq!(added.added[0].title, "Tide Gauges of the Northern Harbours");

    let (answer, events) = desk.ask(QUESTION, Strategy::Auto).await;
    assert_eq!(answer.status, AnswerStatus::Answered);
    assert_eq!(answer.strategy, Strategy::Quotes, "without a model, auto means quotes");
    assert!(matches!(events.first(), Some(AskEvent::Started { .. })));
    assert_eq!(events.iter().filter(|event| is_terminal(event)).count(), 1);
    assert!(events.last().is_some_and(is_terminal));

    let citation = answer
        .citations
        .iter()
        .find(|citation| citation.quote.contains("4.87 metres"))
        .expect("the tide is cited");
    assert!(
        answer.text.contains(&format!("[{}]", citation.index)),
        "the marker is in the text"
    );
    assert_eq!(
        (citation.verdict, citation.quote_by),
        (Verdict::Verbatim, QuoteBy::Answer)
    );
    let strong: Vec<_> = citation.boxes.iter().filter(|at| at.kind == BoxKind::Quote).collect();
    assert!(!strong.is_empty(), "a verbatim quote has boxes");
    let located = desk
        .engine
        .locate(None, &citation.document_id, &citation.quote, None)
        .await
        .expect("locate runs");
    let confirmed = located.matches.first().expect("the quote is found");
    assert_eq!(confirmed.boxes.len(), strong.len());
    for (ours, theirs) in strong.iter().zip(&confirmed.boxes) {
        assert_eq!((ours.page, ours.left, ours.top), (theirs.page, theirs.left, theirs.top));
    }
    desk.engine.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_reopens_exactly_as_it_was_shown() {
    let desk = Desk::new().await;
    desk.add(&[harbour_report()]).await;
    let (shown, _) = desk.ask(QUESTION, Strategy::Quotes).await;
    let desk = desk.reopen().await;
    let history = desk.engine.conversations().await.expect("the history is read");
    assert_eq!(history.len(), 1);
    assert_eq!(history[0].title, QUESTION);
    let conversation = desk
        .engine
        .conversation(&history[0].conversation_id)
        .await
        .expect("the conversation opens");
    assert_eq!(conversation.answers, [shown]);
    desk.engine.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_off_topic_question_is_refused_and_shows_what_was_searched() {
    let desk = Desk::new().await;
    desk.add(&[harbour_report()]).await;
    let (answer, _) = desk
        .ask(
            "Which quarterback won the Superbowl halftime lottery?",
            Strategy::Quotes,
        )
        .await;
    assert_eq!(answer.status, AnswerStatus::Refused, "{}", answer.text);
    assert_eq!(answer.citations, []);
    assert_eq!(
        (answer.coverage.documents_searched, answer.coverage.documents_total),
        (1, 1)
    );
    desk.engine.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_strategy_that_needs_a_model_says_so() {
    let desk = Desk::new().await;
    desk.add(&[harbour_report()]).await;
    let request = crate::support::asking(QUESTION, Strategy::Passages);
    let error = desk
        .engine
        .ask(request, Default::default(), &mut |_| {})
        .await
        .expect_err("there is no model");
    assert_eq!(error.code.as_str(), "model_not_configured");
    desk.engine.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn words_and_meaning_both_find_the_page() {
    let desk = Desk::new().await;
    desk.add(&[harbour_report()]).await;
    for mode in [SearchMode::Fts, SearchMode::Vector, SearchMode::Hybrid] {
        let report = desk.search("insurance payment for the broken mast", mode).await;
        let best = report.results.first().expect("something is found");
        assert!(
            best.text.contains("insurer paid 7,900 crowns"),
            "{mode:?}: {}",
            best.text
        );
        assert!(!best.boxes.is_empty() && !best.pages.is_empty());
    }
    assert_eq!(
        desk.search("   ", SearchMode::Hybrid).await.results,
        [],
        "a blank query finds nothing"
    );
    desk.engine.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cited_page_is_drawn_with_its_highlights() {
    let desk = Desk::new().await;
    desk.add(&[harbour_report()]).await;
    let (answer, _) = desk.ask(QUESTION, Strategy::Quotes).await;
    let citation = answer.citations.first().expect("cited");
    let request = |highlights| PageImageRequest {
        collection: citation.collection.clone(),
        document_id: citation.document_id.clone(),
        sha256: Some(citation.sha256.clone()),
        page: citation.pages[0].number,
        width_px: 800,
        crop: None,
        highlights,
        format: ImageFormat::Png,
    };
    let plain = desk.engine.page_image(request(Vec::new())).await.expect("drawn");
    let marked = desk
        .engine
        .page_image(request(citation.boxes.clone()))
        .await
        .expect("drawn");
    assert!(plain.bytes.starts_with(b"\x89PNG"));
    assert_eq!(plain.width, 800);
    assert_ne!(plain.bytes, marked.bytes, "highlights change the picture");
    desk.engine.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_document_without_pages_is_cited_by_its_items() {
    let desk = Desk::new().await;
    let text = "# Größe der Häfen\n\nÜber den Hafen: The quay at Skarvik is 412 metres long. It was built in 1911.\n";
    desk.add(&[desk.file("notes.md", text)]).await;
    let (answer, _) = desk.ask("How long is the quay at Skarvik?", Strategy::Quotes).await;
    let citation = answer
        .citations
        .iter()
        .find(|citation| citation.quote.contains("412 metres"))
        .expect("cited");
    assert_eq!(
        (citation.pages.len(), citation.boxes.len()),
        (0, 0),
        "there are no pages to mark"
    );
    let view = desk
        .engine
        .document_view(&citation.collection, &citation.document_id, None)
        .await
        .expect("it opens");
    let span = citation.spans.first().expect("the quote is a span of an item");
    let item = view
        .items
        .iter()
        .find(|item| item.self_ref == span.self_ref)
        .expect("the item is shown");
    let marked: String = item
        .text
        .chars()
        .skip(span.start as usize)
        .take((span.end - span.start) as usize)
        .collect();
    assert!(
        citation.quote.contains(&marked) && marked.contains("412 metres"),
        "offsets count characters: {marked:?}"
    );
    desk.engine.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_cited_bytes_of_a_text_open_after_the_file_has_changed() {
    let desk = Desk::new().await;
    let path = desk.file("notes.md", "# Quay\n\nThe quay at Skarvik is 412 metres long.\n");
    desk.add(std::slice::from_ref(&path)).await;
    let (answer, _) = desk.ask("How long is the quay at Skarvik?", Strategy::Quotes).await;
    let citation = answer.citations.first().expect("cited");
    std::fs::write(&path, "# Quay\n\nThe quay was demolished.\n").expect("changed");
    desk.add(&[path]).await;
    let view = desk
        .engine
        .document_view(&citation.collection, &citation.document_id, Some(&citation.sha256))
        .await
        .expect("the cited bytes open");
    assert!(
        view.items.iter().any(|item| item.text.contains("412 metres")),
        "{:?}",
        view.items
    );
    desk.engine.shutdown().await;
}
