//! Reading what a model meant as JSON: in fences, in the middle of prose, lists written as text.

use crate::markers::{MarkerParser, Piece};
use serde_json::Value;
use std::collections::BTreeSet;

/// The first JSON object or list in `text`.
pub(crate) fn decode(text: &str) -> Option<Value> {
    let text = text.trim();
    if let Ok(value) = serde_json::from_str::<Value>(text) {
        return match value {
            // A whole object written as one string.
            Value::String(inner) => decode(&inner),
            value if value.is_object() || value.is_array() => Some(value),
            _ => None,
        };
    }
    text.char_indices()
        .filter(|(_, c)| matches!(c, '{' | '['))
        .take(32)
        .find_map(|(start, _)| {
            let end = closing(&text[start..])?;
            let value: Value = serde_json::from_str(&text[start..start + end]).ok()?;
            // A bracketed number in prose is a marker, not a reply.
            let marker = value.as_array().is_some_and(|list| list.iter().all(Value::is_number));
            (!marker).then_some(value)
        })
}

/// The offset just after the bracket that closes the one `text` begins with.
fn closing(text: &str) -> Option<usize> {
    let (mut depth, mut quoted, mut escaped) = (0_u32, false, false);
    for (at, c) in text.char_indices() {
        if quoted {
            match c {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '"' => quoted = false,
                _ => {}
            }
            continue;
        }
        match c {
            '"' => quoted = true,
            '{' | '[' => depth += 1,
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some(at + c.len_utf8());
                }
            }
            _ => {}
        }
    }
    None
}

/// The numbers of a list, however it is written: `[1, 2]`, `["1", "§2"]`, `"1, 3-5"`, `[{"number": 1}]`, `7`; in the
/// order given, each once. `None` where it is nothing of the kind.
pub(crate) fn numbers(value: &Value) -> Option<Vec<u32>> {
    let mut found = Vec::new();
    match value {
        Value::Null => {}
        Value::Number(_) => found.push(u32::try_from(value.as_u64()?).ok()?),
        Value::String(text) => found = numbers_in(text),
        Value::Array(list) => {
            for entry in list {
                match entry {
                    Value::Object(fields) => {
                        let named = ["number", "id", "section", "page", "index"]
                            .iter()
                            .find_map(|name| fields.get(*name));
                        found.extend(named.and_then(numbers).unwrap_or_default());
                    }
                    entry => found.extend(numbers(entry).unwrap_or_default()),
                }
            }
        }
        Value::Bool(_) | Value::Object(_) => return None,
    }
    let mut distinct = Vec::new();
    for number in found {
        if !distinct.contains(&number) {
            distinct.push(number);
        }
    }
    Some(distinct)
}

/// The whole numbers in `text`, ranges spelt out.
pub(crate) fn numbers_in(text: &str) -> Vec<u32> {
    /// A range longer than this is a slip, not a list.
    const LONGEST: u32 = 200;
    let mut found = Vec::new();
    let mut open: Option<u32> = None;
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let between = rest[..start].trim();
        let tail = &rest[start..];
        let end = tail.find(|c: char| !c.is_ascii_digit()).unwrap_or(tail.len());
        let number = tail[..end].parse::<u32>().ok();
        let is_range = matches!(between, "-" | "–" | "to" | "bis");
        match (open, number) {
            (Some(first), Some(last)) if is_range && first < last && last - first <= LONGEST => {
                found.extend(first + 1..=last);
            }
            (_, Some(number)) => found.push(number),
            _ => {}
        }
        open = number;
        rest = &tail[end..];
    }
    found
}

/// Those of the `offered` numbers that stand in `text` as markers, in the order of their first.
pub(crate) fn marked(text: &str, offered: &[u32]) -> Vec<u32> {
    let mut parser = MarkerParser::new(offered.iter().copied().collect(), BTreeSet::new());
    let mut pieces = parser.push(text);
    pieces.extend(parser.finish());
    let mut found = Vec::new();
    for piece in pieces {
        let Piece::Marker(numbers) = piece else { continue };
        for number in numbers {
            if !found.contains(&number) {
                found.push(number);
            }
        }
    }
    found
}

/// A confidence between 0 and 1, also where it is written as text or percent. `None` where none is stated.
pub(crate) fn confidence(value: &Value) -> Option<f32> {
    let number = match value {
        Value::Number(number) => number.as_f64()?,
        Value::String(text) => {
            let percent = text.trim().ends_with('%');
            let number: f64 = text.trim().trim_end_matches('%').trim().parse().ok()?;
            if percent { number / 100.0 } else { number }
        }
        _ => return None,
    };
    // Models asked for 0 to 1 sometimes answer in percent.
    let number = if number > 1.0 && number <= 100.0 {
        number / 100.0
    } else {
        number
    };
    #[expect(clippy::cast_possible_truncation, reason = "a share between 0 and 1")]
    number.is_finite().then_some(number.clamp(0.0, 1.0) as f32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    #[test]
    fn an_object_is_found_in_fences_and_prose_and_strings() {
        let wanted = json!({"relevant": [2], "why": "a } in { text"});
        for text in [
            r#"{"relevant": [2], "why": "a } in { text"}"#,
            "```json\n{\"relevant\": [2], \"why\": \"a } in { text\"}\n```",
            "Sure [1]! Here you go: {\"relevant\": [2], \"why\": \"a } in { text\"} Hope it helps {really}.",
            r#""{\"relevant\": [2], \"why\": \"a } in { text\"}""#,
        ] {
            assert_eq!(decode(text), Some(wanted.clone()), "{text}");
        }
        for text in ["", "no", "7", "sections [2] and [3]", "{\"cut\": [1,"] {
            assert_eq!(decode(text), None, "{text}");
        }
    }

    #[test]
    fn lists_of_numbers_are_read_however_written() {
        for (value, wanted) in [
            (json!([3, 1, 3]), vec![3, 1]),
            (json!(["3", "[1]"]), vec![3, 1]),
            (json!("3, 5-7 and 9"), vec![3, 5, 6, 7, 9]),
            (json!("[3, 1]"), vec![3, 1]),
            (json!([{"number": 3, "confidence": 0.5}, {"id": "1"}]), vec![3, 1]),
            (json!(4), vec![4]),
            (json!([]), vec![]),
            (json!("1-99999999999"), vec![1]),
            (Value::Null, vec![]),
        ] {
            assert_eq!(numbers(&value), Some(wanted), "{value}");
        }
        assert_eq!(numbers(&json!({"a": 1})), None);
    }

    #[test]
    fn an_unstated_confidence_is_not_zero() {
        assert_eq!(confidence(&Value::Null), None);
        assert_eq!(confidence(&json!("high")), None);
        for (value, wanted) in [
            (json!(0.25), 0.25),
            (json!("0.25"), 0.25),
            (json!("25%"), 0.25),
            (json!(25), 0.25),
            (json!(-1), 0.0),
        ] {
            assert_eq!(confidence(&value), Some(wanted), "{value}");
        }
    }

    proptest! {
        #[test]
        fn any_reply_is_decoded_without_a_panic(text in r#"[\[\]{}",:0-9a-zé\\ -]{0,60}"#) {
            if let Some(value) = decode(&text) {
                numbers(&value);
            }
            numbers_in(&text);
        }
    }
}
