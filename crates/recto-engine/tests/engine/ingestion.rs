//! Files in: states, failures, identity, cancelling.

use crate::support::{COLLECTION, Desk, harbour_report};
use recto_engine::AddRequest;
use recto_engine::contract::{DocumentState, SearchMode};
use std::time::{Duration, Instant};

/// T49: a failed file is failed with its reason; the others go on; retrying is possible.
#[tokio::test(flavor = "multi_thread")]
async fn t49_one_damaged_file_fails_with_its_reason_and_the_rest_goes_on() {
    let desk = Desk::new().await;
    let damaged = desk.file("damaged.pdf", b"%PDF-1.7\nthis is no PDF at all");
    let empty = desk.file("empty.txt", b"");
    let picture = desk.file("archive.pdf", b"Rar!\x1a\x07\x01\x00 not a PDF whatever its name says");
    let report = desk.add(&[damaged.clone(), empty, picture, harbour_report()]).await;
    assert_eq!(report.added.len(), 1);
    let states: Vec<_> = report.failed.iter().map(|failed| failed.state).collect();
    assert_eq!(
        states,
        [DocumentState::Damaged, DocumentState::Empty, DocumentState::Unsupported],
        "{report:?}"
    );
    assert!(
        report.failed.iter().all(|failed| failed.message.ends_with('.')),
        "each has a sentence: {report:?}"
    );
    let list = desk.engine.list(None).await.expect("listed");
    assert_eq!(list.documents.len(), 4, "failed files stay listed");
    let job = desk
        .engine
        .queue()
        .await
        .expect("queue")
        .jobs
        .into_iter()
        .find(|job| job.file_name == "damaged.pdf");
    let job = job.expect("the failed job is kept");
    std::fs::copy(harbour_report(), &damaged).expect("mended");
    desk.engine.retry_job(&job.job_id).await.expect("can be retried");
    let deadline = Instant::now() + Duration::from_secs(60);
    while desk
        .engine
        .queue()
        .await
        .expect("queue")
        .jobs
        .iter()
        .any(|job| job.file_name == "damaged.pdf")
    {
        assert!(Instant::now() < deadline, "the retried job ends");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    desk.engine.shutdown().await;
}

/// T50, T67: the same bytes are one document however often and from wherever they are added; the same name is not.
#[tokio::test(flavor = "multi_thread")]
async fn t50_t67_the_bytes_decide_what_a_document_is() {
    let desk = Desk::new().await;
    let first = desk.file("a/report.txt", "The lighthouse at Orsk was painted in 1932.");
    let copy = desk.file("b/report.txt", "The lighthouse at Orsk was painted in 1932.");
    let other = desk.file("c/report.txt", "The lighthouse at Wend was never painted.");
    let report = desk.add(&[first.clone(), copy, other, first]).await;
    assert_eq!(report.added.len() + report.unchanged.len(), 3, "{report:?}");
    assert_eq!(report.failed, []);
    let list = desk.engine.list(None).await.expect("listed").documents;
    assert_eq!(list.len(), 2, "two different contents");
    let twice = list
        .iter()
        .find(|document| document.locations.len() == 2)
        .expect("one has two places");
    assert_eq!(twice.state, DocumentState::Ready);
    desk.engine.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn changed_bytes_at_the_same_place_are_a_new_revision_of_the_same_document() {
    let desk = Desk::new().await;
    let path = desk.file("note.txt", "The ferry leaves at seven.");
    let before = desk.add(std::slice::from_ref(&path)).await.added[0].document_id.clone();
    std::fs::write(&path, "The ferry leaves at nineteen.").expect("changed");
    let report = desk.add(&[path]).await;
    assert_eq!(report.added[0].document_id, before);
    let found = desk.search("ferry leaves", SearchMode::Fts).await;
    let texts: Vec<_> = found.results.iter().map(|result| result.text.as_str()).collect();
    assert_eq!(
        texts,
        ["The ferry leaves at nineteen."],
        "the old revision is not found any more"
    );
    desk.engine.shutdown().await;
}

/// T46: cancelling ends the work at once and leaves no row behind.
#[tokio::test(flavor = "multi_thread")]
async fn t46_a_cancelled_job_stops_within_a_second_and_leaves_nothing() {
    let desk = Desk::new().await;
    let long: String = (0..60_000)
        .map(|n| format!("Sentence number {n} speaks of the zebrafinch.\n\n"))
        .collect();
    let path = desk.file("long.txt", long);
    let request = AddRequest {
        collection: COLLECTION.into(),
        paths: vec![path],
        ..AddRequest::default()
    };
    let ticket = desk.engine.enqueue(request).await.expect("queued");
    tokio::time::sleep(Duration::from_millis(300)).await;
    let started = Instant::now();
    desk.engine.cancel_job(&ticket.jobs[0]).await.expect("cancelled");
    let report = desk.engine.wait(&ticket, &mut |_| {}).await.expect("it ends");
    assert!(
        started.elapsed() < Duration::from_secs(1),
        "cancelling took {:?}",
        started.elapsed()
    );
    assert_eq!(
        report.failed.first().map(|failed| failed.state),
        Some(DocumentState::Cancelled),
        "{report:?}"
    );
    desk.engine.shutdown().await;
    let desk = desk.reopen().await;
    assert_eq!(desk.search("zebrafinch", SearchMode::Fts).await.results, []);
    assert!(desk.engine.doctor().await.expect("checked").ok);
    desk.engine.shutdown().await;
}

/// T66: names are data; the original name is shown, whatever it is.
#[tokio::test(flavor = "multi_thread")]
async fn t66_odd_file_names_are_kept_as_they_are() {
    let desk = Desk::new().await;
    let names = [
        "報告 (最終)_Ⅲ.txt",
        "cafe\u{301}.txt",
        "caf\u{e9}.txt",
        "🗂 notes .txt",
        "it's \"quoted\" %20.txt",
    ];
    let paths: Vec<_> = names
        .iter()
        .map(|name| desk.file(name, format!("The name of this file is {name}.")))
        .collect();
    let report = desk.add(&paths).await;
    assert_eq!(
        (report.added.len(), report.failed.len()),
        (names.len(), 0),
        "{report:?}"
    );
    for (path, document) in paths.iter().zip(&report.added) {
        assert_eq!(document.uri, path.to_string_lossy());
        assert_eq!(document.title, path.file_stem().expect("a stem").to_string_lossy());
    }
    desk.engine.shutdown().await;
}

/// T65: what is reported as added can be read back.
#[tokio::test(flavor = "multi_thread")]
async fn t65_success_is_said_of_what_can_be_found() {
    let desk = Desk::new().await;
    let report = desk.add(&[harbour_report()]).await;
    let document = &report.added[0];
    assert_eq!(document.state, DocumentState::Ready);
    let view = desk
        .engine
        .document_view(COLLECTION, &document.document_id, None)
        .await
        .expect("it opens");
    assert_eq!(view.pages.len(), document.page_count as usize);
    assert_ne!(desk.search("tide gauges", SearchMode::Vector).await.results, []);
    desk.engine.shutdown().await;
}

/// T47, T60: states come from what is stored; a file interrupted by the end of the engine is finished by the next one.
#[tokio::test(flavor = "multi_thread")]
async fn t47_t60_an_interrupted_queue_goes_on_after_reopening() {
    let desk = Desk::new().await;
    let paths: Vec<_> = (0..6)
        .map(|n| {
            desk.file(
                &format!("{n}.txt"),
                format!("Buoy number {n} is green.\n\n").repeat(400),
            )
        })
        .collect();
    let request = AddRequest {
        collection: COLLECTION.into(),
        paths,
        ..AddRequest::default()
    };
    let ticket = desk.engine.enqueue(request).await.expect("queued");
    tokio::time::sleep(Duration::from_millis(400)).await;
    let desk = desk.reopen().await;
    let report = desk.engine.wait(&ticket, &mut |_| {}).await.expect("the jobs end");
    assert_eq!(report.failed, []);
    let list = desk.engine.list(None).await.expect("listed").documents;
    assert_eq!(list.len(), 6);
    assert!(
        list.iter().all(|document| document.state == DocumentState::Ready),
        "{list:?}"
    );
    assert!(desk.engine.doctor().await.expect("checked").ok);
    desk.engine.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn adding_to_a_paused_queue_says_that_the_file_waits() {
    let desk = Desk::new().await;
    desk.add(&[desk.file("first.txt", "The first file makes the library.")])
        .await;
    desk.engine.pause_queue(true).await.expect("paused");
    let report = desk.add(&[desk.file("second.txt", "The second file waits.")]).await;
    assert_eq!(
        report.failed.first().map(|failed| failed.state),
        Some(DocumentState::Queued),
        "{report:?}"
    );
    assert!(report.failed[0].message.contains("paused"), "{report:?}");
    desk.engine.shutdown().await;
}

/// A document whose vectors were never made is finished by the next engine, also when its file is gone by then.
#[tokio::test(flavor = "multi_thread")]
async fn a_document_without_vectors_gets_them_at_the_next_start() {
    let desk = Desk::new().await;
    let text: String = (0..4_000)
        .map(|n| format!("Buoy number {n} is painted green and white.\n\n"))
        .collect();
    let path = desk.file("buoys.txt", text);
    let request = AddRequest {
        collection: COLLECTION.into(),
        paths: vec![path.clone()],
        ..AddRequest::default()
    };
    let ticket = desk.engine.enqueue(request).await.expect("queued");
    let state = |list: recto_engine::contract::DocumentList| list.documents.first().map(|document| document.state);
    let deadline = Instant::now() + Duration::from_secs(60);
    while state(desk.engine.list(None).await.expect("listed")) != Some(DocumentState::Embedding) {
        assert!(Instant::now() < deadline, "it comes to its vectors");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    desk.engine.cancel_job(&ticket.jobs[0]).await.expect("cancelled");
    desk.engine.dismiss_job(&ticket.jobs[0]).await.expect("forgotten");
    std::fs::remove_file(path).expect("removed");
    let desk = desk.reopen().await;
    let deadline = Instant::now() + Duration::from_secs(120);
    while state(desk.engine.list(None).await.expect("listed")) != Some(DocumentState::Ready) {
        assert!(Instant::now() < deadline, "the next engine finishes it");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    desk.engine.shutdown().await;
}

/// Vectors are made for one document after the other; a file is not said to be unreadable while it waits for its turn.
#[tokio::test(flavor = "multi_thread")]
async fn every_committed_document_counts_as_readable_before_its_turn_for_vectors() {
    let desk = Desk::new().await;
    let text = |what: &str| -> String {
        (0..2_000)
            .map(|n| format!("{what} number {n} is painted green.\n\n"))
            .collect()
    };
    let request = AddRequest {
        collection: COLLECTION.into(),
        paths: vec![
            desk.file("buoys.txt", text("Buoy")),
            desk.file("piers.txt", text("Pier")),
        ],
        ..AddRequest::default()
    };
    desk.engine.enqueue(request).await.expect("queued");
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        let list = desk.engine.list(None).await.expect("listed");
        let states: Vec<DocumentState> = list.documents.iter().map(|document| document.state).collect();
        if states == [DocumentState::Embedding, DocumentState::Embedding] {
            break;
        }
        assert!(
            !states.contains(&DocumentState::Ready),
            "one was ready before the other was readable: {states:?}"
        );
        assert!(Instant::now() < deadline, "both become readable: {states:?}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    desk.engine.shutdown().await;
}
