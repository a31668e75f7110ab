//! What is said, and with which status the program ends, when something is wrong.

use crate::support::{Desk, HARBOUR, errors_of};
use std::io::Read;
use std::process::{Command, Stdio};

#[test]
fn an_unknown_collection_is_not_found_and_the_known_ones_are_named() {
    let desk = Desk::new();
    desk.json(&["collections", "create", "Papers"]);
    for command in [&["list"][..], &["search", "x"], &["ask", "x"], &["delete", "0190a1b2"]] {
        let (code, message) = desk.error(1, &[&["--collection", "Nowhere"], command].concat());
        assert_eq!(code, "not_found", "{command:?}");
        assert!(
            message.contains("“Nowhere”") && message.contains("“Papers”"),
            "{message}"
        );
    }
    assert_eq!(desk.error(1, &["collections", "rename", "Nowhere", "X"]).0, "not_found");
    assert_eq!(desk.error(1, &["collections", "remove", "Nowhere"]).0, "not_found");
}

#[test]
fn a_command_that_changes_one_collection_refuses_to_choose() {
    let desk = Desk::new();
    desk.json(&["collections", "create", "Papers"]);
    desk.json(&["collections", "create", "Filings"]);
    let file = desk.pdf("harbour.pdf", &HARBOUR).to_string_lossy().into_owned();
    for command in [&["add", &file][..], &["delete", "0190a1b2"]] {
        let (code, message) = desk.error(2, command);
        assert_eq!(code, "invalid_argument");
        assert!(
            message.contains("“Filings”") && message.contains("“Papers”"),
            "{message}"
        );
        let both = ["--collection", "Papers", "--collection", "Filings"];
        assert_eq!(desk.error(2, &[&both, command].concat()).0, "invalid_argument");
    }
}

#[test]
fn what_is_not_understood_ends_with_status_2() {
    let desk = Desk::new();
    for command in [
        &["nonsense"][..],
        &["add"],
        &["search"],
        &["search", "x", "--limit", "0"],
        &["search", "x", "--since", "yesterday"],
        &["page", "a.pdf", "0"],
        &["convert", "a.pdf", "--pages", "5-2"],
        &["convert", "a.pdf", "--to", "text", "--layer", "items"],
        &["convert", "a.pdf", "--to", "png"],
        &["ask", "x", "--strategy", "magic"],
        &["add", ".", "--title", "One title for a folder"],
        &["page", "a.pdf", "1", "-o", "-"],
    ] {
        let (code, message) = desk.error(2, command);
        assert_eq!(code, "invalid_argument", "{command:?}");
        assert!(!message.is_empty());
    }
    assert!(!desk.library().exists());
    assert_eq!(desk.run(["nonsense"]).status.code(), Some(2));
    assert_eq!(
        desk.run(["ask", "x", "--stream"]).status.code(),
        Some(2),
        "--stream goes with --json"
    );
}

#[test]
fn a_person_gets_a_sentence_and_the_code_on_request() {
    let desk = Desk::new();
    let output = desk.run(["show", "0190a1b2"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.is_empty());
    let sentence = errors_of(&output);
    assert!(
        sentence.starts_with("recto: ") && !sentence.contains("not_found"),
        "{sentence}"
    );
    let verbose = errors_of(&desk.run(["-v", "show", "0190a1b2"]));
    assert!(verbose.contains("[not_found]"), "{verbose}");
}

#[test]
fn read_only_forbids_changes() {
    let desk = Desk::new();
    let file = desk.pdf("harbour.pdf", &HARBOUR);
    desk.add(&file);
    let path = file.to_string_lossy();
    for command in [
        &["add", &path][..],
        &["delete", "0190a1b2"],
        &["collections", "create", "X"],
        &["queue", "pause"],
    ] {
        assert_eq!(
            desk.error(1, &[&["--read-only"], command].concat()).0,
            "read_only",
            "{command:?}"
        );
    }
    let answer = desk.json(&["--read-only", "ask", "How many pilots were employed?"]);
    assert_eq!(answer["answer_id"], serde_json::Value::Null, "nothing is kept");
    assert_eq!(answer["status"], "answered");
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let desk = Desk::new();
    let file = desk.path("long.txt");
    let long: String = (0..40_000)
        .map(|line| format!("line {line} of a text that fills the pipe\n\n"))
        .collect();
    std::fs::write(&file, long).expect("written");
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("recto"))
        .args(["convert", "--to", "text"])
        .arg(&file)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("starts");
    let mut first = [0; 16];
    let mut stdout = child.stdout.take().expect("is piped");
    stdout.read_exact(&mut first).expect("there is text");
    drop(stdout);
    let output = child.wait_with_output().expect("ends");
    assert_eq!(errors_of(&output), "", "it is quiet");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn the_library_is_one_engines_at_a_time() {
    let desk = Desk::new();
    desk.add(&desk.pdf("harbour.pdf", &HARBOUR));
    let lock = std::fs::File::options()
        .write(true)
        .open(desk.library().join("lock"))
        .expect("the lock's file");
    lock.lock().expect("is free");
    let file = desk
        .pdf("other.pdf", &[&["Other words."]])
        .to_string_lossy()
        .into_owned();
    let (code, _) = desk.error(1, &["add", &file]);
    assert_eq!(code, "library_in_use");
    assert_eq!(
        desk.json(&["list"])["documents"].as_array().map(Vec::len),
        Some(1),
        "reading goes on"
    );
    let answer = desk.json(&["ask", "How many pilots were employed?"]);
    assert_eq!(
        answer["answer_id"],
        serde_json::Value::Null,
        "an answer is given, but not kept"
    );
}
