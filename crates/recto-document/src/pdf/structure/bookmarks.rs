//! The file's own outline, matched to blocks.

use super::blocks::Block;
use recto_core::{Bookmark, Page};
use std::collections::{HashMap, HashSet};

/// Letters and digits in lower case: what titles are compared by.
pub(super) fn skeleton(text: &str) -> String {
    text.chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

/// Finds the blocks that bookmarks point at, going forward only, so that a contents page does not catch them all.
pub(super) fn match_bookmarks(blocks: &[Block<'_>], bookmarks: &[Bookmark], pages: &[Page]) -> HashMap<usize, u32> {
    let mut out = HashMap::new();
    let skeletons: Vec<String> = blocks.iter().map(|block| skeleton(&block.text)).collect();
    let mut first_of_page: HashMap<u32, usize> = HashMap::new();
    for (index, block) in blocks.iter().enumerate() {
        first_of_page.entry(pages[block.page_index].number).or_insert(index);
    }
    let mut taken: HashSet<usize> = HashSet::new();
    for bookmark in bookmarks {
        let (Some(page), wanted) = (bookmark.page, skeleton(&bookmark.title)) else {
            continue;
        };
        let Some(&start) = first_of_page.get(&page) else {
            continue;
        };
        if wanted.len() < 3 {
            continue;
        }
        let found = (start..blocks.len())
            .take_while(|&index| pages[blocks[index].page_index].number <= page + 1)
            .filter(|index| !taken.contains(index) && blocks[*index].edge.is_none())
            .find(|&index| {
                let text = &skeletons[index];
                let prefix = |long: &str, short: &str| long.starts_with(short) && short.len() * 10 >= long.len() * 6;
                *text == wanted || prefix(text, &wanted) || prefix(&wanted, text)
            });
        if let Some(index) = found {
            taken.insert(index);
            out.insert(index, bookmark.level);
        }
    }
    out
}
