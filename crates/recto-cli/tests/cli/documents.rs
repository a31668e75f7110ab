//! Adding, listing, searching, deleting.

use crate::support::{Desk, HARBOUR, has_keys, rows, text_of};
use serde_json::json;
use std::collections::BTreeMap;
use std::path::Path;

#[test]
fn a_document_is_added_listed_found_and_deleted_for_good() {
    let desk = Desk::new();
    let file = desk.pdf("harbour.pdf", &HARBOUR);

    let report = desk.add(&file);
    has_keys(&report, &["added", "unchanged", "failed", "elapsed_ms"]);
    let added = &rows(&report["added"])[0];
    has_keys(added, &["document_id", "uri", "title", "page_count", "state"]);
    assert_eq!(added["page_count"], 2);
    assert_eq!(added["state"], "ready");
    let id = text_of(&added["document_id"]);

    let list = desk.json(&["list"]);
    let listed = &rows(&list["documents"])[0];
    has_keys(
        listed,
        &[
            "collection",
            "document_id",
            "uri",
            "title",
            "media_type",
            "page_count",
            "state",
            "message",
            "locations",
            "sha256",
            "created_at",
            "updated_at",
        ],
    );
    assert_eq!(listed["collection"], "Library", "the first collection has a name");
    assert_eq!(listed["document_id"], json!(id));
    assert_eq!(listed["media_type"], "application/pdf");

    let shown = desk.json(&["show", &id[..id.len() - 4]]);
    assert_eq!(&shown, listed, "a document is found by the beginning of its id");

    let outline = desk.json(&["outline", &id]);
    has_keys(
        &outline,
        &["collection", "document_id", "title", "tokens", "sections", "text"],
    );
    let section = &rows(&outline["sections"])[0];
    has_keys(
        section,
        &[
            "number",
            "level",
            "title",
            "first_page",
            "last_page",
            "tokens",
            "summary",
            "figures",
            "ref",
        ],
    );
    let text = desk.json(&["section", &id, "1"]);
    assert_eq!(&text["section"], section);
    assert!(!text_of(&text["text"]).is_empty());

    let search = desk.json(&["search", "containers in the spring quarter"]);
    has_keys(&search, &["query", "mode", "unit_stats", "results", "coverage"]);
    assert_eq!(search["mode"], "hybrid");
    has_keys(
        &search["unit_stats"],
        &[
            "evidence",
            "neighbours",
            "runner_ups",
            "whole_documents",
            "returned",
            "cap",
        ],
    );
    has_keys(
        &search["coverage"],
        &[
            "documents_searched",
            "documents_with_matches",
            "documents_total",
            "not_searched",
            "chosen",
        ],
    );
    let result = &rows(&search["results"])[0];
    has_keys(
        result,
        &[
            "rank",
            "score",
            "confidence",
            "role",
            "neighbour_of",
            "locator",
            "spans",
            "collection",
            "document_id",
            "title",
            "uri",
            "chunk_id",
            "chunk_ids",
            "pages",
            "headings",
            "labels",
            "doc_item_refs",
            "text",
            "boxes",
        ],
    );
    assert_eq!(result["rank"], 1);
    assert!(text_of(&result["text"]).contains("4,812 containers"));
    has_keys(&rows(&result["pages"])[0], &["number", "label"]);
    assert_eq!(result["pages"][0]["number"], 1);
    has_keys(&rows(&result["boxes"])[0], &["page", "left", "top", "right", "bottom"]);

    let deleted = desk.json(&["delete", &id]);
    assert_eq!(deleted["deleted"][0]["document_id"], json!(id));
    assert_eq!(desk.json(&["list"])["documents"], json!([]));
    for mode in ["hybrid", "vector", "fts"] {
        let search = desk.json(&["search", "--mode", mode, "containers in the spring quarter"]);
        assert_eq!(search["results"], json!([]), "{mode}: what is deleted is found no more");
    }
    assert_eq!(desk.error(1, &["show", &id]).0, "not_found");
    assert!(file.exists(), "the person's own file stays");
}

