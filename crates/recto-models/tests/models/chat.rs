//! The client of chat completions, and what is particular to that format.

use crate::formats::{hear, patient, quick};
use recto_core::{ChatEvent, ChatMessage, ChatModel, ChatRequest, ChatRole, Error, ErrorCode, ReplyFormat, Usage};
use recto_models::{Anthropic, ApiKey, Deadlines, Gemini, Ollama, OpenAiCompatible};
use recto_testkit::{Ending, ScriptedModel, ScriptedReply, Split};
use serde_json::json;
use std::time::{Duration, Instant};

const TEXT: &str = "Net sales rose 4 % [3], “mostly” in Asia [12, 15].";

fn client(base_url: &str, deadlines: Deadlines) -> OpenAiCompatible {
    OpenAiCompatible::new(base_url, "scripted", Some(ApiKey::new("sk-secret".into())), deadlines)
        .expect("is an address")
}

fn question() -> ChatRequest {
    ChatRequest {
        messages: vec![
            ChatMessage::new(ChatRole::System, "Cite."),
            ChatMessage::new(ChatRole::User, "Why?"),
        ],
        ..ChatRequest::default()
    }
}

/// All of a reply: its text, its usage, and whether it was done or how it failed.
async fn ask(client: &OpenAiCompatible) -> (String, Option<Usage>, Result<(), Error>) {
    let (mut text, mut usage) = (String::new(), None);
    let mut stream = match client.chat(&question()).await {
        Ok(stream) => stream,
        Err(error) => return (text, usage, Err(error)),
    };
    loop {
        match stream.next().await {
            Some(Ok(ChatEvent::Delta(delta))) => text += &delta,
            Some(Ok(ChatEvent::Usage(cost))) => {
                assert!(usage.replace(cost).is_none(), "usage comes at most once");
            }
            Some(Ok(event @ (ChatEvent::ToolCall(_) | ChatEvent::Truncated(_)))) => panic!("unexpected {event:?}"),
            Some(Ok(ChatEvent::Done)) => {
                assert!(stream.next().await.is_none(), "nothing follows the end");
                return (text, usage, Ok(()));
            }
            Some(Err(error)) => {
                assert!(stream.next().await.is_none(), "nothing follows an error");
                return (text, usage, Err(error));
            }
            None => panic!("a reply ends with done or an error"),
        }
    }
}

async fn ask_scripted(reply: ScriptedReply) -> (String, Option<Usage>, Result<(), Error>) {
    let server = ScriptedModel::replying(vec![reply]);
    ask(&client(&server.base_url(), patient())).await
}

#[tokio::test]
async fn a_reply_is_the_same_however_it_is_cut_up() {
    let all_splits = (0..=TEXT.len()).map(|offset| Split::At(vec![offset]));
    for split in all_splits.chain([Split::Whole, Split::EveryByte]) {
        let reply = ScriptedReply::text(TEXT).split(split.clone());
        let (text, usage, outcome) = ask_scripted(reply).await;
        outcome.expect("is complete");
        assert_eq!(text, TEXT, "{split:?}");
        let usage = usage.expect("is reported");
        assert_eq!(
            (usage.input_tokens, usage.output_tokens, usage.calls),
            (Some(100), Some(10), 1)
        );
    }
}

#[tokio::test]
async fn what_goes_over_the_wire_is_what_was_asked() {
    let server = ScriptedModel::replying(vec![ScriptedReply::text("Yes."), ScriptedReply::text("Yes.")]);
    let client = client(&server.base_url(), patient());
    ask(&client).await.2.expect("is complete");
    let warm = ChatRequest {
        temperature: 0.1,
        max_tokens: Some(64),
        ..question()
    };
    let _stream = client.chat(&warm).await.expect("answers");

    let requests = server.requests();
    assert_eq!(requests[0].path, "/v1/chat/completions");
    assert_eq!(requests[0].header("authorization"), Some("Bearer sk-secret"));
    assert_eq!(
        requests[0].body,
        json!({
            "model": "scripted",
            "messages": [{"role": "system", "content": "Cite."}, {"role": "user", "content": "Why?"}],
            "temperature": 0.0,
            "stream": true,
            "stream_options": {"include_usage": true},
        })
    );
    assert_eq!(requests[1].body["temperature"].to_string(), "0.1");
    assert_eq!(requests[1].body["max_tokens"], 64);
}

