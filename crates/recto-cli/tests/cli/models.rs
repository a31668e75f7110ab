//! Setting models up, and how answers came about.

use crate::support::{Desk, errors_of, has_keys, rows, text_of};
use recto_testkit::{ScriptedModel, ScriptedReply, embedding_server};
use serde_json::{Value, json};

const PAGES: [&[&str]; 2] = [
    &["Harbour report", "The harbour was dredged in March."],
    &["Pilots", "The harbour employed twenty-three pilots in winter."],
];

#[test]
fn an_answer_of_a_model_is_shown_with_its_trace_and_made_again_without_the_model() {
    let server = ScriptedModel::responding(|_, _| ScriptedReply::text("There were twenty-three pilots [1]."));
    let desk = Desk::new();
    desk.add(&desk.pdf("harbour.pdf", &PAGES));
    let status = desk.json(&["models", "use", "chat", "scripted", "--address", &server.base_url()]);
    assert_eq!(
        (&status["chat_model"], &status["remote_host"]),
        (&json!("scripted"), &json!(null))
    );

    let question = "How many pilots did the harbour employ?";
    let answer = desk.json(&["ask", question, "--strategy", "passages", "--trace"]);
    has_keys(
        &answer["trace"],
        &["answer_id", "question", "strategy", "calls", "decisions"],
    );
    let call = &rows(&answer["trace"]["calls"])[0];
    assert_eq!(call["reply"], "There were twenty-three pilots [1].");
    assert!(text_of(&call["messages"][1]["content"]).contains("twenty-three pilots in winter"));
    assert_eq!(answer["grounding"], "grounded");
    let without = desk.json(&["ask", question, "--strategy", "passages"]);
    assert_eq!(without.get("trace"), None, "only where it is asked for");

    let shown = desk.text(&["ask", question, "--strategy", "passages", "--trace"]);
    assert!(
        shown.contains("Call 1 of 1: generate · scripted") && shown.contains("── reply ──"),
        "{shown}"
    );
    let streamed = desk.text(&[
        "--json",
        "ask",
        question,
        "--strategy",
        "passages",
        "--stream",
        "--trace",
    ]);
    let last: Value = serde_json::from_str(streamed.lines().last().expect("lines")).expect("is JSON");
    assert_eq!(last["type"], "trace");
    assert_eq!(rows(&last["trace"]["calls"]).len(), 1);

    let asked = server.requests().len();
    let id = text_of(&answer["answer_id"]);
    let again = desk.json(&["trace", &id[..8], "--replay"]);
    assert_eq!((&again["answer_id"], &again["differing"]), (&json!(id), &json!([])));
    assert_eq!(again["answer"]["text"], answer["text"]);
    assert_eq!(server.requests().len(), asked, "nobody was asked");
    let shown = desk.text(&["trace", &id, "--replay"]);
    assert!(shown.contains("the same, byte for byte"), "{shown}");

    // The documents have changed: what comes out now is something else, and the exit status says so.
    let document = text_of(&rows(&desk.json(&["list"])["documents"])[0]["document_id"]);
    desk.text(&["delete", &document]);
    let output = desk.run(["trace", &id, "--replay"]);
    assert_eq!(output.status.code(), Some(1), "{}", errors_of(&output));
    assert!(String::from_utf8_lossy(&output.stdout).contains("it differs in"));
}

#[test]
fn models_are_looked_at_set_up_and_taken_away() {
    let server = embedding_server(24);
    let desk = Desk::new();
    let url = server.url();
    let report = desk.json(&[
        "models",
        "probe",
        "embedding",
        "nomic",
        "--provider",
        "ollama",
        "--address",
        &url,
    ]);
    assert_eq!(report["usable"], true);
    assert_eq!(rows(&report["checks"]).last().expect("checks")["kind"], "dimension");
    assert_eq!(
        desk.json(&["models"])["embedding_model"],
        "all-MiniLM-L6-v2-int8",
        "only looked at"
    );

    let status = desk.json(&[
        "models",
        "use",
        "embedding",
        "nomic",
        "--provider",
        "ollama",
        "--address",
        &url,
    ]);
    assert_eq!(status["embedding_model"], "nomic");
    let shown = desk.text(&["models"]);
    assert!(
        shown.contains("nomic") && shown.contains("nothing leaves this machine"),
        "{shown}"
    );
    desk.add(&desk.pdf("harbour.pdf", &PAGES));
    assert_eq!(
        rows(&desk.json(&["collections"])["collections"])[0]["embedding_model"],
        "nomic"
    );
    assert!(!rows(&desk.json(&["search", "pilots", "--mode", "vector"])["results"]).is_empty());

    desk.json(&["models", "remove", "embedding"]);
    let (code, message) = desk.error(1, &["search", "pilots"]);
    assert_eq!(code, "embedder_mismatch");
    assert!(message.contains("nomic (ollama, 24 numbers)"), "{message}");
    assert!(!rows(&desk.json(&["search", "pilots", "--mode", "fts"])["results"]).is_empty());

    for (arguments, status, code) in [
        (
            vec!["models", "use", "chat", "x", "--address", "http://127.0.0.1:9/v1"],
            1,
            "model_rejected",
        ),
        (
            vec!["models", "use", "reranker", "x", "--address", "http://127.0.0.1:9/v1"],
            1,
            "model_unreachable",
        ),
        (
            vec!["models", "use", "embedding", "x", "--file", "m.onnx"],
            2,
            "invalid_argument",
        ),
        (vec!["models", "use", "reranker"], 2, "invalid_argument"),
        (
            vec!["models", "use", "chat", "x", "--provider", "bard"],
            1,
            "invalid_argument",
        ),
    ] {
        assert_eq!(desk.error(status, &arguments).0, code, "{arguments:?}");
    }
    assert_eq!(desk.json(&["models"])["reranker"], json!(null), "nothing was changed");
    let step = desk.json(&["models", "use", "judge", "small", "--no-probe"]);
    assert_eq!(step["chat_model"], json!(null), "a step's model is not the chat model");
}
