//! The library's own database and settings: which collections there are, what waits to be ingested, what was asked
//! and answered. The only crate that names `rusqlite`.
//!
//! A library is a folder. One process at a time holds its lock and may write; others open it read-only, which changes
//! no byte. Documents themselves are not here: a collection's LanceDB holds what is committed, and a [`Job`] is all
//! there is to know about a file that is not (yet) there. Time is passed in as Unix milliseconds, ids by the caller.

mod collections;
mod conversations;
mod error;
mod lock;
mod queue;
mod schema;
mod settings;
mod state;
mod store;

pub use collections::CollectionEntry;
pub use conversations::{Conversation, StoredAnswer, UsageTotal};
pub use error::Error;
pub use queue::{Enqueued, Failure, Identity, Job, JobFilter, JobId, NewJob, Outcome, QueueStatus, TRANSIENT_RETRIES};
pub use settings::{
    EMBEDDING_PROVIDERS, EmbeddingSettings, IngestSettings, ModelSettings, PROVIDERS, RerankerSettings, SearchSettings,
    Settings, StageSettings, StorageSettings,
};
pub use state::State;
pub use store::{Library, OpenMode};
