//! A document's outline, and the full text of one of its sections.

use crate::Engine;
use crate::contract::{DocumentOutline, OutlineSection, PageName, SectionText};
use recto_core::{ChunkSource, DocumentRow, Error, ErrorCode, Item, Result};
use recto_retrieval::{OpenSource, Outline, outline, section_passage};
use std::sync::Arc;

impl Engine {
    /// The sections of a document in reading order, made from its headings, pages or places; no model is asked.
    ///
    /// # Errors
    /// `not_found` or `ambiguous`.
    pub async fn outline(&self, collections: Option<&[String]>, document_id: &str) -> Result<DocumentOutline> {
        let outlined = self.outlined(collections, document_id).await?;
        let row = &outlined.row;
        let sections = outlined.outline.sections.iter();
        Ok(DocumentOutline {
            collection: outlined.open.source.name().0.clone(),
            document_id: row.id.to_string(),
            title: outlined.outline.title.clone(),
            tokens: count(outlined.outline.tokens),
            text: outlined.outline.to_markdown(),
            sections: sections.map(|section| shown(section, row)).collect(),
        })
    }

    /// The whole text of a section of [`Engine::outline`], that of its subsections included.
    ///
    /// # Errors
    /// `not_found` for an unknown document or number; `ambiguous`.
    pub async fn section(&self, collections: Option<&[String]>, document_id: &str, number: u32) -> Result<SectionText> {
        let outlined = self.outlined(collections, document_id).await?;
        let Outlined {
            open,
            row,
            items,
            outline,
        } = &outlined;
        let Some(section) = outline.section(number) else {
            return Err(Error::new(
                ErrorCode::NotFound,
                format!(
                    "The document has no section {number}; its sections are 1 to {}.",
                    outline.sections.len()
                ),
            ));
        };
        let found = section_passage(open, row.id, items, section.positions);
        Ok(SectionText {
            collection: open.source.name().0.clone(),
            document_id: row.id.to_string(),
            title: row.title.clone(),
            section: shown(section, row),
            headings: outline.path(number).into_iter().map(str::to_owned).collect(),
            text: found.map(|found| found.passage.text).unwrap_or_default(),
        })
    }

    async fn outlined(&self, collections: Option<&[String]>, document_id: &str) -> Result<Outlined> {
        let (collection, row) = self.find_document(collections, document_id).await?;
        let snapshot = collection.snapshot().await?;
        let items = collection.items(&snapshot, row.id, &[(0, u32::MAX)]).await?;
        let outline = outline(&row.title, &items);
        let open = OpenSource {
            source: collection as Arc<dyn ChunkSource>,
            snapshot: Arc::new(snapshot),
        };
        Ok(Outlined {
            open,
            row,
            items,
            outline,
        })
    }
}

struct Outlined {
    open: OpenSource,
    row: DocumentRow,
    items: Vec<Item>,
    outline: Outline,
}

fn shown(section: &recto_retrieval::OutlineSection, row: &DocumentRow) -> OutlineSection {
    OutlineSection {
        number: section.number,
        level: section.level,
        title: section.title.clone(),
        first_page: section.pages.map(|(first, _)| named(first, row)),
        last_page: section.pages.map(|(_, last)| named(last, row)),
        tokens: count(section.tokens),
        summary: section.summary.clone(),
        figures: section.figures.clone(),
        self_ref: section.self_ref.clone(),
    }
}

fn named(number: u32, row: &DocumentRow) -> PageName {
    let index = usize::try_from(number).unwrap_or(usize::MAX).saturating_sub(1);
    PageName {
        number,
        label: row.page_labels.get(index).cloned().flatten(),
    }
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
