//! Citations of a generated answer resolved to the words that support them.
//!
//! The claim of a citation is the sentence that carries its marker, with the figures stated before it in the same
//! paragraph under no marker of their own ("Sales were $5 million. This is on page 8 [2]."). A quotation in the claim is located as it is; otherwise
//! the sentences and rows of the cited evidence that share its words, figures and meaning are its support, chosen by Recto.
//! Figures are looked up in everything the claim cites.

use crate::cells;
use crate::citations::{Support, citation, verdict_of};
use crate::numbers::{self, Evidence, Figure};
use crate::run::Run;
use crate::score::{Weighted, ranking, similarities};
use crate::units::{Unit, units};
use recto_core::{LocateHint, NumberCheck, QuoteBy, Result, Verdict};
use recto_retrieval::{FoundPassage, Language, query_terms, sentence};
use regex::Regex;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::LazyLock;

/// Below this a unit is no support for a claim.
const LEAST_SUPPORT: f32 = 0.25;
/// Most units that support one claim: further ones only for figures the first does not hold.
const MOST_UNITS: usize = 3;
/// Most sentences before the one with the marker that a claim takes in.
const MOST_BEFORE: usize = 3;
/// Most claims looked at for one citation.
const MOST_CLAIMS: usize = 4;

/// A marker in the answer's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mark {
    pub(crate) index: u32,
    /// Where it stands in the text, in bytes.
    pub(crate) range: Range<usize>,
}

/// What the answer says on the strength of the numbers it cites.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Claim {
    text: String,
    cites: BTreeSet<u32>,
}

/// Resolves every citation of the answer, in the order of their numbers.
///
/// # Errors
/// Whatever the embedder answers.
pub(crate) async fn resolve(
    run: &mut Run<'_>,
    evidence: &[FoundPassage],
    numbers: &[u32],
    marks: &[Mark],
) -> Result<()> {
    let claims = claims(&run.draft.text, marks);
    let cited: BTreeSet<u32> = marks.iter().map(|mark| mark.index).collect();
    if cited.is_empty() {
        return Ok(());
    }
    run.stage("verify", 0, cited.len());
    for (done, index) in cited.iter().enumerate() {
        let Some(at) = numbers.iter().position(|number| number == index) else {
            continue;
        };
        let mut support: Option<Support> = None;
        let mut check = NumberCheck::default();
        let mut texts: Vec<&str> = Vec::new();
        for claim in claims
            .iter()
            .filter(|claim| claim.cites.contains(index))
            .take(MOST_CLAIMS)
        {
            let found = support_of(run, &claim.text, &evidence[at]).await?;
            match &mut support {
                Some(support) => support.join(found),
                None => support = Some(found),
            }
            texts.push(&claim.text);
            merge(
                &mut check,
                numbers::check(&claim.text, &cited_evidence(claim, evidence, numbers)),
            );
        }
        let support = support.unwrap_or_else(|| Support::none(QuoteBy::Recto));
        check.within_quote = !support.rects.is_empty() && is_within(&texts, &support.words);
        run.cite(citation(*index, &evidence[at].passage, support, check));
        run.stage("verify", done + 1, cited.len());
    }
    Ok(())
}

