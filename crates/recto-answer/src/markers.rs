//! Citation markers in streamed text.
//!
//! A marker is one or more evidence numbers in square brackets: `[3]`, `[1, 4]`, `[2-5]`, also with full-width or CJK
//! brackets and digits. [`MarkerParser`] reads text in whatever pieces it comes and gives the same output for every way of
//! cutting it: a bracket that may become a marker is held back until it is decided. Numbers that were not supplied are
//! removed and counted. Brackets in code, in block quotes, of four or more digits (years), and bracketed numbers that the
//! evidence itself contains, when they are quoted, stay text.

use std::collections::BTreeSet;

/// Longest bracket that is still considered, in characters.
const LONGEST: usize = 60;
/// Most numbers a range may name.
const WIDEST_RANGE: u32 = 30;

/// What the text is made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// Text to show.
    Text(String),
    /// Citations of these numbers, each supplied, in the order named.
    Marker(Vec<u32>),
}

/// An incremental parser of one reply.
#[derive(Debug, Default)]
pub struct MarkerParser {
    supplied: BTreeSet<u32>,
    literal: BTreeSet<u32>,
    invalid: u32,
    seen: bool,
    line: Line,
    code: Code,
    /// The mark that closes the open quotation.
    quoted: Option<char>,
    escaped: bool,
    /// White space held back, as it goes with a marker that is removed.
    blank: String,
    /// A marker was just removed behind `blank`.
    removed: bool,
    /// An open bracket and what followed it.
    bracket: String,
    out: Vec<Piece>,
}

/// Where in its line the next character stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Line {
    /// Only so many spaces since the line began.
    Start(u8),
    /// Somewhere inside.
    Inside,
    /// In a line of a block quote.
    BlockQuote,
}

impl Default for Line {
    fn default() -> Self {
        Self::Start(0)
    }
}

/// Code that is open, or a run of backticks or tildes that may open or close it.
#[derive(Debug, Default)]
struct Code {
    /// The fence or inline run that is open.
    open: Option<Fence>,
    run: u8,
    run_char: char,
    run_at_start: bool,
    blank_line: bool,
}

#[derive(Debug, Clone, Copy)]
struct Fence {
    mark: char,
    length: u8,
    inline: bool,
}

impl MarkerParser {
    /// A parser for a reply to evidence numbered `supplied`. `literal` are numbers that stand in brackets in the evidence
    /// itself: quoted, they are the document's, not ours.
    #[must_use]
    pub fn new(supplied: BTreeSet<u32>, literal: BTreeSet<u32>) -> Self {
        Self {
            supplied,
            literal,
            ..Self::default()
        }
    }

    /// Reads more text and returns what can be shown now.
    pub fn push(&mut self, text: &str) -> Vec<Piece> {
        for c in text.chars() {
            self.step(c);
        }
        std::mem::take(&mut self.out)
    }

    /// Ends the reply and returns what was held back.
    pub fn finish(&mut self) -> Vec<Piece> {
        if self.removed && self.bracket.is_empty() {
            self.blank.clear();
        }
        self.release();
        std::mem::take(&mut self.out)
    }

    /// Numbers named that were not supplied.
    #[must_use]
    pub fn invalid(&self) -> u32 {
        self.invalid
    }

    /// Whether any marker was found, valid or not.
    #[must_use]
    pub fn any_marker(&self) -> bool {
        self.seen
    }

    fn step(&mut self, c: char) {
        if !self.bracket.is_empty() {
            if closes(c) {
                self.close(c);
                return;
            }
            if (may_continue(c) || self.in_tail(c)) && self.bracket.chars().count() < LONGEST {
                self.bracket.push(c);
                return;
            }
            self.release();
        }
        let in_code = self.track_code(c);
        let ours = !in_code && !self.escaped && self.line != Line::BlockQuote;
        if ours && opens(c) {
            self.bracket.push(c);
            self.track_line(c);
            return;
        }
        if matches!(c, ' ' | '\u{a0}') && !in_code {
            if !self.removed || self.blank.is_empty() {
                self.blank.push(c);
            }
        } else {
            if self.removed && matches!(c, '.' | ',' | ';' | ':' | '!' | '?' | ')' | '。' | '，' | '\n') {
                self.blank.clear();
            }
            self.release();
            self.text_char(c);
        }
        self.escaped = c == '\\' && !self.escaped;
        self.track_quote(c, in_code);
        self.track_line(c);
    }

