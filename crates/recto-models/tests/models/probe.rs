//! Looking at models before they are used, and finding servers.

use crate::formats::{KEY, is_chat, patient, quick, said, settings};
use recto_models::{
    CheckKind, EmbedderSettings, LocalServerKind, ProbeDepth, Provider, RetryPolicy, detect_at, probe_chat,
    probe_embedder,
};
use recto_testkit::wire::Said;
use recto_testkit::{RecordedRequest, ScriptedResponse, ScriptedServer};
use serde_json::json;

/// What each kind of server says of itself, and of a model with 32 768 tokens of context.
fn about_itself(provider: Provider, path: &str) -> ScriptedResponse {
    let body = match (provider, path) {
        (Provider::Ollama, "/api/tags") => json!({"models": [{"name": "scripted:latest"}, {"name": "other:7b"}]}),
        (Provider::Ollama, "/api/show") => json!({"capabilities": ["completion", "tools"],
            "model_info": {"general.architecture": "x", "x.context_length": 32_768}}),
        (Provider::OpenAiCompatible, "/v1/models") => {
            json!({"data": [{"id": "scripted", "max_model_len": 32_768}, {"id": "other"}]})
        }
        (Provider::OpenAi, "/v1/models") => json!({"data": [{"id": "scripted"}, {"id": "other"}]}),
        (Provider::Anthropic, "/v1/models?limit=1000") => json!({"data": [{"id": "other"}]}),
        (Provider::Anthropic, "/v1/models/scripted") => json!({"id": "scripted-1", "max_input_tokens": 32_768}),
        (Provider::Gemini, "/v1beta/models?pageSize=1000") => json!({"models": [
            {"name": "models/scripted", "inputTokenLimit": 32_768, "supportedGenerationMethods": ["generateContent"]},
            {"name": "models/embedding", "supportedGenerationMethods": ["embedContent"]}]}),
        _ => return ScriptedResponse::json(404, &json!({"error": "no such path"})),
    };
    ScriptedResponse::json(200, &body)
}

