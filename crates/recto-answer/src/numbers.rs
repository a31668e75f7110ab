//! Figures, dates and percentages, compared as people write them.
//!
//! `1,577 million`, `$1.577 billion` and `1,577` in a table "in millions" are one figure; `(12)` and `-12` are one; `5 %`
//! is no 5. The check states that a figure stands in the cited evidence, not that the claim about it is true. What counts
//! as the same: equal at the precision of the claim, so that "1.6 billion" is found in `1,577 million`.

use recto_core::NumberCheck;
use regex::Regex;
use std::sync::LazyLock;

/// A figure in a text.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// As written, with its currency sign, scale word or per cent sign.
    pub written: String,
    /// Where it stands, in bytes.
    pub start: usize,
    /// Its value without scale; negative where written so.
    value: f64,
    /// What one unit of its last written digit is worth.
    step: f64,
    /// 1, a thousand, a million … from a word or letter behind it.
    scale: Option<f64>,
    percent: bool,
    negative: bool,
    /// A bare number that can only be a year.
    year: bool,
    /// A day in a written date; checked with its month.
    date: Option<String>,
}

const MONTHS: &str = "january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|\
    jul|aug|sept|sep|oct|nov|dec";

#[expect(clippy::expect_used, reason = "the patterns are constants")]
static FIGURE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?xi)
        (?P<open>\()? \s? (?P<minus>[-−–])? \s?
        (?P<currency>[$€£¥]|US\$|USD\s|EUR\s)? \s? (?P<open2>\()? (?P<minus2>[-−])?
        (?P<number>\d{1,3}(?:[,\u{a0}\u{202f}]\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)
        (?P<close>\))?
        (?:
            \s?(?P<percent>%|percent\b|per\s+cent\b|percentage\s+points?\b)
          | [\s-]?(?P<scale>thousand|million|billion|trillion)
          | \s?(?P<short>bn\b|mn\b|mio\b|mrd\b)
          | (?P<letter>[kmb]\b)
        )?
        (?P<close2>\))?",
    )
    .expect("BUG: the figure pattern is valid")
});

#[expect(clippy::expect_used, reason = "the patterns are constants")]
static DATE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(&format!(
        r"(?i)\b(?P<month>{MONTHS})\.?\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\b(?:,?\s+(?P<year>(?:19|20)\d\d))?|\b(?P<day2>\d{{1,2}})\.?\s+(?P<month2>{MONTHS})\b(?:,?\s+(?P<year2>(?:19|20)\d\d))?"
    ))
    .expect("BUG: the date pattern is valid")
});

#[expect(clippy::expect_used, reason = "the patterns are constants")]
static UNIT_LINE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\bin\s+(?:[a-z.$]+\s+)?(thousands|millions|billions)\b").expect("BUG: the unit pattern is valid")
});

/// The figures, percentages and dates of `text`, in order. Numbers that are part of a name (`10-K`, `Q3`, `Item 7A`) and
/// the ordinals of a list are none.
#[must_use]
pub fn figures(text: &str) -> Vec<Figure> {
    let mut found = dates(text);
    let taken: Vec<(usize, usize)> = found
        .iter()
        .map(|date| (date.start, date.start + date.written.len()))
        .collect();
    for captures in FIGURE.captures_iter(text) {
        let Some(number) = captures.name("number") else {
            continue;
        };
        if taken
            .iter()
            .any(|(start, end)| *start < number.end() && number.start() < *end)
        {
            continue;
        }
        if let Some(figure) = figure(text, &captures, number.range()) {
            found.push(figure);
        }
    }
    found.sort_by_key(|figure| figure.start);
    found
}

