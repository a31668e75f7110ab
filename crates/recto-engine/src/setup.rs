//! What a person can set up: the chat model, models of single steps, the embedding model and the reranker.

use crate::Engine;
use crate::blocking::blocking;
use crate::contract::{
    ChatModelSettings, EmbeddingModelSettings, ModelReport, RerankerSettings, SettingsView, Stage, StageModels,
};
use crate::models::report;
use crate::rerankers;
use recto_core::{Error, ErrorCode, Result};
use recto_library::{EmbeddingSettings, ModelSettings, RerankerSettings as StoredReranker, Settings, StageSettings};
use recto_models::{Check, CheckKind, SetUp, probe_embedder, probe_reranker};

/// Environment variables that decide instead of what can be set up here begin with one of these.
const DECIDING: [&str; 3] = ["RECTO_MODEL_", "RECTO_EMBEDDING_", "RECTO_RERANKER_"];

impl Engine {
    /// The settings that a person can change.
    ///
    /// # Errors
    /// `invalid_argument` when the settings file cannot be read.
    pub async fn settings_view(&self) -> Result<SettingsView> {
        let folder = self.folder().to_owned();
        let stored = blocking(move || Ok(Settings::load(&folder, [])?)).await?;
        let mut overridden_by: Vec<String> = std::env::vars_os()
            .filter_map(|(name, _)| name.into_string().ok())
            .filter(|name| DECIDING.iter().any(|beginning| name.starts_with(beginning)))
            .collect();
        overridden_by.sort();
        Ok(SettingsView {
            model: stored.model.into(),
            stages: stored.stages.into(),
            embedding: stored.embedding.into(),
            reranker: stored.reranker.into(),
            overridden_by,
        })
    }

    /// Sets up another chat model, or none, from the next question on. What an environment variable decides stays.
    ///
    /// # Errors
    /// `invalid_argument`, naming the setting; `read_only`.
    pub async fn set_chat_model(&self, model: ChatModelSettings) -> Result<SettingsView> {
        self.change_settings(|settings| settings.model = model.into()).await
    }

    /// Sets up a model of its own for a step, or none, from the next question on.
    ///
    /// # Errors
    /// As [`Engine::set_chat_model`].
    pub async fn set_stage_model(&self, stage: Stage, model: ChatModelSettings) -> Result<SettingsView> {
        self.change_settings(|settings| {
            let stages = &mut settings.stages;
            let own = match stage {
                Stage::Rewrite => &mut stages.rewrite,
                Stage::Navigate => &mut stages.navigate,
                Stage::Judge => &mut stages.judge,
            };
            *own = model.into();
        })
        .await
    }

    /// Sets up another embedding model for new collections, or the bundled one. A server's is asked for a vector first,
    /// and the length of that is kept. Collections that are there keep the model they were made with.
    ///
    /// # Errors
    /// `invalid_argument`, naming the setting; `model_unreachable`, `model_rejected` or `embedder_mismatch` where the model
    /// cannot be used, and then nothing is changed; `read_only`.
    pub async fn set_embedding_model(&self, model: EmbeddingModelSettings) -> Result<SettingsView> {
        self.require_writer()?;
        let mut wanted = self
            .checked(|settings| take_embedding(&mut settings.embedding, model))
            .await?;
        if let Some((server, _)) = self.embedders().server(&wanted.embedding).await? {
            let found = probe_embedder(&server).await;
            require_usable(&found)?;
            wanted.embedding.dimension = found.dimension;
        }
        let embedding = wanted.embedding;
        self.change_settings(|settings| settings.embedding = embedding).await
    }

    /// Sets up another reranker, or none, from the next search on. It has to rank something first.
    ///
    /// # Errors
    /// `invalid_argument`, naming the setting; `model_unreachable`, `model_rejected` or `asset_missing` where it cannot be
    /// used, and then nothing is changed; `read_only`.
    pub async fn set_reranker(&self, reranker: RerankerSettings) -> Result<SettingsView> {
        self.require_writer()?;
        let wanted = self
            .checked(|settings| settings.reranker = reranker.into())
            .await?
            .reranker;
        if let Some((opened, _)) = rerankers::open(&wanted, self.folder()).await? {
            require_usable(&probe_reranker(&*opened).await)?;
        }
        self.change_settings(|settings| settings.reranker = wanted).await
    }

    /// Looks at an embedding model before it is set up, by having it embed a word.
    ///
    /// # Errors
    /// `model_not_configured` when no server is named: the bundled model needs no looking at; `invalid_argument` for an
    /// unusable setting. A server that does not answer is a finding.
    pub async fn probe_embedding_model(&self, model: EmbeddingModelSettings) -> Result<ModelReport> {
        let wanted = self
            .checked(|settings| take_embedding(&mut settings.embedding, model))
            .await?;
        let Some((server, source)) = self.embedders().server(&wanted.embedding).await? else {
            let message = "Name an embedding model and its provider or address first.";
            return Err(Error::new(ErrorCode::ModelNotConfigured, message));
        };
        let found = probe_embedder(&server).await;
        Ok(report(found, server.remote_host()?, source))
    }

