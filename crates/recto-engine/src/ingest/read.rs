//! The first step: claim a job, see whether its bytes are new, keep them, have a worker parse them, cut chunks.

use super::source::{self, Source};
use super::{Commit, Embed, JobOptions, Parsed, on_files, title_of};
use crate::Engine;
use crate::contract::Changed;
use recto_collection::{Collection, DocumentEdit, Facts, NewRevision, PageRecord, Placement};
use recto_core::{Attachment, Document, DocumentId, DocumentRow, Error, ErrorCode, Gap, Result};
use recto_library::{Identity, Job, NewJob, State};
use recto_retrieval::Language;
use recto_retrieval::terms::split_terms;
use recto_worker::{ParseEvent, ParseLimits, ParseRequest, Stage, WorkerPool};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Semaphore, mpsc};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

/// How long a job waits for another one with the same bytes before it looks again.
const SAME_BYTES_AGAIN_MS: i64 = 500;
/// How long the loop sleeps at most when it knows of nothing to do.
const LONGEST_SLEEP: Duration = Duration::from_secs(30);
/// How long it sleeps after the library could not be asked.
const AFTER_TROUBLE: Duration = Duration::from_secs(2);
/// Ids of documents are derived in this name space (RFC 9562, version 5).
const DOCUMENT_NAMESPACE: Uuid = Uuid::from_u128(0x5d1f_5f3e_0c2b_4a8e_9a55_7a21_6d0c_91e4);

/// Claims jobs while there are workers free, until told to stop; waits for those under way.
pub(super) async fn feed(
    engine: &Arc<Engine>,
    pool: &WorkerPool,
    parsed: mpsc::Sender<Commit>,
    committed: mpsc::Sender<Embed>,
    stop: &CancellationToken,
) {
    let slots = Arc::new(Semaphore::new(pool.options().workers.max(1)));
    let mut tasks = JoinSet::new();
    loop {
        let slot = tokio::select! {
            () = stop.cancelled() => break,
            slot = Arc::clone(&slots).acquire_owned() => slot.expect("BUG: the semaphore is never closed"),
        };
        let now = engine.clock().now_ms();
        let claimed = engine
            .on_library(move |library| Ok((library.claim(1, now)?.pop(), library.next_turn()?)))
            .await;
        let pause = match claimed {
            Ok((Some(job), _)) => {
                engine.changed(Changed::Queue);
                let (engine, pool) = (Arc::clone(engine), pool.clone());
                let (parsed, committed) = (parsed.clone(), committed.clone());
                let cancel = engine.ingestion().begin(job.id, stop);
                let stop = stop.clone();
                tasks.spawn(async move {
                    read(&engine, &pool, job, parsed, committed, &cancel, &stop).await;
                    drop(slot);
                });
                continue;
            }
            Ok((None, Some(turn_ms))) => {
                Duration::from_millis(u64::try_from(turn_ms - now).unwrap_or(0)).min(LONGEST_SLEEP)
            }
            Ok((None, None)) => LONGEST_SLEEP,
            Err(error) => {
                tracing::error!(%error, "cannot claim a job");
                AFTER_TROUBLE
            }
        };
        drop(slot);
        tokio::select! {
            () = stop.cancelled() => break,
            () = engine.ingestion().wake.notified() => {}
            () = tokio::time::sleep(pause) => {}
        }
        while tasks.try_join_next().is_some() {}
    }
    while tasks.join_next().await.is_some() {}
}

/// Takes one job as far as the next step, and sees to it when it cannot get there.
async fn read(
    engine: &Arc<Engine>,
    pool: &WorkerPool,
    job: Job,
    parsed: mpsc::Sender<Commit>,
    committed: mpsc::Sender<Embed>,
    cancel: &CancellationToken,
    stop: &CancellationToken,
) {
    let id = job.id;
    let next = tokio::select! {
        next = examine(engine, pool, job, cancel) => next,
        () = cancel.cancelled() => Err(Error::cancelled()),
    };
    match next {
        // A closed channel means that the engine stops; the job is put back below, when it is dropped there.
        Ok(Next::Commit(commit)) => {
            if let Err(unsent) = parsed.send(*commit).await {
                engine.job_released(unsent.0.job, 0).await;
            }
        }
        Ok(Next::Embed(embed)) => {
            if let Err(unsent) = committed.send(embed).await {
                engine.job_released(unsent.0.job, 0).await;
            }
        }
        Ok(Next::Ended) => {
            engine.ingestion().end(id);
            engine.changed(Changed::Queue);
            engine.changed(Changed::Documents);
        }
        Ok(Next::Later(not_before_ms)) => {
            engine.ingestion().end(id);
            engine.job_released(id, not_before_ms).await;
        }
        Err(_) if stop.is_cancelled() => {
            engine.ingestion().end(id);
            engine.job_released(id, 0).await;
        }
        Err(error) => {
            engine.ingestion().end(id);
            // A cancelled job has its state from whoever cancelled it.
            if error.code != ErrorCode::Cancelled {
                engine.job_failed(id, error).await;
            }
            engine.changed(Changed::Queue);
        }
    }
}

