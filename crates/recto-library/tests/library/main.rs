//! The library's public behaviour over real files.
#![allow(clippy::unwrap_used)]

mod answers;
mod opening;
mod queue;

use recto_core::CollectionName;
use recto_library::{Library, OpenMode};
use std::path::Path;

fn writable(folder: &Path) -> Library {
    Library::open(folder, OpenMode::ReadWrite).expect("opens")
}

/// A library with a collection named `default`.
fn with_collection(folder: &Path) -> Library {
    let library = writable(folder);
    library
        .create_collection(&default_collection(), None, 1)
        .expect("created");
    library
}

fn default_collection() -> CollectionName {
    CollectionName("default".to_owned())
}
