//! One file per command. A command reads its arguments, calls the engine once or twice and prints.

mod add;
mod ask;
mod collections;
mod convert;
mod delete;
mod doctor;
mod eval;
mod interrupt;
mod list;
mod locate;
mod models;
mod outline;
mod page;
mod page_pictures;
mod queue;
mod scope;
mod search;
mod show;
mod target;
mod trace;

use crate::args::Command;
use crate::context::Context;
use crate::failure::{Ending, Result};
use crate::output::Output;

/// Does what was asked.
pub(crate) async fn run(context: &Context, output: &Output, command: Command) -> Result<Ending> {
    match command {
        Command::Add(arguments) => add::run(context, output, arguments).await,
        Command::List => list::run(context, output).await,
        Command::Show { document } => show::run(context, output, &document).await,
        Command::Outline { document } => outline::run(context, output, &document).await,
        Command::Section { document, number } => outline::section(context, output, &document, number).await,
        Command::Delete { documents } => delete::run(context, output, &documents).await,
        Command::Search(arguments) => search::run(context, output, arguments).await,
        Command::Ask(arguments) => ask::run(context, output, arguments).await,
        Command::Eval(arguments) => eval::run(context, output, arguments).await,
        Command::Trace { answer, replay: true } => trace::replay(context, output, &answer).await,
        Command::Trace { answer, replay: false } => trace::run(context, output, &answer).await,
        Command::Page(arguments) => page::run(context, output, arguments).await,
        Command::Locate(arguments) => locate::run(context, output, arguments).await,
        Command::Convert(arguments) => convert::run(output, arguments).await,
        Command::Collections { action } => collections::run(context, output, action).await,
        Command::Models { no_probe, action } => models::run(context, output, !no_probe, action).await,
        Command::Doctor => doctor::run(context, output).await,
        Command::Queue { action } => queue::run(context, output, action).await,
    }
}
