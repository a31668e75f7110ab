//! Which documents a question seems to be about.
//!
//! Of many similar documents (twelve quarterly reports) the text of a page seldom says which one it belongs to; the cards
//! do. What the question demands (a name, a period, a kind of document, the newest, words of a title) is held against
//! them, and each document gets the share of the demands it meets. Nothing is excluded: in every list a hit of a document
//! that meets less stands back by [`PENALTY`] times what it lacks, so that a strong hit elsewhere still comes through.
//! A demand that no document meets, or all meet equally, changes nothing.

use crate::card::{Name, file_stem, is_common};
use crate::lexicon::Meaning;
use crate::period::{Mention, mentions, months};
use crate::terms::{Language, split_terms};
use recto_core::{DocumentId, DocumentRow, Period};
use std::collections::{BTreeMap, BTreeSet};

/// What a hit loses, in shares of its list's best score, when its document meets none of the demands.
pub(crate) const PENALTY: f32 = 0.6;
/// So many documents are looked into beside the search of all.
const CHOSEN: usize = 3;
/// Or so many that meet the demands equally well, which a broad question is about together.
const CHOSEN_TOGETHER: usize = 12;
/// A document this much worse than the best is not chosen.
const MARGIN: f32 = 0.25;
/// What counts as equally good.
const EQUAL: f32 = 0.02;
/// The weights of the demands beside each other.
const NAME: f32 = 1.0;
const PERIOD: f32 = 0.8;
const LATEST: f32 = 0.6;
const TITLE: f32 = 0.4;
const KIND: f32 = 0.3;
/// The longest name that is looked for, in words.
const MOST_WORDS: usize = 6;
/// With more documents, words of titles are left to the word list, which has them in its heading field.
const MOST_TITLES: usize = 2_000;

/// A document by collection and id.
pub(crate) type Key = (usize, DocumentId);

/// How well each document meets a question's demands.
#[derive(Debug, Default)]
pub(crate) struct Route {
    scores: BTreeMap<Key, f32>,
    best: f32,
    /// The documents to look into, the best first; empty where nothing tells them apart.
    pub(crate) chosen: Vec<Chosen>,
    /// The question is about all the chosen ones.
    pub(crate) is_broad: bool,
}

#[derive(Debug)]
pub(crate) struct Chosen {
    pub(crate) key: Key,
    pub(crate) reasons: Vec<String>,
}

impl Route {
    /// What a hit of this document loses.
    pub(crate) fn penalty(&self, key: Key) -> f32 {
        PENALTY * (self.best - self.scores.get(&key).copied().unwrap_or_default()).max(0.0)
    }

    /// Whether documents are told apart at all.
    pub(crate) fn is_active(&self) -> bool {
        !self.chosen.is_empty()
    }
}

/// One thing a question demands, and how far each document meets it, 0 to 1.
struct Demand {
    weight: f32,
    met: BTreeMap<Key, (f32, String)>,
}

/// Holds `question` against the cards of `documents`.
pub(crate) fn route(question: &str, meaning: &Meaning<'_>, documents: &[(Key, &DocumentRow)]) -> Route {
    if documents.len() < 2 {
        return Route::default();
    }
    let asked = Asked::new(question);
    let periods = mentions(question);
    let names = name_demand(&asked, documents);
    let named: BTreeSet<String> = names.met.values().map(|(_, name)| name.to_lowercase()).collect();
    let is_broad = meaning.is_broad || periods.len() > 1 || named.len() > 1;
    let mut demands = vec![
        names,
        period_demand(question, &periods, documents),
        kind_demand(meaning, documents),
    ];
    if documents.len() <= MOST_TITLES {
        demands.push(title_demand(question, documents));
    }
    if meaning.latest && periods.is_empty() && !is_broad {
        let so_far = scores(&demands, documents);
        demands.push(latest_demand(&so_far, documents));
    }
    let scores = scores(&demands, documents);
    let best = scores.values().copied().fold(0.0, f32::max);
    let worst = scores.values().copied().fold(1.0, f32::min);
    if best - worst <= EQUAL && !(is_broad && documents.len() <= CHOSEN_TOGETHER) {
        return Route::default();
    }
    let mut order: Vec<(Key, f32)> = scores.iter().map(|(key, score)| (*key, *score)).collect();
    order.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let equals = order.iter().take_while(|(_, score)| best - score <= EQUAL).count();
    let near = order.iter().take_while(|(_, score)| best - score <= MARGIN).count();
    let count = if equals > CHOSEN {
        equals.min(CHOSEN_TOGETHER)
    } else {
        near.min(CHOSEN)
    };
    let chosen = order
        .iter()
        .take(count)
        .map(|(key, _)| Chosen {
            key: *key,
            reasons: demands
                .iter()
                .filter_map(|demand| demand.met.get(key))
                .filter(|(met, reason)| *met > 0.5 && !reason.is_empty())
                .map(|(_, reason)| reason.clone())
                .collect(),
        })
        .collect();
    Route {
        scores,
        best,
        chosen,
        is_broad,
    }
}

