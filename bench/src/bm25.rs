//! The floor: plain BM25 over whole pages, k1 1.2, b 0.75, words as runs of letters and digits, nothing stemmed or dropped.

use std::collections::{BTreeMap, HashMap};

/// An index over pages, identified by any ordered key.
pub(crate) struct Bm25<K> {
    pages: Vec<(K, HashMap<String, u32>, f64)>,
    frequencies: HashMap<String, u32>,
    mean_length: f64,
}

const K1: f64 = 1.2;
const B: f64 = 0.75;

fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
}

impl<K: Ord + Clone> Bm25<K> {
    /// Indexes `pages`, each a key and its text.
    pub(crate) fn new(pages: impl IntoIterator<Item = (K, String)>) -> Self {
        let mut index = Self {
            pages: Vec::new(),
            frequencies: HashMap::new(),
            mean_length: 0.0,
        };
        for (key, text) in pages {
            let mut counts = HashMap::new();
            let mut length = 0.0;
            for word in words(&text) {
                *counts.entry(word).or_insert(0) += 1;
                length += 1.0;
            }
            for word in counts.keys() {
                *index.frequencies.entry(word.clone()).or_insert(0) += 1;
            }
            index.mean_length += length;
            index.pages.push((key, counts, length));
        }
        index.mean_length /= (index.pages.len() as f64).max(1.0);
        index
    }

    /// The `limit` best pages among those `keep` admits, best first, ties by key.
    pub(crate) fn search(&self, query: &str, limit: usize, keep: impl Fn(&K) -> bool) -> Vec<K> {
        let terms: BTreeMap<String, ()> = words(query).map(|word| (word, ())).collect();
        let total = self.pages.len() as f64;
        let mut scored: Vec<(f64, &K)> = self
            .pages
            .iter()
            .filter(|(key, _, _)| keep(key))
            .map(|(key, counts, length)| {
                let score = terms
                    .keys()
                    .filter_map(|term| {
                        let count = f64::from(*counts.get(term)?);
                        let frequency = f64::from(*self.frequencies.get(term)?);
                        let rarity = (1.0 + (total - frequency + 0.5) / (frequency + 0.5)).ln();
                        Some(rarity * count * (K1 + 1.0) / (count + K1 * (1.0 - B + B * length / self.mean_length)))
                    })
                    .sum::<f64>();
                (score, key)
            })
            .filter(|(score, _)| *score > 0.0)
            .collect();
        scored.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(b.1)));
        scored.into_iter().take(limit).map(|(_, key)| key.clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rare_word_outweighs_a_common_one() {
        let index = Bm25::new([
            (1, "the cash the".to_owned()),
            (2, "the the the".to_owned()),
            (3, "inventory the".to_owned()),
        ]);
        assert_eq!(index.search("the inventory", 2, |_| true), [3, 2]);
        assert_eq!(index.search("cash", 5, |key| *key != 1), Vec::<i32>::new());
    }
}
