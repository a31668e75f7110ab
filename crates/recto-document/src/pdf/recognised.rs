//! Recognised lines in the shape of digital words, so that columns, lines and items are found in one way only.

use super::frame::ReadingFrame;
use super::words::RawWord;
use crate::ocr::{self, Point};
use recto_core::Rect;

/// Words that are read in one direction.
pub(crate) type Frames = Vec<(ReadingFrame, Vec<RawWord>)>;

/// Sizes this near to a common one are that size: a line is measured to about a tenth, and type is set in few sizes.
const SAME_SIZE: f32 = 0.1;
/// Strokes by font size, relative to those of ordinary lines, from which type is bold.
const BOLD: f32 = 1.35;
/// Largest slant of a page that was put into the scanner askew.
const MAX_SKEW: f32 = 0.12;

/// The words of recognised lines on a page drawn at `scale` pixels a point.
///
/// Words are placed as if the page lay straight; each knows where it really is.
pub(crate) fn words(lines: &[ocr::Line], scale: f32, straighten: &Straighten) -> Frames {
    let sizes = sizes(lines);
    let bold = bold(lines);
    let mut frames: Frames = Vec::new();
    let mut sequence = 0;
    for ((line, size), bold) in lines.iter().zip(sizes).zip(bold) {
        let (x, y) = straighten.direction(line.along);
        let frame = ReadingFrame::along(f64::from(x), f64::from(y));
        let index = frames.iter().position(|(known, _)| *known == frame).unwrap_or_else(|| {
            frames.push((frame, Vec::new()));
            frames.len() - 1
        });
        for word in &line.words {
            let points = word.corners.map(|(x, y)| (x / scale, y / scale));
            let in_frame = |(x, y): Point| {
                let (x, y) = straighten.point((x, y));
                frame.point(x, y)
            };
            let rect = hull(&points.map(in_frame));
            let baseline = in_frame((word.baseline.0 / scale, word.baseline.1 / scale)).1;
            let confidence = (word.confidence * 100.0).round().clamp(0.0, 100.0) as u8;
            let mut raw = RawWord::recognised(
                word.text.clone(),
                rect,
                (baseline, size / scale),
                sequence,
                confidence,
                hull(&points),
            );
            raw.bold = bold;
            frames[index].1.push(raw);
            sequence += 1;
        }
    }
    frames
}

fn hull(points: &[Point]) -> Rect {
    points
        .iter()
        .map(|&(x, y)| Rect::new(x, y, x, y))
        .reduce(|a, b| a.union(&b))
        .unwrap_or_default()
}

/// Turns the page about its centre so that its lines are level.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Straighten {
    cos: f32,
    sin: f32,
    centre: Point,
}

impl Straighten {
    /// For a page of `width` × `height` points with these lines on it.
    pub(crate) fn new(lines: &[ocr::Line], (width, height): (f32, f32)) -> Self {
        let skew = skew(lines);
        Self {
            cos: skew.cos(),
            sin: skew.sin(),
            centre: (width / 2.0, height / 2.0),
        }
    }

    /// Where a point of the straight page really is.
    pub(crate) fn undo(&self, (x, y): Point) -> Point {
        let (x, y) = (x - self.centre.0, y - self.centre.1);
        (
            x * self.cos - y * self.sin + self.centre.0,
            y * self.cos + x * self.sin + self.centre.1,
        )
    }

    fn direction(&self, (x, y): Point) -> Point {
        (x * self.cos + y * self.sin, y * self.cos - x * self.sin)
    }

    fn point(&self, (x, y): Point) -> Point {
        let (x, y) = self.direction((x - self.centre.0, y - self.centre.1));
        (x + self.centre.0, y + self.centre.1)
    }
}

/// How far the page is turned clockwise beside quarter turns, in radians: the median of its lines by their length.
fn skew(lines: &[ocr::Line]) -> f32 {
    let quarter = std::f32::consts::FRAC_PI_2;
    let mut slants: Vec<(f32, usize)> = lines
        .iter()
        .map(|line| {
            let angle = line.along.1.atan2(line.along.0);
            let slant = angle - (angle / quarter).round() * quarter;
            (slant, line.words.iter().map(|word| word.text.len()).sum())
        })
        .filter(|(slant, _)| slant.abs() < MAX_SKEW)
        .collect();
    ocr::weighted_median(&mut slants).unwrap_or_default()
}

