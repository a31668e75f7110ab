import { useCallback } from "react";
import { runAction, useAction } from "@/lib/actions";
import type { KeyAction } from "@/lib/keyboard";

const panes: readonly { selector: string; focus: KeyAction }[] = [
  { selector: "[data-testid=library]", focus: "focusLibrary" },
  { selector: "[data-testid=conversation]", focus: "focusConversation" },
  { selector: "[data-testid=reader]", focus: "focusReader" },
];

/** F6 goes from one pane to the next that is there. */
export function useCyclePanes(): void {
  useAction(
    "cyclePanes",
    useCallback(() => {
      const there = panes.filter(({ selector }) => document.querySelector(selector) !== null);
      const current = there.findIndex(({ selector }) => document.activeElement?.closest(selector) != null);
      const next = there[(current + 1) % there.length];
      if (next !== undefined) {
        runAction(next.focus);
      }
    }, []),
  );
}
