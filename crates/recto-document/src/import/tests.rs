use super::*;
use recto_core::{Label, Locator};
use serde_json::json;

fn source(json: &serde_json::Value) -> Source {
    serde_json::from_value(json.clone()).expect("is a document")
}

fn import(json: &serde_json::Value) -> Result<Imported> {
    let source = source(json);
    check(&source)?;
    document(&source, layout_of(&source), &Hints::default(), &ParseLimits::default())
}

fn text(number: u32, label: &str, text: &str, more: &serde_json::Value) -> serde_json::Value {
    let mut node = json!({
        "self_ref": format!("#/texts/{number}"), "parent": {"$ref": "#/body"}, "children": [],
        "content_layer": "body", "label": label, "prov": [], "orig": text, "text": text,
    });
    for (key, value) in more.as_object().into_iter().flatten() {
        node[key] = value.clone();
    }
    node
}

fn minimal(texts: &[serde_json::Value], children: &[&str]) -> serde_json::Value {
    let children: Vec<serde_json::Value> = children.iter().map(|child| json!({"$ref": child})).collect();
    json!({
        "schema_name": "DoclingDocument", "version": "1.10.0", "name": "x",
        "body": {"self_ref": "#/body", "children": children, "content_layer": "body", "name": "_root_", "label": "unspecified"},
        "texts": texts, "groups": [], "tables": [], "pictures": [], "pages": {},
    })
}

#[test]
fn boxes_of_either_origin_lie_in_the_displayed_frame() {
    let bottom = json!({"prov": [{"page_no": 1, "charspan": [0, 10], "bbox":
        {"l": 50, "t": 700, "r": 150, "b": 688, "coord_origin": "BOTTOMLEFT"}}]});
    let top = json!({"prov": [{"page_no": 1, "charspan": [0, 5], "bbox":
        {"l": 50, "t": 92, "r": 150, "b": 104, "coord_origin": "TOPLEFT"}}]});
    let mut json = minimal(
        &[text(0, "text", "Net income", &bottom), text(1, "text", "rose.", &top)],
        &["#/texts/0", "#/texts/1"],
    );
    json["pages"] = json!({"1": {"size": {"width": 612.0, "height": 792.0}, "page_no": 1}});
    let imported = import(&json).expect("imports");
    let rect = |item: usize| imported.items[item].provenance[0].at.rect;
    assert_eq!((rect(0).top, rect(0).bottom), (92.0, 104.0));
    assert_eq!(rect(0), rect(1));
    assert_eq!(imported.pages[0].text, "Net income\n\nrose.");
    let words: Vec<&str> = imported.items[0]
        .words
        .iter()
        .map(|span| &imported.items[0].text[span.start as usize..span.end as usize])
        .collect();
    assert_eq!(words, ["Net", "income"]);
    assert_eq!(imported.items[0].words[1].word, 1);
}

#[test]
fn cells_have_their_boxes_and_repeated_grids_are_skipped() {
    let cell = |row: u32, column: u32, text: &str| {
        json!({
            "row_span": 1, "col_span": 1, "start_row_offset_idx": row, "end_row_offset_idx": row + 1,
            "start_col_offset_idx": column, "end_col_offset_idx": column + 1, "text": text, "column_header": row == 0,
            "bbox": {"l": 10.0 * f64::from(column), "t": 10, "r": 10.0 * f64::from(column) + 9.0, "b": 20,
                "coord_origin": "TOPLEFT"},
        })
    };
    let mut json = minimal(&[], &["#/tables/0"]);
    json["pages"] = json!({"1": {"size": {"width": 100, "height": 100}, "page_no": 1}});
    json["tables"] = json!([{
        "self_ref": "#/tables/0", "parent": {"$ref": "#/body"}, "children": [], "label": "table",
        "prov": [{"page_no": 1, "charspan": [0, 0], "bbox": {"l": 0, "t": 10, "r": 50, "b": 20, "coord_origin": "TOPLEFT"}}],
        "captions": [], "data": {"table_cells": [cell(0, 0, "a"), cell(0, 1, "b")], "num_rows": 1, "num_cols": 2,
            "grid": [[cell(0, 0, "a"), cell(0, 1, "b")]]},
    }]);
    let imported = import(&json).expect("imports");
    let grid = imported.items[0].table.as_ref().expect("is a table");
    assert_eq!((grid.rows, grid.columns, grid.cells.len()), (1, 2, 2));
    assert_eq!(grid.cells[1].at.map(|at| at.rect.left), Some(10.0));
    assert_eq!(imported.items[0].text, "| a | b |\n|---|---|");
}

#[test]
fn nested_entries_know_their_depth_parent_and_number() {
    let entry = json!({"enumerated": true, "marker": "1."});
    let mut json = minimal(
        &[
            text(0, "list_item", "outer", &entry),
            text(1, "list_item", "inner", &json!({})),
        ],
        &["#/groups/0"],
    );
    json["texts"][0]["children"] = json!([{"$ref": "#/groups/1"}]);
    let group = |number: u32, child: &str| json!({"self_ref": format!("#/groups/{number}"), "children": [{"$ref": child}], "name": "list", "label": "list"});
    json["groups"] = json!([group(0, "#/texts/0"), group(1, "#/texts/1")]);
    let items = import(&json).expect("imports").items;
    let shape: Vec<(&str, u32, Option<&str>)> = items
        .iter()
        .map(|item| (item.text.as_str(), item.level, item.parent.as_deref()))
        .collect();
    assert_eq!(shape, [("1. outer", 1, None), ("inner", 2, Some("#/texts/0"))]);
}

