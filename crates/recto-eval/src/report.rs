//! Figures of many outcomes.

use crate::outcome::{Outcome, PageAt};
use recto_engine::contract::AnswerStatus;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// How many of how many.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Share {
    /// That many.
    pub hits: u32,
    /// Of these.
    pub of: u32,
}

impl Share {
    /// The quotient; none of nothing.
    #[must_use]
    pub fn quotient(self) -> Option<f64> {
        (self.of > 0).then(|| f64::from(self.hits) / f64::from(self.of))
    }

    fn count(&mut self, hit: bool) {
        self.of += 1;
        self.hits += u32::from(hit);
    }
}

/// How well the right pages are retrieved: `any` of them, or `all`, among the first 1, 3, 5 and 10.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Pages {
    /// Questions with at least one right page among the first k, in the order of [`Pages::CUTS`].
    pub any: [Share; 4],
    /// Questions with all right pages there.
    pub all: [Share; 4],
    /// Of questions that one document answers: the first page is of it.
    pub first_document: Share,
    /// Of questions that several documents answer: how many of these are among the first ten pages.
    pub documents_10: Share,
}

impl Pages {
    /// The k of recall at k.
    pub const CUTS: [usize; 4] = [1, 3, 5, 10];
}

/// Whether refusals are where they should be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Refusals {
    /// Of the refusals, those of questions without an answer.
    pub precision: Share,
    /// Of the questions without an answer, those refused.
    pub recall: Share,
}

/// Whether amounts are right.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Numbers {
    /// Of all amounts expected, those given.
    pub amounts: Share,
    /// Questions with all their amounts.
    pub questions: Share,
}

/// Milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Times {
    /// The middle one.
    pub p50: u32,
    /// Nineteen of twenty are below.
    pub p95: u32,
}

/// What came of a set.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Report {
    /// Questions put.
    pub questions: u32,
    /// Those with an answer.
    pub answered: u32,
    /// Those refused.
    pub refused: u32,
    /// Those that failed or were stopped.
    pub failed: u32,
    /// Retrieval.
    pub pages: Pages,
    /// Of all citations of questions with known pages, those on one of them.
    pub cited_precision: Share,
    /// Questions with known pages that cite one of them.
    pub cited_any: Share,
    /// Amounts.
    pub numbers: Numbers,
    /// Refusals.
    pub refusals: Refusals,
    /// Markers the models made up.
    pub invalid_markers: u32,
    /// Of searches.
    pub search_ms: Times,
    /// Of answers.
    pub answer_ms: Times,
    /// Tokens sent, where known of every call.
    pub input_tokens: Option<u64>,
    /// Tokens generated, where known of every call.
    pub output_tokens: Option<u64>,
    /// Calls of models.
    pub calls: u32,
}

impl Report {
    /// Counts `outcomes`.
    #[must_use]
    pub fn of(outcomes: &[Outcome]) -> Self {
        let mut report = Self::default();
        for outcome in outcomes {
            report.add(outcome);
        }
        let called = || outcomes.iter().filter(|outcome| outcome.usage.calls > 0);
        report.input_tokens = called().map(|outcome| outcome.usage.input_tokens.map(u64::from)).sum();
        report.output_tokens = called().map(|outcome| outcome.usage.output_tokens.map(u64::from)).sum();
        report.search_ms = times(outcomes.iter().map(|outcome| outcome.search_ms));
        report.answer_ms = times(outcomes.iter().map(|outcome| outcome.answer_ms));
        report
    }

    fn add(&mut self, outcome: &Outcome) {
        self.questions += 1;
        self.invalid_markers += outcome.invalid_markers;
        self.calls += outcome.usage.calls;
        match outcome.status {
            Some(AnswerStatus::Answered) => self.answered += 1,
            Some(AnswerStatus::Refused) => self.refused += 1,
            Some(AnswerStatus::Failed | AnswerStatus::Cancelled) | None => self.failed += 1,
        }
        let was_refused = outcome.status == Some(AnswerStatus::Refused);
        if was_refused {
            self.refusals.precision.count(!outcome.answerable);
        }
        if !outcome.answerable {
            self.refusals.recall.count(was_refused);
            return;
        }
        self.count_pages(outcome);
        if outcome.amounts > 0 {
            self.numbers.amounts.of += outcome.amounts;
            self.numbers.amounts.hits += outcome.amounts_given;
            self.numbers.questions.count(outcome.amounts_given == outcome.amounts);
        }
    }

