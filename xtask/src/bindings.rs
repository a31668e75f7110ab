//! The TypeScript bindings of the window's commands. The test that compares them is also what writes them, so that both
//! see exactly the same declarations.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, ensure};

/// Writes `ui/src/ipc/bindings.ts` from the commands and events declared in `src-tauri`.
pub(crate) fn run(root: &Path) -> anyhow::Result<()> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args([
            "test",
            "--quiet",
            // One package alone would resolve other features and compile the dependencies again.
            "--workspace",
            "--test",
            "app",
            "--",
            "bindings::",
        ])
        .env("RECTO_WRITE_BINDINGS", "1")
        .current_dir(root)
        .status()
        .context("cannot run cargo")?;
    ensure!(status.success(), "the bindings were not written");
    Ok(())
}
