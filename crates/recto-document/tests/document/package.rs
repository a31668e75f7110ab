//! Small office files, written part by part.

use std::io::{Cursor, Write};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// A ZIP package of these parts.
pub(crate) fn package(parts: &[(&str, &str)]) -> Vec<u8> {
    let parts: Vec<(&str, &[u8])> = parts.iter().map(|(name, text)| (*name, text.as_bytes())).collect();
    package_of_bytes(&parts)
}

/// A ZIP package of these parts, the first uncompressed as EPUB and `OpenDocument` want it.
pub(crate) fn package_of_bytes(parts: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (index, (name, bytes)) in parts.iter().enumerate() {
        let method = match index {
            0 => zip::CompressionMethod::Stored,
            _ => zip::CompressionMethod::Deflated,
        };
        archive
            .start_file(*name, SimpleFileOptions::default().compression_method(method))
            .expect("starts a part");
        archive.write_all(bytes).expect("writes a part");
    }
    archive.finish().expect("finishes").into_inner()
}

const RELATIONS: &str = "http://schemas.openxmlformats.org/package/2006/relationships";
const OFFICE: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

fn relations(entries: &[(&str, &str, &str)]) -> String {
    let entries: String = entries
        .iter()
        .map(|(id, kind, target)| format!("<Relationship Id=\"{id}\" Type=\"{OFFICE}/{kind}\" Target=\"{target}\"/>"))
        .collect();
    format!("<?xml version=\"1.0\"?><Relationships xmlns=\"{RELATIONS}\">{entries}</Relationships>")
}

/// A Word document with this body; further parts are footnotes, comments and so on by name.
pub(crate) fn docx(body: &str, parts: &[(&str, &str)]) -> Vec<u8> {
    let document = format!(
        "<?xml version=\"1.0\"?><w:document xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\" \
         xmlns:r=\"{OFFICE}\"><w:body>{body}</w:body></w:document>"
    );
    let styles = "<?xml version=\"1.0\"?><w:styles xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\">\
        <w:style w:type=\"paragraph\" w:styleId=\"Heading1\"><w:name w:val=\"heading 1\"/></w:style>\
        <w:style w:type=\"paragraph\" w:styleId=\"Heading2\"><w:name w:val=\"heading 2\"/></w:style></w:styles>";
    let mut kinds = vec![("rId1".to_owned(), "styles", "styles.xml".to_owned())];
    for (index, (name, _)) in parts.iter().enumerate() {
        let file = name.trim_start_matches("word/").to_owned();
        let kind = ["footnotes", "endnotes", "comments", "header", "footer"]
            .into_iter()
            .find(|kind| file.starts_with(kind))
            .unwrap_or("other");
        kinds.push((format!("rId{}", index + 2), kind, file));
    }
    let kinds: Vec<(&str, &str, &str)> = kinds
        .iter()
        .map(|(id, kind, file)| (id.as_str(), *kind, file.as_str()))
        .collect();
    let rels = relations(&kinds);
    let mut all = vec![
        (
            "[Content_Types].xml",
            "<?xml version=\"1.0\"?><Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\"/>",
        ),
        ("word/document.xml", document.as_str()),
        ("word/styles.xml", styles),
        ("word/_rels/document.xml.rels", rels.as_str()),
    ];
    all.extend(parts);
    package(&all)
}

/// A paragraph of Word with a style, if any.
pub(crate) fn paragraph(style: &str, text: &str) -> String {
    let style = match style {
        "" => String::new(),
        style => format!("<w:pPr><w:pStyle w:val=\"{style}\"/></w:pPr>"),
    };
    format!("<w:p>{style}<w:r><w:t xml:space=\"preserve\">{text}</w:t></w:r></w:p>")
}

