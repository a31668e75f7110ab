//! The documents of the library: what is committed, and what the queue still has to do.

use crate::Engine;
use crate::blocking::blocking;
use crate::clock::rfc3339;
use crate::contract::{Changed, DocumentList, DocumentState, ListedDocument};
use crate::queue::{file_name, is_done};
use recto_collection::{Collection, DocumentEdit};
use recto_core::{ChunkSource, DocumentRow, Error, ErrorCode, Result};
use recto_library::{Job, JobFilter};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Fewest characters of an id that name a document.
const PREFIX_CHARS: usize = 6;

impl Engine {
    /// Committed documents and files that are not documents yet, by collection, title and place.
    ///
    /// # Errors
    /// `not_found` for an unknown collection, `collection_unavailable`.
    pub async fn list(&self, collections: Option<&[String]>) -> Result<DocumentList> {
        let mut documents = Vec::new();
        for collection in self.collections_open().available(collections).await? {
            let snapshot = collection.snapshot().await?;
            let jobs = self.jobs_of(&collection).await?;
            // The newest job of a document says what is being done to it.
            let at_work: BTreeMap<_, _> = jobs
                .iter()
                .filter(|job| !is_done(job.state))
                .filter_map(|job| Some((document_of(job, snapshot.documents.values())?, job)))
                .collect();
            documents.extend(snapshot.documents.values().map(|row| {
                let job = at_work.get(&row.id).copied();
                committed(&collection, row, job)
            }));
            let shown: BTreeSet<_> = at_work.values().map(|job| job.id).collect();
            let rest = jobs
                .iter()
                .filter(|job| !is_done(job.state) && !shown.contains(&job.id));
            documents.extend(rest.map(|job| waiting(&collection, job)));
        }
        documents.sort_by(|a, b| {
            (&a.collection, a.title.to_lowercase(), &a.uri, &a.document_id).cmp(&(
                &b.collection,
                b.title.to_lowercase(),
                &b.uri,
                &b.document_id,
            ))
        });
        Ok(DocumentList { documents })
    }

    /// One document, by its id or a prefix of at least six characters that only one id has.
    ///
    /// # Errors
    /// `not_found` or `ambiguous`.
    pub async fn show(&self, collections: Option<&[String]>, document_id: &str) -> Result<ListedDocument> {
        let (collection, row) = self.find_document(collections, document_id).await?;
        let jobs = self.jobs_of(&collection).await?;
        let job = jobs
            .iter()
            .find(|job| job.document_id == Some(row.id) && !is_done(job.state));
        Ok(committed(&collection, &row, job))
    }

    /// The file a document was read from, where it still is: the first of its places that holds a file. It may have been
    /// changed since.
    ///
    /// # Errors
    /// `not_found` when the document is unknown, or when none of its places holds a file any more.
    pub async fn document_file(&self, collections: Option<&[String]>, document_id: &str) -> Result<PathBuf> {
        let (_, row) = self.find_document(collections, document_id).await?;
        let places: Vec<PathBuf> = std::iter::once(&row.uri)
            .chain(&row.locations)
            .map(PathBuf::from)
            .collect();
        let title = row.title;
        blocking(move || {
            places
                .into_iter()
                .find(|place| place.is_absolute() && place.is_file())
                .ok_or_else(|| {
                    let message = format!(
                        "The file of “{title}” is no longer where it was added from. Recto has kept what it read of it."
                    );
                    Error::new(ErrorCode::NotFound, message)
                })
        })
        .await
    }

    /// Changes a document's title or tags; what is `None` stays. A title set here survives new revisions.
    ///
    /// # Errors
    /// `not_found`, `ambiguous`, `read_only`; `invalid_argument` for a blank title or tag.
    pub async fn edit_document(
        &self,
        collections: Option<&[String]>,
        document_id: &str,
        title: Option<String>,
        tags: Option<Vec<String>>,
    ) -> Result<ListedDocument> {
        self.require_writer()?;
        let blank = |text: &String| text.trim().is_empty();
        if title.as_ref().is_some_and(blank) || tags.iter().flatten().any(blank) {
            return Err(Error::new(
                ErrorCode::InvalidArgument,
                "A title or tag needs at least one visible character.",
            ));
        }
        let (collection, row) = self.find_document(collections, document_id).await?;
        let edit = DocumentEdit {
            title: title.map(|title| title.trim().to_owned()),
            tags: tags.map(|tags| {
                let tags: BTreeSet<String> = tags.iter().map(|tag| tag.trim().to_owned()).collect();
                tags.into_iter().collect()
            }),
            ..DocumentEdit::default()
        };
        collection
            .edit(row.id, edit)
            .await
            .map_err(|error| error.in_collection(collection.name()))?;
        self.changed(Changed::Documents);
        self.show(Some(&[collection.name().0.clone()]), &row.id.to_string())
            .await
    }

    /// Deletes a document: it is hidden at once, then its rows, vectors, index entries, cached pages and, unless a stored
    /// answer cites it, the kept original are removed from disk. Stored answers keep their quotes.
    ///
    /// # Errors
    /// `not_found`, `ambiguous` or `read_only`.
    pub async fn delete(&self, collections: Option<&[String]>, document_id: &str) -> Result<()> {
        let collection = self.hide_document(collections, document_id).await?;
        self.purge(&collection, Duration::ZERO).await
    }

