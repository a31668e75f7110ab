//! The one tokeniser: what chunks are indexed by and what queries are cut into.
//!
//! A term is what stands between two white spaces, so that numbers and identifiers stay findable as typed (`$1,577`,
//! `10-K`, `R&D`, `4.2(b)`), in lower case, without the punctuation around it. Beside the typed form come the forms
//! people also search by: the number without its currency sign and thousands separators, the parts of a compound, the
//! year inside `FY2018`. Plain words are reduced to their stem. Nothing is dropped when a chunk is indexed; a query
//! drops the stop words outside quotation marks. No term holds white space, so terms can be stored joined by spaces.

mod language;
mod scan;

pub use language::Language;

use rust_stemmers::Stemmer;
use std::collections::BTreeSet;

/// Cuts `text` into terms the way chunks of a document in `language` are indexed. Repetitions are kept, in order.
#[must_use]
pub fn split_terms(text: &str, language: Language) -> Vec<String> {
    let stemmer = language.stemmer();
    let mut terms = Vec::new();
    for token in scan::tokens(text) {
        push_forms(&token, &stemmer, &mut terms);
    }
    terms
}

/// Cuts a query into distinct terms: stop words are dropped unless they stand in quotation marks, and where nothing shows
/// the query to be English, its words are also stemmed as the other languages do.
#[must_use]
pub fn query_terms(query: &str) -> Vec<String> {
    let languages = query_languages(query);
    let stemmers: Vec<Stemmer> = languages.iter().map(|language| language.stemmer()).collect();
    let mut seen = BTreeSet::new();
    let mut terms = Vec::new();
    for (part, quoted) in quoted_parts(query) {
        for token in scan::tokens(part) {
            if !quoted && languages.iter().any(|language| language.is_stop_word(&token.typed)) && !token.upper {
                continue;
            }
            let mut forms = Vec::new();
            for stemmer in &stemmers {
                push_forms(&token, stemmer, &mut forms);
            }
            terms.extend(forms.into_iter().filter(|form| seen.insert(form.clone())));
        }
    }
    terms
}

fn push_forms(token: &scan::Token, stemmer: &Stemmer, terms: &mut Vec<String>) {
    terms.push(stem(&token.typed, stemmer));
    terms.extend(token.forms.iter().map(|form| stem(form, stemmer)));
}

fn stem(word: &str, stemmer: &Stemmer) -> String {
    if word.chars().all(|c| c.is_alphabetic() || c == '\'') {
        stemmer.stem(word).into_owned()
    } else {
        word.to_owned()
    }
}

fn query_languages(query: &str) -> Vec<Language> {
    let guessed = Language::guess(query);
    if guessed != Language::English {
        return vec![guessed, Language::English];
    }
    let says_english = query
        .split_whitespace()
        .any(|word| Language::English.is_stop_word(&word.to_lowercase()));
    if says_english || query.is_ascii() {
        vec![Language::English]
    } else {
        Language::ALL.to_vec()
    }
}

