/** Pages one under another, and where a place on one of them lies in the scrolled column. All lengths in CSS pixels. */

/** A CSS pixel is a 96th of an inch, a point a 72nd. */
export const cssPixelsPerPoint = 96 / 72;
export const minZoom = 0.25;
export const maxZoom = 5;
/** Space above, between and below pages. */
export const pageGap = 16;
/** Space to the left and right of the widest page. */
export const sideMargin = 16;

export interface PageExtent {
  /** Points. */
  width: number;
  height: number;
}

export interface PlacedPage {
  /** Zero-based. */
  index: number;
  top: number;
  width: number;
  height: number;
}

/** Keeps a zoom factor within 25–500 %. */
export function clampZoom(zoom: number): number {
  return Math.min(maxZoom, Math.max(minZoom, zoom));
}

/** The zoom at which the widest page fills `columnWidth`. */
export function fitWidthZoom(pages: readonly PageExtent[], columnWidth: number): number {
  const widest = pages.reduce((most, page) => Math.max(most, page.width), 0);
  return widest === 0 || columnWidth <= 0 ? 1 : clampZoom(columnWidth / (widest * cssPixelsPerPoint));
}

/** The zoom at which the largest page is seen whole. */
export function fitPageZoom(pages: readonly PageExtent[], columnWidth: number, viewportHeight: number): number {
  const highest = pages.reduce((most, page) => Math.max(most, page.height), 0);
  if (highest === 0 || viewportHeight <= 0) {
    return 1;
  }
  const byHeight = (viewportHeight - 2 * pageGap) / (highest * cssPixelsPerPoint);
  return clampZoom(Math.min(byHeight, fitWidthZoom(pages, columnWidth)));
}

/** What the zoom follows while none was chosen by hand. */
export type Fit = "width" | "page";

/** Quarter turns clockwise that the pages are shown with. */
export type Turn = 0 | 1 | 2 | 3;

/** A page's extent when it is turned. */
export function turnedExtent<Page extends PageExtent>(page: Page, turn: Turn): Page {
  return turn % 2 === 0 ? page : { ...page, width: page.height, height: page.width };
}

