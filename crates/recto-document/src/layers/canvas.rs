//! Sheets as pictures: shapes laid over the pixels of a page.

use super::font;
use super::shapes::{Colour, Shape, Side};
use crate::render::Picture;
use recto_core::{Page, Rect};

/// Draws the shapes over `picture`, the whole of `page`.
pub(super) fn paint(picture: Picture, page: &Page, shapes: &[Shape]) -> Picture {
    let mut canvas = Canvas {
        // A page may have been drawn smaller than asked for.
        scale_x: picture.width as f32 / page.width.max(1.0),
        scale_y: picture.height as f32 / page.height.max(1.0),
        picture,
    };
    // Tags last, so that no frame hides one.
    for shape in shapes {
        match shape {
            Shape::Frame {
                rect,
                colour,
                veil,
                weight,
                ..
            } => canvas.frame(rect, *colour, *veil, *weight),
            Shape::Arrow { from, to, colour } => canvas.arrow(*from, *to, *colour),
            Shape::Tag { .. } => {}
        }
    }
    for shape in shapes {
        if let Shape::Tag { at, side, text, colour } = shape {
            canvas.tag(*at, *side, text, *colour);
        }
    }
    canvas.picture
}

/// The nearest whole pixel. No picture is as large as the limit, and sums of such numbers do not overflow.
fn pixel(at: f32) -> i64 {
    at.round().clamp(-1e9, 1e9) as i64
}

struct Canvas {
    picture: Picture,
    scale_x: f32,
    scale_y: f32,
}

impl Canvas {
    /// Pixels of a width in points, at least one.
    fn thickness(&self, points: f32) -> i64 {
        ((points * self.scale_x).round() as i64).max(1)
    }

    fn pixels(&self, rect: &Rect) -> [i64; 4] {
        [
            pixel(rect.left * self.scale_x),
            pixel(rect.top * self.scale_y),
            pixel(rect.right * self.scale_x),
            pixel(rect.bottom * self.scale_y),
        ]
    }

    /// Lays `percent` of `colour` over the pixels from `left`, `top` up to but without `right`, `bottom`.
    fn fill(&mut self, [left, top, right, bottom]: [i64; 4], colour: Colour, percent: u16) {
        let (width, height) = (i64::from(self.picture.width), i64::from(self.picture.height));
        let (left, right) = (left.clamp(0, width) as usize, right.clamp(0, width) as usize);
        if left >= right {
            return;
        }
        for y in top.clamp(0, height) as usize..bottom.clamp(0, height) as usize {
            let row = y * self.picture.width as usize;
            for pixel in self.picture.rgba[(row + left) * 4..(row + right) * 4].chunks_exact_mut(4) {
                for (channel, tint) in pixel.iter_mut().zip(colour) {
                    *channel = ((u16::from(*channel) * (100 - percent) + u16::from(tint) * percent) / 100) as u8;
                }
            }
        }
    }

    fn frame(&mut self, rect: &Rect, colour: Colour, veil: u8, weight: f32) {
        let [left, top, right, bottom] = self.pixels(rect);
        let edge = self.thickness(weight);
        self.fill([left, top, right, bottom], colour, u16::from(veil.min(100)));
        self.fill([left, top, right, top + edge], colour, 100);
        self.fill([left, bottom - edge, right, bottom], colour, 100);
        self.fill([left, top, left + edge, bottom], colour, 100);
        self.fill([right - edge, top, right, bottom], colour, 100);
    }

    fn tag(&mut self, at: (f32, f32), side: Side, text: &str, colour: Colour) {
        // Characters of about seven points, never so small that one is lost.
        let dot = self.thickness(0.8);
        let characters = i64::try_from(text.chars().count()).unwrap_or(i64::MAX);
        let width = characters.saturating_mul(i64::from(font::ADVANCE)) * dot + dot;
        let height = i64::from(font::HEIGHT + 2) * dot;
        let (x, y) = (pixel(at.0 * self.scale_x), pixel(at.1 * self.scale_y));
        let (left, top) = match side {
            Side::Above => (x, y - height),
            Side::Before => (x - width, y),
        };
        let left = left.clamp(0, i64::from(self.picture.width));
        let top = top.clamp(0, i64::from(self.picture.height));
        self.fill([left, top, left + width, top + height], colour, 100);
        for (index, character) in (0..).zip(text.chars()) {
            let x0 = left + dot + index * i64::from(font::ADVANCE) * dot;
            for (row, bits) in (0..).zip(font::rows(character)) {
                for column in 0..i64::from(font::WIDTH) {
                    if bits >> (i64::from(font::WIDTH) - 1 - column) & 1 == 1 {
                        let (x, y) = (x0 + column * dot, top + (row + 1) * dot);
                        self.fill([x, y, x + dot, y + dot], [255, 255, 255], 100);
                    }
                }
            }
        }
    }

