//! Files to documents: pages, words with boxes, items in reading order; rendering and quote location.
//!
//! [`open::read`] turns bytes into a `Document`, [`render::page`] draws a page, [`locate`] finds a quote in what was
//! read, [`export`] writes a document in other shapes, [`layers`] draws it over its pages. All of it meets untrusted bytes and is meant to run in the
//! process `recto-worker`, whose loop is [`worker::serve`]; nothing here calls a language model or knows a database.

mod attached;
pub mod error;
pub mod export;
pub mod format;
mod furniture;
mod gallery;
mod images;
mod import;
pub mod layers;
pub mod locate;
mod ocr;
mod office;
pub mod open;
mod pdf;
pub mod render;
pub mod sniff;
mod text;
pub mod worker;

pub use error::{Error, Result};
