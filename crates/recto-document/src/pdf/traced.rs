//! Rules and filled areas of a scan, traced in its pixels: what path objects say of a digital page.
//!
//! The pixels are levelled first, by the slant of the recognised lines, so that what is found lies where
//! [`recognised`](super::recognised) puts the words. An area is a stretch of even tone, other than the paper's, that reaches
//! all four sides of its box; a rule is a thin run of pixels that are darker, or brighter, than what lies on both sides of
//! it. Strokes of letters are told from rules by the words they belong to.

use super::ffi::Colour;
use super::graphics::{Fill, Graphics, Rule, is_white, join};
use super::recognised::{Frames, Straighten};
use crate::ocr::Raster;
use recto_core::Rect;
use std::ops::Range;

/// Pixels for a point that are looked at; hairlines of 0.25 points can still be seen.
const DENSITY: f32 = 2.0;
/// Least difference of an area from the paper, and of neighbouring pixels that are not of one area, of 255.
const TONE: i32 = 8;
const EVEN: i32 = 7;
/// Least difference of a rule from both its sides.
const CONTRAST: i32 = 9;
/// Smallest sides of an area, in points.
const AREA: (f32, f32) = (8.0, 5.0);
/// Share of each side of its box that an area reaches.
const SIDES: f32 = 0.8;
/// Shortest rules, in points: a level one could be a dash, a plumb one the stem of a letter.
const LEVEL: f32 = 16.0;
const PLUMB: f32 = 12.0;
/// Shortest run of pixels that is part of a rule, in points.
const PIECE: f32 = 5.0;
/// Thickest rule, in points.
const THICK: f32 = 3.5;
/// How far beside a bright line there must be something it parts, in points.
const BESIDE: f32 = 3.0;
/// Share of a rule's length that must be seen.
const SEEN: f32 = 0.9;
/// Most areas and rules of a page; one with more is a photograph.
const MOST: usize = 2_000;
/// Pixels from the inner pixels of an area to its edge.
const RIM: usize = 1;

/// The pixels of a scan, made small enough to be traced.
pub(crate) struct Sheet {
    raster: Raster,
    /// Pixels for a point.
    density: f32,
}

impl Sheet {
    /// From a page drawn at `scale` pixels for a point.
    pub(crate) fn new(raster: &Raster, scale: f32) -> Self {
        let density = scale.min(DENSITY);
        let side = |pixels: usize| ((pixels as f32 * density / scale).round() as usize).max(1);
        Self {
            raster: raster.scaled(side(raster.width), side(raster.height)),
            density,
        }
    }

    /// What is drawn, on the page as if it lay straight. `words` are the recognised ones.
    pub(crate) fn trace(&self, straighten: &Straighten, words: &Frames) -> Graphics {
        let pixels = self.straightened(straighten);
        let tones = Plane::of(&pixels, self.raster.width, self.raster.height);
        let paper = tones.paper();
        let noise = tones.noise(paper);
        let fills = areas(&tones, &pixels, paper, noise, self.density);
        if fills.len() > MOST {
            return Graphics::default();
        }
        let rules = |plane: &Plane, shortest: f32| {
            let runs = rules(plane, noise, shortest, self.density);
            if runs.len() > MOST { Vec::new() } else { runs }
        };
        let (mut level, mut plumb) = (rules(&tones, LEVEL), rules(&tones.transposed(), PLUMB));
        let is_drawn = |rule: &Rule, level: bool| {
            let strip = strip(rule, level);
            !is_of_a_letter(&strip, words) && (!is_white(rule.colour) || parts_areas(&strip, level, &fills))
        };
        level.retain(|rule| is_drawn(rule, true));
        plumb.retain(|rule| is_drawn(rule, false));
        Graphics {
            level: join(level),
            plumb: join(plumb),
            fills,
            ..Graphics::default()
        }
    }

    /// Blue, green and red of every pixel of the levelled page.
    fn straightened(&self, straighten: &Straighten) -> Vec<[u8; 3]> {
        let (width, height) = (self.raster.width, self.raster.height);
        let mut out = Vec::with_capacity(width * height);
        for y in 0..height {
            for x in 0..width {
                let at = ((x as f32 + 0.5) / self.density, (y as f32 + 0.5) / self.density);
                let (x, y) = straighten.undo(at);
                out.push(self.raster.colour(x * self.density, y * self.density));
            }
        }
        out
    }
}

