//! Drawn pages and their highlights.

use crate::fixture::{FixturePage, pdf, text};
use crate::ink::draw;
use crate::read;
use recto_core::{BoxKind, CitedBox, LocateHint, PageRect, Rect};
use recto_document::Error;
use recto_document::locate::locate;
use recto_document::render::{self, Drawing, Picture};
use recto_worker::{ImageFormat, RenderSize};

fn colour(picture: &Picture, x: f32, y: f32, scale: f32) -> [u8; 3] {
    let at = ((y * scale) as usize * picture.width as usize + (x * scale) as usize) * 4;
    [picture.rgba[at], picture.rgba[at + 1], picture.rgba[at + 2]]
}

fn highlighted(bytes: &[u8], highlights: &[CitedBox]) -> Picture {
    render::page(
        bytes,
        None,
        &Drawing {
            page: 1,
            size: RenderSize::Scale(2.0),
            highlights,
            crop: None,
        },
    )
    .expect("draws")
}

#[test]
fn a_quote_is_marked_strongly_over_its_words_and_nowhere_else() {
    let bytes = pdf(&[FixturePage::letter(&text(20.0, 72.0, 700.0, "some quoted words here"))]);
    let document = read(&bytes);
    let found = locate(&document.pages, &[], "quoted words", &LocateHint::default());
    let at = found[0].rects[0];
    let picture = highlighted(
        &bytes,
        &[CitedBox {
            at,
            kind: BoxKind::Quote,
        }],
    );
    let (middle, above) = ((at.rect.left + at.rect.right) / 2.0, at.rect.top + 2.0);
    let inside = colour(&picture, middle, above, 2.0);
    assert!(inside[0] > 240 && inside[2] < 160, "warm yellow inside: {inside:?}");
    assert_eq!(colour(&picture, at.rect.right + 5.0, above, 2.0), [255, 255, 255]);
    let ink = |picture: &Picture| picture.rgba.chunks(4).filter(|p| p[0] < 100).count();
    assert!(
        ink(&picture) * 10 >= ink(&highlighted(&bytes, &[])) * 9,
        "the words stay readable"
    );
}

#[test]
fn a_passage_is_marked_softly_and_boxes_of_other_pages_not_at_all() {
    let bytes = pdf(&[FixturePage::letter(&text(20.0, 72.0, 700.0, "text"))]);
    let rect = Rect::new(60.0, 60.0, 300.0, 120.0);
    let on = |page, kind| CitedBox {
        at: PageRect { page, rect },
        kind,
    };
    let soft = highlighted(&bytes, &[on(1, BoxKind::Passage)]);
    let inside = colour(&soft, 250.0, 70.0, 2.0);
    assert!(inside[2] > 190 && inside[2] < 250, "{inside:?}");
    assert_eq!(highlighted(&bytes, &[on(2, BoxKind::Quote)]), highlighted(&bytes, &[]));
}

#[test]
fn a_crop_shows_the_same_pixels_as_the_page() {
    let bytes = pdf(&[FixturePage::letter(&text(20.0, 72.0, 700.0, "some words"))]);
    let whole = draw(&bytes, 1);
    let part = render::page(
        &bytes,
        None,
        &Drawing {
            page: 1,
            size: RenderSize::Scale(4.0),
            highlights: &[],
            crop: Some(Rect::new(70.0, 70.0, 170.0, 100.0)),
        },
    )
    .expect("draws");
    assert_eq!((part.width, part.height), (400, 120));
    let differing = (0..part.height)
        .flat_map(|y| (0..part.width).map(move |x| (x, y)))
        .filter(|&(x, y)| {
            let own = part.rgba[((y * part.width + x) * 4) as usize];
            let other = whole.rgba[(((y + 280) * whole.width + x + 280) * 4) as usize];
            own.abs_diff(other) > 8
        })
        .count();
    assert_eq!(differing, 0);
    assert!(part.rgba.chunks(4).any(|p| p[0] < 100), "the words are in the crop");
}

#[test]
fn annotations_and_form_values_are_drawn() {
    let entries = "/MediaBox [0 0 200 200] /Annots [<< /Type /Annot /Subtype /Square /Rect [50 50 150 150] /C [1 0 0] \
                   /IC [1 0 0] /AP << /N 6 0 R >> >>]";
    // The appearance stream stands in for the content object: both draw the same red square.
    let page = FixturePage::with_entries(entries, "1 0 0 rg 50 50 100 100 re f");
    let picture = highlighted(&pdf(&[page]), &[]);
    assert_eq!(colour(&picture, 100.0, 100.0, 2.0), [255, 0, 0]);
}

#[test]
fn pictures_are_written_in_every_format() {
    let bytes = pdf(&[FixturePage::new(100, 50, &text(20.0, 10.0, 20.0, "x"))]);
    let picture = highlighted(&bytes, &[]);
    assert_eq!(picture.encode(ImageFormat::Raw).expect("encodes").len(), 200 * 100 * 4);
    assert!(
        picture
            .encode(ImageFormat::Png)
            .expect("encodes")
            .starts_with(b"\x89PNG")
    );
    assert!(picture.encode(ImageFormat::Bmp).expect("encodes").starts_with(b"BM"));
}

#[test]
fn a_page_that_is_not_there_is_named() {
    let bytes = pdf(&[FixturePage::letter("")]);
    for page in [0, 2] {
        let drawing = Drawing {
            page,
            size: RenderSize::Width(100),
            highlights: &[],
            crop: None,
        };
        let error = render::page(&bytes, None, &drawing).expect_err("refuses");
        assert!(matches!(error, Error::NoSuchPage { count: 1, .. }), "{error}");
    }
}
