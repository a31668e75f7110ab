//! A chat model behind an OpenAI-compatible server: LM Studio, llama.cpp, vLLM, Ollama's `/v1`, OpenAI and others.
//!
//! What a server writes into an error goes no further than its short machine-readable code: the rest may repeat the
//! prompt or the key. Nothing is retried here.

mod failure;
mod stream;

use crate::key::ApiKey;
use async_trait::async_trait;
use recto_core::{ChatModel, ChatRequest, ChatRole, ChatStream, Error, ErrorCode, Result};
use reqwest::{Client, RequestBuilder, Response, Url, header};
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Once;
use std::time::Duration;
use stream::ReplyStream;

/// How long a server may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deadlines {
    /// Until the connection stands.
    pub connect: Duration,
    /// From the request to the first token. A local model reads thousands of tokens first.
    pub first_token: Duration,
    /// From one piece of the reply to the next.
    pub idle: Duration,
}

impl Default for Deadlines {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(5),
            first_token: Duration::from_secs(300),
            idle: Duration::from_secs(60),
        }
    }
}

/// What a server says of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelProbe {
    /// The models it offers, in its order.
    pub models: Vec<String>,
    /// Whether the configured one is among them.
    pub has_model: bool,
}

/// A model reached through `POST {base_url}/chat/completions`.
#[derive(Debug)]
pub struct OpenAiCompatible {
    client: Client,
    base_url: Url,
    model: String,
    key: Option<ApiKey>,
    deadlines: Deadlines,
}

impl OpenAiCompatible {
    /// A client for `model` at `base_url`, which ends before `/chat/completions`: `http://localhost:11434/v1`. Nothing
    /// is sent yet.
    ///
    /// # Errors
    /// `invalid_argument` when the address is none.
    pub fn new(base_url: &str, model: &str, key: Option<ApiKey>, deadlines: Deadlines) -> Result<Self> {
        install_tls();
        let address = Url::parse(&format!("{}/", base_url.trim().trim_end_matches('/')))
            .ok()
            .filter(|url| matches!(url.scheme(), "http" | "https") && url.host_str().is_some())
            .ok_or_else(|| {
                Error::new(
                    ErrorCode::InvalidArgument,
                    "The address of the model server must look like http://localhost:11434/v1.",
                )
            })?;
        let mut client = Client::builder()
            .connect_timeout(deadlines.connect)
            // A redirect would carry prompt and key to another server than the one that was configured.
            .redirect(reqwest::redirect::Policy::none());
        if is_loopback(&address) {
            // What stays on this machine must not pass through a proxy on another.
            client = client.no_proxy();
        }
        Ok(Self {
            client: client
                .build()
                .map_err(|error| Error::internal(format!("The HTTP client could not be built: {error}.")))?,
            base_url: address,
            model: model.to_owned(),
            key,
            deadlines,
        })
    }

    /// The host that questions and evidence are sent to, or `None` when that is this machine.
    #[must_use]
    pub fn remote_host(&self) -> Option<String> {
        let host = self.base_url.host_str()?;
        (!is_loopback(&self.base_url)).then(|| host.to_owned())
    }

    /// Asks which models the server offers.
    ///
    /// # Errors
    /// `model_unreachable` when it does not answer, `model_rejected` when it refuses.
    pub async fn probe(&self) -> Result<ModelProbe> {
        #[derive(Deserialize)]
        struct List {
            data: Vec<Entry>,
        }
        #[derive(Deserialize)]
        struct Entry {
            id: String,
        }
        let patience = self.deadlines.connect + self.deadlines.idle;
        let asked = async {
            let response = self.send(self.client.get(self.url("models")?)).await?;
            response.json::<List>().await.map_err(|_| {
                Error::new(
                    ErrorCode::ModelRejected,
                    format!("What answers at {} is no model server.", self.place()),
                )
            })
        };
        let list = tokio::time::timeout(patience, asked)
            .await
            .map_err(|_| failure::silent(&self.place()))??;
        let models: Vec<String> = list.data.into_iter().map(|entry| entry.id).collect();
        Ok(ModelProbe {
            has_model: models.contains(&self.model),
            models,
        })
    }

    fn url(&self, path: &str) -> Result<Url> {
        self.base_url
            .join(path)
            .map_err(|error| Error::internal(format!("The address of the model server could not be formed: {error}.")))
    }

    /// The server as it is named to a person: without path, user or password.
    fn place(&self) -> String {
        self.base_url.origin().ascii_serialization()
    }

