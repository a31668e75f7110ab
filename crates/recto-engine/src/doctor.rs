//! Is everything as it should be?

use crate::Engine;
use crate::blocking::blocking;
use crate::contract::{DoctorCheck, DoctorReport};
use recto_core::{ChunkSource, Result};
use recto_library::JobFilter;
use recto_models::{Assets, probe_embedder};

impl Engine {
    /// Checks the library's database, every collection, the queue, and the files Recto itself needs. Changes nothing.
    ///
    /// # Errors
    /// `internal` when the checks cannot be made at all; what they find is in the report.
    pub async fn doctor(&self) -> Result<DoctorReport> {
        let mut checks = vec![self.check_database().await?, self.check_queue().await?];
        for entry in self.collections_open().entries().await? {
            checks.push(self.check_collection(&entry.name.0).await);
        }
        checks.push(self.check_embedder().await);
        checks.extend(self.check_embedding_server().await);
        checks.push(check_pdf_library().await);
        Ok(DoctorReport {
            ok: checks.iter().all(|check| check.ok),
            checks,
        })
    }

    async fn check_database(&self) -> Result<DoctorCheck> {
        if self.library().is_none() {
            return Ok(sound("library", "There is no library here yet."));
        }
        let problems = self.on_library(|library| Ok(library.integrity()?)).await?;
        Ok(if problems.is_empty() {
            sound("library", "The library's database is sound.")
        } else {
            broken(
                "library",
                problems.join("; "),
                "Restore the library's folder from a backup.",
            )
        })
    }

    async fn check_queue(&self) -> Result<DoctorCheck> {
        let jobs = match self.library() {
            None => Vec::new(),
            Some(_) => {
                self.on_library(|library| Ok(library.jobs(&JobFilter::default())?))
                    .await?
            }
        };
        let failed = jobs
            .iter()
            .filter(|job| job.error_code.is_some() && !job.state.is_live())
            .count();
        let waiting = jobs.iter().filter(|job| job.state.is_live()).count();
        // Files that failed are told with their reasons by `list`; they are no fault of the library.
        Ok(sound(
            "queue",
            format!("{waiting} files wait to be read, {failed} could not be read."),
        ))
    }

    async fn check_collection(&self, name: &str) -> DoctorCheck {
        let check = format!("collection {name}");
        let found = async {
            let collection = self.collections_open().get(name).await?;
            collection
                .integrity()
                .await
                .map_err(|error| error.in_collection(collection.name()))
        };
        match found.await {
            Err(error) => broken(
                check,
                error.message,
                "Restore the collection's folder from a backup, or remove the collection.",
            ),
            Ok(found) if found.is_sound() => {
                let behind: u64 = found.indexes.iter().map(|index| index.unindexed).sum();
                sound(
                    check,
                    format!(
                        "Sound; {} documents still without vectors, {behind} rows outside the word indexes (found all the same).",
                        found.not_embedded.len()
                    ),
                )
            }
            Ok(found) => broken(
                check,
                format!(
                    "{} tables with rows of no document, {} documents lack vectors, {} originals are gone.",
                    found.orphan_rows.len(),
                    found.missing_vectors.len(),
                    found.missing_originals.len()
                ),
                "Delete the documents concerned and add their files again.",
            ),
        }
    }

    async fn check_embedder(&self) -> DoctorCheck {
        match self.embedders().local().load().await {
            Ok(()) => sound(
                "embedding model",
                "The embedding model and its runtime are there and unaltered.",
            ),
            Err(error) => broken("embedding model", error.message, "Run ./scripts/setup."),
        }
    }

    /// The server that new collections are embedded by, where one is set up.
    async fn check_embedding_server(&self) -> Option<DoctorCheck> {
        let settings = self.settings();
        if settings.embedding.is_bundled() {
            return None;
        }
        let name = "embedding server";
        let found = match self.embedders().server(&settings.embedding).await {
            Ok(server) => probe_embedder(&server?.0).await,
            Err(error) => {
                return Some(broken(
                    name,
                    error.message,
                    "Set it up again: recto models use embedding.",
                ));
            }
        };
        let unwell = found.checks.iter().find(|check| check.is_well == Some(false));
        Some(match unwell {
            Some(check) => broken(
                name,
                check.sentence.clone(),
                "Start the server, or set another model up: recto models use embedding.",
            ),
            None => sound(name, "The embedding server answers and offers the model."),
        })
    }
}

async fn check_pdf_library() -> DoctorCheck {
    match blocking(|| Assets::find()?.library("pdfium")).await {
        Ok(_) => sound("PDF library", "The PDF library is there and unaltered."),
        Err(error) => broken("PDF library", error.message, "Run ./scripts/setup."),
    }
}

fn sound(name: impl Into<String>, detail: impl Into<String>) -> DoctorCheck {
    DoctorCheck {
        name: name.into(),
        ok: true,
        detail: detail.into(),
        remedy: None,
    }
}

fn broken(name: impl Into<String>, detail: impl Into<String>, remedy: &str) -> DoctorCheck {
    DoctorCheck {
        name: name.into(),
        ok: false,
        detail: detail.into(),
        remedy: Some(remedy.to_owned()),
    }
}