/// The sentences that carry markers, without the markers.
fn claims(text: &str, marks: &[Mark]) -> Vec<Claim> {
    let mut plain = String::with_capacity(text.len());
    let mut places: Vec<(usize, u32)> = Vec::new();
    let mut start = 0;
    for mark in marks {
        plain.push_str(&text[start..mark.range.start]);
        places.push((plain.len(), mark.index));
        start = mark.range.end;
    }
    plain.push_str(&text[start..]);
    let sentences = sentence::split(&plain);
    // A marker behind the full stop belongs to the sentence before it.
    let sentence_of = |place: usize| sentences.iter().rposition(|sentence| sentence.start < place);
    let cited: BTreeSet<usize> = places.iter().filter_map(|(place, _)| sentence_of(*place)).collect();
    let opens = |at: usize| {
        let is_continued = |from: &usize| {
            let (before, here) = (&sentences[from - 1], &sentences[*from]);
            !cited.contains(&(from - 1))
                && !plain[before.end..here.start].contains('\n')
                && !numbers::figures(&plain[before.clone()]).is_empty()
        };
        (1..=at)
            .rev()
            .take_while(is_continued)
            .take(MOST_BEFORE)
            .last()
            .map_or(at, |from| from - 1)
    };
    let mut claims: Vec<(usize, Claim)> = Vec::new();
    for (place, index) in places {
        let Some(at) = sentence_of(place) else {
            continue;
        };
        match claims.last_mut() {
            Some((last, claim)) if *last == at => {
                claim.cites.insert(index);
            }
            _ => {
                let text =
                    plain[sentences[opens(at)].start..sentences[at].end].trim_start_matches(['-', '*', '•', '#', ' ']);
                claims.push((
                    at,
                    Claim {
                        text: text.replace("**", ""),
                        cites: [index].into(),
                    },
                ));
            }
        }
    }
    claims.into_iter().map(|(_, claim)| claim).collect()
}

/// Everything a claim cites, with titles and headings.
fn cited_evidence(claim: &Claim, evidence: &[FoundPassage], numbers: &[u32]) -> Evidence {
    let mut cited = Evidence::default();
    for (found, number) in evidence.iter().zip(numbers) {
        if claim.cites.contains(number) {
            let passage = found.as_read();
            let lines: Vec<&str> = passage
                .headings
                .iter()
                .chain([&passage.title, &passage.text])
                .map(String::as_str)
                .collect();
            cited.add(&lines.join("\n"));
        }
    }
    cited
}

fn merge(check: &mut NumberCheck, other: NumberCheck) {
    for (list, more) in [(&mut check.found, other.found), (&mut check.missing, other.missing)] {
        for written in more {
            if !list.contains(&written) {
                list.push(written);
            }
        }
    }
    for (written, operands) in other.computed.into_iter().zip(other.operands) {
        if !check.computed.contains(&written) {
            check.computed.push(written);
            check.operands.push(operands);
        }
    }
}

/// Whether every figure, date and name of the claims stands in `words`, and at least one figure or date is claimed.
fn is_within(claims: &[&str], words: &str) -> bool {
    let inside = Evidence::new(words);
    let lower = words.to_lowercase();
    let figures: Vec<Figure> = claims.iter().flat_map(|claim| numbers::figures(claim)).collect();
    !figures.is_empty()
        && figures.iter().all(|figure| inside.holds(figure))
        && claims
            .iter()
            .flat_map(|claim| names(claim))
            .all(|name| lower.contains(&name))
}

/// The names of a claim in lower case: words with a capital letter that do not open a sentence. Figures and dates are
/// looked at as such.
fn names(claim: &str) -> Vec<String> {
    let dated: Vec<(usize, usize)> = numbers::figures(claim)
        .iter()
        .map(|figure| (figure.start, figure.start + figure.written.len()))
        .collect();
    let mut names = Vec::new();
    let mut opens = true;
    let mut at = 0;
    for token in claim.split_inclusive(char::is_whitespace) {
        let start = at;
        at += token.len();
        let word = token.trim_matches(|c: char| !c.is_alphanumeric());
        let word = word.strip_suffix("'s").or(word.strip_suffix("’s")).unwrap_or(word);
        let named = word.chars().count() > 1
            && word.starts_with(char::is_uppercase)
            && !dated.iter().any(|(from, to)| *from < at && start < *to);
        if named && !opens {
            names.push(word.to_lowercase());
        }
        if !word.is_empty() {
            opens = token.trim_end().ends_with(['.', ':', '!', '?', '“', '"']);
        }
    }
    names
}

