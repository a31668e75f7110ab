//! Offsets for callers. Inside, spans count bytes; outside they count characters, as the contract says.

use recto_collection::Collection;
use recto_core::{ChunkSource, Citation, DocumentId, DocumentsSnapshot, Evidence, Passage, Result, Span};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What stands between the items of a passage.
const PIECES_APART: &str = "\n\n";

/// Turns the byte offsets of passages and citations into characters, reading the items they refer to.
pub(crate) struct CharacterSpans<'a> {
    collections: &'a [Arc<Collection>],
    snapshots: BTreeMap<String, DocumentsSnapshot>,
    /// The texts of the items asked for so far by document and reference; `None` where all is ASCII, in which bytes are
    /// characters.
    texts: BTreeMap<(String, DocumentId), BTreeMap<String, Option<String>>>,
}

impl<'a> CharacterSpans<'a> {
    pub(crate) fn new(collections: &'a [Arc<Collection>]) -> Self {
        Self {
            collections,
            snapshots: BTreeMap::new(),
            texts: BTreeMap::new(),
        }
    }

    /// A passage holds its items' text, so that items are read only for those it does not begin with.
    pub(crate) async fn passage(&mut self, passage: &mut Passage) -> Result<()> {
        let (collection, document) = (passage.collection.0.clone(), passage.document_id);
        let (mut whole, mut cut) = (Vec::new(), Vec::new());
        let mut from = 0;
        for (index, span) in passage.spans.iter().enumerate() {
            let to = from + (span.end - span.start) as usize;
            match passage.text.get(from..to) {
                Some(text) if span.start == 0 => whole.push((index, text.chars().count())),
                _ => cut.push(index),
            }
            from = to + PIECES_APART.len();
        }
        for (index, characters) in whole {
            passage.spans[index].end = u32::try_from(characters).unwrap_or(u32::MAX);
        }
        let cut: Vec<&mut Span> = passage
            .spans
            .iter_mut()
            .enumerate()
            .filter(|(index, _)| cut.contains(index))
            .map(|(_, span)| span)
            .collect();
        self.convert(&collection, document, cut).await
    }

    pub(crate) async fn evidence(&mut self, evidence: &mut [Evidence]) -> Result<()> {
        for one in evidence {
            self.passage(&mut one.passage).await?;
        }
        Ok(())
    }

    pub(crate) async fn citation(&mut self, citation: &mut Citation) -> Result<()> {
        let (collection, document) = (citation.collection.0.clone(), citation.document_id);
        self.convert(&collection, document, citation.spans.iter_mut().collect())
            .await
    }

    async fn convert(&mut self, collection: &str, document: DocumentId, spans: Vec<&mut Span>) -> Result<()> {
        if spans.is_empty() {
            return Ok(());
        }
        let refs: BTreeSet<&str> = spans.iter().map(|span| span.self_ref.as_str()).collect();
        let texts = self.texts(collection, document, refs).await?;
        for span in spans {
            if let Some(Some(text)) = texts.get(&span.self_ref) {
                span.start = characters_before(text, span.start as usize);
                span.end = characters_before(text, span.end as usize);
            }
        }
        Ok(())
    }

    /// The texts of a document's items, with at least those of `refs` that exist.
    async fn texts(
        &mut self,
        collection: &str,
        document: DocumentId,
        refs: BTreeSet<&str>,
    ) -> Result<&BTreeMap<String, Option<String>>> {
        let known = self.texts.entry((collection.to_owned(), document)).or_default();
        let unknown: Vec<&str> = refs.into_iter().filter(|one| !known.contains_key(*one)).collect();
        let open = self.collections.iter().find(|open| open.name().0 == collection);
        if let Some(open) = open.filter(|_| !unknown.is_empty()) {
            if !self.snapshots.contains_key(collection) {
                self.snapshots.insert(collection.to_owned(), open.snapshot().await?);
            }
            let read = open
                .item_texts(&self.snapshots[collection], document, &unknown)
                .await
                .map_err(|error| error.in_collection(open.name()))?;
            known.extend(
                read.into_iter()
                    .map(|(one, text)| (one, (!text.is_ascii()).then_some(text))),
            );
        }
        Ok(known)
    }
}

/// Characters of `text` before this byte.
pub(crate) fn characters_before(text: &str, byte: usize) -> u32 {
    let end = text.floor_char_boundary(byte);
    u32::try_from(text[..end].chars().count()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_counted_not_bytes() {
        assert_eq!(characters_before("größe", 0), 0);
        assert_eq!(characters_before("größe", 4), 3, "ö takes two bytes");
        assert_eq!(characters_before("größe", 99), 5, "an offset past the end is the end");
    }
}
