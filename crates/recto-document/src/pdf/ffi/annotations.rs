//! What is laid over a page: links, the values of form fields, notes.

use super::{Edges, PdfPage, utf16};
use pdfium_render::prelude::*;
use recto_core::LinkTarget;
use std::ffi::{c_int, c_ulong};

/// Annotations read on one page.
const MAX_ANNOTATIONS: c_int = 5_000;
/// Longest address of a link, in bytes.
const MAX_ADDRESS: usize = 8_192;

// Kinds of actions, annotations and form fields, as in PDFium's headers.
const ACTION_GO_TO: c_ulong = 1;
const ACTION_ADDRESS: c_ulong = 3;
const NOTE: c_int = 1;
const FREE_TEXT: c_int = 3;
const MARKUP_FIRST: c_int = 4;
const MARKUP_LAST: c_int = 13;
const WIDGET: c_int = 20;
const FLAG_HIDDEN: c_int = 1 << 1;
const FLAG_NO_VIEW: c_int = 1 << 5;
const FIELD_COMBO_BOX: c_int = 4;
const FIELD_LIST_BOX: c_int = 5;
const FIELD_TEXT: c_int = 6;

/// Text laid over a page, in the file's own frame.
#[derive(Debug, Clone)]
pub(crate) struct Overlay {
    pub(crate) edges: Edges,
    pub(crate) text: String,
    /// Font size in the file's units, where the file names one.
    pub(crate) size: Option<f64>,
    pub(crate) kind: OverlayKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OverlayKind {
    /// The value of a form field or a text written on the page: part of what a reader sees.
    Visible,
    /// What a note says when it is opened.
    Note,
}

impl PdfPage<'_> {
    /// The links of the page with their place.
    pub(crate) fn links(&self) -> Vec<(Edges, LinkTarget)> {
        let api = self.pdf.api();
        let mut out = Vec::new();
        let mut position: c_int = 0;
        // SAFETY (all calls below): the page is open, out-parameters are ours, handles live as long as the page.
        for _ in 0..MAX_ANNOTATIONS {
            let mut link: FPDF_LINK = std::ptr::null_mut();
            if unsafe { api.FPDFLink_Enumerate(self.handle, &raw mut position, &raw mut link) } == 0 {
                break;
            }
            let mut rect = empty();
            if link.is_null() || unsafe { api.FPDFLink_GetAnnotRect(link, &raw mut rect) } == 0 {
                continue;
            }
            if let Some(target) = self.target(link) {
                out.push((edges(&rect), target));
            }
        }
        out
    }

    fn target(&self, link: FPDF_LINK) -> Option<LinkTarget> {
        let api = self.pdf.api();
        let document = self.pdf.handle;
        // SAFETY: as in `links`, the only caller; buffers are as long as we say.
        unsafe {
            let mut destination = api.FPDFLink_GetDest(document, link);
            if destination.is_null() {
                let action = api.FPDFLink_GetAction(link);
                if action.is_null() {
                    return None;
                }
                match api.FPDFAction_GetType(action) {
                    ACTION_ADDRESS => {
                        let length = api.FPDFAction_GetURIPath(document, action, std::ptr::null_mut(), 0) as usize;
                        if !(2..=MAX_ADDRESS).contains(&length) {
                            return None;
                        }
                        let mut bytes = vec![0u8; length];
                        api.FPDFAction_GetURIPath(document, action, bytes.as_mut_ptr().cast(), length as c_ulong);
                        bytes.retain(|byte| *byte != 0);
                        let address = String::from_utf8_lossy(&bytes).trim().to_owned();
                        return (!address.is_empty()).then_some(LinkTarget::Uri(address));
                    }
                    ACTION_GO_TO => destination = api.FPDFAction_GetDest(document, action),
                    _ => return None,
                }
            }
            if destination.is_null() {
                return None;
            }
            let page = u32::try_from(api.FPDFDest_GetDestPageIndex(document, destination)).ok()?;
            Some(LinkTarget::Page(page + 1))
        }
    }

