//! How an answer came about, as a person reads it.

use crate::output::terminal::{View, block, one_line};
use recto_engine::contract::{AnswerReplay, AnswerTrace, TracedCall};

/// Every call with what was sent and what came back, then what followed.
pub(crate) fn trace(trace: &AnswerTrace, view: View) -> String {
    let mut parts = vec![view.bold(&one_line(&trace.question))];
    for (at, call) in trace.calls.iter().enumerate() {
        parts.push(self::call(at + 1, trace.calls.len(), call, view));
    }
    if trace.calls.is_empty() {
        parts.push("No model was asked.".to_owned());
    }
    if !trace.decisions.is_empty() {
        let decisions = trace.decisions.iter().map(|decision| {
            let document = decision
                .document_id
                .as_deref()
                .map(|id| format!(" {}", one_line(id)))
                .unwrap_or_default();
            format!("{}{document}: {}", one_line(&decision.stage), one_line(&decision.what))
        });
        parts.push(format!(
            "{}\n{}",
            view.bold("What followed"),
            decisions.collect::<Vec<_>>().join("\n")
        ));
    }
    parts.join("\n\n")
}

/// The answer made again, and whether it is the same.
pub(crate) fn replay(replay: &AnswerReplay, view: View) -> String {
    let verdict = if replay.differing.is_empty() {
        view.green("Made again without a model: the same, byte for byte.")
    } else {
        let fields: Vec<String> = replay.differing.iter().map(|field| one_line(field)).collect();
        view.red(&format!(
            "Made again without a model: it differs in {}. The documents, or Recto, have changed since.",
            fields.join(", ")
        ))
    };
    let mut parts = vec![view.bold(&one_line(&replay.answer.question))];
    parts.extend(Some(block(replay.answer.text.trim_end())).filter(|text| !text.is_empty()));
    if let Some(error) = &replay.answer.error {
        parts.push(format!("{} {}", view.red("!"), block(&error.message)));
    }
    parts.push(verdict);
    parts.join("\n\n")
}

fn call(number: usize, of: usize, call: &TracedCall, view: View) -> String {
    let mut head = format!(
        "Call {number} of {of}: {} · {}",
        one_line(&call.stage),
        one_line(&call.model)
    );
    if let (Some(sent), Some(made)) = (call.usage.input_tokens, call.usage.output_tokens) {
        head.push_str(&format!(" · {sent} tokens sent, {made} made"));
    }
    let mut lines = vec![view.bold(&head)];
    for message in &call.messages {
        lines.push(view.dim(&format!("── {} ──", one_line(&message.role))));
        lines.push(block(&message.content));
    }
    lines.push(view.dim("── reply ──"));
    if !call.reply.is_empty() {
        lines.push(block(&call.reply));
    }
    lines.extend(call.tool_calls.iter().map(|tool| one_line(tool)));
    if let Some(error) = &call.error {
        lines.push(format!("{} {}", view.red("!"), block(&error.message)));
    } else if !call.complete {
        lines.push(view.yellow("It was stopped before its end."));
    }
    lines.join("\n")
}
