//! Killed at any instant, the library is whole, nothing searchable is orphaned, and the queue goes on.

use crate::support::{COLLECTION, harbour_report};
use recto_engine::contract::{DocumentState, ScopeRequest, SearchMode, SearchQuery};
use recto_engine::{AddRequest, Engine, EngineOptions};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

const ENGINE_KILLS: u32 = 20;
const WORKER_KILLS: usize = 10;
const FILES: u32 = 6;
const PARAGRAPHS: u32 = 40;
const CHILD_LIBRARY: &str = "RECTO_TEST_KILLED_LIBRARY";

/// Numbers that look random and are the same in every run.
struct Numbers(u64);

impl Numbers {
    /// The next one below `limit`.
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

async fn open(library: &Path) -> Arc<Engine> {
    let deadline = Instant::now() + Duration::from_secs(10);
    loop {
        match Engine::open(EngineOptions::new(library.to_owned())).await {
            Ok(engine) => return engine,
            // The lock of a killed process is gone once the system has buried it.
            Err(error) if Instant::now() > deadline => panic!("the library cannot be reopened: {error}"),
            Err(_) => tokio::time::sleep(Duration::from_millis(20)).await,
        }
    }
}

async fn add_all(engine: &Arc<Engine>, files: &Path) -> recto_engine::contract::AddReport {
    engine.start_ingestion();
    let request = AddRequest {
        collection: COLLECTION.into(),
        paths: vec![files.to_owned()],
        ..AddRequest::default()
    };
    let ticket = engine.enqueue(request).await.expect("queued");
    engine.wait(&ticket, &mut |_| {}).await.expect("the jobs end")
}

/// Not a test of its own: what the test below starts in another process, to be killed.
#[tokio::test(flavor = "multi_thread")]
async fn the_process_that_is_killed() {
    let Some(library) = std::env::var_os(CHILD_LIBRARY) else {
        return;
    };
    let library = PathBuf::from(library);
    let engine = open(&library).await;
    add_all(&engine, &library.with_file_name("files")).await;
    engine.shutdown().await;
}

fn start(library: &Path) -> Child {
    Command::new(std::env::current_exe().expect("the test program"))
        .args(["kill::the_process_that_is_killed", "--exact", "--test-threads=1"])
        .env(CHILD_LIBRARY, library)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts")
}

/// Every paragraph of a file names its version, so that a mixture of two would show.
fn write_version(files: &Path, file: u32, version: u32) {
    let text: String = (0..PARAGRAPHS)
        .map(|paragraph| format!("Paragraph {paragraph} of file{file} belongs to release{version} of the minutes.\n\n"))
        .collect();
    std::fs::write(files.join(format!("file{file}.txt")), text).expect("written");
}

fn versions_in(text: &str) -> BTreeSet<u32> {
    text.split("release")
        .skip(1)
        .filter_map(|rest| rest.split(' ').next()?.parse().ok())
        .collect()
}

async fn check(engine: &Arc<Engine>) {
    let doctor = engine.doctor().await.expect("checked");
    assert!(doctor.ok, "{doctor:?}");
    let mut ids = BTreeSet::new();
    for document in engine.list(None).await.expect("listed").documents {
        let Some(id) = document.document_id.filter(|_| document.title.starts_with("file")) else {
            continue;
        };
        let view = engine
            .document_view(COLLECTION, &id, None)
            .await
            .expect("a listed document opens");
        let text: String = view
            .items
            .iter()
            .map(|item| item.text.as_str())
            .collect::<Vec<_>>()
            .join("\n");
        assert_eq!(versions_in(&text).len(), 1, "{} is a mixture", document.title);
        assert_eq!(
            text.matches("Paragraph").count(),
            PARAGRAPHS as usize,
            "{} is not whole",
            document.title
        );
        ids.insert(id);
    }
    let query = SearchQuery {
        query: "paragraph minutes".into(),
        mode: SearchMode::Fts,
        limit: 500,
        scope: ScopeRequest::default(),
        expand: false,
    };
    for result in engine.search(query).await.expect("searched").results {
        let known = ids.contains(&result.document_id) || result.title.starts_with("Tide Gauges");
        assert!(known, "an orphan was found: {}", result.title);
        let view = engine
            .document_view(COLLECTION, &result.document_id, None)
            .await
            .expect("what is found opens");
        let current: String = view.items.iter().map(|item| item.text.as_str()).collect();
        assert!(
            versions_in(&result.text).is_subset(&versions_in(&current)),
            "an old revision was found"
        );
    }
}

/// T43, T91: `kill -9` of the engine at twenty instants while files are added and changed.
#[tokio::test(flavor = "multi_thread")]
async fn t43_t91_a_killed_engine_leaves_every_document_wholly_old_or_wholly_new() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (library, files) = (folder.path().join("library"), folder.path().join("files"));
    std::fs::create_dir(&files).expect("a folder");
    std::fs::copy(harbour_report(), files.join("harbour.pdf")).expect("copied");
    (0..FILES).for_each(|file| write_version(&files, file, 0));
    let started = Instant::now();
    assert!(
        start(&library).wait().expect("it ends").success(),
        "an undisturbed run succeeds"
    );
    let whole_run = u64::try_from(started.elapsed().as_millis()).expect("short");

