//! What of a question is searched for.
//!
//! People (and programs) add instructions to a question: "Answer in USD millions. Round to one decimal." Searched for,
//! these words find pages about rounding. Sentences that only instruct are left out; question words fall to the stop
//! list of the tokeniser, which also finds the year inside `FY2018`; the century of `FY18` is written out here.

use crate::sentence;
use crate::terms::query_terms;
use recto_core::TextQuery;

/// First words of sentences that tell how to answer rather than what to find.
const INSTRUCTIONS: &[&str] = &[
    "answer", "round", "respond", "reply", "please", "express", "format", "output", "use", "note", "keep", "return",
    "write", "be", "do", "don't", "limit", "include", "cite", "assume", "ensure", "make",
];

/// Words for the way a question is put rather than its matter; never searched for, as they occur in questions only.
const ASKING: &[&str] = &[
    "tell",
    "give",
    "show",
    "explain",
    "describe",
    "list",
    "find",
    "state",
    "provide",
    "summarize",
    "summarise",
];

/// Words for the document itself and for its saying something. In a question they say where to look or how it is put
/// ("as reported in the 10-Q"); searched for, they find covers and signature pages.
const ABOUT_DOCUMENTS: &[&str] = &[
    "document",
    "documents",
    "report",
    "reports",
    "filing",
    "filings",
    "file",
    "paper",
    "form",
    "10-k",
    "10k",
    "10-q",
    "10q",
    "8-k",
    "8k",
    "20-f",
    "20f",
    "according",
    "based",
    "reported",
    "stated",
    "disclosed",
    "disclose",
    "mentioned",
    "mention",
    "discussed",
    "described",
    "revealed",
    "provided",
    "presented",
    "indicated",
];

/// The question without sentences that only instruct, for the vector list. Never blank unless `question` is.
#[must_use]
pub fn searched_text(question: &str) -> String {
    let sentences: Vec<&str> = sentence::split(question)
        .into_iter()
        .map(|range| &question[range])
        .collect();
    let kept: Vec<&str> = sentences
        .iter()
        .copied()
        .filter(|sentence| !instructs(sentence))
        .collect();
    if kept.is_empty() { sentences } else { kept }.join(" ")
}

/// The words of the question, for the word list.
#[must_use]
pub fn text_query(question: &str) -> TextQuery {
    let text = searched_text(question);
    let text = without_asking(&text);
    let mut terms = query_terms(text);
    if text.contains('?') {
        let matter = query_terms(&without_document_words(text));
        if !matter.is_empty() {
            terms = matter;
        }
    }
    for year in short_fiscal_years(text) {
        if !terms.contains(&year) {
            terms.push(year);
        }
    }
    TextQuery { terms }
}

fn instructs(sentence: &str) -> bool {
    let first = sentence
        .split_whitespace()
        .next()
        .unwrap_or_default()
        .trim_matches(|c: char| !c.is_alphanumeric() && c != '\'')
        .to_lowercase();
    !sentence.contains('?') && INSTRUCTIONS.contains(&first.as_str())
}

/// The question without "Tell me" or "Describe" at its start, unless nothing else is left.
fn without_asking(text: &str) -> &str {
    let Some((first, rest)) = text.split_once(char::is_whitespace) else {
        return text;
    };
    if ASKING.contains(&first.to_lowercase().as_str()) {
        rest
    } else {
        text
    }
}

/// The text outside quotation marks without words about documents. A word between quotation marks is meant as it stands.
fn without_document_words(text: &str) -> String {
    let mut quoted = false;
    let keep = |word: &&str| {
        let opens = word.starts_with(['"', '“', '«']);
        let closes = word.trim_end_matches(['?', '.', ',']).ends_with(['"', '”', '»']);
        let inside = quoted || opens;
        quoted = inside && !closes;
        let plain = word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        inside || !ABOUT_DOCUMENTS.contains(&plain.as_str())
    };
    text.split_whitespace().filter(keep).collect::<Vec<_>>().join(" ")
}

/// `FY18` and `Q3'18` mean 2018; two digits above 60 belong to the last century.
fn short_fiscal_years(text: &str) -> Vec<String> {
    let mut years = Vec::new();
    for word in text.split(|c: char| !(c.is_alphanumeric() || c == '\'' || c == '’')) {
        let lower = word.to_lowercase();
        let digits = lower
            .strip_prefix("fy")
            .map(|rest| rest.trim_start_matches(['\'', '’']))
            .or_else(|| lower.split_once(['\'', '’']).map(|(_, rest)| rest));
        if let Some(digits) = digits.filter(|digits| digits.len() == 2 && digits.bytes().all(|b| b.is_ascii_digit())) {
            years.push(format!("{}{digits}", if digits > "60" { "19" } else { "20" }));
        }
    }
    years
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_are_not_searched_for() {
        let question = "What was the FY2018 capital expenditure of 3M? Answer in USD millions. Round to one decimal.";
        assert_eq!(
            searched_text(question),
            "What was the FY2018 capital expenditure of 3M?"
        );
        let terms = text_query(question).terms;
        for wanted in ["fy2018", "2018", "capit", "expenditur", "3m"] {
            assert!(terms.iter().any(|term| term == wanted), "{wanted} in {terms:?}");
        }
        for unwanted in ["what", "the", "usd", "round"] {
            assert!(!terms.iter().any(|term| term == unwanted), "{unwanted} in {terms:?}");
        }
    }

    #[test]
    fn a_question_that_only_instructs_is_still_searched_for() {
        assert_eq!(searched_text("Round trips of the ferry"), "Round trips of the ferry");
        assert_eq!(text_query("Describe inventories").terms, ["inventori"]);
    }

    #[test]
    fn words_about_the_document_are_not_searched_for_in_questions() {
        let terms = text_query("What was the net income as reported in the latest 10-Q report?").terms;
        assert_eq!(terms, query_terms("net income latest"));
        assert_eq!(
            text_query("Which \"report\" was late?").terms,
            query_terms("\"report\" late")
        );
        assert_eq!(text_query("10-K").terms, query_terms("10-K"), "typed to be found");
        assert_eq!(
            text_query("Which report?").terms,
            query_terms("report"),
            "nothing else is left"
        );
    }

    #[test]
    fn two_digit_fiscal_years_are_written_out() {
        assert!(text_query("revenue in FY18").terms.contains(&"2018".to_owned()));
        assert!(text_query("revenue in Q3'99").terms.contains(&"1999".to_owned()));
    }
}
