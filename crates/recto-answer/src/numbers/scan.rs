//! The figures of a text.

use super::dates::dates;
use super::direction::{drift, is_outgoing_beside, is_spread, nearness};
use super::figure::{Amount, Drift, Figure, Nearness, Reading, Sign, Unit, When};
use super::layout::{Line, lines};
use super::measure::{self, Before, Behind};
use super::numeral::{self, Marks};
use super::words::in_words;
use regex::Regex;
use std::sync::LazyLock;

#[expect(clippy::expect_used, reason = "the patterns are constants")]
static NAMED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?xi)(?:
          (?-u:\b)(?: items? | sections? | sec\. | sect\. | notes? | exhibits? | rules? | forms? | articles? | art\. | clauses?
            | paragraphs? | para\. | chapters? | figures? | fig\. | tables? | tab\. | pages? | pp?\. | no\. | nos\. | nr\.
            | number | levels? | tiers? | topics? | subtopic | parts? | schedules? | appendix | annex | steps? | phases? | versions?
            | class | types? | series | grade | asc | asu | ifrs | ifric | ias | iso | iec | en | din | sfas | fasb | fortune
            | s&p | russell | nasdaq | stoxx | dax | model | line | row | column | footnotes? | ref\. | regulation | title | usc | u\.s\.c\. | cfr
            | basel | windows | iphone | chapter | kapitel | abschnitt | ziffer | absatz | abs\. | seite | punkt | paragraphe | level
            | act\s+of | docket | case | file | question | scope | category | stage | track | v\.? | ver\. | covid | act )
          | §+ | \# | №
        )\s*\(?$",
    )
    .expect("BUG: the pattern of names is valid")
});

/// What may stand between two numbers of one list, range or comparison.
#[expect(clippy::expect_used, reason = "the patterns are constants")]
static JOINED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)^\s*(?:-|–|—|to|and|or|,|,\s*and|,\s*or|bis|à|et|und|oder|through|&|/|-\s*to)\s*$")
        .expect("BUG: the pattern of lists is valid")
});

/// The figures, percentages, dates and periods of `text`, in order. Numbers that are part of a name (`10-K`, `Item 7A`,
/// `§ 4.2(b)`) and the ordinals of a list are none.
#[must_use]
pub fn figures(text: &str) -> Vec<Figure> {
    let rows = lines(text);
    scan(text, &rows)
}

/// The figures of a text whose lines are known.
pub(super) fn scan(text: &str, lines: &[Line]) -> Vec<Figure> {
    let marks = numeral::marks(text);
    let mut found = dates(text);
    let taken: Vec<(usize, usize)> = found.iter().map(|date| (date.start, date.end)).collect();
    let mut scan = Scan {
        text,
        lines,
        marks,
        names_end: None,
    };
    let mut at = 0;
    let mut next_taken = 0;
    while let Some(offset) = text[at..].find(|c: char| c.is_ascii_digit()) {
        let start = at + offset;
        while taken.get(next_taken).is_some_and(|(_, end)| *end <= start) {
            next_taken += 1;
        }
        if let Some((_, end)) = taken.get(next_taken).filter(|(begin, _)| *begin <= start) {
            at = *end;
            continue;
        }
        let (end, figure) = scan.number(start);
        at = end.max(start + 1);
        found.extend(figure);
    }
    for number in in_words(text) {
        let overlaps = found
            .iter()
            .any(|figure| figure.start < number.range.end && number.range.start < figure.end);
        if !overlaps {
            found.push(scan.words(&number));
        }
    }
    found.sort_by_key(|figure| figure.start);
    share_units(text, &mut found);
    found
}

struct Scan<'a> {
    text: &'a str,
    lines: &'a [Line],
    marks: Marks,
    /// Where the last name with a number ended: "Items 7 and 7A".
    names_end: Option<usize>,
}

