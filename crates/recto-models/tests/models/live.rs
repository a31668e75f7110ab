//! Against a server with a real model. To run it:
//!
//! ```text
//! RECTO_TEST_CHAT_URL=http://127.0.0.1:8080/v1 RECTO_TEST_CHAT_MODEL=qwen cargo test -p recto-models -- --ignored live
//! ```
//!
//! `RECTO_TEST_CHAT_PROVIDER` is `openai-compatible` unless set.

use crate::formats::{hear, patient};
use recto_core::{ChatEvent, ChatMessage, ChatRequest, ChatRole, ErrorCode, ReplyFormat, Truncated};
use recto_models::{ApiKey, ChatSettings, CheckKind, ProbeDepth, Provider, open_chat, probe_chat};
use serde_json::{Value, json};

fn settings() -> ChatSettings {
    let variable = |name: &str| std::env::var(format!("RECTO_TEST_CHAT_{name}")).ok();
    let provider = variable("PROVIDER").map_or(Provider::OpenAiCompatible, |name| name.parse().expect("is a provider"));
    ChatSettings {
        base_url: variable("URL"),
        key: variable("KEY").map(ApiKey::new),
        ..ChatSettings::new(provider, &variable("MODEL").expect("the model's name"))
    }
}

fn request(question: &str, max_tokens: u32) -> ChatRequest {
    ChatRequest {
        messages: vec![ChatMessage::new(ChatRole::User, question)],
        max_tokens: Some(max_tokens),
        ..ChatRequest::default()
    }
}

#[tokio::test]
#[ignore = "needs a chat server"]
async fn live_the_model_answers_in_text_and_in_form_and_reports_what_it_cost() {
    let model = open_chat(&settings()).expect("is set up");
    let heard = hear(&*model, &request("Name one colour of the rainbow.", 40)).await;
    assert_eq!(heard.error, None);
    assert!(!heard.text.trim().is_empty());
    let usage = heard.usage.expect("is reported");
    assert!(
        usage.input_tokens > Some(3) && usage.output_tokens > Some(0) && usage.calls >= 1,
        "{usage:?}"
    );

    let heard = hear(&*model, &request("Count from 1 to 500.", 8)).await;
    assert_eq!((heard.error, heard.lost), (None, vec![Truncated::Reply]));

    let schema = json!({"type": "object", "additionalProperties": false, "required": ["sections"],
        "properties": {"sections": {"type": "array", "items": {"type": "integer", "enum": [4, 9, 17]}}}});
    let formed = ChatRequest {
        format: ReplyFormat::Schema {
            name: "choice".into(),
            schema,
        },
        ..request(
            "Which of the sections 4 (cash), 9 (taxes), 17 (staff) is about taxes? Reply with JSON.",
            60,
        )
    };
    let heard = hear(&*model, &formed).await;
    assert_eq!(heard.error, None);
    let reply: Value = serde_json::from_str(&heard.text).expect("is JSON");
    let sections = reply["sections"].as_array().expect("is a list");
    assert!(
        sections
            .iter()
            .all(|section| [4, 9, 17].contains(&section.as_i64().unwrap_or(0))),
        "{reply}"
    );
}

#[tokio::test]
#[ignore = "needs a chat server"]
async fn live_a_prompt_that_is_too_long_is_refused_or_noticed() {
    let model = open_chat(&settings()).expect("is set up");
    let context = model
        .learn_limits()
        .await
        .expect("tells")
        .context_tokens
        .expect("is known");
    let heard = hear(&*model, &request(&"word ".repeat(context as usize * 2), 8)).await;
    let is_refused = heard
        .error
        .as_ref()
        .is_some_and(|error| error.code == ErrorCode::ContextOverflow);
    assert!(is_refused || heard.lost.contains(&Truncated::Prompt), "{heard:?}");
}

#[tokio::test]
#[ignore = "needs a chat server"]
async fn live_the_probe_finds_the_model() {
    let mut settings = settings();
    settings.deadlines = patient();
    let found = probe_chat(&settings, ProbeDepth::Try).await;
    assert!(found.is_usable(), "{found:#?}");
    assert_eq!(
        found.check(CheckKind::Schema).expect("was made").is_well,
        Some(true),
        "{found:#?}"
    );
    eprintln!("{found:#?}");
}

#[tokio::test]
#[ignore = "needs a chat server"]
async fn live_dropping_the_reply_leaves_the_server_free() {
    let model = open_chat(&settings()).expect("is set up");
    let mut stream = model
        .chat(&request("Count from 1 to 500.", 1500))
        .await
        .expect("answers");
    assert!(matches!(stream.next().await, Some(Ok(ChatEvent::Delta(_)))));
    drop(stream);
    let begun = std::time::Instant::now();
    assert_eq!(hear(&*model, &request("Name one colour.", 4)).await.error, None);
    eprintln!("the next reply took {:?}", begun.elapsed());
}
