//! The collection's public behaviour over real LanceDB databases in temporary folders.
#![allow(clippy::unwrap_used)]

mod committing;
mod deleting;
mod identity;
mod latency;
mod opening;
mod searching;

use recto_collection::{ChunkVector, Collection, Facts, NewRevision, OpenMode, PageRecord, SharedSession};
use recto_core::{
    Chunk, ChunkId, ChunkMetadata, CollectionName, DocumentId, EmbedderInfo, Item, Label, Link, LinkTarget, Page,
    PageRect, Provenance, Rect, TextQuery, TextSource, Word, WordSpan,
};
use std::path::Path;
use uuid::Uuid;

const NOW: &str = "2026-01-02T03:04:05Z";
const NOW_MS: i64 = 1_767_323_045_000;

fn name() -> CollectionName {
    CollectionName("reports".to_owned())
}

fn embedder() -> EmbedderInfo {
    EmbedderInfo {
        provider: "local".to_owned(),
        name: "tiny".to_owned(),
        dimension: 4,
    }
}

async fn create(folder: &Path) -> Collection {
    let session = SharedSession::default();
    Collection::create(folder, name(), &embedder(), &session)
        .await
        .expect("created")
}

async fn open(folder: &Path, mode: OpenMode) -> Collection {
    let session = SharedSession::default();
    Collection::open(folder, name(), mode, &session).await.expect("opened")
}

async fn reopen(collection: Collection) -> Collection {
    let folder = collection.folder().to_owned();
    drop(collection);
    open(&folder, OpenMode::ReadWrite).await
}

fn id(number: u128) -> DocumentId {
    DocumentId(Uuid::from_u128(number))
}

/// A document of which every paragraph is one page, one item and one chunk; all vectors are equal.
fn document(number: u128, revision: &str, paragraphs: &[&str]) -> NewRevision {
    let places = || (0_u32..).zip(paragraphs);
    NewRevision {
        document: id(number),
        revision: revision.to_owned(),
        facts: Facts {
            title: format!("Document {number}"),
            uri: format!("/reports/{number}.pdf"),
            sha256: hash(&format!("{number} {revision}")),
            media_type: "application/pdf".to_owned(),
            page_count: u32::try_from(paragraphs.len()).unwrap(),
            ..Facts::default()
        },
        pages: places().map(|(index, text)| page(index + 1, text)).collect(),
        items: places().map(|(index, text)| item(index, text)).collect(),
        chunks: places()
            .map(|(index, text)| chunk(number, revision, index, text))
            .collect(),
    }
}

/// Sixty-four hexadecimal digits that differ for different names; nothing here checks that they are a hash.
fn hash(name: &str) -> String {
    let mut digits: String = name.bytes().map(|byte| format!("{byte:02x}")).collect();
    digits.truncate(64);
    format!("{digits:0<64}")
}

fn page(number: u32, text: &str) -> PageRecord {
    PageRecord {
        page: Page {
            number,
            label: Some(format!("F-{number}")),
            width: 612.0,
            height: 792.5,
            rotation: 90,
            text: text.to_owned(),
            words: vec![Word {
                start: 0,
                end: u32::try_from(text.len()).unwrap(),
                rect: Rect::new(72.1, 70.3, 300.7, 82.9),
                line: 0,
                font_size: 9.96,
                bold: true,
                italic: false,
                confidence: None,
            }],
            source: TextSource::Digital,
            links: vec![Link {
                rect: Rect::new(72.0, 70.0, 100.0, 82.0),
                target: LinkTarget::Page(2),
            }],
        },
        terms: text.to_lowercase(),
    }
}

fn item(position: u32, text: &str) -> Item {
    let end = u32::try_from(text.len()).unwrap();
    Item {
        position,
        self_ref: format!("#/texts/{position}"),
        label: Label::Text,
        level: 0,
        text: text.to_owned(),
        provenance: vec![Provenance {
            at: PageRect {
                page: position + 1,
                rect: Rect::new(72.1, 70.3, 300.7, 82.9),
            },
            start: 0,
            end,
        }],
        words: vec![WordSpan {
            start: 0,
            end,
            page: position + 1,
            word: 0,
        }],
        ..Item::default()
    }
}

fn chunk(number: u128, revision: &str, order: u32, text: &str) -> Chunk {
    Chunk {
        id: ChunkId(format!("{number:04}-{revision}-{order:04}")),
        document_id: id(number),
        order,
        content: text.to_owned(),
        prefix: "Annual report".to_owned(),
        content_terms: text.to_lowercase(),
        heading_terms: "annual report".to_owned(),
        metadata: ChunkMetadata {
            doc_item_refs: vec![format!("#/texts/{order}")],
            page_numbers: vec![order + 1],
            ..ChunkMetadata::default()
        },
    }
}

fn vectors(new: &NewRevision, vector: [f32; 4]) -> Vec<ChunkVector> {
    new.chunks
        .iter()
        .map(|chunk| ChunkVector {
            chunk: chunk.id.clone(),
            document: new.document,
            revision: new.revision.clone(),
            vector: vector.to_vec(),
        })
        .collect()
}

/// All five steps.
async fn ingest(collection: &Collection, new: &NewRevision) {
    let batch = [new.clone()];
    collection.ingest_text(&batch, NOW, NOW_MS).await.expect("committed");
    collection
        .append_vectors(&vectors(new, [1.0, 0.0, 0.0, 0.0]))
        .await
        .expect("embedded");
    let marked = collection
        .mark_embedded(&[(new.document, new.revision.clone())])
        .await
        .expect("marked");
    assert_eq!(marked, [new.document]);
}

fn words(terms: &[&str]) -> TextQuery {
    TextQuery {
        is_counted: true,
        terms: terms.iter().map(|term| (*term).to_owned()).collect(),
        ..TextQuery::default()
    }
}
