//! A library in a temporary folder, and files to put into it.

use recto_engine::contract::{
    AddReport, Answer, AskEvent, AskLimits, AskRequest, ScopeRequest, SearchMode, SearchQuery, SearchReport, Strategy,
};
use recto_engine::{AddRequest, Engine, EngineOptions};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

pub(crate) const COLLECTION: &str = "Papers";

/// A ten-section report about tide gauges; see `tests/fixtures`.
pub(crate) fn harbour_report() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/harbour-report.pdf")
}

pub(crate) struct Desk {
    pub(crate) folder: TempDir,
    pub(crate) engine: Arc<Engine>,
}

impl Desk {
    /// An empty library with ingestion running.
    pub(crate) async fn new() -> Self {
        Self::with_settings("").await
    }

    pub(crate) async fn with_settings(settings: &str) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        std::fs::create_dir_all(folder.path().join("library")).expect("a folder");
        std::fs::create_dir_all(folder.path().join("files")).expect("a folder");
        std::fs::write(folder.path().join("library/settings.toml"), settings).expect("settings");
        let engine = Engine::open(EngineOptions::new(folder.path().join("library")))
            .await
            .expect("the library opens");
        engine.start_ingestion();
        Self { folder, engine }
    }

    pub(crate) fn library(&self) -> PathBuf {
        self.folder.path().join("library")
    }

    /// Closes the library and opens it again.
    pub(crate) async fn reopen(self) -> Self {
        self.reopen_after(|_| {}).await
    }

    /// Closes the library, lets something happen to its folder, and opens it again.
    pub(crate) async fn reopen_after(self, happens: impl FnOnce(&Path)) -> Self {
        let Self { folder, engine } = self;
        engine.shutdown().await;
        drop(engine);
        happens(&folder.path().join("library"));
        let engine = Engine::open(EngineOptions::new(folder.path().join("library")))
            .await
            .expect("the library opens");
        engine.start_ingestion();
        Self { folder, engine }
    }

    /// Writes a file below `files/`.
    pub(crate) fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.folder.path().join("files").join(name);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
        std::fs::write(&path, content).expect("a file");
        path
    }

    pub(crate) async fn add(&self, paths: &[PathBuf]) -> AddReport {
        let request = AddRequest {
            collection: COLLECTION.into(),
            paths: paths.to_vec(),
            ..AddRequest::default()
        };
        let ticket = self.engine.enqueue(request).await.expect("queued");
        self.engine.wait(&ticket, &mut |_| {}).await.expect("the jobs end")
    }

    pub(crate) async fn search(&self, query: &str, mode: SearchMode) -> SearchReport {
        let query = SearchQuery {
            query: query.into(),
            mode,
            limit: 5,
            scope: ScopeRequest::default(),
            expand: false,
        };
        self.engine.search(query).await.expect("the search runs")
    }

    pub(crate) async fn ask(&self, question: &str, strategy: Strategy) -> (Answer, Vec<AskEvent>) {
        let mut events = Vec::new();
        let answer = self
            .engine
            .ask(asking(question, strategy), CancellationToken::new(), &mut |event| {
                events.push(event);
            })
            .await
            .expect("the question can be put");
        (answer, events)
    }
}

pub(crate) fn asking(question: &str, strategy: Strategy) -> AskRequest {
    AskRequest {
        question: question.into(),
        strategy,
        model: None,
        scope: ScopeRequest::default(),
        conversation_id: None,
        limits: AskLimits::default(),
    }
}

pub(crate) fn is_terminal(event: &AskEvent) -> bool {
    matches!(
        event,
        AskEvent::Finished { .. } | AskEvent::Failed { .. } | AskEvent::Cancelled { .. }
    )
}

/// Every file below `folder`.
pub(crate) fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            files.extend(files_below(&path));
        } else {
            files.push(path);
        }
    }
    files
}