/// The box of a rule.
fn strip(rule: &Rule, level: bool) -> Rect {
    let (low, high) = (rule.at - 0.5 * rule.thickness, rule.at + 0.5 * rule.thickness);
    if level {
        Rect::new(rule.from, low, rule.to, high)
    } else {
        Rect::new(low, rule.from, high, rule.to)
    }
}

/// Whether areas lie along both sides of a bright line: between lines of text it is paper.
fn parts_areas(strip: &Rect, level: bool, fills: &[Fill]) -> bool {
    [-BESIDE, BESIDE].into_iter().all(|aside| {
        let covered: f32 = fills
            .iter()
            .map(|fill| {
                let (x, y) = strip.centre();
                let (at, low, high, from, to) = if level {
                    (y, fill.rect.top, fill.rect.bottom, fill.rect.left, fill.rect.right)
                } else {
                    (x, fill.rect.left, fill.rect.right, fill.rect.top, fill.rect.bottom)
                };
                let (start, end) = if level {
                    (strip.left, strip.right)
                } else {
                    (strip.top, strip.bottom)
                };
                if (low..=high).contains(&(at + aside)) {
                    (end.min(to) - start.max(from)).max(0.0)
                } else {
                    0.0
                }
            })
            .sum();
        covered >= 0.8 * strip.width().max(strip.height())
    })
}

/// Whether half of a rule runs through words, above their baseline.
fn is_of_a_letter(strip: &Rect, words: &Frames) -> bool {
    let mut covered = 0.0;
    for (frame, words) in words {
        let strip = frame.rect(strip);
        let (x, y) = strip.centre();
        let level = strip.width() >= strip.height();
        for word in words {
            let rect = word.rect;
            if level && y > rect.top && y < word.baseline + 0.08 * word.size {
                covered += (strip.right.min(rect.right) - strip.left.max(rect.left)).max(0.0);
            } else if !level && x > rect.left && x < rect.right {
                covered += (strip.bottom.min(rect.bottom) - strip.top.max(rect.top)).max(0.0);
            }
        }
    }
    covered > 0.5 * strip.width().max(strip.height())
}

/// One tone for every pixel: the darkest of its colours, so that every colour stands out from white.
struct Plane {
    width: usize,
    height: usize,
    tones: Vec<u8>,
}

impl Plane {
    fn of(pixels: &[[u8; 3]], width: usize, height: usize) -> Self {
        let tones = pixels.iter().map(|[b, g, r]| *b.min(g).min(r)).collect();
        Self { width, height, tones }
    }

    fn at(&self, x: usize, y: usize) -> i32 {
        i32::from(self.tones[y * self.width + x])
    }

    fn transposed(&self) -> Self {
        let column = |x: usize| (0..self.height).map(move |y| self.tones[y * self.width + x]);
        Self {
            width: self.height,
            height: self.width,
            tones: (0..self.width).flat_map(column).collect(),
        }
    }

    /// The commonest tone.
    fn paper(&self) -> i32 {
        let mut counts = [0usize; 256];
        for &tone in &self.tones {
            counts[usize::from(tone)] += 1;
        }
        // Noise spreads a tone over its neighbours.
        let around = |tone: usize| {
            counts[tone.saturating_sub(3)..(tone + 4).min(256)]
                .iter()
                .sum::<usize>()
        };
        (0..256)
            .max_by_key(|&tone| around(tone))
            .map_or(255, |tone| tone as i32)
    }

    /// How much neighbouring pixels of the paper differ, usually.
    fn noise(&self, paper: i32) -> i32 {
        let mut counts = [0usize; 64];
        for row in self.tones.chunks_exact(self.width) {
            for pair in row.windows(2).step_by(3) {
                let (a, b) = (i32::from(pair[0]), i32::from(pair[1]));
                if (a - paper).abs().max((b - paper).abs()) < 32 {
                    counts[(a - b).unsigned_abs() as usize] += 1;
                }
            }
        }
        let half = counts.iter().sum::<usize>() / 2;
        let mut passed = 0;
        let median = counts.iter().position(|count| {
            passed += count;
            passed > half
        });
        median.unwrap_or_default() as i32
    }

