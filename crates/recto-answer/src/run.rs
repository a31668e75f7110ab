//! One question from start to its terminal event.

use crate::auto::{self, Course};
use crate::calls::{Calls, Recorder};
use crate::request::{AnswerContext, AnswerRequest, AskedModel};
use crate::{agent, follow_up, judge, outline, passages, quotes, summary, walk, whole};
use recto_core::{
    Answer, AnswerEvent, AnswerStatus, Error, ErrorCode, Evidence, Grounding, Passage, Result, SearchMode,
    SearchRequest, Strategy, UnitStats, Usage,
};
use recto_retrieval::{FoundPassage, Retrieved, retrieve};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// How many passages a refusal shows.
const NEAREST: usize = 3;
/// How long a server may take to tell its model's limits.
const LEARNING: Duration = Duration::from_secs(10);

/// Answers a question and returns what is to be stored. `on_event` receives `started` first and exactly one terminal
/// event last, whose answer is the one returned; a failure or a cancellation keeps what was shown before it.
///
/// Cancelling stops retrieval, generation and verification at once; so does the deadline, as a failure.
pub async fn answer(
    context: &AnswerContext,
    request: &AnswerRequest,
    cancel: &CancellationToken,
    on_event: &mut (dyn FnMut(AnswerEvent) + Send + Sync),
) -> Answer {
    answer_recorded(context, request, &Recorder::default(), cancel, on_event).await
}

/// [`answer`], with everything that models were asked and replied kept in `recorder`, which is complete when the
/// terminal event is sent.
pub async fn answer_recorded(
    context: &AnswerContext,
    request: &AnswerRequest,
    recorder: &Recorder,
    cancel: &CancellationToken,
    on_event: &mut (dyn FnMut(AnswerEvent) + Send + Sync),
) -> Answer {
    let started = Instant::now();
    // Choosing asks the model's server for its limits and reads documents, so it can take long, and it can fail; the
    // failure is told like any other.
    let course = tokio::select! {
        biased;
        () = cancel.cancelled() => Err(Error::cancelled()),
        course = async {
            if request.strategy != Strategy::Quotes {
                learn_limits(context).await;
            }
            auto::course(context, request).await
        } => course,
    };
    let strategy = course.as_ref().map_or(Strategy::Passages, Course::strategy);
    let model = context.model.as_ref();
    let mut run = Run {
        context,
        request,
        question: request.question.clone(),
        calls: model.map(|model| {
            let calls = Calls::new(Arc::clone(model), recorder.clone(), &request.options);
            Arc::new(calls.with_stages(context.stages.clone()))
        }),
        recorder: recorder.clone(),
        told: Usage::default(),
        draft: draft(context, request, strategy),
        emit: on_event,
    };
    let kept = AnswerRequest {
        model: model.map(|model| AskedModel::of(&**model)),
        stages: context
            .stages
            .iter()
            .map(|(stage, model)| (*stage, AskedModel::of(&**model)))
            .collect(),
        ..request.clone()
    };
    recorder.begin(serde_json::to_value(&kept).unwrap_or_default());
    run.send(AnswerEvent::Started {
        answer_id: request.answer_id,
        strategy,
        scope: request.scope.clone(),
    });
    let outcome = tokio::select! {
        biased;
        () = cancel.cancelled() => Err(Error::cancelled()),
        () = tokio::time::sleep(request.options.deadline) => Err(Error::transient(
            ErrorCode::TimedOut,
            format!("The answer took longer than {} seconds and was stopped.", request.options.deadline.as_secs()),
        )),
        outcome = run.work(course) => outcome,
    };
    run.finish(outcome, started)
}

/// Asks the models' servers for what limits depend on.
async fn learn_limits(context: &AnswerContext) {
    let learning = context.model.iter().chain(context.stages.values()).map(|model| async {
        if let Ok(Err(error)) = tokio::time::timeout(LEARNING, model.learn_limits()).await {
            // Where the server does not answer, the first call says so.
            tracing::warn!(model = model.name(), %error, "the model's limits could not be learnt");
        }
    });
    futures::future::join_all(learning).await;
}

