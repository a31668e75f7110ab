//! Opening a collection, and what its other parts share.

use crate::chunk_cache::ChunkCache;
use crate::columns::{json, text, to_json};
use crate::lock::Lock;
use crate::originals::Originals;
use crate::record::{self, Record, Records};
use crate::{Error, schema, sql};
use arrow_array::{RecordBatch, RecordBatchIterator, StringArray};
use futures::TryStreamExt;
use lancedb::database::CreateTableMode;
use lancedb::query::{ExecutableQuery, QueryBase};
use lancedb::{ObjectStoreRegistry, Session, Table};
use recto_core::{CollectionName, DocumentId, DocumentsSnapshot, EmbedderInfo};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};
use std::time::Duration;
use tokio::sync::{Mutex, MutexGuard};

/// Caches that all open collections share.
#[derive(Clone)]
pub struct SharedSession(Arc<Session>);

impl std::fmt::Debug for SharedSession {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SharedSession")
    }
}

impl SharedSession {
    /// Caches of these sizes, in MiB.
    #[must_use]
    pub fn new(index_cache_mb: u32, metadata_cache_mb: u32) -> Self {
        let bytes = |megabytes: u32| usize::try_from(u64::from(megabytes) << 20).unwrap_or(usize::MAX);
        Self(Arc::new(Session::new(
            bytes(index_cache_mb),
            bytes(metadata_cache_mb),
            Arc::new(ObjectStoreRegistry::default()),
        )))
    }
}

impl Default for SharedSession {
    fn default() -> Self {
        Self::new(512, 128)
    }
}

/// How to open a collection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OpenMode {
    /// Take the folder's lock and remove what a killed process left behind.
    ReadWrite,
    /// Change no byte.
    ReadOnly,
}

/// An open collection.
pub struct Collection {
    pub(crate) name: CollectionName,
    pub(crate) embedder: EmbedderInfo,
    pub(crate) documents: Table,
    pub(crate) pages: Table,
    pub(crate) items: Table,
    pub(crate) chunks: Table,
    pub(crate) vectors: Table,
    pub(crate) word_indexes_exist: AtomicBool,
    folder: PathBuf,
    originals: Originals,
    cache: RwLock<Cache>,
    pub(crate) chunk_cache: ChunkCache,
    writer: Option<Writer>,
}

/// The `documents` table in memory. A writer's is always right, because nobody else writes; a reader's is right for
/// `version` of the table.
struct Cache {
    version: u64,
    records: Records,
}

struct Writer {
    /// Held during every step that writes, so that steps never interleave.
    turn: Mutex<()>,
    _lock: Lock,
}

#[derive(Serialize, Deserialize)]
struct StoredSettings {
    version: u32,
    embedder: EmbedderInfo,
}

impl std::fmt::Debug for Collection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Collection")
            .field("name", &self.name)
            .field("embedder", &self.embedder)
            .finish_non_exhaustive()
    }
}

impl Collection {
    /// Creates an empty collection in `folder` for vectors of `embedder`, and opens it for writing. A creation that
    /// was cut off is completed.
    ///
    /// # Errors
    /// [`Error::Exists`] when there is one, [`Error::InUse`] when somebody else is creating it.
    pub async fn create(
        folder: &Path,
        name: CollectionName,
        embedder: &EmbedderInfo,
        session: &SharedSession,
    ) -> Result<Self, Error> {
        std::fs::create_dir_all(folder).map_err(Error::io("create the collection", folder))?;
        let lock = Lock::acquire(&folder.join("lock"))?;
        let operation = "create the collection";
        let connection = connect(folder, session, None).await?;
        let existing = connection
            .table_names()
            .execute()
            .await
            .map_err(Error::database(operation))?;
        if existing.iter().any(|table| table == schema::SETTINGS) {
            return Err(Error::Exists);
        }
        for (table, columns) in [
            (schema::DOCUMENTS, schema::documents()),
            (schema::PAGES, schema::pages()),
            (schema::ITEMS, schema::items()),
            (schema::CHUNKS, schema::chunks()),
            (schema::VECTORS, schema::vectors(embedder.dimension)),
        ] {
            connection
                .create_empty_table(table, columns)
                .mode(CreateTableMode::exist_ok(|request| request))
                .execute()
                .await
                .map_err(Error::database(operation))?;
        }
        // The settings come last: their table is what makes the folder a collection.
        let settings = StoredSettings {
            version: schema::VERSION,
            embedder: embedder.clone(),
        };
        let row = RecordBatch::try_new(
            schema::settings(),
            vec![
                Arc::new(StringArray::from(vec![schema::SETTINGS])),
                Arc::new(StringArray::from(vec![to_json(&settings, "settings")?])),
            ],
        )
        .map_err(|source| Error::Rows { operation, source })?;
        connection
            .create_table(schema::SETTINGS, row)
            .execute()
            .await
            .map_err(Error::database(operation))?;
        Self::open_locked(folder, name, Some(lock), session).await
    }

