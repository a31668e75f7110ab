//! What a section says, in one line: its first sentence that tells something, and figures beside it.

use super::build::shortened;
use crate::sentence;
use recto_core::{Item, Label, without_grid};

/// Longest summary, in characters.
const CHARS: usize = 160;
/// Fewest words of a sentence that tells something.
const WORDS: usize = 6;
/// Most figures beside a summary.
const FIGURES: usize = 3;
/// How far into a section figures are looked for, in bytes.
const REACH: usize = 20_000;
/// Words of magnitude and share that make a number a figure.
const UNITS: &[&str] = &[
    "million",
    "billion",
    "trillion",
    "thousand",
    "percent",
    "bn",
    "mn",
    "Mio",
    "Mrd",
    "Millionen",
    "Milliarden",
    "Prozent",
];

/// `text` with every run of white space as one space.
pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The first sentence of `body` that tells something, rather a whole one than one that a page cut off, and rather of the
/// text than of a footnote or caption; else the first row of a table; else the first words there are.
pub(super) fn summary(body: &[&Item]) -> String {
    let is_prose = |item: &&&Item| item.label != Label::Table && !item.text.contains('\n');
    let is_beside = |item: &Item| matches!(item.label, Label::Footnote | Label::Caption);
    let mut second: Option<&str> = None;
    for item in body.iter().filter(is_prose) {
        for range in sentence::split(&item.text) {
            let text = &item.text[range];
            if !is_telling(text) {
                continue;
            }
            if is_whole(text) && !is_beside(item) {
                return shortened(text, CHARS);
            }
            second = second.or(Some(text));
        }
    }
    let first = body.iter().find(|item| !item.text.trim().is_empty());
    second.map_or_else(
        || first.map_or_else(String::new, |item| shortened(&without_grid(&item.text), CHARS)),
        |text| shortened(text, CHARS),
    )
}

/// Whether a sentence ends as one.
fn is_whole(text: &str) -> bool {
    text.trim_end_matches(['"', '”', '’', '»', ')', ']', '\''])
        .ends_with(['.', '!', '?', '。', '！', '？'])
}

/// A whole sentence with words in it, not the end of one that began before.
fn is_telling(text: &str) -> bool {
    let visible = text.chars().filter(|c| !c.is_whitespace()).count();
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    text.split_whitespace().count() >= WORDS
        && letters * 10 >= visible * 6
        && !text.starts_with(char::is_lowercase)
        && !text.ends_with(':')
}

/// The first figures of `body` that are not in `summary`.
pub(super) fn figures(body: &[&Item], summary: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut read = 0;
    for item in body {
        for figure in figures_in(&item.text) {
            if !summary.contains(&figure) && !found.contains(&figure) {
                found.push(figure);
                if found.len() == FIGURES {
                    return found;
                }
            }
        }
        read += item.text.len();
        if read > REACH {
            break;
        }
    }
    found
}

/// Numbers of `text` that have a currency, a share or a magnitude, as printed: `$1,577 million`, `12.4%`. Years, dates
/// and numbers of pages have none of these.
fn figures_in(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = 0;
    while let Some(at) = text[rest..].find(|c: char| c.is_ascii_digit()).map(|at| at + rest) {
        let number = &text[at..];
        let length = number
            .find(|c: char| !(c.is_ascii_digit() || matches!(c, ',' | '.')))
            .unwrap_or(number.len());
        let end = at + number[..length].trim_end_matches(['.', ',']).len();
        rest = at + length;
        let inside_word = text[..at].ends_with(|c: char| c.is_alphanumeric() || matches!(c, '-' | '/'));
        if inside_word {
            continue;
        }
        let before = text[..at].trim_end_matches([' ', '\u{a0}']);
        let currency = before
            .chars()
            .next_back()
            .filter(|c| matches!(c, '$' | '€' | '£' | '¥') && at - before.len() <= 2);
        let start = currency.map_or(at, |sign| before.len() - sign.len_utf8());
        let (end, unit) = with_unit(text, end);
        if currency.is_some() || unit {
            found.push(one_line(&text[start..end]));
        }
    }
    found
}

/// The end of a number together with its unit, and whether it has one.
fn with_unit(text: &str, end: usize) -> (usize, bool) {
    let after = &text[end..];
    let gap = after.len() - after.trim_start_matches([' ', '\u{a0}']).len();
    let next = &after[gap..];
    if gap > 2 {
        return (end, false);
    }
    if next.starts_with('%') {
        return (end + gap + 1, true);
    }
    let word = next.find(|c: char| !c.is_alphabetic()).map_or(next, |at| &next[..at]);
    if UNITS.contains(&word) {
        return (end + gap + word.len(), true);
    }
    (end, false)
}
