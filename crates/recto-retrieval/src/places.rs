//! Places a question names: "on page 12", "slides 4 to 6", "Figure 3", "Section 4.2", "Note 5".
//!
//! Who names a place wants what stands there, whatever its words and meaning. A page is looked up by its printed label
//! and by its physical number, as people read either; what is numbered is told by captions and headings that begin with
//! its name. Contents pages, which list both, do not count.

use crate::fuse::{PageHit, in_order};
use crate::lexicon::{Lexicon, PlaceKind};
use crate::route::{Key, Route};
use crate::search::Hit;
use crate::verbatim::Contents;
use recto_core::{DocumentRow, Locator};

/// A page of so many documents, where nothing tells them apart, may be any of them; of more it is none.
const MOST_DOCUMENTS: usize = 3;
/// "Pages 5-30" are looked up to this many.
const MOST_PAGES: u32 = 20;
/// A question names at most so many places.
const MOST_PLACES: usize = 24;
const ORDINALS: [&str; 10] = [
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
];

/// Words between the numbers of a list, and those of them that mean all between.
const JOINERS: [&str; 9] = ["and", "or", "und", "oder", "&", "to", "bis", "-", "–"];
const RANGES: [&str; 4] = ["to", "bis", "-", "–"];

/// A place named in a question.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Place<'a> {
    /// A page or slide by its label or number.
    Page(String),
    /// The last page.
    LastPage,
    /// What a caption or heading calls so.
    Numbered { kind: &'a PlaceKind, number: String },
}

/// The places `question` names, in its order.
pub(crate) fn named<'a>(question: &str, lexicon: &'a Lexicon) -> Vec<Place<'a>> {
    let tokens: Vec<&str> = question.split_whitespace().collect();
    let mut places = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        // "§4.2", "p.12" and "Fig.3" are written in one.
        let (name, joined) = token.split_at(token.find(|c: char| c.is_ascii_digit()).unwrap_or(token.len()));
        let Some(kind) = lexicon.place_kind(name) else { continue };
        if kind.is_page
            && let Some(before) = at.checked_sub(1).and_then(|before| tokens.get(before))
        {
            places.extend(ordinal(before));
        }
        let after = tokens.iter().skip(at + 1).copied();
        let numbers = Some(joined)
            .filter(|joined| !joined.is_empty())
            .into_iter()
            .chain(after);
        places.extend(listed(numbers, kind));
    }
    places.dedup();
    places.truncate(MOST_PLACES);
    places
}

/// The places in "3", "5, 6 and 9", "5 to 7".
fn listed<'a, 'b>(tokens: impl Iterator<Item = &'b str>, kind: &'a PlaceKind) -> Vec<Place<'a>> {
    let mut places = Vec::new();
    let mut last: Option<u32> = None;
    let mut is_range = false;
    let mut is_linked = true;
    for token in tokens {
        let joiner = token.to_lowercase();
        if !places.is_empty() && JOINERS.contains(&joiner.as_str()) {
            is_linked = true;
            is_range = RANGES.contains(&joiner.as_str());
            continue;
        }
        let Some(number) = number(token, kind).filter(|_| is_linked) else {
            break;
        };
        let value = number.parse::<u32>().ok();
        match (last, value) {
            (Some(first), Some(value)) if kind.is_page && is_range && first < value => {
                let pages = first + 1..=value.min(first + MOST_PAGES);
                places.extend(pages.map(|page| Place::Page(page.to_string())));
            }
            _ if kind.is_page => places.push(Place::Page(number)),
            _ => places.push(Place::Numbered { kind, number }),
        }
        if token.ends_with(['.', '?', '!', ';', ':']) {
            break;
        }
        last = value;
        is_range = false;
        is_linked = token.ends_with(',');
    }
    places
}

fn ordinal(word: &str) -> Option<Place<'static>> {
    let word = word.to_lowercase();
    if word == "last" {
        return Some(Place::LastPage);
    }
    let digits = ["st", "nd", "rd", "th"].iter().find_map(|end| word.strip_suffix(end));
    let number = match digits.and_then(|digits| digits.parse::<usize>().ok()) {
        Some(number) => number,
        None => ORDINALS.iter().position(|ordinal| *ordinal == word)? + 1,
    };
    Some(Place::Page(number.to_string()))
}

/// The number at hand as it is compared: `4.2`, `3-1`, `7a`, `xii`, `b`. "Page I saw" and "figure a way" name none.
fn number(text: &str, kind: &PlaceKind) -> Option<String> {
    let text = text.trim_matches(|c: char| !c.is_alphanumeric() && c != '(' && c != ')');
    let text = match text.strip_prefix('(') {
        Some(inner) => inner.trim_end_matches(')'),
        None if text.contains('(') => text,
        None => text.trim_end_matches(')'),
    };
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | '–' | '(' | ')');
    if text.is_empty() || text.len() > 12 || !text.chars().all(is_word) {
        return None;
    }
    let lower = text.to_lowercase().replace('–', "-");
    let is_roman = lower.chars().all(|c| matches!(c, 'i' | 'v' | 'x' | 'l' | 'c'));
    let is_capital = text.chars().all(|c| c.is_ascii_uppercase());
    let single = text.chars().count() == 1;
    let counts = text.starts_with(|c: char| c.is_ascii_digit())
        || is_roman && if kind.is_page { !single || !is_capital } else { is_capital }
        || single && is_capital && !kind.is_page
        // "B-1", "A.2"
        || is_capital_with_digits(text);
    counts.then_some(lower)
}

