//! What a file is: the bytes decide first, the extension second and only between kinds of text.

mod container;
mod words;

use crate::error::{Error, Result};
use crate::format::Format;
use crate::text::decode;

/// Media type of PDF files.
pub(crate) const PDF: &str = "application/pdf";
pub(crate) const PLAIN_TEXT: &str = "text/plain";
pub(crate) const DOCLING_JSON: &str = "application/vnd.docling+json";

/// The kinds of files that are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Portable Document Format.
    Pdf,
    /// An image of the named type, whose text must be recognised.
    Image(&'static str),
    /// Text without markup.
    Text,
    /// Source code and other text that is kept line by line.
    Code(&'static str),
    /// XML of any vocabulary.
    Xml,
    /// An e-mail message as sent.
    Mail,
    /// An e-mail message as Outlook keeps it.
    OutlookMail,
    /// A document that Docling or Recto understood before.
    DoclingJson,
    /// An Office document that is encrypted; the name says of which kind.
    EncryptedOffice(Format),
    /// What a declarative backend reads.
    Declared(Format),
}

/// Bytes in which the header of a PDF may begin; readers accept it after some junk.
const PDF_HEADER_WITHIN: usize = 1024;
/// Bytes looked at to tell text from other data.
const TEXT_SAMPLE: usize = 64 << 10;

/// Tells what `bytes` are. `file_name` is consulted only when they are text.
///
/// # Errors
/// [`Error::Empty`] without any content; [`Error::UnsupportedType`] naming the type otherwise.
pub fn detect(bytes: &[u8], file_name: &str) -> Result<Kind> {
    if bytes.is_empty() {
        return Err(Error::Empty);
    }
    let extension = file_name
        .rsplit_once('.')
        .map(|(_, e)| e.to_lowercase())
        .unwrap_or_default();
    let head = &bytes[..bytes.len().min(PDF_HEADER_WITHIN)];
    let text = is_text(bytes);
    // A message or a page about PDF files may begin with these letters, too, but not at the beginning of a line.
    let pdf = memchr::memmem::find_iter(head, b"%PDF-").any(|at| !text || at == 0 || head[at - 1] == b'\n');
    if pdf {
        return Ok(Kind::Pdf);
    }
    if let Some(kind) = container::detect(bytes, &extension)? {
        return Ok(kind);
    }
    if let Some(found) = magic(bytes, text) {
        return found;
    }
    if extension == "pdf" {
        // Named like one, without the header: a damaged file, or another kind of file in disguise.
        return if memchr::memmem::find(bytes, b"%%EOF").is_some() || memchr::memmem::find(bytes, b" obj").is_some() {
            Ok(Kind::Pdf)
        } else {
            Err(Error::Damaged {
                what: "it is not a PDF although it is named like one".into(),
            })
        };
    }
    if !text {
        return Err(unsupported("unknown binary data"));
    }
    let blank = |c: char| c.is_whitespace() || c == '\0' || c == '\u{feff}';
    let sample = decode::text(&bytes[..bytes.len().min(TEXT_SAMPLE)]);
    if sample.trim_matches(blank).is_empty() && decode::text(bytes).trim_matches(blank).is_empty() {
        return Err(Error::Empty);
    }
    Ok(words::detect(bytes, sample.trim_start_matches(blank), &extension))
}

fn unsupported(detected: &str) -> Error {
    Error::UnsupportedType {
        detected: detected.into(),
    }
}

/// Types told by their first bytes. Text types are not among them: a Markdown file may begin with "BM".
fn magic(bytes: &[u8], text: bool) -> Option<Result<Kind>> {
    const IMAGES: &[(&[u8], &str)] = &[
        (b"\x89PNG\r\n\x1a\n", "PNG image"),
        (b"\xff\xd8\xff", "JPEG image"),
        (b"II*\0", "TIFF image"),
        (b"MM\0*", "TIFF image"),
    ];
    const OTHERS: &[(&[u8], &str)] = &[
        (b"GIF87a", "GIF image"),
        (b"GIF89a", "GIF image"),
        (b"\x7fELF", "program"),
        (b"MZ\x90\0", "program"),
        (b"\x1f\x8b", "gzip archive"),
        (b"BZh", "bzip2 archive"),
        (b"\xfd7zXZ\0", "xz archive"),
        (b"7z\xbc\xaf\x27\x1c", "7-Zip archive"),
        (b"Rar!\x1a\x07", "RAR archive"),
        (b"SQLite format 3\0", "SQLite database"),
        (b"OggS", "Ogg media"),
        (b"fLaC", "FLAC audio"),
        (b"ID3", "MP3 audio"),
        (b"%!PS", "PostScript"),
    ];
    if bytes.starts_with(b"{\\rtf") {
        return Some(Ok(Kind::Declared(Format::Rtf)));
    }
    if let Some((_, name)) = IMAGES.iter().find(|(start, _)| bytes.starts_with(start)) {
        return Some(Ok(Kind::Image(name)));
    }
    if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
        return Some(Ok(Kind::Image("WebP image")));
    }
    if bytes.starts_with(b"BM") && !text {
        return Some(Ok(Kind::Image("BMP image")));
    }
    if bytes.get(4..8) == Some(b"ftyp") {
        return Some(Err(unsupported("MP4 or HEIF media")));
    }
    // Short letters begin texts as well.
    OTHERS
        .iter()
        .find(|(start, name)| bytes.starts_with(start) && (!text || *name == "PostScript"))
        .map(|(_, name)| Err(unsupported(name)))
}

/// Text has few control characters; a stray null byte does not make it binary. UTF-16 is text, too, with or without a
/// byte order mark.
fn is_text(bytes: &[u8]) -> bool {
    let sample = &bytes[..bytes.len().min(TEXT_SAMPLE)];
    if decode::utf16(sample).is_some() {
        return true;
    }
    let control = sample
        .iter()
        .filter(|b| **b < 0x20 && !matches!(**b, b'\n' | b'\r' | b'\t' | 0x0c | 0x1b))
        .count();
    let nulls = memchr::memchr_iter(0, sample).count();
    let few = |count: usize| count * 100 <= sample.len();
    // Nulls in what is otherwise not even UTF-8 are data of another kind.
    few(control) && (nulls == 0 || std::str::from_utf8(&sample[..valid_end(sample)]).is_ok())
}

/// Where the last whole character of a cut sample ends.
fn valid_end(sample: &[u8]) -> usize {
    let tail = sample
        .iter()
        .rev()
        .take(4)
        .position(|b| (*b & 0xc0) != 0x80)
        .unwrap_or(0);
    let start = sample.len() - (tail + 1).min(sample.len());
    if sample.get(start).is_some_and(|b| *b >= 0xc0) {
        start
    } else {
        sample.len()
    }
}

#[cfg(test)]
mod tests;
