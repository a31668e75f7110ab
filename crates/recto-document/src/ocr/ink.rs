//! Measuring the ink of a strip: where words begin and end, how large the type is, where it stands, how heavy it is.

use super::decode::Letters;
use super::raster::Patch;

/// The ink of a strip.
pub(crate) struct Ink {
    rows: usize,
    columns: usize,
    dark: Vec<bool>,
}

/// A word's place in its strip, in pixels of the patch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Extent {
    pub(crate) left: f32,
    pub(crate) right: f32,
    /// Top and bottom of its ink.
    pub(crate) top: f32,
    pub(crate) bottom: f32,
    /// Usual thickness of its strokes.
    pub(crate) stroke: f32,
}

impl Ink {
    /// Tells ink from paper by brightness; the paper is what there is more of at the border.
    pub(crate) fn of(patch: &Patch) -> Self {
        let grey = patch.grey();
        let threshold = otsu(&grey);
        let border = (0..patch.columns).flat_map(|x| [x, (patch.rows - 1) * patch.columns + x]);
        let bright = border.clone().filter(|index| grey[*index] > threshold).count();
        let paper_is_bright = 2 * bright >= border.count();
        Self {
            rows: patch.rows,
            columns: patch.columns,
            dark: grey
                .iter()
                .map(|value| (*value > threshold) != paper_is_bright)
                .collect(),
        }
    }

    fn is_inked(&self, x: usize, y: usize) -> bool {
        self.dark[y * self.columns + x]
    }

    /// Inked pixels of each column. The outermost rows may hold the neighbours' ink.
    fn columns(&self) -> Vec<usize> {
        (0..self.columns)
            .map(|x| {
                (2..self.rows.saturating_sub(2))
                    .filter(|&y| self.is_inked(x, y))
                    .count()
            })
            .collect()
    }

    /// Where each word lies. `step` is the width of a step of recognition in pixels.
    pub(crate) fn extents(&self, words: &[Letters], step: f32) -> Vec<Extent> {
        let columns = self.columns();
        let at = |word: &Letters, last: bool| {
            let letter = if last { word.0.last() } else { word.0.first() };
            letter
                .map_or(0.0, |letter| letter.at * step)
                .clamp(0.0, self.columns as f32)
        };
        let mut bounds = vec![0.0];
        bounds.extend(
            words
                .windows(2)
                .map(|pair| widest_gap(&columns, at(&pair[0], true), at(&pair[1], false))),
        );
        bounds.push(self.columns as f32);
        words
            .iter()
            .zip(bounds.windows(2))
            .map(|(word, bound)| self.extent(word, &columns, (bound[0], bound[1]), step))
            .collect()
    }

    fn extent(&self, word: &Letters, columns: &[usize], (from, to): (f32, f32), step: f32) -> Extent {
        let first = (from as usize).min(self.columns.saturating_sub(1));
        let end = (to as usize).clamp(first + 1, self.columns.max(first + 1));
        let inked: Vec<usize> = (first..end)
            .filter(|&x| columns.get(x).is_some_and(|count| *count > 0))
            .collect();
        let ends = word.0.first().zip(word.0.last());
        let (mut left, mut right) = match (inked.first(), inked.last()) {
            (Some(left), Some(right)) => (*left as f32, *right as f32 + 1.0),
            _ => (from, to),
        };
        if let Some((first, last)) = ends {
            // Specks and rules at the ends of the strip are no part of the word: a letter reaches no further than some
            // steps from its middle.
            left = left.max((first.at - 4.0) * step).min(first.at * step);
            right = right.min((last.at + 4.0) * step).max(last.at * step);
        }
        let (top, bottom) = self.vertical(left as usize, (right.ceil() as usize).min(self.columns));
        Extent {
            left,
            right: right.max(left + 1.0),
            top,
            bottom,
            stroke: self.stroke(left as usize, (right.ceil() as usize).min(self.columns), top, bottom),
        }
    }