fn figure(text: &str, captures: &regex::Captures<'_>, number: std::ops::Range<usize>) -> Option<Figure> {
    let has = |name: &str| captures.name(name).is_some();
    let scale_word = ["scale", "short", "letter"].iter().find_map(|name| captures.name(name));
    let scale = scale_word.and_then(|word| scale_of(word.as_str()));
    let percent = has("percent");
    let currency = has("currency");
    if !currency && !percent && is_part_of_name(text, &number, scale.is_some()) {
        return None;
    }
    let digits = &text[number.clone()];
    let plain: String = digits.chars().filter(|c| c.is_ascii_digit() || *c == '.').collect();
    let value: f64 = plain.parse().ok()?;
    let decimals = plain.split_once('.').map_or(0, |(_, after)| after.len());
    let bracketed = (has("open") || has("open2")) && (has("close") || has("close2"));
    // A dash directly before the number is a sign only where no word or number stands before it ("2018-19").
    let minus = captures.name("minus").or(captures.name("minus2")).is_some_and(|sign| {
        !text[..sign.start()]
            .chars()
            .next_back()
            .is_some_and(char::is_alphanumeric)
            && text[sign.end()..].chars().next().is_some_and(|c| !c.is_whitespace())
    });
    let year = !currency
        && !percent
        && scale.is_none()
        && digits.len() == 4
        && (1900.0..2100.0).contains(&value)
        && digits.bytes().all(|b| b.is_ascii_digit());
    let accounting = bracketed && !year;
    let negative = minus || accounting;
    let start = captures.name("currency").map_or(number.start, |sign| sign.start());
    let end = scale_word
        .or(captures.name("percent"))
        .map_or(number.end, |word| word.end());
    let mut written = text[start..end].trim().to_owned();
    if accounting {
        written = format!("({written})");
    } else if minus {
        written = format!("-{written}");
    }
    Some(Figure {
        written,
        start,
        value: if negative { -value } else { value },
        step: 10_f64.powi(-i32::try_from(decimals).unwrap_or(0)),
        scale,
        percent,
        negative,
        year,
        date: None,
    })
}

/// `Q3`, `10-K`, `7A`, `COVID-19`, `1.` at the start of a line, `v2`, `section 4.2.1`.
fn is_part_of_name(text: &str, number: &std::ops::Range<usize>, scaled: bool) -> bool {
    let before = text[..number.start].chars().next_back();
    let mut behind = text[number.end..].chars();
    let after = behind.next();
    if before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '#')) {
        return true;
    }
    if before == Some('-')
        && text[..number.start - 1]
            .chars()
            .next_back()
            .is_some_and(char::is_alphabetic)
    {
        return true;
    }
    if !scaled {
        match after {
            Some(c) if c.is_alphabetic() || c == '_' => return true,
            Some('-') if behind.next().is_some_and(char::is_alphabetic) => return true,
            Some('.' | ')') => {
                let line = text[..number.start].rsplit('\n').next().unwrap_or_default();
                let ordinal = line.trim_matches(|c: char| c.is_whitespace() || c == '(').is_empty();
                if ordinal && number.len() <= 2 && behind.next().is_none_or(char::is_whitespace) {
                    return true;
                }
            }
            _ => {}
        }
    }
    false
}

fn dates(text: &str) -> Vec<Figure> {
    DATE.captures_iter(text)
        .filter_map(|captures| {
            let whole = captures.get(0)?;
            let month = captures
                .name("month")
                .or(captures.name("month2"))?
                .as_str()
                .to_lowercase();
            let day: u32 = captures.name("day").or(captures.name("day2"))?.as_str().parse().ok()?;
            let year = captures
                .name("year")
                .or(captures.name("year2"))
                .map(|year| year.as_str());
            let month: String = month.chars().take(3).collect();
            (1..=31).contains(&day).then(|| Figure {
                written: whole.as_str().to_owned(),
                start: whole.start(),
                value: f64::from(day),
                step: 1.0,
                scale: None,
                percent: false,
                negative: false,
                year: false,
                date: Some(format!("{month} {day} {}", year.unwrap_or_default())),
            })
        })
        .collect()
}

fn scale_of(word: &str) -> Option<f64> {
    Some(match word.to_lowercase().as_str() {
        "thousand" | "k" => 1e3,
        "million" | "m" | "mn" | "mio" => 1e6,
        "billion" | "b" | "bn" | "mrd" => 1e9,
        "trillion" => 1e12,
        _ => return None,
    })
}

/// The scales that unit lines of `text` give its bare numbers ("in millions, except per share").
fn unit_scales(text: &str) -> Vec<f64> {
    let mut scales: Vec<f64> = UNIT_LINE
        .captures_iter(text)
        .filter_map(|captures| scale_of(captures.get(1)?.as_str().trim_end_matches(['s', 'S'])))
        .collect();
    scales.dedup();
    scales
}

