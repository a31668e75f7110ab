//! BM25 over several collections at once.
//!
//! A database scores words by how rare they are in *it*. The same words in another collection, where they are common, get
//! another score, and the two cannot be compared: a library split in two would rank differently. So where more than one
//! collection is searched, the found texts are scored anew from the statistics of all of them together. The formula and
//! its constants are the database's own, so that one collection searched alone needs no second scoring.

use recto_core::{FieldStatistics, ScoredChunk, ScoredPage, TextQuery, WordCounts, WordStatistics};

/// How soon more occurrences of a word stop adding to the score, dimensionless.
const K1: f32 = 1.2;
/// How far long texts are held back, 0 to 1.
const B: f32 = 0.75;

/// The score of a chunk for `query` among all texts of `statistics`.
pub(crate) fn chunk(query: &TextQuery, statistics: &WordStatistics, chunk: &ScoredChunk) -> f32 {
    score(query, &statistics.content, &chunk.content)
        + TextQuery::HEADING_WEIGHT * score(query, &statistics.headings, &chunk.headings)
}

/// The score of a page for `query` among all texts of `statistics`.
pub(crate) fn page(query: &TextQuery, statistics: &WordStatistics, page: &ScoredPage) -> f32 {
    score(query, &statistics.pages, &page.words)
}

#[expect(clippy::cast_precision_loss, reason = "counts of texts and words")]
fn score(query: &TextQuery, field: &FieldStatistics, text: &WordCounts) -> f32 {
    let texts = field.texts as f32;
    let mean_length = field.length as f32 / texts.max(1.0);
    let addend = K1 * (1.0 - B + B * text.length as f32 / mean_length.max(f32::MIN_POSITIVE));
    query
        .words()
        .zip(&text.occurrences)
        .zip(&field.holding)
        .filter(|((_, occurrences), _)| **occurrences > 0)
        .map(|(((_, weight), occurrences), holding)| {
            let (occurrences, holding) = (*occurrences as f32, *holding as f32);
            let rarity = ((texts - holding + 0.5).max(0.5) / (holding + 0.5) + 1.0).ln();
            weight * rarity * (K1 + 1.0) * occurrences / (occurrences + addend)
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn query() -> TextQuery {
        TextQuery {
            is_counted: true,
            terms: vec!["sales".into(), "tax".into()],
            related: vec!["revenue".into()],
        }
    }

    fn field(texts: u64, length: u64, holding: [u64; 3]) -> FieldStatistics {
        FieldStatistics {
            texts,
            length,
            holding: holding.into(),
        }
    }

    #[test]
    fn rare_words_frequent_occurrences_and_short_texts_score_higher() {
        let field = field(1_000, 100_000, [500, 10, 10]);
        let of = |text: &str| score(&query(), &field, &WordCounts::of(&query(), text));
        assert!(of("tax of the year") > of("sales of the year"), "the rarer word");
        assert!(of("tax tax of year") > of("tax of the year"), "twice");
        assert!(
            of("tax") > of("tax and very many other words that are not asked for"),
            "shorter"
        );
        assert!(of("tax") > of("revenue"), "a related word counts less");
        assert!((of("nothing of it") - 0.0).abs() < f32::EPSILON);
    }

    #[test]
    fn statistics_of_parts_add_up_to_those_of_the_whole() {
        let mut sum = field(600, 50_000, [300, 4, 0]);
        sum += &field(400, 50_000, [200, 6, 10]);
        assert_eq!(sum, field(1_000, 100_000, [500, 10, 10]));
        let mut none = FieldStatistics::default();
        none += &sum;
        assert_eq!(none, sum, "an empty collection adds nothing");
    }
}
