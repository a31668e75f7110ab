//! Files in a container: ZIP packages by what is in them, compound files by their streams.

use super::{Kind, unsupported};
use crate::error::{Error, Result};
use crate::format::Format;
use std::io::{Cursor, Read};

/// Bytes of a package's `mimetype` that are looked at.
const MIME_BYTES: u64 = 256;

pub(super) fn detect(bytes: &[u8], extension: &str) -> Result<Option<Kind>> {
    if bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06") {
        return package(bytes).map(Some);
    }
    if bytes.starts_with(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1") {
        return compound(bytes, extension).map(Some);
    }
    Ok(None)
}

fn package(bytes: &[u8]) -> Result<Kind> {
    let Ok(mut archive) = zip::ZipArchive::new(Cursor::new(bytes)) else {
        return Err(Error::Damaged {
            what: "it is a ZIP package that cannot be opened".into(),
        });
    };
    let has = |archive: &zip::ZipArchive<_>, name: &str| archive.index_for_name(name).is_some();
    let kind = if has(&archive, "word/document.xml") || has(&archive, "word/document2.xml") {
        Some(Format::Docx)
    } else if has(&archive, "ppt/presentation.xml") {
        Some(Format::Pptx)
    } else if has(&archive, "xl/workbook.xml") || has(&archive, "xl/workbook.bin") {
        Some(Format::Xlsx)
    } else {
        None
    };
    if let Some(format) = kind {
        return Ok(Kind::Declared(format));
    }
    let mut mime = String::new();
    if let Ok(entry) = archive.by_name("mimetype") {
        // What is unreadable there is no type that is known.
        let _ = entry.take(MIME_BYTES).read_to_string(&mut mime);
    }
    let open_document = "application/vnd.oasis.opendocument.";
    match mime.trim() {
        "application/epub+zip" => Ok(Kind::Declared(Format::Epub)),
        other => match other
            .strip_prefix(open_document)
            .map(|kind| kind.trim_end_matches("-template"))
        {
            Some("text" | "text-master" | "text-web") => Ok(Kind::Declared(Format::Odt)),
            Some("spreadsheet") => Ok(Kind::Declared(Format::Ods)),
            Some("presentation") => Ok(Kind::Declared(Format::Odp)),
            Some(_) => Err(unsupported("OpenDocument drawing")),
            None if has(&archive, "META-INF/container.xml") => Ok(Kind::Declared(Format::Epub)),
            None => Err(unsupported("ZIP archive")),
        },
    }
}

fn compound(bytes: &[u8], extension: &str) -> Result<Kind> {
    // Names of streams are written in UTF-16.
    let has = |name: &str| {
        let wide: Vec<u8> = name.encode_utf16().flat_map(u16::to_le_bytes).collect();
        memchr::memmem::find(bytes, &wide).is_some()
    };
    if has("EncryptedPackage") {
        return Ok(Kind::EncryptedOffice(match extension {
            "xlsx" | "xlsm" | "xlsb" => Format::Xlsx,
            "pptx" | "pptm" => Format::Pptx,
            _ => Format::Docx,
        }));
    }
    if has("__properties_version1.0") {
        return Ok(Kind::OutlookMail);
    }
    for (stream, format) in [
        ("WordDocument", Format::Doc),
        ("PowerPoint Document", Format::Ppt),
        ("Workbook", Format::Xls),
        ("Book", Format::Xls),
    ] {
        if has(stream) {
            return Ok(Kind::Declared(format));
        }
    }
    Err(unsupported("compound file of an unknown program"))
}
