//! Several collections searched as one.

use crate::support::{Desk, files_below};
use recto_engine::AddRequest;
use recto_engine::contract::{ScopeRequest, SearchMode, SearchQuery, SearchReport};
use std::path::PathBuf;

/// Texts in which the same words are common in some and rare in others.
fn notes(desk: &Desk) -> Vec<PathBuf> {
    let filler = ["harbour", "quay", "tide", "crane", "ferry", "pilot", "berth", "lock"];
    (0..24)
        .map(|number: usize| {
            let mut text = format!("# Note {number}\n\n");
            for paragraph in 0..3 {
                let words: Vec<&str> = (0..9 + number + 5 * paragraph)
                    .map(|at| filler[(at * (number + 3) + paragraph * 7) % filler.len()])
                    .collect();
                text += &format!("The {} of day {number} and {paragraph}.\n\n", words.join(" "));
            }
            if number.is_multiple_of(5) {
                text += "Dredging was paid for by the county.\n";
            }
            desk.file(&format!("note-{number:02}.md"), text)
        })
        .collect()
}

async fn add(desk: &Desk, collection: &str, paths: Vec<PathBuf>) {
    let request = AddRequest {
        collection: collection.into(),
        paths,
        ..AddRequest::default()
    };
    let ticket = desk.engine.enqueue(request).await.expect("queued");
    let report = desk.engine.wait(&ticket, &mut |_| {}).await.expect("the jobs end");
    assert_eq!(report.failed, []);
}

async fn search(desk: &Desk, query: &str, mode: SearchMode, collections: &[&str]) -> SearchReport {
    desk.engine
        .search(query_of(query, mode, collections))
        .await
        .expect("the search runs")
}

fn query_of(query: &str, mode: SearchMode, collections: &[&str]) -> SearchQuery {
    SearchQuery {
        query: query.into(),
        mode,
        limit: 12,
        scope: ScopeRequest {
            collections: Some(collections.iter().map(|name| (*name).to_owned()).collect()),
            ..ScopeRequest::default()
        },
        expand: false,
    }
}

