//! "Save diagnostics…": what the engine knows of itself and the log, in one ZIP file.

use crate::log;
use crate::state::AppState;
use recto_core::Error;
use recto_engine::contract::ApiError;
use recto_engine::{DiagnosticFile, diagnostics_without_library};
use std::io::{Cursor, Write as _};
use std::path::PathBuf;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// The archive's bytes, also where the library cannot be opened. `log_folder` is where the log is, if anywhere.
///
/// # Errors
/// As [`recto_engine::Engine::diagnostics`].
pub async fn archive(state: &AppState, log_folder: Option<PathBuf>) -> Result<Vec<u8>, ApiError> {
    let logs = match log_folder {
        Some(folder) => tokio::task::spawn_blocking(move || logs(&folder))
            .await
            .unwrap_or_default(),
        None => Vec::new(),
    };
    let files = match state.engine().await {
        Ok(engine) => engine.diagnostics(logs).await?,
        // Then they are wanted most.
        Err(error) => diagnostics_without_library(&error.code, logs),
    };
    let packed = tokio::task::spawn_blocking(move || pack(&files)).await;
    let packed = packed.unwrap_or_else(|_| Err(std::io::Error::other("the work was cut off")));
    Ok(packed.map_err(|error| Error::internal(format!("The diagnostics cannot be packed: {error}.")))?)
}

fn logs(folder: &std::path::Path) -> Vec<DiagnosticFile> {
    log::files(folder)
        .into_iter()
        .filter_map(|path| {
            let name = path.file_name()?.to_string_lossy().into_owned();
            let content = String::from_utf8_lossy(&std::fs::read(&path).ok()?).into_owned();
            Some(DiagnosticFile { name, content })
        })
        .collect()
}

fn pack(files: &[DiagnosticFile]) -> std::io::Result<Vec<u8>> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for file in files {
        archive.start_file(file.name.as_str(), SimpleFileOptions::default())?;
        archive.write_all(file.content.as_bytes())?;
    }
    Ok(archive.finish()?.into_inner())
}
