import { cleanup, configure } from "@testing-library/react";
import { afterEach, beforeEach } from "vitest";
import { useLive } from "@/features/conversation/live-answer";
import { useReader } from "@/features/reader/reader-state";
import { i18next } from "@/lib/i18n";
import { useAppearance } from "@/state/appearance";
import { useSelectedCollection } from "@/state/selected-collection";
import { useUndo } from "@/state/undo";
import { useView } from "@/state/view";

// Generous, for machines that are busy with other builds.
configure({ asyncUtilTimeout: 15_000 });

/** jsdom lays nothing out: every element is as large as a pane. */
const pane = { width: 660, height: 800 };
for (const [name, value] of [
  ["clientWidth", pane.width],
  ["offsetWidth", pane.width],
  ["clientHeight", pane.height],
  ["offsetHeight", pane.height],
] as const) {
  Object.defineProperty(HTMLElement.prototype, name, { configurable: true, get: () => value });
}

// The handles between panes catch presses near them; without layout that would be every press.
const measure = Element.prototype.getBoundingClientRect;
Element.prototype.getBoundingClientRect = function (this: Element) {
  return this.matches("[data-separator], [data-panel], [data-group]")
    ? new DOMRect(10_000, 10_000, 100, 100)
    : measure.call(this);
};

document.elementsFromPoint = () => [];
Range.prototype.getBoundingClientRect = () => new DOMRect(400, 300, 80, 16);

// jsdom loads no images: each is there as soon as it is in the page.
new MutationObserver((changes) => {
  for (const added of changes.flatMap((change) => [...change.addedNodes])) {
    if (added instanceof Element) {
      for (const image of added.matches("img") ? [added] : added.querySelectorAll("img")) {
        image.dispatchEvent(new Event("load"));
      }
    }
  }
}).observe(document, { childList: true, subtree: true });

class NoResizes implements ResizeObserver {
  observe() {}
  unobserve() {}
  disconnect() {}
}
globalThis.ResizeObserver = NoResizes;
Object.defineProperty(window, "innerWidth", { configurable: true, writable: true, value: 1440 });

beforeEach(() => {
  localStorage.clear();
  window.innerWidth = 1440;
  void i18next.changeLanguage("en");
  for (const store of [useView, useLive, useSelectedCollection, useReader, useAppearance, useUndo]) {
    (store as { setState(state: unknown, replace: true): void; getInitialState(): unknown }).setState(
      store.getInitialState(),
      true,
    );
  }
});

afterEach(cleanup);
