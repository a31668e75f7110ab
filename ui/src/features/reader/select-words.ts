import type { MouseEvent as ReactMouseEvent } from "react";
import { lettersBefore, nearestRect } from "@/lib/nearest";

/**
 * Selecting words over the picture of a page.
 *
 * The words lie apart from each other, and what a browser selects when the pointer crosses the blank between them is
 * left to chance. Here the word nearest to the pointer counts, on the line that it points at.
 */

interface Position {
  node: Text;
  offset: number;
}

const scrollStep = 24;

function wordsOf(layer: Element): HTMLElement[] {
  return [...layer.querySelectorAll<HTMLElement>("[data-word]")];
}

function textOf(word: Element | undefined): Text | null {
  return word?.firstChild instanceof Text ? word.firstChild : null;
}

function positionAt(layer: Element, x: number, y: number): Position | null {
  const words = wordsOf(layer);
  const rects = words.map((word) => word.getBoundingClientRect());
  const at = nearestRect(rects, x, y);
  const node = textOf(words[at]);
  const rect = rects[at];
  return node === null || rect === undefined
    ? null
    : { node, offset: lettersBefore(rect, node.data.trimEnd().length, x) };
}

/** The layer of words of the page under the pointer. */
function layerUnder(x: number, y: number): Element | null {
  const [page] = document.elementsFromPoint(x, y).flatMap((element) => element.closest(".page-sheet") ?? []);
  return page?.querySelector(".text-layer") ?? null;
}

/** A double click takes the word, a third one its line. */
function selectAround(layer: Element, at: Position, line: boolean): void {
  const words = wordsOf(layer);
  const word = at.node.parentElement;
  const chosen = words.filter((other) => (line ? other.dataset.word === word?.dataset.word : other === word));
  const first = textOf(chosen[0]);
  const last = textOf(chosen.at(-1));
  if (first !== null && last !== null) {
    window.getSelection()?.setBaseAndExtent(first, 0, last, last.data.trimEnd().length);
  }
}

/** Begins a selection where the pointer is pressed, and takes it along until the pointer is let go. */
export function beginSelecting(event: ReactMouseEvent<HTMLElement>): void {
  const layer = event.currentTarget;
  const selection = window.getSelection();
  const from = positionAt(layer, event.clientX, event.clientY);
  if (event.button !== 0 || selection === null || from === null) {
    return;
  }
  event.preventDefault();
  const scroller = layer.closest<HTMLElement>("[role=region]");
  scroller?.focus({ preventScroll: true, focusVisible: false });
  if (event.detail > 1) {
    selectAround(layer, from, event.detail > 2);
    return;
  }
  if (event.shiftKey && selection.anchorNode !== null) {
    selection.extend(from.node, from.offset);
  } else {
    selection.setBaseAndExtent(from.node, from.offset, from.node, from.offset);
  }
  const anchor = { node: selection.anchorNode ?? from.node, offset: selection.anchorOffset };
  let current: Element = layer;
  const move = (moved: MouseEvent) => {
    current = layerUnder(moved.clientX, moved.clientY) ?? current;
    const to = positionAt(current, moved.clientX, moved.clientY);
    if (to !== null) {
      selection.setBaseAndExtent(anchor.node, anchor.offset, to.node, to.offset);
    }
    const seen = scroller?.getBoundingClientRect();
    if (seen !== undefined && (moved.clientY < seen.top || moved.clientY > seen.bottom)) {
      scroller?.scrollBy(0, moved.clientY < seen.top ? -scrollStep : scrollStep);
    }
  };
  window.addEventListener("mousemove", move);
  window.addEventListener("mouseup", () => window.removeEventListener("mousemove", move), { once: true });
}
