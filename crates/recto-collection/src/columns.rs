//! Reading columns of record batches.

use crate::Error;
use arrow_array::types::{Float32Type, Int64Type, UInt16Type, UInt32Type};
use arrow_array::{Array, BooleanArray, LargeBinaryArray, LargeStringArray, PrimitiveArray, RecordBatch, StringArray};
use serde::de::DeserializeOwned;

fn column<'a, A: Array + 'static>(batch: &'a RecordBatch, name: &'static str) -> Result<&'a A, Error> {
    batch
        .column_by_name(name)
        .and_then(|column| column.as_any().downcast_ref())
        .ok_or(Error::Stored { column: name })
}

pub(crate) fn text<'a>(batch: &'a RecordBatch, name: &'static str) -> Result<&'a StringArray, Error> {
    column(batch, name)
}

pub(crate) fn long_text<'a>(batch: &'a RecordBatch, name: &'static str) -> Result<&'a LargeStringArray, Error> {
    column(batch, name)
}

pub(crate) fn bytes<'a>(batch: &'a RecordBatch, name: &'static str) -> Result<&'a LargeBinaryArray, Error> {
    column(batch, name)
}

pub(crate) fn flags<'a>(batch: &'a RecordBatch, name: &'static str) -> Result<&'a BooleanArray, Error> {
    column(batch, name)
}

pub(crate) fn u32s<'a>(batch: &'a RecordBatch, name: &'static str) -> Result<&'a PrimitiveArray<UInt32Type>, Error> {
    column(batch, name)
}

pub(crate) fn u16s<'a>(batch: &'a RecordBatch, name: &'static str) -> Result<&'a PrimitiveArray<UInt16Type>, Error> {
    column(batch, name)
}

pub(crate) fn i64s<'a>(batch: &'a RecordBatch, name: &'static str) -> Result<&'a PrimitiveArray<Int64Type>, Error> {
    column(batch, name)
}

pub(crate) fn f32s<'a>(batch: &'a RecordBatch, name: &'static str) -> Result<&'a PrimitiveArray<Float32Type>, Error> {
    column(batch, name)
}

/// Parses a value that was stored as JSON.
pub(crate) fn json<T: DeserializeOwned>(value: &str, name: &'static str) -> Result<T, Error> {
    serde_json::from_str(value).map_err(|_| Error::Stored { column: name })
}

/// The stored form of a value.
pub(crate) fn to_json<T: serde::Serialize>(value: &T, name: &'static str) -> Result<String, Error> {
    serde_json::to_string(value).map_err(|_| Error::Stored { column: name })
}

/// An optional text is stored as JSON, so that "none" and "empty" stay apart without nulls in a filter.
pub(crate) fn optional(value: &str, name: &'static str) -> Result<Option<String>, Error> {
    json(value, name)
}
