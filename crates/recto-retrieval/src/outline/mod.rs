//! What a document's parts are: its outline, made from its items whenever it is needed, without a model and without storage.
//!
//! A document with headings has a section for each; what stands before the first heading is a section too. A long stretch
//! without headings is divided by its pages, and so is a document that has none at all; formats without pages are divided
//! by slide, sheet or part, else by length. A section takes in everything below it, so that naming one names the text of
//! all its subsections, and every item of the document lies in one section of the outermost level.

mod build;
mod passages;
mod render;
mod summary;
#[cfg(test)]
mod tests;

pub use build::outline;
pub use passages::{page_passages, section_passage, spans_passage};
pub use render::Rendered;

/// A document's sections in reading order.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Outline {
    /// The title shown to people.
    pub title: String,
    /// Sections in reading order, parents before their children.
    pub sections: Vec<OutlineSection>,
    /// Estimated tokens of the whole text.
    pub tokens: usize,
}

/// A section of a document, everything below it included.
#[derive(Debug, Clone, PartialEq)]
pub struct OutlineSection {
    /// 1-based position in the outline: what people and models name it by.
    pub number: u32,
    /// 1 for the outermost; a section's parent is the nearest one before it with a smaller level.
    pub level: u32,
    /// The heading, or what stands in for one: "Page 3".
    pub title: String,
    /// `self_ref` of the heading; `None` for sections without one.
    pub self_ref: Option<String>,
    /// First and last 1-based page; `None` without pages.
    pub pages: Option<(u32, u32)>,
    /// 0-based positions of the first and the last item.
    pub positions: (u32, u32),
    /// Estimated tokens of its text.
    pub tokens: usize,
    /// Whether it has no sections below it.
    pub leaf: bool,
    /// The first sentence that tells something, shortened; empty where there is none.
    pub summary: String,
    /// A few figures of it with their units, as printed, none of them in the summary.
    pub figures: Vec<String>,
}

impl Outline {
    /// The section with that number.
    #[must_use]
    pub fn section(&self, number: u32) -> Option<&OutlineSection> {
        let index = usize::try_from(number.checked_sub(1)?).ok()?;
        self.sections.get(index)
    }

    /// The titles above and of a section, from the outermost to the innermost.
    #[must_use]
    pub fn path(&self, number: u32) -> Vec<&str> {
        let mut path = Vec::new();
        let mut level = u32::MAX;
        let upto = usize::try_from(number).unwrap_or(usize::MAX).min(self.sections.len());
        for section in self.sections[..upto].iter().rev() {
            if section.level < level {
                level = section.level;
                path.push(section.title.as_str());
            }
        }
        path.reverse();
        path
    }

    /// The parts that make up the document, each item in one: for every section its number and the positions of what is
    /// its own, its subsections left out.
    #[must_use]
    pub fn stretches(&self) -> Vec<(u32, (u32, u32))> {
        let next = |index: usize| self.sections.get(index + 1).map(|next| next.positions.0);
        self.sections
            .iter()
            .enumerate()
            .filter_map(|(index, section)| {
                let last = match next(index) {
                    Some(next) => next.checked_sub(1)?.min(section.positions.1),
                    None => section.positions.1,
                };
                (section.positions.0 <= last).then_some((section.number, (section.positions.0, last)))
            })
            .collect()
    }

    /// `numbers` without those that are unknown, repeated, or below another one of them, in the order given.
    #[must_use]
    pub fn distinct(&self, numbers: &[u32]) -> Vec<u32> {
        let within = |inner: &OutlineSection, outer: &OutlineSection| {
            outer.positions.0 <= inner.positions.0 && inner.positions.1 <= outer.positions.1
        };
        let mut kept: Vec<u32> = Vec::new();
        for number in numbers {
            let Some(section) = self.section(*number) else { continue };
            let covered = numbers.iter().any(|other| {
                other != number
                    && self.section(*other).is_some_and(|other| {
                        within(section, other)
                            && (other.positions != section.positions || other.number < section.number)
                    })
            });
            if !covered && !kept.contains(number) {
                kept.push(*number);
            }
        }
        kept
    }
}

/// Tokens a text comes to for a model, by estimate: words and bytes bound it from two sides.
#[must_use]
pub fn estimated_tokens(text: &str) -> usize {
    if text.trim().is_empty() {
        return 0;
    }
    let words = text.split_whitespace().count();
    (words * 13).div_ceil(10).max(text.len().div_ceil(4))
}
