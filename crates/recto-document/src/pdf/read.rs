//! Reading a PDF from its first page to its last.

use super::ffi::{Embedded, Pdf, PdfPage};
use super::frame::DisplayFrame;
use super::page::{self, PageLayout};
use super::pictures::{self, Gallery};
use super::scan::{self, Need};
use super::user_units::{self, UserUnits};
use super::{glyphs, graphics, labels, overlays, structure};
use crate::attached;
use crate::error::{Error, Result};
use crate::open::{Options, Sink, Step};
use crate::sniff;
use recto_core::{Attachment, Document, DocumentInfo, Gap, Page, TextSource};

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
    for index in 0..count {
        let number = index + 1;
        if options.skip_pages.contains(&number) {
            continue;
        }
        if options
            .pages
            .is_some_and(|(first, last)| number < first || number > last)
        {
            continue;
        }
        let (read, gap) = match read_page(&pdf, index, &units, options, &mut gallery, sink)? {
            Some(read) => read,
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

/// Reads a page; `None` when it is damaged.
fn read_page(
    pdf: &Pdf<'_>,
    index: u32,
    units: &UserUnits,
    options: &Options,
    gallery: &mut Gallery,
    sink: &mut dyn Sink,
) -> Result<Option<ReadPage>> {
    let Some(page) = pdf.page(index) else {
        return Ok(None);
    };
    let frame = display_frame(&page, units.get(index));
    let mut glyphs = glyphs::from_page(&page.text(MAX_CHARACTERS), &frame);
    let tagged = glyphs.tagged(&page.tagged_headings());
    let overlays = overlays::from_page(&page, &frame);
    glyphs.add_values(overlays.words);
    let graphics = graphics::from_page(&page.objects(), &frame);
    let digital = scan::digital(&glyphs);
    let empty = Page {
        links: overlays.links,
        ..empty_page(index, &frame)
    };
    let notes = overlays.notes;
    let need = scan::need(&glyphs, &digital, &graphics, frame.size());
    let pictures = match need {
        Need::Nothing => pictures::find(&page, &frame, &graphics, options.limits.max_image_pixels, gallery),
        // What lies on the pixels of a scan is the scan.
        Need::Beside | Need::Instead => Vec::new(),
    };
    let finished = |(page, layout): (Page, PageLayout)| {
        let layout = PageLayout {
            notes,
            pictures,
            tagged,
            ..layout
        };
        (page, layout)
    };
    if need == Need::Nothing {
        let laid_out = page::lay_out(empty, digital, TextSource::Digital, graphics);
        return Ok(Some((Some(finished(laid_out)), None)));
    }
    let (number, total) = (index + 1, pdf.page_count());
    let mut stop = None;
    let mut step = || {
        let told = sink.step(Step::Recognising { page: number, total });
        told.map_err(|error| {
            stop = Some(error);
            Error::Cancelled
        })
    };
    let kept = match need {
        Need::Instead => Vec::new(),
        _ => digital.clone(),
    };
    let recognised = scan::read(&page, need, digital, frame.size(), &mut step);
    if let Some(error) = stop {
        return Err(error);
    }
    Ok(Some(match recognised {
        Ok((words, traced, source)) => {
            let graphics = graphics.with_traced(traced);
            (Some(finished(page::lay_out(empty, words, source, graphics))), None)
        }
        // What the text layer has is better than nothing; the page is named all the same.
        Err(error) => {
            let gap = Gap {
                page: number,
                reason: scan::gap_reason(need, &error),
            };
            let read = (!kept.is_empty()).then(|| finished(page::lay_out(empty, kept, TextSource::Digital, graphics)));
            (read, Some((gap, error)))
        }
    }))
}
