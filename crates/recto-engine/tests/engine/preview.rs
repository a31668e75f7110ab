//! What adding files would do, before it is done.

use crate::support::{COLLECTION, Desk, harbour_report};
use recto_engine::contract::AddPreview;
use std::path::PathBuf;
use tokio_util::sync::CancellationToken;

async fn preview(desk: &Desk, paths: &[PathBuf]) -> AddPreview {
    desk.engine
        .preview_add(COLLECTION, paths.to_vec(), CancellationToken::new(), |_| {})
        .await
        .expect("counted")
}

#[tokio::test(flavor = "multi_thread")]
async fn files_are_counted_by_what_would_become_of_them() {
    let desk = Desk::new().await;
    let here = desk.file("note.txt", "The ferry leaves at seven.");
    desk.add(&[here.clone(), harbour_report()]).await;
    let film = desk.file("more/film.mp4", "not opened");
    let new = desk.file("more/plan.txt", "Nine trams a day.");
    let report = preview(&desk, &[here.clone(), film.parent().expect("a folder").to_owned()]).await;
    assert_eq!(
        (report.files, report.bytes),
        (1, std::fs::metadata(&new).expect("there").len())
    );
    assert_eq!(
        (report.unsupported, report.unsupported_kinds),
        (1, vec!["mp4".to_owned()])
    );
    assert_eq!((report.already_here, report.unreachable), (1, 0));
    assert!(report.complete && report.needed_bytes >= report.bytes);
    #[cfg(unix)]
    assert!(report.free_bytes.is_some_and(|free| free > 0));
    assert_eq!(
        desk.engine.queue().await.expect("the queue").jobs,
        [],
        "nothing was queued"
    );
    desk.engine.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_has_changed_since_is_not_here_already() {
    let desk = Desk::new().await;
    let path = desk.file("note.txt", "The ferry leaves at seven.");
    desk.add(std::slice::from_ref(&path)).await;
    assert_eq!(preview(&desk, std::slice::from_ref(&path)).await.already_here, 1);
    std::fs::write(&path, "The ferry leaves at eight o'clock.").expect("changed");
    let report = preview(&desk, &[path]).await;
    assert_eq!((report.files, report.already_here), (1, 0));
    desk.engine.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_here_in_one_collection_is_new_to_another() {
    let desk = Desk::new().await;
    let path = desk.file("note.txt", "The ferry leaves at seven.");
    desk.add(std::slice::from_ref(&path)).await;
    let elsewhere = desk
        .engine
        .preview_add("Elsewhere", vec![path], CancellationToken::new(), |_| {})
        .await
        .expect("counted");
    assert_eq!((elsewhere.files, elsewhere.already_here), (1, 0));
    assert_eq!(
        desk.engine.collections().await.expect("listed").len(),
        1,
        "none was made"
    );
    desk.engine.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn counting_stops_when_the_files_are_taken_away() {
    let desk = Desk::new().await;
    for number in 0..20 {
        desk.file(&format!("many/{number}.txt"), "x");
    }
    let cancel = CancellationToken::new();
    cancel.cancel();
    let report = desk
        .engine
        .preview_add(COLLECTION, vec![desk.folder.path().join("files")], cancel, |_| {})
        .await
        .expect("counted");
    assert!(!report.complete && report.files < 20, "{report:?}");
    desk.engine.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_path_that_leads_nowhere_is_counted_apart() {
    let desk = Desk::new().await;
    let report = preview(&desk, &[desk.folder.path().join("nowhere")]).await;
    assert_eq!((report.files, report.unreachable), (0, 1));
    desk.engine.shutdown().await;
}
