//! Which crate may depend on which, read from Cargo's own view of the workspace.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

/// What each of our crates may use of our own, outside its tests. A crate that is not listed fails the test, so that
/// its place is thought about.
const MAY_USE: &[(&str, &[&str])] = &[
    ("recto-core", &[]),
    ("recto-assets", &["recto-core"]),
    ("recto-worker", &["recto-core"]),
    ("recto-document", &["recto-assets", "recto-core", "recto-worker"]),
    ("recto-models", &["recto-assets", "recto-core"]),
    ("recto-collection", &["recto-core"]),
    ("recto-library", &["recto-core"]),
    ("recto-retrieval", &["recto-core"]),
    ("recto-answer", &["recto-core", "recto-retrieval"]),
    (
        "recto-engine",
        &[
            "recto-core",
            "recto-worker",
            "recto-models",
            "recto-collection",
            "recto-library",
            "recto-retrieval",
            "recto-answer",
        ],
    ),
    ("recto-mcp", &["recto-core", "recto-engine"]),
    ("recto-eval", &["recto-core", "recto-answer", "recto-engine"]),
    ("recto-cli", &["recto-core", "recto-engine", "recto-eval", "recto-mcp"]),
    ("recto-desktop", &["recto-core", "recto-engine"]),
    ("recto-testkit", &["recto-core"]),
    ("xtask", &[]),
];

/// The benchmarks stand beside the product and measure its parts, so they see all of it.
const SEES_EVERYTHING: &str = "recto-bench";

/// Who may name a library directly, tests included.
const OWNERS: &[(&str, &[&str])] = &[
    ("lancedb", &["recto-collection"]),
    ("arrow", &["recto-collection"]),
    ("rusqlite", &["recto-library"]),
    ("pdfium-render", &["recto-document"]),
    ("docling", &["recto-document"]),
    ("reqwest", &["recto-models"]),
    ("tauri", &["recto-desktop"]),
];

/// What a crate must not pull in by any way, outside its tests.
const NEVER_BELOW: &[(&str, &[&str])] = &[
    ("recto-engine", &["recto-document", "pdfium-render", "docling"]),
    ("recto-cli", &["recto-document", "pdfium-render", "docling", "tauri"]),
    ("recto-desktop", &["recto-document", "pdfium-render", "docling"]),
    (
        "recto-retrieval",
        &["lancedb", "rusqlite", "pdfium-render", "docling", "reqwest"],
    ),
    (
        "recto-answer",
        &["lancedb", "rusqlite", "pdfium-render", "docling", "reqwest"],
    ),
    (
        "recto-worker",
        &["pdfium-render", "docling", "lancedb", "rusqlite", "reqwest"],
    ),
];

#[test]
fn each_crate_uses_only_those_below_it() {
    let workspace = Workspace::read();
    for member in workspace.members.iter().filter(|member| *member != SEES_EVERYTHING) {
        let allowed = MAY_USE
            .iter()
            .find(|(name, _)| name == member)
            .unwrap_or_else(|| panic!("{member} has no place in the directions: give it one in this test"))
            .1;
        let used: BTreeSet<_> = workspace.direct(member, Kinds::Shipped).into_iter().collect();
        for other in used.iter().filter(|name| workspace.members.contains(*name)) {
            assert!(allowed.contains(&other.as_str()), "{member} must not depend on {other}");
        }
    }
}

#[test]
fn each_foreign_library_is_named_by_its_owner_alone() {
    let workspace = Workspace::read();
    for (library, owners) in OWNERS {
        for member in workspace.members.iter().filter(|member| *member != SEES_EVERYTHING) {
            for name in workspace.direct(member, Kinds::All) {
                let same = name == *library || name.starts_with(&format!("{library}-"));
                assert!(
                    !same || owners.contains(&member.as_str()),
                    "{member} must not name {name}: only {owners:?} may"
                );
            }
        }
    }
}

#[test]
fn parsers_databases_and_http_stay_out_of_what_must_not_hold_them() {
    let workspace = Workspace::read();
    for (top, forbidden) in NEVER_BELOW {
        let below = workspace.below(top);
        for name in *forbidden {
            assert!(!below.contains(*name), "{top} must not pull in {name}, by whatever way");
        }
    }
}

/// The platform this is built on, as the compiler names it.
fn host() -> String {
    let output = Command::new("rustc").arg("-vV").output().expect("rustc runs");
    let said = String::from_utf8(output.stdout).expect("rustc writes UTF-8");
    let line = said.lines().find_map(|line| line.strip_prefix("host: "));
    line.expect("rustc names its host").to_owned()
}

#[derive(Clone, Copy, PartialEq)]
enum Kinds {
    /// What is built into the product.
    Shipped,
    /// Tests and build scripts too.
    All,
}

/// The dependency graph as resolved, by package name. Two versions of a package count as one: the rules are about what
/// is there at all.
struct Workspace {
    members: BTreeSet<String>,
    /// Package → its dependencies, and whether each is needed outside tests.
    edges: BTreeMap<String, BTreeMap<String, bool>>,
}

impl Workspace {
    fn read() -> Self {
        // A fresh machine has only the packages that are built on it, not those of other platforms.
        let output = Command::new(env!("CARGO"))
            .args(["metadata", "--format-version=1", "--locked", "--offline"])
            .args(["--filter-platform", &host()])
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .output()
            .expect("cargo runs");
        assert!(
            output.status.success(),
            "cargo metadata failed: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo writes JSON");
        let names: BTreeMap<&str, &str> = list(&metadata["packages"])
            .map(|package| (text(&package["id"]), text(&package["name"])))
            .collect();
        let members = list(&metadata["workspace_members"])
            .map(|id| names[text(id)].to_owned())
            .collect();
        let mut edges: BTreeMap<String, BTreeMap<String, bool>> = BTreeMap::new();
        for node in list(&metadata["resolve"]["nodes"]) {
            let from = edges.entry(names[text(&node["id"])].to_owned()).or_default();
            for dependency in list(&node["deps"]) {
                let shipped = list(&dependency["dep_kinds"]).any(|kind| kind["kind"].is_null());
                *from.entry(names[text(&dependency["pkg"])].to_owned()).or_default() |= shipped;
            }
        }
        Self { members, edges }
    }

    fn direct(&self, package: &str, kinds: Kinds) -> Vec<String> {
        let edges = self.edges.get(package).into_iter().flatten();
        edges
            .filter(|(_, shipped)| kinds == Kinds::All || **shipped)
            .map(|(name, _)| name.clone())
            .collect()
    }

    fn below(&self, top: &str) -> BTreeSet<String> {
        assert!(self.members.contains(top), "{top} is not in the workspace");
        let mut found = BTreeSet::new();
        let mut open = vec![top.to_owned()];
        while let Some(package) = open.pop() {
            for name in self.direct(&package, Kinds::Shipped) {
                if found.insert(name.clone()) {
                    open.push(name);
                }
            }
        }
        found
    }
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
