/** Boxes on pages: in per cent of the page for overlays, in device pixels for images. */

export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** CSS placement of a box over its page; holds at any zoom and any pixel ratio. */
export interface PercentBox {
  left: string;
  top: string;
  width: string;
  height: string;
}

/** Places a box given in points on a page of `page` points, clipped to it. */
export function boxInPercent(box: Box, page: { width: number; height: number }): PercentBox {
  const left = clamp(box.left / page.width);
  const top = clamp(box.top / page.height);
  return {
    left: percent(left),
    top: percent(top),
    width: percent(Math.max(0, clamp(box.right / page.width) - left)),
    height: percent(Math.max(0, clamp(box.bottom / page.height) - top)),
  };
}

function clamp(share: number): number {
  return Number.isFinite(share) ? Math.min(1, Math.max(0, share)) : 0;
}

function percent(share: number): string {
  return `${Number((share * 100).toFixed(4))}%`;
}

/** Rendered widths are a few steps a doubling apart, so that small changes of a pane reuse what is cached. */
const stepsPerDoubling = 4;
const narrowest = 64;
const widest = 6144;

/**
 * The width in device pixels to ask the renderer for: the next step at or above `cssWidth × devicePixelRatio`.
 *
 * Rounded up, so that the image is only ever shrunk to its box, never stretched.
 */
export function renderWidth(cssWidth: number, devicePixelRatio: number): number {
  const exact = Math.max(narrowest, Math.ceil(cssWidth * devicePixelRatio));
  // A hair's breadth below, so that rounding in the logarithm does not lift an exact step to the next one.
  const step = Math.ceil(Math.log2(exact / narrowest) * stepsPerDoubling - 1e-9);
  return Math.min(widest, Math.round(narrowest * 2 ** (step / stepsPerDoubling)));
}

/** The smallest box around all of `boxes`; null without any. */
export function unionOf(boxes: readonly Box[]): Box | null {
  const [first, ...rest] = boxes;
  if (first === undefined) {
    return null;
  }
  return rest.reduce<Box>(
    (union, box) => ({
      left: Math.min(union.left, box.left),
      top: Math.min(union.top, box.top),
      right: Math.max(union.right, box.right),
      bottom: Math.max(union.bottom, box.bottom),
    }),
    { left: first.left, top: first.top, right: first.right, bottom: first.bottom },
  );
}

/** Twice as wide as high: enough to recognise the place, small enough for a card. */
const cropAspect = 2.4;
const cropMargin = 18;
const narrowestCrop = 300;

const lowestCrop = 90;

/**
 * The part of a page of `page` points worth showing in a card: around the boxes, with a margin, not narrower than a
 * column, and never past the edges of the page.
 */
export function cropAround(boxes: readonly Box[], page: { width: number; height: number }): Box | null {
  const union = unionOf(boxes);
  if (union === null) {
    return null;
  }
  const width = Math.min(page.width, Math.max(narrowestCrop, union.right - union.left + 2 * cropMargin));
  const wanted = Math.max(lowestCrop, union.bottom - union.top + 2 * cropMargin);
  const height = Math.min(page.height, width / cropAspect, wanted);
  const left = within((union.left + union.right - width) / 2, page.width - width);
  const top = within(union.top - cropMargin, page.height - height);
  return { left, top, right: left + width, bottom: top + height };
}

function within(offset: number, most: number): number {
  return Math.max(0, Math.min(offset, most));
}
