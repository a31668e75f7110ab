//! The images of a page: how fine they are, and what they show.

use super::{BITMAP_BGRA, PdfPage};
use pdfium_render::prelude::*;
use std::os::raw::{c_int, c_uint, c_ulong, c_void};

const OBJECT_IMAGE: c_int = 3;
const OBJECT_FORM: c_int = 5;
/// Forms within forms.
const MAX_DEPTH: u32 = 8;
/// Objects looked at.
const MAX_OBJECTS: usize = 40_000;

const BITMAP_GREY: c_int = 1;
const BITMAP_BGR: c_int = 2;
const BITMAP_BGRX: c_int = 3;

/// Pixels of an image, or the JPEG file it is stored as.
#[derive(Debug, Clone)]
pub(crate) enum ImageData {
    Jpeg(Vec<u8>),
    /// Rows of red, green, blue bytes.
    Rgb(Vec<u8>),
}

/// An image on the page.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PlacedImage {
    /// Its corners in the file's own frame.
    pub(crate) corners: [(f64, f64); 4],
    /// Its size in pixels.
    pub(crate) width: u32,
    pub(crate) height: u32,
    object: FPDF_PAGEOBJECT,
}

impl PlacedImage {
    /// Dots per inch along its first side.
    pub(crate) fn dots(&self) -> Option<f64> {
        let [(x0, y0), (x1, y1), ..] = self.corners;
        let inches = (x1 - x0).hypot(y1 - y0) / 72.0;
        (inches > 0.0).then(|| f64::from(self.width) / inches)
    }
}

impl PdfPage<'_> {
    /// The images of the page, those inside forms too, in the order they are drawn.
    pub(crate) fn images(&self) -> Vec<PlacedImage> {
        let api = self.pdf.api();
        let mut finder = Finder {
            api,
            seen: 0,
            out: Vec::new(),
        };
        // SAFETY: the page is open; objects belong to it and are only used while it is.
        let count = unsafe { api.FPDFPage_CountObjects(self.handle) };
        for index in 0..count {
            let object = unsafe { api.FPDFPage_GetObject(self.handle, index) };
            finder.visit(object, &[1.0, 0.0, 0.0, 1.0, 0.0, 0.0], 0);
        }
        finder.out
    }

    /// What an image of this page shows; `None` when it cannot be unpacked.
    pub(crate) fn image_data(&self, image: &PlacedImage) -> Option<ImageData> {
        self.jpeg(image).map(ImageData::Jpeg).or_else(|| self.pixels(image))
    }

    /// The bytes of an image that is stored as a JPEG file and nothing else.
    fn jpeg(&self, image: &PlacedImage) -> Option<Vec<u8>> {
        let api = self.pdf.api();
        // SAFETY (all calls below): the object belongs to this open page; buffers are as long as we say.
        if unsafe { api.FPDFImageObj_GetImageFilterCount(image.object) } != 1 {
            return None;
        }
        let mut name = [0u8; 16];
        let length = unsafe {
            api.FPDFImageObj_GetImageFilter(image.object, 0, name.as_mut_ptr().cast(), name.len() as c_ulong)
        };
        if !matches!(
            name.get(..(length as usize).saturating_sub(1)),
            Some(b"DCTDecode" | b"DCT")
        ) {
            return None;
        }
        let length = unsafe { api.FPDFImageObj_GetImageDataRaw(image.object, std::ptr::null_mut(), 0) };
        let mut bytes = vec![0u8; usize::try_from(length).ok()?];
        unsafe { api.FPDFImageObj_GetImageDataRaw(image.object, bytes.as_mut_ptr().cast::<c_void>(), length) };
        // Four colours are for print: no viewer of pictures shows them right.
        matches!(jpeg_colours(&bytes)?, 1 | 3).then_some(bytes)
    }

    fn pixels(&self, image: &PlacedImage) -> Option<ImageData> {
        let api = self.pdf.api();
        // SAFETY (all calls below): the object belongs to this open page; the bitmap is ours until it is destroyed, and
        // its buffer has `stride` bytes for each of `height` rows.
        unsafe {
            let bitmap = api.FPDFImageObj_GetBitmap(image.object);
            if bitmap.is_null() {
                return None;
            }
            let side = |value: c_int| usize::try_from(value).unwrap_or_default();
            let (width, height) = (
                side(api.FPDFBitmap_GetWidth(bitmap)),
                side(api.FPDFBitmap_GetHeight(bitmap)),
            );
            let stride = side(api.FPDFBitmap_GetStride(bitmap));
            let channels = match api.FPDFBitmap_GetFormat(bitmap) {
                BITMAP_GREY => 1,
                BITMAP_BGR => 3,
                BITMAP_BGRX | BITMAP_BGRA => 4,
                _ => 0,
            };
            let buffer = api.FPDFBitmap_GetBuffer(bitmap).cast::<u8>();
            let fits = channels > 0
                && !buffer.is_null()
                && (width, height) == (image.width as usize, image.height as usize)
                && stride >= width * channels;
            let rgb = fits.then(|| {
                let rows = std::slice::from_raw_parts(buffer, stride * height);
                let mut rgb = Vec::with_capacity(width * height * 3);
                for row in rows.chunks_exact(stride) {
                    for pixel in row[..width * channels].chunks_exact(channels) {
                        rgb.extend(match pixel {
                            [grey] => [*grey; 3],
                            [b, g, r, ..] => [*r, *g, *b],
                            _ => [0; 3],
                        });
                    }
                }
                ImageData::Rgb(rgb)
            });
            api.FPDFBitmap_Destroy(bitmap);
            rgb
        }
    }
}

