//! Blocks: the lines of one page that may become one item.

use super::super::page::{Group, LineInfo, PageLayout};
use crate::furniture::Edge;
use recto_core::Page;
use std::collections::HashMap;
use std::ops::Range;

/// Lines of one page that become one item.
pub(super) struct Block<'a> {
    pub(super) page_index: usize,
    pub(super) page: &'a Page,
    pub(super) lines: &'a [LineInfo],
    pub(super) rows: bool,
    pub(super) upright: bool,
    pub(super) edge: Option<Edge>,
    /// Lines joined by spaces, for judging.
    pub(super) text: String,
    /// White space above and below, in points.
    pub(super) above: f32,
    pub(super) below: f32,
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
    group: &Group,
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
    Block {
        page_index,
        page,
        lines,
        rows: group.rows,
        upright: group.upright,
        edge,
        text,
        above,
        below,
    }
}
