import { act, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { usePaced } from "./use-paced";

/** What is shown of a text that grows by a letter every five milliseconds, each drawing of which takes `cost` milliseconds. */
function shownOf(cost: number, letters: number) {
  let clock = 1;
  let last = "";
  const shown: string[] = [];
  const { result, rerender } = renderHook(
    ({ text }) => {
      const paced = usePaced(text, () => clock);
      if (paced !== last) {
        last = paced;
        clock += cost;
        shown.push(paced);
      }
      return paced;
    },
    { initialProps: { text: "x" } },
  );
  for (let letter = 1; letter <= letters; letter += 1) {
    rerender({ text: "x".repeat(letter + 1) });
    clock += 5;
    act(() => vi.advanceTimersByTime(5));
  }
  const whileGrowing = shown.length;
  clock += 10_000;
  act(() => vi.advanceTimersByTime(10_000));
  return { whileGrowing, end: result.current.length };
}

describe("usePaced", () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it("draws what takes long in few steps, and all of it in the end", () => {
    const { whileGrowing, end } = shownOf(50, 200);
    expect(whileGrowing).toBeLessThanOrEqual(8);
    expect(whileGrowing).toBeGreaterThan(2);
    expect(end).toBe(201);
  });

  it("draws what takes no time as it comes", () => {
    const { whileGrowing, end } = shownOf(0, 50);
    expect(whileGrowing).toBe(51);
    expect(end).toBe(51);
  });

  it("shows another text at once", () => {
    const { result, rerender } = renderHook(({ text }) => usePaced(text), {
      initialProps: { text: "x".repeat(9_000) },
    });
    rerender({ text: "Something else" });
    expect(result.current).toBe("Something else");
  });
});
