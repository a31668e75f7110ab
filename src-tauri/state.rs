//! What the commands share: the engine, opened once, and where dropped files go.

use recto_core::Error;
use recto_engine::contract::ApiError;
use recto_engine::{Access, Engine, EngineOptions, default_library};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::OnceCell;
use tokio_util::sync::CancellationToken;

/// The collection that takes files when the window has not named another one.
pub const FIRST_COLLECTION: &str = "Documents";

type OnOpen = Box<dyn Fn(&Arc<Engine>) + Send + Sync>;

/// The state behind the commands.
///
/// The window is shown before the library is open. A command waits for the engine; when opening fails, that command
/// gets the reason, and the next one tries again.
pub struct AppState {
    options: EngineOptions,
    engine: OnceCell<Arc<Engine>>,
    on_open: Option<OnOpen>,
    add_target: Mutex<String>,
    /// Ends the counting of the files held over the window.
    hover: Mutex<CancellationToken>,
    end_to_end: bool,
}

impl AppState {
    /// A state over the library at `library`. `end_to_end` permits the commands that only tests may call.
    #[must_use]
    pub fn new(library: PathBuf, end_to_end: bool) -> Self {
        let mut options = EngineOptions::new(library);
        options.access = Access::Prefer;
        Self {
            options,
            engine: OnceCell::new(),
            on_open: None,
            add_target: Mutex::new(FIRST_COLLECTION.to_owned()),
            hover: Mutex::default(),
            end_to_end,
        }
    }

    /// The state the application runs with: over the library `RECTO_LIBRARY` names or else the platform's data folder;
    /// `RECTO_E2E=1` permits what only tests may call.
    #[must_use]
    pub fn from_environment() -> Self {
        let end_to_end = std::env::var_os("RECTO_E2E").is_some_and(|value| value == "1");
        Self::new(default_library(), end_to_end)
    }

    /// Calls `on_open` with the engine when it has been opened, before any command gets it.
    #[must_use]
    pub fn on_open(mut self, on_open: impl Fn(&Arc<Engine>) + Send + Sync + 'static) -> Self {
        self.on_open = Some(Box::new(on_open));
        self
    }

    /// The engine, opened now if it is not open yet.
    ///
    /// # Errors
    /// Why the library cannot be opened.
    pub async fn engine(&self) -> Result<&Arc<Engine>, ApiError> {
        Ok(self.engine.get_or_try_init(|| self.open()).await?)
    }

    async fn open(&self) -> Result<Arc<Engine>, Error> {
        let engine = Engine::open(self.options.clone()).await?;
        if let Some(on_open) = &self.on_open {
            on_open(&engine);
        }
        if !engine.is_read_only() {
            engine.start_ingestion();
        }
        tracing::info!(read_only = engine.is_read_only(), "library open");
        Ok(engine)
    }

    /// The collection that files go into when no other is named.
    #[must_use]
    pub fn add_target(&self) -> String {
        self.add_target.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Changes the collection that files go into when no other is named.
    pub fn set_add_target(&self, collection: String) {
        *self.add_target.lock().unwrap_or_else(PoisonError::into_inner) = collection;
    }

    /// What ends with the files held over the window now.
    #[must_use]
    pub fn hover(&self) -> CancellationToken {
        self.hover.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Other files are held over the window from now on.
    #[must_use]
    pub fn begin_hover(&self) -> CancellationToken {
        let token = CancellationToken::new();
        let mut hover = self.hover.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::replace(&mut *hover, token.clone()).cancel();
        token
    }

    /// Whether the commands that only tests may call are permitted.
    #[must_use]
    pub fn is_end_to_end(&self) -> bool {
        self.end_to_end
    }

    /// Stops the engine's work, where it was ever opened.
    pub async fn shutdown(&self) {
        if let Some(engine) = self.engine.get() {
            engine.shutdown().await;
        }
    }
}