    /// Opens the collection in `folder`.
    ///
    /// A writer first removes what a killed process left behind: see [`Collection::begin`].
    ///
    /// # Errors
    /// [`Error::Missing`], [`Error::InUse`], [`Error::Schema`], or a failure of the database.
    pub async fn open(
        folder: &Path,
        name: CollectionName,
        mode: OpenMode,
        session: &SharedSession,
    ) -> Result<Self, Error> {
        if !Self::exists(folder) {
            return Err(Error::Missing);
        }
        let lock = match mode {
            OpenMode::ReadWrite => Some(Lock::acquire(&folder.join("lock"))?),
            OpenMode::ReadOnly => None,
        };
        let writes = lock.is_some();
        let collection = Self::open_locked(folder, name, lock, session).await?;
        if writes {
            collection.sweep().await?;
        }
        Ok(collection)
    }

    /// Whether `folder` holds a collection.
    #[must_use]
    pub fn exists(folder: &Path) -> bool {
        database(folder).join(format!("{}.lance", schema::SETTINGS)).is_dir()
    }

    async fn open_locked(
        folder: &Path,
        name: CollectionName,
        lock: Option<Lock>,
        session: &SharedSession,
    ) -> Result<Self, Error> {
        // Without an interval a second connection never sees new rows; the writer needs none.
        let interval = lock.is_none().then_some(Duration::from_secs(1));
        let connection = connect(folder, session, interval).await?;
        let settings = read_settings(&open_table(&connection, schema::SETTINGS).await?).await?;
        if settings.version != schema::VERSION {
            return Err(Error::Schema {
                found: settings.version,
                expected: schema::VERSION,
            });
        }
        let documents = open_table(&connection, schema::DOCUMENTS).await?;
        let cache = load(&documents).await?;
        Ok(Self {
            name,
            embedder: settings.embedder,
            pages: open_table(&connection, schema::PAGES).await?,
            items: open_table(&connection, schema::ITEMS).await?,
            chunks: open_table(&connection, schema::CHUNKS).await?,
            vectors: open_table(&connection, schema::VECTORS).await?,
            documents,
            word_indexes_exist: AtomicBool::new(false),
            folder: folder.to_owned(),
            originals: Originals::new(folder.join("originals")),
            cache: RwLock::new(cache),
            chunk_cache: ChunkCache::default(),
            writer: lock.map(|lock| Writer {
                turn: Mutex::new(()),
                _lock: lock,
            }),
        })
    }

    /// The embedding model the collection's vectors come from.
    #[must_use]
    pub fn embedder(&self) -> &EmbedderInfo {
        &self.embedder
    }

    /// The folder it lies in.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Whether this process may write.
    #[must_use]
    pub fn is_writable(&self) -> bool {
        self.writer.is_some()
    }

    /// The files the documents were made from.
    #[must_use]
    pub fn originals(&self) -> &Originals {
        &self.originals
    }

