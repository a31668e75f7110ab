use super::{NOW, NOW_MS, create, document, id, ingest, reopen, vectors, words};
use recto_collection::Collection;
use recto_core::{ChunkSource, Filter, TextQuery};

async fn found(collection: &Collection, terms: &[&str]) -> Vec<String> {
    let snapshot = collection.snapshot().await.unwrap();
    let hits = collection.matching(&snapshot, &words(terms), None, 10).await.unwrap();
    hits.into_iter().map(|hit| hit.chunk.content.clone()).collect()
}

#[tokio::test]
async fn numbers_and_identifiers_are_found_as_typed() {
    let folder = tempfile::tempdir().unwrap();
    let collection = create(folder.path()).await;
    let texts = [
        "total of $1,039 million",
        "spent on r&d",
        "the 10-k report",
        "§ 4.2(b) applies",
        "a 10 k run",
    ];
    ingest(&collection, &document(1, "r", &texts)).await;
    for optimized in [false, true] {
        assert_eq!(found(&collection, &["$1,039"]).await, [texts[0]]);
        assert_eq!(found(&collection, &["r&d"]).await, [texts[1]]);
        assert_eq!(found(&collection, &["10-k"]).await, [texts[2]]);
        assert_eq!(found(&collection, &["4.2(b)"]).await, [texts[3]]);
        assert!(found(&collection, &["1,039"]).await.is_empty(), "only as typed");
        assert!(
            found(&collection, &["\"", "AND", "*", "')"]).await.is_empty(),
            "nothing is query syntax"
        );
        assert!(found(&collection, &[]).await.is_empty());
        if !optimized {
            collection.optimize().await.unwrap();
        }
    }
}

#[tokio::test]
async fn rows_that_are_not_indexed_yet_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let collection = create(folder.path()).await;
    ingest(&collection, &document(1, "r1", &["alpha text"])).await;
    collection.optimize().await.unwrap();
    ingest(&collection, &document(2, "r2", &["beta text"])).await;
    assert_eq!(found(&collection, &["beta"]).await, ["beta text"]);
    let report = collection.integrity().await.unwrap();
    let content = report
        .indexes
        .iter()
        .find(|index| index.column == "content_fts")
        .unwrap();
    assert_eq!(
        (content.indexed, content.unindexed),
        (1, 1),
        "and it is said that they are not"
    );
    collection.optimize().await.unwrap();
    let report = collection.integrity().await.unwrap();
    assert!(
        report.indexes.iter().all(|index| index.unindexed == 0),
        "{:?}",
        report.indexes
    );
    assert_eq!(found(&collection, &["beta"]).await, ["beta text"]);
    assert!(!collection.needs_optimizing().await.unwrap());
}

#[tokio::test]
async fn a_heading_match_counts_three_times() {
    let folder = tempfile::tempdir().unwrap();
    let collection = create(folder.path()).await;
    let mut new = document(1, "r", &["liquidity is discussed", "something else here"]);
    new.chunks[1].heading_terms = "annual liquidity".to_owned();
    ingest(&collection, &new).await;
    assert_eq!(
        found(&collection, &["liquidity"]).await,
        ["something else here", "liquidity is discussed"]
    );
}

#[tokio::test]
async fn filters_act_inside_both_lists_and_still_fill_the_limit() {
    let folder = tempfile::tempdir().unwrap();
    let collection = create(folder.path()).await;
    // Thirty documents outdo the one that is asked for, in words and in vectors.
    let mut batch: Vec<_> = (1..=30)
        .map(|number| document(number, &format!("r{number}"), &["revenue revenue revenue"; 4]))
        .collect();
    batch.push(document(99, "r99", &["revenue and a good many other words besides"; 6]));
    collection.ingest_text(&batch, NOW, NOW_MS).await.unwrap();
    for new in &batch {
        let vector = if new.document == id(99) {
            [0.5, 0.5, 0.5, 0.5]
        } else {
            [1.0, 0.0, 0.0, 0.0]
        };
        collection.append_vectors(&vectors(new, vector)).await.unwrap();
    }
    let snapshot = collection.snapshot().await.unwrap();
    let documents = snapshot.select(&Filter {
        document_ids: vec![id(99)],
        ..Filter::default()
    });
    let nearly_all = snapshot.select(&Filter {
        name_contains: Some("document".to_owned()),
        ..Filter::default()
    });
    for optimized in [false, true] {
        let by_words = collection
            .matching(&snapshot, &words(&["revenue"]), Some(&documents), 5)
            .await
            .unwrap();
        let by_vector = collection
            .nearest(&snapshot, &[1.0, 0.0, 0.0, 0.0], Some(&documents), 5)
            .await
            .unwrap();
        for hits in [&by_words, &by_vector] {
            assert_eq!(hits.len(), 5, "optimized: {optimized}");
            assert!(hits.iter().all(|hit| hit.chunk.document_id == id(99)));
        }
        assert!(
            (by_vector[0].score - 0.5).abs() < 1e-5,
            "cosine similarity, not distance"
        );
        let all = collection
            .matching(&snapshot, &words(&["revenue"]), Some(&nearly_all), 200)
            .await
            .unwrap();
        assert_eq!(all.len(), 126);
        let nothing = collection
            .matching(&snapshot, &words(&["revenue"]), Some(&[]), 5)
            .await
            .unwrap();
        assert!(nothing.is_empty(), "an empty selection selects nothing");
        let unknown = collection
            .nearest(&snapshot, &[1.0, 0.0, 0.0, 0.0], Some(&[id(7777)]), 5)
            .await
            .unwrap();
        assert!(unknown.is_empty());
        if !optimized {
            collection.optimize().await.unwrap();
        }
    }
}