/// The stretches of `query` outside and inside double quotation marks, in order.
fn quoted_parts(query: &str) -> Vec<(&str, bool)> {
    let mut parts = Vec::new();
    let mut quoted = false;
    let mut rest = query;
    while let Some(at) = rest.find(['"', '“', '”', '«', '»']) {
        let mark = rest[at..].chars().next().map_or(1, char::len_utf8);
        parts.push((&rest[..at], quoted));
        rest = &rest[at + mark..];
        // A lone mark (inches, a typing slip) quotes nothing.
        quoted = !quoted && rest.contains(['"', '”', '»']);
    }
    parts.push((rest, quoted));
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn terms(text: &str) -> Vec<String> {
        split_terms(text, Language::English)
    }

    #[track_caller]
    fn assert_findable(document: &str, query: &str) {
        let indexed = terms(document);
        let wanted = query_terms(query);
        assert!(!wanted.is_empty(), "{query} has no terms");
        assert!(
            wanted.iter().any(|term| indexed.contains(term)),
            "{query} ({wanted:?}) does not find {document} ({indexed:?})"
        );
    }

    #[test]
    fn numbers_and_identifiers_are_findable_as_typed() {
        let text = "In FY2018 (see § 4.2(b) and Item 7A of the Form 10-K) R&D cost $1,577 million, up 12.5%.";
        for query in [
            "$1,577", "1,577", "1577", "10-K", "R&D", "FY2018", "2018", "4.2(b)", "7A", "12.5%", "12.5", "§",
        ] {
            assert_findable(text, query);
            assert!(terms(text).contains(&query.to_lowercase()), "{query} as typed");
        }
        assert_findable("§4.2(b) applies", "§ 4.2(b)");
        assert_findable("Filed on 10-K.", "10K");
        assert_findable("The year-end closing", "end of year");
        assert_findable("a charge of (1,577)", "1,577");
        assert_findable("U.S. sales", "US");
        assert_findable("sales\u{a0}of\u{2011}shore", "sales");
    }

    /// A query that is typed as it stands finds the text, and texts that lack it are not found by its own form.
    #[track_caller]
    fn assert_found_as_typed(typed: &str) {
        let text = format!("As stated, {typed} applies.");
        assert_findable(&text, typed);
        let own = typed
            .split_whitespace()
            .map(str::to_lowercase)
            .next_back()
            .unwrap_or_default();
        assert!(terms(&text).contains(&own), "{own} in {:?}", terms(&text));
    }

    #[test]
    fn an_amount_is_found_as_typed() {
        assert_found_as_typed("$1,577");
        assert_found_as_typed("€1.577,25");
    }

    #[test]
    fn a_name_with_an_ampersand_is_found_as_typed() {
        assert_found_as_typed("R&D");
        assert_found_as_typed("PP&E");
    }

    #[test]
    fn a_form_is_found_as_typed() {
        assert_found_as_typed("10-K");
        assert_found_as_typed("DEF-14A");
    }

    #[test]
    fn a_section_is_found_as_typed() {
        assert_found_as_typed("§ 4.2(b)");
        assert_found_as_typed("§4.2(b)");
        assert_found_as_typed("Item 7A");
        assert_found_as_typed("12.5%");
    }

    #[test]
    fn inflected_words_meet_in_their_stem() {
        assert_findable("The company's revenues increased", "revenue");
        assert_findable("Purchases of equipment", "purchased");
        assert_eq!(
            split_terms("Umsatzerlöse", Language::German),
            split_terms("Umsatzerlösen", Language::German)
        );
    }

    #[test]
    fn a_chunk_keeps_its_stop_words_and_a_query_drops_them_unless_quoted() {
        assert_eq!(terms("to be or not to be").len(), 6);
        assert!(query_terms("to be or not to be").is_empty());
        assert_eq!(query_terms("\"to be\" what").len(), 2);
        assert_eq!(query_terms("who is the IT director"), ["it", "director"]);
    }

    #[test]
    fn text_without_spaces_is_cut_into_pairs_of_characters() {
        assert_findable("東京証券取引所", "取引所");
    }

    proptest! {
        #[test]
        fn no_term_holds_white_space_or_is_empty(text in any::<String>()) {
            for term in terms(&text).into_iter().chain(query_terms(&text)) {
                prop_assert!(!term.is_empty() && !term.contains(char::is_whitespace), "{:?}", term);
            }
        }

        #[test]
        fn a_query_finds_the_text_it_is_copied_from(text in "[A-Za-z0-9$,.%()&/' -]{1,40}") {
            let indexed = terms(&text);
            let wanted = query_terms(&format!("\"{text}\""));
            // A query that may be in another language holds the forms of that language besides.
            prop_assert!(indexed.iter().all(|term| wanted.contains(term)), "{:?} {:?}", wanted, indexed);
        }
    }
}
