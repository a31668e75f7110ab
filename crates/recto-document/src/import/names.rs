//! References of items.

use recto_core::{Item, Label};
use std::collections::HashMap;

/// Counts references and positions anew, each kind from 0; what refers to an item follows it. For items that were put
/// together from several documents.
pub(crate) fn renumber(parts: Vec<Vec<Item>>) -> Vec<Item> {
    let mut counts = [0u32; 3];
    let mut out: Vec<Item> = Vec::with_capacity(parts.iter().map(Vec::len).sum());
    for mut part in parts {
        let mut renamed: HashMap<String, String> = HashMap::with_capacity(part.len());
        for item in &mut part {
            let (kind, count) = match item.label {
                Label::Picture => ("pictures", &mut counts[1]),
                _ if item.table.is_some() => ("tables", &mut counts[2]),
                _ => ("texts", &mut counts[0]),
            };
            let name = format!("#/{kind}/{count}");
            *count += 1;
            renamed.insert(std::mem::replace(&mut item.self_ref, name.clone()), name);
        }
        for item in &mut part {
            for reference in [&mut item.parent, &mut item.continues].into_iter().flatten() {
                if let Some(name) = renamed.get(reference) {
                    reference.clone_from(name);
                }
            }
        }
        out.append(&mut part);
    }
    for (item, position) in out.iter_mut().zip(0u32..) {
        item.position = position;
    }
    out
}
