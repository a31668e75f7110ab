import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { DocumentView } from "@/ipc/bindings";
import { useElementSize } from "@/lib/media";
import { partsOf } from "@/lib/parts";
import { recallPosition, rememberPosition } from "@/lib/reading-positions";
import { type ReaderTarget, readingPlace, useView } from "@/state/view";
import { useCitationsHere } from "./marks";
import { useReader } from "./reader-state";
import type { Tick } from "./tick-rail";

/** Scrolling is over when nothing has moved for so long. */
const restMs = 400;

/** How far below the top of the scrolled text an element begins. */
function offsetIn(scroller: HTMLElement, element: Element): number {
  return element.getBoundingClientRect().top - scroller.getBoundingClientRect().top + scroller.scrollTop;
}

function itemsIn(scroller: HTMLElement): HTMLElement[] {
  return [...scroller.querySelectorAll<HTMLElement>("[data-ref]")];
}

function itemOf(scroller: HTMLElement, ref: string): HTMLElement | undefined {
  return itemsIn(scroller).find((item) => item.dataset.ref === ref);
}

/** The item at the top of the view, 1-based, and the share of it that lies above. */
function placeIn(scroller: HTMLElement): { unit: number; share: number } {
  const items = itemsIn(scroller);
  let low = 0;
  let high = items.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    const item = items[middle];
    if (item !== undefined && offsetIn(scroller, item) <= scroller.scrollTop) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  const item = items[low];
  const height = item?.offsetHeight ?? 0;
  const above = item === undefined ? 0 : scroller.scrollTop - offsetIn(scroller, item);
  return { unit: low + 1, share: height === 0 ? 0 : Math.max(-1, above / height) };
}

/** Where a document without pages is scrolled to, and where its citations are. */
export function useItemScroll(scroller: RefObject<HTMLDivElement | null>, view: DocumentView, target: ReaderTarget) {
  const opening = useView((state) => state.opening);
  const request = useReader((state) => state.request);

  const shownOpening = useRef(0);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null || opening === 0 || shownOpening.current === opening) {
      return;
    }
    shownOpening.current = opening;
    const place = target.place ?? (target.resume ? recallPosition(target.documentId) : null);
    if (place !== null) {
      const item = itemsIn(element)[place.unit - 1];
      element.scrollTop = item === undefined ? 0 : offsetIn(element, item) + place.share * item.offsetHeight;
      return;
    }
    const mark = element.querySelector("mark:is([data-kind=quote], [data-kind=passage])");
    element.scrollTop = mark === null ? 0 : offsetIn(element, mark) - element.clientHeight / 3;
  }, [opening, target, scroller]);

  const shownRequest = useRef(request.count);
  useLayoutEffect(() => {
    const element = scroller.current;
    const { to } = request;
    if (element === null || to?.kind !== "item" || shownRequest.current === request.count) {
      return;
    }
    shownRequest.current = request.count;
    const item = itemOf(element, to.ref);
    const found = item?.querySelector("mark[data-current=true]");
    if (item !== undefined) {
      element.scrollTop =
        found == null ? offsetIn(element, item) - 16 : offsetIn(element, found) - element.clientHeight / 3;
    }
  }, [request, scroller]);

  const rest = useRef<ReturnType<typeof setTimeout>>(undefined);
  const documentId = view.document_id;
  const onScroll = useCallback(() => {
    const element = scroller.current;
    if (element === null) {
      return;
    }
    readingPlace.current = placeIn(element);
    clearTimeout(rest.current);
    rest.current = setTimeout(() => {
      if (readingPlace.current !== null) {
        rememberPosition(documentId, readingPlace.current);
      }
    }, restMs);
  }, [scroller, documentId]);
  useEffect(
    () => () => {
      clearTimeout(rest.current);
      readingPlace.current = null;
    },
    [],
  );

  return { onScroll, ticks: useTicks(scroller, view) };
}

/** The heights of the citations can only be measured: items are as high as their words make them. */
function useTicks(scroller: RefObject<HTMLDivElement | null>, view: DocumentView): Tick[] {
  const citations = useCitationsHere(view.document_id);
  const { width } = useElementSize(scroller);
  const [ticks, setTicks] = useState<Tick[]>([]);
  useEffect(() => {
    const element = scroller.current;
    if (element === null || width === 0) {
      return;
    }
    const height = Math.max(1, element.scrollHeight);
    setTicks(
      citations.flatMap((citation) =>
        partsOf(citation).flatMap((part, at) => {
          const item = part.kind === "item" ? itemOf(element, part.span.ref) : undefined;
          return item === undefined ? [] : [{ citation, at, share: offsetIn(element, item) / height }];
        }),
      ),
    );
  }, [scroller, citations, width]);
  return ticks;
}
