//! What of a question is searched for.
//!
//! People (and programs) add instructions to a question: "Answer in USD millions. Round to one decimal." Searched for,
//! these words find pages about rounding. Sentences that only instruct are left out; question words fall to the stop
//! list of the tokeniser, which also finds the year inside `FY2018`; the century of `FY18` is written out here.

use crate::lexicon::{Lexicon, Meaning};
use crate::period::mentions;
use crate::phrase::{self, Phrase};
use crate::route::Key;
use crate::sentence;
use crate::terms::query_terms;
use recto_core::{DocumentRow, TextQuery};
use std::collections::BTreeSet;

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
    TextQuery {
        terms,
        ..TextQuery::default()
    }
}

/// More phrases than these would outweigh the question itself in its vector.
const MOST_IN_VECTOR: usize = 10;
/// Abbreviations are looked up in so many documents.
const MOST_DOCUMENTS: usize = 500;

/// A question ready to be searched for.
pub(crate) struct Understood<'a> {
    /// For the word lists.
    pub(crate) text: TextQuery,
    /// For the vector list, as asked.
    pub(crate) plain: String,
    /// For the vector list, with what it means.
    pub(crate) vector: String,
    /// What it means by the lexicon.
    pub(crate) meaning: Meaning<'a>,
    /// The years it names.
    pub(crate) years: Vec<u16>,
}

/// Reads a question by the lexicon and by the abbreviations that `documents` define.
pub(crate) fn understand<'a>(
    question: &str,
    lexicon: &'a Lexicon,
    documents: &[(Key, &DocumentRow)],
) -> Understood<'a> {
    let plain = searched_text(question);
    let meaning = lexicon.read(&plain);
    let mut text = text_query(question);
    let written_out = written_out(&plain, documents);
    let related = meaning.related.iter().map(|phrase| (*phrase).to_owned());
    let phrases: Vec<String> = written_out.into_iter().chain(related).collect();
    let own: BTreeSet<&String> = text.terms.iter().collect();
    let mut seen = BTreeSet::new();
    let related: Vec<String> = phrases
        .iter()
        .flat_map(|phrase| query_terms(phrase))
        .chain(quarters(&plain))
        .filter(|term| !own.contains(term) && seen.insert(term.clone()))
        .collect();
    let vector = std::iter::once(plain.clone())
        .chain(phrases.into_iter().take(MOST_IN_VECTOR))
        .collect::<Vec<_>>()
        .join(", ");
    let mut years: Vec<u16> = mentions(&plain)
        .into_iter()
        .filter_map(|mention| mention.year)
        .collect();
    years.dedup();
    text.related = related;
    Understood {
        text,
        plain,
        vector,
        meaning,
        years,
    }
}

/// What abbreviations in the question stand for in these documents, and the short forms of what it writes out.
fn written_out(question: &str, documents: &[(Key, &DocumentRow)]) -> Vec<String> {
    let words = phrase::words(question);
    let mut found: Vec<String> = Vec::new();
    for (_, row) in documents.iter().take(MOST_DOCUMENTS) {
        for defined in &row.card.abbreviations {
            let (short, long) = (Phrase::new(&defined.short), Phrase::new(&defined.long));
            let other = match (short.is_in(&words), long.is_in(&words)) {
                (true, false) => &defined.long,
                (false, true) => &defined.short,
                _ => continue,
            };
            if !found.iter().any(|known| known.eq_ignore_ascii_case(other)) {
                found.push(other.clone());
            }
        }
    }
    found
}

/// How reports write the quarters that a question names: "third quarter" for `Q3`, and the other way round.
fn quarters(question: &str) -> Vec<String> {
    const ORDINALS: [&str; 4] = ["first", "second", "third", "fourth"];
    let mut terms = Vec::new();
    for quarter in mentions(question).into_iter().filter_map(|mention| mention.quarter) {
        if let Some(ordinal) = ORDINALS.get(usize::from(quarter) - 1) {
            terms.push(format!("q{quarter}"));
            terms.extend(query_terms(&format!("\"{ordinal} quarter\"")));
        }
    }
    terms
}

