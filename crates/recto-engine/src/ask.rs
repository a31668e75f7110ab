//! Asking: an answer is streamed, checked, and stored as it was shown.

use crate::Engine;
use crate::blocking::blocking;
use crate::contract::{self as api, AskEvent, AskLimits, AskRequest};
use crate::convert::ask_event;
use crate::locate::StoredQuotes;
use crate::scope::OpenScope;
use crate::spans::CharacterSpans;
use recto_answer::{AnswerContext, AnswerOptions, AnswerRequest, Numbering, Recorder, Turn};
use recto_core::{Answer, AnswerEvent, AnswerId, Error, ErrorCode, Result, Scope, SearchMode, Strategy, TokenCounter};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

impl Engine {
    /// Answers a question, telling `on_event` what happens until exactly one terminal event. The answer is stored as
    /// the next of its conversation, unless the library is open for reading only.
    ///
    /// # Errors
    /// What keeps the question from being put at all: `invalid_argument`, `not_found`, `collection_unavailable`,
    /// `model_not_configured`. What fails later is in the answer.
    pub async fn ask(
        self: &Arc<Self>,
        request: AskRequest,
        cancel: CancellationToken,
        on_event: &mut (dyn FnMut(AskEvent) + Send),
    ) -> Result<api::Answer> {
        self.answer(AnswerId(Uuid::new_v4()), request, cancel, on_event).await
    }

    /// [`Engine::ask`] in the background; returns the answer's id at once. What keeps the question from being put ends
    /// the events with `failed` too.
    pub fn start_ask(
        self: &Arc<Self>,
        request: AskRequest,
        mut on_event: impl FnMut(AskEvent) + Send + 'static,
    ) -> String {
        let id = AnswerId(Uuid::new_v4());
        let cancel = CancellationToken::new();
        self.register_answer(id, cancel.clone());
        let engine = Arc::clone(self);
        tokio::spawn(async move {
            let question = request.question.clone();
            let scope = request.scope.clone();
            if let Err(error) = engine.answer(id, request, cancel, &mut on_event).await {
                let answer = Box::new(unanswered(id, question, scope, &error));
                on_event(AskEvent::Failed {
                    answer,
                    error: error.into(),
                });
            }
            engine.forget_answer(id);
        });
        id.to_string()
    }

