//! What the commands refuse, and how they say so.

use crate::harness::{Shell, harbour_report, wait_until};
use recto_desktop_lib::state::AppState;
use recto_engine::contract::{ApiError, LibraryStatus, QueueReport};
use serde_json::{Value, json};

#[test]
fn dropping_files_by_command_is_for_tests_only() {
    let shell = Shell::new();
    let refused = shell.call::<u32>("e2e_drop", json!({ "paths": [harbour_report()] }));
    assert_eq!(refused.expect_err("it must be refused").code, "invalid_argument");
    let queue: QueueReport = shell.call("queue", json!({})).expect("the queue");
    assert_eq!(queue.jobs, [], "nothing was queued");
    assert_eq!(shell.drops(), [], "the window was told of nothing");
}

#[test]
fn dropped_files_go_into_the_chosen_collection_and_the_window_is_told() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let shell = Shell::over(AppState::new(folder.path().join("library"), true));
    let () = shell
        .call("set_add_target", json!({ "collection": "Harbours" }))
        .expect("a target");
    let queued: u32 = shell
        .call("e2e_drop", json!({ "paths": [harbour_report()] }))
        .expect("the file is taken");
    assert_eq!(queued, 1);
    let drops = wait_until("the window is told", || {
        Some(shell.drops()).filter(|drops| !drops.is_empty())
    });
    assert_eq!((drops[0].queued, drops[0].error.as_ref()), (1, None));
    assert_eq!(shell.ready_document().collection, "Harbours");
}

#[test]
fn a_library_that_cannot_be_opened_is_explained_and_tried_again() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let library = folder.path().join("library");
    std::fs::write(&library, "a file where a folder should be").expect("a file");
    let shell = Shell::over(AppState::new(library.clone(), false));
    let error: ApiError = shell
        .call::<LibraryStatus>("library_status", json!({}))
        .expect_err("it cannot be opened");
    assert!(!error.code.is_empty() && !error.message.is_empty(), "{error:?}");
    std::fs::remove_file(&library).expect("the obstacle goes");
    let status: LibraryStatus = shell.call("library_status", json!({})).expect("it opens now");
    assert!(!status.read_only);
}

#[test]
fn a_second_window_reads_and_does_not_write() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let library = folder.path().join("library");
    let first = Shell::over(AppState::new(library.clone(), false));
    let status: LibraryStatus = first.call("library_status", json!({})).expect("it opens");
    assert!(!status.read_only);
    let second = Shell::over(AppState::new(library, false));
    let status: LibraryStatus = second.call("library_status", json!({})).expect("it opens for reading");
    assert!(status.read_only);
    let refused = second.call::<u32>("add_paths", json!({ "collection": "x", "paths": [harbour_report()] }));
    let code = refused.expect_err("it must be refused").code;
    assert!(code == "library_in_use", "{code}");
}

#[test]
fn errors_are_objects_with_a_code() {
    let shell = Shell::new();
    for (command, arguments, code) in [
        (
            "document_view",
            json!({ "collection": "none", "documentId": "00000000-0000-4000-8000-000000000000", "sha256": null }),
            "not_found",
        ),
        (
            "get_conversation",
            json!({ "conversationId": "00000000-0000-4000-8000-000000000000" }),
            "not_found",
        ),
        ("open_link", json!({ "url": "file:///etc/hosts" }), "invalid_argument"),
    ] {
        let error = shell.call::<Value>(command, arguments).expect_err("it must fail");
        assert_eq!(error.code, code, "{command}: {}", error.message);
    }
}
