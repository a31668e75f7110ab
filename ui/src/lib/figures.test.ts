import { describe, expect, it } from "vitest";
import { placesOf, remarkFigures } from "./figures";
import type { TreeNode } from "./markers";

const text = (value: string): TreeNode => ({ type: "text", value });
const cite = (index: number): TreeNode => ({
  type: "citation",
  data: { hName: "cite-chip", hProperties: { index: String(index) } },
  children: [],
});

/** The text with what is marked between braces, and who says so. */
function shown(node: TreeNode): string {
  const inside = (node.children ?? []).map(shown).join("");
  switch (node.type) {
    case "text":
      return node.value ?? "";
    case "citation":
      return `[${node.data?.hProperties?.index}]`;
    case "figure":
      return `{${inside} ${node.data?.hProperties?.kind} ${node.data?.hProperties?.index}}`;
    default:
      return inside;
  }
}

function marked(children: TreeNode[], notes: Parameters<typeof remarkFigures>[0]["notes"]): string {
  const tree: TreeNode = { type: "root", children: [{ type: "paragraph", children }] };
  remarkFigures({ notes })(tree);
  return shown(tree);
}

describe("the figures of a claim", () => {
  it("are marked in the sentence before the marker, not in others", () => {
    expect(
      marked(
        [text("It was 1.6 points. A gain of 1.6 points in all."), cite(4), text(" And 1.6 points again.")],
        [{ index: 4, missing: ["1.6 points"], computed: [] }],
      ),
    ).toBe("It was 1.6 points. A gain of {1.6 points missing 4} in all.[4] And 1.6 points again.");
  });

  it("are found across emphasis, and computed ones are told apart", () => {
    expect(
      marked(
        [text("Up "), { type: "strong", children: [text("$206")] }, text(" million, or 15 %."), cite(1)],
        [{ index: 1, missing: ["$206 million"], computed: ["15 %"] }],
      ),
    ).toBe("Up {$206 missing 1}{ million missing 1}, or {15 % computed 1}.[1]");
  });

  it("are marked once when two markers stand for the same words", () => {
    const note = { missing: ["7"], computed: [] };
    expect(
      marked(
        [text("There are 7."), cite(1), cite(2)],
        [
          { index: 1, ...note },
          { index: 2, ...note },
        ],
      ),
    ).toBe("There are {7 missing 1}.[1][2]");
  });
});

describe("a figure", () => {
  it("is never a part of a longer one", () => {
    expect(placesOf("6", "1.6 and 6,000 and 16 and B6", 0)).toEqual([]);
    expect(placesOf("6", "1.6, then 6.", 0)).toEqual([{ start: 10, end: 11 }]);
  });

  it("is found whichever way a negative one is written", () => {
    expect(placesOf("(1,204)", "a loss of 1,204", 0)).toEqual([{ start: 10, end: 15 }]);
    expect(placesOf("-12", "down 12", 0)).toEqual([{ start: 5, end: 7 }]);
  });
});
