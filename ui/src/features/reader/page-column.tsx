import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { DocumentView, LocateMatch } from "@/ipc/bindings";
import { useElementSize } from "@/lib/media";
import {
  columnHeight,
  fitPageZoom,
  fitWidthZoom,
  pageAt,
  pagesToAskFor,
  placePages,
  sideMargin,
  turnedExtent,
  visibleRange,
} from "@/lib/page-layout";
import { type ReaderTarget, useView } from "@/state/view";
import { type PageMark, usePageMarks } from "./marks";
import { Page } from "./page";
import { useReaderParts } from "./reader-state";
import { TickRail } from "./tick-rail";
import { useColumnScroll } from "./use-column-scroll";
import { useSettledRange } from "./use-settled-range";

/** Pages kept in place above and below those in view. */
const overscan = 1;
const pulseMs = 2000;
const wheelZoom = 1.1;
const noMarks: readonly PageMark[] = [];

interface PageColumnProps {
  view: DocumentView;
  target: ReaderTarget;
  found: readonly LocateMatch[];
}

/** A document's pages one under another; only those near the view are in the window. */
export function PageColumn({ view, target, found }: PageColumnProps) {
  const { t } = useTranslation();
  const scroller = useRef<HTMLDivElement>(null);
  const size = useElementSize(scroller);
  const opening = useView((state) => state.opening);
  const {
    zoom: chosenZoom,
    fit,
    turn,
    unlocks,
    setFitted,
    setPage,
    zoomBy,
  } = useReaderParts("zoom", "fit", "turn", "unlocks", "setFitted", "setPage", "zoomBy");
  const extents = useMemo(() => view.pages.map((page) => turnedExtent(page, turn)), [view.pages, turn]);
  const columnWidth = size.width - 2 * sideMargin;
  const fitted = fit === "width" ? fitWidthZoom(extents, columnWidth) : fitPageZoom(extents, columnWidth, size.height);
  const zoom = chosenZoom ?? fitted;
  const placed = useMemo(() => placePages(extents, zoom), [extents, zoom]);
  const widest = placed.reduce((most, page) => Math.max(most, page.width), 0);
  useEffect(() => setFitted(fitted), [fitted, setFitted]);

  const { scrollTop, isPut, onScroll, jumpedTo, laidOut } = useColumnScroll({
    scroller,
    view,
    target,
    placed,
    zoom,
    turn,
    size,
  });
  const current = pageAt(placed, scrollTop + size.height / 3) + 1;
  useEffect(() => {
    if (laidOut) {
      setPage(current);
    }
  }, [current, laidOut, setPage]);
  useWheelZoom(scroller, zoomBy);

  const pulsing = usePulse(opening);
  const inView = visibleRange(placed, scrollTop, size.height, 0);
  const settled = useSettledRange(inView, scrollTop, size.height, jumpedTo);
  const range = {
    first: Math.max(0, inView.first - overscan),
    last: Math.min(placed.length - 1, inView.last + overscan),
  };
  const [shown, setShown] = useState<ReadonlySet<number>>(new Set());
  const onShown = useCallback(
    (index: number) => setShown((known) => (known.has(index) ? known : new Set(known).add(index))),
    [],
  );
  const wanted = new Set(pagesToAskFor(settled, target.page - 1, shown, placed.length));
  const missing = target.citationIndex !== null && !target.boxes.some((box) => box.kind === "quote");
  const marks = usePageMarks(target, found);

  return (
    <div className="flex min-h-0 min-w-0 grow flex-col">
      {missing && (
        <p role="status" className="border-line border-b bg-warn-soft px-3 py-1 text-warn text-xs">
          {t("reader.boxesMissing")}
        </p>
      )}
      <div className="relative min-h-0 grow">
        {/* biome-ignore lint/a11y/useSemanticElements: a scrolled region, not a form */}
        <div
          ref={scroller}
          role="region"
          aria-label={t("reader.scroller", { title: view.title })}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled region must be reachable by keyboard
          tabIndex={0}
          className="scroller absolute inset-0 overflow-auto outline-offset-[-2px]"
          onScroll={onScroll}
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
                    key={`${page.index} ${unlocks}`}
                    view={view}
                    size={pageSize}
                    placed={page}
                    turn={turn}
                    marks={marks.get(pageSize.number) ?? noMarks}
                    quote={target.quote}
                    pulsing={pulsing}
                    wanted={wanted.has(page.index)}
                    shown={shown.has(page.index)}
                    onShown={onShown}
                  />
                )
              );
            })}
          </div>
        </div>
        <TickRail view={view} target={target} placed={placed} turn={turn} zoom={zoom} />
      </div>
    </div>
  );
}

/** Ctrl and the wheel change the size of the pages, not of the window. */
function useWheelZoom(scroller: { current: HTMLElement | null }, zoomBy: (factor: number) => void): void {
  useEffect(() => {
    const element = scroller.current;
    const onWheel = (event: WheelEvent) => {
      if (event.ctrlKey) {
        event.preventDefault();
        zoomBy(event.deltaY < 0 ? wheelZoom : 1 / wheelZoom);
      }
    };
    element?.addEventListener("wheel", onWheel, { passive: false });
    return () => element?.removeEventListener("wheel", onWheel);
  }, [scroller, zoomBy]);
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
