//! The one place that talks to PDFium.
//!
//! PDFium is not thread-safe: an open [`Pdf`] holds the lock of the library, so a second document waits. Everything
//! here is in the file's own units and frame (origin bottom left, crop box and rotation not applied); `super::frame`
//! turns it into the displayed page.
#![allow(unsafe_code)]

mod annotations;
mod attachments;
mod images;
mod objects;
mod tags;

pub(crate) use annotations::{Overlay, OverlayKind};
pub(crate) use attachments::Embedded;
pub(crate) use images::ImageData;
pub(crate) use objects::{Colour, RawObject, RawPath, Segment, SegmentKind};

use super::repair;
use crate::error::{Error, Result};
use pdfium_render::prelude::*;
use recto_assets::Assets;
use recto_core::Bookmark;
use std::collections::{HashMap, HashSet};
use std::ffi::{c_int, c_ulong, c_void};
use std::marker::PhantomData;
use std::ptr;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// Bookmarks read at most; a damaged outline can be endless.
const MAX_BOOKMARKS: usize = 20_000;
/// Depth of bookmarks read at most.
const MAX_BOOKMARK_DEPTH: u32 = 32;

const ERROR_PASSWORD: c_ulong = 4;
const ERROR_SECURITY: c_ulong = 5;

const BITMAP_BGRA: c_int = 4;
const RENDER_ANNOTATIONS: c_int = 0x01;

struct Library(Box<dyn PdfiumLibraryBindings>);

// SAFETY: the bindings are a library handle and function pointers. They are reached only through the mutex below, so
// one thread at a time is inside PDFium, which is what PDFium asks for; it keeps nothing in thread-local storage.
unsafe impl Send for Library {}

fn library() -> Result<MutexGuard<'static, Library>> {
    static LIBRARY: OnceLock<Result<Mutex<Library>, String>> = OnceLock::new();
    let library = LIBRARY.get_or_init(|| {
        let load = || -> Result<Library> {
            let missing = |error: recto_core::Error| Error::AssetMissing { what: error.message };
            let path = Assets::find()
                .and_then(|assets| assets.library("pdfium"))
                .map_err(missing)?;
            let bindings = Pdfium::bind_to_library(&path).map_err(|error| Error::AssetMissing {
                what: format!(
                    "The PDF library {} cannot be loaded: {error}. Run ./scripts/setup to fetch it again.",
                    path.display()
                ),
            })?;
            // SAFETY: called once, before any other function of the library.
            unsafe { bindings.FPDF_InitLibrary() };
            Ok(Library(bindings))
        };
        load().map(Mutex::new).map_err(|error| match error {
            Error::AssetMissing { what } => what,
            other => other.to_string(),
        })
    });
    match library {
        // A panic while the lock was held left PDFium's own state alone: it happened in our code.
        Ok(mutex) => Ok(mutex.lock().unwrap_or_else(PoisonError::into_inner)),
        Err(what) => Err(Error::AssetMissing { what: what.clone() }),
    }
}

/// An open PDF.
pub(crate) struct Pdf<'b> {
    handle: FPDF_DOCUMENT,
    library: MutexGuard<'static, Library>,
    /// The bytes the document is really read from when the file had to be repaired.
    _repaired: Option<Vec<u8>>,
    bytes: PhantomData<&'b [u8]>,
}

impl Drop for Pdf<'_> {
    fn drop(&mut self) {
        // SAFETY: the handle came from the library, is closed once, and pages cannot outlive `self`.
        unsafe { self.library.0.FPDF_CloseDocument(self.handle) };
    }
}

