//! Where the key of a server is: in the variable that settings name, else in the places of its provider.

use recto_core::Result;
use recto_models::{ApiKey, KeySource, Provider};
use std::path::Path;

/// The key for `provider` and where it was. `variable` alone decides where settings name one. A server on this machine
/// wants no key, and looking for one takes time.
///
/// # Errors
/// `model_not_configured` for a variable without a key, or a file that others may read.
pub(crate) async fn find(
    provider: Provider,
    variable: Option<&str>,
    is_remote: bool,
    library: &Path,
) -> Result<(Option<ApiKey>, Option<KeySource>)> {
    if let Some(variable) = variable {
        let key = ApiKey::from_environment(variable)?;
        return Ok((Some(key), Some(KeySource::Environment(variable.to_owned()))));
    }
    if !is_remote {
        return Ok((None, None));
    }
    let file = library.join("keys").join(provider.as_str());
    Ok(match provider.key_places(Some(file)).find().await? {
        Some(found) => (Some(found.key), Some(found.source)),
        None => (None, None),
    })
}
