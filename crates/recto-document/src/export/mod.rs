//! A document in other shapes.

mod docling;
mod markdown;
mod tables;
mod words;

pub use docling::{Origin, docling, docling_from};
pub use markdown::markdown;
pub use tables::{table_html, table_markdown};
pub use words::words;

use recto_core::Document;

/// The plain text: pages separated by a form feed; items by blank lines where there are no pages.
#[must_use]
pub fn text(document: &Document) -> String {
    if document.pages.is_empty() {
        let items: Vec<&str> = document.items.iter().map(|item| item.text.as_str()).collect();
        return items.join("\n\n") + "\n";
    }
    let pages: Vec<&str> = document.pages.iter().map(|page| page.text.as_str()).collect();
    pages.join("\n\u{c}") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use recto_core::{DocumentInfo, Item, Label, Page, PageRect, Provenance, Rect, Word};

    pub(super) fn sample() -> Document {
        let item = |position: u32, label, level, text: &str, top: f32| Item {
            position,
            self_ref: format!("#/texts/{position}"),
            label,
            level,
            text: text.into(),
            provenance: vec![Provenance {
                at: PageRect {
                    page: 1,
                    rect: Rect::new(50.0, top, 150.0, top + 12.0),
                },
                start: 0,
                end: text.len() as u32,
            }],
            words: Vec::new(),
            ..Item::default()
        };
        Document {
            info: DocumentInfo {
                title: Some("Report".into()),
                media_type: "application/pdf".into(),
                page_count: 1,
                ..DocumentInfo::default()
            },
            pages: vec![Page {
                number: 1,
                width: 200.0,
                height: 300.0,
                text: "Résumé".into(),
                words: vec![Word {
                    start: 0,
                    end: 8,
                    rect: Rect::new(50.0, 40.0, 90.0, 52.0),
                    line: 0,
                    font_size: 10.0,
                    bold: false,
                    italic: false,
                    confidence: None,
                }],
                ..Page::default()
            }],
            items: vec![
                item(0, Label::PageHeader, 0, "running head", 10.0),
                item(1, Label::SectionHeader, 1, "Résumé", 40.0),
                item(2, Label::ListItem, 1, "• first", 60.0),
                item(3, Label::ListItem, 1, "second", 80.0),
                item(4, Label::Text, 0, "a 1\nb 2", 100.0),
            ],
            ..Document::default()
        }
    }

    #[test]
    fn docling_boxes_are_measured_from_the_bottom_and_spans_in_characters() {
        let json = docling(&sample(), "report");
        let heading = &json["texts"][1];
        assert_eq!(heading["label"], "section_header");
        assert_eq!(heading["level"], 1);
        assert_eq!(heading["prov"][0]["charspan"], serde_json::json!([0, 6]));
        let bbox = &heading["prov"][0]["bbox"];
        assert_eq!((bbox["t"].as_f64(), bbox["b"].as_f64()), (Some(260.0), Some(248.0)));
        assert_eq!(bbox["coord_origin"], "BOTTOMLEFT");
        assert_eq!(json["texts"][0]["content_layer"], "furniture");
        assert_eq!(json["texts"][2]["parent"]["$ref"], "#/groups/0");
        assert_eq!(json["groups"][0]["children"].as_array().map(Vec::len), Some(2));
        assert_eq!(json["body"]["children"][2]["$ref"], "#/groups/0");
    }

    #[test]
    fn markdown_leaves_furniture_out_and_keeps_rows_apart() {
        assert_eq!(markdown(&sample()), "## Résumé\n\n- first\n- second\n\na 1  \nb 2\n");
    }

    #[test]
    fn words_are_listed_by_page_with_boxes_from_the_top() {
        let json = words(&sample());
        assert_eq!(json["pages"][0]["page_no"], 1);
        assert_eq!(json["pages"][0]["words"][0]["text"], "Résumé");
        assert_eq!(
            json["pages"][0]["words"][0]["bbox"],
            serde_json::json!({"l": 50.0, "t": 40.0, "r": 90.0, "b": 52.0})
        );
    }
}
