//! Text out of pixels: PP-OCR's models on ONNX Runtime.
//!
//! [`detect`] finds the lines, [`decode`] reads the letters of a strip that [`raster`] cut out, and [`ink`] measures
//! where words begin and end and how large the type is. A page may stand on its side or on its head; lines may be
//! slanted. Everything handed out is in pixels of the picture as it was given. What the words mean on a page (order,
//! columns, items) is decided where digital words are.

mod decode;
mod detect;
mod ink;
mod models;
mod raster;

pub(crate) use ink::weighted_median;
pub(crate) use raster::{Point, Raster};

use crate::error::Result;
use decode::Letters;
use ink::Ink;
use models::{Models, STRIP_ROWS};
use raster::{Pyramid, Strip, Turn};

/// Pixels a strip is long for each pixel it is high: a little less than life size, which costs no accuracy and a tenth
/// of the time.
const SQUEEZE: f32 = 1.0;
/// Columns a strip has at least; the models were trained with padded ones.
const MIN_COLUMNS: usize = 160;
/// And at most; longer ones are squeezed.
const MAX_COLUMNS: usize = 3200;
/// Columns of the strip that tells the direction.
const DIRECTION_COLUMNS: usize = 192;
/// Lines asked for their direction on one page.
const DIRECTION_VOTES: usize = 12;
/// A line less sure than this is a drawing.
const MIN_CONFIDENCE: f32 = 0.5;

/// A recognised line.
#[derive(Debug, Clone)]
pub(crate) struct Line {
    /// The direction it runs in, of length one.
    pub(crate) along: Point,
    /// Font size in pixels.
    pub(crate) size: f32,
    pub(crate) words: Vec<Word>,
}

/// A recognised word.
#[derive(Debug, Clone)]
pub(crate) struct Word {
    pub(crate) text: String,
    /// 0 to 1.
    pub(crate) confidence: f32,
    /// Around it, from the usual ascent to the usual descent: the beginning's top, then clockwise as it is read.
    pub(crate) corners: [Point; 4],
    /// The middle of its baseline.
    pub(crate) baseline: Point,
    /// Thickness of its strokes in pixels.
    pub(crate) stroke: f32,
}

/// Whether the models can be loaded.
///
/// # Errors
/// `asset_missing`.
pub(crate) fn available() -> Result<()> {
    models::models().map(drop)
}

/// Reads a picture. Lines that `known` claims, given as their four corners, are left out. `step` is called before each
/// piece of work; its error stops the rest.
///
/// # Errors
/// `asset_missing`; what `step` returns.
pub(crate) fn recognise(
    raster: Raster,
    known: &dyn Fn(&[Point; 4]) -> bool,
    step: &mut dyn FnMut() -> Result<()>,
) -> Result<Vec<Line>> {
    let mut models = models::models()?;
    let mut turn = Turn {
        width: raster.width as f32,
        height: raster.height as f32,
        quarters: 0,
    };
    let mut raster = raster;
    let mut strips = detect::lines(&mut models, &raster)?;
    if is_sideways(&strips) {
        // Anticlockwise: what ran down runs to the right.
        turn.quarters = 3;
        raster = raster.turned(3);
        step()?;
        strips = detect::lines(&mut models, &raster)?;
    }
    let mut pyramid = Pyramid::new(raster);
    if stands_on_its_head(&mut models, &mut pyramid, &strips)? {
        turn.quarters = (turn.quarters + 2) % 4;
        let upright = pyramid.raster().turned(2);
        for strip in &mut strips {
            strip.centre = (
                upright.width as f32 - strip.centre.0,
                upright.height as f32 - strip.centre.1,
            );
        }
        strips.reverse();
        pyramid = Pyramid::new(upright);
    }
    strips.retain(|strip| !known(&strip.corners().map(|corner| turn.undo(corner))));
    let mut lines = Vec::new();
    for strip in &strips {
        step()?;
        lines.extend(read_line(&mut models, &mut pyramid, *strip, &turn)?);
    }
    Ok(lines)
}

/// Whether most of the text runs up or down.
fn is_sideways(strips: &[Strip]) -> bool {
    let (mut level, mut plumb) = (0.0, 0.0);
    for strip in strips {
        if strip.along.0.abs() >= strip.along.1.abs() {
            level += strip.length;
        } else {
            plumb += strip.length;
        }
    }
    plumb > level
}

