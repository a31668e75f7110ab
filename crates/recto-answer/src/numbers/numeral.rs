//! Digits with their marks for thousands and decimals, in the ways of several countries.

use super::figure::Reading;
use regex::Regex;
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// Which mark separates the decimals in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Marks {
    /// `1,234.5`.
    Point,
    /// `1.234,5`.
    Comma,
    /// The text does not tell.
    Unknown,
}

/// Words that only English texts, and words that only texts with decimal commas are full of.
const WITH_POINT: &[&str] = &[
    "the", "of", "and", "was", "were", "to", "by", "for", "from", "with", "is", "are", "at", "year", "ended", "net",
    "sales", "revenue", "total", "about", "million", "billion",
];
const WITH_COMMA: &[&str] = &[
    "der",
    "das",
    "und",
    "von",
    "im",
    "mit",
    "für",
    "auf",
    "betrug",
    "ist",
    "zum",
    "zur",
    "dem",
    "den",
    "eines",
    "mio",
    "mrd",
    "tsd",
    "teur",
    "millionen",
    "milliarden",
    "umsatz",
    "le",
    "la",
    "les",
    "des",
    "du",
    "et",
    "est",
    "une",
    "aux",
    "sur",
    "au",
    "dans",
    "pour",
    "milliards",
    "milliers",
    "ventes",
    "el",
    "los",
    "las",
    "del",
    "fue",
    "con",
    "por",
    "millones",
    "il",
    "della",
    "dei",
    "di",
    "nel",
    "het",
    "een",
    "van",
    "miljoen",
];

#[expect(clippy::expect_used, reason = "the patterns are constants")]
static POINT_DECIMALS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?:^|[^\d.,])\d+(?:,\d{3})*\.(?:\d{1,2}|\d{4,})(?:[^\d.]|\.\D|\.?$)")
        .expect("BUG: the pattern is valid")
});

#[expect(clippy::expect_used, reason = "the patterns are constants")]
static COMMA_DECIMALS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?:^|[^\d.,])\d+(?:[.\s’']\d{3})*,(?:\d{1,2}|\d{4,})(?:[^\d,]|,\D|,?$)")
        .expect("BUG: the pattern is valid")
});

/// Which mark separates the decimals in `text`, from its unmistakable numbers and its language.
pub(super) fn marks(text: &str) -> Marks {
    match (POINT_DECIMALS.is_match(text), COMMA_DECIMALS.is_match(text)) {
        (true, false) => return Marks::Point,
        (false, true) => return Marks::Comma,
        _ => {}
    }
    let (mut point, mut comma) = (0, 0);
    for word in text.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty()) {
        let word = word.to_lowercase();
        if WITH_POINT.contains(&word.as_str()) {
            point += 1;
        }
        let accented = word.contains(|c: char| matches!(c, 'à'..='ö' | 'ø'..='ÿ' | 'œ' | 'ł'));
        if accented || WITH_COMMA.contains(&word.as_str()) {
            comma += 1;
        }
    }
    match point.cmp(&comma) {
        std::cmp::Ordering::Greater => Marks::Point,
        std::cmp::Ordering::Less => Marks::Comma,
        std::cmp::Ordering::Equal => Marks::Unknown,
    }
}

/// Most groups of digits of a numeral: more than the thousands of any amount.
const MOST_GROUPS: usize = 12;

/// A numeral that was read.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Numeral {
    pub(super) end: usize,
    pub(super) readings: Vec<Reading>,
    /// Nothing but digits.
    pub(super) plain: bool,
}

