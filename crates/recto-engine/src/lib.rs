//! The one façade that the application, the command line and the MCP server share.
//!
//! [`Engine`] is a library opened by this process: its collections, queue, conversations and models. [`FileTools`] works
//! on single files and needs no library. [`contract`] holds the shapes both return. No parser is in this process: bytes
//! of documents are read by worker processes only.

mod ask;
mod blocking;
mod clock;
mod collections;
mod contents;
pub mod contract;
mod conversations;
mod convert;
mod diagnostics;
mod doctor;
mod documents;
mod embedders;
mod engine;
mod files;
mod ingest;
mod keys;
mod locate;
mod models;
mod outline;
mod page_cache;
mod passwords;
mod preview;
mod queue;
mod reading;
mod rerankers;
mod scope;
mod search;
mod setup;
mod spans;
mod traces;
mod undo;
mod walk;

pub use clock::Clock;
pub use diagnostics::{DiagnosticFile, diagnostics_without_library};
pub use engine::{Access, Engine, EngineOptions, default_library};
pub use files::{ConvertOptions, FileTools};
pub use ingest::{AddRequest, Ticket};
pub use passwords::Password;
pub use reading::{PageImage, PageImageRequest};
pub use recto_worker::{ConvertFormat, Converted, ImageFormat, Layer};
