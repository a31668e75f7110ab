//! Rerankers: behind a server, and as a file.

use crate::embedder::assets;
use crate::formats::{KEY, patient};
use recto_core::{ErrorCode, Reranker};
use recto_models::{ApiKey, CrossEncoder, RerankerSettings, RetryPolicy, open_reranker};
use recto_testkit::{ScriptedResponse, ScriptedServer, cross_encoder};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn open(server: &ScriptedServer) -> Arc<dyn Reranker> {
    let settings = RerankerSettings {
        base_url: format!("{}/v1", server.url()),
        model: "ranker".into(),
        key: Some(ApiKey::new(KEY.into())),
        deadlines: patient(),
        retries: RetryPolicy::never(),
    };
    open_reranker(&settings).expect("is set up")
}

#[tokio::test]
async fn scores_come_raw_and_in_the_order_of_the_texts_over_several_batches() {
    let server = ScriptedServer::responding(|request, _| {
        let documents = request.body["documents"].as_array().expect("has texts");
        let mut results: Vec<Value> = documents
            .iter()
            .enumerate()
            .map(|(index, text)| json!({"index": index, "relevance_score": text.as_str().expect("is one").len() as f64 - 20.0}))
            .collect();
        // Best first, as servers send them.
        results.sort_by(|a, b| {
            b["relevance_score"]
                .as_f64()
                .partial_cmp(&a["relevance_score"].as_f64())
                .expect("numbers")
        });
        ScriptedResponse::json(200, &json!({ "results": results }))
    });
    let texts: Vec<String> = (0..70).map(|n| "x".repeat((n * 7) % 50)).collect();
    let reranker = open(&server);
    let scores = reranker.rank("Why?", &texts).await.expect("ranks");
    let expected: Vec<f32> = texts.iter().map(|text| text.len() as f32 - 20.0).collect();
    assert_eq!(scores, expected);
    let requests = server.requests();
    assert_eq!(requests.len(), 3);
    assert_eq!(requests[0].path, "/v1/rerank");
    assert_eq!(
        requests[0].header("authorization"),
        Some(format!("Bearer {KEY}").as_str())
    );
    assert_eq!(
        (
            &requests[2].body["model"],
            &requests[2].body["query"],
            &requests[2].body["top_n"]
        ),
        (&json!("ranker"), &json!("Why?"), &json!(6))
    );
    assert_eq!(reranker.rank("Why?", &[]).await, Ok(Vec::new()));
    assert_eq!(reranker.name(), "ranker");
}

#[tokio::test]
async fn a_server_that_leaves_texts_out_is_no_reranker() {
    let server = ScriptedServer::replying(vec![
        ScriptedResponse::json(200, &json!({"results": [{"index": 0, "relevance_score": 1}]})),
        ScriptedResponse::json(401, &json!({"error": KEY})),
    ]);
    let reranker = open(&server);
    for expected in ["one score for each text", "rejected the key"] {
        let error = reranker
            .rank("Why?", &["a".into(), "b".into()])
            .await
            .expect_err("fails");
        assert_eq!(error.code, ErrorCode::ModelRejected);
        assert!(
            error.message.contains(expected) && !error.message.contains(KEY),
            "{error}"
        );
    }
}

fn files(folder: &tempfile::TempDir, model: &[u8]) -> (PathBuf, PathBuf) {
    let paths = (
        folder.path().join("small-ranker.onnx"),
        folder.path().join("tokenizer.json"),
    );
    std::fs::write(&paths.0, model).expect("writes");
    std::fs::write(&paths.1, cross_encoder::tokenizer().to_string()).expect("writes");
    paths
}

#[tokio::test]
async fn a_cross_encoder_in_a_file_scores_each_text_with_the_query() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let texts = [
        "whale tax".to_owned(),
        String::new(),
        "unknown".to_owned(),
        "tax ".repeat(2000),
    ];
    // A text that is too long loses its end: 512 tokens less two special ones and the query's.
    let long = (512 - 3) as f32 * 20.0;
    let (model, tokenizer) = files(&folder, &cross_encoder::graph(true, false));
    let ranker = CrossEncoder::new(&model, &tokenizer, assets());
    assert_eq!(ranker.name(), "small-ranker");
    assert_eq!(
        ranker.rank("whale", &texts).await.expect("ranks"),
        [30.0, 0.0, 2.0, long]
    );

    std::fs::write(&model, cross_encoder::graph(true, true)).expect("writes");
    let ranker = CrossEncoder::new(&model, &tokenizer, assets());
    let scores = ranker.rank("whale", &texts[..1]).await.expect("ranks");
    assert_eq!(scores, [60.0], "of two scores, how much more is for yes");

    std::fs::write(&model, cross_encoder::graph(false, false)).expect("writes");
    let ranker = CrossEncoder::new(&model, &tokenizer, assets());
    let scores = ranker.rank("whale", &texts[..1]).await.expect("ranks");
    assert_eq!(scores, [41.0], "a graph without token types: query, separator and text");
    let scores = ranker.rank(&"whale ".repeat(2000), &texts[..1]).await.expect("ranks");
    assert!(scores[0] > 0.0, "a query without an end is cut itself");
}

#[tokio::test]
async fn a_file_that_is_no_cross_encoder_is_named() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let (model, tokenizer) = files(&folder, b"no graph");
    let error = CrossEncoder::new(&model, &tokenizer, assets())
        .load()
        .await
        .expect_err("is none");
    assert_eq!(error.code, ErrorCode::InvalidArgument);
    assert!(error.message.contains("small-ranker.onnx"), "{error}");
    let absent = CrossEncoder::new(&model, Path::new("/nowhere/tokenizer.json"), assets());
    let error = absent.rank("a", &["b".into()]).await.expect_err("is not there");
    assert!(error.message.contains("/nowhere/tokenizer.json"), "{error}");
}
