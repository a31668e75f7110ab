//! The strategy that judges: parts of a document are rated by how likely they hold the answer, from sections over the
//! beginnings of pages to whole pages; one generation over those that do.
//!
//! Every rating is a list of probabilities for numbered parts, so that a scorer of another kind can stand in for the model.

use crate::calls::{Calls, Form, Place};
use crate::document_units::DocumentUnits;
use crate::documents::{self, Candidate, Loaded};
use crate::outline::{fitted, unreadable};
use crate::request::{AnswerContext, AnswerOptions};
use crate::run::Run;
use crate::{budget, generate, json, prompt};
use futures::future::try_join_all;
use recto_core::{Finding, PassageRole, Result};
use recto_retrieval::{FoundPassage, RankedUnit, assemble};
use regex::Regex;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, LazyLock};

/// Sections rated in one call.
const SECTIONS_AT_ONCE: usize = 60;
/// Units gathered from the sections in the order of their rating.
const GATHERED: usize = 120;
/// Units read in full where no limit is given.
const READ: usize = 30;
/// Characters of the beginning of a unit by which it is skimmed, and most of one that is read.
const HEAD: usize = 700;
const BODY: usize = 6_000;
/// A unit with this probability is evidence, and so are the best two whatever theirs.
const EVIDENCE: f32 = 0.5;
const LEAST: usize = 2;
/// Tokens a rating of one part takes in the reply.
const TOKENS_PER_PART: u32 = 24;

/// What was found in one document.
struct Judged {
    units: DocumentUnits,
    /// Rated units, best first.
    rated: Vec<(u32, f32)>,
    whole: bool,
}

pub(crate) async fn run(run: &mut Run<'_>) -> Result<()> {
    let calls = run.calls()?;
    let options = run.request.options;
    let Some((found, documents)) = documents::to_look_at(run).await? else {
        return Ok(());
    };
    let context = run.context;
    let question = run.question.clone();
    let outcomes = documents::each(run, "judge", &documents, |at, document| {
        let (calls, question) = (Arc::clone(&calls), question.as_str());
        async move {
            let judge = Judge {
                context,
                calls: &calls,
                place: Place::new(1, "judge").of(at, document.id),
                options: &options,
                question,
            };
            judge.document(document.clone()).await.map(|judged| (document, judged))
        }
    })
    .await;
    let judged = documents::sift(run, &documents, outcomes)?;
    let evidence = assembled(run, &judged);
    if evidence.is_empty() {
        run.refuse(&found);
        return Ok(());
    }
    run.count_documents(&evidence);
    generate::over(run, Place::new(2, "generate"), evidence).await
}

/// Most units read in full.
fn most_read(options: &AnswerOptions) -> usize {
    if options.sections == 0 { READ } else { options.sections }
}

