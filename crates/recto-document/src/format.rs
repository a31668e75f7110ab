//! The formats that come through declarative backends.

use crate::import::Layout;
use docling::InputFormat;

/// A format without pages of its own, read by its declarations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// Word 2007 and later.
    Docx,
    /// `PowerPoint` 2007 and later.
    Pptx,
    /// Excel 2007 and later.
    Xlsx,
    /// `OpenDocument` text.
    Odt,
    /// `OpenDocument` spreadsheet.
    Ods,
    /// `OpenDocument` presentation.
    Odp,
    /// Word 97 to 2003.
    Doc,
    /// Excel 97 to 2003.
    Xls,
    /// `PowerPoint` 97 to 2003.
    Ppt,
    /// Rich Text Format.
    Rtf,
    /// EPUB.
    Epub,
    /// HTML and XHTML.
    Html,
    /// A web page with its images in one file.
    Mhtml,
    /// Tables as text, whatever separates the columns.
    Csv,
    /// `AsciiDoc`.
    Asciidoc,
    /// LaTeX.
    Latex,
    /// Markdown.
    Markdown,
    /// `WebVTT` subtitles.
    Vtt,
    /// Jupyter notebook.
    Notebook,
    /// XML in a vocabulary that a backend knows: JATS, patents, XBRL, feeds.
    KnownXml,
}

/// What is to be known about a format.
pub(crate) struct Facts {
    /// What the person calls it.
    pub(crate) name: &'static str,
    /// Its media type.
    pub(crate) media_type: &'static str,
    /// The backend that reads it.
    pub(crate) backend: InputFormat,
    /// What its places are.
    pub(crate) layout: Layout,
    /// Whether it is text that may come in any encoding; HTML and XML declare theirs.
    pub(crate) encoded: bool,
}

impl Format {
    pub(crate) fn facts(self) -> Facts {
        let facts = |name, media_type, backend, layout, encoded| Facts {
            name,
            media_type,
            backend,
            layout,
            encoded,
        };
        let (flow, slides, sheets) = (Layout::Flow, Layout::Slides, Layout::Sheets);
        match self {
            Self::Docx => facts(
                "Microsoft Word (DOCX)",
                "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
                InputFormat::Docx,
                flow,
                false,
            ),
            Self::Pptx => facts(
                "Microsoft PowerPoint (PPTX)",
                "application/vnd.openxmlformats-officedocument.presentationml.presentation",
                InputFormat::Pptx,
                slides,
                false,
            ),
            Self::Xlsx => facts(
                "Microsoft Excel (XLSX)",
                "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
                InputFormat::Xlsx,
                sheets,
                false,
            ),
            Self::Odt => facts(
                "OpenDocument text",
                "application/vnd.oasis.opendocument.text",
                InputFormat::Odt,
                flow,
                false,
            ),
            Self::Ods => facts(
                "OpenDocument spreadsheet",
                "application/vnd.oasis.opendocument.spreadsheet",
                InputFormat::Ods,
                sheets,
                false,
            ),
            Self::Odp => facts(
                "OpenDocument presentation",
                "application/vnd.oasis.opendocument.presentation",
                InputFormat::Odp,
                slides,
                false,
            ),
            Self::Doc => facts(
                "Microsoft Word 97-2003",
                "application/msword",
                InputFormat::Doc,
                flow,
                false,
            ),
            Self::Xls => facts(
                "Microsoft Excel 97-2003",
                "application/vnd.ms-excel",
                InputFormat::Xls,
                sheets,
                false,
            ),
            Self::Ppt => facts(
                "Microsoft PowerPoint 97-2003",
                "application/vnd.ms-powerpoint",
                InputFormat::Ppt,
                slides,
                false,
            ),
            Self::Rtf => facts("Rich Text Format", "application/rtf", InputFormat::Rtf, flow, false),
            Self::Epub => facts(
                "EPUB book",
                "application/epub+zip",
                InputFormat::Epub,
                Layout::Web,
                false,
            ),
            Self::Html => facts("HTML", "text/html", InputFormat::Html, Layout::Web, false),
            Self::Mhtml => facts(
                "web archive",
                "multipart/related",
                InputFormat::Mhtml,
                Layout::Web,
                false,
            ),
            Self::Csv => facts("table of separated values", "text/csv", InputFormat::Csv, flow, true),
            Self::Asciidoc => facts("AsciiDoc", "text/asciidoc", InputFormat::Asciidoc, flow, true),
            Self::Latex => facts("LaTeX", "application/x-latex", InputFormat::Latex, flow, true),
            Self::Markdown => facts("Markdown", "text/markdown", InputFormat::Md, flow, true),
            Self::Vtt => facts("subtitles (WebVTT)", "text/vtt", InputFormat::Vtt, flow, true),
            Self::Notebook => facts("notebook", "application/x-ipynb+json", InputFormat::Ipynb, flow, true),
            Self::KnownXml => facts("XML", "application/xml", InputFormat::Xml, flow, false),
        }
    }
}
