//! Pages as pictures, with the words of a citation marked.

use crate::error::{Error, Result};
use crate::images;
use crate::pdf::display_frame;
use crate::pdf::ffi::{Pdf, Window};
use crate::pdf::user_units::{self, UserUnits};
use crate::sniff::{self, Kind};
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ExtendedColorType, ImageEncoder, RgbImage};
use recto_core::{BoxKind, CitedBox, Rect};
use recto_worker::{ImageFormat, RenderSize};

/// Most pixels of a picture. A larger one is drawn at the scale that just fits.
const MAX_PIXELS: f64 = 64e6;
/// Pixels per point at 600 dots per inch.
const MAX_SCALE: f64 = 600.0 / 72.0;
const MIN_SCALE: f64 = 0.02;

/// What to draw.
#[derive(Debug, Clone)]
pub struct Drawing<'a> {
    /// 1-based page number.
    pub page: u32,
    /// How large. At most 600 dots per inch and 64 million pixels; larger wishes are met as far as that goes.
    pub size: RenderSize,
    /// Boxes to mark, in points of the displayed page; those of other pages are ignored.
    pub highlights: &'a [CitedBox],
    /// The part to draw, in points of the displayed page; `None` is the whole page.
    pub crop: Option<Rect>,
}

/// A drawn page: rows of RGBA bytes from the top, without padding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// Pixels across.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
    /// `4 * width * height` bytes, opaque.
    pub rgba: Vec<u8>,
}

/// Draws a page of a PDF or of an image file: annotations, form values and rotation as a reader shows them, the
/// highlights laid over.
///
/// # Errors
/// The file cannot be opened, there is no such page, or the page is damaged.
pub fn page(bytes: &[u8], password: Option<&str>, drawing: &Drawing<'_>) -> Result<Picture> {
    match sniff::detect(bytes, "") {
        Ok(Kind::Image(_)) => images::draw(bytes, drawing),
        // PDFium says best what is wrong with anything else.
        _ => Pages::open(bytes, password)?.draw(drawing),
    }
}

/// Draws a page that is nothing but a picture, its size given in points.
pub(crate) fn picture_of(picture: &RgbImage, (width, height): (f32, f32), drawing: &Drawing<'_>) -> Result<Picture> {
    let plan = Plan::new(width, height, drawing.size, drawing.crop)?;
    // The part of the picture that the window shows.
    let part = |from: u32, length: u32, full: u32, pixels: u32| {
        let scale = f64::from(pixels) / f64::from(full);
        let start = ((f64::from(from) * scale).floor() as u32).min(pixels - 1);
        let end = ((f64::from(from + length) * scale).ceil() as u32).clamp(start + 1, pixels);
        (start, end - start)
    };
    let window = &plan.window;
    let (left, across) = part(window.left, window.width, plan.full.0, picture.width());
    let (top, down) = part(window.top, window.height, plan.full.1, picture.height());
    let shown = images::resized(picture, (left, top, across, down), window.width, window.height);
    let rgba = shown.pixels().flat_map(|p| [p[0], p[1], p[2], 0xFF]).collect();
    Ok(Picture::marked(&plan, rgba, drawing))
}

/// A PDF held open to draw many of its pages. While it is, no other PDF can be read in this process.
pub(crate) struct Pages<'b> {
    pdf: Pdf<'b>,
    units: UserUnits,
}

impl<'b> Pages<'b> {
    pub(crate) fn open(bytes: &'b [u8], password: Option<&str>) -> Result<Self> {
        let pdf = Pdf::open(bytes, password)?;
        let units = user_units::of(bytes, pdf.page_count());
        Ok(Self { pdf, units })
    }

    /// As [`page`].
    pub(crate) fn draw(&self, drawing: &Drawing<'_>) -> Result<Picture> {
        let count = self.pdf.page_count();
        if drawing.page == 0 || drawing.page > count {
            return Err(Error::NoSuchPage {
                page: drawing.page,
                count,
            });
        }
        let page = self.pdf.page(drawing.page - 1).ok_or_else(|| Error::Damaged {
            what: format!("page {} cannot be read", drawing.page),
        })?;
        let (width, height) = display_frame(&page, self.units.get(drawing.page - 1)).size();
        let plan = Plan::new(width, height, drawing.size, drawing.crop)?;
        let mut rgba = page.draw(plan.full, &plan.window)?;
        for pixel in rgba.chunks_exact_mut(4) {
            pixel.swap(0, 2);
            pixel[3] = 0xFF;
        }
        Ok(Picture::marked(&plan, rgba, drawing))
    }
}

