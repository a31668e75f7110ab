//! From glyphs to words, in the order of the content stream; words of scripts that run from right to left by where their
//! glyphs stand, because files write them in either order.

use super::glyphs::{Glyph, GlyphText, Space};
use recto_core::Rect;
use serde::{Deserialize, Serialize};

/// A word in its reading frame.
#[derive(Debug, Clone, Serialize, Deserialize)]
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
    /// For a word that was recognised from pixels.
    pub(crate) recognition: Option<Recognition>,
    /// Set for what is no word but keeps the place of a table: its index among the tables of the page.
    pub(crate) table: Option<usize>,
    glyphs: u32,
}

/// What is known of a recognised word.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct Recognition {
    /// In percent.
    pub(crate) confidence: u8,
    /// Where it is on the displayed page; its own box is as if the page had not been scanned askew.
    pub(crate) on_page: Rect,
}

impl RawWord {
    /// A word that begins with this glyph, which it does not have yet.
    fn begun(glyph: &Glyph, count: usize) -> Self {
        Self {
            text: String::new(),
            rect: glyph.rect,
            baseline: glyph.origin.1,
            start: glyph.origin.0,
            end: glyph.end,
            size: glyph.size,
            bold: glyph.bold,
            italic: glyph.italic,
            fixed_pitch: glyph.fixed_pitch,
            face: glyph.face,
            colour: glyph.colour,
            sequence: u32::try_from(count).unwrap_or(u32::MAX),
            space: glyph.space,
            recognition: None,
            table: None,
            glyphs: 0,
        }
    }

    fn take(&mut self, glyph: &Glyph) {
        match &glyph.text {
            GlyphText::One(character) => self.text.push(*character),
            GlyphText::Many(characters) => self.text.push_str(characters),
        }
        self.rect = self.rect.union(&glyph.rect);
        self.end = self.end.max(glyph.end);
        self.size = self.size.max(glyph.size);
        self.glyphs += 1;
    }

    /// Keeps the place of a table while the words around it are put in order.
    pub(crate) fn in_place_of_table(index: usize, rect: Rect, size: f32) -> Self {
        Self {
            table: Some(index),
            ..Self::placed(String::new(), rect, size, 0)
        }
    }

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
            recognition: None,
            table: None,
            glyphs: 1,
        }
    }

    /// A word recognised from pixels: its box, baseline and font size in its reading frame.
    pub(crate) fn recognised(
        text: String,
        rect: Rect,
        (baseline, size): (f32, f32),
        sequence: u32,
        confidence: u8,
        on_page: Rect,
    ) -> Self {
        // Recognition has seen the space before the word; nothing may be joined for want of a gap.
        Self {
            baseline,
            sequence,
            recognition: Some(Recognition { confidence, on_page }),
            ..Self::placed(text, rect, size, 0)
        }
    }
}

/// A gap of this many times the font size separates words.
const WORD_GAP: f32 = 0.2;
/// The same where PDFium, which knows the width of the font's space, saw a gap too.
const GUESSED_GAP: f32 = 0.1;
/// The same in italics, whose letters lean over what follows: an `f` reaches far into the space behind it.
const GUESSED_GAP_ITALIC: f32 = 0.03;

/// Groups the glyphs of one reading frame into words.
pub(crate) fn from_glyphs<'g>(glyphs: impl Iterator<Item = &'g Glyph>) -> Vec<RawWord> {
    let mut backwards: Vec<&Glyph> = Vec::new();
    let mut words: Vec<RawWord> = Vec::new();
    let mut bold = 0u32;
    let mut italic = 0u32;
    for glyph in glyphs {
        if glyph_runs_backwards(glyph) {
            backwards.push(glyph);
            continue;
        }
        let continues = words.last().is_some_and(|word| belongs(word, glyph));
        if !continues {
            settle(words.last_mut(), bold, italic);
            (bold, italic) = (0, 0);
            words.push(RawWord {
                bold: false,
                italic: false,
                ..RawWord::begun(glyph, words.len())
            });
        }
        let Some(word) = words.last_mut() else { continue };
        word.take(glyph);
        bold += u32::from(glyph.bold);
        italic += u32::from(glyph.italic);
    }
    settle(words.last_mut(), bold, italic);
    right_to_left(backwards, &mut words);
    words
}

/// Whether a character belongs to a script that runs from right to left. Digits run from left to right everywhere.
pub(crate) fn runs_backwards(character: char) -> bool {
    matches!(character, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}')
        && !matches!(character, '\u{660}'..='\u{66c}' | '\u{6f0}'..='\u{6f9}')
}

