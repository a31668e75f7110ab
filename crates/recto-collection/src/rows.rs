//! Rows of the content tables: pages, items, chunks and vectors.

use crate::columns::{bytes, f32s, json, long_text, optional, text, to_json, u16s, u32s};
use crate::ingest::{ChunkVector, NewRevision};
use crate::{Error, schema};
use arrow_array::types::Float32Type;
use arrow_array::{
    ArrayRef, FixedSizeListArray, Float32Array, LargeBinaryArray, LargeStringArray, PrimitiveArray, RecordBatch,
    StringArray, UInt16Array, UInt32Array,
};
use arrow_schema::SchemaRef;
use recto_core::{Chunk, ChunkId, Item, Label, Page, Provenance, StoredChunk, TextSource, WordSpan};
use std::sync::Arc;

fn batch(operation: &'static str, schema: SchemaRef, columns: Vec<ArrayRef>) -> Result<RecordBatch, Error> {
    RecordBatch::try_new(schema, columns).map_err(|source| Error::Rows { operation, source })
}

/// Arrow wants to know the number of values before it takes the first.
fn texts<S: AsRef<str>>(values: impl Iterator<Item = S>) -> ArrayRef {
    Arc::new(StringArray::from_iter_values(values.collect::<Vec<S>>()))
}

fn fallible_texts(values: impl Iterator<Item = Result<String, Error>>) -> Result<ArrayRef, Error> {
    Ok(texts(values.collect::<Result<Vec<_>, _>>()?.into_iter()))
}

fn numbers(values: impl Iterator<Item = u32>) -> ArrayRef {
    Arc::new(UInt32Array::from_iter_values(values))
}

/// Packs a value the way the worker sends it, a few bytes per word.
fn packed<T: serde::Serialize>(values: impl Iterator<Item = T>, column: &'static str) -> Result<ArrayRef, Error> {
    let values: Vec<Vec<u8>> = values
        .map(|value| postcard::to_stdvec(&value).map_err(|_| Error::Stored { column }))
        .collect::<Result<_, _>>()?;
    Ok(Arc::new(LargeBinaryArray::from_iter_values(values)))
}

pub(crate) fn encode_pages(revisions: &[NewRevision]) -> Result<RecordBatch, Error> {
    let all = || {
        revisions
            .iter()
            .flat_map(|new| new.pages.iter().map(move |page| (new, page)))
    };
    batch(
        "write pages",
        schema::pages(),
        vec![
            texts(all().map(|(new, _)| new.document.to_string())),
            texts(all().map(|(new, _)| new.revision.as_str())),
            numbers(all().map(|(_, record)| record.page.number)),
            fallible_texts(all().map(|(_, record)| to_json(&record.page.label, "label")))?,
            Arc::new(Float32Array::from_iter_values(
                all().map(|(_, record)| record.page.width),
            )),
            Arc::new(Float32Array::from_iter_values(
                all().map(|(_, record)| record.page.height),
            )),
            Arc::new(UInt16Array::from_iter_values(
                all().map(|(_, record)| record.page.rotation),
            )),
            fallible_texts(all().map(|(_, record)| to_json(&record.page.source, "source")))?,
            texts(all().map(|(_, record)| record.page.text.as_str())),
            texts(all().map(|(_, record)| record.terms.as_str())),
            packed(all().map(|(_, record)| &record.page.words), "words")?,
            fallible_texts(all().map(|(_, record)| to_json(&record.page.links, "links")))?,
        ],
    )
}

pub(crate) fn decode_pages(batch: &RecordBatch) -> Result<Vec<Page>, Error> {
    let (contents, words, links) = (text(batch, "text")?, bytes(batch, "words")?, text(batch, "links")?);
    let mut pages = decode_page_sizes(batch)?;
    for (index, page) in pages.iter_mut().enumerate() {
        contents.value(index).clone_into(&mut page.text);
        page.words = postcard::from_bytes(words.value(index)).map_err(|_| Error::Stored { column: "words" })?;
        page.links = json(links.value(index), "links")?;
    }
    Ok(pages)
}

