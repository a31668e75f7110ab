//! How much a model is given to read.

use crate::request::{AnswerContext, AnswerOptions};
use recto_core::ModelLimits;

/// The context taken for a model that does not say how much it has, in tokens.
const ASSUMED_CONTEXT: usize = 8_192;
/// Tokens of instructions, question and fences around the evidence.
const AROUND: usize = 700;
/// Other models count up to so much more than our own count, in percent.
const MARGIN: usize = 120;

/// Tokens of `text`, by the counter where there is one.
pub(crate) fn tokens(context: &AnswerContext, text: &str) -> usize {
    match &context.counter {
        Some(counter) => counter.count(text),
        None => text.len().div_ceil(4),
    }
}

fn context_tokens(limits: ModelLimits) -> usize {
    limits
        .context_tokens
        .and_then(|tokens| usize::try_from(tokens).ok())
        .unwrap_or(ASSUMED_CONTEXT)
}

fn reply(options: &AnswerOptions) -> usize {
    options
        .max_tokens
        .and_then(|tokens| usize::try_from(tokens).ok())
        .unwrap_or(1_024)
}

/// Most tokens of passages for one generation.
pub(crate) fn evidence(options: &AnswerOptions, limits: ModelLimits) -> usize {
    options.evidence_tokens.min(room(options, limits)).max(1)
}

fn room(options: &AnswerOptions, limits: ModelLimits) -> usize {
    context_tokens(limits).saturating_sub(reply(options) + AROUND) * 100 / MARGIN
}

/// Most tokens of evidence for one generation over the full text of sections or pages.
pub(crate) fn content(options: &AnswerOptions, limits: ModelLimits) -> usize {
    let wanted = match limits.context_tokens {
        Some(_) => options.content_tokens,
        // A model that does not say what it takes is given little.
        None => options.content_tokens.min(options.evidence_tokens.max(1)),
    };
    wanted.min(room(options, limits)).max(1)
}

/// Most tokens of an outline in one call.
pub(crate) fn outline(options: &AnswerOptions, limits: ModelLimits) -> usize {
    options
        .outline_tokens
        .min(context_tokens(limits).saturating_sub(AROUND) / 2)
        .max(1)
}

/// A document of at most so many tokens is given whole; `None` where none is.
pub(crate) fn whole_document(options: &AnswerOptions, limits: ModelLimits) -> Option<usize> {
    let wanted = usize::try_from(options.whole_document_tokens).ok()?;
    let half = (context_tokens(limits) / 2).saturating_sub(AROUND);
    Some(wanted.min(half))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(context_tokens: Option<u32>) -> ModelLimits {
        ModelLimits {
            context_tokens,
            ..ModelLimits::default()
        }
    }

    #[test]
    fn the_threshold_of_whole_documents_is_the_setting_or_half_the_context() {
        let mut options = AnswerOptions::default();
        assert_eq!(
            whole_document(&options, limits(Some(128_000))),
            Some(12_000),
            "the default"
        );
        assert_eq!(whole_document(&options, limits(Some(8_192))), Some(4_096 - AROUND));
        options.whole_document_tokens = -1;
        assert_eq!(whole_document(&options, limits(Some(128_000))), None, "switched off");
    }

    #[test]
    fn evidence_leaves_room_for_the_reply() {
        let options = AnswerOptions::default();
        assert_eq!(content(&options, limits(Some(128_000))), options.content_tokens);
        assert!(content(&options, limits(Some(4_096))) + reply(&options) + AROUND <= 4_096);
        assert_eq!(content(&options, limits(None)), options.evidence_tokens);
        assert_eq!(content(&options, limits(Some(100))), 1, "something is always read");
        assert_eq!(evidence(&options, limits(Some(128_000))), options.evidence_tokens);
        assert!(evidence(&options, limits(Some(4_096))) + reply(&options) + AROUND <= 4_096);
    }
}
