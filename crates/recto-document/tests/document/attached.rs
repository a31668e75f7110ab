//! Files inside files, in process and through a worker.

use crate::fixture;
use recto_document::open::{self, Options};
use recto_worker::{DetachRequest, WorkerPool, WorkerPoolOptions};
use std::path::PathBuf;
use tokio_util::sync::CancellationToken;

const MESSAGE: &str = "From: a@example.com\r\nSubject: Files\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n\
    --x\r\nContent-Type: text/plain\r\n\r\nHello.\r\n--x\r\nContent-Type: application/octet-stream\r\n\
    Content-Transfer-Encoding: base64\r\nContent-Disposition: attachment; filename=\"/etc/passwd\"\r\n\r\nAAEC\r\n--x--\r\n";

/// A PDF with one page and two files inside, both of the same name.
fn pdf_with_files() -> Vec<u8> {
    let file = |number: u32| format!("<</Type/Filespec/F(notes.txt)/UF(notes.txt)/EF<</F {number} 0 R>>>>");
    let stream = |text: &str| {
        format!(
            "<</Type/EmbeddedFile/Length {}>>\nstream\n{text}\nendstream",
            text.len()
        )
    };
    let objects = [
        "<</Type/Catalog/Pages 2 0 R/Names<</EmbeddedFiles<</Names[(a) 4 0 R (b) 5 0 R]>>>>>>".to_owned(),
        "<</Type/Pages/Kids[3 0 R]/Count 1>>".to_owned(),
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]>>".to_owned(),
        file(6),
        file(7),
        stream("first"),
        stream("second one"),
    ];
    let mut out = b"%PDF-1.7\n".to_vec();
    let mut offsets = Vec::new();
    for (index, object) in objects.iter().enumerate() {
        offsets.push(out.len());
        out.extend(format!("{} 0 obj\n{object}\nendobj\n", index + 1).into_bytes());
    }
    let xref = out.len();
    out.extend(format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1).into_bytes());
    for offset in offsets {
        out.extend(format!("{offset:010} 00000 n \n").into_bytes());
    }
    out.extend(
        format!(
            "trailer<</Size {}/Root 1 0 R>>\nstartxref\n{xref}\n%%EOF\n",
            objects.len() + 1
        )
        .into_bytes(),
    );
    out
}

#[test]
fn files_inside_a_pdf_are_listed_by_names_that_differ_and_can_be_had() {
    let bytes = pdf_with_files();
    let document = crate::read(&bytes);
    let names: Vec<(&str, u64)> = document
        .info
        .attachments
        .iter()
        .map(|file| (file.name.as_str(), file.bytes))
        .collect();
    assert_eq!(names, [("notes.txt", 5), ("notes-2.txt", 10)]);
    let files = open::attachments(&bytes, &Options::default()).expect("lists");
    assert_eq!(files[1].1, b"second one");
    let plain = fixture::pdf(&[fixture::FixturePage::letter("")]);
    assert!(
        open::attachments(&plain, &Options::default())
            .expect("lists")
            .is_empty()
    );
}

#[test]
fn files_inside_that_are_too_large_together_are_refused() {
    let mut options = Options::default();
    options.limits.max_unpacked_bytes = 12;
    let error = open::attachments(&pdf_with_files(), &options).expect_err("is refused");
    assert!(error.to_string().contains("the limit is 12"), "{error}");
}

#[tokio::test]
async fn a_worker_writes_files_inside_by_number_whatever_they_are_called() {
    let folder = tempfile::tempdir().expect("makes a folder");
    let path = folder.path().join("message");
    std::fs::write(&path, MESSAGE).expect("writes");
    let inside = folder.path().join("inside");
    std::fs::create_dir(&inside).expect("makes a folder");
    let pool = WorkerPool::new(WorkerPoolOptions::new(PathBuf::from(env!(
        "CARGO_BIN_EXE_recto-worker"
    ))));
    let request = DetachRequest {
        path,
        file_name: "message.eml".into(),
        folder: inside.clone(),
        ..DetachRequest::default()
    };
    let files = pool.detach(request, &CancellationToken::new()).await.expect("detaches");
    assert_eq!((files[0].name.as_str(), files[0].bytes), ("passwd", 3));
    assert_eq!(std::fs::read(inside.join("0")).expect("is there"), [0, 1, 2]);
    let written = std::fs::read_dir(&inside).expect("lists").count();
    assert_eq!(written, 1);
}
