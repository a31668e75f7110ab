//! The number check against pairs of claims and evidence, half of them from filings, and against pairs written by somebody
//! who had not seen the code.

use proptest::prelude::*;
use recto_answer::numbers::{Evidence, check, figures};
use serde_json::Value;

const OWN: &str = include_str!("numbers.jsonl");
const BLIND: &str = include_str!("numbers_blind.jsonl");

/// What the check made of the labelled figures of some pairs.
#[derive(Default)]
struct Outcome {
    pairs: usize,
    figures: usize,
    /// Figures that do not stand there, taken as found or computed, or not looked at.
    false_found: Vec<String>,
    /// Figures that stand there or follow, reported missing.
    false_missing: Vec<String>,
    /// Found taken as computed and the reverse, and figures not looked at though they stand there.
    other: Vec<String>,
}

fn judge(pairs: &str) -> Outcome {
    let mut outcome = Outcome::default();
    for line in pairs.lines().filter(|line| !line.trim().is_empty()) {
        let pair: Value = serde_json::from_str(line).expect("a pair is JSON");
        let text = |name: &str| pair[name].as_str().expect("a pair has texts");
        let (claim, evidence) = (text("claim"), text("evidence"));
        outcome.pairs += 1;
        let result = check(claim, &Evidence::new(evidence));
        let said = |written: &str| {
            if result.missing.iter().any(|other| other == written) {
                "missing"
            } else if result.computed.iter().any(|other| other == written) {
                "computed"
            } else if result.found.iter().any(|other| other == written) {
                "found"
            } else {
                "not looked at"
            }
        };
        let seen: Vec<(usize, usize, &str, String)> = figures(claim)
            .into_iter()
            .map(|figure| {
                (
                    figure.start,
                    figure.start + figure.written.len(),
                    said(&figure.written),
                    figure.written,
                )
            })
            .collect();
        let mut labelled: Vec<(usize, usize)> = Vec::new();
        for label in pair["figures"].as_array().expect("a pair has figures") {
            let (written, expect) = (
                label["text"].as_str().expect("text"),
                label["expect"].as_str().expect("expect"),
            );
            let start = claim
                .match_indices(written)
                .map(|(at, _)| at)
                .find(|at| !labelled.iter().any(|(start, _)| start == at))
                .unwrap_or_else(|| panic!("{written} stands in {claim}"));
            let end = start + written.len();
            labelled.push((start, end));
            outcome.figures += 1;
            let inside: Vec<&str> = seen
                .iter()
                .filter(|(from, to, ..)| *from < end && start < *to)
                .map(|(_, _, said, _)| *said)
                .collect();
            // A label over several figures is as good as the worst of them.
            let got = ["missing", "computed", "not looked at", "found"]
                .into_iter()
                .find(|said| inside.contains(said))
                .unwrap_or("not looked at");
            let line = format!("{written}: {got} instead of {expect}\n    claim: {claim}\n    evidence: {evidence}");
            match (expect, got) {
                _ if expect == got => {}
                ("missing", _) => outcome.false_found.push(line),
                (_, "missing") => outcome.false_missing.push(line),
                _ => outcome.other.push(line),
            }
        }
        for (start, end, said, written) in &seen {
            let known = labelled.iter().any(|(from, to)| from < end && start < to);
            if !known && *said == "missing" {
                outcome.false_missing.push(format!(
                    "{written}: missing, though it is no figure\n    claim: {claim}\n    evidence: {evidence}"
                ));
            }
        }
    }
    outcome
}

#[track_caller]
fn assert_sound(pairs: &str) -> Outcome {
    let outcome = judge(pairs);
    let sound = outcome.false_found.is_empty() && outcome.false_missing.len() * 20 <= outcome.figures;
    assert!(
        sound,
        "of {} figures {} false found:\n{}\n{} false missing:\n{}\n{} otherwise:\n{}",
        outcome.figures,
        outcome.false_found.len(),
        outcome.false_found.join("\n"),
        outcome.false_missing.len(),
        outcome.false_missing.join("\n"),
        outcome.other.len(),
        outcome.other.join("\n"),
    );
    outcome
}

#[test]
fn figures_of_filings_contracts_and_reports_are_looked_up_soundly() {
    let outcome = assert_sound(OWN);
    assert!(outcome.pairs >= 60 && OWN.matches("\"origin\"").count() * 2 >= outcome.pairs);
    assert!(outcome.other.is_empty(), "{}", outcome.other.join("\n"));
}

#[test]
fn pairs_written_without_knowing_the_code_are_looked_up_soundly() {
    let outcome = assert_sound(BLIND);
    assert!(outcome.pairs >= 40);
}

/// Every labelled figure that stands in its evidence, with any one of its digits changed, should not stand there.
#[test]
fn a_figure_with_a_changed_digit_is_not_found() {
    let (mut changed, mut found) = (0, Vec::new());
    for line in OWN.lines() {
        let pair: Value = serde_json::from_str(line).expect("a pair is JSON");
        let text = |name: &str| pair[name].as_str().expect("a pair has texts");
        let (claim, evidence) = (text("claim"), Evidence::new(text("evidence")));
        for label in pair["figures"].as_array().expect("a pair has figures") {
            let written = label["text"].as_str().expect("text");
            let start = claim.find(written).expect("it stands in the claim");
            for (at, digit) in written.char_indices().filter(|(_, c)| ('1'..='9').contains(c)) {
                if label["expect"] != "found" {
                    continue;
                }
                let other = if digit == '9' { "1" } else { "9" };
                let mut mutated = claim.to_owned();
                mutated.replace_range(start + at..=start + at, other);
                let figure = figures(&mutated)
                    .into_iter()
                    .find(|figure| figure.start <= start + at && start + at < figure.start + figure.written.len());
                if let Some(figure) = figure {
                    changed += 1;
                    if evidence.holds(&figure) {
                        found.push(format!("{} for {written} in: {mutated}", figure.written));
                    }
                }
            }
        }
    }
    assert!(changed > 150, "{changed}");
    // The last digit of what is said to be rounded may change within the rounding.
    assert!(
        found.len() * 50 <= changed,
        "{} of {changed}:\n{}",
        found.len(),
        found.join("\n")
    );
}

proptest! {
    #[test]
    fn any_text_can_be_checked(claim in "\\PC{0,60}", evidence in "(\\PC{0,20}|[0-9,.' ]{0,12}|\\||\n|[$€(%)-]|million|in thousands|Q3|June ){0,24}") {
        let read = Evidence::new(&evidence);
        std::hint::black_box(check(&claim, &read));
        for figure in figures(&evidence) {
            let first = figure.written.chars().next().unwrap_or_default();
            prop_assert!(evidence[figure.start..].starts_with(first), "{:?}", figure);
        }
    }
}
