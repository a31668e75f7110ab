//! Where a paragraph, a heading or a list entry ends and the next one begins.

use super::groups::{Pitch, similar};
use super::lines::Line;
use crate::text::marker;
use recto_core::Rect;
use std::collections::BTreeMap;

/// Lines of a sentence in which "(2)" is looked for after "(1)".
const SENTENCE_LINES: usize = 12;
/// Farthest baselines of double spacing, as a multiple of the font size.
const WIDEST_PITCH: f32 = 2.6;

/// The lines of a region, and how they are set.
pub(super) struct Prose<'l> {
    lines: &'l [Line],
    texts: Vec<String>,
    rows: &'l [bool],
    region: Rect,
    pitch: &'l Pitch,
    /// The face of most of the region.
    face: u32,
    /// Whether paragraphs are set apart by white space, so that a short line alone does not end one.
    spaced: bool,
    /// Whether the first line of a paragraph stands to the right of the others.
    indented: bool,
    /// Whether the further lines of list entries stand to the right of the marker.
    hanging: bool,
}

impl<'l> Prose<'l> {
    pub(super) fn new(lines: &'l [Line], rows: &'l [bool], region: Rect, pitch: &'l Pitch) -> Self {
        let texts = lines.iter().map(text).collect();
        let mut prose = Self {
            lines,
            texts,
            rows,
            region,
            pitch,
            face: main_face(lines),
            spaced: false,
            indented: false,
            hanging: false,
        };
        let pairs = || (1..lines.len()).filter(|&below| !rows[below] && !rows[below - 1]);
        prose.spaced = pairs().any(|below| {
            let (above, below_line) = (&lines[below - 1], &lines[below]);
            prose.same_style(below - 1, below)
                && prose.wide(below)
                && prose.distance(above, below_line) < 2.6 * pitch.of(above.size)
                && ends_sentence(&prose.texts[below - 1])
                && !leads_entry(&prose.texts[below])
        });
        prose.indented = pairs().filter(|&below| prose.is_indented(below)).count() >= 2;
        prose.hanging = pairs().any(|below| {
            prose
                .text_edge(below - 1)
                .is_some_and(|edge| (lines[below].rect.left - edge).abs() < 0.4 * lines[below].size)
                && !prose.wide(below)
        });
        prose
    }

    /// Whether the line at `index` belongs to the lines from `start` on.
    pub(super) fn goes_on(&self, start: usize, index: usize) -> bool {
        let (above, below) = (&self.lines[index - 1], &self.lines[index]);
        if self.wide(index) || below.starts_note() {
            return false;
        }
        if marker::leads_note(&self.texts[index]) && self.begins_after_end(start, index) {
            return false;
        }
        let size = above.size.max(below.size).max(1.0);
        let edge = self.text_edge(start);
        // The first words of an entry are often heavier than the rest of it, and may fill its first line.
        let below_text = edge.is_some_and(|edge| (below.rect.left - edge).abs() < 0.5 * size);
        let led = self.wraps(index) || self.texts[index - 1].ends_with([':', '.', '—', '–']);
        let lead_in = below_text && led && above.is_bold() && !below.is_bold();
        // Words of a note may be stressed by the line: titles of works are.
        let noted = self.lines[start].starts_note() && self.wraps(index);
        if !((lead_in || noted) && similar(above.size, below.size) || self.same_style(index - 1, index)) {
            return false;
        }
        if let Some(bullet) = marker::bullet(&self.texts[index]) {
            // A dash may begin a line in the middle of a sentence.
            if marker::is_bullet(bullet) || self.begins_after_end(start, index) || self.has_sibling(index, bullet) {
                return false;
            }
        }
        if let Some(edge) = edge {
            return self.entry_goes_on(start, index, edge, size);
        }
        let numbered = leads_entry(&self.texts[index]) || marker::heading_number(&self.texts[index]).is_some();
        if numbered && self.begins_after_end(start, index) {
            return false;
        }
        let left = self.left(start, index);
        // Text that is set in from the right of the page's margin below a line that goes back to it is a new one.
        if self.is_indented(index) && above.rect.left - left < 0.5 * size && below.rect.left - left > 0.8 * size {
            return false;
        }
        // A heading of two or three lines does not end in the middle of a phrase, but it has no full stop either.
        !self.ended_early(index, size)
    }

