//! Work on single files, without a library.

use crate::contract::{CitationBox, LocateReport};
use crate::reading::{Drawing, PageImage, draw};
use recto_core::{Error, ErrorCode, LocateHint, Result};
use recto_worker::{
    ConvertFormat, ConvertRequest, Converted, ImageFormat, LocateInFileRequest, ParseLimits, WorkerPool,
    WorkerPoolOptions,
};
use std::path::{Path, PathBuf};
use tokio_util::sync::CancellationToken;

/// How a file is exported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConvertOptions {
    /// The format.
    pub to: ConvertFormat,
    /// 1-based first and last page, both included; `None` is the whole file.
    pub pages: Option<(u32, u32)>,
    /// The user password.
    pub password: Option<String>,
}

/// Converts, draws and searches single files.
pub struct FileTools {
    pool: WorkerPool,
}

impl FileTools {
    /// Prepares one worker; it is started with the first call.
    ///
    /// # Errors
    /// `asset_missing` when the worker program is not there.
    pub fn new() -> Result<Self> {
        Ok(Self {
            pool: WorkerPool::new(WorkerPoolOptions {
                workers: 1,
                ..WorkerPoolOptions::find()?
            }),
        })
    }

    /// Exports a file as text.
    ///
    /// # Errors
    /// `invalid_argument` for drawings, and whatever keeps the file from being read.
    pub async fn convert(&self, path: &Path, options: ConvertOptions) -> Result<String> {
        if matches!(options.to, ConvertFormat::Svg(_) | ConvertFormat::Png(_)) {
            return Err(Error::new(
                ErrorCode::InvalidArgument,
                "Drawings are no text; they need a folder to be written into.",
            ));
        }
        let folder =
            tempfile::tempdir().map_err(|error| Error::internal(format!("cannot make a temporary folder: {error}")))?;
        let output = folder.path().join("converted");
        self.export(path, options, output.clone()).await?;
        tokio::fs::read_to_string(&output)
            .await
            .map_err(|error| Error::internal(format!("cannot read the converted text: {}", error.kind())))
    }

    /// Draws what was understood over the pages of a file, with `to` one of the drawings: a file per page in `folder`,
    /// which must exist, named `page-0003.png`.
    ///
    /// # Errors
    /// `invalid_argument` for text formats and for files without pages, and whatever keeps the file from being read.
    pub async fn draw_layer(&self, path: &Path, options: ConvertOptions, folder: &Path) -> Result<Converted> {
        if !matches!(options.to, ConvertFormat::Svg(_) | ConvertFormat::Png(_)) {
            return Err(Error::new(ErrorCode::InvalidArgument, "This format is no drawing."));
        }
        // A worker has another working folder.
        let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
        self.export(path, options, folder).await
    }

    async fn export(&self, path: &Path, options: ConvertOptions, output: PathBuf) -> Result<Converted> {
        let path = readable(path)?;
        let request = ConvertRequest {
            file_name: name_of(&path),
            path,
            password: options.password,
            to: options.to,
            pages: options.pages,
            limits: ParseLimits::default(),
            output,
        };
        self.pool
            .convert(request, &CancellationToken::new(), &mut |_, _| {})
            .await
    }

    /// Places of `quote` in a file, best first; `page` (1-based) is a hint.
    ///
    /// # Errors
    /// `invalid_argument` for an empty quote, and whatever keeps the file from being read.
    pub async fn locate(
        &self,
        path: &Path,
        password: Option<&str>,
        quote: &str,
        page: Option<u32>,
    ) -> Result<LocateReport> {
        if quote.trim().is_empty() {
            return Err(Error::new(ErrorCode::InvalidArgument, "The quote is empty."));
        }
        let path = readable(path)?;
        let request = LocateInFileRequest {
            file_name: name_of(&path),
            path,
            password: password.map(str::to_owned),
            quote: quote.to_owned(),
            hint: LocateHint {
                pages: page.into_iter().collect(),
                ..LocateHint::default()
            },
            limits: ParseLimits::default(),
        };
        let found = self.pool.locate_in_file(request, &CancellationToken::new()).await?;
        Ok(LocateReport {
            matches: found.into_iter().map(Into::into).collect(),
        })
    }

    /// Draws a page of a file, `width_px` pixels across.
    ///
    /// # Errors
    /// `not_found` for a page the file does not have, and whatever keeps the file from being read.
    pub async fn page_image(
        &self,
        path: &Path,
        password: Option<&str>,
        page: u32,
        width_px: u32,
        highlights: Vec<CitationBox>,
        format: ImageFormat,
    ) -> Result<PageImage> {
        let drawing = Drawing {
            page,
            width_px,
            crop: None,
            highlights,
            format,
        };
        draw(&self.pool, &readable(path)?, password, drawing).await
    }
}

/// The file's absolute path: a worker has another working folder.
fn readable(path: &Path) -> Result<PathBuf> {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    match std::fs::metadata(&absolute) {
        Ok(metadata) if metadata.is_file() => Ok(absolute),
        Ok(_) => Err(Error::new(
            ErrorCode::InvalidArgument,
            format!("{} is not a file.", path.display()),
        )),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Err(Error::new(
            ErrorCode::NotFound,
            format!("There is no file {}.", path.display()),
        )),
        Err(error) => Err(Error::new(
            ErrorCode::Damaged,
            format!("{} cannot be read: {}.", path.display(), error.kind()),
        )),
    }
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
