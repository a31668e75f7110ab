//! Files inside files.

use crate::support::{Desk, harbour_report};
use base64_of::base64;
use recto_engine::contract::SearchMode;

mod base64_of {
    /// Bytes as a mail carries them.
    pub(super) fn base64(bytes: &[u8]) -> String {
        const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let mut out = String::new();
        for (index, three) in bytes.chunks(3).enumerate() {
            if index > 0 && index % 19 == 0 {
                out.push_str("\r\n");
            }
            let number = three.iter().fold(0u32, |sum, byte| sum << 8 | u32::from(*byte)) << (8 * (3 - three.len()));
            for place in 0..4 {
                let digit = DIGITS[(number >> (18 - 6 * place) & 63) as usize];
                out.push(if place > three.len() { '=' } else { char::from(digit) });
            }
        }
        out
    }
}

fn letter(attachments: &[(&str, &str, &[u8])]) -> String {
    let mut letter = String::from(
        "From: Ada <ada@example.org>\r\nTo: Ben <ben@example.org>\r\nSubject: The report\r\n\
         Date: Mon, 2 Mar 2026 10:00:00 +0000\r\nMIME-Version: 1.0\r\n\
         Content-Type: multipart/mixed; boundary=\"part\"\r\n\r\n\
         --part\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nPlease read the harbour report.\r\n",
    );
    for (name, media_type, bytes) in attachments {
        letter.push_str(&format!(
            "--part\r\nContent-Type: {media_type}; name=\"{name}\"\r\nContent-Transfer-Encoding: base64\r\n\
             Content-Disposition: attachment; filename=\"{name}\"\r\n\r\n{}\r\n",
            base64(bytes)
        ));
    }
    letter + "--part--\r\n"
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_attached_to_a_letter_is_a_document_of_its_own() {
    let desk = Desk::new().await;
    let report = std::fs::read(harbour_report()).expect("read");
    let inner = letter(&[("note.txt", "text/plain", b"The inner note mentions cormorants.")]);
    let path = desk.file(
        "letter.eml",
        letter(&[
            ("report.pdf", "application/pdf", &report),
            ("forwarded.eml", "application/octet-stream", inner.as_bytes()),
        ]),
    );
    let report = desk.add(std::slice::from_ref(&path)).await;
    assert_eq!(report.failed, [], "all is read");
    let uri = path.to_string_lossy().into_owned();
    let mut uris: Vec<&str> = report.added.iter().map(|added| added.uri.as_str()).collect();
    uris.sort_unstable();
    assert_eq!(
        uris,
        [
            uri.clone(),
            format!("{uri}#attachment=forwarded.eml"),
            format!("{uri}#attachment=forwarded.eml#attachment=note.txt"),
            format!("{uri}#attachment=report.pdf"),
        ],
        "and waited for"
    );
    let found = desk.search("cormorants", SearchMode::Fts).await;
    assert_eq!(
        found.results[0].uri,
        format!("{uri}#attachment=forwarded.eml#attachment=note.txt")
    );
    let found = desk.search("highest tide Eskmouth", SearchMode::Fts).await;
    assert!(
        found
            .results
            .iter()
            .any(|result| result.uri.ends_with("#attachment=report.pdf")),
        "its pages are found: {found:?}"
    );
    // The same letter again: nothing is new.
    let again = desk.add(&[path]).await;
    assert_eq!((again.added.len(), again.failed.len()), (0, 0), "{again:?}");
    desk.engine.shutdown().await;
}
