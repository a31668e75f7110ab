//! Results as a person reads them. Pure functions from the contract's shapes to text.
//!
//! Whatever comes from a document or a file name passes through [`terminal`] here, and nowhere else.

use crate::output::json::{CollectionList, DeleteReport, PageFile};
use crate::output::terminal::{View, block, one_line, snippet};
use comfy_table::{Attribute, Cell, CellAlignment, Color, ColumnConstraint, ContentArrangement, Table, presets};
use recto_engine::contract::{
    AddReport, Answer, AnswerStatus, Citation, CollectionSummary, Coverage, DoctorReport, DocumentList, DocumentState,
    Evidence, FailedFile, Grounding, ListedDocument, LocateMatch, LocateReport, Locator, Mark, MatchKind, ModelReport,
    ModelStatus, NotSearched, NumberCheck, PageBox, PageName, QueueReport, SearchReport, SearchResult, Verdict,
};
use std::path::Path;

/// Rows of `add`'s table before it says how many more there are.
const MOST_ADDED_ROWS: usize = 25;
/// Documents that were not searched that are named one by one.
const MOST_NOT_SEARCHED: usize = 5;
/// Passages shown beside an answer that cites none.
const MOST_NEAREST: usize = 5;
/// Characters of a passage that `search` shows.
const SNIPPET: usize = 320;
/// Characters of a title before it is cut; `show` and JSON have all of it.
const LONGEST_TITLE: usize = 90;
/// Characters of an id that are always shown.
const SHORTEST_ID: usize = 8;

// ── words ───────────────────────────────────────────────────────────────────────────────────────────────────────────

/// A count with its noun.
fn count(number: usize, one: &str, many: &str) -> String {
    format!("{} {}", grouped(number), if number == 1 { one } else { many })
}

/// A number in groups of three.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

fn seconds(elapsed_ms: u32) -> String {
    format!("{:.1} s", f64::from(elapsed_ms) / 1000.0)
}

/// What a state is called.
pub(crate) fn state_name(state: DocumentState) -> &'static str {
    match state {
        DocumentState::Queued => "queued",
        DocumentState::Reading => "reading",
        DocumentState::Ocr => "recognising text",
        DocumentState::Indexing => "indexing",
        DocumentState::Embedding => "embedding",
        DocumentState::Ready => "ready",
        DocumentState::ReadyWithGaps => "ready with gaps",
        DocumentState::NeedsPassword => "needs password",
        DocumentState::Damaged => "damaged",
        DocumentState::Unsupported => "unsupported",
        DocumentState::Empty => "empty",
        DocumentState::TooLarge => "too large",
        DocumentState::TimedOut => "timed out",
        DocumentState::OutOfMemory => "out of memory",
        DocumentState::Failed => "failed",
        DocumentState::Cancelled => "cancelled",
        DocumentState::Missing => "missing",
    }
}

fn state_colour(state: DocumentState) -> Color {
    match state {
        DocumentState::Ready => Color::DarkGreen,
        DocumentState::Queued
        | DocumentState::Reading
        | DocumentState::Ocr
        | DocumentState::Indexing
        | DocumentState::Embedding
        | DocumentState::ReadyWithGaps
        | DocumentState::Cancelled => Color::DarkYellow,
        _ => Color::DarkRed,
    }
}

/// The file's name at the end of a uri.
pub(crate) fn file_name(uri: &str) -> String {
    let name = Path::new(uri)
        .file_name()
        .map_or(uri.into(), |name| name.to_string_lossy());
    one_line(&name)
}

// ── places ──────────────────────────────────────────────────────────────────────────────────────────────────────────

/// `p. 371 · PDF 7`: the printed label where there is one, then the position in the file.
pub(crate) fn page_names(pages: &[PageName]) -> Option<String> {
    if pages.is_empty() {
        return None;
    }
    let position = format!(
        "PDF {}",
        ranges(&pages.iter().map(|page| page.number).collect::<Vec<_>>())
    );
    let labels: Vec<String> = pages
        .iter()
        .filter_map(|page| page.label.as_deref().map(one_line))
        .collect();
    let in_a_row = pages.windows(2).all(|pair| pair[0].number + 1 == pair[1].number);
    let printed = match labels.as_slice() {
        [] => return Some(position),
        [only] => format!("p. {only}"),
        [first, .., last] if in_a_row && labels.len() == pages.len() => format!("pp. {first}–{last}"),
        several => format!("pp. {}", several.join(", ")),
    };
    Some(format!("{printed} · {position}"))
}

