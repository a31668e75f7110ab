//! Page images for the reader: `page://localhost/{collection}/{document id}/{sha256}/{page}?w={pixels}`, with
//! `&crop=left,top,right,bottom` in points of the displayed page for a part of it. The width is that of the whole page
//! also when only a part is asked for.
//!
//! The address names the bytes by their hash, so an image never changes and may be kept. It names no file: only what
//! the library holds can be fetched. Images are PNG, quickly compressed: handing a page to the web view uncompressed was
//! seen to take several times as long, and five times as many pages fit into what is kept.

use crate::state::AppState;
use recto_core::{Error, ErrorCode, Rect};
use recto_engine::contract::ApiError;
use recto_engine::{ImageFormat, PageImageRequest};
use std::time::Instant;
use tauri::Url;
use tauri::http::{Response, StatusCode, header};

/// An image is made at most this wide; a page at this width takes some 50 MB.
pub const MAX_WIDTH_PX: u32 = 3200;
const DEFAULT_WIDTH_PX: u32 = 1200;

/// Answers a request of the page in the window: the image, or a status with a short text.
pub async fn respond(state: &AppState, address: &str) -> Response<Vec<u8>> {
    match image(state, address).await {
        Ok((bytes, media_type)) => response(
            StatusCode::OK,
            media_type,
            "private, max-age=31536000, immutable",
            bytes,
        ),
        Err(error) => {
            let status = match error.code.as_str() {
                "not_found" | "invalid_argument" => StatusCode::NOT_FOUND,
                _ => StatusCode::INTERNAL_SERVER_ERROR,
            };
            tracing::warn!(code = %error.code, "no page image");
            response(
                status,
                "text/plain; charset=utf-8",
                "no-store",
                error.message.into_bytes(),
            )
        }
    }
}

async fn image(state: &AppState, address: &str) -> Result<(Vec<u8>, &'static str), ApiError> {
    let started = Instant::now();
    let request = parse(address)?;
    let page = request.page;
    let image = state.engine().await?.page_image(request).await?;
    let elapsed_ms = started.elapsed().as_millis();
    tracing::info!(
        page,
        width = image.width,
        bytes = image.bytes.len(),
        elapsed_ms,
        "page image"
    );
    Ok((image.bytes.clone(), image.media_type))
}

fn response(status: StatusCode, media_type: &str, keep: &str, body: Vec<u8>) -> Response<Vec<u8>> {
    Response::builder()
        .status(status)
        .header(header::CONTENT_TYPE, media_type)
        .header(header::CACHE_CONTROL, keep)
        .header(header::X_CONTENT_TYPE_OPTIONS, "nosniff")
        .body(body)
        .expect("BUG: the headers are fixed and valid")
}

/// Reads an address. Everything in it comes from the page in the window, so nothing is taken on trust.
fn parse(address: &str) -> Result<PageImageRequest, Error> {
    let url = Url::parse(address).map_err(|_| malformed("it is no address"))?;
    let mut segments = url.path_segments().into_iter().flatten().map(decode);
    let mut next = |what: &str| {
        let segment = segments.next().flatten().filter(|segment| !segment.is_empty());
        segment.ok_or_else(|| malformed(what))
    };
    let collection = next("the collection is missing")?;
    let document_id = next("the document is missing")?;
    let sha256 = next("the hash is missing")?;
    if sha256.len() != 64 || !sha256.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Err(malformed("the hash is none"));
    }
    let page = next("the page is missing")?.parse().ok().filter(|page| *page > 0);
    let page = page.ok_or_else(|| malformed("the page is no number"))?;
    if segments.next().is_some() {
        return Err(malformed("it goes on after the page"));
    }

    let mut width_px = DEFAULT_WIDTH_PX;
    let mut crop = None;
    for (name, value) in url.query_pairs() {
        match name.as_ref() {
            "w" => width_px = value.parse().map_err(|_| malformed("the width is no number"))?,
            "crop" => crop = Some(rectangle(&value)?),
            _ => {}
        }
    }
    Ok(PageImageRequest {
        collection,
        document_id,
        sha256: Some(sha256),
        page,
        width_px: width_px.clamp(1, MAX_WIDTH_PX),
        crop,
        highlights: Vec::new(),
        format: ImageFormat::Png,
    })
}

fn rectangle(value: &str) -> Result<Rect, Error> {
    let numbers: Vec<f32> = value.split(',').map_while(|number| number.parse().ok()).collect();
    match numbers[..] {
        [left, top, right, bottom] if numbers.iter().all(|n| n.is_finite()) && left < right && top < bottom => {
            Ok(Rect {
                left,
                top,
                right,
                bottom,
            })
        }
        _ => Err(malformed("the crop is no rectangle")),
    }
}

fn decode(segment: &str) -> Option<String> {
    let decoded = percent_encoding::percent_decode_str(segment).decode_utf8().ok()?;
    Some(decoded.into_owned())
}

fn malformed(why: &str) -> Error {
    Error::new(
        ErrorCode::InvalidArgument,
        format!("This address names no page: {why}."),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const HASH: &str = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789ABCDEF";

    #[test]
    fn an_address_is_read_as_it_is_written() {
        let address = format!("page://localhost/Q3%20filings%2FUS%20%C3%A9/doc-1/{HASH}/12?w=900&crop=1,2.5,30,40");
        let request = parse(&address).expect("an address");
        assert_eq!(request.collection, "Q3 filings/US é");
        assert_eq!(request.document_id, "doc-1");
        assert_eq!(request.sha256.as_deref(), Some(HASH));
        assert_eq!((request.page, request.width_px), (12, 900));
        let crop = request.crop.expect("a crop");
        assert_eq!([crop.left, crop.top, crop.right, crop.bottom], [1.0, 2.5, 30.0, 40.0]);
    }

    #[test]
    fn the_host_form_of_other_platforms_is_read_too() {
        let request = parse(&format!("http://page.localhost/a/b/{HASH}/1")).expect("an address");
        assert_eq!(request.width_px, DEFAULT_WIDTH_PX);
    }

    #[test]
    fn no_image_is_wider_than_the_cap() {
        let request = parse(&format!("page://localhost/a/b/{HASH}/1?w=4000000000")).expect("an address");
        assert_eq!(request.width_px, MAX_WIDTH_PX);
    }

    #[test]
    fn what_names_no_page_is_refused() {
        let hash = HASH;
        for bad in [
            "page://localhost/".to_owned(),
            format!("page://localhost/a/b/{hash}"),
            format!("page://localhost/a/b/{hash}/0"),
            format!("page://localhost/a/b/{hash}/-1"),
            format!("page://localhost/a/b/{hash}/one"),
            format!("page://localhost/a/b/{hash}/1/2"),
            format!("page://localhost/a//{hash}/1"),
            format!("page://localhost/%ff/b/{hash}/1"),
            "page://localhost/a/b/..%2F..%2Fetc%2Fpasswd/1".to_owned(),
            format!("page://localhost/a/b/{hash}/1?w=wide"),
            format!("page://localhost/a/b/{hash}/1?crop=1,2,3"),
            format!("page://localhost/a/b/{hash}/1?crop=1,2,NaN,4"),
            format!("page://localhost/a/b/{hash}/1?crop=30,2,1,4"),
        ] {
            assert!(parse(&bad).is_err(), "{bad} must be refused");
        }
    }
}