/// Asks the longest lines; where they are not of one mind, both ways are read.
fn stands_on_its_head(models: &mut Models, pyramid: &mut Pyramid, strips: &[Strip]) -> Result<bool> {
    let mut longest: Vec<&Strip> = strips
        .iter()
        .filter(|strip| strip.along.0 > strip.along.1.abs())
        .collect();
    longest.sort_by(|a, b| b.length.total_cmp(&a.length));
    longest.truncate(DIRECTION_VOTES);
    let mut votes = 0.0;
    for strip in &longest {
        // The model wants a strip of four times its height; squeezing a long line into it would spoil the letters.
        let part = strip.beginning(strip.height * DIRECTION_COLUMNS as f32 / STRIP_ROWS as f32);
        let columns = columns_for(&part, 1.0).min(DIRECTION_COLUMNS);
        votes += models.upside_down(&pyramid.cut(&part, STRIP_ROWS, columns), DIRECTION_COLUMNS)?;
    }
    if votes < 0.3 * longest.len() as f32 || longest.is_empty() {
        return Ok(false);
    }
    let (mut upright, mut reversed) = (0.0, 0.0);
    for strip in longest.iter().take(3) {
        let part = strip.beginning(strip.height * 12.0);
        upright += read_strip(models, pyramid, &part)?.1;
        reversed += read_strip(models, pyramid, &part.reversed())?.1;
    }
    Ok(reversed > upright)
}

fn columns_for(strip: &Strip, squeeze: f32) -> usize {
    let columns = strip.length / strip.height * STRIP_ROWS as f32 * squeeze;
    (columns.ceil() as usize).clamp(8, MAX_COLUMNS)
}

/// What a strip says.
struct Reading {
    words: Vec<Letters>,
    patch: raster::Patch,
    /// Columns of a step of recognition.
    step: f32,
}

/// Reads a strip; the number says how sure the model is of it.
fn read_strip(models: &mut Models, pyramid: &mut Pyramid, strip: &Strip) -> Result<(Reading, f32)> {
    let patch = pyramid.cut(strip, STRIP_ROWS, columns_for(strip, SQUEEZE));
    let steps = models.read(&patch, MIN_COLUMNS)?;
    let words = decode::words(models, &steps);
    let letters: usize = words.iter().map(|word| word.0.len()).sum();
    let sum: f32 = words
        .iter()
        .flat_map(|word| &word.0)
        .map(|letter| letter.confidence)
        .sum();
    let step = patch.columns.max(MIN_COLUMNS) as f32 / steps.best.len().max(1) as f32;
    Ok((Reading { words, patch, step }, sum / letters.max(1) as f32))
}

fn read_line(models: &mut Models, pyramid: &mut Pyramid, strip: Strip, turn: &Turn) -> Result<Option<Line>> {
    let mut strip = strip;
    let (mut reading, mut confidence) = read_strip(models, pyramid, &strip)?;
    if strip.along.0 <= strip.along.1.abs() {
        // A line on its side may run up as well as down.
        let other = read_strip(models, pyramid, &strip.reversed())?;
        if other.1 > confidence {
            strip = strip.reversed();
            (reading, confidence) = other;
        }
    }
    if confidence < MIN_CONFIDENCE {
        return Ok(None);
    }
    let Reading { words, patch, step } = reading;
    let extents = Ink::of(&patch).extents(&words, step);
    let (size, baseline) = ink::type_size(&words, &extents, patch.rows);
    let scale = strip.height / patch.rows as f32;
    let stretch = strip.length / patch.columns as f32;
    // As tall as a digital word's box where the font says nothing better.
    let (top, bottom) = ((baseline - 0.85 * size) * scale, (baseline + 0.22 * size) * scale);
    let place = |u: f32, v: f32| turn.undo(strip.point(u, v));
    let words = words.iter().zip(extents).map(|(letters, extent)| {
        let (left, right) = (extent.left * stretch, extent.right * stretch);
        Word {
            text: letters.text(),
            confidence: letters.confidence(),
            corners: [
                place(left, top),
                place(right, top),
                place(right, bottom),
                place(left, bottom),
            ],
            baseline: place((left + right) / 2.0, baseline * scale),
            stroke: extent.stroke * stretch,
        }
    });
    let words: Vec<Word> = words.collect();
    let (origin, ahead) = (place(0.0, 0.0), place(1.0, 0.0));
    Ok(Some(Line {
        along: (ahead.0 - origin.0, ahead.1 - origin.1),
        size: size * scale,
        words,
    }))
}
