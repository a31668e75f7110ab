import { useTranslation } from "react-i18next";
import { ChipGlyph } from "@/components/chip-glyph";
import type { Citation } from "@/ipc/bindings";
import { type ChipState, countVerdicts } from "@/lib/chip-state";

/** One line under an answer: what was found word for word, what by meaning, what not. */
export function VerdictSummary({ citations }: { citations: readonly Citation[] }) {
  const { t } = useTranslation();
  if (citations.length === 0) {
    return null;
  }
  const counts = countVerdicts(citations);
  const parts: { state: ChipState; count: number; text: string }[] = [
    { state: "verified", count: counts.verbatim, text: t("verdict.verbatim", { count: counts.verbatim }) },
    { state: "matched", count: counts.close, text: t("verdict.close", { count: counts.close }) },
    { state: "matched", count: counts.meaning, text: t("verdict.meaning", { count: counts.meaning }) },
    { state: "problem", count: counts.notLocated, text: t("verdict.notLocated", { count: counts.notLocated }) },
    { state: "problem", count: counts.missingFigures, text: t("verdict.figure", { count: counts.missingFigures }) },
  ];
  const shown = parts.filter((part) => part.count > 0);
  return (
    <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-muted text-xs" data-testid="verdict-summary">
      {shown.map((part) => (
        <span key={part.text} className={`inline-flex items-center ${part.state === "problem" ? "text-warn" : ""}`}>
          <span className={`mr-1 inline-flex size-3 ${part.state === "problem" ? "" : "text-accent"}`}>
            <ChipGlyph state={part.state} />
          </span>
          {part.text}
        </span>
      ))}
    </p>
  );
}
