//! The strategy that reads outlines: each document's relevant sections are named by the model, their full text is read in
//! one generation.

use crate::calls::{Calls, Form, Place};
use crate::documents::{self, Candidate, Loaded, Shared};
use crate::run::Run;
use crate::synthesis::{self, Report};
use crate::{budget, generate, json, passages, prompt};
use recto_core::{Error, ErrorCode, Finding, Passage, Result};
use recto_retrieval::FoundPassage;
use serde_json::{Value, json};
use std::sync::Arc;

/// Most tokens of a choice of sections.
const CHOICE_TOKENS: u32 = 256;
/// Most sections that one document's choice may hold.
const MOST_CHOSEN: usize = 8;

/// A document with the sections that were chosen of it, the most relevant first.
pub(crate) struct Chosen {
    pub(crate) document: Shared,
    pub(crate) sections: Vec<u32>,
    pub(crate) confidence: Option<f32>,
}

pub(crate) async fn run(run: &mut Run<'_>) -> Result<()> {
    run.calls()?;
    let Some((found, chosen)) = navigate(run).await? else {
        return Ok(());
    };
    if run.request.options.per_document {
        return per_document(run, &found, &chosen).await;
    }
    let evidence: Vec<FoundPassage> = gather(run, &chosen).into_iter().map(|(_, found)| found).collect();
    if evidence.is_empty() {
        run.refuse(&found);
        return Ok(());
    }
    run.count_documents(&evidence);
    generate::over(run, Place::new(3, "generate"), evidence).await
}

/// Answers from each document's sections by itself and puts the answers together.
async fn per_document(run: &mut Run<'_>, found: &[FoundPassage], chosen: &[Chosen]) -> Result<()> {
    let calls = run.calls()?;
    let taken = gather(run, chosen);
    let documents: Vec<Candidate> = chosen.iter().map(|one| one.document.candidate.clone()).collect();
    let question = run.question.clone();
    let max_tokens = run.request.options.max_tokens.unwrap_or(1_024);
    let outcomes = documents::each(run, "read", &documents, |at, document| {
        let (calls, question) = (Arc::clone(&calls), question.as_str());
        let read: Vec<(u32, FoundPassage)> = taken
            .iter()
            .filter(|(owner, _)| *owner == at)
            .zip(1_u32..)
            .map(|((_, found), number)| (number, found.clone()))
            .collect();
        async move {
            let numbers: Vec<u32> = read.iter().map(|(number, _)| *number).collect();
            let texts: Vec<Passage> = read.iter().map(|(_, found)| found.as_read()).collect();
            let numbered: Vec<(u32, &Passage)> = numbers.iter().copied().zip(&texts).collect();
            let form = Form {
                name: "answer_from_document",
                schema: synthesis::schema(&numbers),
                max_tokens,
                read: &|value: &Value| synthesis::read(value, &numbers),
                scrape: &|text: &str| synthesis::scrape(text, &numbers),
            };
            let place = Place::new(3, "read").of(at, document.id);
            let said = calls.form(place, prompt::document(question, &numbered), &form).await?;
            let said = said.ok_or_else(|| unreadable("The model's answer from this document could not be read."))?;
            Ok(Report { document, said, read })
        }
    })
    .await;
    let reports = documents::sift(run, &documents, outcomes)?;
    synthesis::run(run, Place::new(4, "generate"), reports, found).await
}

/// A reply that stayed out of form is a failure, not an answer of nothing.
pub(crate) fn unreadable(message: &str) -> Error {
    Error::transient(ErrorCode::ModelRejected, message)
}

/// Has the sections of every document chosen, weightiest document first. `None` where the question was refused, which is
/// said already.
pub(crate) async fn navigate(run: &mut Run<'_>) -> Result<Option<(Vec<FoundPassage>, Vec<Chosen>)>> {
    let calls = run.calls()?;
    let options = run.request.options;
    let Some((found, documents)) = documents::to_look_at(run).await? else {
        return Ok(None);
    };
    let context = run.context;
    let question = run.question.clone();
    let outcomes = documents::each(run, "navigate", &documents, |at, candidate| {
        let (calls, question) = (Arc::clone(&calls), question.as_str());
        async move {
            let place = Place::new(1, "navigate").of(at, candidate.id);
            let loaded = documents::load(context, candidate).await?;
            choose(&calls, place, &options, question, loaded).await
        }
    })
    .await;
    let mut chosen = documents::sift(run, &documents, outcomes)?;
    chosen.sort_by(|a, b| {
        documents::weight(
            (a.confidence, &a.document.candidate),
            (b.confidence, &b.document.candidate),
        )
    });
    for one in &chosen {
        let finding = if one.sections.is_empty() {
            Finding::NoMatch
        } else {
            Finding::Answered
        };
        run.draft
            .findings
            .push(documents::finding(&one.document.candidate, finding, one.confidence));
    }
    chosen.retain(|one| !one.sections.is_empty());
    if chosen.is_empty() {
        run.refuse(&found);
        return Ok(None);
    }
    if documents::all_unsure(run, chosen.iter().map(|one| one.confidence)) {
        run.abstain(&found);
        return Ok(None);
    }
    Ok(Some((found, chosen)))
}

