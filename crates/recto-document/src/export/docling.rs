//! A document as Docling's JSON.

use crate::text::marker;
use recto_core::{Document, Image, Item, Label, Page, PageRect, Provenance, TableGrid};
use serde_json::{Value, json};
use std::collections::HashMap;

/// Version of the schema that is written.
const SCHEMA_VERSION: &str = "1.10.0";
/// Dots per inch that are stated for images; Docling asks for a number, and files do not state one.
const IMAGE_DPI: u32 = 72;

/// The file a document was read from.
#[derive(Debug, Clone, Copy)]
pub struct Origin<'o> {
    /// Its name with extension.
    pub file_name: &'o str,
    /// The first eight bytes of the SHA-256 of its bytes, as a number.
    pub binary_hash: u64,
}

/// A `DoclingDocument` that Python's docling-core loads. Boxes are in points from the bottom left of the displayed page,
/// spans in characters. References are counted anew, each kind from 0.
#[must_use]
pub fn docling(document: &Document, name: &str) -> Value {
    written(document, name, None)
}

/// As [`docling`], naming the file it comes from.
#[must_use]
pub fn docling_from(document: &Document, name: &str, origin: Origin<'_>) -> Value {
    written(document, name, Some(origin))
}

fn written(document: &Document, name: &str, origin: Option<Origin<'_>>) -> Value {
    let mut writer = Writer::new(document);
    for (index, item) in document.items.iter().enumerate() {
        writer.item(index, item);
    }
    let page_map: serde_json::Map<String, Value> = document
        .pages
        .iter()
        .map(|page| {
            let size = json!({"width": page.width, "height": page.height});
            (page.number.to_string(), json!({"size": size, "page_no": page.number}))
        })
        .collect();
    let mut json = json!({
        "schema_name": "DoclingDocument",
        "version": SCHEMA_VERSION,
        "name": name,
        "furniture": root("#/furniture", "furniture", Vec::new()),
        "body": root("#/body", "body", writer.body),
        "groups": writer.groups,
        "texts": writer.texts,
        "pictures": writer.pictures,
        "tables": writer.tables,
        "key_value_items": [],
        "form_items": [],
        "pages": page_map,
    });
    if let Some(origin) = origin {
        json["origin"] = json!({
            "mimetype": known_type(&document.info.media_type),
            "binary_hash": origin.binary_hash,
            "filename": origin.file_name,
        });
    }
    json
}

/// Docling refuses media types it does not know.
fn known_type(media_type: &str) -> &str {
    let known = [
        "application/pdf",
        "application/json",
        "application/xml",
        "application/rtf",
        "application/msword",
        "application/epub+zip",
        "message/rfc822",
        "multipart/related",
        "image/png",
        "image/jpeg",
        "image/tiff",
        "image/bmp",
        "text/asciidoc",
        "text/csv",
        "text/html",
        "text/markdown",
        "text/vtt",
    ];
    let office = [
        "application/vnd.openxmlformats",
        "application/vnd.oasis",
        "application/vnd.ms-excel",
        "application/vnd.ms-powerpoint",
    ];
    if known.contains(&media_type) || office.iter().any(|start| media_type.starts_with(start)) {
        media_type
    } else {
        "text/plain"
    }
}

fn root(self_ref: &str, layer: &str, children: Vec<Value>) -> Value {
    json!({
        "self_ref": self_ref, "children": children, "content_layer": layer, "name": "_root_", "label": "unspecified",
    })
}

fn reference(path: &str) -> Value {
    json!({"$ref": path})
}

/// A list that is open: its group, and the last entry, below which a deeper list begins.
struct OpenList {
    group: usize,
    last_entry: Option<String>,
}

struct Writer<'d> {
    pages: HashMap<u32, &'d Page>,
    images: HashMap<&'d str, &'d Image>,
    /// New references by item.
    names: Vec<String>,
    /// Items by their reference.
    by_ref: HashMap<&'d str, usize>,
    /// Captions and footnotes by the item they belong to.
    captions: HashMap<usize, Vec<usize>>,
    notes: HashMap<usize, Vec<usize>>,
    body: Vec<Value>,
    groups: Vec<Value>,
    texts: Vec<Value>,
    tables: Vec<Value>,
    pictures: Vec<Value>,
    lists: Vec<OpenList>,
}

