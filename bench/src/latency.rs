//! How long do a page and a search take, beside bare PDFium and LanceDB's own hybrid query in the same run?

use crate::{data, grow, report};
use anyhow::{Context, Result};
use arrow_array::cast::AsArray;
use arrow_array::{RecordBatch, RecordBatchIterator};
use arrow_schema::Schema;
use futures::TryStreamExt;
use lancedb::index::Index;
use lancedb::index::scalar::{FtsIndexBuilder, FullTextSearchQuery};
use lancedb::query::{ExecutableQuery, QueryBase, QueryExecutionOptions};
use pdfium_render::prelude::{PdfRenderConfig, Pdfium};
use recto_collection::{Collection, OpenMode, SharedSession};
use recto_core::{CollectionName, Embedder};
use recto_engine::contract::{ScopeRequest, SearchMode, SearchQuery};
use recto_engine::{Engine, EngineOptions, ImageFormat, PageImageRequest};
use recto_models::{Assets, LocalEmbedder};
use serde::Serialize;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

const WIDTH_PX: u32 = 1_400;
const PAGES: u32 = 20;
const LIMIT: usize = 10;

const QUERIES: &[&str] = &[
    "total net sales by segment",
    "operating lease liabilities",
    "research and development expense increased",
    "What legal proceedings are pending?",
    "gross margin percentage products and services",
    "repurchase of common stock",
    "foreign currency exchange risk",
    "effective tax rate",
    "cash and cash equivalents at end of period",
    "data center revenue",
];

#[derive(Debug, Serialize)]
struct Outcome {
    render: Render,
    search: Vec<Search>,
}

#[derive(Debug, Serialize)]
struct Render {
    pages: u32,
    width_px: u32,
    /// Bare PDFium into a bitmap, in this process, the document held open.
    pdfium_ms_p50: f64,
    /// Through a worker process into a bitmap in memory, as the reader gets it; each page for the first time.
    recto_ms_p50: f64,
    recto_ms_p95: f64,
    /// The same page again.
    recto_cached_ms_p50: f64,
}

#[derive(Debug, Serialize)]
struct Search {
    chunks: usize,
    queries: usize,
    /// Query embedding and LanceDB's hybrid query (its own fusion) over one table of the same chunks.
    lancedb_ms_p50: f64,
    lancedb_ms_p95: f64,
    /// Recto, query embedding included, without expansion.
    recto_ms_p50: f64,
    recto_ms_p95: f64,
    recto_expanded_ms_p50: f64,
}

/// Runs the benchmark, `rounds` times each query and page, with searches in collections of about so many `chunks`.
pub(crate) async fn run(rounds: usize, chunks: &[usize], kept: Option<PathBuf>) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let base = kept.unwrap_or_else(|| folder.path().join("filings"));
    let (engine, added) = data::library(&base, data::filings()?).await?;
    let mut documents = added.added.iter().chain(&added.unchanged);
    let document = documents.next().context("nothing was added")?;
    let render = render(&engine, &document.document_id, Path::new(&document.uri), rounds).await?;
    engine.shutdown().await;
    drop(engine);
    let mut searches = Vec::new();
    for size in chunks {
        let library = folder.path().join(format!("{size}-chunks"));
        copy_folder(&base, &library)?;
        let engine = sized(&library, *size).await?;
        searches.push(search(&engine, &library, rounds).await?);
        engine.shutdown().await;
        drop(engine);
        std::fs::remove_dir_all(&library)?;
    }
    report::write(
        "latency",
        &Outcome {
            render,
            search: searches,
        },
    )
}

