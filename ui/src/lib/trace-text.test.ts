import { describe, expect, it } from "vitest";
import type { AnswerTrace, TracedCall } from "@/ipc/bindings";
import "./i18n";
import { countIn, stepsOf, textsOf, traceAsText } from "./trace-text";

const call = (stage: string, changes: Partial<TracedCall> = {}): TracedCall => ({
  stage,
  model: "qwen3-8b",
  document_id: null,
  messages: [
    { role: "system", content: "Answer from the passages." },
    { role: "user", content: "[1] Revenue rose.\n\nWhat rose?" },
  ],
  schema: null,
  tools: [],
  reply: "Revenue rose.[1]",
  tool_calls: [],
  usage: { input_tokens: 12, output_tokens: 4, calls: 1 },
  error: null,
  complete: true,
  ...changes,
});

const trace: AnswerTrace = {
  answer_id: "a1",
  question: "What rose?",
  strategy: "outline",
  calls: [call("outline", { schema: '{"type":"array"}' }), call("generate"), call("outline", { tools: ["search"] })],
  decisions: [
    { stage: "outline", document_id: "d1", what: "2 sections were chosen." },
    { stage: "verify", document_id: null, what: "1 quote was found." },
  ],
};

describe("the steps of a trace", () => {
  it("gather the calls and what followed from them, in the order they began", () => {
    expect(stepsOf(trace).map(({ stage, calls, decisions }) => [stage, calls.length, decisions.length])).toEqual([
      ["outline", 2, 1],
      ["generate", 1, 0],
      ["verify", 0, 1],
    ]);
  });

  it("are searched in everything that was sent and came back, whatever the case", () => {
    expect(countIn(textsOf(call("generate")), "REVENUE rose")).toBe(2);
    expect(countIn(textsOf(call("outline", { schema: '{"type":"array"}' })), "array")).toBe(1);
    expect(countIn(textsOf(call("generate")), "  ")).toBe(0);
  });

  it("are copied with all that was sent", () => {
    const text = traceAsText(trace);
    expect(text).toContain(
      "# generate · qwen3-8b\n\n## system\nAnswer from the passages.\n\n## user\n[1] Revenue rose.",
    );
    expect(text).toContain('## Asked to have this form\n{"type":"array"}');
    expect(text).toContain("# verify\n1 quote was found.");
  });
});