    /// Looks at a reranker before it is set up, by having it rank two texts.
    ///
    /// # Errors
    /// `model_not_configured` when none is named; `invalid_argument` for an unusable setting. One that does not answer is a
    /// finding.
    pub async fn probe_reranker(&self, reranker: RerankerSettings) -> Result<ModelReport> {
        let wanted = self
            .checked(|settings| settings.reranker = reranker.into())
            .await?
            .reranker;
        let Some((opened, source)) = rerankers::open(&wanted, self.folder()).await? else {
            let message = "Name a reranker's address and model, or its file, first.";
            return Err(Error::new(ErrorCode::ModelNotConfigured, message));
        };
        let found = probe_reranker(&*opened).await;
        Ok(report(found, rerankers::remote_host(&wanted), source))
    }

    /// The stored settings with a change, read back as a file would be, so that nothing is saved that could not be opened
    /// again.
    async fn checked(&self, change: impl FnOnce(&mut Settings)) -> Result<Settings> {
        let folder = self.folder().to_owned();
        let mut stored = blocking(move || Ok(Settings::load(&folder, [])?)).await?;
        change(&mut stored);
        Ok(Settings::parse(&stored.to_toml(), [])?)
    }

    async fn change_settings(&self, change: impl FnOnce(&mut Settings)) -> Result<SettingsView> {
        self.require_writer()?;
        let checked = self.checked(change).await?;
        let folder = self.folder().to_owned();
        let changed = blocking(move || {
            checked.save(&folder)?;
            Ok(Settings::load(&folder, std::env::vars())?)
        })
        .await?;
        self.replace_settings(changed);
        self.settings_view().await
    }
}

/// Fails with what is wrong with a model, where something is.
fn require_usable(found: &SetUp) -> Result<()> {
    if found.is_usable() {
        return Ok(());
    }
    let unwell = found.checks.iter().find(|check| check.is_well == Some(false));
    let (kind, sentence) = match unwell {
        Some(Check { kind, sentence, .. }) => (*kind, sentence.clone()),
        None => (CheckKind::Model, "The model cannot be used.".to_owned()),
    };
    let code = match kind {
        CheckKind::Reachable => ErrorCode::ModelUnreachable,
        CheckKind::Dimension => ErrorCode::EmbedderMismatch,
        _ => ErrorCode::ModelRejected,
    };
    Err(Error::new(code, sentence))
}

/// A text that says something.
fn given(text: Option<String>) -> Option<String> {
    text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
}

/// Takes another model and leaves the threads of the bundled one.
fn take_embedding(stored: &mut EmbeddingSettings, model: EmbeddingModelSettings) {
    *stored = EmbeddingSettings {
        threads: stored.threads,
        provider: given(model.provider),
        base_url: given(model.base_url),
        name: given(model.name),
        api_key_env: given(model.api_key_env),
        dimension: model.dimension,
    };
}

impl From<EmbeddingSettings> for EmbeddingModelSettings {
    fn from(settings: EmbeddingSettings) -> Self {
        Self {
            provider: settings.provider,
            base_url: settings.base_url,
            name: settings.name,
            api_key_env: settings.api_key_env,
            dimension: settings.dimension,
        }
    }
}

impl From<StoredReranker> for RerankerSettings {
    fn from(settings: StoredReranker) -> Self {
        Self {
            base_url: settings.base_url,
            name: settings.name,
            api_key_env: settings.api_key_env,
            model_file: settings.model_file,
            tokenizer_file: settings.tokenizer_file,
        }
    }
}

impl From<RerankerSettings> for StoredReranker {
    fn from(settings: RerankerSettings) -> Self {
        Self {
            base_url: given(settings.base_url),
            name: given(settings.name),
            api_key_env: given(settings.api_key_env),
            model_file: given(settings.model_file),
            tokenizer_file: given(settings.tokenizer_file),
        }
    }
}

impl From<StageSettings> for StageModels {
    fn from(settings: StageSettings) -> Self {
        Self {
            rewrite: settings.rewrite.into(),
            navigate: settings.navigate.into(),
            judge: settings.judge.into(),
        }
    }
}

impl From<ModelSettings> for ChatModelSettings {
    fn from(settings: ModelSettings) -> Self {
        Self {
            provider: settings.provider,
            base_url: settings.base_url,
            name: settings.name,
            api_key_env: settings.api_key_env,
            context_tokens: settings.context_tokens,
        }
    }
}

impl From<ChatModelSettings> for ModelSettings {
    fn from(settings: ChatModelSettings) -> Self {
        Self {
            provider: given(settings.provider),
            base_url: given(settings.base_url),
            name: given(settings.name),
            api_key_env: given(settings.api_key_env),
            context_tokens: settings.context_tokens,
        }
    }
}
