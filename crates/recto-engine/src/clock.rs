//! Time as the engine sees it. Passed in, so that tests decide what the time is.

use chrono::{DateTime, SecondsFormat, Utc};
use std::sync::Arc;

/// Says what time it is, in Unix milliseconds.
#[derive(Clone)]
pub struct Clock(Arc<dyn Fn() -> i64 + Send + Sync>);

impl Clock {
    /// A clock that calls `now`, which returns Unix milliseconds.
    pub fn new(now: impl Fn() -> i64 + Send + Sync + 'static) -> Self {
        Self(Arc::new(now))
    }

    /// The machine's clock.
    #[must_use]
    pub fn system() -> Self {
        Self::new(|| Utc::now().timestamp_millis())
    }

    /// Now, in Unix milliseconds.
    #[must_use]
    pub fn now_ms(&self) -> i64 {
        (self.0)()
    }
}

impl std::fmt::Debug for Clock {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Clock")
    }
}

/// A moment as the contract writes it: `2026-05-04T10:20:30.123Z`.
#[must_use]
pub(crate) fn rfc3339(unix_ms: i64) -> String {
    DateTime::from_timestamp_millis(unix_ms)
        .unwrap_or_default()
        .to_rfc3339_opts(SecondsFormat::Millis, true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_sort_as_text() {
        assert_eq!(rfc3339(0), "1970-01-01T00:00:00.000Z");
        assert!(rfc3339(999) < rfc3339(1_000) && rfc3339(1_000) < rfc3339(1_010));
    }
}
