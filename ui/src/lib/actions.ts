import { useEffect } from "react";
import type { KeyAction } from "./keyboard";

type Handler = (digit: number | null) => void;

/** Who answers to a shortcut at the moment: the part of the window that came last, then those that were there before. */
const handlers = new Map<KeyAction, Handler[]>();

/** Carries out an action, if the part it belongs to is there. */
export function runAction(action: KeyAction, digit: number | null = null): void {
  handlers.get(action)?.at(-1)?.(digit);
}

/** Answers to an action for as long as the component is there. */
export function useAction(action: KeyAction, handler: Handler): void {
  useEffect(() => {
    handlers.set(action, [...(handlers.get(action) ?? []), handler]);
    return () => {
      handlers.set(
        action,
        (handlers.get(action) ?? []).filter((candidate) => candidate !== handler),
      );
    };
  }, [action, handler]);
}