/// The library with about `chunks` chunks in its collection: fewer by deleting documents, more by copying them.
async fn sized(library: &Path, chunks: usize) -> Result<Arc<Engine>> {
    let engine = Engine::open(EngineOptions::new(library.to_owned())).await?;
    let list = engine.list(None).await?;
    let mut kept = 0;
    for document in list.documents {
        let Some(id) = document.document_id else { continue };
        // A page of the filings has about four chunks.
        let here = 4 * document.page_count.unwrap_or_default() as usize;
        if kept > 0 && kept + here > chunks {
            engine.delete(None, &id).await?;
        } else {
            kept += here;
        }
    }
    engine.shutdown().await;
    drop(engine);
    let folder = std::fs::read_dir(library.join("collections"))?
        .next()
        .context("there is no collection")??
        .path();
    grow::grow(&folder.join("db.lance"), chunks).await?;
    let collection = Collection::open(
        &folder,
        CollectionName(data::COLLECTION.to_owned()),
        OpenMode::ReadWrite,
        &SharedSession::default(),
    )
    .await?;
    collection.optimize().await?;
    drop(collection);
    Ok(Engine::open(EngineOptions::new(library.to_owned())).await?)
}

fn copy_folder(from: &Path, to: &Path) -> Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let (path, target) = {
            let entry = entry?;
            (entry.path(), to.join(entry.file_name()))
        };
        if path.is_dir() {
            copy_folder(&path, &target)?;
        } else {
            std::fs::copy(&path, &target)?;
        }
    }
    Ok(())
}

async fn render(engine: &Arc<Engine>, document_id: &str, file: &Path, rounds: usize) -> Result<Render> {
    let (mut bare, mut ours, mut cached) = (Vec::new(), Vec::new(), Vec::new());
    let library = std::env::var_os("RECTO_ASSETS").map_or_else(|| Path::new("assets").to_owned(), Into::into);
    let pdfium = Pdfium::new(Pdfium::bind_to_library(Pdfium::pdfium_platform_library_name_at_path(
        &library,
    ))?);
    let pdf = pdfium.load_pdf_from_file(file, None)?;
    let pages = PAGES.min(u32::try_from(pdf.pages().len())?);
    for round in 0..u32::try_from(rounds)? {
        for number in 1..=pages {
            // Another width each round, so that what is measured as the first time is not served from memory.
            let width_px = WIDTH_PX + round;
            let started = Instant::now();
            let page = pdf.pages().get(i32::try_from(number - 1)?)?;
            let bitmap = page.render_with_config(&PdfRenderConfig::new().set_target_width(i32::try_from(width_px)?))?;
            std::hint::black_box(bitmap.as_raw_bytes().len());
            bare.push(milliseconds(started));

            let request = PageImageRequest {
                collection: data::COLLECTION.to_owned(),
                document_id: document_id.to_owned(),
                sha256: None,
                page: number,
                width_px,
                crop: None,
                highlights: Vec::new(),
                format: ImageFormat::Bmp,
            };
            let started = Instant::now();
            engine.page_image(request.clone()).await?;
            ours.push(milliseconds(started));
            let started = Instant::now();
            engine.page_image(request).await?;
            cached.push(milliseconds(started));
        }
    }
    Ok(Render {
        pages,
        width_px: WIDTH_PX,
        pdfium_ms_p50: report::median(bare),
        recto_ms_p50: report::median(ours.clone()),
        recto_ms_p95: report::percentile(ours, 0.95),
        recto_cached_ms_p50: report::median(cached),
    })
}

