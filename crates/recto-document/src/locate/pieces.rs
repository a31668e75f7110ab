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
/// Shortest piece of a few, in bytes, the last one excepted.
const MIN_PIECE: usize = 8;
/// Pages looked at.
const MAX_PAGES: usize = 6;

/// Covers the whole quote by few long pieces; better than any near match, because every word is there.
pub(crate) fn whole(sequence: &Sequence<'_>, quote: &Quote, hint: &LocateHint) -> Vec<Place> {
    search(sequence, quote, hint, &[Rules::WHOLE])
}

/// Covers most of the quote, also by the many pieces of a table's rows.
pub(crate) fn most(sequence: &Sequence<'_>, quote: &Quote, hint: &LocateHint) -> Vec<Place> {
    search(sequence, quote, hint, &[Rules::LONG, Rules::ROWS])
}

fn search(sequence: &Sequence<'_>, quote: &Quote, hint: &LocateHint, rules: &[Rules]) -> Vec<Place> {
    let wanted = quote.normal.as_bytes();
    if wanted.len() < MIN_LENGTH {
        return Vec::new();
    }
    for pages in windows(sequence, wanted, hint) {
        let bytes = sequence.bytes_of_pages(pages);
        if let Some(units) = rules.iter().find_map(|rules| cover(sequence, quote, &bytes, rules)) {
            return vec![Place::new(sequence, units, MatchKind::Fuzzy)];
        }
    }
    Vec::new()
}

/// What a cover may look like.
struct Rules {
    /// Shortest piece in bytes, the last one excepted.
    min_piece: usize,
    /// One piece more for so many bytes of the quote.
    bytes_per_piece: usize,
    /// Percent of the quote that may be in no piece.
    missing: usize,
    /// Percent of the quote that may be in pieces shorter than [`MIN_PIECE`].
    short: usize,
    /// How many bytes may lie between a piece and the next one, which must then follow it on the page.
    within: Option<usize>,
}

impl Rules {
    /// Few long pieces in any order, and nothing missing.
    const WHOLE: Self = Self {
        missing: 0,
        ..Self::LONG
    };
    /// Few long pieces in any order.
    const LONG: Self = Self {
        min_piece: MIN_PIECE,
        bytes_per_piece: 25,
        missing: 5,
        short: 100,
        within: None,
    };
    /// Some columns of a table, row by row: more and shorter pieces, but each soon after the one before it.
    const ROWS: Self = Self {
        min_piece: 2,
        bytes_per_piece: 7,
        missing: 10,
        short: 45,
        within: Some(400),
    };
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
fn cover(sequence: &Sequence<'_>, quote: &Quote, bytes: &Range<usize>, rules: &Rules) -> Option<Vec<Unit>> {
    let text = &sequence.text.as_bytes()[bytes.clone()];
    let wanted = quote.normal.as_bytes();
    let mut units: Vec<Unit> = Vec::new();
    let (mut missing, mut short, mut pieces) = (0, 0, 0);
    let mut word = 0;
    let mut last = None;
    let mut first = (0, 0);
    while word < quote.words.len() {
        let start = quote.starts[word];
        match longest(sequence, quote, text, bytes.start, word, last, rules) {
            Some((end_word, at)) => {
                let end = quote.starts.get(end_word).copied().unwrap_or(wanted.len());
                let range = bytes.start + at..bytes.start + at + (end - start);
                if last.is_none() {
                    first = (word, at);
                }
                last = Some(at + (end - start));
                if end - start < MIN_PIECE {
                    short += end - start;
                }
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
    if let Some(most) = rules.within {
        let found = lead_in(sequence, quote, text, bytes.start, first, most);
        missing -= found.iter().map(|range| range.len()).sum::<usize>().min(missing);
        let lead = found
            .iter()
            .flat_map(|range| sequence.units(sequence.units_of_whole(range)));
        units.splice(0..0, lead.copied().collect::<Vec<_>>());
    }
    let few = pieces <= 2 + wanted.len() / rules.bytes_per_piece;
    let covered = missing * 100 <= wanted.len() * rules.missing && short * 100 <= wanted.len() * rules.short;
    (pieces > 0 && few && covered).then_some(units)
}

/// The words before the first piece, `first.0` of them, each where it stands last before the one after it, and not
/// further than `most` bytes before it. In the order of the quote; it ends at the first word that is not there.
fn lead_in(
    sequence: &Sequence<'_>,
    quote: &Quote,
    text: &[u8],
    offset: usize,
    first: (usize, usize),
    most: usize,
) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut before = first.1;
    for word in (0..first.0).rev() {
        let run = &quote.normal.as_bytes()[quote.starts[word]..quote.starts[word + 1]];
        let window = before.saturating_sub(most);
        let place = memchr::memmem::rfind_iter(&text[window..before], run)
            .map(|at| offset + window + at..offset + window + at + run.len())
            .find(|range| !range.is_empty() && sequence.stands_alone(range));
        let Some(range) = place else { break };
        before = range.start - offset;
        found.insert(0, range);
    }
    found
}

/// The longest run of the quote's words from `word` that occurs: the word after it, and where the run is. Of several
/// places the first one after `last` is taken, else, unless the rules forbid it, the first.
fn longest(
    sequence: &Sequence<'_>,
    quote: &Quote,
    text: &[u8],
    offset: usize,
    word: usize,
    last: Option<usize>,
    rules: &Rules,
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
        let follows =
            |at: &usize| last.is_none_or(|last| *at >= last && rules.within.is_none_or(|most| at - last <= most));
        let next = std::iter::once(first).chain(places).find(follows);
        let at = if rules.within.is_some() {
            next
        } else {
            next.or(Some(first))
        };
        // The first piece of many decides where all of them are looked for: it must be a long one.
        let least = if last.is_none() {
            rules.min_piece.max(MIN_PIECE)
        } else {
            rules.min_piece
        };
        let long_enough = run.len() >= least || (end_word == quote.words.len() && last.is_some());
        if let Some(at) = at
            && long_enough
        {
            found = Some((end_word, at));
        }
    }
    found
}
