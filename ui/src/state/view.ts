import { create } from "zustand";
import { useShallow } from "zustand/react/shallow";
import type { Citation, CitationBox, ItemSpan, SearchResult } from "@/ipc/bindings";
import { picked } from "@/lib/picked";
import { neighbourOf, type ReaderTab, type TabLook, tabKey, tabsShowing } from "./reader-tabs";
import type { RememberedTabs } from "./remembered-tabs";

/** How far a document was scrolled: the page (or the item, without pages) at the top, 1-based, and the share of it. */
export interface ReadingPlace {
  unit: number;
  share: number;
}

/** A place for the reader to show. */
export interface ReaderTarget {
  collection: string;
  documentId: string;
  /** The cited bytes; null for the newest. */
  sha256: string | null;
  title: string;
  /** 1-based. */
  page: number;
  boxes: CitationBox[];
  /** Stretches of items, for documents without pages. */
  spans: ItemSpan[];
  /** Whether `spans` are the cited words or the passage around them. */
  spanKind: "quote" | "passage";
  /** The words at this place, said to those who do not see the boxes and shown when the document is gone. */
  quote: string;
  /** The citation it comes from, for stepping and for the bar beside the claim. */
  citationIndex: number | null;
  /** The answer that citation belongs to. */
  answerKey: string | null;
  /** Where it was left, for going back to it; null shows what is cited. */
  place: ReadingPlace | null;
  /** Opened for reading on: continues where this document was last read. */
  resume: boolean;
}

/** The pages of the settings, in their order. */
export const settingsPages = ["appearance", "models", "library", "privacy", "about"] as const;
export type SettingsPage = (typeof settingsPages)[number];

/** How far back the documents that are asked may have been added. */
export const addedWithin = ["week", "month", "year"] as const;
export type AddedWithin = (typeof addedWithin)[number];

/** A document that limits the question. */
export interface ScopedDocument {
  collection: string;
  documentId: string;
  title: string;
}

/** The citations that `]`, `[` and the digits walk. */
export interface CitationWalk {
  answerKey: string;
  citations: Citation[];
}

interface ViewState {
  target: ReaderTarget | null;
  /** Grows with every opening, so that opening the same place again scrolls and pulses again. */
  opening: number;
  /** The opening that came about by itself when the window started: it takes no focus. */
  quietOpening: number;
  readerOpen: boolean;
  /** The documents that are open; the one of `target` is shown. */
  tabs: ReaderTab[];
  back: ReaderTarget[];
  forward: ReaderTarget[];
  walk: CitationWalk | null;
  scopeCollections: string[];
  scopeDocuments: ScopedDocument[];
  /** All of which a document must carry to be asked. */
  scopeTags: string[];
  /** A media type, or a family of them that ends in `/`; null asks every kind. */
  scopeKind: string | null;
  /** Since when a document must have been in the library to be asked. */
  scopeAdded: AddedWithin | null;
  conversationId: string | null;
  queueOpen: boolean;
  /** The file whose password is to be entered in the queue. */
  unlocking: string | null;
  helpOpen: boolean;
  /** The page of the settings that is shown; null while they are closed. */
  settings: SettingsPage | null;
  libraryOpen: boolean;
  paletteOpen: boolean;
  searchOpen: boolean;
  /** What is searched for by words. */
  searchQuery: string;
  /** A claim to be shown in its answer; `count` grows with every request. */
  reveal: { answerKey: string; index: number; count: number } | null;
  /** Words for the next question; `count` grows with every text that is put there. */
  draft: { text: string; count: number };

  open(target: ReaderTarget): void;
  closeReader(): void;
  showTab(key: string): void;
  stepTab(by: 1 | -1): void;
  /** Without a key, the one that is shown. */
  closeTab(key?: string): void;
  setLook(key: string, look: TabLook): void;
  restoreTabs(remembered: RememberedTabs): void;
  goBack(): void;
  goForward(): void;
  /** Keeps the place in view for going back to, before the reader moves inside the document. */
  keepPlace(): void;
  /** Shows the claim that a citation of the open answer stands for. */
  revealClaim(index: number): void;
  /** Puts words into the question. */
  setDraft(text: string): void;
  /** Searches by words. */
  openSearch(query?: string): void;
  setWalk(walk: CitationWalk | null): void;
  openCitation(index: number): void;
  stepCitation(by: 1 | -1): void;
  toggleScopeCollection(name: string): void;
  setScopeTags(tags: string[]): void;
  toggleScopeDocument(document: ScopedDocument): void;
  /** Limits the next questions to these documents and nothing else. */
  scopeTo(documents: ScopedDocument[]): void;
  clearScope(): void;
  setConversation(conversationId: string | null): void;
  set(patch: Partial<Pick<ViewState, Toggled>>): void;
}

