import { type RefObject, type UIEvent, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { DocumentView } from "@/ipc/bindings";
import { useQuiet } from "@/lib/media";
import {
  columnWidth,
  type PlacedPage,
  pageAt,
  placeAt,
  scrollLeftFor,
  scrollTopFor,
  scrollTopOf,
  type Turn,
  turnedBox,
} from "@/lib/page-layout";
import { recallPosition, rememberPosition } from "@/lib/reading-positions";
import { type ReaderTarget, readingPlace, useView } from "@/state/view";
import { useReader } from "./reader-state";

interface Column {
  scroller: RefObject<HTMLDivElement | null>;
  view: DocumentView;
  target: ReaderTarget;
  placed: readonly PlacedPage[];
  zoom: number;
  turn: Turn;
  size: { width: number; height: number };
}

/** Scrolling is over when nothing has moved for so long. */
const restMs = 400;
const aboveRequested = 8;

type Box = { left: number; top: number; right: number; bottom: number };

/**
 * Where the column of pages is scrolled to.
 *
 * What was opened comes to a third of the height, and stays there while panes find their size. Once the column has been
 * scrolled, a change of size keeps the same line of the document in the middle instead.
 */
export function useColumnScroll({ scroller, view, target, placed, zoom, turn, size }: Column) {
  const opening = useView((state) => state.opening);
  const request = useReader((state) => state.request);
  const [scrollTop, setScrollTop] = useState(0);
  const laidOut = size.width > 0 && size.height > 0;

  // Where the column was last put or scrolled to. The element itself cannot be asked: when the column gets shorter, it
  // has moved already.
  const lastTop = useRef(0);
  const jumpedTo = useRef(0);
  const put = useCallback((element: HTMLElement, top: number) => {
    element.scrollTop = top;
    lastTop.current = element.scrollTop;
    jumpedTo.current = element.scrollTop;
    setScrollTop(element.scrollTop);
  }, []);
  const lastLeft = useRef(0);
  const putAcross = useCallback((element: HTMLElement, left: number | null) => {
    if (left !== null) {
      element.scrollLeft = left;
      lastLeft.current = element.scrollLeft;
    }
  }, []);

  const showBox = useCallback(
    (element: HTMLElement, page: number, box: Box | null) => {
      const extent = view.pages[page - 1];
      const place = placed[page - 1];
      if (box === null || extent === undefined || place === undefined) {
        put(element, page > 1 ? (place?.top ?? 0) - (box === null ? aboveRequested : 0) : 0);
        // A page that is seen whole is brought into view whole; one that is not is read from where it is.
        if (place !== undefined && place.width <= size.width) {
          putAcross(element, scrollLeftFor(placed, page - 1, 0.5, size.width));
        }
        return;
      }
      const turned = turnedBox(box, extent, turn);
      put(element, scrollTopFor(placed, page - 1, turned.top, zoom, size.height));
      const share = (turned.left + turned.right) / 2 / (turn % 2 === 0 ? extent.width : extent.height);
      putAcross(element, scrollLeftFor(placed, page - 1, share, size.width));
    },
    [view.pages, placed, turn, zoom, size, put, putAcross],
  );

  const lastPlaced = useRef(placed);
  const shownOpening = useRef(0);
  const atTarget = useRef(false);
  const [isPut, setIsPut] = useState(false);
  useLayoutEffect(() => {
    const element = scroller.current;
    const before = lastPlaced.current;
    if (element === null || !laidOut) {
      return;
    }
    lastPlaced.current = placed;
    const newlyOpened = shownOpening.current !== opening;
    if (newlyOpened || (atTarget.current && before !== placed)) {
      shownOpening.current = opening;
      atTarget.current = true;
      const place = target.place ?? (target.resume ? recallPosition(target.documentId) : null);
      if (place === null) {
        showBox(
          element,
          target.page,
          target.boxes.find((box) => box.kind === "quote" && box.page === target.page) ?? target.boxes[0] ?? null,
        );
      } else {
        put(element, scrollTopOf(placed, place));
      }
      setIsPut(true);
      return;
    }
    if (before === placed) {
      return;
    }
    const middle = lastTop.current + size.height / 2;
    const index = pageAt(before, middle);
    const old = before[index];
    const now = placed[index];
    if (old !== undefined && now !== undefined && old.height > 0) {
      put(element, now.top + ((middle - old.top) / old.height) * now.height - size.height / 2);
      const across = (lastLeft.current + size.width / 2) / columnWidth(before, size.width);
      putAcross(element, Math.max(0, across * columnWidth(placed, size.width) - size.width / 2));
    }
  }, [opening, target, placed, laidOut, size, put, putAcross, showBox, scroller]);

  const shownRequest = useRef(request.count);
  useLayoutEffect(() => {
    const element = scroller.current;
    const { to } = request;
    if (element !== null && laidOut && to?.kind === "page" && shownRequest.current !== request.count) {
      shownRequest.current = request.count;
      atTarget.current = false;
      showBox(element, to.page, to.box);
    }
  }, [request, laidOut, showBox, scroller]);

  // Where this document is read, for coming back to it: at once for the way back, at rest for the next start.
  useEffect(() => {
    if (isPut) {
      readingPlace.current = placeAt(placed, scrollTop);
    }
  }, [isPut, placed, scrollTop]);
  useEffect(
    () => () => {
      readingPlace.current = null;
    },
    [],
  );
  const rested = useQuiet(scrollTop, restMs);
  const documentId = view.document_id;
  useEffect(() => {
    if (isPut && rested === lastTop.current) {
      rememberPosition(documentId, placeAt(lastPlaced.current, rested));
    }
  }, [isPut, rested, documentId]);

  const onScroll = useCallback((event: UIEvent<HTMLElement>) => {
    const top = event.currentTarget.scrollTop;
    if (Math.abs(top - lastTop.current) > 1) {
      atTarget.current = false;
    }
    lastTop.current = top;
    lastLeft.current = event.currentTarget.scrollLeft;
    setScrollTop(top);
  }, []);

  return { scrollTop, isPut, onScroll, jumpedTo, laidOut };
}
