//! Opening a library and what the rest of the engine shares.

use crate::clock::Clock;
use crate::collections::Collections;
use crate::contract::{Changed, LibraryStatus};
use crate::embedders::Embedders;
use crate::ingest::Ingestion;
use crate::passwords::Passwords;
use crate::reading::PageCache;
use crate::rerankers::Rerankers;
use crate::undo::Hidden;
use recto_core::{AnswerId, Error, ErrorCode, Reranker, Result};
use recto_library::{Library, OpenMode, Settings};
use recto_models::{Assets, LocalEmbedder};
use recto_retrieval::Lexicon;
use recto_worker::{WorkerPool, WorkerPoolOptions};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Duration;
use tokio::sync::broadcast;
use tokio_util::sync::CancellationToken;

/// Changes that a slow window may fall behind; it asks for the present state in any case.
const CHANGES_KEPT: usize = 256;
/// Longer than a window offers to undo, so that an offer that is taken at the last moment holds.
const UNDO_TIME: Duration = Duration::from_secs(60);
/// Rendered pages kept in memory, bytes.
const PAGE_CACHE_BYTES: usize = 192 << 20;

/// Whether the engine may write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Take the library's lock, or fail with `library_in_use`.
    ReadWrite,
    /// Change no byte of it.
    ReadOnly,
    /// Take the lock, or else read only.
    Prefer,
}

/// How to open a library.
#[derive(Debug, Clone)]
pub struct EngineOptions {
    /// The library's folder.
    pub library: PathBuf,
    /// Whether to write.
    pub access: Access,
    /// What time it is.
    pub clock: Clock,
    /// How long a deletion can be taken back.
    pub undo_time: Duration,
}

impl EngineOptions {
    /// The library at `library`, for writing, by the machine's clock.
    #[must_use]
    pub fn new(library: PathBuf) -> Self {
        Self {
            library,
            access: Access::ReadWrite,
            clock: Clock::system(),
            undo_time: UNDO_TIME,
        }
    }
}

/// The library used where none is named: `RECTO_LIBRARY`, else a folder of the platform's data directory.
#[must_use]
pub fn default_library() -> PathBuf {
    if let Some(folder) = std::env::var_os("RECTO_LIBRARY").filter(|folder| !folder.is_empty()) {
        return folder.into();
    }
    directories::ProjectDirs::from("app", "Recto", "recto").map_or_else(
        || PathBuf::from("recto-library"),
        |folders| folders.data_dir().to_owned(),
    )
}

/// A library opened by this process.
pub struct Engine {
    folder: PathBuf,
    /// `None` where reading was asked for and there is no library yet.
    library: Option<Arc<Library>>,
    /// Why this engine may not write, where it had wanted to.
    denied: Option<Error>,
    settings: RwLock<Arc<Settings>>,
    clock: Clock,
    undo_time: Duration,
    pub(crate) hidden: Hidden,
    collections: Collections,
    ingestion: Ingestion,
    readers: WorkerPool,
    embedders: Arc<Embedders>,
    rerankers: Rerankers,
    lexicon: Arc<Lexicon>,
    changes: broadcast::Sender<Changed>,
    answers: Mutex<HashMap<AnswerId, CancellationToken>>,
    pub(crate) page_cache: Mutex<PageCache>,
    pub(crate) passwords: Passwords,
}

impl Engine {
    /// Opens the library and, for writing, takes its lock and puts interrupted jobs back into the queue. Ingestion
    /// begins with [`Engine::start_ingestion`].
    ///
    /// # Errors
    /// `library_in_use` when another engine writes to it, `asset_missing` when the worker program is not there,
    /// `invalid_argument` for unusable settings.
    pub async fn open(options: EngineOptions) -> Result<Arc<Self>> {
        let EngineOptions {
            library: folder,
            access,
            clock,
            undo_time,
        } = options;
        let at = folder.clone();
        let (library, denied, settings, lexicon) = crate::blocking::blocking(move || {
            let (library, denied) = open_library(&at, access)?;
            if let Some(library) = library.as_ref().filter(|library| library.is_writable()) {
                // What an engine that was killed had still kept for undoing.
                if let Err(error) = library.purge_conversations(i64::MAX, 0) {
                    tracing::warn!(%error, "deleted conversations are still on disk");
                }
            }
            let lexicon = load_lexicon(&at.join("lexicon"))?;
            Ok((
                library.map(Arc::new),
                denied,
                Settings::load(&at, std::env::vars())?,
                lexicon,
            ))
        })
        .await?;
        let mut pool_options = WorkerPoolOptions::find()?;
        pool_options.memory_ceiling = u64::from(settings.ingest.worker_memory_mb) << 20;
        if let Some(workers) = settings.ingest.workers {
            pool_options.workers = workers as usize;
        }
        // The reader has a pool of its own, so that a long ingestion never delays a click.
        let readers = WorkerPool::new(pool_options.clone().for_rendering());
        // Where the files are missing, the embedder says so when it is needed; words can be searched without it.
        let assets = Assets::find().unwrap_or_else(|_| Assets::at("assets".into()));
        let sessions = settings
            .embedding
            .threads
            .map_or(pool_options.workers, |threads| threads as usize);
        let local = Arc::new(LocalEmbedder::new(assets, sessions));
        let embedders = Arc::new(Embedders::new(local, folder.clone(), settings.embedding.clone()));
        let writable = library.as_ref().is_some_and(|library| library.is_writable());
        Ok(Arc::new(Self {
            collections: Collections::new(library.clone(), &settings, writable, Arc::clone(&embedders)),
            ingestion: Ingestion::new(pool_options),
            readers,
            embedders,
            rerankers: Rerankers::default(),
            lexicon,
            changes: broadcast::channel(CHANGES_KEPT).0,
            answers: Mutex::default(),
            page_cache: Mutex::new(PageCache::new(PAGE_CACHE_BYTES)),
            passwords: Passwords::default(),
            folder,
            library,
            denied,
            settings: RwLock::new(Arc::new(settings)),
            clock,
            undo_time,
            hidden: Hidden::default(),
        }))
    }

