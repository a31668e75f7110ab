//! What a question is put to: collections, conditions, and what of it cannot be searched yet.

use crate::Engine;
use crate::queue::{file_name, is_done};
use recto_collection::Collection;
use recto_core::{ChunkSource, Coverage, DocumentsSnapshot, Filter, NotSearched, Result, Scope};
use recto_library::Job;
use recto_retrieval::OpenSource;
use std::sync::Arc;

/// A scope with its collections opened.
pub(crate) struct OpenScope {
    pub(crate) scope: Scope,
    pub(crate) collections: Vec<Arc<Collection>>,
    /// Collections that could not be opened, where the scope allows that.
    unavailable: Vec<NotSearched>,
}

impl OpenScope {
    pub(crate) fn sources(&self) -> Vec<Arc<dyn ChunkSource>> {
        self.collections
            .iter()
            .map(|collection| Arc::clone(collection) as Arc<dyn ChunkSource>)
            .collect()
    }
}

impl Engine {
    /// Opens the collections of a scope. One that cannot be opened fails the question by name, unless the scope is
    /// content with the others; if none can be opened, it fails all the same.
    pub(crate) async fn open_scope(&self, scope: Scope) -> Result<OpenScope> {
        let names = scope
            .collections
            .as_ref()
            .map(|names| names.iter().map(|name| name.0.clone()).collect::<Vec<_>>());
        let (mut collections, mut unavailable) = (Vec::new(), Vec::new());
        let mut first_error = None;
        for (name, opened) in self.collections_open().select(names.as_deref()).await? {
            match opened {
                Ok(collection) => collections.push(collection),
                Err(error) if scope.partial => {
                    unavailable.push(NotSearched {
                        document_id: None,
                        title: format!("Collection {}", name.0),
                        reason: error.message.clone(),
                    });
                    first_error.get_or_insert(error);
                }
                Err(error) => return Err(error),
            }
        }
        match first_error {
            Some(error) if collections.is_empty() => Err(error),
            _ => Ok(OpenScope {
                scope,
                collections,
                unavailable,
            }),
        }
    }

    /// Counts the documents of a scope and names those that cannot be searched, each with its reason.
    /// `opened` are the scope's collections with the snapshot the question uses.
    pub(crate) async fn coverage(&self, scope: &OpenScope, opened: &[OpenSource]) -> Result<Coverage> {
        let mut coverage = Coverage {
            not_searched: scope.unavailable.clone(),
            ..Coverage::default()
        };
        for (collection, OpenSource { snapshot, .. }) in scope.collections.iter().zip(opened) {
            let selected = snapshot.select(&scope.scope.filter);
            coverage.documents_searched += u32::try_from(selected.len()).unwrap_or(u32::MAX);
            let jobs = self.jobs_of(collection).await?;
            for job in jobs.into_iter().filter(|job| !is_done(job.state)) {
                if may_be_meant(&job, &scope.scope.filter) && !is_readable(&job, snapshot) {
                    coverage.not_searched.push(NotSearched {
                        document_id: job.document_id,
                        title: file_name(&job.uri),
                        reason: reason(&job),
                    });
                }
            }
        }
        // How many documents an unavailable collection has is not known.
        let missing = coverage.not_searched.len() - scope.unavailable.len();
        let missing = u32::try_from(missing).unwrap_or(u32::MAX);
        coverage.documents_total = coverage.documents_searched.saturating_add(missing);
        Ok(coverage)
    }
}

/// Whether the file of a job could be one that `filter` asks for. What is not known of it yet is given the benefit of
/// the doubt only where nothing in particular is asked for.
fn may_be_meant(job: &Job, filter: &Filter) -> bool {
    match job.document_id {
        Some(id) if !filter.document_ids.is_empty() => filter.document_ids.contains(&id),
        _ => filter.is_empty(),
    }
}

/// Whether the document of a job is readable all the same: its text was committed and only vectors are missing, or an
/// earlier revision is still there.
fn is_readable(job: &Job, snapshot: &DocumentsSnapshot) -> bool {
    job.document_id.is_some_and(|id| snapshot.documents.contains_key(&id))
}

fn reason(job: &Job) -> String {
    if job.state.is_live() {
        return "It is still being read.".to_owned();
    }
    job.error_message
        .clone()
        .unwrap_or_else(|| "It was not read.".to_owned())
}
