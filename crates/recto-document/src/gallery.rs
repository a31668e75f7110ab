//! The images of a document, each once, whatever format it comes from.

use recto_core::{Image, Item, Picture};
use sha2::{Digest, Sha256};
use std::collections::HashSet;

/// Pixels an image must have each way to be kept; smaller ones are bullets, icons and rules.
pub(crate) const MIN_PIXELS: u32 = 64;
/// Bytes of all images of a document; what comes later has its place only.
const MAX_BYTES: usize = 256 << 20;

/// The images met so far.
#[derive(Debug, Default)]
pub(crate) struct Gallery {
    images: Vec<Image>,
    known: HashSet<String>,
    bytes: usize,
}

impl Gallery {
    /// Keeps an encoded image of `width` × `height` pixels; one that is here already is the same picture. `None` for
    /// small ones and when there are too many.
    pub(crate) fn add(&mut self, media_type: &str, bytes: Vec<u8>, (width, height): (u32, u32)) -> Option<Picture> {
        if width < MIN_PIXELS || height < MIN_PIXELS {
            return None;
        }
        let sha256 = hex::encode(Sha256::digest(&bytes));
        if !self.known.contains(&sha256) {
            if self.bytes + bytes.len() > MAX_BYTES {
                return None;
            }
            self.bytes += bytes.len();
            self.known.insert(sha256.clone());
            self.images.push(Image {
                sha256: sha256.clone(),
                media_type: media_type.into(),
                bytes,
            });
        }
        Some(Picture { sha256, width, height })
    }

    /// All images that are referred to by one of `items`, in the order they were found.
    pub(crate) fn referred_to(self, items: &[Item]) -> Vec<Image> {
        let used: HashSet<&str> = items
            .iter()
            .filter_map(|item| Some(item.picture.as_ref()?.sha256.as_str()))
            .collect();
        self.images
            .into_iter()
            .filter(|image| used.contains(image.sha256.as_str()))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_image_is_kept_once_and_only_where_an_item_shows_it() {
        let mut gallery = Gallery::default();
        let first = gallery.add("image/png", vec![1], (64, 64)).expect("is kept");
        let again = gallery.add("image/png", vec![1], (64, 64)).expect("is known");
        gallery.add("image/png", vec![2], (64, 64)).expect("is kept");
        assert_eq!(first, again);
        assert_eq!(gallery.add("image/png", vec![3], (63, 200)), None, "an icon");
        let item = Item {
            picture: Some(first.clone()),
            ..Item::default()
        };
        let images = gallery.referred_to(&[item]);
        assert_eq!(images.len(), 1, "the one that furniture showed is left out");
        assert_eq!((&images[0].sha256, &images[0].bytes), (&first.sha256, &vec![1]));
    }
}