/// `3, 5–7`.
fn ranges(numbers: &[u32]) -> String {
    let mut parts: Vec<(u32, u32)> = Vec::new();
    for &number in numbers {
        match parts.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => parts.push((number, number)),
        }
    }
    let parts: Vec<String> = parts
        .into_iter()
        .map(|(first, last)| {
            if first == last {
                first.to_string()
            } else {
                format!("{first}–{last}")
            }
        })
        .collect();
    parts.join(", ")
}

/// How a place is named, for any kind of document; `None` where there is nothing to name.
pub(crate) fn place(locator: &Locator, pages: &[PageName]) -> Option<String> {
    match locator {
        Locator::Page { pages: named } => page_names(if pages.is_empty() { named } else { pages }),
        Locator::Slide { number } => Some(format!("slide {number}")),
        Locator::Sheet { name, range } => Some(format!("sheet “{}” {}", one_line(name), one_line(range))),
        Locator::Heading { path } => heading_path(path),
        Locator::Part { name } => Some(format!("part “{}”", one_line(name))),
    }
}

fn heading_path(path: &[String]) -> Option<String> {
    (!path.is_empty()).then(|| {
        path.iter()
            .map(|heading| snippet(heading, 80))
            .collect::<Vec<_>>()
            .join(" › ")
    })
}

fn join(parts: impl IntoIterator<Item = Option<String>>) -> String {
    parts
        .into_iter()
        .flatten()
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join(" · ")
}

/// The fewest characters, at least eight, that tell the ids apart. Ids made in one moment share their beginning.
pub(crate) fn id_length<'a>(ids: impl Iterator<Item = &'a str>) -> usize {
    let mut ids: Vec<&str> = ids.collect();
    ids.sort_unstable();
    ids.dedup();
    let shared = ids.windows(2).map(|pair| common_prefix(pair[0], pair[1])).max();
    shared.map_or(SHORTEST_ID, |shared| (shared + 1).max(SHORTEST_ID))
}

fn common_prefix(left: &str, right: &str) -> usize {
    left.bytes().zip(right.bytes()).take_while(|(a, b)| a == b).count()
}

fn short_id(id: &str, length: usize) -> &str {
    id.get(..length).unwrap_or(id)
}

// ── tables ──────────────────────────────────────────────────────────────────────────────────────────────────────────

/// Columns of any width.
const GIVING_WAY: [&str; 4] = ["Title", "File", "Collection", "Note"];

fn table(view: View, headings: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING);
    match view.width {
        Some(width) => {
            table.set_content_arrangement(ContentArrangement::Dynamic);
            table.set_width(u16::try_from(width).unwrap_or(u16::MAX));
        }
        None => {
            table.set_content_arrangement(ContentArrangement::Disabled);
        }
    }
    if !view.colour {
        table.force_no_tty();
    }
    table.set_header(
        headings
            .iter()
            .map(|heading| Cell::new(heading).add_attribute(Attribute::Bold)),
    );
    for (column, heading) in table.column_iter_mut().zip(headings) {
        column.set_padding((0, 2));
        // Titles, names and notes give way where the terminal is narrow; what is short stays in one line.
        if !GIVING_WAY.contains(heading) {
            column.set_constraint(ColumnConstraint::ContentWidth);
        }
    }
    table
}

/// The table without blanks at the ends of its lines.
fn draw(table: &Table) -> String {
    table.trim_fmt()
}

fn state_cell(state: DocumentState) -> Cell {
    Cell::new(state_name(state)).fg(state_colour(state))
}

fn number_cell(number: Option<u32>) -> Cell {
    let text = number
        .filter(|number| *number > 0)
        .map_or("–".to_owned(), |number| grouped(number as usize));
    Cell::new(text).set_alignment(CellAlignment::Right)
}