    /// The pixels inside something that is not paper: those around are like them. Letters and thin lines have none.
    fn inner(&self, paper: i32, apart: i32, even: i32) -> Vec<bool> {
        let mut out = vec![false; self.tones.len()];
        for y in RIM..self.height.saturating_sub(RIM) {
            for x in RIM..self.width.saturating_sub(RIM) {
                let tone = self.at(x, y);
                let like = |x: usize, y: usize| (self.at(x, y) - tone).abs() <= even;
                out[y * self.width + x] = (tone - paper).abs() > apart
                    && like(x - RIM, y)
                    && like(x + RIM, y)
                    && like(x, y - RIM)
                    && like(x, y + RIM);
            }
        }
        out
    }

    /// Every pixel the median of itself and its neighbours: without specks, and with its edges.
    fn smoothed(&self) -> Self {
        let width = self.width;
        let mut tones = self.tones.clone();
        let row = |y: usize| &self.tones[y * width..(y + 1) * width];
        let (mut low, mut middle, mut high) = (vec![0u8; width], vec![0u8; width], vec![0u8; width]);
        for y in 1..self.height.saturating_sub(1) {
            for (x, ((above, here), below)) in row(y - 1).iter().zip(row(y)).zip(row(y + 1)).enumerate() {
                (low[x], middle[x], high[x]) = sorted(*above, *here, *below);
            }
            // The median of nine is that of the largest of the low, the median of the middle and the smallest of the high.
            for x in 1..width.saturating_sub(1) {
                let least = low[x - 1].max(low[x]).max(low[x + 1]);
                let most = high[x - 1].min(high[x]).min(high[x + 1]);
                let (_, usual, _) = sorted(middle[x - 1], middle[x], middle[x + 1]);
                tones[y * width + x] = sorted(least, usual, most).1;
            }
        }
        Self { tones, ..*self }
    }

    /// Every pixel the mean of itself and its neighbours in the row.
    fn blurred(&self) -> Self {
        let mut tones = self.tones.clone();
        for (from, to) in self
            .tones
            .chunks_exact(self.width)
            .zip(tones.chunks_exact_mut(self.width))
        {
            for (near, tone) in from.windows(3).zip(to.iter_mut().skip(1)) {
                let sum: u16 = near.iter().map(|tone| u16::from(*tone)).sum();
                *tone = u8::try_from(sum / 3).unwrap_or(u8::MAX);
            }
        }
        Self { tones, ..*self }
    }
}

fn sorted(a: u8, b: u8, c: u8) -> (u8, u8, u8) {
    let (low, high) = (a.min(b), a.max(b));
    let middle = high.min(c);
    (low.min(middle), low.max(middle), high.max(c))
}

/// Stretches of pixels of one tone.
struct Blob {
    left: usize,
    top: usize,
    right: usize,
    bottom: usize,
    pixels: Vec<usize>,
}

fn areas(tones: &Plane, pixels: &[[u8; 3]], paper: i32, noise: i32, density: f32) -> Vec<Fill> {
    let smooth = tones.smoothed().smoothed();
    let (width, height) = (smooth.width, smooth.height);
    let apart = TONE.max(2 * noise);
    let even = EVEN.max(3 * noise);
    let mut open = smooth.inner(paper, apart, even);
    let least = ((AREA.0 * density) as usize, (AREA.1 * density) as usize);
    let mut fills: Vec<Fill> = Vec::new();
    for start in 0..open.len() {
        if !open[start] {
            continue;
        }
        let blob = grow(start, &smooth, &mut open, even);
        if blob.right - blob.left < least.0 || blob.bottom - blob.top < least.1 {
            continue;
        }
        let Some((across, down)) = filled_box(&blob, width) else {
            continue;
        };
        if across.len() < least.0 || down.len() < least.1 {
            continue;
        }
        let edge = |at: usize, size: usize| at.min(size) as f32 / density;
        let rim = |at: usize| at.saturating_sub(RIM);
        let colour = colour(&blob, pixels);
        let known = fills
            .iter()
            .map(|fill| fill.colour)
            .find(|known| is_like(*known, colour));
        fills.push(Fill {
            rect: Rect::new(
                edge(rim(across.start), width),
                edge(rim(down.start), height),
                edge(across.end + RIM, width),
                edge(down.end + RIM, height),
            ),
            colour: known.unwrap_or(colour),
        });
    }
    fills
}