    fn count_pages(&mut self, outcome: &Outcome) {
        let gold: BTreeSet<&PageAt> = outcome.gold.iter().collect();
        if !gold.is_empty() {
            for (at, cut) in Pages::CUTS.into_iter().enumerate() {
                let first: BTreeSet<&PageAt> = outcome.retrieved.iter().take(cut).collect();
                self.pages.any[at].count(!gold.is_disjoint(&first));
                self.pages.all[at].count(gold.is_subset(&first));
            }
            let right = outcome.cited.iter().filter(|cited| gold.contains(&cited.at)).count();
            let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
            self.cited_precision.of += count(outcome.cited.len());
            self.cited_precision.hits += count(right);
            self.cited_any.count(right > 0);
        }
        match outcome.documents.as_slice() {
            [] => {}
            [only] => {
                let first = outcome.retrieved.first();
                self.pages
                    .first_document
                    .count(first.is_some_and(|page| page.document == *only));
            }
            several => {
                for document in several {
                    let found = outcome.retrieved.iter().any(|page| page.document == *document);
                    self.pages.documents_10.count(found);
                }
            }
        }
    }
}

fn times(values: impl Iterator<Item = u32>) -> Times {
    let mut values: Vec<u32> = values.collect();
    values.sort_unstable();
    let at = |percent: usize| {
        let last = values.len().checked_sub(1)?;
        values.get((last * percent + 50) / 100).copied()
    };
    Times {
        p50: at(50).unwrap_or_default(),
        p95: at(95).unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::CitedPage;

    fn page(document: &str, page: u32) -> PageAt {
        PageAt {
            document: document.to_owned(),
            page,
        }
    }

    fn outcome(retrieved: Vec<PageAt>, gold: Vec<PageAt>) -> Outcome {
        Outcome {
            id: "a".to_owned(),
            question: "Why?".to_owned(),
            retrieved,
            gold,
            documents: vec!["a".to_owned()],
            answerable: true,
            status: Some(AnswerStatus::Answered),
            answer: String::new(),
            cited: Vec::new(),
            invalid_markers: 0,
            amounts: 0,
            amounts_given: 0,
            usage: Default::default(),
            search_ms: 10,
            answer_ms: 20,
            error: None,
        }
    }

    #[test]
    fn pages_count_at_each_cut_with_any_and_with_all() {
        let found = vec![page("a", 9), page("a", 2), page("b", 3), page("a", 4)];
        let report = Report::of(&[outcome(found, vec![page("a", 2), page("a", 4)])]);
        let hits = |shares: [Share; 4]| shares.map(|share| share.hits);
        assert_eq!(hits(report.pages.any), [0, 1, 1, 1]);
        assert_eq!(hits(report.pages.all), [0, 0, 1, 1]);
        assert_eq!(report.pages.first_document, Share { hits: 1, of: 1 });
    }

    #[test]
    fn citations_and_several_documents_count_one_by_one() {
        let mut one = outcome(vec![page("a", 1), page("c", 1)], vec![page("a", 1)]);
        one.documents = vec!["a".to_owned(), "b".to_owned()];
        let cite = |index, at| CitedPage {
            index,
            at,
            quote: String::new(),
        };
        one.cited = vec![cite(1, page("a", 1)), cite(2, page("a", 7))];
        let report = Report::of(&[one]);
        assert_eq!(report.cited_precision, Share { hits: 1, of: 2 });
        assert_eq!(report.cited_any, Share { hits: 1, of: 1 });
        assert_eq!(report.pages.documents_10, Share { hits: 1, of: 2 });
    }

    #[test]
    fn a_refusal_is_right_where_there_is_no_answer() {
        let mut right = outcome(Vec::new(), Vec::new());
        right.answerable = false;
        right.status = Some(AnswerStatus::Refused);
        let mut wrong = outcome(Vec::new(), Vec::new());
        wrong.status = Some(AnswerStatus::Refused);
        let mut bold = outcome(Vec::new(), Vec::new());
        bold.answerable = false;
        let report = Report::of(&[right, wrong, bold]);
        assert_eq!(report.refusals.precision, Share { hits: 1, of: 2 });
        assert_eq!(report.refusals.recall, Share { hits: 1, of: 2 });
        assert_eq!((report.answered, report.refused, report.failed), (1, 2, 0));
    }

    #[test]
    fn unknown_tokens_of_one_call_make_the_sum_unknown() {
        let mut known = outcome(Vec::new(), Vec::new());
        known.usage.calls = 1;
        known.usage.input_tokens = Some(7);
        let mut unknown = known.clone();
        assert_eq!(Report::of(&[known.clone()]).input_tokens, Some(7));
        unknown.usage.input_tokens = None;
        assert_eq!(Report::of(&[known, unknown]).input_tokens, None);
    }

    #[test]
    fn times_are_the_middle_and_the_late_one() {
        assert_eq!(times((1..=100).rev()), Times { p50: 51, p95: 95 });
        assert_eq!(times(std::iter::empty()), Times::default());
    }
}