/// `list`.
pub(crate) fn document_list(list: &DocumentList, view: View) -> String {
    let documents = &list.documents;
    let Some(first) = documents.first() else {
        return String::new();
    };
    let length = id_length(documents.iter().filter_map(|document| document.document_id.as_deref()));
    let several_collections = documents.iter().any(|document| document.collection != first.collection);
    let mut headings = vec!["ID", "Title", "File", "Pages", "State"];
    if several_collections {
        headings.push("Collection");
    }
    let mut table = table(view, &headings);
    for document in documents {
        let id = document.document_id.as_deref().map_or("–", |id| short_id(id, length));
        let mut row = vec![
            Cell::new(id),
            Cell::new(snippet(&document.title, LONGEST_TITLE)),
            Cell::new(file_name(&document.uri)),
            number_cell(document.page_count),
            state_cell(document.state),
        ];
        if several_collections {
            row.push(Cell::new(one_line(&document.collection)));
        }
        table.add_row(row);
    }
    let mut parts = vec![draw(&table)];
    let notes: Vec<String> = documents.iter().filter_map(|document| note(document, view)).collect();
    if !notes.is_empty() {
        parts.push(notes.join("\n"));
    }
    parts.join("\n\n")
}

/// Why a document is not simply ready.
fn note(document: &ListedDocument, view: View) -> Option<String> {
    let message = document.message.as_deref().filter(|message| !message.is_empty())?;
    Some(format!(
        "{} {}: {}",
        view.yellow("!"),
        file_name(&document.uri),
        one_line(message)
    ))
}

/// `show`.
pub(crate) fn document(document: &ListedDocument, view: View) -> String {
    let mut rows: Vec<(&str, String)> = vec![
        ("Title", one_line(&document.title)),
        ("State", state_name(document.state).to_owned()),
    ];
    if let Some(message) = &document.message {
        rows.push(("Note", one_line(message)));
    }
    rows.push(("Collection", one_line(&document.collection)));
    if let Some(id) = &document.document_id {
        rows.push(("ID", id.clone()));
    }
    if let Some(pages) = document.page_count.filter(|pages| *pages > 0) {
        let recognised = document.recognised_pages.unwrap_or(0);
        let how = match recognised {
            0 => String::new(),
            read => format!(" ({} read by text recognition)", grouped(read as usize)),
        };
        rows.push(("Pages", format!("{}{how}", grouped(pages as usize))));
    }
    if let Some(media_type) = &document.media_type {
        rows.push(("Type", one_line(media_type)));
    }
    if !document.tags.is_empty() {
        rows.push(("Tags", one_line(&document.tags.join(", "))));
    }
    rows.push(("File", one_line(&document.uri)));
    for location in document.locations.iter().filter(|location| **location != document.uri) {
        rows.push(("Also at", one_line(location)));
    }
    if let Some(sha256) = &document.sha256 {
        rows.push(("SHA-256", sha256.clone()));
    }
    rows.push(("Added", one_line(&document.created_at)));
    rows.push(("Changed", one_line(&document.updated_at)));
    pairs(&rows, view)
}

fn pairs(rows: &[(&str, String)], view: View) -> String {
    let width = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    let lines: Vec<String> = rows
        .iter()
        .map(|(name, value)| {
            let padding = " ".repeat(width - name.chars().count() + 2);
            format!("{}{padding}{value}", view.bold(name))
        })
        .collect();
    lines.join("\n")
}

