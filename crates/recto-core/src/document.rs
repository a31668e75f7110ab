//! A document as the parser understands it: pages with words, and items in reading order.

use crate::{Locator, PageRect, Rect};
use serde::{Deserialize, Serialize};

/// A file turned into pages and items.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Document {
    /// What is known about the file as a whole.
    pub info: DocumentInfo,
    /// Pages in order; empty for formats that have none (Markdown, text).
    pub pages: Vec<Page>,
    /// Items in reading order.
    pub items: Vec<Item>,
    /// Images of at least 64 × 64 pixels that pictures refer to, by hash.
    pub images: Vec<Image>,
}

/// What is known about a file as a whole.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct DocumentInfo {
    /// The title from the file's metadata or its first heading, where there is a usable one.
    pub title: Option<String>,
    /// The detected type, e.g. `application/pdf`.
    pub media_type: String,
    /// Number of physical pages; 0 for formats without pages.
    pub page_count: u32,
    /// Bookmarks of the file, in order.
    pub bookmarks: Vec<Bookmark>,
    /// Pages that could not be read, each with its reason.
    pub gaps: Vec<Gap>,
    /// Labels that came to light only when all pages had been read: 1-based page and label, ascending. Pages that were
    /// handed on one by one do not have them yet; see [`Document::label_pages`].
    pub page_labels: Vec<(u32, String)>,
    /// Files inside the file: attachments of a PDF or a message.
    pub attachments: Vec<Attachment>,
}

/// A file inside a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attachment {
    /// Its name, unique in the document. It comes from the file: never a path.
    pub name: String,
    /// Size in bytes.
    pub bytes: u64,
}

impl Document {
    /// Number of pages of which some or all text was recognised from pixels: "n of m pages by OCR".
    #[must_use]
    pub fn recognised_pages(&self) -> usize {
        let recognised = |page: &&Page| matches!(page.source, TextSource::Ocr | TextSource::Mixed);
        self.pages.iter().filter(recognised).count()
    }

    /// Gives the pages the labels in [`DocumentInfo::page_labels`].
    pub fn label_pages(&mut self) {
        for page in &mut self.pages {
            let found = self
                .info
                .page_labels
                .binary_search_by_key(&page.number, |(number, _)| *number);
            if let Ok(index) = found {
                page.label = Some(self.info.page_labels[index].1.clone());
            }
        }
    }
}

/// An entry of the file's own outline.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bookmark {
    /// 0 is the outermost level.
    pub level: u32,
    /// The entry's text.
    pub title: String,
    /// 1-based target page, where it has one.
    pub page: Option<u32>,
}

/// A page that could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gap {
    /// 1-based page number.
    pub page: u32,
    /// A sentence for the person.
    pub reason: String,
}

/// Where a page's text comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TextSource {
    /// The file's own text.
    #[default]
    Digital,
    /// Recognised from pixels.
    Ocr,
    /// Both.
    Mixed,
}

/// One physical page.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Page {
    /// 1-based position in the file.
    pub number: u32,
    /// What is printed as the page's number ("xii", "371"), where it is known.
    pub label: Option<String>,
    /// Displayed width in points, after crop box, rotation and user unit.
    pub width: f32,
    /// Displayed height in points.
    pub height: f32,
    /// The file's own rotation in degrees clockwise: 0, 90, 180 or 270. Rectangles are already rotated.
    pub rotation: u16,
    /// The page's text in reading order: words of a line joined by a space, lines by `\n`, blocks by `\n\n`.
    pub text: String,
    /// The words of `text` in the same order.
    pub words: Vec<Word>,
    /// Where the text comes from.
    pub source: TextSource,
    /// Links on the page.
    pub links: Vec<Link>,
}

/// A link on a page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Link {
    /// The part of the page that is linked.
    pub rect: Rect,
    /// Where it leads.
    pub target: LinkTarget,
}

/// Where a link leads. An address comes from the file: it is shown, never followed without asking.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LinkTarget {
    /// An address.
    Uri(String),
    /// A page of the same file, 1-based.
    Page(u32),
}

/// A word on a page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Word {
    /// Byte offset in [`Page::text`] where the word begins.
    pub start: u32,
    /// Byte offset in [`Page::text`] just after the word.
    pub end: u32,
    /// Where it is: tight around the glyphs horizontally, from the font's ascent to its descent vertically.
    pub rect: Rect,
    /// Lines are counted from 0 in reading order; words of one line share the number.
    pub line: u32,
    /// Font size in points as displayed; 0 when unknown.
    pub font_size: f32,
    /// Heavy weight, by font weight or name.
    pub bold: bool,
    /// Slanted, by font flags or name.
    pub italic: bool,
    /// Confidence of recognition in percent; `None` for digital text.
    pub confidence: Option<u8>,
}