/// What figures can be looked up in: the cited evidence.
#[derive(Debug, Clone, Default)]
pub struct Evidence {
    figures: Vec<Figure>,
    unit_scales: Vec<f64>,
    lower: String,
    mentions_percent: bool,
    speaks_of_decline: bool,
}

impl Evidence {
    /// Reads the figures of a text, its headings included.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let lower = text.to_lowercase();
        Self {
            figures: figures(text),
            unit_scales: unit_scales(text),
            mentions_percent: lower.contains('%') || lower.contains("percent") || lower.contains("per cent"),
            speaks_of_decline: [
                "decreas", "decline", "loss", "lower", "fell", "negative", "reduc", "used in", "down",
            ]
            .iter()
            .any(|word| lower.contains(word)),
            lower,
        }
    }

    /// Whether a figure stands here.
    #[must_use]
    pub fn holds(&self, wanted: &Figure) -> bool {
        if let Some(date) = &wanted.date {
            return self.holds_date(date);
        }
        self.figures.iter().any(|figure| self.same(wanted, figure))
    }

    /// The same date in any order of its parts, or its day and month here and its year elsewhere, as in table headers.
    fn holds_date(&self, date: &str) -> bool {
        let mut parts = date.split(' ');
        let (month, day, year) = (parts.next(), parts.next(), parts.next().unwrap_or_default());
        self.figures
            .iter()
            .filter_map(|figure| figure.date.as_deref())
            .any(|other| {
                let mut others = other.split(' ');
                let same_day = others.next() == month && others.next() == day;
                let other_year = others.next().unwrap_or_default();
                same_day
                    && (year.is_empty() || other_year == year || (other_year.is_empty() && self.lower.contains(year)))
            })
    }

    fn same(&self, wanted: &Figure, here: &Figure) -> bool {
        if here.date.is_some() {
            // The year of a date is a year of the text.
            return wanted.year && here.written.ends_with(&wanted.written);
        }
        if wanted.year {
            return here.value.abs().to_bits() == wanted.value.abs().to_bits() && !here.percent && here.scale.is_none();
        }
        if wanted.percent != here.percent && !(wanted.percent && self.mentions_percent && here.scale.is_none()) {
            return false;
        }
        if wanted.negative && !here.negative && !self.speaks_of_decline {
            return false;
        }
        let value = wanted.value.abs() * wanted.scale.unwrap_or(1.0);
        let tolerance = 0.5 * wanted.step * wanted.scale.unwrap_or(1.0) * (1.0 + 1e-9);
        // A figure written out to the last digit must be met to the last digit.
        let exact = wanted.scale.is_none() && !wanted.percent;
        let near = |other: f64| {
            let difference = (other - value).abs();
            if exact {
                difference <= value.abs() * 1e-9 + 1e-12
            } else {
                difference <= tolerance
            }
        };
        let here_value = here.value.abs();
        if near(here_value * here.scale.unwrap_or(1.0)) || (wanted.scale.is_none() && near(here_value)) {
            return true;
        }
        if here.scale.is_some() || here.percent || wanted.percent {
            return false;
        }
        if self.unit_scales.iter().any(|scale| near(here_value * scale)) {
            return true;
        }
        // The unit line may stand outside the passage: the digits decide, where there are enough of them.
        let significant = here.written.chars().filter(char::is_ascii_digit).count() >= 3;
        self.unit_scales.is_empty() && significant && [1e3, 1e6, 1e9].into_iter().any(|scale| near(here_value * scale))
    }
}

/// Looks every figure of `claim` up in `evidence`. A figure that is not there but follows from two figures of the claim
/// that are (difference, sum, ratio, change in per cent) is computed.
#[must_use]
pub fn check(claim: &str, evidence: &Evidence) -> NumberCheck {
    let wanted = figures(claim);
    let (found, missing): (Vec<&Figure>, Vec<&Figure>) = wanted.iter().partition(|figure| evidence.holds(figure));
    let operands: Vec<f64> = found
        .iter()
        .filter(|figure| figure.date.is_none() && !figure.year)
        .map(|figure| figure.value * figure.scale.unwrap_or(1.0))
        .collect();
    let mut check = NumberCheck::default();
    for figure in found {
        push(&mut check.found, &figure.written);
    }
    for figure in missing {
        if is_computed(figure, &operands) {
            push(&mut check.computed, &figure.written);
        } else {
            push(&mut check.missing, &figure.written);
        }
    }
    check
}