#[tokio::test]
async fn equal_scores_are_ordered_by_id_whatever_the_index_does() {
    let folder = tempfile::tempdir().unwrap();
    let collection = create(folder.path()).await;
    for number in [30, 10, 20, 40, 25] {
        ingest(
            &collection,
            &document(number, &format!("r{number}"), &["same text"; 20]),
        )
        .await;
    }
    // Until a row is in the word index its score stands on other statistics; equal texts score equal once all are.
    collection.optimize().await.unwrap();
    let order = async |collection: &Collection| {
        let snapshot = collection.snapshot().await.unwrap();
        let by_words = collection
            .matching(&snapshot, &words(&["same"]), None, 7)
            .await
            .unwrap();
        let by_vector = collection
            .nearest(&snapshot, &[1.0, 0.0, 0.0, 0.0], None, 7)
            .await
            .unwrap();
        let ids = |hits: Vec<recto_core::ScoredChunk>| -> Vec<String> {
            hits.into_iter().map(|hit| hit.chunk.id.0.clone()).collect()
        };
        (ids(by_words), ids(by_vector))
    };
    let (by_words, by_vector) = order(&collection).await;
    assert_eq!(by_vector[0], "0010-r10-0000");
    assert_eq!(by_words, by_vector, "the first seven ids of a hundred equal chunks");
    collection.optimize().await.unwrap();
    let collection = reopen(collection).await;
    assert_eq!(order(&collection).await, (by_words, by_vector));
}

#[tokio::test]
async fn pages_are_found_without_vectors() {
    let folder = tempfile::tempdir().unwrap();
    let collection = create(folder.path()).await;
    let new = document(1, "r", &["cover text", "capital expenditure text", "closing text"]);
    collection.ingest_text(&[new], NOW, NOW_MS).await.unwrap();
    let snapshot = collection.snapshot().await.unwrap();
    let pages = collection
        .matching_pages(&snapshot, &words(&["capital"]), None, 5)
        .await
        .unwrap();
    assert_eq!((pages.len(), pages[0].document_id, pages[0].page), (1, id(1), 2));
    assert!(
        collection
            .matching_pages(&snapshot, &words(&[]), None, 5)
            .await
            .unwrap()
            .is_empty()
    );
}

#[tokio::test]
async fn an_empty_collection_is_searched_without_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let collection = create(folder.path()).await;
    assert!(found(&collection, &["anything"]).await.is_empty());
    let snapshot = collection.snapshot().await.unwrap();
    assert!(
        collection
            .nearest(&snapshot, &[0.0; 4], None, 5)
            .await
            .unwrap()
            .is_empty()
    );
    collection.optimize().await.unwrap();
}

#[tokio::test]
async fn a_vector_of_another_model_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let collection = create(folder.path()).await;
    let new = document(1, "r", &["some text"]);
    ingest(&collection, &new).await;
    let snapshot = collection.snapshot().await.unwrap();
    let error = collection
        .nearest(&snapshot, &[1.0; 3], None, 5)
        .await
        .expect_err("refused");
    assert_eq!(error.code, recto_core::ErrorCode::EmbedderMismatch);
    let mut wrong = vectors(&new, [1.0; 4]);
    wrong[0].vector.push(1.0);
    assert!(collection.append_vectors(&wrong).await.is_err());
}

#[tokio::test]
async fn related_words_are_found_behind_those_of_the_question() {
    let folder = tempfile::tempdir().unwrap();
    let collection = create(folder.path()).await;
    let texts = ["purchases of equipment", "capex of equipment", "nothing of it"];
    ingest(&collection, &document(1, "r", &texts)).await;
    let snapshot = collection.snapshot().await.unwrap();
    let mut query = words(&["capex"]);
    query.related = vec!["purchases".to_owned()];
    let hits = collection.matching(&snapshot, &query, None, 10).await.unwrap();
    let contents: Vec<&str> = hits.iter().map(|hit| hit.chunk.content.as_str()).collect();
    assert_eq!(contents, [texts[1], texts[0]]);
    assert!((hits[1].score / hits[0].score - TextQuery::RELATED_WEIGHT).abs() < 0.01);
}

#[tokio::test]
async fn the_chunks_of_pages_are_those_of_the_current_revision() {
    let folder = tempfile::tempdir().unwrap();
    let collection = create(folder.path()).await;
    ingest(&collection, &document(1, "r1", &["old one", "old two"])).await;
    ingest(&collection, &document(1, "r2", &["new one", "new two", "new three"])).await;
    let snapshot = collection.snapshot().await.unwrap();
    let chunks = collection.chunks_on(&snapshot, id(1), &[3, 2]).await.unwrap();
    let contents: Vec<&str> = chunks.iter().map(|chunk| chunk.content.as_str()).collect();
    assert_eq!(contents, ["new two", "new three"]);
    assert!(collection.chunks_on(&snapshot, id(1), &[]).await.unwrap().is_empty());
    assert!(collection.chunks_on(&snapshot, id(9), &[1]).await.is_err());
}

#[tokio::test]
async fn what_a_document_says_about_itself_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let collection = create(folder.path()).await;
    let mut new = document(1, "r", &["text"]);
    new.facts.card.names = vec!["Acme's \"Widgets\"".to_owned()];
    ingest(&collection, &new).await;
    let collection = reopen(collection).await;
    let snapshot = collection.snapshot().await.unwrap();
    assert_eq!(*snapshot.documents[&id(1)].card, new.facts.card);
}
