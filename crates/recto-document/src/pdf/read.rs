//! Reading a PDF from its first page to its last.

use super::ffi::{Embedded, Pdf, PdfPage};
use super::frame::DisplayFrame;
use super::graphics::Graphics;
use super::page::{self, PageLayout};
use super::pictures;
use super::recognised::Frames;
use super::scan::{self, Need};
use super::shared::Recognised;
use super::user_units::{self, UserUnits};
use super::{glyphs, graphics, labels, overlays, structure};
use crate::attached;
use crate::error::{Error, Result};
use crate::gallery::Gallery;
use crate::open::{Options, Sink, Step};
use crate::sniff;
use recto_core::{Attachment, Document, DocumentInfo, Gap, Link, Page, Rect, TextSource};
use recto_worker::Recognition;

/// Characters of one page read at most; a page of the densest print has some twenty thousand.
const MAX_CHARACTERS: usize = 2_000_000;

/// How a page of this file is displayed.
pub(crate) fn display_frame(page: &PdfPage<'_>, unit: f64) -> DisplayFrame {
    DisplayFrame::new(page.bounds(), page.quarter_turns(), unit)
}

/// What is known about a file without reading its text, and the size of every page.
pub(crate) fn probe(bytes: &[u8], options: &Options) -> Result<(DocumentInfo, Vec<Page>)> {
    let (pdf, mut info, units) = open(bytes, options)?;
    let mut pages = Vec::new();
    for index in 0..info.page_count {
        match pdf.page(index) {
            Some(page) => pages.push(empty_page(index, &display_frame(&page, units.get(index)))),
            None => info.gaps.push(damaged_page(index + 1)),
        }
    }
    let written: Vec<Option<String>> = pages.iter().map(|p| pdf.page_label(p.number - 1)).collect();
    for (page, label) in pages.iter_mut().zip(labels::written(written)) {
        page.label = label;
    }
    Ok((info, pages))
}

/// Reads all pages, hands each to `sink` as soon as it is finished, and makes items of them.
pub(crate) fn read(bytes: &[u8], options: &Options, sink: &mut dyn Sink) -> Result<Document> {
    let (pdf, info, units) = open(bytes, options)?;
    let count = info.page_count;
    let mut document = Document {
        info,
        ..Document::default()
    };
    if let Some((first, _)) = options.pages
        && first > count
    {
        return Err(Error::NoSuchPage { page: first, count });
    }
    sink.step(Step::Info(&document.info))?;
    let written = labels::written((0..count).map(|index| pdf.page_label(index)).collect());
    let mut layouts = Vec::new();
    let mut first_loss = None;
    let mut gallery = Gallery::default();
    let mut shares = options.recognition == Recognition::Elsewhere;
    for number in (1..=count).filter(|number| options.wants(*number)) {
        let index = number - 1;
        let (read, gap) = match pdf.page(index) {
            Some(page) => {
                let contents = Contents::of(&page, display_frame(&page, units.get(index)));
                if shares && contents.need != Need::Nothing {
                    shares = false;
                    let scanned = scanned(&pdf, number, &units, options, sink)?;
                    if scanned.len() > 1 {
                        sink.step(Step::Scanned(&scanned))?;
                    }
                }
                let pages = Pages { number, total: count };
                read_page(&page, contents, pages, options, &mut gallery, sink)?
            }
            None => (None, Some((damaged_page(number), none_readable()))),
        };
        if let Some((gap, error)) = gap {
            sink.step(Step::Gap(&gap))?;
            first_loss.get_or_insert(error);
            document.info.gaps.push(gap);
        }
        let Some((mut page, layout)) = read else { continue };
        page.label = written.get(index as usize).cloned().flatten();
        sink.step(Step::Page {
            page: &page,
            total: count,
        })?;
        document.pages.push(page);
        layouts.push(layout);
    }
    if let (true, Some(error)) = (document.pages.is_empty(), first_loss) {
        return Err(error);
    }
    sink.step(Step::Structuring)?;
    finish(&mut document, &layouts);
    document.images = gallery.referred_to(&document.items);
    Ok(document)
}