/// Which list of the document an item is in.
fn kind(item: &Item) -> &'static str {
    match item.label {
        Label::Picture => "pictures",
        _ if item.table.is_some() => "tables",
        _ => "texts",
    }
}

impl<'d> Writer<'d> {
    fn new(document: &'d Document) -> Self {
        let mut counts: HashMap<&str, usize> = HashMap::new();
        let names = document
            .items
            .iter()
            .map(|item| {
                let kind = kind(item);
                let count = counts.entry(kind).or_default();
                *count += 1;
                format!("#/{kind}/{}", *count - 1)
            })
            .collect();
        let by_ref: HashMap<&str, usize> = document
            .items
            .iter()
            .enumerate()
            .map(|(index, item)| (item.self_ref.as_str(), index))
            .collect();
        let (mut captions, mut notes): (HashMap<usize, Vec<usize>>, HashMap<usize, Vec<usize>>) = Default::default();
        for (index, item) in document.items.iter().enumerate() {
            let owner = item.parent.as_deref().and_then(|parent| by_ref.get(parent).copied());
            match (owner, item.label) {
                (Some(owner), Label::Caption) => captions.entry(owner).or_default().push(index),
                (Some(owner), Label::Footnote) => notes.entry(owner).or_default().push(index),
                _ => {}
            }
        }
        Self {
            pages: document.pages.iter().map(|page| (page.number, page)).collect(),
            images: document
                .images
                .iter()
                .map(|image| (image.sha256.as_str(), image))
                .collect(),
            names,
            by_ref,
            captions,
            notes,
            body: Vec::new(),
            groups: Vec::new(),
            texts: Vec::new(),
            tables: Vec::new(),
            pictures: Vec::new(),
            lists: Vec::new(),
        }
    }

    fn item(&mut self, index: usize, item: &Item) {
        let furniture = item.label.is_furniture();
        let prov: Vec<Value> = item
            .provenance
            .iter()
            .filter_map(|part| self.provenance(item, part))
            .collect();
        let self_ref = self.names[index].clone();
        let mut node = json!({
            "self_ref": self_ref, "children": [], "content_layer": if furniture { "furniture" } else { "body" },
            "label": item.label.as_str(), "prov": prov,
        });
        let kind = kind(item);
        if kind != "texts" || item.label == Label::Code {
            node["captions"] = self.references(&self.captions, index);
            node["footnotes"] = self.references(&self.notes, index);
            node["references"] = json!([]);
        }
        match kind {
            "tables" => {
                let index_of_contents = item.label == Label::DocumentIndex;
                node["label"] = json!(if index_of_contents { "document_index" } else { "table" });
                node["data"] = item.table.as_ref().map_or(Value::Null, |grid| self.table(grid));
                node["annotations"] = json!([]);
            }
            "pictures" => self.describe_picture(&mut node, item),
            _ => describe_text(&mut node, item),
        }
        let parent = self.parent(&self_ref, item);
        node["parent"] = reference(&parent);
        match kind {
            "tables" => self.tables.push(node),
            "pictures" => self.pictures.push(node),
            _ => self.texts.push(node),
        }
    }

    fn references(&self, of: &HashMap<usize, Vec<usize>>, index: usize) -> Value {
        let parts = of.get(&index).into_iter().flatten();
        parts.map(|part| reference(&self.names[*part])).collect()
    }

    fn describe_picture(&self, node: &mut Value, item: &Item) {
        node["annotations"] = json!([]);
        if !item.text.trim().is_empty() {
            node["meta"] = json!({"description": {"text": item.text, "created_by": "alt_text"}});
        }
        let Some(picture) = &item.picture else {
            return;
        };
        if let Some(image) = self.images.get(picture.sha256.as_str()) {
            let data = docling::base64::encode(&image.bytes);
            node["image"] = json!({
                "mimetype": image.media_type, "dpi": IMAGE_DPI,
                "size": {"width": picture.width, "height": picture.height},
                "uri": format!("data:{};base64,{data}", image.media_type),
            });
        }
    }