    /// Whether this engine changes nothing.
    #[must_use]
    pub fn is_read_only(&self) -> bool {
        !self.library.as_ref().is_some_and(|library| library.is_writable())
    }

    /// The library as a whole. Probes no model.
    #[must_use]
    pub fn status(&self) -> LibraryStatus {
        LibraryStatus {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            path: self.folder.display().to_string(),
            read_only: self.is_read_only(),
            models: self.model_status(),
        }
    }

    /// Tells of changes to documents, queue and conversations. Messages carry no content: ask again.
    pub fn subscribe(&self) -> broadcast::Receiver<Changed> {
        self.changes.subscribe()
    }

    /// Stops ingestion without burning an attempt, cancels running answers, carries out deletions that could still have
    /// been taken back, and closes workers.
    pub async fn shutdown(&self) {
        for token in self.answers.lock().unwrap_or_else(PoisonError::into_inner).values() {
            token.cancel();
        }
        self.ingestion.stop(self).await;
        self.end_undo().await;
        self.readers.close_idle().await;
    }

    /// Checks that this engine may change the library.
    ///
    /// # Errors
    /// `library_in_use` naming the owner when another engine holds it, `read_only` when reading was asked for.
    pub(crate) fn require_writer(&self) -> Result<()> {
        if !self.is_read_only() {
            return Ok(());
        }
        Err(self
            .denied
            .clone()
            .unwrap_or_else(|| recto_library::Error::ReadOnly.into()))
    }

    pub(crate) fn changed(&self, what: Changed) {
        // No window listening is not an error.
        let _ = self.changes.send(what);
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(crate) fn library(&self) -> Option<Arc<Library>> {
        self.library.clone()
    }

    /// The settings as they are now. Those of reading and embedding were taken when the library was opened.
    pub(crate) fn settings(&self) -> Arc<Settings> {
        Arc::clone(&self.settings.read().unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn replace_settings(&self, settings: Settings) {
        self.embedders.set(settings.embedding.clone());
        *self.settings.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(settings);
    }

    pub(crate) fn clock(&self) -> &Clock {
        &self.clock
    }

    /// How long a deletion can be taken back.
    pub(crate) fn undo_time(&self) -> Duration {
        self.undo_time
    }

    pub(crate) fn collections_open(&self) -> &Collections {
        &self.collections
    }

    pub(crate) fn ingestion(&self) -> &Ingestion {
        &self.ingestion
    }

    pub(crate) fn readers(&self) -> &WorkerPool {
        &self.readers
    }

    /// The embedding models of collections.
    pub(crate) fn embedders(&self) -> &Embedders {
        &self.embedders
    }

    /// The reranker, where one is configured.
    ///
    /// # Errors
    /// `invalid_argument`, `model_not_configured`.
    pub(crate) async fn reranker(&self) -> Result<Option<Arc<dyn Reranker>>> {
        let settings = self.settings();
        self.rerankers.get(&settings.reranker, self.folder()).await
    }

    /// What the words of questions mean.
    pub(crate) fn lexicon(&self) -> Arc<Lexicon> {
        Arc::clone(&self.lexicon)
    }

    /// Registers an answer that can be cancelled.
    pub(crate) fn register_answer(&self, id: AnswerId, cancel: CancellationToken) {
        self.answers
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(id, cancel);
    }

    /// Forgets an answer that ended.
    pub(crate) fn forget_answer(&self, id: AnswerId) {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner).remove(&id);
    }

    /// Stops an answer; what was shown is kept. An answer that ended already is left alone.
    pub fn cancel_answer(&self, answer_id: &str) {
        let Ok(id) = answer_id.parse::<AnswerId>() else { return };
        if let Some(token) = self.answers.lock().unwrap_or_else(PoisonError::into_inner).get(&id) {
            token.cancel();
        }
    }
}

/// The built-in lexicon and the packs (`*.toml`) in a folder of the library, where there is one, in the order of their names.
fn load_lexicon(folder: &Path) -> Result<Arc<Lexicon>> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Ok(Lexicon::standard());
    };
    let mut files: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .collect();
    files.sort();
    let unusable = |why: String| Error::new(ErrorCode::InvalidArgument, why);
    let mut packs = Vec::new();
    for file in files {
        let pack = std::fs::read_to_string(&file)
            .map_err(|error| unusable(format!("The lexicon {} cannot be read: {error}", file.display())))?;
        packs.push(pack);
    }
    Lexicon::with(packs.iter().map(String::as_str))
        .map(Arc::new)
        .map_err(|error| unusable(error.to_string()))
}

/// Opens the library, and says why it is open for reading only where writing was preferred.
fn open_library(folder: &Path, access: Access) -> Result<(Option<Library>, Option<Error>)> {
    let reading = || -> Result<Option<Library>> {
        match Library::open(folder, OpenMode::ReadOnly) {
            Err(recto_library::Error::Missing { .. }) => Ok(None),
            opened => Ok(Some(opened?)),
        }
    };
    match access {
        Access::ReadOnly => Ok((reading()?, None)),
        Access::ReadWrite => Ok((Some(Library::open(folder, OpenMode::ReadWrite)?), None)),
        Access::Prefer => match Library::open(folder, OpenMode::ReadWrite).map_err(Error::from) {
            Err(error) if error.code == ErrorCode::LibraryInUse => Ok((reading()?, Some(error))),
            opened => Ok((Some(opened?), None)),
        },
    }
}
