//! From a question to a cited answer.
//!
//! [`answer`] runs one question: it searches, picks or generates an answer, resolves every citation to the words it stands
//! on, checks figures, and reports each step as an [`recto_core::AnswerEvent`], the last of which is the only terminal one.
//!
//! - `quotes`: without a model, the sentences and rows that bear on the question, verbatim.
//! - `passages`: one generation over numbered evidence; its markers are read by [`markers`].
//! - [`numbers`]: figures looked up in the evidence they are cited to.
//!
//! The crate stores nothing and knows collections, models and pages only through the traits of `recto-core`.

mod cells;
mod citations;
pub mod markers;
mod numbering;
pub mod numbers;
mod passages;
mod prompt;
mod quotes;
mod request;
mod run;
mod score;
mod support;
mod units;

pub use numbering::Numbering;
pub use request::{AnswerContext, AnswerOptions, AnswerRequest};
pub use run::answer;
