//! Addresses of model servers.

use recto_core::{Error, ErrorCode, Result};
use reqwest::Url;

/// The address everything is asked below, ending in `/`. `example` is what a right one looks like.
pub(crate) fn parse(address: &str, example: &str) -> Result<Url> {
    Url::parse(&format!("{}/", address.trim().trim_end_matches('/')))
        .ok()
        .filter(|url| {
            matches!(url.scheme(), "http" | "https")
                && url.host_str().is_some()
                // Neither is kept when a path is added, so what they say (often a key) would silently not be sent.
                && url.query().is_none()
                && url.fragment().is_none()
        })
        .ok_or_else(|| {
            Error::new(
                ErrorCode::InvalidArgument,
                format!("The address of the model server must look like {example}."),
            )
        })
}

/// The server as it is named to a person: without path, user or password.
pub(crate) fn place(url: &Url) -> String {
    url.origin().ascii_serialization()
}

/// The host, unless it is this machine.
pub(crate) fn remote_host(url: &Url) -> Option<String> {
    let host = url.host_str()?;
    (!is_loopback(url)).then(|| host.to_owned())
}

pub(crate) fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let address = host
        .trim_start_matches('[')
        .trim_end_matches(']')
        .parse::<std::net::IpAddr>();
    host == "localhost" || address.is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_address_is_accepted() {
        for wrong in [
            "localhost:1234",
            "",
            "file:///etc/passwd",
            "http://",
            "http://x/v1?key=secret",
            "http://x/#secret",
        ] {
            let error = parse(wrong, "http://localhost:1/v1").expect_err("refuses");
            assert_eq!(error.code, ErrorCode::InvalidArgument, "{wrong}");
            assert!(!error.message.contains("secret"));
        }
    }

    #[test]
    fn a_path_is_kept_and_secrets_are_not_repeated() {
        let url = parse(" https://user:secret@example.org:8443/api/v1/ ", "x").expect("accepts");
        assert_eq!(
            url.join("models").expect("joins").as_str(),
            "https://user:secret@example.org:8443/api/v1/models"
        );
        assert_eq!(place(&url), "https://example.org:8443");
        assert_eq!(remote_host(&url).as_deref(), Some("example.org"));
    }

    #[test]
    fn loopback_addresses_are_known() {
        let remote = |url: &str| remote_host(&Url::parse(url).expect("parses"));
        for own in [
            "http://localhost:1/",
            "http://127.0.0.1/",
            "http://127.9.9.9/",
            "http://[::1]:2/",
        ] {
            assert_eq!(remote(own), None, "{own}");
        }
        for other in [
            "http://example.org/",
            "http://10.0.0.1/",
            "http://localhost.example.org/",
        ] {
            assert!(remote(other).is_some(), "{other}");
        }
    }
}
