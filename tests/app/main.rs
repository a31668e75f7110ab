//! The application without a screen: its commands over a real engine, its bindings, and what each crate may see.

mod bindings;
mod directions;
mod harness;
mod main_job;
mod page_images;
mod refusals;
