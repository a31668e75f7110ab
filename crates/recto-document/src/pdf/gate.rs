//! Whether the text of a page can be believed.
//!
//! A font without a map to characters, or with a wrong one, draws the right shapes and gives the wrong letters. Such a
//! page is treated as if it had no text layer: what fails here is never indexed as text.

use super::glyphs::{GlyphText, Glyphs};
use super::words::RawWord;

/// Share of characters that may be undecodable: a page of formulas has some, a page in a broken font has little else.
const MAX_BAD: f32 = 0.15;
/// Fewest words from which letter statistics say anything.
const MIN_WORDS: usize = 30;
/// Share of the words of three and more Latin letters that have a vowel: all but the acronyms. In shifted alphabets
/// it is about one half of this.
const MIN_VOWELS: f32 = 0.45;
/// The commonest letters of the languages in Latin script, and their share of all: about six tenths, of a shifted or
/// mixed up alphabet three to four.
const COMMON: &str = "eainrtos";
const MIN_COMMON: f32 = 0.47;
/// Fewest letters from which that share says anything.
const MIN_LETTERS: usize = 150;
/// Share of words in which every letter stands twice.
const MAX_DOUBLED: f32 = 0.5;

/// Whether the glyphs and the words made of them are text.
pub(crate) fn is_text<'w>(glyphs: &Glyphs, words: impl Iterator<Item = &'w RawWord> + Clone) -> bool {
    decodes(glyphs) && looks_written(words)
}

fn decodes(glyphs: &Glyphs) -> bool {
    let undecodable = |text: &GlyphText| match text {
        GlyphText::One(character) => matches!(character, '\u{e000}'..='\u{f8ff}' | '\u{fffd}' | '\u{f0000}'..),
        GlyphText::Many(_) => false,
    };
    let bad = glyphs.undecoded as usize + glyphs.glyphs.iter().filter(|g| undecodable(&g.text)).count();
    let all = glyphs.undecoded as usize + glyphs.glyphs.len();
    bad as f32 <= MAX_BAD * all as f32
}

fn looks_written<'w>(words: impl Iterator<Item = &'w RawWord> + Clone) -> bool {
    let latin = words.clone().filter_map(|word| {
        let text = word.text.trim_matches(|c: char| c.is_ascii_punctuation());
        (text.len() >= 3 && text.chars().all(|c| c.is_ascii_alphabetic())).then_some(text)
    });
    let (mut all, mut voiced) = (0usize, 0usize);
    for text in latin {
        all += 1;
        voiced += usize::from(text.contains(['a', 'e', 'i', 'o', 'u', 'y', 'A', 'E', 'I', 'O', 'U', 'Y']));
    }
    if all >= MIN_WORDS && (voiced as f32) < MIN_VOWELS * all as f32 {
        return false;
    }
    let (mut letters, mut common) = (0usize, 0usize);
    let all = words.clone().flat_map(|word| word.text.chars());
    for letter in all.filter(char::is_ascii_alphabetic) {
        letters += 1;
        common += usize::from(COMMON.contains(letter.to_ascii_lowercase()));
    }
    if letters >= MIN_LETTERS && (common as f32) < MIN_COMMON * letters as f32 {
        return false;
    }
    let (mut long, mut doubled) = (0usize, 0usize);
    for word in words {
        let letters: Vec<char> = word.text.chars().collect();
        if letters.len() >= 4 && letters.iter().all(|c| c.is_alphabetic()) {
            long += 1;
            doubled += usize::from(letters.len().is_multiple_of(2) && letters.chunks(2).all(|pair| pair[0] == pair[1]));
        }
    }
    long < 5 || (doubled as f32) <= MAX_DOUBLED * long as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use recto_core::Rect;

    fn believed(text: &str) -> bool {
        let words: Vec<RawWord> = text
            .split_whitespace()
            .map(|word| RawWord::recognised(word.into(), Rect::default(), (0.0, 10.0), 0, 100, Rect::default()))
            .collect();
        is_text(&Glyphs::default(), words.iter())
    }

    const PLAIN: &str = "The Company designs and sells a range of products and related services to customers all over \
                         the world, and its fiscal year is the period that ends on the last Saturday of September each \
                         year; net sales grew by seven percent in the first quarter";

    #[test]
    fn ordinary_text_passes() {
        assert!(believed(PLAIN));
        assert!(
            believed("AAPL MSFT 1,577 (12) $ 4.5 % Q3 FY23 kWh GmbH"),
            "too few words to judge"
        );
        assert!(
            believed("Отчёт о прибылях и убытках за год "),
            "other scripts have no Latin vowels"
        );
    }

    #[test]
    fn a_shifted_alphabet_does_not() {
        for shift in 1..26 {
            let move_on = |c: char| match c {
                'a'..='z' => char::from((c as u8 - b'a' + shift) % 26 + b'a'),
                other => other,
            };
            let shifted: String = PLAIN.chars().map(move_on).collect();
            assert!(!believed(&shifted), "{shift}: {shifted}");
        }
    }

    #[test]
    fn doubled_letters_do_not() {
        let doubled: String = PLAIN
            .chars()
            .flat_map(|c| std::iter::repeat_n(c, if c.is_alphabetic() { 2 } else { 1 }))
            .collect();
        assert!(!believed(&doubled));
    }

    #[test]
    fn undecodable_characters_do_not() {
        let glyphs = Glyphs {
            undecoded: 5,
            ..Glyphs::default()
        };
        assert!(!is_text(&glyphs, std::iter::empty()));
    }
}
