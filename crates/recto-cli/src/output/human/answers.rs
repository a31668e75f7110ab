//! An answer's citations and what stands below it.

use crate::output::human::search::{search_result, searched};
use crate::output::human::words::{LONGEST_TITLE, SHORTEST_ID, count, grouped, join, place, short_id};
use crate::output::json::PageFile;
use crate::output::terminal::{View, one_line, snippet};
use recto_engine::contract::{Answer, AnswerStatus, Citation, Evidence, Grounding, Mark, NumberCheck, Verdict};

/// Passages shown beside an answer that cites none.
const MOST_NEAREST: usize = 5;

fn verdict_name(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Verbatim => "verbatim",
        Verdict::Normalised => "normalised",
        Verdict::Fuzzy => "nearly the same words",
        Verdict::Aligned => "matched by meaning",
        Verdict::NotLocated => "not located",
    }
}

/// `[1] Title · p. 371 · PDF 7 · ✓ verbatim`, the quote below it, and the figures that are not there.
pub(crate) fn citation(citation: &Citation, view: View) -> String {
    let chip = match citation.mark {
        Mark::Proven => view.green(&format!("✓ {}", verdict_name(citation.verdict))),
        Mark::Near => view.yellow(&format!("≈ {}", verdict_name(citation.verdict))),
        Mark::Open => view.red(&format!("! {}", verdict_name(citation.verdict))),
    };
    let title = Some(snippet(&citation.title, LONGEST_TITLE));
    let place = place(&citation.locator, &citation.pages);
    let mut lines = vec![format!(
        "{} {}",
        view.bold(&format!("[{}]", citation.index)),
        join([title, place, Some(chip)])
    )];
    let quote = one_line(&citation.quote)
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    if !quote.is_empty() {
        lines.push(view.wrap(&format!("“{quote}”"), "    "));
    }
    if !citation.numbers.missing.is_empty() {
        let figures = list_of(&citation.numbers.missing);
        lines.push(format!(
            "    {}",
            view.red(&format!("not in the cited passage: {figures}"))
        ));
    }
    if !citation.numbers.computed.is_empty() {
        lines.push(format!(
            "    computed from cited figures: {}",
            computations(&citation.numbers)
        ));
    }
    lines.join("\n")
}

/// `15 % = (1 577 − 1 371) ÷ 1 371; 206`: each figure, with the sum it comes from where that is known.
fn computations(numbers: &NumberCheck) -> String {
    let each = numbers.computed.iter().enumerate().map(|(at, figure)| {
        let figure = one_line(figure);
        match numbers.operands.get(at).filter(|sum| !sum.is_empty()) {
            Some(sum) => format!("{figure} = {}", one_line(sum)),
            None => figure,
        }
    });
    each.collect::<Vec<_>>().join("; ")
}

fn list_of(figures: &[String]) -> String {
    figures
        .iter()
        .map(|figure| one_line(figure))
        .collect::<Vec<_>>()
        .join(", ")
}

/// "Searched 12 of 12 documents; 9 passages read, 3 cited."
pub(crate) fn coverage(answer: &Answer, view: View) -> String {
    let cited = answer.evidence.iter().filter(|evidence| evidence.cited).count();
    let read = [
        format!("{} read", count(answer.evidence.len(), "passage", "passages")),
        format!("{} cited", grouped(cited)),
    ];
    searched(&answer.coverage, &read, view)
}

/// What follows the text of an answer: its citations, what was verified, what was searched, what went wrong.
pub(crate) fn answer_foot(answer: &Answer, view: View) -> String {
    let mut parts: Vec<String> = answer.citations.iter().map(|each| citation(each, view)).collect();
    if answer.status == AnswerStatus::Refused && !answer.nearest.is_empty() {
        parts.push(view.bold("Nearest passages"));
        parts.extend(
            answer
                .nearest
                .iter()
                .take(MOST_NEAREST)
                .map(|result| search_result(result, view)),
        );
    }
    let ungrounded = answer.grounding == Some(Grounding::Ungrounded);
    if (answer.uncited || ungrounded) && answer.status == AnswerStatus::Answered {
        let read: Vec<String> = answer
            .evidence
            .iter()
            .take(MOST_NEAREST)
            .map(|evidence| also_read(evidence, view))
            .collect();
        let heading = view.yellow(if ungrounded {
            "The model cited only what it was not given, so nothing above was checked. It was given:"
        } else {
            "The model cited nothing, so nothing above was checked. It was given:"
        });
        parts.push(format!("{heading}\n{}", read.join("\n")));
    }

    let mut closing = Vec::new();
    closing.extend(answer.verdict_summary.clone());
    closing.push(coverage(answer, view));
    if answer.sections_dropped > 0 {
        let sections = count(answer.sections_dropped as usize, "section was", "sections were");
        closing.push(format!("{sections} left out for lack of room."));
    }
    if answer.invalid_markers > 0 {
        let markers = count(answer.invalid_markers as usize, "citation", "citations");
        closing.push(format!(
            "{markers} of passages that do not exist removed from the text."
        ));
    }
    for failure in &answer.documents_failed {
        let title = one_line(&failure.title);
        closing.push(format!(
            "{} {title} could not be used: {}",
            view.red("!"),
            one_line(&failure.reason)
        ));
    }
    if let (Some(id), Some(_)) = (&answer.answer_id, &answer.model) {
        let id = short_id(id, SHORTEST_ID);
        closing.push(view.dim(&format!("`recto trace {id}` shows what the model saw.")));
    }
    parts.push(closing.join("\n"));
    parts.join("\n\n")
}

fn also_read(evidence: &Evidence, view: View) -> String {
    let passage = &evidence.passage;
    let place = place(&passage.locator, &passage.pages);
    let line = join([Some(snippet(&passage.title, LONGEST_TITLE)), place]);
    format!("  {} {line}", view.dim(&format!("({})", evidence.index)))
}

/// The pictures that were written.
pub(crate) fn page_files(files: &[PageFile], view: View) -> String {
    let mut lines = vec![view.bold("Cited pages")];
    for file in files {
        let numbers: Vec<String> = file.citations.iter().map(|index| format!("[{index}]")).collect();
        let path = file.path.as_deref().map(one_line).unwrap_or_default();
        lines.push(
            format!("  {path}  {}", view.dim(&numbers.join(" ")))
                .trim_end()
                .to_owned(),
        );
    }
    lines.join("\n")
}
