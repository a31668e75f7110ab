//! What went wrong with a server, as a code and a sentence.
//!
//! What a server writes into an error goes no further than its short machine-readable code: the rest may repeat the
//! prompt or the key.

mod pause;

use crate::key::ApiKey;
use recto_core::{Error, ErrorCode};
use reqwest::header::HeaderMap;
use serde_json::Value;
use std::time::Duration;

/// Why a request came to nothing.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The server said no.
    Refusal(Refusal),
    /// There was no answer, or none that can be read.
    Other(Error),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Other(error)
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        Self::Refusal(refusal)
    }
}

/// A response that is not one of success.
#[derive(Debug)]
pub(crate) struct Refusal {
    status: u16,
    body: Value,
    pause: Duration,
}

impl Refusal {
    pub(crate) fn new(status: u16, headers: &HeaderMap, body: &[u8]) -> Self {
        let body: Value = serde_json::from_slice(body).unwrap_or(Value::Null);
        // Gemini wraps the errors of streams into a list.
        let body = if body.is_array() { body[0].clone() } else { body };
        Self {
            status,
            pause: pause::asked_for(headers, &body),
            body,
        }
    }

    /// Whether the request itself was found wanting, so that another form of it may be taken.
    pub(crate) fn is_about_form(&self) -> bool {
        matches!(self.status, 400 | 404 | 415 | 422 | 501)
    }

    /// What the server says about itself and the request, in lower case; only to be searched for known words.
    pub(crate) fn words(&self) -> String {
        // Lists of details, as validating servers make them, name the field they do not take.
        let details = &self.body["detail"];
        let listed = if details.is_array() {
            details.to_string()
        } else {
            String::new()
        };
        sentences(&self.body) + " " + &listed.to_ascii_lowercase()
    }

    /// The request's field that the server names as the cause.
    pub(crate) fn parameter(&self) -> Option<&str> {
        error_of(&self.body)["param"].as_str()
    }

    pub(crate) fn is_unknown(&self) -> bool {
        self.status == 404
    }

    pub(crate) fn error(&self, place: &str, model: &str, key: Option<&ApiKey>) -> Error {
        let mut error = of_status(place, model, self.status, &self.body, key);
        if error.retryable {
            error.retry_after = Some(self.pause);
        }
        error
    }
}

/// The server sent nothing in time.
pub(crate) fn silent(place: &str) -> Error {
    Error::transient(
        ErrorCode::ModelUnreachable,
        format!("The model server at {place} did not answer in time."),
    )
}

/// The reply broke off.
pub(crate) fn cut(place: &str) -> Error {
    Error::transient(
        ErrorCode::ModelUnreachable,
        format!("The connection to the model server at {place} broke before the reply was complete."),
    )
}

/// What answers is no model server, or one of another kind.
pub(crate) fn foreign(place: &str) -> Error {
    Error::new(
        ErrorCode::ModelRejected,
        format!("What answers at {place} does not speak the language of the model server it is set up as."),
    )
}

/// The server ended the reply for a reason of its own.
pub(crate) fn stopped(place: &str, reason: &str) -> Error {
    Error::new(
        ErrorCode::ModelRejected,
        format!("The model server at {place} stopped the reply: {reason}."),
    )
}

/// The request could not be sent. `error` is not repeated: it names the full address.
pub(crate) fn of_connection(place: &str, error: &reqwest::Error) -> Error {
    let message = if error.is_connect() {
        format!("The model server at {place} cannot be reached. Is it running, and is the address right?")
    } else if error.is_timeout() {
        return silent(place);
    } else {
        format!("The connection to the model server at {place} broke.")
    };
    Error::transient(ErrorCode::ModelUnreachable, message)
}

/// The server sent an error object in the midst of a reply.
pub(crate) fn in_reply(place: &str, body: &Value, key: Option<&ApiKey>) -> Error {
    if is_overflow(body) {
        return overflow();
    }
    let said = said(body, key);
    let message = format!("The model server at {place} gave up in the middle of the reply{said}.");
    let error = error_of(body);
    let kind = error["type"].as_str().unwrap_or_default();
    // Relays put the status of the server behind them into `code`.
    let status = error["code"].as_u64().or(error["status"].as_u64()).unwrap_or(0);
    let is_momentary = matches!(
        kind,
        "overloaded_error" | "api_error" | "timeout_error" | "rate_limit_error" | "server_error"
    ) || matches!(status, 408 | 429 | 500 | 502..=504 | 529);
    if is_momentary {
        Error {
            retry_after: Some(pause::asked_for(&HeaderMap::new(), body)),
            ..Error::transient(ErrorCode::ModelUnreachable, message)
        }
    } else {
        Error::new(ErrorCode::ModelRejected, message)
    }
}

