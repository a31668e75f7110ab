//! The tags of a TIFF structure, which is also what EXIF data is: where the pages of a file are, and how fine.

use std::collections::HashSet;

/// Pages of one TIFF file.
const MAX_PAGES: usize = 20_000;
/// Tag of the dots per unit across, and of the unit.
const X_RESOLUTION: u16 = 282;
const RESOLUTION_UNIT: u16 = 296;
/// Kinds of a page that is a smaller copy of another, and the tag that says so.
const SUBFILE: u16 = 254;
const REDUCED: u32 = 1;

/// Bytes laid out like a TIFF file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tags<'b> {
    bytes: &'b [u8],
    big_endian: bool,
}

impl<'b> Tags<'b> {
    /// `None` when the bytes do not begin like it. The 64-bit variant is not among them.
    pub(super) fn of(bytes: &'b [u8]) -> Option<Self> {
        let big_endian = match bytes.get(..4)? {
            b"II*\0" => false,
            b"MM\0*" => true,
            _ => return None,
        };
        Some(Self { bytes, big_endian })
    }

    fn short(&self, at: usize) -> Option<u16> {
        let bytes = self.bytes.get(at..at.checked_add(2)?)?.try_into().ok()?;
        Some(if self.big_endian {
            u16::from_be_bytes(bytes)
        } else {
            u16::from_le_bytes(bytes)
        })
    }

    fn long(&self, at: usize) -> Option<u32> {
        let bytes = self.bytes.get(at..at.checked_add(4)?)?.try_into().ok()?;
        Some(if self.big_endian {
            u32::from_be_bytes(bytes)
        } else {
            u32::from_le_bytes(bytes)
        })
    }

    /// Where the directory of each page begins. Small copies of pages are left out.
    pub(super) fn pages(&self) -> Vec<u32> {
        let mut out = Vec::new();
        let mut seen = HashSet::new();
        let mut next = self.long(4).unwrap_or_default();
        // The chain of a damaged file may run in circles.
        while next != 0 && seen.insert(next) && out.len() < MAX_PAGES {
            let Some(count) = self.short(next as usize) else { break };
            let reduced = self
                .value(next, SUBFILE)
                .and_then(|at| self.long(at))
                .is_some_and(|kind| kind & REDUCED != 0);
            if !reduced {
                out.push(next);
            }
            next = self
                .long(next as usize + 2 + 12 * usize::from(count))
                .unwrap_or_default();
        }
        out
    }

    /// Where the value field of a tag lies.
    fn value(&self, directory: u32, tag: u16) -> Option<usize> {
        let start = directory as usize;
        let count = usize::from(self.short(start)?);
        (0..count)
            .map(|index| start + 2 + 12 * index)
            .find(|at| self.short(*at) == Some(tag))
            .map(|at| at + 8)
    }

    /// Dots per inch of the page whose directory begins here.
    pub(super) fn dots(&self, directory: u32) -> Option<f32> {
        let at = self.long(self.value(directory, X_RESOLUTION)?)? as usize;
        let (above, below) = (self.long(at)?, self.long(at.checked_add(4)?)?);
        let unit = self.value(directory, RESOLUTION_UNIT).and_then(|at| self.short(at));
        let per_inch = match unit {
            Some(3) => 2.54,
            Some(1) => return None,
            _ => 1.0,
        };
        Some(above as f32 / below as f32 * per_inch)
    }

    /// The first eight bytes of the file as they would be if the page with this directory were its first.
    pub(super) fn header(&self, directory: u32) -> [u8; 8] {
        let mut out = [0; 8];
        out[..4].copy_from_slice(&self.bytes[..4]);
        out[4..].copy_from_slice(&if self.big_endian {
            directory.to_be_bytes()
        } else {
            directory.to_le_bytes()
        });
        out
    }
}
