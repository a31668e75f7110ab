//! Images as documents: every image is a page, and its text is recognised.
//!
//! The size on paper comes from what the file says of its density, where that makes sense. A TIFF file may have many
//! pages. Animations and layers are not looked at: the first picture counts.

mod density;
mod tags;

use crate::error::{Error, Result};
use crate::ocr::{self, Raster};
use crate::open::{Options, Sink, Step};
use crate::pdf;
use crate::render::{self, Drawing};
use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, Rgb, RgbImage, imageops};
use recto_core::{Document, DocumentInfo, Gap, Page, TextSource};
use recto_worker::{ParseLimits, Recognition};
use std::io::{self, BufRead, Cursor, Read, Seek, SeekFrom};
use tags::Tags;

/// Most pixels that are read; a larger picture is made smaller first.
const MAX_READ_PIXELS: f32 = 24e6;

/// Reads the pages of an image file.
pub(crate) fn read(bytes: &[u8], options: &Options, sink: &mut dyn Sink) -> Result<Document> {
    let file = File::open(bytes)?;
    let mut document = Document {
        info: file.info(),
        ..Document::default()
    };
    let total = document.info.page_count;
    if total > options.limits.max_pages {
        return Err(Error::TooLarge {
            what: format!("it has {total} pages, the limit is {}", options.limits.max_pages),
        });
    }
    sink.step(Step::Info(&document.info))?;
    let mut layouts = Vec::new();
    let mut missing = None;
    let wanted: Vec<u32> = (1..=total).filter(|number| options.wants(*number)).collect();
    if options.recognition == Recognition::Elsewhere && wanted.len() > 1 {
        sink.step(Step::Scanned(&wanted))?;
    }
    for number in wanted {
        match file.read_page(number, options, sink)? {
            Ok((page, layout)) => {
                sink.step(Step::Page { page: &page, total })?;
                document.pages.push(page);
                layouts.push(layout);
            }
            Err(error) => {
                let gap = Gap {
                    page: number,
                    reason: error.to_string(),
                };
                sink.step(Step::Gap(&gap))?;
                document.info.gaps.push(gap);
                missing.get_or_insert(error);
            }
        }
    }
    if let (true, Some(error)) = (document.pages.is_empty(), missing) {
        return Err(error);
    }
    sink.step(Step::Structuring)?;
    pdf::finish(&mut document, &layouts);
    Ok(document)
}

/// Recognises the text of a page.
pub(crate) fn recognise_page(
    bytes: &[u8],
    options: &Options,
    number: u32,
    sink: &mut dyn Sink,
) -> Result<Option<pdf::Recognised>> {
    let file = File::open(bytes)?;
    let count = file.info().page_count;
    if number == 0 || number > count {
        return Err(Error::NoSuchPage { page: number, count });
    }
    let sheet = file.sheet(number, &options.limits)?;
    file.recognise(number, sheet, sink)?.map(Some)
}

/// What is known about an image file without reading its text, and the size of every page.
pub(crate) fn probe(bytes: &[u8], options: &Options) -> Result<(DocumentInfo, Vec<Page>)> {
    let file = File::open(bytes)?;
    let mut info = file.info();
    let mut pages = Vec::new();
    for number in 1..=info.page_count {
        match file.sheet(number, &options.limits) {
            Ok(sheet) => pages.push(sheet.page(number)),
            Err(error) => info.gaps.push(Gap {
                page: number,
                reason: error.to_string(),
            }),
        }
    }
    Ok((info, pages))
}

/// Draws a page of an image file.
pub(crate) fn draw(bytes: &[u8], drawing: &Drawing<'_>) -> Result<render::Picture> {
    let file = File::open(bytes)?;
    let count = file.info().page_count;
    if drawing.page == 0 || drawing.page > count {
        return Err(Error::NoSuchPage {
            page: drawing.page,
            count,
        });
    }
    let sheet = file.sheet(drawing.page, &ParseLimits::default())?;
    let (width, height) = sheet.points;
    let picture = sheet.decode()?;
    render::picture_of(&picture, (width, height), drawing)
}

