//! What a server turned out not to take.
//!
//! The servers of this format differ in fields that are not worth a failed answer. Instead of a table of makers and
//! models, which would be out of date, a refusal that names such a field is taken as a lesson, and the request is made
//! once more without it.

use crate::failure::Refusal;
use serde_json::Value;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

/// How a reply's form is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FormatLevel {
    /// By a JSON schema.
    Schema,
    /// As some JSON object.
    Object,
    /// Not at all; the prompt says it.
    Text,
}

#[derive(Debug, Default)]
pub(super) struct Dialect {
    /// The reply's limit is `max_completion_tokens`, as OpenAI has it, rather than `max_tokens`.
    has_new_limit: AtomicBool,
    /// That field was found wrong once already.
    was_limit_changed: AtomicBool,
    is_without_temperature: AtomicBool,
    is_without_stream_options: AtomicBool,
    format: AtomicU8,
}

impl Dialect {
    pub(super) fn openai() -> Self {
        Self {
            has_new_limit: AtomicBool::new(true),
            ..Self::default()
        }
    }

    pub(super) fn limit_field(&self) -> &'static str {
        if self.has_new_limit.load(Ordering::Relaxed) {
            "max_completion_tokens"
        } else {
            "max_tokens"
        }
    }

    pub(super) fn takes_temperature(&self) -> bool {
        !self.is_without_temperature.load(Ordering::Relaxed)
    }

    pub(super) fn takes_stream_options(&self) -> bool {
        !self.is_without_stream_options.load(Ordering::Relaxed)
    }

    pub(super) fn format(&self) -> FormatLevel {
        match self.format.load(Ordering::Relaxed) {
            0 => FormatLevel::Schema,
            1 => FormatLevel::Object,
            _ => FormatLevel::Text,
        }
    }

    /// Whether `refusal` of the request `sent` taught something, so that the next request is another one.
    pub(super) fn learn(&self, refusal: &Refusal, sent: &Value) -> bool {
        if !refusal.is_about_form() {
            return false;
        }
        let words = refusal.words();
        let is_blamed = |field: &str| {
            sent.get(field).is_some()
                && (refusal.parameter() == Some(field)
                    || ["'", "\"", "`"]
                        .iter()
                        .any(|mark| words.contains(&format!("{mark}{field}{mark}"))))
        };
        let once = |flag: &AtomicBool| !flag.swap(true, Ordering::Relaxed);
        if is_blamed("temperature") && once(&self.is_without_temperature) {
            return true;
        }
        let limit = self.limit_field();
        if sent.get(limit).is_some()
            && (is_blamed(limit) && words.contains("unsupported") || words.contains("max_completion_tokens"))
            && once(&self.was_limit_changed)
        {
            self.has_new_limit.fetch_xor(true, Ordering::Relaxed);
            return true;
        }
        if words.contains("stream_options")
            && sent.get("stream_options").is_some()
            && once(&self.is_without_stream_options)
        {
            return true;
        }
        let format = &sent["response_format"]["type"];
        let level = match format.as_str() {
            Some("json_schema") => 1,
            Some("json_object") => 2,
            _ => return false,
        };
        let is_format = ["response_format", "json", "schema", "structured", "grammar", "guided"];
        is_format.iter().any(|word| words.contains(word)) && self.format.fetch_max(level, Ordering::Relaxed) < level
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reqwest::header::HeaderMap;
    use serde_json::json;

    fn refused(error: Value) -> Refusal {
        Refusal::new(400, &HeaderMap::new(), json!({"error": error}).to_string().as_bytes())
    }

    #[test]
    fn a_lesson_is_learnt_once() {
        let dialect = Dialect::openai();
        let sent = json!({"temperature": 0.0, "max_completion_tokens": 5, "stream_options": {}});
        let cold =
            refused(json!({"code": "unsupported_value", "param": "temperature", "message": "Only the default."}));
        assert!(dialect.learn(&cold, &sent) && !dialect.takes_temperature());
        assert!(!dialect.learn(&cold, &sent), "asking again would go on for ever");
        let old = refused(json!({"message": "Unrecognized request argument supplied: max_completion_tokens"}));
        assert!(dialect.learn(&old, &sent));
        assert_eq!(dialect.limit_field(), "max_tokens");
        let sent = json!({"max_tokens": 5});
        let new = refused(json!({"message": "Use 'max_completion_tokens' instead."}));
        assert!(!dialect.learn(&new, &sent), "no going back and forth");
    }

    #[test]
    fn a_form_is_asked_for_less_strictly_step_by_step() {
        let dialect = Dialect::default();
        let unavailable = refused(json!({"message": "This response_format type is unavailable now"}));
        assert!(dialect.learn(&unavailable, &json!({"response_format": {"type": "json_schema"}})));
        assert_eq!(dialect.format(), FormatLevel::Object);
        assert!(dialect.learn(&unavailable, &json!({"response_format": {"type": "json_object"}})));
        assert_eq!(dialect.format(), FormatLevel::Text);
        assert!(!dialect.learn(&unavailable, &json!({})));
    }

    #[test]
    fn a_refusal_for_another_reason_teaches_nothing() {
        let dialect = Dialect::default();
        let sent = json!({"temperature": 0.0, "response_format": {"type": "json_schema"}});
        for refusal in [
            refused(json!({"message": "The temperature of the sea is no topic."})),
            Refusal::new(401, &HeaderMap::new(), br#"{"error":{"param":"temperature"}}"#),
            Refusal::new(400, &HeaderMap::new(), b""),
        ] {
            assert!(!dialect.learn(&refusal, &sent), "{refusal:?}");
        }
        let listed = br#"{"detail":[{"loc":["body","stream_options"],"msg":"Extra inputs are not permitted"}]}"#;
        let sent = json!({"stream_options": {"include_usage": true}});
        assert!(dialect.learn(&Refusal::new(422, &HeaderMap::new(), listed), &sent));
        assert!(!dialect.takes_stream_options());
    }
}
