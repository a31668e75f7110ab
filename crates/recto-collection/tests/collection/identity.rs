use super::{NOW, NOW_MS, create, document, hash, id, ingest, reopen};
use recto_collection::{DocumentEdit, Placement};
use recto_core::ChunkSource;

#[tokio::test]
async fn t52_the_bytes_decide_what_is_the_same_document() {
    let folder = tempfile::tempdir().unwrap();
    let collection = create(folder.path()).await;
    // Two scans without a word of text are two documents.
    for number in [1, 2] {
        let empty = document(number, &format!("r{number}"), &[""]);
        let placed = collection.place(&empty.facts.uri, &empty.facts.sha256).await.unwrap();
        assert_eq!(placed, Placement::New);
        ingest(&collection, &empty).await;
    }
    assert_eq!(collection.snapshot().await.unwrap().documents.len(), 2);
    // The same bytes under another name are the first again.
    let sha256 = hash("1 r1");
    assert_eq!(
        collection.place("/copy.pdf", &sha256).await.unwrap(),
        Placement::SameBytes(id(1))
    );
    collection.add_location(id(1), "/copy.pdf").await.unwrap();
    assert_eq!(
        collection.place("/copy.pdf", &sha256).await.unwrap(),
        Placement::Unchanged(id(1))
    );
    let snapshot = collection.snapshot().await.unwrap();
    assert_eq!(snapshot.documents[&id(1)].locations, ["/reports/1.pdf", "/copy.pdf"]);
    assert_eq!(snapshot.documents.len(), 2);
}

#[tokio::test]
async fn t67_the_same_name_in_two_folders_is_two_documents() {
    let folder = tempfile::tempdir().unwrap();
    let collection = create(folder.path()).await;
    for (number, uri) in [(1, "/a/report.pdf"), (2, "/b/report.pdf")] {
        let mut new = document(number, &format!("r{number}"), &["some text"]);
        new.facts.uri = uri.to_owned();
        assert_eq!(collection.place(uri, &new.facts.sha256).await.unwrap(), Placement::New);
        ingest(&collection, &new).await;
    }
    let snapshot = collection.snapshot().await.unwrap();
    assert_eq!(snapshot.documents[&id(1)].uri, "/a/report.pdf");
    assert_eq!(snapshot.documents[&id(2)].uri, "/b/report.pdf");
}

#[tokio::test]
async fn changed_bytes_at_the_only_place_are_a_new_revision() {
    let folder = tempfile::tempdir().unwrap();
    let collection = create(folder.path()).await;
    ingest(&collection, &document(1, "r1", &["old text"])).await;
    let changed = document(1, "r2", &["new text"]);
    let placed = collection
        .place(&changed.facts.uri, &changed.facts.sha256)
        .await
        .unwrap();
    assert_eq!(placed, Placement::NewRevision(id(1)));
    ingest(&collection, &changed).await;
    let snapshot = collection.snapshot().await.unwrap();
    assert_eq!(snapshot.documents.len(), 1);
    let row = &snapshot.documents[&id(1)];
    assert_eq!(
        (row.sha256.as_str(), row.locations.len()),
        (changed.facts.sha256.as_str(), 1)
    );
}

#[tokio::test]
async fn changed_bytes_at_one_of_several_places_become_a_document_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let collection = create(folder.path()).await;
    ingest(&collection, &document(1, "r1", &["old text"])).await;
    collection.add_location(id(1), "/copy.pdf").await.unwrap();
    let mut changed = document(2, "r2", &["new text"]);
    changed.facts.uri = "/copy.pdf".to_owned();
    assert_eq!(
        collection.place("/copy.pdf", &changed.facts.sha256).await.unwrap(),
        Placement::New
    );
    ingest(&collection, &changed).await;
    let snapshot = collection.snapshot().await.unwrap();
    assert_eq!(snapshot.documents[&id(1)].locations, ["/reports/1.pdf"]);
    assert_eq!(snapshot.documents[&id(2)].locations, ["/copy.pdf"]);
    assert!(
        collection.remove_location(id(1), "/reports/1.pdf").await.unwrap(),
        "all its places are gone"
    );
}

#[tokio::test]
async fn t66_a_files_name_is_only_ever_data() {
    let folder = tempfile::tempdir().unwrap();
    let collection = create(folder.path()).await;
    let nfc = "/a/Ämter.pdf".to_owned();
    let nfd = "/a/A\u{308}mter.pdf".to_owned();
    let names = [
        "/x/報告 (最終)_Ⅲ.pdf".to_owned(),
        nfc,
        nfd,
        "/x/🙂🙂.pdf".to_owned(),
        format!("/x/{}.pdf", "n".repeat(251)),
        "/x/trailing .pdf ".to_owned(),
        "/x/'; DELETE FROM documents; --%_\\\"\u{202e}.pdf".to_owned(),
    ];
    for (number, uri) in (1..).zip(&names) {
        let mut new = document(number, &format!("r{number}"), &["some text"]);
        new.facts.uri.clone_from(uri);
        new.facts.title.clone_from(uri);
        new.facts.tags = vec![uri.clone()];
        ingest(&collection, &new).await;
    }
    let collection = reopen(collection).await;
    let snapshot = collection.snapshot().await.unwrap();
    for (number, uri) in (1..).zip(&names) {
        let row = &snapshot.documents[&id(number)];
        assert_eq!((&row.uri, &row.title, &row.tags[0]), (uri, uri, uri));
        assert_eq!(
            collection.place(uri, &row.sha256).await.unwrap(),
            Placement::Unchanged(id(number))
        );
    }
    assert_eq!(
        snapshot.documents.len(),
        names.len(),
        "two spellings of Ämter are two names"
    );
}

#[tokio::test]
async fn editing_changes_the_small_row_and_lasts_through_new_revisions() {
    let folder = tempfile::tempdir().unwrap();
    let collection = create(folder.path()).await;
    ingest(&collection, &document(1, "r1", &["some text"])).await;
    let edit = DocumentEdit {
        title: Some("My title".to_owned()),
        tags: Some(vec!["blue".to_owned()]),
        metadata: None,
    };
    collection.edit(id(1), edit).await.unwrap();
    ingest(&collection, &document(1, "r2", &["new text"])).await;
    let collection = reopen(collection).await;
    let row = collection.snapshot().await.unwrap().documents[&id(1)].clone();
    assert_eq!(
        (row.title.as_str(), row.tags.as_slice()),
        ("My title", &["blue".to_owned()][..])
    );
    assert_eq!((row.revision.as_str(), row.created_at.as_str()), ("r2", NOW));
    assert!(collection.edit(id(9), DocumentEdit::default()).await.is_err());
    assert_eq!(collection.purge_superseded(NOW_MS + 60_000).await.unwrap(), 1);
}