/// `add`.
pub(crate) fn add_report(report: &AddReport, view: View) -> String {
    let mut parts = Vec::new();
    if !report.added.is_empty() {
        let length = id_length(report.added.iter().map(|document| document.document_id.as_str()));
        let mut table = table(view, &["ID", "Title", "File", "Pages", "State"]);
        for document in report.added.iter().take(MOST_ADDED_ROWS) {
            table.add_row(vec![
                Cell::new(short_id(&document.document_id, length)),
                Cell::new(snippet(&document.title, LONGEST_TITLE)),
                Cell::new(file_name(&document.uri)),
                number_cell(Some(document.page_count)),
                state_cell(document.state),
            ]);
        }
        parts.push(draw(&table));
        if report.added.len() > MOST_ADDED_ROWS {
            parts.push(format!(
                "… and {}; `recto list` shows all.",
                count(report.added.len() - MOST_ADDED_ROWS, "more document", "more documents")
            ));
        }
    }
    if !report.failed.is_empty() {
        let rows: Vec<String> = report.failed.iter().map(|file| failed_file(file, view)).collect();
        parts.push(format!("{}\n{}", view.bold("Not added"), rows.join("\n")));
    }
    parts.push(format!(
        "{} added · {} unchanged · {} failed · {}",
        grouped(report.added.len()),
        grouped(report.unchanged.len()),
        grouped(report.failed.len()),
        seconds(report.elapsed_ms)
    ));
    parts.join("\n\n")
}

fn failed_file(file: &FailedFile, view: View) -> String {
    format!(
        "  {} {}: {}",
        view.red(&format!("{}:", state_name(file.state))),
        one_line(&file.uri),
        one_line(&file.message)
    )
}

/// `delete`.
pub(crate) fn delete_report(report: &DeleteReport, _view: View) -> String {
    let lines: Vec<String> = report
        .deleted
        .iter()
        .map(|document| {
            format!(
                "Deleted “{}” from “{}”. The file it was made from stays where it is.",
                one_line(&document.title),
                one_line(&document.collection)
            )
        })
        .collect();
    lines.join("\n")
}

/// `collections`.
pub(crate) fn collections(list: &CollectionList<CollectionSummary>, view: View) -> String {
    if list.collections.is_empty() {
        return String::new();
    }
    let has_errors = list.collections.iter().any(|collection| collection.error.is_some());
    let mut headings = vec!["Collection", "Documents", "Ready"];
    if has_errors {
        headings.push("Note");
    }
    let mut table = table(view, &headings);
    for collection in &list.collections {
        let number = |number: u32| Cell::new(grouped(number as usize)).set_alignment(CellAlignment::Right);
        let mut row = vec![
            Cell::new(one_line(&collection.name)),
            number(collection.documents),
            number(collection.ready),
        ];
        if has_errors {
            row.push(Cell::new(collection.error.as_deref().map(one_line).unwrap_or_default()).fg(Color::DarkRed));
        }
        table.add_row(row);
    }
    draw(&table)
}

/// `queue`.
pub(crate) fn queue(report: &QueueReport, view: View) -> String {
    let mut parts = Vec::new();
    if !report.jobs.is_empty() {
        let length = id_length(report.jobs.iter().map(|job| job.job_id.as_str()));
        let mut table = table(view, &["Job", "File", "Collection", "State", "Progress", "Note"]);
        for job in &report.jobs {
            let progress = if job.total > 0 {
                format!("{}/{}", job.done, job.total)
            } else {
                String::new()
            };
            table.add_row(vec![
                Cell::new(short_id(&job.job_id, length)),
                Cell::new(one_line(&job.file_name)),
                Cell::new(one_line(&job.collection)),
                state_cell(job.state),
                Cell::new(progress).set_alignment(CellAlignment::Right),
                Cell::new(job.message.as_deref().map(one_line).unwrap_or_default()),
            ]);
        }
        parts.push(draw(&table));
    }
    let waiting = match report.active {
        0 => "Nothing waits.".to_owned(),
        active => format!("{} to do.", count(active as usize, "file", "files")),
    };
    let paused = if report.paused {
        " The queue is paused; `recto queue resume` lets it go on."
    } else {
        ""
    };
    parts.push(format!("{waiting}{paused}"));
    parts.join("\n\n")
}

