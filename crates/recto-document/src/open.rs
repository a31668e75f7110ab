//! From bytes to a document, whatever the format.

use crate::error::{Error, Result};
use crate::sniff::{self, Kind};
use crate::{images, office, pdf, text};
use recto_core::{Attachment, Document, DocumentInfo, Gap, Page};
use recto_worker::{ParseLimits, Recognition};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// How a file is read.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The file's name where it came from; consulted only to tell kinds of text apart.
    pub file_name: String,
    /// The user password.
    pub password: Option<String>,
    /// 1-based first and last page to read, both included; `None` is the whole file.
    pub pages: Option<(u32, u32)>,
    /// 1-based pages to leave alone.
    pub skip_pages: Vec<u32>,
    /// How much is read at most.
    pub limits: ParseLimits,
    /// Who recognises the text of scanned pages.
    pub recognition: Recognition,
}

impl Options {
    /// Whether this page is to be read.
    pub(crate) fn wants(&self, number: u32) -> bool {
        let in_range = self.pages.is_none_or(|(first, last)| (first..=last).contains(&number));
        in_range && !self.skip_pages.contains(&number)
    }
}

/// What happens while a file is read.
#[derive(Debug)]
pub enum Step<'a> {
    /// The file is open.
    Info(&'a DocumentInfo),
    /// A page is finished, except for a label found by comparing pages.
    Page {
        /// The page.
        page: &'a Page,
        /// Pages of the whole file.
        total: u32,
    },
    /// Text of this page is being recognised; told again and again until it is finished.
    Recognising {
        /// 1-based page number.
        page: u32,
        /// Pages of the whole file.
        total: u32,
    },
    /// From here on, the text of these pages must be recognised; told once, and only where that is to be done
    /// [elsewhere](Recognition::Elsewhere) and there is more than one. Where it is accepted, they are recognised here.
    Scanned(&'a [u32]),
    /// A page could not be read, or not all of it.
    Gap(&'a Gap),
    /// All pages are read; items are being made.
    Structuring,
}

/// Takes the steps of reading a file.
pub trait Sink {
    /// Called at every step. An error stops the reading and is handed on.
    ///
    /// # Errors
    /// Whatever should stop the reading, e.g. [`Error::Cancelled`].
    fn step(&mut self, step: Step<'_>) -> Result<()>;
}

/// Ignores all steps.
impl Sink for () {
    fn step(&mut self, _: Step<'_>) -> Result<()> {
        Ok(())
    }
}

/// Reads a document.
///
/// # Errors
/// `unsupported_type`, `empty`, `password_required`, `damaged`, `too_large`, `asset_missing`; what `sink` returns.
pub fn read(bytes: &[u8], options: &Options, sink: &mut dyn Sink) -> Result<Document> {
    check_size(bytes.len() as u64, options)?;
    match sniff::detect(bytes, &options.file_name)? {
        Kind::Pdf => pdf::read(bytes, options, sink),
        Kind::Image(_) => images::read(bytes, options, sink),
        kind => without_pages(kind, bytes, options, sink),
    }
}

fn without_pages(kind: Kind, bytes: &[u8], options: &Options, sink: &mut dyn Sink) -> Result<Document> {
    match kind {
        Kind::Pdf | Kind::Image(_) => Err(Error::Internal {
            what: "A file with pages was taken for one without.".into(),
        }),
        Kind::Text => text::plain(bytes, sink),
        Kind::Code(media_type) => text::code(bytes, media_type, sink),
        Kind::Xml => office::xml(bytes, options, sink),
        Kind::Mail => office::mail::read(bytes, options, sink),
        Kind::OutlookMail => office::mail::read_outlook(bytes, options, sink),
        Kind::DoclingJson => office::docling_json(bytes, options, sink),
        Kind::EncryptedOffice(guess) => office::read_encrypted(bytes, guess, options, sink),
        Kind::Declared(format) => office::read(bytes, format, options, sink),
    }
}

/// Recognises the text of a page, for a reading of the whole whose options say that it is
/// [done](Recognition::Done). A page that has its text already gives what that reading never asks for.
///
/// # Errors
/// As for [`read`].
pub fn recognise(bytes: &[u8], options: &Options, page: u32, sink: &mut dyn Sink) -> Result<Vec<u8>> {
    check_size(bytes.len() as u64, options)?;
    let recognised = match sniff::detect(bytes, &options.file_name)? {
        Kind::Pdf => pdf::recognise_page(bytes, options, page, sink)?,
        Kind::Image(_) => images::recognise_page(bytes, options, page, sink)?,
        _ => None,
    };
    pdf::Recognised::encode(recognised.as_ref())
}

/// The files inside a file with their bytes, in the order of [`DocumentInfo::attachments`]. Only PDF files and e-mail
/// messages have any.
///
/// # Errors
/// As for [`read`].
pub fn attachments(bytes: &[u8], options: &Options) -> Result<Vec<(Attachment, Vec<u8>)>> {
    check_size(bytes.len() as u64, options)?;
    match sniff::detect(bytes, &options.file_name)? {
        Kind::Pdf => pdf::attachments(bytes, options),
        Kind::Mail | Kind::OutlookMail => office::mail::attachments(bytes, &options.limits),
        _ => Ok(Vec::new()),
    }
}

/// Looks at a document without reading its text: what is known about it, and its pages without words.
///
/// # Errors
/// As for [`read`].
pub fn probe(bytes: &[u8], options: &Options) -> Result<(DocumentInfo, Vec<Page>)> {
    check_size(bytes.len() as u64, options)?;
    match sniff::detect(bytes, &options.file_name)? {
        Kind::Pdf => pdf::probe(bytes, options),
        Kind::Image(_) => images::probe(bytes, options),
        kind => {
            let document = without_pages(kind, bytes, options, &mut ())?;
            Ok((document.info, document.pages))
        }
    }
}

/// Reads the bytes of a file, unless there are too many.
///
/// # Errors
/// [`Error::Read`], [`Error::TooLarge`].
pub fn load(path: &Path, limits: &ParseLimits) -> Result<Vec<u8>> {
    let failed = |source| Error::Read {
        path: path.to_owned(),
        source,
    };
    let file = File::open(path).map_err(failed)?;
    let metadata = file.metadata().map_err(failed)?;
    if !metadata.is_file() {
        return Err(Error::InvalidArgument {
            what: format!("{} is not a file.", path.display()),
        });
    }
    check_bytes(metadata.len(), limits)?;
    let mut bytes = Vec::new();
    // One byte more than allowed is enough to notice a file that grew.
    file.take(limits.max_bytes.saturating_add(1))
        .read_to_end(&mut bytes)
        .map_err(failed)?;
    check_bytes(bytes.len() as u64, limits)?;
    Ok(bytes)
}

fn check_size(length: u64, options: &Options) -> Result<()> {
    check_bytes(length, &options.limits)
}

fn check_bytes(length: u64, limits: &ParseLimits) -> Result<()> {
    if length > limits.max_bytes {
        return Err(Error::TooLarge {
            what: format!("it has {length} bytes, the limit is {}", limits.max_bytes),
        });
    }
    Ok(())
}
