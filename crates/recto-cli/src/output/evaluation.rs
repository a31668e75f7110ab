//! What came of a set of questions, for people.

use recto_engine::contract::AnswerStatus;
use recto_eval::{Outcome, Pages, Report, Share};

/// One question, as it is done.
pub(crate) fn line(outcome: &Outcome, done: usize, of: usize) -> String {
    let status = match outcome.status {
        Some(AnswerStatus::Answered) => "answered",
        Some(AnswerStatus::Refused) => "refused",
        Some(AnswerStatus::Failed | AnswerStatus::Cancelled) | None => "failed",
    };
    let right = |page: &&recto_eval::PageAt| outcome.gold.contains(page);
    let rank = outcome.retrieved.iter().position(|page| right(&page));
    let page = match (outcome.gold.is_empty(), rank) {
        (true, _) => String::new(),
        (false, Some(at)) => format!(", right page at {}", at + 1),
        (false, None) => ", right page not among the first ten".to_owned(),
    };
    let error = outcome.error.as_deref().map(|error| format!(": {error}"));
    format!(
        "{done}/{of} {} {status} in {} ms{page}{}",
        outcome.id,
        outcome.answer_ms,
        error.unwrap_or_default()
    )
}

/// All figures. What the set does not ask for is left out.
pub(crate) fn report(report: &Report) -> String {
    let mut lines = vec![format!(
        "{} questions: {} answered, {} refused, {} failed.",
        report.questions, report.answered, report.refused, report.failed
    )];
    let mut row = |name: &str, shares: &[(String, Share)]| {
        let shown: Vec<String> = shares
            .iter()
            .filter_map(|(at, share)| {
                let quotient = share.quotient()?;
                Some(format!("{at}{quotient:.3} ({}/{})", share.hits, share.of))
            })
            .collect();
        if !shown.is_empty() {
            lines.push(format!("{name:<34} {}", shown.join("  ")));
        }
    };
    let cuts = |shares: [Share; 4]| -> Vec<(String, Share)> {
        Pages::CUTS
            .iter()
            .zip(shares)
            .map(|(cut, share)| (format!("@{cut} "), share))
            .collect()
    };
    let one = |share: Share| [(String::new(), share)];
    row("Any right page retrieved", &cuts(report.pages.any));
    row("All right pages retrieved", &cuts(report.pages.all));
    row("First page of the right document", &one(report.pages.first_document));
    row("Right documents in ten pages", &one(report.pages.documents_10));
    row("Citations on a right page", &one(report.cited_precision));
    row("Answers citing a right page", &one(report.cited_any));
    row("Amounts given", &one(report.numbers.amounts));
    row("Answers with all amounts", &one(report.numbers.questions));
    row("Refusals that were right", &one(report.refusals.precision));
    row("Unanswerable questions refused", &one(report.refusals.recall));
    let times = |name: &str, times: recto_eval::Times| format!("{name:<34} p50 {} ms  p95 {} ms", times.p50, times.p95);
    lines.push(times("Search", report.search_ms));
    lines.push(times("Answer", report.answer_ms));
    if report.calls > 0 {
        let known = |tokens: Option<u64>| tokens.map_or_else(|| "unknown".to_owned(), |tokens| tokens.to_string());
        lines.push(format!(
            "{:<34} {} calls, {} tokens in, {} out, {} markers made up",
            "Model",
            report.calls,
            known(report.input_tokens),
            known(report.output_tokens),
            report.invalid_markers
        ));
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_the_set_asks_for_is_shown() {
        let mut counted = Report {
            questions: 2,
            answered: 2,
            ..Report::default()
        };
        counted.pages.any[0] = Share { hits: 1, of: 2 };
        let text = report(&counted);
        assert!(text.contains("@1 0.500 (1/2)"), "{text}");
        assert!(
            !text.contains("Amounts") && !text.contains("Model") && !text.contains("@3"),
            "{text}"
        );
    }
}
