//! Asking a model server over HTTP: what all formats have in common.

use crate::address;
use crate::failure::{self, Failure, Refusal};
use crate::key::ApiKey;
use recto_core::{Error, ErrorCode, Result};
use reqwest::{Client, RequestBuilder, Response, Url, header};
use serde_json::Value;
use std::fmt;
use std::sync::Once;
use std::time::Duration;

/// Most bytes of an answer that is no stream. Vectors of a batch of texts as JSON are the longest.
const MOST_BYTES: usize = 64 << 20;
/// Most bytes of a refusal that are looked at.
const MOST_REFUSAL_BYTES: usize = 64 << 10;

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

/// Where the key goes. Never into the address: that is written to logs on the way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KeyHeader {
    /// `Authorization: Bearer …`.
    Bearer,
    /// A header of its own.
    Named(&'static str),
}

/// A server at an address, with its key.
pub(crate) struct Server {
    client: Client,
    base_url: Url,
    key: Option<ApiKey>,
    key_header: KeyHeader,
    headers: &'static [(&'static str, &'static str)],
    deadlines: Deadlines,
}

impl Server {
    /// `example` is what a right address looks like. Nothing is sent yet.
    ///
    /// # Errors
    /// `invalid_argument` when the address is none.
    pub(crate) fn new(
        base_url: &str,
        example: &str,
        key: Option<ApiKey>,
        key_header: KeyHeader,
        deadlines: Deadlines,
    ) -> Result<Self> {
        install_tls();
        let base_url = address::parse(base_url, example)?;
        let mut client = Client::builder()
            .connect_timeout(deadlines.connect)
            // A redirect would carry prompt and key to another server than the one that was configured.
            .redirect(reqwest::redirect::Policy::none());
        if address::is_loopback(&base_url) {
            // What stays on this machine must not pass through a proxy on another.
            client = client.no_proxy();
        }
        Ok(Self {
            client: client
                .build()
                .map_err(|error| Error::internal(format!("The HTTP client could not be built: {error}.")))?,
            base_url,
            key,
            key_header,
            headers: &[],
            deadlines,
        })
    }

    /// Sends these headers with every request.
    pub(crate) fn with_headers(mut self, headers: &'static [(&'static str, &'static str)]) -> Self {
        self.headers = headers;
        self
    }

    pub(crate) fn deadlines(&self) -> Deadlines {
        self.deadlines
    }

    /// The server as it is named to a person: without path, user or password.
    pub(crate) fn place(&self) -> String {
        address::place(&self.base_url)
    }

    pub(crate) fn remote_host(&self) -> Option<String> {
        address::remote_host(&self.base_url)
    }

    /// What the server answers to a question about itself.
    pub(crate) async fn get(&self, path: &str) -> Result<Value, Failure> {
        self.inquire(self.client.get(self.url(path)?)).await
    }

    /// The same for a server that wants such a question posted.
    pub(crate) async fn ask(&self, path: &str, body: &Value) -> Result<Value, Failure> {
        self.inquire(self.client.post(self.url(path)?).json(body)).await
    }

    /// No model is needed to answer these, so it does not take as long as a reply may.
    async fn inquire(&self, request: RequestBuilder) -> Result<Value, Failure> {
        let patience = self.deadlines.connect + self.deadlines.idle;
        self.in_time(patience, async {
            let response = self.send(request).await?;
            self.json(response).await
        })
        .await
    }

    /// The whole answer to a request.
    pub(crate) async fn post(&self, path: &str, body: &Value) -> Result<Value, Failure> {
        self.in_time(self.deadlines.first_token, async {
            let response = self.send(self.client.post(self.url(path)?).json(body)).await?;
            self.json(response).await
        })
        .await
    }

    /// An answer that is still to be read; it is one of success.
    pub(crate) async fn open(&self, path: &str, body: &Value) -> Result<Response, Failure> {
        self.in_time(
            self.deadlines.first_token,
            self.send(self.client.post(self.url(path)?).json(body)),
        )
        .await
    }

