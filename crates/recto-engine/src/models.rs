//! The chat model: which one it is, setting it up, and looking whether it answers.

use crate::Engine;
use crate::blocking::blocking;
use crate::contract::{ChatModelSettings, LocalModelServer, ModelCheck, ModelReport, ModelStatus, SettingsView};
use recto_core::{ChatModel, Embedder, Error, ErrorCode, Result};
use recto_library::{ModelSettings, Settings};
use recto_models::{
    ApiKey, ChatSettings, CheckKind, KeySource, ProbeDepth, Provider, detect_local_servers, open_chat, probe_chat,
};
use std::sync::Arc;

/// Settings of the model that an environment variable can decide.
const VARIABLES: [&str; 5] = [
    "RECTO_MODEL_PROVIDER",
    "RECTO_MODEL_BASE_URL",
    "RECTO_MODEL_NAME",
    "RECTO_MODEL_API_KEY_ENV",
    "RECTO_MODEL_CONTEXT_TOKENS",
];

impl Engine {
    /// Where questions go; with `probe`, the chat model's server is asked whether it answers.
    pub async fn models(&self, probe: bool) -> ModelStatus {
        let mut status = self.model_status();
        if !probe {
            return status;
        }
        let settings = Settings::clone(&self.settings()).model;
        status.probe = match self.opened_settings(&settings, None).await {
            Ok(None) => None,
            Err(error) => Some(error.message),
            Ok(Some((chat, _))) => {
                let found = probe_chat(&chat, ProbeDepth::Ask).await;
                let unwell = found.checks.iter().find(|check| check.is_well == Some(false));
                let said = unwell
                    .or_else(|| found.check(CheckKind::Model))
                    .or_else(|| found.checks.first());
                said.map(|check| check.sentence.clone())
            }
        };
        status
    }

    /// What is known without asking anybody.
    pub(crate) fn model_status(&self) -> ModelStatus {
        let settings = Settings::clone(&self.settings()).model;
        let chat = chat_settings(&settings, None).ok().flatten();
        ModelStatus {
            chat_model: chat.as_ref().map(|chat| chat.model.clone()),
            remote_host: chat.and_then(|chat| chat.remote_host().ok().flatten()),
            embedding_model: self.embedder().info().name.clone(),
            probe: None,
        }
    }

    /// The settings that a person can change.
    ///
    /// # Errors
    /// `invalid_argument` when the settings file cannot be read.
    pub async fn settings_view(&self) -> Result<SettingsView> {
        let folder = self.folder().to_owned();
        let stored = blocking(move || Ok(Settings::load(&folder, [])?)).await?;
        Ok(SettingsView {
            model: stored.model.into(),
            overridden_by: VARIABLES
                .into_iter()
                .filter(|name| std::env::var_os(name).is_some())
                .map(str::to_owned)
                .collect(),
        })
    }

    /// Sets up another chat model, or none, from the next question on. What an environment variable decides stays.
    ///
    /// # Errors
    /// `invalid_argument`, naming the setting; `read_only`.
    pub async fn set_chat_model(&self, model: ChatModelSettings) -> Result<SettingsView> {
        self.require_writer()?;
        let folder = self.folder().to_owned();
        let changed = blocking(move || {
            let mut stored = Settings::load(&folder, [])?;
            stored.model = model.into();
            // Read back as a file would be, so that nothing is saved that could not be opened again.
            let checked = Settings::parse(&stored.to_toml(), [])?;
            checked.save(&folder)?;
            Ok(Settings::load(&folder, std::env::vars())?)
        })
        .await?;
        self.replace_settings(changed);
        self.settings_view().await
    }

    /// Looks at a chat model before it is set up, or at the one that is. `thorough` asks the model itself two short
    /// questions too, which may cost something.
    ///
    /// # Errors
    /// `model_not_configured` when no model is named; `invalid_argument` for an unusable setting. A server that does not
    /// answer is a finding.
    pub async fn probe_chat_model(&self, model: ChatModelSettings, thorough: bool) -> Result<ModelReport> {
        let Some((chat, source)) = self.opened_settings(&model.into(), None).await? else {
            let message = "Name a model and its provider or address first.";
            return Err(Error::new(ErrorCode::ModelNotConfigured, message));
        };
        let depth = if thorough { ProbeDepth::Try } else { ProbeDepth::Ask };
        let found = probe_chat(&chat, depth).await;
        Ok(ModelReport {
            usable: found.is_usable(),
            checks: found
                .checks
                .iter()
                .map(|check| ModelCheck {
                    kind: name_of(&check.kind),
                    is_well: check.is_well,
                    sentence: check.sentence.clone(),
                })
                .collect(),
            models: found.models.clone(),
            remote_host: chat.remote_host()?,
            key_source: source.map(|source| source.to_string()),
        })
    }