/// The units of all documents in the order they are read, within the budget.
fn assembled(run: &mut Run<'_>, judged: &[(Candidate, Judged)]) -> Vec<FoundPassage> {
    for (document, judged) in judged {
        let best = judged.rated.first().map(|(_, p)| *p);
        let outcome = if best.is_some_and(|best| best >= EVIDENCE) {
            Finding::Answered
        } else {
            Finding::NoMatch
        };
        let finding = documents::finding(document, outcome, best);
        run.draft.findings.push(finding);
    }
    // By rating over all documents; equal ones by title, document and place.
    let mut all: Vec<((usize, u32), f32)> = Vec::new();
    for (at, (_, judged)) in judged.iter().enumerate() {
        all.extend(judged.rated.iter().map(|(number, p)| ((at, *number), *p)));
    }
    let order = |unit: &(usize, u32)| {
        judged
            .get(unit.0)
            .map(|(document, _)| (document.title.clone(), document.id, unit.1))
    };
    all.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| order(&a.0).cmp(&order(&b.0))));
    let sure = all
        .iter()
        .filter(|(_, p)| *p >= EVIDENCE)
        .count()
        .max(LEAST.min(all.len()));
    let ranked: Vec<RankedUnit<(usize, u32)>> = all
        .iter()
        .map(|(unit, p)| RankedUnit {
            unit: *unit,
            score: Some(*p),
        })
        .collect();
    let (evidence, runner_ups) = ranked.split_at(sure);
    let whole: Option<Vec<(usize, u32)>> = match judged {
        [(_, only)] if only.whole => Some(only.units.numbers().into_iter().map(|number| (0, number)).collect()),
        _ => None,
    };
    let beside = |unit: &(usize, u32)| {
        let units = judged
            .get(unit.0)
            .map(|(_, judged)| judged.units.beside(unit.1))
            .unwrap_or_default();
        units.into_iter().map(|number| (unit.0, number)).collect()
    };
    let cap = run.request.options.passages.max(sure);
    let (order, mut stats) = assemble(evidence, runner_ups, &beside, whole.as_deref(), cap);
    let limits = run.calls().map(|calls| calls.limits()).unwrap_or_default();
    let mut left = budget::content(&run.request.options, limits);
    let mut passages = Vec::new();
    let mut dropped = 0;
    for unit in order {
        let Some(found) = judged
            .get(unit.unit.0)
            .and_then(|(_, judged)| judged.units.get(unit.unit.1))
        else {
            continue;
        };
        // A whole document is known to fit; it is not cut again.
        let fitted = if whole.is_some() {
            Some((found.clone(), 0))
        } else {
            fitted(run, found, left)
        };
        let Some((mut found, cost)) = fitted else {
            dropped += u32::from(unit.role == PassageRole::Evidence);
            continue;
        };
        left = left.saturating_sub(cost);
        found.passage.role = unit.role;
        found.passage.neighbour_of = unit.neighbour_of.map(|(_, number)| number);
        found.passage.score = unit.score.unwrap_or_default();
        passages.push(found);
    }
    stats.returned = u32::try_from(passages.len()).unwrap_or(u32::MAX);
    run.draft.unit_stats = stats;
    run.draft.sections_dropped = dropped;
    passages
}

struct Judge<'a> {
    context: &'a AnswerContext,
    calls: &'a Calls,
    place: Place,
    options: &'a AnswerOptions,
    question: &'a str,
}