    /// Puts an item into the tree; returns the reference of its parent.
    fn parent(&mut self, self_ref: &str, item: &Item) -> String {
        if item.label == Label::ListItem {
            return self.entry(self_ref, item.level.max(1) as usize);
        }
        // What belongs to an entry of a list, or stands in the margin, does not end the list.
        let inside = item.label.is_furniture() || item.label == Label::Footnote && self.owner_is_entry(item);
        if !inside {
            self.lists.clear();
        }
        self.body.push(reference(self_ref));
        "#/body".into()
    }

    fn owner_is_entry(&self, item: &Item) -> bool {
        let owner = item.parent.as_deref().and_then(|parent| self.by_ref.get(parent));
        owner.is_some_and(|owner| {
            let name = &self.names[*owner];
            self.lists.iter().any(|list| list.last_entry.as_ref() == Some(name))
        })
    }

    fn entry(&mut self, self_ref: &str, level: usize) -> String {
        self.lists.truncate(level);
        // A list that begins at a depth has no entries above it to hang on; it is then less deep.
        if self.lists.len() < level {
            let group = self.groups.len();
            let name = format!("#/groups/{group}");
            let above = self.lists.last().and_then(|list| list.last_entry.clone());
            match &above {
                Some(entry) => self.adopt(entry, &name),
                None => self.body.push(reference(&name)),
            }
            self.groups.push(json!({
                "self_ref": name, "parent": reference(above.as_deref().unwrap_or("#/body")), "children": [],
                "content_layer": "body", "name": "list", "label": "list",
            }));
            self.lists.push(OpenList {
                group,
                last_entry: None,
            });
        }
        let Some(list) = self.lists.last_mut() else {
            return "#/body".into();
        };
        list.last_entry = Some(self_ref.to_owned());
        let group = list.group;
        if let Some(children) = self.groups[group]["children"].as_array_mut() {
            children.push(reference(self_ref));
        }
        format!("#/groups/{group}")
    }

    /// Makes `child` a child of the text `parent`, which has been written.
    fn adopt(&mut self, parent: &str, child: &str) {
        let number = parent
            .rsplit('/')
            .next()
            .and_then(|number| number.parse::<usize>().ok());
        let children = number
            .and_then(|number| self.texts.get_mut(number))
            .and_then(|node| node["children"].as_array_mut());
        if let Some(children) = children {
            children.push(reference(child));
        }
    }

    fn provenance(&self, item: &Item, part: &Provenance) -> Option<Value> {
        let characters = |end: u32| item.text.get(..end as usize).map_or(0, |text| text.chars().count());
        Some(json!({
            "page_no": part.at.page,
            "bbox": self.bbox(&part.at)?,
            "charspan": [characters(part.start), characters(part.end)],
        }))
    }

    fn bbox(&self, at: &PageRect) -> Option<Value> {
        let page = self.pages.get(&at.page)?;
        let r = &at.rect;
        Some(json!({
            "l": r.left, "t": page.height - r.top, "r": r.right, "b": page.height - r.bottom,
            "coord_origin": "BOTTOMLEFT",
        }))
    }

    fn table(&self, grid: &TableGrid) -> Value {
        let cells: Vec<Value> = grid
            .cells
            .iter()
            .map(|cell| {
                let mut json = json!({
                    "row_span": cell.row_span, "col_span": cell.column_span,
                    "start_row_offset_idx": cell.row, "end_row_offset_idx": cell.row + cell.row_span,
                    "start_col_offset_idx": cell.column, "end_col_offset_idx": cell.column + cell.column_span,
                    "text": cell.text, "column_header": cell.column_header, "row_header": cell.row_header,
                    "row_section": false,
                });
                if let Some(bbox) = cell.at.as_ref().and_then(|at| self.bbox(at)) {
                    json["bbox"] = bbox;
                }
                json
            })
            .collect();
        json!({"table_cells": cells, "num_rows": grid.rows, "num_cols": grid.columns})
    }
}

fn describe_text(node: &mut Value, item: &Item) {
    node["orig"] = json!(item.text);
    node["text"] = json!(item.text);
    match item.label {
        Label::SectionHeader => node["level"] = json!(item.level.max(1)),
        Label::ListItem => entry(node, &item.text),
        Label::Code => node["code_language"] = json!("unknown"),
        // Docling has no text item of these kinds.
        Label::Table | Label::DocumentIndex => node["label"] = json!("text"),
        _ => {}
    }
}

