//! From the groups of lines of all pages to items: paragraphs, headings with levels, list entries, furniture.
//!
//! Blocks are classified first, each by its own look and that of the whole document; then blocks that go on in each other
//! become one item, over columns and pages.

mod blocks;
mod bookmarks;
mod build;
mod captions;
mod contents;
mod cover;
mod evidence;
mod footnotes;
mod headings;
mod hyphens;
mod lead_ins;
mod levels;
mod lists;
mod paragraphs;
mod special;
mod style;
mod tables;
mod tags;

use super::page::PageLayout;
use super::pictures;
use crate::furniture::{self, Edge};
use blocks::{Block, blocks};
use bookmarks::match_bookmarks;
use build::{Parts, build};
use headings::{Hints, headings};
use hyphens::Vocabulary;
use recto_core::{Bookmark, Item, Label, Page, PageRect, Provenance};
use std::collections::{HashMap, HashSet};
use style::Body;

/// Makes the items of a document, in reading order.
pub(crate) fn items(pages: &[Page], layouts: &[PageLayout], bookmarks: &[Bookmark]) -> Vec<Item> {
    let furniture = furniture::find(pages);
    let vocabulary = Vocabulary::new(pages);
    let blocks = blocks(pages, layouts, &furniture);
    let Classified {
        labels,
        levels,
        begins_next,
    } = classify(&blocks, pages, layouts, bookmarks);
    let next = paragraphs::continuations(&blocks, &labels, &begins_next);
    let mut inside = vec![false; blocks.len()];
    let mut items = Vec::with_capacity(blocks.len());
    let mut page = 0;
    for index in 0..blocks.len() {
        while page < blocks[index].page_index {
            items.extend(notes(&pages[page], &layouts[page]));
            page += 1;
        }
        if inside[index] {
            continue;
        }
        if let Some(table) = blocks[index].table.filter(|_| labels[index] == Label::Table) {
            items.push(tables::item(blocks[index].page, table));
            continue;
        }
        let mut parts = vec![&blocks[index]];
        let mut last = index;
        let caption_end = captions::end(&blocks, &labels, index);
        let following = |last: usize| {
            let of_caption = (last < caption_end).then_some(last + 1);
            next[last].or(of_caption).or_else(|| same_kind(&blocks, &labels, last))
        };
        while let Some(following) = following(last) {
            inside[following] = true;
            parts.push(&blocks[following]);
            last = following;
        }
        let label = labels[index];
        let parts = Parts {
            rows: blocks[index].rows || matches!(label, Label::Code | Label::DocumentIndex),
            blocks: parts,
            label,
            level: levels.get(&index).copied().unwrap_or(0),
        };
        items.push(build(&parts, &vocabulary));
    }
    for (page, layout) in pages.iter().zip(layouts).skip(page) {
        items.extend(notes(page, layout));
    }
    for (item, position) in items.iter_mut().zip(0u32..) {
        item.position = position;
        let kind = if item.table.is_some() { "tables" } else { "texts" };
        item.self_ref = format!("#/{kind}/{position}");
    }
    pictures::insert(&mut items, pages, layouts);
    captions::bind(&mut items);
    tables::link(&mut items, pages);
    items
}

/// What notes on a page say, as items at its end.
fn notes<'p>(page: &'p Page, layout: &'p PageLayout) -> impl Iterator<Item = Item> + use<'p> {
    layout.notes.iter().map(|(rect, text)| Item {
        label: Label::Text,
        text: text.clone(),
        provenance: vec![Provenance {
            at: PageRect {
                page: page.number,
                rect: *rect,
            },
            start: 0,
            end: u32::try_from(text.len()).unwrap_or(u32::MAX),
        }],
        ..Item::default()
    })
}

