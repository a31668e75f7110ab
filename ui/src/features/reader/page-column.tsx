import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { DocumentView } from "@/ipc/bindings";
import { useElementSize } from "@/lib/media";
import { columnHeight, fitWidthZoom, pageAt, placePages, scrollTopFor, visibleRange } from "@/lib/page-layout";
import { type ReaderTarget, useView } from "@/state/view";
import { Page } from "./page";
import { useReader } from "./reader-state";

/** Pages kept ready above and below those in view. */
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

  // A change of size keeps the same line of the document in the middle of the view.
  const lastPlaced = useRef(placed);
  useLayoutEffect(() => {
    const element = scroller.current;
    const before = lastPlaced.current;
    lastPlaced.current = placed;
    if (element === null || before === placed) {
      return;
    }
    const middle = element.scrollTop + element.clientHeight / 2;
    const index = pageAt(before, middle);
    const old = before[index];
    const now = placed[index];
    if (old !== undefined && now !== undefined && old.height > 0) {
      element.scrollTop = now.top + ((middle - old.top) / old.height) * now.height - element.clientHeight / 2;
    }
  }, [placed]);

  // The place that was asked for comes to a third of the height, once per opening.
  const shownOpening = useRef(0);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null || !laidOut || shownOpening.current === opening) {
      return;
    }
    shownOpening.current = opening;
    const box = target.boxes.find((candidate) => candidate.kind === "quote") ?? target.boxes[0];
    const top =
      box === undefined && target.page > 1
        ? (placed[target.page - 1]?.top ?? 0)
        : scrollTopFor(placed, target.page - 1, box?.top ?? 0, zoom, size.height);
    element.scrollTop = top;
    if (box !== undefined && widest > size.width) {
      element.scrollLeft =
        ((box.left + box.right) / 2 / (view.pages[target.page - 1]?.width ?? 1)) * widest - size.width / 2;
    }
    setScrollTop(element.scrollTop);
  }, [opening, target, placed, zoom, laidOut, size, widest, view.pages]);

  const shownRequest = useRef(request.count);
  useLayoutEffect(() => {
    const page = placed[request.page - 1];
    if (scroller.current !== null && laidOut && page !== undefined && shownRequest.current !== request.count) {
      shownRequest.current = request.count;
      scroller.current.scrollTop = page.top - 8;
    }
  }, [request, placed, laidOut]);

  const current = pageAt(placed, scrollTop + size.height / 3) + 1;
  useEffect(() => {
    if (laidOut) {
      setPage(current);
    }
  }, [current, laidOut, setPage]);

  const pulsing = usePulse(opening);
  const range = visibleRange(placed, scrollTop, laidOut ? size.height : 1200, overscan);
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
        onScroll={(event) => setScrollTop(event.currentTarget.scrollTop)}
        data-testid="page-scroller"
      >
        <div
          className="relative mx-auto"
          style={{ height: columnHeight(placed), width: Math.max(widest + 2 * sideMargin, 1) }}
        >
          {placed.slice(range.first, range.last + 1).map((page) => {
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