fn entry(node: &mut Value, text: &str) {
    let numbered = marker::numbered(text);
    let found = numbered.or_else(|| marker::bullet(text));
    node["enumerated"] = json!(numbered.is_some());
    node["marker"] = json!(found.unwrap_or("-"));
    if let Some(found) = found {
        node["text"] = json!(text[found.len()..].trim_start());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use recto_core::{Picture, Rect, TableCell};

    fn item(position: u32, label: Label, level: u32, text: &str, parent: Option<&str>) -> Item {
        Item {
            position,
            self_ref: format!("i{position}"),
            label,
            level,
            text: text.into(),
            parent: parent.map(str::to_owned),
            ..Item::default()
        }
    }

    #[test]
    fn nested_lists_hang_on_the_entry_above() {
        let items = vec![
            item(0, Label::ListItem, 1, "one", None),
            item(1, Label::ListItem, 2, "inner", None),
            item(2, Label::ListItem, 1, "1. two", None),
            item(3, Label::Text, 0, "end", None),
        ];
        let json = docling(
            &Document {
                items,
                ..Document::default()
            },
            "x",
        );
        assert_eq!(json["texts"][0]["children"][0]["$ref"], "#/groups/1");
        assert_eq!(json["groups"][1]["parent"]["$ref"], "#/texts/0");
        assert_eq!(json["texts"][1]["parent"]["$ref"], "#/groups/1");
        assert_eq!(
            json["groups"][0]["children"],
            json!([{"$ref": "#/texts/0"}, {"$ref": "#/texts/2"}])
        );
        assert_eq!(
            (&json["texts"][2]["marker"], &json["texts"][2]["text"]),
            (&json!("1."), &json!("two"))
        );
        assert_eq!(
            json["body"]["children"],
            json!([{"$ref": "#/groups/0"}, {"$ref": "#/texts/3"}])
        );
    }

    #[test]
    fn pictures_carry_their_image_and_captions_their_owner() {
        let mut picture = item(1, Label::Picture, 0, "a chart", None);
        picture.picture = Some(Picture {
            sha256: "abc".into(),
            width: 80,
            height: 70,
        });
        let document = Document {
            items: vec![item(0, Label::Caption, 0, "Figure 1", Some("i1")), picture],
            images: vec![Image {
                sha256: "abc".into(),
                media_type: "image/png".into(),
                bytes: b"xyz".to_vec(),
            }],
            ..Document::default()
        };
        let origin = Origin {
            file_name: "a.bin",
            binary_hash: 7,
        };
        let json = docling_from(&document, "x", origin);
        let written = &json["pictures"][0];
        assert_eq!(written["image"]["uri"], "data:image/png;base64,eHl6");
        assert_eq!(written["captions"], json!([{"$ref": "#/texts/0"}]));
        assert_eq!(written["meta"]["description"]["text"], "a chart");
        assert_eq!(json["origin"]["mimetype"], "text/plain");
    }

    #[test]
    fn cells_have_boxes_from_the_bottom() {
        let cell = TableCell {
            row: 0,
            column: 0,
            row_span: 1,
            column_span: 2,
            column_header: true,
            row_header: false,
            text: "a".into(),
            at: Some(PageRect {
                page: 1,
                rect: Rect::new(1.0, 10.0, 5.0, 20.0),
            }),
        };
        let mut table = item(0, Label::Table, 0, "| a |", None);
        table.table = Some(TableGrid {
            rows: 1,
            columns: 2,
            cells: vec![cell],
        });
        let document = Document {
            items: vec![table],
            pages: vec![Page {
                number: 1,
                width: 50.0,
                height: 100.0,
                ..Page::default()
            }],
            ..Document::default()
        };
        let json = docling(&document, "x");
        let cell = &json["tables"][0]["data"]["table_cells"][0];
        assert_eq!(
            (cell["bbox"]["t"].as_f64(), cell["bbox"]["b"].as_f64()),
            (Some(90.0), Some(80.0))
        );
        assert_eq!(cell["end_col_offset_idx"], 2);
    }
}