    /// Top and bottom of the ink in the middle of the strip; what is parted from it by some rows is the next line.
    fn vertical(&self, left: usize, right: usize) -> (f32, f32) {
        let count = |y: usize| (left..right).filter(|&x| self.is_inked(x, y)).count();
        let counts: Vec<usize> = (0..self.rows).map(count).collect();
        let middle = self.rows / 4..self.rows - self.rows / 4;
        let Some(start) = middle.max_by_key(|y| counts[*y]) else {
            return (0.0, self.rows as f32);
        };
        // The dot of an i is parted from its stem by a few rows.
        let apart = self.rows / 8;
        let reach = |rows: &mut dyn Iterator<Item = usize>| {
            let (mut last, mut empty) = (start, 0);
            for y in rows {
                if counts[y] > 0 {
                    (last, empty) = (y, 0);
                } else {
                    empty += 1;
                    if empty > apart {
                        break;
                    }
                }
            }
            last
        };
        let top = reach(&mut (0..start).rev());
        let bottom = reach(&mut (start..self.rows));
        (top as f32, bottom as f32 + 1.0)
    }

    /// The usual length of level runs of ink: stems are the commonest strokes.
    fn stroke(&self, left: usize, right: usize, top: f32, bottom: f32) -> f32 {
        let mut runs = Vec::new();
        for y in top as usize..(bottom as usize).min(self.rows) {
            let mut length = 0u32;
            for x in left..right {
                if self.is_inked(x, y) {
                    length += 1;
                } else if length > 0 {
                    runs.push(length);
                    length = 0;
                }
            }
            if length > 0 {
                runs.push(length);
            }
        }
        runs.sort_unstable();
        // The median moves in whole pixels; the mean of the middle half does not.
        let middle = &runs[runs.len() / 4..runs.len() - runs.len() / 4];
        middle.iter().sum::<u32>() as f32 / middle.len().max(1) as f32
    }
}

/// The middle of the widest stretch without ink between two letters.
fn widest_gap(columns: &[usize], from: f32, to: f32) -> f32 {
    let (first, end) = (from as usize, (to.ceil() as usize).min(columns.len()));
    let mut best: Option<(usize, usize)> = None;
    let mut start = first;
    for x in first..=end {
        if x < end && columns.get(x) == Some(&0) {
            continue;
        }
        if x > start && best.is_none_or(|(a, b)| x - start > b - a) {
            best = Some((start, x));
        }
        start = x + 1;
    }
    best.map_or((from + to) / 2.0, |(a, b)| (a + b) as f32 / 2.0)
}

/// The threshold that parts dark from bright best (Otsu, 1979).
fn otsu(grey: &[u8]) -> u8 {
    let mut histogram = [0f64; 256];
    for value in grey {
        histogram[*value as usize] += 1.0;
    }
    let total = grey.len() as f64;
    let sum: f64 = histogram
        .iter()
        .zip(0u32..)
        .map(|(n, value)| n * f64::from(value))
        .sum();
    let (mut below, mut sum_below) = (0.0, 0.0);
    let mut best = (0.0, 127u8);
    for (value, count) in (0u8..=255).zip(histogram) {
        below += count;
        sum_below += count * f64::from(value);
        let above = total - below;
        if below == 0.0 || above == 0.0 {
            continue;
        }
        let distance = sum_below / below - (sum - sum_below) / above;
        let spread = below * above * distance * distance;
        if spread > best.0 {
            best = (spread, value);
        }
    }
    best.1
}

// Heights of letters by the font size, as usual in book faces and grotesques alike.
const X_HEIGHT: f32 = 0.49;
const CAPITAL: f32 = 0.70;
const DESCENDER: f32 = 0.21;

/// What the ink of a word with this text spans: above and below the baseline, by the font size.
fn span(text: &str) -> Option<(f32, f32)> {
    let mut above = 0f32;
    let mut below = 0f32;
    for character in text.chars() {
        if character.is_uppercase() || character.is_numeric() || "bdfhklßþ!?&%#".contains(character) {
            above = above.max(CAPITAL);
        } else if "it".contains(character) {
            above = above.max(0.66);
        } else if "()[]{}|/\\$@§".contains(character) {
            // They differ too much between faces.
            return None;
        } else if character.is_lowercase() {
            above = above.max(X_HEIGHT);
        }
        if character.is_alphabetic() && "àáâãäåèéêëìíîïòóôõöùúûüñçýÿ".contains(character) {
            above = above.max(0.68);
        }
        if "gjpqyçQ".contains(character) {
            below = below.max(DESCENDER);
        } else if ",;".contains(character) {
            below = below.max(0.13);
        }
    }
    (above > 0.0).then_some((above, below))
}

