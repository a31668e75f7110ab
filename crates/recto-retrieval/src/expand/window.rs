//! The items around hits laid end to end, so that ranges of them are plain intervals of bytes.

use super::is_noise;
use crate::sentence;
use recto_core::{ChunkMetadata, Item, Label};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// A section smaller than this share of the budget grows across its borders.
const SMALL_SECTION: f64 = 0.2;
/// A neighbour too long for the budget left is taken in part only where at least this much room is left, in bytes.
const LEAST_PART: usize = 160;

/// An interval of a window's bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Stretch {
    pub(crate) start: usize,
    pub(crate) end: usize,
}

impl Stretch {
    pub(crate) fn len(&self) -> usize {
        self.end.saturating_sub(self.start)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(crate) fn contains(&self, other: &Self) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    pub(crate) fn overlaps(&self, other: &Self) -> bool {
        self.start < other.end && other.start < self.end
    }

    pub(crate) fn union(&self, other: &Self) -> Self {
        Self {
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }

    /// This interval without `other`, keeping the side on which most of `matched` lies.
    pub(crate) fn without(&self, other: &Self, matched: &Self) -> Self {
        let before = other.start.saturating_sub(matched.start.max(self.start));
        let after = matched.end.min(self.end).saturating_sub(other.end);
        if before > after {
            Self {
                start: self.start,
                end: self.end.min(other.start),
            }
        } else {
            Self {
                start: self.start.max(other.end),
                end: self.end,
            }
        }
    }
}

/// Items of a document by position, perhaps with gaps between the surroundings of distant hits.
pub(crate) struct Window {
    items: Vec<Item>,
    /// Where each item's text begins; one more than there are items.
    offsets: Vec<usize>,
    by_ref: BTreeMap<String, usize>,
    bytes_per_char: f64,
}

impl Window {
    pub(crate) fn new(mut items: Vec<Item>) -> Self {
        items.sort_by_key(|item| item.position);
        items.dedup_by_key(|item| item.position);
        let mut offsets = vec![0];
        let mut chars = 0_usize;
        let mut bytes = 0_usize;
        for item in &items {
            bytes += item.text.len();
            chars += item.text.chars().count();
            offsets.push(bytes);
        }
        let by_ref = items
            .iter()
            .enumerate()
            .map(|(index, item)| (item.self_ref.clone(), index))
            .collect();
        #[expect(clippy::cast_precision_loss, reason = "a ratio of text lengths")]
        let bytes_per_char = if chars == 0 { 1.0 } else { bytes as f64 / chars as f64 };
        Self {
            items,
            offsets,
            by_ref,
            bytes_per_char,
        }
    }

    pub(crate) fn items(&self) -> &[Item] {
        &self.items
    }

    pub(crate) fn item(&self, index: usize) -> &Item {
        &self.items[index]
    }

    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a length of text, positive and far below 2^52"
    )]
    pub(crate) fn budget_in_bytes(&self, max_chars: usize) -> usize {
        (max_chars as f64 * self.bytes_per_char) as usize
    }

    /// The interval a chunk covers, or `None` where none of its items is in the window.
    pub(crate) fn matched(&self, metadata: &ChunkMetadata) -> Option<Stretch> {
        let mut matched: Option<Stretch> = None;
        for span in &metadata.spans {
            let Some(index) = self.by_ref.get(&span.self_ref) else {
                continue;
            };
            let text = &self.items[*index].text;
            let at = |offset: u32| floor(text, usize::try_from(offset).unwrap_or(usize::MAX));
            let stretch = Stretch {
                start: self.offsets[*index] + at(span.start),
                end: self.offsets[*index] + at(span.end),
            };
            matched = Some(matched.map_or_else(|| stretch.clone(), |matched| matched.union(&stretch)));
        }
        matched.filter(|matched| !matched.is_empty())
    }

    /// The interval shown for a hit: its section, or what fits the budget around it.
    pub(crate) fn grow(&self, metadata: &ChunkMetadata, matched: &Stretch, budget: usize) -> Stretch {
        let wanted: BTreeSet<&str> = metadata.doc_item_refs.iter().map(String::as_str).collect();
        let first = self.index_at(matched.start);
        let last = self.index_at(matched.end.saturating_sub(1));
        let run = self.run(first, last);
        if !run.clone().any(|index| self.items[index].label.is_heading()) {
            return self.outward(matched, &run, &wanted, budget);
        }
        let section = self.section(first, last, &run);
        let size: usize = section.clone().map(|index| self.visible_len(index, &wanted)).sum();
        let keeps_borders = metadata
            .labels
            .iter()
            .any(|label| label == Label::Table.as_str() || label == Label::Picture.as_str());
        #[expect(clippy::cast_precision_loss, reason = "lengths of text")]
        let is_small = (size as f64) < SMALL_SECTION * budget as f64;
        if size > budget {
            self.outward(matched, &section, &wanted, budget)
        } else if is_small && !keeps_borders {
            self.outward(matched, &run, &wanted, budget)
        } else {
            Stretch {
                start: self.offsets[section.start],
                end: self.offsets[section.end],
            }
        }
    }

