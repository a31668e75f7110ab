//! What helps to find a fault, with nothing in it that a person wrote or read.
//!
//! Versions, the checks of [`Engine::doctor`] and counts. Document text, questions, titles, file names, the names of
//! collections and secrets are left out, and what stands for them in messages is replaced.

use crate::Engine;
use crate::contract::DoctorReport;
use recto_core::Result;
use recto_library::JobFilter;
use serde_json::json;
use std::collections::BTreeMap;

/// Shortest value of a secret that is looked for: shorter ones would hide common words.
const SHORTEST_SECRET: usize = 6;

/// A file of the diagnostics.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiagnosticFile {
    /// Its name.
    pub name: String,
    /// Its text.
    pub content: String,
}

/// What is known of the program where the library cannot be opened: `versions.json`, `failure.json` with the reason's code,
/// and `logs`, with secrets and the home folder replaced.
#[must_use]
pub fn diagnostics_without_library(code: &str, logs: Vec<DiagnosticFile>) -> Vec<DiagnosticFile> {
    let failure = json!({ "library_opens": false, "code": code });
    let mut files = vec![
        file("versions.json", &serde_json::Value::Object(versions())),
        file("failure.json", &failure),
    ];
    files.extend(logs);
    Redaction::of_environment().apply_to(&mut files);
    files
}

/// What is so of the program and the machine.
fn versions() -> serde_json::Map<String, serde_json::Value> {
    let known = [
        ("recto", json!(env!("CARGO_PKG_VERSION"))),
        ("system", json!(std::env::consts::OS)),
        ("architecture", json!(std::env::consts::ARCH)),
        (
            "processors",
            json!(std::thread::available_parallelism().map_or(0, std::num::NonZero::get)),
        ),
        ("debug_build", json!(cfg!(debug_assertions))),
    ];
    known
        .map(|(name, value)| (name.to_owned(), value))
        .into_iter()
        .collect()
}

impl Engine {
    /// What is known of the program and the library: `versions.json`, `doctor.json`, `library.json`, and `logs` with the
    /// same replacements.
    ///
    /// # Errors
    /// `internal` when the checks cannot be made at all.
    pub async fn diagnostics(&self, logs: Vec<DiagnosticFile>) -> Result<Vec<DiagnosticFile>> {
        let redaction = self.redaction().await?;
        let report = self.doctor().await?;
        let counts = self.counts().await?;
        let model = self.settings().model.clone();
        let status = self.model_status();
        let mut versions = versions();
        for (name, value) in [
            ("read_only", json!(self.is_read_only())),
            ("embedding_model", json!(status.embedding_model)),
            ("chat_model_set_up", json!(status.chat_model.is_some())),
            ("chat_model_provider", json!(model.provider)),
            ("chat_model_on_this_machine", json!(status.remote_host.is_none())),
        ] {
            versions.insert(name.to_owned(), value);
        }
        let mut files = vec![
            file("versions.json", &serde_json::Value::Object(versions)),
            DiagnosticFile {
                name: "doctor.json".to_owned(),
                content: pretty(&report_without_names(&report, &redaction)),
            },
            file("library.json", &counts),
        ];
        files.extend(logs);
        redaction.apply_to(&mut files);
        Ok(files)
    }

    async fn counts(&self) -> Result<serde_json::Value> {
        let mut collections = Vec::new();
        for summary in self.collections().await? {
            collections.push(json!({
                "documents": summary.documents,
                "ready": summary.ready,
                "attached": summary.location.is_some(),
                "opens": summary.error.is_none(),
            }));
        }
        let (mut kinds, mut states): (BTreeMap<String, u32>, BTreeMap<String, u32>) = Default::default();
        for document in self.list(None).await?.documents {
            *kinds
                .entry(document.media_type.unwrap_or_else(|| "unknown".to_owned()))
                .or_default() += 1;
            let state = serde_json::to_value(document.state).unwrap_or_default();
            *states.entry(state.as_str().unwrap_or_default().to_owned()).or_default() += 1;
        }
        let mut codes: BTreeMap<String, u32> = BTreeMap::new();
        if self.library().is_some() {
            let jobs = self
                .on_library(|library| Ok(library.jobs(&JobFilter::default())?))
                .await?;
            for code in jobs.into_iter().filter_map(|job| job.error_code) {
                *codes.entry(code).or_default() += 1;
            }
        }
        Ok(json!({
            "collections": collections,
            "documents_by_type": kinds,
            "documents_by_state": states,
            "failures_by_code": codes,
            "conversations": self.conversations().await?.len(),
        }))
    }

