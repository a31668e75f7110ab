//! Files whose text is in pixels. The models are the real ones; the scans are pages of this crate's own fixtures,
//! drawn and put back as images.

use crate::fixture::{FixturePage, bold, paragraph, pdf, text};
use crate::{read, words};
use image::codecs::jpeg::{JpegEncoder, PixelDensity, PixelDensityUnit};
use image::{GrayImage, ImageFormat, Luma, RgbImage, imageops};
use recto_core::{Document, ErrorCode, Label, Page, TextSource};
use recto_document::Error;
use recto_document::open::{self, Options, Sink, Step};
use recto_document::render::{self, Drawing};
use recto_worker::protocol::recognised_file;
use recto_worker::{ParseRequest, Recognition, RenderSize, WorkerPool, WorkerPoolOptions};
use std::fmt::Write;
use std::io::Cursor;
use std::path::PathBuf;
use tokio_util::sync::CancellationToken;

const WIDTH: u32 = 330;
const HEIGHT: u32 = 160;
/// Pixels per point of the scans: 200 dots per inch.
const SCALE: f32 = 200.0 / 72.0;

const LINES: [&str; 4] = [
    "The company leased 14 aircraft in March 2021,",
    "and paid $1,577 million (12%) for them.",
    "Nothing else was bought in that quarter, which",
    "ended as quietly as it had begun.",
];

fn content() -> String {
    bold(15.0, 30.0, 125.0, "Annual report") + &paragraph(30.0, 95.0, &LINES)
}

/// The page as pixels.
fn picture(content: &str) -> GrayImage {
    let bytes = pdf(&[FixturePage::new(WIDTH, HEIGHT, content)]);
    let drawing = Drawing {
        page: 1,
        size: RenderSize::Scale(SCALE),
        highlights: &[],
        crop: None,
    };
    let drawn = render::page(&bytes, None, &drawing).expect("draws");
    let grey = drawn.rgba.chunks_exact(4).map(|pixel| pixel[1]).collect();
    GrayImage::from_raw(drawn.width, drawn.height, grey).expect("as many bytes as pixels")
}

/// A page that shows nothing but this picture, and `over` on top of it.
fn scan(picture: &GrayImage, over: &str) -> FixturePage {
    let points = |pixels: u32| (pixels as f32 / SCALE).round();
    let (width, height) = (points(picture.width()), points(picture.height()));
    let mut content = format!(
        "q {width} 0 0 {height} 0 0 cm BI /W {} /H {} /BPC 8 /CS /G /F /AHx ID\n",
        picture.width(),
        picture.height()
    );
    for value in picture.as_raw() {
        write!(content, "{value:02x}").expect("a string takes everything");
    }
    content.push_str(">\nEI Q\n");
    content.push_str(over);
    FixturePage::new(width as u32, height as u32, &content)
}

/// The picture turned clockwise about its centre by some degrees, on white paper.
fn askew(picture: &GrayImage, degrees: f32) -> GrayImage {
    let (sin, cos) = degrees.to_radians().sin_cos();
    let (middle_x, middle_y) = (picture.width() as f32 / 2.0, picture.height() as f32 / 2.0);
    GrayImage::from_fn(picture.width(), picture.height(), |x, y| {
        let (dx, dy) = (x as f32 + 0.5 - middle_x, y as f32 + 0.5 - middle_y);
        let (u, v) = (
            dx * cos + dy * sin + middle_x - 0.5,
            dy * cos - dx * sin + middle_y - 0.5,
        );
        imageops::interpolate_bilinear(picture, u.max(0.0), v.max(0.0)).unwrap_or(Luma([255]))
    })
}

/// Every word of the digital page is a word of the other, its centre in the other's box after `place` moved it.
fn assert_same_words(digital: &Page, other: &Page, place: impl Fn(f32, f32) -> (f32, f32)) {
    assert_eq!(words(digital), words(other));
    for (word, found) in digital.words.iter().zip(&other.words) {
        let (x, y) = word.rect.centre();
        let (x, y) = place(x, y);
        let name = &digital.text[word.start as usize..word.end as usize];
        assert!(
            found.rect.contains(x, y),
            "{name:?} is at ({x}, {y}), its box {:?}",
            found.rect
        );
        let area = found.rect.area() / word.rect.area();
        assert!(
            (0.5..2.0).contains(&area),
            "the box of {name:?} is {area} times as large"
        );
    }
}

fn digital() -> Document {
    read(&pdf(&[FixturePage::new(WIDTH, HEIGHT, &content())]))
}

