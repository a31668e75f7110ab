//! The worker process.
fn main() {}
