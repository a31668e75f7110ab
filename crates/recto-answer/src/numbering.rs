//! Numbers of evidence, stable over a conversation.

use recto_core::{Answer, Passage};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Which number a passage has. The same stretch of the same document keeps its number; new ones count on.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Numbering {
    numbers: BTreeMap<String, u32>,
    last: u32,
}

impl Numbering {
    /// The numbering after the answers of a conversation so far.
    #[must_use]
    pub fn after(answers: &[Answer]) -> Self {
        let mut numbering = Self::default();
        for evidence in answers.iter().flat_map(|answer| &answer.evidence) {
            numbering.last = numbering.last.max(evidence.index);
            numbering
                .numbers
                .entry(key(&evidence.passage))
                .or_insert(evidence.index);
        }
        numbering
    }

    /// The number of a passage. `taken` tells numbers this answer has used already, which are not given twice.
    pub(crate) fn number(&mut self, passage: &Passage, taken: &[u32]) -> u32 {
        let key = key(passage);
        if let Some(number) = self.numbers.get(&key).filter(|number| !taken.contains(number)) {
            return *number;
        }
        self.last += 1;
        self.numbers.entry(key).or_insert(self.last);
        self.last
    }
}

/// What makes a passage the same one: collection, document, items and words; never its rank, and not the chunks that were
/// found in it, which differ from question to question. Spans say the same as the words but are counted in characters in
/// stored answers and in bytes in new ones.
fn key(passage: &Passage) -> String {
    let mut key = format!("{}\u{1f}{}", passage.collection, passage.document_id);
    for part in passage.doc_item_refs.iter().chain([&passage.text]) {
        key.push('\u{1f}');
        key.push_str(part);
    }
    key
}
