//! What text looks like: the usual text of the document, and what sets a block apart from it.

use super::blocks::Block;
use std::collections::BTreeMap;

/// What ordinary text looks like in this document.
pub(super) struct Body {
    pub(super) size: f32,
    pub(super) mostly_bold: bool,
    /// The face of most text of that size.
    pub(super) face: u32,
    /// The colour of most text.
    pub(super) colour: u32,
}

impl Body {
    pub(super) fn new(blocks: &[Block<'_>]) -> Self {
        let mut by_size: BTreeMap<i32, usize> = BTreeMap::new();
        let mut by_face: BTreeMap<(i32, u32), usize> = BTreeMap::new();
        let mut by_colour: BTreeMap<u32, usize> = BTreeMap::new();
        let (mut bold, mut all) = (0usize, 0usize);
        for block in blocks.iter().filter(|b| b.edge.is_none()) {
            // Rows count less: a report of tables is still written in the face of its paragraphs.
            let share = if block.rows { 1 } else { 4 };
            for line in block.lines {
                let weight = line.text.len() * share;
                let size = (line.size * 2.0).round() as i32;
                *by_size.entry(size).or_default() += weight;
                *by_face.entry((size, line.face)).or_default() += weight;
                *by_colour.entry(line.colour).or_default() += weight;
                all += weight;
                bold += if line.bold { weight } else { 0 };
            }
        }
        let (size, _) = by_size
            .iter()
            .max_by_key(|(size, weight)| (**weight, **size))
            .map_or((20, 0), |(size, weight)| (*size, *weight));
        let face = by_face
            .iter()
            .filter(|((s, _), _)| *s == size)
            .max_by_key(|(_, weight)| **weight);
        let colour = by_colour.iter().max_by_key(|(_, weight)| **weight);
        Self {
            size: (size as f32 / 2.0).max(1.0),
            mostly_bold: bold * 2 > all,
            face: face.map_or(0, |((_, face), _)| *face),
            colour: colour.map_or(0, |(colour, _)| *colour),
        }
    }
}

/// What blocks of one kind look like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Style {
    /// Half points.
    pub(super) size: i32,
    pub(super) bold: bool,
    pub(super) caps: bool,
    pub(super) italic: bool,
    pub(super) face: u32,
    pub(super) colour: u32,
}

impl Block<'_> {
    pub(super) fn bold(&self) -> bool {
        self.lines.iter().all(|l| l.bold)
    }

    pub(super) fn italic(&self) -> bool {
        self.lines.iter().all(|l| l.italic)
    }

    pub(super) fn caps(&self) -> bool {
        let letters = self.text.chars().filter(|c| c.is_alphabetic()).count();
        letters >= 4 && self.text.chars().filter(|c| c.is_lowercase()).count() * 10 <= letters
    }

    pub(super) fn style(&self) -> Style {
        let first = self.lines.first();
        Style {
            size: (self.size() * 2.0).round() as i32,
            bold: self.bold(),
            caps: self.caps(),
            italic: self.italic(),
            face: first.map_or(0, |l| l.face),
            colour: first.map_or(0, |l| l.colour),
        }
    }
}

/// How light a colour is, from 0 to 1.
pub(super) fn lightness(colour: u32) -> f32 {
    let part = |shift: u32| ((colour >> shift) & 0xFF) as f32 / 255.0;
    0.299 * part(16) + 0.587 * part(8) + 0.114 * part(0)
}

/// How far a colour is from grey, from 0 to 1.
pub(super) fn saturation(colour: u32) -> f32 {
    let parts = [16, 8, 0].map(|shift: u32| ((colour >> shift) & 0xFF) as f32 / 255.0);
    let most = parts.into_iter().fold(0.0, f32::max);
    most - parts.into_iter().fold(1.0, f32::min)
}
