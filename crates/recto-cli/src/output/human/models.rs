//! The models that are set up, and what a look at one found.

use crate::output::human::tables::pairs;
use crate::output::terminal::{View, one_line};
use recto_engine::contract::{ModelReport, ModelStatus};

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
