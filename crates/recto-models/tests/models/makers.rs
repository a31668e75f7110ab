//! What is particular to Gemini and Anthropic: which models take which fields.

use crate::formats::{asked, client, hear, patient, said, serving};
use recto_core::{ChatMessage, ChatRequest, ChatRole, ErrorCode, ReplyFormat};
use recto_models::Provider;
use recto_testkit::ScriptedResponse;
use recto_testkit::wire::Said;
use serde_json::json;

fn question() -> ChatRequest {
    ChatRequest {
        messages: vec![ChatMessage::new(ChatRole::User, "Why?")],
        max_tokens: Some(64),
        ..ChatRequest::default()
    }
}

#[tokio::test]
async fn a_model_that_cannot_be_kept_from_reasoning_gets_room_for_it() {
    let refusal = json!({"error": {"code": 400, "status": "INVALID_ARGUMENT",
        "message": "Budget 0 is invalid. This model only works in thinking mode."}});
    let server = serving(move |index| match index {
        0 => ScriptedResponse::json(400, &refusal),
        _ => said(Provider::Gemini, &Said::text("Yes.")),
    });
    let model = client(Provider::Gemini, &server, patient());
    for calls in [2, 1] {
        let heard = hear(&*model, &question()).await;
        assert_eq!((heard.text.as_str(), heard.error), ("Yes.", None));
        assert_eq!(heard.usage.expect("is reported").calls, calls);
    }
    let settings: Vec<_> = asked(&server)
        .iter()
        .map(|request| request.body["generationConfig"].clone())
        .collect();
    assert_eq!(settings[0]["thinkingConfig"], json!({"thinkingBudget": 0}));
    for settings in &settings[1..] {
        assert_eq!(settings, &json!({"temperature": 0.0, "maxOutputTokens": 64 + 2048}));
    }
}

#[tokio::test]
async fn what_a_filter_withholds_is_said() {
    for body in [
        json!({"promptFeedback": {"blockReason": "SAFETY"}}),
        json!({"candidates": [{"finishReason": "SAFETY"}]}),
        json!({"candidates": [{"finishReason": "RECITATION"}]}),
        json!({"candidates": [{"finishReason": "MALFORMED_FUNCTION_CALL"}]}),
    ] {
        let event = format!("data: {body}\n\n");
        let server = serving(move |_| ScriptedResponse::stream("text/event-stream", [event.clone()]));
        let error = hear(&*client(Provider::Gemini, &server, patient()), &question())
            .await
            .error;
        let error = error.expect("is withheld");
        assert_eq!((error.code, error.retryable), (ErrorCode::ModelRejected, false));
        assert!(error.message.contains("stopped the reply: "), "{error}");
    }
}

#[tokio::test]
async fn anthropic_models_without_temperature_are_asked_without() {
    let refusal = json!({"type": "error", "error": {"type": "invalid_request_error",
        "message": "`temperature` is deprecated for this model."}});
    let server = serving(move |index| match index {
        0 => ScriptedResponse::json(400, &refusal),
        _ => said(Provider::Anthropic, &Said::text("Yes.")),
    });
    let model = client(Provider::Anthropic, &server, patient());
    let heard = hear(&*model, &question()).await;
    assert_eq!(
        (heard.text.as_str(), heard.usage.map(|usage| usage.calls)),
        ("Yes.", Some(2))
    );
    assert_eq!(asked(&server)[0].body["temperature"].to_string(), "0.0");
    assert!(asked(&server)[1].body.get("temperature").is_none());
}

#[tokio::test]
async fn anthropic_gives_a_reply_that_is_no_object_without_its_wrapping() {
    let request = ChatRequest {
        format: ReplyFormat::Schema {
            name: "sections".into(),
            schema: json!({"type": "array", "items": {"type": "integer"}}),
        },
        ..question()
    };
    let reply = Said::text("").call("a", "sections", json!({"value": [3, 12]}));
    let server = serving(move |_| reply.anthropic());
    let heard = hear(&*client(Provider::Anthropic, &server, patient()), &request).await;
    assert_eq!((heard.text.as_str(), heard.error), ("[3,12]", None));
    let schema = &asked(&server)[0].body["tools"][0]["input_schema"];
    assert_eq!(schema["type"], "object");
    assert_eq!(schema["properties"]["value"]["type"], "array");
}

#[tokio::test]
async fn anthropic_counts_what_is_read_from_its_cache_as_read() {
    let start = json!({"type": "message_start", "message": {"usage": {"input_tokens": 10,
        "cache_read_input_tokens": 90, "cache_creation_input_tokens": 5, "output_tokens": 1}}});
    let end = json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"},
        "usage": {"input_tokens": 10, "output_tokens": 7}});
    let events = [start, end, json!({"type": "message_stop"})].map(|body| format!("data: {body}\n\n"));
    let server = serving(move |_| ScriptedResponse::stream("text/event-stream", events.clone()));
    let usage = hear(&*client(Provider::Anthropic, &server, patient()), &question())
        .await
        .usage;
    let usage = usage.expect("is reported");
    assert_eq!((usage.input_tokens, usage.output_tokens), (Some(105), Some(7)));
}
