//! Abbreviations that a document defines: "Property, plant and equipment (PP&E)".

use recto_core::Abbreviation;
use std::collections::BTreeMap;

const MOST: usize = 60;

/// The abbreviations defined in `texts`, by the short form; the first definition counts.
pub(super) fn defined<'a>(texts: impl Iterator<Item = &'a str>) -> Vec<Abbreviation> {
    let mut found: BTreeMap<String, String> = BTreeMap::new();
    for text in texts {
        for (at, _) in text.match_indices('(') {
            let Some((short, long)) = definition(text, at) else {
                continue;
            };
            if found.len() < MOST {
                found.entry(short).or_insert(long);
            }
        }
    }
    found
        .into_iter()
        .map(|(short, long)| Abbreviation { short, long })
        .collect()
}

/// The definition around the bracket at `open`: the words before it begin with the letters inside.
fn definition(text: &str, open: usize) -> Option<(String, String)> {
    let inside = text[open + 1..].split(')').next()?;
    let short = inside
        .trim_start_matches("the ")
        .trim_matches(|c: char| matches!(c, '"' | '“' | '”' | '\'' | '‘' | '’'));
    let is_short = (2..=10).contains(&short.chars().count())
        && short
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '&' | '-' | '/' | '.'))
        && short.chars().filter(|c| c.is_uppercase()).count() * 2 > short.chars().count().saturating_sub(1);
    if !is_short {
        return None;
    }
    let letters: Vec<char> = short
        .chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect();
    if letters.len() < 2 || !letters[0].is_alphabetic() {
        return None;
    }
    // Words before the bracket, the last first; none from before the sentence began.
    let mut before = &text[..open];
    if let Some(at) = before
        .rfind(['.', ';', '(', ')', '\n'])
        .filter(|at| before[*at + 1..].contains(' '))
    {
        before = &before[at + 1..];
    }
    let words: Vec<&str> = before.split_whitespace().collect();
    let most = (letters.len() * 2).min(words.len());
    let initial = |word: &str| {
        word.chars()
            .find(|c| c.is_alphanumeric())
            .and_then(|c| c.to_lowercase().next())
    };
    // The shortest run of words whose initials hold the letters in order, beginning with the first.
    (1..=most)
        .map(|count| &words[words.len() - count..])
        .find(|run| {
            let small = |word: &str| {
                matches!(
                    word.to_lowercase().as_str(),
                    "and" | "of" | "the" | "for" | "in" | "&" | "on" | "to"
                )
            };
            let mut left = letters.iter().peekable();
            let begins = run
                .first()
                .is_some_and(|word| !small(word) && initial(word) == Some(letters[0]));
            for word in *run {
                let parts = word.split('-').filter(|part| !part.is_empty());
                for part in parts {
                    if left.peek().is_some_and(|letter| initial(part) == Some(**letter)) {
                        left.next();
                    } else if !small(part) && !word.contains('-') {
                        return false;
                    }
                }
            }
            begins && left.peek().is_none() && run.len() > 1
        })
        .map(|run| {
            let long = run.join(" ");
            let long = long.trim_matches(|c: char| !c.is_alphanumeric()).to_owned();
            (short.to_owned(), long)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(text: &str) -> Vec<(String, String)> {
        defined([text].into_iter())
            .into_iter()
            .map(|one| (one.short, one.long))
            .collect()
    }

    #[test]
    fn a_bracket_with_the_initials_of_the_words_before_it_defines_them() {
        for (text, short, long) in [
            (
                "Spending on property, plant and equipment (PP&E) rose.",
                "PP&E",
                "property, plant and equipment",
            ),
            (
                "the Office of Personnel Management (\"OPM\")",
                "OPM",
                "Office of Personnel Management",
            ),
            ("Our Amazon Web Services (AWS) segment", "AWS", "Amazon Web Services"),
            ("cost of right-of-use (ROU) assets", "ROU", "right-of-use"),
        ] {
            let found = pairs(text);
            if short == "ROU" {
                // One hyphenated word is no run of words.
                assert!(found.is_empty(), "{found:?}");
            } else {
                assert_eq!(found, [(short.to_owned(), long.to_owned())], "{text}");
            }
        }
    }

    #[test]
    fn other_brackets_define_nothing() {
        for text in [
            "a loss of (1,577)",
            "as shown (see Note 4)",
            "net sales (GAAP)",
            "in the U.S. (US)",
            "unaudited (AB",
        ] {
            assert!(pairs(text).is_empty(), "{text}: {:?}", pairs(text));
        }
    }
}
