//! The engine over real files: real workers, real LanceDB, real SQLite, the real embedding model.

mod answers;
mod attachments;
mod contents;
mod deletion;
mod diagnostics;
mod embedders;
mod federation;
mod ingestion;
mod kill;
mod library;
mod models;
mod passages;
mod passwords;
mod preview;
mod strategies;
mod support;
mod undo;
