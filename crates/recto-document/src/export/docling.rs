//! A document as Docling's JSON.

use crate::text::marker;
use recto_core::{Document, Item, Label, Page, Provenance, TableGrid};
use serde_json::{Value, json};
use std::collections::HashMap;

/// Version of the schema that is written.
const SCHEMA_VERSION: &str = "1.10.0";

/// A `DoclingDocument` that Python's docling-core loads. Boxes are in points from the bottom left of the displayed page,
/// spans in characters. References are counted anew, each kind from 0.
#[must_use]
pub fn docling(document: &Document, name: &str) -> Value {
    let pages: HashMap<u32, &Page> = document.pages.iter().map(|page| (page.number, page)).collect();
    let mut writer = Writer::default();
    for item in &document.items {
        writer.item(item, &pages);
    }
    let page_map: serde_json::Map<String, Value> = document
        .pages
        .iter()
        .map(|page| {
            let size = json!({"width": page.width, "height": page.height});
            (page.number.to_string(), json!({"size": size, "page_no": page.number}))
        })
        .collect();
    json!({
        "schema_name": "DoclingDocument",
        "version": SCHEMA_VERSION,
        "name": name,
        "furniture": root("#/furniture", "furniture", Vec::new()),
        "body": root("#/body", "body", writer.body),
        "groups": writer.groups,
        "texts": writer.texts,
        "pictures": [],
        "tables": writer.tables,
        "key_value_items": [],
        "form_items": [],
        "pages": page_map,
    })
}

fn root(self_ref: &str, layer: &str, children: Vec<Value>) -> Value {
    json!({
        "self_ref": self_ref, "children": children, "content_layer": layer, "name": "_root_", "label": "unspecified",
    })
}

fn reference(path: &str) -> Value {
    json!({"$ref": path})
}

#[derive(Default)]
struct Writer {
    body: Vec<Value>,
    groups: Vec<Value>,
    texts: Vec<Value>,
    tables: Vec<Value>,
    in_list: bool,
}

impl Writer {
    fn item(&mut self, item: &Item, pages: &HashMap<u32, &Page>) {
        let furniture = item.label.is_furniture();
        let is_entry = item.label == Label::ListItem;
        if !furniture {
            if is_entry && !self.in_list {
                let group = format!("#/groups/{}", self.groups.len());
                self.groups.push(json!({
                    "self_ref": group, "parent": reference("#/body"), "children": [], "content_layer": "body",
                    "name": "list", "label": "list",
                }));
                self.body.push(reference(&group));
            }
            self.in_list = is_entry;
        }
        let prov: Vec<Value> = item
            .provenance
            .iter()
            .filter_map(|part| Some(provenance(item, part, pages.get(&part.at.page)?)))
            .collect();
        let layer = if furniture { "furniture" } else { "body" };
        let mut node = json!({
            "children": [], "content_layer": layer, "label": item.label.as_str(), "prov": prov,
        });
        let self_ref = match &item.table {
            Some(grid) => {
                node["captions"] = json!([]);
                node["references"] = json!([]);
                node["footnotes"] = json!([]);
                node["data"] = table(grid);
                format!("#/tables/{}", self.tables.len())
            }
            None => {
                node["orig"] = json!(item.text);
                node["text"] = json!(item.text);
                format!("#/texts/{}", self.texts.len())
            }
        };
        node["self_ref"] = json!(self_ref);
        match item.label {
            Label::SectionHeader => node["level"] = json!(item.level.max(1)),
            Label::ListItem => entry(&mut node, &item.text),
            Label::Code => {
                node["captions"] = json!([]);
                node["references"] = json!([]);
                node["footnotes"] = json!([]);
                node["code_language"] = json!("unknown");
            }
            // Docling has no text item of these kinds.
            Label::Table | Label::Picture | Label::DocumentIndex if item.table.is_none() => {
                node["label"] = json!("text");
            }
            _ => {}
        }
        let parent = match self.groups.len() {
            groups if is_entry && groups > 0 => format!("#/groups/{}", groups - 1),
            _ => "#/body".into(),
        };
        node["parent"] = reference(&parent);
        if is_entry {
            if let Some(children) = self
                .groups
                .last_mut()
                .and_then(|group| group["children"].as_array_mut())
            {
                children.push(reference(&self_ref));
            }
        } else {
            self.body.push(reference(&self_ref));
        }
        if item.table.is_some() {
            self.tables.push(node);
        } else {
            self.texts.push(node);
        }
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

fn provenance(item: &Item, part: &Provenance, page: &Page) -> Value {
    let r = &part.at.rect;
    let characters = |end: u32| item.text.get(..end as usize).map_or(0, |text| text.chars().count());
    json!({
        "page_no": part.at.page,
        "bbox": {
            "l": r.left, "t": page.height - r.top, "r": r.right, "b": page.height - r.bottom,
            "coord_origin": "BOTTOMLEFT",
        },
        "charspan": [characters(part.start), characters(part.end)],
    })
}

fn table(grid: &TableGrid) -> Value {
    let cells: Vec<Value> = grid
        .cells
        .iter()
        .map(|cell| {
            json!({
                "row_span": cell.row_span, "col_span": cell.column_span,
                "start_row_offset_idx": cell.row, "end_row_offset_idx": cell.row + cell.row_span,
                "start_col_offset_idx": cell.column, "end_col_offset_idx": cell.column + cell.column_span,
                "text": cell.text, "column_header": cell.column_header, "row_header": cell.row_header,
                "row_section": false,
            })
        })
        .collect();
    json!({"table_cells": cells, "num_rows": grid.rows, "num_cols": grid.columns})
}