#[test]
fn a_scan_has_the_words_boxes_and_items_of_the_digital_page() {
    let digital = digital();
    let document = read(&pdf(&[scan(&picture(&content()), "")]));
    let page = &document.pages[0];
    assert_eq!(page.source, TextSource::Ocr);
    assert_same_words(&digital.pages[0], page, |x, y| (x, y));
    for (word, found) in digital.pages[0].words.iter().zip(&page.words) {
        assert!((word.rect.left - found.rect.left).abs() < 2.0 && (word.rect.right - found.rect.right).abs() < 2.0);
        assert!((found.font_size / word.font_size - 1.0).abs() < 0.15, "{found:?}");
        assert!(found.confidence.is_some_and(|percent| percent > 70));
    }
    let labels = |document: &Document| document.items.iter().map(|item| item.label).collect::<Vec<_>>();
    assert_eq!(labels(&document), labels(&digital));
    assert!(page.words[0].bold && !page.words[5].bold, "heavy type is noticed");
}

#[test]
fn a_scan_put_in_askew_has_boxes_where_the_words_are() {
    let degrees = 2.5f32;
    let document = read(&pdf(&[scan(&askew(&picture(&content()), degrees), "")]));
    let (sin, cos) = degrees.to_radians().sin_cos();
    let (middle_x, middle_y) = (WIDTH as f32 / 2.0, HEIGHT as f32 / 2.0);
    let digital = digital();
    let (page, other) = (&digital.pages[0], &document.pages[0]);
    assert_eq!(words(page), words(other));
    for (word, found) in page.words.iter().zip(&other.words) {
        let (x, y) = word.rect.centre();
        let (dx, dy) = (x - middle_x, y - middle_y);
        let (x, y) = (dx * cos - dy * sin + middle_x, dy * cos + dx * sin + middle_y);
        assert!(found.rect.contains(x, y), "({x}, {y}) is not in {found:?}");
    }
}

/// A heading row of two lines on grey, a row of figures below it, and hairlines between the columns.
fn ruled() -> String {
    let mut out = "0.82 g 30 90 270 40 re f 0 g 0.6 G 0.5 w\n".to_owned();
    for x in [30, 97, 165, 232, 300] {
        writeln!(out, "{x} 60 m {x} 130 l S").expect("a string takes everything");
    }
    out.push_str("30 60 m 300 60 l S\n");
    let columns = [
        ("Fiscal 2013", "35"),
        ("Fiscal 2014", "67"),
        ("Fiscal 2015", "123"),
        ("Fiscal 2016", "161"),
    ];
    for ((head, figure), x) in columns.into_iter().zip([36.0, 103.0, 171.0, 238.0]) {
        out += &text(9.0, x, 114.0, head);
        out += &text(9.0, x, 102.0, "results");
        out += &text(9.0, x, 72.0, figure);
    }
    out + &paragraph(30.0, 45.0, &["The number of days has grown in every year of the plan."])
}

fn cells(document: &Document) -> Vec<String> {
    let tables = document.items.iter().filter_map(|item| item.table.as_ref());
    tables
        .flat_map(|table| table.cells.iter().map(|cell| cell.text.clone()))
        .collect()
}

#[test]
fn a_table_on_a_scan_has_the_cells_its_rules_and_areas_make() {
    let digital = cells(&read(&pdf(&[FixturePage::new(WIDTH, HEIGHT, &ruled())])));
    assert_eq!(digital[0], "Fiscal 2013 results");
    for degrees in [0.0, 1.2] {
        let document = read(&pdf(&[scan(&askew(&picture(&ruled()), degrees), "")]));
        assert_eq!(cells(&document), digital, "turned by {degrees} degrees");
        assert!(document.pages[0].text.contains("every year of the plan"));
    }
}

#[test]
fn boxes_of_a_diagram_on_a_scan_are_read_one_by_one() {
    let boxes = [
        (20, 95, ["Human", "resources"]),
        (125, 95, ["Retirement", "services"]),
        (230, 95, ["Quality", "office"]),
    ]
    .into_iter()
    .chain([(20, 20, ["Pay and", "leave"]), (230, 20, ["Field", "audit"])]);
    let content = boxes.fold(String::new(), |out, (x, y, [first, second])| {
        let left = x as f32 + 12.0;
        let bottom = y as f32;
        format!("{out}0.8 g {x} {y} 80 40 re f 0 g\n")
            + &text(10.0, left, bottom + 23.0, first)
            + &text(10.0, left, bottom + 10.0, second)
    });
    let document = read(&pdf(&[scan(&picture(&content), "")]));
    assert_eq!(
        words(&document.pages[0]).join(" "),
        "Human resources Retirement services Quality office Pay and leave Field audit"
    );
}

