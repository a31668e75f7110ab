//! Asking again, and not too much at a time.

use crate::formats::{client, hear, patient, said, serving, settings};
use async_trait::async_trait;
use recto_core::{ChatEvent, ChatMessage, ChatModel, ChatRequest, ChatRole, ErrorCode};
use recto_models::{Limiter, Pace, Provider, RetryPolicy, Retrying, open_chat};
use recto_testkit::wire::Said;
use recto_testkit::{ScriptedModel, ScriptedReply, ScriptedResponse};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Waits at once, and remembers how long.
struct FakePace {
    begun: Instant,
    waits: Mutex<Vec<Duration>>,
}

impl FakePace {
    fn new() -> Arc<Self> {
        Arc::new(Self {
            begun: Instant::now(),
            waits: Mutex::default(),
        })
    }

    fn waits(&self) -> Vec<Duration> {
        self.waits.lock().expect("is whole").clone()
    }
}

#[async_trait]
impl Pace for FakePace {
    fn now(&self) -> Instant {
        self.begun + self.waits().iter().sum::<Duration>()
    }

    async fn wait(&self, time: Duration) {
        self.waits.lock().expect("is whole").push(time);
    }

    fn jitter(&self) -> f64 {
        1.0
    }
}

fn question() -> ChatRequest {
    ChatRequest {
        messages: vec![ChatMessage::new(ChatRole::User, "Why?")],
        ..ChatRequest::default()
    }
}

fn status(status: u16) -> ScriptedResponse {
    ScriptedResponse::json(status, &json!({"error": {}}))
}

#[tokio::test]
async fn a_busy_server_is_asked_again_and_every_try_counts() {
    for provider in Provider::ALL {
        let server = serving(move |index| match index {
            0 => status(429).header("retry-after", "7"),
            1 => status(408),
            2 => status(503),
            _ => said(provider, &Said::text("Yes.")),
        });
        let pace = FakePace::new();
        let model = client(provider, &server, patient());
        let model = Retrying::with_pace(model, RetryPolicy::default(), pace.clone());
        let heard = hear(&model, &question()).await;
        assert_eq!((heard.text.as_str(), heard.error), ("Yes.", None), "{provider}");
        let usage = heard.usage.expect("is reported");
        assert_eq!((usage.calls, usage.input_tokens), (4, Some(100)), "{provider}");
        assert_eq!(
            pace.waits(),
            [
                Duration::from_millis(7100),
                Duration::from_secs(2),
                Duration::from_secs(4)
            ],
            "{provider}: what is asked for, then back-off"
        );
    }
}

#[tokio::test]
async fn tries_without_success_are_told_with_their_cost() {
    let server = serving(|_| status(500));
    let pace = FakePace::new();
    let policy = RetryPolicy {
        tries: 3,
        ..RetryPolicy::default()
    };
    let model = Retrying::with_pace(client(Provider::OpenAi, &server, patient()), policy, pace.clone());
    let heard = hear(&model, &question()).await;
    assert_eq!(heard.error.expect("fails").code, ErrorCode::ModelUnreachable);
    let usage = heard.usage.expect("is told");
    assert_eq!((usage.calls, usage.input_tokens, usage.output_tokens), (3, None, None));
    assert_eq!(pace.waits().len(), 2);
}

#[tokio::test]
async fn usage_that_the_model_does_not_report_still_counts_the_tries() {
    let server = serving(|index| match index {
        0 => status(429),
        _ => Said::text("Yes.").usage(None).openai(),
    });
    let model = client(Provider::OpenAi, &server, patient());
    let model = Retrying::with_pace(model, RetryPolicy::default(), FakePace::new());
    let heard = hear(&model, &question()).await;
    assert_eq!(heard.text, "Yes.");
    let usage = heard.usage.expect("is told");
    assert_eq!((usage.calls, usage.input_tokens), (2, None));
}

#[tokio::test]
async fn what_will_not_pass_by_itself_is_not_tried_again() {
    for (reply, code) in [
        (status(401), ErrorCode::ModelRejected),
        (status(404), ErrorCode::ModelRejected),
        (status(400), ErrorCode::ModelRejected),
        (status(413), ErrorCode::ContextOverflow),
        (status(429).header("retry-after", "3600"), ErrorCode::ModelRejected),
        (Said::text("Yes.").openai().cut_after(0), ErrorCode::ModelUnreachable),
    ] {
        let server = serving(move |_| reply.clone());
        let pace = FakePace::new();
        let model = client(Provider::OpenAi, &server, patient());
        let model = Retrying::with_pace(model, RetryPolicy::default(), pace.clone());
        let error = hear(&model, &question()).await.error.expect("fails");
        assert_eq!(error.code, code);
        assert_eq!((server.requests().len(), pace.waits().len()), (1, 0), "{error}");
    }
}

#[tokio::test]
async fn a_reply_that_has_begun_is_never_repeated() {
    let event = |body: Value| format!("data: {body}\n\n");
    let error = event(json!({"error": {"code": 502}}));
    let server = serving(move |index| {
        let mut pieces = vec![
            event(json!({"choices": [{"delta": {"content": "Yes"}}]})),
            error.clone(),
        ];
        if index == 0 {
            pieces.remove(0);
        }
        ScriptedResponse::stream("text/event-stream", pieces)
    });
    let model = client(Provider::OpenAi, &server, patient());
    let model = Retrying::with_pace(model, RetryPolicy::default(), FakePace::new());
    let heard = hear(&model, &question()).await;
    assert_eq!(heard.text, "Yes", "the text comes once");
    assert!(heard.error.expect("breaks").retryable);
    assert_eq!(
        server.requests().len(),
        2,
        "an error before any text is tried again, one after it is not"
    );
}

#[tokio::test]
async fn only_so_many_replies_come_in_at_a_time() {
    let server = ScriptedModel::responding(|_, _| {
        let split = recto_testkit::Split::At(vec![1]);
        ScriptedReply::text("ab").split(split).delay(Duration::from_millis(200))
    });
    let limiter = Limiter::new(2);
    let open = |provider| {
        let nobody = serving(|_| status(500));
        let mut settings = settings(provider, &nobody, patient());
        settings.base_url = Some(server.base_url());
        settings.limiter = Some(limiter.clone());
        open_chat(&settings).expect("is set up")
    };
    // Two models share the limit.
    let models = [open(Provider::OpenAi), open(Provider::OpenAiCompatible)];
    let mut first = models[0].chat(&question()).await.expect("answers");
    let second = models[1].chat(&question()).await.expect("answers");
    let third = tokio::spawn({
        let model = Arc::clone(&models[0]);
        async move { model.chat(&question()).await.map(drop) }
    });
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert_eq!(server.requests().len(), 2, "the third waits");
    drop(second);
    third.await.expect("runs").expect("answers");
    assert_eq!(server.requests().len(), 3, "a dropped reply makes room");
    while first.next().await.is_some_and(|event| event != Ok(ChatEvent::Done)) {}
    let model: &dyn ChatModel = &*models[1];
    assert_eq!(
        hear(model, &question()).await.text,
        "ab",
        "a finished reply makes room, though it is still held"
    );
}
