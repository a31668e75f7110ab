//! The file's own tags: which marked content it calls headings.

use super::{PdfPage, utf16};
use pdfium_render::prelude::*;
use std::collections::HashMap;
use std::ffi::c_int;

/// Elements looked at on one page; trees of damaged files run in circles.
const MAX_ELEMENTS: usize = 20_000;
/// Elements within elements.
const MAX_DEPTH: usize = 64;

impl PdfPage<'_> {
    /// The level of each piece of marked content that is tagged as a heading, 1 = top.
    pub(crate) fn tagged_headings(&self) -> HashMap<u32, u32> {
        let api = self.pdf.api();
        let mut out = HashMap::new();
        // SAFETY (all calls below): the page is open; elements live as long as the tree, which is closed at the end.
        unsafe {
            if api.FPDFCatalog_IsTagged(self.pdf.handle) == 0 {
                return out;
            }
            let tree = api.FPDF_StructTree_GetForPage(self.handle);
            if tree.is_null() {
                return out;
            }
            let mut open: Vec<(FPDF_STRUCTELEMENT, Option<u32>, usize)> = Vec::new();
            for index in 0..api.FPDF_StructTree_CountChildren(tree).max(0) {
                open.push((api.FPDF_StructTree_GetChildAtIndex(tree, index), None, 0));
            }
            let mut seen = 0;
            while let Some((element, outer, depth)) = open.pop() {
                seen += 1;
                if element.is_null() || depth > MAX_DEPTH || seen > MAX_ELEMENTS {
                    continue;
                }
                let kind = utf16(|buffer, length| api.FPDF_StructElement_GetType(element, buffer, length));
                let level = heading_level(&kind).or(outer);
                let mut mark = |id: c_int| {
                    if let (Ok(id), Some(level)) = (u32::try_from(id), level) {
                        out.insert(id, level);
                    }
                };
                for index in 0..api.FPDF_StructElement_GetMarkedContentIdCount(element).max(0) {
                    mark(api.FPDF_StructElement_GetMarkedContentIdAtIndex(element, index));
                }
                for index in 0..api.FPDF_StructElement_CountChildren(element).max(0) {
                    mark(api.FPDF_StructElement_GetChildMarkedContentID(element, index));
                    let child = api.FPDF_StructElement_GetChildAtIndex(element, index);
                    open.push((child, level, depth + 1));
                }
            }
            api.FPDF_StructTree_Close(tree);
        }
        out
    }
}

/// The level of a heading's tag: `H2`, and what word processors call it before mapping it, "Heading 2".
fn heading_level(kind: &str) -> Option<u32> {
    let kind = kind.to_lowercase();
    let rest = kind.strip_prefix("heading").or_else(|| kind.strip_prefix('h'))?;
    let level = rest.trim_start_matches([' ', '_', '-']).parse().ok()?;
    (1..=9).contains(&level).then_some(level)
}

#[cfg(test)]
mod tests {
    use super::heading_level;

    #[test]
    fn tags_of_headings_are_known_by_either_name() {
        assert_eq!(heading_level("H2"), Some(2));
        assert_eq!(heading_level("Heading 3"), Some(3));
        assert_eq!(heading_level("H"), None);
        assert_eq!(heading_level("P"), None);
        assert_eq!(heading_level("Header 1"), None);
    }
}
