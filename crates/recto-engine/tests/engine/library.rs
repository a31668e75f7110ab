//! Who may write, and what reading leaves alone.

use crate::support::{Desk, files_below, harbour_report};
use recto_engine::contract::{SearchMode, Strategy};
use recto_engine::{Access, Engine, EngineOptions};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn contents(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let kept = |path: &PathBuf| !path.ends_with("lock") && !path.to_string_lossy().contains("library.db-");
    files_below(folder)
        .into_iter()
        .filter(kept)
        .map(|path| (path.clone(), std::fs::read(path).expect("read")))
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_writer_is_refused_and_a_reader_answers_without_storing() {
    let desk = Desk::new().await;
    desk.add(&[harbour_report()]).await;
    let refused = Engine::open(EngineOptions::new(desk.library()))
        .await
        .err()
        .expect("refused");
    assert_eq!(refused.code.as_str(), "library_in_use");
    assert!(
        refused.message.contains(&std::process::id().to_string()),
        "the owner is named: {}",
        refused.message
    );

    let options = EngineOptions {
        access: Access::Prefer,
        ..EngineOptions::new(desk.library())
    };
    let reader = Engine::open(options).await.expect("reads");
    assert!(reader.is_read_only() && reader.status().read_only);
    let request = crate::support::asking("How high was the highest tide?", Strategy::Quotes);
    let answer = reader
        .ask(request, Default::default(), &mut |_| {})
        .await
        .expect("answers");
    assert_eq!(answer.answer_id, None, "nothing is stored");
    assert!(!answer.citations.is_empty());
    assert_eq!(desk.engine.conversations().await.expect("history"), []);
    let refused = reader
        .create_collection("Mine")
        .await
        .expect_err("a reader does not write");
    assert_eq!(
        refused.code.as_str(),
        "library_in_use",
        "it is said who holds the library: {refused}"
    );
    reader.shutdown().await;
    desk.engine.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn reading_changes_no_byte() {
    let desk = Desk::new().await;
    desk.add(&[harbour_report()]).await;
    desk.engine.shutdown().await;
    let Desk { folder, engine } = desk;
    drop(engine);
    let library = folder.path().join("library");
    let before = contents(&library);
    let options = EngineOptions {
        access: Access::ReadOnly,
        ..EngineOptions::new(library.clone())
    };
    let reader = Engine::open(options).await.expect("reads");
    reader.list(None).await.expect("listed");
    let query = recto_engine::contract::SearchQuery {
        query: "tide".into(),
        mode: SearchMode::Hybrid,
        limit: 3,
        scope: Default::default(),
        expand: true,
    };
    assert_ne!(reader.search(query).await.expect("searched").results, []);
    reader.doctor().await.expect("checked");
    reader.shutdown().await;
    drop(reader);
    let after = contents(&library);
    let changed: Vec<_> = after
        .iter()
        .filter(|(path, bytes)| before.get(*path) != Some(bytes))
        .map(|(path, _)| path)
        .collect();
    assert_eq!((before.len(), changed), (after.len(), Vec::<&PathBuf>::new()));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reader_of_nothing_finds_nothing_and_creates_nothing() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let nowhere = folder.path().join("library");
    let options = EngineOptions {
        access: Access::ReadOnly,
        ..EngineOptions::new(nowhere.clone())
    };
    let reader = Engine::open(options).await.expect("opens");
    assert_eq!(reader.list(None).await.expect("listed").documents, []);
    assert_eq!(reader.collections().await.expect("listed"), []);
    reader.shutdown().await;
    assert!(!nowhere.exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn collections_are_created_renamed_and_removed() {
    let desk = Desk::new().await;
    desk.add(&[harbour_report()]).await;
    desk.engine.create_collection("Empty").await.expect("created");
    desk.engine
        .rename_collection("Papers", "Harbour")
        .await
        .expect("renamed");
    let names: Vec<_> = desk
        .engine
        .collections()
        .await
        .expect("listed")
        .into_iter()
        .map(|c| (c.name, c.ready))
        .collect();
    assert_eq!(names, [("Empty".to_owned(), 0), ("Harbour".to_owned(), 1)]);
    let unknown = desk
        .engine
        .list(Some(&["Papers".to_owned()]))
        .await
        .expect_err("it has another name now");
    assert!(
        unknown.message.contains("Empty") && unknown.message.contains("Harbour"),
        "{}",
        unknown.message
    );
    desk.engine.remove_collection("Harbour").await.expect("removed");
    assert_eq!(desk.engine.list(None).await.expect("listed").documents, []);
    let left: Vec<_> = files_below(&desk.library())
        .into_iter()
        .filter(|p| p.to_string_lossy().ends_with(".pdf"))
        .collect();
    assert_eq!(left, Vec::<PathBuf>::new(), "the originals go with the collection");
    desk.engine.shutdown().await;
}
