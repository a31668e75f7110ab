import { useCallback, useLayoutEffect, useRef } from "react";
import type { DocumentView, LocateMatch } from "@/ipc/bindings";
import { useFound } from "@/ipc/queries";
import { useAction } from "@/lib/actions";
import { useQuiet } from "@/lib/media";
import { useView } from "@/state/view";
import { type Destination, useReader, useReaderParts } from "./reader-state";

/** Words are looked for when typing has paused. */
const typingPauseMs = 150;
const nothing: readonly LocateMatch[] = [];

function placeOf(match: LocateMatch): Destination | null {
  const box = match.boxes[0];
  const span = match.spans[0];
  if (box !== undefined) {
    return { kind: "page", page: box.page, box };
  }
  return span === undefined ? null : { kind: "item", ref: span.ref };
}

/** The place to begin with: the first at or after the page in view. */
function firstFrom(matches: readonly LocateMatch[], page: number): number {
  const at = matches.findIndex((match) => (match.boxes[0]?.page ?? page) >= page);
  return Math.max(0, at);
}

/** Finding words in the open document: its places, and going from one to the next. */
export function useFind(view: DocumentView) {
  const { findOpen, findWords, findAt, setFind, goTo } = useReaderParts(
    "findOpen",
    "findWords",
    "findAt",
    "setFind",
    "goTo",
  );
  const keepPlace = useView((state) => state.keepPlace);
  const quiet = useQuiet(findWords.trim(), typingPauseMs);
  const words = findOpen ? quiet : "";
  const query = useFound(view, words);
  const matches = words === "" ? nothing : (query.data ?? nothing);

  const show = useCallback(
    (at: number) => {
      const match = matches[at];
      const place = match === undefined ? null : placeOf(match);
      setFind({ findAt: at });
      if (place !== null) {
        goTo(place);
      }
    },
    [matches, setFind, goTo],
  );
  const step = useCallback(
    (by: 1 | -1) => {
      if (matches.length > 0) {
        show((useReader.getState().findAt + by + matches.length) % matches.length);
      }
    },
    [matches, show],
  );

  // New places: begin with the nearest one, before the first of them all is seen as the current one. Words that were
  // looked for already when this document was opened are only marked: what was opened is what is to be seen.
  const shown = useRef<readonly LocateMatch[]>(nothing);
  const foundBefore = useRef<string | null>(words);
  useLayoutEffect(() => {
    if (matches === shown.current) {
      return;
    }
    shown.current = matches;
    if (matches.length === 0) {
      return;
    }
    const nearest = firstFrom(matches, useReader.getState().page);
    if (foundBefore.current === words) {
      setFind({ findAt: nearest });
    } else {
      foundBefore.current = null;
      show(nearest);
    }
  }, [matches, words, show, setFind]);

  const open = useCallback(() => {
    if (!useReader.getState().findOpen) {
      keepPlace();
    }
    setFind({ findOpen: true });
    // At once where it is there already; where it appears, it takes the focus itself. Later would be into the typing.
    document.querySelector<HTMLInputElement>("[data-testid=find-words]")?.select();
  }, [keepPlace, setFind]);
  useAction("find", open);
  useAction(
    "findNext",
    useCallback(() => step(1), [step]),
  );
  useAction(
    "findPrevious",
    useCallback(() => step(-1), [step]),
  );
  return { matches, findAt, step, looking: words !== "" && query.isFetching, failed: query.isError, words };
}
