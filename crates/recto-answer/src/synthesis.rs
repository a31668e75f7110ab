//! What each document was found to say, put together into one answer.

use crate::calls::Place;
use crate::documents::{self, Candidate};
use crate::markers::{MarkerParser, Piece};
use crate::run::Run;
use crate::{generate, json, prompt};
use recto_core::{Finding, Passage, Result};
use recto_retrieval::FoundPassage;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// What was found in one document. Numbers are the document's own: of its pages, sections or sources.
pub(crate) struct Report {
    pub(crate) document: Candidate,
    pub(crate) said: Said,
    /// What was read, by number.
    pub(crate) read: Vec<(u32, FoundPassage)>,
}

/// A model's reply about one document.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Said {
    /// Whether the document bears on the question; that something is not there can be an answer.
    pub(crate) addressed: bool,
    /// With markers of the document's own numbers.
    pub(crate) answer: String,
    pub(crate) cited: Vec<u32>,
    pub(crate) confidence: Option<f32>,
}

/// The JSON schema of [`Said`], its sources limited to `numbers`.
pub(crate) fn schema(numbers: &[u32]) -> Value {
    json!({
        "type": "object",
        "properties": {
            "status": {"type": "string", "enum": ["answered", "not_addressed"]},
            "answer": {"type": "string"},
            "cited": {"type": "array", "items": {"type": "integer", "enum": numbers}},
            "confidence": {"type": "number", "minimum": 0, "maximum": 1},
        },
        "required": ["status", "answer", "cited", "confidence"],
        "additionalProperties": false,
    })
}

/// Reads a reply of that form. The status decides whether the document addresses the question, never the wording.
pub(crate) fn read(value: &Value, numbers: &[u32]) -> Option<Said> {
    let answer = value
        .get("answer")
        .and_then(Value::as_str)
        .unwrap_or_default()
        .trim()
        .to_owned();
    let status = value.get("status").and_then(Value::as_str);
    if status.is_none() && answer.is_empty() {
        return None;
    }
    let addressed = match status {
        Some(status) => !status.trim().eq_ignore_ascii_case("not_addressed"),
        None => true,
    };
    if addressed && answer.is_empty() {
        return None;
    }
    let cited = value.get("cited").and_then(json::numbers).unwrap_or_default();
    Some(said(
        addressed,
        answer,
        cited,
        numbers,
        value.get("confidence").and_then(json::confidence),
    ))
}

/// What prose without any form says: all of it, with the markers in it. Another form is no prose.
pub(crate) fn scrape(text: &str, numbers: &[u32]) -> Option<Said> {
    let text = text.trim();
    (!text.is_empty() && json::decode(text).is_none()).then(|| said(true, text.to_owned(), Vec::new(), numbers, None))
}

/// The list of sources comes first; where it is empty the markers in the text are taken.
fn said(addressed: bool, answer: String, cited: Vec<u32>, numbers: &[u32], confidence: Option<f32>) -> Said {
    let mut cited: Vec<u32> = cited.into_iter().filter(|number| numbers.contains(number)).collect();
    if cited.is_empty() {
        cited = json::marked(&answer, numbers);
    }
    Said {
        addressed,
        answer,
        cited: if addressed { cited } else { Vec::new() },
        confidence,
    }
}

/// Puts `reports` together, weightiest first: one is shown as it is, several are written into one answer.
pub(crate) async fn run(
    run: &mut Run<'_>,
    place: Place,
    mut reports: Vec<Report>,
    found: &[FoundPassage],
) -> Result<()> {
    reports.sort_by(|a, b| documents::weight((a.said.confidence, &a.document), (b.said.confidence, &b.document)));
    for report in &reports {
        let outcome = if report.said.addressed {
            Finding::Answered
        } else {
            Finding::NotAddressed
        };
        let finding = documents::finding(&report.document, outcome, report.said.confidence);
        run.draft
            .findings
            .retain(|other| other.document_id != finding.document_id || other.finding == Finding::Failed);
        run.draft.findings.push(finding);
    }
    reports.retain(|report| report.said.addressed);
    if reports.is_empty() {
        run.refuse(found);
        return Ok(());
    }
    if documents::all_unsure(run, reports.iter().map(|report| report.said.confidence)) {
        run.abstain(found);
        return Ok(());
    }
    let mut evidence: Vec<FoundPassage> = Vec::new();
    let mut places: Vec<BTreeMap<u32, usize>> = Vec::new();
    for report in &reports {
        let mut at = BTreeMap::new();
        for (number, found) in &report.read {
            // What was read without being cited is shown where nothing is cited at all.
            if report.said.cited.contains(number) || report.said.cited.is_empty() {
                at.insert(*number, evidence.len());
                evidence.push(found.clone());
            }
        }
        places.push(at);
    }
    run.count_documents(&evidence);
    let passages: Vec<Passage> = evidence.iter().map(|found| found.passage.clone()).collect();
    let numbers = run.show_evidence(&passages);
    let mut invalid = 0;
    let texts: Vec<String> = reports
        .iter()
        .zip(&places)
        .map(|(report, places)| {
            let number = |own: u32| places.get(&own).and_then(|at| numbers.get(*at)).copied();
            let (text, made_up) = renumbered(&report.said, &number);
            invalid += made_up;
            text
        })
        .collect();
    run.draft.invalid_markers += invalid;
    if let [text] = texts.as_slice() {
        return generate::shown(run, text, &evidence, &numbers).await;
    }
    let answers: Vec<(&str, &str)> = reports
        .iter()
        .zip(&texts)
        .map(|(report, text)| (report.document.title.as_str(), text.as_str()))
        .collect();
    let messages = prompt::synthesis(&run.question, &answers);
    generate::from(run, place, messages, &evidence, &numbers).await
}