type Toggled =
  | "queueOpen"
  | "unlocking"
  | "settings"
  | "helpOpen"
  | "libraryOpen"
  | "paletteOpen"
  | "searchOpen"
  | "searchQuery"
  | "scopeKind"
  | "scopeAdded";

const historyLimit = 100;

/**
 * Where the reader stands at the moment. Not part of the state: it changes with every scroll, and only matters when
 * that place is left.
 */
export const readingPlace: { current: ReadingPlace | null } = { current: null };

function leaving(target: ReaderTarget): ReaderTarget {
  return { ...target, place: readingPlace.current };
}

/** What changes when the reader shows another place. */
function showing(state: ViewState, target: ReaderTarget) {
  const left = state.target === null ? null : leaving(state.target);
  const opening = state.opening + 1;
  return { target, opening, readerOpen: true, tabs: tabsShowing(state.tabs, target, left, opening) };
}

const noScope = { scopeCollections: [], scopeDocuments: [], scopeTags: [], scopeKind: null, scopeAdded: null };

/** What the features share: the open place, the walk over citations, the scope, the conversation. */
export const useView = create<ViewState>()((set, get) => ({
  target: null,
  opening: 0,
  quietOpening: 0,
  readerOpen: false,
  tabs: [],
  back: [],
  forward: [],
  walk: null,
  scopeCollections: [],
  scopeDocuments: [],
  scopeTags: [],
  scopeKind: null,
  scopeAdded: null,
  conversationId: null,
  queueOpen: false,
  unlocking: null,
  helpOpen: false,
  settings: null,
  libraryOpen: false,
  paletteOpen: false,
  searchOpen: false,
  searchQuery: "",
  reveal: null,
  draft: { text: "", count: 0 },

  open: (target) =>
    set((state) => ({
      ...showing(state, target),
      back: state.target === null ? state.back : [...state.back, leaving(state.target)].slice(-historyLimit),
      forward: [],
    })),
  closeReader: () => set({ readerOpen: false }),
  showTab: (key) =>
    set((state) => {
      const tab = state.tabs.find((candidate) => candidate.key === key);
      const shown = state.target !== null && tabKey(state.target) === key;
      return tab === undefined || (shown && state.readerOpen) ? state : showing(state, tab.target);
    }),
  stepTab: (by) => {
    const { tabs, target, showTab } = get();
    const at = target === null ? -1 : tabs.findIndex((tab) => tab.key === tabKey(target));
    const next = tabs[(at + by + tabs.length) % tabs.length];
    if (next !== undefined) {
      showTab(next.key);
    }
  },
  closeTab: (key) =>
    set((state) => {
      const shownKey = state.target === null ? null : tabKey(state.target);
      const closed = key ?? shownKey;
      if (closed === null) {
        return state;
      }
      const tabs = state.tabs.filter((tab) => tab.key !== closed);
      if (closed !== shownKey) {
        return { tabs };
      }
      const next = neighbourOf(state.tabs, closed);
      return next === null
        ? { tabs, target: null, readerOpen: false }
        : { tabs, target: next.target, opening: state.opening + 1 };
    }),
  setLook: (key, look) =>
    set((state) => ({ tabs: state.tabs.map((tab) => (tab.key === key ? { ...tab, look } : tab)) })),
  restoreTabs: ({ tabs, active, readerOpen }) =>
    set((state) => {
      const opening = state.opening + 1;
      return { tabs, readerOpen, target: tabs[active]?.target ?? null, opening, quietOpening: opening };
    }),
  goBack: () =>
    set((state) => {
      const previous = state.back.at(-1);
      if (previous === undefined || state.target === null) {
        return state;
      }
      return {
        ...showing(state, previous),
        back: state.back.slice(0, -1),
        forward: [...state.forward, leaving(state.target)],
      };
    }),
  goForward: () =>
    set((state) => {
      const next = state.forward.at(-1);
      if (next === undefined || state.target === null) {
        return state;
      }
      return {
        ...showing(state, next),
        back: [...state.back, leaving(state.target)],
        forward: state.forward.slice(0, -1),
      };
    }),
  keepPlace: () =>
    set((state) =>
      state.target === null
        ? state
        : { back: [...state.back, leaving(state.target)].slice(-historyLimit), forward: [] },
    ),
  revealClaim: (index) =>
    set((state) => {
      const citation = state.walk?.citations.find((candidate) => candidate.index === index);
      if (state.walk === null || citation === undefined) {
        return state;
      }
      const { answerKey } = state.walk;
      return { reveal: { answerKey, index, count: (state.reveal?.count ?? 0) + 1 } };
    }),
  setDraft: (text) => set((state) => ({ draft: { text, count: state.draft.count + 1 } })),
  openSearch: (query) => set((state) => ({ searchOpen: true, searchQuery: query ?? state.searchQuery })),
  setWalk: (walk) =>
    set((state) => (isSameWalk(state.walk, walk) ? state : { walk, target: withWords(state.target, walk) })),
  openCitation: (index) => {
    const { walk, open } = get();
    const citation = walk?.citations.find((candidate) => candidate.index === index);
    if (walk !== null && citation !== undefined) {
      open(targetOfCitation(citation, walk.answerKey));
    }
  },
  stepCitation: (by) => {
    const { walk, target, open } = get();
    if (walk === null || walk.citations.length === 0) {
      return;
    }
    const current =
      target?.answerKey === walk.answerKey
        ? walk.citations.findIndex((citation) => citation.index === target.citationIndex)
        : -1;
    const count = walk.citations.length;
    const next = current === -1 ? (by === 1 ? 0 : count - 1) : (current + by + count) % count;
    const citation = walk.citations[next];
    if (citation !== undefined) {
      open(targetOfCitation(citation, walk.answerKey));
    }
  },
  toggleScopeCollection: (name) => set((state) => ({ scopeCollections: toggled(state.scopeCollections, name) })),
  toggleScopeDocument: (document) =>
    set((state) => {
      const without = state.scopeDocuments.filter((scoped) => scoped.documentId !== document.documentId);
      return {
        scopeDocuments: without.length < state.scopeDocuments.length ? without : [...without, document],
      };
    }),
  setScopeTags: (scopeTags) => set({ scopeTags }),
  scopeTo: (scopeDocuments) => set({ ...noScope, scopeDocuments }),
  clearScope: () => set(noScope),
  setConversation: (conversationId) => set({ conversationId }),
  set: (patch) => set(patch),
}));

