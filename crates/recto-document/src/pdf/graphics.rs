//! What is drawn on a displayed page beside its text, sorted by what it can mean for a reader: lines that rule, areas
//! that are filled, images, and the rest, which are drawings.

use super::ffi::{Colour, Edges, RawObject, RawPath, Segment, SegmentKind};
use super::frame::DisplayFrame;
use recto_core::Rect;
use serde::{Deserialize, Serialize};

/// Thickest rule, in points; anything thicker is an area.
const MAX_RULE: f32 = 4.0;
/// A filled rectangle this many times as long as it is thick is a rule when it is thin.
const RULE_RATIO: f32 = 3.0;
/// How far from level or plumb a line may run, in points.
const SLANT: f64 = 0.8;
/// Dashes and segments of one rule lie this near to each other.
const JOIN: f32 = 3.0;

/// A level or plumb line.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct Rule {
    /// Where it runs: `y` of a level line, `x` of a plumb one.
    pub(crate) at: f32,
    /// Its ends, smaller first.
    pub(crate) from: f32,
    pub(crate) to: f32,
    /// Thickness in points; a hairline has next to none.
    pub(crate) thickness: f32,
    pub(crate) colour: Colour,
}

impl Rule {
    pub(crate) fn length(&self) -> f32 {
        self.to - self.from
    }
}

/// A filled area.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct Fill {
    pub(crate) rect: Rect,
    pub(crate) colour: Colour,
}

/// Whether something of this colour cannot be told from blank paper.
pub(crate) fn is_white(colour: Colour) -> bool {
    colour[..3].iter().all(|part| *part >= 250)
}

/// The drawn part of a displayed page: points, origin top left, clipped to the page.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Graphics {
    /// Level lines, pieces of one line joined, from top to bottom.
    pub(crate) level: Vec<Rule>,
    /// Plumb lines, from left to right.
    pub(crate) plumb: Vec<Rule>,
    /// Filled rectangles that are no rules, in the order they are painted.
    pub(crate) fills: Vec<Fill>,
    /// Boxes of images, in the order they are painted.
    pub(crate) images: Vec<Rect>,
    /// Boxes of what is neither: curves, slanted lines, shadings.
    pub(crate) drawings: Vec<Rect>,
}

impl Graphics {
    /// With what was traced in the pixels of its images.
    pub(crate) fn with_traced(mut self, traced: Self) -> Self {
        let in_an_image = |x: f32, y: f32| self.images.iter().any(|image| image.contains(x, y));
        let middle = |rule: &Rule| 0.5 * (rule.from + rule.to);
        let level = traced
            .level
            .into_iter()
            .filter(|rule| in_an_image(middle(rule), rule.at));
        self.level.extend(level);
        let plumb = traced
            .plumb
            .into_iter()
            .filter(|rule| in_an_image(rule.at, middle(rule)));
        self.plumb.extend(plumb);
        let fills = traced.fills.into_iter().filter(|fill| {
            let (x, y) = fill.rect.centre();
            in_an_image(x, y)
        });
        self.fills.extend(fills);
        self.level = join(self.level);
        self.plumb = join(self.plumb);
        self
    }
}

/// Sorts the objects of a page.
pub(crate) fn from_page(objects: &[RawObject], frame: &DisplayFrame) -> Graphics {
    let (width, height) = frame.size();
    let mut sorter = Sorter {
        frame,
        page: Rect::new(0.0, 0.0, width, height),
        out: Graphics::default(),
    };
    for object in objects {
        match object {
            RawObject::Path(path) => sorter.path(path),
            RawObject::Image(corners, clip) => {
                let points: Vec<(f32, f32)> = corners.iter().map(|&(x, y)| sorter.point(x, y)).collect();
                if let Some(rect) = sorter.clipped(hull(&points), clip.as_ref()) {
                    sorter.out.images.push(rect);
                }
            }
            RawObject::Other(edges, clip) => {
                if let Some(rect) = sorter.clipped(frame.rect(edges), clip.as_ref()) {
                    sorter.out.drawings.push(rect);
                }
            }
        }
    }
    let Graphics {
        level,
        plumb,
        fills,
        images,
        drawings,
    } = sorter.out;
    Graphics {
        level: join(level),
        plumb: join(plumb),
        fills,
        images,
        drawings,
    }
}