    /// The failure as what callers see. `model` is named where the server does not know it.
    pub(crate) fn error(&self, failure: Failure, model: &str) -> Error {
        match failure {
            Failure::Other(error) => error,
            Failure::Refusal(refusal) => refusal.error(&self.place(), model, self.key.as_ref()),
        }
    }

    /// An error object that came in the midst of a reply.
    pub(crate) fn error_in_reply(&self, body: &Value) -> Error {
        failure::in_reply(&self.place(), body, self.key.as_ref())
    }

    /// What answers is not what was expected.
    pub(crate) fn foreign(&self) -> Error {
        failure::foreign(&self.place())
    }

    async fn in_time<T>(
        &self,
        patience: Duration,
        asked: impl Future<Output = Result<T, Failure>>,
    ) -> Result<T, Failure> {
        tokio::time::timeout(patience, asked)
            .await
            .unwrap_or_else(|_| Err(failure::silent(&self.place()).into()))
    }

    fn url(&self, path: &str) -> Result<Url> {
        self.base_url
            .join(path)
            .map_err(|error| Error::internal(format!("The address of the model server could not be formed: {error}.")))
    }

    /// Sends a request; the response is one of success.
    async fn send(&self, mut request: RequestBuilder) -> Result<Response, Failure> {
        for (name, value) in self.headers {
            request = request.header(*name, *value);
        }
        if let Some(key) = &self.key {
            let (name, value) = match self.key_header {
                KeyHeader::Bearer => (header::AUTHORIZATION.as_str(), format!("Bearer {}", key.reveal())),
                KeyHeader::Named(name) => (name, key.reveal().to_owned()),
            };
            let mut value = header::HeaderValue::from_str(&value).map_err(|_| {
                Error::new(
                    ErrorCode::ModelRejected,
                    "The key for the model holds characters that a key cannot have.",
                )
            })?;
            value.set_sensitive(true);
            request = request.header(name, value);
        }
        let response = request
            .send()
            .await
            .map_err(|error| failure::of_connection(&self.place(), &error))?;
        if response.status().is_success() {
            return Ok(response);
        }
        Err(refusal(response).await.into())
    }

    async fn json(&self, response: Response) -> Result<Value, Failure> {
        let body = read(response, MOST_BYTES)
            .await
            .map_err(|()| failure::cut(&self.place()))?;
        serde_json::from_slice(&body).map_err(|_| self.foreign().into())
    }
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The address itself may hold a password.
        f.debug_struct("Server")
            .field("place", &self.place())
            .field("key", &self.key)
            .field("deadlines", &self.deadlines)
            .finish_non_exhaustive()
    }
}

/// The body, or an error when it breaks off or is longer than `most`.
pub(crate) async fn read(mut response: Response, most: usize) -> Result<Vec<u8>, ()> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|_| ())? {
        body.extend_from_slice(&chunk);
        if body.len() > most {
            return Err(());
        }
    }
    Ok(body)
}

async fn refusal(mut response: Response) -> Refusal {
    let status = response.status().as_u16();
    let headers = response.headers().clone();
    let mut body = Vec::new();
    while let Ok(Some(chunk)) = response.chunk().await {
        body.extend_from_slice(&chunk);
        if body.len() > MOST_REFUSAL_BYTES {
            break;
        }
    }
    Refusal::new(status, &headers, &body)
}

/// Makes ring the process's TLS implementation, unless one has been chosen. Every client here does it by itself.
pub fn install_tls() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // An error means that another one was installed before, which serves as well.
        let _ = rustls::crypto::ring::default_provider().install_default();
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_prints_neither_key_nor_password() {
        let key = Some(ApiKey::new("sk-secret".into()));
        let address = "http://user:secret@localhost:1/v1";
        let server = Server::new(address, address, key, KeyHeader::Bearer, Deadlines::default()).expect("is one");
        let printed = format!("{server:?}");
        assert!(
            printed.contains("http://localhost:1") && !printed.contains("secret"),
            "{printed}"
        );
    }
}
