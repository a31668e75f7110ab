//! Deletions that can be taken back.

use crate::support::{COLLECTION, Desk, files_below, harbour_report};
use recto_core::ErrorCode;
use recto_engine::contract::{AnswerStatus, SearchMode, Strategy};
use recto_engine::{Engine, EngineOptions};
use std::time::{Duration, Instant};

const SENTINEL: &str = "Quixotrovalent";

/// Whether `word` is in any file of the library's collections.
fn is_on_disk(desk: &Desk, word: &str) -> bool {
    files_below(&desk.library().join("collections"))
        .into_iter()
        .any(|file| {
            let bytes = std::fs::read(file).unwrap_or_default();
            bytes
                .windows(word.len())
                .any(|window| window.eq_ignore_ascii_case(word.as_bytes()))
        })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deleted_document_is_found_nowhere_and_comes_back_whole() {
    let desk = Desk::new().await;
    let secret = desk.file("secret.txt", format!("The {SENTINEL} bridge carries nine trams a day."));
    let report = desk.add(&[secret, harbour_report()]).await;
    let id = report
        .added
        .iter()
        .find(|document| document.title == "secret")
        .expect("added")
        .document_id
        .clone();
    let before = desk.engine.show(None, &id).await.expect("listed");

    desk.engine.delete_for_now(None, &id).await.expect("deleted");
    assert_eq!(desk.engine.list(None).await.expect("listed").documents.len(), 1);
    for mode in [SearchMode::Fts, SearchMode::Vector, SearchMode::Hybrid] {
        let found = desk.search(SENTINEL, mode).await;
        assert!(found.results.iter().all(|result| result.document_id != id), "{mode:?}");
    }
    let (answer, _) = desk
        .ask(&format!("What does the {SENTINEL} bridge carry?"), Strategy::Quotes)
        .await;
    assert!(
        answer
            .evidence
            .iter()
            .all(|evidence| evidence.passage.document_id != id)
    );

    desk.engine.restore_document(COLLECTION, &id).await.expect("back");
    let after = desk.engine.show(None, &id).await.expect("listed again");
    assert_eq!(
        (after.sha256, after.state, after.title),
        (before.sha256, before.state, before.title)
    );
    let (answer, _) = desk
        .ask(
            &format!("How many trams does the {SENTINEL} bridge carry?"),
            Strategy::Quotes,
        )
        .await;
    assert_eq!(answer.status, AnswerStatus::Answered);
    assert_eq!(answer.citations[0].document_id, id);
    desk.engine.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_deleted_when_the_library_is_closed_is_gone() {
    let desk = Desk::new().await;
    let secret = desk.file("secret.txt", format!("The {SENTINEL} bridge carries nine trams a day."));
    let id = desk.add(&[secret]).await.added[0].document_id.clone();
    let (answer, _) = desk
        .ask("How many trams does the bridge carry?", Strategy::Quotes)
        .await;
    assert_eq!(answer.status, AnswerStatus::Answered);
    let conversation = desk.engine.conversations().await.expect("history")[0]
        .conversation_id
        .clone();
    desk.engine.delete_for_now(None, &id).await.expect("deleted");
    desk.engine
        .delete_conversation_for_now(&conversation)
        .await
        .expect("deleted");
    assert!(is_on_disk(&desk, SENTINEL), "it can still be brought back");

    let desk = desk.reopen().await;
    assert!(!is_on_disk(&desk, SENTINEL));
    let late = desk
        .engine
        .restore_document(COLLECTION, &id)
        .await
        .expect_err("too late");
    assert_eq!(late.code, ErrorCode::NotFound);
    let late = desk.engine.restore_conversation(&conversation).await;
    assert_eq!(late.expect_err("too late").code, ErrorCode::NotFound);
    assert_eq!(desk.engine.list(None).await.expect("listed").documents, []);
    assert_eq!(desk.engine.conversations().await.expect("history"), []);
    desk.engine.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_deleted_leaves_the_disk_when_the_time_is_over() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut options = EngineOptions::new(folder.path().join("library"));
    options.undo_time = Duration::from_millis(300);
    let engine = Engine::open(options).await.expect("the library opens");
    engine.start_ingestion();
    std::fs::create_dir_all(folder.path().join("files")).expect("a folder");
    let desk = Desk { folder, engine };
    let secret = desk.file("secret.txt", format!("The {SENTINEL} bridge carries nine trams a day."));
    let id = desk.add(&[secret]).await.added[0].document_id.clone();
    desk.engine.delete_for_now(None, &id).await.expect("deleted");
    let started = Instant::now();
    while is_on_disk(&desk, SENTINEL) {
        assert!(started.elapsed() < Duration::from_secs(60), "it is still on disk");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let late = desk
        .engine
        .restore_document(COLLECTION, &id)
        .await
        .expect_err("too late");
    assert_eq!(late.code, ErrorCode::NotFound);
    desk.engine.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deleted_conversation_is_not_listed_searched_or_opened_until_it_is_brought_back() {
    let desk = Desk::new().await;
    desk.add(&[harbour_report()]).await;
    let (answer, _) = desk
        .ask("How high was the highest tide of the year?", Strategy::Quotes)
        .await;
    let id = desk.engine.conversations().await.expect("history")[0]
        .conversation_id
        .clone();

    desk.engine.delete_conversation_for_now(&id).await.expect("deleted");
    assert_eq!(desk.engine.conversations().await.expect("history"), []);
    assert_eq!(desk.engine.search_conversations("tide").await.expect("searched"), []);
    assert_eq!(
        desk.engine.conversation(&id).await.expect_err("hidden").code,
        ErrorCode::NotFound
    );
    let again = desk.engine.delete_conversation_for_now(&id).await;
    assert_eq!(again.expect_err("deleted already").code, ErrorCode::NotFound);

    desk.engine.restore_conversation(&id).await.expect("back");
    assert_eq!(desk.engine.conversation(&id).await.expect("opens").answers, [answer]);
    desk.engine.shutdown().await;
}
