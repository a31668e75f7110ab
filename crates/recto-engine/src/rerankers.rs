//! The reranker that is set up: a server's, or a cross-encoder in a file.

use crate::keys;
use recto_core::{Error, ErrorCode, Reranker, Result};
use recto_library::RerankerSettings as Stored;
use recto_models::{
    Assets, CrossEncoder, Deadlines, KeySource, Provider, RerankerSettings, RetryPolicy, open_reranker,
};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio::sync::Mutex;

/// A reranker as it was opened, and where the key was, if it took one.
type Opened = (Arc<dyn Reranker>, Option<KeySource>);

/// Opens the reranker that is set up and keeps it: a model in a file takes long to load.
#[derive(Default)]
pub(crate) struct Rerankers {
    opened: Mutex<Option<(Stored, Arc<dyn Reranker>)>>,
}

impl Rerankers {
    /// The reranker that settings name; `None` where there is none.
    ///
    /// # Errors
    /// `invalid_argument`, `model_not_configured`.
    pub(crate) async fn get(&self, settings: &Stored, folder: &Path) -> Result<Option<Arc<dyn Reranker>>> {
        let mut opened = self.opened.lock().await;
        if let Some((by, reranker)) = &*opened
            && by == settings
        {
            return Ok(Some(Arc::clone(reranker)));
        }
        let Some((reranker, _)) = open(settings, folder).await? else {
            return Ok(None);
        };
        *opened = Some((settings.clone(), Arc::clone(&reranker)));
        Ok(Some(reranker))
    }
}

/// Opens the reranker that settings name. Nothing is sent and no file read yet.
///
/// # Errors
/// `invalid_argument` where the settings name half of one, `model_not_configured` for a key that is not there.
pub(crate) async fn open(settings: &Stored, folder: &Path) -> Result<Option<Opened>> {
    let invalid = |message: &str| Error::new(ErrorCode::InvalidArgument, message);
    match (&settings.base_url, &settings.model_file) {
        (None, None) => Ok(None),
        (Some(_), Some(_)) => Err(invalid(
            "A reranker is either a server's (reranker.base_url) or in a file (reranker.model_file), not both.",
        )),
        (None, Some(model)) => {
            let model = PathBuf::from(model);
            let tokenizer = match &settings.tokenizer_file {
                Some(file) => PathBuf::from(file),
                None => model.with_file_name("tokenizer.json"),
            };
            let assets = Assets::find().unwrap_or_else(|_| Assets::at("assets".into()));
            let reranker: Arc<dyn Reranker> = Arc::new(CrossEncoder::new(&model, &tokenizer, assets));
            Ok(Some((reranker, None)))
        }
        (Some(base_url), None) => {
            let Some(model) = settings.name.clone() else {
                return Err(invalid(
                    "A server's reranker needs the name of its model (reranker.name).",
                ));
            };
            let variable = settings.api_key_env.as_deref();
            // Rerankers have no provider of their own; a key is only where settings say.
            let (key, source) = keys::find(Provider::OpenAiCompatible, variable, false, folder).await?;
            let reranker = open_reranker(&RerankerSettings {
                base_url: base_url.clone(),
                model,
                key,
                deadlines: Deadlines::default(),
                retries: RetryPolicy::default(),
            })?;
            Ok(Some((reranker, source)))
        }
    }
}

/// What the reranker that settings name is called.
pub(crate) fn name(settings: &Stored) -> Option<String> {
    match &settings.model_file {
        Some(file) => Some(Path::new(file).file_stem()?.to_string_lossy().into_owned()),
        None => settings.name.clone(),
    }
}

/// Host that questions and passages are sent to; `None` when that is this machine.
pub(crate) fn remote_host(settings: &Stored) -> Option<String> {
    let server = RerankerSettings {
        base_url: settings.base_url.clone()?,
        model: settings.name.clone()?,
        key: None,
        deadlines: Deadlines::default(),
        retries: RetryPolicy::default(),
    };
    server.remote_host().ok().flatten()
}
