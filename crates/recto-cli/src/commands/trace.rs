//! `trace`: what a model saw and said while an answer was made.

use crate::context::{Context, Need};
use crate::failure::{Ending, Result};
use crate::output::{Output, traces};

pub(crate) async fn run(context: &Context, output: &Output, answer: &str) -> Result<Ending> {
    let trace = context
        .with_engine(Need::Read, async |engine| Ok(engine.trace(answer).await?))
        .await?;
    output.result(&trace, |view| traces::trace(&trace, view))?;
    Ok(Ending::Done)
}

/// Makes the answer again from what was kept of it, and says whether it is the same.
pub(crate) async fn replay(context: &Context, output: &Output, answer: &str) -> Result<Ending> {
    let replayed = context
        .with_engine(Need::Read, async |engine| Ok(engine.replay(answer).await?))
        .await?;
    output.result(&replayed, |view| traces::replay(&replayed, view))?;
    Ok(if replayed.differing.is_empty() {
        Ending::Done
    } else {
        Ending::Unsuccessful
    })
}
