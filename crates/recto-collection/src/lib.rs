//! One collection: a folder with a LanceDB database and the originals it was made from. The only crate that names
//! `lancedb` or Arrow.
//!
//! **What is stored.** A small row per document, and rows of pages, items, chunks and vectors that belong to one
//! *revision* of a document. Those rows are appended and deleted, never updated; which revision is current is said by
//! the document's row alone. So a document changes as a whole, in one write of that row, and a process that is killed
//! at any step leaves it wholly old or wholly new. The steps are in [`Collection::begin`] and the functions after it.
//!
//! **Who may write.** One process at a time, held by a lock on the folder. Opening for reading changes no byte.
//!
//! Words are found through terms that the caller makes and writes into the chunks; the database only splits them at
//! spaces. Time and ids are passed in.

mod chunk_cache;
mod collection;
mod columns;
mod documents;
mod error;
mod ingest;
mod integrity;
mod lock;
mod maintain;
mod originals;
mod read;
mod record;
mod rows;
mod schema;
mod search;
mod sql;
mod statistics;

pub use collection::{Collection, OpenMode, SharedSession};
pub use documents::{DocumentEdit, Placement, PurgeReport};
pub use error::Error;
pub use ingest::{BATCH_DOCUMENTS, ChunkVector, Facts, NewRevision, PageRecord};
pub use integrity::{IndexCoverage, Integrity};
pub use maintain::Maintenance;
pub use originals::Originals;
