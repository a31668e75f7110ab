use super::{NOW, NOW_MS, create, document, id, ingest, reopen, vectors, words};
use recto_collection::{Collection, Error};
use recto_core::{ChunkSource, DocumentId};
use std::collections::BTreeSet;

/// Every text that any way of reading finds, checked for agreement.
async fn seen(collection: &Collection) -> BTreeSet<String> {
    let snapshot = collection.snapshot().await.unwrap();
    let mut by_items = BTreeSet::new();
    let mut by_pages = BTreeSet::new();
    for (document, row) in &snapshot.documents {
        for item in collection.items(&snapshot, *document, &[(0, u32::MAX)]).await.unwrap() {
            by_items.insert(item.text);
        }
        for page in collection
            .pages(&snapshot, *document, 1..=row.page_count)
            .await
            .unwrap()
        {
            by_pages.insert(page.text);
        }
    }
    let matching = collection
        .matching(&snapshot, &words(&["text"]), None, 100)
        .await
        .unwrap();
    let by_words: BTreeSet<String> = matching.into_iter().map(|hit| hit.chunk.content.clone()).collect();
    let nearest = collection
        .nearest(&snapshot, &[1.0, 0.0, 0.0, 0.0], None, 100)
        .await
        .unwrap();
    for hit in nearest {
        assert!(
            by_words.contains(&hit.chunk.content),
            "{} is nobody's any more",
            hit.chunk.content
        );
    }
    let pages = collection
        .matching_pages(&snapshot, &words(&["text"]), None, 100)
        .await
        .unwrap();
    assert_eq!(pages.len(), by_pages.len());
    assert_eq!(by_items, by_pages);
    assert_eq!(by_items, by_words);
    by_items
}

async fn run(collection: &Collection, new: &recto_collection::NewRevision, steps: usize) {
    let batch = [new.clone()];
    let revision = [(new.document, new.revision.clone())];
    let embedded = vectors(new, [1.0, 0.0, 0.0, 0.0]);
    if steps >= 1 {
        collection.begin(&revision).await.unwrap();
    }
    if steps >= 2 {
        collection.append(&batch).await.unwrap();
    }
    if steps >= 3 {
        collection.commit_text(&batch, NOW, NOW_MS).await.unwrap();
    }
    if steps >= 4 {
        collection.append_vectors(&embedded[..1]).await.unwrap();
    }
    if steps >= 5 {
        collection.append_vectors(&embedded[1..]).await.unwrap();
    }
    if steps >= 6 {
        collection.mark_embedded(&revision).await.unwrap();
    }
}

fn texts(of: &[&str]) -> BTreeSet<String> {
    of.iter().map(|text| (*text).to_owned()).collect()
}

#[tokio::test]
async fn t43_a_kill_at_any_step_leaves_a_document_wholly_old_or_wholly_new() {
    for steps in 0..=6 {
        let folder = tempfile::tempdir().unwrap();
        let collection = create(folder.path()).await;
        ingest(&collection, &document(1, "old", &["old text a", "old text b"])).await;
        let replaced = document(1, "new", &["new text a", "new text b", "new text c"]);
        run(&collection, &replaced, steps).await;
        let expected = if steps < 3 {
            texts(&["old text a", "old text b"])
        } else {
            texts(&["new text a", "new text b", "new text c"])
        };
        assert_eq!(seen(&collection).await, expected, "before the kill, {steps} steps");
        let collection = reopen(collection).await;
        assert_eq!(seen(&collection).await, expected, "after the kill, {steps} steps");
        let report = collection.integrity().await.unwrap();
        assert!(
            report.orphan_rows.is_empty() && report.missing_vectors.is_empty(),
            "{steps}: {report:?}"
        );
        assert!(report.pending.is_empty(), "{steps}");
        let row = collection.snapshot().await.unwrap().documents[&id(1)].clone();
        assert_eq!(row.embedded, !(3..6).contains(&steps), "{steps} steps");
        // The job runs again from the start, and again replaces everything.
        ingest(&collection, &document(1, "again", &["again text"])).await;
        collection.purge_superseded(NOW_MS + 60_000).await.unwrap();
        assert_eq!(seen(&collection).await, texts(&["again text"]));
        assert!(collection.integrity().await.unwrap().orphan_rows.is_empty());
    }
}

