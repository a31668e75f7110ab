//! `doctor`: whether the library is in order.

use crate::context::{Context, Need};
use crate::failure::{Ending, Result};
use crate::output::{Output, human};

pub(crate) async fn run(context: &Context, output: &Output) -> Result<Ending> {
    let report = context
        .with_engine(Need::Look, async |engine| Ok(engine.doctor().await?))
        .await?;
    output.result(&report, |view| human::doctor(&report, view))?;
    Ok(if report.ok { Ending::Done } else { Ending::Unsuccessful })
}
