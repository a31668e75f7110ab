//! Cards: what a document says about itself, read off its title, its file name and its first pages.

mod abbreviations;
mod names;
mod pages;

pub(crate) use names::{Name, is_common};

use crate::lexicon::Lexicon;
use crate::period::{dates, mentions};
use crate::phrase::words;
use recto_core::{Document, DocumentCard, Page, Period};

/// Pages on which a document introduces itself.
const FIRST_PAGES: usize = 2;
/// For formats without pages, as much text as stands on two.
const FIRST_CHARS: usize = 6_000;
/// A line with more words is running text and names no kind of document.
const SHORT_LINE: usize = 20;
const MOST_PERIODS: usize = 6;

/// The card of a document with this title, from this file.
#[must_use]
pub fn describe(document: &Document, title: &str, uri: &str, lexicon: &Lexicon) -> DocumentCard {
    let first = match document.pages.is_empty() {
        true => beginning(document),
        false => first_pages(&document.pages),
    };
    let mut card = describe_text(&first, title, uri, lexicon);
    card.abbreviations = abbreviations::defined(
        document
            .items
            .iter()
            .filter(|item| !item.label.is_furniture())
            .map(|item| item.text.as_str()),
    );
    card.pages = pages::tag(&document.pages, lexicon);
    card
}

/// The card of a document of which only the pages are at hand, as for one that was read before there were cards.
#[must_use]
pub fn describe_pages(pages: &[Page], title: &str, uri: &str, lexicon: &Lexicon) -> DocumentCard {
    let mut card = describe_text(&first_pages(pages), title, uri, lexicon);
    card.abbreviations = abbreviations::defined(pages.iter().map(|page| page.text.as_str()));
    card.pages = pages::tag(pages, lexicon);
    card
}

/// The card that title and file name alone give.
#[must_use]
pub fn describe_name(title: &str, uri: &str, lexicon: &Lexicon) -> DocumentCard {
    describe_text("", title, uri, lexicon)
}

/// The title as it stands before every chunk: with the name of whom the document is about where the title is but a kind
/// ("Form 10-Q"), and with the period where the title has none.
#[must_use]
pub fn context_title(title: &str, card: &DocumentCard, lexicon: &Lexicon) -> String {
    let mut context = match card.names.first() {
        Some(name) if title.trim().is_empty() || lexicon.names_only_a_kind(title) => format!("{name} {title}"),
        _ => title.to_owned(),
    };
    if let Some(period) = card.periods.first()
        && mentions(title).is_empty()
    {
        let quarter = period.quarter.map(|quarter| format!("Q{quarter} ")).unwrap_or_default();
        context = format!("{}, {quarter}{}", context.trim(), period.year);
    }
    context.trim().to_owned()
}

fn describe_text(first: &str, title: &str, uri: &str, lexicon: &Lexicon) -> DocumentCard {
    let file = file_stem(uri);
    let ends = period_end(first);
    let mut periods: Vec<Period> = Vec::new();
    let in_name = [file, title].into_iter().flat_map(mentions);
    // A quarter that a first page names with its year is the one reported on; bare years there may be any.
    let on_pages = mentions(first).into_iter().filter(|mention| mention.quarter.is_some());
    for period in in_name.chain(on_pages).filter_map(|mention| mention.period()) {
        push_new(&mut periods, period);
    }
    if let Some(year) = ends.as_deref().and_then(|date| date.get(..4)?.parse().ok())
        && !periods.iter().any(|period| period.year == year)
    {
        push_new(&mut periods, Period { year, quarter: None });
    }
    if periods.is_empty() {
        let counted = most_named_year(first).map(|year| Period { year, quarter: None });
        periods.extend(counted);
    }
    periods.truncate(MOST_PERIODS);
    DocumentCard {
        names: names::names(first, title, file, lexicon),
        kinds: kinds(first, title, file, lexicon),
        periods,
        ends,
        ..DocumentCard::default()
    }
}

fn push_new(periods: &mut Vec<Period>, period: Period) {
    if !periods.contains(&period) {
        periods.push(period);
    }
}

fn first_pages(pages: &[Page]) -> String {
    let texts: Vec<&str> = pages.iter().take(FIRST_PAGES).map(|page| page.text.as_str()).collect();
    texts.join("\n")
}

fn beginning(document: &Document) -> String {
    let mut text = String::new();
    for item in &document.items {
        text.push_str(&item.text);
        text.push('\n');
        if text.len() > FIRST_CHARS {
            break;
        }
    }
    text
}

/// The file's name without folder and extension.
pub(crate) fn file_stem(uri: &str) -> &str {
    let file = uri.rsplit(['/', '\\']).next().unwrap_or_default();
    match file.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() && extension.len() <= 5 => stem,
        _ => file,
    }
}

/// What the document calls itself: in its name, else in the first short line that says it.
fn kinds(first: &str, title: &str, file: &str, lexicon: &Lexicon) -> Vec<String> {
    let named = [title, file].map(|name| lexicon.document_kinds(&words(name))).concat();
    let on_pages = first
        .lines()
        .map(words)
        .filter(|line| line.len() <= SHORT_LINE)
        .find_map(|line| {
            let kinds = lexicon.document_kinds(&line);
            (!kinds.is_empty()).then_some(kinds)
        });
    let mut kinds: Vec<String> = Vec::new();
    for kind in named.into_iter().chain(on_pages.unwrap_or_default()) {
        if !kinds.iter().any(|known| known == kind) {
            kinds.push(kind.to_owned());
        }
    }
    kinds
}

/// The first date after words that announce the end of a period; else the first date of all.
fn period_end(first: &str) -> Option<String> {
    const ANNOUNCE: [&str; 7] = [
        "period ended",
        "quarter ended",
        "year ended",
        "months ended",
        "year ending",
        "period ending",
        "as of",
    ];
    let lower = first.to_lowercase();
    let announced = ANNOUNCE.iter().filter_map(|words| {
        let at = lower.find(words)?;
        let after: String = lower[at..].chars().take(80).collect();
        dates(&after).into_iter().next()
    });
    announced.into_iter().next().or_else(|| dates(first).into_iter().next())
}

/// The year a first page names most often, the later one of equals.
fn most_named_year(first: &str) -> Option<u16> {
    let mut counts = std::collections::BTreeMap::new();
    for word in crate::phrase::plain_words(first) {
        for mention in mentions(&word) {
            if let Some(year) = mention.year {
                *counts.entry(year).or_insert(0_usize) += 1;
            }
        }
    }
    counts
        .into_iter()
        .max_by_key(|(year, count)| (*count, *year))
        .map(|(year, _)| year)
}

#[cfg(test)]
mod tests;
