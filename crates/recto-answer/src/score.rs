//! How well a sentence or row bears on a question or a claim.

use crate::units::Unit;
use recto_core::{Embedder, Error, Result};
use recto_retrieval::FoundPassage;
use std::collections::BTreeMap;

/// Most units compared by meaning; the others keep their likeness in words.
const EMBEDDED: usize = 32;
/// What a term over a unit counts beside one in it.
const CONTEXT_WEIGHT: f32 = 0.5;

/// Terms with their weight: rare ones say more.
pub(crate) struct Weighted {
    terms: BTreeMap<String, f32>,
    total: f32,
}

impl Weighted {
    /// Weighs `terms` by how few of `units` hold them, or stand under them: `ln(1 + (N − n + ½) / (n + ½))`. The name of
    /// the company that a whole report is about says little within it, though few sentences repeat it.
    pub(crate) fn new(terms: Vec<String>, units: &[Unit]) -> Self {
        let count = |n: usize| f32::from(u16::try_from(n).unwrap_or(u16::MAX));
        let all = count(units.len());
        let terms: BTreeMap<String, f32> = terms
            .into_iter()
            .map(|term| {
                let holds = |unit: &&Unit| unit.terms.contains(&term) || unit.context.contains(&term);
                let holding = count(units.iter().filter(holds).count());
                let weight = (1.0 + (all - holding + 0.5) / (holding + 0.5)).ln();
                (term, weight)
            })
            .collect();
        let total = terms.values().sum();
        Self { terms, total }
    }

    /// The share of the weight that a unit holds, terms over it counting half: 0 to 1.
    pub(crate) fn coverage(&self, unit: &Unit) -> f32 {
        if self.total <= 0.0 {
            return 0.0;
        }
        let held: f32 = self
            .terms
            .iter()
            .map(|(term, weight)| {
                if unit.terms.contains(term) {
                    *weight
                } else if unit.context.contains(term) {
                    *weight * CONTEXT_WEIGHT
                } else {
                    0.0
                }
            })
            .sum();
        held / self.total
    }

    /// The share of the weight that stands anywhere in or over the units: 0 to 1.
    pub(crate) fn present(&self, units: &[Unit]) -> f32 {
        if self.total <= 0.0 {
            return 0.0;
        }
        let present = |term: &&String| {
            units
                .iter()
                .any(|unit| unit.terms.contains(*term) || unit.context.contains(*term))
        };
        let held: f32 = self
            .terms
            .iter()
            .filter(|(term, _)| present(term))
            .map(|(_, weight)| weight)
            .sum();
        held / self.total
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }
}

/// Cosine similarity of `text` to the most promising units (by `rough`), `None` for the others and without an embedder.
///
/// # Errors
/// Whatever the embedder answers.
pub(crate) async fn similarities(
    embedder: Option<&dyn Embedder>,
    text: &str,
    units: &[Unit],
    rough: &[f32],
    passages: &[FoundPassage],
) -> Result<Vec<Option<f32>>> {
    let mut similarities = vec![None; units.len()];
    let Some(embedder) = embedder else {
        return Ok(similarities);
    };
    let mut order: Vec<usize> = (0..units.len()).collect();
    order.sort_by(|a, b| rough[*b].total_cmp(&rough[*a]).then(a.cmp(b)));
    order.truncate(EMBEDDED);
    if order.is_empty() {
        return Ok(similarities);
    }
    let mut texts = vec![text.to_owned()];
    texts.extend(order.iter().map(|index| in_context(&units[*index], passages)));
    let vectors = embedder.embed(&texts).await?;
    // A vector too few would put every following one beside the wrong sentence.
    if vectors.len() != texts.len() {
        return Err(Error::internal(format!(
            "The embedding model gave {} vectors for {} texts.",
            vectors.len(),
            texts.len()
        )));
    }
    let Some((question, vectors)) = vectors.split_first() else {
        return Ok(similarities);
    };
    if let Some(other) = vectors.iter().find(|vector| vector.len() != question.len()) {
        return Err(Error::internal(format!(
            "The embedding model gave vectors of {} and of {} values.",
            question.len(),
            other.len()
        )));
    }
    for (index, vector) in order.into_iter().zip(vectors) {
        similarities[index] = Some(question.iter().zip(vector).map(|(a, b)| a * b).sum());
    }
    Ok(similarities)
}

/// The unit with its innermost heading, without which a row says nothing.
fn in_context(unit: &Unit, passages: &[FoundPassage]) -> String {
    let heading = passages
        .get(unit.passage)
        .and_then(|found| found.parts.get(unit.part))
        .and_then(|part| part.headings.last());
    heading.map_or_else(|| unit.text.clone(), |heading| format!("{heading}: {}", unit.text))
}

/// Indices of `scores` from the best, ties by position.
pub(crate) fn ranking(scores: &[f32]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]).then(a.cmp(b)));
    order
}
