import type { Citation } from "@/ipc/bindings";

/** What a chip says about its citation, by shape and colour. `pending` while the verdict is awaited. */
export type ChipState = "verified" | "matched" | "problem" | "pending";

const states = { proven: "verified", near: "matched", open: "problem" } as const;

/** The state of a checked citation's chip. */
export function chipState(citation: Citation): Exclude<ChipState, "pending"> {
  return states[citation.mark];
}

/** Counts for the line under an answer. */
export interface VerdictCounts {
  verbatim: number;
  /** The answer's quotes found after normalisation or with small differences. */
  close: number;
  /** Support that Recto found by alignment. */
  meaning: number;
  notLocated: number;
  missingFigures: number;
}

/** Counts the verdicts of an answer; a figure is counted for each citation whose words lack it. */
export function countVerdicts(citations: readonly Citation[]): VerdictCounts {
  const counts: VerdictCounts = { verbatim: 0, close: 0, meaning: 0, notLocated: 0, missingFigures: 0 };
  for (const citation of citations) {
    counts.missingFigures += citation.numbers.missing.length;
    switch (citation.verdict) {
      case "verbatim":
        counts.verbatim += 1;
        break;
      case "normalised":
      case "fuzzy":
        counts.close += 1;
        break;
      case "aligned":
        counts.meaning += 1;
        break;
      case "not_located":
        counts.notLocated += 1;
        break;
    }
  }
  return counts;
}
