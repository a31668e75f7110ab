//! Development tasks, run as `cargo xtask <task>` from anywhere in the checkout.
#![allow(clippy::print_stdout)]

mod assets;
mod bindings;
mod minilm;
mod notices;

use std::path::PathBuf;

use anyhow::Context;
use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(name = "cargo xtask", about = "Development tasks of Recto")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Fetch the pinned native libraries and models into assets/, and verify them.
    Assets(assets::Options),
    /// Write the TypeScript bindings of the window's commands.
    Bindings,
    /// Check every shipped dependency's licence and write the notices that must go with the program.
    Notices(notices::Options),
}

fn main() -> anyhow::Result<()> {
    let root = checkout_root()?;
    match Arguments::parse().task {
        Task::Assets(options) => assets::run(&root, &options),
        Task::Bindings => bindings::run(&root),
        Task::Notices(options) => notices::run(&root, &options),
    }
}

/// The folder holding `assets.toml`: the current one or the nearest above it.
fn checkout_root() -> anyhow::Result<PathBuf> {
    let start = std::env::current_dir().context("cannot tell the current folder")?;
    start
        .ancestors()
        .find(|folder| folder.join(assets::MANIFEST).is_file())
        .map(PathBuf::from)
        .with_context(|| format!("no {} in {} or above it", assets::MANIFEST, start.display()))
}
