//! Pages whose text is in their pixels: which they are, and reading them.

use super::ffi::{PdfPage, Window};
use super::gate;
use super::glyphs::Glyphs;
use super::graphics::Graphics;
use super::recognised::{self, Frames, Straighten};
use super::shared::Recognised;
use super::traced::Sheet;
use super::words;
use crate::error::{Error, Result};
use crate::ocr::{self, Raster};
use recto_core::{Rect, TextSource};

/// Cells across and down in which the images of a page are counted.
const GRID: usize = 32;
/// Share of the page that images cover when it is a scan.
const COVERED: f32 = 0.5;
/// The same where the page has no text at all: a screenshot, a cut-out.
const COVERED_WITHOUT_TEXT: f32 = 0.05;
/// Share of the height of a scan that stamps, headers and footers over it take up at most.
const STAMPS: f32 = 0.25;
/// Outlines from which a page without text and images is text that was turned into curves.
const OUTLINES: usize = 60;

/// Dots per inch a page is drawn at. Recognition wants a letter's strip 48 pixels high: ten-point type at 250.
const DOTS: std::ops::RangeInclusive<f32> = 150.0..=300.0;
/// What a page without images is drawn at.
const USUAL_DOTS: f32 = 220.0;
/// Most pixels of the drawing.
const MAX_PIXELS: f32 = 24e6;

/// Where the text of a page is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Need {
    /// In its text layer.
    Nothing,
    /// In its pixels, beside what the text layer has.
    Beside,
    /// In its pixels only: the text layer cannot be believed.
    Instead,
}

/// Decides whether text must be recognised. `digital` are the words of the text layer.
pub(crate) fn need(glyphs: &Glyphs, digital: &Frames, graphics: &Graphics, (width, height): (f32, f32)) -> Need {
    let words = || digital.iter().flat_map(|(_, words)| words);
    if !gate::is_text(glyphs, words()) {
        return Need::Instead;
    }
    let covered = Covered::by(&graphics.images, width, height);
    if words().next().is_none() {
        let outlined = graphics.drawings.len() >= OUTLINES;
        return if covered.share() >= COVERED_WITHOUT_TEXT || outlined {
            Need::Beside
        } else {
            Need::Nothing
        };
    }
    if covered.share() < COVERED {
        return Need::Nothing;
    }
    // The rows of the scan in which the text layer has something.
    let mut written = [false; GRID];
    for (frame, words) in digital {
        for word in words {
            let place = frame.display(&word.rect);
            let x = place.centre().0;
            let ends = (covered.cell(x, place.top), covered.cell(x, place.bottom));
            let (Some((column, first)), Some((_, last))) = ends else {
                continue;
            };
            let rows = written.iter_mut().zip(&covered.cells);
            for (written, cells) in rows.take(last + 1).skip(first) {
                *written |= cells[column];
            }
        }
    }
    let rows = covered.cells.iter().filter(|row| row.iter().any(|cell| *cell)).count();
    let written = written.iter().filter(|row| **row).count();
    if written as f32 <= STAMPS * rows as f32 {
        Need::Beside
    } else {
        Need::Nothing
    }
}

/// Which parts of a page lie under images.
struct Covered {
    cells: [[bool; GRID]; GRID],
    width: f32,
    height: f32,
}

impl Covered {
    fn by(images: &[Rect], width: f32, height: f32) -> Self {
        let mut out = Self {
            cells: [[false; GRID]; GRID],
            width,
            height,
        };
        for (row, cells) in out.cells.iter_mut().enumerate() {
            for (column, cell) in cells.iter_mut().enumerate() {
                let x = (column as f32 + 0.5) / GRID as f32 * width;
                let y = (row as f32 + 0.5) / GRID as f32 * height;
                *cell = images.iter().any(|image| image.contains(x, y));
            }
        }
        out
    }

    fn share(&self) -> f32 {
        let count = self.cells.iter().flatten().filter(|cell| **cell).count();
        count as f32 / (GRID * GRID) as f32
    }