#[test]
fn t70_a_scan_that_lies_on_its_side_or_on_its_head_is_read_upright() {
    let digital = digital();
    let upright = picture(&content());
    let (width, height) = (WIDTH as f32, HEIGHT as f32);
    for degrees in [90, 180, 270] {
        let turned = match degrees {
            90 => imageops::rotate90(&upright),
            180 => imageops::rotate180(&upright),
            _ => imageops::rotate270(&upright),
        };
        let document = read(&pdf(&[scan(&turned, "")]));
        assert_same_words(&digital.pages[0], &document.pages[0], |x, y| match degrees {
            90 => (height - y, x),
            180 => (width - x, height - y),
            _ => (y, width - x),
        });
        let label = document.items[0].label;
        assert_eq!(
            label, digital.items[0].label,
            "a turned page has headings, too ({degrees} degrees)"
        );
    }
}

#[test]
fn t70_text_turned_by_its_matrix_is_not_reversed() {
    let turned = "BT /F1 8 Tf 0 1 -1 0 100 30 Tm (sideways words of a table) Tj ET\n";
    let document = read(&pdf(&[FixturePage::new(WIDTH, HEIGHT, turned)]));
    assert_eq!(words(&document.pages[0]), ["sideways", "words", "of", "a", "table"]);
    assert_eq!(document.pages[0].source, TextSource::Digital);
}

#[test]
fn t57_scanned_pages_between_digital_ones_are_not_lost() {
    let digital = FixturePage::new(WIDTH, HEIGHT, &text(12.0, 30.0, 80.0, "a digital page"));
    let document = read(&pdf(&[digital.clone(), scan(&picture(&content()), ""), digital]));
    let sources: Vec<TextSource> = document.pages.iter().map(|page| page.source).collect();
    assert_eq!(sources, [TextSource::Digital, TextSource::Ocr, TextSource::Digital]);
    assert_eq!(document.recognised_pages(), 1);
    assert!(document.pages[1].text.contains("leased 14 aircraft"));
    let on_scan = document.items.iter().filter(|item| item.page_numbers() == [2]).count();
    assert!(on_scan >= 2, "recognised words make items");
}

#[test]
fn t58_a_stamped_header_and_the_scan_below_it_are_both_kept() {
    let stamp = text(8.0, 30.0, 150.0, "Case 1:20-cv-00123 Document 7");
    // The stamp is in the pixels as well, as when a stamped page was scanned again.
    let document = read(&pdf(&[scan(&picture(&(content() + &stamp)), &stamp)]));
    let page = &document.pages[0];
    assert_eq!(page.source, TextSource::Mixed);
    assert_eq!(page.text.matches("1:20-cv-00123").count(), 1, "{}", page.text);
    assert!(page.text.contains("quietly as it had begun"));
    let stamped = page.words.iter().filter(|word| word.confidence.is_none()).count();
    assert_eq!(stamped, 4, "the file's own words win where both have something");
}

#[test]
fn an_invisible_text_layer_is_the_text_of_its_scan() {
    let layer = "3 Tr\n".to_owned()
        + &paragraph(
            30.0,
            140.0,
            &["one two", "three four", "five six", "seven", "eight", "nine", "ten"],
        );
    let document = read(&pdf(&[scan(&picture(&content()), &layer)]));
    let page = &document.pages[0];
    assert_eq!(page.source, TextSource::Digital);
    assert!(page.text.starts_with("one two"), "{}", page.text);
}

#[test]
fn a_blank_scan_is_a_page_without_text_and_no_error() {
    let paper = GrayImage::from_fn(900, 450, |x, y| Luma([244 + ((x * 7 + y * 13) % 9) as u8]));
    let document = read(&pdf(&[scan(&paper, "")]));
    assert_eq!(document.pages[0].source, TextSource::Ocr);
    assert!(document.pages[0].text.is_empty() && document.items.is_empty() && document.info.gaps.is_empty());
}

