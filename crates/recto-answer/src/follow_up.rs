//! Questions that refer to what was said before in their conversation.

use crate::calls::{Form, Place};
use crate::run::Run;
use crate::{budget, documents, prompt};
use recto_core::{Answer, Item, Passage, Span};
use recto_retrieval::query::text_query;
use recto_retrieval::{FoundPassage, spans_passage};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Turns that are looked back at.
const TURNS: usize = 3;
/// Most tokens of a rewritten question, and most of its characters.
const TOKENS: u32 = 200;
const CHARS: usize = 600;
/// A question of fewer words of its own is thought to lean on what was said before.
const FEW_TERMS: usize = 3;

/// A question asked before, with what its answer cited: all that a later question needs of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Turn {
    /// The question, made whole where it referred to an earlier one.
    pub question: String,
    /// What the answer cited.
    pub cited: Vec<Passage>,
}

impl Turn {
    /// The last turns of a conversation, the oldest first. Of their evidence only what was cited is kept.
    #[must_use]
    pub fn last(answers: &[Answer]) -> Vec<Self> {
        let start = answers.len().saturating_sub(TURNS);
        answers[start..]
            .iter()
            .map(|answer| Self {
                question: answer.question.clone(),
                cited: answer
                    .evidence
                    .iter()
                    .filter(|evidence| evidence.cited)
                    .map(|evidence| evidence.passage.clone())
                    .collect(),
            })
            .collect()
    }

    /// Titles of the documents cited, each once.
    fn titles(&self) -> Vec<String> {
        let mut titles: Vec<String> = Vec::new();
        for passage in &self.cited {
            if !titles.contains(&passage.title) {
                titles.push(passage.title.clone());
            }
        }
        titles
    }
}

/// Makes the question understandable by itself: with a model by one call, else from the words, periods and documents of
/// the questions before. A question that does not refer back stays as it is.
pub(crate) async fn understand(run: &mut Run<'_>, with_model: bool) {
    let turns = &run.request.history;
    if turns.is_empty() || !refers(&run.request.question) {
        return;
    }
    let place = Place::new(0, "understand");
    let rewritten = match run.calls() {
        Ok(calls) if with_model => {
            run.stage("understand", 0, 1);
            let earlier: Vec<(String, Vec<String>)> = turns
                .iter()
                .map(|turn| (turn.question.clone(), turn.titles()))
                .collect();
            let form = Form {
                name: "question",
                schema: json!({
                    "type": "object",
                    "properties": {"question": {"type": "string"}},
                    "required": ["question"],
                    "additionalProperties": false,
                }),
                max_tokens: TOKENS,
                read: &|value: &Value| usable(value.get("question")?.as_str()?),
                scrape: &|_: &str| None,
            };
            let messages = prompt::rewrite(&run.request.question, &earlier);
            let outcome = calls.form(place, messages, &form).await;
            run.tell_usage();
            run.stage("understand", 1, 1);
            // Without a rewriting the question is still worth answering.
            outcome.ok().flatten()
        }
        _ => None,
    };
    run.question = rewritten.unwrap_or_else(|| joined(turns, &run.request.question));
    let what = format!("The question is understood as: {}", run.question);
    run.recorder.decide(place, what);
}

/// What earlier answers cited, for a question that refers to them: at most `room` tokens, the newest first, without what is
/// in `found` already. Evidence keeps its number; what was read without being cited is gone, and so is what changed.
pub(crate) async fn cited_before(run: &Run<'_>, found: &[FoundPassage], room: usize) -> Vec<FoundPassage> {
    if run.question == run.request.question {
        return Vec::new();
    }
    let scope = documents::in_scope(run.context, &run.request.scope.filter);
    let mut left = room;
    let mut kept: Vec<FoundPassage> = Vec::new();
    for passage in run.request.history.iter().rev().flat_map(|turn| &turn.cited) {
        let known = |other: &FoundPassage| {
            other.passage.document_id == passage.document_id
                && other
                    .passage
                    .doc_item_refs
                    .iter()
                    .any(|own| passage.doc_item_refs.contains(own))
        };
        let cost = budget::tokens(run.context, &passage.text);
        if cost > left || found.iter().chain(&kept).any(known) {
            continue;
        }
        let candidate = scope
            .iter()
            .find(|one| one.id == passage.document_id && one.collection == passage.collection);
        let Some(candidate) = candidate else { continue };
        let Ok(document) = documents::load(run.context, candidate.clone()).await else {
            continue;
        };
        let Some(open) = document.open(run.context) else {
            continue;
        };
        // Stored answers count spans in characters, new ones in bytes.
        let again = [in_bytes(&passage.spans, &document.items), passage.spans.clone()]
            .iter()
            .filter_map(|spans| spans_passage(open, candidate.id, &document.items, spans))
            .find(|again| again.passage.text == passage.text);
        if let Some(again) = again {
            left -= cost;
            kept.push(again);
        }
    }
    kept
}

