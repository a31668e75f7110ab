//! From the groups of lines of all pages to items: paragraphs, headings with levels, list entries, furniture.
//!
//! Each item lies on one page for now. Joining a paragraph that runs over a column or a page, tables with their grids,
//! captions and footnotes will work on the items made here.

mod blocks;
mod bookmarks;
mod build;
mod headings;
mod hyphens;
mod levels;
mod style;

use super::page::PageLayout;
use crate::furniture::{self, Edge};
use crate::text::marker;
use blocks::blocks;
use bookmarks::match_bookmarks;
use build::build;
use headings::headings;
use hyphens::Vocabulary;
use recto_core::{Bookmark, Item, Label, Page};
use style::Body;

/// Makes the items of a document, in reading order.
pub(crate) fn items(pages: &[Page], layouts: &[PageLayout], bookmarks: &[Bookmark]) -> Vec<Item> {
    let furniture = furniture::find(pages);
    let vocabulary = Vocabulary::new(pages);
    let blocks = blocks(pages, layouts, &furniture);
    let body = Body::new(layouts);
    let marked = match_bookmarks(&blocks, bookmarks, pages);
    let headings = headings(&blocks, &body, &marked);
    let mut items = Vec::with_capacity(blocks.len());
    for (index, block) in blocks.iter().enumerate() {
        let position = u32::try_from(index).unwrap_or(u32::MAX);
        let (label, level) = match (block.edge, headings.get(&index)) {
            (Some(Edge::Top), _) => (Label::PageHeader, 0),
            (Some(Edge::Bottom), _) => (Label::PageFooter, 0),
            (None, Some(heading)) => (heading.label, heading.level),
            (None, None) if !block.rows && starts_entry(&block.text) => (Label::ListItem, 1),
            (None, None) => (Label::Text, 0),
        };
        items.push(build(position, label, level, block, &vocabulary));
    }
    items
}

/// The title a document's items suggest.
pub(crate) fn title(items: &[Item]) -> Option<String> {
    let usable = |item: &&Item| item.text.chars().filter(|c| c.is_alphabetic()).count() >= 3;
    items
        .iter()
        .filter(usable)
        .find(|item| item.label == Label::Title)
        .or_else(|| {
            items
                .iter()
                .filter(usable)
                .find(|item| item.label == Label::SectionHeader)
        })
        .map(|item| item.text.clone())
}

fn starts_entry(text: &str) -> bool {
    marker::bullet(text).is_some() || marker::numbered(text).is_some()
}
