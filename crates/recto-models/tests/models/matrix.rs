//! Every format, put to the same tests.

use crate::formats::{KEY, asked, body, client, hear, is_chat, patient, quick, said, serving, settings};
use recto_core::{ChatEvent, ChatMessage, ChatRequest, ChatRole, ErrorCode, ReplyFormat, Tool, ToolCall, Truncated};
use recto_models::{Provider, open_chat};
use recto_testkit::wire::Said;
use recto_testkit::{Ending, ScriptedResponse};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

const TEXT: &str = "Net sales rose 4 % [3], “mostly” in Asia [12, 15].";

fn question() -> ChatRequest {
    ChatRequest {
        messages: vec![
            ChatMessage::new(ChatRole::System, "Cite."),
            ChatMessage::new(ChatRole::User, "Why?"),
        ],
        ..ChatRequest::default()
    }
}

fn weather() -> Tool {
    Tool {
        name: "weather".into(),
        description: "Tells the weather.".into(),
        parameters: json!({"type": "object", "properties": {"place": {"type": "string"}}, "required": ["place"]}),
    }
}

fn schema() -> Value {
    json!({"type": "object", "additionalProperties": false, "required": ["cited"],
        "properties": {"cited": {"type": "array", "items": {"type": "integer"}}}})
}

#[tokio::test]
async fn a_reply_is_the_same_however_it_is_cut_up() {
    for provider in Provider::ALL {
        let whole = said(
            provider,
            &Said::text(TEXT)
                .thought("Let me see – é.")
                .call("call_0", "weather", json!({"place": "Tromsø"})),
        );
        let splits = whole.body_len() + 1;
        let server = serving(move |index| {
            if index < splits {
                whole.clone().split_at(index)
            } else {
                whole.clone().every_byte()
            }
        });
        let model = client(provider, &server, patient());
        for split in 0..=splits {
            let heard = hear(&*model, &question()).await;
            assert_eq!(heard.error, None, "{provider} at {split}");
            assert_eq!(heard.text, TEXT, "{provider} at {split}");
            assert_eq!(heard.calls.len(), 1, "{provider} at {split}");
            assert_eq!(
                heard.calls[0].arguments, r#"{"place":"Tromsø"}"#,
                "{provider} at {split}"
            );
            let usage = heard.usage.expect("is reported");
            assert_eq!(
                (usage.input_tokens, usage.output_tokens, usage.calls),
                (Some(100), Some(10), 1),
                "{provider} at {split}"
            );
        }
    }
}

#[tokio::test]
async fn temperature_zero_and_the_key_go_over_the_wire() {
    for (provider, temperature, key, value) in [
        (
            Provider::Ollama,
            "/options/temperature",
            "authorization",
            format!("Bearer {KEY}"),
        ),
        (
            Provider::OpenAiCompatible,
            "/temperature",
            "authorization",
            format!("Bearer {KEY}"),
        ),
        (
            Provider::OpenAi,
            "/temperature",
            "authorization",
            format!("Bearer {KEY}"),
        ),
        (Provider::Anthropic, "/temperature", "x-api-key", KEY.to_owned()),
        (
            Provider::Gemini,
            "/generationConfig/temperature",
            "x-goog-api-key",
            KEY.to_owned(),
        ),
    ] {
        let server = serving(move |_| said(provider, &Said::text("Yes.")));
        let model = client(provider, &server, patient());
        assert_eq!(hear(&*model, &question()).await.error, None, "{provider}");
        let request = asked(&server).remove(0);
        let sent = request.body.pointer(temperature).expect("is sent");
        assert_eq!(sent.to_string(), "0.0", "{provider}");
        assert_eq!(request.header(key), Some(value.as_str()), "{provider}");
        let elsewhere = format!("{} {}", request.path, request.body);
        assert!(!elsewhere.contains(KEY), "{provider}: the key is in its header alone");
    }
}

