//! PDF files, by PDFium.
//!
//! [`ffi`] reads characters, [`glyphs`] puts them on the displayed page, [`words`] and [`lines`] group them, [`columns`]
//! finds the reading order, [`groups`] the lines, [`page`] makes a page of it all, and [`structure`] makes items out of all pages.
//! Recognising scanned pages will begin where a page turns out to have no usable text; tables where rows are grouped.

mod columns;
pub(crate) mod ffi;
mod frame;
mod glyphs;
mod graphics;
mod groups;
mod labels;
mod lines;
mod overlays;
mod page;
mod prose;
mod read;
mod repair;
mod structure;
pub(crate) mod user_units;
mod words;

pub(crate) use read::{attachments, display_frame, probe, read};
