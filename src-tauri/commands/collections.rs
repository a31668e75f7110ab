//! Collections.

use crate::state::AppState;
use recto_engine::contract::{ApiError, CollectionSummary};
use std::path::Path;
use tauri::State;

/// The collections by name.
///
/// # Errors
/// As [`recto_engine::Engine::collections`].
#[tauri::command]
#[specta::specta]
pub async fn list_collections(state: State<'_, AppState>) -> Result<Vec<CollectionSummary>, ApiError> {
    Ok(state.engine().await?.collections().await?)
}

/// Creates an empty collection.
///
/// # Errors
/// As [`recto_engine::Engine::create_collection`].
#[tauri::command]
#[specta::specta]
pub async fn create_collection(state: State<'_, AppState>, name: String) -> Result<(), ApiError> {
    Ok(state.engine().await?.create_collection(&name).await?)
}

/// Makes a collection of another library, which lies in `folder`, one that is searched here too, and never changed.
///
/// # Errors
/// As [`recto_engine::Engine::attach_collection`].
#[tauri::command]
#[specta::specta]
pub async fn attach_collection(state: State<'_, AppState>, name: String, folder: String) -> Result<(), ApiError> {
    let engine = state.engine().await?;
    Ok(engine.attach_collection(&name, Path::new(&folder)).await?)
}

/// Removes a collection and everything in it; the files it was made from stay where they are.
///
/// # Errors
/// As [`recto_engine::Engine::remove_collection`].
#[tauri::command]
#[specta::specta]
pub async fn remove_collection(state: State<'_, AppState>, name: String) -> Result<(), ApiError> {
    Ok(state.engine().await?.remove_collection(&name).await?)
}
