/** What is kept of how an answer came about, as steps and as text. */

import type { AnswerTrace, TracedCall, TracedDecision } from "@/ipc/bindings";
import { i18next } from "./i18n";

/** A step of an answer: the calls of a model in it, and what followed. */
export interface TraceStep {
  stage: string;
  calls: TracedCall[];
  decisions: TracedDecision[];
}

/** The steps in their order. What follows from no call stands at the end. */
export function stepsOf(trace: AnswerTrace): TraceStep[] {
  const steps: TraceStep[] = [];
  const stepOf = (stage: string): TraceStep => {
    const known = steps.find((step) => step.stage === stage);
    if (known !== undefined) {
      return known;
    }
    const step = { stage, calls: [], decisions: [] };
    steps.push(step);
    return step;
  };
  for (const call of trace.calls) {
    stepOf(call.stage).calls.push(call);
  }
  for (const decision of trace.decisions) {
    stepOf(decision.stage).decisions.push(decision);
  }
  return steps;
}

/** Everything that was sent to a model and came back, as it is searched. */
export function textsOf(call: TracedCall): string[] {
  return [
    ...call.messages.map((message) => message.content),
    ...(call.schema === null ? [] : [call.schema]),
    ...call.tools,
    call.reply,
    ...call.tool_calls,
    ...(call.error === null ? [] : [call.error.message]),
  ];
}

/** How often `words` stand in texts, whatever their case. */
export function countIn(texts: readonly string[], words: string): number {
  const wanted = words.trim().toLowerCase();
  return wanted === "" ? 0 : texts.reduce((sum, text) => sum + text.toLowerCase().split(wanted).length - 1, 0);
}

/** A whole trace as text, for the clipboard. */
export function traceAsText(trace: AnswerTrace): string {
  const t = i18next.t;
  const parts = [trace.question];
  for (const step of stepsOf(trace)) {
    for (const call of step.calls) {
      parts.push(`# ${step.stage} · ${call.model}`);
      parts.push(...call.messages.map((message) => `## ${message.role}\n${message.content}`));
      if (call.schema !== null) {
        parts.push(`## ${t("trace.schema")}\n${call.schema}`);
      }
      if (call.tools.length > 0) {
        parts.push(`## ${t("trace.tools")}\n${call.tools.join(", ")}`);
      }
      const reply = [call.reply, ...call.tool_calls, call.error?.message ?? ""].filter((text) => text !== "");
      parts.push(`## ${t("trace.reply")}\n${reply.join("\n")}`);
    }
    parts.push(...step.decisions.map((decision) => `# ${step.stage}\n${decision.what}`));
  }
  return `${parts.join("\n\n")}\n`;
}
