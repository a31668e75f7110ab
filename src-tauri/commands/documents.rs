//! Documents.

use crate::page_protocol::MAX_WIDTH_PX;
use crate::state::AppState;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use recto_core::{Error, Rect};
use recto_engine::contract::{
    ApiError, ContentsEntry, DocumentList, DocumentView, ListedDocument, LocateReport, PageBox, PagePicture,
    PagePictureRequest, PageText,
};
use recto_engine::{ImageFormat, PageImageRequest, Password};
use tauri::{AppHandle, Runtime, State};
use tauri_plugin_opener::OpenerExt;

/// The documents of `collections`, or of all.
///
/// # Errors
/// As [`recto_engine::Engine::list`].
#[tauri::command]
#[specta::specta]
pub async fn list_documents(
    state: State<'_, AppState>,
    collections: Option<Vec<String>>,
) -> Result<DocumentList, ApiError> {
    Ok(state.engine().await?.list(collections.as_deref()).await?)
}

/// Deletes a document from its collection; its file stays where it is. It can be brought back for a while.
///
/// # Errors
/// As [`recto_engine::Engine::delete_for_now`].
#[tauri::command]
#[specta::specta]
pub async fn delete_document(
    state: State<'_, AppState>,
    collection: String,
    document_id: String,
) -> Result<(), ApiError> {
    let engine = state.engine().await?;
    Ok(engine.delete_for_now(Some(&[collection]), &document_id).await?)
}

/// Brings back a document that was deleted a moment ago.
///
/// # Errors
/// As [`recto_engine::Engine::restore_document`].
#[tauri::command]
#[specta::specta]
pub async fn restore_document(
    state: State<'_, AppState>,
    collection: String,
    document_id: String,
) -> Result<(), ApiError> {
    let engine = state.engine().await?;
    Ok(engine.restore_document(&collection, &document_id).await?)
}

/// Draws a part of a page with boxes over it, for what leaves the window.
///
/// # Errors
/// As [`recto_engine::Engine::page_image`].
#[tauri::command]
#[specta::specta]
pub async fn page_picture(state: State<'_, AppState>, request: PagePictureRequest) -> Result<PagePicture, ApiError> {
    let PageBox {
        page,
        left,
        top,
        right,
        bottom,
    } = request.crop;
    let drawn = PageImageRequest {
        collection: request.collection,
        document_id: request.document_id,
        sha256: Some(request.sha256),
        page,
        width_px: request.width_px.clamp(1, MAX_WIDTH_PX),
        crop: Some(Rect {
            left,
            top,
            right,
            bottom,
        }),
        highlights: request.highlights.into_iter().filter(|at| at.page == page).collect(),
        format: ImageFormat::Png,
    };
    let image = state.engine().await?.page_image(drawn).await?;
    Ok(PagePicture {
        media_type: image.media_type.to_owned(),
        width: image.width,
        height: image.height,
        base64: BASE64_STANDARD.encode(&image.bytes),
    })
}

/// Opens the file a document was read from in the person's own program.
///
/// # Errors
/// As [`recto_engine::Engine::document_file`]; `internal` when no program opens it.
#[tauri::command]
#[specta::specta]
pub async fn open_original<R: Runtime>(
    app: AppHandle<R>,
    state: State<'_, AppState>,
    collection: String,
    document_id: String,
) -> Result<(), ApiError> {
    let engine = state.engine().await?;
    let file = engine.document_file(Some(&[collection]), &document_id).await?;
    let opened = app.opener().open_path(file.to_string_lossy(), None::<&str>);
    Ok(opened.map_err(|_| Error::internal("No program on this computer opens this file."))?)
}

/// Shows the file a document was read from in the file manager.
///
/// # Errors
/// As [`recto_engine::Engine::document_file`]; `internal` when there is no file manager.
#[tauri::command]
#[specta::specta]
pub async fn reveal_original<R: Runtime>(
    app: AppHandle<R>,
    state: State<'_, AppState>,
    collection: String,
    document_id: String,
) -> Result<(), ApiError> {
    let engine = state.engine().await?;
    let file = engine.document_file(Some(&[collection]), &document_id).await?;
    let revealed = app.opener().reveal_item_in_dir(file);
    Ok(revealed.map_err(|_| Error::internal("No file manager on this computer shows this file."))?)
}

/// What the reader needs to lay the document out. `sha256` asks for the bytes a citation was made from, which may be
/// older than the newest ones.
///
/// # Errors
/// As [`recto_engine::Engine::document_view`].
#[tauri::command]
#[specta::specta]
pub async fn document_view(
    state: State<'_, AppState>,
    collection: String,
    document_id: String,
    sha256: Option<String>,
) -> Result<DocumentView, ApiError> {
    let engine = state.engine().await?;
    Ok(engine
        .document_view(&collection, &document_id, sha256.as_deref())
        .await?)
}

/// The words of a page with their boxes, for selecting text over its picture.
///
/// # Errors
/// As [`recto_engine::Engine::page_text`].
#[tauri::command]
#[specta::specta]
pub async fn page_text(
    state: State<'_, AppState>,
    collection: String,
    document_id: String,
    page: u32,
) -> Result<PageText, ApiError> {
    Ok(state.engine().await?.page_text(&collection, &document_id, page).await?)
}

/// The headings of a document in reading order.
///
/// # Errors
/// As [`recto_engine::Engine::contents`].
#[tauri::command]
#[specta::specta]
pub async fn document_contents(
    state: State<'_, AppState>,
    collection: String,
    document_id: String,
) -> Result<Vec<ContentsEntry>, ApiError> {
    Ok(state.engine().await?.contents(&collection, &document_id).await?)
}

/// Every place of `words` in the document, in reading order.
///
/// # Errors
/// As [`recto_engine::Engine::find_in_document`].
#[tauri::command]
#[specta::specta]
pub async fn find_in_document(
    state: State<'_, AppState>,
    collection: String,
    document_id: String,
    words: String,
) -> Result<LocateReport, ApiError> {
    let engine = state.engine().await?;
    Ok(engine.find_in_document(&collection, &document_id, &words).await?)
}

/// Changes a document's title or tags; what is absent stays.
///
/// # Errors
/// As [`recto_engine::Engine::edit_document`].
#[tauri::command]
#[specta::specta]
pub async fn edit_document(
    state: State<'_, AppState>,
    collection: String,
    document_id: String,
    title: Option<String>,
    tags: Option<Vec<String>>,
) -> Result<ListedDocument, ApiError> {
    let engine = state.engine().await?;
    Ok(engine
        .edit_document(Some(&[collection]), &document_id, title, tags)
        .await?)
}

/// Gives the password of a document whose pages are to be shown.
///
/// # Errors
/// As [`recto_engine::Engine::unlock_document`].
#[tauri::command]
#[specta::specta]
pub async fn unlock_document(
    state: State<'_, AppState>,
    collection: String,
    document_id: String,
    password: String,
) -> Result<(), ApiError> {
    let engine = state.engine().await?;
    Ok(engine
        .unlock_document(Some(&[collection]), &document_id, Password(password))
        .await?)
}
