//! Years, quarters and dates in running text.

use crate::phrase::plain_words;
use recto_core::Period;

/// A period as it is named: at least one of the two is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Mention {
    pub(crate) year: Option<u16>,
    pub(crate) quarter: Option<u8>,
}

impl Mention {
    pub(crate) fn period(self) -> Option<Period> {
        Some(Period {
            year: self.year?,
            quarter: self.quarter,
        })
    }
}

/// How many words after a quarter its year may stand: "Q1 to Q3 of fiscal 2023".
const REACH: usize = 5;

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// The periods named in `text`, in order, each once. `FY18` and `Q3'18` mean 2018; two digits above 60 belong to the last
/// century.
pub(crate) fn mentions(text: &str) -> Vec<Mention> {
    let words = plain_words(&spelled_out(text));
    let mut found: Vec<Mention> = Vec::new();
    let mut used = vec![false; words.len()];
    for at in 0..words.len() {
        let Some((quarter, own_year, length)) = quarter_at(&words, at) else {
            continue;
        };
        let before = at
            .checked_sub(1)
            .and_then(|before| year(&words[before]).map(|year| (before, year)));
        let after = || {
            let from = at + length;
            (from..words.len().min(from + REACH)).find_map(|next| year(&words[next]).map(|year| (next, year)))
        };
        let year = match (own_year, before) {
            (Some(year), _) => Some(year),
            (None, Some((before, year))) if !used[before] => {
                used[before] = true;
                Some(year)
            }
            _ => after().map(|(next, year)| {
                used[next] = true;
                year
            }),
        };
        for word in used.iter_mut().skip(at).take(length) {
            *word = true;
        }
        push(
            &mut found,
            Mention {
                year,
                quarter: Some(quarter),
            },
        );
    }
    for (word, used) in words.iter().zip(used) {
        if let Some(year) = year(word).filter(|_| !used) {
            push(
                &mut found,
                Mention {
                    year: Some(year),
                    quarter: None,
                },
            );
        }
    }
    found
}

fn push(found: &mut Vec<Mention>, mention: Mention) {
    if !found.contains(&mention) {
        found.push(mention);
    }
}

/// `Q3'22` as `Q3 2022`: an apostrophe before two digits stands for the century.
fn spelled_out(text: &str) -> String {
    let chars: Vec<char> = text.chars().map(|c| if c == '’' { '\'' } else { c }).collect();
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while at < chars.len() {
        let digit = |offset: usize| chars.get(at + offset).is_some_and(char::is_ascii_digit);
        if chars[at] == '\'' && digit(1) && digit(2) && !digit(3) {
            let short: String = chars[at + 1..at + 3].iter().collect();
            out.push(' ');
            out.push_str(&full_year(&short).to_string());
            at += 3;
        } else {
            out.push(chars[at]);
            at += 1;
        }
    }
    out
}

fn full_year(two_digits: &str) -> u16 {
    let short: u16 = two_digits.parse().unwrap_or_default();
    if short > 60 { 1900 + short } else { 2000 + short }
}

/// `2018`, `fy2018`, `fy18`.
fn year(word: &str) -> Option<u16> {
    let (digits, fiscal) = match word.strip_prefix("fy") {
        Some(digits) => (digits, true),
        None => (word, false),
    };
    if !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    match digits.len() {
        4 => digits.parse().ok().filter(|year| (1900..2100).contains(year)),
        2 if fiscal => Some(full_year(digits)),
        _ => None,
    }
}

/// A quarter named at `at`: its number, the year written together with it, and how many words name it.
fn quarter_at(words: &[String], at: usize) -> Option<(u8, Option<u16>, usize)> {
    let word = words[at].as_str();
    let next = words.get(at + 1).map(String::as_str);
    let ordinal = match word {
        "first" | "1st" => Some(1),
        "second" | "2nd" => Some(2),
        "third" | "3rd" => Some(3),
        "fourth" | "4th" => Some(4),
        _ => None,
    };
    if let Some(quarter) = ordinal {
        let third = words.get(at + 2).map(String::as_str);
        return match (next, third) {
            (Some("quarter"), _) => Some((quarter, None, 2)),
            (Some("fiscal"), Some("quarter")) => Some((quarter, None, 3)),
            _ => None,
        };
    }
    let number = |digit: &str| digit.parse::<u8>().ok().filter(|quarter| (1..=4).contains(quarter));
    if word == "quarter" {
        return next
            .filter(|next| next.len() == 1)
            .and_then(number)
            .map(|quarter| (quarter, None, 2));
    }
    let year_of = |digits: &str| match digits.len() {
        0 => Some(None),
        2 if digits.bytes().all(|b| b.is_ascii_digit()) => Some(Some(full_year(digits))),
        _ => year(digits).map(Some),
    };
    // `q3`, `q322`, `q32022`, `q3fy22`.
    if let Some(rest) = word.strip_prefix('q')
        && let Some(digit) = rest.get(..1)
    {
        return Some((number(digit)?, year_of(rest.get(1..)?)?, 1));
    }
    // `3q`, `3q22`.
    if let (Some(digit), Some('q')) = (word.get(..1), word.chars().nth(1))
        && word.is_char_boundary(2)
    {
        return Some((number(digit)?, year_of(word.get(2..)?)?, 1));
    }
    // `2022q3`.
    let (head, tail) = word.split_once('q')?;
    Some((number(tail).filter(|_| tail.len() == 1)?, Some(year(head)?), 1))
}

