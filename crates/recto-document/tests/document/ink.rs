//! Boxes against pixels: the one check of geometry that does not trust the code it checks.

use recto_core::{Page, Rect};
use recto_document::render::{self, Drawing, Picture};
use recto_worker::RenderSize;

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

/// Asserts that all ink of the drawn page lies in the words' boxes, and that the ink in each box reaches from its left
/// to its right edge, within a point.
pub(crate) fn assert_boxes_fit_the_ink(bytes: &[u8], page: &Page) {
    let picture = draw(bytes, page.number);
    let expected = (page.width * SCALE).round() as u32;
    assert!(
        picture.width.abs_diff(expected) <= 1,
        "the picture is {} wide, the page {expected}",
        picture.width
    );
    let mut extents: Vec<Option<Rect>> = vec![None; page.words.len()];
    for y in 0..picture.height {
        for x in 0..picture.width {
            let at = ((y * picture.width + x) * 4) as usize;
            if picture.rgba[at] > 128 {
                continue;
            }
            let (px, py) = ((x as f32 + 0.5) / SCALE, (y as f32 + 0.5) / SCALE);
            let owner = page
                .words
                .iter()
                .position(|word| grown(&word.rect, 0.5).contains(px, py));
            let Some(owner) = owner else {
                panic!("ink at ({px}, {py}) of page {} lies in no word's box", page.number);
            };
            let pixel = Rect::new(px, py, px, py);
            extents[owner] = Some(extents[owner].map_or(pixel, |rect| rect.union(&pixel)));
        }
    }
    for (word, ink) in page.words.iter().zip(extents) {
        let text = &page.text[word.start as usize..word.end as usize];
        let Some(ink) = ink else {
            panic!("the box of {text:?} holds no ink")
        };
        // Measured along the text, whichever way it runs.
        let mut widest = page
            .words
            .iter()
            .filter(|other| other.line == word.line)
            .map(|other| other.rect);
        let along_x = widest.any(|r| r.width() > r.height());
        let (low, high) = if along_x {
            (ink.left - word.rect.left, word.rect.right - ink.right)
        } else {
            (ink.top - word.rect.top, word.rect.bottom - ink.bottom)
        };
        assert!(
            low.abs() < 1.0 && high.abs() < 1.0,
            "the box of {text:?} does not fit its ink: {low} {high}"
        );
    }
}

fn grown(rect: &Rect, by: f32) -> Rect {
    Rect::new(rect.left - by, rect.top - by, rect.right + by, rect.bottom + by)
}