/// The font size of every line in pixels, those near a common one made equal to it.
fn sizes(lines: &[ocr::Line]) -> Vec<f32> {
    let weight = |line: &ocr::Line| line.words.iter().map(|word| word.text.len()).sum::<usize>();
    let mut out: Vec<f32> = lines.iter().map(|line| line.size).collect();
    let mut open: Vec<usize> = (0..lines.len()).collect();
    open.sort_by(|&a, &b| lines[a].size.total_cmp(&lines[b].size));
    while !open.is_empty() {
        // The stretch of sizes with most text in it.
        let (mut best, mut most) = (0..1, 0);
        let mut start = 0;
        let mut sum = 0;
        for end in 0..open.len() {
            sum += weight(&lines[open[end]]);
            while lines[open[start]].size * (1.0 + 2.0 * SAME_SIZE) < lines[open[end]].size {
                sum -= weight(&lines[open[start]]);
                start += 1;
            }
            if sum > most {
                (best, most) = (start..end + 1, sum);
            }
        }
        let mut members: Vec<(f32, usize)> = open[best.clone()]
            .iter()
            .map(|&index| (lines[index].size, weight(&lines[index])))
            .collect();
        let common = ocr::weighted_median(&mut members).unwrap_or_default();
        for index in open.drain(best) {
            out[index] = common;
        }
    }
    out
}

/// Which lines are in heavy type, compared with the page's others.
fn bold(lines: &[ocr::Line]) -> Vec<bool> {
    let weight = |line: &ocr::Line| line.words.iter().map(|word| word.text.len()).sum::<usize>();
    let stroke = |line: &ocr::Line| {
        let mut strokes: Vec<(f32, usize)> = line.words.iter().map(|word| (word.stroke, word.text.len())).collect();
        ocr::weighted_median(&mut strokes).unwrap_or_default() / line.size.max(1.0)
    };
    let mut all: Vec<(f32, usize)> = lines.iter().map(|line| (stroke(line), weight(line))).collect();
    let usual = ocr::weighted_median(&mut all).unwrap_or_default();
    lines.iter().map(|line| stroke(line) > BOLD * usual).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(angle: f32, size: f32, text: &str, x: f32, y: f32) -> ocr::Line {
        let (sin, cos) = angle.sin_cos();
        let at = |u: f32, v: f32| (x + u * cos - v * sin, y + u * sin + v * cos);
        let length = text.len() as f32 * size / 2.0;
        ocr::Line {
            along: (cos, sin),
            size,
            words: vec![ocr::Word {
                text: text.into(),
                confidence: 0.987,
                corners: [
                    at(0.0, -0.8 * size),
                    at(length, -0.8 * size),
                    at(length, 0.2 * size),
                    at(0.0, 0.2 * size),
                ],
                baseline: at(length / 2.0, 0.0),
                stroke: 0.08 * size,
            }],
        }
    }

    #[test]
    fn lines_of_a_page_put_in_askew_are_level_and_know_where_they_are() {
        let lines: Vec<ocr::Line> = (0..5u8)
            .map(|i| line(0.03, 20.0, "some words of a line", 100.0, 100.0 + 30.0 * f32::from(i)))
            .collect();
        let frames = words(&lines, 2.0, &Straighten::new(&lines, (300.0, 400.0)));
        assert_eq!(frames.len(), 1);
        let (frame, words) = &frames[0];
        assert_eq!(frame.degrees, 0);
        for word in words {
            assert!((word.rect.height() - 10.0).abs() < 0.1, "level: {:?}", word.rect);
            let place = word.recognition.expect("is recognised").on_page;
            assert!(
                place.height() > 12.0,
                "the box around the slanted word is taller: {place:?}"
            );
            assert_eq!(word.recognition.map(|r| r.confidence), Some(99));
        }
    }

    #[test]
    fn sizes_measured_a_little_differently_are_one_size() {
        let lines = [
            line(0.0, 20.0, "a line of body text", 0.0, 0.0),
            line(0.0, 21.4, "a line of body text", 0.0, 30.0),
            line(0.0, 19.0, "another line of body text", 0.0, 60.0),
            line(0.0, 40.0, "Heading", 0.0, 100.0),
        ];
        let sizes = sizes(&lines);
        assert!(sizes[0] == sizes[1] && sizes[1] == sizes[2], "{sizes:?}");
        assert_eq!(sizes[3], 40.0);
    }
}