impl Scan<'_> {
    fn line(&self, at: usize) -> Option<&Line> {
        let index = self.lines.partition_point(|line| line.range.end <= at);
        self.lines.get(index).filter(|line| line.range.start <= at)
    }

    /// The sentence or cell up to `start`, and from `end` on.
    fn around(&self, start: usize, end: usize) -> (&str, &str) {
        let line = self.line(start).map_or(0..self.text.len(), |line| line.range.clone());
        let end = end.min(self.text.len());
        (
            &self.text[line.start.min(start)..start],
            &self.text[end..line.end.max(end)],
        )
    }

    /// Reads the number whose first digit is at `start`. Returns where reading goes on.
    fn number(&mut self, start: usize) -> (usize, Option<Figure>) {
        let text = self.text;
        let line = self.line(start).cloned();
        let in_row = line.as_ref().is_some_and(|line| line.row);
        let before = measure::before(text, start);
        let spaced = before.currency.is_some() || self.marks == Marks::Comma || self.is_spaced(start, in_row);
        let numeral = match numeral::read(text, start, self.marks, spaced) {
            Ok(numeral) => numeral,
            Err(end) => return (end, None),
        };
        let mut behind = measure::behind(&text[numeral.end..], before.currency.is_some());
        if before.scale.is_some() {
            behind.scale = behind.scale.or(before.scale);
        }
        let digits = numeral.end - start;
        if let Some(ordinal) = self.ordinal(start, numeral.end) {
            return (ordinal.end, Some(ordinal));
        }
        let telling = before.currency.is_some()
            || behind.scale.is_some()
            || !matches!(behind.unit, Unit::Bare | Unit::Count(_) | Unit::Measure(_));
        if !telling && self.is_name(start, numeral.end, numeral.plain, &behind) {
            self.names_end = Some(numeral.end);
            return (numeral.end, None);
        }
        let value = numeral.readings.first().map_or(0.0, |reading| reading.value);
        let counted = matches!(behind.unit, Unit::Count(_) | Unit::Measure(_));
        let year = numeral.plain
            && digits == 4
            && !telling
            && !counted
            && (1900.0..2100.0).contains(&value)
            && before.sign == Sign::None;
        if self.is_list_mark(start, numeral.end, digits, &before, &behind, in_row) {
            return (numeral.end, None);
        }
        let start = if year { start } else { before.start };
        let sign = sign(text, &before, &behind, numeral.end + behind.length, in_row, year);
        let mut end = numeral.end + if year { 0 } else { behind.length };
        if behind.closed && !before.open && !year {
            // The bracket closes something larger.
            end -= usize::from(text[..end].ends_with(')'));
        }
        let mut figure = Figure::new(text, start.min(end), end);
        figure.in_row = in_row;
        if year {
            // A year is whole numbers of four digits, so the cast is exact.
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "between 1900 and 2100"
            )]
            let year = value as u32;
            figure.when = Some(When {
                year: Some(year),
                ..When::default()
            });
        }
        let (left, right) = self.around(figure.start, end);
        let (drift, nearness) = if in_row {
            (Drift::None, Nearness::AsWritten)
        } else {
            (drift(left, right), nearness(left))
        };
        figure.outgoing = is_outgoing_beside(left, right);
        figure.amount = Some(Amount {
            readings: numeral.readings,
            scale: behind.scale,
            unit: before.currency.map_or(behind.unit, Unit::Money),
            nouns: behind.nouns,
            sign,
            drift,
            spread: is_spread(right),
            nearness,
        });
        (end.max(numeral.end), Some(figure))
    }

    fn words(&self, number: &super::words::InWords) -> Figure {
        let text = self.text;
        let behind = measure::behind(&text[number.range.end..], false);
        let end = number.range.end + behind.length;
        let mut figure = Figure::new(text, number.range.start, end);
        let (left, right) = self.around(figure.start, end);
        figure.in_words = true;
        figure.in_row = self.line(figure.start).is_some_and(|line| line.row);
        figure.definite = [
            "the",
            "these",
            "those",
            "all",
            "both",
            "other",
            "its",
            "their",
            "following",
            "of",
            "our",
            "any",
        ]
        .iter()
        .any(|word| left.trim_end().to_lowercase().split_whitespace().next_back() == Some(*word));
        figure.amount = Some(Amount {
            readings: vec![number.reading],
            scale: number.scale.or(behind.scale),
            unit: behind.unit,
            nouns: behind.nouns,
            sign: Sign::None,
            spread: is_spread(right),
            drift: drift(left, right),
            nearness: nearness(left),
        });
        figure
    }

    /// Whether a space may separate thousands here: the number has a cell for itself, or something that is counted or a
    /// unit follows it.
    fn is_spaced(&self, start: usize, in_row: bool) -> bool {
        let rest = &self.text[start..];
        let length = rest
            .bytes()
            .take(LONGEST_SPACED)
            .take_while(|byte| byte.is_ascii_digit() || *byte == b' ')
            .count();
        let group = &rest[..length];
        let behind = &rest[length..];
        if !group.trim_end().contains(' ') {
            return false;
        }
        if behind.starts_with(',') && behind[1..].starts_with(|c: char| c.is_ascii_digit()) {
            return true;
        }
        let cell = |c: Option<char>| c.is_none_or(|c| matches!(c, '|' | '\n' | '('));
        let before = self.text[..start].trim_end_matches(' ').chars().next_back();
        if self.line(start).is_some_and(|line| line.piped) {
            return cell(before) && cell(behind.chars().next());
        }
        let unit = behind.starts_with(['€', '$', '£', '%']) || behind.starts_with("EUR") || behind.starts_with("CHF");
        unit || (!in_row && group.ends_with(' ') && behind.starts_with(char::is_lowercase))
    }

    fn ordinal(&self, start: usize, end: usize) -> Option<Figure> {
        let rest = &self.text[end..];
        let ending = ["st", "nd", "rd", "th"]
            .into_iter()
            .find(|ending| rest.starts_with(ending))?;
        if rest[ending.len()..].starts_with(char::is_alphanumeric) {
            return None;
        }
        let mut figure = Figure::new(self.text, start, end + ending.len());
        figure.ordinal = Some(self.text[start..end].parse().ok()?);
        Some(figure)
    }

    /// `10-K`, `7A`, `COVID-19`, `v2`, `Note 5`, `§ 4.2(b)`, `Items 7 and 8`.
    fn is_name(&self, start: usize, end: usize, plain: bool, behind: &Behind) -> bool {
        let text = self.text;
        let before = text[..start].chars().next_back();
        let mut after = text[end..].chars();
        let (next, second) = (after.next(), after.next());
        if before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '#' | '@')) {
            return true;
        }
        if before == Some('-') {
            let word = text[..start - 1]
                .rsplit(|c: char| !c.is_alphanumeric())
                .next()
                .unwrap_or_default();
            let time = ["mid", "early", "late", "pre", "post", "non"].contains(&word.to_lowercase().as_str());
            if word.ends_with(char::is_alphabetic) && !time {
                return true;
            }
        }
        let counted = matches!(behind.unit, Unit::Measure(_) | Unit::Count(_));
        if NAMED.is_match(tail(&text[..start])) {
            return true;
        }
        let chained = self.names_end.is_some_and(|name| {
            name <= start
                && start - name <= LONGEST_JOIN
                && JOINED.is_match(text[name..start].trim_start_matches(|c: char| c.is_alphanumeric()))
        });
        if chained && behind.nouns.is_empty() {
            return true;
        }
        match (next, second) {
            // The letter of a paragraph: 4.2(b).
            (Some('('), Some(letter)) if letter.is_alphabetic() => return true,
            (Some('-'), Some(letter)) if letter.is_alphabetic() => {
                let word: String = text[end + 1..].chars().take_while(|c| c.is_alphabetic()).collect();
                return !counted && (word.chars().count() < 3 || word.starts_with(char::is_uppercase) || word == "for");
            }
            (Some(letter), _) if letter.is_alphabetic() || letter == '_' => return !counted,
            (Some('/' | ':'), Some(digit)) if digit.is_ascii_digit() => return true,
            _ => {}
        }
        if matches!(before, Some('/' | ':')) && text[..start - 1].ends_with(|c: char| c.is_ascii_digit()) {
            return true;
        }
        // The number of a heading: "4.2 Results".
        let line_start = at_line_start(&text[..start], &[' ']);
        let heading = line_start && !plain && next == Some(' ') && second.is_some_and(char::is_uppercase);
        heading && end - start <= 5
    }

    /// `1.` or `(1)` at the start of a line, `(2)` before a word within one, `(3)` behind the label of a row.
    fn is_list_mark(
        &self,
        start: usize,
        end: usize,
        digits: usize,
        before: &Before,
        behind: &Behind,
        in_row: bool,
    ) -> bool {
        if digits > 2 || before.currency.is_some() || behind.scale.is_some() || before.sign != Sign::None {
            return false;
        }
        let text = self.text;
        let first = at_line_start(&text[..start], &[' ', '(', '-', '*', '>']);
        let mut after = text[end..].chars();
        let (next, second) = (after.next(), after.next());
        if first && matches!(next, Some('.' | ')')) {
            return second.is_none_or(char::is_whitespace);
        }
        if digits != 1 || !before.open || next != Some(')') {
            return false;
        }
        let left = text[..start].trim_end_matches(['(', ' ']);
        let then_word = text[end..]
            .trim_start_matches([')', ' '])
            .starts_with(char::is_alphabetic);
        let in_label = in_row
            && self
                .line(start)
                .is_some_and(|line| line.piped && line.label.contains(&start));
        left.ends_with(|c: char| c.is_alphabetic() || matches!(c, ',' | ';' | ':')) && (then_word || in_label)
    }
}

