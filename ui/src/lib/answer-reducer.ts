import type { Answer, ApiError, AskEvent, Citation, Evidence, ScopeRequest, Strategy } from "@/ipc/bindings";

/** An answer on its way, or as it ended. */
export interface LiveAnswer {
  /** Null until the engine has accepted the question. */
  answerId: string | null;
  conversationId: string | null;
  question: string;
  strategy: Strategy | null;
  /** What it is put to. */
  scope: ScopeRequest | null;
  phase: "asking" | "running" | "stopping" | "finished" | "failed" | "cancelled";
  stage: { name: string; done: number; total: number } | null;
  /** Markdown so far; replaced by the stored text at the end. */
  text: string;
  evidence: Evidence[];
  /** Numbers whose marker has been completed. */
  pending: number[];
  /** Checked citations by number. */
  citations: Record<number, Citation>;
  /** The stored answer, once there is one. */
  answer: Answer | null;
  error: ApiError | null;
}

/** What the window itself adds to the engine's events. */
export type AnswerAction =
  /** `answerId`: the answer whose channel brought the event; null before that channel said which. */
  | { type: "event"; answerId: string | null; event: AskEvent }
  | { type: "accepted"; answerId: string }
  | { type: "stop_requested" }
  | { type: "rejected"; error: ApiError };

/** The state before the engine has said anything. */
export function askedAnswer(question: string): LiveAnswer {
  return {
    answerId: null,
    conversationId: null,
    question,
    strategy: null,
    scope: null,
    phase: "asking",
    stage: null,
    text: "",
    evidence: [],
    pending: [],
    citations: {},
    answer: null,
    error: null,
  };
}

/** Whether the answer has ended, one way or another. */
export function hasEnded(state: LiveAnswer): boolean {
  return state.phase === "finished" || state.phase === "failed" || state.phase === "cancelled";
}

/**
 * The state after an action.
 *
 * Events belong to one answer: those of another id are ignored, as is everything after a terminal event and every
 * chunk that arrives after the person asked to stop. Returns the same object when nothing changed.
 */
export function answerReducer(state: LiveAnswer, action: AnswerAction): LiveAnswer {
  if (hasEnded(state)) {
    return state;
  }
  switch (action.type) {
    case "accepted":
      return state.answerId === null ? { ...state, answerId: action.answerId } : state;
    case "stop_requested":
      return { ...state, phase: "stopping" };
    case "rejected":
      return { ...state, phase: "failed", error: action.error };
    case "event":
      return isStale(state, action.answerId, action.event) ? state : applyEvent(state, action.event);
  }
}

function isStale(state: LiveAnswer, answerId: string | null, event: AskEvent): boolean {
  if (event.type === "started") {
    return state.answerId !== null && event.answer_id !== state.answerId;
  }
  return answerId === null || answerId !== state.answerId;
}

function applyEvent(state: LiveAnswer, event: AskEvent): LiveAnswer {
  const stopping = state.phase === "stopping";
  switch (event.type) {
    case "started":
      return {
        ...state,
        answerId: event.answer_id,
        conversationId: event.conversation_id,
        strategy: event.strategy,
        scope: event.scope,
        phase: stopping ? "stopping" : "running",
      };
    case "stage":
      return stopping ? state : { ...state, stage: { name: event.name, done: event.done, total: event.total } };
    case "evidence":
      return stopping ? state : { ...state, evidence: event.evidence };
    case "text":
      return stopping || event.delta === "" ? state : { ...state, text: state.text + event.delta };
    case "citation":
      return stopping || state.pending.includes(event.index)
        ? state
        : { ...state, pending: [...state.pending, event.index] };
    case "verdict":
      return { ...state, citations: { ...state.citations, [event.citation.index]: event.citation } };
    case "usage":
      return state;
    case "finished":
      return { ...ended(state, event.answer), phase: "finished" };
    case "failed":
      return { ...ended(state, event.answer), phase: "failed", error: event.error };
    case "cancelled":
      return { ...ended(state, event.answer), phase: "cancelled" };
  }
}

function ended(state: LiveAnswer, answer: Answer): LiveAnswer {
  return {
    ...state,
    answer,
    stage: null,
    text: answer.text,
    evidence: answer.evidence,
    citations: citationsByIndex(answer.citations),
    pending: answer.citations.map((citation) => citation.index),
  };
}

/** Citations by their number. */
export function citationsByIndex(citations: readonly Citation[]): Record<number, Citation> {
  return Object.fromEntries(citations.map((citation) => [citation.index, citation]));
}