/// An image file.
struct File<'b> {
    bytes: &'b [u8],
    format: ImageFormat,
    /// Where the directory of each page begins, in a TIFF file.
    directories: Vec<u32>,
}

impl<'b> File<'b> {
    fn open(bytes: &'b [u8]) -> Result<Self> {
        let format = image::guess_format(bytes).map_err(|error| damaged(&error))?;
        let directories = match format {
            ImageFormat::Tiff => Tags::of(bytes).map(|tags| tags.pages()).unwrap_or_default(),
            _ => Vec::new(),
        };
        Ok(Self {
            bytes,
            format,
            directories,
        })
    }

    fn info(&self) -> DocumentInfo {
        DocumentInfo {
            media_type: self.format.to_mime_type().into(),
            page_count: u32::try_from(self.directories.len().max(1)).unwrap_or(u32::MAX),
            ..DocumentInfo::default()
        }
    }

    /// The page with this 1-based number: its header is read and held against the limit, nothing is unpacked yet.
    fn sheet(&self, number: u32, limits: &ParseLimits) -> Result<Sheet<'b>> {
        let tags = Tags::of(self.bytes);
        let directory = self.directories.get(number as usize - 1).copied();
        let header = match (tags, directory) {
            (Some(tags), Some(directory)) => tags.header(directory).to_vec(),
            _ => Vec::new(),
        };
        let mut reader = ImageReader::with_format(
            Patched {
                inner: Cursor::new(self.bytes),
                header,
            },
            self.format,
        );
        // The limit is ours, by pixels.
        reader.no_limits();
        let mut decoder: Box<dyn ImageDecoder + 'b> = Box::new(reader.into_decoder().map_err(|error| damaged(&error))?);
        let (width, height) = decoder.dimensions();
        let pixels = u64::from(width) * u64::from(height);
        if pixels == 0 {
            return Err(Error::Empty);
        }
        if pixels > limits.max_image_pixels {
            return Err(Error::TooLarge {
                what: format!("an image has {pixels} pixels, the limit is {}", limits.max_image_pixels),
            });
        }
        let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
        let declared = match (tags, directory) {
            (Some(tags), Some(directory)) => tags.dots(directory),
            _ => density::declared(self.bytes, self.format),
        };
        let scale = 72.0 / density::dots(declared, width, height);
        let (width, height) = match orientation {
            Orientation::Rotate90
            | Orientation::Rotate270
            | Orientation::Rotate90FlipH
            | Orientation::Rotate270FlipH => (height, width),
            _ => (width, height),
        };
        Ok(Sheet {
            decoder,
            orientation,
            points: (width as f32 * scale, height as f32 * scale),
        })
    }

    /// The outer error is that of `sink`, the inner one what is wrong with the page.
    fn read_page(
        &self,
        number: u32,
        options: &Options,
        sink: &mut dyn Sink,
    ) -> Result<Result<(Page, pdf::PageLayout)>> {
        let sheet = match self.sheet(number, &options.limits) {
            Ok(sheet) => sheet,
            Err(error) => return Ok(Err(error)),
        };
        let page = sheet.page(number);
        let recognised = match pdf::Recognised::done(options, number) {
            Some(done) => Ok(done),
            None => self.recognise(number, sheet, sink)?,
        };
        Ok(recognised.map(|pdf::Recognised { words, traced, source }| pdf::lay_out(page, words, source, traced)))
    }

    /// The same for what is recognised on a page.
    fn recognise(&self, number: u32, sheet: Sheet<'_>, sink: &mut dyn Sink) -> Result<Result<pdf::Recognised>> {
        let total = self.info().page_count;
        let mut stop = None;
        let mut step = || {
            let told = sink.step(Step::Recognising { page: number, total });
            told.map_err(|error| {
                stop = Some(error);
                Error::Cancelled
            })
        };
        let recognised = sheet.recognise(&mut step);
        match stop {
            Some(error) => Err(error),
            None => Ok(recognised),
        }
    }
}

