//! How large an image is on paper.

use super::tags::Tags;
use image::ImageFormat;

/// Without a word about its size an image is a screen's, at this many dots per inch.
const SCREEN: f32 = 96.0;
/// Longest page believed, in inches: the longer side of A0.
const LONGEST: f32 = 47.0;
/// What software writes when it knows nothing.
const MEANINGLESS: [f32; 2] = [72.0, 96.0];
/// Longest side, in inches, of what is still shown at screen size: tabloid.
const LONGEST_ON_SCREEN: f32 = 17.0;
/// Anything larger is taken for a photo or scan of a sheet of A4, the longer side of which this is.
const SHEET: f32 = 11.69;

/// Dots per inch of an image of `width` × `height` pixels that claims to have `declared`.
pub(super) fn dots(declared: Option<f32>, width: u32, height: u32) -> f32 {
    let longer = width.max(height) as f32;
    let believed = declared.filter(|dots| {
        let inches = longer / dots;
        (20.0..=4800.0).contains(dots)
            && inches <= LONGEST
            && (inches <= LONGEST_ON_SCREEN || MEANINGLESS.iter().all(|known| (dots - known).abs() > 0.5))
    });
    believed.unwrap_or(if longer / SCREEN <= LONGEST_ON_SCREEN {
        SCREEN
    } else {
        longer / SHEET
    })
}

/// What the file says of itself.
pub(super) fn declared(bytes: &[u8], format: ImageFormat) -> Option<f32> {
    match format {
        ImageFormat::Png => png(bytes),
        ImageFormat::Jpeg => jpeg(bytes),
        ImageFormat::Bmp => {
            let per_metre = i32::from_le_bytes(bytes.get(38..42)?.try_into().ok()?);
            (per_metre > 0).then_some(per_metre as f32 * 0.0254)
        }
        _ => None,
    }
}

fn long(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(bytes.get(at..at.checked_add(4)?)?.try_into().ok()?))
}

fn short(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_be_bytes(bytes.get(at..at.checked_add(2)?)?.try_into().ok()?))
}

/// The chunk `pHYs`, which comes before the image data.
fn png(bytes: &[u8]) -> Option<f32> {
    let mut at = 8;
    loop {
        let length = long(bytes, at)? as usize;
        match bytes.get(at + 4..at + 8)? {
            b"pHYs" => {
                let per_metre = long(bytes, at + 8)?;
                let in_metres = bytes.get(at + 16) == Some(&1);
                return in_metres.then_some(per_metre as f32 * 0.0254);
            }
            b"IDAT" => return None,
            _ => at = at.checked_add(12)?.checked_add(length)?,
        }
    }
}

/// The JFIF header, else the EXIF data.
fn jpeg(bytes: &[u8]) -> Option<f32> {
    let mut at = 2;
    let mut by_exif = None;
    while bytes.get(at) == Some(&0xFF) {
        let marker = *bytes.get(at + 1)?;
        // The image data begin.
        if marker == 0xDA {
            break;
        }
        let length = usize::from(short(bytes, at + 2)?);
        let body = bytes.get(at + 4..at + 2 + length.max(2))?;
        if marker == 0xE0 && body.starts_with(b"JFIF\0") {
            let across = f32::from(short(body, 8)?);
            match body.get(7)? {
                1 => return Some(across),
                2 => return Some(across * 2.54),
                _ => {}
            }
        } else if marker == 0xE1 && body.starts_with(b"Exif\0\0") {
            by_exif = Tags::of(&body[6..]).and_then(|tags| tags.dots(*tags.pages().first()?));
        }
        at += 2 + length.max(2);
    }
    by_exif
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_is_believed_unless_it_makes_no_sense() {
        assert_eq!(dots(Some(300.0), 2480, 3508), 300.0);
        assert_eq!(dots(None, 1280, 800), 96.0, "a screenshot");
        assert_eq!(dots(Some(72.0), 600, 800), 72.0);
        let photo = dots(Some(72.0), 4000, 3000);
        assert!((4000.0 / photo - SHEET).abs() < 0.01, "a photo of a sheet: {photo}");
        assert_eq!(dots(Some(0.0), 960, 960), 96.0);
        assert_eq!(dots(Some(f32::NAN), 960, 960), 96.0);
    }
}
