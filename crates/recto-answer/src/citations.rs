//! From support found to a citation that can be shown again without retrieval.

use crate::run::Run;
use recto_core::{
    BoxKind, Citation, CitedBox, DocumentFailure, LocateHint, Locator, MatchKind, NumberCheck, Passage, QuoteBy,
    QuoteMatch, Result, Span, Verdict,
};

/// The words a citation stands on.
#[derive(Debug, Clone)]
pub(crate) struct Support {
    pub(crate) quote: String,
    pub(crate) by: QuoteBy,
    pub(crate) verdict: Verdict,
    pub(crate) rects: Vec<recto_core::PageRect>,
    pub(crate) spans: Vec<Span>,
    /// The words in the strong boxes; for a cell with the label of its row and the head of its column.
    pub(crate) words: String,
}

impl Support {
    /// Nothing found.
    pub(crate) fn none(by: QuoteBy) -> Self {
        Self {
            quote: String::new(),
            by,
            verdict: Verdict::NotLocated,
            rects: Vec::new(),
            spans: Vec::new(),
            words: String::new(),
        }
    }

    /// Takes in the support of another claim that cites the same evidence. The worse verdict stands.
    pub(crate) fn join(&mut self, other: Self) {
        if !other.quote.is_empty() && !self.quote.contains(&other.quote) {
            if !self.quote.is_empty() {
                self.quote.push_str(" … ");
            }
            self.quote.push_str(&other.quote);
        }
        self.words.push('\n');
        self.words.push_str(&other.words);
        if other.by == QuoteBy::Recto {
            self.by = QuoteBy::Recto;
        }
        if severity(other.verdict) > severity(self.verdict) {
            self.verdict = other.verdict;
        }
        self.rects.extend(
            other
                .rects
                .into_iter()
                .filter(|rect| !self.rects.contains(rect))
                .collect::<Vec<_>>(),
        );
        self.spans.extend(
            other
                .spans
                .into_iter()
                .filter(|span| !self.spans.contains(span))
                .collect::<Vec<_>>(),
        );
    }
}

fn severity(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Verbatim => 0,
        Verdict::Normalised => 1,
        Verdict::Fuzzy => 2,
        Verdict::Aligned => 3,
        Verdict::NotLocated => 4,
    }
}

/// What a match says about a quote the answer chose itself.
pub(crate) fn verdict_of(kind: MatchKind) -> Verdict {
    match kind {
        MatchKind::Verbatim => Verdict::Verbatim,
        MatchKind::Normalised => Verdict::Normalised,
        MatchKind::Fuzzy => Verdict::Fuzzy,
    }
}

/// The citation of `passage` as number `index`: strong boxes over the support, soft ones over the passage.
pub(crate) fn citation(index: u32, passage: &Passage, support: Support, numbers: NumberCheck) -> Citation {
    let mut pages: Vec<u32> = support.rects.iter().map(|at| at.page).collect();
    pages.sort_unstable();
    pages.dedup();
    if pages.is_empty() {
        pages.clone_from(&passage.pages);
    }
    let page_labels = pages
        .iter()
        .map(|page| {
            let at = passage.pages.iter().position(|other| other == page)?;
            passage.page_labels.get(at)?.clone()
        })
        .collect();
    let locator = match (&passage.locator, pages.is_empty()) {
        (Locator::Page { .. } | Locator::Heading { .. }, false) => Locator::Page { pages: pages.clone() },
        (other, _) => other.clone(),
    };
    let strong = support.rects.iter().map(|at| (at, BoxKind::Quote));
    let soft = passage.boxes.iter().map(|at| (at, BoxKind::Passage));
    Citation {
        index,
        collection: passage.collection.clone(),
        document_id: passage.document_id,
        title: passage.title.clone(),
        uri: passage.uri.clone(),
        sha256: passage.sha256.clone(),
        headings: passage.headings.clone(),
        pages,
        page_labels,
        locator,
        chunk_ids: passage.chunk_ids.clone(),
        doc_item_refs: passage.doc_item_refs.clone(),
        boxes: strong
            .chain(soft)
            .map(|(at, kind)| CitedBox { at: *at, kind })
            .collect(),
        quote: support.quote,
        quote_by: support.by,
        verdict: support.verdict,
        numbers,
        spans: support.spans,
    }
}

impl Run<'_> {
    /// The best place of `quote` in the passage's document. A document whose pages cannot be searched is recorded as
    /// failed, once; its citations stay, not located.
    pub(crate) async fn locate(&mut self, passage: &Passage, quote: &str, hint: &LocateHint) -> Option<QuoteMatch> {
        let locator = &self.context.locator;
        let found: Result<Vec<QuoteMatch>> = locator
            .locate(&passage.collection, passage.document_id, quote, hint)
            .await;
        match found {
            Ok(matches) => matches.into_iter().next(),
            Err(error) => {
                tracing::warn!(document = %passage.document_id, code = %error.code, "locating a quote failed");
                let failed = &mut self.draft.documents_failed;
                if !failed.iter().any(|failure| failure.document_id == passage.document_id) {
                    failed.push(DocumentFailure {
                        document_id: passage.document_id,
                        title: passage.title.clone(),
                        reason: error.message,
                    });
                }
                None
            }
        }
    }

    /// Keeps and shows a resolved citation.
    pub(crate) fn cite(&mut self, citation: Citation) {
        self.draft.citations.push(citation.clone());
        self.draft.citations.sort_by_key(|citation| citation.index);
        self.send(recto_core::AnswerEvent::Verdict {
            citation: Box::new(citation),
        });
    }
}