/// The part of a page around `boxes`, with a margin, within the page: what a hover card shows. `None` without boxes.
#[must_use]
pub fn crop_around(boxes: &[Rect], page_width: f32, page_height: f32, margin: f32) -> Option<Rect> {
    let hull = boxes.iter().copied().reduce(|a, b| a.union(&b))?;
    Rect::new(
        hull.left - margin,
        hull.top - margin,
        hull.right + margin,
        hull.bottom + margin,
    )
    .intersection(&Rect::new(0.0, 0.0, page_width, page_height))
}

/// How a page in points becomes pixels.
#[derive(Debug, Clone, Copy)]
struct Plan {
    scale: f64,
    full: (u32, u32),
    window: Window,
}

impl Plan {
    fn new(width: f32, height: f32, size: RenderSize, crop: Option<Rect>) -> Result<Self> {
        let (width, height) = (f64::from(width), f64::from(height));
        if !(width > 0.0 && height > 0.0) {
            return Err(Error::Damaged {
                what: "the page has no area".into(),
            });
        }
        let wished = match size {
            RenderSize::Scale(scale) => f64::from(scale),
            RenderSize::Width(pixels) => f64::from(pixels) / width,
        };
        if !wished.is_finite() || wished <= 0.0 {
            return Err(Error::InvalidArgument {
                what: "The size of a picture must be more than zero.".into(),
            });
        }
        let page = Rect::new(0.0, 0.0, width as f32, height as f32);
        let part = match crop {
            None => page,
            Some(crop) => crop.intersection(&page).ok_or_else(|| Error::InvalidArgument {
                what: "The part to draw lies outside the page.".into(),
            })?,
        };
        let area = f64::from(part.width()) * f64::from(part.height());
        let scale = wished
            .clamp(MIN_SCALE, MAX_SCALE)
            .min((MAX_PIXELS / area.max(1e-6)).sqrt());
        let pixels = |points: f64| ((points * scale).round().max(1.0)).min(f64::from(i32::MAX / 8)) as u32;
        let full = (pixels(width), pixels(height));
        let window = match crop {
            None => Window {
                left: 0,
                top: 0,
                width: full.0,
                height: full.1,
            },
            Some(_) => {
                let left = (f64::from(part.left) * scale).floor() as u32;
                let top = (f64::from(part.top) * scale).floor() as u32;
                Window {
                    left: left.min(full.0 - 1),
                    top: top.min(full.1 - 1),
                    width: ((f64::from(part.right) * scale).ceil() as u32).clamp(left + 1, full.0.max(left + 1)) - left,
                    height: ((f64::from(part.bottom) * scale).ceil() as u32).clamp(top + 1, full.1.max(top + 1)) - top,
                }
            }
        };
        Ok(Self { scale, full, window })
    }

    /// A box on the page in pixels of the picture; it may reach outside.
    fn pixels(&self, rect: &Rect) -> [f64; 4] {
        let (left, top) = (f64::from(self.window.left), f64::from(self.window.top));
        [
            f64::from(rect.left) * self.scale - left,
            f64::from(rect.top) * self.scale - top,
            f64::from(rect.right) * self.scale - left,
            f64::from(rect.bottom) * self.scale - top,
        ]
    }
}

/// Colours of the two kinds of boxes; they multiply what is below, like a marker pen, so text stays readable.
const QUOTE_FILL: [u8; 3] = [255, 224, 102];
const QUOTE_EDGE: [u8; 3] = [214, 150, 20];
const PASSAGE_FILL: [u8; 3] = [255, 246, 214];

