import { describe, expect, it } from "vitest";
import { snippetOf } from "./snippet";

const shown = (pieces: ReturnType<typeof snippetOf>) =>
  pieces.map((piece) => (piece.hit ? `[${piece.text}]` : piece.text)).join("");

describe("snippetOf", () => {
  it("marks the person's words whatever their case, accents and endings", () => {
    expect(shown(snippetOf("The filings of the Société were filed late.", "filing societe", 200))).toBe(
      "The [filings] of the [Société] were filed late.",
    );
  });

  it("shows what stands around the first hit of a long passage, cut at words", () => {
    const passage = `${"Nothing of interest here. ".repeat(20)}Net revenue rose by 15%. ${"More of that. ".repeat(20)}`;
    const snippet = shown(snippetOf(passage, "revenue", 100));
    expect(snippet).toMatch(/^… \S/);
    expect(snippet).toContain("Net [revenue] rose by 15%.");
    expect(snippet.endsWith(" …")).toBe(true);
    expect(snippet.length).toBeLessThan(120);
  });

  it("begins at the beginning where no word is found, and leaves short words alone", () => {
    expect(shown(snippetOf("An annual report.", "zzz", 100))).toBe("An annual report.");
    expect(shown(snippetOf("In Q3 it rose.", "q3", 100))).toBe("In [Q3] it rose.");
  });
});