struct Sorter<'f> {
    frame: &'f DisplayFrame,
    page: Rect,
    out: Graphics,
}

impl Sorter<'_> {
    fn point(&self, x: f64, y: f64) -> (f32, f32) {
        let (x, y) = self.frame.point(x, y);
        (x as f32, y as f32)
    }

    /// The part of a box that is on the page and inside the clip; a line has no area but may still be there.
    fn clipped(&self, rect: Rect, clip: Option<&Edges>) -> Option<Rect> {
        let mut window = self.page;
        if let Some(edges) = clip {
            window = overlap(&window, &self.frame.rect(edges))?;
        }
        overlap(&rect, &window)
    }

    fn path(&mut self, path: &RawPath) {
        let mut start = 0;
        for index in 1..=path.segments.len() {
            let ends = path.segments.get(index).is_none_or(|s| s.kind == SegmentKind::Move);
            if ends {
                self.subpath(&path.segments[start..index], path);
                start = index;
            }
        }
    }

    fn subpath(&mut self, segments: &[Segment], path: &RawPath) {
        if segments.len() < 2 {
            return;
        }
        let curved = segments.iter().any(|s| s.kind == SegmentKind::Curve);
        let mut points: Vec<(f64, f64)> = segments.iter().map(|s| self.frame.point(s.x, s.y)).collect();
        if segments.last().is_some_and(|s| s.closes) && points.len() > 2 {
            points.push(points[0]);
        }
        let straight = !curved && points.windows(2).all(|pair| is_level(pair) || is_plumb(pair));
        if !straight {
            let points: Vec<(f32, f32)> = points.iter().map(|&(x, y)| (x as f32, y as f32)).collect();
            if let Some(rect) = self.clipped(hull(&points), path.clip.as_ref()) {
                // A box with rounded corners is filled like any other, and so is a line with round ends.
                if let Some(colour) = path.fill.filter(|_| curved && is_rounded_box(&points, &rect)) {
                    self.area(rect, colour);
                } else {
                    self.out.drawings.push(rect);
                }
            }
            return;
        }
        if let Some(colour) = path.fill {
            self.fill(&points, colour, path.clip.as_ref());
        }
        if let Some((colour, width)) = path.stroke {
            for pair in points.windows(2) {
                self.line(pair, colour, (width * self.frame.unit()) as f32, path.clip.as_ref());
            }
        }
    }

    fn fill(&mut self, points: &[(f64, f64)], colour: Colour, clip: Option<&Edges>) {
        let points: Vec<(f32, f32)> = points.iter().map(|&(x, y)| (x as f32, y as f32)).collect();
        let Some(rect) = self.clipped(hull(&points), clip) else {
            return;
        };
        if points.len() > 6 {
            self.out.drawings.push(rect);
            return;
        }
        self.area(rect, colour);
    }

    /// A filled rectangle: a rule when it is thin, else an area.
    fn area(&mut self, rect: Rect, colour: Colour) {
        let (width, height) = (rect.width(), rect.height());
        if height <= MAX_RULE && width >= RULE_RATIO * height && width > 0.0 {
            self.out.level.push(Rule {
                at: rect.centre().1,
                from: rect.left,
                to: rect.right,
                thickness: height,
                colour,
            });
        } else if width <= MAX_RULE && height >= RULE_RATIO * width && height > 0.0 {
            self.out.plumb.push(Rule {
                at: rect.centre().0,
                from: rect.top,
                to: rect.bottom,
                thickness: width,
                colour,
            });
        } else if width > 0.0 && height > 0.0 {
            self.out.fills.push(Fill { rect, colour });
        }
    }

    fn line(&mut self, pair: &[(f64, f64)], colour: Colour, thickness: f32, clip: Option<&Edges>) {
        let half = f64::from(thickness) / 2.0;
        let [(x0, y0), (x1, y1)] = *pair else { return };
        // A thick line is drawn like a filled bar.
        let (dx, dy) = if is_level(pair) { (0.0, half) } else { (half, 0.0) };
        let rect = Rect::new(
            (x0.min(x1) - dx) as f32,
            (y0.min(y1) - dy) as f32,
            (x0.max(x1) + dx) as f32,
            (y0.max(y1) + dy) as f32,
        );
        let Some(rect) = self.clipped(rect, clip) else {
            return;
        };
        if thickness > MAX_RULE {
            self.area(rect, colour);
            return;
        }
        let (level, at, from, to) = if is_level(pair) {
            (true, rect.centre().1, rect.left, rect.right)
        } else {
            (false, rect.centre().0, rect.top, rect.bottom)
        };
        if to - from <= 0.0 {
            return;
        }
        let rule = Rule {
            at,
            from,
            to,
            thickness,
            colour,
        };
        if level {
            self.out.level.push(rule);
        } else {
            self.out.plumb.push(rule);
        }
    }
}

