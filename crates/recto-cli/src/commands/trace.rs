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
