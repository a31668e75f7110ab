//! Tests of the application.
