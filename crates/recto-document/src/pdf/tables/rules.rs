//! The rules and filled areas of a page in the frame its text is read in, as far as tables can be made of them.

use super::super::ffi::Colour;
use super::super::frame::ReadingFrame;
use super::super::graphics::{Fill, Graphics, Rule, is_white, join};
use recto_core::Rect;

/// Rules of one direction that are looked at; a page with more of them is a drawing.
const MAX_RULES: usize = 1_500;
/// Smallest sides of an area that can lie behind a cell, in points.
const MIN_AREA: (f32, f32) = (8.0, 5.0);
/// Part of the page beyond which an area is a background.
const BACKGROUND: f32 = 0.6;
/// Areas of one colour this near to each other look like one, in points.
const SEAM: f32 = 0.6;

/// Thickness that tells the edge of an area from a drawn line.
const EDGE: f32 = -1.0;

/// Whether a rule is only the edge of a filled area.
pub(super) fn is_edge(rule: &Rule) -> bool {
    rule.thickness < 0.0
}

/// Lines that divide: drawn ones, and the edges of filled areas.
#[derive(Debug, Default)]
pub(crate) struct Rules {
    /// From top to bottom.
    pub(crate) level: Vec<Rule>,
    /// From left to right.
    pub(crate) plumb: Vec<Rule>,
    /// Boxes of curves and slanted lines: where they run through a grid, it is a chart's.
    pub(crate) drawings: Vec<Rect>,
}

impl Rules {
    /// The rules of a page as text in `frame` meets them; none when the text runs aslant.
    pub(crate) fn new(graphics: &Graphics, frame: ReadingFrame, page: Rect) -> Self {
        if !frame.is_quarter() {
            return Self::default();
        }
        let mut out = Self::default();
        let fills = visible(&graphics.fills, page);
        for rule in &graphics.level {
            let line = Rect::new(rule.from, rule.at, rule.to, rule.at);
            if !is_part_of_fill(&line, rule, &fills) {
                out.turn(line, rule, frame);
            }
        }
        for rule in &graphics.plumb {
            let line = Rect::new(rule.at, rule.from, rule.at, rule.to);
            if !is_part_of_fill(&line, rule, &fills) {
                out.turn(line, rule, frame);
            }
        }
        for fill in fills {
            let rect = frame.rect(&fill.rect);
            let edge = |at: f32, from: f32, to: f32| Rule {
                at,
                from,
                to,
                thickness: EDGE,
                colour: fill.colour,
            };
            out.level.push(edge(rect.top, rect.left, rect.right));
            out.level.push(edge(rect.bottom, rect.left, rect.right));
            out.plumb.push(edge(rect.left, rect.top, rect.bottom));
            out.plumb.push(edge(rect.right, rect.top, rect.bottom));
        }
        out.drawings = graphics.drawings.iter().map(|rect| frame.rect(rect)).collect();
        out.level = bounded(join(out.level));
        out.plumb = bounded(join(out.plumb));
        out
    }

    fn turn(&mut self, line: Rect, rule: &Rule, frame: ReadingFrame) {
        let line = frame.rect(&line);
        if line.width() >= line.height() {
            self.level.push(Rule {
                at: line.top,
                from: line.left,
                to: line.right,
                ..*rule
            });
        } else {
            self.plumb.push(Rule {
                at: line.left,
                from: line.top,
                to: line.bottom,
                ..*rule
            });
        }
    }

    /// Level rules strictly between two heights that overlap the stretch from `left` to `right`.
    pub(crate) fn level_between(&self, top: f32, bottom: f32, left: f32, right: f32) -> impl Iterator<Item = &Rule> {
        let first = self.level.partition_point(|rule| rule.at <= top);
        self.level[first..]
            .iter()
            .take_while(move |rule| rule.at < bottom)
            .filter(move |rule| rule.from < right && rule.to > left)
    }

    /// Whether curves or slanted lines run through a part of the page: one large one, or several.
    pub(crate) fn is_chart(&self, rect: &Rect, size: f32) -> bool {
        // What reaches far beyond is a background.
        let inside: Vec<Rect> = self
            .drawings
            .iter()
            .filter(|drawing| drawing.area() < 3.0 * rect.area())
            .filter_map(|drawing| drawing.intersection(rect))
            .filter(|part| part.width() > 1.5 * size && part.height() > 0.2 * size)
            .collect();
        inside.len() >= 3 || inside.iter().any(|part| part.area() > 0.08 * rect.area())
    }

