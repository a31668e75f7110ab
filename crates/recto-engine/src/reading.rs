//! What the reader shows: page sizes, page images, and the items of documents without pages.

use crate::Engine;
use crate::contract::{CitationBox, DocumentView, LaidOutCell, LaidOutItem, LaidOutTable, PageSize};
use crate::convert::locator;
use crate::page_cache::ByteBoundedCache;
use crate::spans::characters_before;
use recto_collection::Collection;
use recto_core::{ChunkSource, DocumentRow, Error, ErrorCode, Item, Rect, Result, TableGrid};
use recto_worker::{ImageFormat, ParseRequest, ProbeRequest, RenderRequest, RenderSize, WorkerPool};
use std::path::Path;
use std::sync::{Arc, PoisonError};
use tokio_util::sync::CancellationToken;

/// Widest page image, pixels: 600 dpi of a letter page.
const MOST_PIXELS_ACROSS: u32 = 5_100;

pub(crate) type PageCache = ByteBoundedCache<String, PageImage>;

/// A page, or a part of it, as pixels.
#[derive(Debug, Clone, PartialEq)]
pub struct PageImageRequest {
    /// The collection.
    pub collection: String,
    /// The document.
    pub document_id: String,
    /// SHA-256 of the bytes to show; `None` shows the newest.
    pub sha256: Option<String>,
    /// 1-based page number.
    pub page: u32,
    /// Pixels across the whole page, also when only a part is drawn.
    pub width_px: u32,
    /// The part to draw, in points of the displayed page.
    pub crop: Option<Rect>,
    /// Boxes to draw over it.
    pub highlights: Vec<CitationBox>,
    /// How it is written.
    pub format: ImageFormat,
}

/// An encoded picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageImage {
    /// The file's bytes.
    pub bytes: Vec<u8>,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// `image/png` or `image/bmp`.
    pub media_type: &'static str,
}

impl Engine {
    /// What the reader needs to show a document: its pages' sizes, or its items where it has no pages. `sha256` names the
    /// bytes to show, which may be older than the newest: their pages are then measured from the kept original.
    ///
    /// # Errors
    /// `not_found` when the document and its original are gone.
    pub async fn document_view(
        self: &Arc<Self>,
        collection: &str,
        document_id: &str,
        sha256: Option<&str>,
    ) -> Result<DocumentView> {
        let names = [collection.to_owned()];
        let found = self.find_document(Some(&names), document_id).await;
        match (found, sha256) {
            (Ok((open, row)), wanted) if wanted.is_none_or(|wanted| wanted == row.sha256) => view(&open, row).await,
            (found, Some(wanted)) => {
                let open = self.collections_open().get(collection).await?;
                let row = found.ok().map(|(_, row)| row);
                self.view_of_original(&open, document_id, wanted, row).await
            }
            (Err(error), None) => Err(error),
            (Ok((open, row)), None) => view(&open, row).await,
        }
    }

    /// Shows bytes that are cited but no longer the document's newest.
    async fn view_of_original(
        &self,
        open: &Collection,
        document_id: &str,
        sha256: &str,
        row: Option<DocumentRow>,
    ) -> Result<DocumentView> {
        let path = original(open, sha256)?;
        let password = self.passwords.of_file(sha256);
        let request = ProbeRequest {
            path: path.clone(),
            password: password.clone(),
            ..ProbeRequest::default()
        };
        let probe = self.readers().probe(request, &CancellationToken::new()).await?;
        let items = if probe.pages.is_empty() {
            let request = ParseRequest {
                path,
                password,
                ..ParseRequest::default()
            };
            self.readers()
                .parse_document(request, &CancellationToken::new())
                .await?
                .items
        } else {
            Vec::new()
        };
        let pages = probe.pages.into_iter();
        Ok(DocumentView {
            collection: open.name().0.clone(),
            document_id: document_id.to_owned(),
            sha256: sha256.to_owned(),
            title: row
                .as_ref()
                .map_or_else(|| probe.info.title.unwrap_or_default(), |row| row.title.clone()),
            uri: row.map(|row| row.uri).unwrap_or_default(),
            pages: pages
                .map(|page| PageSize {
                    number: page.number,
                    label: page.label,
                    width: page.width,
                    height: page.height,
                })
                .collect(),
            items: items.into_iter().map(laid_out).collect(),
        })
    }

    /// Draws a page.
    ///
    /// # Errors
    /// `not_found` for an unknown document or page, `invalid_argument` for a width of 0, and the worker's own.
    pub async fn page_image(self: &Arc<Self>, request: PageImageRequest) -> Result<Arc<PageImage>> {
        let sha256 = match &request.sha256 {
            Some(sha256) => sha256.clone(),
            None => {
                let names = [request.collection.clone()];
                self.find_document(Some(&names), &request.document_id).await?.1.sha256
            }
        };
        let key = format!("{sha256} {request:?}");
        if let Some(image) = self.page_cache.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return Ok(image);
        }
        let open = self.collections_open().get(&request.collection).await?;
        let drawing = Drawing {
            page: request.page,
            width_px: request.width_px,
            crop: request.crop,
            highlights: request.highlights,
            format: request.format,
        };
        let image = Arc::new(
            draw(
                self.readers(),
                &original(&open, &sha256)?,
                self.passwords.of_file(&sha256).as_deref(),
                drawing,
            )
            .await?,
        );
        let size = image.bytes.len();
        self.page_cache
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .put(key, Arc::clone(&image), size);
        Ok(image)
    }
}

