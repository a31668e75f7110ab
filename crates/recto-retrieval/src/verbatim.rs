//! Queries that stand in a document word for word: a heading, a caption, a sentence somebody copied, an identifier.
//!
//! Whoever types a heading wants its section, and whoever pastes a sentence wants that sentence; ranked by its words it
//! may lie behind passages that say them more often. So what stands under such a heading or is called so comes first,
//! then passages that hold the whole query, then those that hold an identifier it names which few passages do: meaning
//! is no measure for "Table 9.03B". Contents pages, which hold every heading, do not count.

use crate::chunk::JOINT;
use crate::fuse::in_order;
use crate::route::Key;
use crate::search::Hit;
use recto_core::{DocumentRow, Label};
use std::collections::{BTreeMap, BTreeSet};

/// A query of fewer words is found in text everywhere; as a heading it still counts.
const LEAST_WORDS: usize = 3;
/// A heading has at least so many letters and digits.
const LEAST_LETTERS: usize = 4;

/// An identifier in more hits than these tells nothing about where to look.
const MOST_HOLDERS: usize = 6;

/// Where a hit belongs, the first first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Tier {
    /// Called exactly so: a heading in capitals and the same one in the summary are two.
    Named,
    /// Called so in other capitals or spacing.
    NamedAlike,
    /// Holds the whole query.
    Holds,
    /// Holds as many of the query's rare identifiers as any hit.
    Identified,
    Other,
}

/// Hits the query is the name of first, then those that hold it, then those that hold its identifiers, then the rest,
/// each in their order. Scores follow the new order.
pub(crate) fn first(hits: Vec<Hit>, query: &str, contents: &Contents) -> Vec<Hit> {
    let wanted = letters(query);
    let is_name = wanted.chars().count() >= LEAST_LETTERS;
    let is_text = query.split_whitespace().count() >= LEAST_WORDS;
    let under: BTreeMap<(Key, u32), usize> = hits
        .iter()
        .enumerate()
        .filter(|(_, hit)| {
            is_name
                && !contents.has(hit)
                && hit
                    .chunk
                    .metadata
                    .headings
                    .iter()
                    .any(|heading| letters(heading) == wanted)
        })
        .map(|(at, hit)| (((hit.source, hit.chunk.document_id), hit.chunk.order), at))
        .collect();
    // Of a section in several chunks the first one stands where the heading stands.
    let openings: BTreeSet<usize> = under
        .iter()
        .filter(|((key, order), at)| {
            let before = order.checked_sub(1).and_then(|before| under.get(&(*key, before)));
            let headings = |at: &usize| hits.get(*at).map(|hit| &hit.chunk.metadata.headings);
            before.is_none_or(|before| headings(before) != headings(at))
        })
        .map(|(_, at)| *at)
        .collect();
    let exactly = query.trim();
    let holds = identified(&hits);
    let tier = |at: usize, hit: &Hit| {
        let is_named = openings.contains(&at);
        let pieces = || hit.chunk.content.split(JOINT).map(str::trim).filter(|_| is_name);
        let headings = hit.chunk.metadata.headings.iter().map(|heading| heading.trim());
        if contents.has(hit) {
            Tier::Other
        } else if is_named && headings.rev().any(|heading| heading == exactly) || pieces().any(|piece| piece == exactly)
        {
            Tier::Named
        } else if is_named || pieces().any(|piece| is_as_long(piece, exactly) && letters(piece) == wanted) {
            Tier::NamedAlike
        } else if is_text && letters(&hit.chunk.content).contains(&wanted) {
            Tier::Holds
        } else if holds.contains(&at) {
            Tier::Identified
        } else {
            Tier::Other
        }
    };
    let tiers: Vec<Tier> = hits.iter().enumerate().map(|(at, hit)| tier(at, hit)).collect();
    let mut tiers = tiers.into_iter();
    in_order(hits, |_| tiers.next())
}

/// The hits that hold most of the identifiers which few hits hold.
fn identified(hits: &[Hit]) -> BTreeSet<usize> {
    let holders = |bit: u32| hits.iter().filter(|hit| hit.identifiers >> bit & 1 == 1).count();
    let rare = (0..u32::BITS)
        .filter(|bit| (1..=MOST_HOLDERS).contains(&holders(*bit)))
        .fold(0, |rare, bit| rare | 1 << bit);
    let held = |hit: &Hit| (hit.identifiers & rare).count_ones();
    let most = hits.iter().map(held).max().unwrap_or(0);
    (0..)
        .zip(hits)
        .filter(|(_, hit)| most > 0 && held(hit) == most)
        .map(|(at, _)| at)
        .collect()
}

/// Whether a piece is short enough to be worth comparing with the query by its letters.
fn is_as_long(piece: &str, query: &str) -> bool {
    piece.len() <= 2 * query.len()
}

/// Contents pages, which hold every heading and caption and are none of them.
#[derive(Debug)]
pub(crate) struct Contents(BTreeSet<(Key, u32)>);

impl Contents {
    pub(crate) fn of(documents: &[(Key, &DocumentRow)]) -> Self {
        let pages = documents.iter().flat_map(|(key, row)| {
            let contents = row.card.pages.iter().filter(|tag| tag.kind == "contents");
            contents.map(|tag| (*key, tag.page))
        });
        Self(pages.collect())
    }

    /// Whether the hit is of one.
    pub(crate) fn has(&self, hit: &Hit) -> bool {
        let metadata = &hit.chunk.metadata;
        let key = (hit.source, hit.chunk.document_id);
        metadata
            .labels
            .iter()
            .any(|label| label == Label::DocumentIndex.as_str())
            || metadata.page_numbers.iter().any(|page| self.0.contains(&(key, *page)))
    }
}

/// Letters and digits in lower case: spacing, hyphens and punctuation differ between what is typed and what is set.
fn letters(text: &str) -> String {
    text.chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}
