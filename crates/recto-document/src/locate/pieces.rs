//! Quotes in another order: an extractor that reads a table by columns, or a page across them, puts words next to each
//! other that lie apart. Such a quote is covered by few long pieces, each exact, on one page or two facing ones.

use super::fuzzy::candidates;
use super::normalise::Quote;
use super::place::{Place, Unit};
use super::sequence::Sequence;
use recto_core::{LocateHint, MatchKind};
use std::collections::BTreeMap;
use std::ops::Range;

/// Shortest quote, in bytes of its normal form.
const MIN_LENGTH: usize = 24;
/// Shortest piece, in bytes, the last one excepted.
const MIN_PIECE: usize = 8;
/// Pages looked at.
const MAX_PAGES: usize = 6;

pub(crate) fn search(sequence: &Sequence<'_>, quote: &Quote, hint: &LocateHint) -> Vec<Place> {
    let wanted = quote.normal.as_bytes();
    if wanted.len() < MIN_LENGTH {
        return Vec::new();
    }
    for pages in windows(sequence, wanted, hint) {
        let bytes = sequence.bytes_of_pages(pages);
        if let Some(units) = cover(sequence, quote, &bytes) {
            return vec![Place::new(sequence, units, MatchKind::Fuzzy)];
        }
    }
    Vec::new()
}

/// Pages where parts of the quote occur, hinted ones first; then each with the page after it.
fn windows(sequence: &Sequence<'_>, wanted: &[u8], hint: &LocateHint) -> Vec<Range<u32>> {
    let mut votes: BTreeMap<u32, usize> = BTreeMap::new();
    // With the whole length allowed as an offset every seed votes for itself.
    for start in candidates(sequence.text.as_bytes(), wanted, wanted.len()) {
        for at in [start, (start + wanted.len()).min(sequence.text.len().saturating_sub(1))] {
            if let Some(page) = sequence.page_at(at) {
                *votes.entry(page).or_default() += 1;
            }
        }
    }
    let mut pages: Vec<(u32, usize)> = votes.into_iter().collect();
    pages.sort_by_key(|(page, votes)| (!hint.pages.contains(&(page + 1)), std::cmp::Reverse(*votes), *page));
    pages.truncate(MAX_PAGES);
    let single = pages.iter().map(|(page, _)| *page..page + 1);
    let double = pages.iter().map(|(page, _)| *page..page + 2);
    single.chain(double).collect()
}

/// Covers the quote by pieces of the text within `bytes`; the words in the order of the quote.
fn cover(sequence: &Sequence<'_>, quote: &Quote, bytes: &Range<usize>) -> Option<Vec<Unit>> {
    let text = &sequence.text.as_bytes()[bytes.clone()];
    let wanted = quote.normal.as_bytes();
    let mut units: Vec<Unit> = Vec::new();
    let mut missing = 0;
    let mut pieces = 0;
    let mut word = 0;
    let mut last = 0;
    while word < quote.words.len() {
        let start = quote.starts[word];
        match longest(sequence, quote, text, bytes.start, word, last) {
            Some((end_word, at)) => {
                let end = quote.starts.get(end_word).copied().unwrap_or(wanted.len());
                let range = bytes.start + at..bytes.start + at + (end - start);
                last = at + (end - start);
                units.extend(sequence.units(sequence.units_of_whole(&range)));
                pieces += 1;
                word = end_word;
            }
            None => {
                let end = quote.starts.get(word + 1).copied().unwrap_or(wanted.len());
                // A figure that is not there is another figure.
                if quote.words[word].chars().any(|c| c.is_ascii_digit()) {
                    return None;
                }
                missing += end - start;
                word += 1;
            }
        }
    }
    let few = pieces <= 2 + wanted.len() / 25;
    (pieces > 0 && few && missing * 20 <= wanted.len()).then_some(units)
}

/// The longest run of the quote's words from `word` that occurs: the word after it, and where the run is. Of several
/// places the first one after `last` is taken, else the first.
fn longest(
    sequence: &Sequence<'_>,
    quote: &Quote,
    text: &[u8],
    offset: usize,
    word: usize,
    last: usize,
) -> Option<(usize, usize)> {
    let wanted = quote.normal.as_bytes();
    let start = quote.starts[word];
    let mut found = None;
    for end_word in word + 1..=quote.words.len() {
        let end = quote.starts.get(end_word).copied().unwrap_or(wanted.len());
        if end == start {
            continue;
        }
        let run = &wanted[start..end];
        let is_whole = |at: &usize| sequence.stands_alone(&(offset + at..offset + at + run.len()));
        let mut places = memchr::memmem::find_iter(text, run).filter(is_whole);
        let first = places.next();
        let Some(first) = first else {
            // A run may end inside a hyphenated word and go on after it.
            if memchr::memmem::find(text, run).is_none() {
                break;
            }
            continue;
        };
        let at = std::iter::once(first)
            .chain(places)
            .find(|at| *at >= last)
            .unwrap_or(first);
        let long_enough = run.len() >= MIN_PIECE || end_word == quote.words.len();
        if long_enough {
            found = Some((end_word, at));
        }
    }
    found
}