    /// An entry goes on with lines that stand below its text, or, where entries do not hang, that fill the width.
    fn entry_goes_on(&self, start: usize, index: usize, edge: f32, size: f32) -> bool {
        let (above, below) = (&self.lines[index - 1], &self.lines[index]);
        let marker_left = self.lines[start].rect.left;
        let left = below.rect.left;
        if self.lines[start].starts_note() {
            // The next note has a mark of its own; lines of this one hang or go back to the margin.
            return left > marker_left - 0.5 * size && left < edge + 3.0 * size;
        }
        if leads_entry(&self.texts[index]) && (left - marker_left).abs() < 0.5 * size {
            return false;
        }
        // Deeper or shallower entries.
        if leads_entry(&self.texts[index]) && self.begins_after_end(start, index) {
            return false;
        }
        let hangs = (start + 1..index).any(|line| self.lines[line].rect.left > marker_left + 0.5 * size);
        // Below the text of the entry, however near to the marker that is.
        let hung = (left - edge).abs() < 0.25 * size && edge > marker_left + 0.25 * size;
        if hung || left > marker_left + 0.5 * size {
            // A line far to the right of the entry's text is something else.
            return left < edge + 3.0 * size;
        }
        // A numbered heading of two lines does not hang.
        let needed = below.words.first().map_or(0.0, |w| w.rect.width()) + 0.1 * self.region.width();
        if above.is_bold() && below.is_bold() && !hangs && self.region.right - above.rect.right < needed {
            return true;
        }
        if hangs || self.hanging || left < marker_left - 0.5 * size && index > start + 1 {
            return false;
        }
        let room = self.region.right - above.rect.right;
        !self.ended_early(index, size) && room < 0.25 * self.region.width()
    }

    /// Whether the line at `index` begins anew after a line that is complete: a numbered line in the middle of a
    /// sentence ("as described in Item\n7. Properties") is no entry.
    fn begins_after_end(&self, start: usize, index: usize) -> bool {
        let above = &self.texts[index - 1];
        let below = &self.lines[index];
        let at_margin = below.rect.left - self.left(start, index) > -0.5 * below.size;
        let room = self.region.right - self.lines[index - 1].rect.right;
        let listed = leads_entry(&self.texts[start]) && marker::bullet(&self.texts[start]).is_none();
        if self.counts_inside(start, index) || self.counts_on_inside(index) {
            return false;
        }
        at_margin && (listed || ends_sentence(above) || room > 0.25 * self.region.width())
    }

    /// Whether the number that begins a line goes on from one in the middle of the lines before it: "(1) … and (2) …" in
    /// a sentence is no list, wherever the lines break.
    fn counts_inside(&self, start: usize, index: usize) -> bool {
        let Some(number) = marker::numbered(&self.texts[index]) else {
            return false;
        };
        let digits: String = number.chars().filter(char::is_ascii_digit).collect();
        let Some(before) = digits.parse::<u32>().ok().and_then(|value| value.checked_sub(1)) else {
            return false;
        };
        let wanted = number.replace(&digits, &before.to_string());
        self.texts[start..index]
            .iter()
            .any(|text| text.split_whitespace().skip(1).any(|word| word == wanted))
    }

    /// Whether the number after the one that begins a line stands in the middle of that line or of one of the next.
    fn counts_on_inside(&self, index: usize) -> bool {
        let Some(number) = marker::numbered(&self.texts[index]) else {
            return false;
        };
        let digits: String = number.chars().filter(char::is_ascii_digit).collect();
        let Ok(value) = digits.parse::<u32>() else {
            return false;
        };
        let wanted = number.replace(&digits, &value.saturating_add(1).to_string());
        (index..self.lines.len())
            .take(SENTENCE_LINES)
            .take_while(|&line| line == index || !self.wide(line) && !self.texts[line].starts_with(&wanted))
            .any(|line| self.texts[line].split_whitespace().skip(1).any(|word| word == wanted))
    }

