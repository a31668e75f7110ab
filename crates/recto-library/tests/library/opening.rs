use super::{default_collection, with_collection, writable};
use recto_core::{CollectionName, ErrorCode};
use recto_library::{Error, JobFilter, Library, OpenMode};
use std::collections::BTreeMap;
use std::path::Path;

fn bytes(folder: &Path) -> BTreeMap<std::ffi::OsString, Vec<u8>> {
    std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| {
            let entry = entry.unwrap();
            (entry.file_name(), std::fs::read(entry.path()).unwrap())
        })
        .collect()
}

#[test]
fn a_second_writer_is_told_who_holds_the_library() {
    let folder = tempfile::tempdir().unwrap();
    let first = writable(folder.path());
    let error = Library::open(folder.path(), OpenMode::ReadWrite).expect_err("in use");
    let Error::InUse { owner } = &error else {
        panic!("{error}")
    };
    assert!(owner.contains(&std::process::id().to_string()));
    let error = recto_core::Error::from(error);
    assert_eq!(error.code, ErrorCode::LibraryInUse);
    assert!(error.message.contains(&std::process::id().to_string()));
    drop(first);
    writable(folder.path());
}

#[test]
fn a_reader_beside_a_writer_sees_what_is_committed_and_may_not_write() {
    let folder = tempfile::tempdir().unwrap();
    let writer = with_collection(folder.path());
    let reader = Library::open(folder.path(), OpenMode::ReadOnly).expect("opens");
    assert_eq!(reader.collections().unwrap().len(), 1);
    writer
        .create_collection(&CollectionName("later".to_owned()), None, 2)
        .unwrap();
    assert_eq!(
        reader.collections().unwrap().len(),
        2,
        "a reader is never stuck in the past"
    );
    drop(writer);
    assert_eq!(reader.collections().unwrap().len(), 2);
    let refused = reader.create_collection(&CollectionName("mine".to_owned()), None, 3);
    assert!(matches!(refused, Err(Error::ReadOnly)));
}

#[test]
fn reading_changes_and_creates_no_file() {
    let folder = tempfile::tempdir().unwrap();
    drop(with_collection(folder.path()));
    let before = bytes(folder.path());
    let reader = Library::open(folder.path(), OpenMode::ReadOnly).expect("opens");
    reader.collections().unwrap();
    reader.jobs(&JobFilter::default()).unwrap();
    assert!(reader.integrity().unwrap().is_empty());
    assert_eq!(bytes(folder.path()), before);
    drop(reader);
    assert_eq!(bytes(folder.path()), before);
}

#[test]
fn reading_a_missing_library_creates_none() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("nothing here");
    let error = Library::open(&missing, OpenMode::ReadOnly).expect_err("missing");
    assert!(matches!(error, Error::Missing { .. }));
    assert!(!missing.exists());
    assert!(!Library::exists(&missing));
}

#[test]
fn a_library_in_a_folder_with_an_odd_name_opens_both_ways() {
    let folder = tempfile::tempdir().unwrap();
    let odd = folder.path().join("100% sure? #1 & 報告");
    drop(with_collection(&odd));
    let reader = Library::open(&odd, OpenMode::ReadOnly).expect("opens");
    assert_eq!(reader.collections().unwrap().len(), 1);
}

#[test]
fn a_collections_name_never_reaches_a_path() {
    let folder = tempfile::tempdir().unwrap();
    let library = writable(folder.path());
    let mut slugs = std::collections::BTreeSet::new();
    for name in [
        "../../etc",
        "con",
        "報告",
        "Annual Reports!",
        "annual reports",
        "a/b\\c",
    ] {
        let entry = library
            .create_collection(&CollectionName(name.to_owned()), None, 1)
            .unwrap();
        assert!(
            entry.slug.chars().all(|c| c.is_ascii_alphanumeric() || c == '-'),
            "{}",
            entry.slug
        );
        assert!(
            entry.slug.len() > 3 && slugs.insert(entry.slug.clone()),
            "{}",
            entry.slug
        );
        let parent = library.collection_folder(&entry);
        assert_eq!(parent.parent().unwrap(), folder.path().join("collections"));
    }
    for name in ["", " padded ", "line\nbreak", &"x".repeat(101)] {
        let refused = library.create_collection(&CollectionName(name.to_owned()), None, 1);
        assert!(matches!(refused, Err(Error::CollectionName)), "{name:?}");
    }
}

#[test]
fn a_renamed_collection_keeps_its_folder_and_jobs() {
    let folder = tempfile::tempdir().unwrap();
    let library = with_collection(folder.path());
    let before = library.collection(&default_collection()).unwrap();
    library.enqueue(&super::queue::file("/a.pdf"), 1).unwrap();
    let renamed = CollectionName("renamed".to_owned());
    library.rename_collection(&default_collection(), &renamed).unwrap();
    assert_eq!(library.collection(&renamed).unwrap().slug, before.slug);
    assert_eq!(library.jobs(&JobFilter::default()).unwrap()[0].collection, renamed);
    assert!(matches!(
        library.collection(&default_collection()),
        Err(Error::UnknownCollection { .. })
    ));
    library.remove_collection(&renamed).unwrap();
    assert!(library.jobs(&JobFilter::default()).unwrap().is_empty());
}
