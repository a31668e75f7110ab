//! The strategy that walks: in each document the model reads its way from the outline to what it needs and answers; the
//! answers are put together.

use crate::calls::{Calls, Form, Place};
use crate::document_units::DocumentUnits;
use crate::documents::{self, Candidate};
use crate::outline::unreadable;
use crate::request::{AnswerContext, AnswerOptions};
use crate::run::Run;
use crate::synthesis::{self, Report, Said};
use crate::{budget, json, prompt};
use recto_core::{ChatMessage, ChatRole, Result};
use recto_retrieval::FoundPassage;
use serde_json::{Value, json};
use std::sync::Arc;

/// Most units that one document's answer cites: a spray of citations says nothing about where the answer is.
const MOST_CITED: usize = 6;
/// Most units read in one step.
const MOST_AT_ONCE: usize = 8;
/// Most tokens of a step's reply.
const STEP_TOKENS: u32 = 768;

/// What the model does next.
#[derive(Debug, Clone, PartialEq)]
enum Step {
    Read(Vec<u32>),
    Done(Said),
}

pub(crate) async fn run(run: &mut Run<'_>) -> Result<()> {
    let calls = run.calls()?;
    let options = run.request.options;
    let Some((found, documents)) = documents::to_look_at(run).await? else {
        return Ok(());
    };
    let context = run.context;
    let question = run.question.clone();
    let outcomes = documents::each(run, "read", &documents, |at, document| {
        let (calls, question) = (Arc::clone(&calls), question.as_str());
        async move {
            let place = Place::new(1, "read").of(at, document.id);
            walk(context, &calls, place, &options, question, document).await
        }
    })
    .await;
    let reports = documents::sift(run, &documents, outcomes)?;
    synthesis::run(run, Place::new(2, "generate"), reports, &found).await
}

/// One document from its outline to an answer.
async fn walk(
    context: &AnswerContext,
    calls: &Calls,
    place: Place,
    options: &AnswerOptions,
    question: &str,
    document: Candidate,
) -> Result<Report> {
    let loaded = documents::load(context, document).await?;
    let units = DocumentUnits::of(context, &loaded);
    let limits = calls.limits();
    let outline = loaded.outline.render(budget::outline(options, limits));
    let all = units.numbers();
    // Where units are pages, numbers of sections would only be taken for them.
    let outline = if units.paged {
        unnumbered(&outline.text)
    } else {
        outline.text
    };
    let extent_of_all = extent(&all);
    let mut messages = prompt::walk(
        question,
        &loaded.candidate.title,
        units.name(),
        &extent_of_all,
        &outline,
    );
    let mut room = budget::content(options, limits);
    let mut read: Vec<(u32, FoundPassage)> = Vec::new();
    for hop in 0..=options.depth {
        let last = hop == options.depth;
        if last {
            messages.push(ChatMessage::new(ChatRole::User, FINISH));
        }
        let step = step(calls, place, messages.clone(), &all, &read, last).await?;
        let Some(step) = step else { break };
        match step {
            Step::Done(said) => {
                let said = gated(said, &read);
                calls.recorder.decide(place, decided(&said));
                return Ok(Report {
                    document: loaded.candidate,
                    said,
                    read,
                });
            }
            Step::Read(wanted) => {
                messages.push(ChatMessage::new(
                    ChatRole::Assistant,
                    json!({"action": "read", "units": wanted}).to_string(),
                ));
                let seen = look(context, &units, &wanted, &mut read, &mut room);
                messages.push(ChatMessage::new(ChatRole::User, seen));
            }
        }
    }
    Err(unreadable(
        "The model came to no answer from this document within its steps.",
    ))
}

const FINISH: &str = "You have read what you may. Reply with the JSON object of the form \"done\" now.";

/// Asks for the next step. On the last one only an answer is taken.
async fn step(
    calls: &Calls,
    place: Place,
    messages: Vec<ChatMessage>,
    all: &[u32],
    read: &[(u32, FoundPassage)],
    last: bool,
) -> Result<Option<Step>> {
    let known: Vec<u32> = read.iter().map(|(number, _)| *number).collect();
    let actions: &[&str] = if last { &["done"] } else { &["read", "done"] };
    let form = Form {
        name: "step",
        schema: json!({
            "type": "object",
            "properties": {
                "action": {"type": "string", "enum": actions},
                "units": {"type": "array", "items": {"type": "integer"}, "maxItems": MOST_AT_ONCE},
                "reason": {"type": "string"},
                "status": {"type": "string", "enum": ["answered", "not_addressed"]},
                "answer": {"type": "string"},
                "cited": {"type": "array", "items": {"type": "integer"}},
                "confidence": {"type": "number", "minimum": 0, "maximum": 1},
            },
            "required": ["action"],
        }),
        max_tokens: STEP_TOKENS,
        read: &|value: &Value| decode(value, all, &known, last),
        scrape: &|text: &str| synthesis::scrape(text, &known).filter(|_| last).map(Step::Done),
    };
    calls.form(place, messages, &form).await
}

