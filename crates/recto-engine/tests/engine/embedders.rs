//! Embedding models and rerankers behind servers and in files: set up, kept apart, and never silently off.

use crate::support::{COLLECTION, Desk, asking, harbour_report};
use recto_engine::AddRequest;
use recto_engine::contract::{
    ChatModelSettings, DocumentState, EmbeddingModelSettings, RerankerSettings, ScopeRequest, SearchMode, SearchQuery,
    Stage, Strategy,
};
use recto_testkit::{
    ScriptedModel, ScriptedReply, ScriptedResponse, ScriptedServer, cross_encoder, embed, embedding_server,
};
use serde_json::json;
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;

const QUESTION: &str = "How high was the highest tide of the year?";

fn ollama(server: &ScriptedServer) -> EmbeddingModelSettings {
    EmbeddingModelSettings {
        provider: Some("ollama".into()),
        base_url: Some(server.url()),
        name: Some("nomic-embed-text".into()),
        ..EmbeddingModelSettings::default()
    }
}

fn query(text: &str, mode: SearchMode, collections: &[&str]) -> SearchQuery {
    SearchQuery {
        query: text.into(),
        mode,
        limit: 3,
        scope: ScopeRequest {
            collections: (!collections.is_empty()).then(|| collections.iter().map(|&name| name.to_owned()).collect()),
            ..ScopeRequest::default()
        },
        expand: false,
    }
}

async fn add_to(desk: &Desk, collection: &str, name: &str, text: &str) {
    let request = AddRequest {
        collection: collection.into(),
        paths: vec![desk.file(name, text)],
        ..AddRequest::default()
    };
    let ticket = desk.engine.enqueue(request).await.expect("queued");
    let report = desk.engine.wait(&ticket, &mut |_| {}).await.expect("it ends");
    assert_eq!(report.added.len(), 1, "{report:?}");
    assert_eq!(report.added[0].state, DocumentState::Ready, "{report:?}");
}