    /// Values of form fields, texts written over the page, and notes, in the order of the file.
    pub(crate) fn overlays(&self) -> Vec<Overlay> {
        let api = self.pdf.api();
        // SAFETY (all calls below): the page is open; each annotation is closed before the next is opened; the form
        // environment is let go of before its table is dropped.
        let count = unsafe { api.FPDFPage_GetAnnotCount(self.handle) }.min(MAX_ANNOTATIONS);
        let mut out = Vec::new();
        let mut form: Option<Form<'_>> = None;
        for index in 0..count {
            let annotation = unsafe { api.FPDFPage_GetAnnot(self.handle, index) };
            if annotation.is_null() {
                continue;
            }
            out.extend(self.overlay(annotation, &mut form));
            unsafe { api.FPDFPage_CloseAnnot(annotation) };
        }
        out
    }

    fn overlay<'p>(&'p self, annotation: FPDF_ANNOTATION, form: &mut Option<Form<'p>>) -> Option<Overlay> {
        let api = self.pdf.api();
        // SAFETY: `overlays` keeps the annotation open; buffers are as long as we say.
        unsafe {
            let subtype = api.FPDFAnnot_GetSubtype(annotation);
            let flags = api.FPDFAnnot_GetFlags(annotation);
            let mut rect = empty();
            if flags & (FLAG_HIDDEN | FLAG_NO_VIEW) != 0 || api.FPDFAnnot_GetRect(annotation, &raw mut rect) == 0 {
                return None;
            }
            let mut size = None;
            let (text, kind) = match subtype {
                WIDGET => {
                    let form = form.get_or_insert_with(|| Form::new(self)).handle;
                    let field = api.FPDFAnnot_GetFormFieldType(form, annotation);
                    if form.is_null() || ![FIELD_TEXT, FIELD_COMBO_BOX, FIELD_LIST_BOX].contains(&field) {
                        return None;
                    }
                    let mut points = 0.0;
                    if api.FPDFAnnot_GetFontSize(form, annotation, &raw mut points) != 0 && points > 0.0 {
                        size = Some(f64::from(points));
                    }
                    let value = utf16(|buffer, length| {
                        api.FPDFAnnot_GetFormFieldValue(form, annotation, buffer.cast(), length)
                    });
                    (value, OverlayKind::Visible)
                }
                NOTE | FREE_TEXT | MARKUP_FIRST..=MARKUP_LAST => {
                    let contents = utf16(|buffer, length| {
                        api.FPDFAnnot_GetStringValue(annotation, "Contents", buffer.cast(), length)
                    });
                    let visible = subtype == FREE_TEXT;
                    (
                        contents,
                        if visible {
                            OverlayKind::Visible
                        } else {
                            OverlayKind::Note
                        },
                    )
                }
                _ => return None,
            };
            (!text.trim().is_empty()).then(|| Overlay {
                edges: edges(&rect),
                text,
                size,
                kind,
            })
        }
    }
}

/// The form module, which alone knows the values that fields inherit.
struct Form<'p> {
    page: &'p PdfPage<'p>,
    handle: FPDF_FORMHANDLE,
    // The module keeps a pointer to it.
    _table: Box<FPDF_FORMFILLINFO>,
}

impl<'p> Form<'p> {
    fn new(page: &'p PdfPage<'p>) -> Self {
        // SAFETY: every callback may be absent in version 1, so a zeroed table is a valid one; it is boxed, so it stays
        // where it is as long as the module.
        unsafe {
            let mut table: Box<FPDF_FORMFILLINFO> = Box::new(std::mem::zeroed());
            table.version = 1;
            let api = page.pdf.api();
            let handle = api.FPDFDOC_InitFormFillEnvironment(page.pdf.handle, &raw mut *table);
            Self {
                page,
                handle,
                _table: table,
            }
        }
    }
}

impl Drop for Form<'_> {
    fn drop(&mut self) {
        if !self.handle.is_null() {
            // SAFETY: made by `new` and let go of once.
            unsafe { self.page.pdf.api().FPDFDOC_ExitFormFillEnvironment(self.handle) };
        }
    }
}

fn empty() -> FS_RECTF {
    FS_RECTF {
        left: 0.0,
        top: 0.0,
        right: 0.0,
        bottom: 0.0,
    }
}

fn edges(rect: &FS_RECTF) -> Edges {
    Edges {
        left: f64::from(rect.left.min(rect.right)),
        bottom: f64::from(rect.bottom.min(rect.top)),
        right: f64::from(rect.left.max(rect.right)),
        top: f64::from(rect.bottom.max(rect.top)),
    }
}
