//! Embedding models behind Ollama and behind servers that speak OpenAI's format.

use crate::chat::{Pace, RealPace, RetryPolicy, repeat};
use crate::server::Server;
use async_trait::async_trait;
use recto_core::{Embedder, EmbedderInfo, Error, ErrorCode, Result};
use serde_json::{Value, json};
use std::sync::Arc;

/// Texts of one request. Some servers take no more.
const BATCH: usize = 32;

/// The format of requests for vectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EmbeddingWire {
    /// Ollama's `/api/embed`.
    Ollama,
    /// `/embeddings`.
    OpenAi,
}

/// An embedding model reached over HTTP.
pub struct HttpEmbedder {
    server: Server,
    wire: EmbeddingWire,
    info: EmbedderInfo,
    policy: RetryPolicy,
    pace: Arc<dyn Pace>,
}

impl HttpEmbedder {
    pub(crate) fn new(server: Server, wire: EmbeddingWire, info: EmbedderInfo, policy: RetryPolicy) -> Self {
        Self {
            server,
            wire,
            info,
            policy,
            pace: Arc::new(RealPace),
        }
    }

    /// The host that texts are sent to, or `None` when that is this machine.
    #[must_use]
    pub fn remote_host(&self) -> Option<String> {
        self.server.remote_host()
    }

    async fn embed_batch(&self, texts: &[String]) -> Result<Vec<Vec<f32>>> {
        let ask = || request(&self.server, self.wire, &self.info.name, texts);
        let vectors = repeat(&self.policy, &*self.pace, ask).await?;
        let expected = self.info.dimension as usize;
        if let Some(other) = vectors.iter().find(|vector| vector.len() != expected) {
            return Err(Error::new(
                ErrorCode::EmbedderMismatch,
                format!(
                    "The model {} at {} gives vectors of {} numbers where {expected} are expected. Set up the collection's own embedding model again.",
                    self.info.name,
                    self.server.place(),
                    other.len()
                ),
            ));
        }
        vectors
            .into_iter()
            .map(|vector| normalised(vector).ok_or_else(|| unusable(&self.server, &self.info.name)))
            .collect()
    }
}

#[async_trait]
impl Embedder for HttpEmbedder {
    fn info(&self) -> &EmbedderInfo {
        &self.info
    }

    async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>> {
        let mut vectors = Vec::with_capacity(texts.len());
        for batch in texts.chunks(BATCH) {
            vectors.extend(self.embed_batch(batch).await?);
        }
        Ok(vectors)
    }
}

/// The length of a model's vectors, found by embedding a word.
pub(crate) async fn dimension(server: &Server, wire: EmbeddingWire, model: &str) -> Result<u32> {
    let vectors = request(server, wire, model, &["word".to_owned()]).await?;
    vectors
        .first()
        .and_then(|vector| u32::try_from(vector.len()).ok())
        .filter(|&length| length > 0)
        .ok_or_else(|| unusable(server, model))
}

/// The vectors of `texts` in order, as many as there are texts.
async fn request(server: &Server, wire: EmbeddingWire, model: &str, texts: &[String]) -> Result<Vec<Vec<f32>>> {
    // An empty text is refused by some.
    let input: Vec<&str> = texts
        .iter()
        .map(|text| if text.is_empty() { " " } else { text.as_str() })
        .collect();
    let (path, body) = match wire {
        EmbeddingWire::Ollama => ("api/embed", json!({"model": model, "input": input, "truncate": true})),
        EmbeddingWire::OpenAi => (
            "embeddings",
            json!({"model": model, "input": input, "encoding_format": "float"}),
        ),
    };
    let answer = server
        .post(path, &body)
        .await
        .map_err(|failure| server.error(failure, model))?;
    let vectors = match wire {
        EmbeddingWire::Ollama => answer["embeddings"]
            .as_array()
            .and_then(|vectors| vectors.iter().map(numbers).collect::<Option<Vec<_>>>()),
        EmbeddingWire::OpenAi => by_index(&answer["data"], texts.len()),
    };
    let Some(vectors) = vectors else {
        return Err(server.foreign());
    };
    if vectors.len() == texts.len() {
        return Ok(vectors);
    }
    Err(Error::new(
        ErrorCode::ModelRejected,
        format!(
            "The model {model} at {} gave {} vectors for {} texts.",
            server.place(),
            vectors.len(),
            texts.len()
        ),
    ))
}

/// Entries in the order of their indices: servers may answer in another. Without indices the order is that of the
/// texts. `None` when an entry is none, or an index is missing or out of range or comes twice.
fn by_index(entries: &Value, count: usize) -> Option<Vec<Vec<f32>>> {
    let entries = entries.as_array()?;
    if entries.len() != count || entries.iter().all(|entry| entry["index"].is_null()) {
        return entries.iter().map(|entry| numbers(&entry["embedding"])).collect();
    }
    let mut ordered: Vec<Option<Vec<f32>>> = vec![None; count];
    for entry in entries {
        let place = ordered.get_mut(usize::try_from(entry["index"].as_u64()?).ok()?)?;
        if place.replace(numbers(&entry["embedding"])?).is_some() {
            return None;
        }
    }
    ordered.into_iter().collect()
}

fn numbers(vector: &Value) -> Option<Vec<f32>> {
    let number = |value: &Value| value.as_f64().map(|number| number as f32);
    vector.as_array()?.iter().map(number).collect()
}

/// The vector at length 1; `None` when it has no direction.
fn normalised(mut vector: Vec<f32>) -> Option<Vec<f32>> {
    let length = vector.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>().sqrt();
    if !length.is_finite() || length <= f64::from(f32::MIN_POSITIVE) {
        return None;
    }
    vector.iter_mut().for_each(|x| *x = (f64::from(*x) / length) as f32);
    Some(vector)
}

fn unusable(server: &Server, model: &str) -> Error {
    Error::new(
        ErrorCode::ModelRejected,
        format!(
            "What the model {model} at {} gives is no vector. Is it an embedding model?",
            server.place()
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_are_put_in_the_order_of_the_texts() {
        let entry = |index: u64, x: f32| json!({"index": index, "embedding": [x]});
        let of = |entries: Value| by_index(&entries, 2);
        assert_eq!(
            of(json!([entry(1, 0.5), entry(0, 2.0)])),
            Some(vec![vec![2.0], vec![0.5]])
        );
        assert_eq!(
            of(json!([{"embedding": [1]}, {"embedding": [2]}])),
            Some(vec![vec![1.0], vec![2.0]])
        );
        for wrong in [
            json!([entry(0, 1.0), entry(0, 1.0)]),
            json!([entry(0, 1.0), entry(2, 1.0)]),
            json!([entry(0, 1.0), {"embedding": [1]}]),
            json!([entry(0, 1.0), {"index": 1, "embedding": ["x"]}]),
            json!({}),
        ] {
            assert_eq!(of(wrong.clone()), None, "{wrong}");
        }
        assert_eq!(
            of(json!([entry(0, 1.0)])).map(|vectors| vectors.len()),
            Some(1),
            "counted by the caller"
        );
    }

    #[test]
    fn a_vector_without_direction_is_none() {
        assert_eq!(normalised(vec![3.0, 4.0]), Some(vec![0.6, 0.8]));
        for wrong in [vec![], vec![0.0, 0.0], vec![f32::NAN, 1.0], vec![f32::INFINITY]] {
            assert_eq!(normalised(wrong), None);
        }
    }
}
