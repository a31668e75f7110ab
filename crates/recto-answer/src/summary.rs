//! Summaries: notes on every part of the documents, then one summary of the notes, each statement with the part it rests on.

use crate::calls::{Calls, Place};
use crate::document_units::DocumentUnits;
use crate::documents;
use crate::run::Run;
use crate::{budget, generate, prompt};
use futures::future::join_all;
use recto_core::{ChatRequest, Error, Passage, Result};
use recto_retrieval::FoundPassage;
use std::sync::Arc;

/// Most tokens of the notes on a part.
const NOTE_TOKENS: u32 = 300;
/// Most parts that notes are taken on.
const MOST_PARTS: usize = 40;
/// About so many tokens make a part.
const PART_TOKENS: usize = 2_500;
/// Fewest characters of notes that say something.
const LEAST_NOTE: usize = 20;

/// Words that ask for a summary, lower case.
const ASKING: &[&str] = &[
    "a summary",
    "summary of",
    "summary please",
    "short summary",
    "brief summary",
    "summarise",
    "summarize",
    "sum up",
    "an overview",
    "overview of",
    "tl;dr",
    "key points",
    "main points",
    "the gist",
    "zusammenfass",
    "fasse zusammen",
    "überblick",
    "résum",
    "resumen",
    "riassu",
];

/// Whether a question asks for a summary of its documents, not for a fact in them.
pub(crate) fn is_asked_for(question: &str) -> bool {
    let lower = question.to_lowercase();
    let first: String = lower.split_whitespace().take(8).collect::<Vec<_>>().join(" ");
    ASKING.iter().any(|word| {
        first
            .match_indices(word)
            .any(|(at, _)| !first[..at].ends_with(char::is_alphanumeric))
    })
}

pub(crate) async fn run(run: &mut Run<'_>) -> Result<()> {
    let calls = run.calls()?;
    let options = run.request.options;
    let context = run.context;
    let documents = documents::promising(run, &[]);
    if documents.is_empty() {
        run.refuse(&[]);
        return Ok(());
    }
    let outcomes = documents::each(run, "read", &documents, |_, candidate| {
        documents::load(context, candidate)
    })
    .await;
    let loaded = documents::sift(run, &documents, outcomes)?;
    let content = budget::content(&options, calls.limits());
    let units: Vec<FoundPassage> = loaded
        .iter()
        .flat_map(|document| DocumentUnits::of(context, document).units)
        .map(|(_, found)| found)
        .collect();
    let total: usize = units.iter().map(|unit| cost(run, unit)).sum();
    if units.is_empty() {
        run.refuse(&[]);
        return Ok(());
    }
    run.count_documents(&units);
    let question = run.question.clone();
    if total <= content {
        let passages: Vec<Passage> = units.iter().map(|found| found.passage.clone()).collect();
        let numbers = run.show_evidence(&passages);
        let read: Vec<Passage> = units.iter().map(FoundPassage::as_read).collect();
        let numbered: Vec<(u32, &Passage)> = numbers.iter().copied().zip(&read).collect();
        let messages = prompt::summary(&question, &numbered, run.context.naming());
        return generate::from(run, Place::new(3, "generate"), messages, &units, &numbers).await;
    }
    let parts = parts(run, units, total);
    let notes = take_notes(run, &calls, &parts).await?;
    let (parts, notes): (Vec<FoundPassage>, Vec<String>) = parts
        .into_iter()
        .zip(notes)
        .filter_map(|(part, note)| Some((part, note?)))
        .unzip();
    if parts.is_empty() {
        run.refuse(&[]);
        return Ok(());
    }
    let passages: Vec<Passage> = parts.iter().map(|found| found.passage.clone()).collect();
    let numbers = run.show_evidence(&passages);
    // The writer sees the notes in place of the texts; citations are resolved to the texts.
    let noted: Vec<Passage> = passages
        .iter()
        .zip(within(run, notes, content))
        .map(|(passage, text)| Passage {
            text,
            ..passage.clone()
        })
        .collect();
    let numbered: Vec<(u32, &Passage)> = numbers.iter().copied().zip(&noted).collect();
    let messages = prompt::summary(&question, &numbered, run.context.naming());
    generate::from(run, Place::new(3, "generate"), messages, &parts, &numbers).await
}

