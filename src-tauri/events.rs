//! What any window may care about. Events carry no content: the window asks again for what it shows.

use recto_engine::Engine;
use recto_engine::contract::{AddPreview, ApiError, Changed};
use serde::{Deserialize, Serialize};
use specta::Type;
use std::sync::Arc;
use std::time::Duration;
use tauri::{AppHandle, Runtime};
use tauri_specta::Event;
use tokio::sync::broadcast::error::RecvError;

/// Changes within this time are told once. A running import changes the queue with every page; a window gains nothing
/// from asking more often than this.
const GATHERING_TIME: Duration = Duration::from_millis(100);

/// Something in the library changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type, Event)]
#[tauri_specta(event_name = "changed")]
pub struct ChangedEvent(pub Changed);

/// Files are held over the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type, Event)]
pub struct FilesHovering {
    /// How many files and folders.
    pub count: u32,
}

/// What releasing the files held over the window would do, as far as that is known by now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type, Event)]
pub struct HoverCounted(pub AddPreview);

/// Files were dropped on the window, or named when Recto was opened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type, Event)]
pub struct FilesDropped {
    /// How many were queued; folders are walked.
    pub queued: u32,
    /// Why they were not taken, where they were not.
    pub error: Option<ApiError>,
}

/// The files held over the window were dropped or taken away.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type, Event)]
pub struct HoverEnded;

/// Tells the windows of `engine`'s changes for as long as it lives.
pub fn forward<R: Runtime>(app: &AppHandle<R>, engine: &Arc<Engine>) {
    let app = app.clone();
    let mut changes = engine.subscribe();
    tauri::async_runtime::spawn(async move {
        loop {
            let mut gathered = match changes.recv().await {
                Ok(change) => vec![change],
                Err(RecvError::Lagged(_)) => vec![Changed::Documents, Changed::Queue, Changed::Conversations],
                Err(RecvError::Closed) => return,
            };
            tokio::time::sleep(GATHERING_TIME).await;
            while let Ok(change) = changes.try_recv() {
                if !gathered.contains(&change) {
                    gathered.push(change);
                }
            }
            for change in gathered {
                send(&app, &ChangedEvent(change));
            }
        }
    });
}

/// Tells all windows. A window that is gone is no failure worth more than a line in the log.
pub fn send<R: Runtime, E: Event + Serialize + Clone>(app: &AppHandle<R>, event: &E) {
    if let Err(error) = event.emit(app) {
        tracing::warn!(%error, event = E::NAME, "an event was not delivered");
    }
}