/// `models`.
pub(crate) fn models(status: &ModelStatus, view: View) -> String {
    let mut rows: Vec<(&str, String)> = Vec::new();
    match &status.chat_model {
        Some(model) => rows.push(("Chat model", one_line(model))),
        None => rows.push(("Chat model", "none: answers are made of verbatim quotes".to_owned())),
    }
    let sent = [
        (&status.remote_host, "questions and the passages found are sent to"),
        (&status.embedding_host, "the text of documents and questions is sent to"),
        (
            &status.reranker_host,
            "questions and the passages to be ranked are sent to",
        ),
    ];
    let mut destinations: Vec<String> = sent
        .into_iter()
        .filter_map(|(host, what)| Some(format!("{what} {}", one_line(host.as_deref()?))))
        .collect();
    if destinations.is_empty() {
        destinations.push("nothing leaves this machine".to_owned());
    }
    rows.push(("Privacy", destinations.join("; ")));
    rows.push(("Embeddings", one_line(&status.embedding_model)));
    if let Some(reranker) = &status.reranker {
        rows.push(("Reranker", one_line(reranker)));
    }
    if let Some(probe) = &status.probe {
        rows.push(("Probe", one_line(probe)));
    }
    pairs(&rows, view)
}

/// `models probe`.
pub(crate) fn model_report(report: &ModelReport, view: View) -> String {
    let mut lines: Vec<String> = report
        .checks
        .iter()
        .map(|check| {
            let mark = match check.is_well {
                Some(true) => view.green("✓"),
                Some(false) => view.red("!"),
                None => view.yellow("?"),
            };
            format!("{mark} {}", one_line(&check.sentence))
        })
        .collect();
    if let Some(source) = &report.key_source {
        lines.push(view.dim(&format!("The key was found in: {}.", one_line(source))));
    }
    lines.push(match &report.remote_host {
        Some(host) => format!("Text would be sent to {}.", one_line(host)),
        None => "Nothing would leave this machine.".to_owned(),
    });
    lines.join("\n")
}

/// `doctor`.
pub(crate) fn doctor(report: &DoctorReport, view: View) -> String {
    let mut lines = Vec::new();
    for check in &report.checks {
        let mark = if check.ok { view.green("✓") } else { view.red("!") };
        lines.push(format!(
            "{mark} {}: {}",
            view.bold(&one_line(&check.name)),
            one_line(&check.detail)
        ));
        if let Some(remedy) = check.remedy.as_deref().filter(|_| !check.ok) {
            lines.push(format!("  → {}", one_line(remedy)));
        }
    }
    let wrong = report.checks.iter().filter(|check| !check.ok).count();
    let verdict = match wrong {
        0 => format!("{}, all in order.", count(report.checks.len(), "check", "checks")),
        _ => format!(
            "{} to look at, of {}.",
            grouped(wrong),
            count(report.checks.len(), "check", "checks")
        ),
    };
    lines.push(String::new());
    lines.push(verdict);
    lines.join("\n")
}

// ── search ──────────────────────────────────────────────────────────────────────────────────────────────────────────

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

