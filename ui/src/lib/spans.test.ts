import { describe, expect, it } from "vitest";
import { markSpans } from "./spans";

describe("markSpans", () => {
  it("counts characters, not UTF-16 units", () => {
    const pieces = markSpans("𝛼 and 𝛽 rise", [{ start: 6, end: 7 }]);
    expect(pieces).toEqual([
      { text: "𝛼 and ", marked: false },
      { text: "𝛽", marked: true },
      { text: " rise", marked: false },
    ]);
  });

  it("takes spans that overlap, lie out of order or reach past the end", () => {
    const spans = [
      { start: 4, end: 99 },
      { start: 0, end: 2 },
      { start: 1, end: 3 },
    ];
    const pieces = markSpans("abcdef", spans);
    expect(pieces.map((piece) => piece.text).join("")).toBe("abcdef");
    expect(pieces.filter((piece) => !piece.marked).map((piece) => piece.text)).toEqual(["d"]);
  });

  it("leaves a text without spans whole", () => {
    expect(markSpans("abc", [])).toEqual([{ text: "abc", marked: false }]);
    expect(markSpans("", [])).toEqual([]);
  });
});
