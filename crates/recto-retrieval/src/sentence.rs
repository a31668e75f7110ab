//! Cutting text into sentences and rows.
//!
//! A line break inside an item's text separates rows (of a table or of a list of figures), so it always ends a unit;
//! inside a row, sentences end at terminators that are not part of a number or an abbreviation. The rules know no
//! grammar: a missed end only makes a longer quote, a false one would cut a quote in half, so they err on the long side.

use std::ops::Range;

/// Words that are written with a full stop and seldom end a sentence, lower case, without the stop.
const ABBREVIATIONS: &[&str] = &[
    "mr", "mrs", "ms", "dr", "prof", "st", "jr", "sr", "inc", "corp", "co", "ltd", "llc", "plc", "vs", "cf", "approx",
    "est", "dept", "e.g", "i.e", "u.s", "u.k", "u.s.c", "al", "ca", "z.b", "d.h", "bzw", "ggf", "jan", "feb", "mar",
    "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec", "a.m", "p.m",
];

/// Words that are abbreviated before a number, where a sentence may end in the same letters ("No. 5", but "He said no.").
const NUMBERED: &[&str] = &[
    "no", "nos", "nr", "fig", "figs", "eq", "sec", "art", "vol", "pp", "p", "abs",
];

/// Byte ranges of the sentences and rows of `text`, in order, trimmed of white space, none of them empty. Together they
/// cover everything but white space.
#[must_use]
pub fn split(text: &str) -> Vec<Range<usize>> {
    let mut units = Vec::new();
    for row in rows(text) {
        let mut start = row.start;
        for end in ends(&text[row.clone()]) {
            push_trimmed(text, start..row.start + end, &mut units);
            start = row.start + end;
        }
        push_trimmed(text, start..row.end, &mut units);
    }
    units
}

/// Byte ranges of the non-empty lines of `text`, trimmed of white space.
#[must_use]
pub fn rows(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        push_trimmed(text, start..start + line.len(), &mut found);
        start += line.len();
    }
    found
}

/// `range` without the white space at its ends.
#[must_use]
pub fn trim(text: &str, range: Range<usize>) -> Range<usize> {
    let part = &text[range.clone()];
    let start = range.start + (part.len() - part.trim_start().len());
    let end = range.end - (part.len() - part.trim_end().len());
    start.min(end)..end
}

fn push_trimmed(text: &str, range: Range<usize>, units: &mut Vec<Range<usize>>) {
    let trimmed = trim(text, range);
    if !trimmed.is_empty() {
        units.push(trimmed);
    }
}

/// Offsets just behind each sentence end inside one row, the last one excluded.
fn ends(row: &str) -> Vec<usize> {
    let mut found = Vec::new();
    let mut chars = row.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        if matches!(c, '。' | '！' | '？') {
            found.push(at + c.len_utf8());
            continue;
        }
        if !matches!(c, '.' | '!' | '?') {
            continue;
        }
        let mut end = at + c.len_utf8();
        while let Some(&(next_at, next)) = chars.peek() {
            if !matches!(next, '.' | '!' | '?' | ')' | ']' | '"' | '\'' | '”' | '’' | '»') {
                break;
            }
            end = next_at + next.len_utf8();
            chars.next();
        }
        let rest = &row[end..];
        if !rest.starts_with(char::is_whitespace) {
            continue;
        }
        let Some(opening) = rest
            .trim_start()
            .chars()
            .find(|c| !matches!(c, '"' | '“' | '‘' | '(' | '[' | '«'))
        else {
            continue;
        };
        if opening.is_lowercase() || (c == '.' && is_abbreviation(&row[..at], opening)) {
            continue;
        }
        found.push(end);
    }
    found
}

/// Whether the word at the end of `before`, directly before a full stop, is an abbreviation, an initial or the number of
/// a heading or list entry. `after` is the first character of what follows.
fn is_abbreviation(before: &str, after: char) -> bool {
    let word = before
        .rsplit(|c: char| c.is_whitespace() || matches!(c, '(' | '[' | '"' | '“'))
        .next()
        .unwrap_or_default();
    let lower = word.to_lowercase();
    let initial = word.chars().count() == 1 && word.chars().all(char::is_alphabetic) && word != "I";
    let numbering = word.len() <= 3 && word.chars().all(|c| c.is_ascii_digit()) && before.trim() == word;
    let before_number = after.is_ascii_digit() && NUMBERED.contains(&lower.as_str());
    initial || numbering || before_number || ABBREVIATIONS.contains(&lower.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sentences(text: &str) -> Vec<&str> {
        split(text).into_iter().map(|range| &text[range]).collect()
    }

    #[test]
    fn figures_and_abbreviations_do_not_end_a_sentence() {
        let text =
            "Net sales were $1.577 billion vs. $1.4 billion in the U.S. market. Apple Inc. expects growth! Is it so?";
        assert_eq!(
            sentences(text),
            [
                "Net sales were $1.577 billion vs. $1.4 billion in the U.S. market.",
                "Apple Inc. expects growth!",
                "Is it so?"
            ]
        );
    }

    #[test]
    fn a_closing_quote_belongs_to_its_sentence() {
        assert_eq!(
            sentences("He said \"no.\" Then he left."),
            ["He said \"no.\"", "Then he left."]
        );
    }

    #[test]
    fn every_row_is_a_unit_of_its_own() {
        assert_eq!(
            sentences("Products 63,355\n  Services 19,604\n\nTotal 82,959\n").len(),
            3
        );
    }

    proptest! {
        #[test]
        fn nothing_but_white_space_is_left_out(text in "[a-zA-Z0-9 .!?\\n\"é。(]{0,80}") {
            let units = split(&text);
            prop_assert!(units.windows(2).all(|pair| pair[0].end <= pair[1].start));
            let kept: String = units.iter().map(|range| &text[range.clone()]).collect();
            let strip = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
            prop_assert_eq!(strip(&kept), strip(&text));
        }
    }
}
