//! The TypeScript bindings are generated from the commands and committed; here they are compared, or written.

use recto_desktop_lib::bindings;
use specta_typescript::Typescript;
use std::path::Path;

const BINDINGS: &str = "ui/src/ipc/bindings.ts";

/// With `RECTO_WRITE_BINDINGS=1`, as `cargo xtask bindings` sets it, the file is written instead.
#[test]
fn the_committed_bindings_are_those_of_the_commands() {
    let committed = Path::new(env!("CARGO_MANIFEST_DIR")).join(BINDINGS);
    let generated = generated();
    if std::env::var_os("RECTO_WRITE_BINDINGS").is_some_and(|value| value == "1") {
        std::fs::write(&committed, generated).expect("the bindings can be written");
        return;
    }
    let found = std::fs::read_to_string(&committed).unwrap_or_default();
    let first_difference = found
        .lines()
        .zip(generated.lines())
        .position(|(left, right)| left != right);
    assert!(
        found == generated,
        "{BINDINGS} is not what the commands declare (first different line: {}). Run: cargo xtask bindings",
        first_difference.map_or_else(|| "one file goes on".to_owned(), |line| (line + 1).to_string()),
    );
}

fn generated() -> String {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("bindings.ts");
    bindings::<tauri::Wry>()
        .export(Typescript::default(), &path)
        .expect("the commands can be written as TypeScript");
    std::fs::read_to_string(&path).expect("the bindings were written")
}