async fn support_of(run: &mut Run<'_>, claim: &str, found: &FoundPassage) -> Result<Support> {
    let quotations = quotations(claim);
    if quotations.is_empty() {
        return aligned(run, claim, found).await;
    }
    let passage = &found.passage;
    let hint = LocateHint {
        pages: passage.pages.clone(),
        boxes: passage.boxes.clone(),
        refs: passage.doc_item_refs.clone(),
    };
    let mut support: Option<Support> = None;
    for quotation in quotations {
        let one = match run.locate(passage, quotation, &hint).await {
            Some(place) => Support {
                words: place.text.clone(),
                quote: place.text,
                by: QuoteBy::Answer,
                verdict: verdict_of(place.kind),
                rects: place.rects,
                spans: place.spans,
            },
            None => Support {
                quote: quotation.to_owned(),
                ..Support::none(QuoteBy::Answer)
            },
        };
        match &mut support {
            Some(support) => support.join(one),
            None => support = Some(one),
        }
    }
    Ok(support.unwrap_or_else(|| Support::none(QuoteBy::Answer)))
}

/// Stretches in quotation marks that are long enough to be a quotation rather than a term.
fn quotations(claim: &str) -> Vec<&str> {
    #[expect(clippy::expect_used, reason = "the pattern is a constant")]
    static QUOTATION: LazyLock<Regex> =
        LazyLock::new(|| Regex::new("[“\"„«]([^“”\"„«»]{12,})[”\"»]").expect("BUG: the quotation pattern is valid"));
    QUOTATION
        .captures_iter(claim)
        .filter_map(|captures| captures.get(1))
        .map(|quotation| quotation.as_str().trim().trim_end_matches([',', '.', '…']))
        .filter(|quotation| quotation.split_whitespace().count() >= 3)
        .collect()
}

/// The units of the evidence that bear the claim, located on their pages.
async fn aligned(run: &mut Run<'_>, claim: &str, found: &FoundPassage) -> Result<Support> {
    let passages = std::slice::from_ref(found);
    let all = units(passages, Language::guess(claim));
    let words = Weighted::new(query_terms(claim), &all);
    let coverage: Vec<f32> = all.iter().map(|unit| words.coverage(unit)).collect();
    let embedder = run.context.embedder.as_deref();
    let similar = similarities(embedder, claim, &all, &coverage, passages).await?;
    let figures = numbers::figures(claim);
    let here: Vec<Evidence> = all
        .iter()
        .map(|unit| Evidence::new(&format!("{}\n{}", unit.header, unit.text)))
        .collect();
    // A figure that follows from a unit's figures has its operands there.
    let held: Vec<usize> = here
        .iter()
        .map(|evidence| {
            let check = numbers::check(claim, evidence);
            check.found.len() + check.computed.len()
        })
        .collect();
    // Where no figure of the claim stands anywhere, the words say where to look for them.
    let any_held = held.iter().any(|held| *held > 0);
    let count = |n: usize| f32::from(u16::try_from(n).unwrap_or(u16::MAX));
    let scores: Vec<f32> = (0..all.len())
        .map(|at| {
            let meaning = similar[at].map_or(coverage[at] * 0.5, |similarity| similarity.max(0.0));
            if !any_held {
                return 0.6 * coverage[at] + 0.4 * meaning;
            }
            let share = (count(held[at]) / count(figures.len())).min(1.0);
            0.4 * coverage[at] + 0.25 * meaning + 0.35 * share
        })
        .collect();
    let order = ranking(&scores);
    let Some(best) = order.first().copied().filter(|best| scores[*best] >= LEAST_SUPPORT) else {
        return Ok(Support::none(QuoteBy::Recto));
    };
    let mut chosen = vec![best];
    let mut missing: Vec<_> = figures.iter().filter(|figure| !here[best].holds(figure)).collect();
    for at in order.into_iter().skip(1) {
        if missing.is_empty() || chosen.len() == MOST_UNITS {
            break;
        }
        let before = missing.len();
        missing.retain(|figure| !here[at].holds(figure));
        if missing.len() < before {
            chosen.push(at);
        }
    }
    chosen.sort_unstable();
    let mut support: Option<Support> = None;
    for at in chosen {
        let one = located(run, &all[at], found, &figures).await;
        match &mut support {
            Some(support) => support.join(one),
            None => support = Some(one),
        }
    }
    Ok(support.unwrap_or_else(|| Support::none(QuoteBy::Recto)))
}

