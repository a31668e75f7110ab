//! Work that blocks, off the async threads.

use recto_core::Error;

/// Runs SQLite or file work off the async threads.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Error> + Send + 'static,
) -> Result<T, Error> {
    tokio::task::spawn_blocking(work)
        .await
        .unwrap_or_else(|_| Err(Error::internal("A background task of the engine stopped unexpectedly.")))
}
