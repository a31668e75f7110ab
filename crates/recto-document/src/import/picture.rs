//! Images of a Docling document.

use super::number;
use crate::gallery::{Gallery, MIN_PIXELS};
use recto_core::Picture;
use recto_worker::ParseLimits;
use serde_json::Value;
use std::io::Cursor;

/// Keeps the image of a picture in `gallery`, where it has one that can be shown.
pub(super) fn keep(gallery: &mut Gallery, image: &Value, limits: &ParseLimits) -> Option<Picture> {
    let uri = image["uri"].as_str()?;
    let (head, data) = uri.strip_prefix("data:")?.split_once(',')?;
    let stated = (number_of(&image["size"]["width"]), number_of(&image["size"]["height"]));
    // What is known to be small need not be decoded.
    if !head.ends_with(";base64")
        || stated.0.is_some_and(|w| w < MIN_PIXELS)
        || stated.1.is_some_and(|h| h < MIN_PIXELS)
    {
        return None;
    }
    let bytes = docling::base64::decode(data)?;
    let (media_type, bytes, width, height) = shown(bytes, limits)?;
    gallery.add(media_type, bytes, (width, height))
}

fn number_of(value: &Value) -> Option<u32> {
    value
        .as_f64()
        .map(|n| n.clamp(0.0, f64::from(u32::MAX)) as u32)
        .or_else(|| Some(number(value)).filter(|n| *n > 0))
}

/// PNG and JPEG as they are; what else can be decoded as PNG.
fn shown(bytes: Vec<u8>, limits: &ParseLimits) -> Option<(&'static str, Vec<u8>, u32, u32)> {
    let format = image::guess_format(&bytes).ok()?;
    let (width, height) = image::ImageReader::with_format(Cursor::new(&bytes), format)
        .into_dimensions()
        .ok()?;
    if u64::from(width) * u64::from(height) > limits.max_image_pixels {
        return None;
    }
    match format {
        image::ImageFormat::Png => Some(("image/png", bytes, width, height)),
        image::ImageFormat::Jpeg => Some(("image/jpeg", bytes, width, height)),
        _ => {
            let decoded = image::load_from_memory_with_format(&bytes, format).ok()?;
            let mut png = Vec::new();
            decoded
                .write_to(&mut Cursor::new(&mut png), image::ImageFormat::Png)
                .ok()?;
            Some(("image/png", png, width, height))
        }
    }
}
