//! The chat formats side by side: a client of each, and a server that says the same in each.

use recto_core::{ChatEvent, ChatModel, ChatRequest, Error, ToolCall, Truncated, Usage};
use recto_models::{ApiKey, ChatSettings, Deadlines, Provider, RetryPolicy, open_chat};
use recto_testkit::wire::Said;
use recto_testkit::{RecordedRequest, ScriptedResponse, ScriptedServer};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

pub(crate) const KEY: &str = "sk-secret-0123";

pub(crate) fn quick() -> Deadlines {
    Deadlines {
        connect: Duration::from_secs(2),
        first_token: Duration::from_millis(400),
        idle: Duration::from_millis(400),
    }
}

/// Long enough for a busy machine, where the deadline is not what is tested.
pub(crate) fn patient() -> Deadlines {
    Deadlines {
        connect: Duration::from_secs(10),
        first_token: Duration::from_secs(30),
        idle: Duration::from_secs(30),
    }
}

pub(crate) fn settings(provider: Provider, server: &ScriptedServer, deadlines: Deadlines) -> ChatSettings {
    let path = match provider {
        Provider::OpenAi | Provider::OpenAiCompatible => "/v1",
        Provider::Gemini => "/v1beta",
        Provider::Ollama | Provider::Anthropic => "",
    };
    ChatSettings {
        base_url: Some(format!("{}{path}", server.url())),
        key: Some(ApiKey::new(KEY.into())),
        deadlines,
        retries: RetryPolicy::never(),
        ..ChatSettings::new(provider, "scripted")
    }
}

pub(crate) fn client(provider: Provider, server: &ScriptedServer, deadlines: Deadlines) -> Arc<dyn ChatModel> {
    open_chat(&settings(provider, server, deadlines)).expect("is set up")
}

/// Answers what is asked about the model itself, and the n-th chat request with `chat(n)`.
pub(crate) fn serving(chat: impl Fn(usize) -> ScriptedResponse + Send + Sync + 'static) -> ScriptedServer {
    let asked = std::sync::atomic::AtomicUsize::new(0);
    ScriptedServer::responding(move |request, _| {
        if is_chat(request) {
            chat(asked.fetch_add(1, std::sync::atomic::Ordering::SeqCst))
        } else {
            shown(request)
        }
    })
}

pub(crate) fn is_chat(request: &RecordedRequest) -> bool {
    [
        "/chat/completions",
        "/api/chat",
        "/v1/messages",
        ":streamGenerateContent",
    ]
    .iter()
    .any(|path| request.path.contains(path))
}

/// What Ollama says of a model.
fn shown(request: &RecordedRequest) -> ScriptedResponse {
    if request.path == "/api/show" {
        let information = json!({"general.architecture": "qwen3", "qwen3.context_length": 40_960});
        return ScriptedResponse::json(
            200,
            &json!({"model_info": information, "capabilities": ["completion", "tools"]}),
        );
    }
    ScriptedResponse::json(404, &json!({"error": "no such path"}))
}

pub(crate) fn said(provider: Provider, said: &Said) -> ScriptedResponse {
    match provider {
        Provider::OpenAi | Provider::OpenAiCompatible => said.openai(),
        Provider::Ollama => said.ollama(),
        Provider::Anthropic => said.anthropic(),
        Provider::Gemini => said.gemini(),
    }
}

/// The chat requests a server got.
pub(crate) fn asked(server: &ScriptedServer) -> Vec<RecordedRequest> {
    let mut requests = server.requests();
    requests.retain(is_chat);
    requests
}

/// The body of the one chat request.
pub(crate) fn body(server: &ScriptedServer) -> Value {
    let requests = asked(server);
    assert_eq!(requests.len(), 1);
    requests[0].body.clone()
}

/// All of a reply.
#[derive(Debug, Default)]
pub(crate) struct Heard {
    pub(crate) text: String,
    pub(crate) calls: Vec<ToolCall>,
    pub(crate) lost: Vec<Truncated>,
    pub(crate) usage: Option<Usage>,
    pub(crate) error: Option<Error>,
}

/// Hears a reply to its end, and checks that it is one.
pub(crate) async fn hear(model: &dyn ChatModel, request: &ChatRequest) -> Heard {
    let mut heard = Heard::default();
    let mut stream = match model.chat(request).await {
        Ok(stream) => stream,
        Err(error) => {
            heard.error = Some(error);
            return heard;
        }
    };
    loop {
        match stream.next().await {
            Some(Ok(ChatEvent::Delta(delta))) => {
                assert!(!delta.is_empty());
                heard.text += &delta;
            }
            Some(Ok(ChatEvent::ToolCall(call))) => heard.calls.push(call),
            Some(Ok(ChatEvent::Truncated(part))) => heard.lost.push(part),
            Some(Ok(ChatEvent::Usage(usage))) => {
                assert!(heard.usage.replace(usage).is_none(), "usage comes at most once");
            }
            Some(Ok(ChatEvent::Done)) => break,
            Some(Err(error)) => {
                heard.error = Some(error);
                break;
            }
            None => panic!("a reply ends with done or an error"),
        }
    }
    assert!(stream.next().await.is_none(), "nothing follows the end");
    heard
}