    /// The visible pieces inside an interval: index of the item and the range of its text, trimmed.
    pub(crate) fn pieces(&self, stretch: &Stretch, wanted: &BTreeSet<&str>) -> Vec<(usize, Range<usize>)> {
        let mut pieces = Vec::new();
        let first = self.index_at(stretch.start);
        for index in first..self.items.len() {
            let offset = self.offsets[index];
            if offset >= stretch.end {
                break;
            }
            if !self.is_visible(index, wanted) {
                continue;
            }
            let text = &self.items[index].text;
            let start = floor(text, stretch.start.saturating_sub(offset));
            let end = floor(text, stretch.end - offset);
            let range = sentence::trim(text, start..end.max(start));
            if !range.is_empty() {
                pieces.push((index, range));
            }
        }
        pieces
    }

    /// The heading path above an item, as far as the window shows it; the path of the chunk found where no other heading
    /// comes between.
    pub(crate) fn headings(&self, index: usize, anchor: &ChunkMetadata) -> Vec<String> {
        let mut path: Vec<String> = Vec::new();
        let mut level = u32::MAX;
        let item = &self.items[index];
        let start = if item.label.is_heading() {
            level = depth(item);
            index
        } else {
            index + 1
        };
        for at in (0..start).rev() {
            let above = &self.items[at];
            if at + 1 < self.items.len() && self.items[at + 1].position > above.position + 1 {
                break;
            }
            if above.label.is_heading() && depth(above) < level {
                level = depth(above);
                path.insert(0, above.text.trim().to_owned());
            }
        }
        match path.last() {
            None if !item.label.is_heading() => anchor.headings.clone(),
            Some(innermost) if anchor.headings.last() == Some(innermost) => anchor.headings.clone(),
            _ => path,
        }
    }

    fn index_at(&self, offset: usize) -> usize {
        let after = self.offsets.partition_point(|start| *start <= offset);
        after.saturating_sub(1).min(self.items.len().saturating_sub(1))
    }

    /// The items around `first..=last` that follow each other without a gap.
    fn run(&self, first: usize, last: usize) -> Range<usize> {
        let mut start = first;
        while start > 0 && self.items[start - 1].position + 1 == self.items[start].position {
            start -= 1;
        }
        let mut end = last + 1;
        while end < self.items.len() && self.items[end - 1].position + 1 == self.items[end].position {
            end += 1;
        }
        start..end
    }

    /// From the heading at or above the hit to just before the next one.
    fn section(&self, first: usize, last: usize, run: &Range<usize>) -> Range<usize> {
        let heading = |index: &usize| self.items[*index].label.is_heading();
        let start = (run.start..=first).rev().find(heading).unwrap_or(run.start);
        let end = (last + 1..run.end).find(heading).unwrap_or(run.end);
        start..end
    }

    fn is_visible(&self, index: usize, wanted: &BTreeSet<&str>) -> bool {
        let item = &self.items[index];
        !is_noise(item) || wanted.contains(item.self_ref.as_str())
    }

    fn visible_len(&self, index: usize, wanted: &BTreeSet<&str>) -> usize {
        if self.is_visible(index, wanted) {
            self.items[index].text.len()
        } else {
            0
        }
    }

    /// Adds an item before, then one after, in turn, while the budget lasts; the last one on each side in part.
    fn outward(&self, matched: &Stretch, bounds: &Range<usize>, wanted: &BTreeSet<&str>, budget: usize) -> Stretch {
        let lowest = self.offsets[bounds.start];
        let highest = self.offsets[bounds.end];
        let mut grown = matched.clone();
        let mut count = matched.len();
        let (mut down, mut up) = (grown.start > lowest, grown.end < highest);
        while count < budget && (down || up) {
            if down {
                let room = budget - count;
                let (start, added) = self.step_down(grown.start, wanted, room);
                down = start < grown.start && start > lowest;
                grown.start = start;
                count += added;
            }
            if up && count < budget {
                let room = budget - count;
                let (end, added) = self.step_up(grown.end, wanted, room);
                up = end > grown.end && end < highest;
                grown.end = end;
                count += added;
            }
        }
        grown
    }

    /// The start after taking in what lies before `start` down to the beginning of its item, and the bytes it costs.
    fn step_down(&self, start: usize, wanted: &BTreeSet<&str>, room: usize) -> (usize, usize) {
        let index = self.index_at(start.saturating_sub(1));
        let offset = self.offsets[index];
        if !self.is_visible(index, wanted) {
            return (offset, 0);
        }
        let text = &self.items[index].text[..start - offset];
        if text.len() <= room {
            return (offset, text.len());
        }
        if room < LEAST_PART {
            return (start, 0);
        }
        let units = sentence::split(text);
        let first = units.partition_point(|unit| text.len() - unit.start > room);
        units
            .get(first)
            .map_or((start, 0), |unit| (offset + unit.start, text.len() - unit.start))
    }

    fn step_up(&self, end: usize, wanted: &BTreeSet<&str>, room: usize) -> (usize, usize) {
        let index = self.index_at(end);
        let next = self.offsets[index + 1];
        if !self.is_visible(index, wanted) {
            return (next, 0);
        }
        let offset = self.offsets[index];
        let text = &self.items[index].text[end - offset..];
        if text.len() <= room {
            return (next, text.len());
        }
        if room < LEAST_PART {
            return (end, 0);
        }
        let units = sentence::split(text);
        let fitting = units.partition_point(|unit| unit.end <= room);
        fitting
            .checked_sub(1)
            .map_or((end, 0), |last| (end + units[last].end, units[last].end))
    }
}

fn depth(item: &Item) -> u32 {
    if item.label == Label::Title {
        0
    } else {
        item.level.max(1)
    }
}

/// The largest character boundary at or before `offset`.
fn floor(text: &str, offset: usize) -> usize {
    let mut at = offset.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}