    fn cell(&self, x: f32, y: f32) -> Option<(usize, usize)> {
        let index = |at: f32, size: f32| {
            let index = (at / size * GRID as f32).floor();
            (0.0..GRID as f32).contains(&index).then_some(index as usize)
        };
        Some((index(x, self.width)?, index(y, self.height)?))
    }
}

/// Reads the pixels of a page. Of the words in `digital`, those that are believed are kept, and win where both have
/// something.
///
/// # Errors
/// `asset_missing`; what `step` returns.
pub(crate) fn read(
    page: &PdfPage<'_>,
    need: Need,
    digital: Frames,
    (width, height): (f32, f32),
    step: &mut dyn FnMut() -> Result<()>,
) -> Result<Recognised> {
    step()?;
    ocr::available()?;
    let (raster, scale) = draw(page, width, height)?;
    let digital = if need == Need::Instead { Frames::new() } else { digital };
    let places: Vec<Rect> = digital
        .iter()
        .flat_map(|(frame, words)| words.iter().map(|word| frame.display(&word.rect)))
        .collect();
    let known = |corners: &[ocr::Point; 4]| {
        let points = corners.map(|(x, y)| Rect::new(x / scale, y / scale, x / scale, y / scale));
        let strip = points.into_iter().reduce(|a, b| a.union(&b)).unwrap_or_default();
        let claimed: f32 = places.iter().map(|place| area_of_both(place, &strip)).sum();
        claimed > 0.45 * strip.width() * strip.height()
    };
    let (mut recognised, traced) = recognise(raster, scale, (width, height), &known, step)?;
    for (_, words) in &mut recognised {
        words.retain(|word| {
            let place = word.recognition.map(|r| r.on_page).unwrap_or_default();
            let area = place.width() * place.height();
            !places.iter().any(|known| area_of_both(known, &place) > 0.5 * area)
        });
    }
    recognised.retain(|(_, words)| !words.is_empty());
    let source = match (digital.is_empty(), recognised.is_empty()) {
        (true, _) => TextSource::Ocr,
        (false, true) => TextSource::Digital,
        (false, false) => TextSource::Mixed,
    };
    Ok(Recognised {
        words: merge(digital, recognised),
        traced,
        source,
    })
}

/// Reads a picture of a page of `width` × `height` points, drawn at `scale` pixels a point: its words, and the rules and
/// areas among them, both as if the page lay straight. Lines that `known` claims are left out.
///
/// # Errors
/// `asset_missing`; what `step` returns.
pub(crate) fn recognise(
    raster: Raster,
    scale: f32,
    size: (f32, f32),
    known: &dyn Fn(&[ocr::Point; 4]) -> bool,
    step: &mut dyn FnMut() -> Result<()>,
) -> Result<(Frames, Graphics)> {
    let sheet = Sheet::new(&raster, scale);
    let lines = ocr::recognise(raster, known, step)?;
    let straighten = Straighten::new(&lines, size);
    let words = recognised::words(&lines, scale, &straighten);
    let traced = sheet.trace(&straighten, &words);
    Ok((words, traced))
}

fn area_of_both(a: &Rect, b: &Rect) -> f32 {
    a.intersection(b).map_or(0.0, |both| both.width() * both.height())
}

fn merge(mut digital: Frames, recognised: Frames) -> Frames {
    for (frame, words) in recognised {
        match digital.iter_mut().find(|(known, _)| *known == frame) {
            Some((_, known)) => {
                let first = known.iter().map(|word| word.sequence + 2).max().unwrap_or_default();
                known.extend(words.into_iter().map(|mut word| {
                    word.sequence += first;
                    word
                }));
            }
            None => digital.push((frame, words)),
        }
    }
    digital
}

