//! Servers that send anything but what was agreed.

use crate::formats::{client, hear, patient, said, serving};
use recto_core::{ChatMessage, ChatRequest, ChatRole, ReplyFormat};
use recto_models::Provider;
use recto_testkit::ScriptedResponse;
use recto_testkit::wire::Said;
use serde_json::json;

fn question() -> ChatRequest {
    ChatRequest {
        messages: vec![ChatMessage::new(ChatRole::User, "Why?")],
        format: ReplyFormat::Schema {
            name: "answer".into(),
            schema: json!({"type": "array"}),
        },
        ..ChatRequest::default()
    }
}

/// A whole reply in this format, as one text.
fn body(provider: Provider) -> Vec<u8> {
    said(
        provider,
        &Said::text("Yes – é.")
            .thought("Hm.")
            .call("a", "answer", json!({"value": [1]}))
            .call("b", "weather", json!({"place": "Oslo"})),
    )
    .body()
}

#[tokio::test]
async fn a_damaged_reply_ends_in_an_error_or_not_but_ends() {
    for provider in Provider::ALL {
        let whole = body(provider);
        let kind = if provider == Provider::Ollama {
            "application/x-ndjson"
        } else {
            "text/event-stream"
        };
        let damages: Vec<Vec<u8>> = (0..whole.len())
            .step_by(3)
            .map(|at| {
                let mut damaged = whole.clone();
                damaged[at] = [b'0', b'"', b'{', b'\n', 0xff][at % 5];
                damaged
            })
            .collect();
        let count = damages.len();
        let server = serving(move |index| ScriptedResponse::stream(kind, [damages[index].clone()]));
        let model = client(provider, &server, patient());
        for _ in 0..count {
            // That there is one end, and nothing after it, is checked within.
            hear(&*model, &question()).await;
        }
    }
}

#[tokio::test]
async fn values_of_the_wrong_kind_are_passed_over_or_refused() {
    for provider in Provider::ALL {
        let bodies = [
            json!(null),
            json!([]),
            json!("text"),
            json!({"choices": 5, "message": [], "type": 7, "candidates": {}}),
            json!({"choices": [{"delta": {"content": {"a": 1}, "tool_calls": [1, {"function": 2}]}}]}),
            json!({"message": {"content": 1, "tool_calls": {"a": 1}}, "done": "yes"}),
            json!({"type": "content_block_start", "content_block": {"type": "tool_use", "input": 5}}),
            json!({"type": "content_block_delta", "delta": {"type": "input_json_delta", "partial_json": 5}}),
            json!({"candidates": [{"content": {"parts": [{"functionCall": {"name": 5}}, 6]}, "finishReason": 7}]}),
            json!({"usage": {"prompt_tokens": -1, "completion_tokens": 1e30}, "usageMetadata": {"promptTokenCount": "x"}}),
        ];
        let count = bodies.len();
        let server = serving(move |index| {
            let body = &bodies[index];
            let (kind, text) = match provider {
                Provider::Ollama => ("application/x-ndjson", format!("{body}\n")),
                _ => ("text/event-stream", format!("data: {body}\n\n")),
            };
            ScriptedResponse::stream(kind, [text])
        });
        let model = client(provider, &server, patient());
        for _ in 0..count {
            let heard = hear(&*model, &question()).await;
            assert!(heard.error.is_some(), "{provider}: none of these is a complete reply");
            assert_eq!(heard.text, "", "{provider}");
        }
    }
}