/// Size of the type and place of the baseline, in pixels of the patch, from all words of a strip.
pub(crate) fn type_size(words: &[Letters], extents: &[Extent], rows: usize) -> (f32, f32) {
    let mut sizes = Vec::new();
    let mut baselines = Vec::new();
    for (word, extent) in words.iter().zip(extents) {
        let Some((above, below)) = span(&word.text()) else {
            continue;
        };
        let size = (extent.bottom - extent.top) / (above + below);
        let weight = word.0.len();
        sizes.push((size, weight));
        baselines.push((extent.bottom - below * size, weight));
    }
    // What a grown strip looks like on average, where there are no letters to go by.
    let size = weighted_median(&mut sizes).unwrap_or(0.72 * rows as f32);
    let baseline = weighted_median(&mut baselines).unwrap_or(0.74 * rows as f32);
    (size, baseline)
}

/// The value below and above which there is as much weight.
pub(crate) fn weighted_median(values: &mut [(f32, usize)]) -> Option<f32> {
    values.sort_by(|a, b| a.0.total_cmp(&b.0));
    let total: usize = values.iter().map(|value| value.1).sum();
    let mut passed = 0;
    values
        .iter()
        .find(|value| {
            passed += value.1;
            2 * passed >= total
        })
        .map(|value| value.0)
}

#[cfg(test)]
mod tests {
    use super::super::decode::Letter;
    use super::*;

    /// Two words of upright bars: ink from row 10 to row 38, columns 10..30 and 60..90.
    fn bars(ink: f32, paper: f32) -> Patch {
        let (rows, columns) = (48, 100);
        let mut planes = vec![paper; 3 * rows * columns];
        for plane in planes.chunks_exact_mut(rows * columns) {
            for y in 10..38 {
                for x in (10..30).chain(60..90).filter(|x| x % 10 < 4) {
                    plane[y * columns + x] = ink;
                }
            }
        }
        Patch { rows, columns, planes }
    }

    fn word(text: &str, at: &[f32]) -> Letters {
        let letters = text.chars().zip(at).map(|(character, at)| Letter {
            text: character.into(),
            at: *at,
            confidence: 1.0,
        });
        Letters(letters.collect())
    }

    #[test]
    fn words_get_the_extent_of_their_ink_dark_on_bright_or_bright_on_dark() {
        let words = [word("HI", &[1.5, 2.7]), word("HIT", &[7.7, 9.0, 10.3])];
        for (ink, paper) in [(-1.0, 1.0), (0.9, -0.6)] {
            let extents = Ink::of(&bars(ink, paper)).extents(&words, 8.0);
            assert_eq!((extents[0].left, extents[0].right), (10.0, 24.0));
            assert_eq!((extents[1].left, extents[1].right), (60.0, 84.0));
            assert_eq!((extents[0].top, extents[0].bottom), (10.0, 38.0));
            assert_eq!(extents[0].stroke, 4.0);
            let (size, baseline) = type_size(&words, &extents, 48);
            assert!(
                (size - 40.0).abs() < 0.1 && (baseline - 38.0).abs() < 0.1,
                "{size} {baseline}"
            );
        }
    }

    #[test]
    fn descenders_do_not_move_the_baseline() {
        let extent = Extent {
            left: 0.0,
            right: 50.0,
            top: 10.0,
            bottom: 38.0,
            stroke: 4.0,
        };
        let (size, baseline) = type_size(&[word("xxg", &[1.0, 2.0, 3.0])], &[extent], 48);
        assert!(
            (size - 40.0).abs() < 0.1 && (baseline - 29.6).abs() < 0.1,
            "{size} {baseline}"
        );
    }
}
