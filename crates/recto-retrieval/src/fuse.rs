//! Ranked lists made one.

use crate::query::Understood;
use crate::route::{Key, Route};
use crate::search::Hit;
use recto_core::{ChunkId, DocumentId, DocumentRow};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// The constant of reciprocal rank fusion, dimensionless.
const FUSION_K: f32 = 60.0;
/// Tagged pages are of equal strength within such a step; the other lists decide between them.
const STRENGTH_STEP: f32 = 0.125;
/// What a tagged page keeps that names none of the years asked for.
const WITHOUT_YEARS: f32 = 0.5;

/// A list of chunks, best first.
pub(crate) type ChunkList = Vec<Hit>;

/// A page in a list.
#[derive(Debug, Clone)]
pub(crate) struct PageHit {
    pub(crate) source: usize,
    pub(crate) document: DocumentId,
    pub(crate) page: u32,
    pub(crate) score: f32,
}

/// The list with hits of documents the question is not about standing back. Scores become shares of the best.
pub(crate) fn routed_chunks(mut list: Vec<Hit>, routing: &Route, order: &dyn Fn(&Hit, &Hit) -> Ordering) -> ChunkList {
    if routing.is_active() {
        let best = list.first().map_or(1.0, |hit| hit.score).max(f32::MIN_POSITIVE);
        for hit in &mut list {
            hit.score = hit.score / best - routing.penalty((hit.source, hit.chunk.document_id));
        }
        list.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| order(a, b)));
    }
    list
}

/// As [`routed_chunks`]; equal scores keep their order.
pub(crate) fn routed_pages(mut list: Vec<PageHit>, routing: &Route) -> Vec<PageHit> {
    if routing.is_active() {
        let best = list.first().map_or(1.0, |page| page.score).max(f32::MIN_POSITIVE);
        for page in &mut list {
            page.score = page.score / best - routing.penalty((page.source, page.document));
        }
        list.sort_by(|a, b| b.score.total_cmp(&a.score));
    }
    list
}

/// Fuses by reciprocal rank, `score(c) = Σ 1 / (60 + rank(c))` with 1-based ranks and equal legs (Cormack, Clarke and
/// Büttcher, SIGIR 2009). Each page of a page list is a leg of the best chunk on it; pages without any are passed over.
/// `extra` are chunks that no list holds, for the pages they are on.
pub(crate) fn fuse(
    lists: &[ChunkList],
    page_lists: &[&[PageHit]],
    extra: Vec<Hit>,
    order: &dyn Fn(&Hit, &Hit) -> Ordering,
) -> Vec<Hit> {
    let mut fused: BTreeMap<(usize, ChunkId), Hit> = BTreeMap::new();
    for list in lists {
        for (hit, share) in list.iter().zip(shares()) {
            let entry = fused.entry((hit.source, hit.chunk.id.clone())).or_insert_with(|| Hit {
                score: 0.0,
                cosine: None,
                ..hit.clone()
            });
            entry.score += share;
            entry.cosine = entry.cosine.or(hit.cosine);
            entry.identifiers |= hit.identifiers;
        }
    }
    for hit in extra {
        fused.entry((hit.source, hit.chunk.id.clone())).or_insert(hit);
    }
    let sort = |hits: &mut Vec<Hit>| hits.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| order(a, b)));
    let mut hits: Vec<Hit> = fused.into_values().collect();
    sort(&mut hits);
    let best = best_by_page(&hits);
    for pages in page_lists {
        // A chunk over a page break is on two pages and takes the better one's share only.
        let mut given = BTreeSet::new();
        for (page, share) in pages.iter().zip(shares()) {
            let Some(at) = best.get(&(page.source, page.document, page.page)) else {
                continue;
            };
            if given.insert(*at) {
                hits[*at].score += share;
            }
        }
    }
    sort(&mut hits);
    hits
}

/// Where the best chunk on each page stands.
fn best_by_page(hits: &[Hit]) -> BTreeMap<(usize, DocumentId, u32), usize> {
    let mut best = BTreeMap::new();
    for (at, hit) in hits.iter().enumerate() {
        for page in &hit.chunk.metadata.page_numbers {
            best.entry((hit.source, hit.chunk.document_id, *page)).or_insert(at);
        }
    }
    best
}

