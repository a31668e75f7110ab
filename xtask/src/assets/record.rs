//! What is written beside the assets: `manifest.json` for the program, `SHA256SUMS` for `scripts/setup`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::Context;
use serde::Serialize;

use super::manifest::{Asset, Kind, Manifest, Source};
use super::{FOLDER, MANIFEST, place, sha256_of};

#[derive(Serialize)]
struct Record<'a> {
    format: u32,
    platform: &'a str,
    /// Keyed by path under `assets/`, with `/` between folders.
    files: BTreeMap<&'a str, Entry<'a>>,
}

#[derive(Clone, Serialize)]
struct Entry<'a> {
    sha256: &'a str,
    size: u64,
    kind: Kind,
    licence: &'a str,
    origin: &'a str,
    version: &'a str,
}

pub(super) fn write(
    root: &Path,
    folder: &Path,
    platform: &str,
    manifest: &Manifest,
    wanted: &[(&Asset, &Source)],
) -> anyhow::Result<()> {
    let mut files = BTreeMap::new();
    for (asset, source) in wanted.iter().filter(|(asset, _)| asset.kind != Kind::Tool) {
        let entry = Entry {
            sha256: &source.sha256,
            size: size_of(folder, &source.path)?,
            kind: asset.kind,
            licence: &asset.licence,
            origin: &asset.origin,
            version: &asset.version,
        };
        files.insert(source.path.as_str(), entry);
    }
    for derived in &manifest.derived {
        let source = files.get(derived.from.as_str());
        let source =
            source.with_context(|| format!("{} is made from {}, which is no asset", derived.path, derived.from))?;
        let size = size_of(folder, &derived.path)?;
        let entry = Entry {
            sha256: &derived.sha256,
            size,
            kind: derived.kind,
            ..source.clone()
        };
        files.insert(&derived.path, entry);
    }
    // The manifest itself is among the sums, so a changed pin is noticed without building anything.
    let mut sums = format!("{}  ../{MANIFEST}\n", sha256_of(&root.join(MANIFEST))?);
    let tools = wanted.iter().filter(|(asset, _)| asset.kind == Kind::Tool);
    for (path, sha256) in files
        .iter()
        .map(|(path, entry)| (*path, entry.sha256))
        .chain(tools.map(|(_, source)| (source.path.as_str(), source.sha256.as_str())))
    {
        sums.push_str(&format!("{sha256}  {path}\n"));
    }
    let record = Record {
        format: 1,
        platform,
        files,
    };
    let json = serde_json::to_string_pretty(&record).context("cannot write the record of the assets")? + "\n";
    place(&folder.join("manifest.json"), json.as_bytes(), false)?;
    place(&folder.join("SHA256SUMS"), sums.as_bytes(), false)
}

fn size_of(folder: &Path, path: &str) -> anyhow::Result<u64> {
    let metadata = fs::metadata(folder.join(path)).with_context(|| format!("cannot look at {FOLDER}/{path}"))?;
    Ok(metadata.len())
}