    async fn answer(
        self: &Arc<Self>,
        id: AnswerId,
        request: AskRequest,
        cancel: CancellationToken,
        on_event: &mut (dyn FnMut(AskEvent) + Send),
    ) -> Result<api::Answer> {
        if !request.question.chars().any(char::is_alphanumeric) {
            return Err(Error::new(
                ErrorCode::InvalidArgument,
                "The question has no words in it.",
            ));
        }
        let scope = self.open_scope(Scope::try_from(request.scope)?).await?;
        let asked_for = Strategy::from(request.strategy);
        // Quotes need no model, so a model that is set up wrongly is no obstacle to them.
        let chat = if asked_for == Strategy::Quotes {
            None
        } else {
            self.chat_model(request.model.as_deref()).await?
        };
        let needs_model = asked_for.needs_model() || (request.model.is_some() && asked_for != Strategy::Quotes);
        if needs_model && chat.is_none() {
            return Err(Error::new(
                ErrorCode::ModelNotConfigured,
                "This needs a chat model. Name one in settings.toml under [model], or ask with --strategy quotes.",
            ));
        }
        let mut context = self.answer_context(&scope).await?;
        let conversation = match self.is_read_only() {
            true => None,
            false => Some(
                self.conversation_for(request.conversation_id.as_deref(), &request.question)
                    .await?,
            ),
        };
        if chat.is_some() {
            context.stages = self.stage_models(request.model.as_deref()).await?;
        }
        context.model = chat;
        let coverage = self.coverage(&scope, &context.sources).await?;
        let earlier = self.earlier(conversation).await?;
        let asked = AnswerRequest {
            answer_id: id,
            question: request.question,
            strategy: asked_for,
            scope: scope.scope.clone(),
            coverage,
            numbering: Numbering::after(&earlier),
            history: Turn::last(&earlier),
            options: options(request.limits, self.model_status().remote_host.is_some()),
            model: None,
            stages: BTreeMap::new(),
        };
        let (sender, mut receiver) = mpsc::unbounded_channel();
        let mut send = |event| {
            // The receiver lives as long as the answer is being made.
            let _ = sender.send(event);
        };
        let recorder = Recorder::default();
        let making = recto_answer::answer_recorded(&context, &asked, &recorder, &cancel, &mut send);
        let mut making = std::pin::pin!(making);
        let conversation_name = conversation.map(|id| id.to_string());
        let mut spans = CharacterSpans::new(&scope.collections);
        let mut last = None;
        let mut running = true;
        while running || !receiver.is_empty() {
            let event = tokio::select! {
                biased;
                event = receiver.recv() => event,
                _ = &mut making, if running => { running = false; None }
            };
            let Some(mut event) = event else { continue };
            if let Err(error) = in_characters(&mut event, &mut spans).await {
                tracing::warn!(%error, "offsets stay in bytes: the document changed meanwhile");
            }
            let mut is_stored = false;
            if let AnswerEvent::Finished { answer }
            | AnswerEvent::Failed { answer, .. }
            | AnswerEvent::Cancelled { answer } = &event
            {
                // Stored before it is told: whoever sees the end can reopen it. An answer that cannot be stored is told
                // all the same, without an id to reopen it by.
                if let Some(conversation) = conversation {
                    match self.store_answer(conversation, (**answer).clone()).await {
                        Ok(()) => {
                            is_stored = true;
                            self.store_trace(answer.id, recorder.trace()).await;
                        }
                        Err(error) => tracing::error!(%error, "an answer could not be stored"),
                    }
                }
                last = Some(outward_answer((**answer).clone(), is_stored));
            }
            on_event(outward(event, conversation_name.as_deref(), is_stored));
        }
        last.ok_or_else(|| Error::internal("The answer ended without saying how."))
    }

    /// What answering stands on, without a chat model.
    pub(crate) async fn answer_context(self: &Arc<Self>, scope: &OpenScope) -> Result<AnswerContext> {
        let embedder = self.query_embedder(scope, SearchMode::Hybrid).await?;
        Ok(AnswerContext {
            sources: recto_retrieval::open(&scope.sources()).await?,
            lexicon: self.lexicon(),
            locator: Arc::new(StoredQuotes::new(Arc::clone(self), scope.collections.clone())),
            model: None,
            stages: BTreeMap::new(),
            reranker: self.reranker().await?,
            counter: self.token_counter().await.ok(),
            embedder,
        })
    }

    async fn token_counter(&self) -> Result<Arc<dyn TokenCounter>> {
        let embedder = self.embedders().local();
        blocking(move || embedder.token_counter()).await
    }

    /// The answers of the conversation so far: numbers of evidence go on from them, and questions may refer to them.
    async fn earlier(&self, conversation: Option<Uuid>) -> Result<Vec<Answer>> {
        let Some(conversation) = conversation else {
            return Ok(Vec::new());
        };
        let stored = self
            .on_library(move |library| Ok(library.answers(conversation)?))
            .await?;
        Ok(stored.into_iter().map(|stored| stored.answer).collect())
    }
}

/// What a model elsewhere is given to read, in tokens: it reads them in a second, where one on this machine takes minutes.
const EVIDENCE_ELSEWHERE: usize = 10_000;
/// Tokens of a short passage with what stands around it: so many more passages fill more evidence.
const SHORT_PASSAGE: usize = 300;

/// The usual limits with those that were asked for in their place.
fn options(limits: AskLimits, is_elsewhere: bool) -> AnswerOptions {
    let usual = AnswerOptions::default();
    let size = |asked: Option<u32>, usual: usize| asked.and_then(|n| usize::try_from(n).ok()).unwrap_or(usual);
    let evidence_tokens = match (limits.evidence_tokens.filter(|tokens| *tokens > 0), is_elsewhere) {
        (None, true) => EVIDENCE_ELSEWHERE,
        (asked, _) => size(asked, usual.evidence_tokens),
    };
    AnswerOptions {
        documents: size(limits.documents, usual.documents),
        sections: size(limits.sections, usual.sections),
        evidence_tokens,
        passages: usual.passages.max(evidence_tokens / SHORT_PASSAGE),
        depth: limits.depth.filter(|depth| *depth > 0).unwrap_or(usual.depth),
        deadline: limits
            .seconds
            .map_or(usual.deadline, |seconds| Duration::from_secs(seconds.into())),
        per_document: limits.per_document,
        constrained: limits.constrained,
        ..usual
    }
}