/// Asks which sections of a document are to be read.
async fn choose(
    calls: &Calls,
    place: Place,
    options: &crate::AnswerOptions,
    question: &str,
    document: Loaded,
) -> Result<Chosen> {
    let shown = document
        .outline
        .render(budget::outline(options, calls.limits_at(place)));
    if shown.numbers.is_empty() {
        return Ok(Chosen {
            document: Arc::new(document),
            sections: Vec::new(),
            confidence: None,
        });
    }
    let offered = |numbers: Vec<u32>| -> Vec<u32> {
        let kept: Vec<u32> = numbers
            .into_iter()
            .filter(|number| shown.numbers.contains(number))
            .collect();
        document.outline.distinct(&kept).into_iter().take(MOST_CHOSEN).collect()
    };
    let read = |value: &Value| {
        let listed = match value {
            Value::Array(_) => json::numbers(value)?,
            value => ["relevant", "sections", "numbers", "picks"]
                .iter()
                .find_map(|name| value.get(*name))
                .and_then(json::numbers)?,
        };
        Some((offered(listed), value.get("confidence").and_then(json::confidence)))
    };
    let scrape = |text: &str| {
        let numbers = offered(json::marked(text, &shown.numbers));
        (!numbers.is_empty()).then_some((numbers, None))
    };
    let form = Form {
        name: "relevant_sections",
        schema: json!({
            "type": "object",
            "properties": {
                "relevant": {"type": "array", "items": {"type": "integer", "enum": shown.numbers}, "maxItems": MOST_CHOSEN},
                "confidence": {"type": "number", "minimum": 0, "maximum": 1},
            },
            "required": ["relevant", "confidence"],
            "additionalProperties": false,
        }),
        max_tokens: CHOICE_TOKENS,
        read: &read,
        scrape: &scrape,
    };
    let messages = prompt::navigate(question, &document.candidate.title, &shown.text);
    let Some((sections, confidence)) = calls.form(place, messages, &form).await? else {
        return Err(unreadable("The model's choice of sections could not be read."));
    };
    calls
        .recorder
        .decide(place, decided(&sections, confidence, shown.hidden));
    Ok(Chosen {
        document: Arc::new(document),
        sections,
        confidence,
    })
}

fn decided(sections: &[u32], confidence: Option<f32>, hidden: u32) -> String {
    let list: Vec<String> = sections.iter().map(u32::to_string).collect();
    let mut what = match list.as_slice() {
        [] => "No section is relevant".to_owned(),
        list => format!("Sections {}", list.join(", ")),
    };
    if let Some(confidence) = confidence {
        what.push_str(&format!(", confidence {confidence:.2}"));
    }
    if hidden > 0 {
        what.push_str(&format!(
            "; {hidden} sections were not shown by themselves for lack of room"
        ));
    }
    what + "."
}

/// The full text of what was chosen, within the budget: each document gives its next section in turn, so that the first
/// cannot starve the others. A section too long for its share ends with a sentence; what found no room is counted. Each
/// passage comes with the index of its document; documents stand together.
fn gather(run: &mut Run<'_>, chosen: &[Chosen]) -> Vec<(usize, FoundPassage)> {
    let options = run.request.options;
    let limits = run.calls().map(|calls| calls.limits()).unwrap_or_default();
    let mut left = budget::content(&options, limits);
    let wanted: usize = chosen.iter().map(|one| one.sections.len()).sum();
    let most = match options.sections {
        0 => usize::MAX,
        most => most,
    };
    let share = options.section_tokens.max(left / wanted.max(1));
    let rounds = chosen.iter().map(|one| one.sections.len()).max().unwrap_or(0);
    let mut taken: Vec<(usize, FoundPassage)> = Vec::new();
    let mut dropped = 0_u32;
    for round in 0..rounds {
        for (at, one) in chosen.iter().enumerate() {
            let Some(number) = one.sections.get(round) else {
                continue;
            };
            let Some(found) = one.document.section(run.context, *number) else {
                continue;
            };
            let fitted = if taken.len() < most {
                fitted(run, &found, share.min(left))
            } else {
                None
            };
            match fitted {
                Some((found, cost)) => {
                    left = left.saturating_sub(cost);
                    taken.push((at, found));
                }
                None => dropped += 1,
            }
        }
    }
    if dropped > 0 {
        let place = Place::new(2, "read");
        run.recorder.decide(
            place,
            format!("{dropped} relevant sections were left out for lack of room."),
        );
    }
    run.draft.sections_dropped = dropped;
    // A stable sort: sections stay as they were taken.
    taken.sort_by_key(|(at, _)| *at);
    taken
}

/// A passage within `room` tokens, cut at a sentence if need be, and what it costs.
pub(crate) fn fitted(run: &Run<'_>, found: &FoundPassage, room: usize) -> Option<(FoundPassage, usize)> {
    let tokens = |text: &str| budget::tokens(run.context, text);
    let around = prompt::overhead(&found.passage, run.context.naming()).div_ceil(4);
    let whole = around + tokens(&found.as_read().text);
    if whole <= room {
        return Some((found.clone(), whole));
    }
    let cut = passages::cut(found, room.saturating_sub(around), &tokens)?;
    let cost = around + tokens(&cut.as_read().text);
    Some((cut, cost))
}
