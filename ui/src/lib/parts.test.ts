import { describe, expect, it } from "vitest";
import type { CitationBox } from "@/ipc/bindings";
import { partsOf } from "./parts";

function box(page: number, top: number, kind: CitationBox["kind"] = "quote"): CitationBox {
  return { page, left: 72, top, right: 300, bottom: top + 12, kind };
}

describe("partsOf", () => {
  it("makes one part of all lines on a page, and one of each further page", () => {
    const parts = partsOf({ boxes: [box(17, 700), box(17, 714), box(18, 72), box(17, 60, "passage")], spans: [] });
    expect(parts.map((part) => part.kind === "page" && [part.page, part.box.top])).toEqual([
      [17, 700],
      [18, 72],
    ]);
  });

  it("takes the passage where the quote was not found", () => {
    expect(partsOf({ boxes: [box(4, 100, "passage"), box(5, 90, "passage")], spans: [] })).toHaveLength(2);
  });

  it("makes a part of each stretch of a document without pages", () => {
    const spans = [
      { ref: "#/texts/1", start: 0, end: 4 },
      { ref: "#/texts/2", start: 3, end: 9 },
    ];
    expect(partsOf({ boxes: [], spans })).toEqual(spans.map((span) => ({ kind: "item", span })));
  });
});
