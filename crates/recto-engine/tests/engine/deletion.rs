//! Deleted means gone.

use crate::support::{COLLECTION, Desk, files_below, harbour_report};
use recto_engine::contract::{AnswerStatus, SearchMode, Strategy};

const SENTINEL: &str = "Quixotrovalent";

/// T86: no hit in any search, list or answer, and no byte of it in any file.
#[tokio::test(flavor = "multi_thread")]
async fn t86_a_deleted_document_is_in_no_search_and_no_file() {
    let desk = Desk::new().await;
    let secret = desk.file("secret.txt", format!("The {SENTINEL} bridge carries nine trams a day."));
    let report = desk.add(&[secret, harbour_report()]).await;
    let id = &report
        .added
        .iter()
        .find(|document| document.title == "secret")
        .expect("added")
        .document_id;
    assert_ne!(
        desk.search(SENTINEL, SearchMode::Hybrid).await.results[0].title,
        "Tide Gauges of the Northern Harbours"
    );

    desk.engine.delete(None, id).await.expect("deleted");
    for mode in [SearchMode::Fts, SearchMode::Vector, SearchMode::Hybrid] {
        let found = desk.search(SENTINEL, mode).await;
        assert!(found.results.iter().all(|result| result.document_id != *id), "{mode:?}");
    }
    let (answer, _) = desk
        .ask(&format!("What does the {SENTINEL} bridge carry?"), Strategy::Quotes)
        .await;
    assert!(
        answer
            .evidence
            .iter()
            .all(|evidence| evidence.passage.document_id != *id)
    );
    assert_eq!(desk.engine.list(None).await.expect("listed").documents.len(), 1);
    desk.engine.shutdown().await;
    for folder in ["collections", "cache"] {
        for file in files_below(&desk.library().join(folder)) {
            let bytes = std::fs::read(&file).expect("readable");
            let found = [SENTINEL.to_owned(), SENTINEL.to_lowercase()]
                .iter()
                .any(|word| bytes.windows(word.len()).any(|window| window == word.as_bytes()));
            assert!(!found, "the sentinel is still in {}", file.display());
        }
    }
}

/// T86: earlier revisions go too, their originals among them.
#[tokio::test(flavor = "multi_thread")]
async fn t86_earlier_revisions_of_a_deleted_document_are_in_no_file() {
    let desk = Desk::new().await;
    let path = desk.file("secret.txt", format!("The {SENTINEL} bridge carries nine trams a day."));
    desk.add(std::slice::from_ref(&path)).await;
    std::fs::write(&path, "The bridge carries no trams any more.").expect("changed");
    let id = desk.add(&[path]).await.added[0].document_id.clone();
    desk.engine.delete(None, &id).await.expect("deleted");
    desk.engine.shutdown().await;
    for file in files_below(&desk.library().join("collections")) {
        let bytes = std::fs::read(&file).expect("readable");
        let found = bytes
            .windows(SENTINEL.len())
            .any(|window| window.eq_ignore_ascii_case(SENTINEL.as_bytes()));
        assert!(!found, "the sentinel is still in {}", file.display());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deleted_file_can_be_added_again() {
    let desk = Desk::new().await;
    let path = desk.file("note.txt", "The ferry leaves at seven.");
    let first = desk.add(std::slice::from_ref(&path)).await.added[0].document_id.clone();
    desk.engine.delete(None, &first).await.expect("deleted");
    let again = desk.add(&[path]).await;
    assert_eq!((again.added.len(), again.failed.len()), (1, 0), "{again:?}");
    assert_eq!(desk.search("ferry", SearchMode::Fts).await.results.len(), 1);
    desk.engine.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_keeps_its_quote_and_its_page_after_the_document_is_deleted() {
    let desk = Desk::new().await;
    let id = desk.add(&[harbour_report()]).await.added[0].document_id.clone();
    let (answer, _) = desk
        .ask("How high was the highest tide of the year?", Strategy::Quotes)
        .await;
    assert_eq!(answer.status, AnswerStatus::Answered);
    desk.engine.delete(None, &id).await.expect("deleted");
    let history = desk.engine.conversations().await.expect("history");
    let stored = desk
        .engine
        .conversation(&history[0].conversation_id)
        .await
        .expect("reopens")
        .answers;
    assert_eq!(stored, [answer]);
    let citation = &stored[0].citations[0];
    let view = desk
        .engine
        .document_view(COLLECTION, &id, Some(&citation.sha256))
        .await
        .expect("the cited bytes open");
    assert!(!view.pages.is_empty());
    desk.engine.shutdown().await;
}
