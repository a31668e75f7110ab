//! Phrases that are recognised whatever their inflection and punctuation.

use rust_stemmers::{Algorithm, Stemmer};
use unicode_normalization::UnicodeNormalization;

/// A sequence of words in their stems.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Phrase(Vec<String>);

impl Phrase {
    pub(crate) fn new(text: &str) -> Self {
        Self(words(text))
    }

    pub(crate) fn words(&self) -> &[String] {
        &self.0
    }

    pub(crate) fn is_in(&self, words: &[String]) -> bool {
        self.find(words).is_some()
    }

    /// Where it begins in `words`. A phrase without words is nowhere.
    pub(crate) fn find(&self, words: &[String]) -> Option<usize> {
        let first = self.0.first()?;
        (0..words.len().saturating_sub(self.0.len() - 1))
            .find(|at| words[*at] == *first && words[*at..at + self.0.len()] == self.0[..])
    }

    pub(crate) fn starts(&self, words: &[String]) -> bool {
        !self.0.is_empty() && words.starts_with(&self.0)
    }
}

/// The words of `text`, lower case, stemmed as English; `&` inside a word belongs to it (`r&d`), alone it is "and";
/// a possessive `s` is left out.
pub(crate) fn words(text: &str) -> Vec<String> {
    let stemmer = Stemmer::create(Algorithm::English);
    plain_words(text)
        .into_iter()
        .map(|word| match word.chars().all(char::is_alphabetic) {
            true => stemmer.stem(&word).into_owned(),
            false => word,
        })
        .collect()
}

/// As [`words`], not stemmed.
pub(crate) fn plain_words(text: &str) -> Vec<String> {
    let text: String = text.nfkc().collect::<String>().to_lowercase().replace('’', "'");
    text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '&' | '\'')))
        .map(|word| word.trim_matches('\''))
        .map(|word| word.strip_suffix("'s").unwrap_or(word))
        .filter(|word| !word.is_empty())
        .map(|word| match word {
            "&" => "and".to_owned(),
            _ => word.trim_matches('&').replace('\'', ""),
        })
        .filter(|word| !word.is_empty())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phrase_is_found_in_any_inflection_and_punctuation() {
        let words = words("What were Acme's Purchases of property, plant & equipment (PP&E)?");
        for text in ["purchase of property, plant and equipment", "PP&E", "acme"] {
            assert!(Phrase::new(text).is_in(&words), "{text} in {words:?}");
        }
        assert!(!Phrase::new("plant equipment").is_in(&words));
        assert!(!Phrase::new("").is_in(&words));
    }
}
