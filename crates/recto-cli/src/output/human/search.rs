//! What a search found, where a quote stands, and what was searched.

use crate::output::human::words::{LONGEST_TITLE, count, grouped, heading_path, join, page_names, place};
use crate::output::terminal::{View, block, one_line, snippet};
use recto_engine::contract::{
    Coverage, LocateMatch, LocateReport, Locator, MatchKind, NotSearched, PageBox, SearchReport, SearchResult,
};

/// Documents that were not searched that are named one by one.
const MOST_NOT_SEARCHED: usize = 5;

/// Characters of a passage that `search` shows.
const SNIPPET: usize = 320;

/// `search`.
pub(crate) fn search_report(report: &SearchReport, view: View) -> String {
    let mut parts: Vec<String> = report
        .results
        .iter()
        .map(|result| search_result(result, view))
        .collect();
    if parts.is_empty() {
        parts.push("No passage matches.".to_owned());
    }
    let coverage = &report.coverage;
    parts.push(searched(coverage, &[], view));
    parts.join("\n\n")
}

pub(super) fn search_result(result: &SearchResult, view: View) -> String {
    let place = place(&result.locator, &result.pages);
    let number = format!("{:>2}", result.rank);
    let title = view.bold(&snippet(&result.title, LONGEST_TITLE));
    let mut lines = vec![format!("{number}  {}", join([Some(title), place]))];
    let named_by_heading = matches!(result.locator, Locator::Heading { .. });
    if let Some(path) = heading_path(&result.headings).filter(|_| !named_by_heading) {
        lines.push(
            view.wrap(&path, "    ")
                .lines()
                .map(|line| view.dim(line))
                .collect::<Vec<_>>()
                .join("\n"),
        );
    }
    lines.push(view.wrap(&snippet(&result.text, SNIPPET), "    "));
    lines.join("\n")
}

/// "Searched 1 234 of 1 240 documents; 6 not searched; 9 passages read, 3 cited.", and why the six were not.
pub(super) fn searched(coverage: &Coverage, more: &[String], view: View) -> String {
    let mut sentence = format!(
        "Searched {} of {}",
        grouped(coverage.documents_searched as usize),
        count(coverage.documents_total as usize, "document", "documents")
    );
    let missing = coverage.not_searched.len();
    if missing > 0 {
        sentence.push_str(&format!("; {} not searched", grouped(missing)));
    }
    if !more.is_empty() {
        sentence.push_str("; ");
        sentence.push_str(&more.join(", "));
    }
    sentence.push('.');
    let mut lines = vec![sentence];
    for document in coverage.not_searched.iter().take(MOST_NOT_SEARCHED) {
        lines.push(not_searched(document, view));
    }
    if missing > MOST_NOT_SEARCHED {
        lines.push(format!("  … and {} more", grouped(missing - MOST_NOT_SEARCHED)));
    }
    lines.join("\n")
}

pub(super) fn not_searched(document: &NotSearched, view: View) -> String {
    let reason = one_line(&document.reason);
    format!("  {} {}: {reason}", view.yellow("!"), one_line(&document.title))
}

/// `locate`.
pub(crate) fn locate_report(report: &LocateReport, view: View) -> String {
    if report.matches.is_empty() {
        return "The quote was not found.".to_owned();
    }
    let matches: Vec<String> = report.matches.iter().map(|found| locate_match(found, view)).collect();
    matches.join("\n\n")
}

fn locate_match(found: &LocateMatch, view: View) -> String {
    let kind = match found.kind {
        MatchKind::Verbatim => view.green("✓ verbatim"),
        MatchKind::Normalised => view.yellow("≈ normalised"),
        MatchKind::Fuzzy => view.yellow("≈ nearly the same words"),
    };
    let mut lines = vec![join([Some(kind), page_names(&found.pages)])];
    let text = block(&found.text).split_whitespace().collect::<Vec<_>>().join(" ");
    lines.push(view.wrap(&format!("“{text}”"), "    "));
    for at in &found.boxes {
        lines.push(format!("    {}", view.dim(&page_box(at))));
    }
    lines.join("\n")
}

fn page_box(at: &PageBox) -> String {
    format!(
        "PDF {}: {:.1}, {:.1} to {:.1}, {:.1} pt",
        at.page, at.left, at.top, at.right, at.bottom
    )
}
