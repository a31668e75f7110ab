//! The pages of a scan, shared among workers of which some come to grief.

use crate::{PATIENCE, exists, options, script};
use recto_core::ErrorCode;
use recto_worker::{ParseEvent, ParseRequest, Stage, WorkerPool, WorkerPoolOptions};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;

const SCAN: &str = "pages:6 scan:2 scan:3 scan:4 scan:5 scan:6";

fn pool(workers: usize) -> WorkerPool {
    WorkerPool::new(WorkerPoolOptions { workers, ..options() })
}

/// What a reading tells: pages with their texts, gaps, and how far the recognition was.
#[derive(Default)]
struct Told {
    pages: Vec<(u32, String)>,
    gaps: Vec<u32>,
    recognised: Vec<(u32, u32)>,
}

async fn read(pool: &WorkerPool, request: ParseRequest) -> Told {
    let mut told = Told::default();
    let info = pool
        .parse(request, &CancellationToken::new(), &mut |event| match event {
            ParseEvent::Page(page) => told.pages.push((page.number, page.text)),
            ParseEvent::Progress {
                done,
                total,
                stage: Stage::Recognising,
            } => told.recognised.push((done, total)),
            _ => {}
        })
        .await
        .expect("reads");
    told.gaps = info.gaps.iter().map(|gap| gap.page).collect();
    told
}

impl Told {
    fn numbers(&self) -> Vec<u32> {
        self.pages.iter().map(|(number, _)| *number).collect()
    }

    fn text(&self, page: u32) -> &str {
        let found = self.pages.iter().find(|(number, _)| *number == page);
        found.map_or("", |(_, text)| text)
    }
}

#[tokio::test]
async fn the_pages_of_a_scan_are_recognised_by_all_workers_and_come_in_order() {
    let told = read(&pool(2), script(SCAN)).await;
    assert_eq!(told.numbers(), [1, 2, 3, 4, 5, 6]);
    assert_eq!(told.text(1), "page 1", "a page with text is read as ever");
    let workers: BTreeSet<&str> = (2..=6).map(|page| told.text(page)).collect();
    assert_eq!(workers.len(), 2, "both took pages: {:?}", told.pages);
    assert!(!workers.contains("here"), "none was done twice");
    assert!(told.gaps.is_empty());
}

#[tokio::test]
async fn recognition_is_told_page_by_page() {
    let told = read(&pool(2), script(SCAN)).await;
    let after_each: Vec<(u32, u32)> = (2..=6).map(|done| (done, 6)).collect();
    let counted: Vec<(u32, u32)> = told.recognised.iter().copied().filter(|(done, _)| *done > 1).collect();
    assert!(counted.starts_with(&after_each), "{:?}", told.recognised);
}

#[tokio::test]
async fn a_single_worker_and_a_single_scanned_page_share_nothing() {
    let told = read(&pool(1), script(SCAN)).await;
    assert!((2..=6).all(|page| told.text(page) == "here"), "{:?}", told.pages);
    let told = read(&pool(2), script("pages:3 scan:2")).await;
    assert_eq!(told.text(2), "here");
    assert_eq!(told.numbers(), [1, 2, 3]);
}

#[tokio::test]
async fn a_worker_that_dies_once_over_a_shared_page_costs_nothing() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let request = ParseRequest {
        path: folder.path().join("marker"),
        ..script(&format!("{SCAN} recognise-crash-once:4"))
    };
    let told = read(&pool(2), request).await;
    assert_eq!(told.numbers(), [1, 2, 3, 4, 5, 6]);
    assert!(told.gaps.is_empty());
    assert_ne!(told.text(4), "here", "another worker did it");
}

#[tokio::test]
async fn shared_pages_at_which_workers_die_or_hang_are_lost_and_no_others() {
    let told = read(&pool(2), script(&format!("{SCAN} recognise-crash:2 recognise-hang:5"))).await;
    assert_eq!(told.gaps, [2, 5]);
    assert_eq!(told.numbers(), [1, 3, 4, 6]);
    assert_ne!(told.text(3), "here", "what was recognised is kept");
}

#[tokio::test]
async fn too_many_lost_pages_fail_the_document() {
    let pool = WorkerPool::new(WorkerPoolOptions {
        workers: 2,
        max_lost_pages: 1,
        ..options()
    });
    let request = script(&format!("{SCAN} recognise-crash:2 recognise-crash:5"));
    let outcome = pool.parse(request, &CancellationToken::new(), &mut |_| {}).await;
    assert_eq!(outcome.expect_err("fails").code, ErrorCode::Damaged);
}

#[tokio::test]
async fn what_others_refuse_to_recognise_is_left_to_the_worker_that_reads() {
    let told = read(&pool(2), script(&format!("{SCAN} recognise-fail:3"))).await;
    assert_eq!(told.text(3), "here");
    assert_eq!(told.numbers(), [1, 2, 3, 4, 5, 6]);
}

#[tokio::test]
async fn a_worker_that_comes_to_grief_looking_ahead_is_followed_by_one_that_goes_page_by_page() {
    for trouble in ["crash-looking-ahead", "hang-looking-ahead"] {
        let told = read(&pool(2), script(&format!("{SCAN} {trouble}"))).await;
        assert_eq!(told.numbers(), [1, 2, 3, 4, 5, 6], "{trouble}");
        assert!(told.gaps.is_empty(), "{trouble}");
        assert_eq!(told.text(2), "here", "{trouble}");
    }
}

#[tokio::test]
async fn cancelling_stops_all_workers_that_share_a_scan() {
    let pool = pool(2);
    let cancel = CancellationToken::new();
    let hanging = script("pages:3 scan:2 scan:3 recognise-hang:2 recognise-hang:3");
    let begun = Instant::now();
    let mut on_event = |event| assert!(!cancel.is_cancelled(), "no event after the cancellation: {event:?}");
    let (outcome, ()) = tokio::join!(pool.parse(hanging, &cancel, &mut on_event), async {
        tokio::time::sleep(Duration::from_millis(500)).await;
        cancel.cancel();
    });
    assert_eq!(outcome.expect_err("is cancelled").code, ErrorCode::Cancelled);
    assert!(begun.elapsed() < PATIENCE, "nobody waited for a deadline");
    let told = read(&pool, script(SCAN)).await;
    let workers: BTreeSet<u32> = (2..=6).filter_map(|page| told.text(page).parse().ok()).collect();
    assert_eq!(workers.len(), 2, "both places are free again");
    pool.close_idle().await;
    assert!(workers.into_iter().all(|process| !exists(process)));
}
