//! Results as a person reads them. Pure functions from the contract's shapes to text.
//!
//! Whatever comes from a document or a file name passes through [`terminal`] here, and nowhere else.

mod answers;
mod library;
mod models;
mod search;
mod tables;
mod words;

pub(crate) use answers::{answer_foot, page_files};
pub(crate) use library::{add_report, collections, delete_report, doctor, document, document_list, queue};
pub(crate) use models::{model_report, models};
pub(crate) use search::{locate_report, search_report};
pub(crate) use words::{page_names, state_name};

#[cfg(test)]
mod tests;
