import { useEffect } from "react";
import { tinykeys } from "tinykeys";
import { runAction } from "@/lib/actions";
import { keyBindings } from "@/lib/keyboard";

/** Listens to the table of shortcuts. */
export function useShortcuts(): void {
  useEffect(() => tinykeys(window, keyBindings(runAction)), []);
}
