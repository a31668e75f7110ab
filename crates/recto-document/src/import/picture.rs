//! Images of a Docling document.

use super::number;
use recto_core::{Image, Picture};
use recto_worker::ParseLimits;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::HashSet;
use std::io::Cursor;

/// Pixels an image must have each way to be kept; smaller ones are bullets, icons and rules.
const MIN_SIDE: u32 = 64;

/// The images met so far, each once.
#[derive(Debug, Default)]
pub(super) struct Images {
    pub(super) images: Vec<Image>,
    known: HashSet<String>,
}

impl Images {
    /// Keeps the image of a picture, where it has one that can be shown.
    pub(super) fn add(&mut self, image: &Value, limits: &ParseLimits) -> Option<Picture> {
        let uri = image["uri"].as_str()?;
        let (head, data) = uri.strip_prefix("data:")?.split_once(',')?;
        let stated = (number_of(&image["size"]["width"]), number_of(&image["size"]["height"]));
        if !head.ends_with(";base64")
            || stated.0.is_some_and(|w| w < MIN_SIDE)
            || stated.1.is_some_and(|h| h < MIN_SIDE)
        {
            return None;
        }
        let bytes = docling::base64::decode(data)?;
        let (media_type, bytes, width, height) = shown(bytes, limits)?;
        if width < MIN_SIDE || height < MIN_SIDE {
            return None;
        }
        let sha256 = Sha256::digest(&bytes)
            .iter()
            .map(|b| format!("{b:02x}"))
            .collect::<String>();
        if self.known.insert(sha256.clone()) {
            self.images.push(Image {
                sha256: sha256.clone(),
                media_type: media_type.into(),
                bytes,
            });
        }
        Some(Picture { sha256, width, height })
    }
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
