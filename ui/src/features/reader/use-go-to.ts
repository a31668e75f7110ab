import { useCallback } from "react";
import { useView } from "@/state/view";
import { type Destination, useReader } from "./reader-state";

/** Moves inside the open document, and keeps the place that is left for going back to. */
export function useGoTo(): (to: Destination) => void {
  const keepPlace = useView((state) => state.keepPlace);
  const goTo = useReader((state) => state.goTo);
  return useCallback(
    (to: Destination) => {
      keepPlace();
      goTo(to);
    },
    [keepPlace, goTo],
  );
}