/// Spans counted in characters as spans counted in bytes.
fn in_bytes(spans: &[Span], items: &[Item]) -> Vec<Span> {
    spans
        .iter()
        .filter_map(|span| {
            let text = &items.iter().find(|item| item.self_ref == span.self_ref)?.text;
            let byte = |at: u32| {
                let offsets = text.char_indices().map(|(offset, _)| offset).chain([text.len()]);
                let at = offsets
                    .take(usize::try_from(at).unwrap_or(usize::MAX).saturating_add(1))
                    .last();
                u32::try_from(at.unwrap_or(0)).unwrap_or(u32::MAX)
            };
            Some(Span {
                self_ref: span.self_ref.clone(),
                start: byte(span.start),
                end: byte(span.end),
            })
        })
        .collect()
}

fn usable(question: &str) -> Option<String> {
    let question = question.split_whitespace().collect::<Vec<_>>().join(" ");
    let fits = question.chars().any(char::is_alphanumeric) && question.chars().count() <= CHARS;
    fits.then_some(question)
}

/// Words that point to what was said before.
const POINTING: &[&str] = &[
    "it", "its", "they", "them", "their", "theirs", "those", "these", "he", "she", "his", "her", "there", "then",
    "same", "former", "latter", "er", "sie", "ihr", "ihre", "dort", "dies", "diese", "dieser", "dessen", "il", "elle",
    "leur", "ils",
];
/// How a question begins that goes on from another one.
const GOING_ON: &[&str] = &[
    "and ",
    "but ",
    "or ",
    "what about",
    "how about",
    "why",
    "also ",
    "then ",
    "compared",
    "und ",
    "aber ",
    "wie ist es mit",
    "et ",
];

/// Whether a question leans on what was said before.
pub(crate) fn refers(question: &str) -> bool {
    let lower = question.trim().to_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    GOING_ON.iter().any(|start| lower.starts_with(start))
        || words.iter().any(|word| POINTING.contains(word))
        || text_query(question).terms.len() < FEW_TERMS
}

/// The question behind what it leans on: where it has words of its own, the names of the last question that stands by
/// itself; where it has none but perhaps a year ("And in 2021?"), all of that question, without its years where the new one
/// names some. The title of the document goes with it where all that was cited came from one.
fn joined(turns: &[Turn], question: &str) -> String {
    let names_year = question.split_whitespace().any(is_year);
    let base = turns.iter().rev().find(|turn| !refers(&turn.question)).or(turns.last());
    let Some(base) = base else { return question.to_owned() };
    let own = text_query(question)
        .terms
        .into_iter()
        .any(|term| !term.chars().all(|c| c.is_ascii_digit()));
    let mut joined = if own {
        names(&base.question)
    } else {
        base.question.clone()
    };
    if names_year {
        joined = joined
            .split_whitespace()
            .filter(|word| !is_year(word))
            .collect::<Vec<_>>()
            .join(" ");
    }
    let titles = turns.last().map(Turn::titles).unwrap_or_default();
    if let [title] = titles.as_slice()
        && !joined.contains(title.as_str())
    {
        joined = format!("{joined} ({title})");
    }
    format!("{joined} {}", question.trim()).trim_start().to_owned()
}

fn is_year(word: &str) -> bool {
    let digits: String = word.chars().filter(char::is_ascii_digit).collect();
    digits.len() == 4 && (digits.starts_with("19") || digits.starts_with("20"))
}

/// Words of a question that name something: with capitals or figures, its first word left out.
fn names(question: &str) -> String {
    let named = question.split_whitespace().skip(1).filter_map(|word| {
        let word = word.trim_matches(|c: char| !(c.is_alphanumeric() || matches!(c, '&' | '$' | '%' | '§')));
        let word = word.trim_end_matches("'s").trim_end_matches("’s");
        word.contains(|c: char| c.is_uppercase() || c.is_ascii_digit())
            .then_some(word)
    });
    named.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turn(question: &str) -> Turn {
        Turn {
            question: question.to_owned(),
            cited: Vec::new(),
        }
    }

    #[test]
    fn questions_that_lean_on_the_conversation_are_told_from_those_that_stand() {
        for question in [
            "And in 2021?",
            "Why?",
            "What about research expense in Europe last year?",
            "How much did they spend on ports?",
        ] {
            assert!(refers(question), "{question}");
        }
        for question in [
            "What were the total net sales of Alpha in 2022?",
            "Who leases the headquarters in Lisbon?",
        ] {
            assert!(!refers(question), "{question}");
        }
    }

    #[test]
    fn without_a_model_the_words_of_the_last_whole_question_go_before() {
        let turns = [turn("What were the net sales of Alpha in 2022?"), turn("And in 2020?")];
        assert_eq!(
            joined(&turns, "And in 2021?"),
            "What were the net sales of Alpha in And in 2021?"
        );
        assert_eq!(
            joined(&turns[..1], "Why?"),
            "What were the net sales of Alpha in 2022? Why?"
        );
    }
}
