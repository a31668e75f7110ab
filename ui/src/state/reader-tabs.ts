import type { Fit, Turn } from "@/lib/page-layout";
import type { ReaderTarget } from "./view";

/** How large and which way round the pages of a tab are. */
export interface TabLook {
  /** Null fits the width or the page. */
  zoom: number | null;
  fit: Fit;
  turn: Turn;
}

/** A document that is open in the reader, with what is marked in it and where it was left. */
export interface ReaderTab {
  key: string;
  target: ReaderTarget;
  look: TabLook;
  /** The opening that showed it last; the tab with the lowest goes first when there are too many. */
  usedAt: number;
}

export const usualLook: TabLook = { zoom: null, fit: "width", turn: 0 };

/** More documents than this are not found again by looking at their tabs. */
export const mostTabs = 12;

/** A document has one tab, whatever is opened in it. */
export function tabKey(target: { collection: string; documentId: string }): string {
  return `${target.collection}/${target.documentId}`;
}

/**
 * The tabs once `target` is shown: in the tab its document has, else in a new one behind that of `left`. `left` is what
 * was shown until now, with the place it was left at.
 */
export function tabsShowing(
  tabs: readonly ReaderTab[],
  target: ReaderTarget,
  left: ReaderTarget | null,
  opening: number,
): ReaderTab[] {
  const key = tabKey(target);
  const kept = left === null ? [...tabs] : withTarget(tabs, left);
  if (kept.some((tab) => tab.key === key)) {
    return kept.map((tab) => (tab.key === key ? { ...tab, target, usedAt: opening } : tab));
  }
  const before = left === null ? kept.length - 1 : kept.findIndex((tab) => tab.key === tabKey(left));
  const beside = kept[before];
  // A new document is seen at the size of the one before it, but upright.
  const look = beside === undefined ? usualLook : { ...beside.look, turn: usualLook.turn };
  kept.splice(before + 1, 0, { key, target, look, usedAt: opening });
  if (kept.length > mostTabs) {
    const oldest = kept.reduce((least, tab) => (tab.usedAt < least.usedAt ? tab : least));
    kept.splice(kept.indexOf(oldest), 1);
  }
  return kept;
}

function withTarget(tabs: readonly ReaderTab[], target: ReaderTarget): ReaderTab[] {
  const key = tabKey(target);
  return tabs.map((tab) => (tab.key === key ? { ...tab, target } : tab));
}

/** The tab that is shown when the one of `key` is closed: the next one, else the one before. */
export function neighbourOf(tabs: readonly ReaderTab[], key: string): ReaderTab | null {
  const at = tabs.findIndex((tab) => tab.key === key);
  return tabs[at + 1] ?? tabs[at - 1] ?? null;
}
