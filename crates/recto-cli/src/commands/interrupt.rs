//! Ctrl-C: the first time the work is asked to stop and to keep what it has, the second time the process ends.

use tokio_util::sync::CancellationToken;

/// Exit status of a process ended by SIGINT, as shells know it.
const INTERRUPTED: i32 = 130;

/// A token that is cancelled at the first Ctrl-C.
pub(crate) fn token() -> CancellationToken {
    let token = CancellationToken::new();
    let cancelled = token.clone();
    tokio::spawn(async move {
        // Where no handler can be installed the system's own stays: Ctrl-C ends the process.
        if tokio::signal::ctrl_c().await.is_err() {
            return;
        }
        cancelled.cancel();
        if tokio::signal::ctrl_c().await.is_ok() {
            std::process::exit(INTERRUPTED);
        }
    });
    token
}
