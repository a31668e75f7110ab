//! The crates compiled into the shipped programs, from Cargo's own resolution.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};
use serde::Deserialize;

use super::{Part, licence_files};

/// The packages whose programs are shipped; `recto-document` owns the worker.
const PROGRAMS: &[&str] = &["recto-desktop", "recto-cli", "recto-document"];

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
    resolve: Resolve,
}

#[derive(Deserialize)]
struct Package {
    id: String,
    name: String,
    version: String,
    license: Option<String>,
    repository: Option<String>,
    /// `None` for the workspace's own packages.
    source: Option<String>,
    manifest_path: PathBuf,
}

#[derive(Deserialize)]
struct Resolve {
    nodes: Vec<Node>,
}

#[derive(Deserialize)]
struct Node {
    id: String,
    deps: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    pkg: String,
    dep_kinds: Vec<DependencyKind>,
}

#[derive(Deserialize)]
struct DependencyKind {
    /// `None` for a normal dependency.
    kind: Option<String>,
}

/// Every crate behind the shipped programs on this platform, build dependencies included, sorted by name and version.
pub(super) fn shipped(root: &Path) -> anyhow::Result<Vec<Part>> {
    let json = run(
        root,
        &cargo(),
        &[
            "metadata",
            "--offline",
            "--format-version",
            "1",
            "--filter-platform",
            &host(root)?,
        ],
    )?;
    let metadata: Metadata = serde_json::from_str(&json).context("cargo metadata printed something unexpected")?;
    let reached = reachable(&metadata)?;
    let mut packages: Vec<&Package> = metadata
        .packages
        .iter()
        .filter(|package| package.source.is_some() && reached.contains(package.id.as_str()))
        .collect();
    packages.sort_by(|a, b| (&a.name, &a.version).cmp(&(&b.name, &b.version)));
    packages
        .into_iter()
        .map(|package| {
            let folder = package.manifest_path.parent().context("a package has no folder")?;
            Ok(Part {
                name: package.name.clone(),
                version: package.version.clone(),
                licence: package.license.clone().unwrap_or_default(),
                origin: package.repository.clone().unwrap_or_default(),
                texts: licence_files(folder)?,
            })
        })
        .collect()
}

/// Ids of everything the shipped programs depend on, other than for their tests.
fn reachable(metadata: &Metadata) -> anyhow::Result<BTreeSet<&str>> {
    let nodes: HashMap<&str, &Node> = metadata
        .resolve
        .nodes
        .iter()
        .map(|node| (node.id.as_str(), node))
        .collect();
    let mut waiting = Vec::new();
    for program in PROGRAMS {
        let package = metadata
            .packages
            .iter()
            .find(|package| package.name == *program && package.source.is_none());
        waiting.push(
            package
                .with_context(|| format!("the workspace has no package {program}"))?
                .id
                .as_str(),
        );
    }
    let mut reached = BTreeSet::new();
    while let Some(id) = waiting.pop() {
        if !reached.insert(id) {
            continue;
        }
        let node = nodes
            .get(id)
            .with_context(|| format!("cargo metadata does not resolve {id}"))?;
        let shipped = node
            .deps
            .iter()
            .filter(|dep| dep.dep_kinds.iter().any(|kind| kind.kind.as_deref() != Some("dev")));
        waiting.extend(shipped.map(|dep| dep.pkg.as_str()));
    }
    Ok(reached)
}

fn host(root: &Path) -> anyhow::Result<String> {
    let version = run(root, "rustc", &["-vV"])?;
    let line = version.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(line.context("rustc does not tell its host")?.to_owned())
}

fn cargo() -> String {
    std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned())
}

fn run(root: &Path, program: &str, arguments: &[&str]) -> anyhow::Result<String> {
    let output = Command::new(program).args(arguments).current_dir(root).output();
    let output = output.with_context(|| format!("cannot run {program}"))?;
    if !output.status.success() {
        bail!(
            "`{program} {}` failed: {}",
            arguments.join(" "),
            String::from_utf8_lossy(&output.stderr).trim()
        );
    }
    String::from_utf8(output.stdout).with_context(|| format!("{program} printed something that is not UTF-8"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_dependencies_are_not_shipped_but_build_dependencies_are() {
        let package = |name: &str, source: Option<&str>| {
            serde_json::json!({
                "id": name, "name": name, "version": "1.0.0", "license": "MIT", "repository": null,
                "source": source, "manifest_path": "/x/Cargo.toml",
            })
        };
        let dep = |name: &str, kind: Option<&str>| serde_json::json!({ "pkg": name, "dep_kinds": [{ "kind": kind }] });
        let leaf = |name: &str| serde_json::json!({ "id": name, "deps": [] });
        let json = serde_json::json!({
            "packages": [
                package("recto-desktop", None), package("recto-cli", None), package("recto-document", None),
                package("normal", Some("r")), package("builder", Some("r")), package("tester", Some("r")),
                package("below", Some("r")),
            ],
            "resolve": { "nodes": [
                { "id": "recto-desktop", "deps": [dep("normal", None), dep("tester", Some("dev"))] },
                { "id": "recto-cli", "deps": [dep("builder", Some("build"))] },
                leaf("recto-document"),
                { "id": "normal", "deps": [dep("below", None)] },
                leaf("builder"), leaf("tester"), leaf("below"),
            ] },
        });
        let metadata: Metadata = serde_json::from_value(json).expect("the shape of cargo metadata");
        let reached = reachable(&metadata).expect("all programs are there");
        for name in ["normal", "below", "builder"] {
            assert!(reached.contains(name), "{name}");
        }
        assert!(!reached.contains("tester"));
    }
}