impl Picture {
    /// The pixels of a plan's window with the highlights over them.
    fn marked(plan: &Plan, rgba: Vec<u8>, drawing: &Drawing<'_>) -> Self {
        let mut picture = Self {
            width: plan.window.width,
            height: plan.window.height,
            rgba,
        };
        // Soft boxes first, so that a quote inside its passage stays the stronger of the two.
        let on_page = || drawing.highlights.iter().filter(|h| h.at.page == drawing.page);
        for kind in [BoxKind::Passage, BoxKind::Quote] {
            for highlight in on_page().filter(|h| h.kind == kind) {
                picture.mark(&plan.pixels(&highlight.at.rect), kind, plan.scale);
            }
        }
        picture
    }

    fn mark(&mut self, rect: &[f64; 4], kind: BoxKind, scale: f64) {
        let pad = (scale * 0.75).max(1.0);
        let edge = |at: f64, limit: u32| at.clamp(0.0, f64::from(limit)) as u32;
        let left = edge((rect[0] - pad).floor(), self.width);
        let top = edge(rect[1].floor(), self.height);
        let right = edge((rect[2] + pad).ceil(), self.width);
        let bottom = edge(rect[3].ceil(), self.height);
        let line = match kind {
            BoxKind::Quote => (scale * 0.6).round().max(1.0) as u32,
            BoxKind::Passage => 0,
        };
        for y in top..bottom {
            for x in left..right {
                let on_edge = x < left + line || x + line >= right || y < top + line || y + line >= bottom;
                let colour = match kind {
                    BoxKind::Passage => PASSAGE_FILL,
                    BoxKind::Quote if on_edge => QUOTE_EDGE,
                    BoxKind::Quote => QUOTE_FILL,
                };
                let at = (y as usize * self.width as usize + x as usize) * 4;
                for (channel, tint) in self.rgba[at..at + 3].iter_mut().zip(colour) {
                    *channel = (u16::from(*channel) * u16::from(tint) / 255) as u8;
                }
            }
        }
    }

    /// The picture in a file format.
    ///
    /// # Errors
    /// When the encoder fails.
    pub fn encode(&self, format: ImageFormat) -> Result<Vec<u8>> {
        let mut out = Vec::new();
        let encoded = match format {
            ImageFormat::Raw => {
                out.clone_from(&self.rgba);
                Ok(())
            }
            ImageFormat::Png => {
                let encoder = PngEncoder::new_with_quality(&mut out, CompressionType::Fast, FilterType::Sub);
                match self.grey() {
                    Some(grey) => encoder.write_image(&grey, self.width, self.height, ExtendedColorType::L8),
                    None => encoder.write_image(&self.rgb(), self.width, self.height, ExtendedColorType::Rgb8),
                }
            }
            ImageFormat::Bmp => {
                self.write_bmp(&mut out);
                Ok(())
            }
        };
        encoded.map_err(|error| Error::Internal {
            what: format!("A picture could not be encoded: {error}."),
        })?;
        Ok(out)
    }

    /// An uncompressed BMP with 24 bits a pixel, what the reader is shown. Written here because the library's encoder
    /// writes byte by byte, which takes longer than drawing the page.
    fn write_bmp(&self, out: &mut Vec<u8>) {
        const HEADERS: u32 = 14 + 40;
        const PIXELS_PER_METRE: u32 = 3_780;
        let row = (3 * self.width).next_multiple_of(4);
        let size = HEADERS + row * self.height;
        out.reserve(size as usize);
        out.extend(b"BM");
        for field in [size, 0, HEADERS, 40, self.width, self.height] {
            out.extend(field.to_le_bytes());
        }
        // One plane of 24 bits.
        out.extend([1, 0, 24, 0]);
        for field in [0, row * self.height, PIXELS_PER_METRE, PIXELS_PER_METRE, 0, 0] {
            out.extend(field.to_le_bytes());
        }
        // Rows from the bottom, each filled up to four bytes.
        for line in self.rgba.chunks_exact(4 * self.width as usize).rev() {
            let start = out.len();
            out.resize(start + row as usize, 0);
            for (to, from) in out[start..].chunks_exact_mut(3).zip(line.chunks_exact(4)) {
                to.copy_from_slice(&[from[2], from[1], from[0]]);
            }
        }
    }

