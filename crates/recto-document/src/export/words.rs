//! The words of each page with their boxes.

use recto_core::Document;
use serde_json::{Value, json};

/// `{"pages":[{"page_no","width","height","words":[{"text","bbox":{"l","t","r","b"}}]}]}`; points, origin top left.
#[must_use]
pub fn words(document: &Document) -> Value {
    let pages: Vec<Value> = document
        .pages
        .iter()
        .map(|page| {
            let words: Vec<Value> = page
                .words
                .iter()
                .map(|word| {
                    let text = page
                        .text
                        .get(word.start as usize..word.end as usize)
                        .unwrap_or_default();
                    let r = &word.rect;
                    json!({"text": text, "bbox": {"l": r.left, "t": r.top, "r": r.right, "b": r.bottom}})
                })
                .collect();
            json!({"page_no": page.number, "width": page.width, "height": page.height, "words": words})
        })
        .collect();
    json!({"pages": pages})
}
