//! The strategy without a model: the sentences and rows that bear on the question, verbatim, grouped by document.

use crate::citations::{Support, citation, verdict_of};
use crate::numbers::{self, Evidence};
use crate::run::Run;
use crate::score::{Weighted, ranking, similarities};
use crate::units::{Unit, units};
use recto_core::{DocumentId, LocateHint, QuoteBy, Result, Span, Verdict};
use recto_retrieval::query::{searched_text, text_query};
use recto_retrieval::{EXPAND_CHARS, FoundPassage, Language, sentence};
use std::collections::BTreeMap;
use std::ops::Range;

/// Shares of the parts of a unit's score.
const WORDS: f32 = 0.40;
const MEANING: f32 = 0.25;
const RETRIEVAL: f32 = 0.25;
const KIND: f32 = 0.10;
/// What each further quote of a page keeps of its score.
const SAME_PAGE: f32 = 0.7;
/// Quotes below this share of the best one's score are left out.
const LEAST_SHARE: f32 = 0.35;
/// An answer needs a unit that holds this share of the question's words, or is this near to it in meaning.
const LEAST_COVERAGE: f32 = 0.3;
const LEAST_SIMILARITY: f32 = 0.5;
/// A question of several parts is answered in parts: its units may hold less each, if together they hold this much.
const LEAST_PART: f32 = 0.15;
const LEAST_TOGETHER: f32 = 0.6;
/// Units shown around a quote as its passage.
const AROUND: usize = 2;

pub(crate) async fn run(run: &mut Run<'_>) -> Result<()> {
    let options = run.request.options;
    let found = run.retrieve(options.quote_passages, EXPAND_CHARS).await?.passages;
    let picked = pick(run, &found).await?;
    if picked.is_empty() {
        run.refuse(&found);
        return Ok(());
    }
    let evidence: Vec<FoundPassage> = picked.iter().map(|unit| surroundings(unit, &found)).collect();
    let passages: Vec<_> = evidence.iter().map(|found| found.passage.clone()).collect();
    let numbers = run.show_evidence(&passages);
    write(run, &picked, &evidence, &numbers);
    run.stage("verify", 0, picked.len());
    for (done, (unit, index)) in picked.iter().zip(&numbers).enumerate() {
        let Some(passage) = passages.get(done) else { continue };
        let hint = LocateHint {
            pages: passage.pages.clone(),
            boxes: unit.boxes(&found),
            refs: unit.self_ref(&found).map(str::to_owned).into_iter().collect(),
        };
        let own_span = hint.refs.first().map(|self_ref| span(self_ref, &unit.range));
        let support = match run.locate(passage, &unit.text, &hint).await {
            Some(place) => Support {
                quote: place.text,
                by: QuoteBy::Answer,
                verdict: verdict_of(place.kind),
                rects: place.rects,
                spans: if place.spans.is_empty() {
                    own_span.into_iter().collect()
                } else {
                    place.spans
                },
            },
            None => Support {
                quote: unit.text.clone(),
                by: QuoteBy::Answer,
                verdict: Verdict::NotLocated,
                rects: Vec::new(),
                spans: own_span.into_iter().collect(),
            },
        };
        let check = numbers::check(&unit.text, &Evidence::new(&passage.text));
        run.cite(citation(*index, passage, support, check));
        run.stage("verify", done + 1, picked.len());
    }
    Ok(())
}

fn span(self_ref: &str, range: &Range<usize>) -> Span {
    let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    Span {
        self_ref: self_ref.to_owned(),
        start: offset(range.start),
        end: offset(range.end),
    }
}

/// The units to quote, grouped by document, best document first; empty where nothing bears on the question.
async fn pick(run: &Run<'_>, found: &[FoundPassage]) -> Result<Vec<Unit>> {
    let question = searched_text(&run.request.question);
    let all = units(found, Language::guess(&question));
    let words = Weighted::new(text_query(&question).terms, &all);
    let coverage: Vec<f32> = all.iter().map(|unit| words.coverage(unit)).collect();
    let rough: Vec<f32> = all
        .iter()
        .zip(&coverage)
        .map(|(unit, held)| 0.6 * held + 0.4 * unit.prior)
        .collect();
    let similar = similarities(run.context.embedder.as_deref(), &question, &all, &rough, found).await?;
    let best_coverage = coverage.iter().copied().fold(0.0, f32::max);
    let best_similarity = similar.iter().flatten().copied().fold(0.0, f32::max);
    let bears = words.is_empty()
        || best_coverage >= LEAST_COVERAGE
        || best_similarity >= LEAST_SIMILARITY
        || (best_coverage >= LEAST_PART && words.present(&all) >= LEAST_TOGETHER);
    if !bears {
        return Ok(Vec::new());
    }
    let wants_figure = asks_for_figure(&question);
    let scores: Vec<f32> = all
        .iter()
        .enumerate()
        .map(|(at, unit)| {
            let meaning = similar[at].map_or(coverage[at] * 0.5, |similarity| similarity.max(0.0));
            let kind = if wants_figure == holds_figure(unit) { 1.0 } else { 0.0 };
            WORDS * coverage[at] + MEANING * meaning + RETRIEVAL * unit.prior + KIND * kind
        })
        .collect();
    Ok(grouped(
        diverse(&all, &scores, run.request.options.quotes, found),
        found,
    ))
}

