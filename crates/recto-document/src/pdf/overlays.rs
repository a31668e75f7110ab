//! What is laid over a page, on the displayed page: links, words of form values, notes.

use super::ffi::{Edges, Overlay, OverlayKind, PdfPage};
use super::frame::DisplayFrame;
use super::words::RawWord;
use recto_core::{Link, Rect};

/// What is laid over a page.
#[derive(Debug, Default)]
pub(crate) struct Overlays {
    pub(crate) links: Vec<Link>,
    /// Values of form fields and texts written on the page.
    pub(crate) words: Vec<RawWord>,
    /// What notes say, with their place.
    pub(crate) notes: Vec<(Rect, String)>,
}

/// Reads what is laid over a page.
pub(crate) fn from_page(page: &PdfPage<'_>, frame: &DisplayFrame) -> Overlays {
    let (width, height) = frame.size();
    let whole = Rect::new(0.0, 0.0, width, height);
    let place = |edges: &Edges| frame.rect(edges).intersection(&whole);
    let mut out = Overlays::default();
    for (edges, target) in page.links() {
        if let Some(rect) = place(&edges) {
            out.links.push(Link { rect, target });
        }
    }
    for overlay in page.overlays() {
        let Some(rect) = place(&overlay.edges) else { continue };
        match overlay.kind {
            OverlayKind::Visible => words(&overlay, rect, frame.unit() as f32, &mut out.words),
            OverlayKind::Note => out.notes.push((rect, clean(&overlay.text))),
        }
    }
    out
}

fn clean(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Sets the words of a field in its box. The file does not say where its letters stand, so they share the box by
/// their number; a value of many lines starts at the top.
fn words(overlay: &Overlay, rect: Rect, unit: f32, out: &mut Vec<RawWord>) {
    let size = overlay
        .size
        .map_or_else(|| (0.7 * rect.height()).clamp(6.0, 12.0), |size| size as f32 * unit);
    let size = size.min(rect.height().max(4.0));
    // Letters are about half as wide as they are tall.
    let per_line = ((rect.width() / (0.5 * size)) as usize).max(8);
    let mut lines: Vec<Vec<&str>> = vec![Vec::new()];
    let mut used = 0;
    for word in overlay.text.split_whitespace() {
        let length = word.chars().count();
        if used > 0 && used + length > per_line {
            lines.push(Vec::new());
            used = 0;
        }
        if let Some(line) = lines.last_mut() {
            line.push(word);
        }
        used += length + 1;
    }
    let pitch = if lines.len() == 1 {
        rect.height()
    } else {
        (1.2 * size).min(rect.height() / lines.len() as f32)
    };
    for (index, line) in lines.iter().enumerate() {
        let top = rect.top + pitch * index as f32;
        let bottom = top + pitch;
        let letters: usize = line.iter().map(|word| word.chars().count() + 1).sum();
        let step = (0.5 * size).min(rect.width() / letters.max(1) as f32);
        let mut left = rect.left + 0.15 * size;
        for word in line {
            let right = (left + step * word.chars().count() as f32).min(rect.right);
            let middle = f32::midpoint(top, bottom);
            let sequence = u32::try_from(out.len()).unwrap_or(u32::MAX).saturating_mul(2);
            out.push(RawWord::placed(
                (*word).to_owned(),
                Rect::new(left, middle - 0.6 * size, right, middle + 0.45 * size),
                size,
                sequence,
            ));
            left = right + step;
        }
    }
}