/// A workbook; each sheet has a name, an attribute such as `state="hidden"`, and its `sheetData` and what follows.
/// Styles 1, 2 and 3 are a percentage with two places, a date and US dollars.
pub(crate) fn xlsx(sheets: &[(&str, &str, &str)]) -> Vec<u8> {
    let main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
    let mut listed = String::new();
    let mut entries = vec![("rId0".to_owned(), "styles", "styles.xml".to_owned())];
    let mut parts = Vec::new();
    for (index, (name, attribute, data)) in sheets.iter().enumerate() {
        let number = index + 1;
        listed.push_str(&format!(
            "<sheet name=\"{name}\" sheetId=\"{number}\" r:id=\"rId{number}\" {attribute}/>"
        ));
        entries.push((
            format!("rId{number}"),
            "worksheet",
            format!("worksheets/sheet{number}.xml"),
        ));
        parts.push((
            format!("xl/worksheets/sheet{number}.xml"),
            format!("<?xml version=\"1.0\"?><worksheet xmlns=\"{main}\">{data}</worksheet>"),
        ));
    }
    let workbook = format!(
        "<?xml version=\"1.0\"?><workbook xmlns=\"{main}\" xmlns:r=\"{OFFICE}\"><sheets>{listed}</sheets></workbook>"
    );
    let styles = format!(
        "<?xml version=\"1.0\"?><styleSheet xmlns=\"{main}\"><numFmts count=\"1\">\
         <numFmt numFmtId=\"164\" formatCode=\"&quot;$&quot;#,##0.00\"/></numFmts><cellXfs count=\"4\">\
         <xf numFmtId=\"0\"/><xf numFmtId=\"10\" applyNumberFormat=\"1\"/><xf numFmtId=\"14\" applyNumberFormat=\"1\"/>\
         <xf numFmtId=\"164\" applyNumberFormat=\"1\"/></cellXfs></styleSheet>"
    );
    let entries: Vec<(&str, &str, &str)> = entries
        .iter()
        .map(|(id, kind, target)| (id.as_str(), *kind, target.as_str()))
        .collect();
    let rels = relations(&entries);
    let package_rels = relations(&[("rId1", "officeDocument", "xl/workbook.xml")]);
    let mut all = vec![
        (
            "[Content_Types].xml",
            "<?xml version=\"1.0\"?><Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\"/>",
        ),
        ("_rels/.rels", package_rels.as_str()),
        ("xl/workbook.xml", workbook.as_str()),
        ("xl/_rels/workbook.xml.rels", rels.as_str()),
        ("xl/styles.xml", styles.as_str()),
    ];
    all.extend(parts.iter().map(|(name, text)| (name.as_str(), text.as_str())));
    package(&all)
}

/// A presentation; each slide is a title, a text and its speaker's notes.
pub(crate) fn pptx(slides: &[(&str, &str, &str)]) -> Vec<u8> {
    let main = "http://schemas.openxmlformats.org/presentationml/2006/main";
    let drawing = "http://schemas.openxmlformats.org/drawingml/2006/main";
    let shape = |id: u32, kind: &str, text: &str| {
        format!(
            "<p:sp><p:nvSpPr><p:cNvPr id=\"{id}\" name=\"s{id}\"/><p:cNvSpPr/><p:nvPr><p:ph type=\"{kind}\"/></p:nvPr></p:nvSpPr>\
             <p:spPr><a:xfrm><a:off x=\"0\" y=\"{id}00000\"/><a:ext cx=\"900000\" cy=\"90000\"/></a:xfrm></p:spPr>\
             <p:txBody><a:bodyPr/><a:p><a:r><a:t>{text}</a:t></a:r></a:p></p:txBody></p:sp>"
        )
    };
    let tree = |shapes: &str| {
        format!(
            "<p:cSld><p:spTree><p:nvGrpSpPr><p:cNvPr id=\"1\" name=\"\"/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>{shapes}</p:spTree></p:cSld>"
        )
    };
    let (mut ids, mut entries, mut parts) = (String::new(), Vec::new(), Vec::new());
    for (index, (title, text, notes)) in slides.iter().enumerate() {
        let number = index + 1;
        ids.push_str(&format!("<p:sldId id=\"{}\" r:id=\"rId{number}\"/>", 255 + number));
        entries.push((format!("rId{number}"), "slide", format!("slides/slide{number}.xml")));
        let head = format!("xmlns:p=\"{main}\" xmlns:a=\"{drawing}\" xmlns:r=\"{OFFICE}\"");
        let shapes = format!("{}{}", shape(2, "title", title), shape(3, "body", text));
        parts.push((
            format!("ppt/slides/slide{number}.xml"),
            format!("<?xml version=\"1.0\"?><p:sld {head}>{}</p:sld>", tree(&shapes)),
        ));
        parts.push((
            format!("ppt/slides/_rels/slide{number}.xml.rels"),
            relations(&[("rId1", "notesSlide", &format!("../notesSlides/notesSlide{number}.xml"))]),
        ));
        parts.push((
            format!("ppt/notesSlides/notesSlide{number}.xml"),
            format!(
                "<?xml version=\"1.0\"?><p:notes {head}>{}</p:notes>",
                tree(&shape(2, "body", notes))
            ),
        ));
    }
    let presentation = format!(
        "<?xml version=\"1.0\"?><p:presentation xmlns:p=\"{main}\" xmlns:r=\"{OFFICE}\"><p:sldIdLst>{ids}</p:sldIdLst>\
         <p:sldSz cx=\"9144000\" cy=\"6858000\"/></p:presentation>"
    );
    let entries: Vec<(&str, &str, &str)> = entries
        .iter()
        .map(|(id, kind, target)| (id.as_str(), *kind, target.as_str()))
        .collect();
    let rels = relations(&entries);
    let mut all = vec![
        (
            "[Content_Types].xml",
            "<?xml version=\"1.0\"?><Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\"/>",
        ),
        ("ppt/presentation.xml", presentation.as_str()),
        ("ppt/_rels/presentation.xml.rels", rels.as_str()),
    ];
    all.extend(parts.iter().map(|(name, text)| (name.as_str(), text.as_str())));
    package(&all)
}
