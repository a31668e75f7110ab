//! Items → sections.

use super::summary::{figures, one_line, summary};
use super::{Outline, OutlineSection, estimated_tokens};
use crate::expand::is_noise;
use recto_core::{Item, Label, Locator};

/// A stretch without headings of more tokens than this is divided by its pages, or by length where there are none.
const LONG: usize = 4_000;
/// About so many tokens make a part of a text that nothing else divides.
const PART: usize = 1_200;
/// So many pages in a row make a group, where a stretch has many more of them.
const GROUP: usize = 10;
/// Longest title, in characters: some documents set whole paragraphs as headings.
const TITLE_CHARS: usize = 120;

/// The outline of a document with this `title` and these `items`. The same input gives the same outline.
#[must_use]
pub fn outline(title: &str, items: &[Item]) -> Outline {
    let mut items: Vec<&Item> = items.iter().filter(|item| !item.label.is_furniture()).collect();
    items.sort_by_key(|item| item.position);
    let mut drafts = if has_headings(&items) {
        under_headings(title, &items)
    } else {
        undivided(1, &items)
    };
    drafts.retain(|draft| !draft.items.is_empty());
    let sections = finish(&drafts);
    Outline {
        title: one_line(title),
        tokens: items
            .iter()
            .filter(|item| !is_noise(item))
            .map(|item| estimated_tokens(&item.text))
            .sum(),
        sections,
    }
}

/// A section before its extent is known. `items` are its own, those of its subsections excluded.
struct Draft<'a> {
    level: u32,
    title: String,
    heading: Option<&'a Item>,
    items: Vec<&'a Item>,
}

/// Whether headings divide the text. A title alone does not.
fn has_headings(items: &[&Item]) -> bool {
    items
        .iter()
        .any(|item| item.label == Label::SectionHeader && !item.text.trim().is_empty())
}

fn under_headings<'a>(title: &str, items: &[&'a Item]) -> Vec<Draft<'a>> {
    let mut drafts: Vec<Draft<'a>> = Vec::new();
    // Depths of the headings that are open. A title is deepest: any heading closes it, so that it does not hold the
    // whole document.
    let mut open: Vec<u32> = Vec::new();
    for item in items {
        if !item.label.is_heading() || item.text.trim().is_empty() {
            match drafts.last_mut() {
                Some(draft) => draft.items.push(item),
                None => drafts.push(Draft {
                    level: 1,
                    title: one_line(title),
                    heading: None,
                    items: vec![item],
                }),
            }
            continue;
        }
        let depth = if item.label == Label::Title {
            u32::MAX
        } else {
            item.level.max(1)
        };
        if item.label == Label::Title {
            open.clear();
        }
        while open.last().is_some_and(|above| *above >= depth) {
            open.pop();
        }
        open.push(depth);
        drafts.push(Draft {
            level: u32::try_from(open.len()).unwrap_or(u32::MAX),
            title: shortened(&item.text, TITLE_CHARS),
            heading: Some(item),
            items: vec![item],
        });
    }
    drafts.into_iter().flat_map(divided).collect()
}

/// A section whose own text is long, followed by what it is divided into; any other as it is. A long text before the first
/// heading becomes its parts.
fn divided(mut draft: Draft<'_>) -> Vec<Draft<'_>> {
    let tokens: usize = draft.items.iter().map(|item| estimated_tokens(&item.text)).sum();
    if tokens <= LONG {
        return vec![draft];
    }
    let (own, level) = match draft.heading {
        Some(_) => (1, draft.level + 1),
        None => (0, draft.level),
    };
    let rest = draft.items.split_off(own.min(draft.items.len()));
    let mut parts = undivided(level, &rest);
    if parts.len() < 2 {
        draft.items.extend(rest);
        return vec![draft];
    }
    for part in &mut parts {
        part.title = format!("{}: {}", shortened(&draft.title, 60), lower_first(&part.title));
    }
    let mut all = Vec::new();
    if draft.heading.is_some() {
        all.push(draft);
    }
    all.append(&mut parts);
    all
}

/// A stretch without headings: by slides, sheets or parts, else by pages, else by length.
fn undivided<'a>(level: u32, items: &[&'a Item]) -> Vec<Draft<'a>> {
    let has_places = items.iter().any(|item| place(item).is_some());
    let has_pages = items.iter().any(|item| !item.provenance.is_empty());
    if has_places {
        return in_runs(level, items, |item, open| match place(item) {
            Some(place) => place,
            None => open.map_or_else(|| "Beginning".to_owned(), str::to_owned),
        });
    }
    if !has_pages {
        return by_length(level, items);
    }
    let pages = in_runs(level, items, |item, open| {
        let page = item.provenance.first().map(|part| format!("Page {}", part.at.page));
        page.or_else(|| open.map(str::to_owned))
            .unwrap_or_else(|| "Page 1".to_owned())
    });
    grouped(level, pages)
}

