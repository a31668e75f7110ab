//! Pictures on a page: images, and drawings made of many strokes.

use super::ffi::{ImageData, PdfPage, Window};
use super::frame::DisplayFrame;
use super::graphics::Graphics;
use super::page::PageLayout;
use crate::gallery::{Gallery, MIN_PIXELS};
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ExtendedColorType, ImageEncoder};
use recto_core::{Item, Label, Page, PageRect, Picture, Provenance, Rect};
use std::collections::{HashMap, HashSet};

/// Shortest side on the page, in points.
const MIN_SIDE: f32 = 18.0;
/// Share of the page from which an image is its background.
const BACKGROUND: f32 = 0.8;
/// Strokes a drawing has at least: a logo in one curve, a bracket or a rounded box has fewer.
const MIN_STROKES: usize = 8;
/// Shortest side of a drawing, in points.
const MIN_DRAWING: f32 = 48.0;
/// Strokes this far apart belong to one drawing.
const NEAR: f32 = 10.0;
/// Strokes looked at on one page.
const MAX_STROKES: usize = 4000;
/// Drawings kept as pixels on one page.
const MAX_DRAWINGS: usize = 8;
/// Pixels per point a drawing is kept at.
const DRAWING_SCALE: f32 = 2.0;
/// Height of the strips at the top and bottom of a page where what repeats is furniture, by the page's height.
const EDGE: f32 = 0.14;

/// A picture on a page.
#[derive(Debug, Clone)]
pub(crate) struct PlacedPicture {
    pub(crate) rect: Rect,
    pub(crate) picture: Option<Picture>,
}

/// The pictures of a page, from top to bottom.
pub(crate) fn find(
    page: &PdfPage<'_>,
    frame: &DisplayFrame,
    graphics: &Graphics,
    max_pixels: u64,
    gallery: &mut Gallery,
) -> Vec<PlacedPicture> {
    let (width, height) = frame.size();
    let bounds = Rect::new(0.0, 0.0, width, height);
    let mut out: Vec<PlacedPicture> = Vec::new();
    if !graphics.images.is_empty() {
        for image in page.images() {
            let points = image.corners.map(|(x, y)| frame.point(x, y));
            let hull = points
                .into_iter()
                .map(|(x, y)| Rect::new(x as f32, y as f32, x as f32, y as f32))
                .reduce(|a, b| a.union(&b));
            let Some(rect) = hull.and_then(|rect| rect.intersection(&bounds)) else {
                continue;
            };
            let too_small = image.width < MIN_PIXELS
                || image.height < MIN_PIXELS
                || rect.width() < MIN_SIDE
                || rect.height() < MIN_SIDE;
            // The same place twice: an image and its mask, or its shadow.
            let again = out.iter().any(|other| near(&other.rect, &rect));
            if too_small || again || rect.area() > BACKGROUND * bounds.area() {
                continue;
            }
            let size = (image.width, image.height);
            let pixels = u64::from(image.width) * u64::from(image.height);
            let data = (pixels <= max_pixels).then(|| page.image_data(&image)).flatten();
            let picture = match data {
                Some(ImageData::Jpeg(bytes)) => gallery.add("image/jpeg", bytes, size),
                Some(ImageData::Rgb(rgb)) => png(&rgb, size).and_then(|bytes| gallery.add("image/png", bytes, size)),
                None => None,
            };
            out.push(PlacedPicture { rect, picture });
        }
    }
    for rect in drawings(graphics, &bounds).into_iter().take(MAX_DRAWINGS) {
        let inside = |other: &PlacedPicture| overlap(&other.rect, &rect) > 0.8 * rect.area();
        if out.iter().any(inside) {
            continue;
        }
        // A drawing around images is one figure with them.
        out.retain(|other| overlap(&other.rect, &rect) < 0.8 * other.rect.area());
        let picture = draw(page, &rect, &bounds)
            .and_then(|(rgb, size)| png(&rgb, size).and_then(|bytes| gallery.add("image/png", bytes, size)));
        out.push(PlacedPicture { rect, picture });
    }
    out.sort_by(|a, b| {
        a.rect
            .top
            .total_cmp(&b.rect.top)
            .then(a.rect.left.total_cmp(&b.rect.left))
    });
    out
}

fn near(a: &Rect, b: &Rect) -> bool {
    (a.left - b.left).abs() < 1.0
        && (a.top - b.top).abs() < 1.0
        && (a.right - b.right).abs() < 1.0
        && (a.bottom - b.bottom).abs() < 1.0
}

fn overlap(a: &Rect, b: &Rect) -> f32 {
    a.intersection(b).map_or(0.0, |both| both.area())
}

fn png(rgb: &[u8], (width, height): (u32, u32)) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    PngEncoder::new_with_quality(&mut out, CompressionType::Fast, FilterType::Sub)
        .write_image(rgb, width, height, ExtendedColorType::Rgb8)
        .ok()?;
    Some(out)
}

