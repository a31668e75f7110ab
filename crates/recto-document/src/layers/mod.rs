//! What was understood of a page, drawn over the page: for reporting and finding faults of the reader.
//!
//! [`draw`] takes a document and the bytes it was read from and makes one sheet per page, as SVG or PNG. It looks at the
//! [`Document`] alone, so a sheet shows what search, citations and exports see and nothing that the reader merely
//! thought on the way. [`shapes`] turns a layer into frames, tags and arrows; [`svg`] and [`canvas`] draw them.

mod canvas;
mod font;
mod shapes;
mod svg;

use crate::error::{Error, Result};
use crate::render::{Drawing, Pages, Picture};
use crate::sniff;
use recto_core::{Document, Page};
use recto_worker::{ImageFormat, Layer, RenderSize};

/// Pixels per point of a sheet: 144 dots per inch, at which ten-point text is easily read.
pub const SCALE: f32 = 2.0;

/// How a sheet is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SheetFormat {
    /// Shapes with tooltips over the page as an embedded picture.
    Svg,
    /// One picture.
    Png,
}

impl SheetFormat {
    /// The name of the file for a page: `page-0003.png`.
    #[must_use]
    pub fn file_name(self, page: u32) -> String {
        let extension = match self {
            Self::Svg => "svg",
            Self::Png => "png",
        };
        format!("page-{page:04}.{extension}")
    }
}

/// What the sheets are made from.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    /// The document.
    pub document: &'a Document,
    /// The file it was read from.
    pub bytes: &'a [u8],
    /// The file's name where it came from.
    pub file_name: &'a str,
    /// The user password.
    pub password: Option<&'a str>,
    /// 1-based first and last page to draw, both included; `None` is all. The document itself should have been read
    /// whole: headings and running headers are told by comparing pages.
    pub pages: Option<(u32, u32)>,
}

/// Draws `layer` over the pages of the document and hands the sheets, with their 1-based page numbers, to `sink`.
///
/// The page is drawn by PDFium for PDFs; where there is no picture of a page, the sheet is white.
///
/// # Errors
/// The document has no pages, or fewer than asked for; a page cannot be drawn; whatever `sink` returns.
pub fn draw(
    source: &Source<'_>,
    layer: Layer,
    format: SheetFormat,
    sink: &mut dyn FnMut(u32, Vec<u8>) -> Result<()>,
) -> Result<()> {
    if source.document.pages.is_empty() {
        return Err(Error::InvalidArgument {
            what: "Layers are drawn over pages, and this file has none.".into(),
        });
    }
    let count = source.document.info.page_count;
    let (first, last) = source.pages.unwrap_or((1, u32::MAX));
    if first > count {
        return Err(Error::NoSuchPage { page: first, count });
    }
    let is_pdf = sniff::detect(source.bytes, source.file_name).is_ok_and(|kind| kind == sniff::Kind::Pdf);
    let pages = match is_pdf {
        true => Some(Pages::open(source.bytes, source.password)?),
        false => None,
    };
    let index = shapes::Index::new(&source.document.items);
    let wanted = |page: &&Page| (first..=last).contains(&page.number);
    for page in source.document.pages.iter().filter(wanted) {
        let background = match &pages {
            Some(pages) => pages.draw(&Drawing {
                page: page.number,
                size: RenderSize::Scale(SCALE),
                highlights: &[],
                crop: None,
            })?,
            None => blank(page),
        };
        let shapes = shapes::of_page(page, &index, layer);
        let sheet = match format {
            SheetFormat::Svg => svg::write(page, &background.encode(ImageFormat::Png)?, &shapes),
            SheetFormat::Png => canvas::paint(background, page, &shapes).encode(ImageFormat::Png)?,
        };
        sink(page.number, sheet)?;
    }
    Ok(())
}

fn blank(page: &Page) -> Picture {
    /// A page is whatever its file says; a sheet has to fit into memory.
    const MAX_SIDE: f32 = 8000.0;
    let pixels = |points: f32| (points * SCALE).round().clamp(1.0, MAX_SIDE) as u32;
    let (width, height) = (pixels(page.width), pixels(page.height));
    Picture {
        width,
        height,
        rgba: vec![0xFF; width as usize * height as usize * 4],
    }
}