/// Whether nothing but `marks` stands between the end of `text` and the start of its last line.
fn at_line_start(text: &str, marks: &[char]) -> bool {
    let before = text.trim_end_matches(marks);
    before.is_empty() || before.ends_with('\n')
}

/// The sign a figure has by itself. Brackets in a row are a minus; in a sentence they are one where the currency stands
/// outside them or a verb leads to them, and may be an aside otherwise.
fn sign(text: &str, before: &Before, behind: &Behind, end: usize, in_row: bool, year: bool) -> Sign {
    if before.sign != Sign::None {
        return before.sign;
    }
    if year || !before.open || !behind.closed {
        return Sign::None;
    }
    let left = text[..before.start].trim_end();
    let led = [
        "was", "were", "is", "of", "to", "by", "at", ":", "from", "and", "from", "or",
    ]
    .iter()
    .any(|word| left.ends_with(word));
    // "(12)%"
    let outside = behind.unit == Unit::Percent && !text[..end].ends_with(')');
    if in_row || before.accounting || led || left.is_empty() || outside {
        return Sign::Minus;
    }
    Sign::Either
}

fn tail(text: &str) -> &str {
    let mut from = text.len().saturating_sub(24);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    &text[from..]
}

/// Longest number with spaces between its thousands, in bytes.
const LONGEST_SPACED: usize = 24;
/// Longest text between two numbers of one list of names: "Items 7, and 8".
const LONGEST_JOIN: usize = 16;

