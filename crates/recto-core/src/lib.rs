//! Domain types and the traits the engine is assembled from.
