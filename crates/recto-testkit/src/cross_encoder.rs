//! A cross-encoder small enough to be written by hand: it adds up the ids of the tokens.

use serde_json::{Value, json};

fn varint(mut number: u64, to: &mut Vec<u8>) {
    while number >= 0x80 {
        to.push((number as u8 & 0x7f) | 0x80);
        number >>= 7;
    }
    to.push(number as u8);
}

fn number(field: u64, value: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    varint(field << 3, &mut bytes);
    varint(value, &mut bytes);
    bytes
}

fn part(field: u64, content: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    varint(field << 3 | 2, &mut bytes);
    varint(content.len() as u64, &mut bytes);
    bytes.extend_from_slice(content);
    bytes
}

fn node(operator: &str, inputs: &[&str], output: &str, attribute: Option<(&str, u64)>) -> Vec<u8> {
    let mut node: Vec<u8> = inputs.iter().flat_map(|input| part(1, input.as_bytes())).collect();
    node.extend(part(2, output.as_bytes()));
    node.extend(part(4, operator.as_bytes()));
    if let Some((name, value)) = attribute {
        let attribute = [part(1, name.as_bytes()), number(3, value), number(20, 2)].concat();
        node.extend(part(5, &attribute));
    }
    part(1, &node)
}

/// A value of shape 1 × n.
fn value(field: u64, name: &str, kind: u64) -> Vec<u8> {
    let shape = [part(1, &number(1, 1)), part(1, &part(2, b"n"))].concat();
    let tensor = [number(1, kind), part(2, &shape)].concat();
    part(field, &[part(1, name.as_bytes()), part(2, &part(1, &tensor))].concat())
}

/// The graph: `has_types` for one that takes `token_type_ids` and adds up the second text only, `has_two_scores` for one
/// that gives one score for no and one for yes.
#[must_use]
pub fn graph(has_types: bool, has_two_scores: bool) -> Vec<u8> {
    const FLOAT: u64 = 1;
    const INTEGER: u64 = 7;
    let mut graph = node("Cast", &["input_ids"], "ids", Some(("to", FLOAT)));
    graph.extend(node("Cast", &["attention_mask"], "mask", Some(("to", FLOAT))));
    graph.extend(node("Mul", &["ids", "mask"], "seen", None));
    let summed = if has_types {
        graph.extend(node("Cast", &["token_type_ids"], "types", Some(("to", FLOAT))));
        graph.extend(node("Mul", &["seen", "types"], "second", None));
        "second"
    } else {
        "seen"
    };
    if has_two_scores {
        graph.extend(node("ReduceSum", &[summed], "sum", None));
        graph.extend(node("Neg", &["sum"], "no", None));
        graph.extend(node("Concat", &["no", "sum"], "logits", Some(("axis", 1))));
    } else {
        graph.extend(node("ReduceSum", &[summed], "logits", None));
    }
    graph.extend(part(2, b"scores"));
    graph.extend(value(11, "input_ids", INTEGER));
    graph.extend(value(11, "attention_mask", INTEGER));
    if has_types {
        graph.extend(value(11, "token_type_ids", INTEGER));
    }
    graph.extend(value(12, "logits", FLOAT));
    let operators = [part(1, b""), number(2, 13)].concat();
    [number(1, 8), part(7, &graph), part(8, &operators)].concat()
}

/// The `tokenizer.json`: words apart at white space, of which it knows two.
#[must_use]
pub fn tokenizer() -> Value {
    let special = |id: &str, kind: u32| json!({"SpecialToken": {"id": id, "type_id": kind}});
    let sequence = |id: &str, kind: u32| json!({"Sequence": {"id": id, "type_id": kind}});
    let token = |id: &str, number: u32| json!({"id": id, "ids": [number], "tokens": [id]});
    json!({
        "version": "1.0", "truncation": null, "padding": null, "added_tokens": [], "normalizer": null, "decoder": null,
        "pre_tokenizer": {"type": "Whitespace"},
        "post_processor": {"type": "TemplateProcessing",
            "single": [special("[CLS]", 0), sequence("A", 0)],
            "pair": [special("[CLS]", 0), sequence("A", 0), special("[SEP]", 0), sequence("B", 1)],
            "special_tokens": {"[CLS]": token("[CLS]", 0), "[SEP]": token("[SEP]", 1)}},
        "model": {"type": "WordLevel", "unk_token": "[UNK]",
            "vocab": {"[CLS]": 0, "[SEP]": 1, "[UNK]": 2, "whale": 10, "tax": 20}}
    })
}
