//! Near matches: pieces of the quote that occur exactly point at where it may be, and an alignment there measures how
//! far it is off.

use super::normalise::Quote;
use super::numbers::numbers;
use super::place::Place;
use super::sequence::Sequence;
use recto_core::MatchKind;
use std::collections::HashMap;
use std::ops::Range;

/// Shortest quote, in bytes of its normal form, that is matched nearly. In shorter ones a tenth is no whole letter,
/// or the letter changes the meaning.
const MIN_LENGTH: usize = 20;
/// Longest; an alignment takes the square of it.
const MAX_LENGTH: usize = 20_000;
/// Bytes of a seed.
const SEED: usize = 10;
/// Occurrences of one seed that are followed; a phrase on every page points nowhere.
const MAX_OCCURRENCES: usize = 300;
/// Cells of all alignments of one search.
const MAX_WORK: usize = 40_000_000;

pub(crate) fn search(sequence: &Sequence<'_>, quote: &Quote) -> Vec<Place> {
    let wanted = quote.normal.as_bytes();
    if !(MIN_LENGTH..=MAX_LENGTH).contains(&wanted.len()) {
        return Vec::new();
    }
    let allowed = wanted.len() / 10;
    let figures = numbers(&quote.words.join(" "));
    let mut best = usize::MAX;
    let mut places: Vec<(usize, Place)> = Vec::new();
    let mut work = 0;
    for start in candidates(sequence.text.as_bytes(), wanted, allowed) {
        let slack = allowed + SEED;
        let window = start.saturating_sub(slack)..(start + wanted.len() + slack).min(sequence.text.len());
        work += window.len() * wanted.len();
        if work > MAX_WORK && !places.is_empty() {
            break;
        }
        let Some((cost, range)) = align(&sequence.text.as_bytes()[window.clone()], wanted, allowed) else {
            continue;
        };
        let range = window.start + range.start..window.start + range.end;
        let units = sequence.units(sequence.units_of(&range)).to_vec();
        if numbers(&sequence.written(&units)) != figures {
            continue;
        }
        best = best.min(cost);
        places.push((cost, Place::new(sequence, units, MatchKind::Fuzzy)));
    }
    places.retain(|(cost, _)| *cost <= best + 1);
    places.into_iter().map(|(_, place)| place).collect()
}

/// Bytes of the text at which the quote may begin, the likeliest first.
pub(crate) fn candidates(text: &[u8], wanted: &[u8], allowed: usize) -> Vec<usize> {
    let step = (wanted.len() / 40).max(4);
    let width = allowed + SEED;
    let mut votes: HashMap<usize, (u32, usize)> = HashMap::new();
    for offset in (0..=wanted.len().saturating_sub(SEED)).step_by(step) {
        let seed = &wanted[offset..offset + SEED];
        let found: Vec<usize> = memchr::memmem::find_iter(text, seed)
            .take(MAX_OCCURRENCES + 1)
            .collect();
        if found.len() > MAX_OCCURRENCES {
            continue;
        }
        for at in found {
            let start = at.saturating_sub(offset);
            let entry = votes.entry(start / width).or_insert((0, start));
            entry.0 += 1;
        }
    }
    let mut ranked: Vec<(u32, usize)> = votes
        .iter()
        .map(|(bucket, (count, start))| {
            // A place may straddle two buckets.
            let next = votes.get(&(bucket + 1)).map_or(0, |(count, _)| *count);
            (count + next, *start)
        })
        .collect();
    ranked.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    let most = ranked.first().map_or(0, |(count, _)| *count);
    ranked
        .into_iter()
        .take(24)
        .take_while(|(count, _)| count * 3 >= most)
        .map(|(_, start)| start)
        .collect()
}

/// The stretch of `text` with the smallest edit distance to `wanted`, if it is at most `allowed`. Ties go to the
/// stretch that ends first.
fn align(text: &[u8], wanted: &[u8], allowed: usize) -> Option<(usize, Range<usize>)> {
    // Column by column over the text; `cost[i]` is the distance of `wanted[..i]` to a stretch that ends here, and
    // `start[i]` where the stretch begins.
    let mut cost: Vec<usize> = (0..=wanted.len()).collect();
    let mut start: Vec<usize> = vec![0; wanted.len() + 1];
    let mut best: Option<(usize, Range<usize>)> = None;
    for (at, byte) in text.iter().enumerate() {
        let (mut diagonal, mut diagonal_start) = (cost[0], start[0]);
        start[0] = at + 1;
        for (index, letter) in wanted.iter().enumerate() {
            let i = index + 1;
            let replace = (diagonal + usize::from(letter != byte), diagonal_start);
            let insert = (cost[i] + 1, start[i]);
            let delete = (cost[i - 1] + 1, start[i - 1]);
            (diagonal, diagonal_start) = (cost[i], start[i]);
            let (c, s) = [replace, insert, delete]
                .into_iter()
                .min_by_key(|(c, _)| *c)
                .unwrap_or(replace);
            cost[i] = c;
            start[i] = s;
        }
        let end = cost[wanted.len()];
        if end <= allowed && best.as_ref().is_none_or(|(c, _)| end < *c) {
            best = Some((end, start[wanted.len()]..at + 1));
        }
    }
    best.filter(|(_, range)| !range.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_alignment_finds_the_nearest_stretch() {
        let (cost, range) = align(b"xxthequickbrwnfoxyy", b"thequickbrownfox", 2).expect("finds");
        assert_eq!((cost, range), (1, 2..17));
        assert_eq!(align(b"somethingelse", b"thequickbrownfox", 2), None);
    }
}
