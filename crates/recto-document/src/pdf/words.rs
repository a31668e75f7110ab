//! From glyphs to words, in the order of the content stream.

use super::glyphs::{Glyph, GlyphText, Space};
use recto_core::Rect;

/// A word in its reading frame.
#[derive(Debug, Clone)]
pub(crate) struct RawWord {
    pub(crate) text: String,
    pub(crate) rect: Rect,
    pub(crate) baseline: f32,
    /// Where the first glyph stands, and where a glyph after the last one would.
    pub(crate) start: f32,
    pub(crate) end: f32,
    pub(crate) size: f32,
    pub(crate) bold: bool,
    pub(crate) italic: bool,
    pub(crate) fixed_pitch: bool,
    /// Face and colour of its first glyph.
    pub(crate) face: u32,
    pub(crate) colour: u32,
    /// Position among the words of the page as written; neighbours in the file differ by one.
    pub(crate) sequence: u32,
    /// What separates it from the word written before it.
    pub(crate) space: Space,
    glyphs: u32,
}

impl RawWord {
    /// A word whose place is known and whose glyphs are not.
    pub(crate) fn placed(text: String, rect: Rect, size: f32, sequence: u32) -> Self {
        Self {
            text,
            rect,
            baseline: rect.bottom - 0.25 * size,
            start: rect.left,
            end: rect.right,
            size,
            bold: false,
            italic: false,
            fixed_pitch: false,
            face: 0,
            colour: 0,
            sequence: sequence.saturating_add(1 << 30),
            space: Space::Written,
            glyphs: 1,
        }
    }
}

/// A gap of this many times the font size separates words.
const WORD_GAP: f32 = 0.2;
/// The same where PDFium, which knows the width of the font's space, saw a gap too.
const GUESSED_GAP: f32 = 0.1;

/// Groups the glyphs of one reading frame into words.
pub(crate) fn from_glyphs<'g>(glyphs: impl Iterator<Item = &'g Glyph>) -> Vec<RawWord> {
    let mut words: Vec<RawWord> = Vec::new();
    let mut bold = 0u32;
    let mut italic = 0u32;
    for glyph in glyphs {
        let continues = words.last().is_some_and(|word| belongs(word, glyph));
        if !continues {
            settle(words.last_mut(), bold, italic);
            (bold, italic) = (0, 0);
            words.push(RawWord {
                text: String::new(),
                rect: glyph.rect,
                baseline: glyph.origin.1,
                start: glyph.origin.0,
                end: glyph.end,
                size: glyph.size,
                bold: false,
                italic: false,
                fixed_pitch: glyph.fixed_pitch,
                face: glyph.face,
                colour: glyph.colour,
                sequence: u32::try_from(words.len()).unwrap_or(u32::MAX),
                space: glyph.space,
                glyphs: 0,
            });
        }
        let Some(word) = words.last_mut() else { continue };
        match &glyph.text {
            GlyphText::One(character) => word.text.push(*character),
            GlyphText::Many(characters) => word.text.push_str(characters),
        }
        word.rect = word.rect.union(&glyph.rect);
        word.end = word.end.max(glyph.end);
        word.size = word.size.max(glyph.size);
        word.glyphs += 1;
        bold += u32::from(glyph.bold);
        italic += u32::from(glyph.italic);
    }
    settle(words.last_mut(), bold, italic);
    words
}

fn settle(word: Option<&mut RawWord>, bold: u32, italic: u32) {
    if let Some(word) = word {
        word.bold = bold * 2 > word.glyphs;
        word.italic = italic * 2 > word.glyphs;
    }
}

fn belongs(word: &RawWord, glyph: &Glyph) -> bool {
    let size = word.size.max(glyph.size);
    // Superscripts and new lines leave the baseline; small capitals change the size and stay on it.
    if (glyph.origin.1 - word.baseline).abs() > 0.12 * size {
        return false;
    }
    let gap = glyph.origin.0 - word.end;
    // The pen went back: another column, or a new line on the same baseline.
    if gap < -0.6 * size && glyph.rect.left < word.rect.right - 0.5 * size {
        return same_place(word, glyph);
    }
    match glyph.space {
        Space::Written => false,
        Space::Guessed => gap < GUESSED_GAP * size,
        Space::None => gap < WORD_GAP * size,
    }
}

/// The pieces of a ligature are reported one upon the other.
fn same_place(word: &RawWord, glyph: &Glyph) -> bool {
    glyph.space == Space::None
        && glyph.rect.left >= word.rect.left
        && glyph.rect.right <= word.rect.right + 0.01
        && (glyph.end - word.end).abs() < 0.01
}
