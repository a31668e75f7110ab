import { act, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { useSettledRange } from "./use-settled-range";

const viewport = 800;
const pageHeight = 1000;

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function column(jumpedTo: number | null = null) {
  const range = (top: number) => {
    const first = Math.floor(top / pageHeight);
    return { first, last: first };
  };
  const jumped = { current: jumpedTo ?? -1 };
  const { result, rerender } = renderHook(({ top }) => useSettledRange(range(top), top, viewport, jumped), {
    initialProps: { top: 0 },
  });
  return { result, scrollTo: (top: number) => rerender({ top }) };
}

describe("the pages that are asked for", () => {
  it("are none of those that only rush by, and the ones at which the column stops", () => {
    const { result, scrollTo } = column();
    const asked = new Set<number>();
    for (let page = 1; page <= 40; page += 1) {
      act(() => vi.advanceTimersByTime(16));
      act(() => scrollTo(page * pageHeight));
      asked.add(result.current.first);
    }
    expect([...asked], "nothing while it rushes").toEqual([0]);
    act(() => vi.advanceTimersByTime(200));
    expect(result.current).toEqual({ first: 40, last: 40 });
  });

  it("follow at once while the column is scrolled at a reading pace", () => {
    const { result, scrollTo } = column();
    for (let top = 0; top <= 1_050; top += 50) {
      act(() => vi.advanceTimersByTime(40));
      act(() => scrollTo(top));
    }
    expect(result.current.first).toBe(1);
  });

  it("are there at once after a jump, however far", () => {
    const { result, scrollTo } = column(30_000);
    act(() => vi.advanceTimersByTime(16));
    act(() => scrollTo(30_000));
    expect(result.current.first).toBe(30);
  });
});
