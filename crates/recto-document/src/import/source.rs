//! Docling's JSON in memory.
//!
//! A sheet of a hundred thousand rows is a gigabyte as a tree of JSON values, and Docling writes every cell twice. So
//! cells are read into their own small form, and the grid that repeats them is skipped.

use recto_core::TableCell;
use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::fmt;

/// A document: everything but cells as JSON.
#[derive(Debug, Default)]
pub(crate) struct Source {
    /// The document. Where a table had `data`, it has none here.
    pub(super) json: Value,
    /// The cells of tables by their `self_ref`.
    pub(super) cells: HashMap<String, Vec<Cell>>,
}

/// A cell, with the box it may have.
#[derive(Debug, Clone)]
pub(super) struct Cell {
    pub(super) cell: TableCell,
    pub(super) bbox: Option<BBox>,
}

/// A box as Docling writes it.
#[derive(Debug, Clone, Copy, Deserialize)]
pub(super) struct BBox {
    pub(super) l: f64,
    pub(super) t: f64,
    pub(super) r: f64,
    pub(super) b: f64,
    #[serde(default)]
    pub(super) coord_origin: Origin,
}

/// Where a box is measured from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
pub(super) enum Origin {
    #[default]
    #[serde(rename = "BOTTOMLEFT")]
    BottomLeft,
    #[serde(rename = "TOPLEFT")]
    TopLeft,
}

#[derive(Deserialize)]
struct WrittenCell {
    #[serde(default)]
    bbox: Option<BBox>,
    #[serde(default)]
    row_span: u32,
    #[serde(default)]
    col_span: u32,
    start_row_offset_idx: u32,
    #[serde(default)]
    end_row_offset_idx: u32,
    start_col_offset_idx: u32,
    #[serde(default)]
    end_col_offset_idx: u32,
    #[serde(default)]
    text: String,
    #[serde(default)]
    column_header: bool,
    #[serde(default)]
    row_header: bool,
}

impl From<WrittenCell> for Cell {
    fn from(written: WrittenCell) -> Self {
        let (row, column) = (written.start_row_offset_idx, written.start_col_offset_idx);
        Self {
            cell: TableCell {
                row,
                column,
                row_span: written
                    .row_span
                    .max(written.end_row_offset_idx.saturating_sub(row))
                    .max(1),
                column_span: written
                    .col_span
                    .max(written.end_col_offset_idx.saturating_sub(column))
                    .max(1),
                column_header: written.column_header,
                row_header: written.row_header,
                text: written.text,
                at: None,
            },
            bbox: written.bbox,
        }
    }
}

impl<'de> Deserialize<'de> for Source {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(DocumentVisitor)
    }
}

struct DocumentVisitor;

impl<'de> Visitor<'de> for DocumentVisitor {
    type Value = Source;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a document")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Source, A::Error> {
        let mut json = Map::new();
        let mut cells = HashMap::new();
        while let Some(key) = map.next_key::<String>()? {
            let value = if key == "tables" {
                map.next_value_seed(Tables { cells: &mut cells })?
            } else {
                map.next_value()?
            };
            json.insert(key, value);
        }
        Ok(Source {
            json: Value::Object(json),
            cells,
        })
    }
}

/// The list of tables.
struct Tables<'c> {
    cells: &'c mut HashMap<String, Vec<Cell>>,
}

impl<'de> DeserializeSeed<'de> for Tables<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Tables<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of tables")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let mut tables = Vec::new();
        while let Some(table) = list.next_element_seed(Table { cells: self.cells })? {
            tables.push(table);
        }
        Ok(Value::Array(tables))
    }
}

struct Table<'c> {
    cells: &'c mut HashMap<String, Vec<Cell>>,
}

impl<'de> DeserializeSeed<'de> for Table<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Table<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a table")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut json = Map::new();
        let mut data = Vec::new();
        while let Some(key) = map.next_key::<String>()? {
            if key == "data" {
                data = map.next_value_seed(Data)?;
            } else {
                json.insert(key, map.next_value()?);
            }
        }
        if let Some(self_ref) = json.get("self_ref").and_then(Value::as_str) {
            self.cells.insert(self_ref.to_owned(), data);
        }
        Ok(Value::Object(json))
    }
}

struct Data;

impl<'de> DeserializeSeed<'de> for Data {
    type Value = Vec<Cell>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Vec<Cell>, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Data {
    type Value = Vec<Cell>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the cells of a table")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Vec<Cell>, A::Error> {
        let mut cells: Vec<WrittenCell> = Vec::new();
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "table_cells" => cells = map.next_value()?,
                // Some writers give the laid-out grid alone, in which a spanning cell stands at each place it covers.
                "grid" if cells.is_empty() => {
                    let rows: Vec<Vec<WrittenCell>> = map.next_value()?;
                    cells = rows.into_iter().flatten().collect();
                }
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        let mut cells: Vec<Cell> = cells.into_iter().map(Cell::from).collect();
        cells.sort_by_key(|cell| (cell.cell.row, cell.cell.column));
        cells.dedup_by_key(|cell| (cell.cell.row, cell.cell.column));
        Ok(cells)
    }
}

/// Cells of a grid that lies elsewhere than in the list of tables, such as the data of a chart.
pub(super) fn cells_of(data: &Value) -> Vec<TableCell> {
    let mut cells: Vec<TableCell> = data["table_cells"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|cell| WrittenCell::deserialize(cell).ok())
        .map(|cell| Cell::from(cell).cell)
        .collect();
    cells.sort_by_key(|cell| (cell.row, cell.column));
    cells
}
