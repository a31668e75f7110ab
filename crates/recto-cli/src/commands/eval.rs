//! `eval`: a set of questions with known answers, and how many come out right.

use crate::args::Eval;
use crate::commands::interrupt;
use crate::context::{Context, Need};
use crate::failure::{Ending, Result};
use crate::output::{Output, evaluation};
use recto_eval::{Evaluation, EvaluationOptions, QuestionSet};
use std::sync::Arc;

pub(crate) async fn run(context: &Context, output: &Output, arguments: Eval) -> Result<Ending> {
    let set = QuestionSet::read(&arguments.set)?;
    let questions = set.cases.len();
    let options = EvaluationOptions {
        strategy: arguments.strategy.into(),
        model: arguments.model,
        limits: arguments.limits.into(),
        given: arguments.given,
        collections: context.selected().map(<[String]>::to_vec),
    };
    // Questions of a set are nobody's conversation, so the library is only read.
    context
        .with_engine(Need::Read, async |engine| {
            let evaluation = Evaluation::open(Arc::clone(engine), set, options, &arguments.out).await?;
            if evaluation.done() > 0 {
                output.note(&format!("{} of {questions} were done before.", evaluation.done()));
            }
            let cancel = interrupt::token();
            let report = evaluation
                .run(&cancel, &mut |outcome, done| {
                    output.note(&evaluation::line(outcome, done, questions));
                })
                .await?;
            output.result(&report, |_| evaluation::report(&report))?;
            Ok(Ending::Done)
        })
        .await
}
