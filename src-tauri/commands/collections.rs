//! Collections.

use crate::state::AppState;
use recto_engine::contract::{ApiError, CollectionSummary};
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

/// Removes a collection and everything in it; the files it was made from stay where they are.
///
/// # Errors
/// As [`recto_engine::Engine::remove_collection`].
#[tauri::command]
#[specta::specta]
pub async fn remove_collection(state: State<'_, AppState>, name: String) -> Result<(), ApiError> {
    Ok(state.engine().await?.remove_collection(&name).await?)
}
