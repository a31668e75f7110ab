//! The main job needs no network.

use crate::support::{Desk, HARBOUR, errors_of};
use std::process::{Command, Output};

/// Whether the kernel lets us make a network namespace of our own, with nothing in it.
fn can_unshare() -> bool {
    Command::new("unshare")
        .args(["-rn", "true"])
        .output()
        .is_ok_and(|output| output.status.success())
}

fn without_network(desk: &Desk, arguments: &[&str]) -> Output {
    let output = Command::new("unshare")
        .args(["-rn", "--"])
        .arg(assert_cmd::cargo::cargo_bin!("recto"))
        .args(arguments)
        .env("RECTO_LIBRARY", desk.library())
        .output()
        .expect("it runs");
    assert!(output.status.success(), "{arguments:?}: {}", errors_of(&output));
    output
}

#[test]
fn adding_asking_and_drawing_a_page_work_without_any_network() {
    if !can_unshare() {
        eprintln!("skipped: this kernel does not let a user make a network namespace");
        return;
    }
    let desk = Desk::new();
    let file = desk.pdf("harbour.pdf", &HARBOUR);
    let file = file.to_string_lossy();
    without_network(&desk, &["add", "--strict", &file]);
    let answer = without_network(
        &desk,
        &["--json", "ask", "How many pilots did the pilot station employ?"],
    );
    let answer: serde_json::Value = serde_json::from_slice(&answer.stdout).expect("JSON");
    assert_eq!(answer["status"], "answered");
    assert_ne!(answer["citations"], serde_json::json!([]));
    let picture = desk.path("page.png");
    without_network(&desk, &["page", &file, "1", "-o", &picture.to_string_lossy()]);
    assert!(std::fs::read(&picture).expect("drawn").starts_with(b"\x89PNG"));
}
