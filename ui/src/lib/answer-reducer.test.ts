import { describe, expect, it } from "vitest";
import type { AskEvent } from "@/ipc/bindings";
import { answer, citation } from "@/test/samples";
import { answerReducer, askedAnswer, hasEnded, type LiveAnswer } from "./answer-reducer";

const started: AskEvent = {
  type: "started",
  answer_id: "a1",
  conversation_id: "c1",
  strategy: "quotes",
  scope: {},
};
const error = { code: "model_unreachable", message: "No.", retryable: true };

function play(events: AskEvent[], from: LiveAnswer = askedAnswer("What?"), answerId = "a1"): LiveAnswer {
  return events.reduce((state, event) => answerReducer(state, { type: "event", answerId, event }), from);
}

describe("answerReducer", () => {
  it("appends text, keeps markers pending until their verdict, and ends with the stored answer", () => {
    const running = play([
      started,
      { type: "text", delta: "Rose. " },
      { type: "text", delta: "[1]" },
      { type: "citation", index: 1 },
      { type: "citation", index: 1 },
    ]);
    expect(running).toMatchObject({ text: "Rose. [1]", pending: [1], citations: {}, phase: "running" });

    const checked = play([{ type: "verdict", citation: citation() }], running);
    expect(checked.citations[1]?.verdict).toBe("verbatim");

    const stored = answer({ text: "Rose.[1]", citations: [citation()] });
    expect(play([{ type: "finished", answer: stored }], checked)).toMatchObject({
      phase: "finished",
      text: "Rose.[1]",
      answer: stored,
    });
  });

  it("ignores the events of another answer", () => {
    const running = play([started]);
    expect(play([{ type: "text", delta: "stale" }], running, "a0")).toBe(running);
    expect(play([{ ...started, answer_id: "a0" }], running, "a0")).toBe(running);
    expect(answerReducer(running, { type: "event", answerId: null, event: { type: "text", delta: "x" } })).toBe(
      running,
    );
  });

  it("ignores everything before the answer has begun", () => {
    const asked = askedAnswer("What?");
    expect(play([{ type: "text", delta: "early" }], asked, "a0")).toBe(asked);
  });

  it("takes only the first terminal event", () => {
    const finished = play([started, { type: "finished", answer: answer() }]);
    expect(play([{ type: "failed", answer: answer(), error }], finished)).toBe(finished);
    expect(play([{ type: "text", delta: "late" }], finished)).toBe(finished);
    expect(hasEnded(finished)).toBe(true);
  });

  it("ignores chunks that arrive after the person asked to stop, and keeps what was shown", () => {
    const running = play([started, { type: "text", delta: "Half" }]);
    const stopping = answerReducer(running, { type: "stop_requested" });
    const late = play(
      [
        { type: "text", delta: " an answer" },
        { type: "citation", index: 2 },
      ],
      stopping,
    );
    expect(late).toMatchObject({ text: "Half", pending: [], phase: "stopping" });
    const stopped = answer({ status: "cancelled", text: "Half" });
    expect(play([{ type: "cancelled", answer: stopped }], late)).toMatchObject({ phase: "cancelled", text: "Half" });
  });

  it("keeps the error of a failure, and of a question that was not accepted", () => {
    expect(play([started, { type: "failed", answer: answer({ status: "failed" }), error }])).toMatchObject({
      phase: "failed",
      error,
    });
    expect(answerReducer(askedAnswer("What?"), { type: "rejected", error })).toMatchObject({ phase: "failed", error });
  });

  it("takes the answer's id from whichever says it first", () => {
    const accepted = answerReducer(askedAnswer("What?"), { type: "accepted", answerId: "a1" });
    expect(accepted.answerId).toBe("a1");
    expect(play([started], accepted).phase).toBe("running");
    expect(answerReducer(accepted, { type: "accepted", answerId: "a2" })).toBe(accepted);
  });
});
