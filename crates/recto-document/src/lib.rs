//! Files to documents: pages, words with boxes, items in reading order; rendering and quote location.
