//! A written answer from a scripted model behind a real HTTP server.

use crate::support::{Desk, asking, harbour_report, is_terminal};
use recto_engine::contract::{AnswerStatus, AskEvent, BoxKind, Strategy, Verdict};
use recto_testkit::{ScriptedModel, ScriptedReply, Split};
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;

const QUESTION: &str = "How high was the highest tide of the year, and where was it read?";
const REPLY: &str = "The highest tide reached 4.87 metres above chart datum at Eskmouth [1]. It cost nothing [77].";

async fn desk(model: &ScriptedModel) -> Desk {
    let settings = format!("[model]\nbase_url = \"{}\"\nname = \"scripted\"\n", model.base_url());
    let desk = Desk::with_settings(&settings).await;
    desk.add(&[harbour_report()]).await;
    desk
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_split_at_every_byte_gives_the_same_answer_and_invented_markers_are_removed() {
    let model = ScriptedModel::replying(vec![
        ScriptedReply::text(REPLY),
        ScriptedReply::text(REPLY).split(Split::EveryByte),
    ]);
    let desk = desk(&model).await;
    let (whole, _) = desk.ask(QUESTION, Strategy::Passages).await;
    let (split, events) = desk.ask(QUESTION, Strategy::Passages).await;
    assert_eq!(whole.status, AnswerStatus::Answered);
    assert_eq!(whole.text, split.text);
    assert_eq!(whole.citations, split.citations);
    assert_eq!(whole.invalid_markers, 1, "[77] was never offered");
    assert!(!whole.text.contains("77"));
    let streamed: String = events
        .iter()
        .filter_map(|event| {
            if let AskEvent::Text { delta } = event {
                Some(delta.as_str())
            } else {
                None
            }
        })
        .collect();
    assert_eq!(streamed, split.text, "what was streamed is what is kept");
    let citation = &whole.citations[0];
    assert_ne!(citation.verdict, Verdict::NotLocated);
    assert!(citation.quote.contains("4.87 metres"), "{}", citation.quote);
    assert!(
        citation.numbers.found.iter().any(|number| number.contains("4.87")),
        "{:?}",
        citation.numbers
    );
    assert!(citation.boxes.iter().any(|at| at.kind == BoxKind::Quote));
    let sent = model.requests();
    assert_eq!(
        sent[0].prompt(),
        sent[1].prompt(),
        "the same question sends the same prompt"
    );
    desk.engine.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_without_markers_is_shown_as_uncited() {
    let model = ScriptedModel::replying(vec![ScriptedReply::text("It was high.")]);
    let desk = desk(&model).await;
    let (answer, _) = desk.ask(QUESTION, Strategy::Passages).await;
    assert_eq!((answer.status, answer.uncited), (AnswerStatus::Answered, true));
    assert_eq!(answer.citations, []);
    assert!(!answer.evidence.is_empty() && answer.evidence.iter().all(|evidence| !evidence.cited));
    desk.engine.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cut_connection_fails_and_keeps_what_was_shown() {
    let model = ScriptedModel::replying(vec![
        ScriptedReply::text(REPLY).split(Split::EveryByte).cut_after(6_000),
    ]);
    let desk = desk(&model).await;
    let (answer, events) = desk.ask(QUESTION, Strategy::Passages).await;
    assert_eq!(answer.status, AnswerStatus::Failed);
    assert_eq!(
        answer.error.as_ref().map(|error| error.code.as_str()),
        Some("model_unreachable")
    );
    assert!(
        !answer.text.is_empty() && REPLY.starts_with(answer.text.trim_end()),
        "{:?}",
        answer.text
    );
    assert_eq!(events.iter().filter(|event| is_terminal(event)).count(), 1);
    desk.engine.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn cancelling_stops_within_a_second_and_keeps_what_was_shown() {
    let slow = ScriptedReply::text(REPLY)
        .split(Split::EveryByte)
        .delay(Duration::from_millis(100));
    let model = ScriptedModel::replying(vec![slow]);
    let desk = desk(&model).await;
    let cancel = CancellationToken::new();
    let mut shown = String::new();
    let mut cancelled_at = None;
    let answer = desk
        .engine
        .ask(asking(QUESTION, Strategy::Passages), cancel.clone(), &mut |event| {
            if let AskEvent::Text { delta } = event {
                shown.push_str(&delta);
                if shown.len() > 5 && cancelled_at.is_none() {
                    cancelled_at = Some(Instant::now());
                    cancel.cancel();
                }
            }
        })
        .await
        .expect("the question was put");
    assert_eq!(answer.status, AnswerStatus::Cancelled);
    assert_eq!(answer.text, shown);
    let took = cancelled_at.expect("it was cancelled").elapsed();
    assert!(took < Duration::from_secs(1), "cancelling took {took:?}");
    desk.engine.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_not_there_is_a_failure_with_its_own_code() {
    let settings = "[model]\nbase_url = \"http://127.0.0.1:9/v1\"\nname = \"nobody\"\n";
    let desk = Desk::with_settings(settings).await;
    desk.add(&[harbour_report()]).await;
    let (answer, _) = desk.ask(QUESTION, Strategy::Passages).await;
    assert_eq!(
        answer.error.map(|error| error.code),
        Some("model_unreachable".to_owned())
    );
    desk.engine.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_missing_key_is_no_obstacle_to_quotes() {
    let settings =
        "[model]\nbase_url = \"http://127.0.0.1:9/v1\"\nname = \"nobody\"\napi_key_env = \"RECTO_TEST_NO_SUCH_KEY\"\n";
    let desk = Desk::with_settings(settings).await;
    desk.add(&[harbour_report()]).await;
    let (answer, _) = desk.ask(QUESTION, Strategy::Quotes).await;
    assert_eq!(answer.status, AnswerStatus::Answered);
    let error = desk
        .engine
        .ask(
            asking(QUESTION, Strategy::Passages),
            CancellationToken::new(),
            &mut |_| {},
        )
        .await;
    assert_eq!(
        error.expect_err("the key is missing").code.as_str(),
        "model_not_configured"
    );
    desk.engine.shutdown().await;
}
