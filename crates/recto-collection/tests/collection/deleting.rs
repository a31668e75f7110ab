use super::{NOW_MS, create, document, id, ingest, reopen, words};
use recto_collection::{Collection, Placement, PurgeReport};
use recto_core::ChunkSource;
use std::path::{Path, PathBuf};

/// Every file below `folder` whose bytes hold `sentinel`.
fn files_with(folder: &Path, sentinel: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let bytes = std::fs::read(&path).unwrap();
                if bytes
                    .windows(sentinel.len())
                    .any(|window| window == sentinel.as_bytes())
                {
                    found.push(path);
                }
            }
        }
    }
    found
}

async fn hits(collection: &Collection, term: &str) -> usize {
    let snapshot = collection.snapshot().await.unwrap();
    let by_words = collection.matching(&snapshot, &words(&[term]), None, 50).await.unwrap();
    let pages = collection
        .matching_pages(&snapshot, &words(&[term]), None, 50)
        .await
        .unwrap();
    by_words.len() + pages.len()
}

#[tokio::test]
async fn t86_a_deleted_document_is_hidden_at_once_and_leaves_no_byte() {
    let sentinel = "zqxjkvbsentinel";
    let folder = tempfile::tempdir().unwrap();
    let collection = create(folder.path()).await;
    for number in 1..=5 {
        ingest(
            &collection,
            &document(number, &format!("r{number}"), &["ordinary text"; 8]),
        )
        .await;
    }
    let mut secret = document(6, "r6", &[format!("secret text {sentinel}").as_str(); 8]);
    secret.facts.title = format!("On {sentinel}");
    secret.facts.tags = vec![sentinel.to_owned()];
    ingest(&collection, &secret).await;
    ingest(&collection, &document(7, "r7", &["later text"; 8])).await;
    collection.optimize().await.unwrap();
    assert!(
        !files_with(folder.path(), sentinel).is_empty(),
        "the search for bytes works"
    );
    assert_eq!(hits(&collection, sentinel).await, 16);

    assert_eq!(collection.delete(&[id(6), id(99)], NOW_MS).await.unwrap(), [id(6)]);
    assert_eq!(hits(&collection, sentinel).await, 0, "hidden at once");
    let snapshot = collection.snapshot().await.unwrap();
    assert!(!snapshot.documents.contains_key(&id(6)));
    let near = collection
        .nearest(&snapshot, &[1.0, 0.0, 0.0, 0.0], None, 100)
        .await
        .unwrap();
    assert_eq!(near.len(), 48);

    let early = collection
        .purge_deleted(NOW_MS + 9_999, 10_000, &|_| false)
        .await
        .unwrap();
    assert_eq!(early, PurgeReport::default(), "ten seconds to undo");
    let purged = collection
        .purge_deleted(NOW_MS + 10_000, 10_000, &|_| false)
        .await
        .unwrap();
    assert_eq!(purged.documents, [id(6)]);
    assert_eq!(files_with(folder.path(), sentinel), Vec::<PathBuf>::new());
    assert_eq!(hits(&collection, "text").await, 2 * 48);
    assert!(collection.integrity().await.unwrap().orphan_rows.is_empty());
    let collection = reopen(collection).await;
    assert_eq!(hits(&collection, "text").await, 2 * 48);
    assert_eq!(hits(&collection, sentinel).await, 0);
}

#[tokio::test]
async fn a_deletion_can_be_undone_until_it_is_purged() {
    let folder = tempfile::tempdir().unwrap();
    let collection = create(folder.path()).await;
    let new = document(1, "r", &["some text"]);
    ingest(&collection, &new).await;
    collection.delete(&[id(1)], NOW_MS).await.unwrap();
    let placed = collection.place(&new.facts.uri, &new.facts.sha256).await.unwrap();
    assert_eq!(placed, Placement::New, "a deleted document is not there any more");
    let collection = reopen(collection).await;
    assert!(
        collection.snapshot().await.unwrap().documents.is_empty(),
        "a restart undoes nothing"
    );
    assert_eq!(collection.restore(&[id(1)]).await.unwrap(), [id(1)]);
    assert_eq!(hits(&collection, "text").await, 2);
    assert!(collection.restore(&[id(1)]).await.unwrap().is_empty());
}

#[tokio::test]
async fn an_original_stays_while_a_document_or_an_answer_needs_it() {
    /// SHA-256 of "abc".
    const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("abc.txt");
    std::fs::write(&source, "abc").unwrap();
    let collection = create(&folder.path().join("c")).await;
    collection.originals().store(&source, ABC, "txt").unwrap();
    for number in [1, 2, 3] {
        let mut new = document(number, &format!("r{number}"), &["some text"]);
        new.facts.sha256 = ABC.to_owned();
        ingest(&collection, &new).await;
    }
    collection.delete(&[id(1)], NOW_MS).await.unwrap();
    let purged = collection.purge_deleted(NOW_MS, 0, &|_| false).await.unwrap();
    assert!(purged.originals.is_empty(), "two documents have the same bytes");
    collection.delete(&[id(2), id(3)], NOW_MS).await.unwrap();
    collection
        .purge_deleted(NOW_MS, 0, &|sha256| sha256 == ABC)
        .await
        .unwrap();
    assert!(collection.originals().path(ABC).is_some(), "a stored answer opens it");
    let mut last = document(4, "r4", &["some text"]);
    last.facts.sha256 = ABC.to_owned();
    ingest(&collection, &last).await;
    collection.delete(&[id(4)], NOW_MS).await.unwrap();
    let purged = collection.purge_deleted(NOW_MS, 0, &|_| false).await.unwrap();
    assert_eq!(purged.originals, [ABC]);
    assert!(collection.originals().path(ABC).is_none());
}

#[tokio::test]
async fn vectors_that_come_after_a_purge_are_dropped() {
    let folder = tempfile::tempdir().unwrap();
    let collection = create(folder.path()).await;
    let new = document(1, "r", &["some text"]);
    collection
        .ingest_text(std::slice::from_ref(&new), super::NOW, NOW_MS)
        .await
        .unwrap();
    collection.delete(&[id(1)], NOW_MS).await.unwrap();
    collection.purge_deleted(NOW_MS, 0, &|_| false).await.unwrap();
    let written = collection
        .append_vectors(&super::vectors(&new, [1.0, 0.0, 0.0, 0.0]))
        .await
        .unwrap();
    assert_eq!(written, 0);
    assert!(
        collection
            .mark_embedded(&[(id(1), "r".to_owned())])
            .await
            .unwrap()
            .is_empty()
    );
    assert!(collection.integrity().await.unwrap().orphan_rows.is_empty());
}