/// Pages without text, words and links.
pub(crate) fn decode_page_sizes(batch: &RecordBatch) -> Result<Vec<Page>, Error> {
    let (numbers, labels, sources) = (u32s(batch, "number")?, text(batch, "label")?, text(batch, "source")?);
    let (widths, heights, rotations) = (f32s(batch, "width")?, f32s(batch, "height")?, u16s(batch, "rotation")?);
    (0..batch.num_rows())
        .map(|index| {
            Ok(Page {
                number: numbers.value(index),
                label: optional(labels.value(index), "label")?,
                width: widths.value(index),
                height: heights.value(index),
                rotation: rotations.value(index),
                source: json::<TextSource>(sources.value(index), "source")?,
                ..Page::default()
            })
        })
        .collect()
}

pub(crate) fn encode_items(revisions: &[NewRevision]) -> Result<RecordBatch, Error> {
    let all = || {
        revisions
            .iter()
            .flat_map(|new| new.items.iter().map(move |item| (new, item)))
    };
    let tables: Vec<String> = all()
        .map(|(_, item)| to_json(&item.table, "table"))
        .collect::<Result<_, _>>()?;
    batch(
        "write items",
        schema::items(),
        vec![
            texts(all().map(|(new, _)| new.document.to_string())),
            texts(all().map(|(new, _)| new.revision.as_str())),
            numbers(all().map(|(_, item)| item.position)),
            texts(all().map(|(_, item)| item.self_ref.as_str())),
            texts(all().map(|(_, item)| item.label.as_str())),
            numbers(all().map(|(_, item)| item.level)),
            Arc::new(LargeStringArray::from(
                all().map(|(_, item)| item.text.as_str()).collect::<Vec<&str>>(),
            )),
            fallible_texts(all().map(|(_, item)| to_json(&item.parent, "parent")))?,
            fallible_texts(all().map(|(_, item)| to_json(&item.continues, "continues")))?,
            fallible_texts(all().map(|(_, item)| to_json(&item.picture, "picture")))?,
            fallible_texts(all().map(|(_, item)| to_json(&item.locator, "locator")))?,
            Arc::new(LargeStringArray::from_iter_values(tables)),
            packed(all().map(|(_, item)| (&item.provenance, &item.words)), "layout")?,
        ],
    )
}

pub(crate) fn decode_items(batch: &RecordBatch) -> Result<Vec<Item>, Error> {
    let (positions, levels) = (u32s(batch, "position")?, u32s(batch, "level")?);
    let (refs, labels, parents) = (text(batch, "self_ref")?, text(batch, "label")?, text(batch, "parent")?);
    let (continues, pictures) = (text(batch, "continues")?, text(batch, "picture")?);
    let locators = text(batch, "locator")?;
    let (contents, tables) = (long_text(batch, "text")?, long_text(batch, "table")?);
    let layouts = bytes(batch, "layout")?;
    (0..batch.num_rows())
        .map(|index| {
            let (provenance, words): (Vec<Provenance>, Vec<WordSpan>) =
                postcard::from_bytes(layouts.value(index)).map_err(|_| Error::Stored { column: "layout" })?;
            Ok(Item {
                position: positions.value(index),
                self_ref: refs.value(index).to_owned(),
                label: label(labels.value(index))?,
                level: levels.value(index),
                text: contents.value(index).to_owned(),
                provenance,
                words,
                table: json(tables.value(index), "table")?,
                parent: optional(parents.value(index), "parent")?,
                continues: optional(continues.value(index), "continues")?,
                picture: json(pictures.value(index), "picture")?,
                locator: json(locators.value(index), "locator")?,
            })
        })
        .collect()
}

fn label(name: &str) -> Result<Label, Error> {
    serde_json::from_value(serde_json::Value::String(name.to_owned())).map_err(|_| Error::Stored { column: "label" })
}