/// Reads the numeral that begins at `start`, a digit. `spaced` tells whether spaces may separate its thousands. `None` for
/// what is numbered rather than counted (`4.2.1`); its end is then returned as the error.
pub(super) fn read(text: &str, start: usize, marks: Marks, spaced: bool) -> Result<Numeral, usize> {
    let (groups, separators) = split(text, start, spaced);
    let Some((first, _)) = groups.first().map(|group| (group.clone(), ())) else {
        return Err(start + 1);
    };
    // ".12" has its point before it.
    let before = &text[..start];
    let leading = before.ends_with('.') && !before[..before.len() - 1].ends_with(|c: char| c.is_alphanumeric());
    if leading && separators.is_empty() {
        return Ok(whole(first.end, vec![reading("0", &text[first])], false));
    }
    let digits = |range: &std::ops::Range<usize>| &text[range.clone()];
    let Some(last) = groups.last().cloned() else {
        return Err(first.end);
    };
    let distinct: BTreeSet<char> = separators.iter().copied().collect();
    if separators.is_empty() {
        return Ok(whole(first.end, vec![reading(digits(&first), "")], true));
    }
    let joined = |groups: &[std::ops::Range<usize>]| groups.iter().map(digits).collect::<String>();
    let thousands = |groups: &[std::ops::Range<usize>], mark: char| {
        let rest = &groups[1..];
        let lead = (1..=3).contains(&groups[0].len());
        let even = rest.iter().all(|group| group.len() == 3);
        let (tail, middle) = rest
            .split_last()
            .map_or((0, rest), |(tail, middle)| (tail.len(), middle));
        // 12,34,567: lakhs and crores.
        let indian = mark == ',' && groups[0].len() <= 2 && tail == 3 && middle.iter().all(|group| group.len() == 2);
        lead && (even || (indian && !middle.is_empty()))
    };
    if distinct.len() == 1 {
        let mark = separators[0];
        let grouped = thousands(&groups, mark);
        let decimal = matches!(mark, ',' | '.') && separators.len() == 1;
        let as_thousands = reading(&joined(&groups), "");
        let as_decimal = reading(digits(&first), digits(&last));
        return match (grouped && digits(&first) != "0", decimal) {
            (true, true) => {
                let points = match marks {
                    Marks::Point => mark == '.',
                    Marks::Comma => mark == ',',
                    Marks::Unknown => {
                        let mut both = vec![as_thousands, as_decimal];
                        if mark == '.' {
                            both.reverse();
                        }
                        return Ok(whole(last.end, both, false));
                    }
                };
                Ok(whole(
                    last.end,
                    vec![if points { as_decimal } else { as_thousands }],
                    false,
                ))
            }
            (true, false) => Ok(whole(last.end, vec![as_thousands], false)),
            (false, true) => Ok(whole(last.end, vec![as_decimal], false)),
            (false, false) if mark == '.' => Err(last.end),
            // A list without spaces: its first number.
            (false, false) => Ok(whole(first.end, vec![reading(digits(&first), "")], true)),
        };
    }
    let (mark, before) = separators
        .split_last()
        .map_or(('.', &separators[..]), |(mark, rest)| (*mark, rest));
    let alike = before.iter().all(|other| *other == before[0] && *other != mark);
    let whole_part = &groups[..groups.len() - 1];
    if alike && matches!(mark, ',' | '.') && thousands(whole_part, before[0]) {
        return Ok(whole(
            last.end,
            vec![reading(&joined(whole_part), digits(&last))],
            false,
        ));
    }
    // A list or a reference: what stands before the first mark that does not fit.
    if distinct.contains(&'.') && !distinct.contains(&' ') {
        return Err(last.end);
    }
    Ok(whole(first.end, vec![reading(digits(&first), "")], true))
}

fn whole(end: usize, readings: Vec<Reading>, plain: bool) -> Numeral {
    Numeral { end, readings, plain }
}

fn reading(integer: &str, decimals: &str) -> Reading {
    let value = format!("{integer}.{decimals}0").parse().unwrap_or(f64::INFINITY);
    let places = i32::try_from(decimals.len()).unwrap_or(i32::MAX);
    Reading {
        value,
        step: 10_f64.powi(-places),
    }
}

/// The groups of digits from `start` on, and the marks between them.
fn split(text: &str, start: usize, spaced: bool) -> (Vec<std::ops::Range<usize>>, Vec<char>) {
    let run = |from: usize| {
        let length = text[from..].bytes().take_while(u8::is_ascii_digit).count();
        from..from + length
    };
    let mut groups = vec![run(start)];
    let mut separators = Vec::new();
    // No number has so many groups; a list without spaces may have any number of them.
    while groups.len() < MOST_GROUPS {
        let end = groups.last().map_or(start, |group| group.end);
        let Some(mark) = text[end..].chars().next() else { break };
        let next = run(end + mark.len_utf8());
        if next.is_empty() {
            break;
        }
        let mark = match mark {
            ',' | '.' => mark,
            '\'' | '’' if next.len() == 3 => '’',
            '\u{a0}' | '\u{202f}' | '\u{2009}' if next.len() == 3 => ' ',
            ' ' if spaced && next.len() == 3 && groups[0].len() <= 3 => ' ',
            _ => break,
        };
        // Spaces and apostrophes separate thousands only, so none stands behind a decimal mark.
        if matches!(mark, ' ' | '’') && separators.iter().any(|other| *other != mark) {
            break;
        }
        separators.push(mark);
        groups.push(next);
    }
    (groups, separators)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str) -> Vec<f64> {
        let start = text.find(|c: char| c.is_ascii_digit()).expect("a digit");
        read(text, start, marks(text), true).map_or_else(
            |_| Vec::new(),
            |numeral| numeral.readings.iter().map(|reading| reading.value).collect(),
        )
    }

    #[test]
    fn thousands_and_decimals_of_several_countries_are_told_apart() {
        for (text, value) in [
            ("1,234,567.89", 1_234_567.89),
            ("1.234.567,89", 1_234_567.89),
            ("1 234 567,89", 1_234_567.89),
            ("1\u{202f}234\u{202f}567,89", 1_234_567.89),
            ("1’234’567.89", 1_234_567.89),
            ("12,34,567.89", 1_234_567.89),
            ("1234567.89", 1_234_567.89),
            ("12,5 Prozent", 12.5),
            ("rund 1.234 Mio. Euro", 1_234.0),
            ("the price of 1.234 was", 1.234),
            ("the sum of 1,234 was", 1_234.0),
            ("0.123", 0.123),
            ("$.12", 0.12),
        ] {
            assert_eq!(values(text), [value], "{text}");
        }
    }

    #[test]
    fn what_the_text_does_not_tell_has_two_readings() {
        assert_eq!(values("1.234"), [1.234, 1_234.0]);
        assert_eq!(values("1,234"), [1_234.0, 1.234]);
    }

    #[test]
    fn numbered_sections_are_no_numbers() {
        assert!(values("4.2.1").is_empty());
        assert_eq!(values("1,2,3"), [1.0]);
    }
}
