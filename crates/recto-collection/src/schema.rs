//! The tables and their columns. Blobs are `LargeBinary`: 32-bit offsets overflow at 2 GB per fragment.

use arrow_schema::{DataType, Field, Schema, SchemaRef};
use std::sync::Arc;

/// The schema this version writes.
pub(crate) const VERSION: u32 = 3;

pub(crate) const DOCUMENTS: &str = "documents";
pub(crate) const PAGES: &str = "pages";
pub(crate) const ITEMS: &str = "items";
pub(crate) const CHUNKS: &str = "chunks";
pub(crate) const VECTORS: &str = "vectors";
pub(crate) const SETTINGS: &str = "settings";

fn schema(fields: &[(&str, DataType)]) -> SchemaRef {
    let fields: Vec<Field> = fields
        .iter()
        .map(|(name, data_type)| Field::new(*name, data_type.clone(), false))
        .collect();
    Arc::new(Schema::new(fields))
}

/// One row per document; what changes after the ingest is only here.
pub(crate) fn documents() -> SchemaRef {
    use DataType::{Int64, UInt32, Utf8};
    schema(&[
        ("id", Utf8),
        ("revision", Utf8),
        ("pending", Utf8),
        ("superseded", Utf8),
        ("embedded", Utf8),
        ("deleted_at_ms", Int64),
        ("title", Utf8),
        ("title_edited", DataType::Boolean),
        ("uri", Utf8),
        ("locations", Utf8),
        ("sha256", Utf8),
        ("media_type", Utf8),
        ("page_count", UInt32),
        ("recognised_pages", UInt32),
        ("word_totals", Utf8),
        ("page_labels", Utf8),
        ("gaps", Utf8),
        ("bookmarks", Utf8),
        ("tags", Utf8),
        ("metadata", Utf8),
        ("card", Utf8),
        ("text_bytes", Int64),
        ("created_at", Utf8),
        ("updated_at", Utf8),
    ])
}

pub(crate) fn pages() -> SchemaRef {
    use DataType::{Float32, LargeBinary, UInt16, UInt32, Utf8};
    schema(&[
        ("document_id", Utf8),
        ("revision", Utf8),
        ("number", UInt32),
        ("label", Utf8),
        ("width", Float32),
        ("height", Float32),
        ("rotation", UInt16),
        ("source", Utf8),
        ("text", Utf8),
        ("text_fts", Utf8),
        ("words", LargeBinary),
        ("links", Utf8),
    ])
}

pub(crate) fn items() -> SchemaRef {
    use DataType::{LargeBinary, LargeUtf8, UInt32, Utf8};
    schema(&[
        ("document_id", Utf8),
        ("revision", Utf8),
        ("position", UInt32),
        ("self_ref", Utf8),
        ("label", Utf8),
        ("level", UInt32),
        ("text", LargeUtf8),
        ("parent", Utf8),
        ("continues", Utf8),
        ("picture", Utf8),
        ("locator", Utf8),
        ("table", LargeUtf8),
        ("layout", LargeBinary),
    ])
}

pub(crate) fn chunks() -> SchemaRef {
    use DataType::{UInt32, Utf8};
    schema(&[
        ("id", Utf8),
        ("document_id", Utf8),
        ("revision", Utf8),
        ("ordinal", UInt32),
        ("content", Utf8),
        ("prefix", Utf8),
        ("content_fts", Utf8),
        ("heading_fts", Utf8),
        ("metadata", Utf8),
    ])
}

pub(crate) fn vectors(dimension: u32) -> SchemaRef {
    use DataType::Utf8;
    schema(&[
        ("chunk_id", Utf8),
        ("document_id", Utf8),
        ("revision", Utf8),
        ("vector", vector_type(dimension)),
    ])
}

pub(crate) fn vector_type(dimension: u32) -> DataType {
    DataType::FixedSizeList(vector_item(), i32::try_from(dimension).unwrap_or(i32::MAX))
}

pub(crate) fn vector_item() -> Arc<Field> {
    Arc::new(Field::new("item", DataType::Float32, true))
}

pub(crate) fn settings() -> SchemaRef {
    schema(&[("id", DataType::Utf8), ("settings", DataType::Utf8)])
}