/// A question being answered. `draft` always holds what was shown so far.
pub(crate) struct Run<'a> {
    pub(crate) context: &'a AnswerContext,
    pub(crate) request: &'a AnswerRequest,
    /// The question to answer: the person's, made whole where it refers to what was said before.
    pub(crate) question: String,
    calls: Option<Arc<Calls>>,
    pub(crate) recorder: Recorder,
    /// The usage last told.
    told: Usage,
    pub(crate) draft: Answer,
    emit: &'a mut (dyn FnMut(AnswerEvent) + Send + Sync),
}

impl Run<'_> {
    async fn work(&mut self, course: Result<Course>) -> Result<()> {
        if self.request.question.trim().is_empty() {
            return Err(Error::new(ErrorCode::InvalidArgument, "The question is empty."));
        }
        let course = course?;
        follow_up::understand(self, course.strategy() != Strategy::Quotes).await;
        match course {
            Course::Whole(document) => whole::run(self, &document).await,
            Course::Summary => summary::run(self).await,
            Course::Strategy(strategy) => match strategy {
                Strategy::Passages => passages::run(self).await,
                Strategy::Outline => outline::run(self).await,
                Strategy::Agent => agent::run(self).await,
                Strategy::Walk => walk::run(self).await,
                Strategy::Judge => judge::run(self).await,
                Strategy::Quotes | Strategy::Auto => quotes::run(self).await,
            },
        }
    }

    fn finish(mut self, outcome: Result<()>, started: Instant) -> Answer {
        self.draft.elapsed_ms = u32::try_from(started.elapsed().as_millis()).unwrap_or(u32::MAX);
        self.draft.usage = self.recorder.usage();
        self.draft.grounding = grounding(&self.draft, outcome.is_ok());
        self.recorder.end(self.draft.elapsed_ms);
        let event = match outcome {
            Ok(()) => AnswerEvent::Finished {
                answer: Box::new(self.draft.clone()),
            },
            Err(error) if error.code == ErrorCode::Cancelled => {
                self.draft.status = AnswerStatus::Cancelled;
                AnswerEvent::Cancelled {
                    answer: Box::new(self.draft.clone()),
                }
            }
            Err(error) => {
                self.draft.status = AnswerStatus::Failed;
                self.draft.error = Some(error.clone());
                AnswerEvent::Failed {
                    answer: Box::new(self.draft.clone()),
                    error,
                }
            }
        };
        self.send(event);
        self.draft
    }

    /// The way to the model.
    ///
    /// # Errors
    /// `model_not_configured` where there is none.
    pub(crate) fn calls(&self) -> Result<Arc<Calls>> {
        self.calls.clone().ok_or_else(|| {
            Error::new(
                ErrorCode::ModelNotConfigured,
                "This strategy needs a chat model, and none is configured. Choose one in Settings → Models, or ask for quotes.",
            )
        })
    }

    /// Tells what the calls so far cost, where that changed.
    pub(crate) fn tell_usage(&mut self) {
        let usage = self.recorder.usage();
        if usage != self.told {
            self.told = usage;
            self.draft.usage = usage;
            self.send(AnswerEvent::Usage { usage });
        }
    }

    pub(crate) fn send(&mut self, event: AnswerEvent) {
        (self.emit)(event);
    }

    pub(crate) fn stage(&mut self, name: &str, done: usize, total: usize) {
        let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        self.send(AnswerEvent::Stage {
            name: name.to_owned(),
            done: count(done),
            total: count(total),
        });
    }

    /// Shows more text.
    pub(crate) fn text(&mut self, delta: &str) {
        if !delta.is_empty() {
            self.draft.text.push_str(delta);
            self.send(AnswerEvent::Text {
                delta: delta.to_owned(),
            });
        }
    }

    /// Shows a marker.
    pub(crate) fn marker(&mut self, index: u32) {
        self.text(&format!("[{index}]"));
        for evidence in &mut self.draft.evidence {
            if evidence.index == index {
                evidence.cited = true;
            }
        }
        self.send(AnswerEvent::Citation { index });
    }

    /// Searches the scope.
    pub(crate) async fn retrieve(&mut self, limit: usize, expand_chars: usize) -> Result<Retrieved> {
        self.stage("search", 0, 1);
        let request = SearchRequest {
            query: self.question.clone(),
            mode: SearchMode::Hybrid,
            limit,
            filter: self.request.scope.filter.clone(),
            expand: true,
        };
        let options = self.context.search_options(expand_chars);
        let retrieved = retrieve(
            &self.context.sources,
            self.context.embedder.as_deref(),
            &request,
            &options,
        )
        .await?;
        self.draft.unit_stats = retrieved.unit_stats;
        self.draft.coverage.chosen.clone_from(&retrieved.chosen);
        self.count_documents(&retrieved.passages);
        self.stage("search", 1, 1);
        Ok(retrieved)
    }

    /// Counts the documents with matches: those whose text is among `passages`.
    pub(crate) fn count_documents(&mut self, passages: &[FoundPassage]) {
        let documents: BTreeSet<_> = passages
            .iter()
            .map(|found| (&found.passage.collection, found.passage.document_id))
            .collect();
        self.draft.coverage.documents_with_matches = u32::try_from(documents.len()).unwrap_or(u32::MAX);
    }

    /// Numbers passages and shows them. Returns their numbers in the same order.
    pub(crate) fn show_evidence(&mut self, passages: &[Passage]) -> Vec<u32> {
        let mut numbering = self.request.numbering.clone();
        let mut numbers = Vec::new();
        for passage in passages {
            numbers.push(numbering.number(passage, &numbers));
        }
        self.draft.evidence = numbers
            .iter()
            .zip(passages)
            .map(|(index, passage)| Evidence {
                index: *index,
                cited: false,
                passage: passage.clone(),
            })
            .collect();
        self.draft.evidence.sort_by_key(|evidence| evidence.index);
        let evidence = self.draft.evidence.clone();
        self.send(AnswerEvent::Evidence { evidence });
        numbers
    }

    /// Ends without an answer, showing what comes nearest.
    pub(crate) fn refuse(&mut self, passages: &[FoundPassage]) {
        let text = if passages.is_empty() {
            "Nothing in the searched documents matches this question."
        } else {
            "Nothing in the searched documents answers this question. The nearest passages are listed below."
        };
        self.end_without(passages, text);
    }

    /// Ends without an answer because the model is not sure enough of any.
    pub(crate) fn abstain(&mut self, passages: &[FoundPassage]) {
        self.end_without(
            passages,
            "The documents may touch on this question, but nothing in them answers it with enough confidence.",
        );
    }

    pub(crate) fn end_without(&mut self, passages: &[FoundPassage], text: &str) {
        self.draft.status = AnswerStatus::Refused;
        self.draft.nearest = passages
            .iter()
            .take(NEAREST)
            .map(|found| found.passage.clone())
            .collect();
        self.text(text);
    }
}