/// Number of colours of a JPEG file, from its frame header.
fn jpeg_colours(bytes: &[u8]) -> Option<u8> {
    let mut at = 2;
    while bytes.get(at) == Some(&0xFF) {
        let marker = *bytes.get(at + 1)?;
        let is_frame = matches!(marker, 0xC0..=0xCF) && !matches!(marker, 0xC4 | 0xC8 | 0xCC);
        if is_frame {
            return bytes.get(at + 9).copied();
        }
        let length = u16::from_be_bytes([*bytes.get(at + 2)?, *bytes.get(at + 3)?]);
        at += 2 + usize::from(length.max(2));
    }
    None
}

struct Finder<'a> {
    api: &'a dyn PdfiumLibraryBindings,
    seen: usize,
    out: Vec<PlacedImage>,
}

impl Finder<'_> {
    fn visit(&mut self, object: FPDF_PAGEOBJECT, outer: &[f64; 6], depth: u32) {
        self.seen += 1;
        if object.is_null() || self.seen > MAX_OBJECTS {
            return;
        }
        // SAFETY (all calls below): the object belongs to the open page, out-parameters are ours.
        match unsafe { self.api.FPDFPageObj_GetType(object) } {
            OBJECT_IMAGE => {
                let matrix = self.matrix(object, outer);
                let (mut width, mut height): (c_uint, c_uint) = (0, 0);
                unsafe {
                    self.api
                        .FPDFImageObj_GetImagePixelSize(object, &raw mut width, &raw mut height);
                };
                let at = |x: f64, y: f64| {
                    let [a, b, c, d, e, f] = matrix;
                    (a * x + c * y + e, b * x + d * y + f)
                };
                self.out.push(PlacedImage {
                    corners: [at(0.0, 0.0), at(1.0, 0.0), at(1.0, 1.0), at(0.0, 1.0)],
                    width,
                    height,
                    object,
                });
            }
            OBJECT_FORM if depth < MAX_DEPTH => {
                let matrix = self.matrix(object, outer);
                let count = unsafe { self.api.FPDFFormObj_CountObjects(object) }.max(0);
                for index in 0..count {
                    let Ok(index) = c_ulong::try_from(index) else { continue };
                    let inner = unsafe { self.api.FPDFFormObj_GetObject(object, index) };
                    self.visit(inner, &matrix, depth + 1);
                }
            }
            _ => {}
        }
    }

    /// The object's own matrix, then that of what it is in.
    fn matrix(&self, object: FPDF_PAGEOBJECT, outer: &[f64; 6]) -> [f64; 6] {
        let mut m = FS_MATRIX {
            a: 1.0,
            b: 0.0,
            c: 0.0,
            d: 1.0,
            e: 0.0,
            f: 0.0,
        };
        // SAFETY: the object belongs to the open page, `m` is ours.
        unsafe { self.api.FPDFPageObj_GetMatrix(object, &raw mut m) };
        let [a, b, c, d, e, f] = [m.a, m.b, m.c, m.d, m.e, m.f].map(f64::from);
        let [oa, ob, oc, od, oe, of] = *outer;
        [
            a * oa + b * oc,
            a * ob + b * od,
            c * oa + d * oc,
            c * ob + d * od,
            e * oa + f * oc + oe,
            e * ob + f * od + of,
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_colours_of_a_jpeg_are_in_its_frame_header() {
        let frame = |colours| {
            [
                &b"\xff\xd8\xff\xe0\0\x04ab\xff\xc2\0\x11\x08\0\x10\0\x10"[..],
                &[colours],
            ]
            .concat()
        };
        assert_eq!(jpeg_colours(&frame(3)), Some(3));
        assert_eq!(jpeg_colours(&frame(4)), Some(4));
        assert_eq!(jpeg_colours(b"\xff\xd8\xff\xe0\0"), None);
    }
}