    /// One byte a pixel, where there are no colours: most pages are black on white, and a third of the bytes is written,
    /// handed over and read in a third of the time.
    fn grey(&self) -> Option<Vec<u8>> {
        let mut grey = Vec::with_capacity(self.rgba.len() / 4);
        for pixel in self.rgba.chunks_exact(4) {
            if pixel[0] != pixel[1] || pixel[1] != pixel[2] {
                return None;
            }
            grey.push(pixel[0]);
        }
        Some(grey)
    }

    fn rgb(&self) -> Vec<u8> {
        let mut rgb = vec![0; 3 * self.rgba.len() / 4];
        for (to, from) in rgb.chunks_exact_mut(3).zip(self.rgba.chunks_exact(4)) {
            to.copy_from_slice(&from[..3]);
        }
        rgb
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_huge_wish_is_drawn_at_the_largest_size_allowed() {
        let plan = Plan::new(612.0, 792.0, RenderSize::Scale(1000.0), None).expect("plans");
        assert_eq!(plan.full, (5100, 6600), "600 dots per inch");
        let poster = Plan::new(14_400.0, 14_400.0, RenderSize::Scale(4.0), None).expect("plans");
        assert!(f64::from(poster.full.0) * f64::from(poster.full.1) <= MAX_PIXELS * 1.01);
    }

    #[test]
    fn every_format_holds_the_same_pixels() {
        let coloured = |at: u8| [at, 2 * at, 200 - at, 0xFF];
        let grey = |at: u8| [20 * at, 20 * at, 20 * at, 0xFF];
        // Grey but for its last pixel.
        let nearly_grey = |at: u8| if at == 2 { [1, 1, 2, 0xFF] } else { grey(at) };
        let kinds: [&dyn Fn(u8) -> [u8; 4]; 3] = [&coloured, &grey, &nearly_grey];
        // Widths whose rows need one, two, three and no bytes to be filled up.
        for (width, pixel) in (1..=4_u8).flat_map(|width| kinds.map(|pixel| (width, pixel))) {
            let height = 3;
            let picture = Picture {
                width: width.into(),
                height: height.into(),
                rgba: (0..width * height).flat_map(pixel).collect(),
            };
            for format in [ImageFormat::Bmp, ImageFormat::Png] {
                let bytes = picture.encode(format).expect("encodes");
                let read = image::load_from_memory(&bytes).expect("is a picture").into_rgba8();
                assert_eq!(read.dimensions(), (picture.width, picture.height));
                assert_eq!(read.into_raw(), picture.rgba, "{format:?}, {width} pixels wide");
            }
        }
    }

    #[test]
    fn a_crop_is_drawn_at_the_scale_of_the_whole_page() {
        let crop = Rect::new(100.0, 50.0, 200.0, 80.0);
        let plan = Plan::new(600.0, 800.0, RenderSize::Width(1200), Some(crop)).expect("plans");
        assert_eq!(plan.full, (1200, 1600));
        assert_eq!((plan.window.left, plan.window.top), (200, 100));
        assert_eq!((plan.window.width, plan.window.height), (200, 60));
        assert_eq!(plan.pixels(&crop), [0.0, 0.0, 200.0, 60.0]);
    }

    #[test]
    fn nonsense_sizes_and_crops_are_refused() {
        for size in [
            RenderSize::Scale(0.0),
            RenderSize::Scale(f32::NAN),
            RenderSize::Width(0),
        ] {
            assert!(Plan::new(600.0, 800.0, size, None).is_err());
        }
        let outside = Rect::new(700.0, 0.0, 800.0, 10.0);
        assert!(Plan::new(600.0, 800.0, RenderSize::Scale(1.0), Some(outside)).is_err());
    }

    #[test]
    fn a_hover_card_shows_the_boxes_with_a_margin_but_never_beyond_the_page() {
        let boxes = [Rect::new(5.0, 100.0, 80.0, 110.0), Rect::new(5.0, 112.0, 60.0, 122.0)];
        let crop = crop_around(&boxes, 600.0, 800.0, 12.0).expect("has boxes");
        assert_eq!(crop, Rect::new(0.0, 88.0, 92.0, 134.0));
        assert_eq!(crop_around(&[], 600.0, 800.0, 12.0), None);
    }
}