#[tokio::test]
async fn t43_a_kill_in_a_first_ingest_leaves_nothing_or_all() {
    for steps in 0..=6 {
        let folder = tempfile::tempdir().unwrap();
        let collection = create(folder.path()).await;
        run(&collection, &document(1, "first", &["text a", "text b"]), steps).await;
        let collection = reopen(collection).await;
        let expected = if steps < 3 {
            texts(&[])
        } else {
            texts(&["text a", "text b"])
        };
        assert_eq!(seen(&collection).await, expected, "{steps} steps");
        assert!(collection.integrity().await.unwrap().orphan_rows.is_empty(), "{steps}");
    }
}

#[tokio::test]
async fn t91_a_document_is_marked_embedded_only_when_its_vectors_are_there() {
    let folder = tempfile::tempdir().unwrap();
    let collection = create(folder.path()).await;
    let new = document(1, "r", &["text a", "text b", "text c"]);
    let revision = [(new.document, new.revision.clone())];
    collection
        .ingest_text(std::slice::from_ref(&new), NOW, NOW_MS)
        .await
        .unwrap();
    assert!(collection.mark_embedded(&revision).await.unwrap().is_empty());
    collection
        .append_vectors(&vectors(&new, [0.0, 1.0, 0.0, 0.0])[..2])
        .await
        .unwrap();
    let collection = reopen(collection).await;
    assert!(collection.mark_embedded(&revision).await.unwrap().is_empty());
    assert!(!collection.snapshot().await.unwrap().documents[&id(1)].embedded);
    let left = collection.chunks_without_vectors(id(1)).await.unwrap();
    assert_eq!(left, new.chunks[2..], "the embedding stage goes on where it was");
    collection
        .append_vectors(&vectors(&new, [0.0, 1.0, 0.0, 0.0])[2..])
        .await
        .unwrap();
    assert!(
        !collection.snapshot().await.unwrap().documents[&id(1)].embedded,
        "written, then marked"
    );
    assert_eq!(collection.mark_embedded(&revision).await.unwrap(), [id(1)]);
    assert!(collection.snapshot().await.unwrap().documents[&id(1)].embedded);
}

#[tokio::test]
async fn t65_a_commit_is_refused_when_its_rows_are_not_there() {
    let folder = tempfile::tempdir().unwrap();
    let collection = create(folder.path()).await;
    let new = document(1, "r", &["text a"]);
    let committed = collection.commit_text(std::slice::from_ref(&new), NOW, NOW_MS).await;
    assert!(matches!(committed, Err(Error::NotBegun { .. })));
    collection.begin(&[(id(1), "r".to_owned())]).await.unwrap();
    let committed = collection.commit_text(&[new], NOW, NOW_MS).await;
    assert!(matches!(
        committed,
        Err(Error::Incomplete {
            found: 0,
            expected: 1,
            ..
        })
    ));
    assert!(collection.snapshot().await.unwrap().documents.is_empty());
}

#[tokio::test]
async fn t46_an_abandoned_import_leaves_no_rows() {
    let folder = tempfile::tempdir().unwrap();
    let collection = create(folder.path()).await;
    ingest(&collection, &document(1, "old", &["old text"])).await;
    let batch = [document(1, "new", &["new text"]), document(2, "first", &["other text"])];
    let begun: Vec<(DocumentId, String)> = batch.iter().map(|new| (new.document, new.revision.clone())).collect();
    collection.begin(&begun).await.unwrap();
    collection.append(&batch).await.unwrap();
    collection.abandon(&[id(1), id(2), id(3)]).await.unwrap();
    assert_eq!(seen(&collection).await, texts(&["old text"]));
    let report = collection.integrity().await.unwrap();
    assert!(report.orphan_rows.is_empty() && report.pending.is_empty(), "{report:?}");
    let committed = collection.commit_text(&batch, NOW, NOW_MS).await;
    assert!(matches!(committed, Err(Error::NotBegun { .. })));
}