async fn model_of(desk: &Desk, collection: &str) -> Option<String> {
    let collections = desk.engine.collections().await.expect("listed");
    let found = collections.into_iter().find(|one| one.name == collection);
    found.expect("it is there").embedding_model
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_collection_is_embedded_and_searched_by_the_server_that_is_set_up() {
    for provider in ["ollama", "openai-compatible"] {
        let server = embedding_server(48);
        let desk = Desk::new().await;
        let wanted = EmbeddingModelSettings {
            provider: Some(provider.into()),
            base_url: Some(match provider {
                "ollama" => server.url(),
                _ => format!("{}/v1", server.url()),
            }),
            ..ollama(&server)
        };
        let view = desk.engine.set_embedding_model(wanted).await.expect("set up");
        assert_eq!(view.embedding.dimension, Some(48), "found out before it was saved");
        assert_eq!(desk.engine.status().models.embedding_model, "nomic-embed-text");
        assert_eq!(
            desk.engine.status().models.embedding_host,
            None,
            "it is on this machine"
        );
        desk.add(&[harbour_report()]).await;
        assert_eq!(model_of(&desk, COLLECTION).await.as_deref(), Some("nomic-embed-text"));
        let before = server.requests().len();
        let found = desk.search("highest tide of the year", SearchMode::Vector).await;
        assert!(found.results[0].text.contains("tide"), "{:?}", found.results[0]);
        let asked = server.requests();
        assert_eq!(asked.len(), before + 1, "one call for the question");
        assert_eq!(asked[before].body["input"], json!(["highest tide of the year"]));
        assert!(asked.iter().all(|request| request.body["model"] == "nomic-embed-text"));

        let desk = desk.reopen().await;
        let (answer, _) = desk.ask(QUESTION, Strategy::Quotes).await;
        assert!(!answer.citations.is_empty(), "{answer:?}");
        let report = desk.engine.doctor().await.expect("checked");
        assert!(
            report
                .checks
                .iter()
                .any(|check| check.name == "embedding server" && check.ok),
            "{report:?}"
        );
        desk.engine.shutdown().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_collection_keeps_its_model_and_is_searched_by_words_where_that_is_not_at_hand() {
    let server = embedding_server(32);
    let desk = Desk::new().await;
    add_to(&desk, "Old", "old.txt", "The lighthouse at Orsk was painted in 1932.").await;
    desk.engine.set_embedding_model(ollama(&server)).await.expect("set up");
    add_to(&desk, "New", "new.txt", "The lighthouse at Wend was painted in 1950.").await;
    assert_eq!(model_of(&desk, "Old").await.as_deref(), Some("all-MiniLM-L6-v2-int8"));
    assert_eq!(model_of(&desk, "New").await.as_deref(), Some("nomic-embed-text"));
    // More into the old one is still embedded by its own model.
    add_to(&desk, "Old", "more.txt", "The lighthouse at Orsk was never repaired.").await;
    for name in ["Old", "New"] {
        let found = desk
            .engine
            .search(query("lighthouse", SearchMode::Vector, &[name]))
            .await;
        assert!(!found.expect("each by its own").results.is_empty());
    }

    let error = desk
        .engine
        .search(query("lighthouse", SearchMode::Hybrid, &[]))
        .await
        .expect_err("vectors of different models are not compared");
    assert_eq!(error.code.as_str(), "embedder_mismatch");
    for word in ["Old", "New", "all-MiniLM-L6-v2-int8", "nomic-embed-text"] {
        assert!(error.message.contains(word), "{}", error.message);
    }
    let found = desk.engine.search(query("lighthouse", SearchMode::Fts, &[])).await;
    assert_eq!(found.expect("words are words").results.len(), 3);

    desk.engine
        .set_embedding_model(EmbeddingModelSettings::default())
        .await
        .expect("taken away");
    let error = desk
        .engine
        .search(query("lighthouse", SearchMode::Vector, &["New"]))
        .await
        .expect_err("its model is not at hand");
    assert_eq!(error.code.as_str(), "embedder_mismatch");
    assert!(
        error.message.contains("New") && error.message.contains("nomic-embed-text (ollama, 32 numbers)"),
        "{}",
        error.message
    );
    // An empty collection of another model is no obstacle to the others.
    desk.engine.remove_collection("New").await.expect("removed");
    desk.engine.set_embedding_model(ollama(&server)).await.expect("set up");
    desk.engine.create_collection("Empty").await.expect("created");
    let found = desk.engine.search(query("lighthouse", SearchMode::Hybrid, &[])).await;
    assert_eq!(found.expect("nothing is compared").results.len(), 2);
    desk.engine.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_embedding_model_that_cannot_be_used_is_not_saved() {
    let chat = ScriptedServer::responding(|_, _| ScriptedResponse::json(404, &json!({"error": "model not found"})));
    let desk = Desk::new().await;
    let nobody = EmbeddingModelSettings {
        base_url: Some("http://127.0.0.1:9".into()),
        ..ollama(&chat)
    };
    let half = EmbeddingModelSettings {
        name: None,
        ..ollama(&chat)
    };
    let other = EmbeddingModelSettings {
        provider: Some("anthropic".into()),
        ..ollama(&chat)
    };
    for (wanted, code) in [
        (nobody.clone(), "model_unreachable"),
        (ollama(&chat), "model_rejected"),
        (half, "invalid_argument"),
        (other, "invalid_argument"),
    ] {
        let error = desk
            .engine
            .set_embedding_model(wanted)
            .await
            .expect_err("cannot be used");
        assert_eq!(error.code.as_str(), code, "{}", error.message);
    }
    let view = desk.engine.settings_view().await.expect("read");
    assert_eq!(view.embedding, EmbeddingModelSettings::default());
    let report = desk.engine.probe_embedding_model(nobody).await.expect("looked");
    assert!(!report.usable && report.checks[0].is_well == Some(false), "{report:?}");
    desk.engine.shutdown().await;
}

/// T55, T56: an embedder that gives fewer vectors than it was given texts fails the document with a sentence; the
/// document stays searchable by words, and succeeds once the embedder does.
#[tokio::test(flavor = "multi_thread")]
async fn t55_t56_fewer_vectors_than_texts_fail_the_document_and_say_which_text() {
    let sound = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    let switch = std::sync::Arc::clone(&sound);
    let server = ScriptedServer::responding(move |request, _| {
        let hostile = request.body["input"].to_string().contains("Wend");
        let most = if hostile && !switch.load(std::sync::atomic::Ordering::Relaxed) {
            0
        } else {
            usize::MAX
        };
        embed(request, 16, most)
    });
    let desk = Desk::new().await;
    desk.engine.set_embedding_model(ollama(&server)).await.expect("set up");
    let paths = [
        desk.file("good.txt", "The lighthouse at Orsk was painted in 1932."),
        desk.file("bad.txt", "The lighthouse at Wend was never painted."),
    ];
    let report = desk.add(&paths).await;
    assert_eq!(report.added.len(), 1, "one is ready: {report:?}");
    let failed = report.failed.first().expect("the other failed");
    assert!(
        failed.message.contains("0 vectors for 1 texts")
            && failed.message.contains("“The lighthouse at Wend was never painted.”"),
        "{}",
        failed.message
    );
    let found = desk.search("lighthouse at Wend", SearchMode::Fts).await;
    assert!(found.results[0].text.contains("Wend"), "found by words all the same");

    sound.store(true, std::sync::atomic::Ordering::Relaxed);
    let queue = desk.engine.queue().await.expect("listed");
    let job = queue.jobs.iter().find(|job| job.file_name == "bad.txt").expect("kept");
    desk.engine.retry_job(&job.job_id).await.expect("put back");
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        let summary = desk.engine.collections().await.expect("listed").remove(0);
        if (summary.documents, summary.ready) == (2, 2) {
            break;
        }
        assert!(Instant::now() < deadline, "both become ready: {summary:?}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    desk.engine.shutdown().await;
}

/// T53: adding returns at once however slow the embedder is, and words are found before there are vectors.
#[tokio::test(flavor = "multi_thread")]
async fn t53_a_slow_embedder_delays_neither_adding_nor_finding_by_words() {
    let slow = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    let switch = std::sync::Arc::clone(&slow);
    let server = ScriptedServer::responding(move |request, _| {
        let response = embed(request, 16, usize::MAX);
        match switch.load(std::sync::atomic::Ordering::Relaxed) {
            true => response.first_delay(Duration::from_secs(8)),
            false => response,
        }
    });
    let desk = Desk::new().await;
    desk.engine.set_embedding_model(ollama(&server)).await.expect("set up");
    desk.engine.create_collection(COLLECTION).await.expect("created");
    slow.store(true, std::sync::atomic::Ordering::Relaxed);
    let request = AddRequest {
        collection: COLLECTION.into(),
        paths: vec![desk.file("note.txt", "The zebrafinch sings at dawn.")],
        ..AddRequest::default()
    };
    let started = Instant::now();
    desk.engine.enqueue(request).await.expect("queued");
    assert!(started.elapsed() < Duration::from_secs(2), "{:?}", started.elapsed());
    loop {
        let found = desk.search("zebrafinch", SearchMode::Fts).await;
        if !found.results.is_empty() {
            break;
        }
        assert!(
            started.elapsed() < Duration::from_secs(7),
            "found by words before its vectors are there"
        );
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let summary = desk.engine.collections().await.expect("listed").remove(0);
    assert_eq!(
        (summary.documents, summary.ready),
        (1, 0),
        "its vectors are still being made"
    );
    // A question is answered from its words meanwhile.
    let (answer, _) = desk.ask("When does the zebrafinch sing?", Strategy::Quotes).await;
    assert!(!answer.citations.is_empty(), "{answer:?}");
    desk.engine.shutdown().await;
}

fn reranker_server() -> ScriptedServer {
    ScriptedServer::responding(|request, _| {
        let texts = request.body["documents"].as_array().cloned().unwrap_or_default();
        let score = |text: &str| match text {
            text if text.contains("Paris") => 9.0,
            text if text.contains("third") => 4.5,
            text if text.contains("second") => 1.5,
            _ => -2.25,
        };
        let results: Vec<_> = texts
            .iter()
            .enumerate()
            .map(|(index, text)| json!({"index": index, "relevance_score": score(text.as_str().unwrap_or_default())}))
            .collect();
        ScriptedResponse::json(200, &json!({ "results": results }))
    })
}

fn behind(server: &ScriptedServer) -> RerankerSettings {
    RerankerSettings {
        base_url: Some(format!("{}/v1", server.url())),
        name: Some("ranker".into()),
        ..RerankerSettings::default()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reranker_behind_a_server_decides_the_order_with_its_raw_scores() {
    let server = reranker_server();
    let desk = Desk::new().await;
    let files: Vec<_> = [("first", 3), ("second", 2), ("third", 1)]
        .iter()
        .map(|(name, times)| {
            desk.file(
                &format!("{name}.txt"),
                format!("The {name} note. {}", "Tide tables. ".repeat(*times)),
            )
        })
        .collect();
    desk.add(&files).await;
    let before = desk.search("tide tables", SearchMode::Hybrid).await;
    assert_eq!(before.results.len(), 3);
    let view = desk.engine.set_reranker(behind(&server)).await.expect("set up");
    assert_eq!(view.reranker.name.as_deref(), Some("ranker"));
    assert_eq!(desk.engine.status().models.reranker.as_deref(), Some("ranker"));
    let probes = server.requests().len();
    for mode in [SearchMode::Hybrid, SearchMode::Vector, SearchMode::Fts] {
        let found = desk.search("tide tables", mode).await;
        let ranking: Vec<(f32, bool)> = found
            .results
            .iter()
            .map(|result| (result.score, result.text.contains("third")))
            .collect();
        assert_eq!(ranking, [(4.5, true), (1.5, false), (-2.25, false)], "{mode:?}");
    }
    assert_eq!(server.requests().len(), probes + 3);
    let (answer, _) = desk.ask("Which tide tables are there?", Strategy::Quotes).await;
    assert!(!answer.citations.is_empty(), "{answer:?}");
    desk.search("  ", SearchMode::Hybrid).await;
    assert_eq!(server.requests().len(), probes + 4, "a blank query asks nobody");

    // One that cannot run is an error, not an order without it.
    drop(server);
    let error = desk
        .engine
        .search(query("tide tables", SearchMode::Fts, &[]))
        .await
        .expect_err("it is set up and cannot run");
    assert_eq!(error.code.as_str(), "model_unreachable");
    desk.engine
        .set_reranker(RerankerSettings::default())
        .await
        .expect("taken away");
    assert_eq!(
        desk.search("tide tables", SearchMode::Hybrid).await.results,
        before.results
    );
    desk.engine.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cross_encoder_in_a_file_ranks_what_was_found() {
    let desk = Desk::new().await;
    // It adds up ids of words: "tax" counts 20, "whale" 10, any other word 2.
    let model = desk.file("models/ranker.onnx", cross_encoder::graph(true, false));
    desk.file("models/tokenizer.json", cross_encoder::tokenizer().to_string());
    let one = desk.file("one.txt", "whale");
    let two = desk.file("two.txt", "whale tax");
    desk.add(&[one, two]).await;
    let wanted = RerankerSettings {
        model_file: Some(model.to_string_lossy().into_owned()),
        ..RerankerSettings::default()
    };
    // The answer is the longer of the two texts that a reranker is looked at with.
    let report = desk.engine.probe_reranker(wanted.clone()).await.expect("looked");
    let kinds: Vec<_> = report
        .checks
        .iter()
        .map(|check| (check.kind.as_str(), check.is_well))
        .collect();
    assert_eq!(
        kinds,
        [("reachable", Some(true)), ("ranking", Some(true))],
        "{report:?}"
    );
    desk.engine.set_reranker(wanted).await.expect("set up");
    let found = desk.search("whale", SearchMode::Fts).await;
    let ranking: Vec<(&str, f32)> = found
        .results
        .iter()
        .map(|result| (result.text.as_str(), result.score))
        .collect();
    assert_eq!(ranking, [("whale tax", 30.0), ("whale", 10.0)]);

    let missing = RerankerSettings {
        model_file: Some("/nowhere/ranker.onnx".into()),
        ..RerankerSettings::default()
    };
    let error = desk.engine.set_reranker(missing).await.expect_err("is not there");
    assert!(error.message.contains("/nowhere"), "{}", error.message);
    assert_eq!(
        desk.search("whale", SearchMode::Fts).await.results,
        found.results,
        "nothing was changed"
    );
    desk.engine.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_step_asks_the_model_that_is_set_up_for_it_and_the_rest_the_chat_model() {
    let server = ScriptedModel::responding(|request, _| {
        if request.prompt().contains("Outline of one document") {
            return ScriptedReply::text("{\"relevant\": [1, 2, 3, 4, 5, 6], \"confidence\": 0.9}");
        }
        ScriptedReply::text("The highest tide reached 4.87 metres [1].")
    });
    let desk = Desk::new().await;
    desk.add(&[harbour_report()]).await;
    let chat = ChatModelSettings {
        base_url: Some(server.base_url()),
        name: Some("scripted".into()),
        ..ChatModelSettings::default()
    };
    let small = ChatModelSettings {
        name: Some("small".into()),
        ..ChatModelSettings::default()
    };
    desk.engine.set_chat_model(chat).await.expect("set up");
    let view = desk
        .engine
        .set_stage_model(Stage::Navigate, small)
        .await
        .expect("set up");
    assert_eq!(view.stages.navigate.name.as_deref(), Some("small"));
    let (answer, _) = desk.ask(QUESTION, Strategy::Outline).await;
    assert!(!answer.citations.is_empty(), "{:?}", answer.error);
    let asked = |server: &ScriptedModel| -> Vec<String> {
        server
            .requests()
            .iter()
            .filter(|request| request.body["messages"].is_array())
            .map(|request| request.body["model"].as_str().unwrap_or_default().to_owned())
            .collect()
    };
    assert_eq!(asked(&server), ["small", "scripted"]);
    let id = answer.answer_id.expect("stored");
    let trace = desk.engine.trace(&id).await.expect("kept");
    assert_eq!(
        (trace.calls[0].model.as_str(), trace.calls[1].model.as_str()),
        ("small", "scripted")
    );
    let replayed = desk.engine.replay(&id).await.expect("made again");
    assert_eq!(replayed.differing, Vec::<String>::new(), "byte for byte");
    assert_eq!(asked(&server).len(), 2, "no model was asked again");

    // Who names a model for a question means it for all of the question.
    let mut request = asking(QUESTION, Strategy::Outline);
    request.model = Some("other".into());
    let named = desk.engine.ask(request, CancellationToken::new(), &mut |_| {}).await;
    named.expect("asked");
    assert_eq!(asked(&server)[2..], ["other", "other"]);
    desk.engine.shutdown().await;
}