    /// Whether another line of the region begins with the same dash at the same place.
    fn has_sibling(&self, index: usize, bullet: &str) -> bool {
        let left = self.lines[index].rect.left;
        let size = self.lines[index].size;
        (0..self.lines.len()).any(|other| {
            other != index
                && (self.lines[other].rect.left - left).abs() < 0.3 * size
                && marker::bullet(&self.texts[other]) == Some(bullet)
        })
    }

    /// The line above was ended though the next word had room.
    fn ended_early(&self, index: usize, size: f32) -> bool {
        let (above, below) = (&self.lines[index - 1], &self.lines[index]);
        // A heading goes on after its colon.
        let heavy = above.is_bold() && self.texts[index - 1].ends_with(':');
        if heavy || !ends_sentence(&self.texts[index - 1]) {
            return false;
        }
        let begins_anew =
            self.texts[index].starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit() || "(“\"‘".contains(c));
        let width = self.region.width();
        let room = self.region.right - above.rect.right;
        let needed = below.words.first().map_or(0.0, |w| w.rect.width()) + 0.8 * size;
        // In ragged text lines end early by chance; where white space separates paragraphs it takes a really short line.
        let enough = if self.spaced || self.indented { 0.4 } else { 0.12 };
        begins_anew && room > needed && room > enough * width
    }

    /// Whether the line is a first line set in: the line above ends a sentence and the next goes back to the margin.
    fn is_indented(&self, index: usize) -> bool {
        let below = &self.lines[index];
        let size = below.size.max(1.0);
        let above = &self.lines[index - 1];
        let returns = self.lines.get(index + 1).is_none_or(|next| {
            next.rect.left < below.rect.left - 0.5 * size && next.rect.left > above.rect.left - 0.5 * size
        });
        let in_by = below.rect.left - above.rect.left;
        ends_sentence(&self.texts[index - 1]) && (0.8 * size..6.0 * size).contains(&in_by) && returns
    }

    /// Where the text of a list entry begins behind its marker.
    fn text_edge(&self, line: usize) -> Option<f32> {
        if self.rows[line] || !leads_entry(&self.texts[line]) && !self.lines[line].starts_note() {
            return None;
        }
        self.lines[line].words.get(1).map(|word| word.rect.left)
    }

    fn left(&self, start: usize, end: usize) -> f32 {
        self.lines[start..end]
            .iter()
            .map(|l| l.rect.left)
            .fold(f32::INFINITY, f32::min)
    }

    /// Distance of baselines, as a multiple of the font size.
    fn distance(&self, above: &Line, below: &Line) -> f32 {
        (below.baseline - above.baseline) / above.size.max(below.size).max(1.0)
    }

    /// More white space above a line than between lines of a paragraph. Print is exact: a quarter of a line more is
    /// meant.
    fn wide(&self, index: usize) -> bool {
        let (above, below) = (&self.lines[index - 1], &self.lines[index]);
        self.distance(above, below) > 1.25 * self.pitch.of(above.size) && !self.is_spaced_out(index)
    }

    /// Whether a line stands in a stretch of text with a wider pitch than the rest of the region: as far from the full
    /// line above it as from the one below, or as that is from the one before.
    fn is_spaced_out(&self, index: usize) -> bool {
        let (above, below) = (&self.lines[index - 1], &self.lines[index]);
        let distance = self.distance(above, below);
        let as_far = |first: usize| {
            self.lines.get(first + 1).is_some_and(|second| {
                let other = self.distance(&self.lines[first], second);
                !self.rows[first] && !self.rows[first + 1] && (other - distance).abs() < 0.03 * distance
            })
        };
        distance < WIDEST_PITCH
            && !self.rows[index]
            && !self.rows[index - 1]
            && above.words.len() >= 4
            && self.wraps(index)
            && (index >= 2 && as_far(index - 2) || as_far(index))
    }

    /// Whether the line above is full: the first word of this one had no room in it.
    fn wraps(&self, index: usize) -> bool {
        let (above, below) = (&self.lines[index - 1], &self.lines[index]);
        let needed = below.words.first().map_or(0.0, |word| word.rect.width()) + 0.5 * above.size;
        self.region.right - above.rect.right < needed
    }

    /// Whether the lines meet in the middle of a sentence, whatever they look like: words may be stressed by the line.
    fn meet_inside_sentence(&self, index: usize) -> bool {
        let (a, b) = (&self.lines[index - 1], &self.lines[index]);
        let same_size = (a.size - b.size).abs() <= 0.04 * a.size;
        if !same_size || ends_sentence(&self.texts[index - 1]) && !self.texts[index - 1].ends_with(':') {
            return false;
        }
        let lower = self.texts[index].starts_with(char::is_lowercase);
        // Words in a heavier face before a capital are a heading.
        lower && a.words.len() >= 2 || self.wraps(index) && !a.is_bold() && a.face == self.face && a.words.len() >= 4
    }

    fn same_style(&self, above: usize, below: usize) -> bool {
        let (a, b) = (&self.lines[above], &self.lines[below]);
        if !similar(a.size, b.size) {
            return false;
        }
        // A line may change its look in the middle; what counts is where the two meet.
        if let (Some(last), Some(first)) = (a.words.last(), b.words.first())
            && (self.mixed(above) || self.mixed(below))
            && (last.bold, last.face, last.colour) == (first.bold, first.face, first.colour)
        {
            return true;
        }
        let flows = self.meet_inside_sentence(below);
        if a.is_bold() != b.is_bold() && !flows {
            return false;
        }
        let slanted = a.is_italic() != b.is_italic();
        if slanted && a.words.len() > 2 && b.words.len() > 2 && !flows {
            return false;
        }
        let emphasised = a.is_bold() || (a.size - b.size).abs() > 0.02 * a.size;
        // A whole line of a link is coloured in the middle of a paragraph; headings differ by colour or capitals.
        let cases = (capitals(&self.texts[above]), capitals(&self.texts[below]));
        let other_case = matches!(cases, (Some(x), Some(y)) if x != y);
        if emphasised && (a.colour != b.colour || other_case) {
            return false;
        }
        // One of several faces in a line says little, unless the other line has none of them.
        let shared = a.words.iter().any(|word| word.face == b.face) || b.words.iter().any(|word| word.face == a.face);
        shared || slanted || a.is_italic() || flows
    }

    /// Whether a line is set in several faces: what most of it is set in says little then.
    fn mixed(&self, line: usize) -> bool {
        let line = &self.lines[line];
        line.words.iter().any(|word| word.face != line.face)
    }
}

