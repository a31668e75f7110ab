//! Diagnostics help to find a fault and tell nothing of what a person wrote or read.

use crate::support::Desk;
use recto_engine::contract::Strategy;
use recto_engine::{AddRequest, DiagnosticFile};

const SENTINELS: [&str; 5] = [
    "Quixotrovalent",
    "Zanzibarine",
    "Merger papers",
    "wembleforth",
    "Uxbridge-plan",
];

#[tokio::test(flavor = "multi_thread")]
async fn nothing_a_person_wrote_or_read_is_in_the_diagnostics() {
    let desk = Desk::new().await;
    let path = desk.file(
        "Uxbridge-plan.txt",
        "The Quixotrovalent bridge carries nine trams a day.",
    );
    let broken = desk.file("wembleforth.pdf", "%PDF-1.7 and nothing more");
    let request = AddRequest {
        collection: "Merger papers".into(),
        paths: vec![path, broken],
        ..AddRequest::default()
    };
    let ticket = desk.engine.enqueue(request).await.expect("queued");
    desk.engine.wait(&ticket, &mut |_| {}).await.expect("ended");
    desk.ask("What is Zanzibarine about the bridge?", Strategy::Quotes)
        .await;
    let log = DiagnosticFile {
        name: "recto.log".to_owned(),
        content: format!("a failure in Merger papers below {}", desk.library().display()),
    };

    let files = desk.engine.diagnostics(vec![log]).await.expect("made");
    let names: Vec<_> = files.iter().map(|file| file.name.as_str()).collect();
    assert_eq!(names, ["versions.json", "doctor.json", "library.json", "recto.log"]);
    for file in &files {
        for sentinel in SENTINELS {
            assert!(
                !file.content.to_lowercase().contains(&sentinel.to_lowercase()),
                "{sentinel} is in {}:\n{}",
                file.name,
                file.content
            );
        }
        let library = desk.library();
        assert!(
            !file.content.contains(&*library.to_string_lossy()),
            "the place of the library is in {}",
            file.name
        );
    }
    let of = |name: &str| {
        let file = files.iter().find(|file| file.name == name).expect("there");
        file.content.clone()
    };
    let library: serde_json::Value = serde_json::from_str(&of("library.json")).expect("JSON");
    assert_eq!(library["documents_by_type"]["text/plain"], 1);
    assert_eq!(library["failures_by_code"]["damaged"], 1);
    assert_eq!(library["conversations"], 1);
    assert!(of("doctor.json").contains("collection <collection 1>"));
    assert_eq!(of("recto.log"), "a failure in <collection 1> below <library>");
    let versions: serde_json::Value = serde_json::from_str(&of("versions.json")).expect("JSON");
    assert_eq!(versions["recto"], env!("CARGO_PKG_VERSION"));
    desk.engine.shutdown().await;
}
