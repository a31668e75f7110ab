//! From the engine's own types to the contract's.

use crate::contract as api;
use recto_core as core;

impl From<core::Error> for api::ApiError {
    fn from(error: core::Error) -> Self {
        Self {
            code: error.code.as_str().to_owned(),
            message: error.message,
            retryable: error.retryable,
        }
    }
}

impl From<api::ApiError> for core::Error {
    fn from(error: api::ApiError) -> Self {
        let code = serde_json::from_value(serde_json::Value::String(error.code)).unwrap_or(core::ErrorCode::Internal);
        Self {
            code,
            message: error.message,
            retryable: error.retryable,
            retry_after: None,
        }
    }
}

/// Maps enums whose variants have the same names on both sides.
macro_rules! same_variants {
    ($($from:path => $to:path { $($variant:ident),+ $(,)? })+) => {$(
        impl From<$from> for $to {
            fn from(value: $from) -> Self {
                match value { $(<$from>::$variant => <$to>::$variant,)+ }
            }
        }
    )+};
}

same_variants! {
    core::SearchMode => api::SearchMode { Hybrid, Vector, Fts }
    api::SearchMode => core::SearchMode { Hybrid, Vector, Fts }
    core::PassageRole => api::PassageRole { Evidence, Neighbour, RunnerUp, WholeDocument }
    core::Strategy => api::Strategy { Auto, Quotes, Passages, Outline, Walk, Judge, Agent }
    api::Strategy => core::Strategy { Auto, Quotes, Passages, Outline, Walk, Judge, Agent }
    core::Finding => api::Finding { Answered, NotAddressed, NoMatch, Failed }
    core::Grounding => api::Grounding { Grounded, Ungrounded, Missing }
    core::AnswerStatus => api::AnswerStatus { Answered, Refused, Failed, Cancelled }
    core::QuoteBy => api::QuoteBy { Answer, Recto }
    core::Verdict => api::Verdict { Verbatim, Normalised, Fuzzy, Aligned, NotLocated }
    core::MatchKind => api::MatchKind { Verbatim, Normalised, Fuzzy }
    core::BoxKind => api::BoxKind { Quote, Passage }
    api::BoxKind => core::BoxKind { Quote, Passage }
}

impl From<core::PageRect> for api::PageBox {
    fn from(at: core::PageRect) -> Self {
        let core::Rect {
            left,
            top,
            right,
            bottom,
        } = at.rect;
        Self {
            page: at.page,
            left,
            top,
            right,
            bottom,
        }
    }
}

impl From<core::CitedBox> for api::CitationBox {
    fn from(cited: core::CitedBox) -> Self {
        let core::Rect {
            left,
            top,
            right,
            bottom,
        } = cited.at.rect;
        Self {
            page: cited.at.page,
            left,
            top,
            right,
            bottom,
            kind: cited.kind.into(),
        }
    }
}

impl From<api::CitationBox> for core::CitedBox {
    fn from(cited: api::CitationBox) -> Self {
        let rect = core::Rect::new(cited.left, cited.top, cited.right, cited.bottom);
        Self {
            at: core::PageRect { page: cited.page, rect },
            kind: cited.kind.into(),
        }
    }
}

/// Pairs page numbers with their labels. `labels` may be shorter than `pages`; the rest have none.
pub(crate) fn page_names(pages: &[u32], labels: &[Option<String>]) -> Vec<api::PageName> {
    pages
        .iter()
        .enumerate()
        .map(|(index, &number)| api::PageName {
            number,
            label: labels.get(index).cloned().flatten(),
        })
        .collect()
}

pub(crate) fn locator(locator: core::Locator, labels: &[Option<String>]) -> api::Locator {
    match locator {
        core::Locator::Page { pages } => api::Locator::Page {
            pages: page_names(&pages, labels),
        },
        core::Locator::Slide { number } => api::Locator::Slide { number },
        core::Locator::Sheet { name, range } => api::Locator::Sheet { name, range },
        core::Locator::Heading { path } => api::Locator::Heading { path },
        core::Locator::Part { name } => api::Locator::Part { name },
    }
}

impl From<core::Span> for api::ItemSpan {
    fn from(span: core::Span) -> Self {
        Self {
            self_ref: span.self_ref,
            start: span.start,
            end: span.end,
        }
    }
}

