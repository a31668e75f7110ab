//! The layers as frames, tags and arrows in points of the displayed page.

use recto_core::{Item, Label, Page, Rect, TableCell, Word};
use recto_worker::Layer;
use std::collections::HashMap;

/// Red, green, blue.
pub(super) type Colour = [u8; 3];

const BLUE: Colour = [31, 90, 190];
const SKY: Colour = [0, 150, 200];
const GREEN: Colour = [20, 140, 60];
const OLIVE: Colour = [120, 130, 0];
const ORANGE: Colour = [220, 110, 0];
const RED: Colour = [205, 30, 40];
const PINK: Colour = [210, 50, 140];
const PURPLE: Colour = [120, 60, 190];
const BROWN: Colour = [130, 80, 40];
const TEAL: Colour = [0, 130, 120];
const GREY: Colour = [120, 120, 120];

/// Something to draw.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Shape {
    /// A rectangle, filled with a veil of its colour.
    Frame {
        rect: Rect,
        colour: Colour,
        /// Opacity of the filling in percent.
        veil: u8,
        /// Width of the edge in points.
        weight: f32,
        /// What a pointer over it is told.
        title: String,
    },
    /// A few characters on a ground of their colour, beside this point.
    Tag {
        at: (f32, f32),
        side: Side,
        text: String,
        colour: Colour,
    },
    /// From one point to another.
    Arrow {
        from: (f32, f32),
        to: (f32, f32),
        colour: Colour,
    },
}

/// Where a tag stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// Its bottom left corner is the point.
    Above,
    /// Its top right corner is the point: in the margin, where it hides least.
    Before,
}

/// The items of a document by the pages they lie on, so that a long document is not searched once per page.
pub(super) struct Index<'a> {
    /// Item and the regions it has on the page, in order.
    by_page: HashMap<u32, Vec<Region<'a>>>,
    by_ref: HashMap<&'a str, &'a Item>,
}

/// A part of an item on one page.
#[derive(Clone, Copy)]
struct Region<'a> {
    item: &'a Item,
    rect: Rect,
    /// Whether another part of the item comes before this one.
    goes_on: bool,
}

impl<'a> Index<'a> {
    pub(super) fn new(items: &'a [Item]) -> Self {
        let mut by_page: HashMap<u32, Vec<Region<'a>>> = HashMap::new();
        for item in items {
            for (part, provenance) in item.provenance.iter().enumerate() {
                by_page.entry(provenance.at.page).or_default().push(Region {
                    item,
                    rect: provenance.at.rect,
                    goes_on: part > 0,
                });
            }
        }
        Self {
            by_page,
            by_ref: items.iter().map(|item| (item.self_ref.as_str(), item)).collect(),
        }
    }

    fn on(&self, page: &Page) -> &[Region<'a>] {
        self.by_page.get(&page.number).map_or(&[], Vec::as_slice)
    }
}

/// What a layer shows of a page.
pub(super) fn of_page(page: &Page, index: &Index<'_>, layer: Layer) -> Vec<Shape> {
    match layer {
        Layer::Words => words(page),
        Layer::Lines => lines(page),
        Layer::Blocks => blocks(page),
        Layer::Items => items(page, index),
        Layer::Tables => tables(page, index),
        Layer::Order => order(page, index),
    }
}

fn frame(rect: Rect, colour: Colour, veil: u8, title: &str) -> Shape {
    Shape::Frame {
        rect,
        colour,
        veil,
        weight: 0.6,
        title: title.into(),
    }
}

/// A tag before the top of a rectangle.
fn tag(rect: Rect, text: String, colour: Colour) -> Shape {
    Shape::Tag {
        at: (rect.left, rect.top),
        side: Side::Before,
        text,
        colour,
    }
}

/// Words, every other line in another colour; recognised words by how sure the recognition was.
fn words(page: &Page) -> Vec<Shape> {
    let colour = |word: &Word| match word.confidence {
        Some(90..) => GREEN,
        Some(70..90) => ORANGE,
        Some(_) => RED,
        None if word.line.is_multiple_of(2) => BLUE,
        None => PINK,
    };
    page.words
        .iter()
        .map(|word| {
            let text = page
                .text
                .get(word.start as usize..word.end as usize)
                .unwrap_or_default();
            let mut title = format!("{text} · line {} · {:.1} pt", word.line, word.font_size);
            for (is, name) in [(word.bold, " · bold"), (word.italic, " · italic")] {
                title.push_str(if is { name } else { "" });
            }
            if let Some(confidence) = word.confidence {
                title.push_str(&format!(" · {confidence} % sure"));
            }
            frame(word.rect, colour(word), 12, &title)
        })
        .collect()
}