    /// The model servers on the usual ports of this machine. No other machine is asked.
    pub async fn local_model_servers(&self) -> Vec<LocalModelServer> {
        detect_local_servers()
            .await
            .into_iter()
            .map(|server| LocalModelServer {
                kind: name_of(&server.kind),
                provider: server.provider.to_string(),
                base_url: server.base_url,
                models: server.models,
            })
            .collect()
    }

    /// The chat model, where one is configured; `model` is another one of the same server.
    ///
    /// # Errors
    /// `invalid_argument` for an unusable address, `model_not_configured` for a key that is not there.
    pub(crate) async fn chat_model(&self, model: Option<&str>) -> Result<Option<Arc<dyn ChatModel>>> {
        let settings = Settings::clone(&self.settings()).model;
        match self.opened_settings(&settings, model).await? {
            Some((chat, _)) => Ok(Some(open_chat(&chat)?)),
            None => Ok(None),
        }
    }

    /// The settings with their key, and where that was.
    async fn opened_settings(
        &self,
        settings: &ModelSettings,
        model: Option<&str>,
    ) -> Result<Option<(ChatSettings, Option<KeySource>)>> {
        let Some(mut chat) = chat_settings(settings, model)? else {
            return Ok(None);
        };
        if let Some(variable) = &settings.api_key_env {
            chat.key = Some(ApiKey::from_environment(variable)?);
            return Ok(Some((chat, Some(KeySource::Environment(variable.clone())))));
        }
        // A server on this machine wants no key, and looking for one takes time.
        if chat.remote_host()?.is_none() {
            return Ok(Some((chat, None)));
        }
        let file = self.folder().join("keys").join(chat.provider.as_str());
        let found = chat.provider.key_places(Some(file)).find().await?;
        let source = found.as_ref().map(|found| found.source.clone());
        chat.key = found.map(|found| found.key);
        Ok(Some((chat, source)))
    }
}

/// The model that settings name, without its key.
fn chat_settings(settings: &ModelSettings, model: Option<&str>) -> Result<Option<ChatSettings>> {
    let provider = match (&settings.provider, &settings.base_url) {
        (Some(provider), _) => provider.parse()?,
        (None, Some(_)) => Provider::OpenAiCompatible,
        (None, None) => return Ok(None),
    };
    let Some(name) = model.or(settings.name.as_deref()) else {
        return Ok(None);
    };
    Ok(Some(ChatSettings {
        base_url: settings.base_url.clone(),
        context_tokens: settings.context_tokens,
        ..ChatSettings::new(provider, name)
    }))
}

/// A kind by its stored name: `lm_studio`.
fn name_of(kind: &impl serde::Serialize) -> String {
    let name = serde_json::to_value(kind).unwrap_or_default();
    name.as_str().unwrap_or_default().to_owned()
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
        let given = |text: Option<String>| text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
        Self {
            provider: given(settings.provider),
            base_url: given(settings.base_url),
            name: given(settings.name),
            api_key_env: given(settings.api_key_env),
            context_tokens: settings.context_tokens,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(provider: Option<&str>, base_url: Option<&str>, name: Option<&str>) -> ModelSettings {
        ModelSettings {
            provider: provider.map(str::to_owned),
            base_url: base_url.map(str::to_owned),
            name: name.map(str::to_owned),
            ..ModelSettings::default()
        }
    }

    #[test]
    fn an_address_alone_means_a_compatible_server_and_a_provider_alone_its_own_address() {
        let chat = |settings: &ModelSettings| chat_settings(settings, None).expect("usable");
        let compatible = chat(&settings(None, Some("http://localhost:1/v1"), Some("m"))).expect("a model");
        assert_eq!(compatible.provider, Provider::OpenAiCompatible);
        let own = chat(&settings(Some("anthropic"), None, Some("m"))).expect("a model");
        assert_eq!(own.remote_host().expect("known"), Some("api.anthropic.com".to_owned()));
        assert!(chat(&settings(None, None, Some("m"))).is_none(), "nobody to ask");
        assert!(chat(&settings(Some("ollama"), None, None)).is_none(), "no model named");
        let other = chat_settings(&settings(Some("ollama"), None, None), Some("big")).expect("usable");
        assert_eq!(other.expect("named in the question").model, "big");
    }
}