/// Whether the question asks for an amount, a share, a count or a date.
fn asks_for_figure(question: &str) -> bool {
    const ASKING: &[&str] = &[
        "how much",
        "how many",
        "how old",
        "how long",
        "percent",
        "proportion",
        "ratio",
        "rate",
        "amount",
        "figure",
        "total",
        "number of",
        "when",
        "what year",
        "which year",
        "date",
        "sum",
        "price",
        "cost",
        "revenue",
        "sales",
        "income",
        "margin",
        "expense",
        "spend",
        "spent",
        "cash",
    ];
    let lower = question.to_lowercase();
    ASKING.iter().any(|phrase| lower.contains(phrase))
}

fn holds_figure(unit: &Unit) -> bool {
    !numbers::figures(&unit.text).is_empty()
}

/// Picks the best units one by one; each quote of a page makes further ones of that page count less, and nothing is
/// quoted twice.
fn diverse(all: &[Unit], scores: &[f32], most: usize, found: &[FoundPassage]) -> Vec<(Unit, f32)> {
    let mut picked: Vec<(Unit, f32)> = Vec::new();
    let order = ranking(scores);
    let mut used: BTreeMap<(DocumentId, u32, usize), i32> = BTreeMap::new();
    let place = |unit: &Unit| {
        let document = found.get(unit.passage).map(|found| found.passage.document_id);
        // Without pages a passage is what a page would be.
        document.map(|document| (document, unit.page, if unit.page == 0 { unit.passage } else { 0 }))
    };
    while picked.len() < most {
        let mut best: Option<(usize, f32)> = None;
        for &at in &order {
            let Some(unit) = all.get(at) else { continue };
            if best.is_some_and(|(_, value)| scores[at] <= value) {
                break;
            }
            let times = place(unit).and_then(|place| used.get(&place)).copied().unwrap_or(0);
            let value = scores[at] * SAME_PAGE.powi(times);
            let better = best.is_none_or(|(_, other)| value > other);
            if better && !picked.iter().any(|(other, _)| is_repetition(unit, other, found)) {
                best = Some((at, value));
            }
        }
        let Some((at, value)) = best else { break };
        if picked.first().is_some_and(|(_, first)| value < first * LEAST_SHARE) {
            break;
        }
        if let Some(place) = place(&all[at]) {
            *used.entry(place).or_insert(0) += 1;
        }
        picked.push((all[at].clone(), value));
    }
    picked
}

/// The same words in the same document: a unit already picked, or a sentence that stands there twice.
fn is_repetition(unit: &Unit, other: &Unit, found: &[FoundPassage]) -> bool {
    let document = |unit: &Unit| found.get(unit.passage).map(|found| found.passage.document_id);
    if document(unit) != document(other) {
        return false;
    }
    let shared = unit.terms.intersection(&other.terms).count();
    let union = unit.terms.len() + other.terms.len() - shared;
    unit.text == other.text || (shared * 10 >= union * 9)
}

/// Groups by document, in the order of each document's best unit. Equal titles are no reason to merge documents.
fn grouped(picked: Vec<(Unit, f32)>, found: &[FoundPassage]) -> Vec<Unit> {
    let key = |unit: &Unit| {
        found
            .get(unit.passage)
            .map(|found| (found.passage.collection.clone(), found.passage.document_id))
    };
    let mut documents = Vec::new();
    for (unit, _) in &picked {
        let key = key(unit);
        if !documents.contains(&key) {
            documents.push(key);
        }
    }
    let mut units: Vec<Unit> = picked.into_iter().map(|(unit, _)| unit).collect();
    units.sort_by_key(|unit| documents.iter().position(|document| *document == key(unit)));
    units
}

/// The quote with the sentences or rows beside it.
fn surroundings(unit: &Unit, found: &[FoundPassage]) -> FoundPassage {
    let passage = &found[unit.passage];
    let Some(part) = passage.parts.get(unit.part) else {
        return passage.clone();
    };
    let beside = sentence::split(part.text());
    let start = part.range.start;
    let at = beside
        .iter()
        .position(|range| start + range.start == unit.range.start)
        .unwrap_or(0);
    let first = beside
        .get(at.saturating_sub(AROUND))
        .map_or(unit.range.start, |range| start + range.start);
    let last = beside
        .get((at + AROUND).min(beside.len().saturating_sub(1)))
        .map_or(unit.range.end, |range| start + range.end);
    passage.narrow(&[(unit.part, first.min(unit.range.start)..last.max(unit.range.end))])
}

/// Writes the answer: a line for each document, under it its quotes with their markers.
fn write(run: &mut Run<'_>, picked: &[Unit], evidence: &[FoundPassage], numbers: &[u32]) {
    let mut open = None;
    for ((unit, found), index) in picked.iter().zip(evidence).zip(numbers) {
        let document = (found.passage.collection.clone(), found.passage.document_id);
        if open.as_ref() != Some(&document) {
            let space = if open.is_some() { "\n" } else { "" };
            run.text(&format!("{space}**{}**\n\n", escaped(&found.passage.title)));
            open = Some(document);
        }
        run.text(&format!("- “{}” ", escaped(&unit.text)));
        run.marker(*index);
        run.text("\n");
    }
}

/// Text of a document as Markdown that shows it and nothing else.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '\\' | '`' | '*' | '_' | '[' | ']' | '<') {
            escaped.push('\\');
        }
        escaped.push(if c == '\n' { ' ' } else { c });
    }
    escaped
}