impl<'b> Pdf<'b> {
    /// Opens a document.
    ///
    /// # Errors
    /// A password is missing or wrong, the bytes are damaged, or the library is missing.
    pub(crate) fn open(bytes: &'b [u8], password: Option<&str>) -> Result<Self> {
        let library = library()?;
        let load = |bytes: &[u8], password: Option<&str>| {
            // SAFETY: the document borrows the bytes; they outlive it, being the caller's or kept beside the handle.
            let handle = unsafe { library.0.FPDF_LoadMemDocument64(bytes, password) };
            if !handle.is_null() {
                return Ok(handle);
            }
            // SAFETY: no arguments.
            Err(unsafe { library.0.FPDF_GetLastError() })
        };
        let mut repaired = None;
        let handle = match load(bytes, password) {
            // A password for a file that needs none is no reason to refuse it.
            Err(ERROR_PASSWORD) if password.is_some() => load(bytes, None).map_err(|_| Error::PasswordWrong)?,
            Err(ERROR_PASSWORD) => return Err(Error::PasswordRequired),
            Err(ERROR_SECURITY) => {
                return Err(Error::UnsupportedType {
                    detected: "PDF with an unknown kind of encryption".into(),
                });
            }
            Err(_) => {
                let damaged = || Error::Damaged {
                    what: "it is not a readable PDF".into(),
                };
                let again = repaired.insert(repair::with_trailer(bytes).ok_or_else(damaged)?);
                load(again, None).map_err(|_| damaged())?
            }
            Ok(handle) => handle,
        };
        Ok(Self {
            handle,
            library,
            _repaired: repaired,
            bytes: PhantomData,
        })
    }

    fn api(&self) -> &dyn PdfiumLibraryBindings {
        self.library.0.as_ref()
    }

    /// Number of pages.
    pub(crate) fn page_count(&self) -> u32 {
        // SAFETY: the handle is open.
        u32::try_from(unsafe { self.api().FPDF_GetPageCount(self.handle) }).unwrap_or(0)
    }

    /// Opens the page with this 0-based index; `None` when it is damaged.
    pub(crate) fn page(&self, index: u32) -> Option<PdfPage<'_>> {
        let index = c_int::try_from(index).ok()?;
        // SAFETY: the handle is open; the page borrows the document.
        let open = || {
            let handle = unsafe { self.api().FPDF_LoadPage(self.handle, index) };
            (!handle.is_null()).then_some(PdfPage { pdf: self, handle })
        };
        let page = open()?;
        if !page.bounds().is_empty() {
            return Some(page);
        }
        // A crop box outside the media box leaves nothing to show; readers then show the whole page.
        page.uncrop();
        drop(page);
        open().filter(|page| !page.bounds().is_empty())
    }

    /// A metadata entry, trimmed; `None` when it is missing or blank.
    pub(crate) fn metadata(&self, tag: &str) -> Option<String> {
        // SAFETY: the buffer is as long as we say.
        let text = utf16(|buffer, length| unsafe { self.api().FPDF_GetMetaText(self.handle, tag, buffer, length) });
        let text = text.trim();
        (!text.is_empty()).then(|| text.to_owned())
    }

    /// The label in `/PageLabels` of the page with this 0-based index.
    pub(crate) fn page_label(&self, index: u32) -> Option<String> {
        let index = c_int::try_from(index).ok()?;
        // SAFETY: the buffer is as long as we say.
        let text = utf16(|buffer, length| unsafe { self.api().FPDF_GetPageLabel(self.handle, index, buffer, length) });
        let text = text.trim();
        (!text.is_empty()).then(|| text.to_owned())
    }

    /// The file's outline, in order.
    pub(crate) fn bookmarks(&self) -> Vec<Bookmark> {
        let mut out = Vec::new();
        let mut seen = HashSet::new();
        self.bookmarks_below(ptr::null_mut(), 0, &mut seen, &mut out);
        out
    }

    fn bookmarks_below(&self, parent: FPDF_BOOKMARK, level: u32, seen: &mut HashSet<usize>, out: &mut Vec<Bookmark>) {
        if level > MAX_BOOKMARK_DEPTH {
            return;
        }
        let api = self.api();
        // SAFETY (all calls below): handles come from the library and live as long as the document.
        let mut entry = unsafe { api.FPDFBookmark_GetFirstChild(self.handle, parent) };
        // Outlines of damaged files run in circles.
        while !entry.is_null() && seen.insert(entry as usize) && out.len() < MAX_BOOKMARKS {
            let title = utf16(|buffer, length| unsafe { api.FPDFBookmark_GetTitle(entry, buffer, length) });
            let mut target = unsafe { api.FPDFBookmark_GetDest(self.handle, entry) };
            if target.is_null() {
                let action = unsafe { api.FPDFBookmark_GetAction(entry) };
                if !action.is_null() {
                    target = unsafe { api.FPDFAction_GetDest(self.handle, action) };
                }
            }
            let page = if target.is_null() {
                None
            } else {
                u32::try_from(unsafe { api.FPDFDest_GetDestPageIndex(self.handle, target) }).ok()
            };
            let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
            if !title.is_empty() {
                out.push(Bookmark {
                    level,
                    title,
                    page: page.map(|index| index + 1),
                });
            }
            self.bookmarks_below(entry, level + 1, seen, out);
            entry = unsafe { api.FPDFBookmark_GetNextSibling(self.handle, entry) };
        }
    }
}

