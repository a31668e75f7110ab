//! Small PDFs written byte by byte, so that every test file is known down to the last operator.

use std::fmt::Write;

/// A page to be written.
#[derive(Clone)]
pub(crate) struct FixturePage {
    /// Entries of the page's dictionary beside its type, parent, resources and content.
    pub entries: String,
    /// Content stream. Fonts: `/F1` Helvetica (code 1 is the ligature `fi`), `/F2` Helvetica-Bold.
    pub content: String,
}

impl FixturePage {
    /// An upright page of this size with this content.
    pub(crate) fn new(width: u32, height: u32, content: &str) -> Self {
        Self {
            entries: format!("/MediaBox [0 0 {width} {height}]"),
            content: content.into(),
        }
    }

    /// A US Letter page with this content.
    pub(crate) fn letter(content: &str) -> Self {
        Self::new(612, 792, content)
    }

    /// A page with these dictionary entries and content.
    pub(crate) fn with_entries(entries: &str, content: &str) -> Self {
        Self {
            entries: entries.into(),
            content: content.into(),
        }
    }
}

/// Text in Helvetica: size, position of the first baseline, the words.
pub(crate) fn text(size: f32, x: f32, y: f32, words: &str) -> String {
    format!("BT /F1 {size} Tf {x} {y} Td ({words}) Tj ET\n")
}

/// The same in the bold face.
pub(crate) fn bold(size: f32, x: f32, y: f32, words: &str) -> String {
    format!("BT /F2 {size} Tf {x} {y} Td ({words}) Tj ET\n")
}

/// Lines below each other, twelve points apart.
pub(crate) fn paragraph(x: f32, top: f32, lines: &[&str]) -> String {
    lines.iter().zip(0u8..).fold(String::new(), |out, (line, index)| {
        out + &text(10.0, x, top - 12.0 * f32::from(index), line)
    })
}

/// The bytes of a PDF with these pages.
pub(crate) fn pdf(pages: &[FixturePage]) -> Vec<u8> {
    pdf_with(pages, "")
}

/// The same with further entries in the catalog.
pub(crate) fn pdf_with(pages: &[FixturePage], catalog: &str) -> Vec<u8> {
    pdf_with_objects(pages, catalog, &[])
}

/// The same with further objects, the first of which has the number `5 + 2 * pages.len()`.
pub(crate) fn pdf_with_objects(pages: &[FixturePage], catalog: &str, further: &[&str]) -> Vec<u8> {
    let mut objects: Vec<String> = vec![
        format!("<< /Type /Catalog /Pages 2 0 R {catalog} >>"),
        format!(
            "<< /Type /Pages /Count {} /Kids [{}] >>",
            pages.len(),
            (0..pages.len()).fold(String::new(), |mut out, index| {
                let _ = write!(out, "{} 0 R ", 5 + 2 * index);
                out
            })
        ),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding << /Type /Encoding /BaseEncoding \
         /WinAnsiEncoding /Differences [1 /fi] >> >>"
            .into(),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>".into(),
    ];
    for (index, page) in pages.iter().enumerate() {
        objects.push(format!(
            "<< /Type /Page /Parent 2 0 R {} /Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> /Contents {} 0 R >>",
            page.entries,
            6 + 2 * index
        ));
        objects.push(format!(
            "<< /Length {} >>\nstream\n{}\nendstream",
            page.content.len(),
            page.content
        ));
    }
    objects.extend(further.iter().map(|object| (*object).to_owned()));
    let mut out = "%PDF-1.7\n".to_owned();
    let mut offsets = Vec::new();
    for (index, object) in objects.iter().enumerate() {
        offsets.push(out.len());
        let _ = write!(out, "{} 0 obj\n{object}\nendobj\n", index + 1);
    }
    let start = out.len();
    let _ = write!(out, "xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1);
    for offset in offsets {
        let _ = writeln!(out, "{offset:010} 00000 n ");
    }
    let _ = write!(
        out,
        "trailer\n<< /Size {} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n",
        objects.len() + 1
    );
    out.into_bytes()
}
