//! Writing results down.

use anyhow::Result;
use serde::Serialize;
use std::path::Path;

/// Prints `result` and keeps it as `bench/results/<name>.json` with what it was measured on.
pub(crate) fn write(name: &str, result: &impl Serialize) -> Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("results");
    std::fs::create_dir_all(&folder)?;
    let commit = std::process::Command::new("git")
        .args(["rev-parse", "--short", "HEAD"])
        .output()
        .ok();
    let commit = commit.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    let record = serde_json::json!({
        "benchmark": name,
        "commit": commit,
        "version": env!("CARGO_PKG_VERSION"),
        "profile": if cfg!(debug_assertions) { "dev (dependencies optimised)" } else { "release" },
        "cores": std::thread::available_parallelism().map_or(0, usize::from),
        "processor": processor(),
        "result": result,
    });
    let text = serde_json::to_string_pretty(&record)?;
    std::fs::write(folder.join(format!("{name}.json")), format!("{text}\n"))?;
    println!("{text}");
    Ok(())
}

fn processor() -> Option<String> {
    let text = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

/// The middle of `values`, by size. 0 of none.
pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}

/// The value below which a share `p` of `values` lies. 0 of none.
pub(crate) fn percentile(mut values: Vec<f64>, p: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let index = ((values.len() as f64 - 1.0) * p).round().max(0.0) as usize;
    values.get(index).copied().unwrap_or(0.0)
}