    /// Takes a document out of lists and searches, and its jobs out of the queue. Returns its collection, which
    /// is left to be purged.
    pub(crate) async fn hide_document(
        &self,
        collections: Option<&[String]>,
        document_id: &str,
    ) -> Result<Arc<Collection>> {
        self.require_writer()?;
        let (collection, row) = self.find_document(collections, document_id).await?;
        let name = collection.name().clone();
        let (id, title) = (row.id, row.title.clone());
        let now = self.clock().now_ms();
        for job in self.jobs_of(&collection).await? {
            if job.document_id == Some(id) || row.locations.contains(&job.uri) || job.uri == row.uri {
                self.ingestion().cancel(job.id);
                self.on_library(move |library| Ok(library.remove_job(job.id)?)).await?;
            }
        }
        let named = |error: recto_collection::Error| error.in_collection(collection.name());
        collection.delete(&[id], now).await.map_err(named)?;
        self.changed(Changed::Documents);
        self.on_library(move |library| Ok(library.note_removed(&name, id, &title, now)?))
            .await?;
        Ok(collection)
    }

    /// Removes the documents of a collection that were hidden at least `min_age` ago from its files.
    pub(crate) async fn purge(&self, collection: &Collection, min_age: Duration) -> Result<()> {
        if let Some(library) = self.library() {
            crate::collections::purge(&library, collection, self.clock().now_ms(), min_age).await?;
        }
        self.page_cache
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
            .clear();
        Ok(())
    }

    /// The document an id or a prefix of one names, with its collection.
    pub(crate) async fn find_document(
        &self,
        collections: Option<&[String]>,
        document_id: &str,
    ) -> Result<(Arc<Collection>, DocumentRow)> {
        let wanted = document_id.trim().to_lowercase();
        if wanted.len() < PREFIX_CHARS {
            let message = format!("A document is named by its id, or by at least its first {PREFIX_CHARS} characters.");
            return Err(Error::new(ErrorCode::InvalidArgument, message));
        }
        let mut found = Vec::new();
        for collection in self.collections_open().available(collections).await? {
            let snapshot = collection.snapshot().await?;
            let matching = snapshot
                .documents
                .into_values()
                .filter(|row| row.id.to_string().starts_with(&wanted));
            found.extend(matching.map(|row| (Arc::clone(&collection), row)));
        }
        if found.len() > 1 {
            let ids: BTreeSet<_> = found.iter().map(|(_, row)| row.id).collect();
            let message = if ids.len() > 1 {
                format!(
                    "{} documents have an id beginning with {wanted}. Give more of it.",
                    ids.len()
                )
            } else {
                // A copied collection holds the same ids; which one is meant is not for us to guess.
                let names: Vec<&str> = found.iter().map(|(one, _)| one.name().0.as_str()).collect();
                format!(
                    "The document {wanted} is in several collections: {}. Name the one that is meant.",
                    names.join(", ")
                )
            };
            return Err(Error::new(ErrorCode::Ambiguous, message));
        }
        found
            .pop()
            .ok_or_else(|| Error::new(ErrorCode::NotFound, format!("There is no document {wanted}.")))
    }

    /// The jobs of a collection, ended ones included; none where there is no library.
    pub(crate) async fn jobs_of(&self, collection: &Collection) -> Result<Vec<Job>> {
        let Some(library) = self.library() else {
            return Ok(Vec::new());
        };
        let filter = JobFilter {
            collection: Some(collection.name().clone()),
            ..JobFilter::default()
        };
        crate::blocking::blocking(move || Ok(library.jobs(&filter)?)).await
    }
}

/// The committed document a job works on: the one it says, or the one at the same place.
fn document_of<'a>(job: &Job, mut rows: impl Iterator<Item = &'a DocumentRow>) -> Option<recto_core::DocumentId> {
    rows.find(|row| Some(row.id) == job.document_id || row.uri == job.uri || row.locations.contains(&job.uri))
        .map(|row| row.id)
}

/// Where a committed document stands by itself, without a job.
pub(crate) fn state_of(row: &DocumentRow) -> DocumentState {
    match (row.embedded, row.gaps.is_empty()) {
        (false, _) => DocumentState::Embedding,
        (true, true) => DocumentState::Ready,
        (true, false) => DocumentState::ReadyWithGaps,
    }
}

fn committed(collection: &Collection, row: &DocumentRow, job: Option<&Job>) -> ListedDocument {
    let gaps = (!row.gaps.is_empty()).then(|| {
        let pages: Vec<_> = row
            .gaps
            .iter()
            .map(|gap| format!("page {}: {}", gap.page, gap.reason))
            .collect();
        pages.join("; ")
    });
    ListedDocument {
        collection: collection.name().0.clone(),
        document_id: Some(row.id.to_string()),
        uri: row.uri.clone(),
        title: row.title.clone(),
        media_type: Some(row.media_type.clone()),
        page_count: Some(row.page_count),
        recognised_pages: Some(row.recognised_pages),
        tags: row.tags.clone(),
        state: job.map_or_else(|| state_of(row), |job| job.state.into()),
        message: job.and_then(|job| job.error_message.clone()).or(gaps),
        locations: row.locations.clone(),
        sha256: Some(row.sha256.clone()),
        created_at: row.created_at.clone(),
        updated_at: row.updated_at.clone(),
    }
}

fn waiting(collection: &Collection, job: &Job) -> ListedDocument {
    ListedDocument {
        collection: collection.name().0.clone(),
        document_id: None,
        uri: job.uri.clone(),
        title: file_name(&job.uri),
        media_type: None,
        page_count: None,
        recognised_pages: None,
        tags: Vec::new(),
        state: job.state.into(),
        message: job.error_message.clone(),
        locations: vec![job.uri.clone()],
        sha256: job.sha256.clone(),
        created_at: rfc3339(job.created_at_ms),
        updated_at: rfc3339(job.updated_at_ms),
    }
}
