//! `show`: all that is known about a document.

use crate::context::{Context, Need};
use crate::failure::{Ending, Result};
use crate::output::{Output, human};

pub(crate) async fn run(context: &Context, output: &Output, document: &str) -> Result<Ending> {
    let shown = context
        .with_engine(Need::Read, async |engine| {
            Ok(engine.show(context.selected(), document).await?)
        })
        .await?;
    output.result(&shown, |view| human::document(&shown, view))?;
    Ok(Ending::Done)
}