fn outward(event: AnswerEvent, conversation: Option<&str>, is_stored: bool) -> AskEvent {
    let mut event = ask_event(event, conversation);
    if let AskEvent::Finished { answer } | AskEvent::Failed { answer, .. } | AskEvent::Cancelled { answer } = &mut event
        && !is_stored
    {
        answer.answer_id = None;
    }
    event
}

fn outward_answer(answer: Answer, is_stored: bool) -> api::Answer {
    let mut answer = api::Answer::from(answer);
    if !is_stored {
        answer.answer_id = None;
    }
    answer
}

async fn in_characters(event: &mut AnswerEvent, spans: &mut CharacterSpans<'_>) -> Result<()> {
    match event {
        AnswerEvent::Evidence { evidence } => spans.evidence(evidence).await,
        AnswerEvent::Verdict { citation } => spans.citation(citation).await,
        AnswerEvent::Finished { answer } | AnswerEvent::Failed { answer, .. } | AnswerEvent::Cancelled { answer } => {
            answer_in_characters(answer, spans).await
        }
        AnswerEvent::Started { .. }
        | AnswerEvent::Stage { .. }
        | AnswerEvent::Text { .. }
        | AnswerEvent::Citation { .. }
        | AnswerEvent::Usage { .. } => Ok(()),
    }
}

/// The answer with its offsets as callers count them, which is how it is stored.
pub(crate) async fn answer_in_characters(answer: &mut Answer, spans: &mut CharacterSpans<'_>) -> Result<()> {
    spans.evidence(&mut answer.evidence).await?;
    for passage in &mut answer.nearest {
        spans.passage(passage).await?;
    }
    for citation in &mut answer.citations {
        spans.citation(citation).await?;
    }
    Ok(())
}

/// What is shown of a question that could not be put.
fn unanswered(id: AnswerId, question: String, scope: api::ScopeRequest, error: &Error) -> api::Answer {
    api::Answer {
        answer_id: Some(id.to_string()),
        question,
        strategy: api::Strategy::Auto,
        model: None,
        status: api::AnswerStatus::Failed,
        scope,
        text: String::new(),
        uncited: false,
        grounding: None,
        unit_stats: api::UnitStats::default(),
        sections_dropped: 0,
        nearest: Vec::new(),
        citations: Vec::new(),
        evidence: Vec::new(),
        coverage: api::Coverage::default(),
        documents_failed: Vec::new(),
        findings: Vec::new(),
        invalid_markers: 0,
        usage: api::Usage::default(),
        error: Some(error.clone().into()),
        verdict_summary: None,
        coverage_sentence: recto_core::Coverage::default().searched() + ".",
        elapsed_ms: 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_elsewhere_is_given_more_to_read_unless_told_otherwise() {
        let asked = |evidence_tokens, is_elsewhere| {
            let limits = AskLimits {
                evidence_tokens,
                ..AskLimits::default()
            };
            options(limits, is_elsewhere).evidence_tokens
        };
        let usual = AnswerOptions::default().evidence_tokens;
        assert_eq!(asked(None, false), usual);
        assert_eq!(asked(None, true), EVIDENCE_ELSEWHERE);
        assert_eq!(asked(Some(2_500), true), 2_500);
        assert_eq!(asked(Some(0), false), usual, "0 leaves it to Recto");
        let passages = |is_elsewhere| options(AskLimits::default(), is_elsewhere).passages;
        assert_eq!(passages(false), AnswerOptions::default().passages);
        assert!(
            passages(true) * SHORT_PASSAGE > EVIDENCE_ELSEWHERE - SHORT_PASSAGE,
            "as many as fill it"
        );
    }
}