/// A page of an image file, not yet unpacked.
struct Sheet<'b> {
    decoder: Box<dyn ImageDecoder + 'b>,
    orientation: Orientation,
    /// Width and height in points, turned as it is shown.
    points: (f32, f32),
}

impl Sheet<'_> {
    fn recognise(self, step: &mut dyn FnMut() -> Result<()>) -> Result<pdf::Recognised> {
        step()?;
        ocr::available()?;
        let (across, down) = self.points;
        let picture = self.decode()?;
        let (width, height) = picture.dimensions();
        let raster = Raster::from_rgb(width, height, picture.into_raw());
        let shrink = (MAX_READ_PIXELS / (width as f32 * height as f32)).sqrt();
        let raster = if shrink < 1.0 {
            let side = |pixels: u32| ((pixels as f32 * shrink) as usize).max(1);
            raster.scaled(side(width), side(height))
        } else {
            raster
        };
        let scale = raster.width as f32 / across;
        let (words, traced) = pdf::recognise(raster, scale, (across, down), &|_| false, step)?;
        Ok(pdf::Recognised {
            words,
            traced,
            source: TextSource::Ocr,
        })
    }

    fn page(&self, number: u32) -> Page {
        Page {
            number,
            width: self.points.0,
            height: self.points.1,
            ..Page::default()
        }
    }

    /// The pixels, turned as they are shown, transparent ones on white paper.
    fn decode(self) -> Result<RgbImage> {
        let mut picture = DynamicImage::from_decoder(self.decoder).map_err(|error| damaged(&error))?;
        picture.apply_orientation(self.orientation);
        if !picture.color().has_alpha() {
            return Ok(picture.into_rgb8());
        }
        let rgba = picture.into_rgba8();
        let mut out = RgbImage::new(rgba.width(), rgba.height());
        for (from, to) in rgba.pixels().zip(out.pixels_mut()) {
            let alpha = u16::from(from[3]);
            *to = Rgb([0, 1, 2].map(|channel| {
                let mixed = u16::from(from[channel]) * alpha + 255 * (255 - alpha);
                u8::try_from(mixed / 255).unwrap_or(u8::MAX)
            }));
        }
        Ok(out)
    }
}

/// The part of a picture that is shown at another size.
pub(crate) fn resized(picture: &RgbImage, part: (u32, u32, u32, u32), width: u32, height: u32) -> RgbImage {
    let (left, top, across, down) = part;
    let part = imageops::crop_imm(picture, left, top, across, down);
    imageops::resize(&part.to_image(), width, height, imageops::FilterType::Triangle)
}

fn damaged(error: &ImageError) -> Error {
    match error {
        ImageError::Unsupported(_) => Error::UnsupportedType {
            detected: "image in an unusual variant".into(),
        },
        ImageError::Limits(_) => Error::TooLarge {
            what: "an image does not fit into memory".into(),
        },
        _ => Error::Damaged {
            what: format!("the image cannot be unpacked ({error})"),
        },
    }
}

/// A file whose first bytes are replaced: a TIFF file that begins at another page.
struct Patched<'b> {
    inner: Cursor<&'b [u8]>,
    header: Vec<u8>,
}

impl Read for Patched<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let available = self.fill_buf()?;
        let count = available.len().min(buffer.len());
        buffer[..count].copy_from_slice(&available[..count]);
        self.consume(count);
        Ok(count)
    }
}

impl BufRead for Patched<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        let at = usize::try_from(self.inner.position()).unwrap_or(usize::MAX);
        match self.header.get(at..) {
            Some(rest) if !rest.is_empty() => Ok(rest),
            _ => self.inner.fill_buf(),
        }
    }

    fn consume(&mut self, count: usize) {
        self.inner.consume(count);
    }
}

impl Seek for Patched<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.inner.seek(to)
    }
}
