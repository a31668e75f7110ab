import { describe, expect, it } from "vitest";
import "./i18n";
import { findPage, pageLabel, placeName } from "./format";

const pages = [
  { number: 1, label: "i" },
  { number: 2, label: "xii" },
  { number: 3, label: "1" },
  { number: 4, label: "2" },
  { number: 5, label: null },
];

describe("page names", () => {
  it("shows what is printed and where it is in the file", () => {
    expect(pageLabel([{ number: 7, label: "371" }])).toBe("p. 371 · PDF 7");
    expect(pageLabel([{ number: 7, label: null }])).toBe("PDF 7");
    expect(
      pageLabel([
        { number: 7, label: "371" },
        { number: 8, label: "372" },
      ]),
    ).toBe("p. 371–372 · PDF 7–8");
    expect(pageLabel([])).toBe("");
  });

  it("names places that are not pages", () => {
    expect(placeName({ kind: "sheet", name: "Model", range: "B3:D9" }, [])).toBe("Model · B3:D9");
    expect(placeName({ kind: "slide", number: 4 }, [])).toBe("slide 4");
    expect(placeName({ kind: "heading", path: ["One", "Two"] }, [])).toBe("Two");
  });
});

describe("findPage", () => {
  it.each([
    ["xii", 2],
    ["XII", 2],
    ["1", 3],
    ["p. 2", 4],
    ["PDF 2", 2],
    ["pdf5", 5],
    ["5", 5],
    ["99", null],
    ["PDF 99", null],
    ["", null],
    ["appendix", null],
  ])("%s is page %s", (typed, expected) => {
    expect(findPage(pages, typed)).toBe(expected);
  });
});
