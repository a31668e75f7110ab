//! `collections`: list, create, attach, rename and remove.

use crate::args::CollectionsAction;
use crate::commands::add::absolute;
use crate::context::{Context, Need, check_name};
use crate::failure::{Ending, Failure, Result};
use crate::output::json::CollectionList;
use crate::output::terminal::one_line;
use crate::output::{Output, human};
use recto_core::{Error, ErrorCode};
use recto_engine::Engine;
use recto_engine::contract::CollectionSummary;
use std::io::{BufRead, IsTerminal, Write};

type Collections = CollectionList<CollectionSummary>;

pub(crate) async fn run(context: &Context, output: &Output, action: Option<CollectionsAction>) -> Result<Ending> {
    match action {
        None | Some(CollectionsAction::List) => list(context, output).await?,
        Some(CollectionsAction::Create { name }) => {
            let list = context
                .with_engine(Need::Create, async |engine| {
                    engine.create_collection(&name).await?;
                    all(engine).await
                })
                .await?;
            output.result(&list, |_| format!("Created “{}”.", one_line(&name)))?;
        }
        Some(CollectionsAction::Attach { folder, name }) => {
            let name = name.unwrap_or_else(|| {
                let own = folder.file_name().unwrap_or_default();
                own.to_string_lossy().into_owned()
            });
            let list = context
                .with_engine(Need::Create, async |engine| {
                    engine.attach_collection(&name, &absolute(&folder)).await?;
                    all(engine).await
                })
                .await?;
            output.result(&list, |_| {
                format!("Attached “{}”. It is read, never changed.", one_line(&name))
            })?;
        }
        Some(CollectionsAction::Rename { from, to }) => {
            let list = context
                .with_engine(Need::Change, async |engine| {
                    check_name(&from, &engine.collections().await?)?;
                    engine.rename_collection(&from, &to).await?;
                    all(engine).await
                })
                .await?;
            output.result(&list, |_| format!("“{}” is now “{}”.", one_line(&from), one_line(&to)))?;
        }
        Some(CollectionsAction::Remove { name, yes }) => {
            let list = context
                .with_engine(Need::Change, async |engine| {
                    let known = engine.collections().await?;
                    check_name(&name, &known)?;
                    let own = known.iter().find(|one| one.name == name && one.location.is_none());
                    let documents = own.map_or(0, |one| one.documents);
                    if documents > 0 && !yes && !output.is_json() {
                        confirm(&name, documents)?;
                    }
                    engine.remove_collection(&name).await?;
                    all(engine).await
                })
                .await?;
            output.result(&list, |_| format!("Removed “{}”.", one_line(&name)))?;
        }
    }
    Ok(Ending::Done)
}

async fn list(context: &Context, output: &Output) -> Result<()> {
    let list = if context.is_missing() {
        Collections {
            collections: Vec::new(),
        }
    } else {
        context
            .with_engine(Need::Read, async |engine| all(engine).await)
            .await?
    };
    if list.collections.is_empty() {
        output.note("No collections yet. `recto add PATH` makes the first one.");
    }
    output.result(&list, |view| human::collections(&list, view))
}

async fn all(engine: &Engine) -> Result<Collections> {
    Ok(Collections {
        collections: engine.collections().await?,
    })
}

/// Asks a person at a terminal. A script has said what it wants.
fn confirm(name: &str, documents: u32) -> Result<()> {
    let mut stderr = std::io::stderr();
    if !std::io::stdin().is_terminal() || !stderr.is_terminal() {
        return Ok(());
    }
    let noun = if documents == 1 { "document" } else { "documents" };
    drop(write!(
        stderr,
        "Remove “{}” with its {documents} {noun}? [y/N] ",
        one_line(name)
    ));
    drop(stderr.flush());
    let mut line = String::new();
    let is_read = std::io::stdin().lock().read_line(&mut line).is_ok();
    if is_read && matches!(line.trim().to_lowercase().as_str(), "y" | "yes") {
        return Ok(());
    }
    Err(Failure::Failed(Error::new(
        ErrorCode::Cancelled,
        "Nothing was removed.",
    )))
}
