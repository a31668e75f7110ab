//! The strategy with a model: one generation over numbered evidence.

use crate::markers::{MarkerParser, Piece};
use crate::prompt;
use crate::run::Run;
use crate::support::{self, Mark};
use recto_core::{ChatEvent, ChatModel, ChatRequest, Error, ErrorCode, Passage, Result, Usage};
use recto_retrieval::query::text_query;
use recto_retrieval::{FoundPassage, Language, sentence, split_terms};
use regex::Regex;
use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock};

/// A passage this near to the question in meaning may answer it without sharing a word.
const LEAST_SIMILARITY: f32 = 0.3;
/// What is left of a passage that is cut to fit the budget must hold at least this many bytes.
const LEAST_BYTES: usize = 200;

pub(crate) async fn run(run: &mut Run<'_>) -> Result<()> {
    let Some(model) = run.context.model.clone() else {
        return Err(Error::new(
            ErrorCode::ModelNotConfigured,
            "This strategy needs a chat model, and none is configured. Choose one in Settings → Models, or ask for quotes.",
        ));
    };
    let options = run.request.options;
    let found = run.retrieve(options.passages, options.passage_chars).await?.passages;
    if !any_bears_on(&run.request.question, &found) {
        run.refuse(&found);
        return Ok(());
    }
    let evidence = within_budget(run, &found);
    let passages: Vec<Passage> = evidence.iter().map(|found| found.passage.clone()).collect();
    let numbers = run.show_evidence(&passages);
    let numbered: Vec<(u32, &Passage)> = numbers.iter().copied().zip(&passages).collect();
    let request = ChatRequest {
        messages: prompt::messages(&run.request.question, &numbered),
        temperature: options.temperature,
        max_tokens: options.max_tokens,
        ..ChatRequest::default()
    };
    let (marks, outcome) = generate(run, &model, &request, &numbers, &passages).await;
    // What was shown before a cut is checked like any other answer.
    support::resolve(run, &evidence, &numbers, &marks).await?;
    outcome
}

/// Whether a word of the question stands in a passage, or one is near to it in meaning.
fn any_bears_on(question: &str, found: &[FoundPassage]) -> bool {
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
fn within_budget(run: &Run<'_>, found: &[FoundPassage]) -> Vec<FoundPassage> {
    let tokens = |text: &str| match &run.context.counter {
        Some(counter) => counter.count(text),
        None => text.len().div_ceil(4),
    };
    let mut left = run.request.options.evidence_tokens;
    let mut kept: Vec<FoundPassage> = Vec::new();
    for found in found {
        let overhead = prompt::overhead(&found.passage).div_ceil(4);
        let cost = overhead + tokens(&found.passage.text);
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
fn cut(found: &FoundPassage, room: usize, tokens: &dyn Fn(&str) -> usize) -> Option<FoundPassage> {
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

/// Streams the reply into the answer. Returns where its markers stand, and how the reply ended.
async fn generate(
    run: &mut Run<'_>,
    model: &Arc<dyn ChatModel>,
    request: &ChatRequest,
    numbers: &[u32],
    passages: &[Passage],
) -> (Vec<Mark>, Result<()>) {
    run.stage("generate", 0, 1);
    run.draft.usage.calls += 1;
    let mut parser = MarkerParser::new(numbers.iter().copied().collect(), printed_numbers(passages));
    let mut marks = Vec::new();
    let outcome = match model.chat(request).await {
        Err(error) => Err(error),
        Ok(mut stream) => loop {
            match stream.next().await {
                Some(Ok(ChatEvent::Delta(delta))) => {
                    let pieces = parser.push(&delta);
                    show(run, pieces, &mut marks);
                }
                Some(Ok(ChatEvent::Usage(usage))) => add(run, usage),
                Some(Ok(ChatEvent::ToolCall(_) | ChatEvent::Truncated(_))) => {}
                Some(Ok(ChatEvent::Done)) => break Ok(()),
                Some(Err(error)) => break Err(error),
                None => {
                    break Err(Error::transient(
                        ErrorCode::ModelUnreachable,
                        "The connection to the model ended before its answer was complete. Try again.",
                    ));
                }
            }
        },
    };
    let rest = parser.finish();
    show(run, rest, &mut marks);
    run.draft.invalid_markers = parser.invalid();
    let outcome = outcome.and_then(|()| {
        if run.draft.text.trim().is_empty() {
            return Err(Error::transient(
                ErrorCode::ModelRejected,
                "The model returned an empty answer. Try again, or choose another model.",
            ));
        }
        Ok(())
    });
    run.draft.uncited = !run.draft.text.trim().is_empty() && !parser.any_marker();
    run.stage("generate", 1, 1);
    (marks, outcome)
}

fn show(run: &mut Run<'_>, pieces: Vec<Piece>, marks: &mut Vec<Mark>) {
    for piece in pieces {
        match piece {
            Piece::Text(text) => run.text(&text),
            Piece::Marker(numbers) => {
                for index in numbers {
                    let start = run.draft.text.len();
                    run.marker(index);
                    marks.push(Mark {
                        index,
                        range: start..run.draft.text.len(),
                    });
                }
            }
        }
    }
}

/// Adds what a call cost; unknown stays unknown.
fn add(run: &mut Run<'_>, usage: Usage) {
    let sum = |a: Option<u32>, b: Option<u32>| match (a, b) {
        (Some(a), Some(b)) => Some(a.saturating_add(b)),
        (a, b) => a.or(b),
    };
    let total = &mut run.draft.usage;
    total.input_tokens = sum(total.input_tokens, usage.input_tokens);
    total.output_tokens = sum(total.output_tokens, usage.output_tokens);
    let usage = *total;
    run.send(recto_core::AnswerEvent::Usage { usage });
}

#[expect(clippy::expect_used, reason = "the pattern is a constant")]
static BRACKETED: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\[(\d{1,3})\]").expect("BUG: the bracket pattern is valid"));

/// Numbers that the documents themselves print in square brackets.
fn printed_numbers(passages: &[Passage]) -> BTreeSet<u32> {
    passages
        .iter()
        .flat_map(|passage| BRACKETED.captures_iter(&passage.text))
        .filter_map(|captures| captures.get(1)?.as_str().parse().ok())
        .collect()
}
