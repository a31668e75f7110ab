//! `models`: which models are used and where questions go.

use crate::context::{Context, Need};
use crate::failure::{Ending, Result};
use crate::output::{Output, human};

pub(crate) async fn run(context: &Context, output: &Output, probe: bool) -> Result<Ending> {
    let status = context
        .with_engine(Need::Look, async |engine| Ok(engine.models(probe).await))
        .await?;
    output.result(&status, |view| human::models(&status, view))?;
    Ok(Ending::Done)
}
