//! The strategy with a model: one generation over numbered evidence.

use crate::calls::Place;
use crate::run::Run;
use crate::{budget, follow_up, generate, prompt};
use recto_core::Result;
use recto_retrieval::query::text_query;
use recto_retrieval::{FoundPassage, Language, sentence, split_terms};
use std::collections::BTreeSet;

/// A passage this near to the question in meaning may answer it without sharing a word.
const LEAST_SIMILARITY: f32 = 0.3;
/// What is left of a passage that is cut to fit the budget must hold at least this many bytes.
const LEAST_BYTES: usize = 200;

/// What earlier answers cited takes at most this part of the evidence.
const CITED_BEFORE: usize = 4;

pub(crate) async fn run(run: &mut Run<'_>) -> Result<()> {
    let limits = run.calls()?.limits();
    let options = run.request.options;
    let most = budget::evidence(&options, limits);
    let found = run.retrieve(options.passages, options.passage_chars).await?.passages;
    if !any_bears_on(&run.question, &found) {
        run.refuse(&found);
        return Ok(());
    }
    let before = follow_up::cited_before(run, &found, most / CITED_BEFORE).await;
    let kept: usize = before
        .iter()
        .map(|found| budget::tokens(run.context, &found.passage.text))
        .sum();
    let mut evidence = within_budget(run, &found, most.saturating_sub(kept));
    evidence.extend(before);
    generate::over(run, Place::new(1, "generate"), evidence).await
}

/// Whether a word of the question stands in a passage, or one is near to it in meaning.
pub(crate) fn any_bears_on(question: &str, found: &[FoundPassage]) -> bool {
    let terms: BTreeSet<String> = text_query(question).terms.into_iter().collect();
    if terms.is_empty() {
        return !found.is_empty();
    }
    let language = Language::guess(question);
    found.iter().any(|found| {
        let passage = &found.passage;
        let over = passage.headings.iter().chain([&passage.title, &passage.text]);
        found.cosine().is_some_and(|cosine| cosine >= LEAST_SIMILARITY)
            || over
                .flat_map(|text| split_terms(text, language))
                .any(|term| terms.contains(&term))
    })
}

/// The best passages that fit the budget of tokens; the last one perhaps cut at a sentence end.
fn within_budget(run: &Run<'_>, found: &[FoundPassage], most: usize) -> Vec<FoundPassage> {
    let tokens = |text: &str| budget::tokens(run.context, text);
    let mut left = most;
    let mut kept: Vec<FoundPassage> = Vec::new();
    for found in found {
        let overhead = prompt::overhead(&found.passage, run.context.naming()).div_ceil(4);
        let cost = overhead + tokens(&found.as_read().text);
        if cost <= left {
            left -= cost;
            kept.push(found.clone());
            continue;
        }
        let room = left.saturating_sub(overhead);
        if let Some(cut) = cut(found, room, &tokens) {
            kept.push(cut);
        } else if kept.is_empty() {
            // Something must be read; the provider says so if even this is too much.
            kept.push(found.clone());
        }
        break;
    }
    kept
}

/// The beginning of a passage that costs at most `room` tokens, ending with a sentence or row.
pub(crate) fn cut(found: &FoundPassage, room: usize, tokens: &dyn Fn(&str) -> usize) -> Option<FoundPassage> {
    let mut stretches = Vec::new();
    let mut left = room;
    let mut bytes = 0;
    'parts: for (index, part) in found.parts.iter().enumerate() {
        let mut end = part.range.start;
        for unit in sentence::split(part.text()) {
            let cost = tokens(&part.text()[unit.clone()]);
            if cost > left {
                if end > part.range.start {
                    stretches.push((index, part.range.start..end));
                }
                break 'parts;
            }
            left -= cost;
            bytes += unit.len();
            end = part.range.start + unit.end;
        }
        stretches.push((index, part.range.clone()));
    }
    (bytes >= LEAST_BYTES).then(|| found.narrow(&stretches))
}
