//! ONNX Runtime, which models that run in this process share.

use ort::environment::Environment;
use recto_assets::Assets;
use recto_core::{Error, Result};
use std::sync::{Mutex, PoisonError};

/// The process's one ONNX Runtime environment: the library refuses a second one, however many models there are.
pub(crate) fn environment(assets: &Assets) -> Result<Environment> {
    static ENVIRONMENT: Mutex<Option<Environment>> = Mutex::new(None);
    let mut shared = ENVIRONMENT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(environment) = &*shared {
        return Ok(environment.clone());
    }
    let failed = |what: &str, error: &dyn std::fmt::Display| {
        Error::internal(format!("ONNX Runtime could not be loaded ({what}): {error}."))
    };
    let environment = ort::init_from(assets.library("onnxruntime")?)
        .map_err(|error| failed("library", &error))?
        .with_telemetry(false)
        .build()
        .map_err(|error| failed("environment", &error))?;
    Ok(shared.insert(environment).clone())
}

/// Runs `work`, which computes or reads files, off the async threads.
pub(crate) async fn on_blocking_thread<T: Send + 'static>(
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> Result<T> {
    tokio::task::spawn_blocking(work)
        .await
        .map_err(|error| Error::internal(format!("A model in this process was interrupted: {error}.")))?
}
