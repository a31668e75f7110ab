//! The command line `recto`: arguments in, one engine call, text or JSON out.
//!
//! Results go to standard output and nothing else does; progress, notes and errors go to standard error. Exit status 0
//! means done, 1 failed, 2 not understood.

mod args;
mod commands;
mod context;
mod failure;
mod output;

use args::Cli;
use clap::Parser;
use context::Context;
use failure::{Ending, Failure};
use output::Output;
use std::ffi::OsString;
use std::process::ExitCode;
use std::time::Duration;
use tracing_subscriber::EnvFilter;

/// How long blocking work may take to end after the command is done.
const RUNTIME_SHUTDOWN: Duration = Duration::from_secs(2);

fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    let cli = match Cli::try_parse_from(&arguments) {
        Ok(cli) => cli,
        Err(error) => return report_usage(&error, &arguments),
    };
    start_log(cli.global.verbose);
    // Two providers may be linked in; the first connection would then not know which to take.
    drop(rustls::crypto::ring::default_provider().install_default());

    let output = Output::new(cli.global.json, cli.global.verbose > 0);
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return output.failure(&Failure::internal(format!("Cannot start the runtime: {error}."))),
    };
    let context = Context::new(cli.global);
    let ending = runtime.block_on(commands::run(&context, &output, cli.command));
    runtime.shutdown_timeout(RUNTIME_SHUTDOWN);
    match ending {
        Ok(Ending::Done) => ExitCode::SUCCESS,
        Ok(Ending::Unsuccessful) => ExitCode::from(1),
        Err(failure) => output.failure(&failure),
    }
}

/// Prints what clap found wrong (or the help that was asked for), as JSON where JSON was asked for.
fn report_usage(error: &clap::Error, arguments: &[OsString]) -> ExitCode {
    let json = arguments
        .iter()
        .take_while(|argument| *argument != "--")
        .any(|argument| argument == "--json");
    if json && error.use_stderr() {
        let rendered = error.to_string();
        // What follows the first paragraph is the usage line, for people.
        let message = rendered.strip_prefix("error: ").unwrap_or(&rendered);
        let message = message.split("\n\n").next().unwrap_or(message).trim_end();
        return Output::new(true, false).failure(&Failure::Usage(message.to_owned()));
    }
    // A closed pipe while help is printed is nobody's fault.
    drop(error.print());
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
}

/// Sends the log to standard error: nothing by default, more with each `-v`, or what `RECTO_LOG` says.
fn start_log(verbose: u8) {
    let level = match verbose {
        0 => "off",
        1 => "warn",
        2 => "info",
        _ => "debug",
    };
    let filter = std::env::var("RECTO_LOG")
        .ok()
        .and_then(|text| EnvFilter::try_new(text).ok());
    tracing_subscriber::fmt()
        .with_env_filter(filter.unwrap_or_else(|| EnvFilter::new(level)))
        .with_writer(std::io::stderr)
        .with_target(verbose > 2)
        .init();
}
