//! Protocol and client of the worker processes that handle untrusted bytes.
