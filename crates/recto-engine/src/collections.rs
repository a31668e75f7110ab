//! The collections of the library, opened when they are first needed.

use crate::Engine;
use crate::blocking::blocking;
use crate::contract::{Changed, CollectionSummary};
use crate::embedders::Embedders;
use futures::future::join_all;
use lru::LruCache;
use recto_collection::{Collection, OpenMode, SharedSession};
use recto_core::{ChunkSource, CollectionName, Error, ErrorCode, Result};
use recto_library::{CollectionEntry, JobFilter, Library, Settings};
use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::{Arc, MutexGuard, PoisonError, Weak};
use std::time::Duration;
use tokio::sync::{Mutex, OnceCell};
use uuid::Uuid;

/// Collections kept open when nobody uses them.
const KEPT_OPEN: NonZeroUsize = NonZeroUsize::new(8).expect("BUG: eight is not zero");

/// A collection by name, or why it cannot be opened.
pub(crate) type Selected = (CollectionName, Result<Arc<Collection>>);

/// Opens collections and keeps the most recently used ones open.
pub(crate) struct Collections {
    library: Option<Arc<Library>>,
    session: SharedSession,
    mode: OpenMode,
    /// Knows the embedding model that new collections use.
    embedders: Arc<Embedders>,
    open: Mutex<Open>,
    /// Those that somebody uses, be they kept open or not: a second handle would be refused the collection's lock.
    used: std::sync::Mutex<HashMap<String, Weak<Collection>>>,
    /// When this engine began, Unix milliseconds: what was deleted before can no longer be brought back.
    since_ms: i64,
}

/// A collection that is open, or being opened.
type Opening = Arc<OnceCell<Arc<Collection>>>;

/// Which collections are open or being opened.
struct Open {
    /// Those in use lately.
    kept: LruCache<String, Opening>,
    /// Those being opened, be they kept or not: one that others crowd out meanwhile is still opened once, however many
    /// ask for it.
    under_way: HashMap<String, Weak<OnceCell<Arc<Collection>>>>,
}

impl Open {
    fn opening(&mut self, name: &str) -> Opening {
        if let Some(opening) = self.kept.get(name) {
            return Arc::clone(opening);
        }
        self.under_way.retain(|_, opening| opening.strong_count() > 0);
        let opening = self.under_way.get(name).and_then(Weak::upgrade).unwrap_or_default();
        self.under_way.insert(name.to_owned(), Arc::downgrade(&opening));
        self.kept.put(name.to_owned(), Arc::clone(&opening));
        opening
    }
}

impl Collections {
    pub(crate) fn new(
        library: Option<Arc<Library>>,
        settings: &Settings,
        writable: bool,
        embedders: Arc<Embedders>,
    ) -> Self {
        let storage = &settings.storage;
        Self {
            library,
            session: SharedSession::new(storage.index_cache_mb, storage.metadata_cache_mb),
            mode: if writable {
                OpenMode::ReadWrite
            } else {
                OpenMode::ReadOnly
            },
            embedders,
            open: Mutex::new(Open {
                kept: LruCache::new(KEPT_OPEN),
                under_way: HashMap::new(),
            }),
            since_ms: chrono::Utc::now().timestamp_millis(),
            used: std::sync::Mutex::default(),
        }
    }

    /// The registered collections, by name.
    pub(crate) async fn entries(&self) -> Result<Vec<CollectionEntry>> {
        let Some(library) = self.library.clone() else {
            return Ok(Vec::new());
        };
        blocking(move || Ok(library.collections()?)).await
    }

    /// The collection of that name.
    pub(crate) async fn get(&self, name: &str) -> Result<Arc<Collection>> {
        let entries = self.entries().await?;
        let entry = entries
            .iter()
            .find(|entry| entry.name.0 == name)
            .ok_or_else(|| unknown(name, &entries))?;
        self.opened(entry).await
    }

