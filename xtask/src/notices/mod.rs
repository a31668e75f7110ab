//! `cargo xtask notices`: what is shipped, under which licence, with the licence texts.
//!
//! The document depends on the platform it is built for, so it is generated beside the assets and not committed.

mod crates;
mod licence;
mod npm;
mod render;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;

use crate::assets::{self, Kind, Manifest};

/// Where the notices are written when no other place is asked for.
const OUTPUT: &str = "assets/THIRD_PARTY_NOTICES.md";

#[derive(Args)]
pub(crate) struct Options {
    /// Only check the licences; write nothing.
    #[arg(long)]
    check: bool,
    /// Where to write the notices.
    #[arg(long, value_name = "FILE", default_value = OUTPUT)]
    output: PathBuf,
}

/// One dependency that goes out with the program.
pub(crate) struct Part {
    name: String,
    version: String,
    /// An SPDX expression; empty when none is declared.
    licence: String,
    origin: String,
    /// File name and text of each licence file that came with it.
    texts: Vec<(String, String)>,
}

pub(crate) fn run(root: &Path, options: &Options) -> anyhow::Result<()> {
    let sections = [
        ("Native libraries and models", assets_shipped(root)?),
        ("Rust crates", crates::shipped(root)?),
        ("npm packages", npm::shipped(root)?),
    ];
    let refused: Vec<String> = sections
        .iter()
        .flat_map(|(_, parts)| parts)
        .filter_map(|part| {
            let problem = licence::problem(&part.licence)?;
            Some(format!("{} {}: {problem}", part.name, part.version))
        })
        .collect();
    if !refused.is_empty() {
        bail!("these may not be shipped:\n  {}", refused.join("\n  "));
    }
    let count: usize = sections.iter().map(|(_, parts)| parts.len()).sum();
    if options.check {
        println!("notices: all {count} shipped dependencies have an allowed licence");
        return Ok(());
    }
    let output = root.join(&options.output);
    fs::write(&output, render::markdown(&sections)).with_context(|| format!("cannot write {}", output.display()))?;
    println!(
        "notices: {count} shipped dependencies, all with an allowed licence, in {}",
        options.output.display()
    );
    Ok(())
}

fn assets_shipped(root: &Path) -> anyhow::Result<Vec<Part>> {
    let manifest = Manifest::read(&root.join(assets::MANIFEST))?;
    let texts = assets::licence_texts(root)?;
    let own_licence = fs::read_to_string(root.join("LICENSE")).context("cannot read LICENSE")?;
    let shipped = manifest.asset.iter().filter(|asset| asset.kind != Kind::Tool);
    Ok(shipped
        .map(|asset| {
            let folder = format!("{}/", asset.name);
            let own = texts
                .iter()
                .filter_map(|(path, text)| Some((path.strip_prefix(&folder)?.to_owned(), text.clone())));
            let mut texts: Vec<_> = own.collect();
            // The models come without a licence file; theirs is the one Recto itself is under.
            if texts.is_empty() && asset.licence == "Apache-2.0" {
                texts.push(("LICENSE".to_owned(), own_licence.clone()));
            }
            Part {
                name: asset.name.clone(),
                version: asset.version.clone(),
                licence: asset.licence.clone(),
                origin: asset.origin.clone(),
                texts,
            }
        })
        .collect())
}

/// The licence files directly in a package's folder, sorted by name.
fn licence_files(folder: &Path) -> anyhow::Result<Vec<(String, String)>> {
    let mut texts = Vec::new();
    let entries = fs::read_dir(folder).with_context(|| format!("cannot list {}", folder.display()))?;
    for entry in entries {
        let entry = entry.with_context(|| format!("cannot list {}", folder.display()))?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if !is_licence_file(&name) || !entry.path().is_file() {
            continue;
        }
        let bytes = fs::read(entry.path()).with_context(|| format!("cannot read {}", entry.path().display()))?;
        texts.push((name, String::from_utf8_lossy(&bytes).into_owned()));
    }
    texts.sort();
    Ok(texts)
}

fn is_licence_file(name: &str) -> bool {
    let upper = name.to_ascii_uppercase();
    let is_source = [".RS", ".JS", ".TS", ".JSON", ".TOML"]
        .iter()
        .any(|ending| upper.ends_with(ending));
    !is_source
        && ["LICENSE", "LICENCE", "COPYING", "NOTICE", "COPYRIGHT", "UNLICENSE"]
            .iter()
            .any(|start| upper.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn licence_files_are_told_from_source_files() {
        for name in ["LICENSE", "LICENSE-MIT", "licence.txt", "COPYING", "NOTICE.md"] {
            assert!(is_licence_file(name), "{name}");
        }
        for name in ["README.md", "license.rs", "src", "licenses.json"] {
            assert!(!is_licence_file(name), "{name}");
        }
    }
}