fn push(list: &mut Vec<String>, written: &str) {
    if !list.iter().any(|other| other == written) {
        list.push(written.to_owned());
    }
}

fn is_computed(figure: &Figure, operands: &[f64]) -> bool {
    if figure.date.is_some() || figure.year {
        return false;
    }
    let scale = figure.scale.unwrap_or(1.0);
    let value = figure.value.abs() * scale;
    let tolerance = figure.step * scale * 0.5 * (1.0 + 1e-9);
    let near = |other: f64| other.is_finite() && (other.abs() - value).abs() <= tolerance;
    operands.iter().enumerate().any(|(i, a)| {
        operands.iter().enumerate().any(|(j, b)| {
            i != j
                && if figure.percent {
                    near((a - b) / b * 100.0) || near(a / b * 100.0)
                } else {
                    near(a - b) || near(a + b) || near(a / b)
                }
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn assert_found(claim: &str, evidence: &str) {
        let check = check(claim, &Evidence::new(evidence));
        assert!(
            check.missing.is_empty() && !check.found.is_empty(),
            "{claim} in {evidence}: {check:?}"
        );
    }

    #[track_caller]
    fn assert_missing(claim: &str, evidence: &str) {
        let check = check(claim, &Evidence::new(evidence));
        assert!(!check.missing.is_empty(), "{claim} in {evidence}: {check:?}");
    }

    #[test]
    fn a_figure_is_the_same_in_every_scale() {
        assert_found("Capex was $1.577 billion.", "purchases were $1,577 million");
        assert_found("Capex was $1,577 million.", "spent $1.577 billion");
        assert_found("Capex was $1,577 million.", "(In millions)\nPurchases (1,577) (1,373)");
        assert_found("Capex was $1.6 billion.", "(in millions) Purchases 1,577");
        assert_found("It was 1577.", "It was 1,577.");
        assert_found("Sales were $82.959 billion", "Total net sales 82,959");
        assert_missing("Capex was $1.577 billion.", "purchases were $1,577 thousand");
        assert_missing("Capex was $1,578 million.", "purchases were $1,577 million");
        assert_missing("Capex was $1.7 billion.", "(in millions) 1,577");
    }

    #[test]
    fn percentages_signs_and_years_are_kept_apart_from_bare_numbers() {
        assert_found("It rose 5%.", "an increase of 5 percent");
        assert_found("Margin was 43.3%", "Gross margin percentage 43.3 % 44.3 %");
        assert_missing("It rose 5%.", "5 stores were opened");
        assert_found("The change was (12)", "Other (12) 4");
        assert_found("It changed by -12", "Other (12) 4");
        assert_missing("It changed by -12", "There were 12 stores.");
        assert_found("It fell by 12", "Other (12) 4");
        assert_found("in 2022", "Fiscal year ended June 25, 2022");
        assert_missing("in 2021", "Fiscal year ended June 25, 2022");
    }

    #[test]
    fn dates_are_found_in_any_order_and_across_header_rows() {
        assert_found("on June 25, 2022", "the quarter ended 25 June 2022");
        assert_found("on June 25, 2022", "June 25,\n2022 and 2021");
        assert_missing("on June 25, 2022", "June 26, 2022");
    }

    #[test]
    fn names_and_list_numbers_are_no_figures() {
        assert!(figures("The 10-K for Q3 and Item 7A of COVID-19").is_empty());
        assert!(figures("1. First point").is_empty());
        assert_eq!(figures("$5 and 10-year notes").len(), 1);
    }

    #[test]
    fn a_figure_that_follows_from_two_found_ones_is_computed() {
        let check = check(
            "It rose by 20 from 100 to 120, or 20%.",
            &Evidence::new("Sales 120 100"),
        );
        assert_eq!(check.found, ["100", "120"]);
        assert_eq!(check.computed, ["20", "20%"]);
        assert!(check.missing.is_empty());
    }
}
