//! A place where a quote was found, and how near it is to where it was expected.

use super::sequence::{Sequence, Source};
use recto_core::{LocateHint, MatchKind, PageRect, QuoteMatch, Rect, Span};

/// A word: on a page, or a stretch of an item where there are no pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Unit {
    /// 0-based page, index of the word on it.
    Word { page: u32, word: u32 },
    /// 0-based item, bytes of its text.
    Span { item: u32, start: u32, end: u32 },
}

/// A place before it is ranked.
#[derive(Debug)]
pub(crate) struct Place {
    pub(crate) kind: MatchKind,
    /// Ascending.
    pub(crate) units: Vec<Unit>,
    text: String,
    rects: Vec<PageRect>,
    spans: Vec<Span>,
}

/// Points a page counts for when distances are compared.
const PAGE_DISTANCE: f32 = 10_000.0;

impl Place {
    /// `units` in the order of the quote.
    pub(crate) fn new(sequence: &Sequence<'_>, units: Vec<Unit>, kind: MatchKind) -> Self {
        let text = sequence.written(&units);
        let mut units = units;
        units.sort_unstable();
        units.dedup();
        let rects = rects(sequence.source(), &units);
        let spans = spans(sequence.source(), &units);
        Self {
            kind,
            units,
            text,
            rects,
            spans,
        }
    }

    /// The same place, with its words written as `text`.
    pub(crate) fn with_text(self, text: String) -> Self {
        Self { text, ..self }
    }

    /// How far from the hint; 0 without one.
    pub(crate) fn distance(&self, hint: &LocateHint) -> f32 {
        let mut distance = 0.0;
        let pages: Vec<u32> = self.rects.iter().map(|r| r.page).collect();
        let boxes = hint.boxes.iter();
        if let Some(nearest) = boxes
            .flat_map(|hinted| self.rects.iter().map(move |own| between(hinted, own)))
            .min_by(f32::total_cmp)
        {
            distance += nearest;
        }
        let apart = |hinted: u32| pages.iter().map(move |own| own.abs_diff(hinted)).min();
        if let Some(nearest) = hint.pages.iter().filter_map(|page| apart(*page)).min() {
            distance += nearest as f32 * PAGE_DISTANCE;
        }
        if !hint.refs.is_empty()
            && !self.spans.is_empty()
            && !self.spans.iter().any(|s| hint.refs.contains(&s.self_ref))
        {
            distance += PAGE_DISTANCE;
        }
        distance
    }

    pub(crate) fn into_match(self) -> QuoteMatch {
        QuoteMatch {
            kind: self.kind,
            text: self.text,
            rects: self.rects,
            spans: self.spans,
        }
    }
}

fn between(a: &PageRect, b: &PageRect) -> f32 {
    if a.page != b.page {
        return a.page.abs_diff(b.page) as f32 * PAGE_DISTANCE;
    }
    let gap = |low: f32, high: f32, other_low: f32, other_high: f32| (other_low - high).max(low - other_high).max(0.0);
    let (r, s): (&Rect, &Rect) = (&a.rect, &b.rect);
    gap(r.left, r.right, s.left, s.right).hypot(gap(r.top, r.bottom, s.top, s.bottom))
}

/// One rectangle per line; two where the words of a line are not neighbours.
fn rects(source: Source<'_>, units: &[Unit]) -> Vec<PageRect> {
    let mut out: Vec<PageRect> = Vec::new();
    let mut last: Option<(u32, u32, u32)> = None;
    for unit in units {
        let (Unit::Word { page, word: index }, Some((on, word))) = (*unit, source.word(*unit)) else {
            continue;
        };
        let joins = last == Some((page, word.line, index.wrapping_sub(1)));
        match out.last_mut() {
            Some(rect) if joins => rect.rect = rect.rect.union(&word.rect),
            _ => out.push(PageRect {
                page: on.number,
                rect: word.rect,
            }),
        }
        last = Some((page, word.line, index));
    }
    out
}

fn spans(source: Source<'_>, units: &[Unit]) -> Vec<Span> {
    let Source::Items(items) = source else {
        return Vec::new();
    };
    let mut out: Vec<(u32, Span)> = Vec::new();
    for unit in units {
        let Unit::Span { item, start, end } = *unit else {
            continue;
        };
        match out.last_mut() {
            Some((known, span)) if *known == item => span.end = span.end.max(end),
            _ => out.push((
                item,
                Span {
                    self_ref: items[item as usize].0.clone(),
                    start,
                    end,
                },
            )),
        }
    }
    out.into_iter().map(|(_, span)| span).collect()
}
