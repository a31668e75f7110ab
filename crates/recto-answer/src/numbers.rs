//! Figures, dates and percentages, compared as people write them.
//!
//! `1,577 million`, `$1.577 billion` and `1,577` in a table "in millions" are one figure; `(12)` and `-12` are one; `5 %`
//! is no 5 and no five percentage points; `Q3 2022` is the third quarter of fiscal 2022. The check states that a figure
//! stands in the cited evidence, not that the claim about it is true. What counts as the same: equal at the precision of
//! the claim, so that "1.6 billion" is found in `1,577 million`; with a unit, a sign and a scale that do not contradict.
//!
//! - `scan` finds the figures of a text, with `numeral`, `measure`, `dates`, `words` and `direction` for their parts;
//! - `layout` and `evidence` say what the place of a figure says about it: row, column, caption;
//! - `computed` tries whether a figure that does not stand there follows from some that do.

mod computed;
mod dates;
mod direction;
mod evidence;
mod figure;
mod layout;
mod measure;
mod numeral;
mod scan;
mod words;

pub use evidence::Evidence;
pub use figure::Figure;
pub use scan::figures;

use recto_core::NumberCheck;

/// Small numbers in words are checked only where the evidence speaks of the same things: "two reasons" is a way of
/// writing, "three stores" a figure.
const SMALL: f64 = 12.0;

/// Looks every figure of `claim` up in `evidence`. A figure that is not there but follows from figures that are
/// (difference, sum, ratio, change in per cent) is computed, and its operands are told: `(120 − 100) ÷ 100`.
#[must_use]
pub fn check(claim: &str, evidence: &Evidence) -> NumberCheck {
    let wanted = figures(claim);
    let (found, missing): (Vec<&Figure>, Vec<&Figure>) = wanted.iter().partition(|figure| evidence.holds(figure));
    let mut check = NumberCheck::default();
    for figure in &found {
        push(&mut check.found, figure.written.clone());
    }
    for figure in missing {
        if let Some(how) = computed::computed(figure, claim, &found, evidence) {
            if !check.computed.contains(&figure.written) {
                check.computed.push(figure.written.clone());
                check.operands.push(how);
            }
        } else if !is_manner_of_speaking(figure, evidence) {
            push(&mut check.missing, figure.written.clone());
        }
    }
    check
}

fn push(list: &mut Vec<String>, written: String) {
    if !list.contains(&written) {
        list.push(written);
    }
}

/// "For two reasons", "the three companies".
fn is_manner_of_speaking(figure: &Figure, evidence: &Evidence) -> bool {
    figure.in_words
        && figure.amount.as_ref().is_some_and(|amount| {
            let small = amount.scale.is_none() && amount.value() <= SMALL;
            let counted = matches!(amount.unit, figure::Unit::Bare | figure::Unit::Count(_));
            small && counted && (figure.definite || !evidence.speaks_of(&amount.nouns))
        })
}
#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn assert_found(claim: &str, evidence: &str) {
        let check = check(claim, &Evidence::new(evidence));
        assert!(
            check.missing.is_empty() && !check.found.is_empty(),
            "{claim} in {evidence}: {check:?}"
        );
    }

    #[track_caller]
    fn assert_missing(claim: &str, evidence: &str) {
        let check = check(claim, &Evidence::new(evidence));
        assert!(!check.missing.is_empty(), "{claim} in {evidence}: {check:?}");
    }

    #[test]
    fn a_figure_is_the_same_in_every_scale() {
        assert_found("Capex was $1.577 billion.", "purchases were $1,577 million");
        assert_found("Capex was $1,577 million.", "spent $1.577 billion");
        assert_found("Capex was $1,577 million.", "(In millions)\nPurchases (1,577) (1,373)");
        assert_found("Capex was $1.6 billion.", "(in millions) Purchases 1,577");
        assert_found("It was 1577.", "It was 1,577.");
        assert_found("Sales were $82.959 billion", "Total net sales 82,959");
        assert_missing("Capex was $1.577 billion.", "purchases were $1,577 thousand");
        assert_missing("Capex was $1,578 million.", "purchases were $1,577 million");
        assert_missing("Capex was $1.7 billion.", "(in millions) 1,577");
    }

    #[test]
    fn percentages_signs_and_years_are_kept_apart_from_bare_numbers() {
        assert_found("It rose 5%.", "an increase of 5 percent");
        assert_found("Margin was 43.3%", "Gross margin percentage 43.3 % 44.3 %");
        assert_missing("It rose 5%.", "5 stores were opened");
        assert_found("The change was (12)", "Other (12) 4");
        assert_found("It changed by -12", "Other (12) 4");
        assert_missing("It changed by -12", "There were 12 stores.");
        assert_found("It fell by 12", "Other (12) 4");
        assert_found("in 2022", "Fiscal year ended June 25, 2022");
        assert_missing("in 2021", "Fiscal year ended June 25, 2022");
    }

    #[test]
    fn dates_are_found_in_any_order_and_across_header_rows() {
        assert_found("on June 25, 2022", "the quarter ended 25 June 2022");
        assert_found("on June 25, 2022", "June 25,\n2022 and 2021");
        assert_missing("on June 25, 2022", "June 26, 2022");
    }

    #[test]
    fn names_and_list_numbers_are_no_figures() {
        assert!(figures("The 10-K, its Item 7A, § 4.2(b) and Notes 5 and 6 about COVID-19").is_empty());
        assert!(figures("1. First point").is_empty());
        assert_eq!(figures("$5 and 10-year notes").len(), 2, "a term is a figure");
    }

    #[test]
    fn a_figure_that_follows_from_two_found_ones_is_computed() {
        let check = check(
            "It rose by 20 from 100 to 120, or 20%.",
            &Evidence::new("Sales 120 100"),
        );
        assert_eq!(check.found, ["100", "120"]);
        assert_eq!(check.computed, ["20", "20%"]);
        assert_eq!(check.operands, ["120 − 100", "(120 − 100) ÷ 100"]);
        assert!(check.missing.is_empty());
    }
}