/// Runs of words for which `same` holds between neighbours, each as the rectangle around it and its text.
fn runs(page: &Page, same: impl Fn(&Word, &Word) -> bool) -> Vec<(Rect, &str)> {
    page.words
        .chunk_by(same)
        .filter_map(|run| {
            let rect = run.iter().map(|word| word.rect).reduce(|a, b| a.union(&b))?;
            let (first, last) = (run.first()?, run.last()?);
            let text = page.text.get(first.start as usize..last.end as usize);
            Some((rect, text.unwrap_or_default()))
        })
        .collect()
}

fn numbered(runs: Vec<(Rect, &str)>, colours: [Colour; 2]) -> Vec<Shape> {
    runs.into_iter()
        .enumerate()
        .flat_map(|(index, (rect, text))| {
            let colour = colours[index % 2];
            [frame(rect, colour, 10, text), tag(rect, index.to_string(), colour)]
        })
        .collect()
}

fn lines(page: &Page) -> Vec<Shape> {
    numbered(runs(page, |a, b| a.line == b.line), [BLUE, PINK])
}

/// Blocks are what an empty line separates in the page's text.
fn blocks(page: &Page) -> Vec<Shape> {
    let together = |a: &Word, b: &Word| {
        !page
            .text
            .get(a.end as usize..b.start as usize)
            .unwrap_or_default()
            .contains("\n\n")
    };
    numbered(runs(page, together), [TEAL, ORANGE])
}

fn colour_of(label: Label) -> Colour {
    match label {
        Label::Title => RED,
        Label::SectionHeader => ORANGE,
        Label::Text => BLUE,
        Label::ListItem => TEAL,
        Label::Table => GREEN,
        Label::Picture => PURPLE,
        Label::Caption => PINK,
        Label::Footnote => BROWN,
        Label::Formula => SKY,
        Label::Code => OLIVE,
        Label::PageHeader | Label::PageFooter => GREY,
        Label::DocumentIndex => [90, 90, 0],
    }
}

/// "H2", "LI1": what a tag says of an item.
fn name_of(item: &Item) -> String {
    match item.label {
        Label::Title => "TITLE".into(),
        Label::SectionHeader => format!("H{}", item.level),
        Label::Text => "P".into(),
        Label::ListItem => format!("LI{}", item.level),
        Label::Table => "TABLE".into(),
        Label::Picture => "PIC".into(),
        Label::Caption => "CAP".into(),
        Label::Footnote => "NOTE".into(),
        Label::Formula => "FORMULA".into(),
        Label::Code => "CODE".into(),
        Label::PageHeader => "HEAD".into(),
        Label::PageFooter => "FOOT".into(),
        Label::DocumentIndex => "TOC".into(),
    }
}

/// Items by label. A plus marks a part that goes on from another column or page; an arrow leads from a caption or note
/// to what it belongs to.
fn items(page: &Page, index: &Index<'_>) -> Vec<Shape> {
    let mut out = Vec::new();
    for region in index.on(page) {
        let (item, colour) = (region.item, colour_of(region.item.label));
        let title = format!("{} {} · {}", item.self_ref, item.label.as_str(), shortened(&item.text));
        out.push(frame(region.rect, colour, 10, &title));
        let plus = if region.goes_on { "+" } else { "" };
        let back = if item.continues.is_some() { "<" } else { "" };
        out.push(tag(region.rect, format!("{plus}{}{back}", name_of(item)), colour));
    }
    for region in index.on(page) {
        let parent = region
            .item
            .parent
            .as_deref()
            .and_then(|parent| index.by_ref.get(parent));
        let bound = parent.filter(|parent| matches!(parent.label, Label::Table | Label::Picture));
        let at = bound.and_then(|parent| parent.provenance.iter().find(|p| p.at.page == page.number));
        if let Some(parent) = at {
            out.push(Shape::Arrow {
                from: region.rect.centre(),
                to: parent.at.rect.centre(),
                colour: colour_of(region.item.label),
            });
        }
    }
    out
}

