//! The one window: its size, and what it refuses.

use tauri::webview::NewWindowResponse;
use tauri::{AppHandle, Manager, Runtime, Url, WebviewUrl, WebviewWindowBuilder};
use tauri_plugin_window_state::StateFlags;

const LABEL: &str = "main";

/// What is kept of the window between two runs.
pub(crate) fn remembered() -> StateFlags {
    StateFlags::SIZE | StateFlags::POSITION | StateFlags::MAXIMIZED
}

/// Creates the window. It shows the application's own page and nothing else: it neither goes to another address nor
/// opens another window, and nothing can be downloaded through it.
pub(crate) fn create<R: Runtime>(app: &AppHandle<R>) -> tauri::Result<()> {
    WebviewWindowBuilder::new(app, LABEL, WebviewUrl::default())
        .title("Recto")
        .inner_size(1280.0, 860.0)
        .min_inner_size(760.0, 560.0)
        .on_navigation(is_own_page)
        .on_new_window(|_, _| NewWindowResponse::Deny)
        .on_download(|_, _| false)
        .build()?;
    Ok(())
}

/// Brings the window to the front.
pub(crate) fn show<R: Runtime>(app: &AppHandle<R>) {
    let Some(window) = app.get_webview_window(LABEL) else {
        return;
    };
    let shown = window.unminimize().and_then(|()| window.set_focus());
    if let Err(error) = shown {
        tracing::warn!(%error, "the window could not be shown");
    }
}

/// Whether `address` is the application's own page: `tauri://localhost`, or `http(s)://tauri.localhost` where the
/// platform has no schemes of one's own.
fn is_own_page(address: &Url) -> bool {
    match address.scheme() {
        "tauri" => address.host_str() == Some("localhost"),
        "http" | "https" => cfg!(windows) && address.host_str() == Some("tauri.localhost"),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_stays_on_its_own_page() {
        let own = |address: &str| is_own_page(&address.parse().expect("an address"));
        assert!(own("tauri://localhost/index.html"));
        for foreign in [
            "https://example.com/",
            "http://localhost:1420/",
            "tauri://elsewhere/",
            "page://localhost/a/b/c/1",
            "file:///etc/hosts",
            "data:text/html,hello",
            "javascript:alert(1)",
        ] {
            assert!(!own(foreign), "{foreign} must be refused");
        }
    }
}