#[test]
fn the_same_bytes_are_one_document() {
    let desk = Desk::new();
    let file = desk.pdf("harbour.pdf", &HARBOUR);
    let first = desk.add(&file);
    let again = desk.add(&file);
    assert_eq!(again["added"], json!([]));
    assert_eq!(
        again["unchanged"][0]["document_id"], first["added"][0]["document_id"],
        "adding twice changes nothing"
    );
    assert_eq!(rows(&desk.json(&["list"])["documents"]).len(), 1);
}

#[test]
fn a_folder_is_walked_past_files_that_fail() {
    let desk = Desk::new();
    desk.pdf("a/harbour.pdf", &HARBOUR);
    std::fs::write(desk.path("a/broken.pdf"), b"%PDF-1.7\nnothing that could be read").expect("written");
    std::fs::write(
        desk.path("a/b/notes.md"),
        "# Notes\n\nThe lighthouse keeper retired in Mossgrind.\n",
    )
    .expect("written");
    let folder = desk.path("a").to_string_lossy().into_owned();

    let report = desk.json(&["add", &folder]);
    assert_eq!(rows(&report["added"]).len(), 2, "{report}");
    let failed = &rows(&report["failed"])[0];
    has_keys(failed, &["uri", "state", "message"]);
    assert!(text_of(&failed["uri"]).ends_with("broken.pdf"));
    assert_eq!(failed["state"], "damaged");
    assert!(!text_of(&failed["message"]).is_empty(), "a failure has its reason");

    let strict = desk.run(["add", "--strict", &folder]);
    assert_eq!(strict.status.code(), Some(1), "--strict makes a failed file a failure");

    let list = desk.json(&["list"]);
    let states: BTreeMap<String, String> = rows(&list["documents"])
        .iter()
        .map(|row| {
            let uri = text_of(&row["uri"]);
            let name = Path::new(&uri)
                .file_name()
                .map(|name| name.to_string_lossy().into_owned());
            (name.unwrap_or_default(), text_of(&row["state"]))
        })
        .collect();
    assert_eq!(states.get("harbour.pdf").map(String::as_str), Some("ready"));
    assert_eq!(states.get("notes.md").map(String::as_str), Some("ready"));
    assert_eq!(
        states.get("broken.pdf").map(String::as_str),
        Some("damaged"),
        "what failed is listed as failed"
    );
    let found = desk.json(&["search", "lighthouse keeper"]);
    assert_eq!(
        found["results"][0]["locator"],
        json!({"kind": "heading", "path": ["Notes"]})
    );
}

#[test]
fn a_search_keeps_to_its_filters() {
    let desk = Desk::new();
    let harbour = text_of(&desk.add(&desk.pdf("one/harbour.pdf", &HARBOUR))["added"][0]["document_id"]);
    let notes = desk.path("two/notes.txt");
    std::fs::write(&notes, "The harbour master kept notes about containers.\n").expect("written");
    let notes = text_of(&desk.add(&notes)["added"][0]["document_id"]);
    let documents = |arguments: &[&str]| {
        let report = desk.json(&[&["search", "harbour containers"], arguments].concat());
        let mut ids: Vec<String> = rows(&report["results"])
            .iter()
            .map(|row| text_of(&row["document_id"]))
            .collect();
        ids.sort();
        ids.dedup();
        ids
    };
    assert_eq!(documents(&[]).len(), 2);
    assert_eq!(documents(&["--document", &harbour]), [harbour.as_str()]);
    assert_eq!(documents(&["--document", &notes, "--document", &harbour]).len(), 2);
    assert_eq!(documents(&["--type", "pdf"]), [harbour.as_str()]);
    let folder = desk.path("two").to_string_lossy().into_owned();
    assert_eq!(documents(&["--folder", &folder]), [notes.as_str()]);
    assert!(documents(&["--until", "2001-01-01"]).is_empty());
    assert_eq!(documents(&["--since", "2001-01-01"]).len(), 2);
    let one = desk.json(&["search", "harbour containers", "--limit", "1"]);
    assert_eq!(rows(&one["results"]).len(), 1);
}

