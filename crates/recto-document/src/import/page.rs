//! Pages of a Docling document: sizes, and boxes turned into the frame of the displayed page.

use super::number;
use super::source::{BBox, Origin, Source};
use crate::error::{Error, Result};
use recto_core::{Item, Page, PageRect, Provenance, Rect, TableGrid, TextSource, Word, WordSpan};
use recto_worker::ParseLimits;
use serde::Deserialize;
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};

/// EMU in a point, the unit of slides.
const EMU_PER_POINT: f32 = 12_700.0;
/// Points a page may be wide or high: 200 inches, the most a PDF page has without a unit of its own. What is larger
/// was not measured in points.
const MAX_POINTS: f32 = 14_400.0;

/// The pages; gives the items their boxes and words.
///
/// A Docling document has boxes of items, not of words. A word is given the box of the part of the item it is in, so
/// that a quote found in it is marked as exactly as the document allows.
pub(super) fn pages(source: &Source, items: &mut [Item], limits: &ParseLimits) -> Result<Vec<Page>> {
    let json = &source.json;
    let mut frames: BTreeMap<u32, Frame> = BTreeMap::new();
    for (key, page) in json["pages"].as_object().into_iter().flatten() {
        let number = key.parse().unwrap_or_else(|_| number(&page["page_no"]));
        let side = |name: &str| page["size"][name].as_f64().unwrap_or(0.0) as f32;
        let (width, height) = (side("width"), side("height"));
        let sized = |side: f32| side.is_finite() && side > 0.0;
        if number == 0 || !sized(width) || !sized(height) {
            return Err(Error::Damaged {
                what: "a page in it has no number or no size".into(),
            });
        }
        let scale = if width.max(height) > MAX_POINTS {
            EMU_PER_POINT
        } else {
            1.0
        };
        frames.insert(
            number,
            Frame {
                width: width / scale,
                height: height / scale,
                scale,
                text: String::new(),
                words: Vec::new(),
                lines: 0,
            },
        );
    }
    let last = frames.keys().next_back().copied().unwrap_or(0);
    if last > limits.max_pages {
        return Err(Error::TooLarge {
            what: format!("it has {last} pages, the limit is {}", limits.max_pages),
        });
    }
    let nodes = nodes(json);
    for item in items.iter_mut() {
        if let Some(node) = nodes.get(item.self_ref.trim_end_matches("/chart")) {
            place(item, node, source, &mut frames);
        }
    }
    // Pages that are not named are there all the same: numbers are positions in the file.
    let size = frames
        .values()
        .next()
        .map_or((612.0, 792.0), |frame| (frame.width, frame.height));
    Ok((1..=last)
        .map(|number| match frames.remove(&number) {
            Some(frame) => Page {
                number,
                width: frame.width,
                height: frame.height,
                text: frame.text,
                words: frame.words,
                source: TextSource::Digital,
                ..Page::default()
            },
            None => Page {
                number,
                width: size.0,
                height: size.1,
                ..Page::default()
            },
        })
        .collect())
}

struct Frame {
    width: f32,
    height: f32,
    scale: f32,
    text: String,
    words: Vec<Word>,
    lines: u32,
}

impl Frame {
    /// The rectangle from the top left; nothing for a box without an area.
    fn rect(&self, bbox: BBox) -> Option<Rect> {
        let points = |side: f64| Some(side as f32 / self.scale).filter(|side| side.is_finite());
        let (l, t, r, b) = (points(bbox.l)?, points(bbox.t)?, points(bbox.r)?, points(bbox.b)?);
        let (t, b) = match bbox.coord_origin {
            Origin::TopLeft => (t, b),
            Origin::BottomLeft => (self.height - t, self.height - b),
        };
        let rect = Rect::new(
            l.clamp(0.0, self.width),
            t.clamp(0.0, self.height),
            r.clamp(0.0, self.width),
            b.clamp(0.0, self.height),
        );
        (rect.right > rect.left && rect.bottom > rect.top).then_some(rect)
    }
}

fn nodes(json: &Value) -> HashMap<&str, &Value> {
    ["texts", "tables", "pictures"]
        .iter()
        .flat_map(|kind| json[*kind].as_array().into_iter().flatten())
        .filter_map(|node| Some((node["self_ref"].as_str()?, node)))
        .collect()
}