    /// The collections of these names in the order of the registry, each once; all of them for `None`. They are opened at
    /// the same time, and each is open or comes with the reason why it cannot be.
    pub(crate) async fn select(&self, names: Option<&[String]>) -> Result<Vec<Selected>> {
        let entries = self.entries().await?;
        if let Some(name) = names
            .into_iter()
            .flatten()
            .find(|name| !entries.iter().any(|entry| entry.name.0 == **name))
        {
            return Err(unknown(name, &entries));
        }
        let selected = entries
            .iter()
            .filter(|entry| names.is_none_or(|names| names.contains(&entry.name.0)));
        let opening = selected.map(|entry| async move { (entry.name.clone(), self.opened(entry).await) });
        Ok(join_all(opening).await)
    }

    /// The collections of these names; of all of them, where none are named, those that can be opened. One that cannot be
    /// opened must not hide the others.
    pub(crate) async fn available(&self, names: Option<&[String]>) -> Result<Vec<Arc<Collection>>> {
        let selected = self.select(names).await?.into_iter();
        selected
            .filter_map(|(name, opened)| match opened {
                Err(error) if names.is_none() => {
                    tracing::warn!(collection = %name.0, %error, "a collection was left out");
                    None
                }
                opened => Some(opened),
            })
            .collect()
    }

    /// The collection of that name for adding to, created where there is none.
    pub(crate) async fn get_or_create(&self, name: &str) -> Result<Arc<Collection>> {
        if self.entries().await?.iter().all(|entry| entry.name.0 != name) {
            self.create(name).await?;
        }
        let collection = self.get(name).await?;
        if !collection.is_writable() {
            let message = format!("The collection {name} is attached and only read. Add to another one.");
            return Err(Error::new(ErrorCode::ReadOnly, message));
        }
        Ok(collection)
    }

    /// Registers and creates a collection. One whose creation was cut off is completed when it is opened.
    pub(crate) async fn create(&self, name: &str) -> Result<()> {
        let library = self
            .library
            .clone()
            .ok_or_else(|| Error::from(recto_library::Error::ReadOnly))?;
        let name = CollectionName(name.to_owned());
        let now = chrono::Utc::now().timestamp_millis();
        let entry = blocking(move || Ok(library.create_collection(&name, None, now)?)).await?;
        self.opened(&entry).await.map(|_| ())
    }

    /// Forgets an open collection, so that it is opened anew.
    pub(crate) async fn close(&self, name: &str) {
        let mut open = self.open.lock().await;
        open.kept.pop(name);
        open.under_way.remove(name);
        self.used().remove(name);
    }

    async fn opened(&self, entry: &CollectionEntry) -> Result<Arc<Collection>> {
        let opening = self.open.lock().await.opening(&entry.name.0);
        // One that could not be opened is tried again by the next who asks.
        opening.get_or_try_init(|| self.opening(entry)).await.cloned()
    }

    fn used(&self) -> MutexGuard<'_, HashMap<String, Weak<Collection>>> {
        self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn opening(&self, entry: &CollectionEntry) -> Result<Arc<Collection>> {
        if let Some(collection) = self.used().get(&entry.name.0).and_then(Weak::upgrade) {
            return Ok(collection);
        }
        let library = self
            .library
            .as_ref()
            .ok_or_else(|| Error::internal("a collection without a library"))?;
        let folder = library.collection_folder(entry);
        let named = |error: recto_collection::Error| error.in_collection(&entry.name);
        // A creation that was cut off has nothing in it yet; a collection with originals has lost its database.
        let is_new = !Collection::exists(&folder) && !folder.join("originals").exists();
        // An attached collection is somebody else's: it is never written, nor locked.
        let mode = match &entry.location {
            Some(_) => OpenMode::ReadOnly,
            None => self.mode,
        };
        let collection = if mode == OpenMode::ReadWrite && is_new {
            let embedder = self.embedders.for_new().await?;
            Collection::create(&folder, entry.name.clone(), embedder.info(), &self.session)
                .await
                .map_err(named)?
        } else {
            Collection::open(&folder, entry.name.clone(), mode, &self.session)
                .await
                .map_err(named)?
        };
        let collection = Arc::new(collection);
        self.used().insert(entry.name.0.clone(), Arc::downgrade(&collection));
        if mode == OpenMode::ReadWrite {
            // What an earlier engine had hidden or superseded, but not yet removed.
            let now_ms = chrono::Utc::now().timestamp_millis();
            let min_age = Duration::from_millis(now_ms.abs_diff(self.since_ms));
            purge(library, &collection, now_ms, min_age).await?;
        }
        Ok(collection)
    }
}