fn all<T, U: From<T>>(values: impl IntoIterator<Item = T>) -> Vec<U> {
    values.into_iter().map(U::from).collect()
}

impl From<core::Passage> for api::SearchResult {
    fn from(passage: core::Passage) -> Self {
        Self {
            rank: passage.rank,
            score: passage.score,
            confidence: None,
            role: passage.role.into(),
            neighbour_of: passage.neighbour_of,
            locator: locator(passage.locator, &passage.page_labels),
            spans: all(passage.spans),
            collection: passage.collection.0,
            document_id: passage.document_id.to_string(),
            title: passage.title,
            uri: passage.uri,
            chunk_id: passage.chunk_id.0,
            chunk_ids: passage.chunk_ids.into_iter().map(|id| id.0).collect(),
            pages: page_names(&passage.pages, &passage.page_labels),
            headings: passage.headings,
            labels: passage.labels,
            doc_item_refs: passage.doc_item_refs,
            text: passage.text,
            boxes: all(passage.boxes),
        }
    }
}

impl From<core::UnitStats> for api::UnitStats {
    fn from(stats: core::UnitStats) -> Self {
        let core::UnitStats {
            evidence,
            neighbours,
            runner_ups,
            whole_documents,
            returned,
            cap,
        } = stats;
        Self {
            evidence,
            neighbours,
            runner_ups,
            whole_documents,
            returned,
            cap,
        }
    }
}

impl From<core::Coverage> for api::Coverage {
    fn from(coverage: core::Coverage) -> Self {
        Self {
            documents_searched: coverage.documents_searched,
            documents_with_matches: coverage.documents_with_matches,
            documents_total: coverage.documents_total,
            not_searched: coverage
                .not_searched
                .into_iter()
                .map(|document| api::NotSearched {
                    document_id: document.document_id.map(|id| id.to_string()),
                    title: document.title,
                    reason: document.reason,
                })
                .collect(),
            chosen: coverage
                .chosen
                .into_iter()
                .map(|document| api::ChosenDocument {
                    collection: document.collection.0,
                    document_id: document.document_id.to_string(),
                    title: document.title,
                    reasons: document.reasons,
                })
                .collect(),
        }
    }
}

impl From<core::Citation> for api::Citation {
    fn from(citation: core::Citation) -> Self {
        let mark = match citation.mark() {
            core::Mark::Proven => api::Mark::Proven,
            core::Mark::Near => api::Mark::Near,
            core::Mark::Open => api::Mark::Open,
        };
        let core::NumberCheck {
            found,
            missing,
            computed,
            operands,
            within_quote: _,
        } = citation.numbers;
        Self {
            index: citation.index,
            collection: citation.collection.0,
            document_id: citation.document_id.to_string(),
            title: citation.title,
            uri: citation.uri,
            section_title: citation.headings.last().cloned(),
            headings: citation.headings,
            section_ids: Vec::new(),
            pages: page_names(&citation.pages, &citation.page_labels),
            chunk_ids: citation.chunk_ids.into_iter().map(|id| id.0).collect(),
            doc_item_refs: citation.doc_item_refs,
            sha256: citation.sha256,
            locator: locator(citation.locator, &citation.page_labels),
            quote: citation.quote,
            quote_by: citation.quote_by.into(),
            verdict: citation.verdict.into(),
            mark,
            numbers: api::NumberCheck {
                found,
                missing,
                computed,
                operands,
            },
            boxes: all(citation.boxes),
            spans: all(citation.spans),
        }
    }
}

impl From<core::Evidence> for api::Evidence {
    fn from(evidence: core::Evidence) -> Self {
        Self {
            index: evidence.index,
            cited: evidence.cited,
            passage: evidence.passage.into(),
        }
    }
}

impl From<core::Usage> for api::Usage {
    fn from(usage: core::Usage) -> Self {
        let core::Usage {
            input_tokens,
            output_tokens,
            calls,
        } = usage;
        Self {
            input_tokens,
            output_tokens,
            calls,
        }
    }
}

impl From<core::Scope> for api::ScopeRequest {
    fn from(scope: core::Scope) -> Self {
        let filter = scope.filter;
        Self {
            collections: scope
                .collections
                .map(|names| names.into_iter().map(|name| name.0).collect()),
            document_ids: filter.document_ids.iter().map(ToString::to_string).collect(),
            tags: filter.tags,
            folder: filter.folder,
            media_type: filter.media_type,
            since: filter.since,
            until: filter.until,
            partial: scope.partial,
        }
    }
}

