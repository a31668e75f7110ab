//! Candidates of a search ranked once more by a model that reads each together with the question.

use crate::search::Hit;
use recto_core::{Error, Reranker, Result};

/// Candidates for each passage asked for.
pub(crate) const CANDIDATES: usize = 10;

/// `hits` in the order of the reranker, with its raw scores; those it finds equally good stay in their order. Hits without
/// any text are left out: there is nothing to judge them by.
///
/// # Errors
/// The reranker's own: one that is set up and cannot run is never left out silently.
pub(crate) async fn rerank(reranker: &dyn Reranker, query: &str, mut hits: Vec<Hit>) -> Result<Vec<Hit>> {
    hits.retain(|hit| !hit.chunk.content.trim().is_empty());
    if hits.is_empty() {
        return Ok(hits);
    }
    let texts: Vec<String> = hits.iter().map(text).collect();
    let scores = reranker.rank(query, &texts).await?;
    if scores.len() != hits.len() {
        return Err(Error::internal(format!(
            "The reranker {} gave {} scores for {} texts.",
            reranker.name(),
            scores.len(),
            hits.len()
        )));
    }
    for (hit, score) in hits.iter_mut().zip(scores) {
        hit.score = score;
    }
    hits.sort_by(|a, b| b.score.total_cmp(&a.score));
    Ok(hits)
}

/// What is judged: the chunk under its headings.
fn text(hit: &Hit) -> String {
    let headings = hit.chunk.metadata.headings.join(" > ");
    if headings.is_empty() {
        hit.chunk.content.clone()
    } else {
        format!("{headings}\n{}", hit.chunk.content)
    }
}