fn of_status(place: &str, model: &str, status: u16, body: &Value, key: Option<&ApiKey>) -> Error {
    if matches!(status, 400 | 413 | 422 | 500) && is_overflow(body) {
        return overflow();
    }
    let rejected = |message: String| Error::new(ErrorCode::ModelRejected, message);
    let said = said(body, key);
    // Gemini calls a wrong key a bad request.
    let is_about_key = matches!(status, 401 | 403) || (status == 400 && names_reason(body, "API_KEY_INVALID"));
    match status {
        _ if is_about_key => rejected(format!(
            "The model server at {place} rejected the key ({status}{said}). Check the key in the environment variable, keychain or file that holds it."
        )),
        300..=399 => rejected(format!(
            "The model server at {place} points to another address ({status}), which Recto does not follow. Enter that address in the settings."
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
        503 if sentences(body).contains("loading model") => Error::transient(
            ErrorCode::ModelUnreachable,
            format!("The model server at {place} is still loading the model ({status}{said}). Try again in a while."),
        ),
        501 | 505 => rejected(format!(
            "The model server at {place} cannot do what was asked of it ({status}{said})."
        )),
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
fn said(body: &Value, key: Option<&ApiKey>) -> String {
    let error = error_of(body);
    let is_code = |code: &&str| {
        (1..=64).contains(&code.len()) && code.bytes().all(|b| b.is_ascii_lowercase() || b == b'_' || b == b'.')
    };
    // Google's codes are upper-case words; only those are taken, because a key may look the same.
    const GOOGLE: [&str; 8] = [
        "INVALID_ARGUMENT",
        "FAILED_PRECONDITION",
        "PERMISSION_DENIED",
        "NOT_FOUND",
        "RESOURCE_EXHAUSTED",
        "INTERNAL",
        "UNAVAILABLE",
        "DEADLINE_EXCEEDED",
    ];
    [&error["code"], &error["type"]]
        .into_iter()
        .filter_map(Value::as_str)
        .find(is_code)
        .or_else(|| error["status"].as_str().filter(|status| GOOGLE.contains(status)))
        .map(str::to_ascii_lowercase)
        .filter(|code| key.is_none_or(|key| !code.contains(&key.reveal().to_ascii_lowercase())))
        .map(|code| format!(": {code}"))
        .unwrap_or_default()
}

/// Whether one of Google's error details gives this reason.
fn names_reason(body: &Value, reason: &str) -> bool {
    let details = error_of(body)["details"].as_array();
    details.is_some_and(|details| details.iter().any(|detail| detail["reason"] == reason))
}

/// The sentences and codes of an error, in lower case.
fn sentences(body: &Value) -> String {
    let error = error_of(body);
    let parts = [
        error,
        &error["code"],
        &error["type"],
        &error["param"],
        &error["message"],
        &body["message"],
        &body["detail"],
    ];
    let texts: Vec<&str> = parts.into_iter().filter_map(Value::as_str).collect();
    texts.join(" ").to_ascii_lowercase()
}

fn is_overflow(body: &Value) -> bool {
    let words = sentences(body);
    [
        "context_length_exceeded",
        "exceed_context_size",
        "context length",
        "context size",
        "context window",
        "maximum context",
        "maximum model length",
        "prompt is too long",
        "input token count",
        "request_too_large",
    ]
    .iter()
    .any(|sign| words.contains(sign))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn of(status: u16, body: &Value) -> Error {
        let body = body.to_string();
        Refusal::new(status, &HeaderMap::new(), body.as_bytes()).error("http://x", "qwen", None)
    }

    #[test]
    fn a_status_becomes_a_code_and_a_sentence() {
        for (status, code, is_momentary) in [
            (307, ErrorCode::ModelRejected, false),
            (400, ErrorCode::ModelRejected, false),
            (401, ErrorCode::ModelRejected, false),
            (404, ErrorCode::ModelRejected, false),
            (408, ErrorCode::ModelUnreachable, true),
            (413, ErrorCode::ContextOverflow, false),
            (429, ErrorCode::ModelRejected, true),
            (500, ErrorCode::ModelUnreachable, true),
            (501, ErrorCode::ModelRejected, false),
            (503, ErrorCode::ModelUnreachable, true),
            (529, ErrorCode::ModelUnreachable, true),
        ] {
            let error = of(status, &Value::Null);
            assert_eq!((error.code, error.retryable), (code, is_momentary), "{status}");
            assert_eq!(error.retry_after.is_some(), is_momentary, "{status}");
        }
        assert!(of(404, &Value::Null).message.contains("qwen"));
        let limited = of(
            429,
            &json!({"error": {"code": "rate_limit_exceeded", "message": "sk-secret"}}),
        );
        assert!(limited.message.contains("(429: rate_limit_exceeded)"), "{limited}");
    }

    #[test]
    fn neither_key_nor_prompt_is_repeated_from_an_error() {
        let key = ApiKey::new("hidden_words".into());
        for body in [
            json!({"error": {"message": "Incorrect key sk-secret for: the prompt", "type": "Sk-Secret!"}}),
            json!({"error": {"code": "hidden_words"}}),
            json!({"error": {"status": "HIDDEN_WORDS", "message": "secret"}}),
            json!([{"error": {"status": "SECRET"}}]),
            json!({"detail": [{"input": "the prompt", "msg": "secret"}]}),
        ] {
            let raw = body.to_string();
            for status in [400, 401, 403, 404, 422, 429, 500] {
                let refusal = Refusal::new(status, &HeaderMap::new(), raw.as_bytes());
                let message = refusal.error("http://x", "m", Some(&key)).message.to_lowercase();
                for word in ["secret", "prompt", "hidden"] {
                    assert!(!message.contains(word), "{message}");
                }
            }
            let message = in_reply("http://x", &body, Some(&key)).message.to_lowercase();
            assert!(!message.contains("secret") && !message.contains("hidden"), "{message}");
        }
    }

    #[test]
    fn an_overflow_is_known_in_the_words_of_several_servers() {
        for body in [
            json!({"error": {"code": "context_length_exceeded", "message": "…"}}),
            json!({"error": {"type": "exceed_context_size_error", "message": "…"}}),
            json!({"error": "The number of tokens to keep is greater than the context length."}),
            json!({"object": "error", "message": "This model's maximum context length is 4096 tokens."}),
            json!({"type": "error", "error": {"type": "invalid_request_error",
                "message": "prompt is too long: 210000 tokens > 200000 maximum"}}),
            json!({"error": {"code": 400, "status": "INVALID_ARGUMENT",
                "message": "The input token count (1048577) exceeds the maximum number of tokens allowed."}}),
        ] {
            assert_eq!(of(400, &body).code, ErrorCode::ContextOverflow, "{body}");
            assert_eq!(
                in_reply("http://x", &body, None).code,
                ErrorCode::ContextOverflow,
                "{body}"
            );
        }
        assert_eq!(of(400, &json!({"error": "bad"})).code, ErrorCode::ModelRejected);
    }

    #[test]
    fn a_server_that_is_still_loading_says_so() {
        let body = json!({"error": {"message": "Loading model", "type": "unavailable_error", "code": 503}});
        let error = of(503, &body);
        assert!(
            error.message.contains("still loading") && error.retry_after.is_some(),
            "{error}"
        );
    }

    #[test]
    fn a_wrong_key_is_one_also_where_it_is_called_a_bad_request() {
        let body = json!({"error": {"code": 400, "status": "INVALID_ARGUMENT", "message": "API key not valid.",
            "details": [{"reason": "API_KEY_INVALID"}]}});
        let error = of(400, &body);
        assert!(
            error.message.contains("rejected the key (400: invalid_argument)"),
            "{error}"
        );
    }

    #[test]
    fn a_server_that_is_overloaded_in_the_midst_of_a_reply_may_be_asked_again() {
        let overloaded = json!({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}});
        assert_eq!(
            in_reply("http://x", &overloaded, None).retry_after,
            Some(Duration::ZERO)
        );
        let relayed = json!({"error": {"code": 502, "message": "Provider returned error"}});
        assert!(in_reply("http://x", &relayed, None).retryable);
        let wrong = json!({"error": {"type": "invalid_request_error"}});
        assert_eq!(in_reply("http://x", &wrong, None).retry_after, None);
    }
}
