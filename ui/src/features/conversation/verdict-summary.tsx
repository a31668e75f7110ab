import { useTranslation } from "react-i18next";
import { ChipGlyph } from "@/components/chip-glyph";
import type { Citation } from "@/ipc/bindings";
import { verdictParts } from "@/lib/answer-notes";

/** One line under an answer: what was found word for word, what by meaning, what not. */
export function VerdictSummary({ citations }: { citations: readonly Citation[] }) {
  // The sentence is made in the language of the window, which may be changed while it is shown.
  useTranslation();
  if (citations.length === 0) {
    return null;
  }
  return (
    <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-muted text-xs" data-testid="verdict-summary">
      {verdictParts(citations).map((part) => (
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
