//! Pages know what kind of page they are.
//!
//! A page is of a kind when one of its first lines bears the kind's title and, for kinds with typical rows (a balance
//! sheet), enough of these rows stand on lines with figures. Words alone would find every page that mentions a balance
//! sheet. Contents pages name all kinds and are none of them.

use crate::lexicon::{Lexicon, PageKind};
use crate::period::mentions;
use crate::phrase::words;
use recto_core::{Page, PageTag};

/// Lines among which a title stands: running headers and the name of the filer come first.
const TITLE_LINES: usize = 12;
/// A title has at most so many words; lines with more are running text.
const TITLE_WORDS: usize = 14;
/// So many typical rows make a page as sure as a page can be.
const ENOUGH_ROWS: usize = 8;
/// With a title, so many rows; without, so many.
const LEAST_ROWS: usize = 3;
const LEAST_ROWS_UNTITLED: usize = 7;
/// A contents page has at least so many lines that end in a page number.
const LEAST_ENTRIES: usize = 6;
const MOST_YEARS: usize = 12;

/// The kind of contents pages, which are told by their entries.
const CONTENTS: &str = "contents";

/// The tags of all pages, by page, then in the order of the lexicon.
pub(super) fn tag(pages: &[Page], lexicon: &Lexicon) -> Vec<PageTag> {
    let mut tags = Vec::new();
    for page in pages {
        let lines: Vec<&str> = page
            .text
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty())
            .collect();
        let words: Vec<Vec<String>> = lines.iter().map(|line| words(line)).collect();
        let unqualified = |line: &Vec<String>| -> Vec<String> {
            let words = line.iter().filter(|word| !lexicon.is_qualifier(word));
            words.cloned().collect()
        };
        let titles: Vec<Vec<String>> = words.iter().take(TITLE_LINES).map(unqualified).collect();
        let is_contents = is_contents(&lines);
        let mut years: Option<Vec<u16>> = None;
        for kind in lexicon.page_kinds() {
            let strength = match (kind.name == CONTENTS, is_contents) {
                (true, true) => Some(1.0),
                (true, false) | (false, true) => None,
                (false, false) => strength(kind, &lines, &words, &titles),
            };
            if let Some(strength) = strength {
                tags.push(PageTag {
                    page: page.number,
                    kind: kind.name.clone(),
                    strength,
                    years: years.get_or_insert_with(|| years_on(&page.text)).clone(),
                });
            }
        }
    }
    tags
}

/// How clearly the page is of this kind; `None` where it is not. `titles` are the first lines without qualifiers.
fn strength(kind: &PageKind, lines: &[&str], words: &[Vec<String>], titles: &[Vec<String>]) -> Option<f32> {
    let is_title = |line: &Vec<String>| line.len() <= TITLE_WORDS && kind.titles.iter().any(|title| title.is_in(line));
    let titled = titles.iter().any(is_title);
    if kind.rows.is_empty() {
        // Without rows a title must be most of its line, or any page that says the word near its top would be of the kind.
        let is_most = |line: &Vec<String>| {
            kind.titles
                .iter()
                .any(|title| title.is_in(line) && title.words().len() * 3 + 3 > line.len())
        };
        let any = words
            .iter()
            .zip(lines)
            .any(|(line, text)| is_most(line) && !ends_in_number(text));
        let near_top = words.iter().take(TITLE_LINES).any(is_most);
        return match (near_top, any) {
            (true, _) => Some(0.6),
            (false, true) => Some(0.4),
            _ => None,
        };
    }
    let has_figures = |text: &&str| text.chars().any(|c| c.is_ascii_digit());
    let found = kind
        .rows
        .iter()
        .filter(|row| {
            let mut rows = words.iter().zip(lines);
            rows.any(|(line, text)| has_figures(text) && row.starts(line))
        })
        .count();
    let least = if titled { LEAST_ROWS } else { LEAST_ROWS_UNTITLED };
    if found < least.min(kind.rows.len()) {
        return None;
    }
    #[expect(clippy::cast_precision_loss, reason = "a small count")]
    let share = found.min(ENOUGH_ROWS) as f32 / ENOUGH_ROWS as f32;
    Some(if titled { 0.5 + 0.5 * share } else { 0.5 * share })
}

/// Mostly lines that end in a page number.
fn is_contents(lines: &[&str]) -> bool {
    let entries = lines
        .iter()
        .filter(|line| ends_in_number(line) && line.split_whitespace().count() > 1)
        .filter(|line| {
            // Figures with separators or signs, or several columns of them, make a statement, not a list of pages.
            let columns = line
                .split_whitespace()
                .rev()
                .take_while(|word| word.chars().any(|c| c.is_ascii_digit()));
            columns.count() == 1 && !line.contains(['$', '%'])
        })
        .count();
    let says_so = lines.iter().take(TITLE_LINES).any(|line| {
        let line = line.to_lowercase();
        matches!(line.trim(), "contents" | "table of contents" | "index" | "page")
    });
    let share = if says_so { 3 } else { 2 };
    entries >= LEAST_ENTRIES && entries * share >= lines.len()
}

/// "Notes 17", "Notes ...... 17", "Notes xii" is not meant: one to four digits as the last word.
fn ends_in_number(line: &str) -> bool {
    let last = line
        .rsplit(|c: char| c.is_whitespace() || c == '.')
        .next()
        .unwrap_or_default();
    (1..=3).contains(&last.len()) && last.bytes().all(|b| b.is_ascii_digit())
}

fn years_on(text: &str) -> Vec<u16> {
    let mut years: Vec<u16> = mentions(text).into_iter().filter_map(|mention| mention.year).collect();
    years.sort_unstable();
    years.dedup();
    // The latest matter most: a page names old ones in notes.
    let surplus = years.len().saturating_sub(MOST_YEARS);
    years.drain(..surplus);
    years
}
