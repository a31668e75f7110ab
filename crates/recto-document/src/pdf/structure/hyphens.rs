//! Hyphens at line ends.

use recto_core::Page;
use std::collections::HashSet;

/// Which words the document writes with a hyphen and which without; decides what a hyphen at a line end means.
pub(super) struct Vocabulary {
    words: HashSet<String>,
}

impl Vocabulary {
    pub(super) fn new(pages: &[Page]) -> Self {
        let mut words = HashSet::new();
        for page in pages {
            for word in &page.words {
                let text = page
                    .text
                    .get(word.start as usize..word.end as usize)
                    .unwrap_or_default();
                let text = text.trim_matches(|c: char| !c.is_alphanumeric());
                if text.len() > 3 && text.chars().any(char::is_alphabetic) {
                    words.insert(text.to_lowercase());
                }
            }
        }
        Self { words }
    }

    /// Whether the hyphen between `first` (which ends in it) and `second` is there only because the line ends.
    pub(super) fn splits(&self, first: &str, second: &str) -> bool {
        let Some(stem) = first.strip_suffix('-') else {
            return false;
        };
        let ends_in_letter = stem.ends_with(char::is_alphabetic);
        let goes_on = second.starts_with(char::is_lowercase);
        if !ends_in_letter || !goes_on || stem.contains('-') {
            return false;
        }
        let trim = |text: String| text.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        let with = trim(format!("{stem}-{second}"));
        let without = trim(format!("{stem}{second}"));
        self.words.contains(&without) || !self.words.contains(&with)
    }
}
