//! The words of a document as one searchable text.

use super::normalise::{Normaliser, Quote, without_space};
use super::place::{Place, Unit};
use recto_core::{MatchKind, Page, Word};
use std::ops::Range;

/// Exact places looked at most; "the" occurs often.
const MAX_EXACT: usize = 2_000;

/// Normalised text with the way back to words.
#[derive(Debug)]
pub(crate) struct Sequence<'d> {
    source: Source<'d>,
    units: Vec<Unit>,
    /// Where each unit begins in `text`, ascending. Units without any normalised character share a start.
    starts: Vec<usize>,
    pub(crate) text: String,
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum Source<'d> {
    Pages(&'d [Page]),
    Items(&'d [(String, String)]),
}

impl<'d> Source<'d> {
    pub(crate) fn word(&self, unit: Unit) -> Option<(&'d Page, &'d Word)> {
        let (Self::Pages(pages), Unit::Word { page, word }) = (self, unit) else {
            return None;
        };
        let page = pages.get(page as usize)?;
        Some((page, page.words.get(word as usize)?))
    }

    pub(crate) fn text(&self, unit: Unit) -> &'d str {
        match (self, unit) {
            (Self::Pages(_), Unit::Word { .. }) => self
                .word(unit)
                .and_then(|(page, word)| page.text.get(word.start as usize..word.end as usize)),
            (Self::Items(items), Unit::Span { item, start, end }) => items
                .get(item as usize)
                .and_then(|(_, text)| text.get(start as usize..end as usize)),
            _ => None,
        }
        .unwrap_or_default()
    }
}

impl<'d> Sequence<'d> {
    pub(crate) fn of_pages(pages: &'d [Page], keep: impl Fn(usize, &Word) -> bool) -> Self {
        let units = pages.iter().enumerate().flat_map(|(page_index, page)| {
            let keep = &keep;
            (0u32..)
                .zip(&page.words)
                .filter(move |(_, word)| keep(page_index, word))
                .map(move |(word, _)| Unit::Word {
                    page: u32::try_from(page_index).unwrap_or(u32::MAX),
                    word,
                })
        });
        Self::new(Source::Pages(pages), units.collect())
    }

    pub(crate) fn of_items(items: &'d [(String, String)]) -> Self {
        let mut units = Vec::new();
        for (item, (_, text)) in (0u32..).zip(items) {
            let base = text.as_ptr() as usize;
            for word in text.split_whitespace() {
                // Rules and bars of Markdown tables are no words.
                if word.chars().all(|c| matches!(c, '|' | '-' | ':')) {
                    continue;
                }
                let start = word.as_ptr() as usize - base;
                units.push(Unit::Span {
                    item,
                    start: u32::try_from(start).unwrap_or(u32::MAX),
                    end: u32::try_from(start + word.len()).unwrap_or(u32::MAX),
                });
            }
        }
        Self::new(Source::Items(items), units)
    }

    fn new(source: Source<'d>, units: Vec<Unit>) -> Self {
        let mut normaliser = Normaliser::default();
        let mut starts = Vec::with_capacity(units.len());
        for unit in &units {
            starts.push(normaliser.len());
            normaliser.push(source.text(*unit));
        }
        Self {
            source,
            units,
            starts,
            text: normaliser.finish(),
        }
    }

