//! File names that other programs stumble over (T66), and one name for two files (T67).

use crate::support::{Desk, rows, text_of};
use std::collections::BTreeSet;
use std::path::Path;

#[test]
fn t66_any_file_name_is_added_shown_as_it_is_and_found() {
    let desk = Desk::new();
    let long = format!("{}.pdf", "ä".repeat(125));
    let names = [
        "報告 (最終)_Ⅲ.pdf",
        "🙂 family 👩‍👩‍👧.pdf",
        "trailing space .pdf",
        " leading space.pdf",
        "nfc é.pdf",
        "nfd e\u{301}.pdf",
        "--json.pdf",
        "quote ' and \" and %20.pdf",
        long.as_str(),
    ];
    for (number, name) in names.iter().enumerate() {
        desk.pdf(
            &format!("in/{name}"),
            &[&[&format!("Sentinel word zebra{number}quartz stands here.")]],
        );
    }
    let report = desk.add(&desk.path("in"));
    assert_eq!(rows(&report["added"]).len(), names.len(), "{report}");

    let list = desk.json(&["list"]);
    let listed: BTreeSet<String> = rows(&list["documents"])
        .iter()
        .map(|row| file_name(&text_of(&row["uri"])))
        .collect();
    let expected: BTreeSet<String> = names.iter().map(|&name| name.to_owned()).collect();
    assert_eq!(listed, expected, "names are kept to the letter");

    for (number, name) in names.iter().enumerate() {
        let found = desk.json(&["search", "--mode", "fts", &format!("zebra{number}quartz")]);
        let hit = &rows(&found["results"])[0];
        assert_eq!(&file_name(&text_of(&hit["uri"])), name);
    }
}

#[cfg(unix)]
#[test]
fn t66_control_characters_in_a_name_do_not_reach_the_terminal() {
    let desk = Desk::new();
    let name = "a\u{1b}]0;owned\u{7}b\u{1b}[31mc\u{202e}d\ne.pdf";
    desk.add(&desk.pdf(name, &[&["Sentinel word quartzite stands here."]]));
    for command in [
        &["list"][..],
        &["search", "quartzite"],
        &["ask", "Where does quartzite stand?"],
    ] {
        let text = desk.text(command);
        assert!(
            !text.chars().any(|c| c != '\n' && (c.is_control() || c == '\u{202e}')),
            "{command:?}: {text:?}"
        );
        let json = desk.text(&[&["--json"], command].concat());
        assert!(
            !json.trim_end().chars().any(|c| c.is_control() || c == '\u{202e}'),
            "{command:?}: {json:?}"
        );
    }
    let list = desk.json(&["list"]);
    assert_eq!(
        file_name(&text_of(&list["documents"][0]["uri"])),
        name,
        "JSON says the true name"
    );
}

#[test]
fn t67_two_files_of_one_name_are_two_documents() {
    let desk = Desk::new();
    desk.pdf("one/report.pdf", &[&["The mill ground rye in the year of the flood."]]);
    desk.pdf("two/report.pdf", &[&["The ferry sank beside the island of Hest."]]);
    let report = desk.add(&desk.path("."));
    let added = rows(&report["added"]);
    assert_eq!(added.len(), 2, "{report}");
    assert_ne!(added[0]["document_id"], added[1]["document_id"]);
    for (words, folder) in [("mill ground rye", "one"), ("ferry sank", "two")] {
        let found = desk.json(&["search", "--mode", "fts", words]);
        let uri = text_of(&found["results"][0]["uri"]);
        assert!(
            Path::new(&uri).ends_with(format!("{folder}/report.pdf")),
            "{words}: {uri}"
        );
    }
}

fn file_name(uri: &str) -> String {
    Path::new(uri)
        .file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default()
}
