//! `list`: the documents and where each stands.

use crate::context::{Context, Need};
use crate::failure::{Ending, Result};
use crate::output::{Output, human};
use recto_engine::contract::DocumentList;

pub(crate) async fn run(context: &Context, output: &Output) -> Result<Ending> {
    let list = if context.is_missing() {
        DocumentList::default()
    } else {
        context
            .with_engine(Need::Read, async |engine| Ok(engine.list(context.selected()).await?))
            .await?
    };
    if list.documents.is_empty() {
        output.note("No documents yet. Add some: recto add PATH");
    }
    output.result(&list, |view| human::document_list(&list, view))?;
    Ok(Ending::Done)
}
