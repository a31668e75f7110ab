//! The sentences and table rows of passages: what can be quoted.

use recto_core::{Item, Label, PageRect, without_grid};
use recto_retrieval::{FoundPassage, Language, sentence, split_terms};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;

/// Shortest and longest unit that makes a quote, in characters.
const SHORTEST: usize = 12;
const LONGEST: usize = 700;
/// Fewest words of a sentence without a full stop.
const WORDS_OF_SENTENCE: usize = 8;
/// Rows at the top of a row-wise item that may head its columns.
const HEADER_ROWS: usize = 3;

/// A sentence or row of a passage.
#[derive(Debug, Clone)]
pub(crate) struct Unit {
    /// Index of its passage.
    pub(crate) passage: usize,
    /// Index of its part in the passage.
    pub(crate) part: usize,
    /// Where it stands in the part's item, in bytes.
    pub(crate) range: Range<usize>,
    /// As it stands in the document.
    pub(crate) text: String,
    /// Its search terms.
    pub(crate) terms: BTreeSet<String>,
    /// Terms of what stands over it: title, headings, header rows.
    pub(crate) context: BTreeSet<String>,
    /// Text of the header rows over a row.
    pub(crate) header: String,
    /// 1-based page it begins on; 0 without pages.
    pub(crate) page: u32,
    /// How good the best chunk is that holds it, relative to the best of all: 0 to 1.
    pub(crate) prior: f32,
}

impl Unit {
    /// Where its words are expected.
    pub(crate) fn boxes(&self, passages: &[FoundPassage]) -> Vec<PageRect> {
        passages
            .get(self.passage)
            .and_then(|found| found.parts.get(self.part))
            .map(|part| {
                part.item
                    .provenance
                    .iter()
                    .filter(|region| touches(region.start, region.end, &self.range))
                    .map(|region| region.at)
                    .collect()
            })
            .unwrap_or_default()
    }

    /// What it says: a row of a table without the signs that draw its grid.
    pub(crate) fn words(&self) -> Cow<'_, str> {
        without_grid(&self.text)
    }

    pub(crate) fn self_ref<'a>(&self, passages: &'a [FoundPassage]) -> Option<&'a str> {
        Some(passages.get(self.passage)?.parts.get(self.part)?.item.self_ref.as_str())
    }
}

/// All units of `passages` in order. Headings are context and seldom make a unit.
pub(crate) fn units(passages: &[FoundPassage], language: Language) -> Vec<Unit> {
    let scale = Scale::of(passages);
    let mut units = Vec::new();
    for (passage, found) in passages.iter().enumerate() {
        let title = split_terms(&found.passage.title, language);
        for (index, part) in found.parts.iter().enumerate() {
            let mut over: BTreeSet<String> = title.iter().cloned().collect();
            over.extend(part.headings.iter().flat_map(|heading| split_terms(heading, language)));
            let rows = sentence::rows(&part.item.text);
            for range in sentence::split(part.text()) {
                let range = part.range.start + range.start..part.range.start + range.end;
                if !is_quotable(&part.item, &range) {
                    continue;
                }
                let text = &part.item.text[range.clone()];
                let header = header(&part.item.text, &rows, &range);
                let mut context = over.clone();
                context.extend(split_terms(&header, language));
                units.push(Unit {
                    passage,
                    part: index,
                    terms: split_terms(text, language).into_iter().collect(),
                    context,
                    header,
                    page: page(found, index, &range),
                    prior: prior(found, index, &range, scale),
                    text: text.to_owned(),
                    range,
                });
            }
        }
    }
    units
}

/// Whether a unit can stand as a quote: a whole sentence, an entry of a list, or a row with figures. Headings, labels of
/// groups of rows, and the end of a sentence that begins on the page before are none.
fn is_quotable(item: &Item, range: &Range<usize>) -> bool {
    let text = &item.text[range.clone()];
    let length = text.chars().count();
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let entry = item.label == Label::ListItem;
    let least = if entry { 3 } else { SHORTEST };
    if !(least..=LONGEST).contains(&length) || letters < 3 || is_contents_line(text) {
        return false;
    }
    let sentence = ends_sentence(text);
    let words = text.split_whitespace().count();
    if item.label.is_heading() {
        // Some documents set whole sentences as headings.
        return sentence && words >= WORDS_OF_SENTENCE;
    }
    let figures = text.contains(|c: char| c.is_ascii_digit());
    if item.text.contains('\n') || item.label == Label::Table {
        return sentence || figures;
    }
    let tail = range.start == 0 && text.starts_with(char::is_lowercase);
    entry || (!tail && (sentence || figures || words >= WORDS_OF_SENTENCE))
}

fn ends_sentence(text: &str) -> bool {
    text.trim_end_matches(['"', '”', '’', '»', ')', ']', '\''])
        .ends_with(['.', '!', '?', ';', ':', '。', '！', '？'])
}

/// A line of a printed table of contents.
fn is_contents_line(text: &str) -> bool {
    text.contains("....") || text.contains(". . . .") || text.contains("……")
}

/// The rows that head a row's columns, and the nearest row above it without figures, which names its group.
fn header(text: &str, rows: &[Range<usize>], unit: &Range<usize>) -> String {
    if rows.len() < 3 {
        return String::new();
    }
    let row = rows.partition_point(|row| row.end <= unit.start);
    let mut lines: Vec<&str> = rows
        .iter()
        .take(row.min(HEADER_ROWS))
        .map(|row| &text[row.clone()])
        .collect();
    let group = rows[..row]
        .iter()
        .skip(HEADER_ROWS)
        .rev()
        .map(|row| &text[row.clone()])
        .find(|row| !row.contains(|c: char| c.is_ascii_digit()));
    lines.extend(group);
    lines.join("\n")
}

fn page(found: &FoundPassage, part: usize, range: &Range<usize>) -> u32 {
    let item = &found.parts[part].item;
    item.provenance
        .iter()
        .find(|region| touches(region.start, region.end, range))
        .map_or(0, |region| region.at.page)
}

/// What scores of chunks are compared on. Fused scores begin at 0; those of a reranker are of any range.
#[derive(Debug, Clone, Copy)]
struct Scale {
    zero: f32,
    best: f32,
}

impl Scale {
    fn of(passages: &[FoundPassage]) -> Self {
        let scores = || {
            passages
                .iter()
                .flat_map(|found| &found.matched)
                .map(|chunk| chunk.score)
        };
        let zero = scores().fold(0.0, f32::min);
        Self {
            zero,
            best: scores().map(|score| score - zero).fold(f32::EPSILON, f32::max),
        }
    }

    /// 0 to 1.
    fn place(self, score: f32) -> f32 {
        (score - self.zero) / self.best
    }
}

/// The place of the best chunk that holds the unit; half the passage's for what only stands around a chunk.
fn prior(found: &FoundPassage, part: usize, range: &Range<usize>, scale: Scale) -> f32 {
    let self_ref = &found.parts[part].item.self_ref;
    found
        .matched
        .iter()
        .filter(|chunk| {
            chunk
                .spans
                .iter()
                .any(|span| span.self_ref == *self_ref && touches(span.start, span.end, range))
        })
        .map(|chunk| scale.place(chunk.score))
        .fold(scale.place(found.passage.score) * 0.5, f32::max)
}

fn touches(start: u32, end: u32, range: &Range<usize>) -> bool {
    let offset = |at: u32| usize::try_from(at).unwrap_or(usize::MAX);
    offset(start) < range.end && range.start < offset(end)
}