#[test]
fn text_that_does_not_decode_is_read_from_the_pixels() {
    // Every character is mapped to a private one: the page looks right and its text is worthless.
    let map = "/CIDInit /ProcSet findresource begin begincmap /CMapName /X def /CMapType 2 def \
               1 begincodespacerange <00> <ff> endcodespacerange \
               1 beginbfrange <20> <7e> <e020> endbfrange endcmap end";
    let content = content();
    let objects = [
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        "<< /Type /Pages /Count 1 /Kids [3 0 R] >>".to_owned(),
        format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {WIDTH} {HEIGHT}] /Contents 6 0 R \
             /Resources << /Font << /F1 4 0 R /F2 4 0 R >> >> >>"
        ),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding /ToUnicode 5 0 R >>".to_owned(),
        format!("<< /Length {} >>\nstream\n{map}\nendstream", map.len()),
        format!("<< /Length {} >>\nstream\n{content}\nendstream", content.len()),
    ];
    let mut bytes = "%PDF-1.7\n".to_owned();
    for (index, object) in objects.iter().enumerate() {
        write!(bytes, "{} 0 obj\n{object}\nendobj\n", index + 1).expect("a string takes everything");
    }
    bytes.push_str("trailer\n<< /Size 7 /Root 1 0 R >>\n%%EOF\n");
    let document = read(bytes.as_bytes());
    let page = &document.pages[0];
    assert_eq!(page.source, TextSource::Ocr);
    assert!(page.text.contains("leased 14 aircraft"), "{}", page.text);
    assert!(!page.text.contains('\u{e041}'), "nothing of the text layer is kept");
}

fn jpeg(picture: &GrayImage) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = JpegEncoder::new_with_quality(&mut bytes, 85);
    encoder.set_pixel_density(PixelDensity {
        density: (200, 200),
        unit: PixelDensityUnit::Inches,
    });
    encoder.encode_image(picture).expect("encodes");
    bytes
}

#[test]
fn a_photo_is_a_page_of_its_size_on_paper() {
    let document = read(&jpeg(&picture(&content())));
    let page = &document.pages[0];
    assert_eq!(document.info.media_type, "image/jpeg");
    assert!(
        (page.width - WIDTH as f32).abs() < 0.5 && (page.height - HEIGHT as f32).abs() < 0.5,
        "{page:?}"
    );
    assert_same_words(&digital().pages[0], page, |x, y| (x, y));
}

#[test]
fn a_photo_taken_with_the_camera_turned_is_shown_and_read_as_it_was_held() {
    let stored = jpeg(&imageops::rotate270(&picture(&content())));
    // Orientation 6: turn a quarter clockwise to show.
    let exif = b"\xff\xe1\x00\x22Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0";
    let bytes = [&stored[..2], exif, &stored[2..]].concat();
    let document = read(&bytes);
    assert_same_words(&digital().pages[0], &document.pages[0], |x, y| (x, y));
    let (info, pages) = open::probe(&bytes, &Options::default()).expect("probes");
    assert_eq!(info.page_count, 1);
    assert_eq!(
        (pages[0].width, pages[0].height),
        (document.pages[0].width, document.pages[0].height)
    );
    let drawing = Drawing {
        page: 1,
        size: RenderSize::Width(400),
        highlights: &[],
        crop: None,
    };
    let drawn = render::page(&bytes, None, &drawing).expect("draws");
    assert!(drawn.width == 400 && drawn.height < 200, "wide as it was held");
}

#[test]
fn png_bmp_and_webp_are_read_and_transparency_is_white_paper() {
    let grey = picture(&text(20.0, 30.0, 80.0, "Some words"));
    let mut clear = image::RgbaImage::new(grey.width(), grey.height());
    for (from, to) in grey.pixels().zip(clear.pixels_mut()) {
        // Black letters on nothing.
        *to = image::Rgba([0, 0, 0, 255 - from[0]]);
    }
    for format in [ImageFormat::Png, ImageFormat::WebP, ImageFormat::Bmp] {
        let mut bytes = Cursor::new(Vec::new());
        let written = match format {
            ImageFormat::Bmp => image::DynamicImage::from(grey.clone())
                .into_rgb8()
                .write_to(&mut bytes, format),
            _ => clear.write_to(&mut bytes, format),
        };
        written.expect("encodes");
        let document = read(bytes.get_ref());
        assert_eq!(words(&document.pages[0]), ["Some", "words"], "{format:?}");
    }
}

