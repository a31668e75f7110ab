//! From settings to models.

use crate::address;
use crate::chat::{Anthropic, Client, Gemini, Limiter, Ollama, OpenAiCompatible, RetryPolicy, Retrying};
use crate::embedder::{EmbeddingWire, HttpEmbedder, dimension};
use crate::key::{ApiKey, KeyPlaces};
use crate::rerank::HttpReranker;
use crate::server::{Deadlines, KeyHeader, Server};
use recto_core::{ChatModel, Embedder, EmbedderInfo, Error, ErrorCode, Reranker, Result};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

/// Whose interface a model is reached through.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Provider {
    /// Ollama's own interface.
    Ollama,
    /// Chat completions: LM Studio, llama.cpp, vLLM and many others.
    #[serde(rename = "openai-compatible")]
    OpenAiCompatible,
    /// OpenAI.
    OpenAi,
    /// Anthropic.
    Anthropic,
    /// Google's Gemini.
    Gemini,
}

impl Provider {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Ollama,
        Self::OpenAiCompatible,
        Self::OpenAi,
        Self::Anthropic,
        Self::Gemini,
    ];

    /// The name in settings: `openai-compatible`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ollama => "ollama",
            Self::OpenAiCompatible => "openai-compatible",
            Self::OpenAi => "openai",
            Self::Anthropic => "anthropic",
            Self::Gemini => "gemini",
        }
    }

    /// The address where settings name none. Compatible servers have none in common.
    #[must_use]
    pub fn default_base_url(self) -> Option<&'static str> {
        match self {
            Self::Ollama => Some("http://localhost:11434"),
            Self::OpenAiCompatible => None,
            Self::OpenAi => Some("https://api.openai.com/v1"),
            Self::Anthropic => Some("https://api.anthropic.com"),
            Self::Gemini => Some("https://generativelanguage.googleapis.com/v1beta"),
        }
    }

    /// Where a key is looked for unless settings say otherwise: the variables people have set already, and the
    /// keychain under the provider's name. `file` is the key's file, where there may be one.
    #[must_use]
    pub fn key_places(self, file: Option<PathBuf>) -> KeyPlaces {
        let variables: &[&str] = match self {
            Self::Ollama => &["OLLAMA_API_KEY"],
            // Whose key it would be is not known.
            Self::OpenAiCompatible => &[],
            Self::OpenAi => &["OPENAI_API_KEY"],
            Self::Anthropic => &["ANTHROPIC_API_KEY"],
            Self::Gemini => &["GEMINI_API_KEY", "GOOGLE_API_KEY"],
        };
        KeyPlaces {
            variables: variables.iter().map(|&name| name.to_owned()).collect(),
            account: Some(self.as_str().to_owned()),
            file,
        }
    }
}

impl fmt::Display for Provider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Provider {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        Self::ALL
            .into_iter()
            .find(|provider| provider.as_str() == name)
            .ok_or_else(|| {
                let names = Self::ALL.map(Self::as_str).join(", ");
                Error::new(
                    ErrorCode::InvalidArgument,
                    format!("{name:?} is no provider of models. There are: {names}."),
                )
            })
    }
}

/// Which chat model to use, and how.
#[derive(Debug, Clone)]
pub struct ChatSettings {
    /// Whose interface.
    pub provider: Provider,
    /// The address; `None` for the provider's own.
    pub base_url: Option<String>,
    /// The model's name there.
    pub model: String,
    /// The key, where one is needed; see [`KeyPlaces`].
    pub key: Option<ApiKey>,
    /// Tokens of prompt and reply together; `None` leaves it to the model.
    pub context_tokens: Option<u32>,
    /// How long the server may take.
    pub deadlines: Deadlines,
    /// How often it is asked again.
    pub retries: RetryPolicy,
    /// Shared by the models that may not all be asked at once.
    pub limiter: Option<Limiter>,
}

impl ChatSettings {
    /// `model` of `provider` at its own address, without a key.
    #[must_use]
    pub fn new(provider: Provider, model: &str) -> Self {
        Self {
            provider,
            base_url: None,
            model: model.to_owned(),
            key: None,
            context_tokens: None,
            deadlines: Deadlines::default(),
            retries: RetryPolicy::default(),
            limiter: None,
        }
    }

    /// The host that questions and evidence are sent to, or `None` when that is this machine.
    ///
    /// # Errors
    /// `invalid_argument` when the address is none, or there is none.
    pub fn remote_host(&self) -> Result<Option<String>> {
        remote_host(self.provider, self.base_url.as_deref())
    }
}