    let mut numbers = Numbers(7);
    for round in 1..=ENGINE_KILLS {
        (0..FILES).for_each(|file| write_version(&files, file, round));
        let mut child = start(&library);
        std::thread::sleep(Duration::from_millis(numbers.below(whole_run)));
        child.kill().expect("killed");
        child.wait().expect("buried");
        let engine = open(&library).await;
        check(&engine).await;
        engine.shutdown().await;
    }

    let engine = open(&library).await;
    let report = add_all(&engine, &files).await;
    assert_eq!(report.failed, []);
    check(&engine).await;
    let documents = engine.list(None).await.expect("listed").documents;
    assert_eq!(
        documents.len(),
        FILES as usize + 1,
        "one document for each file, however often it was begun"
    );
    assert!(
        documents.iter().all(|document| document.state == DocumentState::Ready),
        "{documents:?}"
    );
    engine.shutdown().await;
}

/// The worker processes of this process.
fn workers() -> Vec<String> {
    let tasks = std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let children = tasks.filter_map(|task| std::fs::read_to_string(task.path().join("children")).ok());
    let ids: Vec<String> = children
        .flat_map(|line| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
        .collect();
    ids.into_iter()
        .filter(|id| {
            std::fs::read_to_string(format!("/proc/{id}/comm")).is_ok_and(|name| name.starts_with("recto-worker"))
        })
        .collect()
}

/// `kill -9` of a worker at ten instants: no document is lost, at most a page of it becomes a gap.
#[tokio::test(flavor = "multi_thread")]
async fn a_killed_worker_costs_at_most_a_page() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let files = folder.path().join("files");
    std::fs::create_dir(&files).expect("a folder");
    let engine = open(&folder.path().join("library")).await;
    let report = harbour_report();
    let original = std::fs::read(&report).expect("read");
    let mut numbers = Numbers(7);
    let mut killed = 0;
    let mut copies: usize = 0;
    while killed < WORKER_KILLS {
        // Bytes after the end of a PDF change its hash and nothing else.
        for _ in 0..4 {
            let bytes = [original.as_slice(), format!("\n%{copies}\n").as_bytes()].concat();
            std::fs::write(files.join(format!("{copies}.pdf")), bytes).expect("written");
            copies += 1;
        }
        let adding = tokio::spawn({
            let (engine, files) = (Arc::clone(&engine), files.clone());
            async move { add_all(&engine, &files).await }
        });
        // One kill while these are read: a file whose workers die twice at the same place is rightly taken for damaged.
        tokio::time::sleep(Duration::from_millis(numbers.below(300))).await;
        while !adding.is_finished() {
            let victim = workers().into_iter().next();
            let kill = |worker: &String| Command::new("kill").args(["-9", worker]).stderr(Stdio::null()).status();
            if victim.is_some_and(|worker| kill(&worker).is_ok_and(|status| status.success())) {
                killed += 1;
                break;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        let report = adding.await.expect("adding ends");
        assert_eq!(report.failed, [], "a document was lost");
    }
    assert!(engine.doctor().await.expect("checked").ok);
    let documents = engine.list(None).await.expect("listed").documents;
    assert_eq!(documents.len(), copies);
    for document in documents {
        assert!(
            matches!(document.state, DocumentState::Ready | DocumentState::ReadyWithGaps),
            "{document:?}"
        );
    }
    engine.shutdown().await;
}
