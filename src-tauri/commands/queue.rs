//! The ingestion queue.

use crate::state::AppState;
use recto_engine::Password;
use recto_engine::contract::{ApiError, QueueReport};
use tauri::State;

/// The queue as it stands.
///
/// # Errors
/// As [`recto_engine::Engine::queue`].
#[tauri::command]
#[specta::specta]
pub async fn queue(state: State<'_, AppState>) -> Result<QueueReport, ApiError> {
    Ok(state.engine().await?.queue().await?)
}

/// Stops a job and what it started.
///
/// # Errors
/// As [`recto_engine::Engine::cancel_job`].
#[tauri::command]
#[specta::specta]
pub async fn cancel_job(state: State<'_, AppState>, job_id: String) -> Result<(), ApiError> {
    Ok(state.engine().await?.cancel_job(&job_id).await?)
}

/// Queues a failed or cancelled job again.
///
/// # Errors
/// As [`recto_engine::Engine::retry_job`].
#[tauri::command]
#[specta::specta]
pub async fn retry_job(state: State<'_, AppState>, job_id: String) -> Result<(), ApiError> {
    Ok(state.engine().await?.retry_job(&job_id).await?)
}

/// Lets a waiting job be read next.
///
/// # Errors
/// As [`recto_engine::Engine::move_job_to_front`].
#[tauri::command]
#[specta::specta]
pub async fn move_job_to_front(state: State<'_, AppState>, job_id: String) -> Result<(), ApiError> {
    Ok(state.engine().await?.move_job_to_front(&job_id).await?)
}

/// Takes a failed or cancelled job off the list.
///
/// # Errors
/// As [`recto_engine::Engine::dismiss_job`].
#[tauri::command]
#[specta::specta]
pub async fn dismiss_job(state: State<'_, AppState>, job_id: String) -> Result<(), ApiError> {
    Ok(state.engine().await?.dismiss_job(&job_id).await?)
}

/// Stops or resumes taking jobs.
///
/// # Errors
/// As [`recto_engine::Engine::pause_queue`].
#[tauri::command]
#[specta::specta]
pub async fn pause_queue(state: State<'_, AppState>, paused: bool) -> Result<(), ApiError> {
    Ok(state.engine().await?.pause_queue(paused).await?)
}

/// Gives the password of a file that failed for want of one, and tries it again.
///
/// # Errors
/// As [`recto_engine::Engine::unlock_job`].
#[tauri::command]
#[specta::specta]
pub async fn unlock_job(state: State<'_, AppState>, job_id: String, password: String) -> Result<(), ApiError> {
    Ok(state.engine().await?.unlock_job(&job_id, Password(password)).await?)
}