/// Takes what is connected with a pixel by small differences.
fn grow(start: usize, plane: &Plane, open: &mut [bool], even: i32) -> Blob {
    let (width, height) = (plane.width, plane.height);
    let mut blob = Blob {
        left: usize::MAX,
        top: usize::MAX,
        right: 0,
        bottom: 0,
        pixels: vec![start],
    };
    open[start] = false;
    let mut next = 0;
    while let Some(&index) = blob.pixels.get(next) {
        next += 1;
        let (x, y) = (index % width, index / width);
        (blob.left, blob.right) = (blob.left.min(x), blob.right.max(x));
        (blob.top, blob.bottom) = (blob.top.min(y), blob.bottom.max(y));
        let tone = i32::from(plane.tones[index]);
        let beside = [
            (x > 0).then(|| index - 1),
            (x + 1 < width).then(|| index + 1),
            (y > 0).then(|| index - width),
            (y + 1 < height).then(|| index + width),
        ];
        for other in beside.into_iter().flatten() {
            if open[other] && (i32::from(plane.tones[other]) - tone).abs() <= even {
                open[other] = false;
                blob.pixels.push(other);
            }
        }
    }
    blob
}

/// The box of a blob without the thin lines that lead away from it; none where it does not fill the sides of that box, give
/// or take a few pixels.
fn filled_box(blob: &Blob, width: usize) -> Option<(Range<usize>, Range<usize>)> {
    const NEAR: usize = 3;
    let (left, top) = (blob.left, blob.top);
    let mut in_column = vec![0usize; blob.right - left + 1];
    let mut in_row = vec![0usize; blob.bottom - top + 1];
    for index in &blob.pixels {
        in_column[index % width - left] += 1;
        in_row[index / width - top] += 1;
    }
    let (across, down) = (core(&in_column)?, core(&in_row)?);
    let mut sides = [
        vec![false; across.len()],
        vec![false; across.len()],
        vec![false; down.len()],
        vec![false; down.len()],
    ];
    for index in &blob.pixels {
        let (x, y) = (index % width - left, index / width - top);
        if !across.contains(&x) || !down.contains(&y) {
            continue;
        }
        let (from_left, from_top) = (x - across.start, y - down.start);
        sides[0][from_left] |= from_top <= NEAR;
        sides[1][from_left] |= y + NEAR + 1 >= down.end;
        sides[2][from_top] |= from_left <= NEAR;
        sides[3][from_top] |= x + NEAR + 1 >= across.end;
    }
    let reached =
        |side: &Vec<bool>| side.iter().filter(|reached| **reached).count() as f32 >= SIDES * side.len() as f32;
    sides
        .iter()
        .all(reached)
        .then_some((left + across.start..left + across.end, top + down.start..top + down.end))
}

/// From the first to the last row that is half as full as the fullest.
fn core(counts: &[usize]) -> Option<Range<usize>> {
    let most = counts.iter().max()?;
    let full = |count: &usize| 2 * count >= *most;
    Some(counts.iter().position(full)?..counts.iter().rposition(full)? + 1)
}

fn colour(blob: &Blob, pixels: &[[u8; 3]]) -> Colour {
    let mut sums = [0usize; 3];
    for &index in &blob.pixels {
        for (sum, part) in sums.iter_mut().zip(pixels[index]) {
            *sum += usize::from(part);
        }
    }
    let [b, g, r] = sums.map(|sum| u8::try_from(sum / blob.pixels.len().max(1)).unwrap_or(u8::MAX));
    [r, g, b, 255]
}

/// Whether two areas were printed in one colour.
fn is_like(a: Colour, b: Colour) -> bool {
    a.iter().zip(b).all(|(a, b)| a.abs_diff(b) <= 10)
}

/// A run of pixels of a rule in one row.
#[derive(Clone, Copy)]
struct Run {
    row: usize,
    from: usize,
    to: usize,
}

/// Level rules of a plane, in points.
fn rules(plane: &Plane, noise: i32, shortest: f32, density: f32) -> Vec<Rule> {
    let blurred = plane.blurred();
    let mut out = Vec::new();
    for (sign, colour) in [(1, [0, 0, 0, 255]), (-1, [255, 255, 255, 255])] {
        let ridges = Ridges {
            plane: &blurred,
            sign,
            reach: [1.5, THICK + 0.5].map(|points: f32| (points * density).round().max(2.0) as usize),
        };
        let runs = ridges.runs(CONTRAST.max(3 * noise), (PIECE * density) as usize);
        for runs in connected(&runs) {
            out.extend(
                ridges
                    .rule(&runs, shortest, density)
                    .map(|rule| Rule { colour, ..rule }),
            );
        }
    }
    out
}

