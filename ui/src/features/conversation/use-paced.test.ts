import { act, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { usePaced } from "./use-paced";

describe("usePaced", () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it("shows a long text that grows letter by letter in few steps, and all of it in the end", () => {
    const begin = "x".repeat(20_000);
    const shown = new Set<string>();
    const { result, rerender } = renderHook(({ text }) => usePaced(text), { initialProps: { text: begin } });
    for (let letters = 1; letters <= 200; letters += 1) {
      rerender({ text: begin + "y".repeat(letters) });
      act(() => vi.advanceTimersByTime(5));
      shown.add(result.current);
    }
    expect(shown.size).toBeLessThanOrEqual(5);
    act(() => vi.advanceTimersByTime(1_000));
    expect(result.current).toBe(begin + "y".repeat(200));
  });

  it("shows a short text as it comes", () => {
    const { result, rerender } = renderHook(({ text }) => usePaced(text), { initialProps: { text: "" } });
    rerender({ text: "The highest" });
    expect(result.current).toBe("The highest");
    rerender({ text: "The highest tide" });
    act(() => vi.advanceTimersByTime(5));
    expect(result.current).toBe("The highest tide");
  });

  it("shows another text at once", () => {
    const { result, rerender } = renderHook(({ text }) => usePaced(text), {
      initialProps: { text: "x".repeat(9_000) },
    });
    rerender({ text: "Something else" });
    expect(result.current).toBe("Something else");
  });
});
