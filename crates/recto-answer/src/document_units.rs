//! A document in units: its pages, or the stretches of its outline where it has none.

use crate::documents::Loaded;
use crate::request::AnswerContext;
use recto_retrieval::{FoundPassage, page_passages, section_passage};

/// All of a document's text in numbered units, in order.
#[derive(Debug, Clone)]
pub(crate) struct DocumentUnits {
    /// By number, ascending: 1-based pages, or numbers of sections.
    pub(crate) units: Vec<(u32, FoundPassage)>,
    pub(crate) paged: bool,
}

impl DocumentUnits {
    pub(crate) fn of(context: &AnswerContext, document: &Loaded) -> Self {
        let id = document.candidate.id;
        let Some(open) = document.open(context) else {
            return Self {
                units: Vec::new(),
                paged: false,
            };
        };
        let pages = page_passages(open, id, &document.items);
        if !pages.is_empty() {
            return Self {
                units: pages,
                paged: true,
            };
        }
        let stretches = document.outline.stretches().into_iter();
        let units = stretches
            .filter_map(|(number, positions)| Some((number, section_passage(open, id, &document.items, positions)?)));
        Self {
            units: units.collect(),
            paged: false,
        }
    }

    /// What a unit is called.
    pub(crate) fn name(&self) -> &'static str {
        if self.paged { "page" } else { "section" }
    }

    pub(crate) fn get(&self, number: u32) -> Option<&FoundPassage> {
        let at = self.units.binary_search_by_key(&number, |(number, _)| *number).ok()?;
        self.units.get(at).map(|(_, found)| found)
    }

    pub(crate) fn numbers(&self) -> Vec<u32> {
        self.units.iter().map(|(number, _)| *number).collect()
    }

    /// The unit after and the unit before another one, as far as they exist. A missing page is no neighbour.
    pub(crate) fn beside(&self, number: u32) -> Vec<u32> {
        let next = number.checked_add(1).filter(|next| self.get(*next).is_some());
        let previous = number.checked_sub(1).filter(|previous| self.get(*previous).is_some());
        if self.paged {
            next.into_iter().chain(previous).collect()
        } else {
            Vec::new()
        }
    }
}
