//! How an answer is told while it is made: as text, as one event per line, or not before it is complete.

use crate::failure::{Failure, Result};
use crate::output::Output;
use crate::output::terminal::block;
use indicatif::{ProgressBar, ProgressStyle};
use recto_engine::contract::{Answer, AskEvent};
use std::io::IsTerminal;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// Follows the events of one answer.
pub(crate) struct Teller<'a> {
    output: &'a Output,
    how: How,
    /// Cancelled when nobody reads what is told any more.
    cancel: CancellationToken,
    failure: Option<Failure>,
}

enum How {
    /// Every event as a line of JSON.
    Events,
    /// The text as it comes.
    Text {
        /// What is being done until then; only on a terminal.
        spinner: Option<ProgressBar>,
        /// The last character printed, once one was.
        last: Option<char>,
    },
    /// Nothing: the whole answer is printed at the end.
    Silently,
}

impl<'a> Teller<'a> {
    /// `as_events` asks for a line per event; it goes with JSON.
    pub(crate) fn new(output: &'a Output, as_events: bool, cancel: CancellationToken) -> Self {
        let how = match (output.is_json(), as_events) {
            (true, true) => How::Events,
            (true, false) => How::Silently,
            (false, _) => How::Text {
                spinner: std::io::stderr().is_terminal().then(spinner),
                last: None,
            },
        };
        Self {
            output,
            how,
            cancel,
            failure: None,
        }
    }

    /// Tells one event. Where standard output is gone the answer is stopped: nobody would read it.
    pub(crate) fn tell(&mut self, event: &AskEvent) {
        if self.failure.is_some() {
            return;
        }
        if let Err(failure) = self.try_tell(event) {
            self.failure = Some(failure);
            self.cancel.cancel();
        }
    }

    fn try_tell(&mut self, event: &AskEvent) -> Result<()> {
        match (&mut self.how, event) {
            (How::Events, event) => self.output.json_line(event),
            (How::Text { spinner, .. }, AskEvent::Stage { name, done, total }) => {
                if let Some(spinner) = spinner {
                    spinner.set_message(stage(name, *done, *total));
                }
                Ok(())
            }
            (How::Text { spinner, last }, AskEvent::Text { delta }) => {
                let text = block(delta);
                let Some(end) = text.chars().next_back() else {
                    return Ok(());
                };
                if let Some(spinner) = spinner.take() {
                    spinner.finish_and_clear();
                }
                *last = Some(end);
                self.output.raw(text.as_bytes())
            }
            _ => Ok(()),
        }
    }

    /// Ends the telling: the text is complete on the screen, with a blank line below it.
    ///
    /// # Errors
    /// What went wrong with standard output while events came in, or now.
    pub(crate) fn end(mut self, answer: Option<&Answer>) -> Result<()> {
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        let How::Text { spinner, last } = self.how else {
            return Ok(());
        };
        if let Some(spinner) = spinner {
            spinner.finish_and_clear();
        }
        match (last, answer) {
            // A strategy without streaming, or a refusal: the text is in the answer alone.
            (None, Some(answer)) if !answer.text.trim().is_empty() => {
                self.output.line(&format!("{}\n", block(answer.text.trim_end())))
            }
            (None, _) => Ok(()),
            (Some('\n'), _) => self.output.line(""),
            (Some(_), _) => self.output.line("\n"),
        }
    }
}

fn spinner() -> ProgressBar {
    let spinner = ProgressBar::new_spinner();
    if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}") {
        spinner.set_style(style);
    }
    spinner.set_message("Searching");
    spinner.enable_steady_tick(Duration::from_millis(120));
    spinner
}

/// `search 3/12` in words.
fn stage(name: &str, done: u32, total: u32) -> String {
    let words = match name {
        "search" => "Searching",
        "understand" => "Reading the question",
        "navigate" => "Choosing sections",
        "read" => "Reading",
        "judge" => "Judging pages",
        "generate" => "Writing the answer",
        "verify" => "Checking the quotes",
        other => other,
    };
    if total > 1 {
        format!("{words} {done}/{total}")
    } else {
        words.to_owned()
    }
}