fn is_capital_with_digits(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|c| c.is_ascii_uppercase())
        && chars
            .next()
            .is_some_and(|c| matches!(c, '.' | '-') || c.is_ascii_digit())
        && text.ends_with(|c: char| c.is_ascii_digit())
}

impl Place<'_> {
    /// The pages of `row` meant, ascending.
    fn pages(&self, row: &DocumentRow) -> Vec<u32> {
        let label = match self {
            Self::Page(label) => label,
            Self::LastPage => return (row.page_count > 0).then_some(row.page_count).into_iter().collect(),
            Self::Numbered { .. } => return Vec::new(),
        };
        let labelled = |label: &str| {
            (1..)
                .zip(&row.page_labels)
                .filter(|(_, printed)| {
                    printed
                        .as_ref()
                        .is_some_and(|printed| printed.eq_ignore_ascii_case(label))
                })
                .map(|(page, _)| page)
                .collect::<Vec<u32>>()
        };
        let in_document = |page: &u32| (1..=row.page_count).contains(page);
        let mut pages = labelled(label);
        if let Ok(number) = label.parse::<u32>() {
            pages.extend(Some(number).filter(in_document));
        } else if pages.is_empty()
            && let Some((first, last)) = label.split_once('-')
            && let (Ok(first), Ok(last)) = (first.parse::<u32>(), last.parse::<u32>())
        {
            // "5-7" is a label in some reports and a range in others.
            for page in (first..=last).take(MOST_PAGES as usize) {
                pages.extend(labelled(&page.to_string()));
                pages.extend(Some(page).filter(in_document));
            }
        }
        pages.sort_unstable();
        pages.dedup();
        pages
    }

    /// Whether the chunk stands under the place's heading, has its caption, or is of its slide.
    fn holds(&self, hit: &Hit) -> bool {
        let metadata = &hit.chunk.metadata;
        match self {
            Self::Page(label) => {
                matches!(metadata.locator, Some(Locator::Slide { number }) if number.to_string() == *label)
            }
            Self::LastPage => false,
            Self::Numbered { kind, number } => {
                let pieces = hit.chunk.content.lines();
                let headings = metadata.headings.iter().map(String::as_str);
                pieces.clone().any(|piece| kind.begins(piece, number, false))
                    || headings.clone().any(|heading| kind.begins(heading, number, true))
            }
        }
    }
}

impl PlaceKind {
    /// Whether `text` begins with the name of this kind and `number`; a heading of some kinds bears the number alone.
    fn begins(&self, text: &str, wanted: &str, is_heading: bool) -> bool {
        let text = text.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '§');
        let split = text
            .char_indices()
            .find(|(_, c)| c.is_whitespace() || c.is_ascii_digit())
            .map_or(text.len(), |(index, _)| index);
        let (name, rest) = text.split_at(split);
        let rest = if self.is_called(name) {
            rest
        } else if is_heading && self.is_bare {
            text
        } else {
            return false;
        };
        let number = rest.split_whitespace().next().unwrap_or_default();
        let number = number.split(['–', '—', ':']).next().unwrap_or_default();
        let number = number.trim_matches(|c: char| !c.is_alphanumeric() && c != '(' && c != ')');
        !number.is_empty() && number.trim_matches(['(', ')']).eq_ignore_ascii_case(wanted)
            || number.eq_ignore_ascii_case(wanted)
    }
}

/// The pages that each of `places` names, of the documents the question is about.
pub(crate) fn pages(places: &[Place<'_>], documents: &[(Key, &DocumentRow)], routing: &Route) -> Vec<Vec<PageHit>> {
    let is_meant = |key: &Key| match routing.is_active() {
        true => routing.chosen.iter().any(|chosen| chosen.key == *key),
        false => documents.len() <= MOST_DOCUMENTS,
    };
    let meant: Vec<&(Key, &DocumentRow)> = documents.iter().filter(|(key, _)| is_meant(key)).collect();
    let of_place = |place: &Place<'_>| {
        let pages = meant.iter().flat_map(|((source, document), row)| {
            place.pages(row).into_iter().map(|page| PageHit {
                source: *source,
                document: *document,
                page,
                score: 1.0,
            })
        });
        pages.collect()
    };
    places.iter().map(of_place).collect()
}

/// Hits at the places named first, one of each place in turn, then the rest, each in their order. `pages` are those of each
/// place.
pub(crate) fn first(hits: Vec<Hit>, places: &[Place<'_>], pages: &[Vec<PageHit>], contents: &Contents) -> Vec<Hit> {
    if places.is_empty() {
        return hits;
    }
    let is_on = |hit: &Hit, page: &PageHit| {
        (page.source, page.document) == (hit.source, hit.chunk.document_id)
            && hit.chunk.metadata.page_numbers.contains(&page.page)
    };
    let mut held = vec![0_usize; places.len()];
    in_order(hits, |hit| {
        let at = places.iter().zip(pages).position(|(place, pages)| {
            pages.iter().any(|page| is_on(hit, page)) || place.holds(hit) && !contents.has(hit)
        });
        match at {
            Some(at) => {
                held[at] += 1;
                held[at]
            }
            None => usize::MAX,
        }
    })
}

#[cfg(test)]
mod tests;