/// An uncompressed TIFF file with a page for each picture.
fn tiff(pictures: &[&GrayImage]) -> Vec<u8> {
    let mut bytes = b"II*\0\0\0\0\0".to_vec();
    let mut link = 4;
    for picture in pictures {
        let data = u32::try_from(bytes.len()).expect("small");
        bytes.extend(picture.as_raw());
        let resolution = u32::try_from(bytes.len()).expect("small");
        bytes.extend([200u32.to_le_bytes(), 1u32.to_le_bytes()].concat());
        let directory = u32::try_from(bytes.len()).expect("small");
        bytes[link..link + 4].copy_from_slice(&directory.to_le_bytes());
        let length = u32::try_from(picture.as_raw().len()).expect("small");
        // Tag, kind (3 short, 4 long, 5 ratio), value.
        let entries = [
            (256u16, 4u16, picture.width()),
            (257, 4, picture.height()),
            (258, 3, 8),
            (259, 3, 1),
            (262, 3, 1),
            (273, 4, data),
            (277, 3, 1),
            (278, 4, picture.height()),
            (279, 4, length),
            (282, 5, resolution),
            (296, 3, 2),
        ];
        bytes.extend(11u16.to_le_bytes());
        for (tag, kind, value) in entries {
            bytes.extend(tag.to_le_bytes());
            bytes.extend(kind.to_le_bytes());
            bytes.extend(1u32.to_le_bytes());
            bytes.extend(value.to_le_bytes());
        }
        link = bytes.len();
        bytes.extend(0u32.to_le_bytes());
    }
    bytes
}

#[test]
fn every_page_of_a_fax_is_read() {
    let pages = ["First page", "Second page"].map(|words| picture(&text(20.0, 30.0, 80.0, words)));
    let document = read(&tiff(&[&pages[0], &pages[1]]));
    assert_eq!(document.info.page_count, 2);
    assert_eq!(words(&document.pages[0]), ["First", "page"]);
    assert_eq!(words(&document.pages[1]), ["Second", "page"]);
    assert!(
        (document.pages[1].width - WIDTH as f32).abs() < 0.5,
        "{}",
        document.pages[1].width
    );
}

/// A scan with a digital page among its pages, one stamped and one askew: all that recognition hands over.
fn scanned_file() -> Vec<u8> {
    let straight = picture(&content());
    let table =
        "0.5 w 30 40 m 300 40 l S 30 70 m 300 70 l S 30 100 m 300 100 l S 30 40 m 30 100 l S 160 40 m 160 100 l S \
                 300 40 m 300 100 l S\n"
            .to_owned()
            + &text(10.0, 40.0, 80.0, "Revenue")
            + &text(10.0, 200.0, 80.0, "1,577")
            + &text(10.0, 40.0, 50.0, "Costs")
            + &text(10.0, 200.0, 50.0, "1,200");
    pdf(&[
        scan(&straight, &text(8.0, 30.0, 8.0, "RECEIVED 2021")),
        FixturePage::new(WIDTH, HEIGHT, &content()),
        scan(&askew(&straight, 2.5), ""),
        scan(&picture(&table), ""),
    ])
}

#[tokio::test]
async fn a_scan_shared_among_workers_is_read_as_by_one() {
    let folder = tempfile::tempdir().expect("makes a folder");
    let pages = ["First page", "Second page"].map(|words| picture(&text(20.0, 30.0, 80.0, words)));
    let files = [("scan.pdf", scanned_file()), ("fax.tif", tiff(&[&pages[0], &pages[1]]))];
    for (name, bytes) in files {
        let path = folder.path().join(name);
        std::fs::write(&path, &bytes).expect("writes");
        let mut read = Vec::new();
        for workers in [1, 2] {
            let pool = WorkerPool::new(WorkerPoolOptions {
                workers,
                ..WorkerPoolOptions::new(PathBuf::from(env!("CARGO_BIN_EXE_recto-worker")))
            });
            let request = ParseRequest {
                path: path.clone(),
                file_name: name.into(),
                ..ParseRequest::default()
            };
            let document = pool
                .parse_document(request, &CancellationToken::new())
                .await
                .expect("reads");
            read.push(serde_json::to_string(&document).expect("encodes"));
        }
        assert!(read[0].contains("\"ocr\""), "something was recognised in {name}");
        assert!(read[0] == read[1], "{name} by one worker and by two: {read:#?}");
    }
}

