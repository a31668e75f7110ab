//! What a document says about itself, so that a question can be led to the right one.

use serde::{Deserialize, Serialize};

/// What is known about a document beside its text: whom and which period it is about, what it is, and what its pages are.
/// Computed when the document is read. An empty card says nothing; title and file name still do.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct DocumentCard {
    /// Names of those the document is about or comes from, as written, the surest first.
    pub names: Vec<String>,
    /// What it calls itself, lower case: `10-q`, `annual report`.
    pub kinds: Vec<String>,
    /// The periods it reports on, the surest first.
    pub periods: Vec<Period>,
    /// The day its period ends or, where it reports on none, its date (`2022-06-25`).
    pub ends: Option<String>,
    /// Abbreviations it defines.
    pub abbreviations: Vec<Abbreviation>,
    /// Pages of a known kind, by page.
    pub pages: Vec<PageTag>,
}

/// A year, or a part of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Period {
    /// The year as written; fiscal years count as their number.
    pub year: u16,
    /// Quarter, 1 to 4.
    pub quarter: Option<u8>,
}

/// A short form and what it stands for: "Property, plant and equipment (PP&E)".
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Abbreviation {
    /// The short form.
    pub short: String,
    /// The long form.
    pub long: String,
}

/// A page that is of a known kind.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PageTag {
    /// 1-based page number.
    pub page: u32,
    /// The kind, e.g. `balance_sheet`.
    pub kind: String,
    /// How clearly it is one, above 0; 1 for a page with the title and all typical rows.
    pub strength: f32,
    /// Years named on the page, ascending.
    pub years: Vec<u16>,
}
