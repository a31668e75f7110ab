//! The library's SQLite database: collections, ingestion queue, conversations; settings file.
