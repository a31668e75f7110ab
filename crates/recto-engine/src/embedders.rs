//! Which embedding model makes and searches the vectors of a collection.
//!
//! A collection keeps the model it was made with; what is set up decides for new ones. Vectors of different models are
//! never compared, so a collection whose model is not at hand can be searched by words only, and says so.

use crate::keys;
use recto_collection::Collection;
use recto_core::{ChunkSource, Embedder, EmbedderInfo, Error, ErrorCode, Result};
use recto_library::EmbeddingSettings;
use recto_models::{EmbedderSettings, KeySource, LocalEmbedder, Provider, open_embedder};
use std::path::PathBuf;
use std::sync::{Arc, PoisonError, RwLock};
use tokio::sync::Mutex;

/// The bundled model and the one of the server that is set up.
pub(crate) struct Embedders {
    local: Arc<LocalEmbedder>,
    /// Where keys may lie.
    folder: PathBuf,
    settings: RwLock<EmbeddingSettings>,
    /// The server's model as it was last opened, and by which settings.
    opened: Mutex<Option<(EmbeddingSettings, Arc<dyn Embedder>)>>,
}

impl Embedders {
    pub(crate) fn new(local: Arc<LocalEmbedder>, folder: PathBuf, settings: EmbeddingSettings) -> Self {
        Self {
            local,
            folder,
            settings: RwLock::new(settings),
            opened: Mutex::default(),
        }
    }

    /// The bundled model; its files are loaded at first use.
    pub(crate) fn local(&self) -> Arc<LocalEmbedder> {
        Arc::clone(&self.local)
    }

    /// Takes other settings, from the next collection, document and question on.
    pub(crate) fn set(&self, settings: EmbeddingSettings) {
        *self.settings.write().unwrap_or_else(PoisonError::into_inner) = settings;
    }

    fn settings(&self) -> EmbeddingSettings {
        self.settings.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What the model that new collections use is called, without asking anybody.
    pub(crate) fn name_for_new(&self) -> String {
        match server_of(&self.settings(), None) {
            Ok(Some(server)) => server.model,
            _ => self.local.info().name.clone(),
        }
    }

    /// Host that the texts of documents and questions are sent to; `None` when that is this machine.
    pub(crate) fn remote_host(&self) -> Option<String> {
        let server = server_of(&self.settings(), None).ok().flatten()?;
        server.remote_host().ok().flatten()
    }

    /// The model that new collections use.
    ///
    /// # Errors
    /// `model_unreachable` or `model_rejected` where the length of a server's vectors is not known and cannot be asked for;
    /// those of [`open_embedder`].
    pub(crate) async fn for_new(&self) -> Result<Arc<dyn Embedder>> {
        let settings = self.settings();
        if settings.is_bundled() {
            return Ok(self.local());
        }
        self.open(settings).await
    }

    /// The model that made the vectors of a collection.
    ///
    /// # Errors
    /// `embedder_mismatch`, naming both, where that model is not the one that is set up; those of [`open_embedder`].
    pub(crate) async fn of(&self, collection: &Collection) -> Result<Arc<dyn Embedder>> {
        let info = collection.embedder();
        if info == self.local.info() {
            return Ok(self.local());
        }
        let mut settings = self.settings();
        let is_same = server_of(&settings, None)?
            .is_some_and(|server| server.provider.as_str() == info.provider && server.model == info.name);
        if !is_same {
            return Err(mismatch(collection, &self.name_for_new()));
        }
        // Whether it still gives vectors of this length shows with the first one.
        settings.dimension = Some(info.dimension);
        self.open(settings).await
    }

    async fn open(&self, settings: EmbeddingSettings) -> Result<Arc<dyn Embedder>> {
        let mut opened = self.opened.lock().await;
        if let Some((by, embedder)) = &*opened
            && *by == settings
        {
            return Ok(Arc::clone(embedder));
        }
        let Some((server, _)) = self.server(&settings).await? else {
            return Ok(self.local());
        };
        let embedder = open_embedder(&server).await?;
        *opened = Some((settings, Arc::clone(&embedder)));
        Ok(embedder)
    }

    /// The server's model that settings name, with its key and where that was; `None` for the bundled one.
    ///
    /// # Errors
    /// `invalid_argument` for an unusable address, `model_not_configured` for a key that is not there.
    pub(crate) async fn server(
        &self,
        settings: &EmbeddingSettings,
    ) -> Result<Option<(EmbedderSettings, Option<KeySource>)>> {
        let Some(mut server) = server_of(settings, settings.dimension)? else {
            return Ok(None);
        };
        let is_remote = server.remote_host()?.is_some();
        let variable = settings.api_key_env.as_deref();
        let (key, source) = keys::find(server.provider, variable, is_remote, &self.folder).await?;
        server.key = key;
        Ok(Some((server, source)))
    }
}

/// The server's model that settings name, without its key.
fn server_of(settings: &EmbeddingSettings, dimension: Option<u32>) -> Result<Option<EmbedderSettings>> {
    let provider = match (&settings.provider, &settings.base_url) {
        (Some(provider), _) => provider.parse()?,
        (None, Some(_)) => Provider::OpenAiCompatible,
        (None, None) => return Ok(None),
    };
    let Some(name) = settings.name.as_deref() else {
        return Ok(None);
    };
    Ok(Some(EmbedderSettings {
        base_url: settings.base_url.clone(),
        dimension,
        ..EmbedderSettings::new(provider, name)
    }))
}

fn mismatch(collection: &Collection, in_use: &str) -> Error {
    let info = collection.embedder();
    Error::new(
        ErrorCode::EmbedderMismatch,
        format!(
            "The collection {} was embedded with {}, which is not the model in use ({in_use}). Set that model up again, search it by words, or add its files to a new collection.",
            collection.name(),
            told(info),
        ),
    )
}

/// Two collections whose vectors cannot be compared.
pub(crate) fn different(one: &Collection, other: &Collection) -> Error {
    Error::new(
        ErrorCode::EmbedderMismatch,
        format!(
            "The collections {} and {} were embedded with different models, {} and {}, and cannot be searched together by meaning. Choose collections of one model, or search by words.",
            one.name(),
            other.name(),
            told(one.embedder()),
            told(other.embedder()),
        ),
    )
}

/// A model as a person is told of it: `nomic-embed-text (ollama, 768 numbers)`.
fn told(info: &EmbedderInfo) -> String {
    format!("{} ({}, {} numbers)", info.name, info.provider, info.dimension)
}
