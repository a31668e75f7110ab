//! From PDFium's characters to glyphs on the displayed page: what is invisible, doubled or outside goes.

use super::ffi::{PageText, RawGlyph};
use super::frame::{DisplayFrame, ReadingFrame};
use super::words::RawWord;
use recto_core::Rect;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use unicode_normalization::UnicodeNormalization;

/// A visible glyph, measured in the frame it is read in.
#[derive(Debug, Clone)]
pub(crate) struct Glyph {
    /// What it stands for: one character, or the letters of a ligature.
    pub(crate) text: GlyphText,
    /// Index into [`Glyphs::frames`].
    pub(crate) frame: u16,
    /// Box in the reading frame: around the ink horizontally, from ascent to descent vertically.
    pub(crate) rect: Rect,
    /// Where it stands on the baseline, in the reading frame.
    pub(crate) origin: (f32, f32),
    /// Where the next glyph would stand.
    pub(crate) end: f32,
    /// Displayed font size in points.
    pub(crate) size: f32,
    pub(crate) bold: bool,
    pub(crate) italic: bool,
    pub(crate) fixed_pitch: bool,
    /// Face and colour, as in [`super::ffi::Font`] and [`super::ffi::Run`].
    pub(crate) face: u32,
    pub(crate) colour: u32,
    /// The marked content it belongs to.
    pub(crate) marked: Option<u32>,
    /// What separates it from the glyph before it in the content stream.
    pub(crate) space: Space,
}

/// A character or a decomposed ligature.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum GlyphText {
    One(char),
    Many(String),
}

/// White space before a glyph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) enum Space {
    None,
    /// PDFium saw a gap.
    Guessed,
    /// The file has a space there.
    Written,
}

/// The glyphs of a page.
#[derive(Debug, Default)]
pub(crate) struct Glyphs {
    pub(crate) glyphs: Vec<Glyph>,
    pub(crate) frames: Vec<ReadingFrame>,
    /// Characters that stood on the page but could not be decoded.
    pub(crate) undecoded: u32,
    /// Words of form values, which have no glyphs.
    pub(crate) values: Vec<RawWord>,
}

impl Glyphs {
    /// Where the pieces of marked content with these headings' levels lie on the displayed page.
    pub(crate) fn tagged(&self, levels: &HashMap<u32, u32>) -> Vec<(Rect, u32)> {
        let mut out: BTreeMap<u32, (Rect, u32)> = BTreeMap::new();
        for glyph in self.glyphs.iter().filter(|_| !levels.is_empty()) {
            let Some((id, level)) = glyph.marked.and_then(|id| Some((id, *levels.get(&id)?))) else {
                continue;
            };
            let rect = self.frames[usize::from(glyph.frame)].display(&glyph.rect);
            out.entry(id)
                .and_modify(|(known, _)| *known = known.union(&rect))
                .or_insert((rect, level));
        }
        out.into_values().collect()
    }

    /// Adds words that have no glyphs, upright on the page.
    pub(crate) fn add_values(&mut self, values: Vec<RawWord>) {
        if !values.is_empty() && !self.frames.iter().any(|frame| frame.degrees == 0) {
            self.frames.push(ReadingFrame::along(1.0, 0.0));
        }
        self.values = values;
    }
}

/// Smallest displayed font size that is taken for text.
const MIN_SIZE: f32 = 0.8;
/// Largest; anything larger is a slip of a broken file.
const MAX_SIZE: f32 = 10_000.0;

