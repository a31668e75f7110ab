//! Where lines of text are: from the map of likelihoods to turned rectangles.
//!
//! The model marks the core of each line (Liao et al., "Real-time Scene Text Detection with Differentiable
//! Binarization", AAAI 2020); what belongs together is a line, and the rectangle around it is grown back to full size.

use super::models::Models;
use super::raster::{Point, Raster, Strip};
use crate::error::Result;

/// Longer side in pixels of what the model looks at. On a letter page that is 130 dots per inch: six-point type is
/// then eleven pixels high, of which the model needs eight.
const LOOK: f32 = 1440.0;
/// Pictures are made at least this long for it.
const LEAST_LOOK: f32 = 736.0;
/// Sides must be multiples of this.
const GRID: usize = 32;
/// From this likelihood on a pixel belongs to a line.
const THRESHOLD: f32 = 0.3;
/// Mean likelihood of a line.
const SURE: f32 = 0.5;
/// By how much a core is grown: area by perimeter, times this.
const GROWTH: f32 = 1.6;
/// Thinnest core in pixels.
const MIN_SIDE: f32 = 3.0;
/// Lines on one page; noise can look like more.
const MAX_LINES: usize = 3000;
/// From this ratio of height to width on a line runs up or down.
const TALL: f32 = 1.5;

/// Finds the lines of text in a picture, from top to bottom.
pub(crate) fn lines(models: &mut Models, raster: &Raster) -> Result<Vec<Strip>> {
    let longer = raster.width.max(raster.height) as f32;
    let scale = (LOOK / longer).min(1.0).max((LEAST_LOOK / longer).min(2.0));
    let side = |pixels: usize| (((pixels as f32 * scale / GRID as f32).round() as usize) * GRID).max(GRID);
    let (width, height) = (side(raster.width), side(raster.height));
    let map = models.detect(width, height, raster.scaled(width, height).planes())?;
    let stretch = (raster.width as f32 / width as f32, raster.height as f32 / height as f32);
    let mut strips: Vec<Strip> = cores(&map, width, height)
        .into_iter()
        .filter_map(|core| strip(&core, stretch))
        .take(MAX_LINES)
        .collect();
    strips.sort_by(|a, b| {
        a.centre
            .1
            .total_cmp(&b.centre.1)
            .then(a.centre.0.total_cmp(&b.centre.0))
    });
    Ok(strips)
}

/// Outermost pixels of what belongs together.
type Core = Vec<Point>;

/// The connected parts of the map over the threshold that are likely enough to be text.
fn cores(map: &[f32], width: usize, height: usize) -> Vec<Core> {
    let mut seen: Vec<bool> = map.iter().map(|value| *value <= THRESHOLD).collect();
    let mut out = Vec::new();
    let mut stack = Vec::new();
    for start in 0..seen.len().min(width * height) {
        if seen[start] {
            continue;
        }
        seen[start] = true;
        stack.push(start);
        let mut members = Vec::new();
        let mut sum = 0.0;
        while let Some(index) = stack.pop() {
            members.push(index);
            sum += map[index];
            let (x, y) = (index % width, index / width);
            for near_y in y.saturating_sub(1)..=(y + 1).min(height - 1) {
                for near_x in x.saturating_sub(1)..=(x + 1).min(width - 1) {
                    let near = near_y * width + near_x;
                    if !seen[near] {
                        seen[near] = true;
                        stack.push(near);
                    }
                }
            }
        }
        if sum / members.len() as f32 >= SURE {
            out.push(outline(members, width));
        }
    }
    out
}

/// The corners of the first and last pixel of each row: enough for the hull.
fn outline(mut members: Vec<usize>, width: usize) -> Core {
    members.sort_unstable();
    let mut out = Vec::new();
    for row in members.chunk_by(|a, b| a / width == b / width) {
        let (Some(first), Some(last)) = (row.first(), row.last()) else {
            continue;
        };
        let y = (first / width) as f32;
        let (left, right) = ((first % width) as f32, (last % width) as f32 + 1.0);
        out.extend([(left, y), (left, y + 1.0), (right, y), (right, y + 1.0)]);
    }
    out
}

/// The strip around a core, in pixels of the picture, which is `stretch` times as large as the map.
fn strip(core: &Core, stretch: Point) -> Option<Strip> {
    let hull = hull(core);
    let (centre, along, length, height) = smallest_rectangle(&hull)?;
    if length.min(height) < MIN_SIDE {
        return None;
    }
    let growth = GROWTH * length * height / (2.0 * (length + height));
    let (length, height) = (length + 2.0 * growth, height + 2.0 * growth);
    // Of the two directions, the level one, unless the rectangle is tall.
    let level = along.0.abs() >= along.1.abs();
    let (level_length, plumb_length) = if level { (length, height) } else { (height, length) };
    let runs_level = plumb_length < TALL * level_length;
    let (along, length, height) = if runs_level == level {
        (along, length, height)
    } else {
        ((-along.1, along.0), height, length)
    };
    // To the right, or down.
    let backwards = if runs_level { along.0 < 0.0 } else { along.1 < 0.0 };
    let along = if backwards { (-along.0, -along.1) } else { along };
    // The two scales differ by the rounding to the grid only.
    let scale = (stretch.0 * stretch.1).sqrt();
    Some(Strip {
        centre: (centre.0 * stretch.0, centre.1 * stretch.1),
        along,
        length: length * if runs_level { stretch.0 } else { stretch.1 },
        height: height * scale,
    })
}

