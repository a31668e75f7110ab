//! What a question is asked with.

use crate::Numbering;
use recto_core::{AnswerId, ChatModel, Coverage, Embedder, QuoteLocator, Scope, Strategy, TokenCounter};
use recto_retrieval::{Lexicon, OpenSource};
use std::sync::Arc;
use std::time::Duration;

/// What answering stands on.
#[derive(Clone)]
pub struct AnswerContext {
    /// The collections of the scope, each with the snapshot this question uses.
    pub sources: Vec<OpenSource>,
    /// What the words of the question mean.
    pub lexicon: Arc<Lexicon>,
    /// Where there is none, words alone are searched and compared.
    pub embedder: Option<Arc<dyn Embedder>>,
    /// Finds quotes on pages.
    pub locator: Arc<dyn QuoteLocator>,
    /// The chat model, where one is configured.
    pub model: Option<Arc<dyn ChatModel>>,
    /// Counts tokens of the evidence; where there is none, four bytes are taken for a token.
    pub counter: Option<Arc<dyn TokenCounter>>,
}

/// A question.
#[derive(Debug, Clone)]
pub struct AnswerRequest {
    /// The id its events belong to.
    pub answer_id: AnswerId,
    /// The person's words.
    pub question: String,
    /// How to answer.
    pub strategy: Strategy,
    /// Which documents. Collections are already chosen in [`AnswerContext::sources`]; the filter is applied here.
    pub scope: Scope,
    /// What of the scope can be searched; documents with matches are counted here.
    pub coverage: Coverage,
    /// The numbers evidence has in this conversation.
    pub numbering: Numbering,
    /// Limits.
    pub options: AnswerOptions,
}

/// Limits of one answer.
#[derive(Debug, Clone, Copy)]
pub struct AnswerOptions {
    /// Time for the whole question.
    pub deadline: Duration,
    /// Most passages retrieved for `quotes`.
    pub quote_passages: usize,
    /// Most quotes shown.
    pub quotes: usize,
    /// Most passages given to a model.
    pub passages: usize,
    /// Most characters of each of them.
    pub passage_chars: usize,
    /// Most tokens of evidence given to a model.
    pub evidence_tokens: usize,
    /// Most tokens a model may generate; `None` leaves it to the provider.
    pub max_tokens: Option<u32>,
    /// 0 gives the likeliest words.
    pub temperature: f32,
}

impl Default for AnswerOptions {
    fn default() -> Self {
        Self {
            deadline: Duration::from_secs(300),
            quote_passages: 20,
            quotes: 6,
            passages: 10,
            passage_chars: 1_600,
            evidence_tokens: 3_000,
            max_tokens: Some(1_024),
            temperature: 0.0,
        }
    }
}