    fn arrow(&mut self, from: (f32, f32), to: (f32, f32), colour: Colour) {
        let (x0, y0) = (from.0 * self.scale_x, from.1 * self.scale_y);
        let (x1, y1) = (to.0 * self.scale_x, to.1 * self.scale_y);
        self.line((x0, y0), (x1, y1), colour);
        let length = (x1 - x0).hypot(y1 - y0);
        if length < 1.0 {
            return;
        }
        // The head: two strokes back from the point, half as wide as long.
        let head = 5.0 * self.scale_x;
        let (ux, uy) = ((x1 - x0) / length * head, (y1 - y0) / length * head);
        self.line((x1, y1), (x1 - ux - uy / 2.0, y1 - uy + ux / 2.0), colour);
        self.line((x1, y1), (x1 - ux + uy / 2.0, y1 - uy - ux / 2.0), colour);
    }

    /// A line between two points in pixels, as a row of dots.
    fn line(&mut self, (x0, y0): (f32, f32), (x1, y1): (f32, f32), colour: Colour) {
        // Points may be anywhere; a line longer than the picture's diagonal has its end outside.
        let longest = (self.picture.width + self.picture.height) as f32;
        let steps = (x1 - x0).abs().max((y1 - y0).abs()).min(longest).ceil().max(1.0);
        let dot = self.thickness(0.8);
        for step in 0..=steps as i64 {
            let part = step as f32 / steps;
            let x = pixel(x0 + (x1 - x0) * part);
            let y = pixel(y0 + (y1 - y0) * part);
            self.fill(
                [x - dot / 2, y - dot / 2, x - dot / 2 + dot, y - dot / 2 + dot],
                colour,
                100,
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn painted(shapes: &[Shape]) -> Picture {
        let picture = Picture {
            width: 100,
            height: 60,
            rgba: vec![0xFF; 100 * 60 * 4],
        };
        let page = Page {
            width: 50.0,
            height: 30.0,
            ..Page::default()
        };
        paint(picture, &page, shapes)
    }

    fn colour(picture: &Picture, x: usize, y: usize) -> Colour {
        let at = (y * picture.width as usize + x) * 4;
        [picture.rgba[at], picture.rgba[at + 1], picture.rgba[at + 2]]
    }

    #[test]
    fn a_frame_lies_exactly_on_its_rectangle() {
        let red = [200, 0, 0];
        let picture = painted(&[Shape::Frame {
            rect: Rect::new(10.0, 5.0, 30.0, 15.0),
            colour: red,
            veil: 50,
            weight: 0.5,
            title: String::new(),
        }]);
        assert_eq!(colour(&picture, 20, 10), red);
        assert_eq!(colour(&picture, 59, 29), red);
        assert_eq!(colour(&picture, 19, 10), [255; 3]);
        assert_eq!(colour(&picture, 60, 30), [255; 3]);
        assert_eq!(colour(&picture, 40, 20), [227, 127, 127], "half of it inside");
    }

    #[test]
    fn shapes_off_the_page_are_cut_off() {
        let far = f32::MAX;
        let picture = painted(&[
            Shape::Frame {
                rect: Rect::new(-far, -far, far, far),
                colour: [0; 3],
                veil: 0,
                weight: 1.0,
                title: String::new(),
            },
            Shape::Arrow {
                from: (-far, 3.0),
                to: (far, f32::NAN),
                colour: [0; 3],
            },
            Shape::Tag {
                at: (far, -far),
                side: Side::Before,
                text: "X".into(),
                colour: [0; 3],
            },
        ]);
        assert_eq!((picture.width, picture.height), (100, 60));
    }

    #[test]
    fn a_tag_is_legible_dots_on_its_colour() {
        let picture = painted(&[Shape::Tag {
            at: (0.0, 10.0),
            side: Side::Above,
            text: "I".into(),
            colour: [0, 0, 90],
        }]);
        let whites = (0..12).filter(|&x| colour(&picture, x, 10) == [255; 3]).count();
        assert_eq!(whites, 2, "the stem of the letter, one dot wide");
        assert_eq!(colour(&picture, 0, 10), [0, 0, 90]);
    }
}
