//! Boxes against pixels: the one check of geometry that does not trust the code it checks.
//!
//! The pixels are PDFium's and, where it is installed, those of poppler's `pdftoppm`, which shares no code with the
//! library that read the boxes.

use recto_core::{Document, Page, Rect};
use recto_document::render::{self, Drawing, Picture};
use recto_worker::RenderSize;
use std::process::Command;

/// Pixels per point.
const SCALE: f32 = 4.0;

/// Draws a page without highlights.
pub(crate) fn draw(bytes: &[u8], page: u32) -> Picture {
    render::page(
        bytes,
        None,
        &Drawing {
            page,
            size: RenderSize::Scale(SCALE),
            highlights: &[],
            crop: None,
        },
    )
    .expect("the page is drawn")
}

/// The dark pixels of a drawn page.
struct Ink {
    drawn_by: &'static str,
    width: u32,
    height: u32,
    dark: Vec<bool>,
}

impl Ink {
    fn by_pdfium(bytes: &[u8], page: u32) -> Self {
        let picture = draw(bytes, page);
        Self {
            drawn_by: "PDFium",
            width: picture.width,
            height: picture.height,
            dark: picture.rgba.chunks_exact(4).map(|pixel| pixel[0] <= 128).collect(),
        }
    }

    /// `None` where poppler is not installed. The picture is made to have the size of the displayed page, because
    /// poppler does not know of user units.
    fn by_poppler(bytes: &[u8], page: &Page) -> Option<Self> {
        let file = tempfile::NamedTempFile::new().expect("a temporary file");
        std::fs::write(file.path(), bytes).expect("is written");
        let number = page.number.to_string();
        let pixels = |points: f32| (points * SCALE).round().to_string();
        // Poppler takes the size of the page before it is turned.
        let (width, height) = match page.rotation {
            90 | 270 => (page.height, page.width),
            _ => (page.width, page.height),
        };
        let output = Command::new("pdftoppm")
            .args(["-png", "-gray", "-cropbox", "-f", &number, "-l", &number])
            .args(["-scale-to-x", &pixels(width), "-scale-to-y", &pixels(height)])
            .arg(file.path())
            .output()
            .ok()?;
        let picture = image::load_from_memory(&output.stdout)
            .unwrap_or_else(|error| panic!("poppler drew no picture: {error}"))
            .into_luma8();
        Some(Self {
            drawn_by: "poppler",
            width: picture.width(),
            height: picture.height(),
            dark: picture.pixels().map(|pixel| pixel.0[0] <= 128).collect(),
        })
    }
}

/// Asserts for every renderer at hand that all ink of the drawn page lies in the words' boxes, and that the ink in each
/// box reaches from its left to its right edge, within a point.
pub(crate) fn assert_boxes_fit_the_ink(bytes: &[u8], page: &Page) {
    assert_boxes_fit_pdfiums_ink(bytes, page);
    if let Some(ink) = Ink::by_poppler(bytes, page) {
        assert_fit(&ink, page);
    }
}

/// The same by PDFium alone, for pages about whose frame renderers disagree.
pub(crate) fn assert_boxes_fit_pdfiums_ink(bytes: &[u8], page: &Page) {
    assert_fit(&Ink::by_pdfium(bytes, page.number), page);
}

/// Asserts that the words an item claims lie in the regions it claims, on the same page, and that every region is
/// needed for a word.
pub(crate) fn assert_items_hold_their_words(document: &Document) {
    for item in &document.items {
        let mut needed = vec![item.words.is_empty(); item.provenance.len()];
        for span in &item.words {
            let page = document.pages.iter().find(|page| page.number == span.page);
            let word = &page.expect("the page is there").words[span.word as usize];
            let (x, y) = word.rect.centre();
            let region = item
                .provenance
                .iter()
                .position(|p| p.at.page == span.page && grown(&p.at.rect, 0.5).contains(x, y));
            let Some(region) = region else {
                panic!("a word of {:?} lies in none of its regions", item.text)
            };
            needed[region] = true;
        }
        assert!(!needed.contains(&false), "a region of {:?} holds no word", item.text);
    }
}

/// Asserts that the words whose middle lies in the box of a table's cell are the text of the cell, in its order.
pub(crate) fn assert_cells_hold_their_words(document: &Document) {
    for item in &document.items {
        for cell in item.table.iter().flat_map(|grid| &grid.cells) {
            let at = cell.at.expect("a cell on a page has a box");
            let page = document
                .pages
                .iter()
                .find(|page| page.number == at.page)
                .expect("the page is there");
            let inside: Vec<&str> = page
                .words
                .iter()
                .filter(|word| {
                    let (x, y) = word.rect.centre();
                    at.rect.contains(x, y)
                })
                .map(|word| &page.text[word.start as usize..word.end as usize])
                .collect();
            assert_eq!(inside.join(" "), cell.text, "the words in a cell's box are the cell");
        }
    }
}

fn assert_fit(ink: &Ink, page: &Page) {
    let by = ink.drawn_by;
    let expected = (page.width * SCALE).round() as u32;
    assert!(
        ink.width.abs_diff(expected) <= 1,
        "the picture of {by} is {} wide, the page {expected}",
        ink.width
    );
    let mut extents: Vec<Option<Rect>> = vec![None; page.words.len()];
    for y in 0..ink.height {
        for x in 0..ink.width {
            if !ink.dark[(y * ink.width + x) as usize] {
                continue;
            }
            let (px, py) = ((x as f32 + 0.5) / SCALE, (y as f32 + 0.5) / SCALE);
            let owner = page
                .words
                .iter()
                .position(|word| grown(&word.rect, 0.5).contains(px, py));
            let Some(owner) = owner else {
                panic!(
                    "{by}: ink at ({px}, {py}) of page {} lies in no word's box",
                    page.number
                );
            };
            let pixel = Rect::new(px, py, px, py);
            extents[owner] = Some(extents[owner].map_or(pixel, |rect| rect.union(&pixel)));
        }
    }
    for (word, extent) in page.words.iter().zip(extents) {
        let text = &page.text[word.start as usize..word.end as usize];
        let Some(extent) = extent else {
            panic!("{by}: the box of {text:?} holds no ink")
        };
        // Measured along the text, whichever way it runs.
        let mut widest = page
            .words
            .iter()
            .filter(|other| other.line == word.line)
            .map(|other| other.rect);
        let along_x = widest.any(|r| r.width() > r.height());
        let (low, high) = if along_x {
            (extent.left - word.rect.left, word.rect.right - extent.right)
        } else {
            (extent.top - word.rect.top, word.rect.bottom - extent.bottom)
        };
        assert!(
            low.abs() < 1.0 && high.abs() < 1.0,
            "{by}: the box of {text:?} does not fit its ink: {low} {high}"
        );
    }
}

fn grown(rect: &Rect, by: f32) -> Rect {
    Rect::new(rect.left - by, rect.top - by, rect.right + by, rect.bottom + by)
}
