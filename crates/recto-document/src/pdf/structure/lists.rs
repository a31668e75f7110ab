//! List entries and how deep they are nested.

use super::blocks::Block;
use crate::text::marker;
use std::collections::{HashMap, HashSet};

/// How the marker of an entry is made.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Kind {
    Bullet(char),
    Digits { closing: char },
    Letter { upper: bool, closing: char },
    Roman { upper: bool, closing: char },
}

struct Entry {
    block: usize,
    left: f32,
    kinds: Vec<Kind>,
    /// For numbers: their values in the order of `kinds`.
    values: Vec<u32>,
}

/// Entries as far as they may be apart, in blocks, to count on.
const REACH: usize = 12;

/// The entries among the blocks that `free` allows, with their level, 1 = outermost.
pub(super) fn find(
    blocks: &[Block<'_>],
    free: impl Fn(usize) -> bool,
    heading: &HashSet<usize>,
) -> HashMap<usize, u32> {
    let entries: Vec<Entry> = (0..blocks.len())
        .filter(|&index| free(index) && blocks[index].edge.is_none() && !blocks[index].rows)
        .filter_map(|index| entry(index, &blocks[index]))
        .collect();
    let mut out = HashMap::new();
    let mut stack: Vec<(f32, Kind)> = Vec::new();
    let mut last: Option<usize> = None;
    for (position, entry) in entries.iter().enumerate() {
        let Some(kind) = settle(&entries, position) else {
            continue;
        };
        let block = &blocks[entry.block];
        let broken = last.is_none_or(|last| {
            let between = &blocks[last + 1..entry.block];
            (last + 1..entry.block).any(|index| heading.contains(&index))
                || between.iter().filter(|b| b.edge.is_none()).count() > REACH
        });
        if broken {
            stack.clear();
        }
        let moved = last.is_some_and(|last| {
            let before = &blocks[last];
            before.page_index != block.page_index || block.rect.top < before.rect.top - block.size()
        });
        let size = block.size();
        if moved {
            // Another column or page: places cannot be compared, kinds can.
            if let Some(depth) = stack.iter().position(|(_, known)| *known == kind) {
                stack.truncate(depth);
            } else {
                stack.clear();
            }
        } else {
            while stack.last().is_some_and(|(left, _)| *left > entry.left + 0.8 * size) {
                stack.pop();
            }
            match stack.last() {
                Some((left, _)) if entry.left > left + 0.8 * size => {}
                // At the same place another kind of marker is one of its own level, if it was not met further out.
                Some((_, known)) if *known == kind => {
                    stack.pop();
                }
                Some(_) => match stack.iter().position(|(_, known)| *known == kind) {
                    Some(depth) => stack.truncate(depth),
                    None if matches!(kind, Kind::Bullet(_)) => {
                        stack.pop();
                    }
                    None => {}
                },
                None => {}
            }
        }
        stack.push((entry.left, kind));
        out.insert(entry.block, u32::try_from(stack.len()).unwrap_or(1));
        last = Some(entry.block);
    }
    out
}

fn entry(index: usize, block: &Block<'_>) -> Option<Entry> {
    let text = block.text.trim();
    let (kinds, values) = if let Some(bullet) = marker::bullet(text) {
        (vec![Kind::Bullet(bullet.chars().next()?)], Vec::new())
    } else {
        readings(marker::numbered(text)?)
    };
    Some(Entry {
        block: index,
        left: block.lines.first()?.rect.left,
        kinds,
        values,
    })
}

/// What a marker can be: `i.` is a letter or a Roman number.
fn readings(marker: &str) -> (Vec<Kind>, Vec<u32>) {
    let inner = marker.trim_start_matches('(').trim_end_matches([')', '.', ':']);
    let closing = marker.chars().last().unwrap_or('.');
    let upper = inner.starts_with(char::is_uppercase);
    let mut out = (Vec::new(), Vec::new());
    let mut add = |kind: Kind, value: u32| {
        out.0.push(kind);
        out.1.push(value);
    };
    if let Ok(value) = inner.parse() {
        add(Kind::Digits { closing }, value);
    }
    if let Some(value) = crate::furniture::roman(inner) {
        add(Kind::Roman { upper, closing }, u32::try_from(value).unwrap_or(0));
    }
    let mut characters = inner.chars();
    if let (Some(letter), None) = (characters.next(), characters.next())
        && letter.is_ascii_alphabetic()
    {
        let value = u32::from(letter.to_ascii_lowercase()) - u32::from('a') + 1;
        add(Kind::Letter { upper, closing }, value);
    }
    out
}

/// Which kind an entry is, by its neighbours; `None` for a number that counts nothing.
fn settle(entries: &[Entry], position: usize) -> Option<Kind> {
    let entry = &entries[position];
    if entry.values.is_empty() {
        let kind = entry.kinds.first();
        // An asterisk alone marks a note.
        let starred = |other: Option<&Entry>| {
            other.is_some_and(|other| other.block.abs_diff(entry.block) <= 2 && other.kinds.first() == kind)
        };
        let before = position.checked_sub(1).and_then(|before| entries.get(before));
        let alone = kind == Some(&Kind::Bullet('*')) && !starred(before) && !starred(entries.get(position + 1));
        return kind.filter(|_| !alone).cloned();
    }
    let neighbours = position.saturating_sub(REACH)..(position + REACH + 1).min(entries.len());
    let counts_with = |kind: &Kind, value: u32| {
        neighbours.clone().any(|other| {
            let entry = &entries[other];
            let mut values = entry.kinds.iter().zip(&entry.values);
            (other < position && values.any(|(k, v)| k == kind && *v + 1 == value))
                || (other > position
                    && entry
                        .kinds
                        .iter()
                        .zip(&entry.values)
                        .any(|(k, v)| k == kind && *v == value + 1))
        })
    };
    let readings = || entry.kinds.iter().zip(&entry.values);
    readings()
        .find(|(kind, value)| counts_with(kind, **value))
        .or_else(|| readings().find(|(_, value)| **value == 1))
        .map(|(kind, _)| kind.clone())
}
