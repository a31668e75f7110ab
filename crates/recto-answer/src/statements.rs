//! A reply in statements, each with its sources, turned into text with markers while it comes.
//!
//! Where a model's output is held to a JSON schema it can only name numbers that were offered. The form is
//! `{"statements": [{"text": "…", "sources": [1, 4]}]}`; what is shown is the same as if the model had written prose: the
//! text as it comes, each statement's markers before its full stop. A reply that is no JSON is prose and stays it.

use serde_json::{Value, json};

/// The JSON schema of such a reply, its sources limited to `numbers`.
pub(crate) fn schema(numbers: &[u32]) -> Value {
    json!({
        "type": "object",
        "properties": {
            "statements": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "text": {"type": "string"},
                        "sources": {"type": "array", "items": {"type": "integer", "enum": numbers}},
                    },
                    "required": ["text", "sources"],
                    "additionalProperties": false,
                },
            },
        },
        "required": ["statements"],
        "additionalProperties": false,
    })
}

/// What the reply turned out to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Kind {
    /// Nothing but white space came yet.
    #[default]
    Unknown,
    /// Statements.
    Json,
    /// Something else, passed on as it is.
    Prose,
}

/// Where in a string the next character stands.
#[derive(Debug)]
enum Escape {
    /// Behind a backslash.
    Begun,
    /// Digits of `\u` so far.
    Code(String),
}

/// Reads such a reply in whatever pieces it comes; the text is the same for every way of cutting it.
#[derive(Debug, Default)]
pub(crate) struct Statements {
    kind: Kind,
    /// The open string, where it is one that is kept: a key.
    key: String,
    in_string: bool,
    escape: Option<Escape>,
    /// The first half of a pair of code units.
    high: Option<u32>,
    /// Behind a colon, before the value ends.
    is_value: bool,
    in_sources: bool,
    number: String,
    sources: Vec<u32>,
    /// Whether this statement has shown text, and whether any has.
    begun: bool,
    any: bool,
    /// Whether any statement named a source.
    cited: bool,
    /// Full stops, closing quotes and spaces at the end of what was shown: markers go before them.
    held: String,
    /// The last character shown, which may have been returned already.
    last: Option<char>,
    out: String,
}

impl Statements {
    /// Reads more of the reply and returns the text that can be shown now.
    pub(crate) fn push(&mut self, delta: &str) -> String {
        for c in delta.chars() {
            self.step(c);
        }
        std::mem::take(&mut self.out)
    }

    /// Ends the reply and returns what was held back. A statement that was cut off is shown as far as it came.
    pub(crate) fn finish(&mut self) -> String {
        if self.kind == Kind::Json {
            self.end_statement();
        }
        std::mem::take(&mut self.out)
    }

    /// Whether there are statements, and none of them names a source.
    pub(crate) fn is_declared_bare(&self) -> bool {
        self.kind == Kind::Json && self.any && !self.cited
    }

    fn step(&mut self, c: char) {
        match self.kind {
            Kind::Unknown if c.is_whitespace() => {}
            Kind::Unknown if c == '{' => self.kind = Kind::Json,
            Kind::Unknown => {
                self.kind = Kind::Prose;
                self.out.push(c);
            }
            Kind::Prose => self.out.push(c),
            Kind::Json if self.in_string => self.in_string(c),
            Kind::Json => self.between(c),
        }
    }

    fn between(&mut self, c: char) {
        match c {
            '"' => {
                self.in_string = true;
                if !self.is_value {
                    self.key.clear();
                }
            }
            ':' => self.is_value = true,
            '[' if self.is_value && self.key == "sources" => self.in_sources = true,
            '[' | '{' => self.is_value = false,
            ']' if self.in_sources => {
                self.end_number();
                self.in_sources = false;
            }
            ',' if self.in_sources => self.end_number(),
            ',' => self.is_value = false,
            '}' => {
                self.is_value = false;
                self.end_statement();
            }
            '0'..='9' if self.in_sources => self.number.push(c),
            _ => {}
        }
    }

    fn in_string(&mut self, c: char) {
        match self.escape.take() {
            Some(Escape::Begun) => match c {
                'n' => self.letter('\n'),
                't' => self.letter('\t'),
                'r' | 'b' | 'f' => {}
                'u' => self.escape = Some(Escape::Code(String::new())),
                other => self.letter(other),
            },
            Some(Escape::Code(mut digits)) => {
                digits.push(c);
                if digits.chars().count() < 4 {
                    self.escape = Some(Escape::Code(digits));
                } else {
                    self.code_unit(u32::from_str_radix(&digits, 16).unwrap_or(0xfffd));
                }
            }
            None => match c {
                '\\' => self.escape = Some(Escape::Begun),
                '"' => self.in_string = false,
                other => self.letter(other),
            },
        }
    }

