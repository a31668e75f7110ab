//! One page: words in reading order, their lines, and the lines that belong together.

use super::columns;
use super::frame::ReadingFrame;
use super::graphics::Graphics;
use super::groups::group;
use super::lines::{self, Line};
use super::recognised::Frames;
use super::words::RawWord;
use recto_core::{Page, Rect, TextSource, Word};
use std::ops::Range;

/// A line of a page, in displayed coordinates.
#[derive(Debug, Clone)]
pub(crate) struct LineInfo {
    /// Indices into [`Page::words`].
    pub(crate) words: Range<usize>,
    /// Bytes of [`Page::text`].
    pub(crate) text: Range<usize>,
    pub(crate) rect: Rect,
    pub(crate) size: f32,
    pub(crate) bold: bool,
    pub(crate) italic: bool,
    pub(crate) fixed_pitch: bool,
    /// Face and colour of most of its characters.
    pub(crate) face: u32,
    pub(crate) colour: u32,
}

/// Lines that belong together.
#[derive(Debug, Clone)]
pub(crate) struct Group {
    /// Indices into [`PageLayout::lines`].
    pub(crate) lines: Range<usize>,
    /// Whether each line is a row that must not flow into the next.
    pub(crate) rows: bool,
    /// Whether it runs in the direction of the page's main text.
    pub(crate) upright: bool,
}

/// What the structure of the whole document is made from.
#[derive(Debug, Clone, Default)]
pub(crate) struct PageLayout {
    pub(crate) lines: Vec<LineInfo>,
    pub(crate) groups: Vec<Group>,
    /// What is drawn beside the text.
    pub(crate) graphics: Graphics,
    /// What notes on the page say, with their place.
    pub(crate) notes: Vec<(Rect, String)>,
    /// What the file tags as headings, with their levels from 1.
    pub(crate) tagged: Vec<(Rect, u32)>,
}

/// Lays out the words of a page. `page` brings number and size; text and words are filled in.
pub(crate) fn lay_out(mut page: Page, frames: Frames, source: TextSource, graphics: Graphics) -> (Page, PageLayout) {
    page.source = source;
    let mut layout = PageLayout::default();
    let main = main_direction(&frames);
    // The main text first: what is turned against it is a stamp in the margin or a table on its side, a block of its
    // own.
    let mut frames = frames;
    frames.sort_by_key(|(frame, _)| (frame.degrees + 360 - main) % 360);
    for (frame, words) in frames {
        for region in columns::split(words) {
            let lines = lines::group(region);
            for group in group(&lines) {
                let upright = frame.degrees == main;
                emit(
                    &lines[group.0.clone()],
                    group.1,
                    (frame, upright),
                    &mut page,
                    &mut layout,
                );
            }
        }
    }
    layout.graphics = graphics;
    (page, layout)
}

/// By how much turned text must exceed the upright for the page to lie on its side.
const TURNED_PAGE: usize = 3;

/// The direction the page's text runs in, in degrees clockwise: that of a page scanned on its side is not upright.
fn main_direction(frames: &Frames) -> u16 {
    let letters = |words: &[RawWord]| words.iter().map(|word| word.text.len()).sum::<usize>();
    let upright: usize = frames
        .iter()
        .filter(|(frame, _)| frame.degrees == 0)
        .map(|(_, words)| letters(words))
        .sum();
    frames
        .iter()
        .filter(|(_, words)| letters(words) > TURNED_PAGE * upright)
        .max_by_key(|(frame, words)| (letters(words), std::cmp::Reverse(frame.degrees)))
        .map_or(0, |(frame, _)| frame.degrees)
}

fn emit(lines: &[Line], rows: bool, (frame, upright): (ReadingFrame, bool), page: &mut Page, layout: &mut PageLayout) {
    let first_line = layout.lines.len();
    for line in lines {
        if !page.text.is_empty() {
            page.text
                .push_str(if layout.lines.len() == first_line { "\n\n" } else { "\n" });
        }
        let number = offset(layout.lines.len());
        let text_start = page.text.len();
        let words_start = page.words.len();
        for (index, word) in line.words.iter().enumerate() {
            if index > 0 {
                page.text.push(' ');
            }
            let start = offset(page.text.len());
            page.text.push_str(&word.text);
            page.words.push(Word {
                start,
                end: offset(page.text.len()),
                rect: clamp(
                    word.recognition
                        .map_or_else(|| frame.display(&word.rect), |recognition| recognition.on_page),
                    page.width,
                    page.height,
                ),
                line: number,
                font_size: word.size,
                bold: word.bold,
                italic: word.italic,
                confidence: word.recognition.map(|recognition| recognition.confidence),
            });
        }
        layout.lines.push(LineInfo {
            words: words_start..page.words.len(),
            text: text_start..page.text.len(),
            rect: clamp(frame.display(&line.rect), page.width, page.height),
            size: line.size,
            bold: line.is_bold(),
            italic: line.is_italic(),
            fixed_pitch: line.words.iter().all(|w| w.fixed_pitch),
            face: line.face,
            colour: line.colour,
        });
    }
    layout.groups.push(Group {
        lines: first_line..layout.lines.len(),
        rows,
        upright,
    });
}

fn offset(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

fn clamp(rect: Rect, width: f32, height: f32) -> Rect {
    Rect {
        left: rect.left.clamp(0.0, width),
        top: rect.top.clamp(0.0, height),
        right: rect.right.clamp(0.0, width),
        bottom: rect.bottom.clamp(0.0, height),
    }
}
