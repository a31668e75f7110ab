import { describe, expect, it } from "vitest";
import {
  columnHeight,
  cssPixelsPerPoint,
  fitPageZoom,
  fitWidthZoom,
  isSkimming,
  pageAt,
  pageGap,
  pagesToAskFor,
  placeAt,
  placePages,
  scrollLeftFor,
  scrollTopFor,
  scrollTopOf,
  turnedBox,
  turnedExtent,
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

describe("scrollLeftFor", () => {
  const mixed = placePages(
    [
      { width: 300, height: 400 },
      { width: 900, height: 400 },
    ],
    3,
  );

  it("brings a place on a narrow page between wide ones to the middle", () => {
    // The column is 900 · 4 + 32 wide; the narrow page begins a third of it in.
    const left = scrollLeftFor(mixed, 0, 0.5, 600);
    expect(left).toBeCloseTo((900 * 4 + 32) / 2 - 300);
    expect(scrollLeftFor(mixed, 0, 0, 600)).toBeCloseTo((900 * 4 + 32) / 2 - 600 - 300);
  });

  it("stays within the column, and has nothing to do where all of it is seen", () => {
    expect(scrollLeftFor(mixed, 1, 0, 600)).toBe(0);
    expect(scrollLeftFor(mixed, 1, 1, 600)).toBe(900 * 4 + 32 - 600);
    expect(scrollLeftFor(mixed, 1, 0.5, 5_000)).toBeNull();
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

describe("pagesToAskFor", () => {
  const inView = { first: 155, last: 156 };

  it("asks for the cited page alone until it is there", () => {
    expect(pagesToAskFor(inView, 155, new Set(), 222)).toEqual([155]);
    expect(pagesToAskFor(inView, 156, new Set(), 222)).toEqual([156]);
  });

  it("then for the others in view, then for one neighbour on either side", () => {
    expect(pagesToAskFor(inView, 156, new Set([156]), 222)).toEqual([156, 155]);
    expect(pagesToAskFor(inView, 156, new Set([155, 156]), 222)).toEqual([156, 155, 157, 154]);
  });

  it("does not wait for a cited page that was scrolled away", () => {
    expect(pagesToAskFor({ first: 3, last: 4 }, 155, new Set(), 222)).toEqual([3, 4]);
  });

  it("keeps what was there before", () => {
    expect(pagesToAskFor(inView, 156, new Set([154, 155]), 222)).toEqual([156, 155]);
    expect(pagesToAskFor({ first: 3, last: 3 }, 9, new Set([4]), 222)).toEqual([3, 4]);
  });

  it("stays within the document", () => {
    expect(pagesToAskFor({ first: 0, last: 0 }, 0, new Set([0]), 1)).toEqual([0]);
    expect(pagesToAskFor({ first: 0, last: -1 }, 0, new Set(), 0)).toEqual([]);
  });
});

describe("turning pages", () => {
  const page = { width: 600, height: 800 };
  const box = { left: 60, top: 100, right: 160, bottom: 120 };

  it("swaps width and height at every quarter", () => {
    expect(turnedExtent(page, 1)).toEqual({ width: 800, height: 600 });
    expect(turnedExtent(page, 2)).toEqual(page);
  });

  it("keeps a box over its words", () => {
    expect(turnedBox(box, page, 0)).toEqual(box);
    expect(turnedBox(box, page, 1)).toEqual({ left: 680, top: 60, right: 700, bottom: 160 });
    expect(turnedBox(box, page, 2)).toEqual({ left: 440, top: 680, right: 540, bottom: 700 });
    expect(turnedBox(box, page, 3)).toEqual({ left: 100, top: 440, right: 120, bottom: 540 });
  });
});

describe("fitting the page", () => {
  it("shows the highest page whole, also where the width is what limits it", () => {
    const zoom = fitPageZoom(pages, 2000, 800);
    const highest = Math.max(...placePages(pages, zoom).map((page) => page.height));
    expect(highest).toBeCloseTo(800 - 2 * pageGap);
    expect(fitPageZoom(pages, 300, 5000)).toBe(fitWidthZoom(pages, 300));
  });
});

describe("a reading place", () => {
  it("comes back to the same line at another zoom", () => {
    const before = placePages(pages, 1);
    const place = placeAt(before, (before[1]?.top ?? 0) + 0.4 * (before[1]?.height ?? 0));
    expect(place.unit).toBe(2);
    const after = placePages(pages, 2.5);
    expect(scrollTopOf(after, place)).toBeCloseTo((after[1]?.top ?? 0) + 0.4 * (after[1]?.height ?? 0));
  });

  it("stays within a document that has become shorter", () => {
    expect(scrollTopOf(placePages(pages, 1), { unit: 90, share: 0 })).toBe(placePages(pages, 1)[2]?.top);
    expect(scrollTopOf([], { unit: 4, share: 0.5 })).toBe(0);
  });
});

describe("skimming", () => {
  it("is faster than four viewports a second, whichever way", () => {
    expect(isSkimming(100, 16, 800)).toBe(true);
    expect(isSkimming(-100, 16, 800)).toBe(true);
    expect(isSkimming(40, 16, 800)).toBe(false);
    expect(isSkimming(3000, 2000, 800)).toBe(false);
  });
});
