//! One generation over numbered evidence, streamed into the answer and then checked.

use crate::calls::Place;
use crate::markers::{MarkerParser, Piece};
use crate::prompt;
use crate::run::Run;
use crate::statements::{self, Statements};
use crate::support::{self, Mark};
use recto_core::{ChatMessage, ChatRequest, Error, ErrorCode, Grounding, Passage, ReplyFormat, Result};
use recto_retrieval::FoundPassage;
use regex::Regex;
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// Numbers `evidence`, shows it, has the answer written from it and resolves its citations.
pub(crate) async fn over(run: &mut Run<'_>, place: Place, evidence: Vec<FoundPassage>) -> Result<()> {
    let passages: Vec<Passage> = evidence.iter().map(|found| found.passage.clone()).collect();
    let numbers = run.show_evidence(&passages);
    let read: Vec<Passage> = evidence.iter().map(FoundPassage::as_read).collect();
    let numbered: Vec<(u32, &Passage)> = numbers.iter().copied().zip(&read).collect();
    let messages = prompt::passages(&run.question, &numbered, run.context.naming());
    from(run, place, messages, &evidence, &numbers).await
}

/// Has the answer written from `messages` and resolves its citations to `evidence`, which is shown already under
/// `numbers`.
pub(crate) async fn from(
    run: &mut Run<'_>,
    place: Place,
    messages: Vec<ChatMessage>,
    evidence: &[FoundPassage],
    numbers: &[u32],
) -> Result<()> {
    let (marks, outcome) = write(run, place, messages, evidence, numbers).await;
    // What was shown before a cut is checked like any other answer.
    support::resolve(run, evidence, numbers, &marks).await?;
    outcome
}

/// Streams the reply into the answer. Returns where its markers stand, and how the reply ended.
async fn write(
    run: &mut Run<'_>,
    place: Place,
    messages: Vec<ChatMessage>,
    evidence: &[FoundPassage],
    numbers: &[u32],
) -> (Vec<Mark>, Result<()>) {
    let calls = match run.calls() {
        Ok(calls) => calls,
        Err(error) => return (Vec::new(), Err(error)),
    };
    run.stage("generate", 0, 1);
    let mut writer = Writer::new(evidence, numbers);
    let held = run.request.options.constrained && calls.limits_at(place).schema == Some(true) && !numbers.is_empty();
    let mut statements = held.then(Statements::default);
    let (messages, format) = if held {
        let schema = statements::schema(numbers);
        let name = "answer".to_owned();
        (prompt::in_statements(messages), ReplyFormat::Schema { name, schema })
    } else {
        (messages, ReplyFormat::Text)
    };
    let request = ChatRequest {
        messages,
        max_tokens: run.request.options.max_tokens,
        format,
        ..ChatRequest::default()
    };
    let outcome = calls
        .chat(place, request, &mut |delta| match &mut statements {
            Some(statements) => writer.push(run, &statements.push(delta)),
            None => writer.push(run, delta),
        })
        .await
        .map(|_| ());
    run.tell_usage();
    if let Some(mut statements) = statements {
        writer.push(run, &statements.finish());
        // Empty lists of sources are a statement: nothing that was given bears the answer.
        run.draft.grounding = statements.is_declared_bare().then_some(Grounding::Ungrounded);
    }
    let marks = writer.end(run);
    let outcome = outcome.and_then(|()| {
        if run.draft.text.trim().is_empty() {
            return Err(Error::transient(
                ErrorCode::ModelRejected,
                "The model returned an empty answer. Try again, or choose another model.",
            ));
        }
        Ok(())
    });
    run.stage("generate", 1, 1);
    (marks, outcome)
}

/// Shows a text that is complete, as [`from`] shows one that is streamed, and resolves its citations.
pub(crate) async fn shown(run: &mut Run<'_>, text: &str, evidence: &[FoundPassage], numbers: &[u32]) -> Result<()> {
    let mut writer = Writer::new(evidence, numbers);
    writer.push(run, text);
    let marks = writer.end(run);
    support::resolve(run, evidence, numbers, &marks).await
}

/// Reads markers out of a text as it comes and shows both.
struct Writer {
    parser: MarkerParser,
    marks: Vec<Mark>,
}

impl Writer {
    fn new(evidence: &[FoundPassage], numbers: &[u32]) -> Self {
        Self {
            parser: MarkerParser::new(numbers.iter().copied().collect(), printed_numbers(evidence)),
            marks: Vec::new(),
        }
    }

    fn push(&mut self, run: &mut Run<'_>, delta: &str) {
        let pieces = self.parser.push(delta);
        self.show(run, pieces);
    }

    fn end(mut self, run: &mut Run<'_>) -> Vec<Mark> {
        let rest = self.parser.finish();
        self.show(run, rest);
        run.draft.invalid_markers += self.parser.invalid();
        run.draft.uncited = !run.draft.text.trim().is_empty() && !self.parser.any_marker();
        self.marks
    }

    fn show(&mut self, run: &mut Run<'_>, pieces: Vec<Piece>) {
        for piece in pieces {
            match piece {
                Piece::Text(text) => run.text(&text),
                Piece::Marker(numbers) => {
                    for index in numbers {
                        let start = run.draft.text.len();
                        run.marker(index);
                        self.marks.push(Mark {
                            index,
                            range: start..run.draft.text.len(),
                        });
                    }
                }
            }
        }
    }
}

#[expect(clippy::expect_used, reason = "the pattern is a constant")]
static BRACKETED: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\[(\d{1,3})\]").expect("BUG: the bracket pattern is valid"));

/// Numbers that the documents themselves print in square brackets.
pub(crate) fn printed_numbers(evidence: &[FoundPassage]) -> BTreeSet<u32> {
    evidence
        .iter()
        .flat_map(|found| BRACKETED.captures_iter(&found.passage.text))
        .filter_map(|captures| captures.get(1)?.as_str().parse().ok())
        .collect()
}
