import { type RefObject, useEffect } from "react";
import { claimRange } from "@/lib/claim";

const highlightName = "claim";

/**
 * Marks the words that the open citation stands for, beside the bar that marks their paragraph. The marks lie over the
 * text and change nothing of it; a browser without them shows the bar alone.
 */
export function useClaimMark(answer: RefObject<HTMLElement | null>, active: number | null): void {
  useEffect(() => {
    const element = answer.current;
    if (element === null || active === null || typeof Highlight === "undefined") {
      return;
    }
    let mark: Highlight | null = null;
    const draw = () => {
      const chips = [...element.querySelectorAll('.prose-answer .chip[data-active="true"]')];
      const ranges = chips
        .map((chip) => claimRange(chip, (candidate) => candidate.classList.contains("chip")))
        .filter((range) => range !== null);
      mark = new Highlight(...ranges);
      CSS.highlights.set(highlightName, mark);
    };
    draw();
    // The text may go on, and its words come into the page after the citation was opened.
    const changes = new MutationObserver(draw);
    changes.observe(element, { subtree: true, childList: true, characterData: true });
    return () => {
      changes.disconnect();
      if (mark !== null && CSS.highlights.get(highlightName) === mark) {
        CSS.highlights.delete(highlightName);
      }
    };
  }, [answer, active]);
}
