import { describe, expect, it } from "vitest";
import { nextRate, perSecond, type Rate, secondsLeft, shareOf, stageOf, stages } from "./stages";

function seen(...moments: [done: number, at: number][]): Rate | undefined {
  return moments.reduce<Rate | undefined>(
    (rate, [done, at]) => nextRate(rate, { state: "reading", done }, at),
    undefined,
  );
}

describe("the steps of a job", () => {
  it("are done before the one it is in, and not begun after it", () => {
    expect(stages.map((stage) => shareOf(stage, "indexing", { done: 3, total: 4 }))).toEqual([1, 1, 0.75, 0]);
    expect(stages.map((stage) => shareOf(stage, stageOf("queued"), { done: 0, total: 0 }))).toEqual([0, 0, 0, 0]);
  });

  it("have no share while the total is unknown", () => {
    expect(shareOf("reading", "reading", { done: 7, total: 0 })).toBe(0);
  });
});

describe("the rate of a job", () => {
  it("is measured from where the step was first seen", () => {
    const rate = seen([20, 1_000], [30, 3_000], [60, 5_000]);
    expect(perSecond(rate)).toBe(10);
    expect(secondsLeft(rate, { done: 60, total: 160 })).toBe(10);
  });

  it("is not guessed from a moment, nor while nothing moves", () => {
    expect(perSecond(undefined)).toBeNull();
    expect(perSecond(seen([0, 0], [5, 100]))).toBeNull();
    expect(perSecond(seen([5, 0], [5, 9_000]))).toBeNull();
    expect(secondsLeft(seen([0, 0], [10, 2_000]), { done: 10, total: 0 })).toBeNull();
  });

  it("begins anew with another step, and when the step begins again", () => {
    const rate = seen([0, 0], [10, 2_000]);
    expect(perSecond(nextRate(rate, { state: "embedding", done: 11 }, 4_000))).toBeNull();
    expect(perSecond(nextRate(rate, { state: "reading", done: 2 }, 4_000))).toBeNull();
  });
});