/// Makes items of the pages, and finds labels and title where the file itself has none.
pub(crate) fn finish(document: &mut Document, layouts: &[PageLayout]) {
    let printed = labels::extrapolate(&document.pages, layouts);
    let labelled = document.pages.iter().any(|page| page.label.is_some());
    // A person looks for the number they see.
    if !labelled || labels::disagree(&document.pages, &printed) {
        document.info.page_labels = printed;
        document.label_pages();
    }
    let has_pictures = layouts.iter().any(|layout| !layout.pictures.is_empty());
    if has_pictures || document.pages.iter().any(|page| !page.text.is_empty()) {
        document.items = structure::items(&document.pages, layouts, &document.info.bookmarks);
    }
    let title = structure::title_of_filing(&document.items).or_else(|| document.info.title.take());
    document.info.title = title.or_else(|| structure::title(&document.items));
}

fn open<'b>(bytes: &'b [u8], options: &Options) -> Result<(Pdf<'b>, DocumentInfo, UserUnits)> {
    let pdf = Pdf::open(bytes, options.password.as_deref())?;
    let count = pdf.page_count();
    if count == 0 {
        return Err(Error::Damaged {
            what: "it has no pages".into(),
        });
    }
    if count > options.limits.max_pages {
        return Err(Error::TooLarge {
            what: format!("it has {count} pages, the limit is {}", options.limits.max_pages),
        });
    }
    let info = DocumentInfo {
        title: pdf.metadata("Title").and_then(|title| labels::usable_title(&title)),
        media_type: sniff::PDF.into(),
        page_count: count,
        bookmarks: pdf.bookmarks(),
        attachments: listed(&pdf.attachments()),
        ..DocumentInfo::default()
    };
    let units = user_units::of(bytes, count);
    Ok((pdf, info, units))
}

/// The files inside a file with their bytes, as far as the limit on unpacked bytes goes.
pub(crate) fn attachments(bytes: &[u8], options: &Options) -> Result<Vec<(Attachment, Vec<u8>)>> {
    let pdf = Pdf::open(bytes, options.password.as_deref())?;
    let files = pdf.attachments();
    let total = files.iter().fold(0u64, |total, file| total.saturating_add(file.bytes));
    if total > options.limits.max_unpacked_bytes {
        return Err(Error::TooLarge {
            what: format!(
                "the files in it have {total} bytes, the limit is {}",
                options.limits.max_unpacked_bytes
            ),
        });
    }
    let named = listed(&files);
    Ok(named
        .into_iter()
        .zip(&files)
        .filter_map(|(attachment, file)| Some((attachment, pdf.attached(file)?)))
        .collect())
}

fn listed(files: &[Embedded]) -> Vec<Attachment> {
    let names = attached::unique_names(files.iter().map(|file| file.name.as_str()));
    names
        .into_iter()
        .zip(files)
        .map(|(name, file)| Attachment {
            name,
            bytes: file.bytes,
        })
        .collect()
}

/// What a file ends in when every page is damaged.
fn none_readable() -> Error {
    Error::Damaged {
        what: "none of its pages can be read".into(),
    }
}

fn damaged_page(number: u32) -> Gap {
    Gap {
        page: number,
        reason: "The page is damaged and could not be read.".into(),
    }
}

fn empty_page(index: u32, frame: &DisplayFrame) -> Page {
    let (width, height) = frame.size();
    Page {
        number: index + 1,
        width,
        height,
        rotation: frame.rotation(),
        ..Page::default()
    }
}

/// A page with its layout, and what was left unread of it.
type ReadPage = (Option<(Page, PageLayout)>, Option<(Gap, Error)>);

/// A page among the others.
#[derive(Debug, Clone, Copy)]
struct Pages {
    number: u32,
    total: u32,
}

/// What the file itself has of a page, and whether that is its text.
struct Contents {
    frame: DisplayFrame,
    digital: Frames,
    graphics: Graphics,
    need: Need,
    links: Vec<Link>,
    notes: Vec<(Rect, String)>,
    tagged: Vec<(Rect, u32)>,
}

impl Contents {
    fn of(page: &PdfPage<'_>, frame: DisplayFrame) -> Self {
        let mut glyphs = glyphs::from_page(&page.text(MAX_CHARACTERS), &frame);
        let tagged = glyphs.tagged(&page.tagged_headings());
        let overlays = overlays::from_page(page, &frame);
        glyphs.add_values(overlays.words);
        let graphics = graphics::from_page(&page.objects(), &frame);
        let digital = scan::digital(&glyphs);
        Self {
            need: scan::need(&glyphs, &digital, &graphics, frame.size()),
            frame,
            digital,
            graphics,
            links: overlays.links,
            notes: overlays.notes,
            tagged,
        }
    }
}