/// A model ready to be asked: under the limiter, with retries. Nothing is sent yet.
///
/// # Errors
/// `invalid_argument` for an unusable address or name, `model_not_configured` when the key is missing.
pub fn open_chat(settings: &ChatSettings) -> Result<Arc<dyn ChatModel>> {
    let model: Arc<dyn ChatModel> = open_client(settings)?;
    Ok(with_care(model, settings))
}

/// Limits each try, so that a model waiting for its next one keeps nobody else from asking.
fn with_care(model: Arc<dyn ChatModel>, settings: &ChatSettings) -> Arc<dyn ChatModel> {
    let model = match &settings.limiter {
        Some(limiter) => limiter.limit(model),
        None => model,
    };
    Arc::new(Retrying::new(model, settings.retries))
}

/// The bare client.
pub(crate) fn open_client(settings: &ChatSettings) -> Result<Arc<dyn Client>> {
    let base_url = base_url(settings.provider, settings.base_url.as_deref())?;
    require_key(settings.provider, settings.base_url.as_deref(), settings.key.as_ref())?;
    let (model, key, context) = (&settings.model, settings.key.clone(), settings.context_tokens);
    let deadlines = settings.deadlines;
    Ok(match settings.provider {
        Provider::Ollama => Arc::new(Ollama::new(base_url, model, key, context, deadlines)?),
        Provider::OpenAiCompatible => {
            Arc::new(OpenAiCompatible::new(base_url, model, key, deadlines)?.with_context_tokens(context))
        }
        Provider::OpenAi => {
            Arc::new(OpenAiCompatible::openai(base_url, model, key, deadlines)?.with_context_tokens(context))
        }
        Provider::Anthropic => Arc::new(Anthropic::new(base_url, model, key, deadlines)?.with_context_tokens(context)),
        Provider::Gemini => Arc::new(Gemini::new(base_url, model, key, deadlines)?.with_context_tokens(context)),
    })
}

/// Which embedding model of a server to use, and how.
#[derive(Debug, Clone)]
pub struct EmbedderSettings {
    /// Whose interface: Ollama's, or OpenAI's and what is compatible with it.
    pub provider: Provider,
    /// The address; `None` for the provider's own.
    pub base_url: Option<String>,
    /// The model's name there.
    pub model: String,
    /// The key, where one is needed.
    pub key: Option<ApiKey>,
    /// Length of a vector; `None` to find it out by embedding a word.
    pub dimension: Option<u32>,
    /// How long the server may take.
    pub deadlines: Deadlines,
    /// How often it is asked again.
    pub retries: RetryPolicy,
}

impl EmbedderSettings {
    /// `model` of `provider` at its own address, without a key.
    #[must_use]
    pub fn new(provider: Provider, model: &str) -> Self {
        Self {
            provider,
            base_url: None,
            model: model.to_owned(),
            key: None,
            dimension: None,
            deadlines: Deadlines::default(),
            retries: RetryPolicy::default(),
        }
    }

    /// The host that texts are sent to, or `None` when that is this machine.
    ///
    /// # Errors
    /// `invalid_argument` when the address is none, or there is none.
    pub fn remote_host(&self) -> Result<Option<String>> {
        remote_host(self.provider, self.base_url.as_deref())
    }
}

/// An embedding model ready to be used. The server is asked only where the dimension is not given.
///
/// # Errors
/// `invalid_argument` for an unusable address or a provider without embeddings, `model_not_configured` when the key is
/// missing; `model_unreachable` or `model_rejected` when the dimension could not be found out.
pub async fn open_embedder(settings: &EmbedderSettings) -> Result<Arc<dyn Embedder>> {
    let (server, wire) = embedding_server(settings)?;
    let dimension = match settings.dimension {
        Some(dimension) => dimension,
        None => dimension(&server, wire, &settings.model).await?,
    };
    let info = EmbedderInfo {
        provider: settings.provider.as_str().to_owned(),
        name: settings.model.clone(),
        dimension,
    };
    Ok(Arc::new(HttpEmbedder::new(server, wire, info, settings.retries)))
}

pub(crate) fn embedding_server(settings: &EmbedderSettings) -> Result<(Server, EmbeddingWire)> {
    let wire = match settings.provider {
        Provider::Ollama => EmbeddingWire::Ollama,
        Provider::OpenAi | Provider::OpenAiCompatible => EmbeddingWire::OpenAi,
        Provider::Anthropic | Provider::Gemini => {
            return Err(Error::new(
                ErrorCode::InvalidArgument,
                format!(
                    "Recto takes no embeddings from {}. Choose the bundled model, Ollama, or a server compatible with OpenAI's.",
                    settings.provider
                ),
            ));
        }
    };
    let mut base_url = base_url(settings.provider, settings.base_url.as_deref())?;
    require_key(settings.provider, settings.base_url.as_deref(), settings.key.as_ref())?;
    let example = match wire {
        EmbeddingWire::Ollama => {
            base_url = crate::chat::root(base_url);
            "http://localhost:11434"
        }
        EmbeddingWire::OpenAi => "http://localhost:1234/v1",
    };
    let key = settings.key.clone();
    let server = Server::new(base_url, example, key, KeyHeader::Bearer, settings.deadlines)?;
    Ok((server, wire))
}