fn decode(value: &Value, all: &[u32], known: &[u32], last: bool) -> Option<Step> {
    let named = ["action", "tool"]
        .iter()
        .find_map(|name| value.get(*name))
        .and_then(Value::as_str);
    let units = ["units", "pages", "sections"]
        .iter()
        .find_map(|name| value.get(*name))
        .and_then(json::numbers)
        .unwrap_or_default();
    match named {
        Some("read") if !last => Some(Step::Read(clamped(&units, all))),
        Some("read") => None,
        Some("done") | None => synthesis::read(value, known).map(Step::Done),
        Some(_) => None,
    }
}

/// The units that exist, in the order asked for.
fn clamped(wanted: &[u32], all: &[u32]) -> Vec<u32> {
    let known = wanted.iter().copied().filter(|number| all.contains(number));
    known.take(MOST_AT_ONCE).collect()
}

/// Reads units into what has been read, as far as there is room, and tells the model what it sees.
fn look(
    context: &AnswerContext,
    units: &DocumentUnits,
    wanted: &[u32],
    read: &mut Vec<(u32, FoundPassage)>,
    room: &mut usize,
) -> String {
    if wanted.is_empty() {
        return format!(
            "There is no such {}; there are {}.",
            units.name(),
            extent(&units.numbers())
        );
    }
    let mut seen: Vec<(u32, String)> = Vec::new();
    let mut notes = String::new();
    for number in wanted {
        if read.iter().any(|(other, _)| other == number) {
            notes.push_str(&format!("\n[{number}] was read before."));
            continue;
        }
        let Some(found) = units.get(*number) else { continue };
        let tokens = |text: &str| budget::tokens(context, text);
        let cost = tokens(&found.passage.text);
        let fitted = if cost <= *room {
            Some(found.clone())
        } else {
            crate::passages::cut(found, *room, &tokens)
        };
        let Some(found) = fitted else {
            notes.push_str(&format!(
                "\n[{number}] does not fit any more: answer from what you have read."
            ));
            continue;
        };
        *room = room.saturating_sub(tokens(&found.passage.text));
        seen.push((*number, found.passage.text.clone()));
        read.push((*number, found));
    }
    read.sort_by_key(|(number, _)| *number);
    format!("{}{notes}", prompt::units_read(units.name(), &seen))
        .trim()
        .to_owned()
}

/// Citations are of what was read, each once and few.
fn gated(mut said: Said, read: &[(u32, FoundPassage)]) -> Said {
    said.cited
        .retain(|number| read.iter().any(|(other, _)| other == number));
    said.cited.truncate(MOST_CITED);
    said.cited.sort_unstable();
    said
}

fn decided(said: &Said) -> String {
    let list: Vec<String> = said.cited.iter().map(u32::to_string).collect();
    let confidence = said
        .confidence
        .map(|one| format!(", confidence {one:.2}"))
        .unwrap_or_default();
    match (said.addressed, list.is_empty()) {
        (false, _) => format!("It does not address the question{confidence}."),
        (true, true) => format!("It is answered without naming a place{confidence}."),
        (true, false) => format!("It is answered from {}{confidence}.", list.join(", ")),
    }
}

/// The lines of an outline without the numbers at their beginning.
fn unnumbered(outline: &str) -> String {
    let mut text = String::new();
    for line in outline.lines() {
        let indent = line.len() - line.trim_start().len();
        let rest = line[indent..].strip_prefix('[').and_then(|rest| rest.split_once("] "));
        text.push_str(&line[..indent]);
        text.push_str(rest.map_or(&line[indent..], |(_, rest)| rest));
        text.push('\n');
    }
    text
}

/// `1 to 12`.
fn extent(numbers: &[u32]) -> String {
    match numbers {
        [] => "none".to_owned(),
        [only] => only.to_string(),
        [first, .., last] => format!("{first} to {last}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_read_in_several_spellings_and_units_stay_within_the_document() {
        let all = [1, 2, 3, 4, 5];
        assert_eq!(
            decode(&json!({"action": "read", "units": [4, 9]}), &all, &[], false),
            Some(Step::Read(vec![4]))
        );
        assert_eq!(
            decode(&json!({"tool": "read", "pages": "2-4"}), &all, &[], false),
            Some(Step::Read(vec![2, 3, 4]))
        );
        assert_eq!(
            decode(&json!({"action": "read", "units": [4]}), &all, &[], true),
            None,
            "the last step answers"
        );
        let done = decode(
            &json!({"action": "done", "answer": "Yes [2].", "cited": "2, 5"}),
            &all,
            &[2],
            false,
        );
        assert!(matches!(done, Some(Step::Done(said)) if said.cited == [2]));
        assert_eq!(decode(&json!({"action": "dance"}), &all, &[], false), None);
    }
}
