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

/// Lines under one column begin and end this near to each other, in points.
const SAME_END: f32 = 3.0;
/// Lengths of lines that are told apart: more of them are a drawing.
const MAX_MARKS: usize = 60;

/// A white line between coloured cells lies this near to them, in points.
const BESIDE: f32 = 1.5;

/// Thickness that tells the edge of an area from a drawn line.
const EDGE: f32 = -1.0;

/// Whether a rule is only the edge of a filled area.
pub(super) fn is_edge(rule: &Rule) -> bool {
    rule.thickness < 0.0
}

/// Lines of one length below each other.
struct Mark {
    from: f32,
    to: f32,
    /// Height of the last of them.
    at: f32,
    count: usize,
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
    /// The filled areas whose edges are among the rules, on the displayed page; a row filled cell by cell is one.
    pub(crate) areas: Vec<Fill>,
}

impl Rules {
    /// The rules of a page as text in `frame` meets them; none when the text runs aslant.
    pub(crate) fn new(graphics: &Graphics, frame: ReadingFrame, page: Rect) -> Self {
        if !frame.is_quarter() {
            return Self::default();
        }
        let mut out = Self::default();
        let seen = merged(visible(&graphics.fills, page));
        let areas = large(&seen);
        let mut narrow: Vec<Fill> = Vec::new();
        let level = graphics.level.iter().map(|rule| {
            let half = 0.5 * rule.thickness;
            (rule, Rect::new(rule.from, rule.at - half, rule.to, rule.at + half))
        });
        let plumb = graphics.plumb.iter().map(|rule| {
            let half = 0.5 * rule.thickness;
            (rule, Rect::new(rule.at - half, rule.from, rule.at + half, rule.to))
        });
        for (rule, strip) in level.chain(plumb) {
            if is_part_of_fill(&strip, rule, &areas) {
                let colour = rule.colour;
                narrow.push(Fill { rect: strip, colour });
            } else if !is_white(rule.colour) || is_on_colour(&strip, &areas, graphics) {
                out.turn(strip, rule, frame);
            }
        }
        out.level = join(out.level);
        out.plumb = join(out.plumb);
        // Where a row is filled cell by cell, the narrow cells between the columns close the gaps between the others.
        let seen = if narrow.is_empty() {
            seen
        } else {
            merged(seen.into_iter().chain(narrow).collect())
        };
        let (mut level, mut plumb) = (Vec::new(), Vec::new());
        out.areas = large(&seen);
        for fill in &out.areas {
            let rect = frame.rect(&fill.rect);
            let edge = |at: f32, from: f32, to: f32| Rule {
                at,
                from,
                to,
                thickness: EDGE,
                colour: fill.colour,
            };
            level.push(edge(rect.top, rect.left, rect.right));
            level.push(edge(rect.bottom, rect.left, rect.right));
            plumb.push(edge(rect.left, rect.top, rect.bottom));
            plumb.push(edge(rect.right, rect.top, rect.bottom));
        }
        out.drawings = graphics.drawings.iter().map(|rect| frame.rect(rect)).collect();
        // A line under a column must not grow into the edge of the coloured row it lies on.
        out.level.extend(join(level));
        out.plumb.extend(join(plumb));
        out.level = bounded(out.level);
        out.plumb = bounded(out.plumb);
        out
    }

