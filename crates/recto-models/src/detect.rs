//! Finding model servers on this machine.

use crate::chat::installed;
use crate::provider::Provider;
use crate::server::{Deadlines, KeyHeader, Server};
use futures::future::join_all;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// A program that serves models.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LocalServerKind {
    /// Ollama.
    Ollama,
    /// LM Studio.
    LmStudio,
    /// llama.cpp's server.
    LlamaCpp,
    /// vLLM.
    Vllm,
}

impl LocalServerKind {
    /// All of them with the ports they usually listen on.
    pub const USUAL_PORTS: [(Self, u16); 4] = [
        (Self::Ollama, 11434),
        (Self::LmStudio, 1234),
        (Self::LlamaCpp, 8080),
        (Self::Vllm, 8000),
    ];
}

/// A server that answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LocalServer {
    /// Which program usually listens there; others may.
    pub kind: LocalServerKind,
    /// Whose interface it has.
    pub provider: Provider,
    /// The address for the settings.
    pub base_url: String,
    /// The models it offers.
    pub models: Vec<String>,
}

/// Asks the usual ports of this machine, and no other, which models are served there. Takes two seconds at most.
pub async fn detect_local_servers() -> Vec<LocalServer> {
    detect_at(&LocalServerKind::USUAL_PORTS).await
}

/// The same with other ports; what answers comes in their order.
pub async fn detect_at(ports: &[(LocalServerKind, u16)]) -> Vec<LocalServer> {
    let asked = ports.iter().map(|&(kind, port)| async move {
        tokio::time::timeout(Duration::from_secs(2), ask(kind, port))
            .await
            .ok()
            .flatten()
    });
    join_all(asked).await.into_iter().flatten().collect()
}

async fn ask(kind: LocalServerKind, port: u16) -> Option<LocalServer> {
    let (provider, path) = match kind {
        LocalServerKind::Ollama => (Provider::Ollama, ""),
        _ => (Provider::OpenAiCompatible, "/v1"),
    };
    let base_url = format!("http://127.0.0.1:{port}{path}");
    let deadlines = Deadlines {
        connect: Duration::from_millis(500),
        ..Deadlines::default()
    };
    let server = Server::new(&base_url, &base_url, None, KeyHeader::Bearer, deadlines).ok()?;
    let models = match kind {
        LocalServerKind::Ollama => installed(&server).await.ok()?,
        _ => {
            let list = server.get("models").await.ok()?;
            let entries = list["data"].as_array()?;
            let id = |entry: &serde_json::Value| entry["id"].as_str().map(str::to_owned);
            entries.iter().filter_map(id).collect()
        }
    };
    Some(LocalServer {
        kind,
        provider,
        base_url,
        models,
    })
}
