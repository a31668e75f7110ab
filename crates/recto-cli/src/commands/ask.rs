//! `ask`: a question, its answer as it comes, and the citations that prove it.

use crate::args::{Ask, Limits, Strategy};
use crate::commands::{interrupt, page_pictures, scope};
use crate::context::{Context, Need};
use crate::failure::{Ending, Failure, Result};
use crate::output::json::PageFile;
use crate::output::teller::Teller;
use crate::output::{Output, human, to_stderr, traces};
use recto_core::{Error, ErrorCode};
use recto_engine::contract::{self, Answer, AnswerStatus, AnswerTrace, ApiError, AskRequest};
use serde::Serialize;

/// The answer with what was asked for beside it.
#[derive(Debug, Serialize)]
struct Told<'a> {
    #[serde(flatten)]
    answer: &'a Answer,
    /// The pictures, in the order of their citations.
    #[serde(skip_serializing_if = "Option::is_none")]
    page_files: Option<&'a [PageFile]>,
    /// How it came about.
    #[serde(skip_serializing_if = "Option::is_none")]
    trace: Option<&'a AnswerTrace>,
}

/// How the answer came about, as the last line of a stream.
#[derive(Debug, Serialize)]
struct TraceLine<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    trace: &'a AnswerTrace,
}

pub(crate) async fn run(context: &Context, output: &Output, arguments: Ask) -> Result<Ending> {
    if arguments.stream && !output.is_json() {
        return Err(Failure::Usage(
            "--stream goes with --json; without it the text streams anyway.".to_owned(),
        ));
    }
    scope::without_documents(context, &arguments.filters)?;
    let limits = arguments.limits.into();
    context
        .with_engine(Need::Answer, async |engine| {
            let request = AskRequest {
                question: arguments.question,
                strategy: arguments.strategy.into(),
                model: arguments.model,
                scope: scope::read(context, engine, &arguments.filters).await?,
                conversation_id: arguments.conversation,
                limits,
            };
            let cancel = interrupt::token();
            let mut teller = Teller::new(output, arguments.stream, cancel.clone());
            let answered = engine.ask(request, cancel, &mut |event| teller.tell(&event)).await;
            teller.end(answered.as_ref().ok())?;
            let answer = answered?;

            let (files, failure) = match &arguments.pages {
                Some(folder) => page_pictures::write(engine, &answer, folder, output).await,
                None => (Vec::new(), None),
            };
            let trace = match (&answer.answer_id, arguments.trace) {
                (Some(id), true) => Some(engine.trace(id).await?),
                _ => None,
            };
            if arguments.stream {
                for path in files.iter().filter_map(|file| file.path.as_deref()) {
                    to_stderr(path);
                }
                if let Some(trace) = &trace {
                    output.json_line(&TraceLine { kind: "trace", trace })?;
                }
            } else {
                let page_files = arguments.pages.is_some().then_some(files.as_slice());
                print(output, &answer, page_files, trace.as_ref())?;
            }
            if answer.answer_id.is_none() && engine.is_read_only() {
                output.note("The answer was not kept: the library is open for reading only.");
            }
            failure.map_or_else(|| Ok(ending(output, &answer)), Err)
        })
        .await
}

/// Prints the answer as one object, or what follows its text.
fn print(output: &Output, answer: &Answer, page_files: Option<&[PageFile]>, trace: Option<&AnswerTrace>) -> Result<()> {
    if output.is_json() {
        return output.json_object(&Told {
            answer,
            page_files,
            trace,
        });
    }
    // Nothing was searched when it failed at the start, and a line about it would say nothing true.
    if answer.status != AnswerStatus::Failed || !answer.evidence.is_empty() {
        output.line(&human::answer_foot(answer, output.view()))?;
    }
    if let Some(files) = page_files.filter(|files| !files.is_empty()) {
        output.line(&format!("\n{}", human::page_files(files, output.view())))?;
    }
    match trace {
        Some(trace) => output.line(&format!("\n{}", traces::trace(trace, output.view()))),
        None => Ok(()),
    }
}

/// The exit status, and the error behind it: a refusal is an answer, a stopped or failed one is not.
fn ending(output: &Output, answer: &Answer) -> Ending {
    match answer.status {
        AnswerStatus::Answered | AnswerStatus::Refused => Ending::Done,
        AnswerStatus::Failed => {
            let unknown = || ApiError::from(Error::internal("The answer could not be made."));
            output.error(&answer.error.clone().unwrap_or_else(unknown));
            Ending::Unsuccessful
        }
        AnswerStatus::Cancelled => {
            let message = "Stopped. What was shown is kept and marked as stopped.";
            output.error(&Error::new(ErrorCode::Cancelled, message).into());
            Ending::Unsuccessful
        }
    }
}

impl From<Limits> for contract::AskLimits {
    fn from(limits: Limits) -> Self {
        Self {
            documents: limits.max_docs,
            sections: limits.max_sections,
            depth: limits.max_depth,
            evidence_tokens: limits.evidence_tokens,
            seconds: limits.seconds,
            per_document: limits.per_document,
            constrained: limits.constrained,
        }
    }
}

impl From<Strategy> for contract::Strategy {
    fn from(strategy: Strategy) -> Self {
        match strategy {
            Strategy::Auto => Self::Auto,
            Strategy::Quotes => Self::Quotes,
            Strategy::Passages => Self::Passages,
            Strategy::Outline => Self::Outline,
            Strategy::Walk => Self::Walk,
            Strategy::Judge => Self::Judge,
            Strategy::Agent => Self::Agent,
        }
    }
}