/// Tooltips are for recognising a paragraph, not for reading it.
fn shortened(text: &str) -> String {
    const MOST: usize = 300;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.into(),
    }
}

/// Tables with rows × columns, and their cells: headers of columns blue, of rows teal, others by the parity of their
/// column; a spanning cell says what it covers.
fn tables(page: &Page, index: &Index<'_>) -> Vec<Shape> {
    let mut out = Vec::new();
    for region in index.on(page).iter().filter(|region| region.item.table.is_some()) {
        let Some(grid) = &region.item.table else { continue };
        for cell in &grid.cells {
            if let Some(at) = cell.at.filter(|at| at.page == page.number) {
                out.extend(cell_shapes(cell, at.rect));
            }
        }
        out.push(Shape::Frame {
            rect: region.rect,
            colour: GREEN,
            veil: 0,
            weight: 1.4,
            title: region.item.self_ref.clone(),
        });
        let back = if region.item.continues.is_some() { "<" } else { "" };
        out.push(tag(
            region.rect,
            format!("{} × {}{back}", grid.rows, grid.columns),
            GREEN,
        ));
    }
    out
}

fn cell_shapes(cell: &TableCell, rect: Rect) -> Vec<Shape> {
    let (colour, veil) = match cell {
        TableCell {
            column_header: true, ..
        } => (BLUE, 22),
        TableCell { row_header: true, .. } => (TEAL, 16),
        _ if cell.column.is_multiple_of(2) => (ORANGE, 12),
        _ => (PURPLE, 12),
    };
    let title = format!("row {}, column {} · {}", cell.row, cell.column, shortened(&cell.text));
    let mut out = vec![frame(rect, colour, veil, &title)];
    if cell.row_span > 1 || cell.column_span > 1 {
        out.push(Shape::Tag {
            at: (rect.left, rect.bottom),
            side: Side::Above,
            text: format!("{} × {}", cell.row_span, cell.column_span),
            colour: RED,
        });
    }
    out
}

