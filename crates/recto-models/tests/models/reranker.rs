//! Rerankers: behind a server, and as a file.

use crate::embedder::assets;
use crate::formats::{KEY, patient};
use recto_core::{ErrorCode, Reranker};
use recto_models::{ApiKey, CrossEncoder, RerankerSettings, RetryPolicy, open_reranker};
use recto_testkit::{ScriptedResponse, ScriptedServer};
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

/// A cross-encoder of a few nodes, written down byte by byte: the score is the sum of the ids of the text's tokens.
mod graph {
    fn varint(mut number: u64, to: &mut Vec<u8>) {
        while number >= 0x80 {
            to.push((number as u8 & 0x7f) | 0x80);
            number >>= 7;
        }
        to.push(number as u8);
    }

    fn number(field: u64, value: u64) -> Vec<u8> {
        let mut bytes = Vec::new();
        varint(field << 3, &mut bytes);
        varint(value, &mut bytes);
        bytes
    }

    fn part(field: u64, content: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        varint(field << 3 | 2, &mut bytes);
        varint(content.len() as u64, &mut bytes);
        bytes.extend_from_slice(content);
        bytes
    }

    fn node(operator: &str, inputs: &[&str], output: &str, attribute: Option<(&str, u64)>) -> Vec<u8> {
        let mut node: Vec<u8> = inputs.iter().flat_map(|input| part(1, input.as_bytes())).collect();
        node.extend(part(2, output.as_bytes()));
        node.extend(part(4, operator.as_bytes()));
        if let Some((name, value)) = attribute {
            let attribute = [part(1, name.as_bytes()), number(3, value), number(20, 2)].concat();
            node.extend(part(5, &attribute));
        }
        part(1, &node)
    }

    /// A value of shape 1 × n.
    fn value(field: u64, name: &str, kind: u64) -> Vec<u8> {
        let shape = [part(1, &number(1, 1)), part(1, &part(2, b"n"))].concat();
        let tensor = [number(1, kind), part(2, &shape)].concat();
        part(field, &[part(1, name.as_bytes()), part(2, &part(1, &tensor))].concat())
    }

    pub(super) fn model(has_types: bool, has_two_scores: bool) -> Vec<u8> {
        const FLOAT: u64 = 1;
        const INTEGER: u64 = 7;
        let mut graph = node("Cast", &["input_ids"], "ids", Some(("to", FLOAT)));
        graph.extend(node("Cast", &["attention_mask"], "mask", Some(("to", FLOAT))));
        graph.extend(node("Mul", &["ids", "mask"], "seen", None));
        let summed = if has_types {
            graph.extend(node("Cast", &["token_type_ids"], "types", Some(("to", FLOAT))));
            graph.extend(node("Mul", &["seen", "types"], "second", None));
            "second"
        } else {
            "seen"
        };
        if has_two_scores {
            graph.extend(node("ReduceSum", &[summed], "sum", None));
            graph.extend(node("Neg", &["sum"], "no", None));
            graph.extend(node("Concat", &["no", "sum"], "logits", Some(("axis", 1))));
        } else {
            graph.extend(node("ReduceSum", &[summed], "logits", None));
        }
        graph.extend(part(2, b"scores"));
        graph.extend(value(11, "input_ids", INTEGER));
        graph.extend(value(11, "attention_mask", INTEGER));
        if has_types {
            graph.extend(value(11, "token_type_ids", INTEGER));
        }
        graph.extend(value(12, "logits", FLOAT));
        let operators = [part(1, b""), number(2, 13)].concat();
        [number(1, 8), part(7, &graph), part(8, &operators)].concat()
    }
}

fn tokenizer() -> Value {
    let special = |id: &str, kind: u32| json!({"SpecialToken": {"id": id, "type_id": kind}});
    let sequence = |id: &str, kind: u32| json!({"Sequence": {"id": id, "type_id": kind}});
    let token = |id: &str, number: u32| json!({"id": id, "ids": [number], "tokens": [id]});
    json!({
        "version": "1.0", "truncation": null, "padding": null, "added_tokens": [], "normalizer": null, "decoder": null,
        "pre_tokenizer": {"type": "Whitespace"},
        "post_processor": {"type": "TemplateProcessing",
            "single": [special("[CLS]", 0), sequence("A", 0)],
            "pair": [special("[CLS]", 0), sequence("A", 0), special("[SEP]", 0), sequence("B", 1)],
            "special_tokens": {"[CLS]": token("[CLS]", 0), "[SEP]": token("[SEP]", 1)}},
        "model": {"type": "WordLevel", "unk_token": "[UNK]",
            "vocab": {"[CLS]": 0, "[SEP]": 1, "[UNK]": 2, "whale": 10, "tax": 20}}
    })
}

fn files(folder: &tempfile::TempDir, model: &[u8]) -> (PathBuf, PathBuf) {
    let paths = (
        folder.path().join("small-ranker.onnx"),
        folder.path().join("tokenizer.json"),
    );
    std::fs::write(&paths.0, model).expect("writes");
    std::fs::write(&paths.1, tokenizer().to_string()).expect("writes");
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
    let (model, tokenizer) = files(&folder, &graph::model(true, false));
    let ranker = CrossEncoder::new(&model, &tokenizer, assets());
    assert_eq!(ranker.name(), "small-ranker");
    assert_eq!(
        ranker.rank("whale", &texts).await.expect("ranks"),
        [30.0, 0.0, 2.0, long]
    );

    std::fs::write(&model, graph::model(true, true)).expect("writes");
    let ranker = CrossEncoder::new(&model, &tokenizer, assets());
    let scores = ranker.rank("whale", &texts[..1]).await.expect("ranks");
    assert_eq!(scores, [60.0], "of two scores, how much more is for yes");

    std::fs::write(&model, graph::model(false, false)).expect("writes");
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