pub(crate) fn from_page(text: &PageText, frame: &DisplayFrame) -> Glyphs {
    let (width, height) = frame.size();
    let page = Rect::new(0.0, 0.0, width, height);
    let mut out = Glyphs::default();
    let mut frame_of_run: Vec<Option<(u16, f32)>> = vec![None; text.runs.len()];
    let mut seen = Duplicates::with_capacity(text.glyphs.len());
    let mut space = Space::None;
    for raw in &text.glyphs {
        let Some(run_index) = raw.run else {
            space = space.max(Space::Guessed);
            continue;
        };
        let Some(character) = raw.character else {
            out.undecoded += 1;
            continue;
        };
        if character.is_whitespace() || character == '\u{200b}' || character == '\u{feff}' {
            space = Space::Written;
            continue;
        }
        if character.is_control() {
            out.undecoded += 1;
            continue;
        }
        let run = &text.runs[run_index as usize];
        let (frame_index, size) = *frame_of_run[run_index as usize].get_or_insert_with(|| {
            let [a, b, c, d] = run.matrix;
            let (x, y) = frame.direction(a, b);
            let reading = if a == 0.0 && b == 0.0 {
                ReadingFrame::along(1.0, 0.0)
            } else {
                ReadingFrame::along(x, y)
            };
            let index = out
                .frames
                .iter()
                .position(|known| *known == reading)
                .unwrap_or_else(|| {
                    out.frames.push(reading);
                    out.frames.len() - 1
                });
            let size = run.size * c.hypot(d) * frame.unit();
            (u16::try_from(index).unwrap_or(u16::MAX), size as f32)
        });
        if !(MIN_SIZE..=MAX_SIZE).contains(&size) {
            continue;
        }
        let reading = out.frames[frame_index as usize];
        let font = &text.fonts[run.font as usize];
        let Some(shape) = measure(raw, frame, reading, size, (font.ascent, font.descent)) else {
            continue;
        };
        let on_page = reading.display(&shape.rect);
        let (x, y) = on_page.centre();
        if !page.contains(x, y) {
            continue;
        }
        if seen.is_double(character, run_index, frame_index, &shape, size) {
            continue;
        }
        out.glyphs.push(Glyph {
            text: decompose(character),
            frame: frame_index,
            rect: shape.rect,
            origin: shape.origin,
            end: shape.end,
            size,
            bold: font.bold,
            italic: font.italic,
            fixed_pitch: font.fixed_pitch,
            face: font.face,
            colour: run.colour,
            marked: run.marked,
            space,
        });
        space = Space::None;
    }
    out
}

/// A glyph's measures in its reading frame.
struct Shape {
    rect: Rect,
    origin: (f32, f32),
    end: f32,
}

fn measure(
    raw: &RawGlyph,
    frame: &DisplayFrame,
    reading: ReadingFrame,
    size: f32,
    (ascent, descent): (f64, f64),
) -> Option<Shape> {
    let (x, y) = frame.point(raw.origin.0, raw.origin.1);
    let origin = reading.point(x as f32, y as f32);
    let finite = |rect: &Rect| {
        [rect.left, rect.top, rect.right, rect.bottom]
            .iter()
            .all(|edge| edge.is_finite())
    };
    let ink = frame.rect(&raw.ink);
    let advance = frame.rect(&raw.advance);
    if !finite(&ink) || !finite(&advance) || !origin.0.is_finite() || !origin.1.is_finite() {
        return None;
    }
    // Fonts lie about their ascent and descent; a box as tall as two lines would mark two lines.
    let above = if ascent > 0.0 {
        (ascent as f32).clamp(0.6, 1.0)
    } else {
        0.85
    } * size;
    let below = if descent < 0.0 {
        (-descent as f32).clamp(0.1, 0.3)
    } else {
        0.22
    } * size;
    if !reading.is_quarter() {
        // The hull of a slanted glyph says little about where it begins; its origin does.
        let end = origin.0 + 0.5 * size;
        return Some(Shape {
            rect: Rect::new(origin.0, origin.1 - above, end, origin.1 + below),
            origin,
            end,
        });
    }
    let ink = reading.rect(&ink);
    let advance = reading.rect(&advance);
    let end = if advance.width() > 0.0 {
        advance.right
    } else {
        ink.right.max(origin.0)
    };
    let has_ink = ink.width() > 0.0 && ink.height() > 0.0;
    let (left, right) = if has_ink {
        (ink.left, ink.right)
    } else if end > origin.0 {
        (origin.0, end)
    } else {
        (origin.0, origin.0 + 0.3 * size)
    };
    let (mut top, mut bottom) = (origin.1 - above, origin.1 + below);
    if has_ink && ink.height() < 3.0 * size {
        // Accents on capitals, integral signs and the glyphs of picture fonts reach beyond the font's own measures.
        top = top.min(ink.top);
        bottom = bottom.max(ink.bottom);
    }
    Some(Shape {
        rect: Rect::new(left, top, right, bottom),
        origin,
        end,
    })
}

