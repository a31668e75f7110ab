//! The two streams: results on standard output, everything else on standard error.

pub(crate) mod evaluation;
pub(crate) mod human;
pub(crate) mod json;
pub(crate) mod outlines;
pub(crate) mod progress;
pub(crate) mod teller;
pub(crate) mod terminal;
pub(crate) mod traces;

use crate::failure::{Failure, Result};
use recto_core::{Error, ErrorCode};
use recto_engine::contract::ApiError;
use serde::Serialize;
use std::io::{IsTerminal, Write};
use std::process::ExitCode;
use terminal::View;

/// How a command speaks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Output {
    json: bool,
    verbose: bool,
    view: View,
}

impl Output {
    pub(crate) fn new(json: bool, verbose: bool) -> Self {
        Self {
            json,
            verbose,
            view: View::of_stdout(),
        }
    }

    /// Whether JSON was asked for.
    pub(crate) fn is_json(&self) -> bool {
        self.json
    }

    /// How human output is laid out.
    pub(crate) fn view(&self) -> View {
        self.view
    }

    /// Prints the result: as JSON where that was asked for, else as `human` words it.
    pub(crate) fn result<T: Serialize>(&self, value: &T, human: impl FnOnce(View) -> String) -> Result<()> {
        if self.json {
            return self.json_object(value);
        }
        let text = human(self.view);
        if text.is_empty() {
            return Ok(());
        }
        self.line(&text)
    }

    /// Prints one JSON object: in lines on a terminal, in one line elsewhere.
    pub(crate) fn json_object(&self, value: &impl Serialize) -> Result<()> {
        self.line(&json::text(value, self.view.width.is_some())?)
    }

    /// Prints one JSON object in one line, as a stream needs it.
    pub(crate) fn json_line(&self, value: &impl Serialize) -> Result<()> {
        self.line(&json::text(value, false)?)
    }

    /// Prints `text` and a line break.
    pub(crate) fn line(&self, text: &str) -> Result<()> {
        let mut stdout = std::io::stdout().lock();
        stdout.write_all(text.as_bytes())?;
        stdout.write_all(b"\n")?;
        stdout.flush()?;
        Ok(())
    }

    /// Prints `text` as it is, at once.
    pub(crate) fn raw(&self, bytes: &[u8]) -> Result<()> {
        let mut stdout = std::io::stdout().lock();
        stdout.write_all(bytes)?;
        stdout.flush()?;
        Ok(())
    }

    /// Tells the person something that is no result. Nothing under `--json`, where standard error is for errors.
    pub(crate) fn note(&self, text: &str) {
        if !self.json {
            to_stderr(text);
        }
    }

    /// Reports why a command failed and says with which status to exit.
    pub(crate) fn failure(&self, failure: &Failure) -> ExitCode {
        match failure {
            Failure::PipeClosed => ExitCode::SUCCESS,
            Failure::Usage(message) => {
                self.error(&Error::new(ErrorCode::InvalidArgument, message.clone()).into());
                ExitCode::from(2)
            }
            Failure::Failed(error) => {
                self.error(&error.clone().into());
                ExitCode::from(1)
            }
        }
    }

    /// Reports an error on standard error.
    pub(crate) fn error(&self, error: &ApiError) {
        if self.json {
            let report = json::ErrorReport { error: error.clone() };
            match json::text(&report, false) {
                Ok(line) => to_stderr(&line),
                Err(_) => to_stderr(&error.message),
            }
            return;
        }
        let code = if self.verbose {
            format!(" [{}]", error.code)
        } else {
            String::new()
        };
        let label = if self.view.colour && std::io::stderr().is_terminal() {
            self.view.red("recto:")
        } else {
            "recto:".to_owned()
        };
        to_stderr(&format!("{label} {}{code}", terminal::block(&error.message)));
    }
}

/// Writes a line to standard error; one that is closed has no reader to miss it.
pub(crate) fn to_stderr(text: &str) {
    drop(writeln!(std::io::stderr().lock(), "{text}"));
}
