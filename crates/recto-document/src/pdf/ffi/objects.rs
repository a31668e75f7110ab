//! What is drawn on a page beside its text: paths and images, those inside form `XObjects` too.

use super::{Edges, PdfPage};
use pdfium_render::prelude::*;
use std::os::raw::{c_int, c_ulong};

/// Objects looked at on one page; maps and plots have hundreds of thousands, and no table needs them.
const MAX_OBJECTS: usize = 40_000;
/// Path segments read on one page.
const MAX_SEGMENTS: usize = 120_000;
/// Segments of one path; a longer one is a drawing of which only the bounds matter.
const MAX_PATH_SEGMENTS: c_int = 6_000;
/// Segments of one clipping path; a longer one clips along a curve.
const MAX_CLIP_SEGMENTS: c_int = 24;
/// Forms within forms.
const MAX_DEPTH: u32 = 8;

// Kinds of objects and of path segments, as in PDFium's headers.
const OBJECT_PATH: c_int = 2;
const OBJECT_IMAGE: c_int = 3;
const OBJECT_SHADING: c_int = 4;
const OBJECT_FORM: c_int = 5;
const SEGMENT_LINE: c_int = 0;
const SEGMENT_MOVE: c_int = 2;

/// Red, green, blue and opacity.
pub(crate) type Colour = [u8; 4];

/// An object drawn on the page, in the file's own frame.
#[derive(Debug, Clone)]
pub(crate) enum RawObject {
    Path(RawPath),
    /// The four corners of an image.
    Image([(f64, f64); 4], Option<Edges>),
    /// The hull of something else that leaves ink: a shading, an endless path.
    Other(Edges, Option<Edges>),
}

/// A path that is filled, stroked or both.
#[derive(Debug, Clone)]
pub(crate) struct RawPath {
    pub(crate) segments: Vec<Segment>,
    pub(crate) fill: Option<Colour>,
    /// Colour and width of the line.
    pub(crate) stroke: Option<(Colour, f64)>,
    /// Outside of it nothing is drawn.
    pub(crate) clip: Option<Edges>,
}

/// A step of a path.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Segment {
    pub(crate) kind: SegmentKind,
    pub(crate) x: f64,
    pub(crate) y: f64,
    /// Whether the subpath is closed after this step.
    pub(crate) closes: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SegmentKind {
    Move,
    Line,
    Curve,
}

/// `[a, b, c, d, e, f]` as in the PDF reference.
#[derive(Debug, Clone, Copy)]
struct Matrix([f64; 6]);

impl Matrix {
    const IDENTITY: Self = Self([1.0, 0.0, 0.0, 1.0, 0.0, 0.0]);

    fn apply(&self, x: f64, y: f64) -> (f64, f64) {
        let [a, b, c, d, e, f] = self.0;
        (a * x + c * y + e, b * x + d * y + f)
    }

    /// First `self`, then `outer`.
    fn then(&self, outer: &Self) -> Self {
        let [a, b, c, d, e, f] = self.0;
        let [oa, ob, oc, od, oe, of] = outer.0;
        Self([
            a * oa + b * oc,
            a * ob + b * od,
            c * oa + d * oc,
            c * ob + d * od,
            e * oa + f * oc + oe,
            e * ob + f * od + of,
        ])
    }

    /// By how much lines get thicker.
    fn scale(&self) -> f64 {
        let [a, b, c, d, _, _] = self.0;
        (a * d - b * c).abs().sqrt()
    }

    fn hull(&self, edges: &Edges) -> Edges {
        let corners = [
            self.apply(edges.left, edges.bottom),
            self.apply(edges.right, edges.bottom),
            self.apply(edges.left, edges.top),
            self.apply(edges.right, edges.top),
        ];
        hull(corners.into_iter())
    }
}

fn hull(points: impl Iterator<Item = (f64, f64)>) -> Edges {
    let mut out = Edges {
        left: f64::INFINITY,
        bottom: f64::INFINITY,
        right: f64::NEG_INFINITY,
        top: f64::NEG_INFINITY,
    };
    for (x, y) in points {
        out.left = out.left.min(x);
        out.right = out.right.max(x);
        out.bottom = out.bottom.min(y);
        out.top = out.top.max(y);
    }
    out
}