async fn view(open: &Collection, row: DocumentRow) -> Result<DocumentView> {
    let snapshot = open.snapshot().await?;
    let (mut pages, mut items) = (Vec::new(), Vec::new());
    if row.page_count > 0 {
        let sizes = open
            .page_sizes(&snapshot, row.id)
            .await
            .map_err(|error| error.in_collection(open.name()))?;
        pages.extend(sizes.into_iter().map(|page| PageSize {
            label: row.page_labels.get(page.number as usize - 1).cloned().flatten(),
            number: page.number,
            width: page.width,
            height: page.height,
        }));
    } else {
        let stored = open.items(&snapshot, row.id, &[(0, u32::MAX)]).await?;
        items.extend(stored.into_iter().map(laid_out));
    }
    Ok(DocumentView {
        collection: open.name().0.clone(),
        document_id: row.id.to_string(),
        sha256: row.sha256,
        title: row.title,
        uri: row.uri,
        pages,
        items,
    })
}

fn laid_out(item: Item) -> LaidOutItem {
    LaidOutItem {
        table: item.table.as_ref().map(|grid| laid_out_table(grid, &item.text)),
        place: item.locator.map(|place| locator(place, &[])),
        self_ref: item.self_ref,
        label: item.label.as_str().to_owned(),
        level: item.level,
        text: item.text,
    }
}

/// The cells, each with its place in the item's text: they stand in it in the same order.
fn laid_out_table(grid: &TableGrid, text: &str) -> LaidOutTable {
    let mut from = 0;
    let cells = grid.cells.iter().map(|cell| {
        let found = text[from..].find(&cell.text).map(|at| from + at);
        let range = found.map_or(from..from, |at| at..at + cell.text.len());
        from = range.end;
        LaidOutCell {
            row: cell.row,
            column: cell.column,
            row_span: cell.row_span,
            column_span: cell.column_span,
            header: cell.column_header || cell.row_header,
            start: characters_before(text, range.start),
            end: characters_before(text, range.end),
            text: cell.text.clone(),
        }
    });
    LaidOutTable {
        rows: grid.rows,
        columns: grid.columns,
        cells: cells.collect(),
    }
}

/// The kept bytes with this hash. The hash comes from callers, so that nothing but hexadecimal reaches a path.
fn original(open: &Collection, sha256: &str) -> Result<std::path::PathBuf> {
    open.originals().path(sha256).ok_or_else(|| {
        Error::new(
            ErrorCode::NotFound,
            "The original file is no longer in the library. Add the document again to see its pages.",
        )
    })
}

/// How a page is drawn.
pub(crate) struct Drawing {
    pub(crate) page: u32,
    pub(crate) width_px: u32,
    pub(crate) crop: Option<Rect>,
    pub(crate) highlights: Vec<CitationBox>,
    pub(crate) format: ImageFormat,
}

/// Has a worker draw a page of the file at `path`. The picture comes through a file of our own that is gone afterwards.
pub(crate) async fn draw(
    pool: &WorkerPool,
    path: &Path,
    password: Option<&str>,
    drawing: Drawing,
) -> Result<PageImage> {
    if drawing.width_px == 0 {
        return Err(Error::new(
            ErrorCode::InvalidArgument,
            "A page cannot be drawn 0 pixels wide.",
        ));
    }
    let folder =
        tempfile::tempdir().map_err(|error| Error::internal(format!("cannot make a temporary folder: {error}")))?;
    let output = folder.path().join("page");
    let request = RenderRequest {
        path: path.to_owned(),
        password: password.map(str::to_owned),
        page: drawing.page,
        size: RenderSize::Width(drawing.width_px.min(MOST_PIXELS_ACROSS)),
        highlights: drawing.highlights.into_iter().map(Into::into).collect(),
        crop: drawing.crop,
        format: drawing.format,
        output: output.clone(),
    };
    let size = pool.render(request, &CancellationToken::new()).await?;
    let bytes = tokio::fs::read(&output)
        .await
        .map_err(|error| Error::internal(format!("cannot read the drawn page: {}", error.kind())))?;
    let media_type = match drawing.format {
        ImageFormat::Png => "image/png",
        ImageFormat::Bmp => "image/bmp",
        ImageFormat::Raw => "application/octet-stream",
    };
    Ok(PageImage {
        bytes,
        width: size.width,
        height: size.height,
        media_type,
    })
}
