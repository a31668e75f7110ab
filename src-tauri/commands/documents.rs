//! Documents.

use crate::state::AppState;
use recto_engine::contract::{ApiError, DocumentList, DocumentView};
use tauri::State;

/// The documents of `collections`, or of all.
///
/// # Errors
/// As [`recto_engine::Engine::list`].
#[tauri::command]
#[specta::specta]
pub async fn list_documents(
    state: State<'_, AppState>,
    collections: Option<Vec<String>>,
) -> Result<DocumentList, ApiError> {
    Ok(state.engine().await?.list(collections.as_deref()).await?)
}

/// Deletes a document from its collection; its file stays where it is.
///
/// # Errors
/// As [`recto_engine::Engine::delete`].
#[tauri::command]
#[specta::specta]
pub async fn delete_document(
    state: State<'_, AppState>,
    collection: String,
    document_id: String,
) -> Result<(), ApiError> {
    let engine = state.engine().await?;
    Ok(engine.delete(Some(&[collection]), &document_id).await?)
}

/// What the reader needs to lay the document out. `sha256` asks for the bytes a citation was made from, which may be
/// older than the newest ones.
///
/// # Errors
/// As [`recto_engine::Engine::document_view`].
#[tauri::command]
#[specta::specta]
pub async fn document_view(
    state: State<'_, AppState>,
    collection: String,
    document_id: String,
    sha256: Option<String>,
) -> Result<DocumentView, ApiError> {
    let engine = state.engine().await?;
    Ok(engine
        .document_view(&collection, &document_id, sha256.as_deref())
        .await?)
}
