import type { CitationBox, ItemSpan } from "@/ipc/bindings";
import { recall, remember } from "@/lib/remembered";
import { type ReaderTab, type TabLook, tabKey, usualLook } from "./reader-tabs";
import type { ReaderTarget } from "./view";

/** The open tabs, kept between starts: which documents and which marks, but none of their words. */
export interface RememberedTabs {
  tabs: ReaderTab[];
  active: number;
  readerOpen: boolean;
}

const key = "tabs";
/** A citation rarely has more boxes; a whole page of them is not worth keeping. */
const mostBoxes = 60;

interface StoredTab {
  collection: string;
  documentId: string;
  sha256: string | null;
  page: number;
  boxes: CitationBox[];
  spans: ItemSpan[];
  spanKind: "quote" | "passage";
  citationIndex: number | null;
  answerKey: string | null;
  look: TabLook;
}

export function rememberTabs(tabs: readonly ReaderTab[], shown: ReaderTarget | null, readerOpen: boolean): void {
  if (tabs.length === 0) {
    remember(key, null);
    return;
  }
  const stored = tabs.map(({ target, look }): StoredTab => {
    const { collection, documentId, sha256, page, spanKind, citationIndex, answerKey } = target;
    const boxes = target.boxes.slice(0, mostBoxes);
    const spans = target.spans.slice(0, mostBoxes);
    return { collection, documentId, sha256, page, boxes, spans, spanKind, citationIndex, answerKey, look };
  });
  const active = shown === null ? -1 : tabs.findIndex((tab) => tab.key === tabKey(shown));
  remember(key, JSON.stringify({ active, readerOpen, tabs: stored }));
}

/** The tabs as they were kept; null when there are none. Each goes on where its document was last read. */
export function recallTabs(): RememberedTabs | null {
  let kept: unknown;
  try {
    kept = JSON.parse(recall(key) ?? "null");
  } catch {
    return null;
  }
  if (!isRecord(kept) || !Array.isArray(kept.tabs)) {
    return null;
  }
  const entries: readonly unknown[] = kept.tabs;
  const tabs = entries.filter(isStoredTab).map((stored, at): ReaderTab => {
    const { look, ...place } = stored;
    const target = { ...place, title: "", quote: "", place: null, resume: true };
    return { key: tabKey(stored), target, look: isLook(look) ? look : usualLook, usedAt: at - entries.length };
  });
  if (tabs.length === 0) {
    return null;
  }
  const active = typeof kept.active === "number" && kept.active in tabs ? kept.active : 0;
  return { tabs, active, readerOpen: kept.readerOpen === true };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || typeof value === "string";
}

function isStoredTab(value: unknown): value is StoredTab {
  return (
    isRecord(value) &&
    typeof value.collection === "string" &&
    typeof value.documentId === "string" &&
    isTextOrNull(value.sha256) &&
    isTextOrNull(value.answerKey) &&
    Number.isInteger(value.page) &&
    (value.citationIndex === null || Number.isInteger(value.citationIndex)) &&
    (value.spanKind === "quote" || value.spanKind === "passage") &&
    isListOf(value.boxes, ["page", "left", "top", "right", "bottom"]) &&
    isListOf(value.spans, ["start", "end"])
  );
}

function isListOf(value: unknown, numbers: readonly string[]): boolean {
  const entries: unknown = value;
  return (
    Array.isArray(entries) &&
    entries.every((entry) => isRecord(entry) && numbers.every((name) => Number.isFinite(entry[name])))
  );
}

function isLook(value: unknown): value is TabLook {
  return (
    isRecord(value) &&
    (value.zoom === null || Number.isFinite(value.zoom)) &&
    (value.fit === "width" || value.fit === "page") &&
    [0, 1, 2, 3].some((turn) => turn === value.turn)
  );
}