pub(crate) fn encode_chunks(revisions: &[NewRevision]) -> Result<RecordBatch, Error> {
    let all = || {
        revisions
            .iter()
            .flat_map(|new| new.chunks.iter().map(move |chunk| (new, chunk)))
    };
    batch(
        "write chunks",
        schema::chunks(),
        vec![
            texts(all().map(|(_, chunk)| chunk.id.0.as_str())),
            texts(all().map(|(new, _)| new.document.to_string())),
            texts(all().map(|(new, _)| new.revision.as_str())),
            numbers(all().map(|(_, chunk)| chunk.order)),
            texts(all().map(|(_, chunk)| chunk.content.as_str())),
            texts(all().map(|(_, chunk)| chunk.prefix.as_str())),
            texts(all().map(|(_, chunk)| chunk.content_terms.as_str())),
            texts(all().map(|(_, chunk)| chunk.heading_terms.as_str())),
            fallible_texts(all().map(|(_, chunk)| to_json(&chunk.metadata, "metadata")))?,
        ],
    )
}

/// The columns [`decode_stored_chunks`] needs.
pub(crate) const STORED_CHUNK: [&str; 6] = ["id", "document_id", "revision", "ordinal", "content", "metadata"];

pub(crate) fn decode_stored_chunks(batch: &RecordBatch) -> Result<Vec<StoredChunk>, Error> {
    let (ids, documents, revisions) = (
        text(batch, "id")?,
        text(batch, "document_id")?,
        text(batch, "revision")?,
    );
    let (orders, contents, metadata) = (
        u32s(batch, "ordinal")?,
        text(batch, "content")?,
        text(batch, "metadata")?,
    );
    (0..batch.num_rows())
        .map(|index| {
            Ok(StoredChunk {
                id: ChunkId(ids.value(index).to_owned()),
                document_id: documents
                    .value(index)
                    .parse()
                    .map_err(|_| Error::Stored { column: "document_id" })?,
                revision: revisions.value(index).to_owned(),
                order: orders.value(index),
                content: contents.value(index).to_owned(),
                metadata: json(metadata.value(index), "metadata")?,
            })
        })
        .collect()
}

/// Whole chunks, terms included.
pub(crate) fn decode_chunks(batch: &RecordBatch) -> Result<Vec<Chunk>, Error> {
    let (prefixes, contents) = (text(batch, "prefix")?, text(batch, "content_fts")?);
    let headings = text(batch, "heading_fts")?;
    let stored = decode_stored_chunks(batch)?;
    Ok(stored
        .into_iter()
        .enumerate()
        .map(|(index, chunk)| Chunk {
            id: chunk.id,
            document_id: chunk.document_id,
            order: chunk.order,
            content: chunk.content,
            prefix: prefixes.value(index).to_owned(),
            content_terms: contents.value(index).to_owned(),
            heading_terms: headings.value(index).to_owned(),
            metadata: chunk.metadata,
        })
        .collect())
}

pub(crate) fn encode_vectors(vectors: &[&ChunkVector], dimension: u32) -> Result<RecordBatch, Error> {
    let values =
        PrimitiveArray::<Float32Type>::from_iter_values(vectors.iter().flat_map(|row| row.vector.iter().copied()));
    let list = FixedSizeListArray::try_new(
        schema::vector_item(),
        i32::try_from(dimension).unwrap_or(i32::MAX),
        Arc::new(values),
        None,
    )
    .map_err(|source| Error::Rows {
        operation: "write vectors",
        source,
    })?;
    batch(
        "write vectors",
        schema::vectors(dimension),
        vec![
            texts(vectors.iter().map(|row| row.chunk.0.as_str())),
            texts(vectors.iter().map(|row| row.document.to_string())),
            texts(vectors.iter().map(|row| row.revision.as_str())),
            Arc::new(list),
        ],
    )
}