/// Pixels that are darker (or, with a `sign` of -1, brighter) than what lies above and below them.
struct Ridges<'p> {
    /// Blurred along its rows.
    plane: &'p Plane,
    sign: i32,
    /// How far above and below is looked, in pixels: for hairlines, and for rules of some thickness.
    reach: [usize; 2],
}

impl Ridges<'_> {
    /// By how much a pixel stands out from both sides.
    fn contrast(&self, x: usize, y: usize) -> i32 {
        let at = |y: usize| self.sign * self.plane.at(x, y);
        let tone = at(y);
        let mut most = 0;
        for reach in self.reach {
            if y >= reach && y + reach < self.plane.height {
                most = most.max(at(y - reach).min(at(y + reach)) - tone);
            }
        }
        most
    }

    fn runs(&self, contrast: i32, shortest: usize) -> Vec<Run> {
        let mut out = Vec::new();
        for y in 0..self.plane.height {
            let mut open: Option<Run> = None;
            for x in 1..self.plane.width.saturating_sub(1) {
                if self.contrast(x, y) <= contrast {
                    continue;
                }
                match &mut open {
                    // A single pixel without contrast ends nothing.
                    Some(run) if x <= run.to + 2 => run.to = x,
                    _ => {
                        out.extend(open.filter(|run| run.to - run.from >= shortest));
                        open = Some(Run { row: y, from: x, to: x });
                    }
                }
            }
            out.extend(open.filter(|run| run.to - run.from >= shortest));
        }
        out
    }

    /// The rule that connected runs are, unless they are too short, too thick, or of changing tone: a line of letters has
    /// as many gaps as strokes.
    fn rule(&self, runs: &[Run], shortest: f32, density: f32) -> Option<Rule> {
        let from = runs.iter().map(|run| run.from).min()?;
        let to = runs.iter().map(|run| run.to + 1).max()?;
        let (top, bottom) = (runs.first()?.row, runs.last()?.row + 1);
        let length = (to - from) as f32 / density;
        let ink: usize = runs.iter().map(|run| run.to + 1 - run.from).sum();
        let thickness = ink as f32 / (to - from) as f32 / density;
        // A rule may climb by a pixel or two, as long as it is thin everywhere.
        let thin = thickness <= THICK && (bottom - top) as f32 / density <= THICK + 1.0 + 0.01 * length;
        if length < shortest || !thin {
            return None;
        }
        let mut contrasts = vec![0; to - from];
        for run in runs {
            for x in run.from..=run.to {
                let best = &mut contrasts[x - from];
                *best = self.contrast(x, run.row).max(*best);
            }
        }
        let mut sorted = contrasts.clone();
        let usual = *sorted.select_nth_unstable((to - from) / 2).1;
        let seen = contrasts.iter().filter(|contrast| **contrast * 2 >= usual).count();
        (seen as f32 >= SEEN * contrasts.len() as f32).then_some(Rule {
            at: 0.5 * (top + bottom) as f32 / density,
            from: from as f32 / density,
            to: to as f32 / density,
            thickness,
            colour: [0; 4],
        })
    }
}