impl TryFrom<api::ScopeRequest> for core::Scope {
    type Error = core::Error;

    fn try_from(scope: api::ScopeRequest) -> core::Result<Self> {
        let document_ids = scope
            .document_ids
            .iter()
            .map(|id| {
                id.parse().map_err(|_| {
                    core::Error::new(
                        core::ErrorCode::InvalidArgument,
                        format!("{id:?} is not a document id."),
                    )
                })
            })
            .collect::<core::Result<_>>()?;
        Ok(Self {
            collections: scope
                .collections
                .map(|names| names.into_iter().map(core::CollectionName).collect()),
            filter: core::Filter {
                document_ids,
                name_contains: None,
                media_type: scope.media_type,
                tags: scope.tags,
                folder: scope.folder,
                since: scope.since,
                until: scope.until,
            },
            partial: scope.partial,
        })
    }
}

impl From<core::Answer> for api::Answer {
    fn from(answer: core::Answer) -> Self {
        Self {
            verdict_summary: answer.verdict_summary(),
            coverage_sentence: answer.coverage_sentence(),
            answer_id: Some(answer.id.to_string()),
            question: answer.question,
            strategy: answer.strategy.into(),
            model: answer.model,
            status: answer.status.into(),
            scope: answer.scope.into(),
            text: answer.text,
            uncited: answer.uncited,
            grounding: answer.grounding.map(Into::into),
            unit_stats: answer.unit_stats.into(),
            sections_dropped: answer.sections_dropped,
            nearest: all(answer.nearest),
            citations: all(answer.citations),
            evidence: all(answer.evidence),
            coverage: answer.coverage.into(),
            documents_failed: answer
                .documents_failed
                .into_iter()
                .map(|failure| api::DocumentFailure {
                    document_id: failure.document_id.to_string(),
                    title: failure.title,
                    reason: failure.reason,
                })
                .collect(),
            findings: answer
                .findings
                .into_iter()
                .map(|found| api::DocumentFinding {
                    document_id: found.document_id.to_string(),
                    title: found.title,
                    finding: found.finding.into(),
                    confidence: found.confidence,
                })
                .collect(),
            invalid_markers: answer.invalid_markers,
            usage: answer.usage.into(),
            error: answer.error.map(Into::into),
            elapsed_ms: answer.elapsed_ms,
        }
    }
}

/// An event as the contract shows it. `conversation_id` is known only to the engine.
pub(crate) fn ask_event(event: core::AnswerEvent, conversation_id: Option<&str>) -> api::AskEvent {
    use core::AnswerEvent as From;
    match event {
        From::Started {
            answer_id,
            strategy,
            scope,
        } => api::AskEvent::Started {
            answer_id: answer_id.to_string(),
            conversation_id: conversation_id.map(str::to_owned),
            strategy: strategy.into(),
            scope: scope.into(),
        },
        From::Stage { name, done, total } => api::AskEvent::Stage { name, done, total },
        From::Evidence { evidence } => api::AskEvent::Evidence {
            evidence: all(evidence),
        },
        From::Text { delta } => api::AskEvent::Text { delta },
        From::Citation { index } => api::AskEvent::Citation { index },
        From::Verdict { citation } => api::AskEvent::Verdict {
            citation: Box::new((*citation).into()),
        },
        From::Usage { usage } => api::AskEvent::Usage { usage: usage.into() },
        From::Finished { answer } => api::AskEvent::Finished {
            answer: Box::new((*answer).into()),
        },
        From::Failed { answer, error } => api::AskEvent::Failed {
            answer: Box::new((*answer).into()),
            error: error.into(),
        },
        From::Cancelled { answer } => api::AskEvent::Cancelled {
            answer: Box::new((*answer).into()),
        },
    }
}

impl From<core::QuoteMatch> for api::LocateMatch {
    fn from(found: core::QuoteMatch) -> Self {
        let mut pages: Vec<u32> = found.rects.iter().map(|at| at.page).collect();
        pages.sort_unstable();
        pages.dedup();
        Self {
            kind: found.kind.into(),
            pages: page_names(&pages, &[]),
            text: found.text,
            boxes: all(found.rects),
            spans: all(found.spans),
        }
    }
}
