use super::{create, document, embedder, id, ingest, name, open};
use recto_collection::{Collection, Error, OpenMode, SharedSession};
use recto_core::{ChunkSource, ErrorCode};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

fn bytes(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.insert(path.clone(), std::fs::read(&path).unwrap());
            }
        }
    }
    files
}

#[tokio::test]
async fn reading_changes_no_byte_and_may_not_write() {
    let folder = tempfile::tempdir().unwrap();
    let writer = create(folder.path()).await;
    ingest(&writer, &document(1, "r", &["some text"])).await;
    writer.begin(&[(id(2), "begun".to_owned())]).await.unwrap();
    drop(writer);
    let before = bytes(folder.path());
    let reader = open(folder.path(), OpenMode::ReadOnly).await;
    let snapshot = reader.snapshot().await.unwrap();
    assert_eq!(snapshot.documents.len(), 1);
    reader
        .matching(&snapshot, &super::words(&["text"]), None, 5)
        .await
        .unwrap();
    reader.nearest(&snapshot, &[1.0, 0.0, 0.0, 0.0], None, 5).await.unwrap();
    reader.integrity().await.unwrap();
    assert!(matches!(
        reader.begin(&[(id(3), "x".to_owned())]).await,
        Err(Error::ReadOnly)
    ));
    assert!(matches!(reader.optimize().await, Err(Error::ReadOnly)));
    assert!(matches!(reader.delete(&[id(1)], 1).await, Err(Error::ReadOnly)));
    assert!(!reader.is_writable());
    drop(reader);
    assert_eq!(bytes(folder.path()), before);
}

#[tokio::test]
async fn a_reader_beside_the_writer_sees_what_is_committed_later() {
    let folder = tempfile::tempdir().unwrap();
    let writer = create(folder.path()).await;
    ingest(&writer, &document(1, "r1", &["some text"])).await;
    let reader = open(folder.path(), OpenMode::ReadOnly).await;
    assert_eq!(reader.snapshot().await.unwrap().documents.len(), 1);
    ingest(&writer, &document(2, "r2", &["more text"])).await;
    tokio::time::sleep(Duration::from_millis(1_200)).await;
    let snapshot = reader.snapshot().await.unwrap();
    assert_eq!(snapshot.documents.len(), 2);
    let hits = reader
        .matching(&snapshot, &super::words(&["text"]), None, 5)
        .await
        .unwrap();
    assert_eq!(hits.len(), 2);
}

#[tokio::test]
async fn a_second_writer_is_told_who_has_the_collection() {
    let folder = tempfile::tempdir().unwrap();
    let first = create(folder.path()).await;
    let session = SharedSession::default();
    let second = Collection::open(folder.path(), name(), OpenMode::ReadWrite, &session).await;
    let error = second.expect_err("in use").in_collection(&name());
    assert_eq!(error.code, ErrorCode::LibraryInUse);
    assert!(
        error.message.contains(&std::process::id().to_string()),
        "{}",
        error.message
    );
    drop(first);
    open(folder.path(), OpenMode::ReadWrite).await;
}

#[tokio::test]
async fn opening_what_is_not_there_creates_nothing_and_names_no_location() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("nowhere");
    let session = SharedSession::default();
    for mode in [OpenMode::ReadWrite, OpenMode::ReadOnly] {
        let error = Collection::open(&missing, name(), mode, &session)
            .await
            .expect_err("missing");
        let error = error.in_collection(&name());
        assert_eq!(error.code, ErrorCode::CollectionUnavailable);
        assert!(
            error.message.contains("reports") && !error.message.contains("nowhere"),
            "{}",
            error.message
        );
    }
    assert!(!missing.exists());
}

#[tokio::test]
async fn a_collection_is_created_once_and_knows_its_embedder() {
    let folder = tempfile::tempdir().unwrap();
    let odd = folder.path().join("100% Ä #1 'x'");
    drop(create(&odd).await);
    let session = SharedSession::default();
    let again = Collection::create(&odd, name(), &embedder(), &session).await;
    assert!(matches!(again, Err(Error::Exists)));
    let opened = open(&odd, OpenMode::ReadWrite).await;
    assert_eq!(opened.embedder(), &embedder());
    ingest(&opened, &document(1, "r", &["some text"])).await;
    assert_eq!(opened.snapshot().await.unwrap().documents.len(), 1);
}
