//! From a question to a cited answer.
//!
//! [`answer`] runs one question: it searches, picks or generates an answer, resolves every citation to the words it stands
//! on, checks figures, and reports each step as an [`recto_core::AnswerEvent`], the last of which is the only terminal one.
//!
//! - `quotes`: without a model, the sentences and rows that bear on the question, verbatim.
//! - `passages`: one generation over numbered evidence; its markers are read by [`markers`].
//! - `outline`: a model names the relevant sections of each document's outline; one generation over their full text.
//! - `walk`: a model reads its way through each document; the answers are put together.
//! - `judge`: a model rates sections and pages; one generation over those that hold the answer.
//! - `agent`: a model searches and reads with tools.
//! - `auto`: chooses by model, question and scope; gives a short document whole, and summarises by notes on every part.
//! - [`numbers`]: figures looked up in the evidence they are cited to.
//!
//! Every call of a model goes one way ([`Recorder`] keeps what was asked and replied), all evidence is numbered, cited and
//! checked by one path, and [`replay`] makes an answer again from what was kept.
//!
//! The crate stores nothing and knows collections, models and pages only through the traits of `recto-core`.

mod agent;
mod auto;
mod budget;
mod calls;
mod cells;
mod citations;
mod document_units;
mod documents;
mod follow_up;
mod generate;
mod json;
mod judge;
pub mod markers;
mod numbering;
pub mod numbers;
mod outline;
mod passages;
mod prompt;
mod quotes;
mod replay;
mod request;
mod run;
mod score;
mod statements;
mod summary;
mod support;
mod synthesis;
mod units;
mod walk;
mod whole;

pub use calls::Recorder;
pub use follow_up::Turn;
pub use numbering::Numbering;
pub use replay::{ReplayModel, replay};
pub use request::{AnswerContext, AnswerOptions, AnswerRequest, AskedModel, Stage};
pub use run::{answer, answer_recorded};