#[tokio::test]
async fn messages_and_the_limit_of_the_reply_are_written_as_each_format_has_them() {
    let limited = ChatRequest {
        max_tokens: Some(64),
        temperature: 0.1,
        ..question()
    };
    let both = json!([{"role": "system", "content": "Cite."}, {"role": "user", "content": "Why?"}]);
    let text = json!([{"type": "text", "text": "Why?"}]);
    for (provider, path, expected) in [
        (
            Provider::Ollama,
            "/api/chat",
            json!({"model": "scripted", "messages": both, "stream": true, "truncate": false, "shift": false,
                "options": {"temperature": 0.1, "num_ctx": 8192, "num_predict": 64}}),
        ),
        (
            Provider::OpenAiCompatible,
            "/v1/chat/completions",
            json!({"model": "scripted", "messages": both, "stream": true, "temperature": 0.1,
                "stream_options": {"include_usage": true}, "max_tokens": 64}),
        ),
        (
            Provider::OpenAi,
            "/v1/chat/completions",
            json!({"model": "scripted", "messages": both, "stream": true, "temperature": 0.1,
                "stream_options": {"include_usage": true}, "max_completion_tokens": 64}),
        ),
        (
            Provider::Anthropic,
            "/v1/messages",
            json!({"model": "scripted", "system": "Cite.", "messages": [{"role": "user", "content": text}],
                "stream": true, "temperature": 0.1, "max_tokens": 64}),
        ),
        (
            Provider::Gemini,
            "/v1beta/models/scripted:streamGenerateContent?alt=sse",
            json!({"systemInstruction": {"parts": [{"text": "Cite."}]},
                "contents": [{"role": "user", "parts": [{"text": "Why?"}]}],
                "generationConfig": {"temperature": 0.1, "maxOutputTokens": 64,
                    "thinkingConfig": {"thinkingBudget": 0}}}),
        ),
    ] {
        let server = serving(move |_| said(provider, &Said::text("Yes.")));
        hear(&*client(provider, &server, patient()), &limited).await;
        assert_eq!(asked(&server)[0].path, path);
        assert_eq!(body(&server), expected, "{provider}");
    }
}

