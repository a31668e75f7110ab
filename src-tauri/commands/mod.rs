//! What the page in the window can ask for: one file per feature, each body one call of the engine.

pub mod answers;
pub mod collections;
pub mod conversations;
pub mod documents;
pub mod files;
pub mod library;
pub mod links;
pub mod queue;