enum Next {
    Commit(Box<Commit>),
    Embed(Embed),
    Ended,
    Later(i64),
}

async fn examine(engine: &Arc<Engine>, pool: &WorkerPool, job: Job, cancel: &CancellationToken) -> Result<Next> {
    let collection = engine.collections_open().get(&job.collection.0).await?;
    let limits = ParseLimits {
        max_bytes: u64::from(engine.settings().ingest.max_file_mb) << 20,
        ..ParseLimits::default()
    };
    let max_bytes = limits.max_bytes;
    let source = source::find(engine, pool, &job.uri, limits, cancel).await?;
    let path = source.path.clone();
    let file = path.clone();
    let size = on_files("read the file", move || {
        let metadata = std::fs::metadata(file)?;
        // Opening a pipe would wait for somebody to write into it.
        if metadata.is_file() {
            Ok(metadata.len())
        } else {
            Err(std::io::ErrorKind::NotFound.into())
        }
    })
    .await;
    if source.is_file()
        && size.as_ref().is_err_and(|error| error.code == ErrorCode::NotFound)
        && let Some(document) = waiting_for_vectors(&collection, &job).await?
    {
        // The text was committed from this file before it went away; its vectors need nothing of it.
        return present(engine, &collection, &job, document).await;
    }
    if size? > max_bytes {
        let message = format!(
            "The file is larger than the limit of {} MiB (ingest.max_file_mb).",
            max_bytes >> 20
        );
        return Err(Error::new(ErrorCode::TooLarge, message));
    }
    let sha256 = on_files("read the file", move || hash(&path)).await?;
    let (id, hashed, now) = (job.id, sha256.clone(), engine.clock().now_ms());
    let place = job.collection.clone();
    let identity = engine.on_library(move |library| {
        // A person asks for this file: that it failed before, perhaps with a reader that was broken, is no reason not
        // to try.
        library.forget_failure(&place, &hashed)?;
        Ok(library.identify(id, &hashed, now)?)
    });
    match identity.await? {
        Identity::Mine => {}
        Identity::HeldBy(_) => return Ok(Next::Later(now + SAME_BYTES_AGAIN_MS)),
        Identity::FailedBefore(_) | Identity::Gone => return Ok(Next::Ended),
    }
    let named = |error: recto_collection::Error| error.in_collection(&job.collection);
    let document = match collection.place(&job.uri, &sha256).await.map_err(named)? {
        Placement::Unchanged(document) => return present(engine, &collection, &job, document).await,
        Placement::SameBytes(document) => {
            collection.add_location(document, &job.uri).await.map_err(named)?;
            return present(engine, &collection, &job, document).await;
        }
        Placement::NewRevision(document) => document,
        Placement::New => document_id(&job, &sha256),
    };
    progress(engine, &job, State::Reading, 0, 0, Some(document)).await?;
    let bytes = Bytes {
        source: &source,
        sha256: &sha256,
        limits,
    };
    let revision = parse(engine, pool, &collection, &job, bytes, document, cancel).await?;
    Ok(Next::Commit(Box::new(Commit {
        job: job.id,
        collection,
        revision,
        cancel: cancel.clone(),
    })))
}

/// The document of the job's place whose vectors are still missing, if there is one.
async fn waiting_for_vectors(collection: &Collection, job: &Job) -> Result<Option<DocumentId>> {
    let snapshot = collection
        .documents()
        .await
        .map_err(|error| error.in_collection(&job.collection))?;
    let found = snapshot
        .documents
        .values()
        .find(|row| !row.embedded && row.locations.contains(&job.uri));
    Ok(found.map(|row| row.id))
}

