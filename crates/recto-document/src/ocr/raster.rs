//! Pixels, and cutting turned strips out of them.

/// A picture in memory: rows of blue, green, red bytes from the top, the order the models were trained with.
///
/// Positions in it are in pixels from its top left corner; the first pixel reaches from 0 to 1.
#[derive(Debug, Clone)]
pub(crate) struct Raster {
    pub(crate) width: usize,
    pub(crate) height: usize,
    bgr: Vec<u8>,
}

/// A position in a raster.
pub(crate) type Point = (f32, f32);

impl Raster {
    /// From rows of `channels` bytes a pixel, of which the first three are blue, green and red.
    pub(crate) fn from_bgr(width: u32, height: u32, bytes: &[u8], channels: usize) -> Self {
        let mut bgr = Vec::with_capacity(bytes.len() / channels * 3);
        for pixel in bytes.chunks_exact(channels) {
            bgr.extend_from_slice(&pixel[..3]);
        }
        Self {
            width: width as usize,
            height: height as usize,
            bgr,
        }
    }

    /// From rows of red, green, blue bytes.
    pub(crate) fn from_rgb(width: u32, height: u32, mut rgb: Vec<u8>) -> Self {
        for pixel in rgb.chunks_exact_mut(3) {
            pixel.swap(0, 2);
        }
        Self {
            width: width as usize,
            height: height as usize,
            bgr: rgb,
        }
    }

    fn pixel(&self, x: usize, y: usize) -> [u8; 3] {
        let at = (y * self.width + x) * 3;
        [self.bgr[at], self.bgr[at + 1], self.bgr[at + 2]]
    }

    /// The picture turned clockwise by this many quarters.
    pub(crate) fn turned(&self, quarter_turns: u8) -> Self {
        let (width, height) = if quarter_turns.is_multiple_of(2) {
            (self.width, self.height)
        } else {
            (self.height, self.width)
        };
        let mut bgr = Vec::with_capacity(self.bgr.len());
        for y in 0..height {
            for x in 0..width {
                let (from_x, from_y) = match quarter_turns % 4 {
                    0 => (x, y),
                    1 => (y, self.height - 1 - x),
                    2 => (self.width - 1 - x, self.height - 1 - y),
                    _ => (self.width - 1 - y, x),
                };
                bgr.extend_from_slice(&self.pixel(from_x, from_y));
            }
        }
        Self { width, height, bgr }
    }

    /// The picture at another size: every new pixel is the mean of what it covers.
    pub(crate) fn scaled(&self, width: usize, height: usize) -> Self {
        let columns = Spans::new(self.width, width);
        let rows = Spans::new(self.height, height);
        let mut bgr = vec![0u8; width * height * 3];
        let mut line = vec![0f32; self.width * 3];
        for (y, out) in bgr.chunks_exact_mut(width * 3).enumerate() {
            line.fill(0.0);
            for &(row, weight) in rows.of(y) {
                let source = &self.bgr[row * self.width * 3..(row + 1) * self.width * 3];
                for (sum, value) in line.iter_mut().zip(source) {
                    *sum += weight * f32::from(*value);
                }
            }
            for (x, pixel) in out.chunks_exact_mut(3).enumerate() {
                let mut sums = [0f32; 3];
                for &(column, weight) in columns.of(x) {
                    for (sum, value) in sums.iter_mut().zip(&line[column * 3..column * 3 + 3]) {
                        *sum += weight * value;
                    }
                }
                for (byte, sum) in pixel.iter_mut().zip(sums) {
                    *byte = sum.round().clamp(0.0, 255.0) as u8;
                }
            }
        }
        Self { width, height, bgr }
    }

    /// The colours as the models want them: three planes, from -1 to 1.
    pub(crate) fn planes(&self) -> Vec<f32> {
        let mut out = Vec::with_capacity(self.bgr.len());
        for channel in 0..3 {
            out.extend(
                self.bgr
                    .iter()
                    .skip(channel)
                    .step_by(3)
                    .map(|value| normal(f32::from(*value))),
            );
        }
        out
    }

    /// Blue, green and red at a point; the border's outside of the picture.
    pub(crate) fn colour(&self, x: f32, y: f32) -> [u8; 3] {
        self.sample(x, y).map(|part| part.round() as u8)
    }

