//! Measuring answers on a set of questions whose answers are known.
//!
//! A [`QuestionSet`] says of each question which documents and pages answer it, what the answer is, or that there is none.
//! [`Evaluation::run`] puts the questions to a library one after the other and keeps each outcome in a file as soon as it
//! is there, so that a run that was stopped goes on where it was. [`Report::of`] makes figures of the outcomes.
//!
//! The format is documented in `docs/evaluation.md`.

mod amounts;
mod outcome;
mod report;
mod run;
mod set;

pub use outcome::{CitedPage, Outcome, PageAt};
pub use report::{Numbers, Pages, Refusals, Report, Share, Times};
pub use run::{Evaluation, EvaluationOptions};
pub use set::{Case, GoldPage, QuestionSet};
