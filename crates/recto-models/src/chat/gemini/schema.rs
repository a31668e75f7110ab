//! JSON schemas in the part of the schema language that Gemini understands.

use serde_json::{Map, Value, json};

/// References are followed this deep; what refers to itself would go on for ever.
const DEEPEST: usize = 16;

/// The schema as Gemini takes it. What cannot be said is left out, so the schema may allow more than the original.
pub(super) fn converted(schema: &Value) -> Value {
    convert(schema, schema, 0)
}

fn convert(schema: &Value, root: &Value, depth: usize) -> Value {
    let Some(fields) = schema.as_object().filter(|_| depth < DEEPEST) else {
        return json!({"type": "STRING"});
    };
    if let Some(target) = fields
        .get("$ref")
        .and_then(Value::as_str)
        .and_then(|path| path.strip_prefix('#'))
    {
        let target = root.pointer(target).unwrap_or(&Value::Null);
        return convert(target, root, depth + 1);
    }
    let mut to = Map::new();
    let inner = |schema: &Value| convert(schema, root, depth + 1);
    let allowed = allowed_values(fields);
    let kind = kind(fields, allowed.as_deref());
    if let Some(kind) = kind {
        to.insert("type".into(), json!(kind.to_ascii_uppercase()));
    }
    if allows_null(fields) {
        to.insert("nullable".into(), json!(true));
    }
    if let Some(allowed) = allowed {
        restrict(&mut to, kind, &allowed);
    }
    for (name, value) in fields {
        match name.as_str() {
            "description" | "format" | "title" | "minItems" | "maxItems" | "minimum" | "maximum" | "minLength"
            | "maxLength" | "pattern" => {
                to.entry(name).or_insert_with(|| value.clone());
            }
            "required" if value.as_array().is_some_and(|names| !names.is_empty()) => {
                to.insert(name.clone(), value.clone());
            }
            "items" => {
                to.insert(name.clone(), inner(value));
            }
            "properties" => {
                let properties = value.as_object().into_iter().flatten();
                let properties: Map<String, Value> =
                    properties.map(|(name, value)| (name.clone(), inner(value))).collect();
                // Otherwise they would come in alphabetical order, reasons after what they are to lead to.
                let names: Vec<&String> = value.as_object().into_iter().flat_map(Map::keys).collect();
                to.insert("propertyOrdering".into(), json!(names));
                to.insert(name.clone(), Value::Object(properties));
            }
            "anyOf" | "oneOf" => {
                let options = value
                    .as_array()
                    .into_iter()
                    .flatten()
                    .filter(|option| option["type"] != "null");
                let options: Vec<Value> = options.map(inner).collect();
                to.insert("anyOf".into(), json!(options));
            }
            _ => {}
        }
    }
    Value::Object(to)
}

/// The values of `enum` or `const`, without null.
fn allowed_values(fields: &Map<String, Value>) -> Option<Vec<Value>> {
    let values = match (fields.get("enum").and_then(Value::as_array), fields.get("const")) {
        (Some(values), _) => values.clone(),
        (None, Some(value)) => vec![value.clone()],
        (None, None) => return None,
    };
    Some(values.into_iter().filter(|value| !value.is_null()).collect())
}

fn kind<'a>(fields: &'a Map<String, Value>, allowed: Option<&[Value]>) -> Option<&'a str> {
    match fields.get("type") {
        Some(Value::String(kind)) => Some(kind),
        Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).find(|&kind| kind != "null"),
        _ => match allowed?.first()? {
            Value::String(_) => Some("string"),
            Value::Number(number) if number.is_f64() => Some("number"),
            Value::Number(_) => Some("integer"),
            Value::Bool(_) => Some("boolean"),
            _ => None,
        },
    }
}

fn allows_null(fields: &Map<String, Value>) -> bool {
    let in_type = fields
        .get("type")
        .and_then(Value::as_array)
        .is_some_and(|kinds| kinds.iter().any(|kind| kind == "null"));
    let in_options = ["anyOf", "oneOf"].into_iter().any(|name| {
        let options = fields.get(name).and_then(Value::as_array);
        options.is_some_and(|options| options.iter().any(|option| option["type"] == "null"))
    });
    in_type || in_options
}

/// Only strings can be listed; numbers are held between the least and the greatest, and the list is told in words.
fn restrict(to: &mut Map<String, Value>, kind: Option<&str>, allowed: &[Value]) {
    match kind {
        Some("string") => {
            to.insert("enum".into(), json!(allowed));
            to.insert("format".into(), json!("enum"));
        }
        Some("integer" | "number") => {
            let numbers = || allowed.iter().filter(|value| value.is_number());
            let key = |value: &&Value| value.as_f64().unwrap_or_default();
            let least = numbers().min_by(|a, b| key(a).total_cmp(&key(b)));
            let greatest = numbers().max_by(|a, b| key(a).total_cmp(&key(b)));
            if let (Some(least), Some(greatest)) = (least, greatest) {
                to.insert("minimum".into(), least.clone());
                to.insert("maximum".into(), greatest.clone());
            }
            let listed: Vec<String> = numbers().map(ToString::to_string).collect();
            to.insert("description".into(), json!(format!("One of {}.", listed.join(", "))));
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_gemini_cannot_read_is_said_otherwise_or_left_out() {
        let schema = json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "type": "object",
            "additionalProperties": false,
            "required": ["cited", "status"],
            "properties": {
                "status": {"type": "string", "enum": ["answered", "not_addressed"]},
                "cited": {"type": "array", "items": {"type": "integer", "enum": [7, 3, 12]}, "uniqueItems": true},
                "note": {"type": ["string", "null"]},
                "part": {"$ref": "#/$defs/part"},
                "either": {"oneOf": [{"type": "null"}, {"const": 4}]}
            },
            "$defs": {"part": {"type": "object", "properties": {"name": {"type": "string"}}}}
        });
        assert_eq!(
            converted(&schema),
            json!({
                "type": "OBJECT",
                "required": ["cited", "status"],
                "propertyOrdering": schema["properties"].as_object().expect("is one").keys().collect::<Vec<_>>(),
                "properties": {
                    "status": {"type": "STRING", "format": "enum", "enum": ["answered", "not_addressed"]},
                    "cited": {"type": "ARRAY", "items": {"type": "INTEGER", "minimum": 3, "maximum": 12,
                        "description": "One of 7, 3, 12."}},
                    "note": {"type": "STRING", "nullable": true},
                    "part": {"type": "OBJECT", "propertyOrdering": ["name"],
                        "properties": {"name": {"type": "STRING"}}},
                    "either": {"nullable": true, "anyOf": [
                        {"type": "INTEGER", "minimum": 4, "maximum": 4, "description": "One of 4."}]}
                }
            })
        );
    }

    #[test]
    fn a_schema_that_refers_to_itself_comes_to_an_end() {
        let schema = json!({"type": "object", "properties": {"child": {"$ref": "#"}}});
        let text = converted(&schema).to_string();
        assert!(text.len() < 4096, "{text}");
        assert_eq!(converted(&json!({"$ref": "#/nowhere"})), json!({"type": "STRING"}));
    }
}
