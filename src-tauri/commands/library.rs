//! The library as a whole.

use crate::state::AppState;
use crate::{files, samples};
use recto_engine::contract::{ApiError, LibraryStatus};
use tauri::{AppHandle, Runtime, State};

/// What the library is, or why it cannot be opened; asking again tries again.
///
/// # Errors
/// Why the library cannot be opened.
#[tauri::command]
#[specta::specta]
pub async fn library_status(state: State<'_, AppState>) -> Result<LibraryStatus, ApiError> {
    Ok(state.engine().await?.status())
}

/// Queues the documents that come with Recto into a collection of their own. Returns how many.
///
/// # Errors
/// `asset_missing` without samples; otherwise as adding files.
#[tauri::command]
#[specta::specta]
pub async fn add_samples<R: Runtime>(app: AppHandle<R>, state: State<'_, AppState>) -> Result<u32, ApiError> {
    let paths = samples::files(&app)?;
    files::add(&state, samples::COLLECTION, paths).await
}