/// What an answer says it stands on. A text that was cut off before it cited anything says nothing yet.
fn grounding(draft: &Answer, complete: bool) -> Option<Grounding> {
    if !draft.citations.is_empty() {
        return Some(Grounding::Grounded);
    }
    let said = complete && draft.status == AnswerStatus::Answered && !draft.text.trim().is_empty();
    // A strategy that was told so has set it.
    draft.grounding.or(match (said, draft.uncited) {
        (true, true) => Some(Grounding::Missing),
        (true, false) => Some(Grounding::Ungrounded),
        (false, _) => None,
    })
}

fn draft(context: &AnswerContext, request: &AnswerRequest, strategy: Strategy) -> Answer {
    let model = context.model.as_ref().filter(|_| strategy.needs_model());
    Answer {
        id: request.answer_id,
        question: request.question.clone(),
        strategy,
        model: model.map(|model| model.name().to_owned()),
        status: AnswerStatus::Answered,
        scope: request.scope.clone(),
        text: String::new(),
        uncited: false,
        grounding: None,
        citations: Vec::new(),
        evidence: Vec::new(),
        nearest: Vec::new(),
        unit_stats: UnitStats::default(),
        coverage: request.coverage.clone(),
        documents_failed: Vec::new(),
        findings: Vec::new(),
        sections_dropped: 0,
        invalid_markers: 0,
        usage: Usage::default(),
        error: None,
        elapsed_ms: 0,
    }
}
