//! Rerankers behind `/rerank`, as Cohere made it: Jina, vLLM, llama.cpp and others.

use crate::chat::{Pace, RealPace, RetryPolicy, repeat};
use crate::key::ApiKey;
use crate::server::{Deadlines, KeyHeader, Server};
use async_trait::async_trait;
use recto_core::{Error, ErrorCode, Reranker, Result};
use serde_json::{Value, json};
use std::sync::Arc;

/// Texts of one request. Each text is scored by itself, so that batches do not change scores.
const BATCH: usize = 32;

/// A model reached through `POST {base_url}/rerank`.
pub struct HttpReranker {
    server: Server,
    model: String,
    policy: RetryPolicy,
    pace: Arc<dyn Pace>,
}

impl HttpReranker {
    /// A client for `model` at `base_url`, which ends before `/rerank`: `https://api.cohere.com/v2`,
    /// `https://api.jina.ai/v1`, `http://localhost:8000/v1`. Nothing is sent yet.
    ///
    /// # Errors
    /// `invalid_argument` when the address is none.
    pub fn new(
        base_url: &str,
        model: &str,
        key: Option<ApiKey>,
        deadlines: Deadlines,
        policy: RetryPolicy,
    ) -> Result<Self> {
        Ok(Self {
            server: Server::new(base_url, "http://localhost:8000/v1", key, KeyHeader::Bearer, deadlines)?,
            model: model.to_owned(),
            policy,
            pace: Arc::new(RealPace),
        })
    }

    /// The host that texts are sent to, or `None` when that is this machine.
    #[must_use]
    pub fn remote_host(&self) -> Option<String> {
        self.server.remote_host()
    }

    async fn rank_batch(&self, query: &str, texts: &[String]) -> Result<Vec<f32>> {
        let body = json!({"model": self.model, "query": query, "documents": texts, "top_n": texts.len()});
        let ask = || async {
            let answer = self.server.post("rerank", &body).await;
            answer.map_err(|failure| self.server.error(failure, &self.model))
        };
        let answer = repeat(&self.policy, &*self.pace, ask).await?;
        scores(&answer, texts.len()).ok_or_else(|| {
            Error::new(
                ErrorCode::ModelRejected,
                format!(
                    "What the model {} at {} gives is not one score for each text. Is it a reranker?",
                    self.model,
                    self.server.place()
                ),
            )
        })
    }
}

#[async_trait]
impl Reranker for HttpReranker {
    fn name(&self) -> &str {
        &self.model
    }

    async fn rank(&self, query: &str, texts: &[String]) -> Result<Vec<f32>> {
        let mut scores = Vec::with_capacity(texts.len());
        for batch in texts.chunks(BATCH) {
            scores.extend(self.rank_batch(query, batch).await?);
        }
        Ok(scores)
    }
}

/// The scores in the order of the texts; `None` unless there is exactly one for each. They come best first.
fn scores(answer: &Value, count: usize) -> Option<Vec<f32>> {
    let results = [answer, &answer["results"], &answer["data"]]
        .into_iter()
        .find_map(Value::as_array)?;
    let mut scores = vec![None; count];
    for result in results {
        let score = result["relevance_score"].as_f64().or(result["score"].as_f64())? as f32;
        let place = scores.get_mut(usize::try_from(result["index"].as_u64()?).ok()?)?;
        if place.replace(score).is_some() {
            return None;
        }
    }
    scores.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_put_in_the_order_of_the_texts() {
        let cohere = json!({"results": [{"index": 1, "relevance_score": 0.9}, {"index": 0, "relevance_score": -4.5}]});
        assert_eq!(scores(&cohere, 2), Some(vec![-4.5, 0.9]));
        let inference = json!([{"index": 0, "score": 2}, {"index": 1, "score": 1}]);
        assert_eq!(scores(&inference, 2), Some(vec![2.0, 1.0]));
        for wrong in [
            json!({"results": [{"index": 0, "score": 1}]}),
            json!({"results": [{"index": 0, "score": 1}, {"index": 0, "score": 1}]}),
            json!({"results": [{"index": 0, "score": 1}, {"index": 2, "score": 1}]}),
            json!({"results": [{"index": 0}, {"index": 1, "score": null}]}),
            json!({"error": "x"}),
        ] {
            assert_eq!(scores(&wrong, 2), None, "{wrong}");
        }
    }
}
