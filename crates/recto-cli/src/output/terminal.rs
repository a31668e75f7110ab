//! What a terminal may be shown: text without control characters, wrapped to its width, coloured where it wants that.

use std::io::IsTerminal;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The longest escape sequence that is dropped whole. A longer one is no sequence but text that must stay visible.
const LONGEST_SEQUENCE: usize = 2048;

/// How human output is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct View {
    /// Whether colours are used.
    pub(crate) colour: bool,
    /// Columns to wrap at; `None` where output is not a terminal.
    pub(crate) width: Option<usize>,
}

impl View {
    /// Nothing but text: what a file or a pipe gets.
    #[cfg(test)]
    pub(crate) const PLAIN: Self = Self {
        colour: false,
        width: None,
    };

    /// The view that suits standard output.
    pub(crate) fn of_stdout() -> Self {
        if !std::io::stdout().is_terminal() {
            return Self {
                colour: false,
                width: None,
            };
        }
        let columns = comfy_table::Table::new().width().map_or(80, usize::from);
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        let no_colour = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        Self {
            colour: !dumb && !no_colour,
            width: Some(columns.max(20)),
        }
    }

    /// Heavy.
    pub(crate) fn bold(self, text: &str) -> String {
        self.styled("1", text)
    }

    /// Of less weight.
    pub(crate) fn dim(self, text: &str) -> String {
        self.styled("2", text)
    }

    /// In order.
    pub(crate) fn green(self, text: &str) -> String {
        self.styled("32", text)
    }

    /// To be looked at.
    pub(crate) fn yellow(self, text: &str) -> String {
        self.styled("33", text)
    }

    /// Wrong.
    pub(crate) fn red(self, text: &str) -> String {
        self.styled("31", text)
    }

    fn styled(self, code: &str, text: &str) -> String {
        if self.colour && !text.is_empty() {
            format!("\u{1b}[{code}m{text}\u{1b}[0m")
        } else {
            text.to_owned()
        }
    }

    /// `text` in lines that begin with `indent` and fit the width; paragraphs are kept. No line ends in white space.
    pub(crate) fn wrap(self, text: &str, indent: &str) -> String {
        let Some(width) = self.width else {
            let lines: Vec<String> = text
                .lines()
                .map(|line| format!("{indent}{line}").trim_end().to_owned())
                .collect();
            return lines.join("\n");
        };
        let room = width.saturating_sub(indent.width()).max(10);
        let mut lines = Vec::new();
        for paragraph in text.lines() {
            for line in wrap_paragraph(paragraph, room) {
                lines.push(format!("{indent}{line}").trim_end().to_owned());
            }
        }
        lines.join("\n")
    }
}

/// Breaks one paragraph at spaces; a word wider than the line is broken inside, as Chinese and Japanese need anyway.
fn wrap_paragraph(paragraph: &str, room: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut used = 0;
    for word in paragraph.split(' ') {
        let word_width = word.width();
        let is_first = used == 0;
        if !is_first && used + 1 + word_width <= room {
            push(&mut lines, " ");
            push(&mut lines, word);
            used += 1 + word_width;
            continue;
        }
        if !is_first {
            lines.push(String::new());
            used = 0;
        }
        for character in word.chars() {
            let columns = character.width().unwrap_or(0);
            if used + columns > room {
                lines.push(String::new());
                used = 0;
            }
            push(&mut lines, character.encode_utf8(&mut [0; 4]));
            used += columns;
        }
    }
    lines
}

fn push(lines: &mut [String], text: &str) {
    if let Some(line) = lines.last_mut() {
        line.push_str(text);
    }
}

/// `text` as one harmless line: control characters, escape sequences and direction overrides are gone, line breaks and
/// tabs are spaces.
pub(crate) fn one_line(text: &str) -> String {
    clean(text, false)
}

/// As [`one_line`], but line breaks stay.
pub(crate) fn block(text: &str) -> String {
    clean(text, true)
}

