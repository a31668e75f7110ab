//! Packages that would not fit once unpacked, noticed before a parser reads them.

use crate::error::{Error, Result};
use recto_worker::ParseLimits;
use std::io::{self, Cursor, Read};

/// Unpacked bytes that do no harm at whatever ratio: a page of blanks packs very small.
const HARMLESS_BYTES: u64 = 1 << 20;
/// Files in a package at most. A workbook of a thousand sheets has a few thousand.
const MAX_ENTRIES: usize = 100_000;

/// Refuses a package that is over the limits. Other files pass.
///
/// The sizes that a package states are checked first; as they need not be true, its files are then unpacked into
/// nothing, and counting stops at the limit.
pub(super) fn check(bytes: &[u8], limits: &ParseLimits) -> Result<()> {
    if !bytes.starts_with(b"PK") {
        return Ok(());
    }
    let Ok(mut archive) = zip::ZipArchive::new(Cursor::new(bytes)) else {
        // The backend will find it damaged.
        return Ok(());
    };
    if archive.len() > MAX_ENTRIES {
        return Err(Error::TooLarge {
            what: format!("it holds {} files, the limit is {MAX_ENTRIES}", archive.len()),
        });
    }
    let packed = bytes.len() as u64;
    let by_ratio = packed
        .saturating_mul(u64::from(limits.max_expansion))
        .max(HARMLESS_BYTES);
    let allowed = by_ratio.min(limits.max_unpacked_bytes);
    let refuse = |unpacked: u64| {
        Err(Error::TooLarge {
            what: match by_ratio <= limits.max_unpacked_bytes {
                true => format!(
                    "it unpacks to more than {} times its {packed} bytes ({unpacked} bytes or more), the limit is {}",
                    limits.max_expansion, limits.max_expansion
                ),
                false => format!(
                    "it unpacks to {unpacked} bytes or more, the limit is {}",
                    limits.max_unpacked_bytes
                ),
            },
        })
    };
    let mut stated = 0u64;
    for index in 0..archive.len() {
        if let Ok(entry) = archive.by_index_raw(index) {
            stated = stated.saturating_add(entry.size());
        }
    }
    if stated > allowed {
        return refuse(stated);
    }
    let mut unpacked = 0u64;
    for index in 0..archive.len() {
        // A file that cannot be unpacked takes no space either.
        let Ok(entry) = archive.by_index(index) else {
            continue;
        };
        let left = allowed - unpacked;
        unpacked += io::copy(&mut entry.take(left + 1), &mut io::sink()).unwrap_or(0);
        if unpacked > allowed {
            return refuse(unpacked);
        }
    }
    Ok(())
}
