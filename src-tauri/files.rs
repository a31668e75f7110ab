//! The one way files come in, whether they are dropped on the window, chosen in a dialog or named on the command line.

use crate::events::{self, FilesDropped, FilesHovering, HoverCounted, HoverEnded};
use crate::state::AppState;
use recto_engine::AddRequest;
use recto_engine::contract::ApiError;
use std::path::PathBuf;
use tauri::{AppHandle, DragDropEvent, Manager, Runtime};

/// Queues `paths` for `collection`; folders are walked. Returns the number of files queued.
///
/// # Errors
/// As [`recto_engine::Engine::enqueue`].
pub async fn add(state: &AppState, collection: &str, paths: Vec<PathBuf>) -> Result<u32, ApiError> {
    let engine = state.engine().await?;
    let request = AddRequest {
        collection: collection.to_owned(),
        paths,
        ..AddRequest::default()
    };
    let ticket = engine.enqueue(request).await?;
    tracing::info!(queued = ticket.jobs.len(), refused = ticket.failed.len(), "files taken");
    Ok(u32::try_from(ticket.jobs.len()).unwrap_or(u32::MAX))
}

/// Queues `paths` for the collection the window works in, and tells the window how it went.
///
/// # Errors
/// As [`add`]; the window has been told too.
pub async fn dropped<R: Runtime>(app: &AppHandle<R>, paths: Vec<PathBuf>) -> Result<u32, ApiError> {
    let state = app.state::<AppState>();
    let outcome = add(&state, &state.add_target(), paths).await;
    let event = FilesDropped {
        queued: *outcome.as_ref().unwrap_or(&0),
        error: outcome.as_ref().err().cloned(),
    };
    events::send(app, &event);
    outcome
}

/// Reacts to files dragged over the window.
pub(crate) fn on_drag<R: Runtime>(app: &AppHandle<R>, event: &DragDropEvent) {
    match event {
        DragDropEvent::Enter { paths, .. } => {
            let count = u32::try_from(paths.len()).unwrap_or(u32::MAX);
            events::send(app, &FilesHovering { count });
            count_hovering(app, paths.clone());
        }
        DragDropEvent::Drop { paths, .. } => {
            end_hover(app);
            take(app, paths.clone());
        }
        DragDropEvent::Leave => end_hover(app),
        _ => {}
    }
}

fn end_hover<R: Runtime>(app: &AppHandle<R>) {
    app.state::<AppState>().hover().cancel();
    events::send(app, &HoverEnded);
}

/// Tells the window what releasing `paths` would do, while that is being found out, until they are released or taken away.
fn count_hovering<R: Runtime>(app: &AppHandle<R>, paths: Vec<PathBuf>) {
    let app = app.clone();
    let hover = app.state::<AppState>().begin_hover();
    tauri::async_runtime::spawn(async move {
        let state = app.state::<AppState>();
        let told = async {
            let (window, until) = (app.clone(), hover.clone());
            let tell = move |preview| {
                if !until.is_cancelled() {
                    events::send(&window, &HoverCounted(preview));
                }
            };
            let preview = state
                .engine()
                .await?
                .preview_add(&state.add_target(), paths, hover.clone(), tell.clone())
                .await?;
            tell(preview);
            Ok::<(), ApiError>(())
        };
        if let Err(error) = told.await {
            tracing::warn!(code = %error.code, "files held over the window were not counted");
        }
    });
}

/// Takes the files Recto was opened with. What begins with a dash is not a file; relative paths are below `folder`.
pub(crate) fn opened_with<R: Runtime>(app: &AppHandle<R>, arguments: impl Iterator<Item = String>, folder: PathBuf) {
    let paths: Vec<PathBuf> = arguments
        .filter(|argument| !argument.starts_with('-'))
        .map(|argument| folder.join(argument))
        .collect();
    if !paths.is_empty() {
        take(app, paths);
    }
}

fn take<R: Runtime>(app: &AppHandle<R>, paths: Vec<PathBuf>) {
    let app = app.clone();
    tauri::async_runtime::spawn(async move {
        if let Err(error) = dropped(&app, paths).await {
            tracing::warn!(code = %error.code, "files were not taken");
        }
    });
}
