//! Encrypted files: asked for, opened, shown, and the password nowhere on disk.

use crate::support::{COLLECTION, Desk, files_below};
use recto_engine::contract::{DocumentState, SearchMode};
use recto_engine::{AddRequest, Engine, EngineOptions, ImageFormat, PageImageRequest, Password};
use std::path::{Path, PathBuf};

const WORD: &str = "open sesame";

fn locked_file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../recto-document/tests/document/files/user-password-aes256.pdf")
}

fn first_page(document_id: &str) -> PageImageRequest {
    PageImageRequest {
        collection: COLLECTION.into(),
        document_id: document_id.into(),
        sha256: None,
        page: 1,
        width_px: 200,
        crop: None,
        highlights: Vec::new(),
        format: ImageFormat::Png,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn t59_a_file_that_needs_a_password_waits_for_it_and_is_then_read_and_shown() {
    let desk = Desk::new().await;
    let failed = desk.add(&[locked_file()]).await.failed;
    assert_eq!(failed[0].state, DocumentState::NeedsPassword, "{failed:?}");
    let job = desk.engine.queue().await.expect("queue").jobs[0].job_id.clone();
    let wait = async |desk: &Desk, state: DocumentState| {
        for _ in 0..600 {
            let list = desk.engine.list(None).await.expect("listed");
            if list.documents.len() == 1 && list.documents[0].state == state {
                return;
            }
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        panic!("never {state:?}");
    };
    desk.engine
        .unlock_job(&job, Password("wrong".into()))
        .await
        .expect("tried");
    wait(&desk, DocumentState::NeedsPassword).await;
    desk.engine
        .unlock_job(&job, Password(WORD.into()))
        .await
        .expect("tried");
    wait(&desk, DocumentState::Ready).await;
    let found = desk.search("those who know the word", SearchMode::Fts).await;
    let id = found.results[0].document_id.clone();
    let drawn = desk.engine.page_image(first_page(&id)).await.expect("drawn");
    assert_eq!(drawn.width, 200);

    // Another run knows no password: it asks for it, and does not take any.
    let desk = desk.reopen().await;
    let refused = desk.engine.page_image(first_page(&id)).await.expect_err("locked again");
    assert_eq!(refused.code.as_str(), "password_required", "{refused}");
    let wrong = desk.engine.unlock_document(None, &id, Password("wrong".into())).await;
    assert_eq!(wrong.expect_err("wrong").code.as_str(), "password_required");
    desk.engine
        .unlock_document(None, &id, Password(WORD.into()))
        .await
        .expect("right");
    desk.engine.page_image(first_page(&id)).await.expect("drawn again");
    desk.engine.shutdown().await;
    for file in files_below(&desk.library()) {
        let bytes = std::fs::read(&file).expect("read");
        let holds = bytes.windows(WORD.len()).any(|window| window == WORD.as_bytes());
        assert!(!holds, "{} holds the password", file.display());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_password_tag_and_title_given_when_adding_are_used() {
    let folder = tempfile::tempdir().expect("a folder");
    let engine = Engine::open(EngineOptions::new(folder.path().join("library")))
        .await
        .expect("opens");
    engine.start_ingestion();
    let request = AddRequest {
        collection: COLLECTION.into(),
        paths: vec![locked_file()],
        tags: vec!["secret".into()],
        password: Some(Password(WORD.into())),
        ..AddRequest::default()
    };
    let ticket = engine.enqueue(request).await.expect("queued");
    let report = engine.wait(&ticket, &mut |_| {}).await.expect("ends");
    assert_eq!(report.failed, [], "it opens");
    // The same bytes once more, with more to say of them.
    let again = AddRequest {
        collection: COLLECTION.into(),
        paths: vec![locked_file()],
        title: Some("The word".into()),
        tags: vec!["kept".into()],
        ..AddRequest::default()
    };
    let ticket = engine.enqueue(again).await.expect("queued");
    let report = engine.wait(&ticket, &mut |_| {}).await.expect("ends");
    assert_eq!(report.unchanged.len(), 1, "{report:?}");
    let shown = engine
        .show(None, &report.unchanged[0].document_id)
        .await
        .expect("shown");
    assert_eq!(shown.title, "The word");
    assert_eq!(shown.tags, ["kept", "secret"]);
    engine.shutdown().await;
}