/// Which reranker of a server to use, and how.
#[derive(Debug, Clone)]
pub struct RerankerSettings {
    /// The address, which ends before `/rerank`.
    pub base_url: String,
    /// The model's name there.
    pub model: String,
    /// The key, where one is needed.
    pub key: Option<ApiKey>,
    /// How long the server may take.
    pub deadlines: Deadlines,
    /// How often it is asked again.
    pub retries: RetryPolicy,
}

impl RerankerSettings {
    /// The host that questions and passages are sent to, or `None` when that is this machine.
    ///
    /// # Errors
    /// `invalid_argument` when the address is none.
    pub fn remote_host(&self) -> Result<Option<String>> {
        let url = address::parse(&self.base_url, "http://localhost:8000/v1")?;
        Ok(address::remote_host(&url))
    }
}

/// A reranker ready to be used. Nothing is sent yet. One in a file is a [`CrossEncoder`](crate::CrossEncoder).
///
/// # Errors
/// `invalid_argument` for an unusable address.
pub fn open_reranker(settings: &RerankerSettings) -> Result<Arc<dyn Reranker>> {
    let (key, deadlines) = (settings.key.clone(), settings.deadlines);
    let reranker = HttpReranker::new(&settings.base_url, &settings.model, key, deadlines, settings.retries)?;
    Ok(Arc::new(reranker))
}

fn base_url(provider: Provider, configured: Option<&str>) -> Result<&str> {
    configured.or(provider.default_base_url()).ok_or_else(|| {
        Error::new(
            ErrorCode::InvalidArgument,
            "A server that is compatible with OpenAI's needs an address, such as http://localhost:1234/v1.",
        )
    })
}

fn remote_host(provider: Provider, configured: Option<&str>) -> Result<Option<String>> {
    let url = address::parse(base_url(provider, configured)?, "http://localhost:1234/v1")?;
    Ok(address::remote_host(&url))
}

/// The providers' own servers take nobody without a key; what stands in for them may.
fn require_key(provider: Provider, configured: Option<&str>, key: Option<&ApiKey>) -> Result<()> {
    let needs_key = matches!(provider, Provider::OpenAi | Provider::Anthropic | Provider::Gemini);
    if key.is_some() || configured.is_some() || !needs_key {
        return Ok(());
    }
    let places = provider.key_places(None);
    Err(Error::new(
        ErrorCode::ModelNotConfigured,
        format!(
            "{provider} needs a key. Set the environment variable {}, or put the key into the keychain under {provider}.",
            places.variables.join(" or ")
        ),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_provider_has_one_name_everywhere() {
        for provider in Provider::ALL {
            let name = provider.as_str();
            assert_eq!(serde_json::to_value(provider).expect("serialises"), name);
            assert_eq!(name.parse(), Ok(provider));
        }
        let error = "bard".parse::<Provider>().expect_err("is none");
        assert!(error.message.contains("anthropic, gemini"), "{error}");
    }

    #[test]
    fn a_key_is_asked_for_where_it_is_needed() {
        for provider in [Provider::OpenAi, Provider::Anthropic, Provider::Gemini] {
            let mut settings = ChatSettings::new(provider, "m");
            let error = open_chat(&settings).err().expect("has no key");
            assert_eq!(error.code, ErrorCode::ModelNotConfigured);
            assert!(error.message.contains("_API_KEY"), "{error}");
            settings.key = Some(ApiKey::new("sk-secret".into()));
            let model = open_chat(&settings).expect("has a key");
            assert_eq!(model.name(), "m");
            assert!(!format!("{settings:?}").contains("secret"));
        }
        assert!(open_chat(&ChatSettings::new(Provider::Ollama, "m")).is_ok());
    }

    #[test]
    fn where_questions_go_is_known_from_the_settings() {
        let host = |provider, url: Option<&str>| {
            let mut settings = ChatSettings::new(provider, "m");
            settings.base_url = url.map(str::to_owned);
            settings.remote_host()
        };
        assert_eq!(host(Provider::Ollama, None), Ok(None));
        assert_eq!(host(Provider::Anthropic, None), Ok(Some("api.anthropic.com".into())));
        assert_eq!(host(Provider::OpenAi, Some("http://127.0.0.1:9/v1")), Ok(None));
        assert!(host(Provider::OpenAiCompatible, None).is_err());
    }
}