fn is_level(pair: &[(f64, f64)]) -> bool {
    (pair[0].1 - pair[1].1).abs() <= SLANT && (pair[0].0 - pair[1].0).abs() >= (pair[0].1 - pair[1].1).abs()
}

fn is_plumb(pair: &[(f64, f64)]) -> bool {
    (pair[0].0 - pair[1].0).abs() <= SLANT && (pair[0].1 - pair[1].1).abs() >= (pair[0].0 - pair[1].0).abs()
}

/// Whether the corners of a shape come near all four sides of its box and nothing lies well inside.
fn is_rounded_box(points: &[(f32, f32)], rect: &Rect) -> bool {
    let reach = 0.25 * rect.width().min(rect.height());
    points.len() >= 8
        && points
            .iter()
            .all(|&(x, y)| (x - rect.left).min(rect.right - x) <= reach || (y - rect.top).min(rect.bottom - y) <= reach)
        && points.iter().filter(|p| (p.0 - rect.left).abs() < 0.5).count() >= 2
        && points.iter().filter(|p| (p.1 - rect.top).abs() < 0.5).count() >= 2
}

/// Like [`Rect::intersection`], but boxes without width or height are kept.
fn overlap(a: &Rect, b: &Rect) -> Option<Rect> {
    let rect = Rect {
        left: a.left.max(b.left),
        top: a.top.max(b.top),
        right: a.right.min(b.right),
        bottom: a.bottom.min(b.bottom),
    };
    (rect.left <= rect.right && rect.top <= rect.bottom).then_some(rect)
}

fn hull(points: &[(f32, f32)]) -> Rect {
    points
        .iter()
        .map(|&(x, y)| Rect::new(x, y, x, y))
        .reduce(|a, b| a.union(&b))
        .unwrap_or_default()
}

