//! Layers drawn over pages.

use crate::fixture::{FixturePage, pdf, text};
use crate::read;
use recto_document::Error;
use recto_document::layers::{self, SheetFormat, Source};
use recto_worker::Layer;

const ALL: [Layer; 6] = [
    Layer::Words,
    Layer::Lines,
    Layer::Blocks,
    Layer::Items,
    Layer::Tables,
    Layer::Order,
];

fn sheets(bytes: &[u8], layer: Layer, format: SheetFormat) -> Vec<(u32, Vec<u8>)> {
    let document = read(bytes);
    let source = Source {
        document: &document,
        bytes,
        file_name: "a.pdf",
        password: None,
        pages: None,
    };
    let mut out = Vec::new();
    layers::draw(&source, layer, format, &mut |page, sheet| {
        out.push((page, sheet));
        Ok(())
    })
    .expect("draws");
    out
}

fn two_pages() -> Vec<u8> {
    pdf(&[
        FixturePage::new(300, 200, &text(20.0, 50.0, 100.0, "first & <only>")),
        FixturePage::with_entries("/MediaBox [0 0 300 200] /Rotate 90", &text(20.0, 50.0, 100.0, "second")),
    ])
}

#[test]
fn every_layer_makes_one_sheet_per_page_in_the_pages_own_shape() {
    let bytes = two_pages();
    for layer in ALL {
        let sheets = sheets(&bytes, layer, SheetFormat::Png);
        let sizes: Vec<(u32, u32)> = sheets
            .iter()
            .map(|(_, sheet)| {
                let picture = image::load_from_memory(sheet).expect("is a picture");
                (picture.width(), picture.height())
            })
            .collect();
        assert_eq!(sizes, [(600, 400), (400, 600)], "{layer:?}");
        assert_eq!(sheets[1].0, 2);
    }
    assert_eq!(SheetFormat::Png.file_name(3), "page-0003.png");
}

#[test]
fn a_words_frame_lies_around_its_ink() {
    let bytes = two_pages();
    let word = read(&bytes).pages[0].words[0].rect;
    let sheets = sheets(&bytes, Layer::Words, SheetFormat::Png);
    let picture = image::load_from_memory(&sheets[0].1).expect("is a picture").into_rgb8();
    let pixel = |x: f32, y: f32| {
        picture
            .get_pixel((x * layers::SCALE) as u32, (y * layers::SCALE) as u32)
            .0
    };
    let (_, middle) = word.centre();
    let edge = pixel(word.left + 0.25, middle);
    assert!(
        edge[2] > 150 && edge[0] < 80,
        "a blue edge at the left of the word: {edge:?}"
    );
    assert_eq!(pixel(word.left - 1.0, middle), [255; 3], "nothing before it");
}

#[test]
fn an_svg_holds_the_page_and_says_the_words() {
    let sheets = sheets(&two_pages(), Layer::Words, SheetFormat::Svg);
    let svg = String::from_utf8(sheets[0].1.clone()).expect("is text");
    assert!(svg.contains("viewBox=\"0 0 300 200\"") && svg.contains("data:image/png;base64,iVBOR"));
    assert!(svg.contains("<title>&amp; · line 0"), "text is escaped");
    assert!(svg.contains("<title>&lt;only&gt; · line 0"), "text is escaped");
}

#[test]
fn a_file_without_pages_has_no_layers() {
    let bytes = b"just text";
    let document = read(bytes);
    let source = Source {
        document: &document,
        bytes,
        file_name: "a.txt",
        password: None,
        pages: None,
    };
    let error = layers::draw(&source, Layer::Words, SheetFormat::Png, &mut |_, _| Ok(())).expect_err("refuses");
    assert!(matches!(error, Error::InvalidArgument { .. }), "{error}");
}

#[test]
fn only_the_pages_asked_for_are_drawn_of_the_whole_document() {
    let bytes = two_pages();
    let document = read(&bytes);
    let pages = |pages: (u32, u32)| {
        let source = Source {
            document: &document,
            bytes: &bytes,
            file_name: "a.pdf",
            password: None,
            pages: Some(pages),
        };
        let mut drawn = Vec::new();
        layers::draw(&source, Layer::Items, SheetFormat::Svg, &mut |page, _| {
            drawn.push(page);
            Ok(())
        })
        .map(|()| drawn)
    };
    assert_eq!(pages((2, u32::MAX)).expect("draws"), [2]);
    assert!(matches!(pages((3, 3)), Err(Error::NoSuchPage { page: 3, count: 2 })));
}
