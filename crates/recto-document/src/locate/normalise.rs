//! What is compared: letters, digits and signs without white space, case, ligatures, and the many forms of quotation
//! marks, dashes and hyphens.

use unicode_normalization::UnicodeNormalization;

/// Writes the normal form of consecutive words. Hyphens between letters go, because the end of a line may have put
/// them there; hyphens beside digits stay, because there they are signs and ranges.
#[derive(Debug, Default)]
pub(crate) struct Normaliser {
    out: String,
    last: Option<char>,
    hyphen: bool,
}

impl Normaliser {
    /// Bytes written so far. A hyphen that may still go is not counted.
    pub(crate) fn len(&self) -> usize {
        self.out.len()
    }

    pub(crate) fn push(&mut self, text: &str) {
        if text.is_ascii() {
            for byte in text.bytes() {
                self.push_plain(char::from(byte.to_ascii_lowercase()));
            }
        } else {
            for character in text.nfkc().flat_map(char::to_lowercase) {
                self.push_plain(character);
            }
        }
    }

    fn push_plain(&mut self, character: char) {
        let character = match character {
            c if c.is_whitespace() || is_invisible(c) => return,
            '‘' | '’' | '‚' | '‛' | '′' | '`' | '´' | 'ʼ' => '\'',
            '“' | '”' | '„' | '‟' | '″' | '«' | '»' => '"',
            '‐' | '‑' | '‒' | '–' | '—' | '―' | '−' | '﹣' | '－' => '-',
            '·' | '∙' | '●' | '▪' => '•',
            '\u{2044}' | '\u{2215}' => '/',
            c => c,
        };
        if character == '-' && !self.hyphen {
            self.hyphen = true;
            return;
        }
        if self.hyphen {
            self.hyphen = false;
            let between_letters = self.last.is_some_and(char::is_alphabetic) && character.is_alphabetic();
            if !between_letters {
                self.write('-');
            }
            if character == '-' {
                self.hyphen = true;
                return;
            }
        }
        self.write(character);
    }

    fn write(&mut self, character: char) {
        self.out.push(character);
        self.last = Some(character);
    }

    pub(crate) fn finish(mut self) -> String {
        if self.hyphen {
            self.out.push('-');
        }
        self.out
    }
}

fn is_invisible(character: char) -> bool {
    character == '\u{fffd}' || character.is_control() || recto_core::is_invisible(character)
}

/// A quote, ready to be compared.
#[derive(Debug)]
pub(crate) struct Quote {
    /// As written, without white space.
    pub(crate) raw: String,
    /// Normalised.
    pub(crate) normal: String,
    /// Where each word begins in `normal`, ascending.
    pub(crate) starts: Vec<usize>,
    /// The words as written.
    pub(crate) words: Vec<String>,
}

impl Quote {
    pub(crate) fn new(text: &str) -> Self {
        let mut normaliser = Normaliser::default();
        let mut starts = Vec::new();
        let mut words = Vec::new();
        for word in text.split_whitespace() {
            starts.push(normaliser.len());
            normaliser.push(word);
            words.push(word.to_owned());
        }
        Self {
            raw: without_space(text),
            normal: normaliser.finish(),
            starts,
            words,
        }
    }

    /// Whether a word begins at this byte of `normal`.
    pub(crate) fn begins_word(&self, at: usize) -> bool {
        self.starts.binary_search(&at).is_ok()
    }
}

pub(crate) fn without_space(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn normal(text: &str) -> String {
        Quote::new(text).normal
    }

    #[test]
    fn forms_of_the_same_words_are_equal() {
        assert_eq!(
            normal("The ﬁrst “quarter’s” results"),
            normal("the first \"quarter's\" RESULTS")
        );
        assert_eq!(normal("inter-\nnational"), normal("international"));
        assert_eq!(normal("so\u{ad}ft"), normal("soft"));
        assert_eq!(normal("$ 82,959"), normal("$82,959"));
        assert_eq!(normal("2019–2020"), normal("2019-2020"));
    }

    #[test]
    fn hyphens_beside_digits_and_double_hyphens_stay() {
        assert_ne!(normal("10-12"), normal("1012"));
        assert_ne!(normal("-5"), normal("5"));
        assert_eq!(normal("a--b"), "a--b");
        assert_eq!(normal("end-"), "end-");
    }
}
