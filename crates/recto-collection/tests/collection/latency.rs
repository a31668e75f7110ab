//! How long a search takes beside LanceDB's own hybrid search over the same texts and vectors.
//! `cargo test --workspace --test collection -- --ignored latency --nocapture`

use super::{NOW, NOW_MS, chunk, embedder, hash, id, name, open, words};
use arrow_array::types::Float32Type;
use arrow_array::{FixedSizeListArray, RecordBatch, StringArray};
use arrow_schema::{DataType, Field, Schema};
use futures::TryStreamExt;
use lancedb::index::Index;
use lancedb::index::scalar::{FtsIndexBuilder, FullTextSearchQuery};
use lancedb::query::{ExecutableQuery, QueryBase};
use recto_collection::{ChunkVector, Collection, Facts, NewRevision, OpenMode, SharedSession};
use recto_core::{ChunkSource, EmbedderInfo};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

const DIMENSION: usize = 384;
const DOCUMENTS: u128 = 200;
const CHUNKS: u32 = 100;

/// A small generator of repeatable numbers (xorshift).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn vector(&mut self) -> Vec<f32> {
        (0..DIMENSION)
            .map(|_| (self.next() % 2_000) as f32 / 1_000.0 - 1.0)
            .collect()
    }

    /// Words whose frequencies fall off roughly as in a language.
    fn text(&mut self) -> String {
        let word = |number: u64| format!("w{}", 20_000 / (1 + number % 20_000));
        let list: Vec<String> = (0..180).map(|_| word(self.next())).collect();
        list.join(" ")
    }
}

async fn fill(collection: &Collection, numbers: &mut Numbers) -> Vec<(String, String, Vec<f32>)> {
    let mut rows = Vec::new();
    for number in 1..=DOCUMENTS {
        let revision = format!("r{number}");
        let texts: Vec<String> = (0..CHUNKS).map(|_| numbers.text()).collect();
        let new = NewRevision {
            document: id(number),
            revision: revision.clone(),
            facts: Facts {
                title: format!("Document {number}"),
                uri: format!("/{number}.pdf"),
                sha256: hash(&revision),
                ..Facts::default()
            },
            pages: vec![],
            items: vec![],
            chunks: (0..)
                .zip(&texts)
                .map(|(order, text)| chunk(number, &revision, order, text))
                .collect(),
        };
        let vectors: Vec<ChunkVector> = new
            .chunks
            .iter()
            .map(|chunk| ChunkVector {
                chunk: chunk.id.clone(),
                document: new.document,
                revision: revision.clone(),
                vector: numbers.vector(),
            })
            .collect();
        let batch = [new];
        collection.ingest_text(&batch, NOW, NOW_MS).await.unwrap();
        collection.append_vectors(&vectors).await.unwrap();
        collection.mark_embedded(&[(id(number), revision)]).await.unwrap();
        rows.extend(
            vectors
                .into_iter()
                .zip(texts)
                .map(|(row, text)| (row.chunk.0, text, row.vector)),
        );
    }
    rows
}

async fn bare(folder: &Path, rows: &[(String, String, Vec<f32>)]) -> lancedb::Table {
    let item = Arc::new(Field::new("item", DataType::Float32, true));
    let schema = Arc::new(Schema::new(vec![
        Field::new("id", DataType::Utf8, false),
        Field::new("text", DataType::Utf8, false),
        Field::new("vector", DataType::FixedSizeList(item, DIMENSION as i32), false),
    ]));
    let vectors = rows.iter().map(|row| Some(row.2.iter().map(|value| Some(*value))));
    let batch = RecordBatch::try_new(
        schema,
        vec![
            Arc::new(StringArray::from_iter_values(rows.iter().map(|row| &row.0))),
            Arc::new(StringArray::from_iter_values(rows.iter().map(|row| &row.1))),
            Arc::new(FixedSizeListArray::from_iter_primitive::<Float32Type, _, _>(
                vectors,
                DIMENSION as i32,
            )),
        ],
    )
    .unwrap();
    let connection = lancedb::connect(folder.to_str().unwrap()).execute().await.unwrap();
    let table = connection.create_table("bare", batch).execute().await.unwrap();
    let index = FtsIndexBuilder::default();
    table
        .create_index(&["text"], Index::FTS(index))
        .execute()
        .await
        .unwrap();
    table
}

