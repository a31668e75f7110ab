import { type RefObject, useEffect } from "react";
import { claimRange } from "@/lib/claim";

const highlightName = "claim";

/**
 * Marks the words that the open citation stands for, beside the bar that marks their paragraph. The marks lie over the
 * text and change nothing of it; a browser without them shows the bar alone.
 */
export function useClaimMark(answer: RefObject<HTMLElement | null>, active: number | null, text: string): void {
  useEffect(() => {
    const element = answer.current;
    if (element === null || active === null || text === "" || typeof Highlight === "undefined") {
      return;
    }
    const chips = [...element.querySelectorAll('.prose-answer .chip[data-active="true"]')];
    const ranges = chips
      .map((chip) => claimRange(chip, (candidate) => candidate.classList.contains("chip")))
      .filter((range) => range !== null);
    const mark = new Highlight(...ranges);
    CSS.highlights.set(highlightName, mark);
    return () => {
      if (CSS.highlights.get(highlightName) === mark) {
        CSS.highlights.delete(highlightName);
      }
    };
  }, [answer, active, text]);
}
