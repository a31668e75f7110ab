//! The call of a declarative backend, guarded.

use super::{hints, marks};
use crate::error::{Error, Result};
use crate::format::Format;
use crate::import::{self, Imported, Source};
use crate::open::Options;
use docling::{ConversionError, DoclingDocument, DocumentConverter, ImageSources, SourceDocument};
use std::io::{self, BufReader, BufWriter, Write};
use std::panic::{self, AssertUnwindSafe};
use std::thread;

/// Stack of the thread that reads. Backends descend into nested elements; this holds the nesting they allow.
const STACK_BYTES: usize = 64 << 20;
/// Bytes written and read at once.
const PIPE_BYTES: usize = 64 << 10;

/// Converts a file; returns the title its properties state as well. Nothing is fetched: only what is in the file can
/// become part of the document. A panic is a fault of the file's making and is reported as damage.
pub(super) fn convert(bytes: Vec<u8>, format: Format, options: &Options) -> Result<(Imported, Option<String>)> {
    guarded(format.facts().name, || convert_here(bytes, format, options))
}

/// Runs `work` where a panic or deep nesting does no harm.
pub(super) fn guarded<T: Send>(name: &str, work: impl FnOnce() -> Result<T> + Send) -> Result<T> {
    let damaged = || Error::Damaged {
        what: format!("it is not a readable file of the type {name}"),
    };
    thread::scope(|scope| {
        let handle = thread::Builder::new()
            .stack_size(STACK_BYTES)
            .spawn_scoped(scope, || panic::catch_unwind(AssertUnwindSafe(work)))
            .map_err(|error| Error::Internal {
                what: format!("A thread to read the file could not be started: {error}."),
            })?;
        match handle.join() {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(_)) | Err(_) => Err(damaged()),
        }
    })
}

/// As [`convert`], on the thread that is running.
pub(super) fn convert_here(bytes: Vec<u8>, format: Format, options: &Options) -> Result<(Imported, Option<String>)> {
    let facts = format.facts();
    let extension = options
        .file_name
        .rsplit_once('.')
        .map(|(_, extension)| extension.to_lowercase());
    // Paragraphs of Word are looked at once more for their spacing.
    let package = (format == Format::Docx).then(|| bytes.clone());
    let mut source = SourceDocument::from_bytes("document", facts.backend, bytes);
    source.extension = extension;
    let converter = DocumentConverter::new()
        .password(options.password.clone())
        .image_sources(ImageSources::Embedded);
    let title = converter.document_metadata(&source).title;
    let converted = converter
        .convert(source)
        .map_err(|error| explained(&error, facts.name))?;
    let source = source_of(&converted.document)?;
    let hints = hints::of(&converted.document, &source, package.as_deref());
    drop(converted);
    let mut imported = import::document(&source, facts.layout, &hints, &options.limits)?;
    if matches!(format, Format::Rtf | Format::Doc | Format::Ppt) {
        marks::remove(&mut imported);
    }
    Ok((imported, title))
}

/// The document as its JSON tells it. It is read while it is written: whole, the text of a large table would take more
/// memory than the table.
pub(super) fn source_of(document: &DoclingDocument) -> Result<Source> {
    let broken = || Error::Internal {
        what: "What a file holds could not be taken over.".into(),
    };
    let (reader, writer) = io::pipe().map_err(|_| broken())?;
    thread::scope(|scope| {
        let reading = scope.spawn(move || serde_json::from_reader(BufReader::with_capacity(PIPE_BYTES, reader)));
        let mut writer = BufWriter::with_capacity(PIPE_BYTES, writer);
        let written = document.write_json(&mut writer).and_then(|()| writer.flush());
        drop(writer);
        let read = reading.join().map_err(|_| broken())?;
        written.map_err(|_| broken())?;
        read.map_err(|_: serde_json::Error| broken())
    })
}

/// The backend's error without its words, which may quote the file.
fn explained(error: &ConversionError, name: &str) -> Error {
    if let Some(encryption) = error.encryption() {
        return match encryption.code() {
            "password_required" => Error::PasswordRequired,
            "wrong_password" => Error::PasswordWrong,
            _ => Error::UnsupportedType {
                detected: format!("{name}, encrypted in a way that cannot be opened"),
            },
        };
    }
    if let Some(limit) = error.limit() {
        return Error::TooLarge {
            what: format!("a table of {} cells is over the limit of {}", limit.actual, limit.limit),
        };
    }
    Error::Damaged {
        what: format!("it is not a readable file of the type {name}"),
    }
}