/// Joins the pieces of lines: dashes, the borders of neighbouring cells, lines drawn twice.
pub(crate) fn join(mut rules: Vec<Rule>) -> Vec<Rule> {
    rules.retain(|r| r.at.is_finite() && r.from.is_finite() && r.to.is_finite());
    rules.sort_by(|a, b| a.at.total_cmp(&b.at).then(a.from.total_cmp(&b.from)));
    let mut out: Vec<Rule> = Vec::with_capacity(rules.len());
    let mut start = 0;
    while start < rules.len() {
        // Rules on one line: each within a hair of the one before, all within the thickness of a rule.
        let mut end = start + 1;
        while end < rules.len() && rules[end].at - rules[end - 1].at <= 0.7 && rules[end].at - rules[start].at <= 2.0 {
            end += 1;
        }
        let line = &mut rules[start..end];
        line.sort_by(|a, b| a.from.total_cmp(&b.from));
        let mut open: Option<Rule> = None;
        for rule in line {
            open = match open {
                Some(known) if rule.from - known.to <= JOIN && is_white(rule.colour) == is_white(known.colour) => {
                    let longer = if rule.length() > known.length() { *rule } else { known };
                    Some(Rule {
                        at: longer.at,
                        from: known.from.min(rule.from),
                        to: known.to.max(rule.to),
                        thickness: known.thickness.max(rule.thickness),
                        colour: longer.colour,
                    })
                }
                Some(known) => {
                    out.push(known);
                    Some(*rule)
                }
                None => Some(*rule),
            };
        }
        out.extend(open);
        start = end;
    }
    // Single dots and letter-sized strokes rule nothing.
    out.retain(|r| r.length() >= 4.0);
    out.sort_by(|a, b| a.at.total_cmp(&b.at).then(a.from.total_cmp(&b.from)));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame() -> DisplayFrame {
        let bounds = Edges {
            left: 0.0,
            bottom: 0.0,
            right: 200.0,
            top: 100.0,
        };
        DisplayFrame::new(bounds, 0, 1.0)
    }

    fn path(points: &[(f64, f64)], closes: bool, fill: bool, clip: Option<Edges>) -> RawObject {
        let last = points.len() - 1;
        let segments = points.iter().enumerate().map(|(index, &(x, y))| Segment {
            kind: if index == 0 {
                SegmentKind::Move
            } else {
                SegmentKind::Line
            },
            x,
            y,
            closes: closes && index == last,
        });
        RawObject::Path(RawPath {
            segments: segments.collect(),
            fill: fill.then_some([0, 0, 0, 255]),
            stroke: (!fill).then_some(([0, 0, 0, 255], 1.0)),
            clip,
        })
    }

    #[test]
    fn thin_filled_rectangles_are_rules_and_thick_ones_are_areas() {
        let thin = path(
            &[(10.0, 50.0), (90.0, 50.0), (90.0, 51.0), (10.0, 51.0)],
            true,
            true,
            None,
        );
        let thick = path(
            &[(10.0, 20.0), (90.0, 20.0), (90.0, 40.0), (10.0, 40.0)],
            true,
            true,
            None,
        );
        let graphics = from_page(&[thin, thick], &frame());
        assert_eq!(graphics.level.len(), 1);
        assert_eq!(
            (graphics.level[0].at, graphics.level[0].from, graphics.level[0].to),
            (49.5, 10.0, 90.0)
        );
        assert_eq!(graphics.fills[0].rect, Rect::new(10.0, 60.0, 90.0, 80.0));
    }

    #[test]
    fn a_stroked_box_has_four_rules_and_dashes_are_one() {
        let outline = path(
            &[(10.0, 10.0), (60.0, 10.0), (60.0, 40.0), (10.0, 40.0)],
            true,
            false,
            None,
        );
        let graphics = from_page(&[outline], &frame());
        assert_eq!((graphics.level.len(), graphics.plumb.len()), (2, 2));
        let dashes: Vec<RawObject> = (0..10)
            .map(|i| {
                path(
                    &[(f64::from(i) * 5.0, 30.0), (f64::from(i) * 5.0 + 3.0, 30.0)],
                    false,
                    false,
                    None,
                )
            })
            .collect();
        assert_eq!(from_page(&dashes, &frame()).level.len(), 1);
    }

    #[test]
    fn what_a_clip_hides_is_not_there() {
        let clip = Edges {
            left: 0.0,
            bottom: 0.0,
            right: 50.0,
            top: 30.0,
        };
        let area = [(10.0, 10.0), (150.0, 10.0), (150.0, 80.0), (10.0, 80.0)];
        let graphics = from_page(&[path(&area, true, true, Some(clip))], &frame());
        assert_eq!(graphics.fills[0].rect, Rect::new(10.0, 70.0, 50.0, 90.0));
        let hidden = path(&[(60.0, 50.0), (90.0, 50.0)], false, false, Some(clip));
        assert!(from_page(&[hidden], &frame()).level.is_empty());
    }
}
