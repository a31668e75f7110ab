//! Conditions for LanceDB. Every value goes through [`literal`].

use recto_core::{DocumentId, DocumentsSnapshot};

/// `value` as an SQL text literal.
pub(crate) fn literal(value: &str) -> String {
    format!("'{}'", value.replace('\'', "''"))
}

/// `column IN (…)`; never true for an empty list.
pub(crate) fn one_of<S: AsRef<str>>(column: &str, values: impl IntoIterator<Item = S>) -> String {
    list(column, "IN", values).unwrap_or_else(|| "false".to_owned())
}

fn list<S: AsRef<str>>(column: &str, operator: &str, values: impl IntoIterator<Item = S>) -> Option<String> {
    let values: Vec<String> = values.into_iter().map(|value| literal(value.as_ref())).collect();
    (!values.is_empty()).then(|| format!("{column} {operator} ({})", values.join(", ")))
}

/// What a search may see.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Visible {
    /// No row at all.
    Nothing,
    /// Every row.
    Everything,
    /// The rows for which this holds.
    Where(String),
}

/// Rows of `documents` (`None`: all of the snapshot) that are committed in the snapshot, up to the rare row it does
/// not know yet, which the caller drops. The shorter of the two lists of documents is written, because long ones are
/// slow: 20 times for a list of all.
pub(crate) fn visible(snapshot: &DocumentsSnapshot, documents: Option<&[DocumentId]>) -> Visible {
    let mut conditions: Vec<String> = list("revision", "NOT IN", &snapshot.hidden_revisions)
        .into_iter()
        .collect();
    if let Some(wanted) = documents {
        let wanted: std::collections::BTreeSet<DocumentId> = wanted
            .iter()
            .copied()
            .filter(|id| snapshot.documents.contains_key(id))
            .collect();
        if wanted.is_empty() {
            return Visible::Nothing;
        }
        if wanted.len() * 2 <= snapshot.documents.len() {
            conditions.extend(list("document_id", "IN", wanted.iter().map(ToString::to_string)));
        } else {
            let others = snapshot.documents.keys().filter(|id| !wanted.contains(id));
            conditions.extend(list("document_id", "NOT IN", others.map(ToString::to_string)));
        }
    } else if snapshot.documents.is_empty() {
        return Visible::Nothing;
    }
    if conditions.is_empty() {
        Visible::Everything
    } else {
        Visible::Where(conditions.join(" AND "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_in_a_value_stay_in_the_value() {
        assert_eq!(literal("x' OR 'a' = 'a"), "'x'' OR ''a'' = ''a'");
        assert_eq!(one_of("id", ["a", "b'"]), "id IN ('a', 'b''')");
        assert_eq!(one_of("id", Vec::<String>::new()), "false");
    }
}