/// The bytes are here already. What may be missing are vectors, when an earlier engine was stopped before them.
async fn present(engine: &Engine, collection: &Arc<Collection>, job: &Job, document: DocumentId) -> Result<Next> {
    let snapshot = collection
        .documents()
        .await
        .map_err(|error| error.in_collection(&job.collection))?;
    let Some(row) = snapshot.documents.get(&document) else {
        return Err(Error::transient(
            ErrorCode::Internal,
            "The document was deleted while its file was added.",
        ));
    };
    let (id, now) = (job.id, engine.clock().now_ms());
    let (embedded, has_gaps) = (row.embedded, !row.gaps.is_empty());
    describe(collection, job, row).await?;
    // An attempt that was cut off before the vectors committed this document itself: then it is new, not unchanged.
    let begun_here = job.document_id == Some(document);
    engine
        .on_library(move |library| Ok(library.assign_document(id, document)?))
        .await?;
    if !begun_here {
        super::locked(&engine.ingestion().unchanged).insert(id);
    }
    if embedded {
        let state = if has_gaps { State::ReadyWithGaps } else { State::Ready };
        engine
            .on_library(move |library| Ok(library.finish(id, state, now)?))
            .await?;
        return Ok(Next::Ended);
    }
    let cancel = super::locked(&engine.ingestion().cancels)
        .get(&id)
        .cloned()
        .unwrap_or_default();
    Ok(Next::Embed(Embed {
        job: id,
        collection: Arc::clone(collection),
        document,
        revision: row.revision.clone(),
        cancel,
    }))
}

/// What a person says of a file when adding it holds as well where its bytes are here already.
async fn describe(collection: &Collection, job: &Job, row: &DocumentRow) -> Result<()> {
    let JobOptions { title, metadata, tags } = JobOptions::of(job);
    let mut edit = DocumentEdit {
        title: title.filter(|title| *title != row.title),
        ..DocumentEdit::default()
    };
    if tags.iter().any(|tag| !row.tags.contains(tag)) {
        let all: BTreeSet<&String> = row.tags.iter().chain(&tags).collect();
        edit.tags = Some(all.into_iter().cloned().collect());
    }
    if metadata.iter().any(|(key, value)| row.metadata.get(key) != Some(value)) {
        let mut all = row.metadata.clone();
        all.extend(metadata);
        edit.metadata = Some(all);
    }
    if edit == DocumentEdit::default() {
        return Ok(());
    }
    collection
        .edit(row.id, edit)
        .await
        .map_err(|error| error.in_collection(&job.collection))
}

/// What a job reads.
#[derive(Clone, Copy)]
struct Bytes<'a> {
    source: &'a Source,
    sha256: &'a str,
    limits: ParseLimits,
}

async fn parse(
    engine: &Arc<Engine>,
    pool: &WorkerPool,
    collection: &Arc<Collection>,
    job: &Job,
    Bytes { source, sha256, limits }: Bytes<'_>,
    document: DocumentId,
    cancel: &CancellationToken,
) -> Result<NewRevision> {
    let named = |error: recto_collection::Error| error.in_collection(&job.collection);
    let file_name = source.file_name.clone();
    // The kept copy is parsed, not the file: what is cited later are exactly the bytes that were read.
    let kept = {
        let (open, source, hash, extension) = (
            Arc::clone(collection),
            source.path.clone(),
            sha256.to_owned(),
            extension(&file_name),
        );
        crate::blocking::blocking(move || Ok(open.originals().store(&source, &hash, &extension)))
            .await?
            .map_err(named)?
    };
    let password = engine.passwords.to_try(job.id, sha256);
    let request = ParseRequest {
        path: kept,
        password: password.clone(),
        file_name,
        limits,
        ..ParseRequest::default()
    };
    let mut parsed = Parsed::default();
    let mut told = Told {
        engine: Arc::clone(engine),
        job: job.clone(),
        last: 0,
    };
    let info = pool
        .parse(request, cancel, &mut |event| match event {
            ParseEvent::Page(page) => parsed.pages.push(page),
            ParseEvent::Items(items) => parsed.items.extend(items),
            ParseEvent::Progress { done, total, stage } => told.tell(done, total, stage),
            ParseEvent::Info(_) | ParseEvent::Gap(_) => {}
        })
        .await?;
    let mut parsed = Document {
        info,
        pages: parsed.pages,
        items: parsed.items,
        ..Document::default()
    };
    if let Some(password) = &password {
        engine.passwords.opened(sha256, password);
    }
    queue_attachments(engine, job, &parsed.info.attachments).await?;
    // Printed labels are known only once all pages have been seen.
    parsed.label_pages();
    if parsed.items.is_empty() {
        return Err(nothing_found(&parsed.info.gaps));
    }
    // Other models have other tokens, but none is told by its server; theirs are about as many.
    let embedder = engine.embedders().local();
    let options = JobOptions::of(job);
    let (uri, sha256, called) = (job.uri.clone(), sha256.to_owned(), source.file_name.clone());
    let lexicon = engine.lexicon();
    crate::blocking::blocking(move || {
        let counter = embedder.token_counter()?;
        let title = title_of(&options, parsed.info.title.as_deref(), &called);
        let revision = Uuid::new_v4().simple().to_string();
        let card = recto_retrieval::describe(&parsed, &title, &called, &lexicon);
        let context = recto_retrieval::context_title(&title, &card, &lexicon);
        let chunks = recto_retrieval::chunk_document(&parsed, document, &revision, &context, &*counter);
        let facts = Facts {
            title,
            uri,
            sha256,
            media_type: parsed.info.media_type,
            page_count: parsed.info.page_count,
            gaps: parsed.info.gaps,
            bookmarks: parsed.info.bookmarks,
            tags: options.tags,
            metadata: options.metadata,
            card,
        };
        let language = Language::guess(
            &parsed
                .pages
                .iter()
                .take(20)
                .map(|page| page.text.as_str())
                .collect::<String>(),
        );
        let pages = parsed.pages.into_iter();
        let pages = pages
            .map(|page| PageRecord {
                terms: split_terms(&page.text, language).join(" "),
                page,
            })
            .collect();
        Ok(NewRevision {
            document,
            revision,
            facts,
            pages,
            items: parsed.items,
            chunks,
        })
    })
    .await
}

