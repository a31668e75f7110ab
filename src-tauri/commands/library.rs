//! The library as a whole.

use crate::state::AppState;
use crate::{files, samples};
use recto_engine::contract::{
    ApiError, ChatModelSettings, EmbeddingModelSettings, LibraryStatus, LocalModelServer, ModelReport,
    RerankerSettings, SettingsView, Stage,
};
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

/// What the person can set up.
///
/// # Errors
/// As [`recto_engine::Engine::settings_view`].
#[tauri::command]
#[specta::specta]
pub async fn get_settings(state: State<'_, AppState>) -> Result<SettingsView, ApiError> {
    Ok(state.engine().await?.settings_view().await?)
}

/// Sets up another chat model, or none.
///
/// # Errors
/// As [`recto_engine::Engine::set_chat_model`].
#[tauri::command]
#[specta::specta]
pub async fn set_chat_model(state: State<'_, AppState>, model: ChatModelSettings) -> Result<SettingsView, ApiError> {
    Ok(state.engine().await?.set_chat_model(model).await?)
}

/// Looks at a chat model before it is used; `thorough` asks the model itself too.
///
/// # Errors
/// As [`recto_engine::Engine::probe_chat_model`].
#[tauri::command]
#[specta::specta]
pub async fn probe_chat_model(
    state: State<'_, AppState>,
    model: ChatModelSettings,
    thorough: bool,
) -> Result<ModelReport, ApiError> {
    Ok(state.engine().await?.probe_chat_model(model, thorough).await?)
}

/// Sets up a model of its own for a step of answering, or none.
///
/// # Errors
/// As [`recto_engine::Engine::set_stage_model`].
#[tauri::command]
#[specta::specta]
pub async fn set_stage_model(
    state: State<'_, AppState>,
    stage: Stage,
    model: ChatModelSettings,
) -> Result<SettingsView, ApiError> {
    Ok(state.engine().await?.set_stage_model(stage, model).await?)
}

/// Sets up the embedding model of new collections.
///
/// # Errors
/// As [`recto_engine::Engine::set_embedding_model`].
#[tauri::command]
#[specta::specta]
pub async fn set_embedding_model(
    state: State<'_, AppState>,
    model: EmbeddingModelSettings,
) -> Result<SettingsView, ApiError> {
    Ok(state.engine().await?.set_embedding_model(model).await?)
}

/// Looks at an embedding model before it is used.
///
/// # Errors
/// As [`recto_engine::Engine::probe_embedding_model`].
#[tauri::command]
#[specta::specta]
pub async fn probe_embedding_model(
    state: State<'_, AppState>,
    model: EmbeddingModelSettings,
) -> Result<ModelReport, ApiError> {
    Ok(state.engine().await?.probe_embedding_model(model).await?)
}

/// Sets up another reranker, or none.
///
/// # Errors
/// As [`recto_engine::Engine::set_reranker`].
#[tauri::command]
#[specta::specta]
pub async fn set_reranker(state: State<'_, AppState>, reranker: RerankerSettings) -> Result<SettingsView, ApiError> {
    Ok(state.engine().await?.set_reranker(reranker).await?)
}

/// Looks at a reranker before it is used.
///
/// # Errors
/// As [`recto_engine::Engine::probe_reranker`].
#[tauri::command]
#[specta::specta]
pub async fn probe_reranker(state: State<'_, AppState>, reranker: RerankerSettings) -> Result<ModelReport, ApiError> {
    Ok(state.engine().await?.probe_reranker(reranker).await?)
}

/// The model servers on this machine.
///
/// # Errors
/// Why the library cannot be opened.
#[tauri::command]
#[specta::specta]
pub async fn local_model_servers(state: State<'_, AppState>) -> Result<Vec<LocalModelServer>, ApiError> {
    Ok(state.engine().await?.local_model_servers().await)
}
