//! One LanceDB database: documents, items, pages, chunks and vectors of a collection.