/// `text` as one line with single spaces, cut after `limit` characters.
pub(crate) fn snippet(text: &str, limit: usize) -> String {
    let line = one_line(text).split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(limit) {
        None => line,
        Some((end, _)) => {
            let cut = &line[..end];
            // Back to the last whole word, unless that would lose much (a script without spaces).
            let words = cut.rfind(' ').filter(|at| *at > end / 2).map_or(cut, |at| &cut[..at]);
            format!("{words} …")
        }
    }
}

fn clean(text: &str, keep_lines: bool) -> String {
    let mut cleaned = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        if let Some(length) = sequence_length(rest) {
            rest = &rest[length..];
            continue;
        }
        match character {
            '\n' if keep_lines => cleaned.push('\n'),
            '\r' if keep_lines => {}
            '\n' | '\r' | '\t' | '\u{0b}' | '\u{0c}' | '\u{85}' | '\u{2028}' | '\u{2029}' => cleaned.push(' '),
            hidden if is_hidden(hidden) => {}
            shown => cleaned.push(shown),
        }
        rest = &rest[character.len_utf8()..];
    }
    cleaned
}

/// Characters that show nothing and change how other text is shown: controls, direction embeddings, overrides and
/// isolates, annotation marks and tags.
pub(crate) fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// The length in bytes of the terminal's control sequence that `text` begins with, where it is complete.
///
/// An incomplete one is not dropped: its escape character goes, and what follows stays readable, so that no title can
/// hide the words behind it.
fn sequence_length(text: &str) -> Option<usize> {
    let (introducer, body) = if let Some(body) = text.strip_prefix('\u{1b}') {
        let kind = body.chars().next()?;
        (kind, body.get(kind.len_utf8()..)?)
    } else {
        let kind = text.chars().next()?;
        (kind, &text[kind.len_utf8()..])
    };
    let escaped = text.starts_with('\u{1b}');
    let opening = text.len() - body.len();
    match introducer {
        '[' if escaped => control_sequence(body).map(|length| opening + length),
        '\u{9b}' => control_sequence(body).map(|length| opening + length),
        ']' | 'P' | 'X' | '^' | '_' if escaped => control_string(body).map(|length| opening + length),
        '\u{90}' | '\u{98}' | '\u{9d}' | '\u{9e}' | '\u{9f}' => control_string(body).map(|length| opening + length),
        _ => None,
    }
}

/// Parameters, intermediates and the final byte of a control sequence.
fn control_sequence(body: &str) -> Option<usize> {
    let bytes = body.as_bytes();
    let parameters = bytes.iter().take_while(|byte| (0x20..=0x3f).contains(*byte)).count();
    let last = bytes.get(parameters)?;
    (parameters <= LONGEST_SEQUENCE && (0x40..=0x7e).contains(last)).then_some(parameters + 1)
}

/// A string up to its terminator, within one line.
fn control_string(body: &str) -> Option<usize> {
    for (at, character) in body.char_indices() {
        if at > LONGEST_SEQUENCE {
            return None;
        }
        match character {
            '\u{07}' | '\u{9c}' => return Some(at + character.len_utf8()),
            '\u{1b}' => return body[at..].starts_with("\u{1b}\\").then_some(at + 2),
            '\n' | '\r' => return None,
            _ => {}
        }
    }
    None
}

