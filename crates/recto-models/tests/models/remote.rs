//! Embedding models behind servers.

use crate::formats::{KEY, patient};
use recto_core::{Embedder, ErrorCode};
use recto_models::{ApiKey, EmbedderSettings, Provider, RetryPolicy, open_embedder};
use recto_testkit::{RecordedRequest, ScriptedResponse, ScriptedServer};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

/// The vector of a text is its length and its first character; OpenAI's format comes in reverse order.
fn embedding(request: &RecordedRequest) -> ScriptedResponse {
    let input = request.body["input"].as_array().expect("has texts");
    let vector = |text: &Value| {
        let text = text.as_str().expect("is a text");
        json!([text.len(), text.chars().next().map_or(0, u32::from), 0.5])
    };
    let body = if request.path == "/api/embed" {
        json!({"embeddings": input.iter().map(vector).collect::<Vec<_>>()})
    } else {
        let entries = input.iter().enumerate().rev();
        let entry = |(index, text)| json!({"object": "embedding", "index": index, "embedding": vector(text)});
        json!({"data": entries.map(entry).collect::<Vec<_>>()})
    };
    ScriptedResponse::json(200, &body)
}

fn settings(provider: Provider, server: &ScriptedServer, dimension: Option<u32>) -> EmbedderSettings {
    let path = if provider == Provider::Ollama { "" } else { "/v1" };
    EmbedderSettings {
        base_url: Some(format!("{}{path}", server.url())),
        key: Some(ApiKey::new(KEY.into())),
        dimension,
        deadlines: patient(),
        retries: RetryPolicy::never(),
        ..EmbedderSettings::new(provider, "scripted")
    }
}

async fn open(provider: Provider, server: &ScriptedServer, dimension: Option<u32>) -> Arc<dyn Embedder> {
    open_embedder(&settings(provider, server, dimension))
        .await
        .expect("is set up")
}

const EMBEDDERS: [Provider; 3] = [Provider::Ollama, Provider::OpenAiCompatible, Provider::OpenAi];

#[tokio::test]
async fn vectors_come_in_order_at_length_one_over_several_batches() {
    for provider in EMBEDDERS {
        let server = ScriptedServer::responding(|request, _| embedding(request));
        let embedder = open(provider, &server, None).await;
        assert_eq!(embedder.info().dimension, 3, "found out by asking");
        assert_eq!(embedder.info().provider, provider.as_str());
        let mut texts: Vec<String> = (0..70).map(|n| "x".repeat(n + 1)).collect();
        texts[40] = String::new();
        let vectors = embedder.embed(&texts).await.expect("embeds");
        assert_eq!(vectors.len(), 70);
        for (n, vector) in vectors.iter().enumerate().filter(|(n, _)| *n != 40) {
            let length: f32 = vector.iter().map(|x| x * x).sum();
            assert!((length - 1.0).abs() < 1e-5, "{provider}: {length}");
            let ratio = vector[0] / vector[1] * 120.0;
            assert!(
                (ratio - (n as f32 + 1.0)).abs() < 1e-2,
                "{provider}: text {n} has the vector of {ratio}"
            );
        }
        let requests = server.requests();
        assert_eq!(requests.len(), 4, "one to learn the dimension, three batches");
        assert_eq!(
            requests[1].header("authorization"),
            Some(format!("Bearer {KEY}").as_str())
        );
        assert_eq!(embedder.embed(&[]).await, Ok(Vec::new()));
    }
}

#[tokio::test]
async fn vectors_of_another_length_or_number_are_refused() {
    for provider in EMBEDDERS {
        let server = ScriptedServer::responding(|request, _| embedding(request));
        let error = open(provider, &server, Some(4))
            .await
            .embed(&["a".into()])
            .await
            .expect_err("refuses");
        assert_eq!(error.code, ErrorCode::EmbedderMismatch, "{provider}");
        assert!(error.message.contains("3 numbers where 4"), "{error}");

        let one = json!({"embeddings": [[1, 2]], "data": [{"index": 0, "embedding": [1, 2]}]});
        let short = ScriptedServer::responding(move |_, _| ScriptedResponse::json(200, &one));
        let embedder = open(provider, &short, Some(2)).await;
        let error = embedder.embed(&["a".into(), "b".into()]).await.expect_err("refuses");
        assert!(error.message.contains("1 vectors for 2 texts"), "{provider}: {error}");

        let zero = json!({"embeddings": [[0, 0]], "data": [{"index": 0, "embedding": [0, 0]}]});
        let zeros = ScriptedServer::responding(move |_, _| ScriptedResponse::json(200, &zero));
        let error = open(provider, &zeros, Some(2))
            .await
            .embed(&["a".into()])
            .await
            .expect_err("refuses");
        assert_eq!(error.code, ErrorCode::ModelRejected, "{provider}");
    }
}

#[tokio::test]
async fn a_busy_server_is_asked_again() {
    for provider in EMBEDDERS {
        let server = ScriptedServer::responding(|request, index| match index {
            0 => ScriptedResponse::json(429, &json!({"error": KEY})),
            _ => embedding(request),
        });
        let mut settings = settings(provider, &server, Some(3));
        let error = {
            let once = open_embedder(&settings).await.expect("is set up");
            once.embed(&["a".into()]).await.expect_err("is busy")
        };
        assert!(error.retryable && !format!("{error:?}").contains(KEY));
        settings.retries = RetryPolicy {
            first_wait: Duration::from_millis(1),
            ..RetryPolicy::default()
        };
        let server = ScriptedServer::responding(|request, index| match index {
            0 | 1 => ScriptedResponse::raw(503, ""),
            _ => embedding(request),
        });
        settings.base_url = self::settings(provider, &server, None).base_url;
        let embedder = open_embedder(&settings).await.expect("is set up");
        assert_eq!(
            embedder.embed(&["a".into()]).await.expect("embeds").len(),
            1,
            "{provider}"
        );
        assert_eq!(server.requests().len(), 3);
    }
}

#[tokio::test]
async fn providers_without_embeddings_say_so() {
    for provider in [Provider::Anthropic, Provider::Gemini] {
        let error = open_embedder(&EmbedderSettings::new(provider, "m"))
            .await
            .err()
            .expect("has none");
        assert_eq!(error.code, ErrorCode::InvalidArgument);
    }
}
