//! Documents laid out as a parser would see them.

use recto_core::{
    Bookmark, Document, DocumentId, DocumentInfo, Item, Label, Page, PageRect, Provenance, Rect, TableCell, TableGrid,
    Word, WordSpan,
};

const WIDTH: f32 = 612.0;
const HEIGHT: f32 = 792.0;
const MARGIN: f32 = 72.0;
const LETTER: f32 = 6.0;
const LINE: f32 = 14.0;
const FONT: f32 = 10.0;
const LETTERS_PER_LINE: usize = 78;

/// The document id that ends in `number`.
#[must_use]
pub fn document_id(number: u32) -> DocumentId {
    format!("00000000-0000-4000-8000-{number:012}")
        .parse()
        .expect("BUG: this is the form of a UUID")
}

/// Builds a [`Document`]. Before the first [`page`](Self::page) there are no pages, as in Markdown; afterwards words
/// stand in lines of 78 letters of 6 points each on a page of 612 by 792 points.
#[derive(Debug, Clone)]
pub struct DocumentBuilder {
    document: Document,
    top: f32,
    line: u32,
}

impl DocumentBuilder {
    /// An empty document.
    #[must_use]
    pub fn new(title: &str) -> Self {
        Self {
            document: Document {
                info: DocumentInfo {
                    title: Some(title.into()),
                    media_type: "text/markdown".into(),
                    ..DocumentInfo::default()
                },
                ..Document::default()
            },
            top: MARGIN,
            line: 0,
        }
    }

    /// Begins a page.
    #[must_use]
    pub fn page(mut self) -> Self {
        let number = self.document.pages.len() as u32 + 1;
        self.document.pages.push(Page {
            number,
            width: WIDTH,
            height: HEIGHT,
            ..Page::default()
        });
        self.document.info.page_count = number;
        self.document.info.media_type = "application/pdf".into();
        self.top = MARGIN;
        self.line = 0;
        self
    }

    /// Gives the current page the label printed on it.
    #[must_use]
    pub fn labelled(mut self, label: &str) -> Self {
        if let Some(page) = self.document.pages.last_mut() {
            page.label = Some(label.into());
        }
        self
    }

    /// Adds a heading, and a bookmark to it; level 1 is the top.
    #[must_use]
    pub fn heading(mut self, level: u32, text: &str) -> Self {
        let page = self.document.pages.last().map(|page| page.number);
        self.document.info.bookmarks.push(Bookmark {
            level: level.saturating_sub(1),
            title: text.into(),
            page,
        });
        self.item(Label::SectionHeader, level, text)
    }

    /// Adds a paragraph.
    #[must_use]
    pub fn paragraph(self, text: &str) -> Self {
        self.item(Label::Text, 0, text)
    }

    /// Adds an item whose words are those of `text`, separated by single spaces.
    #[must_use]
    pub fn item(mut self, label: Label, level: u32, text: &str) -> Self {
        let position = self.document.items.len() as u32;
        let mut item = Item {
            position,
            self_ref: format!("#/texts/{position}"),
            label,
            level,
            text: text.split_whitespace().collect::<Vec<_>>().join(" "),
            ..Item::default()
        };
        if !self.document.pages.is_empty() {
            self.lay_out(&mut item);
        }
        self.document.items.push(item);
        self
    }

    /// Adds a table whose first row heads its columns, on no page.
    #[must_use]
    pub fn table(mut self, rows: &[Vec<String>]) -> Self {
        let columns = rows.first().map_or(0, Vec::len);
        let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let mut grid = TableGrid {
            rows: count(rows.len()),
            columns: count(columns),
            cells: Vec::new(),
        };
        let mut lines = Vec::new();
        for (row, texts) in rows.iter().enumerate() {
            lines.push(format!("| {} |", texts.join(" | ")));
            if row == 0 {
                lines.push(format!("|{}", " --- |".repeat(columns)));
            }
            grid.cells
                .extend(texts.iter().enumerate().map(|(column, text)| TableCell {
                    row: count(row),
                    column: count(column),
                    row_span: 1,
                    column_span: 1,
                    column_header: row == 0,
                    row_header: column == 0,
                    text: text.clone(),
                    at: None,
                }));
        }
        let position = count(self.document.items.len());
        self.document.items.push(Item {
            position,
            self_ref: format!("#/tables/{position}"),
            label: Label::Table,
            text: lines.join("\n"),
            table: Some(grid),
            ..Item::default()
        });
        self
    }

    /// The document.
    #[must_use]
    pub fn build(self) -> Document {
        self.document
    }

    fn lay_out(&mut self, item: &mut Item) {
        let Some(page) = self.document.pages.last_mut() else {
            return;
        };
        let (mut column, mut start) = (0, 0u32);
        let mut area: Option<Rect> = None;
        for word in item.text.split(' ').filter(|word| !word.is_empty()) {
            let letters = word.chars().count();
            let separator = if start == 0 {
                if page.text.is_empty() { "" } else { "\n\n" }
            } else if column + 1 + letters > LETTERS_PER_LINE {
                self.top += LINE;
                self.line += 1;
                column = 0;
                "\n"
            } else {
                column += 1;
                " "
            };
            page.text.push_str(separator);
            let left = MARGIN + column as f32 * LETTER;
            let rect = Rect::new(left, self.top, left + letters as f32 * LETTER, self.top + FONT);
            let begin = page.text.len() as u32;
            page.text.push_str(word);
            item.words.push(WordSpan {
                start,
                end: start + word.len() as u32,
                page: page.number,
                word: page.words.len() as u32,
            });
            page.words.push(Word {
                start: begin,
                end: page.text.len() as u32,
                rect,
                line: self.line,
                font_size: FONT,
                bold: item.label.is_heading(),
                italic: false,
                confidence: None,
            });
            area = Some(area.map_or(rect, |area| area.union(&rect)));
            start += word.len() as u32 + 1;
            column += letters;
        }
        if let Some(rect) = area {
            item.provenance.push(Provenance {
                at: PageRect {
                    page: page.number,
                    rect,
                },
                start: 0,
                end: item.text.len() as u32,
            });
        }
        self.top += 2.0 * LINE;
        self.line += 1;
        page.height = page.height.max(self.top + MARGIN);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_items_and_pages_agree() {
        let long = "Purchases of property and equipment were $1,577 million in fiscal 2018, ".repeat(5);
        let document = DocumentBuilder::new("Report")
            .page()
            .heading(1, "Item 7. Discussion")
            .paragraph(&long)
            .page()
            .labelled("2")
            .paragraph("The end.")
            .build();
        assert_eq!(document.info.page_count, 2);
        for item in &document.items {
            for span in &item.words {
                let page = &document.pages[span.page as usize - 1];
                let word = &page.words[span.word as usize];
                assert_eq!(
                    item.text[span.start as usize..span.end as usize],
                    page.text[word.start as usize..word.end as usize]
                );
                assert!(word.rect.right <= page.width && word.rect.bottom <= page.height);
            }
        }
        assert!(
            document.pages[0].words.last().expect("has words").line > 2,
            "long text is wrapped"
        );
    }

    #[test]
    fn without_a_page_there_are_no_boxes() {
        let document = DocumentBuilder::new("Notes").paragraph("Only  text.").build();
        assert_eq!(document.items[0].text, "Only text.");
        assert!(document.items[0].words.is_empty() && document.items[0].provenance.is_empty());
    }
}
