//! Adding files.

use crate::diagnostics;
use crate::files;
use crate::state::AppState;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use recto_core::{Error, ErrorCode};
use recto_engine::contract::{AddPreview, ApiError};
use std::path::PathBuf;
use tauri::{AppHandle, Manager, Runtime, State};
use tauri_plugin_dialog::DialogExt;
use tokio_util::sync::CancellationToken;

/// Queues files for `collection`, or for the one that dropped files go into; folders are walked. Returns how many were
/// queued.
///
/// # Errors
/// As [`files::add`].
#[tauri::command]
#[specta::specta]
pub async fn add_paths(
    state: State<'_, AppState>,
    collection: Option<String>,
    paths: Vec<String>,
) -> Result<u32, ApiError> {
    let collection = collection.unwrap_or_else(|| state.add_target());
    files::add(&state, &collection, paths.into_iter().map(PathBuf::from).collect()).await
}

/// Names the collection that dropped files go into.
#[tauri::command]
#[specta::specta]
pub fn set_add_target(state: State<'_, AppState>, collection: String) {
    state.set_add_target(collection);
}

/// Asks the person for files. Returns none when the dialog was closed.
///
/// # Errors
/// `internal` when the dialog ended without an answer.
#[tauri::command]
#[specta::specta]
pub async fn open_file_dialog<R: Runtime>(app: AppHandle<R>) -> Result<Vec<String>, ApiError> {
    let (chosen, answer) = tokio::sync::oneshot::channel();
    app.dialog().file().set_title("Add files").pick_files(move |files| {
        // The receiver is gone only when the window is; then nobody wants the files.
        drop(chosen.send(files.unwrap_or_default()));
    });
    let files = answer.await.map_err(|_| Error::internal("the file dialog went away"))?;
    let paths = files.into_iter().filter_map(|file| file.into_path().ok());
    Ok(paths.map(|path| path.to_string_lossy().into_owned()).collect())
}

/// Asks the person for a folder. Returns null when the dialog was closed.
///
/// # Errors
/// `internal` when the dialog ended without an answer.
#[tauri::command]
#[specta::specta]
pub async fn open_folder_dialog<R: Runtime>(app: AppHandle<R>) -> Result<Option<String>, ApiError> {
    let (chosen, answer) = tokio::sync::oneshot::channel();
    let dialog = app.dialog().file().set_title("Choose a folder");
    dialog.pick_folder(move |folder| drop(chosen.send(folder)));
    let folder = answer.await.map_err(|_| Error::internal("the file dialog went away"))?;
    let path = folder.and_then(|folder| folder.into_path().ok());
    Ok(path.map(|path| path.to_string_lossy().into_owned()))
}

/// What adding files would do, before it is done.
///
/// # Errors
/// As [`recto_engine::Engine::preview_add`].
#[tauri::command]
#[specta::specta]
pub async fn preview_add(
    state: State<'_, AppState>,
    collection: Option<String>,
    paths: Vec<String>,
) -> Result<AddPreview, ApiError> {
    let collection = collection.unwrap_or_else(|| state.add_target());
    let paths = paths.into_iter().map(PathBuf::from).collect();
    let engine = state.engine().await?;
    Ok(engine
        .preview_add(&collection, paths, CancellationToken::new(), |_| {})
        .await?)
}

/// Asks the person where to save `content` and writes it there. `name` is what the dialog suggests. Returns whether it was
/// saved; not when the dialog was closed.
///
/// # Errors
/// `internal` when the file cannot be written.
#[tauri::command]
#[specta::specta]
pub async fn save_text_file<R: Runtime>(app: AppHandle<R>, name: String, content: String) -> Result<bool, ApiError> {
    save(&app, &name, content.into_bytes()).await
}

/// As [`save_text_file`], for a file that is no text: `content` is its bytes in base64.
///
/// # Errors
/// `invalid_argument` for what is no base64; `internal` when the file cannot be written.
#[tauri::command]
#[specta::specta]
pub async fn save_file<R: Runtime>(app: AppHandle<R>, name: String, content: String) -> Result<bool, ApiError> {
    let bytes = BASE64_STANDARD
        .decode(content)
        .map_err(|_| Error::new(ErrorCode::InvalidArgument, "The content of the file is not base64."))?;
    save(&app, &name, bytes).await
}

/// Asks the person where to save what helps to find a fault, and writes it there as a ZIP file. Returns whether it was
/// saved.
///
/// # Errors
/// As [`recto_engine::Engine::diagnostics`]; `internal` when the file cannot be written.
#[tauri::command]
#[specta::specta]
pub async fn save_diagnostics<R: Runtime>(app: AppHandle<R>, state: State<'_, AppState>) -> Result<bool, ApiError> {
    let archive = diagnostics::archive(&state, app.path().app_log_dir().ok()).await?;
    save(&app, "recto-diagnostics.zip", archive).await
}

/// Asks where to write `bytes`, and writes them.
async fn save<R: Runtime>(app: &AppHandle<R>, name: &str, bytes: Vec<u8>) -> Result<bool, ApiError> {
    let (chosen, answer) = tokio::sync::oneshot::channel();
    let dialog = app.dialog().file().set_title("Save").set_file_name(plain_name(name));
    dialog.save_file(move |file| drop(chosen.send(file)));
    let file = answer.await.map_err(|_| Error::internal("the file dialog went away"))?;
    let Some(path) = file.and_then(|file| file.into_path().ok()) else {
        return Ok(false);
    };
    tokio::fs::write(&path, bytes).await.map_err(|error| {
        tracing::warn!(%error, "an export could not be written");
        Error::internal(format!("{} cannot be written: {error}.", path.display()))
    })?;
    Ok(true)
}

/// A suggestion that names no folder, whatever a title holds.
fn plain_name(name: &str) -> String {
    let plain: String = name
        .chars()
        .map(|c| {
            if c.is_control() || "/\\:*?\"<>|".contains(c) {
                '-'
            } else {
                c
            }
        })
        .take(120)
        .collect();
    plain.trim_matches(|c: char| c == '.' || c.is_whitespace()).to_owned()
}

/// Does what dropping `paths` on the window does, for tests: a drag from another program cannot be driven.
///
/// # Errors
/// `invalid_argument` unless Recto runs with `RECTO_E2E=1`.
#[tauri::command]
#[specta::specta]
pub async fn e2e_drop<R: Runtime>(
    app: AppHandle<R>,
    state: State<'_, AppState>,
    paths: Vec<String>,
) -> Result<u32, ApiError> {
    if !state.is_end_to_end() {
        return Err(Error::new(ErrorCode::InvalidArgument, "This command is for tests only.").into());
    }
    files::dropped(&app, paths.into_iter().map(PathBuf::from).collect()).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suggested_name_leads_nowhere() {
        assert_eq!(plain_name("../../etc/passwd"), "-..-etc-passwd");
        assert_eq!(plain_name("What is \"X\"?\n.html"), "What is -X---.html");
        assert_eq!(plain_name("Net sales 2023.md"), "Net sales 2023.md");
    }
}