impl Judge<'_> {
    async fn document(&self, document: Candidate) -> Result<Judged> {
        let loaded = documents::load(self.context, document).await?;
        let units = DocumentUnits::of(self.context, &loaded);
        let tokens: usize = units
            .units
            .iter()
            .map(|(_, unit)| budget::tokens(self.context, &unit.passage.text))
            .sum();
        let whole = budget::whole_document(self.options, self.calls.limits()).is_some_and(|most| tokens <= most);
        let most = most_read(self.options);
        let mut wanted = if units.units.len() <= most {
            units.numbers()
        } else {
            self.by_sections(&loaded, &units).await?
        };
        if wanted.len() > most {
            let heads = self.rate(&loaded, "Beginnings of pages", &units, &wanted, HEAD).await?;
            wanted = best(&heads).into_iter().take(most).map(|(number, _)| number).collect();
            wanted.sort_unstable();
        }
        let mut rated = self.rate(&loaded, "Pages", &units, &wanted, BODY).await?;
        let referred = referred(&loaded, &units, &best(&rated), &wanted, most);
        if !referred.is_empty() {
            rated.extend(self.rate(&loaded, "Pages", &units, &referred, BODY).await?);
        }
        let rated = best(&rated);
        let named: Vec<String> = rated
            .iter()
            .take(8)
            .map(|(number, p)| format!("{number} ({p:.2})"))
            .collect();
        self.calls
            .recorder
            .decide(self.place, format!("Best {}s: {}.", units.name(), named.join(", ")));
        Ok(Judged { units, rated, whole })
    }

    /// The units of the best sections, in the order of the sections' rating.
    async fn by_sections(&self, loaded: &Loaded, units: &DocumentUnits) -> Result<Vec<u32>> {
        let sections = &loaded.outline.sections;
        let leaves: Vec<(u32, String)> = loaded
            .outline
            .stretches()
            .into_iter()
            .filter_map(|(number, _)| {
                let section = loaded.outline.section(number)?;
                let path = loaded.outline.path(number).join(" > ");
                Some((number, format!("{path}\n{}", section.summary)))
            })
            .collect();
        let rated = self.in_batches(loaded, "Sections", &leaves, SECTIONS_AT_ONCE).await?;
        let mut gathered: Vec<u32> = Vec::new();
        for (number, _) in best(&rated) {
            let Some(section) = sections.get(usize::try_from(number).unwrap_or(usize::MAX).saturating_sub(1)) else {
                continue;
            };
            let held: Vec<u32> = match (units.paged, section.pages) {
                (true, Some((first, last))) => (first..=last).filter(|page| units.get(*page).is_some()).collect(),
                _ => vec![number],
            };
            for unit in held {
                if !gathered.contains(&unit) && gathered.len() < GATHERED {
                    gathered.push(unit);
                }
            }
        }
        Ok(gathered)
    }

    /// Rates units by at most `chars` characters of each.
    async fn rate(
        &self,
        loaded: &Loaded,
        what: &str,
        units: &DocumentUnits,
        numbers: &[u32],
        chars: usize,
    ) -> Result<BTreeMap<u32, f32>> {
        let parts: Vec<(u32, String)> = numbers
            .iter()
            .filter_map(|number| {
                let text = &units.get(*number)?.passage.text;
                Some((*number, text.chars().take(chars).collect()))
            })
            .collect();
        self.in_batches(loaded, what, &parts, usize::MAX).await
    }

    /// Rates parts in as few calls as the model's context allows, all at once.
    async fn in_batches(
        &self,
        loaded: &Loaded,
        what: &str,
        parts: &[(u32, String)],
        most: usize,
    ) -> Result<BTreeMap<u32, f32>> {
        let room = budget::content(self.options, self.calls.limits());
        let mut batches: Vec<Vec<(u32, String)>> = Vec::new();
        let mut held = 0;
        for part in parts {
            let cost = budget::tokens(self.context, &part.1) + 20;
            match batches.last_mut() {
                Some(batch) if held + cost <= room && batch.len() < most => {
                    batch.push(part.clone());
                    held += cost;
                }
                _ => {
                    batches.push(vec![part.clone()]);
                    held = cost;
                }
            }
        }
        let rated = try_join_all(batches.iter().map(|batch| self.batch(loaded, what, batch))).await?;
        Ok(rated.into_iter().flatten().collect())
    }

    async fn batch(&self, loaded: &Loaded, what: &str, batch: &[(u32, String)]) -> Result<Vec<(u32, f32)>> {
        let numbers: Vec<u32> = batch.iter().map(|(number, _)| *number).collect();
        let count = u32::try_from(batch.len()).unwrap_or(u32::MAX);
        let form = Form {
            name: "scores",
            schema: json!({
                "type": "object",
                "properties": {"scores": {"type": "array", "items": {
                    "type": "object",
                    "properties": {
                        "number": {"type": "integer", "enum": numbers},
                        "p": {"type": "number", "minimum": 0, "maximum": 1},
                    },
                    "required": ["number", "p"],
                    "additionalProperties": false,
                }}},
                "required": ["scores"],
                "additionalProperties": false,
            }),
            max_tokens: 64 + TOKENS_PER_PART.saturating_mul(count),
            read: &|value: &Value| scores(value, &numbers),
            scrape: &|_: &str| None,
        };
        let messages = prompt::judge(self.question, &loaded.candidate.title, what, batch);
        let scored = self.calls.form(self.place, messages, &form).await?;
        scored.ok_or_else(|| unreadable("The model's judgement of this document could not be read."))
    }
}