    /// Whether level rules between two heights cover this part of the stretch from `left` to `right`.
    pub(crate) fn divides(&self, top: f32, bottom: f32, left: f32, right: f32, part: f32) -> bool {
        // Pieces under the columns of one row lie at one height.
        let mut best = 0.0f32;
        let mut at = f32::NEG_INFINITY;
        let mut covered = 0.0;
        for rule in self.level_between(top, bottom, left, right) {
            if rule.at - at > 2.0 {
                at = rule.at;
                covered = 0.0;
            }
            covered += rule.to.min(right) - rule.from.max(left);
            best = best.max(covered);
        }
        best >= part * (right - left).max(1.0)
    }
}

/// Whether a thin strip is the narrow cell beside an area of its colour rather than a line.
fn is_part_of_fill(line: &Rect, rule: &Rule, fills: &[Fill]) -> bool {
    let reach = 0.5 * rule.thickness + SEAM;
    let strip = Rect {
        left: line.left - reach,
        top: line.top - reach,
        right: line.right + reach,
        bottom: line.bottom + reach,
    };
    fills
        .iter()
        .filter(|fill| fill.colour == rule.colour)
        .filter_map(|fill| fill.rect.intersection(&strip))
        .any(|common| common.width().max(common.height()) >= 0.8 * rule.length())
}

fn bounded(mut rules: Vec<Rule>) -> Vec<Rule> {
    if rules.len() > MAX_RULES {
        rules.sort_by(|a, b| b.length().total_cmp(&a.length()).then(a.at.total_cmp(&b.at)));
        rules.truncate(MAX_RULES);
        rules.sort_by(|a, b| a.at.total_cmp(&b.at).then(a.from.total_cmp(&b.from)));
    }
    rules
}

/// The areas a reader can see, those that look like one joined.
fn visible(fills: &[Fill], page: Rect) -> Vec<Fill> {
    let mut seen: Vec<Fill> = Vec::new();
    for fill in fills {
        let rect = fill.rect;
        if rect.width() < MIN_AREA.0 || rect.height() < MIN_AREA.1 || rect.area() > BACKGROUND * page.area() {
            continue;
        }
        // White on white cannot be seen; white on a colour can. Only the last areas are asked: what is painted
        // upon something follows it closely, and a page may have thousands.
        let covers = |under: &&Fill| !is_white(under.colour) && under.rect.contains(rect.centre().0, rect.centre().1);
        if is_white(fill.colour) && !seen.iter().rev().take(64).any(|under| covers(&under)) {
            continue;
        }
        seen.push(*fill);
    }
    let stacked = merge(
        seen,
        |f| (f.colour, f.rect.left, f.rect.right, f.rect.top, f.rect.bottom),
        |a, b| Rect {
            bottom: b.bottom.max(a.bottom),
            ..a
        },
    );
    merge(
        stacked,
        |f| (f.colour, f.rect.top, f.rect.bottom, f.rect.left, f.rect.right),
        |a, b| Rect {
            right: b.right.max(a.right),
            ..a
        },
    )
}

/// Joins areas of one colour and equal sides (second and third of the key) that follow each other (fourth and fifth).
fn merge(
    mut fills: Vec<Fill>,
    key: impl Fn(&Fill) -> (Colour, f32, f32, f32, f32),
    join: impl Fn(Rect, Rect) -> Rect,
) -> Vec<Fill> {
    let whole = |at: f32| at.round() as i32;
    fills.sort_by(|a, b| {
        let (a, b) = (key(a), key(b));
        (a.0, whole(a.1), whole(a.2))
            .cmp(&(b.0, whole(b.1), whole(b.2)))
            .then(a.3.total_cmp(&b.3))
    });
    let mut out: Vec<Fill> = Vec::with_capacity(fills.len());
    for fill in fills {
        if let Some(last) = out.last_mut() {
            let (a, b) = (key(last), key(&fill));
            let alike = (a.0, whole(a.1), whole(a.2)) == (b.0, whole(b.1), whole(b.2));
            if alike && b.3 - a.4 <= SEAM {
                last.rect = join(last.rect, fill.rect);
                continue;
            }
        }
        out.push(fill);
    }
    out
}