/// A file name made from a title: lower case, letters and digits joined by `-`, at most 60 characters, never empty.
pub(crate) fn slug(title: &str) -> String {
    let mut name = String::new();
    let mut length = 0;
    for character in title.chars().flat_map(char::to_lowercase) {
        // A combining accent belongs to the letter before it and is no reason to cut the word.
        if ('\u{300}'..='\u{36f}').contains(&character) || is_hidden(character) {
            continue;
        }
        if length >= 60 || name.len() >= 150 {
            break;
        }
        if character.is_alphanumeric() {
            name.push(character);
            length += 1;
        } else if !name.is_empty() && !name.ends_with('-') {
            name.push('-');
            length += 1;
        }
    }
    let name = name.trim_end_matches('-');
    if name.is_empty() {
        "document".to_owned()
    } else {
        name.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_never_reach_a_terminal() {
        let cases = [
            ("plain", "plain"),
            ("\u{1b}[31mred\u{1b}[0m", "red"),
            ("\u{1b}]0;owned\u{07}title", "title"),
            ("\u{1b}]8;;http://evil\u{1b}\\link\u{1b}]8;;\u{1b}\\", "link"),
            ("\u{9b}31mred", "red"),
            ("a\u{202e}fdp.exe\u{202c}", "afdp.exe"),
            ("a\u{2066}b\u{2069}", "ab"),
            ("bell\u{07} back\u{08} null\0 del\u{7f}", "bell back null del"),
            ("two\r\nlines\tand a tab", "two  lines and a tab"),
            ("trailing space ", "trailing space "),
        ];
        for (dirty, clean) in cases {
            assert_eq!(one_line(dirty), clean, "{dirty:?}");
        }
    }

    #[test]
    fn an_open_sequence_hides_no_words() {
        assert_eq!(one_line("\u{1b}]0;the words that follow"), "]0;the words that follow");
        assert_eq!(one_line("\u{1b}[12"), "[12");
        assert_eq!(one_line("ends in escape\u{1b}"), "ends in escape");
        assert_eq!(block("\u{1b}]0;first\nsecond\u{07}"), "]0;first\nsecond");
    }

    #[test]
    fn scripts_and_emoji_stay_as_they_are() {
        for text in ["報告 (最終)_Ⅲ.pdf", "👩‍👩‍👧 familie.pdf", "مرحبا", "e\u{301}té"] {
            assert_eq!(one_line(text), text);
        }
    }

    #[test]
    fn a_block_keeps_its_lines() {
        assert_eq!(block("one\r\n\ttwo\u{1b}[2J\n"), "one\n two\n");
    }

    #[test]
    fn text_wraps_at_the_width_and_breaks_what_has_no_spaces() {
        let view = View {
            colour: false,
            width: Some(20),
        };
        assert_eq!(
            view.wrap("the quick brown fox jumps", "  "),
            "  the quick brown\n  fox jumps"
        );
        assert_eq!(view.wrap("漢字漢字漢字漢字漢字", ""), "漢字漢字漢字漢字漢字");
        assert_eq!(view.wrap("漢字漢字漢字漢字漢字漢", ""), "漢字漢字漢字漢字漢字\n漢");
        assert_eq!(View::PLAIN.wrap("one\n\ntwo", "  "), "  one\n\n  two");
    }

    #[test]
    fn a_snippet_ends_at_a_word() {
        assert_eq!(snippet("a few\n\n short   words", 40), "a few short words");
        assert_eq!(snippet("one two three four", 10), "one two …");
    }

    #[test]
    fn a_slug_is_safe_as_a_file_name() {
        let cases = [
            ("Annual Report 2023", "annual-report-2023"),
            ("../../etc/passwd", "etc-passwd"),
            ("C:\\Windows\\system32", "c-windows-system32"),
            ("報告 (最終)_Ⅲ", "報告-最終-ⅲ"),
            ("re\u{301}sume\u{301}", "resume"),
            ("résumé", "résumé"),
            ("--help", "help"),
            (".hidden", "hidden"),
            ("\u{202e}fdp\0\n", "fdp"),
            ("🙂🙂", "document"),
            ("", "document"),
            ("  ", "document"),
        ];
        for (title, expected) in cases {
            assert_eq!(slug(title), expected, "{title:?}");
        }
        let long = slug(&"word ".repeat(100));
        assert!(long.chars().count() <= 60 && !long.ends_with('-'), "{long}");
        assert!(
            slug(&"漢".repeat(300)).len() <= 180,
            "room is left for the page and the ending"
        );
    }

    #[test]
    fn colours_are_left_out_where_they_are_not_wanted() {
        assert_eq!(View::PLAIN.green("ready"), "ready");
        let view = View {
            colour: true,
            width: None,
        };
        assert_eq!(view.green("ready"), "\u{1b}[32mready\u{1b}[0m");
    }
}
