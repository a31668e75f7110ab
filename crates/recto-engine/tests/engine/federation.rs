//! Several collections searched as one.

use crate::support::{Desk, asking, files_below};
use recto_engine::AddRequest;
use recto_engine::contract::{
    AnswerStatus, ChatModelSettings, ScopeRequest, SearchMode, SearchQuery, SearchReport, Strategy,
};
use recto_testkit::{ScriptedModel, ScriptedReply};
use std::path::PathBuf;
use tokio_util::sync::CancellationToken;

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
    // The whole chain of causes, as it would be logged.
    let mut chain = format!("{error:?} {error}");
    let mut cause = std::error::Error::source(&error);
    while let Some(inner) = cause {
        chain += &format!(" {inner:?} {inner}");
        cause = inner.source();
    }
    assert!(!chain.contains(&library), "named, not located: {chain}");

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

/// The rows of the table of selections: none for all, an empty list for nothing, names for those.
#[tokio::test(flavor = "multi_thread")]
async fn no_names_select_all_an_empty_list_nothing_and_repeats_collapse() {
    let desk = Desk::new().await;
    let notes = notes(&desk);
    add(&desk, "One", notes[..2].to_vec()).await;
    add(&desk, "Two", notes[2..4].to_vec()).await;
    let mut all = query_of("quay", SearchMode::Hybrid, &[]);
    all.scope.collections = None;
    let all = desk.engine.search(all).await.expect("searched");
    assert_eq!(
        all.results,
        search(&desk, "quay", SearchMode::Hybrid, &["Two", "One"]).await.results
    );
    assert_eq!(
        search(&desk, "quay", SearchMode::Hybrid, &["One", "One", "One"])
            .await
            .results,
        search(&desk, "quay", SearchMode::Hybrid, &["One"]).await.results
    );

    let nothing = search(&desk, "quay", SearchMode::Hybrid, &[]).await;
    assert_eq!((nothing.results.len(), nothing.coverage.documents_total), (0, 0));
    let mut request = asking("What is at the quay?", Strategy::Quotes);
    request.scope.collections = Some(Vec::new());
    let answer = desk
        .engine
        .ask(request, CancellationToken::new(), &mut |_| {})
        .await
        .expect("it is asked of nothing");
    assert_eq!((answer.status, answer.citations.len()), (AnswerStatus::Refused, 0));

    let unknown = desk
        .engine
        .search(query_of("quay", SearchMode::Fts, &["One", "Three"]))
        .await
        .expect_err("there is none of this name");
    assert_eq!(unknown.code.as_str(), "not_found");
    assert!(
        unknown.message.contains("Three") && unknown.message.contains("One, Two"),
        "the known ones are listed: {}",
        unknown.message
    );
    desk.engine.shutdown().await;
}

/// A collection that was copied holds the same ids: its passages stay its own, and what could mean either is refused.
#[tokio::test(flavor = "multi_thread")]
async fn a_copied_collection_keeps_its_own_results_and_an_id_in_both_is_ambiguous() {
    let other = Desk::new().await;
    let file = other.file("orsk.txt", "The lighthouse at Orsk was painted in 1932 by the county.");
    add(&other, "Theirs", vec![file]).await;
    other.engine.shutdown().await;
    let folder = other.library().join("collections/theirs");
    let copy = other.folder.path().join("copy");
    for from in files_below(&folder) {
        let to = copy.join(from.strip_prefix(&folder).expect("below"));
        std::fs::create_dir_all(to.parent().expect("a parent")).expect("folders");
        std::fs::copy(&from, &to).expect("copied");
    }
    let desk = Desk::new().await;
    desk.engine.attach_collection("First", &folder).await.expect("attached");
    desk.engine.attach_collection("Second", &copy).await.expect("attached");

    for mode in [SearchMode::Fts, SearchMode::Vector, SearchMode::Hybrid] {
        let found = search(&desk, "lighthouse at Orsk", mode, &["First", "Second"])
            .await
            .results;
        assert_eq!(found.len(), 2, "{mode:?}");
        assert_eq!(found[0].chunk_id, found[1].chunk_id);
        assert_eq!(
            [found[0].collection.as_str(), found[1].collection.as_str()],
            ["First", "Second"],
            "equal scores stand in the order of their collections"
        );
    }
    let id = search(&desk, "lighthouse", SearchMode::Fts, &["First"]).await.results[0]
        .document_id
        .clone();
    let error = desk.engine.outline(None, &id).await.expect_err("either could be meant");
    assert_eq!(error.code.as_str(), "ambiguous");
    assert!(error.message.contains("First, Second"), "{}", error.message);
    let named = ["Second".to_owned()];
    let view = desk.engine.outline(Some(&named), &id).await.expect("one is meant");
    assert_eq!(view.collection, "Second");

    let (answer, _) = desk
        .ask("When was the lighthouse at Orsk painted?", Strategy::Quotes)
        .await;
    for citation in &answer.citations {
        assert!(["First", "Second"].contains(&citation.collection.as_str()));
    }
    desk.engine.shutdown().await;
}

