//! Documents, files taken in, collections, the queue and the library's health.

use crate::output::human::tables::{draw, number_cell, pairs, state_cell, table};
use crate::output::human::words::{LONGEST_TITLE, count, file_name, grouped, id_length, seconds, short_id, state_name};
use crate::output::json::{CollectionList, DeleteReport};
use crate::output::terminal::{View, one_line, snippet};
use comfy_table::{Cell, CellAlignment, Color};
use recto_engine::contract::{
    AddReport, CollectionSummary, DoctorReport, DocumentList, FailedFile, ListedDocument, QueueReport,
};

/// Rows of `add`'s table before it says how many more there are.
const MOST_ADDED_ROWS: usize = 25;

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
