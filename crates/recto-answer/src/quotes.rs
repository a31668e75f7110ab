//! The strategy without a model: the sentences and rows that bear on the question, verbatim, grouped by document.

use crate::cells;
use crate::citations::{Support, citation, verdict_of};
use crate::numbers::{self, Evidence};
use crate::run::Run;
use crate::score::{Weighted, ranking, similarities};
use crate::units::{Unit, units};
use recto_core::{DocumentId, LocateHint, MatchKind, QuoteBy, Result, Span, Verdict, visible};
use recto_retrieval::query::{searched_text, text_query};
use recto_retrieval::{EXPAND_CHARS, FoundPassage, Language, sentence};
use std::collections::BTreeMap;
use std::ops::Range;

/// Shares of the parts of a unit's score.
const WORDS: f32 = 0.50;
const MEANING: f32 = 0.35;
const KIND: f32 = 0.15;
/// What the place of a page in the search counts for beside its best quote.
const RETRIEVAL: f32 = 0.5;
/// What the words and the meaning of a unit say about whether it bears on the question.
const BEARING_WORDS: f32 = 0.6;
/// A quote bears on the question at least so much, and at least this share of what the best one does; a further quote of
/// a page must come nearer to the best one.
const LEAST_BEARING: f32 = 0.15;
const LEAST_SHARE: f32 = 0.5;
const LEAST_SHARE_OF_MORE: f32 = 0.75;
/// Most quotes of one page.
const PER_PAGE: usize = 3;
/// The best units of each page, by words, that are compared by meaning before any others.
const COMPARED_PER_PAGE: usize = 2;
/// An answer needs a unit that holds this share of the question's words, or is this near to it in meaning.
const LEAST_COVERAGE: f32 = 0.3;
const LEAST_SIMILARITY: f32 = 0.5;
/// A question of several parts is answered in parts: its units may hold less each, if together they hold this much.
const LEAST_PART: f32 = 0.15;
const LEAST_TOGETHER: f32 = 0.6;
/// Longer names of columns, in bytes, are not repeated behind a row.
const MOST_HEADS: usize = 300;
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
        let support = match run.locate(passage, &unit.words(), &hint).await {
            Some(place) => Support {
                // A page breaks words at its line ends; the item has them whole.
                quote: if place.kind == MatchKind::Fuzzy {
                    place.text
                } else {
                    unit.words().into_owned()
                },
                by: QuoteBy::Answer,
                verdict: verdict_of(place.kind),
                rects: place.rects,
                spans: if place.spans.is_empty() {
                    own_span.into_iter().collect()
                } else {
                    place.spans
                },
                words: unit.text.clone(),
            },
            None => Support {
                quote: unit.words().into_owned(),
                by: QuoteBy::Answer,
                verdict: Verdict::NotLocated,
                rects: Vec::new(),
                spans: own_span.into_iter().collect(),
                words: String::new(),
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
    let question = searched_text(&run.question);
    let all = units(found, Language::guess(&question));
    let words = Weighted::new(text_query(&question).terms, &all);
    let coverage: Vec<f32> = all.iter().map(|unit| words.coverage(unit)).collect();
    let mut rough: Vec<f32> = all
        .iter()
        .zip(&coverage)
        .map(|(unit, held)| 0.6 * held + 0.4 * unit.prior)
        .collect();
    for page in pages(&all, &rough, found) {
        for at in page.into_iter().take(COMPARED_PER_PAGE) {
            rough[at] += 1.0;
        }
    }
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
    let rated: Vec<Rated> = all
        .iter()
        .enumerate()
        .map(|(at, unit)| {
            let meaning = similar[at].map_or(coverage[at] * 0.5, |similarity| similarity.max(0.0));
            let kind = if wants_figure == holds_figure(unit) { 1.0 } else { 0.0 };
            Rated {
                score: WORDS * coverage[at] + MEANING * meaning + KIND * kind,
                bearing: BEARING_WORDS * coverage[at] + (1.0 - BEARING_WORDS) * meaning,
            }
        })
        .collect();
    Ok(grouped(
        page_by_page(&all, &rated, run.request.options.quotes, found),
        found,
    ))
}

/// How good a unit is.
struct Rated {
    /// To choose among units of a page.
    score: f32,
    /// Whether it bears on the question at all.
    bearing: f32,
}

/// The units of each page, by `scores`, the best first. Without pages a passage is what a page would be.
fn pages(all: &[Unit], scores: &[f32], found: &[FoundPassage]) -> Vec<Vec<usize>> {
    let mut pages: BTreeMap<(&str, DocumentId, u32, usize), Vec<usize>> = BTreeMap::new();
    for at in ranking(scores) {
        let unit = &all[at];
        let passage = &found[unit.passage].passage;
        let without_page = if unit.page == 0 { unit.passage } else { 0 };
        let page = (
            passage.collection.0.as_str(),
            passage.document_id,
            unit.page,
            without_page,
        );
        pages.entry(page).or_default().push(at);
    }
    pages.into_values().collect()
}

/// Picks the best quote of each page, best page first, and then further quotes of the same pages that are about as good
/// as the best of all. Nothing is quoted twice, and nothing that bears on the question much less than the best does.
fn page_by_page(all: &[Unit], rated: &[Rated], most: usize, found: &[FoundPassage]) -> Vec<Unit> {
    let scores: Vec<f32> = rated.iter().map(|unit| unit.score).collect();
    let best = rated.iter().map(|unit| unit.bearing).fold(0.0, f32::max);
    let least = |share: f32| (best * share).max(LEAST_BEARING.min(best));
    let value = |page: &Vec<usize>| {
        let prior = page.iter().map(|at| all[*at].prior).fold(0.0, f32::max);
        let score = page
            .iter()
            .filter(|at| rated[**at].bearing >= least(LEAST_SHARE))
            .map(|at| scores[*at])
            .fold(0.0, f32::max);
        RETRIEVAL * prior + (1.0 - RETRIEVAL) * score
    };
    let mut pages = pages(all, &scores, found);
    let values: Vec<f32> = pages.iter().map(value).collect();
    let order = ranking(&values);
    let mut picked: Vec<Unit> = Vec::new();
    for round in 0..PER_PAGE {
        let least = least(if round == 0 { LEAST_SHARE } else { LEAST_SHARE_OF_MORE });
        for &page in &order {
            if picked.len() == most {
                return picked;
            }
            let next = pages[page].iter().position(|at| {
                let unit = &all[*at];
                rated[*at].bearing >= least && !picked.iter().any(|other| is_repetition(unit, other, found))
            });
            if let Some(next) = next {
                picked.push(all[pages[page].remove(next)].clone());
            }
        }
    }
    picked
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
fn grouped(mut picked: Vec<Unit>, found: &[FoundPassage]) -> Vec<Unit> {
    let key = |unit: &Unit| {
        found
            .get(unit.passage)
            .map(|found| (found.passage.collection.clone(), found.passage.document_id))
    };
    let mut documents = Vec::new();
    for unit in &picked {
        let key = key(unit);
        if !documents.contains(&key) {
            documents.push(key);
        }
    }
    picked.sort_by_key(|unit| documents.iter().position(|document| *document == key(unit)));
    picked
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

/// Writes the answer: a line for each document, under it its quotes with their markers. Behind a row of a table stand the
/// heads of its columns, without which its figures are of no period.
fn write(run: &mut Run<'_>, picked: &[Unit], evidence: &[FoundPassage], numbers: &[u32]) {
    let mut open = None;
    for ((unit, found), index) in picked.iter().zip(evidence).zip(numbers) {
        let document = (found.passage.collection.clone(), found.passage.document_id);
        if open.as_ref() != Some(&document) {
            let space = if open.is_some() { "\n" } else { "" };
            run.text(&format!("{space}**{}**\n\n", escaped(&found.passage.title)));
            open = Some(document);
        }
        run.text(&format!("- “{}” ", escaped(&unit.words())));
        run.marker(*index);
        let item = found.parts.first().map(|part| &part.item);
        let heads = item.map(|item| cells::column_heads(unit, item)).unwrap_or_default();
        let heads = heads.join(" · ");
        if (1..=MOST_HEADS).contains(&heads.len()) {
            run.text(&format!(" ({})", escaped(&heads)));
        }
        run.text("\n");
    }
}

/// Text of a document as Markdown that shows it and nothing else.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in visible(text).chars() {
        if matches!(c, '\\' | '`' | '*' | '_' | '[' | ']' | '<') {
            escaped.push('\\');
        }
        escaped.push(if c == '\n' { ' ' } else { c });
    }
    escaped
}
