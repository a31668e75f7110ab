//! The advisory lock that makes one process the collection's writer.

use crate::Error;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Write};
use std::path::Path;

/// Held as long as it lives; the system releases it when the process ends, however it ends.
#[derive(Debug)]
pub(crate) struct Lock {
    _file: File,
}

impl Lock {
    /// Takes the lock on the file at `path`, which is created when missing. The process id in the file serves the
    /// message of whoever comes second and nothing else.
    pub(crate) fn acquire(path: &Path) -> Result<Self, Error> {
        let io = |operation| Error::io(operation, path);
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(io("open the lock file"))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(Error::InUse {
                    owner: owner(&mut file),
                });
            }
            Err(TryLockError::Error(source)) => return Err(io("lock")(source)),
        }
        file.set_len(0).map_err(io("write the lock file"))?;
        file.write_all(std::process::id().to_string().as_bytes())
            .map_err(io("write the lock file"))?;
        Ok(Self { _file: file })
    }
}

fn owner(file: &mut File) -> String {
    let mut pid = String::new();
    match file.read_to_string(&mut pid) {
        Ok(_) if !pid.trim().is_empty() => format!("process {}", pid.trim()),
        _ => "another process".to_owned(),
    }
}
