//! What a question is asked with.

use crate::prompt::Naming;
use crate::{Numbering, Turn};
use recto_core::{
    AnswerId, ChatModel, Coverage, Embedder, ModelLimits, QuoteLocator, Reranker, Scope, Strategy, TokenCounter,
};
use recto_retrieval::{Lexicon, OpenSource, SearchOptions};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
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
    /// Models of single steps; a step without one asks the chat model.
    pub stages: BTreeMap<Stage, Arc<dyn ChatModel>>,
    /// Ranks the passages found once more, where one is configured.
    pub reranker: Option<Arc<dyn Reranker>>,
    /// Counts tokens of the evidence; where there is none, four bytes are taken for a token.
    pub counter: Option<Arc<dyn TokenCounter>>,
}

impl AnswerContext {
    /// How sources are told to a model.
    pub(crate) fn naming(&self) -> Naming {
        if self.sources.len() > 1 {
            Naming::Collection
        } else {
            Naming::Document
        }
    }

    /// How questions are read and passages found here.
    pub(crate) fn search_options(&self, expand_chars: usize) -> SearchOptions {
        SearchOptions {
            expand_chars,
            lexicon: Arc::clone(&self.lexicon),
            reranker: self.reranker.clone(),
        }
    }
}

/// A step of answering that may have a model of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// Making a question that goes on from others understandable by itself.
    Rewrite,
    /// Choosing sections from outlines.
    Navigate,
    /// Judging sections and pages.
    Judge,
}

impl Stage {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Rewrite, Self::Navigate, Self::Judge];

    /// The name in settings.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Rewrite => "rewrite",
            Self::Navigate => "navigate",
            Self::Judge => "judge",
        }
    }

    /// The stage that a step of this name in the trace belongs to.
    pub(crate) fn of_step(step: &str) -> Option<Self> {
        match step {
            "understand" => Some(Self::Rewrite),
            "navigate" => Some(Self::Navigate),
            "judge" => Some(Self::Judge),
            _ => None,
        }
    }
}

/// A question.
#[derive(Debug, Clone, Serialize, Deserialize)]
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
    /// What was asked before in this conversation, the oldest first.
    #[serde(default)]
    pub history: Vec<Turn>,
    /// Limits.
    pub options: AnswerOptions,
    /// The model that was asked. Filled in when the question is put; what a caller writes here is replaced.
    #[serde(default)]
    pub model: Option<AskedModel>,
    /// The models of single steps; filled in likewise.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub stages: BTreeMap<Stage, AskedModel>,
}

/// The model of a question, as its trace keeps it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AskedModel {
    /// Its name.
    pub name: String,
    /// What was known of it, as limits depend on it.
    pub limits: ModelLimits,
}

impl AskedModel {
    pub(crate) fn of(model: &dyn ChatModel) -> Self {
        Self {
            name: model.name().to_owned(),
            limits: model.limits(),
        }
    }
}

/// Limits of one answer.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct AnswerOptions {
    /// Time for the whole question.
    pub deadline: Duration,
    /// Time for one call of the model. One that takes longer is not made again.
    pub call_deadline: Duration,
    /// Most calls of the model, failed and repeated ones included.
    pub calls: u32,
    /// Most calls at once.
    pub parallel: usize,
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
    /// Most documents looked at one by one, the most promising first; 0 for all of the scope.
    pub documents: usize,
    /// Most sections or pages read; 0 for all that are relevant.
    pub sections: usize,
    /// Most tokens of full text of sections and pages given to a model at once, where it says that its context holds them.
    pub content_tokens: usize,
    /// Most tokens of one section, unless there is room to spare.
    pub section_tokens: usize,
    /// Most tokens of an outline in one call.
    pub outline_tokens: usize,
    /// Documents of at most so many tokens are given whole; negative for never.
    pub whole_document_tokens: i64,
    /// Most steps of a walk through one document.
    pub depth: u32,
    /// Whether `outline` answers from each document by itself and then puts the answers together.
    pub per_document: bool,
    /// Whether a written answer is asked for in statements with sources, where the model's output can be held to a form: it
    /// can then only name numbers that were offered.
    pub constrained: bool,
    /// Where every confidence that was stated is below this, there is no answer.
    pub abstain_below: f32,
    /// Most tokens a model may generate; `None` leaves it to the provider.
    pub max_tokens: Option<u32>,
    /// 0 gives the likeliest words.
    pub temperature: f32,
}

impl Default for AnswerOptions {
    fn default() -> Self {
        Self {
            deadline: Duration::from_secs(900),
            call_deadline: Duration::from_secs(300),
            calls: 120,
            parallel: 6,
            quote_passages: 20,
            quotes: 6,
            passages: 10,
            passage_chars: 1_600,
            evidence_tokens: 3_000,
            documents: 20,
            sections: 0,
            content_tokens: 10_000,
            section_tokens: 2_000,
            outline_tokens: 3_000,
            whole_document_tokens: 12_000,
            depth: 8,
            per_document: false,
            constrained: false,
            abstain_below: 0.4,
            max_tokens: Some(1_024),
            temperature: 0.0,
        }
    }
}
