//! Finding the words of a quote in a document.
//!
//! The text of a whole document is one sequence of words, across lines, columns and pages. It is normalised once, with
//! white space removed, and every byte of it leads back to a word, so that whatever is found is a set of real words
//! with real boxes. A quote is searched exactly first. Only when that fails, near matches are looked for; and when
//! nothing is near enough, nothing is returned: no highlight is better than a wrong one.

mod fuzzy;
mod normalise;
mod numbers;
mod pieces;
mod place;
mod sequence;

use normalise::Quote;
use place::Place;
use recto_core::{LocateHint, MatchKind, Page, QuoteMatch};
use sequence::Sequence;
use std::collections::HashSet;

/// Places returned at most.
const MAX_MATCHES: usize = 100;

/// Finds the places of `quote`, best first: by kind, then by nearness to `hint`, then in document order.
///
/// `pages` are the document's pages in order; `items` (`self_ref` and text) are used for documents without pages. For
/// several quotes of one document, make an [`Index`] once.
#[must_use]
pub fn locate(pages: &[Page], items: &[(String, String)], quote: &str, hint: &LocateHint) -> Vec<QuoteMatch> {
    Index::new(pages, items).locate(quote, hint)
}

/// The normalised text of a document, ready to be searched.
#[derive(Debug)]
pub struct Index<'d> {
    /// Without running headers and footers, so that a sentence over a page break is whole; then with them, so that
    /// they can be quoted too.
    sequences: Vec<Sequence<'d>>,
}

impl<'d> Index<'d> {
    /// Prepares the text of a document. As for [`locate`].
    #[must_use]
    pub fn new(pages: &'d [Page], items: &'d [(String, String)]) -> Self {
        if pages.is_empty() {
            return Self {
                sequences: vec![Sequence::of_items(items)],
            };
        }
        let furniture = crate::furniture::find(pages);
        let mut sequences = Vec::new();
        if furniture.iter().any(|page| !page.is_empty()) {
            sequences.push(Sequence::of_pages(pages, |page, word| {
                !furniture[page].contains_key(&word.line)
            }));
        }
        sequences.push(Sequence::of_pages(pages, |_, _| true));
        Self { sequences }
    }

    /// Finds the places of `quote`. As for [`locate`].
    #[must_use]
    pub fn locate(&self, quote: &str, hint: &LocateHint) -> Vec<QuoteMatch> {
        let written = Quote::new(quote);
        if !written.normal.bytes().any(|b| b.is_ascii_alphanumeric() || b >= 0x80) {
            return Vec::new();
        }
        let mut places = self.everywhere(|s| s.exact(&written));
        let quote = match without_bars(quote) {
            Some(words) if places.is_empty() => Quote::new(&words),
            _ => written,
        };
        if places.is_empty() {
            places = self.everywhere(|s| s.exact(&quote));
        }
        if places.is_empty() {
            places = self.everywhere(|s| pieces::whole(s, &quote, hint));
        }
        if places.is_empty() {
            places = self.everywhere(|s| fuzzy::search(s, &quote));
        }
        if places.is_empty() {
            places = self.everywhere(|s| pieces::most(s, &quote, hint));
        }
        self.ranked(places, hint)
    }

    fn everywhere(&self, search: impl Fn(&Sequence<'d>) -> Vec<Place>) -> Vec<Place> {
        self.sequences.iter().flat_map(search).collect()
    }

    fn ranked(&self, mut places: Vec<Place>, hint: &LocateHint) -> Vec<QuoteMatch> {
        let mut seen = HashSet::new();
        places.retain(|place| seen.insert(place.units.clone()));
        let mut ranked: Vec<(MatchKind, f32, Place)> = places
            .into_iter()
            .map(|place| (place.kind, place.distance(hint), place))
            .collect();
        ranked.sort_by(|a, b| {
            (a.0.cmp(&b.0))
                .then(a.1.total_cmp(&b.1))
                .then_with(|| a.2.units.cmp(&b.2.units))
        });
        ranked
            .into_iter()
            .take(MAX_MATCHES)
            .map(|(_, _, place)| place.into_match())
            .collect()
    }
}

/// The words of a row of a Markdown table, of part of one or of several; `None` without bars. Pages have bars of their own
/// ("Alpha Inc. | Form 10-Q | 1"), so that this is not how words are compared in general.
fn without_bars(quote: &str) -> Option<String> {
    let is_rule = |word: &&str| word.chars().all(|c| matches!(c, '-' | ':'));
    quote.contains('|').then(|| {
        let words = quote.split(|c: char| c == '|' || c.is_whitespace());
        let words: Vec<&str> = words.filter(|word| !word.is_empty() && !is_rule(word)).collect();
        words.join(" ")
    })
}

#[cfg(test)]
mod tests;
