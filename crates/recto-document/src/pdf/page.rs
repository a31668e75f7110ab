//! One page: words in reading order, their lines, and the lines that belong together.

use super::columns;
use super::diagrams::{self, Diagram};
use super::frame::ReadingFrame;
use super::graphics::Graphics;
use super::groups::group;
use super::lines::{self, Line};
use super::pictures::PlacedPicture;
use super::recognised::Frames;
use super::tables::{self, Part, Rules, Table};
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
    /// Whether it is the text of a box of a diagram.
    pub(crate) boxed: bool,
    /// The grid, when the lines are a table.
    pub(crate) table: Option<TableLayout>,
}

/// The grid of a table.
#[derive(Debug, Clone)]
pub(crate) struct TableLayout {
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    /// In row order, blank ones left out.
    pub(crate) cells: Vec<CellLayout>,
}

/// A cell that is not blank.
#[derive(Debug, Clone)]
pub(crate) struct CellLayout {
    pub(crate) rows: Range<usize>,
    pub(crate) columns: Range<usize>,
    pub(crate) column_header: bool,
    pub(crate) row_header: bool,
    /// Indices into [`Page::words`].
    pub(crate) words: Range<usize>,
}

/// What the structure of the whole document is made from.
#[derive(Debug, Clone, Default)]
pub(crate) struct PageLayout {
    pub(crate) lines: Vec<LineInfo>,
    pub(crate) groups: Vec<Group>,
    /// What is drawn beside the text.
    pub(crate) graphics: Graphics,
    /// Images and drawings.
    pub(crate) pictures: Vec<PlacedPicture>,
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
        let on_page = frame.rect(&Rect::new(0.0, 0.0, page.width, page.height));
        let rules = Rules::new(&graphics, frame, on_page);
        let mut writer = Writer {
            frame,
            upright: frame.degrees == main,
            page: &mut page,
            layout: &mut layout,
        };
        let (ruled, words) = dissolve_frames(tables::take(words, &rules));
        let (diagrams, mut words) = match frame.degrees {
            0 => diagrams::take(words, &rules.areas, on_page),
            _ => (Vec::new(), words),
        };
        let size = words.first().map_or(10.0, |w| w.size);
        let places = ruled
            .iter()
            .map(|table| table.rect)
            .chain(diagrams.iter().map(|diagram| diagram.rect));
        words.extend(
            places
                .enumerate()
                .map(|(index, rect)| RawWord::in_place_of_table(index, rect, size)),
        );
        for region in columns::split(words, &rules.level) {
            writer.region(region, &ruled, &diagrams, &rules);
        }
    }
    layout.graphics = graphics;
    (page, layout)
}

/// Most cells of what may be the frame of a page rather than a table.
const FRAME_CELLS: usize = 6;

/// Gives the words of ruled areas back that frame columns of prose: a cell of a table is not set in columns.
fn dissolve_frames((ruled, mut words): (Vec<Table>, Vec<RawWord>)) -> (Vec<Table>, Vec<RawWord>) {
    let in_columns = |lines: &[Line]| {
        let words: Vec<RawWord> = lines.iter().flat_map(|line| line.words.iter().cloned()).collect();
        columns::has_columns(&words)
    };
    let (frames, ruled): (Vec<Table>, Vec<Table>) = ruled
        .into_iter()
        .partition(|table| table.cells.len() <= FRAME_CELLS && table.cells.iter().any(|cell| in_columns(&cell.lines)));
    if !frames.is_empty() {
        let cells = frames.into_iter().flat_map(|table| table.cells);
        words.extend(cells.flat_map(|cell| cell.lines).flat_map(|line| line.words));
        words.sort_by_key(|word| word.sequence);
    }
    (ruled, words)
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

/// Puts words on the page in the order they are handed over.
struct Writer<'p> {
    frame: ReadingFrame,
    /// Whether it is the direction of the page's main text.
    upright: bool,
    page: &'p mut Page,
    layout: &'p mut PageLayout,
}

