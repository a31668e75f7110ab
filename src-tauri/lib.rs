//! The desktop shell: a window around [`recto_engine`] and nothing else.
//!
//! The web page in the window asks through typed commands ([`commands`]), is told of changes through events
//! ([`events`]) and fetches page images from the `page://` scheme ([`page_protocol`]). [`files`] is the one way files
//! come in, whether dropped on the window, chosen in a dialog or named on the command line. No logic about documents
//! or answers lives here: every command body is one call of the engine.

pub mod commands;
pub mod diagnostics;
pub mod events;
pub mod files;
mod log;
pub mod page_protocol;
pub mod samples;
pub mod state;
mod window;

use state::AppState;
use std::process::ExitCode;
use std::time::Duration;
use tauri::{AppHandle, Manager, RunEvent, Runtime, WindowEvent, Wry};
use tauri_specta::{collect_commands, collect_events};

/// How long the engine may take to put its work down when the application ends.
const SHUTDOWN_LIMIT: Duration = Duration::from_secs(5);

/// Every command and event, declared once: the application mounts them, and the TypeScript bindings are written from
/// the same list. The runtime named in it only picks the signatures that the bindings are written from.
#[must_use]
pub fn bindings<R: Runtime>() -> tauri_specta::Builder<R> {
    tauri_specta::Builder::<R>::new()
        // One shape a type: what Recto sends always has every field.
        .disable_serde_phases()
        .commands(collect_commands![
            commands::library::library_status,
            commands::library::get_settings,
            commands::library::set_chat_model,
            commands::library::probe_chat_model,
            commands::library::set_stage_model,
            commands::library::set_embedding_model,
            commands::library::probe_embedding_model,
            commands::library::set_reranker,
            commands::library::probe_reranker,
            commands::library::local_model_servers,
            commands::library::add_samples::<Wry>,
            commands::collections::list_collections,
            commands::collections::create_collection,
            commands::collections::attach_collection,
            commands::collections::remove_collection,
            commands::documents::list_documents,
            commands::documents::delete_document,
            commands::documents::restore_document,
            commands::documents::page_picture,
            commands::documents::document_view,
            commands::documents::page_text,
            commands::documents::document_contents,
            commands::documents::find_in_document,
            commands::documents::edit_document,
            commands::documents::unlock_document,
            commands::files::add_paths,
            commands::files::open_file_dialog::<Wry>,
            commands::files::open_folder_dialog::<Wry>,
            commands::files::preview_add,
            commands::files::set_add_target,
            commands::files::e2e_drop::<Wry>,
            commands::queue::queue,
            commands::queue::cancel_job,
            commands::queue::retry_job,
            commands::queue::move_job_to_front,
            commands::queue::dismiss_job,
            commands::queue::pause_queue,
            commands::queue::unlock_job,
            commands::answers::search,
            commands::answers::ask,
            commands::answers::cancel_answer,
            commands::answers::answer_trace,
            commands::answers::replay_answer,
            commands::conversations::list_conversations,
            commands::conversations::get_conversation,
            commands::conversations::delete_conversation,
            commands::conversations::restore_conversation,
            commands::conversations::search_conversations,
            commands::conversations::rename_conversation,
            commands::files::save_text_file::<Wry>,
            commands::files::save_file::<Wry>,
            commands::files::save_diagnostics::<Wry>,
            commands::documents::open_original::<Wry>,
            commands::documents::reveal_original::<Wry>,
            commands::links::open_link::<Wry>,
        ])
        .events(collect_events![
            events::ChangedEvent,
            events::FilesHovering,
            events::HoverCounted,
            events::FilesDropped,
            events::HoverEnded,
        ])
}

/// Gives `builder` the commands, the events, the `page://` scheme and the reaction to dropped files. Shared by the
/// application and the tests, which run it on a runtime without a screen; the caller manages an [`AppState`].
#[must_use]
pub fn shell<R: Runtime>(builder: tauri::Builder<R>) -> tauri::Builder<R> {
    builder
        .invoke_handler(bindings().invoke_handler())
        .register_asynchronous_uri_scheme_protocol("page", |context, request, responder| {
            let app = context.app_handle().clone();
            let address = request.uri().to_string();
            tauri::async_runtime::spawn(async move {
                responder.respond(page_protocol::respond(&app.state::<AppState>(), &address).await);
            });
        })
        .on_window_event(|window, event| {
            if let WindowEvent::DragDrop(event) = event {
                files::on_drag(window.app_handle(), event);
            }
        })
}

/// Mounts the events, puts `state` in its place and opens the library in the background, so that the window does not
/// wait for it. To be called once, in the application's set-up.
pub fn start<R: Runtime>(app: &AppHandle<R>, state: AppState) {
    bindings::<R>().mount_events(app);
    let forward_to = app.clone();
    app.manage(state.on_open(move |engine| events::forward(&forward_to, engine)));
    let app = app.clone();
    tauri::async_runtime::spawn(async move {
        if let Err(error) = app.state::<AppState>().engine().await {
            tracing::error!(code = %error.code, "the library could not be opened");
        }
    });
}

/// Runs the application until its window is closed.
pub fn run() -> ExitCode {
    // Chosen here because a process may hold more than one; that another was chosen already is no failure.
    drop(rustls::crypto::ring::default_provider().install_default());
    let built = shell(tauri::Builder::default())
        .plugin(tauri_plugin_single_instance::init(|app, arguments, folder| {
            window::show(app);
            files::opened_with(app, arguments.into_iter().skip(1), folder.into());
        }))
        .plugin(tauri_plugin_dialog::init())
        .plugin(
            tauri_plugin_opener::Builder::new()
                .open_js_links_on_click(false)
                .build(),
        )
        .plugin(
            tauri_plugin_window_state::Builder::new()
                .with_state_flags(window::remembered())
                .build(),
        )
        .setup(|app| {
            log::start(app.handle());
            start(app.handle(), AppState::from_environment());
            window::create(app.handle())?;
            let arguments = std::env::args_os()
                .skip(1)
                .map(|argument| argument.to_string_lossy().into_owned());
            files::opened_with(app.handle(), arguments, std::env::current_dir().unwrap_or_default());
            Ok(())
        })
        .build(tauri::generate_context!());
    let app = match built {
        Ok(app) => app,
        Err(error) => {
            eprintln!("recto: the window cannot be opened: {error}");
            return ExitCode::FAILURE;
        }
    };
    app.run(|app, event| {
        if matches!(event, RunEvent::Exit) {
            tauri::async_runtime::block_on(async {
                let closing = app.state::<AppState>();
                if tokio::time::timeout(SHUTDOWN_LIMIT, closing.shutdown()).await.is_err() {
                    tracing::warn!("the engine did not stop in time");
                }
            });
        }
    });
    ExitCode::SUCCESS
}