#[test]
fn collections_are_created_renamed_removed_and_chosen() {
    let desk = Desk::new();
    let list = desk.json(&["collections", "create", "Papers"]);
    has_keys(&rows(&list["collections"])[0], &["name", "documents", "ready", "error"]);
    desk.json(&["collections", "create", "Filings"]);
    desk.json(&["collections", "rename", "Filings", "Reports"]);
    let file = desk.pdf("harbour.pdf", &HARBOUR).to_string_lossy().into_owned();
    desk.json(&["--collection", "Reports", "add", &file]);

    let list = desk.json(&["collections"]);
    let counts: BTreeMap<String, u64> = rows(&list["collections"])
        .iter()
        .map(|row| (text_of(&row["name"]), row["ready"].as_u64().unwrap_or_default()))
        .collect();
    assert_eq!(
        counts,
        BTreeMap::from([("Papers".to_owned(), 0), ("Reports".to_owned(), 1)])
    );
    assert_eq!(
        rows(&desk.json(&["--collection", "Papers", "search", "harbour"])["results"]).len(),
        0
    );
    assert_ne!(rows(&desk.json(&["search", "harbour"])["results"]).len(), 0);

    desk.json(&["collections", "remove", "Reports"]);
    assert_eq!(rows(&desk.json(&["collections"])["collections"]).len(), 1);
    assert_eq!(rows(&desk.json(&["search", "harbour"])["results"]).len(), 0);
}

#[test]
fn the_queue_is_empty_after_adding_and_the_library_is_in_order() {
    let desk = Desk::new();
    desk.add(&desk.pdf("harbour.pdf", &HARBOUR));
    let queue = desk.json(&["queue"]);
    has_keys(&queue, &["paused", "active", "finished", "jobs"]);
    assert_eq!(queue["active"], 0);
    assert_eq!(desk.json(&["queue", "pause"])["paused"], true);
    assert_eq!(desk.json(&["queue", "resume"])["paused"], false);
    let doctor = desk.json(&["doctor"]);
    assert_eq!(doctor["ok"], true, "{doctor}");
    has_keys(&rows(&doctor["checks"])[0], &["name", "ok", "detail", "remedy"]);
    let models = desk.json(&["models"]);
    has_keys(&models, &["chat_model", "remote_host", "embedding_model", "probe"]);
    assert_eq!(models["chat_model"], json!(null), "no model is needed");
}

#[test]
fn reading_makes_no_library_and_changes_none() {
    let desk = Desk::new();
    assert_eq!(desk.json(&["list"]), json!({"documents": []}));
    assert_eq!(desk.json(&["search", "harbour"])["results"], json!([]));
    assert_eq!(desk.json(&["collections"]), json!({"collections": []}));
    assert_eq!(desk.json(&["queue"])["jobs"], json!([]));
    assert_eq!(desk.error(1, &["ask", "What is in the harbour?"]).0, "not_found");
    assert_eq!(desk.error(1, &["show", "0190a1b2"]).0, "not_found");
    assert_eq!(desk.error(1, &["delete", "0190a1b2"]).0, "not_found");
    assert!(!desk.library().exists(), "reading makes no library");

    let id = text_of(&desk.add(&desk.pdf("harbour.pdf", &HARBOUR))["added"][0]["document_id"]);
    let before = contents(&desk.library());
    desk.json(&["list"]);
    desk.json(&["show", &id]);
    desk.json(&["search", "harbour"]);
    desk.json(&["locate", &id, "--quote", "twenty-three pilots"]);
    desk.json(&["collections"]);
    desk.json(&["queue"]);
    desk.json(&["models"]);
    desk.json(&["doctor"]);
    desk.json(&["--read-only", "ask", "How many pilots were employed?"]);
    assert!(contents(&desk.library()) == before, "a read command changes no byte");
}

/// Every file that matters, with its bytes: the database, the settings, collections and originals.
fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next).expect("can be listed") {
            let path = entry.expect("can be read").path();
            let name = path
                .strip_prefix(folder)
                .expect("lies inside")
                .to_string_lossy()
                .into_owned();
            let is_passing = name == "cache" || name == "lock" || name.ends_with("-wal") || name.ends_with("-shm");
            if path.is_dir() && !is_passing {
                folders.push(path);
            } else if !is_passing {
                files.insert(name, std::fs::read(path).expect("can be read"));
            }
        }
    }
    files
}