/// Removes what was deleted at least `min_age` ago or is superseded: rows, and originals that neither a document, nor a
/// stored answer, nor a file being read needs.
pub(crate) async fn purge(
    library: &Arc<Library>,
    collection: &Collection,
    now_ms: i64,
    min_age: Duration,
) -> Result<()> {
    let name = collection.name();
    let named = |error: recto_collection::Error| error.in_collection(name);
    // Where the library cannot be asked, nothing goes.
    let is_cited = |sha256: &str| library.is_cited(name, sha256).unwrap_or(true);
    let is_being_read = |sha256: &str| {
        let filter = JobFilter {
            collection: Some(name.clone()),
            ..JobFilter::default()
        };
        library.jobs(&filter).map_or(true, |jobs| {
            jobs.iter()
                .any(|job| job.state.is_live() && job.sha256.as_deref() == Some(sha256))
        })
    };
    let min_age_ms = i64::try_from(min_age.as_millis()).unwrap_or(i64::MAX);
    collection
        .purge_deleted(now_ms, min_age_ms, &is_cited)
        .await
        .map_err(named)?;
    collection.purge_superseded(now_ms).await.map_err(named)?;
    collection
        .purge_originals(&|sha256| is_cited(sha256) || is_being_read(sha256))
        .await
        .map_err(named)?;
    Ok(())
}

fn unknown(name: &str, entries: &[CollectionEntry]) -> Error {
    let known: Vec<&str> = entries.iter().map(|entry| entry.name.0.as_str()).collect();
    let known = if known.is_empty() {
        "There are none yet.".to_owned()
    } else {
        format!("There are: {}.", known.join(", "))
    };
    Error::new(
        ErrorCode::NotFound,
        format!("There is no collection named {name}. {known}"),
    )
}

impl Engine {
    /// Every collection with its counts, by name. One that cannot be opened is listed with the reason.
    ///
    /// # Errors
    /// `internal` when the library cannot be read.
    pub async fn collections(&self) -> Result<Vec<CollectionSummary>> {
        let mut summaries = Vec::new();
        for entry in self.collections_open().entries().await? {
            let name = entry.name.0.clone();
            let counts = async {
                let collection = self.collections_open().opened(&entry).await?;
                let snapshot = collection.snapshot().await?;
                Ok((
                    snapshot.documents.len(),
                    snapshot.documents.values().filter(|row| row.embedded).count(),
                    collection.embedder().name.clone(),
                ))
            };
            let location = entry.location.clone();
            summaries.push(match counts.await {
                Ok((documents, ready, embedder)) => CollectionSummary {
                    name,
                    location,
                    embedding_model: Some(embedder),
                    documents: u32::try_from(documents).unwrap_or(u32::MAX),
                    ready: u32::try_from(ready).unwrap_or(u32::MAX),
                    error: None,
                },
                Err(Error { message, .. }) => CollectionSummary {
                    name,
                    location,
                    embedding_model: None,
                    documents: 0,
                    ready: 0,
                    error: Some(message),
                },
            });
        }
        Ok(summaries)
    }

    /// Creates an empty collection.
    ///
    /// # Errors
    /// `invalid_argument` for a name that is taken or unusable, `read_only`.
    pub async fn create_collection(&self, name: &str) -> Result<()> {
        self.require_writer()?;
        self.collections_open().create(name).await?;
        self.changed(Changed::Documents);
        Ok(())
    }

