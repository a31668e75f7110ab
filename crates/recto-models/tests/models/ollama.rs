//! What is particular to Ollama's own interface.

use crate::formats::{asked, body, client, hear, patient, serving, settings};
use recto_core::{ChatMessage, ChatRequest, ChatRole, ErrorCode, ModelLimits, ReplyFormat, Truncated};
use recto_models::{Provider, open_chat};
use recto_testkit::wire::Said;
use recto_testkit::{ScriptedResponse, ScriptedServer};
use serde_json::json;

fn prompt(words: usize) -> ChatRequest {
    ChatRequest {
        messages: vec![ChatMessage::new(ChatRole::User, "word ".repeat(words))],
        max_tokens: Some(100),
        ..ChatRequest::default()
    }
}

#[tokio::test]
async fn a_prompt_of_which_only_part_was_read_is_noticed() {
    for (read, is_lost) in [
        (Some(1300), false),
        (Some(1000), false),
        (Some(700), true),
        (Some(8192), true),
        (None, false),
    ] {
        let usage = read.map(|read| (read, 5));
        let server = serving(move |_| Said::text("Yes.").usage(usage).ollama());
        let heard = hear(&*client(Provider::Ollama, &server, patient()), &prompt(1000)).await;
        let lost = if is_lost { vec![Truncated::Prompt] } else { Vec::new() };
        assert_eq!(
            (heard.text.as_str(), heard.error, heard.lost),
            ("Yes.", None, lost),
            "{read:?}"
        );
    }
}

#[tokio::test]
async fn the_context_is_that_of_the_model_or_the_configured_one() {
    let server = serving(|_| Said::text("Yes.").ollama());
    let model = client(Provider::Ollama, &server, patient());
    assert_eq!(
        model.limits(),
        ModelLimits::default(),
        "nothing is asked before it is needed"
    );
    hear(&*model, &prompt(10)).await;
    assert_eq!(body(&server)["options"]["num_ctx"], 8192);
    hear(&*model, &prompt(30_000)).await;
    assert_eq!(
        asked(&server)[1].body["options"]["num_ctx"],
        40_960,
        "no more than the model has"
    );
    let told = ModelLimits {
        context_tokens: Some(40_960),
        schema: Some(true),
        tools: Some(true),
    };
    assert_eq!(model.limits(), told);
    assert_eq!(model.learn_limits().await, Ok(told));
    let shown = server
        .requests()
        .iter()
        .filter(|request| request.path == "/api/show")
        .count();
    assert_eq!(shown, 1, "the model is looked at once");

    let mut configured = settings(Provider::Ollama, &server, patient());
    configured.context_tokens = Some(20_000);
    let model = open_chat(&configured).expect("is set up");
    hear(&*model, &prompt(10)).await;
    assert_eq!(asked(&server)[2].body["options"]["num_ctx"], 20_000);
    assert_eq!(model.limits().context_tokens, Some(20_000));
}

#[tokio::test]
async fn a_model_that_is_not_there_is_named_with_the_remedy() {
    let server =
        ScriptedServer::responding(|_, _| ScriptedResponse::json(404, &json!({"error": "model 'scripted' not found"})));
    let heard = hear(&*client(Provider::Ollama, &server, patient()), &prompt(1)).await;
    let error = heard.error.expect("is missing");
    assert_eq!(error.code, ErrorCode::ModelRejected);
    assert!(error.message.contains("ollama pull scripted"), "{error}");
}

#[tokio::test]
async fn a_model_that_does_not_fit_into_memory_is_not_tried_again() {
    let message = json!({"error": "model requires more system memory (24.1 GiB) than is available (7.9 GiB)"});
    let server = serving(move |_| ScriptedResponse::json(500, &message));
    let error = hear(&*client(Provider::Ollama, &server, patient()), &prompt(1))
        .await
        .error
        .expect("does not fit");
    assert_eq!((error.code, error.retry_after), (ErrorCode::ModelRejected, None));
    assert!(error.message.contains("smaller model"), "{error}");
}

#[tokio::test]
async fn a_model_that_reasons_is_kept_from_it_where_the_reply_has_no_room() {
    let server = ScriptedServer::responding(|request, _| {
        if request.path == "/api/show" {
            return ScriptedResponse::json(200, &json!({"capabilities": ["completion", "thinking"]}));
        }
        Said::text("Yes.").ollama()
    });
    let model = client(Provider::Ollama, &server, patient());
    let long = ChatRequest {
        max_tokens: None,
        ..prompt(1)
    };
    let formed = ChatRequest {
        format: ReplyFormat::Schema {
            name: "answer".into(),
            schema: json!({"type": "object"}),
        },
        ..long.clone()
    };
    for request in [&long, &prompt(1), &formed] {
        hear(&*model, request).await;
    }
    let think: Vec<_> = asked(&server)
        .iter()
        .map(|request| request.body.get("think").cloned())
        .collect();
    assert_eq!(think, [None, Some(json!(false)), Some(json!(false))]);
}
