//! `locate`: where the words of a quote are.

use crate::args::Locate;
use crate::commands::target::{self, Target};
use crate::context::{Context, Need};
use crate::failure::{Ending, Result};
use crate::output::{Output, human};
use recto_engine::FileTools;

pub(crate) async fn run(context: &Context, output: &Output, arguments: Locate) -> Result<Ending> {
    let Locate { quote, page, .. } = &arguments;
    let report = match target::read(&arguments.document)? {
        Target::File(path) => {
            let password = target::password(arguments.password_stdin)?;
            FileTools::new()?
                .locate(&path, password.as_deref(), quote, *page)
                .await?
        }
        Target::Document(id) => {
            target::no_password(arguments.password_stdin)?;
            context
                .with_engine(Need::Read, async |engine| {
                    Ok(engine.locate(context.selected(), &id, quote, *page).await?)
                })
                .await?
        }
    };
    output.result(&report, |view| human::locate_report(&report, view))?;
    Ok(Ending::Done)
}
