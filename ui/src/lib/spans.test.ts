import { describe, expect, it } from "vitest";
import { markSpans } from "./spans";

describe("markSpans", () => {
  it("counts characters, not UTF-16 units", () => {
    const mark = { start: 6, end: 7 };
    expect(markSpans("𝛼 and 𝛽 rise", [mark])).toEqual([
      { start: 0, text: "𝛼 and ", marks: [] },
      { start: 6, text: "𝛽", marks: [mark] },
      { start: 7, text: " rise", marks: [] },
    ]);
  });

  it("takes spans that overlap, lie out of order or reach past the end", () => {
    const spans = [
      { start: 4, end: 99 },
      { start: 0, end: 2 },
      { start: 1, end: 3 },
    ];
    const pieces = markSpans(
      "abcdef",
      spans.map((span) => ({ ...span, end: Math.min(span.end, 6) })),
    );
    expect(pieces.map((piece) => piece.text).join("")).toBe("abcdef");
    expect(pieces.filter((piece) => piece.marks.length === 0).map((piece) => piece.text)).toEqual(["d"]);
    expect(markSpans("abcdef", spans).at(-1)).toMatchObject({ text: "ef", marks: [{ start: 4 }] });
  });

  it("says of every piece which marks lie over it", () => {
    const pieces = markSpans("revenue rose", [
      { start: 0, end: 12, name: "quote" },
      { start: 8, end: 12, name: "found" },
    ]);
    expect(pieces.map((piece) => [piece.text, piece.marks.map((mark) => mark.name)])).toEqual([
      ["revenue ", ["quote"]],
      ["rose", ["quote", "found"]],
    ]);
  });

  it("leaves a text without spans whole", () => {
    expect(markSpans("abc", [])).toEqual([{ start: 0, text: "abc", marks: [] }]);
    expect(markSpans("", [])).toEqual([]);
  });
});
