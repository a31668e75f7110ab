//! The pool with real child processes that misbehave.

mod sharing;

use recto_core::{DocumentInfo, ErrorCode, Page, Result};
use recto_worker::protocol::{self, Reply, Request};
use recto_worker::{
    ConvertFormat, ConvertRequest, ImageFormat, LocateRequest, ParseEvent, ParseLimits, ParseRequest, RenderRequest,
    RenderSize, WorkerPool, WorkerPoolOptions,
};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;

const WORKER: &str = env!("CARGO_BIN_EXE_misbehaving-worker");

/// Patience that a loaded machine does not exhaust by itself, and that is soon over.
const PATIENCE: Duration = Duration::from_secs(3);

fn options() -> WorkerPoolOptions {
    WorkerPoolOptions {
        workers: 1,
        memory_ceiling: 96 << 20,
        memory_poll: Duration::from_millis(20),
        page_deadline: PATIENCE,
        deadline_per_100_pages: PATIENCE,
        request_deadline: PATIENCE,
        ..WorkerPoolOptions::new(PathBuf::from(WORKER))
    }
}

fn pool() -> WorkerPool {
    WorkerPool::new(options())
}

fn script(script: &str) -> ParseRequest {
    ParseRequest {
        file_name: script.into(),
        ..ParseRequest::default()
    }
}

/// All that a parse tells, and how it ends.
struct Told {
    outcome: Result<DocumentInfo>,
    pages: Vec<u32>,
    gaps: Vec<u32>,
    items: Vec<u32>,
}

async fn parse(pool: &WorkerPool, request: ParseRequest) -> Told {
    let (mut pages, mut gaps, mut items) = (Vec::new(), Vec::new(), Vec::new());
    let outcome = pool
        .parse(request, &CancellationToken::new(), &mut |event| match event {
            ParseEvent::Page(page) => pages.push(page.number),
            ParseEvent::Gap(gap) => gaps.push(gap.page),
            ParseEvent::Items(batch) => items.extend(batch.iter().map(|item| item.position)),
            ParseEvent::Info(_) | ParseEvent::Progress { .. } => {}
        })
        .await;
    Told {
        outcome,
        pages,
        gaps,
        items,
    }
}

fn render(page: u32) -> RenderRequest {
    RenderRequest {
        path: PathBuf::from("a.pdf"),
        password: None,
        page,
        size: RenderSize::Scale(1.0),
        highlights: Vec::new(),
        crop: None,
        format: ImageFormat::Png,
        output: PathBuf::from("a.png"),
    }
}

async fn process_id(pool: &WorkerPool) -> u32 {
    let rendered = pool
        .render(render(1), &CancellationToken::new())
        .await
        .expect("renders");
    rendered.width
}

fn exists(process_id: u32) -> bool {
    Path::new(&format!("/proc/{process_id}")).exists()
}

#[tokio::test]
async fn pages_and_items_of_a_file_arrive_in_order() {
    let told = parse(&pool(), script("pages:4")).await;
    assert_eq!(told.outcome.expect("reads").page_count, 4);
    assert_eq!(
        (told.pages, told.gaps, told.items),
        (vec![1, 2, 3, 4], vec![], vec![0, 1])
    );
}

#[tokio::test]
async fn a_crash_costs_one_page_and_the_rest_arrive() {
    let told = parse(&pool(), script("pages:5 crash:3")).await;
    let info = told.outcome.expect("reads");
    assert_eq!(told.pages, [1, 2, 4, 5], "no page twice, none lost but the third");
    assert_eq!(told.gaps, [3]);
    assert_eq!(info.gaps[0].page, 3);
    assert_eq!(told.items, [0, 1]);
}

#[tokio::test]
async fn crashes_at_the_first_the_last_and_neighbouring_pages_cost_just_those() {
    let told = parse(&pool(), script("pages:6 crash:1 crash:3 crash:4 crash:6 unreadable:5")).await;
    assert_eq!(told.pages, [2]);
    let gaps: Vec<u32> = told.outcome.expect("reads").gaps.iter().map(|gap| gap.page).collect();
    assert_eq!(gaps, [1, 3, 4, 5, 6]);
    assert_eq!(told.gaps, [1, 3, 4, 5, 6]);
}

#[tokio::test]
async fn a_worker_killed_once_costs_nothing() {
    let folder = tempfile::tempdir().expect("temporary folder");
    for (name, what) in [("a", "pages:4 crash-once:3"), ("b", "pages:4 crash-structure")] {
        let request = ParseRequest {
            path: folder.path().join(name),
            ..script(what)
        };
        let told = parse(&pool(), request).await;
        assert!(told.outcome.expect("reads").gaps.is_empty(), "{what}");
        assert_eq!((told.pages, told.items), (vec![1, 2, 3, 4], vec![0, 1]), "{what}");
    }
}

