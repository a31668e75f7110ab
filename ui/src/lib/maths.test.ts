import { describe, expect, it } from "vitest";
import { formulaIn, protectFormulas } from "./maths";

/** The text with formulas between ⟨ ⟩, those on a line of their own between ⟪ ⟫. */
function shown(text: string): string {
  return protectFormulas(text).replace(/`(\u{e000}[^`]*)`/gu, (_, code) => {
    const formula = formulaIn(code);
    return formula?.display ? `⟪${formula.source}⟫` : `⟨${formula?.source}⟩`;
  });
}

describe("a formula", () => {
  it.each([
    ["so \\(a_1 + b_1\\).[1]", "so ⟨a_1 + b_1⟩.[1]"],
    ["so \\[\n\\frac{a}{b}\n\\] holds", "so ⟪\\frac{a}{b}⟫ holds"],
    ["$$\nE = mc^2\n$$", "⟪E = mc^2⟫"],
    ["where $x$ is and $\\alpha_i = 3$.", "where ⟨x⟩ is and ⟨\\alpha_i = 3⟩."],
  ])("is found in %j", (text, expected) => {
    expect(shown(text)).toBe(expected);
  });

  it.each([
    "Revenue was $1,577 million, up from $1,371 million.",
    "Between $5 and $10 (or US$7)",
    "$206 million more, $3 = less",
    "A \\[1\\] of its own and \\[2, 3\\].",
    "Costs \\$5 and \\$6_a",
    "As `$x$` and ``\\(a\\)`` say",
    "```\n$$x$$\n```\nafter",
    "~~~tex\n\\(a\\)\n~~~",
    "```tex\n\\(not closed",
    "begun \\(but not",
  ])("is not seen in %j", (text) => {
    expect(protectFormulas(text)).toBe(text);
  });

  it("is found behind a block of code", () => {
    expect(shown("```\n$a=b$\n```\n\nand $a=b$")).toBe("```\n$a=b$\n```\n\nand ⟨a=b⟩");
  });

  it("takes no long time over a long text of openings", () => {
    const started = performance.now();
    protectFormulas("$a \\( \\[ $$ ".repeat(4_000));
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