    /// Makes the collection of another library, which lies in `folder`, one of this library's: it is searched and read like
    /// any other, and never changed. Its vectors must come from the same embedding model to be searched by meaning.
    ///
    /// # Errors
    /// `not_found` when there is no collection in `folder`; `invalid_argument` for a name that is taken or unusable, or a
    /// collection that is here already; `collection_unavailable` when it cannot be opened; `read_only`.
    pub async fn attach_collection(&self, name: &str, folder: &Path) -> Result<()> {
        self.require_writer()?;
        let invalid = |message: String| Error::new(ErrorCode::InvalidArgument, message);
        let given = folder.to_owned();
        let folder = blocking(move || {
            given
                .canonicalize()
                .ok()
                .filter(|folder| Collection::exists(folder))
                .ok_or_else(|| {
                    let message = format!(
                        "There is no collection in {}. Name the folder of one: collections/… of another library.",
                        given.display()
                    );
                    Error::new(ErrorCode::NotFound, message)
                })
        })
        .await?;
        let library = self
            .library()
            .ok_or_else(|| Error::from(recto_library::Error::ReadOnly))?;
        for entry in self.collections_open().entries().await? {
            if library
                .collection_folder(&entry)
                .canonicalize()
                .is_ok_and(|known| known == folder)
            {
                return Err(invalid(format!(
                    "This collection is here already, as {}.",
                    entry.name.0
                )));
            }
        }
        let location = folder
            .to_str()
            .ok_or_else(|| invalid("The folder's name is not valid Unicode.".to_owned()))?
            .to_owned();
        let wanted = CollectionName(name.to_owned());
        let now = self.clock().now_ms();
        let entry = self
            .on_library(move |library| Ok(library.create_collection(&wanted, Some(&location), now)?))
            .await?;
        if let Err(error) = self.collections_open().opened(&entry).await {
            self.on_library(move |library| Ok(library.remove_collection(&entry.name)?))
                .await?;
            return Err(error);
        }
        self.changed(Changed::Documents);
        Ok(())
    }

    /// Gives a collection another name.
    ///
    /// # Errors
    /// `not_found`, `invalid_argument` for a name that is taken or unusable, `read_only`.
    pub async fn rename_collection(&self, from: &str, to: &str) -> Result<()> {
        self.require_writer()?;
        let (old, new) = (CollectionName(from.to_owned()), CollectionName(to.to_owned()));
        self.on_library(move |library| Ok(library.rename_collection(&old, &new)?))
            .await?;
        self.collections_open().close(from).await;
        self.changed(Changed::Documents);
        Ok(())
    }

    /// Removes a collection with its documents and originals; one that is attached is only forgotten. Stored answers keep
    /// their quotes.
    ///
    /// # Errors
    /// `not_found` or `read_only`.
    pub async fn remove_collection(&self, name: &str) -> Result<()> {
        self.require_writer()?;
        let wanted = CollectionName(name.to_owned());
        let (folder, is_attached) = self
            .on_library(move |library| {
                let entry = library.remove_collection(&wanted)?;
                Ok((library.collection_folder(&entry), entry.location.is_some()))
            })
            .await?;
        self.collections_open().close(name).await;
        if is_attached {
            self.changed(Changed::Documents);
            return Ok(());
        }
        // Moved out of the way first: a removal that is cut off leaves nothing that looks like a collection.
        let trash = self.folder().join(format!("cache/removed-{}", Uuid::new_v4()));
        blocking(move || {
            let moved = std::fs::create_dir_all(trash.parent().unwrap_or(&trash)).and_then(|()| {
                if folder.exists() {
                    std::fs::rename(&folder, &trash)
                } else {
                    Ok(())
                }
            });
            moved
                .and_then(|()| {
                    if trash.exists() {
                        std::fs::remove_dir_all(&trash)
                    } else {
                        Ok(())
                    }
                })
                .map_err(|error| {
                    Error::internal(format!("The collection's folder cannot be removed ({}).", error.kind()))
                })
        })
        .await?;
        self.changed(Changed::Documents);
        Ok(())
    }
}