    pub(crate) fn source(&self) -> Source<'d> {
        self.source
    }

    /// The 0-based page of the word at a byte of the text; `None` without pages.
    pub(crate) fn page_at(&self, at: usize) -> Option<u32> {
        match self.units.get(self.unit_at(at))? {
            Unit::Word { page, .. } => Some(*page),
            Unit::Span { .. } => None,
        }
    }

    /// The bytes of the text that lie on these 0-based pages.
    pub(crate) fn bytes_of_pages(&self, pages: Range<u32>) -> Range<usize> {
        let first = |limit: u32| {
            let index = self
                .units
                .partition_point(|unit| matches!(unit, Unit::Word { page, .. } if *page < limit));
            self.starts.get(index).copied().unwrap_or(self.text.len())
        };
        first(pages.start)..first(pages.end)
    }

    fn unit_at(&self, at: usize) -> usize {
        self.starts.partition_point(|start| *start <= at).saturating_sub(1)
    }

    fn unit_end(&self, unit: usize) -> usize {
        self.starts.get(unit + 1).copied().unwrap_or(self.text.len())
    }

    /// Whether a word begins at this byte of the text.
    fn begins_word(&self, at: usize) -> bool {
        self.starts.binary_search(&at).is_ok()
    }

    /// The units a stretch of the text covers by at least half.
    pub(crate) fn units_of(&self, range: &Range<usize>) -> Range<usize> {
        if range.is_empty() {
            return 0..0;
        }
        let mut first = self.unit_at(range.start);
        let mut last = self.unit_at(range.end - 1);
        let covers_half = |unit: usize| {
            let (start, end) = (self.starts[unit], self.unit_end(unit));
            let covered = end.min(range.end).saturating_sub(start.max(range.start));
            covered * 2 >= end - start
        };
        while first < last && !covers_half(first) {
            first += 1;
        }
        while last > first && !covers_half(last) {
            last -= 1;
        }
        first..last + 1
    }

    pub(crate) fn units(&self, range: Range<usize>) -> &[Unit] {
        &self.units[range]
    }

    /// The words of a stretch as written, joined by spaces.
    pub(crate) fn written(&self, units: &[Unit]) -> String {
        units
            .iter()
            .map(|unit| self.source.text(*unit))
            .collect::<Vec<_>>()
            .join(" ")
    }

    /// [`written`](Self::written), with a word that is broken by a hyphen at the end of a line made whole where the quote
    /// has it so, with or without the hyphen: how a line is broken is layout, not wording.
    fn written_like(&self, units: &[Unit], quote: &Quote) -> String {
        let has = |word: &str| {
            let core = word.trim_matches(|c: char| !c.is_alphanumeric());
            !core.is_empty() && quote.raw.contains(core)
        };
        let mut out = String::new();
        let mut before: Option<Unit> = None;
        for unit in units {
            let word = self.source.text(*unit);
            let first = out.rsplit(' ').next().unwrap_or_default();
            match (before, first.strip_suffix(['-', '\u{ad}', '‐'])) {
                (None, _) => {}
                (Some(before), Some(half)) if self.on_different_lines(before, *unit) => {
                    if has(&format!("{half}{word}")) {
                        out.pop();
                    } else if !has(&format!("{first}{word}")) {
                        out.push(' ');
                    }
                }
                (Some(_), _) => out.push(' '),
            }
            out.push_str(word);
            before = Some(*unit);
        }
        out
    }

    fn on_different_lines(&self, one: Unit, other: Unit) -> bool {
        match (self.source.word(one), self.source.word(other)) {
            (Some((page, word)), Some((other_page, other_word))) => {
                page.number != other_page.number || word.line != other_word.line
            }
            _ => false,
        }
    }

    /// Places where the text is the quote.
    pub(crate) fn exact(&self, quote: &Quote) -> Vec<Place> {
        memchr::memmem::find_iter(self.text.as_bytes(), quote.normal.as_bytes())
            .take(MAX_EXACT)
            .map(|start| start..start + quote.normal.len())
            .filter(|range| self.stands_alone(range) && self.boundaries_agree(range, quote))
            .map(|range| {
                let units = self.units(self.units_of_whole(&range)).to_vec();
                let text = self.written_like(&units, quote);
                let kind = if without_space(&text).contains(&quote.raw) {
                    MatchKind::Verbatim
                } else {
                    MatchKind::Normalised
                };
                Place::new(self, units, kind).with_text(text)
            })
            .collect()
    }

    /// The units a stretch touches.
    pub(crate) fn units_of_whole(&self, range: &Range<usize>) -> Range<usize> {
        self.unit_at(range.start)..self.unit_at(range.end - 1) + 1
    }

    /// Whether a stretch neither begins nor ends inside a word or a number.
    pub(crate) fn stands_alone(&self, range: &Range<usize>) -> bool {
        let text = &self.text;
        let inside = |before: &str, after: &str| {
            let mut backwards = before.chars().rev();
            let (Some(left), Some(right)) = (backwards.next(), after.chars().next()) else {
                return false;
            };
            if left.is_alphanumeric() && right.is_alphanumeric() {
                return true;
            }
            // 82|,959 and 82,|959 and -|5 are inside a number; 2019-|2020 is not.
            let second = backwards.next();
            let digit_after = |mut rest: std::str::Chars<'_>| rest.nth(1).is_some_and(|c| c.is_ascii_digit());
            match (left, right) {
                (l, '.' | ',') if l.is_ascii_digit() => digit_after(after.chars()),
                ('.' | ',', r) if r.is_ascii_digit() => second.is_some_and(|c| c.is_ascii_digit()),
                ('-', r) if r.is_ascii_digit() => second.is_none_or(|c| !c.is_alphanumeric()),
                _ => false,
            }
        };
        let first = self.unit_at(range.start);
        let last = self.unit_at(range.end - 1);
        let before = &text[self.starts[first]..range.start];
        let after = &text[range.end..self.unit_end(last).max(range.end)];
        let matched = &text[range.clone()];
        (before.is_empty() || !inside(before, matched)) && (after.is_empty() || !inside(matched, after))
    }

    /// Without white space "the rapist" and "therapist" are the same, and so are "12 34" and "123 4". Letters may be
    /// spaced differently in a long quote now and then, since extractors disagree; digits may not.
    fn boundaries_agree(&self, range: &Range<usize>, quote: &Quote) -> bool {
        let text = self.text.as_bytes();
        let mut letters = 0;
        for at in range.start + 1..range.end {
            let (left, right) = (text[at - 1], text[at]);
            let in_text = self.begins_word(at);
            let in_quote = quote.begins_word(at - range.start);
            if in_text == in_quote {
                continue;
            }
            if left.is_ascii_digit() && right.is_ascii_digit() {
                let same_number = is_group_of_three(&text[at..range.end]) || (in_text && self.size_changes(at));
                if !same_number {
                    return false;
                }
            } else if left.is_ascii_alphabetic() && right.is_ascii_alphabetic() && !(in_text && self.hyphen_before(at))
            {
                letters += 1;
            }
        }
        letters * 8 <= quote.words.len()
    }

    /// Whether the word that begins at `at` has another font size than the one before it: a superscript.
    fn size_changes(&self, at: usize) -> bool {
        let unit = self.unit_at(at);
        let size = |unit: Option<&Unit>| unit.and_then(|u| self.source.word(*u)).map(|(_, word)| word.font_size);
        let (Some(before), Some(after)) = (
            size(unit.checked_sub(1).and_then(|u| self.units.get(u))),
            size(self.units.get(unit)),
        ) else {
            return false;
        };
        (before - after).abs() > 0.1 * before.max(after)
    }

    /// Whether the word before the one that begins at `at` ends in a hyphen.
    fn hyphen_before(&self, at: usize) -> bool {
        let unit = self.unit_at(at);
        unit.checked_sub(1)
            .and_then(|index| self.units.get(index))
            .is_some_and(|unit| self.source.text(*unit).ends_with(['-', '\u{ad}', '‐', '–', '—']))
    }
}

/// "234" of "1 234": three digits and no more.
fn is_group_of_three(rest: &[u8]) -> bool {
    rest.iter().take_while(|b| b.is_ascii_digit()).count() % 3 == 0
}
