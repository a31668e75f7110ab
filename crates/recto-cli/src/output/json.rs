//! JSON as it is printed: one object, then a line break.

use crate::failure::{Failure, Result};
use crate::output::terminal;
use recto_engine::contract::ApiError;
use serde::Serialize;
use std::fmt::Write as _;

/// `{"error":{…}}`, as it goes to standard error.
#[derive(Debug, Serialize)]
pub(crate) struct ErrorReport {
    /// The failure.
    pub(crate) error: ApiError,
}

/// The outcome of `delete`.
#[derive(Debug, Serialize)]
pub(crate) struct DeleteReport {
    /// What is gone.
    pub(crate) deleted: Vec<DeletedDocument>,
}

/// A document that was deleted.
#[derive(Debug, Serialize)]
pub(crate) struct DeletedDocument {
    /// Its collection.
    pub(crate) collection: String,
    /// Its id.
    pub(crate) document_id: String,
    /// Its title.
    pub(crate) title: String,
}

/// The outcome of `collections`.
#[derive(Debug, Serialize)]
pub(crate) struct CollectionList<T> {
    /// By name.
    pub(crate) collections: Vec<T>,
}

/// A page that was drawn into a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct PageFile {
    /// Where it is; null when it went to standard output.
    pub(crate) path: Option<String>,
    /// The document, for pages of a library.
    pub(crate) document_id: Option<String>,
    /// 1-based page number.
    pub(crate) page: u32,
    /// Pixels.
    pub(crate) width: u32,
    /// Pixels.
    pub(crate) height: u32,
    /// Numbers of the citations drawn on it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) citations: Vec<u32>,
}

/// `value` as JSON, in lines for a reader or in one line for a program.
pub(crate) fn text(value: &impl Serialize, in_lines: bool) -> Result<String> {
    let json = if in_lines {
        serde_json::to_string_pretty(value)
    } else {
        serde_json::to_string(value)
    };
    let json = json.map_err(|error| Failure::internal(format!("Cannot write the result as JSON: {error}.")))?;
    Ok(escape_hidden(&json))
}

/// JSON may hold DEL, the C1 controls and direction overrides as they are; a terminal must not see them, and `\u` says
/// the same. Outside strings JSON has none of them.
pub(crate) fn escape_hidden(json: &str) -> String {
    if !json
        .chars()
        .any(|character| character != '\n' && terminal::is_hidden(character))
    {
        return json.to_owned();
    }
    let mut escaped = String::with_capacity(json.len() + 16);
    for character in json.chars() {
        if character != '\n' && terminal::is_hidden(character) {
            for unit in character.encode_utf16(&mut [0; 2]) {
                // Writing to a string cannot fail.
                let _ = write!(escaped, "\\u{unit:04x}");
            }
        } else {
            escaped.push(character);
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_characters_are_escaped_and_read_back_unchanged() {
        let value = "a\u{1b}[31m\u{9b}31m\u{202e}\u{7f}\u{e0041}\nend";
        for in_lines in [true, false] {
            let json = text(&[value], in_lines).expect("serialises");
            assert!(
                json.chars()
                    .all(|character| character == '\n' || !terminal::is_hidden(character)),
                "{json:?}"
            );
            let back: Vec<String> = serde_json::from_str(&json).expect("is JSON");
            assert_eq!(back, [value]);
        }
    }

    #[test]
    fn an_error_has_a_code_a_message_and_a_hint_to_retry() {
        let report = ErrorReport {
            error: ApiError {
                code: "not_found".to_owned(),
                message: "No such thing.".to_owned(),
                retryable: false,
            },
        };
        assert_eq!(
            text(&report, false).expect("serialises"),
            r#"{"error":{"code":"not_found","message":"No such thing.","retryable":false}}"#
        );
    }
}
