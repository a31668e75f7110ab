//! A second chance for files that lost their end: a trailer made from the objects that are left.
//!
//! PDFium rebuilds the table of objects of a damaged file but gives up without a trailer, which is what an interrupted
//! download looks like. This finds the catalog, or makes one over the page tree, or a page tree over the pages, and
//! appends it; PDFium's own rebuilding does the rest. Objects packed in streams are not looked into.

use regex::bytes::Regex;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::OnceLock;

/// Larger files are not copied for a repair.
const MAX_BYTES: usize = 512 << 20;
/// Bytes of an object looked at for its type; dictionaries of pages are small.
const MAX_HEAD: usize = 16 << 10;
/// Pages a made page tree has at most.
const MAX_PAGES: usize = 20_000;

/// The file with a new trailer; `None` when too little of it is left.
pub(super) fn with_trailer(bytes: &[u8]) -> Option<Vec<u8>> {
    // Without the trailer the key of an encrypted file is lost, and its text would be noise.
    if bytes.len() > MAX_BYTES || memchr::memmem::find(bytes, b"/Standard").is_some() {
        return None;
    }
    let found = Found::scan(bytes);
    let mut free = found.largest.checked_add(1)?;
    let mut end = String::from("\n");
    let catalog = match (found.catalog, found.tree) {
        (Some(catalog), _) => catalog,
        (None, tree) => {
            let tree = match tree {
                Some(tree) => tree,
                None => made_tree(&found.pages, &mut free, &mut end)?,
            };
            let catalog = free;
            free = free.checked_add(1)?;
            // Writing to a string cannot fail.
            let _ = write!(end, "{catalog} 0 obj\n<< /Type /Catalog /Pages {tree} 0 R >>\nendobj\n");
            catalog
        }
    };
    let _ = write!(
        end,
        "trailer\n<< /Size {free} /Root {catalog} 0 R >>\nstartxref\n0\n%%EOF\n"
    );
    let mut out = Vec::with_capacity(bytes.len() + end.len());
    out.extend_from_slice(bytes);
    out.extend_from_slice(end.as_bytes());
    Some(out)
}

fn made_tree(pages: &[u32], free: &mut u32, end: &mut String) -> Option<u32> {
    if pages.is_empty() {
        return None;
    }
    let tree = *free;
    *free = free.checked_add(1)?;
    let kids = pages.iter().fold(String::new(), |mut kids, page| {
        let _ = write!(kids, "{page} 0 R ");
        kids
    });
    let count = pages.len();
    let _ = write!(
        end,
        "{tree} 0 obj\n<< /Type /Pages /Count {count} /Kids [{kids}] >>\nendobj\n"
    );
    Some(tree)
}

/// What is left, by object number.
#[derive(Debug, Default)]
struct Found {
    catalog: Option<u32>,
    /// The page tree's root: the one that has no parent.
    tree: Option<u32>,
    /// In the order of the file.
    pages: Vec<u32>,
    largest: u32,
}

impl Found {
    fn scan(bytes: &[u8]) -> Self {
        let mut out = Self::default();
        // Of objects written twice the later one counts.
        let mut pages: BTreeMap<u32, usize> = BTreeMap::new();
        for begun in object().captures_iter(bytes) {
            let (Some(whole), Some(number)) = (begun.get(0), begun.get(1).and_then(|digits| number(digits.as_bytes())))
            else {
                continue;
            };
            out.largest = out.largest.max(number);
            let rest = &bytes[whole.end()..bytes.len().min(whole.end() + MAX_HEAD)];
            // A dictionary that was cut off is no object any more.
            let Some(close) = memchr::memmem::find(rest, b"endobj").or_else(|| memchr::memmem::find(rest, b"stream"))
            else {
                continue;
            };
            match kind()
                .captures(&rest[..close])
                .and_then(|kind| kind.get(1))
                .map(|kind| kind.as_bytes())
            {
                Some(b"Catalog") => out.catalog = Some(number),
                Some(b"Pages") if memchr::memmem::find(&rest[..close], b"/Parent").is_none() => out.tree = Some(number),
                Some(b"Page") if pages.len() < MAX_PAGES => {
                    pages.insert(number, whole.start());
                }
                _ => {}
            }
        }
        let mut in_order: Vec<(usize, u32)> = pages.into_iter().map(|(number, at)| (at, number)).collect();
        in_order.sort_unstable();
        out.pages = in_order.into_iter().map(|(_, number)| number).collect();
        out
    }
}

fn number(digits: &[u8]) -> Option<u32> {
    std::str::from_utf8(digits).ok()?.parse().ok()
}

/// "12 0 obj".
fn object() -> &'static Regex {
    static OBJECT: OnceLock<Regex> = OnceLock::new();
    OBJECT.get_or_init(|| Regex::new(r"(?-u)\b(\d{1,8})\s{1,4}0\s{1,4}obj\b").expect("BUG: a valid expression"))
}

/// "/Type /Page", whatever else stands before it.
fn kind() -> &'static Regex {
    static KIND: OnceLock<Regex> = OnceLock::new();
    KIND.get_or_init(|| Regex::new(r"(?-u)/Type\s{0,4}/(Catalog|Pages|Page)\b").expect("BUG: a valid expression"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn end_of(bytes: &[u8]) -> String {
        let repaired = with_trailer(bytes).expect("something is left");
        assert!(repaired.starts_with(bytes));
        String::from_utf8_lossy(&repaired[bytes.len()..]).into_owned()
    }

    #[test]
    fn a_catalog_that_is_left_becomes_the_root() {
        let end = end_of(b"1 0 obj\n<< /Pages 2 0 R /Type/Catalog >>\nendobj\n7 0 obj\n<< >>\nendobj\n");
        assert!(end.contains("/Size 8 /Root 1 0 R"), "{end}");
    }

    #[test]
    fn a_page_tree_or_mere_pages_get_a_catalog() {
        let tree =
            end_of(b"4 0 obj << /Type /Pages /Parent 3 0 R >> endobj 3 0 obj << /Type /Pages /Kids [4 0 R] >> endobj");
        assert!(tree.contains("/Pages 3 0 R") && tree.contains("/Root 5 0 R"), "{tree}");
        let pages =
            end_of(b"9 0 obj << /Type /Page >> endobj 4 0 obj << /Type /Page >> endobj 5 0 obj << /Type /Page /Cut");
        assert!(pages.contains("/Count 2 /Kids [9 0 R 4 0 R ]"), "{pages}");
    }

    #[test]
    fn nothing_is_made_of_nothing_nor_of_an_encrypted_file() {
        assert_eq!(with_trailer(b"no objects here"), None);
        let encrypted = b"1 0 obj << /Type /Catalog >> endobj 2 0 obj << /Filter /Standard >> endobj";
        assert_eq!(with_trailer(encrypted), None);
    }
}
