//! Secrets that do not leak by being printed, and where they come from.

mod keychain;
mod places;

use recto_core::{Error, ErrorCode, Result};
use std::fmt;

pub use keychain::{CommandKeychain, Keychain};
pub use places::{FoundKey, KeyPlaces, KeySource};

/// A key for a model server. Prints as `****` wherever it is printed.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(String);

impl ApiKey {
    /// Wraps a key.
    #[must_use]
    pub fn new(key: String) -> Self {
        Self(key)
    }

    /// The key in the environment variable of this name.
    ///
    /// # Errors
    /// `model_not_configured` when the variable is unset or empty; the message names it.
    pub fn from_environment(variable: &str) -> Result<Self> {
        std::env::var(variable)
            .ok()
            .filter(|key| !key.trim().is_empty())
            .map(|key| Self(key.trim().to_owned()))
            .ok_or_else(|| {
                Error::new(
                    ErrorCode::ModelNotConfigured,
                    format!(
                        "The environment variable {variable}, which should hold the key for the model, is not set."
                    ),
                )
            })
    }

    /// The key itself, for the request that needs it.
    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("****")
    }
}

impl fmt::Display for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("****")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_never_printed() {
        let key = ApiKey::new("sk-secret".into());
        assert_eq!(format!("{key} {key:?} {:?}", Some(&key)), "**** **** Some(****)");
    }

    #[test]
    fn an_unset_variable_is_named() {
        let error = ApiKey::from_environment("RECTO_TEST_NO_SUCH_KEY").expect_err("is not set");
        assert_eq!(error.code, ErrorCode::ModelNotConfigured);
        assert!(error.message.contains("RECTO_TEST_NO_SUCH_KEY"));
    }
}
