//! What went wrong with a server, as a code and a sentence.

use recto_core::{Error, ErrorCode};
use reqwest::Response;
use serde_json::Value;

/// Most bytes of an error response that are looked at.
const MOST_BYTES: usize = 64 * 1024;

/// The server sent nothing in time.
pub(super) fn silent(place: &str) -> Error {
    Error::transient(
        ErrorCode::ModelUnreachable,
        format!("The model server at {place} did not answer in time."),
    )
}

/// The reply broke off.
pub(super) fn cut(place: &str) -> Error {
    Error::transient(
        ErrorCode::ModelUnreachable,
        format!("The connection to the model server at {place} broke before the reply was complete."),
    )
}

/// The request could not be sent. `error` is not repeated: it names the full address.
pub(super) fn of_connection(place: &str, error: &reqwest::Error) -> Error {
    let message = if error.is_connect() {
        format!("The model server at {place} cannot be reached. Is it running, and is the address right?")
    } else if error.is_timeout() {
        return silent(place);
    } else {
        format!("The connection to the model server at {place} broke.")
    };
    Error::transient(ErrorCode::ModelUnreachable, message)
}

/// The server refused.
pub(super) async fn of_response(place: &str, model: &str, mut response: Response) -> Error {
    let status = response.status().as_u16();
    let mut body = Vec::new();
    while let Ok(Some(chunk)) = response.chunk().await {
        body.extend_from_slice(&chunk);
        if body.len() > MOST_BYTES {
            break;
        }
    }
    let body: Value = serde_json::from_slice(&body).unwrap_or(Value::Null);
    of_status(place, model, status, &body)
}

/// The server sent an error object in the midst of a reply.
pub(super) fn in_stream(place: &str, body: &Value) -> Error {
    if is_overflow(body) {
        return overflow();
    }
    Error::new(
        ErrorCode::ModelRejected,
        format!(
            "The model server at {place} gave up in the middle of the reply{}.",
            said(body)
        ),
    )
}

fn of_status(place: &str, model: &str, status: u16, body: &Value) -> Error {
    if matches!(status, 400 | 413 | 422 | 500) && is_overflow(body) {
        return overflow();
    }
    let rejected = |message: String| Error::new(ErrorCode::ModelRejected, message);
    let said = said(body);
    match status {
        300..=399 => rejected(format!(
            "The model server at {place} points to another address ({status}), which Recto does not follow. Enter that address in the settings."
        )),
        401 | 403 => rejected(format!(
            "The model server at {place} rejected the key ({status}{said}). Check the environment variable that holds it."
        )),
        402 => rejected(format!(
            "The model server at {place} asks for payment ({status}{said})."
        )),
        404 => rejected(format!(
            "The model server at {place} does not know the model {model}, or its address lacks a path such as /v1 ({status}{said})."
        )),
        413 => overflow(),
        429 => Error::transient(
            ErrorCode::ModelRejected,
            format!("The model server at {place} has too many requests ({status}{said}). Try again in a while."),
        ),
        408 | 500..=599 => Error::transient(
            ErrorCode::ModelUnreachable,
            format!("The model server at {place} has a fault of its own ({status}{said}). Try again in a while."),
        ),
        _ => rejected(format!(
            "The model server at {place} refused the request ({status}{said})."
        )),
    }
}

fn overflow() -> Error {
    Error::new(
        ErrorCode::ContextOverflow,
        "The question with its evidence is longer than the model can read. Choose a model with a larger context, or fewer documents.",
    )
}

/// The error object: some servers send it bare, some inside `error`, some send only a string.
fn error_of(body: &Value) -> &Value {
    if body["error"].is_null() { body } else { &body["error"] }
}

/// `: rate_limit_exceeded` when the server names a code, else nothing. Its sentences may repeat prompt or key.
fn said(body: &Value) -> String {
    let error = error_of(body);
    [&error["code"], &error["type"]]
        .into_iter()
        .filter_map(Value::as_str)
        .find(|code| {
            (1..=64).contains(&code.len()) && code.bytes().all(|b| b.is_ascii_lowercase() || b == b'_' || b == b'.')
        })
        .map(|code| format!(": {code}"))
        .unwrap_or_default()
}

fn is_overflow(body: &Value) -> bool {
    let error = error_of(body);
    let text = match error {
        Value::String(text) => text.clone(),
        error => [&error["code"], &error["type"], &error["message"]]
            .into_iter()
            .filter_map(Value::as_str)
            .collect::<Vec<_>>()
            .join(" "),
    }
    .to_ascii_lowercase();
    [
        "context_length_exceeded",
        "exceed_context_size",
        "context length",
        "context size",
        "context window",
        "maximum context",
        "prompt is too long",
    ]
    .iter()
    .any(|sign| text.contains(sign))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_status_becomes_a_code_and_a_sentence() {
        let of = |status, body| of_status("http://x", "qwen", status, &body);
        for (status, code, retryable) in [
            (307, ErrorCode::ModelRejected, false),
            (400, ErrorCode::ModelRejected, false),
            (401, ErrorCode::ModelRejected, false),
            (404, ErrorCode::ModelRejected, false),
            (413, ErrorCode::ContextOverflow, false),
            (429, ErrorCode::ModelRejected, true),
            (500, ErrorCode::ModelUnreachable, true),
            (503, ErrorCode::ModelUnreachable, true),
        ] {
            let error = of(status, Value::Null);
            assert_eq!((error.code, error.retryable), (code, retryable), "{status}");
        }
        assert!(of(404, Value::Null).message.contains("qwen"));
        let limited = of(
            429,
            json!({"error": {"code": "rate_limit_exceeded", "message": "sk-secret"}}),
        );
        assert!(limited.message.contains("(429: rate_limit_exceeded)"), "{limited}");
    }

    #[test]
    fn neither_key_nor_prompt_is_repeated_from_an_error() {
        let body = json!({"error": {"message": "Incorrect key sk-secret for: the prompt", "type": "Sk-Secret!"}});
        for status in [400, 401, 403, 404, 429, 500] {
            let message = of_status("http://x", "m", status, &body).message.to_lowercase();
            assert!(!message.contains("secret") && !message.contains("prompt"), "{message}");
        }
    }

    #[test]
    fn an_overflow_is_known_in_the_words_of_several_servers() {
        for body in [
            json!({"error": {"code": "context_length_exceeded", "message": "…"}}),
            json!({"error": {"type": "exceed_context_size_error", "message": "…"}}),
            json!({"error": "The number of tokens to keep is greater than the context length."}),
            json!({"object": "error", "message": "This model's maximum context length is 4096 tokens."}),
        ] {
            assert_eq!(
                of_status("http://x", "m", 400, &body).code,
                ErrorCode::ContextOverflow,
                "{body}"
            );
            assert_eq!(in_stream("http://x", &body).code, ErrorCode::ContextOverflow, "{body}");
        }
        assert_eq!(
            of_status("http://x", "m", 400, &json!({"error": "bad"})).code,
            ErrorCode::ModelRejected
        );
    }
}
