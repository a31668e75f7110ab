//! Add, ask, open: the main job through the commands of the window.

use crate::harness::{Shell, harbour_report, is_terminal};
use recto_desktop_lib::diagnostics;
use recto_desktop_lib::events::ChangedEvent;
use recto_desktop_lib::state::AppState;
use recto_engine::contract::{
    Answer, AnswerStatus, AskEvent, AskLimits, AskRequest, BoxKind, Changed, Conversation, ConversationSummary,
    DocumentList, DocumentView, ScopeRequest, Strategy,
};
use serde_json::json;
use std::io::Read as _;

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

/// The window deletes without asking because it can take it back.
#[test]
fn a_document_and_a_conversation_are_deleted_and_brought_back() {
    let shell = Shell::new();
    let paths = json!({ "collection": "Harbours", "paths": [harbour_report()] });
    let _: u32 = shell.call("add_paths", paths).expect("the file is taken");
    let document = shell.ready_document();
    shell.ask(&question("How high was the highest tide at Eskmouth?"), 7);
    let history = |shell: &Shell| -> Vec<ConversationSummary> {
        shell.call("list_conversations", json!({})).expect("the history")
    };
    let conversation = json!({ "conversationId": history(&shell)[0].conversation_id });
    let id = json!({ "collection": "Harbours", "documentId": document.document_id });

    let () = shell.call("delete_document", id.clone()).expect("deleted");
    let () = shell
        .call("delete_conversation", conversation.clone())
        .expect("deleted");
    let listed: DocumentList = shell
        .call("list_documents", json!({ "collections": null }))
        .expect("a list");
    assert_eq!(listed.documents, []);
    assert_eq!(history(&shell), []);

    let () = shell.call("restore_document", id).expect("back");
    let () = shell.call("restore_conversation", conversation).expect("back");
    assert_eq!(shell.ready_document().sha256, document.sha256);
    assert_eq!(history(&shell).len(), 1);
}

#[test]
fn diagnostics_are_an_archive_with_the_log() {
    let shell = Shell::new();
    let logs = tempfile::tempdir().expect("a folder");
    std::fs::write(logs.path().join("recto.log"), "a line\n").expect("a log");
    std::fs::write(logs.path().join("recto.log.1"), "an older line\n").expect("a log");
    std::fs::write(logs.path().join("diary.txt"), "not ours").expect("a file");
    let folder = Some(logs.path().to_owned());
    let bytes = tauri::async_runtime::block_on(diagnostics::archive(&shell.state(), folder)).expect("packed");
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(bytes)).expect("a ZIP file");
    let mut names: Vec<_> = archive
        .file_names()
        .map(|name| name.expect("a name").into_owned())
        .collect();
    names.sort();
    assert_eq!(
        names,
        [
            "doctor.json",
            "library.json",
            "recto.log",
            "recto.log.1",
            "versions.json"
        ]
    );
    let mut text = String::new();
    archive
        .by_name("recto.log")
        .expect("there")
        .read_to_string(&mut text)
        .expect("readable");
    assert_eq!(text, "a line\n");
}

#[test]
fn diagnostics_are_there_also_when_the_library_cannot_be_opened() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let library = folder.path().join("library");
    std::fs::write(&library, "a file where a folder should be").expect("a file");
    let shell = Shell::over(AppState::new(library, false));
    std::fs::write(folder.path().join("recto.log"), "a line\n").expect("a log");
    let logs = Some(folder.path().to_owned());
    let bytes = tauri::async_runtime::block_on(diagnostics::archive(&shell.state(), logs)).expect("packed");
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(bytes)).expect("a ZIP file");
    let mut text = String::new();
    archive
        .by_name("failure.json")
        .expect("there")
        .read_to_string(&mut text)
        .expect("readable");
    assert!(text.contains("\"library_opens\": false"), "{text}");
    assert!(archive.by_name("recto.log").is_ok() && archive.by_name("versions.json").is_ok());
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
