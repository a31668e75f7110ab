//! From the file's frame to the displayed page, and from there to the frame a run of text is read in.

use super::ffi::Edges;
use recto_core::Rect;
use serde::{Deserialize, Serialize};

/// Maps the file's own coordinates to points of the displayed page (origin top left, y down).
#[derive(Debug, Clone, Copy)]
pub(crate) struct DisplayFrame {
    bounds: Edges,
    quarter_turns: u8,
    unit: f64,
}

impl DisplayFrame {
    /// `bounds` is the displayed part of the page in its own frame, `unit` the size of its user unit in points.
    pub(crate) fn new(bounds: Edges, quarter_turns: u8, unit: f64) -> Self {
        Self {
            bounds,
            quarter_turns: quarter_turns % 4,
            unit,
        }
    }

    /// Displayed width and height in points.
    pub(crate) fn size(&self) -> (f32, f32) {
        let width = (self.bounds.right - self.bounds.left) * self.unit;
        let height = (self.bounds.top - self.bounds.bottom) * self.unit;
        let (width, height) = (width as f32, height as f32);
        if self.quarter_turns.is_multiple_of(2) {
            (width, height)
        } else {
            (height, width)
        }
    }

    /// Rotation in degrees clockwise.
    pub(crate) fn rotation(&self) -> u16 {
        u16::from(self.quarter_turns) * 90
    }

    pub(crate) fn unit(&self) -> f64 {
        self.unit
    }

    pub(crate) fn point(&self, x: f64, y: f64) -> (f64, f64) {
        let b = &self.bounds;
        let (x, y) = match self.quarter_turns {
            0 => (x - b.left, b.top - y),
            1 => (y - b.bottom, x - b.left),
            2 => (b.right - x, y - b.bottom),
            _ => (b.top - y, b.right - x),
        };
        (x * self.unit, y * self.unit)
    }

    /// A direction, without the unit.
    pub(crate) fn direction(&self, x: f64, y: f64) -> (f64, f64) {
        match self.quarter_turns {
            0 => (x, -y),
            1 => (y, x),
            2 => (-x, y),
            _ => (-y, -x),
        }
    }

    pub(crate) fn rect(&self, edges: &Edges) -> Rect {
        let (left, top) = self.point(edges.left, edges.bottom);
        let (right, bottom) = self.point(edges.right, edges.top);
        Rect::new(left as f32, top as f32, right as f32, bottom as f32)
    }
}

/// The frame in which a run of text goes from left to right: the displayed page turned about its origin.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct ReadingFrame {
    cos: f32,
    sin: f32,
    /// Whole degrees clockwise, 0 to 359.
    pub(crate) degrees: u16,
}

impl ReadingFrame {
    /// The frame of text that runs along `(x, y)` on the displayed page.
    pub(crate) fn along(x: f64, y: f64) -> Self {
        let degrees = y.atan2(x).to_degrees().round().rem_euclid(360.0);
        // Text of scans is turned by fractions of a degree; that must not take lines apart.
        let near_quarter = (degrees / 90.0).round() * 90.0;
        let degrees = if (degrees - near_quarter).abs() <= 2.0 {
            near_quarter
        } else {
            degrees
        };
        let degrees = (degrees as u16) % 360;
        let (cos, sin) = match degrees {
            0 => (1.0, 0.0),
            90 => (0.0, 1.0),
            180 => (-1.0, 0.0),
            270 => (0.0, -1.0),
            other => (f32::from(other).to_radians().cos(), f32::from(other).to_radians().sin()),
        };
        Self { cos, sin, degrees }
    }

    /// Whether boxes stay boxes in this frame.
    pub(crate) fn is_quarter(self) -> bool {
        self.degrees.is_multiple_of(90)
    }

    pub(crate) fn point(self, x: f32, y: f32) -> (f32, f32) {
        (x * self.cos + y * self.sin, y * self.cos - x * self.sin)
    }

    /// A box of the displayed page in this frame; its hull where the angle is no quarter turn.
    pub(crate) fn rect(self, rect: &Rect) -> Rect {
        Self::hull(rect, |x, y| self.point(x, y))
    }

    /// A box of this frame on the displayed page.
    pub(crate) fn display(self, rect: &Rect) -> Rect {
        Self::hull(rect, |u, v| (u * self.cos - v * self.sin, u * self.sin + v * self.cos))
    }

    fn hull(rect: &Rect, map: impl Fn(f32, f32) -> (f32, f32)) -> Rect {
        let corners = [
            map(rect.left, rect.top),
            map(rect.right, rect.top),
            map(rect.left, rect.bottom),
            map(rect.right, rect.bottom),
        ];
        let fold = |pick: fn((f32, f32)) -> f32, better: fn(f32, f32) -> f32| {
            corners.into_iter().map(pick).reduce(better).unwrap_or_default()
        };
        Rect {
            left: fold(|c| c.0, f32::min),
            top: fold(|c| c.1, f32::min),
            right: fold(|c| c.0, f32::max),
            bottom: fold(|c| c.1, f32::max),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOUNDS: Edges = Edges {
        left: 10.0,
        bottom: 20.0,
        right: 110.0,
        top: 220.0,
    };

    #[test]
    fn the_corner_a_reader_sees_at_the_top_left_is_the_origin_at_every_rotation() {
        for (turns, corner) in [
            (0, (10.0, 220.0)),
            (1, (10.0, 20.0)),
            (2, (110.0, 20.0)),
            (3, (110.0, 220.0)),
        ] {
            let frame = DisplayFrame::new(BOUNDS, turns, 1.0);
            assert_eq!(frame.point(corner.0, corner.1), (0.0, 0.0), "{turns} quarter turns");
        }
        assert_eq!(DisplayFrame::new(BOUNDS, 1, 2.0).size(), (400.0, 200.0));
    }

    #[test]
    fn a_reading_frame_and_back_is_the_same_box() {
        let rect = Rect::new(10.0, 20.0, 40.0, 32.0);
        for (x, y) in [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)] {
            let frame = ReadingFrame::along(x, y);
            assert!(frame.is_quarter());
            assert_eq!(frame.display(&frame.rect(&rect)), rect);
        }
    }
}
