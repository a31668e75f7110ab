//! Numbers written out in letters: "twelve", "twenty-five percent", "two million".

use super::figure::Reading;
use regex::Regex;
use std::ops::Range;
use std::sync::LazyLock;

const SMALL: &[(&str, f64)] = &[
    ("one", 1.0),
    ("two", 2.0),
    ("three", 3.0),
    ("four", 4.0),
    ("five", 5.0),
    ("six", 6.0),
    ("seven", 7.0),
    ("eight", 8.0),
    ("nine", 9.0),
    ("ten", 10.0),
    ("eleven", 11.0),
    ("twelve", 12.0),
    ("thirteen", 13.0),
    ("fourteen", 14.0),
    ("fifteen", 15.0),
    ("sixteen", 16.0),
    ("seventeen", 17.0),
    ("eighteen", 18.0),
    ("nineteen", 19.0),
    ("twenty", 20.0),
    ("thirty", 30.0),
    ("forty", 40.0),
    ("fifty", 50.0),
    ("sixty", 60.0),
    ("seventy", 70.0),
    ("eighty", 80.0),
    ("ninety", 90.0),
    ("dozen", 12.0),
];

const LARGE: &[(&str, f64)] = &[
    ("hundred", 1e2),
    ("thousand", 1e3),
    ("million", 1e6),
    ("billion", 1e9),
    ("trillion", 1e12),
];

#[expect(clippy::expect_used, reason = "the patterns are constants")]
static WORDS: LazyLock<Regex> = LazyLock::new(|| {
    let small: Vec<&str> = SMALL.iter().map(|(word, _)| *word).collect();
    let large: Vec<&str> = LARGE.iter().map(|(word, _)| *word).collect();
    let (small, large) = (small.join("|"), large.join("|"));
    Regex::new(&format!(
        r"(?i)(?-u:\b)(?:{small}|an?\s+(?:{large}|dozen))(?:(?:[\s-]+|\s+and\s+)(?:{small}|{large}))*(?-u:\b)"
    ))
    .expect("BUG: the pattern of number words is valid")
});

/// A number in words.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct InWords {
    pub(super) range: Range<usize>,
    pub(super) reading: Reading,
    pub(super) scale: Option<f64>,
}

/// The numbers in words of `text`. "One" by itself is none: it is mostly a pronoun.
pub(super) fn in_words(text: &str) -> Vec<InWords> {
    WORDS
        .find_iter(text)
        .filter(|found| {
            // "first-five", "one-time", "twenty-first"
            let before = text[..found.start()].chars().next_back();
            before.is_none_or(|c| c != '-')
        })
        .filter_map(|found| {
            let tokens: Vec<String> = found
                .as_str()
                .split(|c: char| c.is_whitespace() || c == '-')
                .map(str::to_lowercase)
                .filter(|token| !token.is_empty() && token != "and")
                .collect();
            let (reading, scale) = value(&tokens)?;
            let alone = tokens.len() == 1 && reading.value < 2.0;
            (!alone).then_some(InWords {
                range: found.range(),
                reading,
                scale,
            })
        })
        .collect()
}

fn value(tokens: &[String]) -> Option<(Reading, Option<f64>)> {
    let small = |token: &str| SMALL.iter().find(|(word, _)| *word == token).map(|(_, value)| *value);
    let large = |token: &str| LARGE.iter().find(|(word, _)| *word == token).map(|(_, value)| *value);
    let exact = |value: f64| Reading { value, step: 1.0 };
    // "two million": rounded to millions like the same in digits.
    if let [rest @ .., last] = tokens
        && let Some(scale) = large(last).filter(|scale| *scale >= 1e3)
        && !rest.is_empty()
        && rest.iter().all(|token| large(token).is_none_or(|value| value <= 1e2))
    {
        let (reading, _) = value_of(rest, &small, &large)?;
        return Some((exact(reading), Some(scale)));
    }
    let (value, _) = value_of(tokens, &small, &large)?;
    Some((exact(value), None))
}

fn value_of(
    tokens: &[String],
    small: &dyn Fn(&str) -> Option<f64>,
    large: &dyn Fn(&str) -> Option<f64>,
) -> Option<(f64, ())> {
    let (mut total, mut group, mut last) = (0.0, 0.0, f64::INFINITY);
    for token in tokens {
        if token == "a" || token == "an" {
            continue;
        }
        if let Some(value) = small(token) {
            // "five ten" are two numbers.
            let fits = last == f64::INFINITY || last >= 100.0 || (last >= 20.0 && value < 10.0);
            if !fits {
                return None;
            }
            group += value;
            last = value;
        } else if let Some(value) = large(token) {
            if group == 0.0 {
                group = 1.0;
            }
            if value < 1e3 {
                group *= value;
            } else {
                total += group * value;
                group = 0.0;
            }
            last = value;
        }
    }
    Some((total + group, ()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_words_have_their_value() {
        for (text, value, scale) in [
            ("twelve stores", 12.0, None),
            ("twenty-five percent", 25.0, None),
            ("one hundred and five", 105.0, None),
            ("two million", 2.0, Some(1e6)),
            ("a dozen", 12.0, None),
            ("three hundred thousand", 300.0, Some(1e3)),
            ("one million two hundred thousand", 1_200_000.0, None),
        ] {
            let found = in_words(text);
            assert_eq!(found.len(), 1, "{text}: {found:?}");
            assert_eq!((found[0].reading.value, found[0].scale), (value, scale), "{text}");
        }
        assert!(in_words("one of the stones, someone, often").is_empty());
    }
}