fn scores(demands: &[Demand], documents: &[(Key, &DocumentRow)]) -> BTreeMap<Key, f32> {
    let made: Vec<&Demand> = demands.iter().filter(|demand| !demand.met.is_empty()).collect();
    let total: f32 = made.iter().map(|demand| demand.weight).sum();
    documents
        .iter()
        .map(|(key, _)| {
            let met = made
                .iter()
                .map(|demand| demand.weight * demand.met.get(key).map_or(0.0, |(met, _)| *met));
            (*key, if total > 0.0 { met.sum::<f32>() / total } else { 0.0 })
        })
        .collect()
}

/// The words of a question as typed.
struct Asked {
    words: Vec<AskedWord>,
}

struct AskedWord {
    typed: String,
    lower: Vec<String>,
    in_capitals: bool,
}

impl Asked {
    fn new(question: &str) -> Self {
        let words = question
            .split(|c: char| c.is_whitespace() || matches!(c, '/' | '(' | ')' | '"' | '“' | '”'))
            .map(|word| {
                let word = word.trim_matches(|c: char| !c.is_alphanumeric());
                let word = word
                    .strip_suffix("'s")
                    .or_else(|| word.strip_suffix("’s"))
                    .unwrap_or(word);
                AskedWord {
                    typed: word.to_owned(),
                    lower: crate::phrase::plain_words(word),
                    in_capitals: word.chars().filter(|c| c.is_uppercase()).count() > 1
                        && !word.chars().any(char::is_lowercase),
                }
            })
            .filter(|word| !word.lower.is_empty())
            .collect();
        Self { words }
    }

    /// The longest run of words that means the name, as typed.
    fn naming(&self, name: &Name) -> Option<String> {
        for length in (1..=MOST_WORDS.min(self.words.len())).rev() {
            for run in self.words.windows(length) {
                let lower: Vec<String> = run.iter().flat_map(|word| word.lower.clone()).collect();
                if name.is_meant_by(&lower, run.iter().all(|word| word.in_capitals)) {
                    let typed: Vec<&str> = run.iter().map(|word| word.typed.as_str()).collect();
                    return Some(typed.join(" "));
                }
            }
        }
        None
    }

    /// Whether the name can be meant at all, without taking it apart.
    fn may_name(&self, name: &str) -> bool {
        let lower = name.to_lowercase();
        let shares_word = |word: &AskedWord| {
            word.lower.iter().any(|part| lower.contains(part.as_str()))
                // Initials, or a name written in one word.
                || word.in_capitals
                || lower.split_whitespace().next().is_some_and(|first| word.lower.concat().starts_with(first))
        };
        self.words.iter().any(shares_word)
    }
}

fn name_demand(asked: &Asked, documents: &[(Key, &DocumentRow)]) -> Demand {
    let mut met = BTreeMap::new();
    for (key, row) in documents {
        let names = row.card.names.iter().map(String::as_str);
        // What was read before there were cards still has a title and a file name.
        let fallback = [row.title.as_str(), file_stem(&row.uri)]
            .into_iter()
            .filter(|_| row.card.names.is_empty());
        let meant = names
            .chain(fallback)
            .filter(|name| asked.may_name(name))
            .find_map(|name| asked.naming(&Name::new(name)));
        if let Some(name) = meant {
            met.insert(*key, (1.0, name));
        }
    }
    Demand { weight: NAME, met }
}

fn period_demand(question: &str, asked: &[Mention], documents: &[(Key, &DocumentRow)]) -> Demand {
    let months = months(question);
    let mut met = BTreeMap::new();
    for (key, row) in documents {
        let card = &row.card;
        let by_name: Vec<Period> = match card.periods.is_empty() {
            true => mentions(file_stem(&row.uri))
                .into_iter()
                .chain(mentions(&row.title))
                .filter_map(Mention::period)
                .collect(),
            false => card.periods.clone(),
        };
        let best = by_name
            .iter()
            .enumerate()
            // What stands in the document's name is surer than what stands on its pages.
            .flat_map(|(at, period)| {
                let sure = if at == 0 { 1.0 } else { 0.8 };
                asked
                    .iter()
                    .map(move |mention| (sure * meets(*mention, *period), *period))
            })
            .max_by(|a, b| a.0.total_cmp(&b.0));
        let ends_then = card
            .ends
            .as_deref()
            .is_some_and(|ends| months.iter().any(|month| ends.starts_with(month.as_str())));
        let found = match best {
            _ if ends_then => Some((1.0, card.ends.clone().unwrap_or_default())),
            Some((met, period)) if met > 0.0 => Some((met, named(period))),
            _ => None,
        };
        met.extend(found.map(|found| (*key, found)));
    }
    Demand { weight: PERIOD, met }
}