/// How two numbers are joined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Join {
    None,
    /// "5 to 10", "5–10", "5 and 10".
    Pair,
    /// "5, 10".
    Comma,
    /// "5, and 10", "5, or 10".
    CommaPair,
}

fn join(text: &str, first: &Figure, second: &Figure) -> Join {
    let loose = first.in_row || first.end > second.start || first.when.is_some() || second.when.is_some();
    if loose || !JOINED.is_match(&text[first.end..second.start]) {
        return Join::None;
    }
    match text[first.end..second.start].trim().split_once(',') {
        None => Join::Pair,
        Some((_, "")) => Join::Comma,
        Some(_) => Join::CommaPair,
    }
}

/// In "5 to 10 million", "$3.1 and 2.9 billion" and "12, 14 and 15%" one unit is written for several numbers; in "grew by
/// $5 million, or 3%" one direction is.
fn share_units(text: &str, found: &mut [Figure]) {
    let joins: Vec<Join> = found.windows(2).map(|pair| join(text, &pair[0], &pair[1])).collect();
    for (at, join) in joins.iter().enumerate().rev() {
        let listed = match join {
            Join::None => false,
            Join::Pair => true,
            Join::Comma => matches!(joins.get(at + 1), Some(Join::Pair | Join::CommaPair | Join::Comma)),
            Join::CommaPair => at > 0 && joins[at - 1] == Join::Comma,
        };
        let (head, rest) = found.split_at_mut(at + 1);
        let (Some(first), Some(second)) = (head.last_mut(), rest.first_mut()) else {
            continue;
        };
        let (true, Some(a), Some(b)) = (listed, &mut first.amount, &second.amount) else {
            continue;
        };
        let bare = a.unit == Unit::Bare && a.scale.is_none() && a.nouns.is_empty();
        let small = a.readings.first().is_some_and(|reading| reading.value < 1e4);
        if a.scale.is_none() && small && (bare || (matches!(a.unit, Unit::Money(_)) && !is_share(b.unit))) {
            a.scale = b.scale;
        }
        if bare {
            a.unit = b.unit;
            a.nouns.clone_from(&b.nouns);
        }
    }
    for (at, join) in joins.iter().enumerate() {
        let (head, rest) = found.split_at_mut(at + 1);
        let (Some(first), Some(second)) = (head.last(), rest.first_mut()) else {
            continue;
        };
        let (true, Some(a), Some(b)) = (*join != Join::None, &first.amount, &mut second.amount) else {
            continue;
        };
        if b.unit == Unit::Bare && b.nouns.is_empty() && matches!(a.unit, Unit::Money(_)) {
            b.unit = a.unit;
        }
        if b.drift == Drift::None {
            b.drift = a.drift;
        }
        if a.nearness != Nearness::AsWritten && b.nearness == Nearness::AsWritten {
            b.nearness = a.nearness;
        }
    }
}

fn is_share(unit: Unit) -> bool {
    matches!(unit, Unit::Percent | Unit::Points | Unit::Basis | Unit::Times)
}

/// The step a figure is rounded to: the last digit written, or, where it wants to be taken roughly, the last that is not 0.
pub(super) fn rounding(reading: Reading, nearness: Nearness) -> f64 {
    if nearness == Nearness::AsWritten {
        return reading.step;
    }
    let mut step = reading.step;
    let whole = |step: f64| {
        let steps = reading.value / step;
        (steps - steps.round()).abs() < 1e-9
    };
    while step < reading.value && whole(step * 10.0) {
        step *= 10.0;
    }
    step
}