/// The calendar dates in `text`, in order, as `2022-06-25`.
pub(crate) fn dates(text: &str) -> Vec<String> {
    let words = plain_words(text);
    let mut found = Vec::new();
    let day = |word: &String| {
        let digits = word.trim_end_matches(|c: char| c.is_alphabetic());
        digits
            .parse::<u8>()
            .ok()
            .filter(|day| digits.len() <= 2 && (1..=31).contains(day))
    };
    for at in 0..words.len() {
        if let Some(month) = month(&words[at]) {
            let after = (
                words.get(at + 1).and_then(day),
                words.get(at + 2).and_then(|word| year(word)),
            );
            let before = at.checked_sub(1).and_then(|before| day(&words[before]));
            let next_year = words.get(at + 1).and_then(|word| year(word));
            match (after, before, next_year) {
                ((Some(day), Some(year)), ..) => found.push(date(year, month, day)),
                (_, Some(day), Some(year)) => found.push(date(year, month, day)),
                _ => {}
            }
        }
        // `2022-06-25`, in pieces.
        if let [y, m, d] = &words[at..words.len().min(at + 3)]
            && m.len() == 2
            && d.len() == 2
            && let (Some(year), Some(day)) = (year(y), day(d))
            && let Some(month) = m.parse::<u8>().ok().filter(|month| (1..=12).contains(month))
            && text.contains(&format!("{y}-{m}-{d}"))
        {
            found.push(date(year, month, day));
        }
    }
    found
}

/// Months named with their year, as `2022-06`.
pub(crate) fn months(text: &str) -> Vec<String> {
    let words = plain_words(text);
    (0..words.len())
        .filter_map(|at| {
            let month = month(&words[at])?;
            let year = words[at + 1..].iter().take(2).find_map(|word| year(word))?;
            Some(format!("{year:04}-{month:02}"))
        })
        .collect()
}

fn date(year: u16, month: u8, day: u8) -> String {
    format!("{year:04}-{month:02}-{day:02}")
}

fn month(word: &str) -> Option<u8> {
    let at = MONTHS.iter().position(|month| {
        word == *month || (word.len() >= 3 && word != "may" && month.starts_with(word) && word.len() <= 4)
    })?;
    u8::try_from(at + 1).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(text: &str) -> Vec<(Option<u16>, Option<u8>)> {
        mentions(text)
            .into_iter()
            .map(|mention| (mention.year, mention.quarter))
            .collect()
    }

    #[test]
    fn quarters_are_understood_however_they_are_written() {
        for text in [
            "Q3 2022",
            "2022 Q3",
            "2022Q3",
            "Q3'22",
            "Q3 ’22",
            "3Q22",
            "3Q 2022",
            "Q3 FY22",
            "Q3 of fiscal year 2022",
            "the third quarter of 2022",
            "third fiscal quarter 2022",
            "3rd quarter of fiscal 2022",
            "Quarter 3, 2022",
            "report_2022-Q3.pdf",
        ] {
            assert_eq!(named(text), [(Some(2022), Some(3))], "{text}");
        }
        assert_eq!(named("in the first quarter"), [(None, Some(1))]);
        assert_eq!(
            named("from Q1 to Q2 2023"),
            [(Some(2023), Some(1)), (Some(2023), Some(2))]
        );
        assert_eq!(
            named("Q4 2021 and Q1 2022"),
            [(Some(2021), Some(4)), (Some(2022), Some(1))]
        );
    }

    #[test]
    fn years_are_understood_with_and_without_fiscal() {
        for text in ["FY2018", "FY18", "fiscal 2018", "in 2018,", "FY'18", "10-K 2018"] {
            assert_eq!(named(text), [(Some(2018), None)], "{text}");
        }
        assert_eq!(named("FY99"), [(Some(1999), None)]);
        assert_eq!(named("a 1,577 million charge and 12345 units of the Q7"), []);
    }

    #[test]
    fn dates_are_read_in_either_order() {
        for text in [
            "June 25, 2022",
            "25 June 2022",
            "Jun. 25, 2022",
            "2022-06-25",
            "the 25th June 2022",
        ] {
            assert_eq!(dates(text), ["2022-06-25"], "{text}");
        }
        assert!(dates("you may 25 times in 2022 do so").is_empty());
        assert_eq!(months("the quarter ended June 2022"), ["2022-06"]);
    }
}