fn cost(run: &Run<'_>, unit: &FoundPassage) -> usize {
    budget::tokens(run.context, &unit.as_read().text)
        + prompt::overhead(&unit.passage, run.context.naming()).div_ceil(4)
}

/// Units of a document in a row joined to parts of about equal size; the documents' ends are left out, and counted, where
/// there are too many.
fn parts(run: &mut Run<'_>, units: Vec<FoundPassage>, total: usize) -> Vec<FoundPassage> {
    let limits = run.calls().map(|calls| calls.limits()).unwrap_or_default();
    let room = budget::content(&run.request.options, limits);
    let size = PART_TOKENS.max(total / MOST_PARTS).min(room);
    let mut parts: Vec<(FoundPassage, usize)> = Vec::new();
    for unit in units {
        let cost = cost(run, &unit);
        match parts.last_mut() {
            Some((open, held)) if *held + cost <= size && open.passage.document_id == unit.passage.document_id => {
                *open = open.joined(&unit);
                *held += cost;
            }
            _ => match crate::outline::fitted(run, &unit, room) {
                Some(fitted) => parts.push(fitted),
                None => parts.push((unit, cost)),
            },
        }
    }
    if parts.len() > MOST_PARTS {
        run.draft.sections_dropped = u32::try_from(parts.len() - MOST_PARTS).unwrap_or(u32::MAX);
        parts.truncate(MOST_PARTS);
    }
    parts.into_iter().map(|(part, _)| part).collect()
}

/// Notes on each part, in order; `None` for a part that says nothing or whose notes failed.
async fn take_notes(run: &mut Run<'_>, calls: &Arc<Calls>, parts: &[FoundPassage]) -> Result<Vec<Option<String>>> {
    run.stage("read", 0, parts.len());
    let question = run.question.as_str();
    let taken = join_all(parts.iter().enumerate().map(|(at, part)| {
        let place = Place::new(2, "read").of(at, part.passage.document_id);
        let request = ChatRequest {
            messages: prompt::notes(question, &part.as_read()),
            max_tokens: Some(NOTE_TOKENS),
            ..ChatRequest::default()
        };
        async move { calls.chat(place, request, &mut |_| {}).await }
    }))
    .await;
    run.tell_usage();
    run.stage("read", parts.len(), parts.len());
    let mut first: Option<Error> = None;
    let mut failed = 0_u32;
    let mut notes = Vec::new();
    for reply in taken {
        notes.push(match reply {
            Ok(reply) => Some(reply.text.trim().to_owned()).filter(|text| text.chars().count() >= LEAST_NOTE),
            Err(error) => {
                failed += 1;
                first.get_or_insert(error);
                None
            }
        });
    }
    run.draft.sections_dropped += failed;
    match first {
        Some(error) if usize::try_from(failed).is_ok_and(|failed| failed == parts.len()) => Err(error),
        _ => Ok(notes),
    }
}

/// Notes cut to equal shares of what the summary may be written from.
fn within(run: &Run<'_>, notes: Vec<String>, content: usize) -> Vec<String> {
    let share = content / notes.len().max(1);
    notes
        .into_iter()
        .map(|note| {
            if budget::tokens(run.context, &note) <= share {
                return note;
            }
            let mut kept = String::new();
            for range in recto_retrieval::sentence::split(&note) {
                let next = &note[range];
                if !kept.is_empty() && budget::tokens(run.context, &kept) + budget::tokens(run.context, next) > share {
                    break;
                }
                if !kept.is_empty() {
                    kept.push(' ');
                }
                kept.push_str(next);
            }
            kept
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_is_known_by_how_it_is_asked_for() {
        for question in [
            "Summarise this report",
            "Give me an overview of the filings",
            "What are the key points?",
            "TL;DR",
            "Zusammenfassung bitte",
        ] {
            assert!(is_asked_for(question), "{question}");
        }
        for question in [
            "What was the net income?",
            "Who wrote the resumes of the board in the appendix?",
            "What does the summary compensation table show?",
        ] {
            assert!(!is_asked_for(question), "{question}");
        }
    }
}
