import { describe, expect, it } from "vitest";
import {
  columnHeight,
  cssPixelsPerPoint,
  fitWidthZoom,
  pageAt,
  pageGap,
  placePages,
  scrollTopFor,
  visibleRange,
} from "./page-layout";

/** Upright, landscape, upright. */
const pages = [
  { width: 612, height: 792 },
  { width: 792, height: 612 },
  { width: 612, height: 792 },
];

describe("placing pages", () => {
  it("gives every page its own size, one under another", () => {
    const placed = placePages(pages, 0.75);
    expect(placed.map((page) => [page.width, page.height])).toEqual([
      [612, 792],
      [792, 612],
      [612, 792],
    ]);
    expect(placed.map((page) => page.top)).toEqual([pageGap, pageGap * 2 + 792, pageGap * 3 + 792 + 612]);
    expect(columnHeight(placed)).toBe(792 + 612 + 792 + 4 * pageGap);
    expect(columnHeight([])).toBe(0);
  });

  it("fits the widest page, within 25 and 500 per cent", () => {
    expect(fitWidthZoom(pages, 792 * cssPixelsPerPoint)).toBeCloseTo(1);
    expect(fitWidthZoom(pages, 10)).toBe(0.25);
    expect(fitWidthZoom(pages, 100_000)).toBe(5);
    expect(fitWidthZoom([], 600)).toBe(1);
  });
});

describe("finding pages", () => {
  const placed = placePages(
    Array.from({ length: 5_000 }, () => ({ width: 612, height: 792 })),
    1,
  );

  it("names the page under every offset", () => {
    for (const page of [placed[0], placed[1], placed[777], placed[4_999]]) {
      expect(pageAt(placed, page?.top ?? -1)).toBe(page?.index);
      expect(pageAt(placed, (page?.top ?? 0) + (page?.height ?? 0) - 1)).toBe(page?.index);
    }
    expect(pageAt(placed, -50)).toBe(0);
    expect(pageAt(placed, 1e9)).toBe(4_999);
    expect(pageAt([], 10)).toBe(0);
  });

  it("keeps only a handful of pages mounted anywhere in a long document", () => {
    for (let scrollTop = 0; scrollTop < columnHeight(placed); scrollTop += 131_071) {
      const { first, last } = visibleRange(placed, scrollTop, 900, 1);
      expect(first).toBeGreaterThanOrEqual(0);
      expect(last).toBeLessThan(5_000);
      expect(last - first).toBeLessThanOrEqual(4);
      expect(placed[first]?.top).toBeLessThanOrEqual(Math.max(scrollTop, pageGap));
    }
  });
});

describe("scrollTopFor", () => {
  it("puts the place at a third of the height", () => {
    const placed = placePages(pages, 1.5);
    const top = scrollTopFor(placed, 1, 300, 1.5, 600);
    const place = (placed[1]?.top ?? 0) + 300 * cssPixelsPerPoint * 1.5;
    expect(place - top).toBeCloseTo(200);
  });

  it("does not scroll past either end", () => {
    const placed = placePages(pages, 1);
    expect(scrollTopFor(placed, 0, 10, 1, 600)).toBe(0);
    expect(scrollTopFor(placed, 2, 790, 1, 600)).toBe(columnHeight(placed) - 600);
    expect(scrollTopFor(placed, 9, 0, 1, 600)).toBe(0);
  });
});
