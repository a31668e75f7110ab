//! The `page://` scheme, as the reader's images use it.

use crate::harness::{Shell, harbour_report};
use recto_desktop_lib::page_protocol::respond;
use recto_engine::contract::PagePicture;
use serde_json::json;
use tauri::http::Response;

#[test]
fn a_page_is_served_as_an_image_of_the_width_asked_for() {
    let shell = Shell::new();
    let paths = json!({ "collection": "Häfen & Co/1", "paths": [harbour_report()] });
    let _: u32 = shell.call("add_paths", paths).expect("the file is taken");
    let document = shell.ready_document();
    let base = format!(
        "page://localhost/H%C3%A4fen%20%26%20Co%2F1/{}/{}",
        document.document_id.expect("a committed document"),
        document.sha256.expect("a hash")
    );
    let get = |rest: &str| tauri::async_runtime::block_on(respond(&shell.state(), &format!("{base}/{rest}")));

    let whole = get("4?w=306");
    assert_eq!(whole.status(), 200);
    assert_eq!(header(&whole, "content-type"), "image/png");
    assert!(header(&whole, "cache-control").contains("immutable"));
    assert_eq!(size(&whole), (306, 396));

    // The title of page 1 stands in this part; above it is nothing but paper, which takes next to no room.
    let part = get("1?w=612&crop=72,72,472,172");
    assert_eq!(size(&part), (400, 100));
    let paper = get("1?w=612&crop=72,4,472,34");
    assert_eq!(size(&paper), (400, 30));
    let (inked, blank) = (part.body().len(), paper.body().len());
    assert!(
        inked > 4 * blank,
        "there is ink in the part: {inked} bytes beside {blank}"
    );

    let beyond = get("7?w=306");
    assert_eq!(beyond.status(), 404);
    assert_eq!(header(&beyond, "cache-control"), "no-store");
    assert!(beyond.body().len() < 300, "an error is a short text");
}

#[test]
fn what_the_library_does_not_hold_is_not_found() {
    let shell = Shell::new();
    let hash = "0".repeat(64);
    for address in [
        format!("page://localhost/nowhere/none/{hash}/1"),
        "page://localhost/..%2F..%2Fetc/passwd/x/1".to_owned(),
        "page://localhost/".to_owned(),
    ] {
        let response = tauri::async_runtime::block_on(respond(&shell.state(), &address));
        assert_eq!(response.status(), 404, "{address}");
    }
}

/// For exports: the part of a page that a reader would be shown, with the words marked.
#[test]
fn a_part_of_a_page_is_drawn_with_its_boxes() {
    let shell = Shell::new();
    let paths = json!({ "collection": "Harbours", "paths": [harbour_report()] });
    let _: u32 = shell.call("add_paths", paths).expect("the file is taken");
    let document = shell.ready_document();
    let picture = |highlights: serde_json::Value| -> PagePicture {
        let request = json!({
            "collection": "Harbours",
            "document_id": document.document_id,
            "sha256": document.sha256,
            "width_px": 612,
            "crop": { "page": 1, "left": 72.0, "top": 72.0, "right": 472.0, "bottom": 172.0 },
            "highlights": highlights,
        });
        shell
            .call("page_picture", json!({ "request": request }))
            .expect("drawn")
    };
    let box_on = |page: u32| json!([{ "page": page, "left": 80.0, "top": 80.0, "right": 200.0, "bottom": 100.0, "kind": "quote" }]);
    let (plain, marked, elsewhere) = (picture(json!([])), picture(box_on(1)), picture(box_on(2)));
    assert_eq!(
        (plain.media_type.as_str(), plain.width, plain.height),
        ("image/png", 400, 100)
    );
    assert_ne!(marked.base64, plain.base64, "the box is drawn");
    assert_eq!(elsewhere.base64, plain.base64, "a box of another page is not");
}

fn header<'a>(response: &'a Response<Vec<u8>>, name: &str) -> &'a str {
    response.headers()[name].to_str().expect("text")
}

/// Width and height of a PNG, from its header.
fn size(response: &Response<Vec<u8>>) -> (u32, u32) {
    let body = response.body();
    assert_eq!(
        &body[..8],
        b"\x89PNG\r\n\x1a\n",
        "{:?}",
        String::from_utf8_lossy(&body[..body.len().min(200)])
    );
    let number = |at: usize| u32::from_be_bytes([body[at], body[at + 1], body[at + 2], body[at + 3]]);
    (number(16), number(20))
}