fn draw(page: &PdfPage<'_>, rect: &Rect, bounds: &Rect) -> Option<(Vec<u8>, (u32, u32))> {
    let pixels = |points: f32| (points * DRAWING_SCALE).round().max(0.0) as u32;
    let full = (pixels(bounds.right).max(1), pixels(bounds.bottom).max(1));
    let window = Window {
        left: pixels(rect.left),
        top: pixels(rect.top),
        width: pixels(rect.width()).max(1),
        height: pixels(rect.height()).max(1),
    };
    let bgra = page.draw(full, &window).ok()?;
    let rgb = bgra.chunks_exact(4).flat_map(|p| [p[2], p[1], p[0]]).collect();
    Some((rgb, (window.width, window.height)))
}

/// Where strokes that are no rules lie close together. Tables have rules and filled areas only, so none is swallowed.
fn drawings(graphics: &Graphics, bounds: &Rect) -> Vec<Rect> {
    let mut clusters: Vec<(Rect, usize)> = Vec::new();
    for stroke in graphics.drawings.iter().take(MAX_STROKES) {
        if stroke.area() > BACKGROUND * bounds.area() {
            continue;
        }
        let mut merged = (*stroke, 1);
        // What the stroke touches becomes one with it, and may then touch more.
        loop {
            let reach = grown(&merged.0);
            let before = clusters.len();
            clusters.retain(|(rect, strokes)| {
                let touches = touches(rect, &reach);
                if touches {
                    merged = (merged.0.union(rect), merged.1 + strokes);
                }
                !touches
            });
            if clusters.len() == before {
                break;
            }
        }
        clusters.push(merged);
    }
    clusters.retain(|(rect, strokes)| {
        *strokes >= MIN_STROKES && rect.width() >= MIN_DRAWING && rect.height() >= MIN_DRAWING
    });
    let mut out: Vec<Rect> = clusters.into_iter().map(|(rect, _)| rect).collect();
    // Axes and bars are rules and areas; they belong to the curves they lie among.
    for rect in &mut out {
        let among = graphics
            .fills
            .iter()
            .map(|fill| fill.rect)
            .filter(|fill| fill.area() < 0.25 * bounds.area() && overlap(fill, rect) > 0.3 * fill.area());
        *rect = among.fold(*rect, |whole, part| whole.union(&part));
    }
    out.retain(|rect| rect.area() < BACKGROUND * bounds.area());
    out.sort_by(|a, b| a.top.total_cmp(&b.top).then(a.left.total_cmp(&b.left)));
    out
}

fn grown(rect: &Rect) -> Rect {
    Rect::new(rect.left - NEAR, rect.top - NEAR, rect.right + NEAR, rect.bottom + NEAR)
}

fn touches(a: &Rect, b: &Rect) -> bool {
    a.left <= b.right && b.left <= a.right && a.top <= b.bottom && b.top <= a.bottom
}

/// Puts an item for every picture where a reader comes upon it. Logos that repeat at the edge of pages get none.
pub(crate) fn insert(items: &mut Vec<Item>, pages: &[Page], layouts: &[PageLayout]) {
    let repeated = repeated(pages, layouts);
    let mut at: Vec<(usize, Item)> = Vec::new();
    let places = Places::of(items);
    for (page, layout) in pages.iter().zip(layouts) {
        for placed in &layout.pictures {
            if is_furniture(placed, page, &repeated) {
                continue;
            }
            let item = Item {
                label: Label::Picture,
                provenance: vec![Provenance {
                    at: PageRect {
                        page: page.number,
                        rect: placed.rect,
                    },
                    start: 0,
                    end: 0,
                }],
                picture: placed.picture.clone(),
                ..Item::default()
            };
            at.push((places.before(page.number, &placed.rect, items.len()), item));
        }
    }
    if at.is_empty() {
        return;
    }
    at.sort_by_key(|(index, _)| *index);
    let mut pictures = at.into_iter().peekable();
    let mut out = Vec::with_capacity(items.len() + pictures.len());
    for (index, item) in std::mem::take(items).into_iter().enumerate() {
        while let Some((_, picture)) = pictures.next_if(|(at, _)| *at <= index) {
            out.push(picture);
        }
        out.push(item);
    }
    out.extend(pictures.map(|(_, picture)| picture));
    renumber(&mut out);
    *items = out;
}

/// Gives positions and references anew, and follows the old ones.
fn renumber(items: &mut [Item]) {
    let mut renamed: HashMap<String, String> = HashMap::new();
    for (item, position) in items.iter_mut().zip(0u32..) {
        item.position = position;
        let kind = match item.label {
            Label::Picture => "pictures",
            Label::Table => "tables",
            _ => "texts",
        };
        let new = format!("#/{kind}/{position}");
        renamed.insert(std::mem::replace(&mut item.self_ref, new.clone()), new);
    }
    let follow = |reference: &mut Option<String>| {
        if let Some(new) = reference.as_ref().and_then(|old| renamed.get(old)) {
            *reference = Some(new.clone());
        }
    };
    for item in items {
        follow(&mut item.parent);
        follow(&mut item.continues);
    }
}

