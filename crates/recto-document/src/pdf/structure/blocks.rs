//! Blocks: the lines of one page that may become one item, or part of one.

use super::super::graphics::is_white;
use super::super::page::{Group, LineInfo, PageLayout, TableLayout};
use crate::furniture::Edge;
use recto_core::{Page, Rect};
use std::collections::HashMap;
use std::ops::Range;

/// Lines of one page that belong together.
pub(super) struct Block<'a> {
    pub(super) page_index: usize,
    pub(super) page: &'a Page,
    pub(super) lines: &'a [LineInfo],
    /// Whether each line is a row that must not flow into the next.
    pub(super) rows: bool,
    pub(super) upright: bool,
    /// Whether it is the text of a box of a diagram.
    pub(super) boxed: bool,
    pub(super) edge: Option<Edge>,
    /// The grid, when the block is a table.
    pub(super) table: Option<&'a TableLayout>,
    /// Lines joined by spaces, for judging.
    pub(super) text: String,
    pub(super) rect: Rect,
    /// White space above and below, in points.
    pub(super) above: f32,
    pub(super) below: f32,
    /// Whether it stands on a coloured bar about as tall as itself.
    pub(super) on_bar: bool,
    /// Whether it is white on nothing that would make it visible.
    pub(super) unseen: bool,
}

pub(super) fn blocks<'a>(
    pages: &'a [Page],
    layouts: &'a [PageLayout],
    furniture: &[HashMap<u32, Edge>],
) -> Vec<Block<'a>> {
    let mut out = Vec::new();
    for (page_index, ((page, layout), furniture)) in pages.iter().zip(layouts).zip(furniture).enumerate() {
        let edge = |line: usize| furniture.get(&u32::try_from(line).unwrap_or(u32::MAX)).copied();
        for group in &layout.groups {
            // A table is never taken apart; one that is all furniture is furniture.
            if group.table.is_some() && group.lines.clone().any(|line| edge(line).is_none()) {
                out.push(block(page_index, page, layout, group, group.lines.clone(), None));
                continue;
            }
            for part in split_by(group.lines.clone(), edge) {
                out.push(block(page_index, page, layout, group, part.clone(), edge(part.start)));
            }
        }
    }
    out
}

/// Splits a range where `key` changes.
fn split_by<K: PartialEq>(range: Range<usize>, key: impl Fn(usize) -> K) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let mut start = range.start;
    for index in range.clone().skip(1) {
        if key(index) != key(start) {
            out.push(start..index);
            start = index;
        }
    }
    if start < range.end {
        out.push(start..range.end);
    }
    out
}

fn block<'a>(
    page_index: usize,
    page: &'a Page,
    layout: &'a PageLayout,
    group: &'a Group,
    part: Range<usize>,
    edge: Option<Edge>,
) -> Block<'a> {
    let lines = &layout.lines[part.clone()];
    let text = lines
        .iter()
        .filter_map(|line| page.text.get(line.text.clone()))
        .collect::<Vec<_>>()
        .join(" ");
    let gap = |line: Option<&LineInfo>, other: &LineInfo, down: bool| {
        line.map_or(f32::INFINITY, |line| {
            let gap = if down {
                line.rect.top - other.rect.bottom
            } else {
                other.rect.top - line.rect.bottom
            };
            // Another column: nothing is known about the white space.
            if gap < -0.5 * other.size { 0.0 } else { gap }
        })
    };
    let before = part.start.checked_sub(1).and_then(|index| layout.lines.get(index));
    let after = layout.lines.get(part.end);
    let above = lines.first().map_or(0.0, |first| gap(before, first, false));
    let below = lines.last().map_or(0.0, |last| gap(after, last, true));
    let rect = lines
        .iter()
        .map(|line| line.rect)
        .reduce(|a, b| a.union(&b))
        .unwrap_or_default();
    Block {
        page_index,
        page,
        lines,
        rows: group.rows,
        upright: group.upright,
        boxed: group.boxed,
        edge,
        table: group.table.as_ref().filter(|_| edge.is_none()),
        text,
        rect,
        above,
        below,
        on_bar: lines.len() <= 2 && on_bar(&rect, lines, layout),
        unseen: is_unseen(&rect, lines, layout),
    }
}

/// Whether a box lies on a filled bar that is not much taller.
fn on_bar(rect: &Rect, lines: &[LineInfo], layout: &PageLayout) -> bool {
    let size = lines.first().map_or(10.0, |line| line.size);
    layout.graphics.fills.iter().any(|fill| {
        let bar = &fill.rect;
        !is_white(fill.colour)
            && bar.height() < rect.height() + 2.5 * size
            && bar.top <= rect.top + 0.3 * size
            && bar.bottom >= rect.bottom - 0.3 * size
            && bar.left <= rect.left + 1.0
            && bar.right >= rect.right - 1.0
    })
}

/// Whether text is as white as the page and nothing lies behind it.
fn is_unseen(rect: &Rect, lines: &[LineInfo], layout: &PageLayout) -> bool {
    let white = |colour: u32| [16, 8, 0].iter().all(|shift| (colour >> shift) & 0xFF >= 250);
    if lines.is_empty() || !lines.iter().all(|line| white(line.colour)) {
        return false;
    }
    let (x, y) = rect.centre();
    let behind = |area: &Rect| area.left <= x && area.right >= x && area.top <= y && area.bottom >= y;
    let graphics = &layout.graphics;
    let filled = graphics
        .fills
        .iter()
        .any(|fill| !is_white(fill.colour) && behind(&fill.rect));
    !filled && !graphics.images.iter().chain(&graphics.drawings).any(behind)
}

impl Block<'_> {
    /// Size of its largest line.
    pub(super) fn size(&self) -> f32 {
        self.lines.iter().map(|l| l.size).fold(0.0, f32::max).max(1.0)
    }

    pub(super) fn line_text(&self, index: usize) -> &str {
        self.lines
            .get(index)
            .and_then(|line| self.page.text.get(line.text.clone()))
            .unwrap_or_default()
    }

    /// Whether its last line ends a sentence.
    pub(super) fn ends_sentence(&self) -> bool {
        self.text
            .trim_end_matches(|c: char| matches!(c, '"' | '”' | ')' | '’' | '*' | ']' | ' ') || c.is_ascii_digit())
            .ends_with(['.', '!', '?', ':', ';'])
    }

    /// Whether the two lie beside or above each other rather than apart: their extents along a line overlap.
    pub(super) fn overlaps_across(&self, other: &Rect) -> bool {
        let common = self.rect.right.min(other.right) - self.rect.left.max(other.left);
        common > 0.3 * self.rect.width().min(other.width())
    }
}
