//! Looking at a model before it is used: what works, each in a plain sentence.

use crate::chat::Client;
use crate::embedder::dimension;
use crate::provider::{ChatSettings, EmbedderSettings, embedding_server, open_client};
use recto_core::{
    ChatEvent, ChatMessage, ChatModel, ChatRequest, ChatRole, Error, ErrorCode, ModelLimits, ReplyFormat, Reranker,
    Result, Tool, ToolCall, Truncated,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::time::Duration;

/// A trial takes a local model long when it has to be loaded first.
const TRIAL_PATIENCE: Duration = Duration::from_secs(120);
/// Enough for a short call after some reasoning.
const TRIAL_TOKENS: u32 = 512;

/// What a check is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckKind {
    /// Whether the server answers.
    Reachable,
    /// Whether it offers the model.
    Model,
    /// How much the model reads.
    Context,
    /// Whether replies can be held to a JSON schema.
    Schema,
    /// Whether the model can ask for tools.
    Tools,
    /// How long vectors are.
    Dimension,
    /// Whether a reranker tells an answer from a text that is none.
    Ranking,
}

/// One thing that was looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Check {
    /// What it is about.
    pub kind: CheckKind,
    /// Whether it is well; `None` when that could not be found out.
    pub is_well: Option<bool>,
    /// A sentence for the person.
    pub sentence: String,
}

/// What was found out about a model.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct SetUp {
    /// The checks, in the order they were made. A server that does not answer ends them.
    pub checks: Vec<Check>,
    /// The models the server offers.
    pub models: Vec<String>,
    /// What is known of the chat model.
    pub limits: ModelLimits,
    /// Length of the embedding model's vectors.
    pub dimension: Option<u32>,
}

impl SetUp {
    /// The check of this kind, where it was made.
    #[must_use]
    pub fn check(&self, kind: CheckKind) -> Option<&Check> {
        self.checks.iter().find(|check| check.kind == kind)
    }

    /// Whether the model can be used as far as is known.
    #[must_use]
    pub fn is_usable(&self) -> bool {
        [
            CheckKind::Reachable,
            CheckKind::Model,
            CheckKind::Dimension,
            CheckKind::Ranking,
        ]
        .into_iter()
        .filter_map(|kind| self.check(kind))
        .all(|check| check.is_well != Some(false))
    }

    fn add(&mut self, kind: CheckKind, is_well: Option<bool>, sentence: impl Into<String>) {
        self.checks.push(Check {
            kind,
            is_well,
            sentence: sentence.into(),
        });
    }
}

/// How far a probe goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProbeDepth {
    /// The server is asked about itself.
    Ask,
    /// The model itself is asked two short questions as well, to see whether it keeps to a schema and uses a tool. That
    /// costs some tokens.
    Try,
}

/// Looks at a chat model.
pub async fn probe_chat(settings: &ChatSettings, depth: ProbeDepth) -> SetUp {
    let mut found = SetUp::default();
    let client = match open_client(settings) {
        Ok(client) => client,
        Err(error) => {
            found.add(CheckKind::Reachable, Some(false), error.message);
            return found;
        }
    };
    let has_model = look(&*client, settings, &mut found).await;
    if !has_model {
        return found;
    }
    let (schema, tools) = match depth {
        ProbeDepth::Ask => (found.limits.schema, found.limits.tools),
        ProbeDepth::Try => {
            let schema = in_time(keeps_to_schema(&*client)).await;
            let tools = if found.limits.tools == Some(false) {
                Ok(Some(false))
            } else {
                in_time(uses_tool(&*client)).await
            };
            (
                tell_trial(&mut found, CheckKind::Schema, schema),
                tell_trial(&mut found, CheckKind::Tools, tools),
            )
        }
    };
    found.limits.schema = schema;
    found.limits.tools = tools;
    if depth == ProbeDepth::Ask {
        tell(&mut found, CheckKind::Schema, schema);
        tell(&mut found, CheckKind::Tools, tools);
    }
    found
}

