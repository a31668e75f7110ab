//! Rectangles on pages.

use serde::{Deserialize, Serialize};

/// A rectangle in PDF points of the displayed page, origin top left, y down: `left ≤ right`, `top ≤ bottom`.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Rect {
    /// Distance of the left edge from the page's left edge.
    pub left: f32,
    /// Distance of the top edge from the page's top edge.
    pub top: f32,
    /// Distance of the right edge from the page's left edge.
    pub right: f32,
    /// Distance of the bottom edge from the page's top edge.
    pub bottom: f32,
}

impl Rect {
    /// The rectangle with these edges, put in order.
    #[must_use]
    pub fn new(left: f32, top: f32, right: f32, bottom: f32) -> Self {
        Self {
            left: left.min(right),
            top: top.min(bottom),
            right: left.max(right),
            bottom: top.max(bottom),
        }
    }

    /// Width in points.
    #[must_use]
    pub fn width(&self) -> f32 {
        self.right - self.left
    }

    /// Height in points.
    #[must_use]
    pub fn height(&self) -> f32 {
        self.bottom - self.top
    }

    /// Area in square points.
    #[must_use]
    pub fn area(&self) -> f32 {
        self.width() * self.height()
    }

    /// The smallest rectangle around both.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        Self {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }

    /// The common part, or `None` where they do not overlap.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Option<Self> {
        let left = self.left.max(other.left);
        let top = self.top.max(other.top);
        let right = self.right.min(other.right);
        let bottom = self.bottom.min(other.bottom);
        (left < right && top < bottom).then_some(Self {
            left,
            top,
            right,
            bottom,
        })
    }

    /// Whether the point lies inside or on the edge.
    #[must_use]
    pub fn contains(&self, x: f32, y: f32) -> bool {
        self.left <= x && x <= self.right && self.top <= y && y <= self.bottom
    }

    /// The centre, `(x, y)`.
    #[must_use]
    pub fn centre(&self) -> (f32, f32) {
        (
            f32::midpoint(self.left, self.right),
            f32::midpoint(self.top, self.bottom),
        )
    }
}

/// A rectangle on a page.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct PageRect {
    /// 1-based page number.
    pub page: u32,
    /// Where on the page.
    pub rect: Rect,
}