async fn search(engine: &Arc<Engine>, library: &Path, rounds: usize) -> Result<Search> {
    let peer = tempfile::tempdir()?;
    let (table, chunks) = bare_table(library, peer.path()).await?;
    let embedder = LocalEmbedder::new(Assets::find()?, 1);
    let (mut bare, mut ours, mut expanded) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..=rounds {
        for query in QUERIES {
            let started = Instant::now();
            let vector = embedder
                .embed(&[(*query).to_owned()])
                .await?
                .pop()
                .context("no vector")?;
            let found: Vec<RecordBatch> = table
                .query()
                .full_text_search(FullTextSearchQuery::new((*query).to_owned()))
                .nearest_to(vector)?
                .limit(LIMIT)
                .execute_hybrid(QueryExecutionOptions::default())
                .await?
                .try_collect()
                .await?;
            std::hint::black_box(found);
            let bare_ms = milliseconds(started);
            let recto_ms = timed_search(engine, query, false).await?;
            let expanded_ms = timed_search(engine, query, true).await?;
            // The first round warms the caches of both sides.
            if round > 0 {
                bare.push(bare_ms);
                ours.push(recto_ms);
                expanded.push(expanded_ms);
            }
        }
    }
    Ok(Search {
        chunks,
        queries: QUERIES.len(),
        lancedb_ms_p50: report::median(bare.clone()),
        lancedb_ms_p95: report::percentile(bare, 0.95),
        recto_ms_p50: report::median(ours.clone()),
        recto_ms_p95: report::percentile(ours, 0.95),
        recto_expanded_ms_p50: report::median(expanded),
    })
}

async fn timed_search(engine: &Arc<Engine>, query: &str, expand: bool) -> Result<f64> {
    let query = SearchQuery {
        query: query.to_owned(),
        mode: SearchMode::Hybrid,
        limit: u32::try_from(LIMIT)?,
        scope: ScopeRequest::default(),
        expand,
    };
    let started = Instant::now();
    engine.search(query).await?;
    Ok(milliseconds(started))
}

/// One table with the chunks' text and vectors, indexed for words as LanceDB does by default.
async fn bare_table(library: &Path, folder: &Path) -> Result<(lancedb::Table, usize)> {
    let collection = std::fs::read_dir(library.join("collections"))?
        .next()
        .context("there is no collection")??
        .path();
    let ours = lancedb::connect(&collection.join("db.lance").to_string_lossy())
        .execute()
        .await?;
    let chunks: Vec<RecordBatch> = ours
        .open_table("chunks")
        .execute()
        .await?
        .query()
        .execute()
        .await?
        .try_collect()
        .await?;
    let vectors: Vec<RecordBatch> = ours
        .open_table("vectors")
        .execute()
        .await?
        .query()
        .execute()
        .await?
        .try_collect()
        .await?;
    let mut content: HashMap<String, String> = HashMap::new();
    for batch in &chunks {
        let ids = batch.column_by_name("id").context("no id")?.as_string::<i32>();
        let texts = batch
            .column_by_name("content")
            .context("no content")?
            .as_string::<i32>();
        content.extend(
            ids.iter()
                .flatten()
                .map(str::to_owned)
                .zip(texts.iter().flatten().map(str::to_owned)),
        );
    }
    let peer = lancedb::connect(&folder.to_string_lossy()).execute().await?;
    let mut batches = Vec::new();
    let mut rows = 0;
    for batch in vectors {
        let ids = batch
            .column_by_name("chunk_id")
            .context("no chunk id")?
            .as_string::<i32>();
        let texts: arrow_array::StringArray = ids
            .iter()
            .map(|id| id.and_then(|id| content.get(id)).cloned())
            .collect();
        let vector = batch.column_by_name("vector").context("no vector")?;
        let schema = Schema::new(vec![
            arrow_schema::Field::new("content", arrow_schema::DataType::Utf8, true),
            arrow_schema::Field::new("vector", vector.data_type().clone(), false),
        ]);
        rows += batch.num_rows();
        batches.push(RecordBatch::try_new(
            Arc::new(schema),
            vec![Arc::new(texts), Arc::clone(vector)],
        )?);
    }
    let schema = batches.first().context("there are no vectors")?.schema();
    let reader = RecordBatchIterator::new(batches.into_iter().map(Ok), schema);
    let table = peer
        .create_table(
            "chunks",
            Box::new(reader) as Box<dyn arrow_array::RecordBatchReader + Send>,
        )
        .execute()
        .await?;
    table
        .create_index(&["content"], Index::FTS(FtsIndexBuilder::default()))
        .execute()
        .await?;
    Ok((table, rows))
}

fn milliseconds(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1000.0
}