/// Numbers in reading order, and arrows from each item to the next. Running headers and footers are numbered only.
fn order(page: &Page, index: &Index<'_>) -> Vec<Shape> {
    let mut out = Vec::new();
    let mut before: Option<Rect> = None;
    for (number, region) in index.on(page).iter().enumerate() {
        let furniture = region.item.label.is_furniture();
        let colour = if furniture { GREY } else { colour_of(region.item.label) };
        out.push(frame(region.rect, colour, 6, &shortened(&region.item.text)));
        if furniture {
            continue;
        }
        if let Some(before) = before {
            out.push(Shape::Arrow {
                from: before.centre(),
                to: region.rect.centre(),
                colour: RED,
            });
        }
        before = Some(region.rect);
        out.push(tag(region.rect, (number + 1).to_string(), colour));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use recto_core::{PageRect, Provenance, TableGrid};

    /// Two blocks, the first of two lines.
    fn page() -> Page {
        let word = |start: u32, end: u32, line: u32, left: f32, top: f32| Word {
            start,
            end,
            rect: Rect::new(left, top, left + 20.0, top + 10.0),
            line,
            font_size: 10.0,
            bold: false,
            italic: false,
            confidence: None,
        };
        Page {
            number: 1,
            width: 200.0,
            height: 200.0,
            text: "ab cd\nef\n\ngh".into(),
            words: vec![
                word(0, 2, 0, 10.0, 10.0),
                word(3, 5, 0, 40.0, 10.0),
                word(6, 8, 1, 10.0, 22.0),
                word(10, 12, 2, 10.0, 60.0),
            ],
            ..Page::default()
        }
    }

    fn item(label: Label, number: u32, page_number: u32, rect: Rect) -> Item {
        Item {
            self_ref: format!("#/texts/{number}"),
            position: number,
            label,
            provenance: vec![Provenance {
                at: PageRect {
                    page: page_number,
                    rect,
                },
                start: 0,
                end: 0,
            }],
            ..Item::default()
        }
    }

    fn frames(shapes: &[Shape]) -> Vec<Rect> {
        shapes
            .iter()
            .filter_map(|shape| match shape {
                Shape::Frame { rect, .. } => Some(*rect),
                _ => None,
            })
            .collect()
    }

    fn tags(shapes: &[Shape]) -> Vec<&str> {
        shapes
            .iter()
            .filter_map(|shape| match shape {
                Shape::Tag { text, .. } => Some(text.as_str()),
                _ => None,
            })
            .collect()
    }

    #[test]
    fn lines_and_blocks_are_the_documents_own() {
        let index = Index::new(&[]);
        assert_eq!(frames(&of_page(&page(), &index, Layer::Words)).len(), 4);
        let lines = frames(&of_page(&page(), &index, Layer::Lines));
        assert_eq!(lines.len(), 3);
        assert_eq!(lines[0], Rect::new(10.0, 10.0, 60.0, 20.0));
        let blocks = frames(&of_page(&page(), &index, Layer::Blocks));
        assert_eq!(
            blocks,
            [Rect::new(10.0, 10.0, 60.0, 32.0), Rect::new(10.0, 60.0, 30.0, 70.0)]
        );
    }

    #[test]
    fn items_of_other_pages_are_not_drawn_and_later_parts_are_marked() {
        let mut split = item(Label::Text, 0, 9, Rect::default());
        let second = Provenance {
            at: PageRect {
                page: 1,
                rect: Rect::new(1.0, 2.0, 3.0, 4.0),
            },
            start: 0,
            end: 0,
        };
        split.provenance.push(second);
        let items = [split, item(Label::Table, 1, 2, Rect::default())];
        let shapes = of_page(&page(), &Index::new(&items), Layer::Items);
        assert_eq!(frames(&shapes), [second.at.rect]);
        assert_eq!(tags(&shapes), ["+P"]);
    }

    #[test]
    fn captions_point_at_what_they_belong_to() {
        let table = item(Label::Table, 0, 1, Rect::new(0.0, 50.0, 100.0, 150.0));
        let mut caption = item(Label::Caption, 1, 1, Rect::new(0.0, 30.0, 100.0, 40.0));
        caption.parent = Some(table.self_ref.clone());
        let items = [table, caption];
        let shapes = of_page(&page(), &Index::new(&items), Layer::Items);
        let arrow = shapes.iter().find_map(|shape| match shape {
            Shape::Arrow { from, to, .. } => Some((*from, *to)),
            _ => None,
        });
        assert_eq!(arrow, Some(((50.0, 35.0), (50.0, 100.0))));
    }

    #[test]
    fn the_order_leaves_furniture_out_of_the_arrows() {
        let at = |top: f32| Rect::new(10.0, top, 100.0, top + 10.0);
        let items = [
            item(Label::PageHeader, 0, 1, at(0.0)),
            item(Label::Text, 1, 1, at(20.0)),
            item(Label::Text, 2, 1, at(40.0)),
        ];
        let shapes = of_page(&page(), &Index::new(&items), Layer::Order);
        let arrows = shapes.iter().filter(|shape| matches!(shape, Shape::Arrow { .. }));
        assert_eq!(arrows.count(), 1);
        assert_eq!(tags(&shapes), ["2", "3"]);
    }

    #[test]
    fn cells_are_drawn_with_their_spans_on_their_own_page() {
        let cell = |page: u32, column_span: u32| TableCell {
            row: 0,
            column: 0,
            row_span: 1,
            column_span,
            column_header: true,
            row_header: false,
            text: "x".into(),
            at: Some(PageRect {
                page,
                rect: Rect::new(1.0, 1.0, 2.0, 2.0),
            }),
        };
        let mut table = item(Label::Table, 0, 1, Rect::new(0.0, 0.0, 9.0, 9.0));
        table.table = Some(TableGrid {
            rows: 3,
            columns: 2,
            cells: vec![cell(1, 2), cell(2, 1)],
        });
        let items = [table];
        let shapes = of_page(&page(), &Index::new(&items), Layer::Tables);
        assert_eq!(frames(&shapes).len(), 2, "one cell and the table");
        assert_eq!(tags(&shapes), ["1 × 2", "3 × 2"]);
    }
}