/// Reads a UTF-16LE string by the two-call convention: ask for the length in bytes, then for the bytes.
fn utf16(mut read: impl FnMut(*mut c_void, c_ulong) -> c_ulong) -> String {
    let length = read(ptr::null_mut(), 0) as usize;
    if !(2..=1 << 20).contains(&length) {
        return String::new();
    }
    let mut units = vec![0u16; length.div_ceil(2)];
    read(units.as_mut_ptr().cast(), length as c_ulong);
    while units.last() == Some(&0) {
        units.pop();
    }
    char::decode_utf16(units)
        .filter_map(std::result::Result::ok)
        .filter(|c| !c.is_control())
        .collect()
}

/// Edges in the file's own frame, y up.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Edges {
    pub(crate) left: f64,
    pub(crate) bottom: f64,
    pub(crate) right: f64,
    pub(crate) top: f64,
}

impl Edges {
    fn is_empty(&self) -> bool {
        let area = (self.right - self.left) * (self.top - self.bottom);
        !(area.is_finite() && area > 0.0)
    }
}

/// A character as PDFium reports it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RawGlyph {
    /// The character; `None` for what PDFium could not decode.
    pub(crate) character: Option<char>,
    /// Index into [`PageText::runs`]; `None` for characters PDFium made up.
    pub(crate) run: Option<u32>,
    /// Around the ink.
    pub(crate) ink: Edges,
    /// From the glyph's origin to where the next one would begin, from the font's ascent to its descent.
    pub(crate) advance: Edges,
    /// Where the glyph stands on its baseline.
    pub(crate) origin: (f64, f64),
}

/// What the characters of one text object share.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Run {
    /// Index into [`PageText::fonts`].
    pub(crate) font: u32,
    /// Font size before the matrix.
    pub(crate) size: f64,
    /// `[a, b, c, d]` of the text matrix.
    pub(crate) matrix: [f64; 4],
    /// Fill colour, `0xRRGGBB`.
    pub(crate) colour: u32,
    /// The marked content it belongs to, by which the file's tags refer to it.
    pub(crate) marked: Option<u32>,
}

/// A font of the page.
#[derive(Debug, Clone, Default)]
pub(crate) struct Font {
    /// Stands for the name of the face, the same on every page.
    pub(crate) face: u32,
    pub(crate) bold: bool,
    pub(crate) italic: bool,
    pub(crate) fixed_pitch: bool,
    /// For a size of one; 0 when unknown.
    pub(crate) ascent: f64,
    /// For a size of one, downwards negative; 0 when unknown.
    pub(crate) descent: f64,
}

/// All characters of a page, in the order of the content stream.
#[derive(Debug, Default)]
pub(crate) struct PageText {
    pub(crate) glyphs: Vec<RawGlyph>,
    pub(crate) runs: Vec<Run>,
    pub(crate) fonts: Vec<Font>,
}

