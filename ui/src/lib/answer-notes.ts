/** The sentences under an answer: what was verified about it, and what was searched for it. */

import type { Citation, Coverage } from "@/ipc/bindings";
import { type ChipState, countVerdicts } from "./chip-state";
import { numberOf } from "./format";
import { i18next } from "./i18n";

/** A part of the line that says what was verified. */
export interface VerdictPart {
  state: ChipState;
  text: string;
}

/** What was verified: quotes found word for word, with small differences, by meaning, not at all; figures not found. */
export function verdictParts(citations: readonly Citation[]): VerdictPart[] {
  const counts = countVerdicts(citations);
  const t = i18next.t;
  const parts: (VerdictPart & { count: number })[] = [
    { state: "verified", count: counts.verbatim, text: t("verdict.verbatim", { count: counts.verbatim }) },
    { state: "matched", count: counts.close, text: t("verdict.close", { count: counts.close }) },
    { state: "matched", count: counts.meaning, text: t("verdict.meaning", { count: counts.meaning }) },
    { state: "problem", count: counts.notLocated, text: t("verdict.notLocated", { count: counts.notLocated }) },
    { state: "problem", count: counts.missingFigures, text: t("verdict.figure", { count: counts.missingFigures }) },
  ];
  return parts.filter((part) => part.count > 0).map(({ state, text }) => ({ state, text }));
}

/** What was searched, how much of it was read, and how much is cited. */
export function coverageSentence(coverage: Coverage, read: number, cited: number): string {
  return i18next.t("evidence.coverage", {
    searched: numberOf(coverage.documents_searched),
    count: coverage.documents_total,
    read,
    cited,
  });
}

/** What goes with an answer where it leaves the window. */
export function notesOf(
  citations: readonly Citation[],
  { coverage, read, model }: { coverage: Coverage | null; read: number; model: string | null },
): string[] {
  const verified = verdictParts(citations).map((part) => part.text);
  return [
    verified.join(" · "),
    coverage === null ? "" : coverageSentence(coverage, read, citations.length),
    model === null ? "" : i18next.t("export.writtenBy", { model }),
  ].filter((note) => note !== "");
}