impl Writer<'_> {
    /// Places come by index: the tables first, then the diagrams.
    fn region(&mut self, region: Vec<RawWord>, ruled: &[Table], diagrams: &[Diagram], rules: &Rules) {
        let (mut places, words): (Vec<RawWord>, Vec<RawWord>) = region.into_iter().partition(|w| w.table.is_some());
        places.sort_by(|a, b| a.rect.top.total_cmp(&b.rect.top).then(a.table.cmp(&b.table)));
        let mut lines = lines::group(words);
        for place in places {
            // Text that runs beside a table is read before it.
            let beside = lines.iter().any(|line| {
                let y = line.rect.centre().1;
                y > place.rect.top && y < place.rect.bottom
            });
            let until = if beside { place.rect.bottom } else { place.rect.top };
            let rest = lines.split_off(lines.partition_point(|line| line.rect.centre().1 <= until));
            self.lines(std::mem::replace(&mut lines, rest), rules);
            let Some(index) = place.table else { continue };
            if let Some(table) = ruled.get(index) {
                self.table(table);
            } else if let Some(diagram) = diagrams.get(index - ruled.len()) {
                self.diagram(diagram);
            }
        }
        self.lines(lines, rules);
    }

    fn lines(&mut self, lines: Vec<Line>, rules: &Rules) {
        for part in tables::split(lines, rules) {
            match part {
                Part::Lines(lines) => {
                    for (range, rows) in group(&lines) {
                        self.group(&lines[range], rows);
                    }
                }
                Part::Table(table) => self.table(&table),
            }
        }
    }

    fn diagram(&mut self, diagram: &Diagram) {
        for lines in &diagram.boxes {
            for (range, _) in group(lines) {
                let first_line = self.layout.lines.len();
                for line in &lines[range] {
                    self.line(line, self.layout.lines.len() == first_line);
                }
                self.close(first_line, false, None);
                if let Some(group) = self.layout.groups.last_mut() {
                    group.boxed = true;
                }
            }
        }
    }

    fn group(&mut self, lines: &[Line], rows: bool) {
        let first_line = self.layout.lines.len();
        for line in lines {
            self.line(line, self.layout.lines.len() == first_line);
        }
        self.close(first_line, rows, None);
    }

    fn table(&mut self, table: &Table) {
        let first_line = self.layout.lines.len();
        let mut cells: Vec<CellLayout> = Vec::with_capacity(table.cells.len());
        let mut open: Vec<RawWord> = Vec::new();
        let mut row = 0;
        let mut at = self.page.words.len();
        for cell in &table.cells {
            let start = at;
            for line in &cell.lines {
                // A line of the page's text is what stands side by side in one row.
                let same = open.last().is_some_and(|last| {
                    let first = line.words.first();
                    row == cell.rows.start
                        && first.is_some_and(|w| {
                            (w.baseline - last.baseline).abs() < 0.5 * w.size && w.rect.left > last.rect.left
                        })
                });
                if !same && !open.is_empty() {
                    self.line(
                        &Line::of(std::mem::take(&mut open)),
                        self.layout.lines.len() == first_line,
                    );
                }
                row = cell.rows.start;
                at += line.words.len();
                open.extend(line.words.iter().cloned());
            }
            cells.push(CellLayout {
                rows: cell.rows.clone(),
                columns: cell.columns.clone(),
                column_header: cell.column_header,
                row_header: cell.row_header,
                words: start..at,
            });
        }
        if !open.is_empty() {
            self.line(&Line::of(open), self.layout.lines.len() == first_line);
        }
        let table = TableLayout {
            rows: table.rows,
            columns: table.columns,
            cells,
        };
        self.close(first_line, true, Some(table));
    }

    fn line(&mut self, line: &Line, first_of_block: bool) {
        let page = &mut *self.page;
        if !page.text.is_empty() {
            page.text.push_str(if first_of_block { "\n\n" } else { "\n" });
        }
        let number = offset(self.layout.lines.len());
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
                        .map_or_else(|| self.frame.display(&word.rect), |recognition| recognition.on_page),
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
        self.layout.lines.push(LineInfo {
            words: words_start..page.words.len(),
            text: text_start..page.text.len(),
            rect: clamp(self.frame.display(&line.rect), page.width, page.height),
            size: line.size,
            bold: line.is_bold(),
            italic: line.is_italic(),
            fixed_pitch: line.words.iter().all(|w| w.fixed_pitch),
            face: line.face,
            colour: line.colour,
        });
    }

    fn close(&mut self, first_line: usize, rows: bool, table: Option<TableLayout>) {
        self.layout.groups.push(Group {
            lines: first_line..self.layout.lines.len(),
            rows,
            upright: self.upright,
            boxed: false,
            table,
        });
    }
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
