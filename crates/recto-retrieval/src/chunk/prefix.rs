//! What stands before a chunk's content when it is embedded: title, heading path, caption, each on a line of its own.

use super::PREFIX_TOKENS;
use recto_core::{Item, TokenCounter};

/// Makes the prefixes of one section.
pub(crate) struct Prefix<'a> {
    title: &'a str,
    headings: Vec<&'a str>,
    counter: &'a dyn TokenCounter,
    limit: usize,
    without_caption: String,
}

impl<'a> Prefix<'a> {
    /// A heading that repeats the title or its parent says nothing new and is left out.
    pub(crate) fn new(title: &'a str, headings: &[&'a Item], counter: &'a dyn TokenCounter) -> Self {
        let title = title.trim();
        let mut path: Vec<&'a str> = Vec::new();
        for item in headings {
            let text = item.text.trim();
            if !same(text, title) && !path.last().is_some_and(|last| same(last, text)) {
                path.push(text);
            }
        }
        let mut made = Self {
            title,
            headings: path,
            counter,
            limit: PREFIX_TOKENS.min(counter.limit() / 4),
            without_caption: String::new(),
        };
        made.without_caption = made.fitted(None);
        made
    }

    /// The prefix, cut to its limit: the headings between the first and the last go first, then the title is shortened,
    /// then the outermost heading, the caption and at last the innermost heading.
    pub(crate) fn text(&self, caption: Option<&str>) -> String {
        if caption.is_none() {
            return self.without_caption.clone();
        }
        self.fitted(caption)
    }

    /// Title, all headings and caption uncut, for the word index, which has no such limit.
    pub(crate) fn whole(&self, caption: Option<&str>) -> String {
        lines(self.title, &self.headings, caption.unwrap_or_default())
    }

    fn fitted(&self, caption: Option<&str>) -> String {
        let caption = caption.map(one_line).unwrap_or_default();
        let mut headings = self.headings.clone();
        let fits = |title: &str, headings: &[&str], caption: &str| {
            self.counter.count(&lines(title, headings, caption)) <= self.limit
        };
        while headings.len() > 2 && !fits(self.title, &headings, &caption) {
            headings.remove(headings.len() / 2);
        }
        let title = shorten(self.title, |title| fits(title, &headings, &caption));
        if !fits(title, &headings, &caption) && headings.len() > 1 {
            headings.remove(0);
        }
        let caption = shorten(&caption, |caption| fits(title, &headings, caption));
        let last = headings.pop().map(|last| {
            shorten(last, |last| {
                let mut all = headings.clone();
                all.push(last);
                fits(title, &all, caption)
            })
        });
        headings.extend(last);
        lines(title, &headings, caption)
    }
}

fn same(a: &str, b: &str) -> bool {
    a.to_lowercase() == b.to_lowercase()
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn lines(title: &str, headings: &[&str], caption: &str) -> String {
    let path = headings
        .iter()
        .filter(|heading| !heading.is_empty())
        .map(|heading| one_line(heading))
        .collect::<Vec<_>>()
        .join(" > ");
    [one_line(title), path, one_line(caption)]
        .into_iter()
        .filter(|line| !line.is_empty())
        .collect::<Vec<_>>()
        .join("\n")
}

/// The longest run of words from the start of `text` that fits; empty where not even one word does.
fn shorten(text: &str, fits: impl Fn(&str) -> bool) -> &str {
    if fits(text) {
        return text;
    }
    let ends: Vec<usize> = text
        .char_indices()
        .filter(|(_, c)| c.is_whitespace())
        .map(|(at, _)| at)
        .collect();
    let fitting = ends.partition_point(|end| fits(&text[..*end]));
    fitting.checked_sub(1).map_or("", |last| &text[..ends[last]])
}
