//! Which files a list of paths names.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use walkdir::WalkDir;

/// A path that cannot be added, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Unreachable {
    pub(crate) path: PathBuf,
    pub(crate) reason: String,
}

/// Regular files behind `paths`, each once, absolute: a file names itself, a folder everything below it, sorted. Hidden
/// files and folders are passed over inside a folder, symbolic links to folders are not followed, and links to files only
/// when they stay inside the folder.
pub(crate) fn files(paths: &[PathBuf]) -> (Vec<PathBuf>, Vec<Unreachable>) {
    let mut found = Vec::new();
    let mut unreachable = Vec::new();
    each(paths, &mut |met| {
        match met {
            Ok(path) => found.push(path),
            Err(path) => unreachable.push(path),
        }
        ControlFlow::Continue(())
    });
    (found, unreachable)
}

/// Tells `met` of the files behind `paths` as [`files`] lists them, one by one, until it says to stop.
pub(crate) fn each(
    paths: &[PathBuf],
    met: &mut dyn FnMut(std::result::Result<PathBuf, Unreachable>) -> ControlFlow<()>,
) {
    let mut seen = HashSet::new();
    let mut once = |path: std::result::Result<PathBuf, Unreachable>| match path {
        Ok(path) if !seen.insert(path.clone()) => ControlFlow::Continue(()),
        path => met(path),
    };
    for path in paths {
        // A file is named by the path given, not by what a link points to, so that its name stays the person's own.
        let absolute = std::path::absolute(path).unwrap_or_else(|_| path.clone());
        let next = match std::fs::metadata(&absolute) {
            Ok(metadata) if metadata.is_dir() => walk(&absolute, &mut once),
            Ok(metadata) if metadata.is_file() => once(Ok(absolute)),
            Ok(_) => once(Err(Unreachable {
                path: absolute,
                reason: "This is not a regular file.".into(),
            })),
            Err(error) => once(Err(Unreachable {
                path: absolute,
                reason: explain(&error),
            })),
        };
        if next.is_break() {
            return;
        }
    }
}

fn walk(
    root: &Path,
    met: &mut dyn FnMut(std::result::Result<PathBuf, Unreachable>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let canonical_root = root.canonicalize().unwrap_or_else(|_| root.to_owned());
    let visible =
        |entry: &walkdir::DirEntry| entry.depth() == 0 || !entry.file_name().to_string_lossy().starts_with('.');
    for entry in WalkDir::new(root)
        .follow_root_links(true)
        .sort_by_file_name()
        .into_iter()
        .filter_entry(visible)
    {
        match entry {
            Ok(entry) if entry.file_type().is_file() => met(Ok(entry.into_path()))?,
            Ok(entry) if entry.path_is_symlink() => {
                let target = entry.path().canonicalize();
                if target.is_ok_and(|target| target.is_file() && target.starts_with(&canonical_root)) {
                    met(Ok(entry.into_path()))?;
                }
            }
            Ok(_) => {}
            Err(error) => met(Err(Unreachable {
                path: error.path().unwrap_or(root).to_owned(),
                reason: error
                    .io_error()
                    .map_or_else(|| "It cannot be read.".to_owned(), explain),
            }))?,
        }
    }
    ControlFlow::Continue(())
}

fn explain(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "There is no such file or folder.".into(),
        std::io::ErrorKind::PermissionDenied => "Recto is not allowed to read it.".into(),
        _ => format!("It cannot be read ({}).", error.kind()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_names_its_files_sorted_and_each_once() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        std::fs::create_dir(folder.path().join("b")).expect("a folder");
        for name in ["b/2.txt", "a.txt", ".hidden", "c.txt"] {
            std::fs::write(folder.path().join(name), name).expect("a file");
        }
        let (found, unreachable) = files(&[folder.path().to_owned(), folder.path().join("a.txt")]);
        let names: Vec<_> = found
            .iter()
            .map(|path| {
                path.strip_prefix(folder.path())
                    .expect("below")
                    .to_string_lossy()
                    .into_owned()
            })
            .collect();
        assert_eq!(names, ["a.txt", "b/2.txt", "c.txt"]);
        assert_eq!(unreachable, []);
    }

    #[cfg(unix)]
    #[test]
    fn links_do_not_lead_out_of_the_folder() {
        let outside = tempfile::tempdir().expect("a temporary folder");
        std::fs::write(outside.path().join("secret.txt"), "x").expect("a file");
        let folder = tempfile::tempdir().expect("a temporary folder");
        std::os::unix::fs::symlink(outside.path().join("secret.txt"), folder.path().join("link.txt")).expect("a link");
        std::os::unix::fs::symlink(outside.path(), folder.path().join("folder")).expect("a link");
        assert_eq!(files(&[folder.path().to_owned()]).0, Vec::<PathBuf>::new());
    }

    #[test]
    fn a_missing_path_is_reported_and_the_rest_goes_on() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        std::fs::write(folder.path().join("a.txt"), "x").expect("a file");
        let (found, unreachable) = files(&[folder.path().join("nowhere"), folder.path().join("a.txt")]);
        assert_eq!(found.len(), 1);
        assert_eq!(unreachable.len(), 1);
        assert_eq!(unreachable[0].reason, "There is no such file or folder.");
    }
}