/// An open page.
pub(crate) struct PdfPage<'p> {
    pdf: &'p Pdf<'p>,
    handle: FPDF_PAGE,
}

impl Drop for PdfPage<'_> {
    fn drop(&mut self) {
        // SAFETY: opened by us and closed once; nothing else of the page is kept.
        unsafe { self.pdf.api().FPDF_ClosePage(self.handle) };
    }
}

impl PdfPage<'_> {
    /// The displayed part of the page: the crop box within the media box.
    pub(crate) fn bounds(&self) -> Edges {
        let mut rect = FS_RECTF {
            left: 0.0,
            top: 0.0,
            right: 0.0,
            bottom: 0.0,
        };
        // SAFETY: `rect` is ours.
        unsafe { self.pdf.api().FPDF_GetPageBoundingBox(self.handle, &raw mut rect) };
        Edges {
            left: f64::from(rect.left.min(rect.right)),
            bottom: f64::from(rect.bottom.min(rect.top)),
            right: f64::from(rect.left.max(rect.right)),
            top: f64::from(rect.bottom.max(rect.top)),
        }
    }

    /// Makes the media box the crop box, for whoever opens the page again.
    fn uncrop(&self) {
        let api = self.pdf.api();
        let (mut left, mut bottom, mut right, mut top) = (0.0, 0.0, 612.0, 792.0);
        // SAFETY: the page is open, the out-parameters are ours.
        unsafe {
            api.FPDFPage_GetMediaBox(
                self.handle,
                &raw mut left,
                &raw mut bottom,
                &raw mut right,
                &raw mut top,
            );
            api.FPDFPage_SetCropBox(self.handle, left, bottom, right, top);
        }
    }

    /// Quarter turns clockwise, 0 to 3.
    pub(crate) fn quarter_turns(&self) -> u8 {
        // SAFETY: the page is open.
        let turns = unsafe { self.pdf.api().FPDFPage_GetRotation(self.handle) };
        u8::try_from(turns.rem_euclid(4)).unwrap_or(0)
    }

    /// The page's characters. Stops after `limit` of them.
    pub(crate) fn text(&self, limit: usize) -> PageText {
        let api = self.pdf.api();
        // SAFETY (all calls below): handles come from the library; out-parameters are ours; the text page is closed at
        // the end, and text objects and fonts are only used while page and text page are open.
        let text_page = unsafe { api.FPDFText_LoadPage(self.handle) };
        let mut out = PageText::default();
        if text_page.is_null() {
            return out;
        }
        let count = unsafe { api.FPDFText_CountChars(text_page) }.max(0);
        let count = count.min(c_int::try_from(limit).unwrap_or(c_int::MAX));
        out.glyphs.reserve(usize::try_from(count).unwrap_or(0));
        let mut runs: HashMap<usize, u32> = HashMap::new();
        let mut fonts: HashMap<usize, u32> = HashMap::new();
        let mut last: (usize, Option<u32>) = (0, None);
        let mut high_surrogate: Option<u32> = None;
        for index in 0..count {
            let code = unsafe { api.FPDFText_GetUnicode(text_page, index) };
            if (0xD800..0xDC00).contains(&code) {
                high_surrogate = Some(code);
                continue;
            }
            let code = match high_surrogate.take() {
                Some(high) if (0xDC00..0xE000).contains(&code) => 0x10000 + ((high - 0xD800) << 10) + (code - 0xDC00),
                _ => code,
            };
            let object = unsafe { api.FPDFText_GetTextObject(text_page, index) };
            let run = if object.is_null() || unsafe { api.FPDFText_IsGenerated(text_page, index) } == 1 {
                None
            } else if last.0 == object as usize {
                last.1
            } else {
                let run = *runs.entry(object as usize).or_insert_with(|| {
                    let run = read_run(api, text_page, index, object, &mut fonts, &mut out.fonts);
                    out.runs.push(run);
                    u32::try_from(out.runs.len() - 1).unwrap_or(u32::MAX)
                });
                last = (object as usize, Some(run));
                last.1
            };
            let character = match code {
                // PDFium's mark for a hyphen at the end of a line.
                0x02 | 0xFFFE => Some('-'),
                0 => None,
                code => char::from_u32(code),
            };
            let mut glyph = RawGlyph {
                character,
                run,
                ink: Edges::default(),
                advance: Edges::default(),
                origin: (0.0, 0.0),
            };
            if run.is_some() {
                let ink = &mut glyph.ink;
                unsafe {
                    api.FPDFText_GetCharBox(
                        text_page,
                        index,
                        &raw mut ink.left,
                        &raw mut ink.right,
                        &raw mut ink.bottom,
                        &raw mut ink.top,
                    );
                    api.FPDFText_GetCharOrigin(text_page, index, &raw mut glyph.origin.0, &raw mut glyph.origin.1);
                }
                let mut rect = FS_RECTF {
                    left: 0.0,
                    top: 0.0,
                    right: 0.0,
                    bottom: 0.0,
                };
                if unsafe { api.FPDFText_GetLooseCharBox(text_page, index, &raw mut rect) } != 0 {
                    glyph.advance = Edges {
                        left: f64::from(rect.left),
                        bottom: f64::from(rect.bottom),
                        right: f64::from(rect.right),
                        top: f64::from(rect.top),
                    };
                }
            }
            out.glyphs.push(glyph);
        }
        unsafe { api.FPDFText_ClosePage(text_page) };
        out
    }

    /// Draws the part `window` of the page drawn at `full` size, white where it is empty, as rows of BGRA from the top.
    ///
    /// # Errors
    /// When the bitmap cannot be made.
    pub(crate) fn draw(&self, full: (u32, u32), window: &Window) -> Result<Vec<u8>> {
        let api = self.pdf.api();
        let too_large = || Error::TooLarge {
            what: format!(
                "a picture of {} × {} pixels does not fit into memory",
                window.width, window.height
            ),
        };
        let int = |value: u32| c_int::try_from(value).map_err(|_| too_large());
        let (width, height) = (int(window.width)?, int(window.height)?);
        let (left, top) = (-int(window.left)?, -int(window.top)?);
        let (full_width, full_height) = (int(full.0)?, int(full.1)?);
        let bytes = (window.width as usize)
            .checked_mul(window.height as usize)
            .and_then(|n| n.checked_mul(4));
        let bytes = bytes.ok_or_else(too_large)?;
        let mut pixels: Vec<u8> = Vec::new();
        pixels.try_reserve_exact(bytes).map_err(|_| too_large())?;
        pixels.resize(bytes, 0xFF);
        let flags = RENDER_ANNOTATIONS;
        // SAFETY: the buffer has `width * 4` bytes for each of `height` rows and outlives the bitmap; the form
        // environment is told about the page before it draws and is let go of before `form` is dropped.
        unsafe {
            let bitmap = api.FPDFBitmap_CreateEx(width, height, BITMAP_BGRA, pixels.as_mut_ptr().cast(), width * 4);
            if bitmap.is_null() {
                return Err(too_large());
            }
            api.FPDF_RenderPageBitmap(bitmap, self.handle, left, top, full_width, full_height, 0, flags);
            // Values of form fields are drawn by the form module only. Every callback may be absent in version 1, so a
            // zeroed table is a valid one.
            let mut form: Box<FPDF_FORMFILLINFO> = Box::new(std::mem::zeroed());
            form.version = 1;
            let environment = api.FPDFDOC_InitFormFillEnvironment(self.pdf.handle, &raw mut *form);
            if !environment.is_null() {
                api.FORM_OnAfterLoadPage(self.handle, environment);
                api.FPDF_FFLDraw(
                    environment,
                    bitmap,
                    self.handle,
                    left,
                    top,
                    full_width,
                    full_height,
                    0,
                    flags,
                );
                api.FORM_OnBeforeClosePage(self.handle, environment);
                api.FPDFDOC_ExitFormFillEnvironment(environment);
            }
            api.FPDFBitmap_Destroy(bitmap);
        }
        Ok(pixels)
    }
}