/// What an item is. The names are Docling's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Label {
    /// The document's title.
    Title,
    /// A heading; [`Item::level`] says how deep.
    SectionHeader,
    /// A paragraph.
    #[default]
    Text,
    /// An entry of a list.
    ListItem,
    /// A table; its cells are in [`Item::table`].
    Table,
    /// A picture or figure.
    Picture,
    /// The caption of a table or picture.
    Caption,
    /// A footnote.
    Footnote,
    /// A formula.
    Formula,
    /// Source code.
    Code,
    /// Running header.
    PageHeader,
    /// Running footer, page number.
    PageFooter,
    /// A printed table of contents.
    DocumentIndex,
}

impl Label {
    /// Running headers and footers: kept and labelled, but never part of a chunk.
    #[must_use]
    pub fn is_furniture(self) -> bool {
        matches!(self, Self::PageHeader | Self::PageFooter)
    }

    /// Headings of any kind.
    #[must_use]
    pub fn is_heading(self) -> bool {
        matches!(self, Self::Title | Self::SectionHeader)
    }

    /// The label as written in JSON: `section_header`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Title => "title",
            Self::SectionHeader => "section_header",
            Self::Text => "text",
            Self::ListItem => "list_item",
            Self::Table => "table",
            Self::Picture => "picture",
            Self::Caption => "caption",
            Self::Footnote => "footnote",
            Self::Formula => "formula",
            Self::Code => "code",
            Self::PageHeader => "page_header",
            Self::PageFooter => "page_footer",
            Self::DocumentIndex => "document_index",
        }
    }
}

/// A piece of a document in reading order.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Item {
    /// 0-based position in reading order, furniture included.
    pub position: u32,
    /// Docling's reference: `#/texts/12`, `#/tables/0`, `#/pictures/3`. Unique in the document.
    pub self_ref: String,
    /// What it is.
    pub label: Label,
    /// Depth of a heading, 1 = top (a title has 0); depth of a list item, 1 = outermost; otherwise 0.
    pub level: u32,
    /// Its text as a reader would read it: paragraphs joined and dehyphenated; a table as a Markdown grid.
    pub text: String,
    /// Where it lies, one entry per page and region, in reading order. Empty for formats without pages.
    pub provenance: Vec<Provenance>,
    /// The words of `text`, in order. What lies between two spans is a separator the builder put in. Empty without pages.
    pub words: Vec<WordSpan>,
    /// The grid of a table.
    pub table: Option<TableGrid>,
    /// `self_ref` of the item this one belongs to (caption → table).
    pub parent: Option<String>,
    /// For a table that goes on from the page before: `self_ref` of the part before it. Each part keeps its own page.
    pub continues: Option<String>,
    /// The image of a picture.
    pub picture: Option<Picture>,
    /// How the item's place is named in formats without pages, where it is more than its headings: slide, cells of a
    /// sheet, part of a message.
    pub locator: Option<Locator>,
}

/// The image of a picture item. Its bytes are in [`Document::images`].
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Picture {
    /// SHA-256 of the image's bytes, hexadecimal.
    pub sha256: String,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
}

/// The bytes of an image in a document, each image once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Image {
    /// SHA-256 of `bytes`, hexadecimal.
    pub sha256: String,
    /// `image/png` or `image/jpeg`.
    pub media_type: String,
    /// The encoded image.
    pub bytes: Vec<u8>,
}

impl Item {
    /// The 1-based numbers of the pages the item lies on, ascending, each once.
    #[must_use]
    pub fn page_numbers(&self) -> Vec<u32> {
        let mut pages: Vec<u32> = self.provenance.iter().map(|p| p.at.page).collect();
        pages.sort_unstable();
        pages.dedup();
        pages
    }
}

/// One region an item covers.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Provenance {
    /// Page and rectangle.
    pub at: PageRect,
    /// Byte offset in the item's text where the part in this region begins.
    pub start: u32,
    /// Byte offset just after it.
    pub end: u32,
}

/// A stretch of an item's text that is a word on a page. A word hyphenated at a line end is two spans without a gap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct WordSpan {
    /// Byte offset in the item's text where the word begins.
    pub start: u32,
    /// Byte offset just after it.
    pub end: u32,
    /// 1-based page number.
    pub page: u32,
    /// Index into that page's words.
    pub word: u32,
}

/// The cells of a table.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct TableGrid {
    /// Number of rows.
    pub rows: u32,
    /// Number of columns.
    pub columns: u32,
    /// Cells in row order; a spanning cell stands once, at its first row and column.
    pub cells: Vec<TableCell>,
}

/// A cell of a table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TableCell {
    /// 0-based first row.
    pub row: u32,
    /// 0-based first column.
    pub column: u32,
    /// Rows covered, at least 1.
    pub row_span: u32,
    /// Columns covered, at least 1.
    pub column_span: u32,
    /// Whether it heads a column.
    pub column_header: bool,
    /// Whether it heads a row.
    pub row_header: bool,
    /// The cell's text.
    pub text: String,
    /// Where it lies, for formats with pages.
    pub at: Option<PageRect>,
}
