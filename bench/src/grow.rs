//! A collection made larger by copies of its own documents, for measuring at sizes that real documents here do not have.
//!
//! A copy is a document of its own with its own ids. So that copies are not equal to one another, which no real library
//! is and which would make every ranking one of ties, each leaves out some of the terms and moves the vectors a little.

use anyhow::{Context, Result};
use arrow_array::builder::{FixedSizeListBuilder, Float32Builder};
use arrow_array::cast::AsArray;
use arrow_array::types::Float32Type;
use arrow_array::{Array, ArrayRef, RecordBatch, RecordBatchIterator, StringArray};
use futures::TryStreamExt;
use lancedb::Table;
use lancedb::query::ExecutableQuery;
use std::path::Path;
use std::sync::Arc;

const TABLES: [&str; 5] = ["documents", "pages", "items", "chunks", "vectors"];
/// How far a vector moves, as a share of its length.
const NOISE: f32 = 0.15;

/// Adds copies of all documents to the collection in `database` (its `db.lance`, closed) until it has about `chunks`
/// chunks. Returns how many it has.
pub(crate) async fn grow(database: &Path, chunks: usize) -> Result<usize> {
    let connection = lancedb::connect(&database.to_string_lossy()).execute().await?;
    let mut tables: Vec<(&str, Table, Vec<RecordBatch>)> = Vec::new();
    for name in TABLES {
        let table = connection.open_table(name).execute().await?;
        let rows = table.query().execute().await?.try_collect().await?;
        tables.push((name, table, rows));
    }
    let present: usize = tables
        .iter()
        .filter(|(name, ..)| *name == "chunks")
        .flat_map(|(_, _, rows)| rows.iter().map(RecordBatch::num_rows))
        .sum();
    let copies = chunks.div_ceil(present.max(1)).saturating_sub(1);
    for copy in 1..=u32::try_from(copies)? {
        for (name, table, rows) in &tables {
            let copied: Vec<RecordBatch> = rows.iter().map(|batch| copied(batch, copy)).collect::<Result<_>>()?;
            let schema = copied.first().with_context(|| format!("{name} is empty"))?.schema();
            let reader = RecordBatchIterator::new(copied.into_iter().map(Ok), schema);
            table
                .add(Box::new(reader) as Box<dyn arrow_array::RecordBatchReader + Send>)
                .execute()
                .await?;
        }
    }
    Ok(present * (copies + 1))
}

fn copied(batch: &RecordBatch, copy: u32) -> Result<RecordBatch> {
    let schema = batch.schema();
    let columns: Vec<ArrayRef> = schema
        .fields()
        .iter()
        .zip(batch.columns())
        .map(|(field, column)| match field.name().as_str() {
            // Of a document the id, of a chunk another kind of id: both keep their form.
            "id" | "document_id" | "chunk_id" | "revision" | "embedded" => texts(column, |text| renamed(text, copy)),
            "content_fts" | "text_fts" => texts(column, |text| thinned(text, copy)),
            "vector" => moved(column, copy),
            _ => Arc::clone(column),
        })
        .collect();
    Ok(RecordBatch::try_new(schema, columns)?)
}

fn texts(column: &ArrayRef, change: impl Fn(&str) -> String) -> ArrayRef {
    let changed: StringArray = column.as_string::<i32>().iter().map(|text| text.map(&change)).collect();
    Arc::new(changed)
}

/// Another id of the same form: ids begin with eight hexadecimal digits.
fn renamed(id: &str, copy: u32) -> String {
    match id.get(8..) {
        Some(rest) => format!("{copy:08x}{rest}"),
        None => id.to_owned(),
    }
}

/// The terms without each fifteenth, seventeenth … of them.
fn thinned(terms: &str, copy: u32) -> String {
    let period = 15 + copy as usize;
    let kept = (1_usize..)
        .zip(terms.split(' '))
        .filter(|(at, _)| !at.is_multiple_of(period));
    kept.map(|(_, term)| term).collect::<Vec<_>>().join(" ")
}

fn moved(column: &ArrayRef, copy: u32) -> ArrayRef {
    let vectors = column.as_fixed_size_list();
    let dimension = vectors.value_length();
    let field = match vectors.data_type() {
        arrow_schema::DataType::FixedSizeList(field, _) => Arc::clone(field),
        _ => unreachable!("a list of fixed size has such a type"),
    };
    let mut builder = FixedSizeListBuilder::new(Float32Builder::new(), dimension).with_field(field);
    let mut state = u64::from(copy).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mut noise = || {
        // Marsaglia's xorshift: the same numbers in every run.
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        #[expect(clippy::cast_precision_loss, reason = "twenty-four bits")]
        let unit = (state >> 40) as f32 / 16_777_216.0;
        unit - 0.5
    };
    let scale = NOISE * 12.0_f32.sqrt() / f32::from(u16::try_from(dimension).unwrap_or(u16::MAX)).sqrt();
    for row in 0..vectors.len() {
        let values = vectors.value(row);
        let vector: Vec<f32> = values
            .as_primitive::<Float32Type>()
            .values()
            .iter()
            .map(|value| value + scale * noise())
            .collect();
        let length = vector
            .iter()
            .map(|value| value * value)
            .sum::<f32>()
            .sqrt()
            .max(f32::MIN_POSITIVE);
        for value in vector {
            builder.values().append_value(value / length);
        }
        builder.append(true);
    }
    Arc::new(builder.finish())
}
