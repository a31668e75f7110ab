//! PDF files, by PDFium.
//!
//! [`ffi`] reads characters, [`glyphs`] puts them on the displayed page, [`words`] and [`lines`] group them, [`columns`]
//! finds the reading order, [`groups`] the lines, [`page`] makes a page of it all, and [`structure`] makes items out of all pages.
//! [`scan`] decides which pages must be recognised from their pixels and [`recognised`] gives those words the shape of
//! digital ones, beside the rules and areas [`traced`] in the pixels; [`gate`] is what text must pass to be believed.
//! Pages recognised by other workers come as [`shared`] says.

mod columns;
mod diagrams;
pub(crate) mod ffi;
mod frame;
mod gate;
mod glyphs;
mod graphics;
mod groups;
mod labels;
mod lines;
mod overlays;
mod page;
mod pictures;
mod prose;
mod read;
mod recognised;
mod repair;
mod scan;
mod shared;
mod structure;
mod tables;
mod traced;
pub(crate) mod user_units;
mod words;

pub(crate) use page::{PageLayout, lay_out};
pub(crate) use read::{attachments, display_frame, finish, probe, read, recognise_page};
pub(crate) use scan::recognise;
pub(crate) use shared::Recognised;