/// The convex hull (Andrew's monotone chain), anticlockwise, without repeated points.
fn hull(points: &[Point]) -> Vec<Point> {
    let mut points = points.to_vec();
    points.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    points.dedup();
    let half = |points: &mut dyn Iterator<Item = Point>| {
        let mut out: Vec<Point> = Vec::new();
        for point in points {
            while let [.., a, b] = out.as_slice() {
                if (b.0 - a.0) * (point.1 - a.1) - (b.1 - a.1) * (point.0 - a.0) > 0.0 {
                    break;
                }
                out.pop();
            }
            out.push(point);
        }
        out.pop();
        out
    };
    let mut out = half(&mut points.iter().copied());
    out.extend(half(&mut points.iter().rev().copied()));
    out
}

/// Centre, direction of one side, size along it and across: of all rectangles on a side of the hull the smallest.
fn smallest_rectangle(hull: &[Point]) -> Option<(Point, Point, f32, f32)> {
    let mut best: Option<(f32, (Point, Point, f32, f32))> = None;
    for (index, a) in hull.iter().enumerate() {
        let b = hull[(index + 1) % hull.len()];
        let (dx, dy) = (b.0 - a.0, b.1 - a.1);
        let length = dx.hypot(dy);
        if length <= 0.0 {
            continue;
        }
        let (x, y) = (dx / length, dy / length);
        let (mut low_u, mut high_u, mut low_v, mut high_v) = (f32::MAX, f32::MIN, f32::MAX, f32::MIN);
        for point in hull {
            let (u, v) = (point.0 * x + point.1 * y, point.1 * x - point.0 * y);
            (low_u, high_u) = (low_u.min(u), high_u.max(u));
            (low_v, high_v) = (low_v.min(v), high_v.max(v));
        }
        let (width, height) = (high_u - low_u, high_v - low_v);
        let area = width * height;
        if best.as_ref().is_none_or(|(least, _)| area < *least) {
            let (u, v) = ((low_u + high_u) / 2.0, (low_v + high_v) / 2.0);
            best = Some((area, ((u * x - v * y, u * y + v * x), (x, y), width, height)));
        }
    }
    best.map(|(_, rectangle)| rectangle)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slanted_core_becomes_a_slanted_strip_read_to_the_right() {
        let angle = 0.1f32;
        let (width, height) = (200usize, 100usize);
        let mut map = vec![0.0f32; width * height];
        for y in 0..height {
            for x in 0..width {
                let (dx, dy) = (x as f32 + 0.5 - 100.0, y as f32 + 0.5 - 50.0);
                let (u, v) = (dx * angle.cos() + dy * angle.sin(), dy * angle.cos() - dx * angle.sin());
                if u.abs() < 60.0 && v.abs() < 5.0 {
                    map[y * width + x] = 0.9;
                }
            }
        }
        let cores = cores(&map, width, height);
        assert_eq!(cores.len(), 1);
        let strip = strip(&cores[0], (2.0, 2.0)).expect("is a line");
        assert!(
            strip.along.0 > 0.9 && (strip.along.1.atan2(strip.along.0) - angle).abs() < 0.03,
            "{strip:?}"
        );
        assert!((strip.centre.0 - 200.0).abs() < 3.0 && (strip.centre.1 - 100.0).abs() < 3.0);
        assert!(
            strip.length > 240.0 && strip.height > 20.0,
            "grown and in pixels of the picture: {strip:?}"
        );
    }

    #[test]
    fn a_tall_core_is_read_downwards() {
        let core: Core = vec![(10.0, 10.0), (18.0, 10.0), (18.0, 90.0), (10.0, 90.0)];
        let strip = strip(&core, (1.0, 1.0)).expect("is a line");
        assert_eq!(strip.along, (0.0, 1.0));
        assert!(strip.length > strip.height);
    }

    #[test]
    fn unlikely_and_tiny_cores_are_no_lines() {
        let mut map = vec![0.0f32; 100 * 100];
        for y in 10..20 {
            for x in 10..60 {
                map[y * 100 + x] = 0.4;
            }
        }
        assert!(cores(&map, 100, 100).is_empty());
        assert!(strip(&vec![(0.0, 0.0), (50.0, 0.0), (50.0, 2.0), (0.0, 2.0)], (1.0, 1.0)).is_none());
    }
}