    /// A bracket was closed: a marker, or text after all.
    fn close(&mut self, c: char) {
        let inside: String = self.bracket.chars().skip(1).collect();
        let ours = |numbers: &Vec<u32>| self.is_ours(numbers) && !self.is_amount(&inside, numbers);
        let Some(numbers) = numbers(&inside).filter(ours) else {
            self.bracket.push(c);
            self.release();
            return;
        };
        self.bracket.clear();
        self.seen = true;
        let mut valid: Vec<u32> = Vec::new();
        for number in numbers {
            if !self.supplied.contains(&number) {
                self.invalid += 1;
            } else if !valid.contains(&number) {
                valid.push(number);
            }
        }
        if valid.is_empty() {
            // The space before it goes too, unless it separates words: what follows decides.
            self.removed = true;
            return;
        }
        self.release();
        self.out.push(Piece::Marker(valid));
    }

    /// Quoted numbers are ours only where they were supplied and the evidence does not print them itself.
    fn is_ours(&self, numbers: &[u32]) -> bool {
        let all_supplied = numbers.iter().all(|number| self.supplied.contains(number));
        let printed = numbers.iter().any(|number| self.literal.contains(number));
        self.quoted.is_none() || (all_supplied && !printed)
    }

    /// `[1,577]` is an amount with its thousands set apart, unless both numbers were supplied.
    fn is_amount(&self, inside: &str, numbers: &[u32]) -> bool {
        let mut groups = inside.split(',');
        let first = groups.next().unwrap_or_default();
        let rest: Vec<&str> = groups.collect();
        let grouped = !rest.is_empty()
            && rest
                .iter()
                .all(|group| group.len() == 3 && group.bytes().all(|b| b.is_ascii_digit()))
            && first.len() <= 3;
        grouped && !numbers.iter().all(|number| self.supplied.contains(number))
    }

    fn release(&mut self) {
        self.removed = false;
        let held = std::mem::take(&mut self.blank) + &std::mem::take(&mut self.bracket);
        for c in held.chars() {
            self.text_char(c);
        }
    }

    fn text_char(&mut self, c: char) {
        if let Some(Piece::Text(text)) = self.out.last_mut() {
            text.push(c);
        } else {
            self.out.push(Piece::Text(c.to_string()));
        }
    }

    /// Some models write `【12†source】`: what follows the dagger is theirs.
    fn in_tail(&self, c: char) -> bool {
        self.bracket.starts_with('【') && c != '\n' && !opens(c) && (c == '†' || self.bracket.contains('†'))
    }

    /// Double quotation marks open and close within a paragraph. German ones close with what opens English ones, and
    /// angle quotes point either way.
    fn track_quote(&mut self, c: char, in_code: bool) {
        if in_code {
            return;
        }
        self.quoted = match (self.quoted, c) {
            (_, '\n') => None,
            (Some(close), c) if c == close => None,
            (Some('“'), '”') => None,
            (None, '"') => Some('"'),
            (None, '“') => Some('”'),
            (None, '„') => Some('“'),
            (None, '«') => Some('»'),
            (None, '»') => Some('«'),
            (None, '「') => Some('」'),
            (None, '『') => Some('』'),
            (open, _) => open,
        };
    }

    fn track_line(&mut self, c: char) {
        self.line = match (self.line, c) {
            (_, '\n') => Line::Start(0),
            (Line::Start(spaces), ' ') if spaces < 3 => Line::Start(spaces + 1),
            (Line::Start(_), '>') => Line::BlockQuote,
            (Line::BlockQuote, _) => Line::BlockQuote,
            _ => Line::Inside,
        };
    }

