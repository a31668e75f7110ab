//! A server of embeddings: Ollama's interface and OpenAI's, with vectors that say which words texts share.

use crate::FakeEmbedder;
use crate::server::{RecordedRequest, ScriptedResponse, ScriptedServer};
use serde_json::{Value, json};

/// A server that embeds whatever it is sent into vectors of this length.
#[must_use]
pub fn embedding_server(dimension: u32) -> ScriptedServer {
    ScriptedServer::responding(move |request, _| embed(request, dimension, usize::MAX))
}

/// The response to one request: the vectors of at most the first `most` texts, in the format it was asked in.
#[must_use]
pub fn embed(request: &RecordedRequest, dimension: u32, most: usize) -> ScriptedResponse {
    let embedder = FakeEmbedder::new(dimension);
    let texts = request.body["input"].as_array().map(Vec::as_slice).unwrap_or_default();
    let vectors = texts
        .iter()
        .take(most)
        .map(|text| embedder.vector(text.as_str().unwrap_or_default()));
    match request.path.as_str() {
        "/api/embed" => {
            let vectors: Vec<Vec<f32>> = vectors.collect();
            ScriptedResponse::json(200, &json!({ "embeddings": vectors }))
        }
        "/v1/embeddings" => {
            let data: Vec<Value> = (0..)
                .zip(vectors)
                .map(|(index, vector): (u32, _)| json!({"index": index, "embedding": vector}))
                .collect();
            ScriptedResponse::json(200, &json!({ "data": data }))
        }
        _ => ScriptedResponse::json(404, &json!({"error": {"message": "no such path"}})),
    }
}