    fn turn(&mut self, line: Rect, rule: &Rule, frame: ReadingFrame) {
        let line = frame.rect(&line);
        if line.width() >= line.height() {
            self.level.push(Rule {
                at: line.centre().1,
                from: line.left,
                to: line.right,
                ..*rule
            });
        } else {
            self.plumb.push(Rule {
                at: line.centre().0,
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

    /// Stretches from left to right that lines under single columns mark, as sums in accounts have them: lines of one
    /// length below each other that hold none of the others.
    pub(super) fn columns(&self, rect: &Rect, size: f32) -> Vec<(f32, f32)> {
        let mut marks: Vec<Mark> = Vec::new();
        let lines = self
            .level_between(rect.top - size, rect.bottom + size, rect.left, rect.right + size)
            .filter(|rule| !is_edge(rule) && rule.length() > size && rule.length() < 0.4 * rect.width());
        for rule in lines {
            let alike =
                |mark: &&mut Mark| (mark.from - rule.from).abs() <= SAME_END && (mark.to - rule.to).abs() <= SAME_END;
            let room = marks.len() < MAX_MARKS;
            match marks.iter_mut().find(alike) {
                // The two lines of a double rule are one.
                Some(mark) => {
                    mark.count += usize::from(rule.at - mark.at > 0.8 * size);
                    mark.at = rule.at;
                }
                None if room => marks.push(Mark {
                    from: rule.from,
                    to: rule.to,
                    at: rule.at,
                    count: 1,
                }),
                None => return Vec::new(),
            }
        }
        // One line says it, too, where others stand in a row with it.
        let heights: Vec<f32> = marks.iter().map(|mark| mark.at).collect();
        let in_row = |mark: &Mark| heights.iter().filter(|at| (**at - mark.at).abs() < 1.0).count() >= 2;
        marks.retain(|mark| mark.count >= 2 || in_row(mark));
        let spans = |mark: &Mark| {
            marks.iter().any(|m| {
                m.from > mark.from - SAME_END
                    && m.to < mark.to + SAME_END
                    && m.to - m.from < 0.8 * (mark.to - mark.from)
            })
        };
        let mut out: Vec<(f32, f32)> = marks.iter().filter(|m| !spans(m)).map(|m| (m.from, m.to)).collect();
        out.sort_by(|a, b| a.0.total_cmp(&b.0));
        let apart = out.windows(2).all(|pair| pair[0].1 <= pair[1].0 + SAME_END);
        if apart { out } else { Vec::new() }
    }

    /// Whether level rules between two heights cover this part of the stretch from `left` to `right`.
    pub(crate) fn divides(&self, top: f32, bottom: f32, left: f32, right: f32, part: f32) -> bool {
        covers(self.level_between(top, bottom, left, right), left, right, part)
    }

    /// Like [`Rules::divides`], by drawn lines alone.
    pub(super) fn underlines(&self, top: f32, bottom: f32, left: f32, right: f32, part: f32) -> bool {
        let drawn = self
            .level_between(top, bottom, left, right)
            .filter(|rule| !is_edge(rule));
        covers(drawn, left, right, part)
    }
}

/// Whether rules, from top to bottom, cover this part of a stretch at one height.
fn covers<'r>(rules: impl Iterator<Item = &'r Rule>, left: f32, right: f32, part: f32) -> bool {
    // Pieces under the columns of one row lie at one height.
    let mut best = 0.0f32;
    let mut at = f32::NEG_INFINITY;
    let mut covered = 0.0;
    for rule in rules {
        if rule.at - at > 2.0 {
            at = rule.at;
            covered = 0.0;
        }
        covered += rule.to.min(right) - rule.from.max(left);
        best = best.max(covered);
    }
    best >= part * (right - left).max(1.0)
}

/// Whether a thin strip is the narrow cell beside an area of its colour rather than a line.
fn is_part_of_fill(strip: &Rect, rule: &Rule, areas: &[Fill]) -> bool {
    let strip = Rect {
        left: strip.left - SEAM,
        top: strip.top - SEAM,
        right: strip.right + SEAM,
        bottom: strip.bottom + SEAM,
    };
    areas
        .iter()
        .filter(|area| area.colour == rule.colour)
        .filter_map(|area| area.rect.intersection(&strip))
        .any(|common| common.width().max(common.height()) >= 0.8 * rule.length())
}

/// Whether a white line can be seen because colour, an image or a shading lies under it or along it.
fn is_on_colour(strip: &Rect, areas: &[Fill], graphics: &Graphics) -> bool {
    let level = strip.width() >= strip.height();
    let (aside, above) = if level { (0.0, BESIDE) } else { (BESIDE, 0.0) };
    let grown = Rect {
        left: strip.left - aside,
        top: strip.top - above,
        right: strip.right + aside,
        bottom: strip.bottom + above,
    };
    let length = strip.width().max(strip.height());
    let beside: f32 = areas
        .iter()
        .filter(|area| !is_white(area.colour))
        .filter_map(|area| area.rect.intersection(&grown))
        .map(|common| if level { common.width() } else { common.height() })
        .sum();
    let (x, y) = strip.centre();
    beside >= 0.5 * length
        || graphics
            .images
            .iter()
            .chain(&graphics.drawings)
            .any(|rect| rect.contains(x, y))
}

fn bounded(mut rules: Vec<Rule>) -> Vec<Rule> {
    if rules.len() > MAX_RULES {
        rules.sort_by(|a, b| b.length().total_cmp(&a.length()).then(a.at.total_cmp(&b.at)));
        rules.truncate(MAX_RULES);
    }
    rules.sort_by(|a, b| a.at.total_cmp(&b.at).then(a.from.total_cmp(&b.from)));
    rules
}

/// The areas a reader can see, without backgrounds.
fn visible(fills: &[Fill], page: Rect) -> Vec<Fill> {
    let mut ground: Vec<Rect> = Vec::new();
    let mut seen: Vec<Fill> = Vec::new();
    for fill in fills {
        let rect = fill.rect;
        if rect.area() > BACKGROUND * page.area() {
            continue;
        }
        // White on white cannot be seen; white on a colour can. Only the last areas are asked: what is painted
        // upon something follows it closely, and a page may have thousands.
        let (x, y) = rect.centre();
        if !is_white(fill.colour) {
            if is_large(&rect) {
                ground.push(rect);
            }
        } else if !ground.iter().rev().take(64).any(|under| under.contains(x, y)) {
            continue;
        }
        seen.push(*fill);
    }
    seen
}

fn is_large(rect: &Rect) -> bool {
    rect.width() >= MIN_AREA.0 && rect.height() >= MIN_AREA.1
}

fn large(fills: &[Fill]) -> Vec<Fill> {
    fills.iter().filter(|fill| is_large(&fill.rect)).copied().collect()
}

/// Areas of one colour that look like one are one.
fn merged(fills: Vec<Fill>) -> Vec<Fill> {
    let beside = |fills| {
        merge(
            fills,
            |f| (f.colour, f.rect.top, f.rect.bottom, f.rect.left, f.rect.right),
            |a, b| Rect {
                right: b.right.max(a.right),
                ..a
            },
        )
    };
    let stacked = |fills| {
        merge(
            fills,
            |f| (f.colour, f.rect.left, f.rect.right, f.rect.top, f.rect.bottom),
            |a, b| Rect {
                bottom: b.bottom.max(a.bottom),
                ..a
            },
        )
    };
    beside(stacked(fills))
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
