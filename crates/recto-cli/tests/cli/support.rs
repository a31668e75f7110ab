//! A library in a folder of its own, the binary to run on it, and small PDFs to feed it.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Output;
use tempfile::TempDir;

/// Variables that say where the program's own parts are; all other `RECTO_` ones would change what is tested.
const KEPT: [&str; 2] = ["RECTO_WORKER", "RECTO_ASSETS"];

/// A folder for documents, with a library beside them that does not exist yet.
pub(crate) struct Desk {
    folder: TempDir,
}

impl Desk {
    pub(crate) fn new() -> Self {
        Self {
            folder: tempfile::tempdir().expect("a folder"),
        }
    }

    /// A place for documents.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        let path = self.folder.path().join("files").join(name);
        std::fs::create_dir_all(path.parent().expect("has a parent")).expect("the folder is made");
        path
    }

    pub(crate) fn library(&self) -> PathBuf {
        self.folder.path().join("library")
    }

    /// Writes a PDF with these pages of lines.
    pub(crate) fn pdf(&self, name: &str, pages: &[&[&str]]) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, pdf(pages)).expect("written");
        path
    }

    /// The command, on this desk's library and from its files' folder.
    pub(crate) fn command(&self) -> assert_cmd::Command {
        let mut command = assert_cmd::cargo::cargo_bin_cmd!("recto");
        for (name, _) in std::env::vars_os() {
            let name = name.to_string_lossy();
            if name.starts_with("RECTO_") && !KEPT.contains(&name.as_ref()) {
                command.env_remove(name.as_ref());
            }
        }
        command
            .env("RECTO_LIBRARY", self.library())
            .current_dir(self.folder.path());
        command.timeout(std::time::Duration::from_secs(120));
        command
    }

    pub(crate) fn run<I: AsRef<std::ffi::OsStr>>(&self, arguments: impl IntoIterator<Item = I>) -> Output {
        self.command().args(arguments).output().expect("runs")
    }

    /// Runs a command that succeeds, and returns what it prints.
    pub(crate) fn text(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        // With `--strict`, what went wrong with a file is in the report.
        let printed = String::from_utf8_lossy(&output.stdout);
        assert_eq!(
            output.status.code(),
            Some(0),
            "{arguments:?}: {}{printed}",
            errors_of(&output)
        );
        String::from_utf8(output.stdout).expect("prints UTF-8")
    }

    /// Runs a command with `--json` that succeeds, and returns the one object it prints.
    pub(crate) fn json(&self, arguments: &[&str]) -> Value {
        let text = self.text(&[&["--json"], arguments].concat());
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{arguments:?} prints JSON, not {text}: {error}"))
    }

    /// Adds a file or folder; every one of its files becomes ready.
    pub(crate) fn add(&self, path: &Path) -> Value {
        let report = self.json(&["add", "--strict", &path.to_string_lossy()]);
        assert_eq!(report["failed"], serde_json::json!([]), "{report}");
        report
    }

    /// Runs a command with `--json` that fails with this status, and returns the error's code and message.
    pub(crate) fn error(&self, status: i32, arguments: &[&str]) -> (String, String) {
        let output = self.run([&["--json"], arguments].concat());
        assert_eq!(
            output.status.code(),
            Some(status),
            "{arguments:?}: {}",
            errors_of(&output)
        );
        assert!(output.stdout.is_empty(), "an error leaves standard output empty");
        let error: Value = serde_json::from_slice(&output.stderr)
            .unwrap_or_else(|_| panic!("{arguments:?} reports JSON, not {}", errors_of(&output)));
        has_keys(&error, &["error"]);
        has_keys(&error["error"], &["code", "message", "retryable"]);
        (text_of(&error["error"]["code"]), text_of(&error["error"]["message"]))
    }
}

pub(crate) fn errors_of(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

pub(crate) fn text_of(value: &Value) -> String {
    value
        .as_str()
        .unwrap_or_else(|| panic!("{value} is a string"))
        .to_owned()
}

pub(crate) fn rows(value: &Value) -> &Vec<Value> {
    value.as_array().unwrap_or_else(|| panic!("{value} is an array"))
}

/// Every one of `keys` is there; more may be.
pub(crate) fn has_keys(value: &Value, keys: &[&str]) {
    let object = value.as_object().unwrap_or_else(|| panic!("{value} is an object"));
    for key in keys {
        assert!(object.contains_key(*key), "“{key}” is missing in {value}");
    }
}

/// The width and height a PNG file states.
pub(crate) fn png_size(bytes: &[u8]) -> (u32, u32) {
    assert!(bytes.starts_with(b"\x89PNG\r\n\x1a\n"), "it is a PNG");
    assert_eq!(&bytes[12..16], b"IHDR");
    let number = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
    (number(16), number(20))
}

/// A PDF of US letter pages, each with these lines in 12-point Helvetica from the top left.
pub(crate) fn pdf(pages: &[&[&str]]) -> Vec<u8> {
    let kids: Vec<String> = (0..pages.len()).map(|page| format!("{} 0 R", 4 + 2 * page)).collect();
    let mut objects = vec![
        "<</Type/Catalog/Pages 2 0 R>>".to_owned(),
        format!("<</Type/Pages/Count {}/Kids[{}]>>", pages.len(), kids.join(" ")),
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>".to_owned(),
    ];
    for (page, lines) in pages.iter().enumerate() {
        let mut content = "BT /F1 12 Tf 16 TL 72 720 Td".to_owned();
        for line in *lines {
            let escaped = line.replace('\\', r"\\").replace('(', r"\(").replace(')', r"\)");
            content.push_str(&format!(" ({escaped}) Tj T*"));
        }
        content.push_str(" ET");
        objects.push(format!(
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F1 3 0 R>>>>/Contents {} 0 R>>",
            5 + 2 * page
        ));
        objects.push(format!("<</Length {}>>\nstream\n{content}\nendstream", content.len()));
    }
    let mut file = b"%PDF-1.7\n".to_vec();
    let mut offsets = Vec::new();
    for (at, object) in objects.iter().enumerate() {
        offsets.push(file.len());
        file.extend_from_slice(format!("{} 0 obj\n{object}\nendobj\n", at + 1).as_bytes());
    }
    let table = file.len();
    file.extend_from_slice(format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1).as_bytes());
    for offset in offsets {
        file.extend_from_slice(format!("{offset:010} 00000 n \n").as_bytes());
    }
    let trailer = format!(
        "trailer\n<</Size {}/Root 1 0 R>>\nstartxref\n{table}\n%%EOF\n",
        objects.len() + 1
    );
    file.extend_from_slice(trailer.as_bytes());
    file
}

/// Two pages about a harbour, whose sentences nothing else in a test says.
pub(crate) const HARBOUR: [&[&str]; 2] = [
    &[
        "Harbour report",
        "",
        "The harbour of Lindisvik handled 4,812 containers in the spring quarter.",
        "Most of them carried timber and dried fish.",
    ],
    &[
        "Staff and safety",
        "",
        "The pilot station employed twenty-three pilots at the end of the year.",
        "No accident was recorded on the northern quay.",
    ],
];