/// Whether a term names one thing, such as `9.03b`, `mmc-11`, `$1,577` or `4.2(b)`: it has digits and more than digits, and
/// is neither a year, quarter or date nor a document's kind.
pub(crate) fn is_identifier(term: &str) -> bool {
    let runs = |from: fn(&char) -> bool| term.chars().filter(from).count();
    let digits = runs(char::is_ascii_digit);
    if digits == 0 || digits == term.chars().count() || ABOUT_DOCUMENTS.contains(&term) {
        return false;
    }
    let has_year = term
        .split(|c: char| !c.is_ascii_digit())
        .any(|number| number.len() == 4 && (number.starts_with("19") || number.starts_with("20")));
    let letters: String = term.chars().filter(char::is_ascii_alphabetic).collect();
    let is_period_or_ordinal = matches!(
        letters.as_str(),
        "fy" | "cy" | "q" | "h" | "qfy" | "st" | "nd" | "rd" | "th"
    ) && term.chars().all(|c| c.is_ascii_alphanumeric() || c == '\'');
    !has_year && !is_period_or_ordinal
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
    fn identifiers_name_one_thing() {
        for term in ["9.03b", "mmc-11", "$1,577", "4.2(b)", "7a", "covid-19", "a320"] {
            assert!(is_identifier(term), "{term}");
        }
        for term in [
            "revenue",
            "2018",
            "fy2018",
            "fy18",
            "q3",
            "q3'18",
            "2018-2019",
            "12/31/2018",
            "2nd",
            "15",
            "10-k",
        ] {
            assert!(!is_identifier(term), "{term}");
        }
    }

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

    fn understood(question: &str, row: &DocumentRow) -> (TextQuery, String, Vec<u16>) {
        let standard = Lexicon::standard();
        let found = understand(question, &standard, &[((0, row.id), row)]);
        (found.text, found.vector, found.years)
    }

    fn row_with(short: &str, long: &str) -> DocumentRow {
        let document = recto_testkit::DocumentBuilder::new("Report").build();
        let mut row = recto_testkit::MemorySource::row(recto_testkit::document_id(1), &document);
        let abbreviation = recto_core::Abbreviation {
            short: short.to_owned(),
            long: long.to_owned(),
        };
        row.card = std::sync::Arc::new(recto_core::DocumentCard {
            abbreviations: vec![abbreviation],
            ..recto_core::DocumentCard::default()
        });
        row
    }

    #[test]
    fn abbreviations_of_the_documents_are_written_out_and_the_other_way_round() {
        let row = row_with("QTP", "Quality Transition Program");
        let (text, vector, _) = understood("How much did the QTP cost?", &row);
        assert!(text.related.contains(&"transit".to_owned()) && vector.contains("Quality Transition Program"));
        let (text, _, _) = understood("cost of the quality transition program", &row);
        assert!(text.related.contains(&"qtp".to_owned()));
        assert!(understood("unrelated", &row).0.related.is_empty());
    }

    #[test]
    fn synonyms_are_looked_for_beside_the_words_of_the_question() {
        let (text, vector, years) = understood("capex in FY18?", &row_with("AB", "a b"));
        assert!(text.terms.contains(&"capex".to_owned()) && text.related.contains(&"expenditur".to_owned()));
        assert!(text.related.iter().all(|term| !text.terms.contains(term)));
        assert!(vector.starts_with("capex in FY18?") && vector.contains("capital expenditures"));
        assert_eq!(years, [2018]);
    }

    #[test]
    fn quarters_are_looked_for_as_reports_write_them() {
        let (text, _, _) = understood("sales in Q3 2022", &row_with("AB", "a b"));
        assert!(text.related.contains(&"third".to_owned()) && text.related.contains(&"quarter".to_owned()));
        let (text, _, _) = understood("sales in the third quarter of 2022", &row_with("AB", "a b"));
        assert!(text.related.contains(&"q3".to_owned()));
    }

    #[test]
    fn two_digit_fiscal_years_are_written_out() {
        assert!(text_query("revenue in FY18").terms.contains(&"2018".to_owned()));
        assert!(text_query("revenue in Q3'99").terms.contains(&"1999".to_owned()));
    }
}