interface Corners {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Where a box of a page (points) lies when the page is turned. */
export function turnedBox(box: Corners, page: PageExtent, turn: Turn): Corners {
  const { width, height } = page;
  switch (turn) {
    case 0:
      return box;
    case 1:
      return { left: height - box.bottom, top: box.left, right: height - box.top, bottom: box.right };
    case 2:
      return { left: width - box.right, top: height - box.bottom, right: width - box.left, bottom: height - box.top };
    case 3:
      return { left: box.top, top: width - box.right, right: box.bottom, bottom: width - box.left };
  }
}

/** The place at the top of the view: the page (1-based) and the share of its height that lies above. */
export function placeAt(placed: readonly PlacedPage[], scrollTop: number): { unit: number; share: number } {
  const index = pageAt(placed, scrollTop);
  const page = placed[index];
  return {
    unit: index + 1,
    share: page === undefined || page.height === 0 ? 0 : (scrollTop - page.top) / page.height,
  };
}

/** The scroll offset of such a place. */
export function scrollTopOf(placed: readonly PlacedPage[], place: { unit: number; share: number }): number {
  const page = placed[Math.min(place.unit, placed.length) - 1];
  return page === undefined ? 0 : Math.max(0, page.top + place.share * page.height);
}

/** Viewports a second above which pages only rush by and none of them is worth drawing. */
const skimmingSpeed = 4;

/** Whether the column moves too fast for anything on it to be read. */
export function isSkimming(movedPixels: number, elapsedMs: number, viewportHeight: number): boolean {
  return Math.abs(movedPixels) > (skimmingSpeed * viewportHeight * Math.max(elapsedMs, 1)) / 1000;
}

/** Places every page at `zoom`. Each page keeps its own size: a document may mix formats. */
export function placePages(pages: readonly PageExtent[], zoom: number): PlacedPage[] {
  let top = pageGap;
  return pages.map((page, index) => {
    const placed = {
      index,
      top,
      width: page.width * cssPixelsPerPoint * zoom,
      height: page.height * cssPixelsPerPoint * zoom,
    };
    top += placed.height + pageGap;
    return placed;
  });
}

/** The height of the whole column. */
export function columnHeight(placed: readonly PlacedPage[]): number {
  const last = placed.at(-1);
  return last === undefined ? 0 : last.top + last.height + pageGap;
}

/** The page under `offset` (the nearest one between pages), zero-based; 0 without pages. */
export function pageAt(placed: readonly PlacedPage[], offset: number): number {
  let low = 0;
  let high = placed.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    const page = placed[middle];
    if (page !== undefined && page.top <= offset) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return Math.max(0, low);
}

/** Zero-based first and last page to keep mounted: those in view and `overscan` pages on either side. */
export function visibleRange(
  placed: readonly PlacedPage[],
  scrollTop: number,
  viewportHeight: number,
  overscan: number,
): { first: number; last: number } {
  return {
    first: Math.max(0, pageAt(placed, scrollTop) - overscan),
    last: Math.min(placed.length - 1, pageAt(placed, scrollTop + viewportHeight) + overscan),
  };
}

/** The scroll offset that puts a height on a page (points) at a third of the viewport, within the column. */
export function scrollTopFor(
  placed: readonly PlacedPage[],
  pageIndex: number,
  pointsFromTop: number,
  zoom: number,
  viewportHeight: number,
): number {
  const page = placed[pageIndex];
  if (page === undefined) {
    return 0;
  }
  const wanted = page.top + pointsFromTop * cssPixelsPerPoint * zoom - viewportHeight / 3;
  return Math.max(0, Math.min(wanted, Math.max(0, columnHeight(placed) - viewportHeight)));
}

/** The width of the whole column: every page stands in its middle. */
export function columnWidth(placed: readonly PlacedPage[], viewportWidth: number): number {
  const widest = placed.reduce((most, page) => Math.max(most, page.width), 0);
  return Math.max(widest + 2 * sideMargin, viewportWidth);
}

/**
 * The scroll offset that puts a place on a page, given as a share of its width, in the middle of the viewport; null when
 * there is nothing to scroll. Narrow pages of a document with wide ones stand away from the column's edge.
 */
export function scrollLeftFor(
  placed: readonly PlacedPage[],
  pageIndex: number,
  share: number,
  viewportWidth: number,
): number | null {
  const page = placed[pageIndex];
  const width = columnWidth(placed, viewportWidth);
  if (page === undefined || width <= viewportWidth) {
    return null;
  }
  const wanted = (width - page.width) / 2 + share * page.width - viewportWidth / 2;
  return Math.max(0, Math.min(wanted, width - viewportWidth));
}

/**
 * Which of the pages in place are worth asking for now (zero-based, the most wanted first): the cited page alone until
 * it is there, then the others in view, then one neighbour on either side. A page that was there before is asked for
 * at once, because it is likely still kept.
 */
export function pagesToAskFor(
  inView: { first: number; last: number },
  cited: number,
  shown: ReadonlySet<number>,
  pageCount: number,
): number[] {
  const visible: number[] = [];
  for (let index = Math.max(0, inView.first); index <= Math.min(inView.last, pageCount - 1); index += 1) {
    visible.push(index);
  }
  const citedFirst = visible.includes(cited) ? [cited, ...visible.filter((index) => index !== cited)] : visible;
  if (citedFirst[0] === cited && !shown.has(cited)) {
    return citedFirst.filter((index) => index === cited || shown.has(index));
  }
  const neighbours = [inView.last + 1, inView.first - 1].filter((index) => index >= 0 && index < pageCount);
  const allShown = visible.every((index) => shown.has(index));
  return [...citedFirst, ...neighbours.filter((index) => allShown || shown.has(index))];
}
