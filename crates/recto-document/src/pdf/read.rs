//! Reading a PDF from its first page to its last.

use super::ffi::{Embedded, Pdf, PdfPage};
use super::frame::DisplayFrame;
use super::page::{self, PageLayout};
use super::user_units::{self, UserUnits};
use super::{glyphs, graphics, labels, overlays, structure};
use crate::attached;
use crate::error::{Error, Result};
use crate::open::{Options, Sink, Step};
use crate::sniff;
use recto_core::{Attachment, Document, DocumentInfo, Gap, Page};

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
    let mut characters = 0usize;
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
        let Some(read) = read_page(&pdf, index, &units) else {
            let gap = damaged_page(number);
            sink.step(Step::Gap(&gap))?;
            document.info.gaps.push(gap);
            continue;
        };
        let (mut page, layout) = read;
        page.label = written.get(index as usize).cloned().flatten();
        characters += page.text.len();
        sink.step(Step::Page {
            page: &page,
            total: count,
        })?;
        document.pages.push(page);
        layouts.push(layout);
    }
    if document.pages.is_empty() && !document.info.gaps.is_empty() {
        return Err(Error::Damaged {
            what: "none of its pages can be read".into(),
        });
    }
    sink.step(Step::Structuring)?;
    if written.iter().all(Option::is_none) {
        document.info.page_labels = labels::extrapolate(&document.pages, &layouts);
        document.label_pages();
    }
    if characters > 0 {
        document.items = structure::items(&document.pages, &layouts, &document.info.bookmarks);
    }
    if document.info.title.is_none() {
        document.info.title = structure::title(&document.items);
    }
    Ok(document)
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

fn read_page(pdf: &Pdf<'_>, index: u32, units: &UserUnits) -> Option<(Page, PageLayout)> {
    let page = pdf.page(index)?;
    let frame = display_frame(&page, units.get(index));
    let text = page.text(MAX_CHARACTERS);
    let mut glyphs = glyphs::from_page(&text, &frame);
    let tags = page.tagged_headings();
    let overlays = overlays::from_page(&page, &frame);
    glyphs.add_values(overlays.words);
    let graphics = graphics::from_page(&page.objects(), &frame);
    let (mut page, mut layout) = page::lay_out(empty_page(index, &frame), &glyphs, graphics);
    page.links = overlays.links;
    layout.notes = overlays.notes;
    layout.tagged = glyphs.tagged(&tags);
    Some((page, layout))
}
