import type { DocumentState, QueueJob } from "@/ipc/bindings";

/** The steps of a document on its way into the library, in order. */
export const stages = ["reading", "ocr", "indexing", "embedding"] as const;
export type Stage = (typeof stages)[number];

/** Which step a job is in; null while it waits, and when it has failed. */
export function stageOf(state: DocumentState): Stage | null {
  return stages.find((stage) => stage === state) ?? null;
}

/** How far a step has come, 0 to 1, for a job that is in `current`. */
export function shareOf(stage: Stage, current: Stage | null, job: Pick<QueueJob, "done" | "total">): number {
  if (current === null) {
    return 0;
  }
  const by = stages.indexOf(stage) - stages.indexOf(current);
  if (by !== 0) {
    return by < 0 ? 1 : 0;
  }
  return job.total === 0 ? 0 : Math.min(1, job.done / job.total);
}

/** How fast a job's current step goes. */
export interface Rate {
  state: DocumentState;
  /** Units done when the step was first seen, and when. */
  from: { done: number; at: number };
  done: number;
  at: number;
}

/** The rate after a job was seen again at `now` (milliseconds); begins anew with every step. */
export function nextRate(before: Rate | undefined, job: Pick<QueueJob, "state" | "done">, now: number): Rate {
  if (before === undefined || before.state !== job.state || job.done < before.done) {
    return { state: job.state, from: { done: job.done, at: now }, done: job.done, at: now };
  }
  return job.done === before.done ? before : { ...before, done: job.done, at: now };
}

/** A rate says nothing before so much time has passed. */
const leastMs = 1_500;

/** Units a second; null while that cannot be said. */
export function perSecond(rate: Rate | undefined): number | null {
  if (rate === undefined) {
    return null;
  }
  const elapsed = rate.at - rate.from.at;
  const done = rate.done - rate.from.done;
  return elapsed < leastMs || done <= 0 ? null : (done * 1000) / elapsed;
}

/** Seconds until the step is done; null while that cannot be said. */
export function secondsLeft(rate: Rate | undefined, job: Pick<QueueJob, "done" | "total">): number | null {
  const speed = perSecond(rate);
  return speed === null || job.total <= job.done ? null : (job.total - job.done) / speed;
}