fn report(what: &str, mut times: Vec<Duration>) {
    times.sort();
    let at = |share: usize| times[(times.len() * share / 100).min(times.len() - 1)].as_secs_f64() * 1e3;
    eprintln!("{what}: p50 {:.1} ms, p95 {:.1} ms", at(50), at(95));
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "a measurement, not a test"]
async fn latency_beside_bare_lancedb() {
    let folder = tempfile::tempdir().unwrap();
    let session = SharedSession::default();
    let info = EmbedderInfo {
        dimension: DIMENSION as u32,
        ..embedder()
    };
    let place = folder.path().join("collection");
    let collection = Collection::create(&place, name(), &info, &session).await.unwrap();
    let mut numbers = Numbers(7);
    let start = Instant::now();
    let rows = fill(&collection, &mut numbers).await;
    eprintln!(
        "{} chunks of 180 words written in {:.1?}, one document a batch",
        rows.len(),
        start.elapsed()
    );
    let start = Instant::now();
    collection.optimize().await.unwrap();
    eprintln!("optimized in {:.1?}", start.elapsed());
    drop(collection);
    let collection = open(&place, OpenMode::ReadWrite).await;
    let table = bare(&folder.path().join("bare"), &rows).await;

    let snapshot = collection.snapshot().await.unwrap();
    let one = [id(17)];
    let mut times: [Vec<Duration>; 6] = Default::default();
    for round in 0..60 {
        let vector = numbers.vector();
        let terms: Vec<String> = (0..5).map(|_| format!("w{}", 1 + numbers.next() % 400)).collect();
        let terms: Vec<&str> = terms.iter().map(String::as_str).collect();
        let query = words(&terms);
        let mut note = |kind: usize, start: Instant| {
            if round >= 10 {
                times[kind].push(start.elapsed());
            }
        };
        let start = Instant::now();
        assert_eq!(
            collection.nearest(&snapshot, &vector, None, 20).await.unwrap().len(),
            20
        );
        note(0, start);
        let start = Instant::now();
        collection.matching(&snapshot, &query, None, 20).await.unwrap();
        note(1, start);
        let start = Instant::now();
        assert_eq!(
            collection
                .nearest(&snapshot, &vector, Some(&one), 20)
                .await
                .unwrap()
                .len(),
            20
        );
        note(2, start);
        let start = Instant::now();
        collection.matching(&snapshot, &query, Some(&one), 20).await.unwrap();
        note(3, start);
        let start = Instant::now();
        let (near, matching) = tokio::join!(
            collection.nearest(&snapshot, &vector, None, 20),
            collection.matching(&snapshot, &query, None, 20)
        );
        assert!(near.is_ok() && matching.is_ok());
        note(4, start);
        let start = Instant::now();
        let hybrid = table
            .query()
            .full_text_search(FullTextSearchQuery::new(terms.join(" ")))
            .limit(20)
            .nearest_to(vector.as_slice())
            .unwrap()
            .distance_type(lancedb::DistanceType::Cosine)
            .execute()
            .await
            .unwrap();
        hybrid.try_collect::<Vec<_>>().await.unwrap();
        note(5, start);
    }
    let kinds = [
        "nearest",
        "matching",
        "nearest in one document",
        "matching in one document",
        "nearest and matching together",
        "LanceDB's own hybrid",
    ];
    for (kind, times) in kinds.into_iter().zip(times) {
        report(kind, times);
    }
}