    /// The colour between pixels.
    fn sample(&self, x: f32, y: f32) -> [f32; 3] {
        let (x, y) = (
            (x - 0.5).clamp(0.0, (self.width - 1) as f32),
            (y - 0.5).clamp(0.0, (self.height - 1) as f32),
        );
        let (left, top) = (x as usize, y as usize);
        let (right, bottom) = ((left + 1).min(self.width - 1), (top + 1).min(self.height - 1));
        let (dx, dy) = (x - left as f32, y - top as f32);
        let corners = [
            (self.pixel(left, top), (1.0 - dx) * (1.0 - dy)),
            (self.pixel(right, top), dx * (1.0 - dy)),
            (self.pixel(left, bottom), (1.0 - dx) * dy),
            (self.pixel(right, bottom), dx * dy),
        ];
        let mut out = [0f32; 3];
        for (pixel, weight) in corners {
            for (sum, value) in out.iter_mut().zip(pixel) {
                *sum += weight * f32::from(value);
            }
        }
        out
    }
}

/// A picture and how it was turned before it was read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Turn {
    /// Size of the picture before.
    pub(crate) width: f32,
    pub(crate) height: f32,
    /// Quarters clockwise.
    pub(crate) quarters: u8,
}

impl Turn {
    /// Where a point of the turned picture lies in the one before.
    pub(crate) fn undo(&self, (x, y): Point) -> Point {
        match self.quarters % 4 {
            0 => (x, y),
            1 => (y, self.height - x),
            2 => (self.width - x, self.height - y),
            _ => (self.width - y, x),
        }
    }
}

fn normal(value: f32) -> f32 {
    value / 127.5 - 1.0
}

/// Which old pixels a new one is made of, and in which shares.
struct Spans {
    parts: Vec<(usize, f32)>,
    starts: Vec<usize>,
}

impl Spans {
    fn new(from: usize, to: usize) -> Self {
        let scale = from as f32 / to as f32;
        let mut parts = Vec::new();
        let mut starts = vec![0];
        for index in 0..to {
            let first = parts.len();
            if scale <= 1.0 {
                // Enlarging: between the two nearest.
                let at = ((index as f32 + 0.5) * scale - 0.5).clamp(0.0, (from - 1) as f32);
                let low = at as usize;
                parts.push((low, 1.0 - (at - low as f32)));
                parts.push(((low + 1).min(from - 1), at - low as f32));
            } else {
                let (begin, end) = (index as f32 * scale, (index + 1) as f32 * scale);
                for pixel in begin as usize..(end.ceil() as usize).min(from) {
                    let share = (end.min(pixel as f32 + 1.0) - begin.max(pixel as f32)).max(0.0);
                    parts.push((pixel, share));
                }
            }
            let total: f32 = parts[first..].iter().map(|part| part.1).sum();
            for part in &mut parts[first..] {
                part.1 /= total.max(f32::MIN_POSITIVE);
            }
            starts.push(parts.len());
        }
        Self { parts, starts }
    }

    fn of(&self, index: usize) -> &[(usize, f32)] {
        &self.parts[self.starts[index]..self.starts[index + 1]]
    }
}

/// A turned rectangle around a line of text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Strip {
    pub(crate) centre: Point,
    /// The direction the text runs in, of length one.
    pub(crate) along: Point,
    /// Size along the text and across it.
    pub(crate) length: f32,
    pub(crate) height: f32,
}

impl Strip {
    /// The point `u` from the beginning of the strip and `v` below its top.
    pub(crate) fn point(&self, u: f32, v: f32) -> Point {
        let (du, dv) = (u - self.length / 2.0, v - self.height / 2.0);
        let (x, y) = self.along;
        (self.centre.0 + du * x - dv * y, self.centre.1 + du * y + dv * x)
    }

    pub(crate) fn corners(&self) -> [Point; 4] {
        [
            self.point(0.0, 0.0),
            self.point(self.length, 0.0),
            self.point(self.length, self.height),
            self.point(0.0, self.height),
        ]
    }

    /// The same place read from the other end.
    pub(crate) fn reversed(self) -> Self {
        Self {
            along: (-self.along.0, -self.along.1),
            ..self
        }
    }

    /// The first part of the strip.
    pub(crate) fn beginning(self, length: f32) -> Self {
        let length = length.min(self.length);
        Self {
            centre: self.point(length / 2.0, self.height / 2.0),
            length,
            ..self
        }
    }
}

/// A raster and its halves, so that a strip of any height is cut without leaving out pixels.
pub(crate) struct Pyramid {
    levels: Vec<Raster>,
}

impl Pyramid {
    pub(crate) fn new(raster: Raster) -> Self {
        Self { levels: vec![raster] }
    }

    pub(crate) fn raster(&self) -> &Raster {
        &self.levels[0]
    }

