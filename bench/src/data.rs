//! Where the benchmarks' documents are.

use anyhow::{Context, Result, bail};
use recto_engine::contract::AddReport;
use recto_engine::{AddRequest, Engine, EngineOptions};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The collection the benchmarks fill.
pub(crate) const COLLECTION: &str = "Filings";

/// The data folder: `RECTO_BENCH_DATA`, else `shared/data` beside the checkout.
pub(crate) fn folder() -> Result<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data");
    let folder = std::env::var_os("RECTO_BENCH_DATA").map_or_else(beside, PathBuf::from);
    if !folder.join("manifest.jsonl").is_file() {
        bail!(
            "there is no benchmark data at {}; name its folder in RECTO_BENCH_DATA",
            folder.display()
        );
    }
    folder.canonicalize().context("the data folder cannot be resolved")
}

/// The twelve quarterly reports.
pub(crate) fn filings() -> Result<Vec<PathBuf>> {
    let folder = folder()?.join("bf_sec10q/docs");
    let mut files: Vec<_> = std::fs::read_dir(&folder)?
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<_>>()?;
    files.sort();
    Ok(files)
}

/// The annual reports whose authors' outlines are known, each with its outline.
pub(crate) fn outlined() -> Result<Vec<(PathBuf, PathBuf)>> {
    let folder = folder()?.join("a_struct_opm");
    let mut pairs = Vec::new();
    for entry in std::fs::read_dir(&folder)? {
        let file = entry?.path();
        let gold = file.with_extension("gold.json");
        if file.extension().is_some_and(|extension| extension == "pdf") && gold.is_file() {
            pairs.push((file, gold));
        }
    }
    pairs.sort();
    Ok(pairs)
}

/// A library of its own in `folder` holding `files`.
pub(crate) async fn library(folder: &Path, files: Vec<PathBuf>) -> Result<(Arc<Engine>, AddReport)> {
    let engine = Engine::open(EngineOptions::new(folder.to_owned())).await?;
    engine.start_ingestion();
    let request = AddRequest {
        collection: COLLECTION.to_owned(),
        paths: files,
        ..AddRequest::default()
    };
    let ticket = engine.enqueue(request).await?;
    let report = engine.wait(&ticket, &mut |_| {}).await?;
    if !report.failed.is_empty() {
        bail!("not everything was added: {:?}", report.failed);
    }
    Ok((engine, report))
}

/// The text of each page as pdftotext reads it: an extractor that is not ours.
pub(crate) fn pdftotext(file: &Path) -> Result<Vec<String>> {
    let output = std::process::Command::new("pdftotext")
        .arg("-q")
        .arg(file)
        .arg("-")
        .output()
        .context("pdftotext is not installed")?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok(text
        .strip_suffix('\u{c}')
        .unwrap_or(&text)
        .split('\u{c}')
        .map(str::to_owned)
        .collect())
}
