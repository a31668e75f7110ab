//! The public interface of the crate on files made for one property each.
#![allow(missing_docs)]

mod attached;
mod fixture;
mod formats;
mod geometry;
mod ink;
mod layers;
mod office;
mod outline;
mod package;
mod peers;
mod reading;
mod rendering;
mod scans;
mod states;
mod structure;
mod tables;

use recto_core::{Document, Page};
use recto_document::open::{self, Options};

/// Reads a file that must be readable.
fn read(bytes: &[u8]) -> Document {
    open::read(bytes, &Options::default(), &mut ()).expect("the file is read")
}

/// The words of a page.
fn words(page: &Page) -> Vec<&str> {
    page.words
        .iter()
        .map(|word| &page.text[word.start as usize..word.end as usize])
        .collect()
}