#[tokio::test]
async fn a_file_whose_structure_cannot_be_made_is_damaged_and_shows_no_items() {
    let told = parse(&pool(), script("pages:2 always-crash-structure")).await;
    assert_eq!(told.outcome.expect_err("fails").code, ErrorCode::Damaged);
    assert!(told.items.is_empty());
}

#[tokio::test]
async fn too_many_crashes_fail_the_document() {
    let pool = WorkerPool::new(WorkerPoolOptions {
        max_lost_pages: 2,
        ..options()
    });
    let told = parse(&pool, script("pages:9 crash:2 crash:4 crash:6")).await;
    assert_eq!(told.outcome.expect_err("fails").code, ErrorCode::Damaged);
}

/// T45: one file hangs the queue.
#[tokio::test]
async fn t45_a_hanging_page_becomes_a_gap_and_the_queue_continues() {
    let pool = WorkerPool::new(WorkerPoolOptions {
        page_deadline: Duration::from_millis(700),
        ..options()
    });
    let begun = Instant::now();
    let told = parse(&pool, script("pages:3 hang:2")).await;
    assert_eq!(told.pages, [1, 3]);
    assert_eq!(told.outcome.expect("reads").gaps[0].page, 2);
    assert!(begun.elapsed() >= Duration::from_millis(700));

    let told = parse(&pool, script("hang-open")).await;
    assert_eq!(told.outcome.expect_err("fails").code, ErrorCode::TimedOut);
    assert!(
        parse(&pool, script("pages:2")).await.outcome.is_ok(),
        "the next file is read"
    );
}

#[tokio::test]
async fn every_page_renews_the_deadline() {
    let pool = WorkerPool::new(WorkerPoolOptions {
        page_deadline: Duration::from_millis(1500),
        ..options()
    });
    let begun = Instant::now();
    let told = parse(&pool, script("pages:8 slow:250")).await;
    assert_eq!(told.pages.len(), 8);
    assert!(told.outcome.expect("reads").gaps.is_empty());
    assert!(
        begun.elapsed() > Duration::from_millis(1500),
        "longer than the deadline in all"
    );
}

/// T46: cancelling does not cancel.
#[tokio::test]
async fn cancelling_stops_within_a_second_and_nothing_follows() {
    let pool = pool();
    let process = process_id(&pool).await;
    let cancel = CancellationToken::new();
    let mut after_cancel = 0;
    let mut pages = 0;
    let begun = Instant::now();
    let mut cancelled_at = None;
    let outcome = pool
        .parse(script("pages:100 hang:3"), &cancel, &mut |event| {
            after_cancel += u32::from(cancel.is_cancelled());
            if let ParseEvent::Page(_) = event {
                pages += 1;
            }
            if pages == 2 {
                cancel.cancel();
                cancelled_at = Some(begun.elapsed());
            }
        })
        .await;
    let stopped_at = begun.elapsed();
    assert_eq!(outcome.expect_err("is cancelled").code, ErrorCode::Cancelled);
    assert!(stopped_at - cancelled_at.expect("was cancelled") < Duration::from_secs(1));
    assert_eq!(after_cancel, 0, "no event after the cancellation");
    assert!(!exists(process), "the process is gone and reaped");
    assert!(
        parse(&pool, script("pages:1")).await.outcome.is_ok(),
        "the pool is fit for the next"
    );
}

#[tokio::test]
async fn cancelling_also_ends_the_wait_for_a_free_worker() {
    let pool = pool();
    let (busy, waiting) = (CancellationToken::new(), CancellationToken::new());
    let hog = tokio::spawn({
        let (pool, busy) = (pool.clone(), busy.clone());
        async move { pool.render(render(666), &busy).await }
    });
    tokio::time::sleep(Duration::from_millis(100)).await;
    waiting.cancel();
    let error = pool.render(render(1), &waiting).await.expect_err("is cancelled");
    assert_eq!(error.code, ErrorCode::Cancelled);
    busy.cancel();
    assert_eq!(
        hog.await.expect("joins").expect_err("is cancelled").code,
        ErrorCode::Cancelled
    );
}