#[test]
fn what_one_worker_recognised_another_takes_for_its_own() {
    let bytes = scanned_file();
    let alone = read(&bytes);
    let folder = tempfile::tempdir().expect("makes a folder");
    let asked_for = Options {
        recognition: Recognition::Elsewhere,
        ..Options::default()
    };
    struct Ask(Vec<u32>);
    impl Sink for Ask {
        fn step(&mut self, step: Step<'_>) -> Result<(), Error> {
            match step {
                Step::Scanned(pages) => {
                    self.0 = pages.to_vec();
                    Err(Error::Cancelled)
                }
                _ => Ok(()),
            }
        }
    }
    let mut ask = Ask(Vec::new());
    open::read(&bytes, &asked_for, &mut ask).expect_err("stops at the first scanned page");
    assert_eq!(ask.0, [1, 3, 4], "the page that has its text is none of them");
    for page in ask.0 {
        let recognised = open::recognise(&bytes, &Options::default(), page, &mut ()).expect("recognises");
        std::fs::write(folder.path().join(recognised_file(page)), recognised).expect("writes");
    }
    struct NoRecognition;
    impl Sink for NoRecognition {
        fn step(&mut self, step: Step<'_>) -> Result<(), Error> {
            assert!(!matches!(step, Step::Recognising { .. }), "nothing is recognised again");
            Ok(())
        }
    }
    let done = Options {
        recognition: Recognition::Done(folder.path().to_owned()),
        ..Options::default()
    };
    let taken = open::read(&bytes, &done, &mut NoRecognition).expect("reads");
    assert_eq!(taken, alone);
    // What cannot be made out is recognised anew.
    std::fs::write(folder.path().join(recognised_file(1)), b"\x01\xff").expect("writes");
    assert_eq!(open::read(&bytes, &done, &mut ()).expect("reads"), alone);
}

#[test]
fn an_image_with_too_many_pixels_is_refused_by_its_header() {
    let mut bytes = Cursor::new(Vec::new());
    RgbImage::new(4, 4)
        .write_to(&mut bytes, ImageFormat::Bmp)
        .expect("encodes");
    let mut bytes = bytes.into_inner();
    bytes[18..22].copy_from_slice(&20_000i32.to_le_bytes());
    bytes[22..26].copy_from_slice(&20_000i32.to_le_bytes());
    let error = open::read(&bytes, &Options::default(), &mut ()).expect_err("refuses");
    assert_eq!(error.code(), ErrorCode::TooLarge);
    assert!(error.to_string().contains("the limit is 100000000"), "{error}");
}

#[test]
fn recognition_is_told_of_and_can_be_stopped_within_a_page() {
    struct StopAt(usize, usize);
    impl Sink for StopAt {
        fn step(&mut self, step: Step<'_>) -> Result<(), Error> {
            if let Step::Recognising { page, total } = step {
                assert_eq!((page, total), (1, 1));
                self.0 += 1;
                if self.0 == self.1 {
                    return Err(Error::Cancelled);
                }
            }
            Ok(())
        }
    }
    let bytes = pdf(&[scan(&picture(&content()), "")]);
    let mut sink = StopAt(0, 3);
    let error = open::read(&bytes, &Options::default(), &mut sink).expect_err("stops");
    assert_eq!(error.code(), ErrorCode::Cancelled);
    assert_eq!(sink.0, 3, "nothing went on after it");
}

#[test]
fn an_image_on_a_digital_page_is_a_picture_in_its_place_with_its_bytes_once() {
    let photo = GrayImage::from_fn(80, 80, |x, y| Luma([(x * 3) as u8 ^ (y * 2) as u8]));
    let mut image = "q 90 0 0 90 200 40 cm BI /W 80 /H 80 /BPC 8 /CS /G /F /AHx ID\n".to_owned();
    for value in photo.as_raw() {
        write!(image, "{value:02x}").expect("a string takes everything");
    }
    image.push_str(">\nEI Q\n");
    let page = |words: &str| {
        let above = text(10.0, 200.0, 145.0, "Above it");
        FixturePage::new(WIDTH, HEIGHT, &(above + &image + &text(10.0, 200.0, 20.0, words)))
    };
    let document = read(&pdf(&[page("Below the first"), page("Below the other")]));
    let on_first: Vec<Label> = document
        .items
        .iter()
        .filter(|item| item.page_numbers() == [1])
        .map(|item| item.label)
        .collect();
    assert_eq!(
        on_first.iter().position(|label| *label == Label::Picture),
        Some(1),
        "{on_first:?}"
    );
    let pictures: Vec<_> = document.items.iter().filter_map(|item| item.picture.as_ref()).collect();
    assert_eq!((pictures.len(), document.images.len()), (2, 1), "one image shown twice");
    assert_eq!(pictures[0].sha256, document.images[0].sha256);
    let shown = image::load_from_memory(&document.images[0].bytes)
        .expect("decodes")
        .into_luma8();
    assert_eq!(shown.as_raw(), photo.as_raw());
}