/// A part of a drawn page, in pixels from its top left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Window {
    pub(crate) left: u32,
    pub(crate) top: u32,
    pub(crate) width: u32,
    pub(crate) height: u32,
}

fn read_run(
    api: &dyn PdfiumLibraryBindings,
    text_page: FPDF_TEXTPAGE,
    index: c_int,
    object: FPDF_PAGEOBJECT,
    known: &mut HashMap<usize, u32>,
    fonts: &mut Vec<Font>,
) -> Run {
    // SAFETY: as in `PdfPage::text`, the only caller.
    unsafe {
        let mut matrix = FS_MATRIX {
            a: 1.0,
            b: 0.0,
            c: 0.0,
            d: 1.0,
            e: 0.0,
            f: 0.0,
        };
        api.FPDFText_GetMatrix(text_page, index, &raw mut matrix);
        let (mut red, mut green, mut blue, mut alpha) = (0, 0, 0, 0);
        api.FPDFPageObj_GetFillColor(object, &raw mut red, &raw mut green, &raw mut blue, &raw mut alpha);
        let handle = api.FPDFTextObj_GetFont(object);
        let font = *known.entry(handle as usize).or_insert_with(|| {
            fonts.push(if handle.is_null() {
                Font::default()
            } else {
                read_font(api, handle)
            });
            u32::try_from(fonts.len() - 1).unwrap_or(u32::MAX)
        });
        Run {
            font,
            size: api.FPDFText_GetFontSize(text_page, index).abs(),
            matrix: [matrix.a, matrix.b, matrix.c, matrix.d].map(f64::from),
            colour: (red << 16 | green << 8 | blue) & 0x00FF_FFFF,
            marked: u32::try_from(api.FPDFPageObj_GetMarkedContentID(object)).ok(),
        }
    }
}

