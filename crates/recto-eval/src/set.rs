//! The set of questions.

use recto_core::{Error, ErrorCode, Result};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::path::Path;

/// A question with what is known about its answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// Names the question in results; no two of a set are equal.
    pub id: String,
    /// The question.
    pub question: String,
    /// The documents that answer it, by file name, title or id.
    #[serde(default)]
    pub documents: Vec<String>,
    /// The pages that answer it; any of them does.
    #[serde(default)]
    pub pages: Vec<GoldPage>,
    /// The answer, of which the amounts and percentages are compared.
    #[serde(default)]
    pub answer: Option<String>,
    /// Whether the documents answer it at all. One that they do not ought to be refused.
    #[serde(default = "yes")]
    pub answerable: bool,
}

/// A page that answers a question.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GoldPage {
    /// Which document, as in [`Case::documents`]; may be left out where there is one.
    #[serde(default)]
    pub document: Option<String>,
    /// 1-based physical number.
    pub page: u32,
}

fn yes() -> bool {
    true
}

/// Questions in the order of their file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuestionSet {
    /// The questions.
    pub cases: Vec<Case>,
    /// SHA-256 of the file, hexadecimal.
    pub sha256: String,
}

impl QuestionSet {
    /// Reads a file with one JSON object per line.
    ///
    /// # Errors
    /// `not_found` when it cannot be read; `invalid_argument`, naming the line, for anything else.
    pub fn read(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path).map_err(|error| {
            Error::new(
                ErrorCode::NotFound,
                format!("The set {} cannot be read: {error}.", path.display()),
            )
        })?;
        Self::parse(&text)
    }

    /// Reads the text of such a file. Empty lines are passed over.
    ///
    /// # Errors
    /// `invalid_argument`, naming the line.
    pub fn parse(text: &str) -> Result<Self> {
        let mut cases = Vec::new();
        let mut ids = BTreeSet::new();
        for (number, line) in (1..).zip(text.lines()) {
            if line.trim().is_empty() {
                continue;
            }
            let wrong = |what: String| {
                let message = format!("Line {number} of the set: {what}");
                Error::new(ErrorCode::InvalidArgument, message)
            };
            let mut case: Case = serde_json::from_str(line).map_err(|error| wrong(format!("{error}.")))?;
            if case.question.trim().is_empty() {
                return Err(wrong("the question is empty.".to_owned()));
            }
            if !ids.insert(case.id.clone()) {
                return Err(wrong(format!("there is a question {} already.", case.id)));
            }
            for page in &mut case.pages {
                if page.page == 0 {
                    return Err(wrong("pages are counted from 1.".to_owned()));
                }
                if page.document.is_none() {
                    let [only] = case.documents.as_slice() else {
                        return Err(wrong(
                            "a page without a document needs exactly one in \"documents\".".to_owned(),
                        ));
                    };
                    page.document = Some(only.clone());
                }
            }
            cases.push(case);
        }
        if cases.is_empty() {
            return Err(Error::new(
                ErrorCode::InvalidArgument,
                "There is no question in the set.",
            ));
        }
        Ok(Self {
            cases,
            sha256: hex::encode(Sha256::digest(text)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> String {
        let error = QuestionSet::parse(text).expect_err("refuses");
        assert_eq!(error.code, ErrorCode::InvalidArgument);
        error.message
    }

    #[test]
    fn a_page_belongs_to_the_only_document_unless_it_names_another() {
        let line =
            r#"{"id":"a","question":"Why?","documents":["r.pdf"],"pages":[{"page":3},{"document":"s.pdf","page":1}]}"#;
        let set = QuestionSet::parse(line).expect("reads");
        let case = &set.cases[0];
        assert!(case.answerable);
        let documents: Vec<_> = case.pages.iter().map(|page| page.document.as_deref()).collect();
        assert_eq!(documents, [Some("r.pdf"), Some("s.pdf")]);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        let good = r#"{"id":"a","question":"Why?"}"#;
        assert!(refused(&format!("{good}\n\nnonsense")).starts_with("Line 3"));
        assert!(refused(&format!("{good}\n{good}")).contains("a already"));
        assert!(refused(r#"{"id":"a","question":" "}"#).contains("empty"));
        assert!(refused(r#"{"id":"a","question":"Why?","pages":[{"page":2}]}"#).contains("exactly one"));
        assert!(refused(r#"{"id":"a","question":"Why?","anser":"b"}"#).contains("anser"));
        assert!(refused(r#"{"id":"a","question":"Why?","documents":["x"],"pages":[{"page":0}]}"#).contains("from 1"));
        assert!(refused("\n").contains("no question"));
    }
}
