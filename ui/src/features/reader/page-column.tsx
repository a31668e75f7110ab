import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { DocumentView } from "@/ipc/bindings";
import { useElementSize } from "@/lib/media";
import {
  columnHeight,
  fitWidthZoom,
  pageAt,
  pagesToAskFor,
  placePages,
  scrollTopFor,
  visibleRange,
} from "@/lib/page-layout";
import { type ReaderTarget, useView } from "@/state/view";
import { Page } from "./page";
import { useReader } from "./reader-state";

/** Pages kept in place above and below those in view. */
const overscan = 1;
const sideMargin = 16;
const pulseMs = 2000;

/** A document's pages one under another; only those near the view are in the window. */
export function PageColumn({ view, target }: { view: DocumentView; target: ReaderTarget }) {
  const { t } = useTranslation();
  const scroller = useRef<HTMLDivElement>(null);
  const size = useElementSize(scroller);
  const opening = useView((state) => state.opening);
  const { zoom: chosenZoom, setFitted, setPage, request } = useReader();
  const [scrollTop, setScrollTop] = useState(0);
  const fitted = fitWidthZoom(view.pages, size.width - 2 * sideMargin);
  const zoom = chosenZoom ?? fitted;
  const placed = useMemo(() => placePages(view.pages, zoom), [view.pages, zoom]);
  const laidOut = size.width > 0 && size.height > 0;
  const widest = placed.reduce((most, page) => Math.max(most, page.width), 0);
  useEffect(() => setFitted(fitted), [fitted, setFitted]);

  // Where the column was last put or scrolled to. The element itself cannot be asked: when the column gets shorter, it
  // has moved already.
  const lastTop = useRef(0);
  const put = useCallback((element: HTMLElement, top: number) => {
    element.scrollTop = top;
    lastTop.current = element.scrollTop;
    setScrollTop(element.scrollTop);
  }, []);

  // What was asked for comes to a third of the height, and stays there while panes find their size. Once the column has
  // been scrolled, a change of size keeps the same line of the document in the middle instead.
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
      const box = target.boxes.find((candidate) => candidate.kind === "quote") ?? target.boxes[0];
      const top =
        box === undefined && target.page > 1
          ? (placed[target.page - 1]?.top ?? 0)
          : scrollTopFor(placed, target.page - 1, box?.top ?? 0, zoom, size.height);
      put(element, top);
      if (box !== undefined && widest > size.width) {
        element.scrollLeft =
          ((box.left + box.right) / 2 / (view.pages[target.page - 1]?.width ?? 1)) * widest - size.width / 2;
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
    }
  }, [opening, target, placed, zoom, laidOut, size, widest, view.pages, put]);

  const shownRequest = useRef(request.count);
  useLayoutEffect(() => {
    const page = placed[request.page - 1];
    if (scroller.current !== null && laidOut && page !== undefined && shownRequest.current !== request.count) {
      shownRequest.current = request.count;
      atTarget.current = false;
      put(scroller.current, page.top - 8);
    }
  }, [request, placed, laidOut, put]);

  const current = pageAt(placed, scrollTop + size.height / 3) + 1;
  useEffect(() => {
    if (laidOut) {
      setPage(current);
    }
  }, [current, laidOut, setPage]);

  const pulsing = usePulse(opening);
  const inView = visibleRange(placed, scrollTop, size.height, 0);
  const range = {
    first: Math.max(0, inView.first - overscan),
    last: Math.min(placed.length - 1, inView.last + overscan),
  };
  const [shown, setShown] = useState<ReadonlySet<number>>(new Set());
  const onShown = useCallback(
    (index: number) => setShown((known) => (known.has(index) ? known : new Set(known).add(index))),
    [],
  );
  const wanted = new Set(pagesToAskFor(inView, target.page - 1, shown, placed.length));
  const missing = target.citationIndex !== null && !target.boxes.some((box) => box.kind === "quote");

  return (
    <>
      {missing && (
        <p role="status" className="border-line border-b bg-warn-soft px-3 py-1 text-warn text-xs">
          {t("reader.boxesMissing")}
        </p>
      )}
      {/* biome-ignore lint/a11y/useSemanticElements: a scrolled region, not a form */}
      <div
        ref={scroller}
        role="region"
        aria-label={t("reader.scroller", { title: view.title })}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled region must be reachable by keyboard
        tabIndex={0}
        className="scroller relative min-h-0 grow overflow-auto outline-offset-[-2px]"
        onScroll={(event) => {
          const top = event.currentTarget.scrollTop;
          if (Math.abs(top - lastTop.current) > 1) {
            atTarget.current = false;
          }
          lastTop.current = top;
          setScrollTop(top);
        }}
        data-testid="page-scroller"
      >
        <div
          className="relative mx-auto"
          style={{ height: columnHeight(placed), width: Math.max(widest + 2 * sideMargin, 1) }}
        >
          {(isPut ? placed.slice(range.first, range.last + 1) : []).map((page) => {
            const pageSize = view.pages[page.index];
            return (
              pageSize !== undefined && (
                <Page
                  key={page.index}
                  view={view}
                  size={pageSize}
                  placed={page}
                  boxes={target.boxes}
                  quote={target.quote}
                  pulsing={pulsing}
                  wanted={wanted.has(page.index)}
                  onShown={onShown}
                />
              )
            );
          })}
        </div>
      </div>
    </>
  );
}

/** True for two seconds after something was opened. */
function usePulse(opening: number): boolean {
  const [ended, setEnded] = useState(0);
  useEffect(() => {
    const timer = setTimeout(() => setEnded(opening), pulseMs);
    return () => clearTimeout(timer);
  }, [opening]);
  return ended !== opening;
}