/// Draws a page large enough to be read, and says how many pixels a point has become.
fn draw(page: &PdfPage<'_>, width: f32, height: f32) -> Result<(Raster, f32)> {
    let largest = page
        .images()
        .into_iter()
        .max_by_key(|image| u64::from(image.width) * u64::from(image.height));
    let finest = largest.and_then(|image| image.dots());
    let dots = finest.map_or(USUAL_DOTS, |dots| (dots as f32).clamp(*DOTS.start(), *DOTS.end()));
    let scale = (dots / 72.0).min((MAX_PIXELS / (width * height).max(1.0)).sqrt());
    let pixels = |points: f32| ((points * scale).round() as u32).max(1);
    let full = (pixels(width), pixels(height));
    let window = Window {
        left: 0,
        top: 0,
        width: full.0,
        height: full.1,
    };
    let bgra = page.draw(full, &window)?;
    Ok((Raster::from_bgr(full.0, full.1, &bgra, 4), scale))
}

/// What is said of a page that could not be read.
pub(crate) fn gap_reason(need: Need, error: &Error) -> String {
    let what = match need {
        Need::Instead => "The text of this page cannot be decoded, and recognising it failed",
        Need::Nothing | Need::Beside => "This page is a picture of text, and recognising it failed",
    };
    format!("{what}: {error}")
}

/// Words of each reading direction of a text layer, those of form values among the upright ones.
pub(crate) fn digital(glyphs: &Glyphs) -> Frames {
    let frames = glyphs.frames.iter().zip(0u16..);
    frames
        .map(|(frame, index)| {
            let mut words = words::from_glyphs(glyphs.glyphs.iter().filter(|g| g.frame == index));
            if frame.degrees == 0 {
                words.extend(glyphs.values.iter().cloned());
            }
            (*frame, words)
        })
        .filter(|(_, words)| !words.is_empty())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::frame::ReadingFrame;
    use super::super::words::RawWord;
    use super::*;

    const PAGE: (f32, f32) = (600.0, 800.0);

    fn with(images: &[Rect], lines: &[f32]) -> Need {
        let graphics = Graphics {
            images: images.to_vec(),
            ..Graphics::default()
        };
        let words = lines.iter().map(|&y| {
            let rect = Rect::new(100.0, y, 200.0, y + 10.0);
            RawWord::recognised("word".into(), rect, (y, 10.0), 0, 100, rect)
        });
        let digital: Frames = match lines {
            [] => Vec::new(),
            _ => vec![(ReadingFrame::along(1.0, 0.0), words.collect())],
        };
        need(&Glyphs::default(), &digital, &graphics, PAGE)
    }

    #[test]
    fn a_page_is_a_scan_when_an_image_covers_it_and_text_does_not() {
        let whole = Rect::new(0.0, 0.0, 600.0, 800.0);
        let full_of_text: Vec<f32> = (0..30u8).map(|i| 60.0 + 22.0 * f32::from(i)).collect();
        assert_eq!(with(&[whole], &[]), Need::Beside);
        assert_eq!(with(&[whole], &[20.0, 34.0, 780.0]), Need::Beside, "stamps over a scan");
        assert_eq!(
            with(&[whole], &full_of_text),
            Need::Nothing,
            "a scan with a text layer, a page with a background"
        );
        assert_eq!(with(&[], &full_of_text), Need::Nothing);
        assert_eq!(with(&[], &[]), Need::Nothing, "a blank page");
    }

    #[test]
    fn a_header_above_the_scan_does_not_count_as_its_text() {
        let body = Rect::new(0.0, 150.0, 600.0, 800.0);
        assert_eq!(with(&[body], &[20.0, 40.0, 60.0, 80.0, 100.0, 120.0]), Need::Beside);
    }

    #[test]
    fn a_scan_in_stripes_is_a_scan() {
        let stripes: Vec<Rect> = (0..8u8)
            .map(|i| Rect::new(0.0, 100.0 * f32::from(i), 600.0, 100.0 * f32::from(i) + 100.0))
            .collect();
        assert_eq!(with(&stripes, &[]), Need::Beside);
    }
}
