//! Queries that stand in a document word for word: a heading, a sentence somebody copied.
//!
//! Whoever types a heading wants its section, and whoever pastes a sentence wants that sentence; ranked by its words it
//! may lie behind passages that say them more often. So the section under such a heading comes first, then passages that
//! hold the whole query. Contents pages, which hold every heading, do not count.

use crate::route::Key;
use crate::search::Hit;
use recto_core::{DocumentRow, Label};
use std::collections::{BTreeMap, BTreeSet};

/// A query of fewer words is found in text everywhere; as a heading it still counts.
const LEAST_WORDS: usize = 3;
/// A heading has at least so many letters and digits.
const LEAST_LETTERS: usize = 4;

/// Hits with the query as heading first, then those that hold it, then the rest, each in their order. Scores follow the
/// new order.
pub(crate) fn first(hits: Vec<Hit>, query: &str, documents: &[(Key, &DocumentRow)]) -> Vec<Hit> {
    let wanted = letters(query);
    if wanted.chars().count() < LEAST_LETTERS {
        return hits;
    }
    let is_text = query.split_whitespace().count() >= LEAST_WORDS;
    let contents = contents_pages(documents);
    let is_contents = |hit: &Hit| {
        let metadata = &hit.chunk.metadata;
        metadata
            .labels
            .iter()
            .any(|label| label == Label::DocumentIndex.as_str())
            || metadata
                .page_numbers
                .iter()
                .any(|page| contents.contains(&((hit.source, hit.chunk.document_id), *page)))
    };
    let under: BTreeMap<(Key, u32), usize> = hits
        .iter()
        .enumerate()
        .filter(|(_, hit)| {
            !is_contents(hit)
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
        .filter(|((key, order), _)| {
            order
                .checked_sub(1)
                .is_none_or(|before| !under.contains_key(&(*key, before)))
        })
        .map(|(_, at)| *at)
        .collect();
    let rank = |at: usize, hit: &Hit| {
        if openings.contains(&at) {
            0
        } else if is_text && !is_contents(hit) && letters(&hit.chunk.content).contains(&wanted) {
            1
        } else {
            2
        }
    };
    let scores: Vec<f32> = hits.iter().map(|hit| hit.score).collect();
    let mut ranked: Vec<(u8, Hit)> = hits
        .into_iter()
        .enumerate()
        .map(|(at, hit)| (rank(at, &hit), hit))
        .collect();
    ranked.sort_by_key(|(rank, _)| *rank);
    ranked
        .into_iter()
        .zip(scores)
        .map(|((_, hit), score)| Hit { score, ..hit })
        .collect()
}

fn contents_pages(documents: &[(Key, &DocumentRow)]) -> BTreeSet<(Key, u32)> {
    let mut pages = BTreeSet::new();
    for (key, row) in documents {
        let contents = row.card.pages.iter().filter(|tag| tag.kind == "contents");
        pages.extend(contents.map(|tag| (*key, tag.page)));
    }
    pages
}

/// Letters and digits in lower case: spacing, hyphens and punctuation differ between what is typed and what is set.
fn letters(text: &str) -> String {
    text.chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}
