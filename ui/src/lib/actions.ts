import { useEffect } from "react";
import type { KeyAction } from "./keyboard";

/** Who answers to a shortcut at the moment: the part of the window it belongs to. */
const handlers = new Map<KeyAction, (digit: number | null) => void>();

/** Carries out an action, if the part it belongs to is there. */
export function runAction(action: KeyAction, digit: number | null = null): void {
  handlers.get(action)?.(digit);
}

/** Answers to an action for as long as the component is there. */
export function useAction(action: KeyAction, handler: (digit: number | null) => void): void {
  useEffect(() => {
    handlers.set(action, handler);
    return () => {
      if (handlers.get(action) === handler) {
        handlers.delete(action);
      }
    };
  }, [action, handler]);
}
