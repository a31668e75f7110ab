//! The application on a runtime without a screen, over a real engine and a library of its own.

use recto_desktop_lib::events::{ChangedEvent, FilesDropped};
use recto_desktop_lib::state::AppState;
use recto_desktop_lib::{shell, start};
use recto_engine::contract::{ApiError, AskEvent, AskRequest, DocumentList, DocumentState, ListedDocument};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tauri::ipc::{CallbackFn, InvokeBody, InvokeResponseBody};
use tauri::test::{INVOKE_KEY, MockRuntime, get_ipc_response, mock_builder, mock_context, noop_assets};
use tauri::webview::InvokeRequest;
use tauri::{App, Manager, WebviewWindow, WebviewWindowBuilder};
use tauri_specta::Event;
use tempfile::TempDir;

/// Long enough for a slow machine under load; a test that waits this long has failed.
const PATIENCE: Duration = Duration::from_secs(120);

/// A six-page report whose words are known.
pub(crate) fn harbour_report() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/harbour-report.pdf")
}

/// The running application.
pub(crate) struct Shell {
    pub(crate) app: App<MockRuntime>,
    window: WebviewWindow<MockRuntime>,
    /// What arrived on channels: the channel's number and the event.
    streamed: Arc<Mutex<Vec<(u32, AskEvent)>>>,
    changes: Arc<Mutex<Vec<ChangedEvent>>>,
    drops: Arc<Mutex<Vec<FilesDropped>>>,
    /// The library, where it is the shell's own; it goes with it.
    folder: Option<TempDir>,
}

impl Shell {
    /// The application over an empty library.
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut shell = Self::over(AppState::new(folder.path().join("library"), false));
        shell.folder = Some(folder);
        shell
    }

    /// The application over `state`.
    pub(crate) fn over(state: AppState) -> Self {
        let streamed = Arc::new(Mutex::new(Vec::new()));
        let sink = Arc::clone(&streamed);
        let builder = mock_builder().channel_interceptor(move |_, channel, _, body| {
            if let InvokeResponseBody::Json(text) = body
                && let Ok(event) = serde_json::from_str(text)
            {
                sink.lock().expect("no test panicked").push((channel.0, event));
            }
            true
        });
        let app = shell(builder)
            .build(mock_context(noop_assets()))
            .expect("the application is built");
        start(app.handle(), state);
        let window = WebviewWindowBuilder::new(&app, "main", tauri::WebviewUrl::default())
            .build()
            .expect("a window");
        let changes = Arc::new(Mutex::new(Vec::new()));
        let drops = Arc::new(Mutex::new(Vec::new()));
        let sink = Arc::clone(&changes);
        ChangedEvent::listen_any(app.handle(), move |event| {
            sink.lock().expect("no test panicked").push(event.payload);
        });
        let sink = Arc::clone(&drops);
        FilesDropped::listen_any(app.handle(), move |event| {
            sink.lock().expect("no test panicked").push(event.payload);
        });
        Self {
            app,
            window,
            streamed,
            changes,
            drops,
            folder: None,
        }
    }

    /// Calls a command as the page does.
    pub(crate) fn call<T: DeserializeOwned>(&self, command: &str, arguments: Value) -> Result<T, ApiError> {
        let request = InvokeRequest {
            cmd: command.to_owned(),
            callback: CallbackFn(0),
            error: CallbackFn(1),
            url: "tauri://localhost".parse().expect("an address"),
            body: InvokeBody::Json(arguments),
            headers: tauri::http::HeaderMap::default(),
            invoke_key: INVOKE_KEY.to_owned(),
        };
        match get_ipc_response(&self.window, request) {
            Ok(body) => Ok(body
                .deserialize()
                .unwrap_or_else(|error| panic!("{command} answered with {error}"))),
            Err(error) => Err(serde_json::from_value(error.clone())
                .unwrap_or_else(|_| panic!("{command} failed without an error object: {error}"))),
        }
    }

    /// Puts a question and returns the answer's id with all its events, up to a moment after the terminal one.
    pub(crate) fn ask(&self, request: &AskRequest, channel: u32) -> (String, Vec<AskEvent>) {
        let arguments = json!({ "request": request, "onEvent": format!("__CHANNEL__:{channel}") });
        let answer_id: String = self.call("ask", arguments).expect("the question is accepted");
        wait_until("the answer ends", || {
            self.events(channel).iter().any(is_terminal).then_some(())
        });
        // Were there a second terminal event, it would come now.
        std::thread::sleep(Duration::from_millis(200));
        (answer_id, self.events(channel))
    }

    fn events(&self, channel: u32) -> Vec<AskEvent> {
        let streamed = self.streamed.lock().expect("no test panicked");
        let own = streamed.iter().filter(|(number, _)| *number == channel);
        own.map(|(_, event)| event.clone()).collect()
    }

    /// Waits until the only document has been taken in whole.
    pub(crate) fn ready_document(&self) -> ListedDocument {
        wait_until("the document is ready", || {
            let list: DocumentList = self
                .call("list_documents", json!({ "collections": null }))
                .expect("a list");
            let document = list.documents.into_iter().next()?;
            assert!(
                !matches!(document.state, DocumentState::Failed | DocumentState::Damaged),
                "the document failed: {:?}",
                document.message
            );
            (document.state == DocumentState::Ready).then_some(document)
        })
    }

    pub(crate) fn changes(&self) -> Vec<ChangedEvent> {
        self.changes.lock().expect("no test panicked").clone()
    }

    pub(crate) fn drops(&self) -> Vec<FilesDropped> {
        self.drops.lock().expect("no test panicked").clone()
    }

    pub(crate) fn state(&self) -> tauri::State<'_, AppState> {
        self.app.state::<AppState>()
    }
}

impl Drop for Shell {
    fn drop(&mut self) {
        tauri::async_runtime::block_on(self.app.state::<AppState>().shutdown());
    }
}

/// Whether the event ends its stream.
pub(crate) fn is_terminal(event: &AskEvent) -> bool {
    matches!(
        event,
        AskEvent::Finished { .. } | AskEvent::Failed { .. } | AskEvent::Cancelled { .. }
    )
}

/// Asks again until there is something.
pub(crate) fn wait_until<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let started = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(started.elapsed() < PATIENCE, "waited in vain until {what}");
        std::thread::sleep(Duration::from_millis(50));
    }
}
