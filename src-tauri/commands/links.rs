//! Addresses found in documents and answers.

use recto_core::{Error, ErrorCode};
use recto_engine::contract::ApiError;
use tauri::{AppHandle, Runtime, Url};
use tauri_plugin_opener::OpenerExt;

/// Opens a web or mail address in the person's own program. The page calls it after showing the address and being told
/// to go on.
///
/// # Errors
/// `invalid_argument` for anything but http, https and mailto; `internal` when no program opens it.
#[tauri::command]
#[specta::specta]
pub async fn open_link<R: Runtime>(app: AppHandle<R>, url: String) -> Result<(), ApiError> {
    let address = permitted(&url)?;
    let opened = app.opener().open_url(address, None::<&str>);
    Ok(opened.map_err(|_| Error::internal("No program on this computer opens this address."))?)
}

/// The address, where it is of a kind that may leave the window. Others start programs or read files.
fn permitted(url: &str) -> Result<Url, Error> {
    let refused = || Error::new(ErrorCode::InvalidArgument, "Only web and mail addresses are opened.");
    let address: Url = url.parse().map_err(|_| refused())?;
    match address.scheme() {
        "http" | "https" | "mailto" => Ok(address),
        _ => Err(refused()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_web_and_mail_addresses_leave_the_window() {
        for good in [
            "https://example.com/a?b#c",
            "http://example.com",
            "mailto:a@example.com",
        ] {
            assert!(permitted(good).is_ok(), "{good}");
        }
        for bad in [
            "file:///etc/hosts",
            "javascript:alert(1)",
            "vscode://x",
            "page://localhost/",
            "/bin/sh",
            "",
        ] {
            assert!(permitted(bad).is_err(), "{bad}");
        }
    }
}
