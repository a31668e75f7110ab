//! Chunking and query to ranked passages.
