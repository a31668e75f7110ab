//! How a pool of workers is set up.

use recto_core::{Error, ErrorCode, Result};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Environment variable that names the worker binary.
pub const WORKER_VARIABLE: &str = "RECTO_WORKER";

const MOST_WORKERS: usize = 8;

/// Settings of a [`WorkerPool`](crate::WorkerPool).
#[derive(Debug, Clone)]
pub struct WorkerPoolOptions {
    /// The worker binary.
    pub program: PathBuf,
    /// Environment variables the workers get besides the application's own.
    pub environment: Vec<(OsString, OsString)>,
    /// How many processes run at most. They are started when first needed.
    pub workers: usize,
    /// Resident memory in bytes at which a worker is killed and its request fails with `out_of_memory`.
    pub memory_ceiling: u64,
    /// Address space a worker may have over `memory_ceiling`, for libraries and stacks. An allocation beyond the sum
    /// fails at once, before it can starve the machine.
    pub address_space_margin: u64,
    /// How often resident memory is looked at.
    pub memory_poll: Duration,
    /// Longest time without a reply while a file is opened or a page is read. A page that takes longer becomes a gap.
    pub page_deadline: Duration,
    /// What is added to `page_deadline` while text is recognised from pixels.
    pub recognition_allowance: Duration,
    /// Longest time without a reply while items are made, for each hundred pages begun.
    pub deadline_per_100_pages: Duration,
    /// Longest time without a reply to any other request.
    pub request_deadline: Duration,
    /// Requests after which a process is replaced.
    pub recycle_after: u32,
    /// Resident memory in bytes above which a process is replaced when its request is done.
    pub recycle_above: u64,
    /// Pages of one document that may be lost to crashes and hangs before the document fails.
    pub max_lost_pages: usize,
}

impl WorkerPoolOptions {
    /// The defaults: one worker per physical core, at most 8; 2 GiB; 60 s.
    #[must_use]
    pub fn new(program: PathBuf) -> Self {
        Self {
            program,
            environment: Vec::new(),
            workers: physical_cores().min(MOST_WORKERS),
            memory_ceiling: 2 << 30,
            address_space_margin: 512 << 20,
            memory_poll: Duration::from_millis(200),
            page_deadline: Duration::from_secs(60),
            recognition_allowance: Duration::from_secs(30),
            deadline_per_100_pages: Duration::from_secs(60),
            request_deadline: Duration::from_secs(60),
            recycle_after: 500,
            recycle_above: 1 << 30,
            max_lost_pages: 32,
        }
    }

    /// The defaults with the worker binary found as [`find_worker`] does.
    ///
    /// # Errors
    /// `asset_missing` when there is none.
    pub fn find() -> Result<Self> {
        find_worker().map(Self::new)
    }

    /// The same for a pool that only draws pages: two workers, and less patience, because a person is waiting.
    #[must_use]
    pub fn for_rendering(self) -> Self {
        Self {
            workers: self.workers.min(2),
            request_deadline: Duration::from_secs(20),
            ..self
        }
    }
}

/// The worker binary: what `RECTO_WORKER` names, else `recto-worker` beside the running executable, else in the folder
/// above that (where Cargo puts it for tests).
///
/// # Errors
/// `asset_missing` when there is none in these places.
pub fn find_worker() -> Result<PathBuf> {
    let executable = std::env::current_exe()
        .map_err(|error| Error::internal(format!("The path of the running program cannot be found: {error}.")))?;
    choose_worker(std::env::var_os(WORKER_VARIABLE), &executable)
}

fn choose_worker(named: Option<OsString>, executable: &Path) -> Result<PathBuf> {
    let name = format!("recto-worker{}", std::env::consts::EXE_SUFFIX);
    if let Some(named) = named.filter(|named| !named.is_empty()) {
        let path = PathBuf::from(named);
        return if path.is_file() {
            Ok(path)
        } else {
            Err(Error::new(
                ErrorCode::AssetMissing,
                format!(
                    "{WORKER_VARIABLE} names a file that does not exist: {}.",
                    path.display()
                ),
            ))
        };
    }
    executable
        .ancestors()
        .skip(1)
        .take(2)
        .map(|folder| folder.join(&name))
        .find(|path| path.is_file())
        .ok_or_else(|| {
            Error::new(
                ErrorCode::AssetMissing,
                format!(
                    "The program {name} is missing beside {}. Install Recto again, or build it with cargo build.",
                    executable.display()
                ),
            )
        })
}

/// Physical cores this process may use: two threads of one core do not parse twice as fast.
fn physical_cores() -> usize {
    let usable = std::thread::available_parallelism().map_or(1, usize::from);
    let physical = std::fs::read_to_string("/proc/cpuinfo").map_or(0, |text| count_cores(&text));
    if physical == 0 { usable } else { usable.min(physical) }
}

/// Distinct (package, core) pairs of a `/proc/cpuinfo`; 0 when it names none.
fn count_cores(cpuinfo: &str) -> usize {
    let field = |block: &str, name: &str| {
        block
            .lines()
            .find(|line| line.starts_with(name))
            .and_then(|line| line.split_once(':'))
            .and_then(|(_, value)| value.trim().parse::<u32>().ok())
    };
    cpuinfo
        .split("\n\n")
        .filter_map(|block| Some((field(block, "physical id")?, field(block, "core id")?)))
        .collect::<BTreeSet<_>>()
        .len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_of_one_core_are_counted_once() {
        let thread =
            |package: u32, core: u32| format!("processor\t: 0\nphysical id\t: {package}\ncore id\t\t: {core}\n");
        let text = [thread(0, 0), thread(0, 1), thread(0, 0), thread(1, 0)].join("\n");
        assert_eq!(count_cores(&text), 3);
        assert_eq!(count_cores("processor : 0\nBogoMIPS : 48"), 0);
    }

    #[test]
    fn the_worker_is_looked_for_beside_the_executable_and_one_folder_up() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let deps = folder.path().join("deps");
        std::fs::create_dir(&deps).expect("creates");
        let executable = deps.join("test-1");
        let error = choose_worker(None, &executable).expect_err("nothing there");
        assert_eq!(error.code, ErrorCode::AssetMissing);

        let above = folder.path().join("recto-worker");
        std::fs::write(&above, "").expect("writes");
        assert_eq!(choose_worker(None, &executable).expect("finds"), above);
        let beside = deps.join("recto-worker");
        std::fs::write(&beside, "").expect("writes");
        assert_eq!(choose_worker(None, &executable).expect("finds"), beside);
        assert_eq!(
            choose_worker(Some(above.clone().into()), &executable).expect("finds"),
            above
        );
        assert!(
            choose_worker(Some("/nowhere".into()), &executable).is_err(),
            "a wrong name is not passed over"
        );
    }
}
