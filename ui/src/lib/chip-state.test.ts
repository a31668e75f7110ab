import { describe, expect, it } from "vitest";
import type { Citation } from "@/ipc/bindings";
import { citation } from "@/test/samples";
import { chipState, countVerdicts } from "./chip-state";

const lacking = { found: [], missing: ["1.6"], computed: [] };

describe("chipState", () => {
  const cases: [Partial<Citation>, ReturnType<typeof chipState>][] = [
    [{ quote_by: "answer", verdict: "verbatim" }, "verified"],
    [{ quote_by: "recto", verdict: "verbatim" }, "matched"],
    [{ quote_by: "answer", verdict: "normalised" }, "matched"],
    [{ quote_by: "answer", verdict: "fuzzy" }, "matched"],
    [{ quote_by: "recto", verdict: "aligned" }, "matched"],
    [{ quote_by: "answer", verdict: "not_located" }, "problem"],
    [{ quote_by: "recto", verdict: "not_located" }, "problem"],
    [{ quote_by: "answer", verdict: "verbatim", numbers: lacking }, "problem"],
    [{ quote_by: "recto", verdict: "aligned", numbers: lacking }, "problem"],
  ];
  it.each(cases)("%j is %s", (changes, expected) => {
    expect(chipState(citation(changes))).toBe(expected);
  });

  it("a figure that was found or computed is no problem", () => {
    expect(chipState(citation({ numbers: { found: ["15 %"], missing: [], computed: ["1.6"] } }))).toBe("verified");
  });
});

describe("countVerdicts", () => {
  it("counts each verdict once and every missing figure", () => {
    const citations = [
      citation(),
      citation({ verdict: "fuzzy" }),
      citation({ verdict: "aligned", quote_by: "recto", numbers: { ...lacking, missing: ["1.6", "7"] } }),
      citation({ verdict: "not_located" }),
    ];
    expect(countVerdicts(citations)).toEqual({ verbatim: 1, close: 1, meaning: 1, notLocated: 1, missingFigures: 2 });
  });
});
