//! Passages turned into a ranking of pages.

use recto_core::{CollectionName, DocumentId, Passage};
use std::collections::BTreeMap;

/// A page with the score of its best passage.
#[derive(Debug, Clone, PartialEq)]
pub struct RankedPage {
    /// The collection.
    pub collection: CollectionName,
    /// The document.
    pub document: DocumentId,
    /// 1-based page number.
    pub page: u32,
    /// The best score of a passage on it.
    pub score: f32,
}

/// The pages of `passages`, best first: a page counts as its best passage, equal scores keep the order of the passages and
/// then of the pages. Give it passages that were not expanded, so that a page is not credited with its neighbours' text.
#[must_use]
pub fn rank_pages(passages: &[Passage]) -> Vec<RankedPage> {
    let mut best: BTreeMap<(CollectionName, DocumentId, u32), (f32, usize)> = BTreeMap::new();
    for (order, passage) in passages.iter().enumerate() {
        for page in &passage.pages {
            let key = (passage.collection.clone(), passage.document_id, *page);
            let entry = best.entry(key).or_insert((passage.score, order));
            if passage.score > entry.0 {
                *entry = (passage.score, order);
            }
        }
    }
    let mut ranked: Vec<_> = best.into_iter().collect();
    ranked.sort_by(|(a_key, a), (b_key, b)| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)).then(a_key.cmp(b_key)));
    ranked
        .into_iter()
        .map(|((collection, document, page), (score, _))| RankedPage {
            collection,
            document,
            page,
            score,
        })
        .collect()
}