    /// What must not be read in any of the files.
    async fn redaction(&self) -> Result<Redaction> {
        let mut redaction = Redaction::of_environment();
        for (number, summary) in self.collections().await?.into_iter().enumerate() {
            redaction.replace(&summary.name, &format!("<collection {}>", number + 1));
            if let Some(location) = summary.location {
                redaction.replace(&location, &format!("<place of collection {}>", number + 1));
            }
        }
        redaction.replace(&self.folder().to_string_lossy(), "<library>");
        Ok(redaction)
    }
}

/// Texts and what is written in their place, the longest first.
#[derive(Debug, Default)]
struct Redaction {
    replaced: BTreeMap<(std::cmp::Reverse<usize>, String), String>,
}

impl Redaction {
    /// The secrets that programs take from the environment, and the home folder.
    fn of_environment() -> Self {
        let mut redaction = Self::default();
        // Values that are no Unicode cannot stand in a text.
        for (name, value) in std::env::vars_os().filter_map(|(name, value)| Some((name, value.into_string().ok()?))) {
            let name = name.to_string_lossy().to_uppercase();
            let is_secret = ["KEY", "TOKEN", "SECRET", "PASSWORD", "CREDENTIAL"]
                .iter()
                .any(|word| name.contains(word));
            if is_secret && value.len() >= SHORTEST_SECRET {
                redaction.replace(&value, "<secret>");
            } else if name == "HOME" || name == "USERPROFILE" {
                redaction.replace(&value, "<home>");
            }
        }
        redaction
    }

    fn apply_to(&self, files: &mut [DiagnosticFile]) {
        for file in files {
            file.content = self.apply(&file.content);
        }
    }

    fn replace(&mut self, text: &str, with: &str) {
        if !text.trim().is_empty() && text != "/" {
            let key = (std::cmp::Reverse(text.len()), text.to_owned());
            self.replaced.insert(key, with.to_owned());
        }
    }

    /// `text` with every whole occurrence replaced. A name inside of a longer word is not one.
    fn apply(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for ((_, from), to) in &self.replaced {
            text = replaced(&text, from, to);
        }
        text
    }
}

fn replaced(text: &str, from: &str, to: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(from) {
        let after = &rest[at + from.len()..];
        let before = out.chars().chain(rest[..at].chars()).next_back();
        let is_whole = |beside: Option<char>, own: Option<char>| {
            !(beside.is_some_and(char::is_alphanumeric) && own.is_some_and(char::is_alphanumeric))
        };
        out.push_str(&rest[..at]);
        let whole = is_whole(before, from.chars().next()) && is_whole(after.chars().next(), from.chars().next_back());
        out.push_str(if whole { to } else { from });
        rest = after;
    }
    out.push_str(rest);
    out
}

/// The checks with collections by number.
fn report_without_names(report: &DoctorReport, redaction: &Redaction) -> serde_json::Value {
    let checks: Vec<_> = report
        .checks
        .iter()
        .map(|check| {
            json!({
                "name": redaction.apply(&check.name),
                "ok": check.ok,
                "detail": redaction.apply(&check.detail),
                "remedy": check.remedy,
            })
        })
        .collect();
    json!({ "ok": report.ok, "checks": checks })
}

fn file(name: &str, content: &serde_json::Value) -> DiagnosticFile {
    DiagnosticFile {
        name: name.to_owned(),
        content: pretty(content),
    }
}

fn pretty(value: &serde_json::Value) -> String {
    let mut text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_names_are_replaced_and_the_longest_first() {
        let mut redaction = Redaction::default();
        redaction.replace("Q3", "<collection 1>");
        redaction.replace("Q3 filings", "<collection 2>");
        redaction.replace("/home/anna", "<home>");
        assert_eq!(
            redaction.apply("collection Q3 filings: /home/anna/x of Q3, not Q31 or SQ3"),
            "collection <collection 2>: <home>/x of <collection 1>, not Q31 or SQ3"
        );
    }
}