#[tokio::test]
async fn a_reply_of_a_schema_is_asked_for_and_read() {
    let request = ChatRequest {
        format: ReplyFormat::Schema {
            name: "answer".into(),
            schema: schema(),
        },
        ..question()
    };
    for provider in Provider::ALL {
        let reply = match provider {
            // There the reply is the arguments of a tool.
            Provider::Anthropic => Said::text("").call("toolu_1", "answer", json!({"cited": [3, 12]})),
            _ => Said::text(r#"{"cited":[3,12]}"#),
        };
        let server = serving(move |_| said(provider, &reply));
        let heard = hear(&*client(provider, &server, patient()), &request).await;
        assert_eq!(heard.error, None, "{provider}");
        assert_eq!(heard.text, r#"{"cited":[3,12]}"#, "{provider}");
        assert_eq!(heard.calls, [], "{provider}: the reply is no call");
        let sent = body(&server);
        match provider {
            Provider::Ollama => assert_eq!(sent["format"], schema()),
            Provider::OpenAi | Provider::OpenAiCompatible => assert_eq!(
                sent["response_format"],
                json!({"type": "json_schema",
                    "json_schema": {"name": "answer", "schema": schema(), "strict": true}})
            ),
            Provider::Anthropic => {
                assert_eq!(sent["tool_choice"], json!({"type": "tool", "name": "answer"}));
                assert_eq!(sent["tools"][0]["input_schema"], schema());
            }
            Provider::Gemini => {
                let settings = &sent["generationConfig"];
                assert_eq!(settings["responseMimeType"], "application/json");
                let items = settings.pointer("/responseSchema/properties/cited/items/type");
                assert_eq!(items, Some(&json!("INTEGER")));
            }
        }
    }
}

#[tokio::test]
async fn tools_are_offered_called_and_answered() {
    for provider in Provider::ALL {
        let server = serving(move |index| match index {
            0 => said(
                provider,
                &Said::text("Let me see.")
                    .call("a1", "weather", json!({"place": "Oslo"}))
                    .call("a2", "weather", json!({"place": "Bergen"})),
            ),
            _ => said(provider, &Said::text("Rain.")),
        });
        let model = client(provider, &server, patient());
        let mut request = ChatRequest {
            tools: vec![weather()],
            ..question()
        };
        let heard = hear(&*model, &request).await;
        assert_eq!((heard.text.as_str(), heard.error), ("Let me see.", None), "{provider}");
        let places: Vec<&str> = heard.calls.iter().map(|call| call.arguments.as_str()).collect();
        assert_eq!(places, [r#"{"place":"Oslo"}"#, r#"{"place":"Bergen"}"#], "{provider}");
        assert!(heard.calls.iter().all(|call| call.name == "weather"));
        assert_ne!(
            heard.calls[0].id, heard.calls[1].id,
            "{provider}: calls can be told apart"
        );

        request.messages.push(ChatMessage {
            tool_calls: heard.calls.clone(),
            ..ChatMessage::new(ChatRole::Assistant, heard.text)
        });
        for (call, weather) in heard.calls.iter().zip(["sun", "rain"]) {
            request.messages.push(ChatMessage {
                tool_call_id: Some(call.id.clone()),
                ..ChatMessage::new(ChatRole::Tool, weather)
            });
        }
        assert_eq!(hear(&*model, &request).await.text, "Rain.", "{provider}");
        let sent = asked(&server).remove(1).body;
        check_conversation(provider, &sent, &heard.calls);
    }
}

/// The second request of a conversation with two calls: the tool declared, the calls and their results.
fn check_conversation(provider: Provider, sent: &Value, calls: &[ToolCall]) {
    let parameters = &weather().parameters;
    let oslo = json!({"place": "Oslo"});
    match provider {
        Provider::Ollama => {
            assert_eq!(&sent["tools"][0]["function"]["parameters"], parameters);
            assert_eq!(sent["messages"][2]["tool_calls"][0]["function"]["arguments"], oslo);
            assert_eq!(
                sent["messages"][4],
                json!({"role": "tool", "content": "rain", "tool_name": "weather"})
            );
        }
        Provider::OpenAi | Provider::OpenAiCompatible => {
            assert_eq!(&sent["tools"][0]["function"]["parameters"], parameters);
            let function = json!({"name": "weather", "arguments": oslo.to_string()});
            assert_eq!(
                sent["messages"][2]["tool_calls"][0],
                json!({"id": "a1", "type": "function", "function": function})
            );
            assert_eq!(
                sent["messages"][4],
                json!({"role": "tool", "content": "rain", "tool_call_id": "a2"})
            );
        }
        Provider::Anthropic => {
            assert_eq!(&sent["tools"][0]["input_schema"], parameters);
            assert_eq!(
                sent["messages"][1]["content"][1],
                json!({"type": "tool_use", "id": "a1", "name": "weather", "input": oslo})
            );
            assert_eq!(
                sent["messages"][2]["content"][1],
                json!({"type": "tool_result", "tool_use_id": "a2", "content": "rain"}),
                "results of one turn are one message"
            );
        }
        Provider::Gemini => {
            let declared = &sent["tools"][0]["functionDeclarations"][0];
            assert_eq!(declared["parameters"]["properties"]["place"], json!({"type": "STRING"}));
            assert_eq!(
                sent["contents"][1]["parts"][1],
                json!({"functionCall": {"name": "weather", "args": oslo}, "thoughtSignature": "c2lnbg=="}),
                "the signature goes back with the call"
            );
            assert_eq!(
                sent["contents"][2]["parts"][1],
                json!({"functionResponse": {"name": "weather", "response": {"result": "rain"}}})
            );
            assert!(calls[0].id.starts_with("call_0"));
        }
    }
}

#[tokio::test]
async fn reasoning_is_no_part_of_the_answer() {
    for provider in Provider::ALL {
        let server = serving(move |index| match index {
            0 => said(provider, &Said::text("Yes.").thought("Hm.").thought(" No?")),
            _ => said(provider, &Said::text("<think>\nHm – no?\n</think>\n\nYes.")),
        });
        let model = client(provider, &server, patient());
        for way in ["apart", "marked"] {
            assert_eq!(hear(&*model, &question()).await.text, "Yes.", "{provider}: {way}");
        }
    }
}

#[tokio::test]
async fn a_reply_that_reached_its_limit_says_so() {
    for provider in Provider::ALL {
        let server = serving(move |_| said(provider, &Said::text("Net sales ro").cut_short()));
        let heard = hear(&*client(provider, &server, patient()), &question()).await;
        assert_eq!((heard.error, heard.lost), (None, vec![Truncated::Reply]), "{provider}");
        assert_eq!(heard.text, "Net sales ro");
    }
}

#[tokio::test]
async fn a_cut_reply_is_an_error_and_loses_nothing_received() {
    for provider in Provider::ALL {
        for close_delimited in [false, true] {
            let whole = said(provider, &Said::text(TEXT));
            let length = whole.body_len();
            // Of the last event only the end is missing in Ollama's format; elsewhere several events are.
            let cuts: Vec<usize> = (0..8).map(|part| part * (length - 20) / 8).collect();
            let server = serving({
                let cuts = cuts.clone();
                move |index| {
                    let reply = whole.clone().cut_after(cuts[index]);
                    if close_delimited {
                        reply.close_delimited()
                    } else {
                        reply
                    }
                }
            });
            let model = client(provider, &server, patient());
            let mut texts = Vec::new();
            for cut in &cuts {
                let heard = hear(&*model, &question()).await;
                if let Some(error) = heard.error {
                    let kind = (error.code, error.retryable, error.retry_after);
                    assert_eq!(kind, (ErrorCode::ModelUnreachable, true, None), "{provider} at {cut}");
                    assert!(TEXT.starts_with(&heard.text), "{provider} at {cut}");
                } else {
                    assert_eq!(
                        heard.text, TEXT,
                        "{provider} at {cut}: without an error it is all there"
                    );
                }
                texts.push(heard.text);
            }
            assert_eq!(texts[0], "", "{provider}");
            assert!(
                texts.windows(2).all(|pair| pair[1].starts_with(&pair[0])),
                "{provider}: {texts:?}"
            );
            assert!(!texts[7].is_empty(), "{provider}: what came before the cut is there");
        }
    }
}

#[tokio::test]
async fn refusals_have_codes_and_sentences_without_key_or_prompt() {
    for provider in Provider::ALL {
        for (status, code, is_momentary) in [
            (400, ErrorCode::ModelRejected, false),
            (401, ErrorCode::ModelRejected, false),
            (403, ErrorCode::ModelRejected, false),
            (404, ErrorCode::ModelRejected, false),
            (408, ErrorCode::ModelUnreachable, true),
            (429, ErrorCode::ModelRejected, true),
            (500, ErrorCode::ModelUnreachable, true),
            (503, ErrorCode::ModelUnreachable, true),
            (529, ErrorCode::ModelUnreachable, true),
        ] {
            let echo = json!({"error": {"type": "some_error", "message": format!("key {KEY} in: Why? Cite.")}});
            let server = serving(move |_| ScriptedResponse::json(status, &echo));
            let model = client(provider, &server, patient());
            let error = hear(&*model, &question()).await.error.expect("is refused");
            assert_eq!(
                (error.code, error.retryable),
                (code, is_momentary),
                "{provider} {status}"
            );
            assert_eq!(error.retry_after.is_some(), is_momentary, "{provider} {status}");
            let printed = format!("{error} {error:?}");
            for secret in [KEY, "Why", "Cite"] {
                assert!(!printed.contains(secret), "{provider}: {printed}");
            }
            assert_eq!(
                asked(&server).len(),
                1,
                "{provider} {status}: without retries it is asked once"
            );
        }
        let html = serving(|_| ScriptedResponse::raw(200, "<html>Sign in</html>").header("content-type", "text/html"));
        let error = hear(&*client(provider, &html, patient()), &question()).await.error;
        assert!(error.is_some(), "{provider}: a page is no reply");
    }
}

#[tokio::test]
async fn a_prompt_that_is_too_long_is_known_as_such() {
    for (provider, status, message) in [
        (
            Provider::Ollama,
            400,
            json!({"error": "the input length exceeds the context length"}),
        ),
        (
            Provider::OpenAiCompatible,
            400,
            json!({"error": {"type": "exceed_context_size_error", "message": "…"}}),
        ),
        (
            Provider::OpenAi,
            400,
            json!({"error": {"code": "context_length_exceeded", "message": "…"}}),
        ),
        (
            Provider::Anthropic,
            400,
            json!({"type": "error", "error": {"type": "invalid_request_error",
                "message": "prompt is too long: 210000 tokens > 200000 maximum"}}),
        ),
        (
            Provider::Anthropic,
            413,
            json!({"type": "error", "error": {"type": "request_too_large"}}),
        ),
        (
            Provider::Gemini,
            400,
            json!({"error": {"code": 400, "status": "INVALID_ARGUMENT",
                "message": "The input token count (1048577) exceeds the maximum number of tokens allowed (1048576)."}}),
        ),
    ] {
        let server = serving(move |_| ScriptedResponse::json(status, &message));
        let error = hear(&*client(provider, &server, patient()), &question()).await.error;
        assert_eq!(
            error.expect("is refused").code,
            ErrorCode::ContextOverflow,
            "{provider}"
        );
    }
}

#[tokio::test]
async fn an_error_in_the_midst_of_a_reply_keeps_what_came_before() {
    for provider in Provider::ALL {
        let text = |text: &str| match provider {
            Provider::Ollama => format!("{}\n", json!({"message": {"content": text}, "done": false})),
            Provider::OpenAi | Provider::OpenAiCompatible => {
                format!("data: {}\n\n", json!({"choices": [{"delta": {"content": text}}]}))
            }
            Provider::Anthropic => {
                let delta = json!({"type": "text_delta", "text": text});
                format!(
                    "data: {}\n\n",
                    json!({"type": "content_block_delta", "index": 0, "delta": delta})
                )
            }
            Provider::Gemini => {
                let parts = json!([{"text": text}]);
                format!("data: {}\n\n", json!({"candidates": [{"content": {"parts": parts}}]}))
            }
        };
        let error = json!({"type": "error", "error": {"type": "overloaded_error", "message": KEY}});
        let (kind, last) = match provider {
            Provider::Ollama => ("application/x-ndjson", format!("{error}\n")),
            _ => ("text/event-stream", format!("event: error\ndata: {error}\n\n")),
        };
        let pieces = [text("<"), text("1 % less."), last];
        let server = serving(move |_| ScriptedResponse::stream(kind, pieces.clone()));
        let heard = hear(&*client(provider, &server, patient()), &question()).await;
        assert_eq!(heard.text, "<1 % less.", "{provider}");
        let error = heard.error.expect("fails");
        assert_eq!(
            (error.code, error.retryable),
            (ErrorCode::ModelUnreachable, true),
            "{provider}"
        );
        assert!(!error.message.contains(KEY));
    }
}

#[tokio::test]
async fn silence_ends_at_the_deadline_before_and_between_tokens() {
    for provider in Provider::ALL {
        let server = serving(move |index| {
            let reply = said(provider, &Said::text("Yes, yes."));
            match index {
                0 => reply.first_delay(Duration::from_secs(30)),
                _ => reply.delay(Duration::from_secs(30)),
            }
        });
        let model = client(provider, &server, quick());
        for _ in 0..2 {
            let begun = Instant::now();
            let error = hear(&*model, &question()).await.error.expect("is silent");
            assert_eq!(
                (error.code, error.retry_after),
                (ErrorCode::ModelUnreachable, None),
                "{provider}"
            );
            assert!(begun.elapsed() < Duration::from_secs(10), "{provider}");
        }
    }
}

#[tokio::test]
async fn dropping_the_reply_closes_the_connection_within_a_second() {
    for provider in Provider::ALL {
        let server = serving(move |_| {
            let reply = said(provider, &Said::text("one two"));
            // The first text has come, the rest is waited for.
            let at = reply.body_len() - 60;
            reply.split_at(at).delay(Duration::from_secs(60))
        });
        let model = client(provider, &server, patient());
        let mut stream = model.chat(&question()).await.expect("answers");
        assert!(
            matches!(stream.next().await, Some(Ok(ChatEvent::Delta(_)))),
            "{provider}"
        );
        drop(stream);
        let endings = server.wait_for_endings(is_chat, 1, Duration::from_secs(1)).await;
        assert_eq!(endings, [Ending::ClientGone], "{provider}");
    }
}

#[tokio::test]
async fn a_question_dropped_before_its_answer_begins_closes_the_connection_too() {
    for provider in Provider::ALL {
        let server = serving(move |_| said(provider, &Said::text("Yes.")).first_delay(Duration::from_secs(60)));
        let model = client(provider, &server, patient());
        let question = tokio::spawn(async move { hear(&*model, &question()).await });
        while asked(&server).is_empty() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        question.abort();
        let endings = server.wait_for_endings(is_chat, 1, Duration::from_secs(5)).await;
        assert_eq!(endings, [Ending::ClientGone], "{provider}");
    }
}

#[tokio::test]
async fn a_server_that_is_not_there_is_unreachable_and_its_password_is_not_told() {
    let port = {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("binds");
        listener.local_addr().expect("has an address").port()
    };
    for provider in Provider::ALL {
        let nobody = serving(|_| ScriptedResponse::raw(200, ""));
        let mut settings = settings(provider, &nobody, quick());
        settings.base_url = Some(format!("http://user:hidden@127.0.0.1:{port}/v1"));
        let model = open_chat(&settings).expect("is set up");
        let error = hear(&*model, &question()).await.error.expect("is not there");
        assert_eq!(error.code, ErrorCode::ModelUnreachable, "{provider}");
        assert!(error.message.contains(&format!("127.0.0.1:{port}")), "{error}");
        assert!(!error.message.contains("hidden"), "{error}");
    }
}

#[tokio::test]
async fn a_redirect_is_not_followed_with_prompt_and_key() {
    for provider in Provider::ALL {
        let other = serving(move |_| said(provider, &Said::text("Trap.")));
        let target = format!("{}/elsewhere", other.url());
        let server = serving(move |_| ScriptedResponse::raw(307, "").header("location", &target));
        let error = hear(&*client(provider, &server, patient()), &question()).await.error;
        assert_eq!(error.expect("is refused").code, ErrorCode::ModelRejected, "{provider}");
        assert!(other.requests().is_empty(), "{provider}");
    }
}