#[test]
fn captions_follow_their_picture_and_images_are_kept_once() {
    let mut png = Vec::new();
    image::DynamicImage::new_rgb8(80, 70)
        .write_to(&mut std::io::Cursor::new(&mut png), image::ImageFormat::Png)
        .expect("writes");
    let uri = format!("data:image/png;base64,{}", docling::base64::encode(&png));
    let picture = |number: u32| {
        json!({
            "self_ref": format!("#/pictures/{number}"), "children": [], "label": "picture", "prov": [],
            "captions": [{"$ref": format!("#/texts/{number}")}],
            "image": {"mimetype": "image/png", "dpi": 72, "size": {"width": 80, "height": 70}, "uri": uri},
        })
    };
    let mut json = minimal(
        &[
            text(0, "caption", "Figure 1", &json!({})),
            text(1, "caption", "Figure 2", &json!({})),
        ],
        &["#/texts/0", "#/pictures/0", "#/pictures/1"],
    );
    json["pictures"] = json!([picture(0), picture(1)]);
    let imported = import(&json).expect("imports");
    let shape: Vec<(Label, Option<&str>)> = imported
        .items
        .iter()
        .map(|item| (item.label, item.parent.as_deref()))
        .collect();
    assert_eq!(
        shape,
        [
            (Label::Caption, Some("#/pictures/0")),
            (Label::Picture, None),
            (Label::Picture, None),
            (Label::Caption, Some("#/pictures/1")),
        ]
    );
    assert_eq!(imported.images.len(), 1);
    assert_eq!(imported.images[0].bytes, png);
    assert_eq!(imported.items[1].picture, imported.items[2].picture);
}

#[test]
fn a_sheet_heads_its_tables_and_boxes_become_ranges() {
    let mut json = minimal(&[], &["#/groups/0"]);
    json["origin"] = json!({"mimetype": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"});
    json["groups"] = json!([{"self_ref": "#/groups/0", "children": [{"$ref": "#/tables/0"}], "name": "Costs",
        "label": "sheet", "content_layer": "invisible"}]);
    let cell = |row: u32| json!({"start_row_offset_idx": row, "start_col_offset_idx": 0, "text": "x"});
    json["tables"] = json!([{"self_ref": "#/tables/0", "children": [], "label": "table",
        "prov": [{"page_no": 1, "charspan": [0, 0], "bbox": {"l": 1, "t": 2, "r": 2, "b": 4, "coord_origin": "TOPLEFT"}}],
        "data": {"table_cells": [cell(0), cell(1)]}}]);
    let items = import(&json).expect("imports").items;
    let place = Some(Locator::Sheet {
        name: "Costs".into(),
        range: "B3:B4".into(),
    });
    assert_eq!(
        (items[0].text.as_str(), &items[0].locator),
        ("Costs (hidden sheet)", &place)
    );
    assert_eq!((items[1].label, &items[1].locator), (Label::Table, &place));
    assert!(items[1].provenance.is_empty());
}

#[test]
fn furniture_is_labelled_in_either_layout() {
    let mut json = minimal(
        &[
            text(0, "text", "Confidential", &json!({"content_layer": "furniture"})),
            text(1, "page_footer", "12", &json!({"content_layer": "furniture"})),
            text(2, "text", "Body", &json!({})),
        ],
        &["#/texts/0", "#/texts/2"],
    );
    json["furniture"] = json!({"self_ref": "#/furniture", "children": [{"$ref": "#/texts/1"}]});
    let labels: Vec<Label> = import(&json)
        .expect("imports")
        .items
        .iter()
        .map(|item| item.label)
        .collect();
    assert_eq!(labels, [Label::PageHeader, Label::Text, Label::PageFooter]);
}

#[test]
fn what_is_malformed_is_damaged_and_says_why() {
    let damage = |json: &serde_json::Value| match import(json) {
        Err(Error::Damaged { what }) => what,
        other => panic!("BUG: {other:?}"),
    };
    let base = minimal(&[text(0, "text", "a", &json!({}))], &["#/texts/0"]);
    let mut without_name = base.clone();
    without_name["schema_name"] = json!("Other");
    assert!(damage(&without_name).contains("DoclingDocument"));
    let mut dangling = base.clone();
    dangling["body"]["children"] = json!([{"$ref": "#/texts/7"}]);
    assert!(damage(&dangling).contains("not there"));
    let mut circle = base.clone();
    circle["texts"][0]["children"] = json!([{"$ref": "#/texts/0"}]);
    assert!(damage(&circle).contains("circle"));
    let mut newer = base.clone();
    newer["version"] = json!("2.0.0");
    assert!(damage(&newer).contains("version"));
    let mut pages = base;
    pages["pages"] = json!({"1": {"size": {"width": 0, "height": 10}}});
    assert!(damage(&pages).contains("no size"));
}

#[test]
fn a_table_that_states_more_places_than_can_be_written_is_too_large() {
    let mut json = minimal(&[], &["#/tables/0"]);
    let cell = json!({"start_row_offset_idx": 4_000_000_000u32, "start_col_offset_idx": 4_000_000_000u32, "text": "x"});
    json["tables"] = json!([{"self_ref": "#/tables/0", "children": [], "label": "table", "prov": [],
        "data": {"table_cells": [cell.clone(), cell]}}]);
    assert!(matches!(import(&json), Err(Error::TooLarge { .. })));
}
