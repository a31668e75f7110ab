//! What a file is: the bytes decide first, the extension second and only between kinds of text.

use crate::error::{Error, Result};

/// Media type of PDF files.
pub(crate) const PDF: &str = "application/pdf";
pub(crate) const MARKDOWN: &str = "text/markdown";
pub(crate) const PLAIN_TEXT: &str = "text/plain";

/// The kinds of files that are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Portable Document Format.
    Pdf,
    /// Markdown.
    Markdown,
    /// Text without markup.
    Text,
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
    let head = &bytes[..bytes.len().min(PDF_HEADER_WITHIN)];
    if memchr::memmem::find(head, b"%PDF-").is_some() {
        return Ok(Kind::Pdf);
    }
    if let Some(detected) = magic(bytes) {
        return Err(unsupported(detected));
    }
    let extension = file_name
        .rsplit_once('.')
        .map(|(_, e)| e.to_lowercase())
        .unwrap_or_default();
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
    if !is_text(bytes) {
        return Err(unsupported("unknown binary data"));
    }
    let start = String::from_utf8_lossy(&bytes[..bytes.len().min(512)])
        .trim_start()
        .to_lowercase();
    if start.is_empty() && bytes.len() <= 512 {
        return Err(Error::Empty);
    }
    match extension.as_str() {
        "md" | "markdown" | "mdown" | "mkd" => Ok(Kind::Markdown),
        "txt" | "text" | "log" | "" => Ok(Kind::Text),
        _ if start.starts_with("<!doctype html") || start.starts_with("<html") => Err(unsupported("HTML")),
        _ if start.starts_with("<?xml") => Err(unsupported("XML")),
        "htm" | "html" | "xhtml" => Err(unsupported("HTML")),
        "csv" | "tsv" => Err(unsupported("table of comma-separated values")),
        "eml" => Err(unsupported("e-mail message")),
        "json" => Err(unsupported("JSON")),
        "xml" => Err(unsupported("XML")),
        "tex" => Err(unsupported("LaTeX")),
        "rtf" => Err(unsupported("Rich Text Format")),
        "adoc" | "asciidoc" => Err(unsupported("AsciiDoc")),
        _ => Ok(Kind::Text),
    }
}

fn unsupported(detected: &str) -> Error {
    Error::UnsupportedType {
        detected: detected.into(),
    }
}

/// Types told by their first bytes. Text types are not among them: a Markdown file may begin with "BM".
fn magic(bytes: &[u8]) -> Option<&'static str> {
    const TABLE: &[(&[u8], &str)] = &[
        (b"\x89PNG\r\n\x1a\n", "PNG image"),
        (b"\xff\xd8\xff", "JPEG image"),
        (b"GIF87a", "GIF image"),
        (b"GIF89a", "GIF image"),
        (b"II*\0", "TIFF image"),
        (b"MM\0*", "TIFF image"),
        (
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
            "legacy Microsoft Office or Outlook message",
        ),
        (b"{\\rtf", "Rich Text Format"),
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
    if bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06") {
        return Some(zip_kind(bytes));
    }
    if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
        return Some("WebP image");
    }
    if bytes.starts_with(b"BM") && !is_text(bytes) {
        return Some("BMP image");
    }
    if bytes.get(4..8) == Some(b"ftyp") {
        return Some("MP4 or HEIF media");
    }
    TABLE
        .iter()
        .find(|(start, _)| bytes.starts_with(start))
        .map(|(_, name)| *name)
}

fn zip_kind(bytes: &[u8]) -> &'static str {
    let head = &bytes[..bytes.len().min(8192)];
    let tail = &bytes[bytes.len().saturating_sub(65_536)..];
    let has =
        |needle: &[u8]| memchr::memmem::find(head, needle).is_some() || memchr::memmem::find(tail, needle).is_some();
    if has(b"word/") {
        "Microsoft Word (DOCX)"
    } else if has(b"ppt/") {
        "Microsoft PowerPoint (PPTX)"
    } else if has(b"xl/") {
        "Microsoft Excel (XLSX)"
    } else if has(b"application/epub+zip") {
        "EPUB book"
    } else if has(b"application/vnd.oasis.opendocument") {
        "OpenDocument"
    } else {
        "ZIP archive"
    }
}

/// Text has no null bytes and few control characters. UTF-16 with a byte order mark is text too.
fn is_text(bytes: &[u8]) -> bool {
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        return true;
    }
    let sample = &bytes[..bytes.len().min(TEXT_SAMPLE)];
    let control = sample
        .iter()
        .filter(|b| **b < 0x20 && !matches!(**b, b'\n' | b'\r' | b'\t' | 0x0c | 0x1b))
        .count();
    !sample.contains(&0) && control * 100 <= sample.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bytes_decide_before_the_name() {
        assert_eq!(detect(b"%PDF-1.7\n...", "notes.txt").expect("detects"), Kind::Pdf);
        assert_eq!(detect(b"junk\n%PDF-1.4", "").expect("detects"), Kind::Pdf);
        assert_eq!(detect(b"BM is a company.\n", "a.md").expect("detects"), Kind::Markdown);
        assert_eq!(detect(b"# Title\n", "a.txt").expect("detects"), Kind::Text);
    }

    #[test]
    fn an_unsupported_file_is_named_by_what_it_is() {
        for (bytes, name, detected) in [
            (
                &b"PK\x03\x04....word/document.xml"[..],
                "a.pdf",
                "Microsoft Word (DOCX)",
            ),
            (b"\x89PNG\r\n\x1a\n", "a.pdf", "PNG image"),
            (b"\0\x01\x02\x03", "a.bin", "unknown binary data"),
            (b"<!DOCTYPE html><p>", "a.html", "HTML"),
        ] {
            let error = detect(bytes, name).expect_err("refuses");
            assert!(error.to_string().contains(detected), "{error}");
        }
    }

    #[test]
    fn nothing_is_empty_whatever_its_name() {
        assert!(matches!(detect(b"", "a.pdf"), Err(Error::Empty)));
        assert!(matches!(detect(b" \n\t ", "a.md"), Err(Error::Empty)));
    }
}
