//! `outline` and `section`: what parts a document has, and the text of one of them.

use crate::context::{Context, Need};
use crate::failure::{Ending, Result};
use crate::output::{Output, outlines};

pub(crate) async fn run(context: &Context, output: &Output, document: &str) -> Result<Ending> {
    let outline = context
        .with_engine(Need::Read, async |engine| {
            Ok(engine.outline(context.selected(), document).await?)
        })
        .await?;
    output.result(&outline, |view| outlines::outline(&outline, view))?;
    Ok(Ending::Done)
}

pub(crate) async fn section(context: &Context, output: &Output, document: &str, number: u32) -> Result<Ending> {
    let section = context
        .with_engine(Need::Read, async |engine| {
            Ok(engine.section(context.selected(), document, number).await?)
        })
        .await?;
    output.result(&section, |view| outlines::section(&section, view))?;
    Ok(Ending::Done)
}
