//! The documents of a question, looked at one by one.

use crate::request::AnswerContext;
use crate::run::Run;
use futures::StreamExt;
use futures::stream::FuturesUnordered;
use recto_core::{CollectionName, DocumentFailure, DocumentFinding, DocumentId, Error, Filter, Finding, Item, Result};
use recto_retrieval::{FoundPassage, OpenSource, Outline, outline, section_passage};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A document of the scope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Candidate {
    /// Index of its collection in the context.
    pub(crate) source: usize,
    pub(crate) collection: CollectionName,
    pub(crate) id: DocumentId,
    pub(crate) title: String,
}

/// A document with its text and outline.
#[derive(Debug)]
pub(crate) struct Loaded {
    pub(crate) candidate: Candidate,
    pub(crate) items: Vec<Item>,
    pub(crate) outline: Outline,
}

impl Loaded {
    /// The whole text of a section, headings and subsections with it.
    pub(crate) fn section(&self, context: &AnswerContext, number: u32) -> Option<FoundPassage> {
        let open = self.open(context)?;
        let section = self.outline.section(number)?;
        section_passage(open, self.candidate.id, &self.items, section.positions)
    }

    pub(crate) fn open<'a>(&self, context: &'a AnswerContext) -> Option<&'a OpenSource> {
        context.sources.get(self.candidate.source)
    }
}

/// All documents that a scope admits: in the order the caller names them, else by title and id.
pub(crate) fn in_scope(context: &AnswerContext, filter: &Filter) -> Vec<Candidate> {
    let mut all = Vec::new();
    for (source, open) in context.sources.iter().enumerate() {
        for id in open.snapshot.select(filter) {
            let Some(row) = open.snapshot.documents.get(&id) else {
                continue;
            };
            all.push(Candidate {
                source,
                collection: open.source.name().clone(),
                id,
                title: row.title.clone(),
            });
        }
    }
    let named = |candidate: &Candidate| filter.document_ids.iter().position(|id| *id == candidate.id);
    all.sort_by(|a, b| (named(a), &a.title, a.id, a.source).cmp(&(named(b), &b.title, b.id, b.source)));
    all
}

/// The documents to look at: those the search found something in come first, best first, then the others as
/// [`in_scope`] orders them; never more than the limit. Documents that the caller names keep the caller's order.
pub(crate) fn promising(run: &Run<'_>, found: &[FoundPassage]) -> Vec<Candidate> {
    let filter = &run.request.scope.filter;
    let mut all = in_scope(run.context, filter);
    if filter.document_ids.is_empty() {
        let mut place: BTreeMap<(&CollectionName, DocumentId), usize> = BTreeMap::new();
        for (at, found) in found.iter().enumerate() {
            let key = (&found.passage.collection, found.passage.document_id);
            place.entry(key).or_insert(at);
        }
        // A stable sort: documents without a passage keep their order.
        all.sort_by_key(|one| place.get(&(&one.collection, one.id)).copied().unwrap_or(usize::MAX));
    }
    let most = run.request.options.documents;
    if most > 0 {
        all.truncate(most);
    }
    all
}

/// What a search of the scope finds, and the documents to look at one by one. Where there are none the question is refused,
/// and `None` says that this is done.
///
/// # Errors
/// Those of the search.
pub(crate) async fn to_look_at(run: &mut Run<'_>) -> Result<Option<(Vec<FoundPassage>, Vec<Candidate>)>> {
    let options = run.request.options;
    let found = run.retrieve(options.passages, options.passage_chars).await?.passages;
    let documents = promising(run, &found);
    if documents.is_empty() {
        run.refuse(&found);
        return Ok(None);
    }
    Ok(Some((found, documents)))
}

/// Reads a document's items and makes its outline.
pub(crate) async fn load(context: &AnswerContext, candidate: Candidate) -> Result<Loaded> {
    let Some(open) = context.sources.get(candidate.source) else {
        return Err(Error::internal("The document's collection is not open."));
    };
    let items = open
        .source
        .items(&open.snapshot, candidate.id, &[(0, u32::MAX)])
        .await?;
    let outline = outline(&candidate.title, &items);
    Ok(Loaded {
        candidate,
        items,
        outline,
    })
}

/// Does the same with each of several documents at once, reporting progress, and returns the outcomes in the order of the
/// documents whatever order they came in.
pub(crate) async fn each<T, F: Future<Output = T>>(
    run: &mut Run<'_>,
    stage: &str,
    documents: &[Candidate],
    work: impl Fn(usize, Candidate) -> F,
) -> Vec<T> {
    run.stage(stage, 0, documents.len());
    let mut open: FuturesUnordered<_> = documents
        .iter()
        .enumerate()
        .map(|(at, document)| {
            let work = work(at, document.clone());
            async move { (at, work.await) }
        })
        .collect();
    let mut outcomes: Vec<(usize, T)> = Vec::new();
    while let Some(outcome) = open.next().await {
        outcomes.push(outcome);
        run.tell_usage();
        run.stage(stage, outcomes.len(), documents.len());
    }
    outcomes.sort_by_key(|(at, _)| *at);
    outcomes.into_iter().map(|(_, outcome)| outcome).collect()
}

/// Keeps what became of each document. Where every one of them failed there is no answer but the first failure; failing
/// is never taken for finding nothing.
pub(crate) fn sift<T>(run: &mut Run<'_>, documents: &[Candidate], outcomes: Vec<Result<T>>) -> Result<Vec<T>> {
    let mut good = Vec::new();
    let mut first: Option<Error> = None;
    for (document, outcome) in documents.iter().zip(outcomes) {
        match outcome {
            Ok(outcome) => good.push(outcome),
            Err(error) => {
                tracing::warn!(document = %document.id, code = %error.code, "a step failed for a document");
                run.draft.findings.push(DocumentFinding {
                    document_id: document.id,
                    title: document.title.clone(),
                    finding: Finding::Failed,
                    confidence: None,
                });
                run.draft.documents_failed.push(DocumentFailure {
                    document_id: document.id,
                    title: document.title.clone(),
                    reason: error.message.clone(),
                });
                first.get_or_insert(error);
            }
        }
    }
    match first {
        Some(error) if good.is_empty() => Err(error),
        _ => Ok(good),
    }
}

/// The order in which documents count: by confidence, those without one last, then by title, then by id.
pub(crate) fn weight(a: (Option<f32>, &Candidate), b: (Option<f32>, &Candidate)) -> std::cmp::Ordering {
    let stated = |confidence: Option<f32>| confidence.unwrap_or(-1.0);
    stated(b.0)
        .total_cmp(&stated(a.0))
        .then_with(|| a.1.title.cmp(&b.1.title))
        .then_with(|| a.1.id.cmp(&b.1.id))
        .then_with(|| a.1.source.cmp(&b.1.source))
}

/// Whether every confidence that was stated is too low. Where none was stated there is no signal.
pub(crate) fn all_unsure(run: &Run<'_>, confidences: impl IntoIterator<Item = Option<f32>>) -> bool {
    let stated: Vec<f32> = confidences.into_iter().flatten().collect();
    !stated.is_empty() && stated.iter().all(|one| *one < run.request.options.abstain_below)
}

/// What a document had to say, for the answer.
pub(crate) fn finding(candidate: &Candidate, finding: Finding, confidence: Option<f32>) -> DocumentFinding {
    DocumentFinding {
        document_id: candidate.id,
        title: candidate.title.clone(),
        finding,
        confidence,
    }
}

pub(crate) type Shared = Arc<Loaded>;
