//! Add, ask, open: the main job through the commands of the window.

use crate::harness::{Shell, harbour_report, is_terminal};
use recto_desktop_lib::events::ChangedEvent;
use recto_engine::contract::{
    Answer, AnswerStatus, AskEvent, AskLimits, AskRequest, BoxKind, Changed, Conversation, ConversationSummary,
    DocumentView, ScopeRequest, Strategy,
};
use serde_json::json;

fn question(text: &str) -> AskRequest {
    AskRequest {
        question: text.to_owned(),
        strategy: Strategy::Quotes,
        model: None,
        scope: ScopeRequest::default(),
        conversation_id: None,
        limits: AskLimits::default(),
    }
}

#[test]
fn a_file_is_added_asked_about_and_found_again() {
    let shell = Shell::new();
    let paths = json!({ "collection": "Harbours", "paths": [harbour_report()] });
    let queued: u32 = shell.call("add_paths", paths).expect("the file is taken");
    assert_eq!(queued, 1);
    let document = shell.ready_document();
    assert_eq!(document.collection, "Harbours");
    assert_eq!(document.page_count, Some(6));
    assert!(
        shell.changes().contains(&ChangedEvent(Changed::Queue)),
        "the window is told of the queue"
    );
    assert!(
        shell.changes().contains(&ChangedEvent(Changed::Documents)),
        "the window is told of the document"
    );

    let (answer_id, events) = shell.ask(&question("How high was the highest tide at Eskmouth?"), 7);
    let answer = finished_in_order(&answer_id, &events);
    assert_eq!(answer.status, AnswerStatus::Answered);
    let citation = answer.citations.first().expect("a citation");
    assert!(citation.quote.contains("4.87 metres"), "quoted: {}", citation.quote);
    assert_eq!(citation.pages[0].number, 4);
    assert_eq!(citation.pages[0].label.as_deref(), Some("2"));
    assert_eq!(Some(&citation.sha256), document.sha256.as_ref());
    let strong = citation.boxes.iter().find(|cited| cited.kind == BoxKind::Quote);
    assert_eq!(strong.expect("the words are boxed").page, 4);

    let id = document.document_id.expect("a committed document");
    let view: DocumentView = shell
        .call(
            "document_view",
            json!({ "collection": "Harbours", "documentId": id, "sha256": citation.sha256 }),
        )
        .expect("the document can be read");
    let sizes: Vec<_> = view
        .pages
        .iter()
        .map(|page| (page.number, page.width, page.height))
        .collect();
    assert_eq!(sizes.len(), 6);
    assert_eq!(sizes[3], (4, 612.0, 792.0));

    let summaries: Vec<ConversationSummary> = shell.call("list_conversations", json!({})).expect("the history");
    assert_eq!(summaries.len(), 1);
    let kept: Conversation = shell
        .call(
            "get_conversation",
            json!({ "conversationId": summaries[0].conversation_id }),
        )
        .expect("the conversation");
    assert_eq!(kept.answers, [answer], "what was streamed is what is kept");
}

/// Checks the order the window relies on, and returns the answer of the one terminal event.
fn finished_in_order(answer_id: &str, events: &[AskEvent]) -> Answer {
    let AskEvent::Started { answer_id: started, .. } = &events[0] else {
        panic!(
            "the first event must say that the question was accepted: {:?}",
            events[0]
        );
    };
    assert_eq!(started, answer_id);
    assert_eq!(events.iter().filter(|event| is_terminal(event)).count(), 1);
    let evidence = position(events, |event| matches!(event, AskEvent::Evidence { .. }));
    let text = position(events, |event| matches!(event, AskEvent::Text { .. }));
    assert!(evidence < text, "the passages come before the words that cite them");
    for (place, event) in events.iter().enumerate() {
        if let AskEvent::Citation { index } = event {
            let verdict = position(
                events,
                |event| matches!(event, AskEvent::Verdict { citation } if citation.index == *index),
            );
            assert!(place < verdict, "the chip {index} appears before its verdict");
        }
    }
    match events.last() {
        Some(AskEvent::Finished { answer }) => (**answer).clone(),
        other => panic!("the last event must be the terminal one: {other:?}"),
    }
}

fn position(events: &[AskEvent], wanted: impl Fn(&AskEvent) -> bool) -> usize {
    events.iter().position(wanted).expect("the event is there")
}
