//! An embedder and a token counter without a model.

use async_trait::async_trait;
use recto_core::{Embedder, EmbedderInfo, Result, TokenCounter};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Hashes the words of a text into a vector: texts that share words are near each other, and nothing else is.
#[derive(Debug)]
pub struct FakeEmbedder {
    info: EmbedderInfo,
    texts: AtomicUsize,
}

impl Default for FakeEmbedder {
    fn default() -> Self {
        Self::new(128)
    }
}

impl FakeEmbedder {
    /// An embedder of vectors of this length.
    #[must_use]
    pub fn new(dimension: u32) -> Self {
        Self {
            info: EmbedderInfo {
                provider: "fake".into(),
                name: "hashed-words".into(),
                dimension,
            },
            texts: AtomicUsize::new(0),
        }
    }

    /// How many texts have been embedded.
    pub fn embedded_texts(&self) -> usize {
        self.texts.load(Ordering::Relaxed)
    }

    /// The vector of a text, L2-normalised; a text without words has the first unit vector.
    #[must_use]
    pub fn vector(&self, text: &str) -> Vec<f32> {
        let mut vector = vec![0.0f32; self.info.dimension as usize];
        for word in crate::terms(text) {
            let hash = fnv1a(word.as_bytes());
            let sign = if hash >> 63 == 0 { 1.0 } else { -1.0 };
            vector[(hash % u64::from(self.info.dimension)) as usize] += sign;
        }
        let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
        if length == 0.0 {
            vector[0] = 1.0;
        } else {
            vector.iter_mut().for_each(|x| *x /= length);
        }
        vector
    }
}

#[async_trait]
impl Embedder for FakeEmbedder {
    fn info(&self) -> &EmbedderInfo {
        &self.info
    }

    async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>> {
        self.texts.fetch_add(texts.len(), Ordering::Relaxed);
        Ok(texts.iter().map(|text| self.vector(text)).collect())
    }
}

fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// Counts words separated by white space, and two special tokens.
#[derive(Debug, Clone, Copy)]
pub struct WhitespaceCounter {
    /// Most tokens of one text.
    pub limit: usize,
}

impl Default for WhitespaceCounter {
    fn default() -> Self {
        Self { limit: 256 }
    }
}

impl TokenCounter for WhitespaceCounter {
    fn count(&self, text: &str) -> usize {
        text.split_whitespace().count() + 2
    }

    fn limit(&self) -> usize {
        self.limit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_with_common_words_are_nearer() {
        let embedder = FakeEmbedder::default();
        let cosine = |a: &str, b: &str| -> f32 {
            embedder
                .vector(a)
                .iter()
                .zip(embedder.vector(b))
                .map(|(x, y)| x * y)
                .sum()
        };
        assert!((cosine("net sales rose", "Net sales rose") - 1.0).abs() < 1e-6);
        assert!(cosine("net sales rose", "net sales fell") > cosine("net sales rose", "gross margin fell"));
    }
}