/// Reads `{"scores": [{"number": 3, "p": 0.5}]}`, also as `{"scores": {"3": 0.5}}` or the list by itself. A part that is
/// not rated stays without a rating.
fn scores(value: &Value, offered: &[u32]) -> Option<Vec<(u32, f32)>> {
    let listed = value.get("scores").unwrap_or(value);
    let mut found: Vec<(u32, f32)> = Vec::new();
    let mut add = |number: Option<u32>, p: Option<f32>| {
        if let (Some(number), Some(p)) = (number, p)
            && offered.contains(&number)
            && !found.iter().any(|(other, _)| *other == number)
        {
            found.push((number, p));
        }
    };
    match listed {
        Value::Array(list) => {
            for entry in list {
                let number = ["number", "id", "page"]
                    .iter()
                    .find_map(|name| entry.get(*name))
                    .and_then(json::numbers);
                let p = ["p", "score", "probability"]
                    .iter()
                    .find_map(|name| entry.get(*name))
                    .and_then(json::confidence);
                add(number.and_then(|numbers| numbers.first().copied()), p);
            }
        }
        Value::Object(fields) => {
            for (number, p) in fields {
                add(json::numbers_in(number).first().copied(), json::confidence(p));
            }
        }
        _ => return None,
    }
    (!found.is_empty()).then_some(found)
}

/// Best first; equal ones in the document's order.
fn best(rated: &BTreeMap<u32, f32>) -> Vec<(u32, f32)> {
    let mut rated: Vec<(u32, f32)> = rated.iter().map(|(number, p)| (*number, *p)).collect();
    rated.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    rated
}

#[expect(clippy::expect_used, reason = "the pattern is a constant")]
static REFERENCE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(note|item|part|section|schedule|annex|appendix|exhibit)\s+(\d{1,3}[a-c]?|[ivx]{1,5})\b")
        .expect("BUG: the pattern of references is valid")
});

/// Units of sections that the evidence refers to by name ("see Note 7") and that were not read: one round of them.
fn referred(loaded: &Loaded, units: &DocumentUnits, rated: &[(u32, f32)], read: &[u32], most: usize) -> Vec<u32> {
    let mut labels: BTreeSet<String> = BTreeSet::new();
    for (number, p) in rated.iter().take(most) {
        if *p < EVIDENCE {
            break;
        }
        let Some(unit) = units.get(*number) else { continue };
        labels.extend(
            REFERENCE
                .find_iter(&unit.passage.text)
                .map(|found| one_case(found.as_str())),
        );
    }
    let mut wanted: Vec<u32> = Vec::new();
    for section in &loaded.outline.sections {
        let title = one_case(&section.title);
        let named = labels.iter().any(|label| {
            title
                .strip_prefix(label.as_str())
                .is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
        });
        if !named {
            continue;
        }
        let held: Vec<u32> = match (units.paged, section.pages) {
            (true, Some((first, last))) => (first..=last).collect(),
            _ => vec![section.number],
        };
        for unit in held {
            if !read.contains(&unit) && !wanted.contains(&unit) && units.get(unit).is_some() && wanted.len() < most {
                wanted.push(unit);
            }
        }
    }
    wanted
}

fn one_case(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_read_in_several_forms_and_only_for_what_was_offered() {
        let offered = [3, 4];
        for value in [
            json!({"scores": [{"number": 3, "p": 0.5}, {"number": 9, "p": 1}, {"number": "4", "p": "10%"}]}),
            json!([{"id": 3, "score": 0.5}, {"id": 4, "score": 0.1}]),
            json!({"scores": {"3": 0.5, "[4]": 0.1}}),
        ] {
            assert_eq!(scores(&value, &offered), Some(vec![(3, 0.5), (4, 0.1)]), "{value}");
        }
        assert_eq!(
            scores(&json!({"scores": [{"number": 3}]}), &offered),
            None,
            "unrated is not zero"
        );
    }
}