impl PdfPage<'_> {
    /// The paths and images of the page in the order they are drawn. Stops at a bound: what comes later is left out.
    pub(crate) fn objects(&self) -> Vec<RawObject> {
        let api = self.pdf.api();
        let mut reader = Reader {
            api,
            seen: 0,
            segments: 0,
            out: Vec::new(),
        };
        // SAFETY: the page is open; objects belong to it and are only used while it is.
        let count = unsafe { api.FPDFPage_CountObjects(self.handle) };
        for index in 0..count {
            let object = unsafe { api.FPDFPage_GetObject(self.handle, index) };
            if !reader.read(object, &Matrix::IDENTITY, None, 0) {
                break;
            }
        }
        reader.out
    }
}

struct Reader<'a> {
    api: &'a dyn PdfiumLibraryBindings,
    seen: usize,
    segments: usize,
    out: Vec<RawObject>,
}

impl Reader<'_> {
    /// Reads one object, which `outer` puts on the page; `false` when enough has been read.
    fn read(&mut self, object: FPDF_PAGEOBJECT, outer: &Matrix, clip: Option<Edges>, depth: u32) -> bool {
        self.seen += 1;
        if self.seen > MAX_OBJECTS || self.segments > MAX_SEGMENTS {
            return false;
        }
        if object.is_null() {
            return true;
        }
        // SAFETY: the object belongs to the open page.
        match unsafe { self.api.FPDFPageObj_GetType(object) } {
            OBJECT_PATH => self.path(object, outer, clip),
            OBJECT_IMAGE => {
                let matrix = self.matrix(object).then(outer);
                let corners = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)].map(|(x, y)| matrix.apply(x, y));
                let clip = self.clip(object, outer, clip);
                self.out.push(RawObject::Image(corners, clip));
            }
            OBJECT_SHADING => {
                if let Some(bounds) = self.bounds(object) {
                    let clip = self.clip(object, outer, clip);
                    self.out.push(RawObject::Other(outer.hull(&bounds), clip));
                }
            }
            OBJECT_FORM if depth < MAX_DEPTH => {
                let clip = self.clip(object, outer, clip);
                let matrix = self.matrix(object).then(outer);
                // SAFETY: the object is a form of the open page.
                let count = unsafe { self.api.FPDFFormObj_CountObjects(object) }.max(0);
                for index in 0..count {
                    let Ok(index) = c_ulong::try_from(index) else { continue };
                    let inner = unsafe { self.api.FPDFFormObj_GetObject(object, index) };
                    if !self.read(inner, &matrix, clip, depth + 1) {
                        return false;
                    }
                }
            }
            _ => {}
        }
        true
    }

    fn path(&mut self, object: FPDF_PAGEOBJECT, outer: &Matrix, clip: Option<Edges>) {
        let api = self.api;
        let (mut fill_mode, mut strokes) = (0, 0);
        // SAFETY (all calls below): the object is a path of the open page, out-parameters are ours.
        if unsafe { api.FPDFPath_GetDrawMode(object, &raw mut fill_mode, &raw mut strokes) } == 0 {
            return;
        }
        let fill = (fill_mode != 0).then(|| self.colour(object, true)).flatten();
        let mut stroke = (strokes != 0)
            .then(|| self.colour(object, false))
            .flatten()
            .map(|c| (c, 0.0));
        if fill.is_none() && stroke.is_none() {
            return;
        }
        let matrix = self.matrix(object).then(outer);
        if let Some((_, width)) = &mut stroke {
            let mut raw = 0.0;
            unsafe { api.FPDFPageObj_GetStrokeWidth(object, &raw mut raw) };
            *width = f64::from(raw) * matrix.scale();
        }
        let clip = self.clip(object, outer, clip);
        let count = unsafe { api.FPDFPath_CountSegments(object) };
        if count > MAX_PATH_SEGMENTS {
            if let Some(bounds) = self.bounds(object) {
                self.out.push(RawObject::Other(outer.hull(&bounds), clip));
            }
            return;
        }
        self.segments += usize::try_from(count).unwrap_or(0);
        let segments = (0..count)
            .filter_map(|index| self.segment(unsafe { api.FPDFPath_GetPathSegment(object, index) }, &matrix))
            .collect();
        self.out.push(RawObject::Path(RawPath {
            segments,
            fill,
            stroke,
            clip,
        }));
    }

    fn segment(&self, segment: FPDF_PATHSEGMENT, matrix: &Matrix) -> Option<Segment> {
        if segment.is_null() {
            return None;
        }
        let (mut x, mut y) = (0.0, 0.0);
        // SAFETY: the segment belongs to a path of the open page, out-parameters are ours.
        let (kind, closes) = unsafe {
            self.api.FPDFPathSegment_GetPoint(segment, &raw mut x, &raw mut y);
            (
                self.api.FPDFPathSegment_GetType(segment),
                self.api.FPDFPathSegment_GetClose(segment) != 0,
            )
        };
        let kind = match kind {
            SEGMENT_MOVE => SegmentKind::Move,
            SEGMENT_LINE => SegmentKind::Line,
            _ => SegmentKind::Curve,
        };
        let (x, y) = matrix.apply(f64::from(x), f64::from(y));
        (x.is_finite() && y.is_finite()).then_some(Segment { kind, x, y, closes })
    }

    /// `None` for what is not to be seen.
    fn colour(&self, object: FPDF_PAGEOBJECT, fill: bool) -> Option<Colour> {
        let (mut r, mut g, mut b, mut a) = (0, 0, 0, 0);
        let (r_out, g_out, b_out, a_out) = (&raw mut r, &raw mut g, &raw mut b, &raw mut a);
        // SAFETY: the object belongs to the open page, out-parameters are ours.
        let known = unsafe {
            if fill {
                self.api.FPDFPageObj_GetFillColor(object, r_out, g_out, b_out, a_out)
            } else {
                self.api.FPDFPageObj_GetStrokeColor(object, r_out, g_out, b_out, a_out)
            }
        };
        if known == 0 {
            // A pattern: some grey.
            return Some([128, 128, 128, 255]);
        }
        let colour = [r, g, b, a].map(|part| u8::try_from(part).unwrap_or(u8::MAX));
        (colour[3] > 8).then_some(colour)
    }

    fn matrix(&self, object: FPDF_PAGEOBJECT) -> Matrix {
        let mut matrix = FS_MATRIX {
            a: 1.0,
            b: 0.0,
            c: 0.0,
            d: 1.0,
            e: 0.0,
            f: 0.0,
        };
        // SAFETY: the object belongs to the open page, the out-parameter is ours.
        unsafe { self.api.FPDFPageObj_GetMatrix(object, &raw mut matrix) };
        Matrix([matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f].map(f64::from))
    }

    fn bounds(&self, object: FPDF_PAGEOBJECT) -> Option<Edges> {
        let (mut left, mut bottom, mut right, mut top) = (0.0, 0.0, 0.0, 0.0);
        // SAFETY: the object belongs to the open page, out-parameters are ours.
        let known = unsafe {
            self.api
                .FPDFPageObj_GetBounds(object, &raw mut left, &raw mut bottom, &raw mut right, &raw mut top)
        };
        (known != 0).then(|| Edges {
            left: f64::from(left),
            bottom: f64::from(bottom),
            right: f64::from(right),
            top: f64::from(top),
        })
    }

    /// The hull of what the object is clipped to, within `within`.
    fn clip(&self, object: FPDF_PAGEOBJECT, outer: &Matrix, within: Option<Edges>) -> Option<Edges> {
        let api = self.api;
        let mut out = within;
        // SAFETY (all calls below): the clip path belongs to an object of the open page.
        let clip = unsafe { api.FPDFPageObj_GetClipPath(object) };
        if clip.is_null() {
            return out;
        }
        let paths = unsafe { api.FPDFClipPath_CountPaths(clip) }.min(16);
        for path in 0..paths {
            let count: c_int = unsafe { api.FPDFClipPath_CountPathSegments(clip, path) };
            if !(2..=MAX_CLIP_SEGMENTS).contains(&count) {
                continue;
            }
            let points = (0..count).filter_map(|index| {
                let segment = unsafe { api.FPDFClipPath_GetPathSegment(clip, path, index) };
                self.segment(segment, outer).map(|s| (s.x, s.y))
            });
            let edges = hull(points);
            out = Some(match out {
                Some(known) => Edges {
                    left: known.left.max(edges.left),
                    bottom: known.bottom.max(edges.bottom),
                    right: known.right.min(edges.right),
                    top: known.top.min(edges.top),
                },
                None => edges,
            });
        }
        out
    }
}
