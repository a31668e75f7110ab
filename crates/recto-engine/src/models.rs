//! The chat models: which they are, and looking whether they answer.

use crate::contract::{ChatModelSettings, LocalModelServer, ModelCheck, ModelReport, ModelStatus};
use crate::{Engine, keys, rerankers};
use recto_answer::Stage;
use recto_core::{ChatModel, Error, ErrorCode, Result};
use recto_library::{ModelSettings, Settings, StageSettings};
use recto_models::{
    ChatSettings, CheckKind, KeySource, ProbeDepth, Provider, SetUp, detect_local_servers, open_chat, probe_chat,
};
use std::collections::BTreeMap;
use std::sync::Arc;

impl Engine {
    /// Where questions go; with `probe`, the chat model's server is asked whether it answers.
    pub async fn models(&self, probe: bool) -> ModelStatus {
        let mut status = self.model_status();
        if !probe {
            return status;
        }
        let settings = self.settings();
        status.probe = match self.opened_settings(&settings.model, None).await {
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
        let settings = self.settings();
        let chat = chat_settings(&settings.model, None).ok().flatten();
        // What is sent to the model of a single step leaves this machine as well.
        let stages = StageSettings::NAMES
            .into_iter()
            .filter_map(|name| stage_settings(&settings, name, None).ok().flatten());
        let hosts = chat.iter().cloned().chain(stages);
        ModelStatus {
            remote_host: hosts
                .filter_map(|chat| chat.remote_host().ok().flatten())
                .next()
                .filter(|_| chat.is_some()),
            chat_model: chat.map(|chat| chat.model),
            embedding_model: self.embedders().name_for_new(),
            embedding_host: self.embedders().remote_host(),
            reranker: rerankers::name(&settings.reranker),
            reranker_host: rerankers::remote_host(&settings.reranker),
            probe: None,
        }
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
        Ok(report(found, chat.remote_host()?, source))
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
        let settings = self.settings();
        match self.opened_settings(&settings.model, model).await? {
            Some((chat, _)) => Ok(Some(open_chat(&chat)?)),
            None => Ok(None),
        }
    }

    /// The models that single steps have of their own. A question that names its model is answered by that alone.
    ///
    /// # Errors
    /// As [`Engine::chat_model`].
    pub(crate) async fn stage_models(&self, model: Option<&str>) -> Result<BTreeMap<Stage, Arc<dyn ChatModel>>> {
        let mut models = BTreeMap::new();
        if model.is_some() {
            return Ok(models);
        }
        let settings = self.settings();
        for stage in Stage::ALL {
            let Some(own) = settings.stages.get(stage.as_str()).filter(|own| own.name.is_some()) else {
                continue;
            };
            if let Some((chat, _)) = self.opened_settings(&on_server(own, &settings.model), None).await? {
                models.insert(stage, open_chat(&chat)?);
            }
        }
        Ok(models)
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
        let is_remote = chat.remote_host()?.is_some();
        let variable = settings.api_key_env.as_deref();
        let (key, source) = keys::find(chat.provider, variable, is_remote, self.folder()).await?;
        chat.key = key;
        Ok(Some((chat, source)))
    }
}

/// What was found out, as callers see it.
pub(crate) fn report(found: SetUp, remote_host: Option<String>, source: Option<KeySource>) -> ModelReport {
    ModelReport {
        usable: found.is_usable(),
        checks: found
            .checks
            .into_iter()
            .map(|check| ModelCheck {
                kind: name_of(&check.kind),
                is_well: check.is_well,
                sentence: check.sentence,
            })
            .collect(),
        models: found.models,
        remote_host,
        key_source: source.map(|source| source.to_string()),
    }
}

/// The model of a step, without its key; `None` where the step has none of its own.
fn stage_settings(settings: &Settings, stage: &str, model: Option<&str>) -> Result<Option<ChatSettings>> {
    match settings.stages.get(stage).filter(|own| own.name.is_some()) {
        Some(own) => chat_settings(&on_server(own, &settings.model), model),
        None => Ok(None),
    }
}

/// Settings of a step's model; where they name no server, it is another model of the chat model's.
fn on_server(own: &ModelSettings, chat: &ModelSettings) -> ModelSettings {
    if own.provider.is_some() || own.base_url.is_some() {
        return own.clone();
    }
    ModelSettings {
        name: own.name.clone(),
        context_tokens: own.context_tokens,
        ..chat.clone()
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
    fn a_step_without_a_server_asks_another_model_of_the_chat_model_s() {
        let chat = settings(Some("ollama"), Some("http://localhost:1"), Some("big"));
        let small = on_server(&settings(None, None, Some("small")), &chat);
        assert_eq!(
            small,
            settings(Some("ollama"), Some("http://localhost:1"), Some("small"))
        );
        let other = settings(Some("anthropic"), None, Some("c"));
        assert_eq!(
            on_server(&other, &chat),
            other,
            "nothing of another server's address or key is taken"
        );
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
