//! Cutting an item that is too long for one chunk.

use crate::sentence;
use recto_core::{Item, Label};

/// A stretch of an item's text, in bytes, without white space at its ends.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Piece<'a> {
    pub(crate) item: &'a Item,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

impl<'a> Piece<'a> {
    /// The item's whole text; `None` where it is blank.
    pub(crate) fn whole(item: &'a Item) -> Option<Self> {
        let range = sentence::trim(&item.text, 0..item.text.len());
        (!range.is_empty()).then_some(Self {
            item,
            start: range.start,
            end: range.end,
        })
    }

    pub(crate) fn text(&self) -> &'a str {
        &self.item.text[self.start..self.end]
    }
}

/// Cuts `piece` into pieces that cost at most `room` tokens each: between rows or sentences where these fit, else between
/// words, else between characters. A piece that fits is returned whole.
pub(crate) fn split<'a>(piece: Piece<'a>, room: usize, cost: &dyn Fn(&str) -> usize) -> Vec<Piece<'a>> {
    if cost(piece.text()) <= room {
        return vec![piece];
    }
    // A sentence in a cell is no reason to cut its row.
    let units = match piece.item.label {
        Label::Table => sentence::rows(piece.text()),
        _ => sentence::split(piece.text()),
    };
    let mut found: Vec<Piece<'a>> = Vec::new();
    let mut open: Option<Piece<'a>> = None;
    for unit in units {
        let unit = Piece {
            item: piece.item,
            start: piece.start + unit.start,
            end: piece.start + unit.end,
        };
        let grown = open.map(|open| Piece { end: unit.end, ..open });
        match grown.filter(|grown| cost(grown.text()) <= room) {
            Some(grown) => open = Some(grown),
            None => {
                found.extend(open.take());
                if cost(unit.text()) <= room {
                    open = Some(unit);
                } else {
                    let mut cut = cut(unit, room, cost);
                    open = cut.pop();
                    found.append(&mut cut);
                }
            }
        }
    }
    found.extend(open);
    found
}

/// Cuts a single sentence or row at the last white space that fits, or inside a word where one word alone is too long.
fn cut<'a>(piece: Piece<'a>, room: usize, cost: &dyn Fn(&str) -> usize) -> Vec<Piece<'a>> {
    let text = piece.text();
    let mut found = Vec::new();
    let mut start = 0;
    while start < text.len() {
        let rest = &text[start..];
        let end = start + longest_prefix(rest, room, cost);
        let range = sentence::trim(text, start..end);
        if !range.is_empty() {
            found.push(Piece {
                item: piece.item,
                start: piece.start + range.start,
                end: piece.start + range.end,
            });
        }
        start = end;
    }
    found
}

/// Length in bytes of the longest prefix of `text` that costs at most `room`, ending before white space where there is
/// any; at least one character.
fn longest_prefix(text: &str, room: usize, cost: &dyn Fn(&str) -> usize) -> usize {
    if cost(text) <= room {
        return text.len();
    }
    let words: Vec<usize> = text
        .char_indices()
        .filter(|(at, c)| *at > 0 && c.is_whitespace())
        .map(|(at, _)| at)
        .collect();
    if let Some(end) = last_fitting(&words, text, room, cost) {
        return end;
    }
    let chars: Vec<usize> = text.char_indices().skip(1).map(|(at, _)| at).collect();
    last_fitting(&chars, text, room, cost).unwrap_or_else(|| text.chars().next().map_or(text.len(), char::len_utf8))
}

/// The largest of the ascending offsets whose prefix fits; cost grows with length.
fn last_fitting(ends: &[usize], text: &str, room: usize, cost: &dyn Fn(&str) -> usize) -> Option<usize> {
    let fitting = ends.partition_point(|end| cost(&text[..*end]) <= room);
    fitting.checked_sub(1).map(|last| ends[last])
}
