//! The npm packages bundled into the interface, from the lock file.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::Context;
use serde::Deserialize;

use super::{Part, licence_files};

#[derive(Deserialize)]
struct Lock {
    /// Keyed by place, such as `node_modules/a` or `node_modules/a/node_modules/b`; the project itself is the empty key.
    packages: BTreeMap<String, Entry>,
}

#[derive(Deserialize)]
struct Entry {
    version: Option<String>,
    license: Option<String>,
    #[serde(default)]
    dev: bool,
    #[serde(default, rename = "devOptional")]
    dev_optional: bool,
    #[serde(default)]
    link: bool,
}

#[derive(Deserialize)]
struct Manifest {
    license: Option<serde_json::Value>,
}

/// Every package the interface needs at run time, sorted by place in the lock file.
pub(super) fn shipped(root: &Path) -> anyhow::Result<Vec<Part>> {
    let ui = root.join("ui");
    let path = ui.join("package-lock.json");
    let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let lock: Lock = serde_json::from_str(&text).with_context(|| format!("{} is not a lock file", path.display()))?;
    let mut parts = Vec::new();
    for (place, entry) in lock.packages.iter().filter(|(place, entry)| is_shipped(place, entry)) {
        let folder = ui.join(place);
        let licence = match &entry.license {
            Some(licence) => licence.clone(),
            None => licence_of(&folder)?,
        };
        // Packages for other platforms are in the lock file but not installed.
        let texts = if folder.is_dir() {
            licence_files(&folder)?
        } else {
            Vec::new()
        };
        parts.push(Part {
            name: name_of(place).to_owned(),
            version: entry.version.clone().unwrap_or_default(),
            licence,
            origin: format!("npm: {}", name_of(place)),
            texts,
        });
    }
    Ok(parts)
}

fn is_shipped(place: &str, entry: &Entry) -> bool {
    place.starts_with("node_modules/") && !entry.dev && !entry.dev_optional && !entry.link
}

fn name_of(place: &str) -> &str {
    place.rsplit_once("node_modules/").map_or(place, |(_, name)| name)
}

fn licence_of(folder: &Path) -> anyhow::Result<String> {
    let path = folder.join("package.json");
    let text =
        fs::read_to_string(&path).with_context(|| format!("cannot read {}; run ./scripts/setup", path.display()))?;
    let manifest: Manifest = serde_json::from_str(&text).with_context(|| format!("{} is not valid", path.display()))?;
    Ok(match manifest.license {
        Some(serde_json::Value::String(licence)) => licence,
        // The form of very old packages.
        Some(serde_json::Value::Object(fields)) => fields
            .get("type")
            .and_then(serde_json::Value::as_str)
            .unwrap_or_default()
            .to_owned(),
        _ => String::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_run_time_packages_are_shipped() {
        let text = r#"{ "packages": {
            "": { "version": "0.1.0" },
            "node_modules/react": { "version": "19.0.0", "license": "MIT" },
            "node_modules/a/node_modules/@s/b": { "version": "1.0.0", "license": "ISC" },
            "node_modules/vite": { "version": "7.0.0", "license": "MIT", "dev": true },
            "node_modules/both": { "version": "1.0.0", "license": "MIT", "devOptional": true }
        } }"#;
        let lock: Lock = serde_json::from_str(text).expect("a lock file");
        let shipped: Vec<&str> = lock
            .packages
            .iter()
            .filter(|(place, entry)| is_shipped(place, entry))
            .map(|(place, _)| name_of(place))
            .collect();
        assert_eq!(shipped, ["@s/b", "react"]);
    }

    #[test]
    fn a_licence_missing_from_the_lock_is_read_from_the_package() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        fs::write(
            folder.path().join("package.json"),
            r#"{ "license": { "type": "MIT" } }"#,
        )
        .expect("written");
        assert_eq!(licence_of(folder.path()).expect("readable"), "MIT");
    }
}
