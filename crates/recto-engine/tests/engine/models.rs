//! Setting up a chat model while the library is open.

use crate::support::{Desk, harbour_report};
use recto_engine::contract::{AnswerStatus, ChatModelSettings, Strategy};
use recto_testkit::{ScriptedModel, ScriptedReply};

const QUESTION: &str = "How high was the highest tide of the year?";

fn settings(base_url: &str) -> ChatModelSettings {
    ChatModelSettings {
        base_url: Some(base_url.to_owned()),
        name: Some("scripted".to_owned()),
        ..ChatModelSettings::default()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_set_up_in_the_window_answers_the_next_question_and_the_next_day() {
    let server = ScriptedModel::replying(vec![
        ScriptedReply::text("It was high [1]."),
        ScriptedReply::text("So [1]."),
    ]);
    let desk = Desk::new().await;
    desk.add(&[harbour_report()]).await;
    let (answer, _) = desk.ask(QUESTION, Strategy::Auto).await;
    assert_eq!(answer.strategy, Strategy::Quotes, "there is no model yet");

    let view = desk
        .engine
        .set_chat_model(settings(&server.base_url()))
        .await
        .expect("set up");
    assert_eq!(view.model.name.as_deref(), Some("scripted"));
    assert_eq!(desk.engine.status().models.chat_model.as_deref(), Some("scripted"));
    assert_eq!(desk.engine.status().models.remote_host, None, "it is on this machine");
    let (answer, _) = desk.ask(QUESTION, Strategy::Passages).await;
    assert_eq!(
        (answer.status, answer.model.as_deref()),
        (AnswerStatus::Answered, Some("scripted"))
    );

    let desk = desk.reopen().await;
    let (answer, _) = desk.ask(QUESTION, Strategy::Passages).await;
    assert_eq!(answer.status, AnswerStatus::Answered, "{:?}", answer.error);
    desk.engine
        .set_chat_model(ChatModelSettings::default())
        .await
        .expect("taken away");
    assert_eq!(desk.engine.status().models.chat_model, None);
    desk.engine.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_used_is_refused_and_nothing_is_changed() {
    let desk = Desk::new().await;
    let sound = settings("http://localhost:1/v1");
    desk.engine.set_chat_model(sound.clone()).await.expect("set up");
    let wrong = [
        ChatModelSettings {
            provider: Some("bard".to_owned()),
            ..sound.clone()
        },
        ChatModelSettings {
            base_url: Some("ftp://host".to_owned()),
            ..sound.clone()
        },
        ChatModelSettings {
            api_key_env: Some("sk-verysecret".to_owned()),
            ..sound.clone()
        },
    ];
    for wrong in wrong {
        let error = desk.engine.set_chat_model(wrong).await.expect_err("refused");
        assert_eq!(error.code.as_str(), "invalid_argument");
        assert!(!error.message.contains("verysecret"), "{}", error.message);
    }
    assert_eq!(desk.engine.settings_view().await.expect("read").model, sound);
    desk.engine.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_does_not_answer_is_a_finding_and_not_an_error() {
    let desk = Desk::new().await;
    let found = desk
        .engine
        .probe_chat_model(settings("http://127.0.0.1:9/v1"), false)
        .await
        .expect("looked");
    assert!(!found.usable);
    assert_eq!(found.checks[0].kind, "reachable");
    assert_eq!(found.checks[0].is_well, Some(false));
    let error = desk
        .engine
        .probe_chat_model(ChatModelSettings::default(), false)
        .await
        .expect_err("nothing is named");
    assert_eq!(error.code.as_str(), "model_not_configured");
    desk.engine.shutdown().await;
}