#[tokio::test]
async fn a_question_under_way_keeps_reading_the_revision_it_began_with() {
    let folder = tempfile::tempdir().unwrap();
    let collection = create(folder.path()).await;
    ingest(&collection, &document(1, "old", &["old text"])).await;
    let before = collection.snapshot().await.unwrap();
    ingest(&collection, &document(1, "new", &["new text"])).await;
    assert_eq!(collection.purge_superseded(NOW_MS + 59_999).await.unwrap(), 0);
    let items = collection.items(&before, id(1), &[(0, 9)]).await.unwrap();
    assert_eq!(items[0].text, "old text");
    let hits = collection.matching(&before, &words(&["text"]), None, 9).await.unwrap();
    assert_eq!(hits.len(), 1, "the new revision is not in the old snapshot");
    assert_eq!(hits[0].chunk.content, "old text");
    assert_eq!(collection.purge_superseded(NOW_MS + 60_000).await.unwrap(), 1);
    assert_eq!(seen(&collection).await, texts(&["new text"]));
}

#[tokio::test]
async fn pages_and_items_come_back_as_they_were() {
    let folder = tempfile::tempdir().unwrap();
    let collection = create(folder.path()).await;
    let mut new = document(1, "r", &["Umsatz $1,039 — “r&d”", "", "日本語 🙂"]);
    new.pages[1].page.label = None;
    new.items[2].table = Some(recto_core::TableGrid {
        rows: 1,
        columns: 1,
        cells: vec![],
    });
    new.items[2].parent = Some("#/texts/0".to_owned());
    new.items[2].label = recto_core::Label::SectionHeader;
    ingest(&collection, &new).await;
    let collection = reopen(collection).await;
    let snapshot = collection.snapshot().await.unwrap();
    let pages = collection.pages(&snapshot, id(1), 1..=9).await.unwrap();
    let written: Vec<_> = new.pages.iter().map(|record| record.page.clone()).collect();
    assert_eq!(pages, written);
    assert_eq!(
        collection.page(&snapshot, id(1), 2).await.unwrap().as_ref(),
        Some(&written[1])
    );
    assert_eq!(collection.page(&snapshot, id(1), 4).await.unwrap(), None);
    let items = collection
        .items(&snapshot, id(1), &[(2, 5), (0, 0), (0, 0)])
        .await
        .unwrap();
    assert_eq!(items, [new.items[0].clone(), new.items[2].clone()]);
    let row = &snapshot.documents[&id(1)];
    assert_eq!(row.page_labels, [Some("F-1".to_owned()), None, Some("F-3".to_owned())]);
    assert_eq!(row.created_at, NOW);
    let bytes: usize = new.items.iter().map(|item| item.text.len()).sum();
    assert_eq!(collection.document_text_bytes(id(1)).await.unwrap(), bytes as u64);
    let ids: Vec<_> = new.chunks.iter().rev().map(|chunk| chunk.id.clone()).collect();
    let chunks = collection.chunks(&snapshot, &ids).await.unwrap();
    assert_eq!(chunks.len(), 3);
    assert_eq!(chunks[0].metadata, new.chunks[2].metadata);
    assert!(collection.items(&snapshot, id(9), &[(0, 1)]).await.is_err());
}

#[tokio::test]
async fn a_batch_has_a_limit_and_no_document_twice() {
    let folder = tempfile::tempdir().unwrap();
    let collection = create(folder.path()).await;
    let many: Vec<_> = (0..65).map(|number| (id(number), format!("r{number}"))).collect();
    assert!(matches!(collection.begin(&many).await, Err(Error::Batch { limit: 64 })));
    let twice = [(id(1), "a".to_owned()), (id(1), "b".to_owned())];
    assert!(matches!(collection.begin(&twice).await, Err(Error::Batch { .. })));
    let batch: Vec<_> = (0..64)
        .map(|number| document(number, &format!("r{number}"), &["some text"]))
        .collect();
    collection.ingest_text(&batch, NOW, NOW_MS).await.unwrap();
    assert_eq!(collection.snapshot().await.unwrap().documents.len(), 64);
}