/// The pages from `first` on, itself among them, whose text must be recognised.
fn scanned(pdf: &Pdf<'_>, first: u32, units: &UserUnits, options: &Options, sink: &mut dyn Sink) -> Result<Vec<u32>> {
    let total = pdf.page_count();
    let mut out = vec![first];
    for number in (first + 1..=total).filter(|number| options.wants(*number)) {
        sink.step(Step::Recognising { page: first, total })?;
        let Some(page) = pdf.page(number - 1) else { continue };
        let frame = display_frame(&page, units.get(number - 1));
        if Contents::of(&page, frame).need != Need::Nothing {
            out.push(number);
        }
    }
    Ok(out)
}

/// Recognises the text of a page, where it is not in the file; `None` also where the page is damaged.
pub(crate) fn recognise_page(
    bytes: &[u8],
    options: &Options,
    number: u32,
    sink: &mut dyn Sink,
) -> Result<Option<Recognised>> {
    let (pdf, info, units) = open(bytes, options)?;
    let total = info.page_count;
    if number == 0 || number > total {
        return Err(Error::NoSuchPage {
            page: number,
            count: total,
        });
    }
    let Some(page) = pdf.page(number - 1) else {
        return Ok(None);
    };
    let contents = Contents::of(&page, display_frame(&page, units.get(number - 1)));
    if contents.need == Need::Nothing {
        return Ok(None);
    }
    recognise(&page, &contents, Pages { number, total }, sink)?.map(Some)
}

/// The outer error is that of `sink`, the inner one what the recognition failed with.
fn recognise(
    page: &PdfPage<'_>,
    contents: &Contents,
    Pages { number, total }: Pages,
    sink: &mut dyn Sink,
) -> Result<Result<Recognised>> {
    let mut stop = None;
    let mut step = || {
        let told = sink.step(Step::Recognising { page: number, total });
        told.map_err(|error| {
            stop = Some(error);
            Error::Cancelled
        })
    };
    let (need, digital) = (contents.need, contents.digital.clone());
    let recognised = scan::read(page, need, digital, contents.frame.size(), &mut step);
    match stop {
        Some(error) => Err(error),
        None => Ok(recognised),
    }
}

/// Reads a page.
fn read_page(
    page: &PdfPage<'_>,
    contents: Contents,
    pages: Pages,
    options: &Options,
    gallery: &mut Gallery,
    sink: &mut dyn Sink,
) -> Result<ReadPage> {
    let recognised = match contents.need {
        Need::Nothing => None,
        _ => Some(match Recognised::done(options, pages.number) {
            Some(done) => Ok(done),
            None => recognise(page, &contents, pages, sink)?,
        }),
    };
    let Contents {
        frame,
        digital,
        graphics,
        need,
        links,
        notes,
        tagged,
    } = contents;
    let pictures = match need {
        Need::Nothing => pictures::find(page, &frame, &graphics, options.limits.max_image_pixels, gallery),
        // What lies on the pixels of a scan is the scan.
        Need::Beside | Need::Instead => Vec::new(),
    };
    let lay_out = |words, source, graphics| {
        let empty = Page {
            links,
            ..empty_page(pages.number - 1, &frame)
        };
        let (page, layout) = page::lay_out(empty, words, source, graphics);
        let layout = PageLayout {
            notes,
            pictures,
            tagged,
            ..layout
        };
        (page, layout)
    };
    Ok(match recognised {
        None => (Some(lay_out(digital, TextSource::Digital, graphics)), None),
        Some(Ok(Recognised { words, traced, source })) => {
            (Some(lay_out(words, source, graphics.with_traced(traced))), None)
        }
        // What the text layer has is better than nothing; the page is named all the same.
        Some(Err(error)) => {
            let gap = Gap {
                page: pages.number,
                reason: scan::gap_reason(need, &error),
            };
            let kept = need != Need::Instead && !digital.is_empty();
            let read = kept.then(|| lay_out(digital, TextSource::Digital, graphics));
            (read, Some((gap, error)))
        }
    })
}