async fn located(run: &mut Run<'_>, unit: &Unit, found: &FoundPassage, figures: &[Figure]) -> Support {
    let passages = std::slice::from_ref(found);
    let hint = LocateHint {
        pages: if unit.page == 0 { Vec::new() } else { vec![unit.page] },
        boxes: unit.boxes(passages),
        refs: unit.self_ref(passages).map(str::to_owned).into_iter().collect(),
    };
    match run.locate(&found.passage, &unit.words(), &hint).await {
        Some(place) => {
            let item = found.parts.get(unit.part).map(|part| &part.item);
            let cells = item.and_then(|item| cells::bearing(unit, item, figures));
            let (rects, words) = match cells.filter(|_| !place.rects.is_empty()) {
                Some(cells) => (cells.rects, cells.words),
                None => (place.rects, unit.text.clone()),
            };
            Support {
                quote: place.text,
                by: QuoteBy::Recto,
                verdict: Verdict::Aligned,
                rects,
                spans: place.spans,
                words,
            }
        }
        None => Support {
            quote: unit.words().into_owned(),
            ..Support::none(QuoteBy::Recto)
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(text: &str) -> Vec<Claim> {
        let marker = Regex::new(r"\[(\d+)\]").expect("a pattern");
        let marks: Vec<Mark> = marker
            .captures_iter(text)
            .map(|captures| Mark {
                index: captures[1].parse().expect("a number"),
                range: captures.get(0).expect("a match").range(),
            })
            .collect();
        claims(text, &marks)
    }

    #[test]
    fn a_claim_is_the_sentence_that_carries_the_marker() {
        let claims = marked("Sales rose to $1.5 billion [1][3]. Costs fell. [2]\n- **Margin** grew [1].");
        assert_eq!(claims.len(), 3);
        assert_eq!(claims[0].text, "Sales rose to $1.5 billion .");
        assert_eq!(claims[0].cites, [1, 3].into());
        assert_eq!(claims[1].text, "Costs fell.");
        assert_eq!(claims[2].text, "Margin grew .");
    }

    #[test]
    fn figures_stated_before_under_no_marker_belong_to_the_claim() {
        let claims = marked("Cash flow was $16,591 million. This is on page 8 of the statement [2]. It fell [3].");
        assert_eq!(
            claims[0].text,
            "Cash flow was $16,591 million. This is on page 8 of the statement ."
        );
        assert_eq!(claims[1].text, "It fell .");
        for (text, claim) in [
            ("Here is what I found. Sales rose [1].", "Sales rose ."),
            ("Costs were 5 [1]. Sales rose [2].", "Sales rose ."),
            ("Costs were 5.\n\nSales rose [2].", "Sales rose ."),
        ] {
            assert_eq!(marked(text).last().map(|claim| claim.text.as_str()), Some(claim));
        }
    }

    #[test]
    fn a_claim_is_within_the_boxed_words_with_all_its_figures_and_names() {
        let words = "Total net sales of Alpha were $1,577 million in 2022, compared with $1,373 million.";
        assert!(is_within(&["Net sales of Alpha were $1.577 billion in 2022."], words));
        assert!(
            !is_within(&["Net sales of Beta were $1.577 billion."], words),
            "another name"
        );
        assert!(
            !is_within(&["Net sales were $1.577 billion in 2021."], words),
            "another year"
        );
        assert!(
            !is_within(&["Net sales rose by $204 million."], words),
            "computed is not boxed"
        );
        assert!(!is_within(&["Net sales of Alpha rose."], words), "no figure at all");
        assert!(is_within(
            &["Sales were $1,577 million.", "They were $1,373 million before."],
            words
        ));
        assert!(
            is_within(&["Costs were 75 in 2022."], "|  | 2022 |\n| Costs | (75) |"),
            "a cell under its head"
        );
    }

    #[test]
    fn only_whole_phrases_in_marks_are_quotations() {
        assert_eq!(
            quotations("It says “the cat sat on the mat.” and \"yes\""),
            ["the cat sat on the mat"]
        );
        assert!(quotations("So-called \"net sales\" rose").is_empty());
    }
}
