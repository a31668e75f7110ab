//! Characters that show nothing and only change how other text is shown or read.
//!
//! Documents carry them by accident, and hostile ones on purpose: words broken by zero-width spaces pass filters, direction
//! overrides show a reader other words than a program reads, and tag characters carry whole sentences nobody sees.

use std::borrow::Cow;

/// Whether a character shows nothing: zero-width spaces and joiners, soft hyphens, direction marks, embeddings, overrides
/// and isolates, invisible operators, annotation marks, supplementary variation selectors, tags, and controls other than
/// tab and line breaks.
#[must_use]
pub fn is_invisible(character: char) -> bool {
    matches!(character,
        '\u{ad}'
        | '\u{61c}'
        | '\u{180e}'
        | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{feff}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e0fff}')
        || (character.is_control() && !matches!(character, '\t' | '\n' | '\r'))
}

/// The text as a reader sees it: without [invisible](is_invisible) characters. Joiners stay between letters of scripts
/// that are written with them, and in emoji.
#[must_use]
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(is_invisible) {
        return Cow::Borrowed(text);
    }
    let mut seen = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let joins = matches!(character, '\u{200c}' | '\u{200d}')
            && seen.chars().next_back().is_some_and(is_joined)
            && characters.peek().is_some_and(|next| is_joined(*next));
        if joins || !is_invisible(character) {
            seen.push(character);
        }
    }
    Cow::Owned(seen)
}

/// Whether a character may be written with joiners: letters and marks of Arabic, Indic and other such scripts, and emoji.
fn is_joined(character: char) -> bool {
    matches!(character,
        '\u{600}'..='\u{8ff}' | '\u{900}'..='\u{109f}' | '\u{1780}'..='\u{18af}' | '\u{fb50}'..='\u{fdff}'
        | '\u{fe0f}' | '\u{fe70}'..='\u{fefc}' | '\u{2190}'..='\u{2bff}' | '\u{1f000}'..='\u{1faff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_shows_nothing_goes_and_what_shows_something_stays() {
        for (text, seen) in [
            ("I\u{200b}g\u{200d}n\u{2060}ore\u{feff}", "Ignore"),
            ("total \u{202e}24\u{202c} \u{2066}x\u{2069}\u{200f}", "total 24 x"),
            ("a\u{e0069}\u{e0067}b\u{e0101}", "ab"),
            ("co\u{ad}operate\u{0}\u{1b}[31m\u{9b}", "cooperate[31m"),
            ("line\nand\ttab\r\n", "line\nand\ttab\r\n"),
            ("größe – §4.2(b) 漢字 ✓", "größe – §4.2(b) 漢字 ✓"),
            ("می\u{200c}خواهم", "می\u{200c}خواهم"),
            ("क्\u{200d}ष", "क्\u{200d}ष"),
            (
                "👩\u{200d}🚀 \u{2764}\u{fe0f}\u{200d}🔥",
                "👩\u{200d}🚀 \u{2764}\u{fe0f}\u{200d}🔥",
            ),
            ("", ""),
        ] {
            assert_eq!(visible(text), seen, "{text:?}");
        }
        assert!(matches!(visible("plain text"), Cow::Borrowed(_)));
    }
}