/// A model that does as it is told, in this format.
fn able(provider: Provider, request: &RecordedRequest) -> ScriptedResponse {
    if !is_chat(request) {
        return about_itself(provider, &request.path);
    }
    let has_tool = request.body.to_string().contains("weather");
    let reply = match (has_tool, provider) {
        (true, _) => Said::text("").call("a", "weather", json!({"place": "Oslo"})),
        (false, Provider::Anthropic) => Said::text("").call("a", "choice", json!({"number": 43})),
        (false, _) => Said::text(r#"{"number":43}"#),
    };
    said(provider, &reply)
}

#[tokio::test]
async fn a_model_that_can_all_is_found_so_in_every_format() {
    for provider in Provider::ALL {
        let server = ScriptedServer::responding(move |request, _| able(provider, request));
        let found = probe_chat(&settings(provider, &server, patient()), ProbeDepth::Try).await;
        for kind in [
            CheckKind::Reachable,
            CheckKind::Model,
            CheckKind::Schema,
            CheckKind::Tools,
        ] {
            let check = found.check(kind).expect("was made");
            assert_eq!(check.is_well, Some(true), "{provider} {check:?}");
        }
        let context = found.check(CheckKind::Context).expect("was made");
        if provider == Provider::OpenAi {
            assert_eq!(context.is_well, None, "OpenAI does not say");
        } else {
            assert_eq!(found.limits.context_tokens, Some(32_768), "{provider}");
            assert!(context.sentence.contains("32768 tokens"), "{provider}: {context:?}");
        }
        assert!(found.is_usable(), "{provider}");
        assert!(
            !found.models.is_empty() && !found.models.contains(&"embedding".to_owned()),
            "{provider}"
        );
        assert!(server.requests().iter().all(|request| !request.path.contains(KEY)));
    }
}

#[tokio::test]
async fn asking_alone_sends_no_question() {
    for provider in Provider::ALL {
        let server = ScriptedServer::responding(move |request, _| able(provider, request));
        let found = probe_chat(&settings(provider, &server, patient()), ProbeDepth::Ask).await;
        assert!(found.is_usable(), "{provider}");
        assert!(server.requests().iter().all(|request| !is_chat(request)), "{provider}");
        let kinds: Vec<CheckKind> = found.checks.iter().map(|check| check.kind).collect();
        assert_eq!(kinds.len(), 5, "{provider}: {kinds:?}");
    }
}

#[tokio::test]
async fn what_does_not_work_is_said() {
    // A model that neither keeps to a form nor knows tools.
    let server = ScriptedServer::responding(|request, _| {
        if !is_chat(request) {
            return about_itself(Provider::OpenAiCompatible, &request.path);
        }
        if request.body["tools"].is_array() {
            return ScriptedResponse::json(400, &json!({"error": {"message": "tools are not supported"}}));
        }
        Said::text("Forty-three, I would say.").openai()
    });
    let found = probe_chat(
        &settings(Provider::OpenAiCompatible, &server, patient()),
        ProbeDepth::Try,
    )
    .await;
    for kind in [CheckKind::Schema, CheckKind::Tools] {
        assert_eq!(found.check(kind).expect("was made").is_well, Some(false), "{kind:?}");
    }
    assert_eq!((found.limits.schema, found.limits.tools), (Some(false), Some(false)));
    assert!(found.is_usable(), "Recto does without both");
}

#[tokio::test]
async fn a_model_or_server_that_is_not_there_is_said_and_nothing_more_is_asked() {
    for provider in Provider::ALL {
        let server = ScriptedServer::responding(move |request, _| able(provider, request));
        let mut absent = settings(provider, &server, patient());
        absent.model = "absent".into();
        let found = probe_chat(&absent, ProbeDepth::Try).await;
        let check = found.check(CheckKind::Model).expect("was made");
        assert_eq!(check.is_well, Some(false), "{provider}");
        assert!(
            check.sentence.contains("absent, but: "),
            "{provider}: {}",
            check.sentence
        );
        assert!(!found.is_usable() && server.requests().iter().all(|request| !is_chat(request)));

        let refusing = ScriptedServer::responding(|_, _| ScriptedResponse::json(401, &json!({"error": KEY})));
        let found = probe_chat(&settings(provider, &refusing, patient()), ProbeDepth::Try).await;
        assert_eq!(found.checks.len(), 1);
        assert!(
            found.checks[0].sentence.contains("rejected the key"),
            "{provider}: {found:?}"
        );
        assert!(!format!("{found:?}").contains(KEY));

        let gone = settings(provider, &ScriptedServer::replying(Vec::new()), quick());
        let found = probe_chat(&gone, ProbeDepth::Try).await;
        assert!(
            found.checks[0].sentence.contains("cannot be reached"),
            "{provider}: {found:?}"
        );
    }
}

#[tokio::test]
async fn the_context_of_llama_cpp_and_lm_studio_is_found_beside_the_list() {
    for (path, body) in [
        ("/props", json!({"default_generation_settings": {"n_ctx": 6144}})),
        (
            "/api/v0/models",
            json!({"data": [{"id": "scripted", "loaded_context_length": 6144}]}),
        ),
    ] {
        let server = ScriptedServer::responding(move |request, _| match request.path.as_str() {
            "/v1/models" => ScriptedResponse::json(200, &json!({"data": [{"id": "scripted"}]})),
            other if other == path => ScriptedResponse::json(200, &body),
            _ => ScriptedResponse::raw(404, ""),
        });
        let found = probe_chat(
            &settings(Provider::OpenAiCompatible, &server, patient()),
            ProbeDepth::Ask,
        )
        .await;
        assert_eq!(found.limits.context_tokens, Some(6144), "{path}");
    }
}

#[tokio::test]
async fn an_embedding_model_is_looked_at_by_embedding() {
    let vectors = json!({"embeddings": [[1, 2, 3]]});
    let server = ScriptedServer::responding(move |request, _| match request.path.as_str() {
        "/api/embed" if request.body["model"] == "embedder" => ScriptedResponse::json(200, &vectors),
        _ => ScriptedResponse::json(404, &json!({"error": "model not found"})),
    });
    let mut settings = EmbedderSettings {
        base_url: Some(server.url()),
        deadlines: patient(),
        retries: RetryPolicy::never(),
        ..EmbedderSettings::new(Provider::Ollama, "embedder")
    };
    let found = probe_embedder(&settings).await;
    assert_eq!((found.dimension, found.is_usable()), (Some(3), true));
    settings.dimension = Some(4);
    let found = probe_embedder(&settings).await;
    let check = found.check(CheckKind::Dimension).expect("was made");
    assert!(
        check.is_well == Some(false) && check.sentence.contains("3 numbers, not 4"),
        "{check:?}"
    );
    settings.model = "absent".into();
    let found = probe_embedder(&settings).await;
    assert_eq!(found.check(CheckKind::Model).expect("was made").is_well, Some(false));
    settings.base_url = Some("http://127.0.0.1:1".into());
    let found = probe_embedder(&settings).await;
    assert_eq!(
        found.check(CheckKind::Reachable).expect("was made").is_well,
        Some(false)
    );
}

#[tokio::test]
async fn servers_on_this_machine_are_found_by_what_they_answer() {
    let ollama = ScriptedServer::responding(|request, _| about_itself(Provider::Ollama, &request.path));
    let compatible = ScriptedServer::responding(|request, _| about_itself(Provider::OpenAi, &request.path));
    let page = ScriptedServer::responding(|_, _| ScriptedResponse::raw(200, "<html>A router</html>"));
    let gone = {
        let server = ScriptedServer::replying(Vec::new());
        server.address().port()
    };
    let found = detect_at(&[
        (LocalServerKind::Ollama, ollama.address().port()),
        (LocalServerKind::LmStudio, page.address().port()),
        (LocalServerKind::LlamaCpp, gone),
        (LocalServerKind::Vllm, compatible.address().port()),
    ])
    .await;
    assert_eq!(found.len(), 2, "{found:?}");
    assert_eq!(
        (found[0].kind, found[0].provider),
        (LocalServerKind::Ollama, Provider::Ollama)
    );
    assert_eq!(found[0].models, ["scripted:latest", "other:7b"]);
    assert_eq!(
        (found[1].kind, found[1].provider),
        (LocalServerKind::Vllm, Provider::OpenAiCompatible)
    );
    assert_eq!(found[1].base_url, format!("{}/v1", compatible.url()));
    assert!(
        found
            .iter()
            .all(|server| server.base_url.starts_with("http://127.0.0.1:"))
    );
    let ports: Vec<u16> = LocalServerKind::USUAL_PORTS.iter().map(|(_, port)| *port).collect();
    assert_eq!(ports, [11434, 1234, 8080, 8000]);
}