#[tokio::test]
async fn a_reply_without_usage_has_unknown_usage() {
    let (text, usage, outcome) = ask_scripted(ScriptedReply::text("Yes.").usage(None)).await;
    outcome.expect("is complete");
    assert_eq!((text.as_str(), usage), ("Yes.", None));
}

#[tokio::test]
async fn a_cut_reply_is_an_error_and_loses_nothing_received() {
    // The first event holds the text, so any cut after it keeps the text.
    for close_delimited in [false, true] {
        let whole = ScriptedReply::text(TEXT).split(Split::At(vec![20]));
        let mut texts = Vec::new();
        for cut in [0, 1, 7, 150, 220, 300, 420] {
            let mut reply = whole.clone().cut_after(cut);
            if close_delimited {
                reply = reply.close_delimited();
            }
            let (text, _, outcome) = ask_scripted(reply).await;
            let error = outcome.expect_err("is not complete");
            assert_eq!(error.code, ErrorCode::ModelUnreachable, "cut at {cut}");
            assert!(error.retryable && TEXT.starts_with(&text));
            texts.push(text);
        }
        assert_eq!(texts[0], "");
        assert!(
            texts.last().is_some_and(|text| text.len() >= 20),
            "what came before the cut is there: {texts:?}"
        );
    }
}

#[tokio::test]
async fn a_server_that_closes_without_saying_done_after_its_last_choice_is_complete() {
    // Everything up to the empty line after the finish reason.
    let reply = ScriptedReply::text("Yes.").usage(None).close_delimited();
    let server = ScriptedModel::replying(vec![reply.clone()]);
    let whole = body_of(&server).await;
    let done = whole.find("data: [DONE]").expect("has an end");
    let (text, _, outcome) = ask_scripted(reply.cut_after(done)).await;
    outcome.expect("is complete");
    assert_eq!(text, "Yes.");
}