    fn code_unit(&mut self, unit: u32) {
        match (self.high.take(), unit) {
            (_, 0xd800..=0xdbff) => self.high = Some(unit),
            (Some(high), 0xdc00..=0xdfff) => {
                let joined = 0x10000 + ((high - 0xd800) << 10) + (unit - 0xdc00);
                self.letter(char::from_u32(joined).unwrap_or('\u{fffd}'));
            }
            _ => self.letter(char::from_u32(unit).unwrap_or('\u{fffd}')),
        }
    }

    /// A character of a string.
    fn letter(&mut self, c: char) {
        if !self.is_value {
            self.key.push(c);
        } else if self.key == "text" {
            self.show(c);
        }
    }

    fn show(&mut self, c: char) {
        if !self.begun {
            if c.is_whitespace() && c != '\n' {
                return;
            }
            // Statements stand in a row; entries of lists, headings and rows of tables on lines of their own.
            if self.any && c != '\n' && self.last != Some('\n') {
                self.emit(if matches!(c, '-' | '*' | '#' | '|') { "\n" } else { " " });
            }
            self.begun = true;
            self.any = true;
        }
        if c.is_whitespace() || matches!(c, '.' | '!' | '?' | '…' | '"' | '”' | '’' | '»' | ')' | '。') {
            self.held.push(c);
        } else {
            let held = std::mem::take(&mut self.held);
            self.emit(&held);
            self.emit(c.encode_utf8(&mut [0; 4]));
        }
    }

    fn emit(&mut self, text: &str) {
        self.last = text.chars().next_back().or(self.last);
        self.out.push_str(text);
    }

    fn end_number(&mut self) {
        if let Ok(number) = self.number.parse()
            && !self.sources.contains(&number)
        {
            self.sources.push(number);
        }
        self.number.clear();
    }

    fn end_statement(&mut self) {
        self.end_number();
        if self.begun {
            self.cited |= !self.sources.is_empty();
            let markers: String = self.sources.iter().map(|number| format!("[{number}]")).collect();
            if !markers.is_empty() {
                self.emit(" ");
                self.emit(&markers);
            }
            let held = std::mem::take(&mut self.held);
            self.emit(held.trim_end_matches(' '));
        }
        self.held.clear();
        self.sources.clear();
        self.begun = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(reply: &str, cuts: &[usize]) -> String {
        let mut statements = Statements::default();
        let mut text = String::new();
        let mut from = 0;
        for cut in cuts.iter().copied().chain([reply.len()]) {
            let to = reply.floor_char_boundary(cut).max(from);
            text += &statements.push(&reply[from..to]);
            from = to;
        }
        text + &statements.finish()
    }

    const REPLY: &str = r#" {"statements": [{"text": "Sales rose.", "sources": [3, 1, 3]},
        {"text": "He said \"so \ud83d\ude80 \u00e9\".", "sources": []}, {"sources": [12], "text": "- a {row}: [7], 5\n"},
        {"text": "It ends", "sources": [1"#;

    #[test]
    fn statements_become_text_with_markers_before_their_full_stops() {
        assert_eq!(
            read(REPLY, &[]),
            "Sales rose [3][1]. He said \"so 🚀 é\".\n- a {row}: [7], 5 [12]\nIt ends [1]"
        );
        for (reply, text) in [
            (r#"{"statements": []}"#, ""),
            ("Plain prose [3], {not} JSON.", "Plain prose [3], {not} JSON."),
            (r#"{"statements": [{"text": "cut in the mid"#, "cut in the mid"),
            (
                r#"{"other": "x", "statements": [{"text": "a.", "sources": [2]}]}"#,
                "a [2].",
            ),
            ("", ""),
        ] {
            assert_eq!(read(reply, &[]), text, "{reply}");
        }
    }

    proptest! {
        #[test]
        fn every_way_of_cutting_gives_the_same_text(mut cuts in prop::collection::vec(0..REPLY.len(), 0..12)) {
            cuts.sort_unstable();
            prop_assert_eq!(read(REPLY, &cuts), read(REPLY, &[]));
        }
    }

    #[test]
    fn only_offered_numbers_are_in_the_schema() {
        let schema = schema(&[4, 9]);
        let sources = &schema["properties"]["statements"]["items"]["properties"]["sources"];
        assert_eq!(sources["items"]["enum"], json!([4, 9]));
    }
}