/// The share of the first, second … place of a list.
fn shares() -> impl Iterator<Item = f32> {
    (1_u16..).map(|rank| 1.0 / (FUSION_K + f32::from(rank)))
}

/// The pages of a kind the question asks for: of the documents it is about first, the clearest ones that name the years
/// asked for; equals in the order of `so_far`.
pub(crate) fn tagged(
    documents: &[(Key, &DocumentRow)],
    understood: &Understood<'_>,
    routing: &Route,
    so_far: &[Hit],
) -> Vec<PageHit> {
    let ranks = best_by_page(so_far);
    let mut found: BTreeMap<(Key, u32), f32> = BTreeMap::new();
    for (key, row) in documents {
        for tag in &row.card.pages {
            if !understood.meaning.pages.contains(&tag.kind.as_str()) {
                continue;
            }
            let strength = (tag.strength / STRENGTH_STEP).round() * STRENGTH_STEP;
            let score = strength * years_covered(&understood.years, &tag.years) - routing.penalty(*key);
            let entry = found.entry((*key, tag.page)).or_insert(score);
            *entry = entry.max(score);
        }
    }
    let mut pages: Vec<PageHit> = found
        .into_iter()
        .map(|(((source, document), page), score)| PageHit {
            source,
            document,
            page,
            score,
        })
        .collect();
    let rank = |page: &PageHit| {
        ranks
            .get(&(page.source, page.document, page.page))
            .copied()
            .unwrap_or(usize::MAX)
    };
    pages.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| rank(a).cmp(&rank(b))));
    pages
}

fn years_covered(asked: &[u16], on_page: &[u16]) -> f32 {
    if asked.is_empty() {
        return 1.0;
    }
    let covered = asked.iter().filter(|year| on_page.contains(year)).count();
    #[expect(clippy::cast_precision_loss, reason = "counts of years")]
    let share = covered as f32 / asked.len() as f32;
    WITHOUT_YEARS + (1.0 - WITHOUT_YEARS) * share
}

/// The fused list once more with documents the question is not about standing back, as in the single lists: a page of
/// theirs that leads several lists would come through else. Scores follow the new order.
pub(crate) fn routed(hits: Vec<Hit>, routing: &Route, order: &dyn Fn(&Hit, &Hit) -> Ordering) -> Vec<Hit> {
    if !routing.is_active() {
        return hits;
    }
    let scores = scores(&hits);
    with_scores(routed_chunks(hits, routing, order), scores)
}

/// For a question about several documents together: the best hit of each of them first, then the rest.
pub(crate) fn in_turn(hits: Vec<Hit>, routing: &Route) -> Vec<Hit> {
    let mut waiting: BTreeSet<Key> = routing.chosen.iter().map(|chosen| chosen.key).collect();
    if waiting.len() < 2 {
        return hits;
    }
    in_order(hits, |hit| !waiting.remove(&(hit.source, hit.chunk.document_id)))
}

/// The hits by `place`, equals in their order. Scores follow the new order, so that what is ranked by score keeps it.
pub(crate) fn in_order<K: Ord>(hits: Vec<Hit>, mut place: impl FnMut(&Hit) -> K) -> Vec<Hit> {
    let scores = scores(&hits);
    let mut placed: Vec<(K, Hit)> = hits.into_iter().map(|hit| (place(&hit), hit)).collect();
    placed.sort_by(|(a, _), (b, _)| a.cmp(b));
    with_scores(placed.into_iter().map(|(_, hit)| hit), scores)
}

fn scores(hits: &[Hit]) -> Vec<f32> {
    hits.iter().map(|hit| hit.score).collect()
}

fn with_scores(hits: impl IntoIterator<Item = Hit>, scores: Vec<f32>) -> Vec<Hit> {
    hits.into_iter()
        .zip(scores)
        .map(|(hit, score)| Hit { score, ..hit })
        .collect()
}