    /// Follows code spans and fences. Returns whether `c` is inside code.
    fn track_code(&mut self, c: char) -> bool {
        let code = &mut self.code;
        if code.run > 0 && c == code.run_char {
            code.run = code.run.saturating_add(1);
            return true;
        }
        if code.run > 0 {
            code.end_run();
        }
        let at_start = matches!(self.line, Line::Start(_));
        if c == '`' || (c == '~' && at_start) {
            code.run = 1;
            code.run_char = c;
            code.run_at_start = at_start;
            code.blank_line = false;
            return true;
        }
        if c == '\n' {
            // A code span ends with its paragraph at the latest.
            if code.blank_line && code.open.is_some_and(|open| open.inline) {
                code.open = None;
            }
            code.blank_line = true;
        } else if !c.is_whitespace() {
            code.blank_line = false;
        }
        code.open.is_some()
    }
}

impl Code {
    /// A run of marks is over: it opens or closes code, or is text.
    fn end_run(&mut self) {
        let length = std::mem::take(&mut self.run);
        let fence = self.run_at_start && length >= 3;
        match self.open {
            None if fence || self.run_char == '`' => {
                self.open = Some(Fence {
                    mark: self.run_char,
                    length,
                    inline: !fence,
                });
            }
            Some(open) if open.mark == self.run_char => {
                let closes = if open.inline {
                    length == open.length
                } else {
                    fence && length >= open.length
                };
                if closes {
                    self.open = None;
                }
            }
            _ => {}
        }
    }
}

fn opens(c: char) -> bool {
    matches!(c, '[' | '［' | '【' | '〔' | '〖')
}

fn closes(c: char) -> bool {
    matches!(c, ']' | '］' | '】' | '〕' | '〗')
}

fn is_comma(c: char) -> bool {
    matches!(c, ',' | ';' | '，' | '、' | '；')
}

fn is_dash(c: char) -> bool {
    matches!(c, '-' | '‐' | '‑' | '–' | '—' | '－' | '~' | '～')
}

fn may_continue(c: char) -> bool {
    digit(c).is_some() || is_comma(c) || is_dash(c) || matches!(c, ' ' | '\u{a0}' | '\u{3000}')
}

fn digit(c: char) -> Option<u32> {
    match c {
        '０'..='９' => Some(u32::from(c) - u32::from('０')),
        _ => c.to_digit(10),
    }
}

/// The numbers named inside a bracket, or `None` where it is no marker.
fn numbers(inside: &str) -> Option<Vec<u32>> {
    let mut found = Vec::new();
    let inside = inside.split('†').next().unwrap_or_default();
    for part in inside.split(is_comma) {
        match part.split_once(is_dash) {
            None => found.push(number(part)?),
            Some((first, last)) => {
                let (first, last) = (number(first)?, number(last)?);
                if last < first || last - first > WIDEST_RANGE {
                    return None;
                }
                found.extend(first..=last);
            }
        }
    }
    Some(found)
}

