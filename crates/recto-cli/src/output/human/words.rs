//! How counts, places and states are put into words.

use crate::output::terminal::{one_line, snippet};
use comfy_table::Color;
use recto_engine::contract::{DocumentState, Locator, PageName};
use std::path::Path;

/// Characters of a title before it is cut; `show` and JSON have all of it.
pub(super) const LONGEST_TITLE: usize = 90;
/// Characters of an id that are always shown.
pub(super) const SHORTEST_ID: usize = 8;

/// A count with its noun.
pub(super) fn count(number: usize, one: &str, many: &str) -> String {
    format!("{} {}", grouped(number), if number == 1 { one } else { many })
}

/// A number in groups of three.
pub(super) fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

pub(super) fn seconds(elapsed_ms: u32) -> String {
    format!("{:.1} s", f64::from(elapsed_ms) / 1000.0)
}

/// What a state is called.
pub(crate) fn state_name(state: DocumentState) -> &'static str {
    match state {
        DocumentState::Queued => "queued",
        DocumentState::Reading => "reading",
        DocumentState::Ocr => "recognising text",
        DocumentState::Indexing => "indexing",
        DocumentState::Embedding => "embedding",
        DocumentState::Ready => "ready",
        DocumentState::ReadyWithGaps => "ready with gaps",
        DocumentState::NeedsPassword => "needs password",
        DocumentState::Damaged => "damaged",
        DocumentState::Unsupported => "unsupported",
        DocumentState::Empty => "empty",
        DocumentState::TooLarge => "too large",
        DocumentState::TimedOut => "timed out",
        DocumentState::OutOfMemory => "out of memory",
        DocumentState::Failed => "failed",
        DocumentState::Cancelled => "cancelled",
        DocumentState::Missing => "missing",
    }
}

pub(super) fn state_colour(state: DocumentState) -> Color {
    match state {
        DocumentState::Ready => Color::DarkGreen,
        DocumentState::Queued
        | DocumentState::Reading
        | DocumentState::Ocr
        | DocumentState::Indexing
        | DocumentState::Embedding
        | DocumentState::ReadyWithGaps
        | DocumentState::Cancelled => Color::DarkYellow,
        _ => Color::DarkRed,
    }
}

/// The file's name at the end of a uri.
pub(crate) fn file_name(uri: &str) -> String {
    let name = Path::new(uri)
        .file_name()
        .map_or(uri.into(), |name| name.to_string_lossy());
    one_line(&name)
}

/// `p. 371 · PDF 7`: the printed label where there is one, then the position in the file.
pub(crate) fn page_names(pages: &[PageName]) -> Option<String> {
    if pages.is_empty() {
        return None;
    }
    let position = format!(
        "PDF {}",
        ranges(&pages.iter().map(|page| page.number).collect::<Vec<_>>())
    );
    let labels: Vec<String> = pages
        .iter()
        .filter_map(|page| page.label.as_deref().map(one_line))
        .collect();
    let in_a_row = pages.windows(2).all(|pair| pair[0].number + 1 == pair[1].number);
    let printed = match labels.as_slice() {
        [] => return Some(position),
        [only] => format!("p. {only}"),
        [first, .., last] if in_a_row && labels.len() == pages.len() => format!("pp. {first}–{last}"),
        several => format!("pp. {}", several.join(", ")),
    };
    Some(format!("{printed} · {position}"))
}

/// `3, 5–7`.
fn ranges(numbers: &[u32]) -> String {
    let mut parts: Vec<(u32, u32)> = Vec::new();
    for &number in numbers {
        match parts.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => parts.push((number, number)),
        }
    }
    let parts: Vec<String> = parts
        .into_iter()
        .map(|(first, last)| {
            if first == last {
                first.to_string()
            } else {
                format!("{first}–{last}")
            }
        })
        .collect();
    parts.join(", ")
}

/// How a place is named, for any kind of document; `None` where there is nothing to name.
pub(crate) fn place(locator: &Locator, pages: &[PageName]) -> Option<String> {
    match locator {
        Locator::Page { pages: named } => page_names(if pages.is_empty() { named } else { pages }),
        Locator::Slide { number } => Some(format!("slide {number}")),
        Locator::Sheet { name, range } => Some(format!("sheet “{}” {}", one_line(name), one_line(range))),
        Locator::Heading { path } => heading_path(path),
        Locator::Part { name } => Some(format!("part “{}”", one_line(name))),
    }
}

pub(super) fn heading_path(path: &[String]) -> Option<String> {
    (!path.is_empty()).then(|| {
        path.iter()
            .map(|heading| snippet(heading, 80))
            .collect::<Vec<_>>()
            .join(" › ")
    })
}

pub(super) fn join(parts: impl IntoIterator<Item = Option<String>>) -> String {
    parts
        .into_iter()
        .flatten()
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join(" · ")
}

/// The fewest characters, at least eight, that tell the ids apart. Ids made in one moment share their beginning.
pub(crate) fn id_length<'a>(ids: impl Iterator<Item = &'a str>) -> usize {
    let mut ids: Vec<&str> = ids.collect();
    ids.sort_unstable();
    ids.dedup();
    let shared = ids.windows(2).map(|pair| common_prefix(pair[0], pair[1])).max();
    shared.map_or(SHORTEST_ID, |shared| (shared + 1).max(SHORTEST_ID))
}

fn common_prefix(left: &str, right: &str) -> usize {
    left.bytes().zip(right.bytes()).take_while(|(a, b)| a == b).count()
}

pub(super) fn short_id(id: &str, length: usize) -> &str {
    id.get(..length).unwrap_or(id)
}
