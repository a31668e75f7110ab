import type {
  Answer,
  ApiError,
  Citation,
  Coverage,
  DocumentFailure,
  Evidence,
  Grounding,
  ScopeRequest,
  SearchResult,
  Strategy,
  Usage,
} from "@/ipc/bindings";
import { citationsByIndex, type LiveAnswer } from "@/lib/answer-reducer";

/** An answer as it is shown, whether it is being written or was stored. */
export interface ShownAnswer {
  /** Names it among all answers of the window. */
  key: string;
  /** Where it is stored; null for one that is on its way or was not kept. */
  answerId: string | null;
  question: string;
  status: "running" | "stopping" | "answered" | "refused" | "failed" | "cancelled";
  stage: LiveAnswer["stage"];
  text: string;
  /** Numbers whose verdict is awaited. */
  pending: readonly number[];
  citations: Record<number, Citation>;
  evidence: readonly Evidence[];
  nearest: readonly SearchResult[];
  coverage: Coverage | null;
  documentsFailed: readonly DocumentFailure[];
  uncited: boolean;
  /** What it says it stands on; null where that is not known. */
  grounding: Grounding | null;
  invalidMarkers: number;
  stored: boolean;
  error: ApiError | null;
  strategy: Strategy | null;
  scope: ScopeRequest | null;
  model: string | null;
  usage: Usage | null;
  elapsedMs: number | null;
}

export function showStored(answer: Answer, key: string): ShownAnswer {
  return {
    key,
    answerId: answer.answer_id,
    question: answer.question,
    status: answer.status,
    stage: null,
    text: answer.text,
    pending: [],
    citations: citationsByIndex(answer.citations),
    evidence: answer.evidence,
    nearest: answer.nearest,
    coverage: answer.coverage,
    documentsFailed: answer.documents_failed,
    uncited: answer.uncited,
    grounding: answer.grounding ?? null,
    invalidMarkers: answer.invalid_markers,
    stored: answer.answer_id !== null,
    error: answer.error,
    strategy: answer.strategy,
    scope: answer.scope,
    model: answer.model,
    usage: answer.usage,
    elapsedMs: answer.elapsed_ms,
  };
}

export function showLive(live: LiveAnswer, key: string): ShownAnswer {
  if (live.answer !== null) {
    return { ...showStored(live.answer, key), error: live.answer.error ?? live.error };
  }
  return {
    key,
    answerId: null,
    question: live.question,
    status: live.phase === "failed" ? "failed" : live.phase === "stopping" ? "stopping" : "running",
    stage: live.stage,
    text: live.text,
    pending: live.pending,
    citations: live.citations,
    evidence: live.evidence,
    nearest: [],
    coverage: null,
    documentsFailed: [],
    uncited: false,
    grounding: null,
    invalidMarkers: 0,
    stored: true,
    error: live.error,
    strategy: live.strategy,
    scope: live.scope,
    model: null,
    usage: null,
    elapsedMs: null,
  };
}

/** The citations in the order of their numbers. */
export function citationsInOrder(answer: ShownAnswer): Citation[] {
  return Object.values(answer.citations).sort((one, other) => one.index - other.index);
}