/// Whether the server answers, offers the model, and how much that reads. Returns whether there is a model to go on
/// with.
async fn look(client: &dyn Client, settings: &ChatSettings, found: &mut SetUp) -> bool {
    let probe = match client.probe().await {
        Ok(probe) => probe,
        Err(error) => {
            // One that refuses is reached, but that is of no use.
            found.add(CheckKind::Reachable, Some(false), error.message);
            return false;
        }
    };
    found.add(CheckKind::Reachable, Some(true), "The server answers.");
    let model = &settings.model;
    if probe.has_model {
        found.add(CheckKind::Model, Some(true), format!("It offers the model {model}."));
    } else {
        found.add(CheckKind::Model, Some(false), not_offered(model, &probe.models));
    }
    found.models = probe.models;
    found.limits = probe.limits;
    if !probe.has_model {
        return false;
    }
    match probe.limits.context_tokens {
        Some(tokens) if tokens < 4096 => found.add(
            CheckKind::Context,
            Some(false),
            format!("The model reads {tokens} tokens at a time, which is little: answers will rest on few passages."),
        ),
        Some(tokens) => found.add(
            CheckKind::Context,
            Some(true),
            format!("The model reads {tokens} tokens at a time."),
        ),
        None => found.add(
            CheckKind::Context,
            None,
            "The server does not say how much the model reads at a time. Set it in the settings if you know it.",
        ),
    }
    true
}

fn not_offered(model: &str, models: &[String]) -> String {
    const SHOWN: usize = 8;
    match models {
        [] => format!("It does not offer the model {model}, nor any other."),
        _ if models.len() <= SHOWN => format!("It does not offer the model {model}, but: {}.", models.join(", ")),
        _ => format!(
            "It does not offer the model {model}, but: {} and {} others.",
            models[..SHOWN].join(", "),
            models.len() - SHOWN
        ),
    }
}

fn tell(found: &mut SetUp, kind: CheckKind, is_well: Option<bool>) {
    let sentence = match (kind, is_well) {
        (CheckKind::Tools, Some(true)) => "The model can use tools.",
        (CheckKind::Tools, Some(false)) => "The model cannot use tools; the strategy agent is not for it.",
        (CheckKind::Tools, None) => "Whether the model can use tools is not known.",
        (_, Some(true)) => "Replies can be held to a form.",
        (_, Some(false)) => "Replies cannot be held to a form; Recto checks them and asks again.",
        (_, None) => "Whether replies can be held to a form is not known.",
    };
    found.add(kind, is_well, sentence);
}

fn tell_trial(found: &mut SetUp, kind: CheckKind, outcome: Result<Option<bool>>) -> Option<bool> {
    match outcome {
        Ok(is_well) => {
            tell(found, kind, is_well);
            is_well
        }
        Err(error) => {
            found.add(kind, None, error.message);
            None
        }
    }
}

async fn in_time<T>(trial: impl Future<Output = Result<T>>) -> Result<T> {
    let late = Error::transient(
        ErrorCode::TimedOut,
        "The model did not answer a trial question in time.",
    );
    tokio::time::timeout(TRIAL_PATIENCE, trial).await.unwrap_or(Err(late))
}

/// Whether a reply has the form it was asked for; `None` when it came to no end.
async fn keeps_to_schema(model: &dyn ChatModel) -> Result<Option<bool>> {
    let schema = json!({"type": "object", "additionalProperties": false, "required": ["number"],
        "properties": {"number": {"type": "integer", "enum": [41, 43]}}});
    let request = trial("Choose one of the numbers 41 and 43. Reply with JSON: {\"number\": …}");
    let said = ask(
        model,
        &ChatRequest {
            format: ReplyFormat::Schema {
                name: "choice".into(),
                schema,
            },
            ..request
        },
    )
    .await?;
    if said.is_cut_short {
        return Ok(None);
    }
    let is_held = model.limits().schema != Some(false);
    let number = serde_json::from_str::<Value>(&said.text).map(|reply| reply["number"].as_i64());
    Ok(Some(is_held && matches!(number, Ok(Some(41 | 43)))))
}