/// Where the items of each page lie.
struct Places {
    /// Page, index of the item, its box on the page.
    of_page: HashMap<u32, Vec<(usize, Rect)>>,
}

impl Places {
    fn of(items: &[Item]) -> Self {
        let mut of_page: HashMap<u32, Vec<(usize, Rect)>> = HashMap::new();
        for (index, item) in items.iter().enumerate() {
            // A paragraph that goes on from the page before belongs to that page.
            let Some(first) = item.provenance.first().map(|p| p.at) else {
                continue;
            };
            if !item.label.is_furniture() {
                of_page.entry(first.page).or_default().push((index, first.rect));
            }
        }
        Self { of_page }
    }

    /// The index of the item that is read after a picture with this box.
    fn before(&self, page: u32, rect: &Rect, count: usize) -> usize {
        let there = self.of_page.get(&page).map_or(&[][..], Vec::as_slice);
        let beside = |other: &Rect| {
            let across = other.right.min(rect.right) - other.left.max(rect.left);
            across > 0.2 * other.width().min(rect.width())
        };
        if let Some((index, _)) = there
            .iter()
            .find(|(_, other)| beside(other) && other.centre().1 > rect.centre().1)
        {
            return *index;
        }
        let last_beside = there.iter().rev().find(|(_, other)| beside(other));
        if let Some((index, _)) = last_beside.or(there.last()) {
            return index + 1;
        }
        // A page with nothing else: behind all that came on earlier pages.
        self.of_page
            .iter()
            .filter(|(other, _)| **other > page)
            .flat_map(|(_, items)| items.iter().map(|(index, _)| *index))
            .min()
            .unwrap_or(count)
    }
}

/// Pictures seen on three pages and more.
fn repeated(pages: &[Page], layouts: &[PageLayout]) -> HashSet<String> {
    let mut seen: HashMap<&str, HashSet<u32>> = HashMap::new();
    for (page, layout) in pages.iter().zip(layouts) {
        for picture in layout.pictures.iter().filter_map(|placed| placed.picture.as_ref()) {
            seen.entry(&picture.sha256).or_default().insert(page.number);
        }
    }
    seen.into_iter()
        .filter(|(_, pages)| pages.len() >= 3)
        .map(|(sha256, _)| sha256.to_owned())
        .collect()
}

fn is_furniture(placed: &PlacedPicture, page: &Page, repeated: &HashSet<String>) -> bool {
    let repeats = placed
        .picture
        .as_ref()
        .is_some_and(|picture| repeated.contains(&picture.sha256));
    let at_edge = placed.rect.bottom < EDGE * page.height || placed.rect.top > (1.0 - EDGE) * page.height;
    repeats && at_edge
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strokes_close_together_are_one_drawing_and_rules_none() {
        let strokes = |x: f32, y: f32| {
            (0..12u8).map(move |i| {
                let offset = 8.0 * f32::from(i);
                Rect::new(x + offset, y + offset, x + offset + 10.0, y + offset + 10.0)
            })
        };
        let graphics = Graphics {
            drawings: strokes(50.0, 50.0).chain(strokes(300.0, 400.0)).collect(),
            ..Graphics::default()
        };
        let bounds = Rect::new(0.0, 0.0, 600.0, 800.0);
        let found = drawings(&graphics, &bounds);
        assert_eq!(
            found,
            [
                Rect::new(50.0, 50.0, 148.0, 148.0),
                Rect::new(300.0, 400.0, 398.0, 498.0)
            ]
        );
        let few = Graphics {
            drawings: strokes(50.0, 50.0).take(3).collect(),
            ..Graphics::default()
        };
        assert!(drawings(&few, &bounds).is_empty());
    }

    #[test]
    fn a_picture_stands_before_the_text_below_it_and_references_follow() {
        let text = |position: u32, top: f32| Item {
            position,
            self_ref: format!("#/texts/{position}"),
            text: "text".into(),
            provenance: vec![Provenance {
                at: PageRect {
                    page: 1,
                    rect: Rect::new(50.0, top, 300.0, top + 20.0),
                },
                start: 0,
                end: 4,
            }],
            ..Item::default()
        };
        let mut items = vec![text(0, 10.0), text(1, 300.0), text(2, 350.0)];
        items[1].parent = Some("#/texts/2".into());
        let page = Page {
            number: 1,
            width: 400.0,
            height: 500.0,
            ..Page::default()
        };
        let layout = PageLayout {
            pictures: vec![PlacedPicture {
                rect: Rect::new(50.0, 50.0, 300.0, 280.0),
                picture: None,
            }],
            ..PageLayout::default()
        };
        insert(&mut items, &[page], &[layout]);
        let labels: Vec<Label> = items.iter().map(|item| item.label).collect();
        assert_eq!(labels, [Label::Text, Label::Picture, Label::Text, Label::Text]);
        assert_eq!(items[1].self_ref, "#/pictures/1");
        assert_eq!(items[2].parent.as_deref(), Some("#/texts/3"));
    }
}
