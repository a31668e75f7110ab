//! What `auto` does.

use crate::documents::{self, Loaded};
use crate::request::{AnswerContext, AnswerRequest};
use crate::{budget, summary};
use recto_core::{Result, Strategy};

/// Most documents whose outlines are read without being asked for.
const FEW: usize = 5;
/// Tokens of context that reading outlines takes.
const CONTEXT: u32 = 8_192;

/// How a question is answered.
pub(crate) enum Course {
    /// By a strategy.
    Strategy(Strategy),
    /// From a short document given whole.
    Whole(Box<Loaded>),
    /// By notes on every part.
    Summary,
}

impl Course {
    /// The strategy it is told as.
    pub(crate) fn strategy(&self) -> Strategy {
        match self {
            Self::Strategy(strategy) => *strategy,
            Self::Whole(_) => Strategy::Passages,
            Self::Summary => Strategy::Outline,
        }
    }
}

/// Decides: without a model `quotes`; a summary where one is asked for of few documents; a single short document whole; few
/// documents with outlines, where the model is known to have room, by `outline`; else `passages`. A strategy that was
/// chosen stands.
pub(crate) async fn course(context: &AnswerContext, request: &AnswerRequest) -> Result<Course> {
    let options = &request.options;
    let Some(model) = &context.model else {
        return Ok(Course::Strategy(match request.strategy {
            Strategy::Auto => Strategy::Quotes,
            chosen => chosen,
        }));
    };
    let summarise = summary::is_asked_for(&request.question);
    match request.strategy {
        Strategy::Auto => {}
        Strategy::Outline if summarise && !options.per_document => return Ok(Course::Summary),
        chosen => return Ok(Course::Strategy(chosen)),
    }
    let documents = documents::in_scope(context, &request.scope.filter);
    if documents.is_empty() || documents.len() > FEW {
        return Ok(Course::Strategy(Strategy::Passages));
    }
    if summarise {
        return Ok(Course::Summary);
    }
    let limits = model.limits();
    let mut loaded = Vec::new();
    for document in documents {
        loaded.push(documents::load(context, document).await?);
    }
    if let [only] = loaded.as_slice() {
        let tokens: usize = only.items.iter().map(|item| budget::tokens(context, &item.text)).sum();
        let short = budget::whole_document(options, limits).is_some_and(|most| tokens <= most);
        if short && let Some(only) = loaded.pop() {
            return Ok(Course::Whole(Box::new(only)));
        }
    }
    let roomy = limits.context_tokens.is_some_and(|tokens| tokens >= CONTEXT);
    let outlined = loaded.iter().all(|document| document.outline.sections.len() > 1);
    Ok(Course::Strategy(if roomy && outlined {
        Strategy::Outline
    } else {
        Strategy::Passages
    }))
}