/// Files inside a file become documents of their own, with the tags and properties of the file they are in.
async fn queue_attachments(engine: &Engine, job: &Job, attachments: &[Attachment]) -> Result<()> {
    if attachments.is_empty() || source::depth(&job.uri) >= source::MAX_DEPTH {
        return Ok(());
    }
    let options = JobOptions {
        title: None,
        ..JobOptions::of(job)
    };
    let options =
        serde_json::to_string(&options).map_err(|error| Error::internal(format!("cannot encode a job: {error}")))?;
    let jobs: Vec<NewJob> = attachments
        .iter()
        .map(|attachment| NewJob {
            collection: job.collection.clone(),
            uri: source::attachment_uri(&job.uri, &attachment.name),
            options: options.clone(),
            priority: 0,
            sha256: None,
        })
        .collect();
    let now = engine.clock().now_ms();
    engine
        .on_library(move |library| {
            for job in &jobs {
                library.enqueue(job, now)?;
            }
            Ok(())
        })
        .await?;
    engine.ingestion().wake();
    engine.changed(Changed::Queue);
    Ok(())
}

/// What a file ends in that was read and has nothing to show for it.
fn nothing_found(gaps: &[Gap]) -> Error {
    match gaps.first() {
        Some(gap) => Error::new(
            ErrorCode::Damaged,
            format!(
                "Nothing readable was found in the file. Page {}: {}",
                gap.page, gap.reason
            ),
        ),
        None => Error::new(
            ErrorCode::Empty,
            "No text was found in the file: its pages are blank, or pictures without words.",
        ),
    }
}

/// Tells the library how far a worker is, now and then.
struct Told {
    engine: Arc<Engine>,
    job: Job,
    last: u32,
}

impl Told {
    fn tell(&mut self, done: u32, total: u32, stage: Stage) {
        // Twenty times per file is as often as anybody looks.
        if done < self.last.saturating_add((total / 20).max(1)) && done != total {
            return;
        }
        self.last = done;
        let state = if stage == Stage::Recognising {
            State::Ocr
        } else {
            State::Reading
        };
        let (engine, job) = (Arc::clone(&self.engine), self.job.clone());
        tokio::spawn(async move {
            // Whether the job was cancelled is found out by its token.
            let _ = progress(&engine, &job, state, done, total, None).await;
        });
    }
}

/// Records how far a job is.
///
/// # Errors
/// `cancelled` when it was cancelled or removed meanwhile.
pub(super) async fn progress(
    engine: &Engine,
    job: &Job,
    state: State,
    done: u32,
    total: u32,
    document: Option<DocumentId>,
) -> Result<()> {
    let (id, now) = (job.id, engine.clock().now_ms());
    let alive = engine
        .on_library(move |library| {
            if let Some(document) = document {
                library.assign_document(id, document)?;
            }
            Ok(library.progress(id, state, done, total, now)?)
        })
        .await?;
    engine.changed(Changed::Queue);
    if alive { Ok(()) } else { Err(Error::cancelled()) }
}

/// A new document's id: the same for the same bytes at the same place.
fn document_id(job: &Job, sha256: &str) -> DocumentId {
    let name = format!("{}\0{sha256}\0{}", job.collection, job.uri);
    DocumentId(Uuid::new_v5(&DOCUMENT_NAMESPACE, name.as_bytes()))
}

fn extension(file_name: &str) -> String {
    Path::new(file_name)
        .extension()
        .map(|extension| extension.to_string_lossy().to_lowercase())
        .unwrap_or_default()
}

/// SHA-256 of a file's bytes in hexadecimal.
pub(super) fn hash(path: &Path) -> std::io::Result<String> {
    let mut file = std::fs::File::open(path)?;
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(hex::encode(hasher.finalize())),
            read => hasher.update(&buffer[..read]),
        }
    }
}