async fn body_of(server: &ScriptedModel) -> String {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let address = server.base_url().replace("http://", "").replace("/v1", "");
    let mut stream = tokio::net::TcpStream::connect(address).await.expect("connects");
    let body = r#"{"stream": true, "model": "scripted"}"#;
    let request = format!(
        "POST /v1/chat/completions HTTP/1.1\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).await.expect("writes");
    let mut response = String::new();
    stream.read_to_string(&mut response).await.expect("reads");
    response.split_once("\r\n\r\n").expect("has a body").1.to_owned()
}

#[tokio::test]
async fn refusals_have_codes_and_sentences_without_the_key() {
    let echo = json!({"error": {"message": "bad key sk-secret in: Why?", "code": "some_code"}});
    for (status, code) in [
        (400, ErrorCode::ModelRejected),
        (401, ErrorCode::ModelRejected),
        (404, ErrorCode::ModelRejected),
        (429, ErrorCode::ModelRejected),
        (503, ErrorCode::ModelUnreachable),
    ] {
        let (_, _, outcome) = ask_scripted(ScriptedReply::status(status, &echo)).await;
        let error = outcome.expect_err("is refused");
        assert_eq!(error.code, code, "{status}");
        assert!(
            error.message.contains(&status.to_string()) && error.message.contains("some_code"),
            "{error}"
        );
        assert!(
            !error.message.contains("secret") && !error.message.contains("Why"),
            "{error}"
        );
    }
    let long = json!({"error": {"code": "context_length_exceeded"}});
    let (_, _, outcome) = ask_scripted(ScriptedReply::status(400, &long)).await;
    assert_eq!(outcome.expect_err("is refused").code, ErrorCode::ContextOverflow);
    let (_, _, outcome) = ask_scripted(ScriptedReply::raw(200, "<html>Sign in</html>")).await;
    assert_eq!(outcome.expect_err("is no reply").code, ErrorCode::ModelRejected);
}

#[tokio::test]
async fn a_redirect_is_not_followed_with_prompt_and_key() {
    let other = ScriptedModel::replying(vec![ScriptedReply::text("Trap.")]);
    let target = format!("{}/chat/completions", other.base_url());
    let (_, _, outcome) = ask_scripted(ScriptedReply::raw(307, "").header("location", &target)).await;
    assert_eq!(outcome.expect_err("is refused").code, ErrorCode::ModelRejected);
    assert!(other.requests().is_empty());
}

#[tokio::test]
async fn an_error_in_the_midst_of_a_reply_is_one() {
    let body = "data: {\"choices\":[{\"delta\":{\"content\":\"Yes\"}}]}\n\ndata: {\"error\":{\"message\":\"x\"}}\n\n";
    let reply = ScriptedReply::raw(200, body).header("content-type", "text/event-stream");
    let (_, _, outcome) = ask_scripted(reply).await;
    assert_eq!(outcome.expect_err("fails").code, ErrorCode::ModelRejected);
}

#[tokio::test]
async fn a_reply_in_one_piece_is_taken_too() {
    let body = json!({"choices": [{"message": {"role": "assistant", "content": TEXT}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 7, "completion_tokens": 3}});
    let (text, usage, outcome) = ask_scripted(ScriptedReply::status(200, &body)).await;
    outcome.expect("is complete");
    assert_eq!(
        (text.as_str(), usage.and_then(|usage| usage.input_tokens)),
        (TEXT, Some(7))
    );
}

#[tokio::test]
async fn silence_ends_at_the_deadline_before_and_between_tokens() {
    let before = ScriptedReply::text("Yes.").first_delay(Duration::from_secs(30));
    let between = ScriptedReply::text("Yes.")
        .split(Split::At(vec![2]))
        .delay(Duration::from_secs(30));
    for (reply, received) in [(before, ""), (between, "Ye")] {
        let begun = Instant::now();
        let server = ScriptedModel::replying(vec![reply]);
        let (text, _, outcome) = ask(&client(&server.base_url(), quick())).await;
        assert_eq!(outcome.expect_err("is silent").code, ErrorCode::ModelUnreachable);
        assert_eq!(text, received);
        assert!(begun.elapsed() < Duration::from_secs(5));
    }
}

#[tokio::test]
async fn dropping_the_stream_closes_the_connection_within_a_second() {
    let reply = ScriptedReply::text("one two")
        .split(Split::At(vec![3]))
        .delay(Duration::from_secs(60));
    let server = ScriptedModel::replying(vec![reply]);
    let client = client(&server.base_url(), Deadlines::default());
    let mut stream = client.chat(&question()).await.expect("answers");
    assert_eq!(stream.next().await, Some(Ok(ChatEvent::Delta("one".into()))));
    drop(stream);
    let endings = server.wait_for_endings(1, Duration::from_secs(1)).await;
    assert_eq!(endings, [Ending::ClientGone]);
}

#[tokio::test]
async fn a_server_that_is_not_there_is_unreachable() {
    let port = {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("binds");
        listener.local_addr().expect("has an address").port()
    };
    let client = client(&format!("http://user:hidden@127.0.0.1:{port}/v1"), patient());
    let (_, _, outcome) = ask(&client).await;
    let error = outcome.expect_err("is not there");
    assert_eq!(error.code, ErrorCode::ModelUnreachable);
    assert!(
        error.message.contains(&format!("127.0.0.1:{port}")) && !error.message.contains("hidden"),
        "{error}"
    );
    assert_eq!(
        client.probe().await.expect_err("is not there").code,
        ErrorCode::ModelUnreachable
    );
}

#[tokio::test]
async fn a_probe_lists_the_models_and_says_whether_ours_is_there() {
    let server = ScriptedModel::replying(Vec::new());
    let probe = client(&server.base_url(), patient()).probe().await.expect("answers");
    assert_eq!(probe.models, ["scripted", "other"]);
    assert!(probe.has_model);
    let absent = OpenAiCompatible::new(&server.base_url(), "absent", None, patient()).expect("is an address");
    assert!(!absent.probe().await.expect("answers").has_model);
}

#[test]
fn no_client_prints_its_key() {
    let (url, key) = ("http://user:secret@localhost:1/v1", || {
        Some(ApiKey::new("sk-secret".into()))
    });
    let deadlines = patient();
    let printed = [
        format!("{:?}", OpenAiCompatible::new(url, "m", key(), deadlines)),
        format!("{:?}", OpenAiCompatible::openai(url, "m", key(), deadlines)),
        format!("{:?}", Ollama::new(url, "m", key(), None, deadlines)),
        format!("{:?}", Anthropic::new(url, "m", key(), deadlines)),
        format!("{:?}", Gemini::new(url, "m", key(), deadlines)),
    ];
    for printed in printed {
        assert!(
            printed.contains("http://localhost:1") && !printed.contains("secret"),
            "{printed}"
        );
    }
}

#[tokio::test]
async fn fields_that_a_server_does_not_take_are_left_out_from_then_on() {
    let refusal = |error: serde_json::Value| ScriptedReply::status(400, &json!({ "error": error }));
    let server = ScriptedModel::replying(vec![
        refusal(json!({"code": "unsupported_value", "param": "temperature", "message": "Only the default (1)."})),
        refusal(json!({"code": "unsupported_parameter",
            "message": "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."})),
        refusal(json!({"message": "This response_format type is unavailable now"})),
        ScriptedReply::text("{}"),
        ScriptedReply::text("{}"),
    ]);
    let client = client(&server.base_url(), patient());
    assert_eq!(ChatModel::limits(&client).schema, None);
    let request = ChatRequest {
        max_tokens: Some(9),
        format: ReplyFormat::Schema {
            name: "answer".into(),
            schema: json!({"type": "object"}),
        },
        ..question()
    };
    for calls in [4, 1] {
        let heard = hear(&client, &request).await;
        assert_eq!((heard.text.as_str(), heard.error), ("{}", None));
        assert_eq!(heard.usage.expect("is reported").calls, calls, "refused calls count");
    }
    let last = server.requests().pop().expect("was asked").body;
    assert_eq!(last["response_format"], json!({"type": "json_object"}));
    assert_eq!(
        last["max_completion_tokens"],
        9 + 2048,
        "a model that reasons gets room for it"
    );
    assert!(last.get("temperature").is_none() && last.get("max_tokens").is_none());
    assert_eq!(ChatModel::limits(&client).schema, Some(false));
}

#[tokio::test]
async fn calls_are_told_apart_however_a_server_counts_them() {
    let stream = |deltas: &[serde_json::Value]| {
        let events: Vec<String> = deltas
            .iter()
            .map(|delta| format!("data: {}\n\n", json!({"choices": [{"delta": {"tool_calls": [delta]}}]})))
            .chain([format!(
                "data: {}\n\n",
                json!({"choices": [{"delta": {}, "finish_reason": "tool_calls"}]})
            )])
            .collect();
        ScriptedReply::raw(200, &events.concat()).header("content-type", "text/event-stream")
    };
    let call = |index: Option<u64>, id: Option<&str>, name: Option<&str>, arguments: serde_json::Value| json!({"index": index, "id": id, "function": {"name": name, "arguments": arguments}});
    let (one, two) = (json!(r#"{"n":1}"#), json!(r#"{"n":2}"#));
    for deltas in [
        // By index, in pieces.
        vec![
            call(Some(0), Some("a"), Some("read"), json!("{\"n\"")),
            call(Some(1), Some("b"), Some("read"), two.clone()),
            call(Some(0), None, None, json!(":1}")),
        ],
        // All have the index 0.
        vec![
            call(Some(0), Some("a"), Some("read"), one.clone()),
            call(Some(0), Some("b"), Some("read"), two.clone()),
        ],
        // No index.
        vec![
            call(None, Some("a"), Some("read"), json!("{\"n\":")),
            call(None, None, None, json!("1}")),
            call(None, Some("b"), Some("read"), two.clone()),
        ],
        // Neither index nor id, and the arguments as an object.
        vec![
            call(None, None, Some("read"), json!({"n": 1})),
            call(None, None, Some("read"), json!({"n": 2})),
        ],
    ] {
        let server = ScriptedModel::replying(vec![stream(&deltas)]);
        let heard = hear(&client(&server.base_url(), patient()), &question()).await;
        let said: Vec<&str> = heard.calls.iter().map(|call| call.arguments.as_str()).collect();
        assert_eq!(said, [r#"{"n":1}"#, r#"{"n":2}"#], "{deltas:?}");
        assert!(
            heard
                .calls
                .iter()
                .all(|call| call.name == "read" && !call.id.is_empty())
        );
        assert_ne!(heard.calls[0].id, heard.calls[1].id);
    }
}

#[tokio::test]
async fn a_filtered_reply_is_not_complete_and_a_refusal_is_what_the_model_says() {
    let (text, _, outcome) = ask_scripted(ScriptedReply::text("Net").finish_reason("content_filter")).await;
    let error = outcome.expect_err("is filtered");
    assert_eq!((text.as_str(), error.code), ("Net", ErrorCode::ModelRejected));
    assert!(error.message.contains("content filter"), "{error}");
    let body = json!({"choices": [{"message": {"content": null, "refusal": "I cannot."}, "finish_reason": "stop"}]});
    let (text, _, outcome) = ask_scripted(ScriptedReply::status(200, &body)).await;
    outcome.expect("is complete");
    assert_eq!(text, "I cannot.");
}
