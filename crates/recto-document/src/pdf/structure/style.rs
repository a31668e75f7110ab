//! What text looks like: the usual text of the document, and what sets a block apart from it.

use super::super::page::PageLayout;
use super::blocks::Block;
use std::collections::BTreeMap;

/// What ordinary text looks like in this document.
pub(super) struct Body {
    pub(super) size: f32,
    pub(super) mostly_bold: bool,
}

impl Body {
    pub(super) fn new(layouts: &[PageLayout]) -> Self {
        let mut by_size: BTreeMap<i32, usize> = BTreeMap::new();
        let (mut bold, mut all) = (0usize, 0usize);
        for layout in layouts {
            for line in &layout.lines {
                let weight = line.text.len();
                *by_size.entry((line.size * 2.0).round() as i32).or_default() += weight;
                all += weight;
                bold += if line.bold { weight } else { 0 };
            }
        }
        let size = by_size
            .iter()
            .max_by_key(|(size, weight)| (**weight, **size))
            .map_or(10.0, |(size, _)| *size as f32 / 2.0);
        Self {
            size: size.max(1.0),
            mostly_bold: bold * 2 > all,
        }
    }
}

impl Block<'_> {
    pub(super) fn size(&self) -> f32 {
        self.lines.iter().map(|l| l.size).fold(0.0, f32::max)
    }

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
        Style {
            size: (self.size() * 2.0).round() as i32,
            bold: self.bold(),
            caps: self.caps(),
            italic: self.italic(),
        }
    }
}

/// What headings of one kind look like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Style {
    /// Half points.
    pub(super) size: i32,
    pub(super) bold: bool,
    pub(super) caps: bool,
    pub(super) italic: bool,
}

impl Style {
    /// Smaller stands higher.
    pub(super) fn rank(self) -> (i32, bool, bool, bool) {
        (-self.size, !self.bold, !self.caps, self.italic)
    }
}