    /// Cuts `strip` out, made `rows` pixels high and `columns` long.
    pub(crate) fn cut(&mut self, strip: &Strip, rows: usize, columns: usize) -> Patch {
        let mut level = 0;
        // Between one and two old pixels for a new one, nothing is lost.
        while strip.height / (1 << level) as f32 > 2.0 * rows as f32 {
            level += 1;
            if self.levels.len() <= level {
                let last = &self.levels[level - 1];
                if last.width < 2 || last.height < 2 {
                    level -= 1;
                    break;
                }
                let half = last.scaled(last.width.div_ceil(2), last.height.div_ceil(2));
                self.levels.push(half);
            }
        }
        let raster = &self.levels[level];
        let scale = (
            raster.width as f32 / self.levels[0].width as f32,
            raster.height as f32 / self.levels[0].height as f32,
        );
        let plane = rows * columns;
        let mut planes = vec![0f32; 3 * plane];
        for row in 0..rows {
            let v = (row as f32 + 0.5) / rows as f32 * strip.height;
            for column in 0..columns {
                let u = (column as f32 + 0.5) / columns as f32 * strip.length;
                let (x, y) = strip.point(u, v);
                let colour = raster.sample(x * scale.0, y * scale.1);
                for (channel, value) in colour.into_iter().enumerate() {
                    planes[channel * plane + row * columns + column] = normal(value);
                }
            }
        }
        Patch { rows, columns, planes }
    }
}

/// A strip as the models want it: three planes of rows, from -1 to 1.
#[derive(Debug, Clone)]
pub(crate) struct Patch {
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    pub(crate) planes: Vec<f32>,
}

impl Patch {
    /// The planes with grey columns added at the end.
    pub(crate) fn padded(&self, columns: usize) -> Vec<f32> {
        let mut out = vec![0f32; 3 * self.rows * columns];
        for (from, to) in self
            .planes
            .chunks_exact(self.columns)
            .zip(out.chunks_exact_mut(columns))
        {
            to[..self.columns].copy_from_slice(from);
        }
        out
    }

    /// Brightness of every pixel, 0 to 255.
    pub(crate) fn grey(&self) -> Vec<u8> {
        let plane = self.rows * self.columns;
        (0..plane)
            .map(|index| {
                let [b, g, r] = [0, 1, 2].map(|channel| (self.planes[channel * plane + index] + 1.0) * 127.5);
                (0.114 * b + 0.587 * g + 0.299 * r).clamp(0.0, 255.0) as u8
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gradient(width: u32, height: u32) -> Raster {
        let bytes = (0..height)
            .flat_map(|y| (0..width).flat_map(move |x| [(x * 20) as u8, (y * 20) as u8, 0]))
            .collect();
        Raster {
            width: width as usize,
            height: height as usize,
            bgr: bytes,
        }
    }

    #[test]
    fn a_point_of_the_turned_picture_is_found_again() {
        let raster = gradient(6, 4);
        for turns in 0..4 {
            let turned = raster.turned(turns);
            let turn = Turn {
                width: 6.0,
                height: 4.0,
                quarters: turns,
            };
            for (x, y) in [(0, 0), (1, 2), (3, 3)] {
                let back = turn.undo((x as f32 + 0.5, y as f32 + 0.5));
                assert_eq!(
                    turned.pixel(x, y),
                    raster.pixel(back.0 as usize, back.1 as usize),
                    "{turns} quarter turns, ({x}, {y})"
                );
            }
        }
    }

    #[test]
    fn scaling_keeps_the_mean() {
        let raster = gradient(8, 8);
        let mean = |raster: &Raster| raster.bgr.iter().map(|v| f32::from(*v)).sum::<f32>() / raster.bgr.len() as f32;
        for (width, height) in [(4, 4), (3, 5), (16, 16)] {
            assert!((mean(&raster.scaled(width, height)) - mean(&raster)).abs() < 1.5);
        }
    }

    #[test]
    fn a_strip_is_cut_in_its_own_direction() {
        let mut pyramid = Pyramid::new(gradient(12, 12));
        let strip = Strip {
            centre: (6.0, 6.0),
            along: (0.0, 1.0),
            length: 8.0,
            height: 4.0,
        };
        let patch = pyramid.cut(&strip, 4, 8);
        // Reading downwards, green grows along the row, and the first row is the rightmost column.
        let green = &patch.planes[32..64];
        assert!(green[1] > green[0] && green[7] > green[6]);
        let blue = &patch.planes[..32];
        assert!(blue[0] > blue[8], "the top of the strip is on the right");
    }
}