fn search_result(result: &SearchResult, view: View) -> String {
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
fn searched(coverage: &Coverage, more: &[String], view: View) -> String {
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

fn not_searched(document: &NotSearched, view: View) -> String {
    let reason = one_line(&document.reason);
    format!("  {} {}: {reason}", view.yellow("!"), one_line(&document.title))
}

// ── answers ─────────────────────────────────────────────────────────────────────────────────────────────────────────

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

// ── pages and quotes ────────────────────────────────────────────────────────────────────────────────────────────────

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

#[cfg(test)]
mod tests {
    use super::*;
    use recto_engine::contract::{QuoteBy, ScopeRequest, Strategy, UnitStats, Usage};

    fn page(number: u32, label: Option<&str>) -> PageName {
        PageName {
            number,
            label: label.map(str::to_owned),
        }
    }

    fn cited(index: u32, verdict: Verdict, quote_by: QuoteBy, missing: &[&str]) -> Citation {
        Citation {
            index,
            collection: "Library".to_owned(),
            document_id: "0190a1b2-0000-7000-8000-000000000001".to_owned(),
            title: "Form 10-Q".to_owned(),
            uri: "/files/10q.pdf".to_owned(),
            section_title: Some("Revenue".to_owned()),
            headings: vec!["Revenue".to_owned()],
            section_ids: Vec::new(),
            pages: vec![page(7, Some("371"))],
            chunk_ids: vec!["c1".to_owned()],
            doc_item_refs: vec!["#/texts/1".to_owned()],
            sha256: "00".to_owned(),
            locator: Locator::Page {
                pages: vec![page(7, Some("371"))],
            },
            quote: "Revenue rose\n15 % to $1,577 million.".to_owned(),
            quote_by,
            verdict,
            mark: match verdict {
                Verdict::NotLocated => Mark::Open,
                _ if !missing.is_empty() => Mark::Open,
                Verdict::Verbatim if quote_by == QuoteBy::Answer => Mark::Proven,
                _ => Mark::Near,
            },
            numbers: NumberCheck {
                missing: missing.iter().map(|&figure| figure.to_owned()).collect(),
                ..NumberCheck::default()
            },
            boxes: Vec::new(),
            spans: Vec::new(),
        }
    }

    fn evidence(index: u32, is_cited: bool) -> Evidence {
        Evidence {
            index,
            cited: is_cited,
            passage: passage(index),
        }
    }

    fn passage(rank: u32) -> SearchResult {
        SearchResult {
            rank,
            score: 0.5,
            confidence: None,
            role: recto_engine::contract::PassageRole::Evidence,
            neighbour_of: None,
            locator: Locator::Page {
                pages: vec![page(3, None)],
            },
            spans: Vec::new(),
            collection: "Library".to_owned(),
            document_id: "0190a1b2-0000-7000-8000-000000000001".to_owned(),
            title: "Form 10-Q".to_owned(),
            uri: "/files/10q.pdf".to_owned(),
            chunk_id: "c1".to_owned(),
            chunk_ids: vec!["c1".to_owned()],
            pages: vec![page(3, None)],
            headings: vec!["Part I".to_owned(), "Item 2".to_owned()],
            labels: vec!["text".to_owned()],
            doc_item_refs: vec!["#/texts/1".to_owned()],
            text: "Some text\nof the page.".to_owned(),
            boxes: Vec::new(),
        }
    }

    fn answer(citations: Vec<Citation>, evidence: Vec<Evidence>) -> Answer {
        Answer {
            answer_id: None,
            question: "How did revenue change?".to_owned(),
            strategy: Strategy::Quotes,
            model: None,
            status: AnswerStatus::Answered,
            scope: ScopeRequest::default(),
            text: "Revenue rose [1].".to_owned(),
            uncited: false,
            grounding: None,
            unit_stats: UnitStats::default(),
            sections_dropped: 0,
            nearest: Vec::new(),
            citations,
            evidence,
            coverage: Coverage {
                documents_searched: 12,
                documents_with_matches: 1,
                documents_total: 12,
                not_searched: Vec::new(),
                chosen: Vec::new(),
            },
            documents_failed: Vec::new(),
            findings: Vec::new(),
            invalid_markers: 0,
            usage: Usage::default(),
            error: None,
            verdict_summary: None,
            coverage_sentence: String::new(),
            elapsed_ms: 12,
        }
    }

    #[test]
    fn a_page_is_named_by_its_label_and_its_position() {
        let cases = [
            (vec![page(7, Some("371"))], Some("p. 371 · PDF 7")),
            (vec![page(7, None)], Some("PDF 7")),
            (
                vec![page(7, Some("xii")), page(8, Some("xiii"))],
                Some("pp. xii–xiii · PDF 7–8"),
            ),
            (vec![page(7, Some("371")), page(8, None)], Some("p. 371 · PDF 7–8")),
            (
                vec![page(3, Some("1")), page(9, Some("7"))],
                Some("pp. 1, 7 · PDF 3, 9"),
            ),
            (
                vec![page(2, None), page(3, None), page(4, None), page(9, None)],
                Some("PDF 2–4, 9"),
            ),
            (vec![], None),
        ];
        for (pages, expected) in cases {
            assert_eq!(page_names(&pages).as_deref(), expected);
        }
        assert_eq!(
            page_names(&[page(1, Some("\u{1b}[31mi\u{202e}"))]).as_deref(),
            Some("p. i · PDF 1"),
            "a label is the document's text"
        );
    }

    #[test]
    fn places_without_pages_are_named_too() {
        let sheet = Locator::Sheet {
            name: "Q3".to_owned(),
            range: "B3:D9".to_owned(),
        };
        assert_eq!(place(&sheet, &[]).as_deref(), Some("sheet “Q3” B3:D9"));
        let heading = Locator::Heading {
            path: vec!["Guide".to_owned(), "Setup".to_owned()],
        };
        assert_eq!(place(&heading, &[]).as_deref(), Some("Guide › Setup"));
        assert_eq!(place(&Locator::Heading { path: Vec::new() }, &[]), None);
    }

    #[test]
    fn a_shownshows_title_page_verdict_and_quote() {
        let text = citation(&cited(1, Verdict::Verbatim, QuoteBy::Answer, &[]), View::PLAIN);
        assert_eq!(
            text,
            "[1] Form 10-Q · p. 371 · PDF 7 · ✓ verbatim\n    “Revenue rose 15 % to $1,577 million.”"
        );
    }

    #[test]
    fn only_words_the_answer_quoted_itself_get_the_tick() {
        let first_line = |verdict, quote_by, missing: &[&str]| {
            let text = citation(&cited(1, verdict, quote_by, missing), View::PLAIN);
            text.lines()
                .next()
                .unwrap_or_default()
                .rsplit(" · ")
                .next()
                .unwrap_or_default()
                .to_owned()
        };
        assert_eq!(first_line(Verdict::Verbatim, QuoteBy::Answer, &[]), "✓ verbatim");
        assert_eq!(first_line(Verdict::Verbatim, QuoteBy::Recto, &[]), "≈ verbatim");
        assert_eq!(first_line(Verdict::Normalised, QuoteBy::Answer, &[]), "≈ normalised");
        assert_eq!(
            first_line(Verdict::Aligned, QuoteBy::Recto, &[]),
            "≈ matched by meaning"
        );
        assert_eq!(first_line(Verdict::NotLocated, QuoteBy::Recto, &[]), "! not located");
        assert_eq!(first_line(Verdict::Verbatim, QuoteBy::Answer, &["12 %"]), "! verbatim");
    }

    #[test]
    fn figures_that_are_not_there_are_named() {
        let text = citation(
            &cited(2, Verdict::Aligned, QuoteBy::Recto, &["12 %", "2024"]),
            View::PLAIN,
        );
        assert!(text.ends_with("    not in the cited passage: 12 %, 2024"), "{text}");
    }

    #[test]
    fn a_computed_figure_shows_the_sum_it_comes_from() {
        let mut shown = cited(2, Verdict::Verbatim, QuoteBy::Answer, &[]);
        shown.numbers.computed = vec!["$206 million".to_owned(), "15 %".to_owned()];
        shown.numbers.operands = vec!["1,577 − 1,371".to_owned()];
        let text = citation(&shown, View::PLAIN);
        assert!(
            text.ends_with("    computed from cited figures: $206 million = 1,577 − 1,371; 15 %"),
            "{text}"
        );
    }

    #[test]
    fn coverage_says_what_was_searched_read_and_cited() {
        let evidence = vec![evidence(1, true), evidence(2, false), evidence(3, true)];
        let mut answer = answer(Vec::new(), evidence);
        assert_eq!(
            coverage(&answer, View::PLAIN),
            "Searched 12 of 12 documents; 3 passages read, 2 cited."
        );
        answer.coverage = Coverage {
            documents_searched: 12_340,
            documents_with_matches: 1,
            documents_total: 12_341,
            not_searched: vec![NotSearched {
                document_id: None,
                title: "scan\u{1b}[2J.pdf".to_owned(),
                reason: "It is encrypted.".to_owned(),
            }],
            chosen: Vec::new(),
        };
        assert_eq!(
            coverage(&answer, View::PLAIN),
            "Searched 12 340 of 12 341 documents; 1 not searched; 3 passages read, 2 cited.\n  ! scan.pdf: It is encrypted."
        );
    }

    #[test]
    fn an_answer_without_citations_says_so() {
        let mut answer = answer(Vec::new(), vec![evidence(4, false)]);
        answer.uncited = true;
        let text = answer_foot(&answer, View::PLAIN);
        assert!(text.contains("The model cited nothing"), "{text}");
        assert!(text.contains("  (4) Form 10-Q · PDF 3"), "{text}");
    }

    #[test]
    fn a_refusal_shows_what_came_nearest() {
        let mut answer = answer(Vec::new(), Vec::new());
        answer.status = AnswerStatus::Refused;
        answer.nearest = vec![passage(1)];
        let text = answer_foot(&answer, View::PLAIN);
        assert!(text.starts_with("Nearest passages\n\n 1  Form 10-Q · PDF 3\n    Part I › Item 2\n    Some text of"));
        assert!(text.ends_with("0 passages read, 0 cited."), "{text}");
    }

    #[test]
    fn hostile_titles_are_harmless_in_every_place() {
        let hostile = "\u{1b}]0;x\u{07}\u{1b}[31mTitle\u{202e}\nsecond";
        let mut shownof = cited(1, Verdict::Verbatim, QuoteBy::Answer, &["\u{9b}1"]);
        shownof.title = hostile.to_owned();
        shownof.quote = hostile.to_owned();
        let mut passage = passage(1);
        passage.title = hostile.to_owned();
        passage.headings = vec![hostile.to_owned()];
        passage.text = hostile.to_owned();
        let list = DocumentList {
            documents: vec![listed("0190a1b2-0000-7000-8000-000000000001", hostile)],
        };
        let texts = [
            citation(&shownof, View::PLAIN),
            search_result(&passage, View::PLAIN),
            document_list(&list, View::PLAIN),
            document(&list.documents[0], View::PLAIN),
            file_name(&format!("/tmp/{hostile}")),
        ];
        for text in texts {
            let hidden = text
                .chars()
                .find(|&c| c != '\n' && crate::output::terminal::is_hidden(c));
            assert_eq!(hidden, None, "{text:?}");
            assert!(text.contains("Title second"), "{text:?}");
        }
    }

    fn listed(id: &str, title: &str) -> ListedDocument {
        ListedDocument {
            collection: "Library".to_owned(),
            document_id: Some(id.to_owned()),
            uri: format!("/files/{title}.pdf"),
            title: title.to_owned(),
            media_type: Some("application/pdf".to_owned()),
            page_count: Some(1_200),
            recognised_pages: Some(0),
            tags: Vec::new(),
            state: DocumentState::Ready,
            message: None,
            locations: Vec::new(),
            sha256: None,
            created_at: "2026-01-01T00:00:00Z".to_owned(),
            updated_at: "2026-01-01T00:00:00Z".to_owned(),
        }
    }

    #[test]
    fn ids_are_as_long_as_it_takes_to_tell_them_apart() {
        let ids = [
            "0190a1b2-c3d4-7000-8000-000000000001",
            "0190a1b2-c3d4-7000-9000-000000000001",
        ];
        assert_eq!(id_length(ids.into_iter()), "0190a1b2-c3d4-7000-8".len());
        assert_eq!(id_length(ids.into_iter().take(1)), 8);
        assert_eq!(id_length(std::iter::empty()), 8);
    }

    #[test]
    fn a_list_has_aligned_columns_without_trailing_blanks() {
        let list = DocumentList {
            documents: vec![
                listed("0190a1b2-c3d4-7000-8000-000000000001", "Alpha"),
                listed("0290a1b2-c3d4-7000-8000-000000000001", "Beta with a longer title"),
            ],
        };
        let text = document_list(&list, View::PLAIN);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 3, "{text}");
        assert!(lines[0].starts_with("ID"), "{text}");
        assert!(lines[1].starts_with("0190a1b2  Alpha "), "{text}");
        assert!(lines.iter().all(|line| *line == line.trim_end()), "{text:?}");
        assert!(lines[1].ends_with("1 200  ready"), "{text}");
    }

    #[test]
    fn failed_files_are_named_with_their_reasons() {
        let report = AddReport {
            failed: vec![FailedFile {
                uri: "/files/locked.pdf".to_owned(),
                state: DocumentState::NeedsPassword,
                message: "It is encrypted.".to_owned(),
            }],
            elapsed_ms: 1_240,
            ..AddReport::default()
        };
        assert_eq!(
            add_report(&report, View::PLAIN),
            "Not added\n  needs password: /files/locked.pdf: It is encrypted.\n\n0 added · 0 unchanged · 1 failed · 1.2 s"
        );
    }
}