/// Whether the model asks for a tool when it should; `None` when the server took the tool but the model did without.
async fn uses_tool(model: &dyn ChatModel) -> Result<Option<bool>> {
    let request = ChatRequest {
        tools: vec![Tool {
            name: "weather".into(),
            description: "Tells the weather at a place. The only way to know it.".into(),
            parameters: json!({"type": "object", "required": ["place"], "additionalProperties": false,
                "properties": {"place": {"type": "string"}}}),
        }],
        ..trial("What is the weather in Oslo? Use the tool.")
    };
    match ask(model, &request).await {
        Ok(said) => Ok(said.calls.iter().any(|call| call.name == "weather").then_some(true)),
        Err(error) if error.code == ErrorCode::ModelRejected && !error.retryable => Ok(Some(false)),
        Err(error) => Err(error),
    }
}

fn trial(question: &str) -> ChatRequest {
    ChatRequest {
        messages: vec![ChatMessage::new(ChatRole::User, question)],
        max_tokens: Some(TRIAL_TOKENS),
        ..ChatRequest::default()
    }
}

#[derive(Default)]
struct Said {
    text: String,
    calls: Vec<ToolCall>,
    /// All of the tokens went into reasoning, perhaps.
    is_cut_short: bool,
}

/// The whole of a reply.
async fn ask(model: &dyn ChatModel, request: &ChatRequest) -> Result<Said> {
    let mut stream = model.chat(request).await?;
    let mut said = Said::default();
    while let Some(event) = stream.next().await {
        match event? {
            ChatEvent::Delta(delta) => said.text += &delta,
            ChatEvent::ToolCall(call) => said.calls.push(call),
            ChatEvent::Truncated(part) => said.is_cut_short |= part == Truncated::Reply,
            ChatEvent::Usage(_) | ChatEvent::Done => {}
        }
    }
    Ok(said)
}

/// Looks at an embedding model by embedding a word.
pub async fn probe_embedder(settings: &EmbedderSettings) -> SetUp {
    let mut found = SetUp::default();
    let asked = async {
        let (server, wire) = embedding_server(settings)?;
        dimension(&server, wire, &settings.model).await
    };
    let length = match asked.await {
        Ok(length) => length,
        Err(error) => {
            let kind = if error.code == ErrorCode::ModelRejected {
                CheckKind::Model
            } else {
                CheckKind::Reachable
            };
            if kind == CheckKind::Model {
                found.add(CheckKind::Reachable, Some(true), "The server answers.");
            }
            found.add(kind, Some(false), error.message);
            return found;
        }
    };
    found.dimension = Some(length);
    found.add(CheckKind::Reachable, Some(true), "The server answers.");
    found.add(
        CheckKind::Model,
        Some(true),
        format!("It offers the model {}.", settings.model),
    );
    match settings.dimension {
        Some(expected) if expected != length => found.add(
            CheckKind::Dimension,
            Some(false),
            format!("Its vectors have {length} numbers, not {expected} as set up."),
        ),
        _ => found.add(
            CheckKind::Dimension,
            Some(true),
            format!("Its vectors have {length} numbers."),
        ),
    }
    found
}

/// Looks at a reranker by having it rank an answer and a text that is none.
pub async fn probe_reranker(reranker: &dyn Reranker) -> SetUp {
    let mut found = SetUp::default();
    let texts = [
        "Bananas are rich in potassium.".to_owned(),
        "The capital of France is Paris.".to_owned(),
    ];
    match in_time(reranker.rank("What is the capital of France?", &texts)).await {
        Err(error) => {
            let is_there = matches!(error.code, ErrorCode::ModelRejected | ErrorCode::InvalidArgument);
            let kind = if is_there {
                CheckKind::Model
            } else {
                CheckKind::Reachable
            };
            found.add(kind, Some(false), error.message);
        }
        Ok(scores) => {
            found.add(CheckKind::Reachable, Some(true), "The reranker answers.");
            let is_well = matches!(scores.as_slice(), [other, answer] if answer > other);
            let sentence = if is_well {
                "It ranks an answer before a text that is none."
            } else {
                "It ranks a text that is no answer before one that is. Is it a reranker?"
            };
            found.add(CheckKind::Ranking, Some(is_well), sentence);
        }
    }
    found
}