/// Runs in neighbouring rows that overlap, or nearly do.
fn connected(runs: &[Run]) -> Vec<Vec<Run>> {
    /// Pixels between the ends of runs of one rule.
    const STEP: usize = 3;
    fn root(group: &mut [usize], mut index: usize) -> usize {
        while group[index] != index {
            group[index] = group[group[index]];
            index = group[index];
        }
        index
    }
    let mut group: Vec<usize> = (0..runs.len()).collect();
    let mut first = 0;
    for (index, run) in runs.iter().enumerate() {
        while runs[first].row + 1 < run.row {
            first += 1;
        }
        for (other, above) in runs.iter().enumerate().take(index).skip(first) {
            if above.row != run.row && above.from <= run.to + STEP && run.from <= above.to + STEP {
                let (a, b) = (root(&mut group, index), root(&mut group, other));
                group[a.max(b)] = a.min(b);
            }
        }
    }
    let mut out: Vec<Vec<Run>> = vec![Vec::new(); runs.len()];
    for (index, run) in runs.iter().enumerate() {
        out[root(&mut group, index)].push(*run);
    }
    out.retain(|runs| !runs.is_empty());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDTH: usize = 800;
    const HEIGHT: usize = 600;

    /// A sheet of 400 × 300 points of grainy paper, painted on by `tone`, which gives the tone at a point or nothing.
    fn trace(tone: impl Fn(f32, f32) -> Option<u8>) -> Graphics {
        let mut seed = 7u32;
        let mut rgb = Vec::with_capacity(3 * WIDTH * HEIGHT);
        for y in 0..HEIGHT {
            for x in 0..WIDTH {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let grain = (seed >> 24) as u8 % 9;
                let painted = tone((x as f32 + 0.5) / 2.0, (y as f32 + 0.5) / 2.0).unwrap_or(240);
                rgb.extend([painted - 4 + grain; 3]);
            }
        }
        let raster = Raster::from_rgb(WIDTH as u32, HEIGHT as u32, rgb);
        let straighten = Straighten::new(&[], (400.0, 300.0));
        Sheet::new(&raster, 2.0).trace(&straighten, &Frames::new())
    }

    fn near(rect: Rect, edges: [f32; 4]) -> bool {
        let found = [rect.left, rect.top, rect.right, rect.bottom];
        found.iter().zip(edges).all(|(found, edge)| (found - edge).abs() <= 1.0)
    }

    #[test]
    fn areas_of_one_tone_are_found_with_letters_in_them_and_a_line_that_leads_away() {
        let graphics = trace(|x, y| {
            let inside = |left, top, right, bottom| (left..right).contains(&x) && (top..bottom).contains(&y);
            // Stems of letters, two points thick.
            let letters = inside(60.0, 60.0, 140.0, 70.0) && ((x / 2.0) as u32).is_multiple_of(3);
            match () {
                () if letters => Some(30),
                () if inside(50.0, 50.0, 150.0, 80.0) => Some(212),
                () if inside(150.0, 64.0, 190.0, 65.0) => Some(90),
                () if inside(200.0, 50.0, 300.0, 80.0) => Some(60),
                () => None,
            }
        });
        let rects: Vec<Rect> = graphics.fills.iter().map(|fill| fill.rect).collect();
        assert_eq!(rects.len(), 2, "{rects:?}");
        assert!(near(rects[0], [50.0, 50.0, 150.0, 80.0]), "{rects:?}");
        assert!(near(rects[1], [200.0, 50.0, 300.0, 80.0]), "{rects:?}");
        let [red, ..] = graphics.fills[1].colour;
        assert!((55..=65).contains(&red), "the colour is that of its pixels: {red}");
        let lines: Vec<(f32, f32)> = graphics
            .level
            .iter()
            .map(|rule| (rule.from.round(), rule.to.round()))
            .collect();
        assert!(matches!(lines[..], [(149.0..=152.0, 188.0..=191.0)]), "{lines:?}");
    }

    #[test]
    fn hairlines_are_rules_and_rows_of_letters_are_none() {
        let graphics = trace(|x, y| {
            let level = (100.0..300.0).contains(&x) && (120.0..120.5).contains(&y);
            let plumb = (200.0..200.5).contains(&x) && (60.0..180.0).contains(&y);
            let letters = (40.0..360.0).contains(&x) && (220.0..226.0).contains(&y) && x as u32 % 4 < 2;
            match () {
                () if level || plumb => Some(150),
                () if letters => Some(20),
                () => None,
            }
        });
        let is = |rules: &[Rule], wanted: [f32; 3]| {
            let [rule] = rules else { return false };
            let found = [rule.at, rule.from, rule.to];
            found
                .iter()
                .zip(wanted)
                .all(|(found, wanted)| (found - wanted).abs() <= 1.0)
        };
        assert!(is(&graphics.level, [120.25, 100.0, 300.0]), "{:?}", graphics.level);
        assert!(is(&graphics.plumb, [200.25, 60.0, 180.0]), "{:?}", graphics.plumb);
        assert!(graphics.fills.is_empty());
    }

    #[test]
    fn a_bright_line_between_areas_is_a_rule_and_paper_between_lines_of_text_is_none() {
        let graphics = trace(|x, y| {
            let dark = (50.0..350.0).contains(&x) && (50.0..90.0).contains(&y) && !(199.5..200.5).contains(&x);
            let text = (50.0..350.0).contains(&x) && [150.0, 156.0].iter().any(|top| (*top..top + 4.0).contains(&y));
            (dark || text && x as u32 % 5 < 3).then_some(40)
        });
        assert_eq!(graphics.plumb.len(), 1, "{:?}", graphics.plumb);
        assert!(is_white(graphics.plumb[0].colour) && (graphics.plumb[0].at - 200.0).abs() < 1.0);
        assert!(
            graphics.level.iter().all(|rule| !is_white(rule.colour)),
            "{:?}",
            graphics.level
        );
    }
}
