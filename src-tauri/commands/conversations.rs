//! The history.

use crate::state::AppState;
use recto_engine::contract::{ApiError, Conversation, ConversationSummary};
use tauri::State;

/// The conversations, newest first.
///
/// # Errors
/// As [`recto_engine::Engine::conversations`].
#[tauri::command]
#[specta::specta]
pub async fn list_conversations(state: State<'_, AppState>) -> Result<Vec<ConversationSummary>, ApiError> {
    Ok(state.engine().await?.conversations().await?)
}

/// A conversation as it was stored.
///
/// # Errors
/// As [`recto_engine::Engine::conversation`].
#[tauri::command]
#[specta::specta]
pub async fn get_conversation(state: State<'_, AppState>, conversation_id: String) -> Result<Conversation, ApiError> {
    Ok(state.engine().await?.conversation(&conversation_id).await?)
}

/// The conversations that hold every word of `query`, newest first.
///
/// # Errors
/// As [`recto_engine::Engine::search_conversations`].
#[tauri::command]
#[specta::specta]
pub async fn search_conversations(
    state: State<'_, AppState>,
    query: String,
) -> Result<Vec<ConversationSummary>, ApiError> {
    Ok(state.engine().await?.search_conversations(&query).await?)
}

/// Gives a conversation another title.
///
/// # Errors
/// As [`recto_engine::Engine::rename_conversation`].
#[tauri::command]
#[specta::specta]
pub async fn rename_conversation(
    state: State<'_, AppState>,
    conversation_id: String,
    title: String,
) -> Result<(), ApiError> {
    let engine = state.engine().await?;
    Ok(engine.rename_conversation(&conversation_id, &title).await?)
}

/// Deletes a conversation; it can be brought back for a while.
///
/// # Errors
/// As [`recto_engine::Engine::delete_conversation_for_now`].
#[tauri::command]
#[specta::specta]
pub async fn delete_conversation(state: State<'_, AppState>, conversation_id: String) -> Result<(), ApiError> {
    let engine = state.engine().await?;
    Ok(engine.delete_conversation_for_now(&conversation_id).await?)
}

/// Brings back a conversation that was deleted a moment ago.
///
/// # Errors
/// As [`recto_engine::Engine::restore_conversation`].
#[tauri::command]
#[specta::specta]
pub async fn restore_conversation(state: State<'_, AppState>, conversation_id: String) -> Result<(), ApiError> {
    Ok(state.engine().await?.restore_conversation(&conversation_id).await?)
}