/// The model is told which collection a passage is in where two could have contributed, whatever was found.
#[tokio::test(flavor = "multi_thread")]
async fn sources_name_their_collection_by_what_was_selected_and_not_by_what_was_found() {
    let server = ScriptedModel::responding(|_, _| ScriptedReply::text("In 1932 [1]."));
    let settings = format!("[model]\nbase_url = \"{}\"\nname = \"scripted\"\n", server.base_url());
    let desk = Desk::with_settings(&settings).await;
    add(
        &desk,
        "Lights",
        vec![desk.file("orsk.txt", "The lighthouse at Orsk was painted in 1932.")],
    )
    .await;
    add(
        &desk,
        "Bread",
        vec![desk.file("bread.txt", "Rye bread is baked slowly.")],
    )
    .await;
    let ask = async |collections: Option<Vec<String>>| {
        let mut request = asking("When was the lighthouse painted?", Strategy::Passages);
        request.scope.collections = collections;
        desk.engine
            .ask(request, CancellationToken::new(), &mut |_| {})
            .await
            .expect("asked");
        let requests = server.requests();
        requests.last().expect("one was made").prompt()
    };
    let both = ask(None).await;
    assert!(both.contains("collection: Lights | document: "), "{both}");
    let one = ask(Some(vec!["Lights".to_owned()])).await;
    assert!(!one.contains("collection:"), "{one}");
    desk.engine.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn t92_other_settings_and_questions_index_nothing_again() {
    let server = ScriptedModel::responding(|_, _| ScriptedReply::text("In 1932 [1]."));
    let desk = Desk::new().await;
    let file = desk.file("orsk.txt", "The lighthouse at Orsk was painted in 1932.");
    add(&desk, "Lights", vec![file.clone()]).await;
    let stored = |desk: &Desk| {
        let mut files: Vec<_> = files_below(&desk.library().join("collections"))
            .into_iter()
            .filter(|path| path.extension().is_some_and(|extension| extension == "lance"))
            .collect();
        files.sort();
        files
    };
    let before = stored(&desk);
    assert!(!before.is_empty());
    desk.engine
        .set_chat_model(ChatModelSettings {
            base_url: Some(server.base_url()),
            name: Some("scripted".into()),
            ..ChatModelSettings::default()
        })
        .await
        .expect("set up");
    let desk = desk.reopen().await;
    for strategy in [Strategy::Quotes, Strategy::Passages, Strategy::Passages] {
        desk.ask("When was the lighthouse painted?", strategy).await;
    }
    let request = AddRequest {
        collection: "Lights".into(),
        paths: vec![file],
        ..AddRequest::default()
    };
    let ticket = desk.engine.enqueue(request).await.expect("queued");
    let report = desk.engine.wait(&ticket, &mut |_| {}).await.expect("it ends");
    assert_eq!((report.added.len(), report.unchanged.len()), (0, 1), "{report:?}");
    assert_eq!(stored(&desk), before, "no row of any table was written again");
    desk.engine.shutdown().await;
}

/// More collections than are kept open at a time, asked from several sides at once: one that is being opened is crowded out
/// meanwhile, and must not be opened a second time beside itself.
#[tokio::test(flavor = "multi_thread")]
async fn more_collections_than_are_kept_open_can_be_searched_from_several_sides_at_once() {
    let desk = Desk::new().await;
    let notes = notes(&desk);
    let names: Vec<String> = (0..12).map(|number| format!("Part {number}")).collect();
    for (name, note) in names.iter().zip(&notes) {
        add(&desk, name, vec![note.clone()]).await;
    }
    let desk = desk.reopen_after(|_| {}).await;
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let asked = (0..6).map(|_| search(&desk, "quay", SearchMode::Fts, &names));
    let found = futures::future::join_all(asked).await;
    assert!(
        found
            .iter()
            .all(|report| report.results.len() == found[0].results.len())
    );
    assert!(found[0].results.len() > 8, "{}", found[0].results.len());
    desk.engine.shutdown().await;
}