/// The text with the numbers of the whole answer in place of the document's own, and how many markers it had that name
/// nothing. Where it has none, what it lists is put at its end.
fn renumbered(said: &Said, number: &dyn Fn(u32) -> Option<u32>) -> (String, u32) {
    let supplied: BTreeSet<u32> = said
        .cited
        .iter()
        .copied()
        .filter(|own| number(*own).is_some())
        .collect();
    let mut parser = MarkerParser::new(supplied.clone(), BTreeSet::new());
    let mut pieces = parser.push(&said.answer);
    pieces.extend(parser.finish());
    let mut text = String::new();
    let mut marked = false;
    for piece in pieces {
        match piece {
            Piece::Text(part) => text.push_str(&part),
            Piece::Marker(own) => {
                for new in own.into_iter().filter_map(number) {
                    marked = true;
                    text.push_str(&format!("[{new}]"));
                }
            }
        }
    }
    if !marked && !supplied.is_empty() {
        let markers: String = supplied
            .iter()
            .filter_map(|own| number(*own))
            .map(|new| format!("[{new}]"))
            .collect();
        // A marker belongs to the sentence it stands in, so it goes before the last full stop.
        let body = text.trim_end();
        let (body, stop) = match body.strip_suffix(['.', '!', '?']) {
            Some(cut) => (cut, &body[cut.len()..]),
            None => (body, ""),
        };
        text = format!("{body} {markers}{stop}");
    }
    (text, parser.invalid())
}

#[cfg(test)]
mod tests {
    use super::*;

    // Review rule 3 of store answers: markers in the text are taken before nothing is, and the list before both.
    #[test]
    fn rule_3_the_list_of_sources_goes_before_the_markers_in_the_text_and_these_before_none() {
        let value = json!({"status": "answered", "answer": "Rose [3].", "cited": [4, "99"], "confidence": "0.7"});
        let said = read(&value, &[3, 4]).expect("readable");
        assert_eq!((said.cited, said.confidence), (vec![4], Some(0.7)));
        let value = json!({"status": "answered", "answer": "Rose [3] and [7].", "cited": []});
        let said = read(&value, &[3, 4]).expect("readable");
        assert_eq!((said.cited, said.confidence), (vec![3], None));
    }

    // Review rule 4 of store answers: a negative finding is an answer, and the field decides, not the wording.
    #[test]
    fn rule_4_the_status_decides_whether_a_document_addresses_the_question() {
        let negative =
            json!({"status": "answered", "answer": "The document does not contain an arbitration clause [3]."});
        assert!(read(&negative, &[3]).expect("readable").addressed);
        let none = json!({"status": "not_addressed", "answer": "Sales rose by 12% [3].", "cited": [3]});
        let none = read(&none, &[3]).expect("readable");
        assert!(!none.addressed && none.cited.is_empty());
        assert_eq!(read(&json!({"status": "answered", "answer": " "}), &[3]), None);
        assert_eq!(read(&json!({"other": 1}), &[3]), None);
    }

    #[test]
    fn own_numbers_become_those_of_the_answer() {
        let said = |answer: &str, cited: &[u32]| Said {
            addressed: true,
            answer: answer.to_owned(),
            cited: cited.to_vec(),
            confidence: None,
        };
        let number = |own: u32| (own != 9).then_some(own + 10);
        assert_eq!(
            renumbered(&said("A [3]. B [4][99].", &[3, 4]), &number),
            ("A [13]. B [14].".to_owned(), 1)
        );
        assert_eq!(
            renumbered(&said("Only prose.", &[3, 4]), &number).0,
            "Only prose [13][14]."
        );
        assert_eq!(renumbered(&said("Only prose.", &[]), &number).0, "Only prose.");
        assert_eq!(renumbered(&said("Unread.", &[9]), &number).0, "Unread.");
    }
}