/// The texts in order, those with equal scores together: these are ordered by ids, which copies of a document in two
/// collections do not share. What is tied with the last result is left out, as the limit may cut between.
fn ranking(report: &SearchReport) -> Vec<Vec<&str>> {
    let mut groups: Vec<(f32, Vec<&str>)> = Vec::new();
    for found in &report.results {
        match groups.last_mut() {
            Some((score, texts)) if (*score - found.score).abs() <= 1e-5 * score.abs() => texts.push(&found.text),
            _ => groups.push((found.score, vec![&found.text])),
        }
    }
    groups.pop();
    groups
        .into_iter()
        .map(|(_, mut texts)| {
            texts.sort_unstable();
            texts
        })
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_library_ranks_the_same_in_one_collection_and_in_three() {
    let desk = Desk::new().await;
    let notes = notes(&desk);
    add(&desk, "Whole", notes.clone()).await;
    for (at, name) in ["First", "Second", "Third"].into_iter().enumerate() {
        // Of very different sizes, so that each has word statistics of its own.
        let part = notes.iter().enumerate().filter(|(number, _)| match at {
            0 => number.is_multiple_of(5),
            1 => !number.is_multiple_of(5) && number.is_multiple_of(2),
            _ => !number.is_multiple_of(5) && !number.is_multiple_of(2),
        });
        add(&desk, name, part.map(|(_, path)| path.clone()).collect()).await;
    }
    for mode in [SearchMode::Fts, SearchMode::Vector, SearchMode::Hybrid] {
        for query in [
            "dredging of the quay",
            "ferry pilot",
            "who paid the county?",
            "note 7 tide lock",
        ] {
            let one = search(&desk, query, mode, &["Whole"]).await;
            let three = search(&desk, query, mode, &["First", "Second", "Third"]).await;
            assert!(!one.results.is_empty(), "{query} finds something");
            assert_eq!(ranking(&one), ranking(&three), "{query} {mode:?}");
        }
    }
    desk.engine.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_broken_collection_fails_only_the_searches_that_want_it_and_by_its_name() {
    let desk = Desk::new().await;
    let notes = notes(&desk);
    add(&desk, "Sound", notes[..2].to_vec()).await;
    add(&desk, "Broken", notes[2..4].to_vec()).await;
    let desk = desk
        .reopen_after(|library| {
            std::fs::remove_dir_all(library.join("collections/broken/db.lance/documents.lance")).expect("removed");
        })
        .await;
    let sound = search(&desk, "quay", SearchMode::Fts, &["Sound"]).await;
    assert!(!sound.results.is_empty(), "an unselected broken collection is harmless");

    let error = desk
        .engine
        .search(query_of("quay", SearchMode::Fts, &["Sound", "Broken"]))
        .await
        .expect_err("a selected one is not");
    assert_eq!(error.code.as_str(), "collection_unavailable");
    assert!(error.message.contains("Broken"), "{}", error.message);
    let library = desk.library().display().to_string();
    assert!(
        !error.message.contains(&library),
        "named, not located: {}",
        error.message
    );

    let mut partial = query_of("quay", SearchMode::Fts, &["Sound", "Broken"]);
    partial.scope.partial = true;
    let found = desk.engine.search(partial).await.expect("the rest is searched");
    assert_eq!(found.results, sound.results);
    let left_out = &found.coverage.not_searched;
    assert!(
        left_out.iter().any(|one| one.title == "Collection Broken"),
        "{left_out:?}"
    );
    assert_eq!(desk.engine.list(None).await.expect("lists the rest").documents.len(), 2);
    desk.engine.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_collection_of_another_library_is_searched_and_never_changed() {
    let other = Desk::new().await;
    let notes = notes(&other);
    add(&other, "Theirs", notes[..3].to_vec()).await;
    other.engine.shutdown().await;
    let folder = other.library().join("collections/theirs");
    let files = || -> Vec<_> {
        let files = files_below(&folder).into_iter();
        files.map(|path| (std::fs::read(&path).expect("read"), path)).collect()
    };
    let before = files();

    let desk = Desk::new().await;
    add(
        &desk,
        "Ours",
        vec![desk.file("ours.md", "# Ours\n\nThe quay was built by us.\n")],
    )
    .await;
    desk.engine
        .attach_collection("Shared", &folder)
        .await
        .expect("attached");
    let again = desk
        .engine
        .attach_collection("Twice", &folder)
        .await
        .expect_err("refused");
    assert!(again.message.contains("Shared"), "{}", again.message);
    let nothing = desk
        .engine
        .attach_collection("None", desk.folder.path())
        .await
        .expect_err("refused");
    assert_eq!(nothing.code.as_str(), "not_found");

    let found = search(&desk, "quay", SearchMode::Hybrid, &["Ours", "Shared"]).await;
    let places: std::collections::BTreeSet<_> = found.results.iter().map(|one| one.collection.as_str()).collect();
    assert_eq!(places, ["Ours", "Shared"].into());

    let request = AddRequest {
        collection: "Shared".into(),
        paths: notes.clone(),
        ..AddRequest::default()
    };
    let refused = desk.engine.enqueue(request).await.expect_err("nothing is added to it");
    assert_eq!(refused.code.as_str(), "read_only");
    let theirs = found
        .results
        .iter()
        .find(|one| one.collection == "Shared")
        .expect("found");
    let refused = desk
        .engine
        .delete(None, &theirs.document_id)
        .await
        .expect_err("nor deleted from it");
    assert_eq!(refused.code.as_str(), "read_only");

    let desk = desk.reopen().await;
    let names = |found: Vec<recto_engine::contract::CollectionSummary>| -> Vec<(String, bool)> {
        found
            .into_iter()
            .map(|one| (one.name, one.location.is_some()))
            .collect()
    };
    let both = [("Ours".to_owned(), false), ("Shared".to_owned(), true)];
    assert_eq!(names(desk.engine.collections().await.expect("listed")), both);
    desk.engine.remove_collection("Shared").await.expect("forgotten");
    assert_eq!(names(desk.engine.collections().await.expect("listed")), both[..1]);
    assert_eq!(before, files(), "no byte of it has changed");
    desk.engine.shutdown().await;
}