    /// The documents as they are now.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn documents(&self) -> Result<DocumentsSnapshot, Error> {
        self.refresh().await?;
        Ok(record::snapshot(&self.cached().records))
    }

    /// Waits for the turn to write.
    pub(crate) async fn turn(&self) -> Result<MutexGuard<'_, ()>, Error> {
        match &self.writer {
            Some(writer) => Ok(writer.turn.lock().await),
            None => Err(Error::ReadOnly),
        }
    }

    /// Runs `work` over the documents' records as they are in memory.
    pub(crate) fn with_records<T>(&self, work: impl FnOnce(&Records) -> T) -> T {
        work(&self.cached().records)
    }

    /// A copy of the record of `document`.
    pub(crate) fn record(&self, document: DocumentId) -> Result<Record, Error> {
        self.with_records(|records| records.get(&document).cloned())
            .ok_or(Error::UnknownDocument { document })
    }

    /// In a reader, loads the records again where the table has changed.
    pub(crate) async fn refresh(&self) -> Result<(), Error> {
        if self.writer.is_some() {
            return Ok(());
        }
        let version = self
            .documents
            .version()
            .await
            .map_err(Error::database("read the documents"))?;
        if self.cached().version == version {
            return Ok(());
        }
        let loaded = load(&self.documents).await?;
        *self.cache.write().unwrap_or_else(PoisonError::into_inner) = loaded;
        Ok(())
    }

    /// Writes records in one step: readers see all of them or none. The caller has the turn.
    pub(crate) async fn save(&self, records: Vec<Record>) -> Result<(), Error> {
        if records.is_empty() {
            return Ok(());
        }
        let batch = record::encode(&records)?;
        let schema = batch.schema();
        let mut merge = self.documents.merge_insert(&["id"]);
        merge.when_matched_update_all(None).when_not_matched_insert_all();
        merge
            .execute(Box::new(RecordBatchIterator::new([Ok(batch)], schema)))
            .await
            .map_err(Error::database("write document rows"))?;
        let mut cache = self.cache.write().unwrap_or_else(PoisonError::into_inner);
        for record in records {
            cache.records.insert(record.row.id, record);
        }
        Ok(())
    }

    /// Removes records. The caller has the turn and has removed their rows before.
    pub(crate) async fn remove_records(&self, documents: &[DocumentId]) -> Result<(), Error> {
        if documents.is_empty() {
            return Ok(());
        }
        let filter = sql::one_of("id", documents.iter().map(ToString::to_string));
        self.documents
            .delete(&filter)
            .await
            .map_err(Error::database("remove document rows"))?;
        let mut cache = self.cache.write().unwrap_or_else(PoisonError::into_inner);
        for document in documents {
            cache.records.remove(document);
        }
        Ok(())
    }

    /// The tables whose rows belong to revisions, with their names.
    pub(crate) fn content_tables(&self) -> [(&'static str, &Table); 4] {
        [
            (schema::PAGES, &self.pages),
            (schema::ITEMS, &self.items),
            (schema::CHUNKS, &self.chunks),
            (schema::VECTORS, &self.vectors),
        ]
    }

    /// Deletes the rows of these revisions from every content table. The caller has the turn.
    pub(crate) async fn delete_revisions(&self, revisions: &[String]) -> Result<(), Error> {
        if revisions.is_empty() {
            return Ok(());
        }
        let filter = sql::one_of("revision", revisions);
        for (_, table) in self.content_tables() {
            table.delete(&filter).await.map_err(Error::database("remove rows"))?;
        }
        Ok(())
    }

    fn cached(&self) -> RwLockReadGuard<'_, Cache> {
        self.cache.read().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Runs a query to its end.
pub(crate) async fn collect<Q: ExecutableQuery + Send + Sync>(
    operation: &'static str,
    query: Q,
) -> Result<Vec<RecordBatch>, Error> {
    let stream = query.execute().await.map_err(Error::database(operation))?;
    stream.try_collect().await.map_err(Error::database(operation))
}

fn database(folder: &Path) -> PathBuf {
    folder.join("db.lance")
}

async fn connect(
    folder: &Path,
    session: &SharedSession,
    consistency: Option<Duration>,
) -> Result<lancedb::Connection, Error> {
    let path = std::path::absolute(database(folder)).map_err(Error::io("open the collection", folder))?;
    let Some(path) = path.to_str() else {
        let source = std::io::Error::new(std::io::ErrorKind::InvalidInput, "the path is not Unicode");
        return Err(Error::io("open the collection", folder)(source));
    };
    let mut builder = lancedb::connect(path).session(session.0.clone());
    if let Some(interval) = consistency {
        builder = builder.read_consistency_interval(interval);
    }
    builder.execute().await.map_err(Error::database("open the collection"))
}

async fn open_table(connection: &lancedb::Connection, name: &str) -> Result<Table, Error> {
    let table = connection.open_table(name).execute().await;
    table.map_err(Error::database("open the collection"))
}

async fn read_settings(table: &Table) -> Result<StoredSettings, Error> {
    let batches = collect("read the collection's settings", table.query().limit(2)).await?;
    for batch in &batches {
        if batch.num_rows() > 0 {
            return json(text(batch, "settings")?.value(0), "settings");
        }
    }
    Err(Error::Stored { column: "settings" })
}

async fn load(documents: &Table) -> Result<Cache, Error> {
    let operation = "read the documents";
    // The version is read first: rows that come in between are loaded now and once more with the next version.
    let version = documents.version().await.map_err(Error::database(operation))?;
    let mut records = Records::new();
    for batch in collect(operation, documents.query()).await? {
        for record in record::decode(&batch)? {
            records.insert(record.row.id, record);
        }
    }
    Ok(Cache { version, records })
}