/// Consecutive items of one name together.
fn in_runs<'a>(level: u32, items: &[&'a Item], name: impl Fn(&Item, Option<&str>) -> String) -> Vec<Draft<'a>> {
    let mut runs: Vec<Draft<'a>> = Vec::new();
    for item in items {
        let title = name(item, runs.last().map(|run| run.title.as_str()));
        match runs.last_mut() {
            Some(run) if run.title == title => run.items.push(item),
            _ => runs.push(Draft {
                level,
                title,
                heading: None,
                items: vec![item],
            }),
        }
    }
    runs
}

fn by_length<'a>(level: u32, items: &[&'a Item]) -> Vec<Draft<'a>> {
    let mut parts: Vec<Draft<'a>> = Vec::new();
    let mut tokens = 0;
    for item in items {
        let cost = estimated_tokens(&item.text);
        match parts.last_mut() {
            Some(part) if tokens + cost <= PART => {
                part.items.push(item);
                tokens += cost;
            }
            _ => {
                parts.push(Draft {
                    level,
                    title: format!("Part {}", parts.len() + 1),
                    heading: None,
                    items: vec![item],
                });
                tokens = cost;
            }
        }
    }
    parts
}

/// Many pages in groups, so that an outline of little room can name the groups alone.
fn grouped<'a>(level: u32, pages: Vec<Draft<'a>>) -> Vec<Draft<'a>> {
    if pages.len() <= 2 * GROUP {
        return pages;
    }
    let mut all = Vec::new();
    let mut left = pages.into_iter().peekable();
    while left.peek().is_some() {
        let mut group: Vec<Draft<'a>> = left.by_ref().take(GROUP).collect();
        let first = group.first().map_or("", |page| page.title.as_str());
        let last = group.last().map_or("", |page| page.title.trim_start_matches("Page "));
        let title = first.replacen("Page", "Pages", 1) + "–" + last;
        // The group has the first item, so that it is where its pages are; it is taken back from none of them.
        let items = group.first().map(|page| page.items.clone()).unwrap_or_default();
        all.push(Draft {
            level,
            title,
            heading: None,
            items,
        });
        for page in &mut group {
            page.level = level + 1;
        }
        all.append(&mut group);
    }
    all
}

/// Sets what depends on where sections end.
fn finish(drafts: &[Draft<'_>]) -> Vec<OutlineSection> {
    let mut sections = Vec::new();
    for (index, draft) in drafts.iter().enumerate() {
        let below = drafts[index + 1..]
            .iter()
            .take_while(|other| other.level > draft.level)
            .count();
        let within = &drafts[index..=index + below];
        // A group of pages shares its first items with its first page.
        let mut all: Vec<&Item> = within.iter().flat_map(|draft| draft.items.iter().copied()).collect();
        all.dedup_by_key(|item| item.position);
        all.sort_by_key(|item| item.position);
        all.dedup_by_key(|item| item.position);
        let body: Vec<&Item> = all
            .iter()
            .copied()
            .filter(|item| !is_noise(item) && !item.label.is_heading())
            .collect();
        let pages = all.iter().flat_map(|item| &item.provenance).map(|part| part.at.page);
        let summary = summary(&body);
        let number = u32::try_from(index + 1).unwrap_or(u32::MAX);
        sections.push(OutlineSection {
            number,
            level: draft.level,
            title: draft.title.clone(),
            self_ref: draft.heading.map(|heading| heading.self_ref.clone()),
            pages: pages.clone().min().zip(pages.max()),
            positions: (
                all.first().map_or(0, |item| item.position),
                all.last().map_or(0, |item| item.position),
            ),
            tokens: all
                .iter()
                .filter(|item| !is_noise(item))
                .map(|item| estimated_tokens(&item.text))
                .sum(),
            leaf: below == 0,
            figures: figures(&body, &summary),
            summary,
        });
    }
    sections
}

/// How the format itself names an item's place.
fn place(item: &Item) -> Option<String> {
    match item.locator.as_ref()? {
        Locator::Slide { number } => Some(format!("Slide {number}")),
        Locator::Sheet { name, .. } => Some(format!("Sheet {name}")),
        Locator::Part { name } => Some(format!("Part {name}")),
        Locator::Page { .. } | Locator::Heading { .. } => None,
    }
}

/// `text` in one line of at most `most` characters, cut between words.
pub(super) fn shortened(text: &str, most: usize) -> String {
    let line = one_line(text);
    if line.chars().count() <= most {
        return line;
    }
    let mut cut = String::new();
    let mut length = 0;
    for word in line.split(' ') {
        let letters = word.chars().count() + usize::from(!cut.is_empty());
        if length + letters >= most {
            break;
        }
        if !cut.is_empty() {
            cut.push(' ');
        }
        cut.push_str(word);
        length += letters;
    }
    if cut.is_empty() {
        cut = line.chars().take(most.saturating_sub(1)).collect();
    }
    cut + "…"
}

fn lower_first(text: &str) -> String {
    let mut chars = text.chars();
    chars
        .next()
        .map(|first| first.to_lowercase().chain(chars).collect())
        .unwrap_or_default()
}
