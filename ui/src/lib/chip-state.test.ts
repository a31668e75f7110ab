import { describe, expect, it } from "vitest";
import { citation } from "@/test/samples";
import { chipState, countVerdicts } from "./chip-state";

const lacking = { found: [], missing: ["1.6"], computed: [] };

describe("chipState", () => {
  it("is what follows from the verdict and the check of the figures", () => {
    expect(chipState(citation({ mark: "proven" }))).toBe("verified");
    expect(chipState(citation({ mark: "near" }))).toBe("matched");
    expect(chipState(citation({ mark: "open" }))).toBe("problem");
    expect(chipState(citation({ verdict: "aligned", quote_by: "recto", mark: "proven" }))).toBe("verified");
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