fn place(item: &mut Item, node: &Value, source: &Source, frames: &mut BTreeMap<u32, Frame>) {
    let parts: Vec<&Value> = node["prov"].as_array().into_iter().flatten().collect();
    // Spans count the characters of the text as it stands in the file; a number put before it moves them.
    let own = node["text"].as_str().unwrap_or_default();
    let shift = item.text.len().saturating_sub(own.len());
    let moved = !own.is_empty() && item.text.ends_with(own);
    for (index, part) in parts.iter().enumerate() {
        let page = number(&part["page_no"]);
        let Some(frame) = frames.get_mut(&page) else {
            continue;
        };
        let Some(rect) = BBox::deserialize(&part["bbox"]).ok().and_then(|bbox| frame.rect(bbox)) else {
            continue;
        };
        let at = PageRect { page, rect };
        let whole = parts.len() == 1 || !moved;
        let (start, end) = match whole {
            true => (if index == 0 { 0 } else { item.text.len() }, item.text.len()),
            false => {
                let span = |which: usize| shift + byte_offset(own, part["charspan"][which].as_u64().unwrap_or(0));
                let start = if index == 0 { 0 } else { span(0) };
                (start, span(1).max(start))
            }
        };
        item.provenance.push(Provenance {
            at,
            start: offset(start),
            end: offset(end),
        });
        if let Some(grid) = &mut item.table {
            place_cells(grid, source, &item.self_ref, page, frame);
        } else {
            words(item, start, end, at, frame);
        }
    }
    if let (Some(grid), Some(first)) = (&item.table, item.provenance.first().copied()) {
        let cells: Vec<(String, PageRect)> = grid
            .cells
            .iter()
            .map(|cell| (cell.text.clone(), cell.at.unwrap_or(first.at)))
            .collect();
        for (text, at) in cells {
            if let Some(frame) = frames.get_mut(&at.page) {
                frame.line(&text, at.rect);
            }
        }
    }
}

fn place_cells(grid: &mut TableGrid, source: &Source, self_ref: &str, page: u32, frame: &Frame) {
    let written = source.cells.get(self_ref).map(Vec::as_slice).unwrap_or_default();
    // A grid is made of the same cells in the same order.
    for (cell, written) in grid.cells.iter_mut().zip(written) {
        let rect = written.bbox.and_then(|bbox| frame.rect(bbox));
        cell.at = cell.at.or(rect.map(|rect| PageRect { page, rect }));
    }
}

/// Puts a part of an item's text on its page, and joins its words with the item's.
fn words(item: &mut Item, start: usize, end: usize, at: PageRect, frame: &mut Frame) {
    let Some(part) = item.text.get(start..end) else {
        return;
    };
    let first = frame.words.len();
    frame.line(part, at.rect);
    let mut from = start;
    for index in first..frame.words.len() {
        let word = &frame.words[index];
        let text = &frame.text[word.start as usize..word.end as usize];
        let Some(found) = item.text[from..end].find(text) else {
            break;
        };
        let span_start = from + found;
        from = span_start + text.len();
        item.words.push(WordSpan {
            start: offset(span_start),
            end: offset(from),
            page: at.page,
            word: offset(index),
        });
    }
}

impl Frame {
    fn line(&mut self, text: &str, rect: Rect) {
        let mut words = text.split_whitespace().peekable();
        if words.peek().is_none() {
            return;
        }
        if !self.text.is_empty() {
            self.text.push_str("\n\n");
        }
        let mut between = false;
        for word in words {
            if between {
                self.text.push(' ');
            }
            between = true;
            let start = offset(self.text.len());
            self.text.push_str(word);
            self.words.push(Word {
                start,
                end: offset(self.text.len()),
                rect,
                line: self.lines,
                font_size: 0.0,
                bold: false,
                italic: false,
                confidence: None,
            });
        }
        self.lines += 1;
    }
}

fn byte_offset(text: &str, characters: u64) -> usize {
    let characters = usize::try_from(characters).unwrap_or(usize::MAX);
    text.char_indices().nth(characters).map_or(text.len(), |(at, _)| at)
}

fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}