/// One to three digits; more is a year or a figure.
fn number(text: &str) -> Option<u32> {
    let text = text.trim();
    let count = text.chars().count();
    if !(1..=3).contains(&count) {
        return None;
    }
    text.chars().try_fold(0, |value, c| Some(value * 10 + digit(c)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The text as shown, markers written `[n]`.
    fn shown(pieces: &[Piece]) -> String {
        pieces
            .iter()
            .map(|piece| match piece {
                Piece::Text(text) => text.clone(),
                Piece::Marker(numbers) => numbers.iter().map(|n| format!("[{n}]")).collect(),
            })
            .collect()
    }

    fn cited(pieces: &[Piece]) -> Vec<u32> {
        pieces
            .iter()
            .filter_map(|piece| match piece {
                Piece::Marker(numbers) => Some(numbers.clone()),
                Piece::Text(_) => None,
            })
            .flatten()
            .collect()
    }

    fn parser() -> MarkerParser {
        MarkerParser::new([1, 2, 3, 4, 7, 12].into(), [7].into())
    }

    fn parse(text: &str) -> (String, Vec<u32>, u32) {
        let mut parser = parser();
        let mut pieces = parser.push(text);
        pieces.extend(parser.finish());
        (shown(&pieces), cited(&pieces), parser.invalid())
    }

    #[test]
    fn every_form_of_marker_is_understood() {
        for (text, numbers) in [
            ("a [3].", vec![3]),
            ("a [1, 4].", vec![1, 4]),
            ("a [1;4]", vec![1, 4]),
            ("a [2-4]", vec![2, 3, 4]),
            ("a [ 2 – 3 ]", vec![2, 3]),
            ("a【12】", vec![12]),
            ("a［１，２］", vec![1, 2]),
            ("a〔3〕", vec![3]),
            ("a [1][2]", vec![1, 2]),
            ("a [1] [2]", vec![1, 2]),
            ("a [3, 3]", vec![3]),
        ] {
            assert_eq!(parse(text).1, numbers, "{text}");
        }
        assert_eq!(parse("a [1, 4].").0, "a [1][4].");
    }

    #[test]
    fn what_is_not_ours_stays_text() {
        for text in [
            "in [2023] and [1234]",
            "`list[1]` and ``a[2]`b``",
            "```\nx[1]\n```\n",
            "~~~\n[1]\n~~~\n",
            "> as they said [1]\n",
            "   > indented [2]\n",
            "the text says \"as shown in [7] above\"",
            "“see [9] there”",
            "\\[1] escaped",
            "[a] [1a] [] [ ] [1-] [x, 1]",
            "an open [1",
            "[^1] footnote",
        ] {
            let (shown, numbers, invalid) = parse(text);
            assert_eq!(
                (shown.as_str(), numbers.as_slice(), invalid),
                (text, [].as_slice(), 0),
                "{text}"
            );
        }
    }

    #[test]
    fn markers_resume_after_code_quotes_and_block_quotes() {
        for text in [
            "`x[2]` then [1]",
            "```\nx[2]\n```\nthen [1]",
            "> q [2]\n\nthen [1]",
            "\"q [7]\" then [1]",
            "a ` lone tick\n\nthen [1]",
            "5\" wide\nthen [1]",
        ] {
            assert_eq!(parse(text).1, [1], "{text}");
        }
        assert_eq!(
            parse("He said \"it rose [1].\"").1,
            [1],
            "a supplied number the evidence does not print"
        );
    }

    #[test]
    fn made_up_numbers_are_removed_and_counted() {
        assert_eq!(parse("Blue [9]."), ("Blue.".to_owned(), vec![], 1));
        assert_eq!(parse("Blue [9] sky [1, 99]."), ("Blue sky [1].".to_owned(), vec![1], 2));
        assert_eq!(parse("Blue [5-6]"), ("Blue".to_owned(), vec![], 2));
        let mut parser = parser();
        parser.push("Blue [99].");
        assert!(parser.any_marker());
    }

    fn adversarial() -> impl Strategy<Value = String> {
        let part = prop_oneof![
            Just("[1]"),
            Just("[1, 2]"),
            Just("[2-4]"),
            Just("[99]"),
            Just("[2023]"),
            Just("[7]"),
            Just("【3】"),
            Just("［４］"),
            Just("`"),
            Just("```"),
            Just("\n"),
            Just("\n\n"),
            Just("> "),
            Just("\""),
            Just("“"),
            Just("”"),
            Just(" "),
            Just("word"),
            Just("["),
            Just("]"),
            Just("\\"),
            Just("é"),
            Just(". "),
            Just("~~~"),
            Just("1"),
            Just(","),
            Just("-"),
        ];
        prop::collection::vec(part, 0..24).prop_map(|parts| parts.concat())
    }

    proptest! {
        #[test]
        fn the_output_is_the_same_for_every_way_of_cutting(text in adversarial(), cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..8)) {
            let whole = parse(&text);
            let chars: Vec<char> = text.chars().collect();
            let mut ends: Vec<usize> = cuts.iter().map(|cut| cut.index(chars.len() + 1)).collect();
            ends.push(chars.len());
            ends.sort_unstable();
            let mut parser = parser();
            let mut pieces = Vec::new();
            let mut start = 0;
            for end in ends {
                pieces.extend(parser.push(&chars[start..end].iter().collect::<String>()));
                start = end;
            }
            pieces.extend(parser.finish());
            prop_assert_eq!((shown(&pieces), cited(&pieces), parser.invalid()), whole.clone());
            let mut single = self::parser();
            let mut pieces: Vec<Piece> = chars.iter().flat_map(|c| single.push(&c.to_string())).collect();
            pieces.extend(single.finish());
            prop_assert_eq!((shown(&pieces), cited(&pieces), single.invalid()), whole);
        }
    }
}
