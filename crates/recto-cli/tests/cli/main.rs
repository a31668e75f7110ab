//! The real binary, from adding real PDFs to deleting them, as a person or a script runs it.

mod answers;
mod documents;
mod errors;
mod evaluation;
mod files;
mod models;
mod names;
mod offline;
mod support;