/** The named parts of what is shared. What takes them is drawn again when one of these changes, and not with all else. */
export function useViewParts<Name extends keyof ViewState>(...names: Name[]): Pick<ViewState, Name> {
  return useView(useShallow((state) => picked(state, names)));
}

/** A place that was kept without its words gets them back with the answer it comes from. */
function withWords(target: ReaderTarget | null, walk: CitationWalk | null): ReaderTarget | null {
  if (target === null || target.quote !== "" || target.answerKey === null || target.answerKey !== walk?.answerKey) {
    return target;
  }
  const citation = walk.citations.find((candidate) => candidate.index === target.citationIndex);
  return citation === undefined ? target : { ...target, quote: citation.quote, title: citation.title };
}

/** An answer that has not changed is walked as before: nothing has to be drawn for it. */
function isSameWalk(one: CitationWalk | null, other: CitationWalk | null): boolean {
  return (
    one?.answerKey === other?.answerKey &&
    one?.citations.length === other?.citations.length &&
    (one?.citations.every((citation, at) => citation === other?.citations[at]) ?? true)
  );
}

function toggled(names: readonly string[], name: string): string[] {
  return names.includes(name) ? names.filter((candidate) => candidate !== name) : [...names, name];
}

/** The place a citation points at. */
export function targetOfCitation(citation: Citation, answerKey: string): ReaderTarget {
  const quoteBox = citation.boxes.find((box) => box.kind === "quote") ?? citation.boxes[0];
  return {
    collection: citation.collection,
    documentId: citation.document_id,
    sha256: citation.sha256,
    title: citation.title,
    page: quoteBox?.page ?? citation.pages[0]?.number ?? 1,
    boxes: citation.boxes,
    spans: citation.spans,
    spanKind: "quote",
    quote: citation.quote,
    citationIndex: citation.index,
    answerKey,
    place: null,
    resume: false,
  };
}

/** The place of a passage that was read; it has no quote of its own. */
export function targetOfPassage(passage: SearchResult): ReaderTarget {
  return {
    collection: passage.collection,
    documentId: passage.document_id,
    sha256: null,
    title: passage.title,
    page: passage.boxes[0]?.page ?? passage.pages[0]?.number ?? 1,
    boxes: passage.boxes.map((box) => ({ ...box, kind: "passage" })),
    spans: passage.spans,
    spanKind: "passage",
    quote: passage.text,
    citationIndex: null,
    answerKey: null,
    place: null,
    resume: false,
  };
}

/** A document, where it was last read. */
export function targetOfDocument(document: { collection: string; documentId: string; title: string }): ReaderTarget {
  return {
    ...document,
    sha256: null,
    page: 1,
    boxes: [],
    spans: [],
    spanKind: "passage",
    quote: "",
    citationIndex: null,
    answerKey: null,
    place: null,
    resume: true,
  };
}
