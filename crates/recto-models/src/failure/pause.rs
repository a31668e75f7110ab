//! How long a server asks to be left alone.

use chrono::{DateTime, Utc};
use reqwest::header::{DATE, HeaderMap, RETRY_AFTER};
use serde_json::Value;
use std::time::Duration;

/// The wait that a response asks for; zero where it names none.
pub(super) fn asked_for(headers: &HeaderMap, body: &Value) -> Duration {
    in_milliseconds(headers)
        .or_else(|| in_seconds(headers))
        .or_else(|| until_date(headers))
        .or_else(|| in_details(body))
        .unwrap_or_default()
}

fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name)?.to_str().ok().map(str::trim)
}

/// OpenAI's more exact form.
fn in_milliseconds(headers: &HeaderMap) -> Option<Duration> {
    seconds(text(headers, "retry-after-ms")?.parse::<f64>().ok()? / 1000.0)
}

fn in_seconds(headers: &HeaderMap) -> Option<Duration> {
    seconds(text(headers, RETRY_AFTER.as_str())?.parse().ok()?)
}

/// `Retry-After: Wed, 21 Oct 2026 07:28:00 GMT`, counted from the server's own clock where it shows it.
fn until_date(headers: &HeaderMap) -> Option<Duration> {
    let then = DateTime::parse_from_rfc2822(text(headers, RETRY_AFTER.as_str())?).ok()?;
    let now = text(headers, DATE.as_str())
        .and_then(|date| DateTime::parse_from_rfc2822(date).ok())
        .map_or_else(Utc::now, |date| date.to_utc());
    Some((then.to_utc() - now).to_std().unwrap_or_default())
}

/// Google writes `"retryDelay": "34.5s"` into an error's details.
fn in_details(body: &Value) -> Option<Duration> {
    let details = body["error"]["details"].as_array()?;
    let delay = details.iter().find_map(|detail| detail["retryDelay"].as_str())?;
    seconds(delay.strip_suffix('s')?.parse().ok()?)
}

fn seconds(count: f64) -> Option<Duration> {
    Duration::try_from_secs_f64(count.max(0.0)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn of(headers: &[(&'static str, &'static str)], body: &Value) -> Duration {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.insert(*name, value.parse().expect("is a value"));
        }
        asked_for(&map, body)
    }

    #[test]
    fn a_wait_is_read_in_every_form() {
        let none = Value::Null;
        assert_eq!(of(&[("retry-after", "7")], &none), Duration::from_secs(7));
        assert_eq!(
            of(&[("retry-after-ms", "250"), ("retry-after", "1")], &none),
            Duration::from_millis(250)
        );
        let dates = [
            ("retry-after", "Wed, 21 Oct 2026 07:28:00 GMT"),
            ("date", "Wed, 21 Oct 2026 07:27:30 GMT"),
        ];
        assert_eq!(of(&dates, &none), Duration::from_secs(30));
        let details = json!({"error": {"details": [{"reason": "x"}, {"retryDelay": "34.5s"}]}});
        assert_eq!(of(&[], &details), Duration::from_millis(34_500));
    }

    #[test]
    fn what_is_no_wait_is_none() {
        for wrong in ["-3", "soon", "NaN", "Wed, 21 Oct 2015 07:28:00 GMT"] {
            assert_eq!(of(&[("retry-after", wrong)], &Value::Null), Duration::ZERO, "{wrong}");
        }
        assert_eq!(of(&[("retry-after", "1e300")], &Value::Null), Duration::ZERO);
    }
}
