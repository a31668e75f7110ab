//! Searching and asking.

use crate::state::AppState;
use recto_engine::contract::{AnswerReplay, AnswerTrace, ApiError, AskEvent, AskRequest, SearchQuery, SearchReport};
use tauri::State;
use tauri::ipc::Channel;

/// Finds passages.
///
/// # Errors
/// As [`recto_engine::Engine::search`].
#[tauri::command]
#[specta::specta]
pub async fn search(state: State<'_, AppState>, query: SearchQuery) -> Result<SearchReport, ApiError> {
    Ok(state.engine().await?.search(query).await?)
}

/// Answers a question, streaming to `on_event` until exactly one terminal event. Returns the answer's id as soon as the
/// question is accepted.
///
/// # Errors
/// Why the library cannot be opened; what goes wrong with the question is in its terminal event.
#[tauri::command]
#[specta::specta]
pub async fn ask(
    state: State<'_, AppState>,
    request: AskRequest,
    on_event: Channel<AskEvent>,
) -> Result<String, ApiError> {
    let engine = state.engine().await?;
    Ok(engine.start_ask(request, move |event| {
        if let Err(error) = on_event.send(event) {
            tracing::warn!(%error, "an answer's event was not delivered");
        }
    }))
}

/// Stops an answer; what was shown is kept.
///
/// # Errors
/// Why the library cannot be opened. An answer that has ended is no error.
#[tauri::command]
#[specta::specta]
pub async fn cancel_answer(state: State<'_, AppState>, answer_id: String) -> Result<(), ApiError> {
    state.engine().await?.cancel_answer(&answer_id);
    Ok(())
}

/// What a model saw and said while an answer was made.
///
/// # Errors
/// As [`recto_engine::Engine::trace`].
#[tauri::command]
#[specta::specta]
pub async fn answer_trace(state: State<'_, AppState>, answer_id: String) -> Result<AnswerTrace, ApiError> {
    Ok(state.engine().await?.trace(&answer_id).await?)
}

/// Makes a stored answer again from what was kept of it, without asking a model.
///
/// # Errors
/// As [`recto_engine::Engine::replay`].
#[tauri::command]
#[specta::specta]
pub async fn replay_answer(state: State<'_, AppState>, answer_id: String) -> Result<AnswerReplay, ApiError> {
    Ok(state.engine().await?.replay(&answer_id).await?)
}