/// How far a document about `period` answers a question about `asked`. Reports repeat the figures of the years before.
fn meets(asked: Mention, period: Period) -> f32 {
    let quarters = match (asked.quarter, period.quarter) {
        (Some(asked), Some(quarter)) if asked != quarter => 0.3,
        // A year's report has no figures of its quarters, or says little of them.
        (Some(_), None) => 0.5,
        _ => 1.0,
    };
    let Some(year) = asked.year else {
        return if asked.quarter == period.quarter { 1.0 } else { 0.0 };
    };
    match period.year.checked_sub(year) {
        Some(0) => quarters,
        Some(1) => 0.5 * if quarters < 0.5 { 0.0 } else { quarters },
        Some(2) if period.quarter.is_none() => 0.25 * quarters,
        _ => 0.0,
    }
}

fn named(period: Period) -> String {
    match period.quarter {
        Some(quarter) => format!("Q{quarter} {}", period.year),
        None => period.year.to_string(),
    }
}

fn kind_demand(meaning: &Meaning<'_>, documents: &[(Key, &DocumentRow)]) -> Demand {
    let met = documents
        .iter()
        .filter_map(|(key, row)| {
            let kind = row
                .card
                .kinds
                .iter()
                .find(|kind| meaning.documents.contains(&kind.as_str()))?;
            Some((*key, (1.0, kind.clone())))
        })
        .collect();
    Demand { weight: KIND, met }
}

/// The share of the question's words that tell titles apart which stand in a document's title or file name, rare ones
/// counting more.
fn title_demand(question: &str, documents: &[(Key, &DocumentRow)]) -> Demand {
    let language = Language::guess(question);
    let plain: BTreeSet<String> = crate::phrase::plain_words(question)
        .into_iter()
        .filter(|word| !is_common(word) && word.chars().any(char::is_alphabetic) && word.chars().count() > 2)
        .collect();
    let asked: BTreeSet<String> = plain.iter().flat_map(|word| split_terms(word, language)).collect();
    let titles: Vec<(Key, BTreeSet<String>)> = documents
        .iter()
        .map(|(key, row)| {
            let words =
                [row.title.as_str(), file_stem(&row.uri)].map(|text| split_terms(&text.replace('_', " "), language));
            let words: BTreeSet<String> = words.concat().into_iter().collect();
            (*key, asked.intersection(&words).cloned().collect())
        })
        .collect();
    let mut held: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, words) in &titles {
        for word in words {
            *held.entry(word).or_default() += 1;
        }
    }
    #[expect(clippy::cast_precision_loss, reason = "counts of documents")]
    let rarity = |word: &str| (documents.len() as f32 / held.get(word).copied().unwrap_or(1) as f32).ln();
    let total: f32 = held.keys().map(|word| rarity(word)).sum();
    let met = titles
        .iter()
        .filter(|(_, words)| total > 0.0 && !words.is_empty())
        .map(|(key, words)| {
            let sum: f32 = words.iter().map(|word| rarity(word)).sum();
            (*key, (sum / total, String::new()))
        })
        .collect();
    Demand { weight: TITLE, met }
}

/// The newest of the documents that meet the other demands best.
fn latest_demand(so_far: &BTreeMap<Key, f32>, documents: &[(Key, &DocumentRow)]) -> Demand {
    let best = so_far.values().copied().fold(0.0, f32::max);
    let candidates = documents
        .iter()
        .filter(|(key, _)| so_far.get(key).is_some_and(|score| best - score <= EQUAL));
    let dated: Vec<(Key, String)> = candidates.filter_map(|(key, row)| Some((*key, moment(row)?))).collect();
    let newest = dated.iter().map(|(_, moment)| moment).max();
    let met = dated
        .iter()
        .filter(|(_, moment)| Some(moment) == newest)
        .map(|(key, moment)| (*key, (1.0, moment.clone())))
        .collect();
    Demand { weight: LATEST, met }
}

/// When the period a document is about ended, as text that sorts by time.
fn moment(row: &DocumentRow) -> Option<String> {
    if let Some(ends) = &row.card.ends {
        return Some(ends.clone());
    }
    let by_name = || {
        mentions(file_stem(&row.uri))
            .into_iter()
            .filter_map(Mention::period)
            .max()
    };
    let period = row.card.periods.iter().max().copied().or_else(by_name)?;
    Some(format!("{:04}-{:02}-28", period.year, period.quarter.unwrap_or(4) * 3))
}

#[cfg(test)]
mod tests;
