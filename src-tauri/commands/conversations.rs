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

/// Deletes a conversation.
///
/// # Errors
/// As [`recto_engine::Engine::delete_conversation`].
#[tauri::command]
#[specta::specta]
pub async fn delete_conversation(state: State<'_, AppState>, conversation_id: String) -> Result<(), ApiError> {
    Ok(state.engine().await?.delete_conversation(&conversation_id).await?)
}