fn main_face(lines: &[Line]) -> u32 {
    let mut letters: BTreeMap<u32, usize> = BTreeMap::new();
    for line in lines {
        *letters.entry(line.face).or_default() += line.words.iter().map(|word| word.text.len()).sum::<usize>();
    }
    let most = letters.into_iter().max_by_key(|(face, count)| (*count, *face));
    most.map_or(0, |(face, _)| face)
}

pub(super) fn text(line: &Line) -> String {
    line.words.iter().map(|w| w.text.as_str()).collect::<Vec<_>>().join(" ")
}

/// Whether a line is written in capitals; `None` where it has too few letters to say.
fn capitals(text: &str) -> Option<bool> {
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let lower = text.chars().filter(|c| c.is_lowercase()).count();
    (letters >= 4).then_some(lower * 10 <= letters)
}

fn leads_entry(text: &str) -> bool {
    marker::bullet(text).is_some() || marker::numbered(text).is_some()
}

pub(super) fn ends_sentence(text: &str) -> bool {
    text.trim_end_matches(['"', '”', ')', '’', '*'])
        .trim_end_matches(|c: char| c.is_ascii_digit())
        .trim_end()
        .trim_end_matches(['"', '”', ')', '’', '*'])
        .ends_with(['.', '!', '?', ':', ';'])
}
