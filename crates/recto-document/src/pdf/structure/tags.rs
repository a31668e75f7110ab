//! The file's own tags, matched to blocks. Tags are often wrong, so they are evidence like any other.

use super::super::page::PageLayout;
use super::blocks::Block;
use std::collections::HashMap;

/// The blocks that are tagged as headings, with their level from 0.
pub(super) fn matches(blocks: &[Block<'_>], layouts: &[PageLayout]) -> HashMap<usize, u32> {
    let mut out = HashMap::new();
    for (index, block) in blocks.iter().enumerate() {
        let Some(layout) = layouts.get(block.page_index) else {
            continue;
        };
        // A heading of two lines may be one piece of content or two.
        let inside = layout.tagged.iter().filter_map(|(rect, level)| {
            let common = rect.intersection(&block.rect)?.area();
            (common > 0.5 * rect.area()).then_some((common, *level))
        });
        let (covered, level) = inside.fold((0.0, None), |(sum, first), (area, level)| {
            (sum + area, first.or(Some(level)))
        });
        if let Some(level) = level.filter(|_| covered > 0.5 * block.rect.area()) {
            out.insert(index, level - 1);
        }
    }
    out
}