    /// Sends a request; the response is one of success.
    async fn send(&self, mut request: RequestBuilder) -> Result<Response> {
        if let Some(key) = &self.key {
            let mut value = header::HeaderValue::from_str(&format!("Bearer {}", key.reveal())).map_err(|_| {
                Error::new(
                    ErrorCode::ModelRejected,
                    "The key for the model holds characters that a key cannot have.",
                )
            })?;
            value.set_sensitive(true);
            request = request.header(header::AUTHORIZATION, value);
        }
        let response = request
            .send()
            .await
            .map_err(|error| failure::of_connection(&self.place(), &error))?;
        if response.status().is_success() {
            return Ok(response);
        }
        Err(failure::of_response(&self.place(), &self.model, response).await)
    }

    fn body(&self, request: &ChatRequest) -> Value {
        let messages: Vec<Value> = request
            .messages
            .iter()
            .map(|message| {
                let role = match message.role {
                    ChatRole::System => "system",
                    ChatRole::User => "user",
                    ChatRole::Assistant => "assistant",
                    ChatRole::Tool => "tool",
                };
                json!({"role": role, "content": message.content})
            })
            .collect();
        let mut body = json!({
            "model": self.model,
            "messages": messages,
            "temperature": shortest(request.temperature),
            "stream": true,
            "stream_options": {"include_usage": true},
        });
        if let Some(most) = request.max_tokens {
            body["max_tokens"] = json!(most);
        }
        body
    }
}

#[async_trait]
impl ChatModel for OpenAiCompatible {
    fn name(&self) -> &str {
        &self.model
    }

    async fn chat(&self, request: &ChatRequest) -> Result<Box<dyn ChatStream>> {
        let post = self
            .client
            .post(self.url("chat/completions")?)
            .json(&self.body(request));
        let response = tokio::time::timeout(self.deadlines.first_token, self.send(post))
            .await
            .map_err(|_| failure::silent(&self.place()))??;
        let streams = response
            .headers()
            .get(header::CONTENT_TYPE)
            .and_then(|kind| kind.to_str().ok())
            .is_none_or(|kind| !kind.starts_with("application/json"));
        Ok(Box::new(if streams {
            ReplyStream::streaming(self.place(), response, self.deadlines)
        } else {
            // Some servers ignore `stream` and send the reply in one piece.
            ReplyStream::whole(self.place(), response, self.deadlines)
        }))
    }
}

/// Makes ring the process's TLS implementation, unless one has been chosen. Every client here does it by itself.
pub fn install_tls() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // An error means that another one was installed before, which serves as well.
        let _ = rustls::crypto::ring::default_provider().install_default();
    });
}

fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let address = host
        .trim_start_matches('[')
        .trim_end_matches(']')
        .parse::<std::net::IpAddr>();
    host == "localhost" || address.is_ok_and(|address| address.is_loopback())
}

/// The number as it is written: 0.1, where widening the bits would send 0.10000000149.
fn shortest(number: f32) -> f64 {
    number.to_string().parse().unwrap_or_else(|_| f64::from(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_address_is_accepted_and_its_secrets_are_not_repeated() {
        let open = |url: &str| OpenAiCompatible::new(url, "m", None, Deadlines::default());
        for wrong in ["localhost:1234", "", "file:///etc/passwd", "http://"] {
            let error = open(wrong).expect_err("refuses");
            assert_eq!(error.code, ErrorCode::InvalidArgument, "{wrong}");
        }
        let client = open("https://user:secret@example.org:8443/api/v1/").expect("accepts");
        assert_eq!(client.place(), "https://example.org:8443");
        assert_eq!(client.remote_host().as_deref(), Some("example.org"));
        assert_eq!(open("http://localhost:1/v1").expect("accepts").remote_host(), None);
        assert_eq!(
            client.url("models").expect("joins").as_str(),
            "https://user:secret@example.org:8443/api/v1/models"
        );
    }

    #[test]
    fn loopback_addresses_are_known() {
        let loopback = |url: &str| is_loopback(&Url::parse(url).expect("parses"));
        assert!(loopback("http://localhost:1/") && loopback("http://127.0.0.1/") && loopback("http://[::1]:2/"));
        assert!(!loopback("http://example.org/") && !loopback("http://10.0.0.1/"));
    }

    #[test]
    fn a_temperature_is_sent_as_it_is_written() {
        assert_eq!(json!(shortest(0.1)).to_string(), "0.1");
        assert_eq!(json!(shortest(0.0)).to_string(), "0.0");
    }
}