/// Ligatures and presentation forms become the letters they stand for; everything else stays as written.
fn decompose(character: char) -> GlyphText {
    let one = match character {
        // A hyphen glyph is often mapped to the soft hyphen; here it is visible, so it is a hyphen.
        '\u{ad}' | '\u{2010}' | '\u{2011}' => '-',
        // What the symbol fonts of word processors use for bullets.
        '\u{f0b7}' | '\u{f06c}' | '\u{f09f}' => '•',
        '\u{f0a7}' | '\u{f06e}' => '▪',
        '\u{f0d8}' => '➢',
        '\u{f0fc}' => '✓',
        '\u{fb00}'..='\u{fb4f}' | '\u{fb50}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}' => {
            return GlyphText::Many(std::iter::once(character).nfkc().collect());
        }
        other => other,
    };
    GlyphText::One(one)
}

/// Character, reading frame, column and row.
type Cell = (char, u16, i32, i32);

/// A glyph that was seen, and the one seen before it in the same bucket.
struct Seen {
    cell: Cell,
    x: f32,
    y: f32,
    run: u32,
    before: Option<u32>,
}

/// Recognises glyphs drawn twice to look bold or to throw a shadow.
///
/// Only glyphs of different text objects count: the pieces of one ligature lie upon each other too. Every glyph of a file
/// comes by here, so they lie in one list, chained by buckets, rather than in a map of lists.
struct Duplicates {
    newest: Vec<Option<u32>>,
    seen: Vec<Seen>,
}

impl Duplicates {
    /// For about so many glyphs.
    fn with_capacity(glyphs: usize) -> Self {
        Self {
            newest: vec![None; glyphs.next_power_of_two().clamp(64, 1 << 20)],
            seen: Vec::with_capacity(glyphs),
        }
    }

    fn bucket(&self, (character, frame, column, row): Cell) -> usize {
        let parts = [u32::from(character), u32::from(frame), column as u32, row as u32];
        // The golden ratio of 32 bits spreads neighbouring cells.
        let mixed = parts.into_iter().fold(0u32, |mixed, part| {
            (mixed.rotate_left(7) ^ part).wrapping_mul(0x9E37_79B1)
        });
        (mixed ^ (mixed >> 15)) as usize & (self.newest.len() - 1)
    }

    /// What was seen in a cell.
    fn there(&self, cell: Cell) -> impl Iterator<Item = &Seen> {
        let at = |index: u32| self.seen.get(index as usize);
        let first = self.newest[self.bucket(cell)].and_then(at);
        std::iter::successors(first, move |seen| seen.before.and_then(at)).filter(move |seen| seen.cell == cell)
    }

    fn is_double(&mut self, character: char, run: u32, frame: u16, shape: &Shape, size: f32) -> bool {
        const CELL: f32 = 8.0;
        let (x, y) = shape.origin;
        let near = (0.1 * size).min(2.0);
        let column = (x / CELL).floor() as i32;
        let row = (y / CELL).floor() as i32;
        // Only the neighbours the tolerance can reach are looked at.
        let reach = |at: f32, cell: i32| {
            (
                cell - i32::from(at - near < cell as f32 * CELL),
                cell + i32::from(at + near >= (cell + 1) as f32 * CELL),
            )
        };
        let (first_column, last_column) = reach(x, column);
        let (first_row, last_row) = reach(y, row);
        let near_by = |seen: &Seen, near: f32| (seen.x - x).abs() <= near && (seen.y - y).abs() <= near;
        for other_column in first_column..=last_column {
            for other_row in first_row..=last_row {
                let mut there = self.there((character, frame, other_column, other_row));
                if there.any(|seen| seen.run != run && near_by(seen, near)) {
                    return true;
                }
            }
        }
        // A text object can pile any number of glyphs upon one spot; one of them stands for all.
        let cell = (character, frame, column, row);
        if !self
            .there(cell)
            .any(|seen| seen.run == run && near_by(seen, 0.25 * near))
        {
            let bucket = self.bucket(cell);
            let index = u32::try_from(self.seen.len()).ok();
            let before = std::mem::replace(&mut self.newest[bucket], index);
            self.seen.push(Seen {
                cell,
                x,
                y,
                run,
                before,
            });
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ligatures_become_letters_and_symbols_stay() {
        assert_eq!(decompose('ﬁ'), GlyphText::Many("fi".into()));
        assert_eq!(decompose('²'), GlyphText::One('²'));
        assert_eq!(decompose('\u{f0b7}'), GlyphText::One('•'));
    }
}