/// Code and the printed contents are one item as far as they go on below each other.
fn same_kind(blocks: &[Block<'_>], labels: &[Label], index: usize) -> Option<usize> {
    let next = index + 1;
    let (block, below) = (&blocks[index], blocks.get(next)?);
    let joins = matches!(labels[index], Label::Code | Label::DocumentIndex)
        && labels[next] == labels[index]
        && below.page_index == block.page_index
        && (labels[index] == Label::DocumentIndex || below.rect.top - block.rect.bottom < 2.0 * block.size());
    joins.then_some(next)
}

/// What the blocks are.
struct Classified {
    labels: Vec<Label>,
    /// Of headings and entries.
    levels: HashMap<usize, u32>,
    /// The blocks that are the beginning of the one after them.
    begins_next: HashSet<usize>,
}

/// What each block is, and the levels of headings and entries.
fn classify(blocks: &[Block<'_>], pages: &[Page], layouts: &[PageLayout], bookmarks: &[Bookmark]) -> Classified {
    let body = Body::new(blocks);
    let contents = contents::find(blocks);
    let footnotes = footnotes::find(blocks, &body);
    let hints = Hints {
        bookmarks: match_bookmarks(blocks, bookmarks, pages),
        contents: contents.matches(blocks),
        tags: tags::matches(blocks, layouts),
    };
    let mostly_fixed = special::mostly_fixed(blocks);
    let mut labels: Vec<Label> = blocks
        .iter()
        .enumerate()
        .map(|(index, block)| match block.edge {
            Some(Edge::Top) => Label::PageHeader,
            Some(Edge::Bottom) => Label::PageFooter,
            None if contents.blocks.contains(&index) => Label::DocumentIndex,
            None if block.table.is_some() => Label::Table,
            None if footnotes.contains(&index) => Label::Footnote,
            None if special::is_code(block, mostly_fixed) => Label::Code,
            None => Label::Text,
        })
        .collect();
    let free = |index: usize| labels[index] == Label::Text;
    let lead_ins = lead_ins::find(blocks, &body, free);
    let cover = cover::find(blocks);
    let mut headings = headings(blocks, &body, &hints, cover.as_ref(), |index| {
        free(index) && !lead_ins.contains_key(&index)
    });
    let titles = headings.iter().filter(|(_, heading)| heading.label == Label::Title);
    let subtitled = titles
        .map(|(&index, _)| index)
        .find(|&index| cover.is_none() && headings::goes_on_in_subtitle(blocks, index, &body) && free(index + 1));
    if let Some(title) = subtitled {
        headings.remove(&(title + 1));
    }
    let heading_blocks: HashSet<usize> = headings.keys().copied().collect();
    let entries = lists::find(
        blocks,
        |index| free(index) && !heading_blocks.contains(&index) && !lead_ins.contains_key(&index),
        &heading_blocks,
    );
    let mut levels = HashMap::new();
    for index in 0..blocks.len() {
        if labels[index] != Label::Text {
            continue;
        }
        let text_left = index
            .checked_sub(1)
            .map(|before| &blocks[before])
            .filter(|before| before.page_index == blocks[index].page_index && labels[index - 1] == Label::Text)
            .map(|before| before.rect.left);
        if let Some(lead_in) = lead_ins.get(&index) {
            labels[index] = lead_in.label;
            levels.extend((lead_in.label == Label::ListItem).then_some((index, 1)));
        } else if let Some(heading) = headings.get(&index) {
            labels[index] = heading.label;
            levels.insert(index, heading.level);
        } else if let Some(level) = entries.get(&index) {
            labels[index] = Label::ListItem;
            levels.insert(index, *level);
        } else if captions::kind(&blocks[index]).is_some() {
            labels[index] = Label::Caption;
        } else if special::is_formula(&blocks[index], text_left) {
            labels[index] = Label::Formula;
        }
    }
    let entries_led_in = lead_ins
        .into_iter()
        .filter(|(_, lead_in)| lead_in.label == Label::ListItem)
        .map(|(index, _)| index);
    Classified {
        labels,
        levels,
        begins_next: entries_led_in.chain(subtitled).collect(),
    }
}

/// What the cover of a filing calls it: better than any title its file was given.
pub(crate) fn title_of_filing(items: &[Item]) -> Option<String> {
    cover::title(items)
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