#[tokio::test]
async fn dropping_a_request_kills_its_worker_and_frees_its_place() {
    let pool = pool();
    let process = process_id(&pool).await;
    let cancel = CancellationToken::new();
    let hanging = pool.render(render(666), &cancel);
    assert!(tokio::time::timeout(Duration::from_millis(200), hanging).await.is_err());
    assert_ne!(process_id(&pool).await, process);
    let deadline = Instant::now() + PATIENCE;
    while exists(process) && Instant::now() < deadline {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert!(!exists(process), "the dropped process is gone and reaped");
}

#[tokio::test]
async fn a_memory_blow_up_is_out_of_memory_and_costs_only_its_document() {
    let pool = pool();
    let told = parse(&pool, script("pages:3 eat:2")).await;
    assert_eq!(
        told.outcome.expect_err("fails").code,
        ErrorCode::OutOfMemory,
        "page by page"
    );
    let told = parse(&pool, script("pages:3 grab:2")).await;
    assert_eq!(
        told.outcome.expect_err("fails").code,
        ErrorCode::OutOfMemory,
        "at one stroke"
    );
    assert!(parse(&pool, script("pages:1")).await.outcome.is_ok());
}

#[tokio::test]
async fn a_refusal_is_passed_on_and_the_worker_goes_on() {
    let pool = pool();
    let process = process_id(&pool).await;
    let told = parse(&pool, script("refuse")).await;
    assert_eq!(told.outcome.expect_err("fails").code, ErrorCode::PasswordRequired);
    assert_eq!(process_id(&pool).await, process);
}

#[tokio::test]
async fn a_worker_is_replaced_after_its_share_of_requests() {
    let pool = WorkerPool::new(WorkerPoolOptions {
        recycle_after: 2,
        ..options()
    });
    let first = process_id(&pool).await;
    assert_eq!(process_id(&pool).await, first);
    assert_ne!(process_id(&pool).await, first);
}

#[tokio::test]
async fn as_many_requests_run_at_once_as_there_are_workers() {
    let pool = WorkerPool::new(WorkerPoolOptions {
        workers: 2,
        ..options()
    });
    let (one, two) = tokio::join!(parse(&pool, script("pages:4 slow:100")), process_id(&pool));
    assert!(one.outcome.is_ok());
    assert!(two > 0);
    let processes = [process_id(&pool).await, two];
    pool.close_idle().await;
    assert!(
        processes.iter().all(|&process| !exists(process)),
        "idle workers end when told to"
    );
}

#[tokio::test]
async fn pages_of_many_frames_are_located_in() {
    let page = |number| Page {
        number,
        text: "x".repeat(3 << 20),
        ..Page::default()
    };
    let request = LocateRequest {
        pages: (1..=5).map(page).collect(),
        quote: "x".into(),
        ..LocateRequest::default()
    };
    let found = pool()
        .locate(request, &CancellationToken::new())
        .await
        .expect("locates");
    assert_eq!(found[0].text, "x in 5 pages");
}

#[tokio::test]
async fn an_export_tells_its_progress() {
    let request = ConvertRequest {
        path: PathBuf::from("a.pdf"),
        file_name: "a.pdf".into(),
        password: None,
        to: ConvertFormat::Md,
        pages: None,
        limits: ParseLimits::default(),
        output: PathBuf::from("a.md"),
    };
    let mut told = Vec::new();
    let converted = pool()
        .convert(request, &CancellationToken::new(), &mut |done, total| {
            told.push((done, total));
        })
        .await
        .expect("converts");
    assert_eq!(converted.pages, 3);
    assert_eq!(told, [(1, 3), (2, 3), (3, 3)]);
}

#[tokio::test]
async fn a_missing_worker_is_named() {
    let pool = WorkerPool::new(WorkerPoolOptions::new(PathBuf::from("/nowhere/recto-worker")));
    let error = pool
        .render(render(1), &CancellationToken::new())
        .await
        .expect_err("fails");
    assert_eq!(error.code, ErrorCode::AssetMissing);
    assert!(error.message.contains("/nowhere/recto-worker"));
}

#[test]
fn a_worker_ends_with_the_application_even_while_it_is_busy() {
    let mut child = std::process::Command::new(WORKER)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("starts");
    let mut stdin = child.stdin.take().expect("has a pipe");
    let mut stdout = child.stdout.take().expect("has a pipe");
    protocol::write_message(&mut stdin, &Request::Parse(script("pages:9 hang:2"))).expect("sends");
    // Two replies later it hangs.
    for _ in 0..2 {
        let reply: Option<Reply> = protocol::read_message(&mut stdout).expect("reads");
        assert!(reply.is_some());
    }
    drop(stdin);
    let deadline = Instant::now() + Duration::from_secs(2);
    while child.try_wait().expect("can be asked").is_none() {
        assert!(Instant::now() < deadline, "the worker goes on without its application");
        std::thread::sleep(Duration::from_millis(10));
    }
}