fn glyph_runs_backwards(glyph: &Glyph) -> bool {
    match &glyph.text {
        GlyphText::One(character) => runs_backwards(*character),
        GlyphText::Many(characters) => characters.chars().next().is_some_and(runs_backwards),
    }
}

/// A gap of this many times the font size separates words whose letters join or touch.
const JOINED_GAP: f32 = 0.1;

/// Groups glyphs that are read from right to left, line by line.
fn right_to_left(mut glyphs: Vec<&Glyph>, words: &mut Vec<RawWord>) {
    glyphs.sort_by(|a, b| a.origin.1.total_cmp(&b.origin.1));
    let mut start = 0;
    for end in 1..=glyphs.len() {
        let same_line = glyphs
            .get(end)
            .is_some_and(|glyph| (glyph.origin.1 - glyphs[end - 1].origin.1).abs() <= 0.12 * glyph.size);
        if same_line {
            continue;
        }
        let line = &mut glyphs[start..end];
        // Vowel signs stand over their letter and are read after it.
        let place = |glyph: &Glyph| glyph.rect.centre().0 - if is_mark(glyph) { 0.05 * glyph.size } else { 0.0 };
        // The letters of one ligature lie upon each other; PDFium hands them over from left to right.
        line.reverse();
        line.sort_by(|a, b| place(b).total_cmp(&place(a)));
        let mut open = false;
        for glyph in line.iter() {
            let joins = open
                && words
                    .last()
                    .is_some_and(|word| is_mark(glyph) || word.start - glyph.end < JOINED_GAP * glyph.size);
            if !joins {
                words.push(RawWord::begun(glyph, words.len()));
                open = true;
            }
            if let Some(word) = words.last_mut() {
                word.take(glyph);
                word.start = word.start.min(glyph.origin.0);
                word.bold &= glyph.bold;
                word.italic &= glyph.italic;
            }
        }
        start = end;
    }
}

fn is_mark(glyph: &Glyph) -> bool {
    matches!(
        glyph.text,
        GlyphText::One(
            '\u{591}'..='\u{5c7}' | '\u{610}'..='\u{61a}' | '\u{64b}'..='\u{65f}' | '\u{670}' | '\u{6d6}'..='\u{6ed}',
        )
    )
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
        Space::Guessed if glyph.italic => gap < GUESSED_GAP_ITALIC * size,
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

#[cfg(test)]
mod tests {
    use super::super::lines;
    use super::*;

    /// Letters ten points wide side by side from `left` on, as the eye sees them.
    fn seen(letters: &str, left: f32) -> Vec<Glyph> {
        let place = |index: usize| left + 10.0 * index as f32;
        letters
            .chars()
            .enumerate()
            .filter(|(_, letter)| *letter != ' ')
            .map(|(index, letter)| Glyph {
                text: GlyphText::One(letter),
                frame: 0,
                rect: Rect::new(place(index), 0.0, place(index) + 10.0, 12.0),
                origin: (place(index), 10.0),
                end: place(index) + 10.0,
                size: 12.0,
                bold: false,
                italic: false,
                fixed_pitch: false,
                face: 1,
                colour: 0,
                marked: None,
                space: Space::None,
            })
            .collect()
    }

    fn read(glyphs: &[Glyph]) -> Vec<String> {
        let line = lines::group(from_glyphs(glyphs.iter()));
        assert_eq!(line.len(), 1);
        line[0].words.iter().map(|word| word.text.clone()).collect()
    }

    #[test]
    fn hebrew_is_read_from_right_to_left_whichever_way_it_was_written_and_numbers_the_other_way() {
        // "שלום עולם 2024" as it stands on the page.
        let mut glyphs = seen("2024 םלוע םולש", 0.0);
        let expected = ["שלום", "עולם", "2024"];
        assert_eq!(read(&glyphs), expected);
        let (digits, mut letters) = (glyphs[..4].to_vec(), glyphs[4..].to_vec());
        letters.reverse();
        glyphs = letters.into_iter().chain(digits).collect();
        assert_eq!(read(&glyphs), expected);
    }

    #[test]
    fn latin_words_in_a_line_from_right_to_left_keep_their_order() {
        let seen = seen(".בתכמ SQL server תונכתה", 0.0);
        assert_eq!(read(&seen), ["התכנות", "SQL", "server", "מכתב."]);
    }

    #[test]
    fn brackets_open_on_the_side_where_reading_begins() {
        assert_eq!(read(&seen("גד (אב) גד", 0.0)).join(" "), "דג (בא) דג");
    }
}