/// A number for the name of a face, without the tag of a subset (`ABCDEF+`); FNV-1a.
fn face(name: &str) -> u32 {
    let name = name.split_once('+').map_or(name, |(_, name)| name);
    name.bytes().fold(0x811C_9DC5, |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    })
}

/// # Safety
/// `handle` must be a font of an open page.
unsafe fn read_font(api: &dyn PdfiumLibraryBindings, handle: FPDF_FONT) -> Font {
    const FIXED_PITCH: c_int = 1;
    const ITALIC: c_int = 1 << 6;
    const FORCE_BOLD: c_int = 1 << 18;
    // SAFETY: the caller promises an open font; buffers are as long as we say.
    unsafe {
        let mut buffer = [0u8; 256];
        let length = api.FPDFFont_GetBaseFontName(handle, buffer.as_mut_ptr().cast(), buffer.len());
        let name = String::from_utf8_lossy(&buffer[..length.min(buffer.len())]).to_lowercase();
        let flags = api.FPDFFont_GetFlags(handle).max(0);
        let weight = api.FPDFFont_GetWeight(handle);
        let mut ascent = 0.0f32;
        let mut descent = 0.0f32;
        api.FPDFFont_GetAscent(handle, 1.0, &raw mut ascent);
        api.FPDFFont_GetDescent(handle, 1.0, &raw mut descent);
        let has = |parts: &[&str]| parts.iter().any(|part| name.contains(part));
        let light = has(&["light", "thin"]);
        Font {
            face: face(&name),
            bold: !light
                && (has(&["bold", "black", "heavy"])
                    || name.ends_with("-bd")
                    || flags & FORCE_BOLD != 0
                    || weight >= 650),
            italic: has(&["italic", "oblique"]) || flags & ITALIC != 0,
            fixed_pitch: flags & FIXED_PITCH != 0 || has(&["courier", "mono", "consol"]),
            ascent: f64::from(ascent),
            descent: f64::from(descent),
        }
    }
}
