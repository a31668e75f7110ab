//! The images of a page: how fine they are.

use super::PdfPage;
use pdfium_render::prelude::*;
use std::os::raw::{c_int, c_uint, c_ulong};

const OBJECT_IMAGE: c_int = 3;
const OBJECT_FORM: c_int = 5;
/// Forms within forms.
const MAX_DEPTH: u32 = 8;
/// Objects looked at.
const MAX_OBJECTS: usize = 20_000;

impl PdfPage<'_> {
    /// Dots per inch of the largest image on the page, in pixels across; `None` without images.
    pub(crate) fn finest_image(&self) -> Option<f64> {
        let api = self.pdf.api();
        // SAFETY: the page is open; objects belong to it and are only used while it is.
        let count = unsafe { api.FPDFPage_CountObjects(self.handle) };
        let mut finder = Finder {
            api,
            seen: 0,
            best: None,
        };
        for index in 0..count {
            let object = unsafe { api.FPDFPage_GetObject(self.handle, index) };
            finder.visit(object, 1.0, 0);
        }
        finder.best.map(|(_, dots)| dots)
    }
}

struct Finder<'a> {
    api: &'a dyn PdfiumLibraryBindings,
    seen: usize,
    /// Pixels and dots per inch of the largest so far.
    best: Option<(u64, f64)>,
}

impl Finder<'_> {
    fn visit(&mut self, object: FPDF_PAGEOBJECT, scale: f64, depth: u32) {
        self.seen += 1;
        if object.is_null() || self.seen > MAX_OBJECTS {
            return;
        }
        let mut matrix = FS_MATRIX {
            a: 1.0,
            b: 0.0,
            c: 0.0,
            d: 1.0,
            e: 0.0,
            f: 0.0,
        };
        // SAFETY (all calls below): the object belongs to the open page, out-parameters are ours.
        unsafe { self.api.FPDFPageObj_GetMatrix(object, &raw mut matrix) };
        let across = f64::from(matrix.a).hypot(f64::from(matrix.b)) * scale;
        match unsafe { self.api.FPDFPageObj_GetType(object) } {
            OBJECT_IMAGE => {
                let (mut width, mut height): (c_uint, c_uint) = (0, 0);
                unsafe {
                    self.api
                        .FPDFImageObj_GetImagePixelSize(object, &raw mut width, &raw mut height);
                };
                let pixels = u64::from(width) * u64::from(height);
                if across > 0.0 && self.best.is_none_or(|(most, _)| pixels > most) {
                    self.best = Some((pixels, f64::from(width) / across * 72.0));
                }
            }
            OBJECT_FORM if depth < MAX_DEPTH => {
                let count = unsafe { self.api.FPDFFormObj_CountObjects(object) }.max(0);
                for index in 0..count {
                    let Ok(index) = c_ulong::try_from(index) else { continue };
                    let inner = unsafe { self.api.FPDFFormObj_GetObject(object, index) };
                    self.visit(inner, across, depth + 1);
                }
            }
            _ => {}
        }
    }
}
